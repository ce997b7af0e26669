//! Navigation: the history of locations, and links into the window.

mod actions;
pub mod history;
pub mod link;
mod state;

pub use actions::Action;
pub use state::{Navigation, Panel};
