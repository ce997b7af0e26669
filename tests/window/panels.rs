//! The panels and what they list.

pub mod applications;
pub mod asset_page;
pub mod assets;
pub mod compare;
pub mod external;
pub mod graph;
pub mod graph_tasks;
pub mod groups;
pub mod history;
pub mod icons;
pub mod inventory;
pub mod link_activity;
pub mod link_assets;
pub mod links;
pub mod log;
pub mod operations;
pub mod overview;
mod page_width;
pub mod preview;
mod preview_forms;
pub mod search;
pub mod selection_page;
mod sidebar;
pub mod split;
pub mod thumbnails;
pub mod trash;
mod versions;
