//! Going from one thing to another: what was looked at before, and links into the window.

mod actions;
pub mod history;
pub mod link;
mod state;

pub use actions::Action;
pub use state::{Navigation, Panel};
