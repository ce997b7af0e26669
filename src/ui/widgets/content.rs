//! Content as what it is: code, rendered Markdown and HTML, JSON trees, tables of CSV, pictures, plots, bytes.

pub mod code;
pub mod delimited_table;
pub mod field_diff;
pub mod hex;
pub mod highlight;
pub mod html;
pub mod json_text;
pub mod json_tree;
pub mod markdown;
pub mod picture;
pub mod plot_days;
pub mod text_diff;
