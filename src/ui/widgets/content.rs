//! Content as what it is: code, rendered Markdown and HTML, JSON trees, pictures, plots.

pub mod code;
pub mod highlight;
pub mod html;
pub mod json_text;
pub mod json_tree;
pub mod markdown;
pub mod picture;
pub mod plot_days;
