//! Navigation: the history of locations, what is in view, and links into the window.

mod actions;
pub mod history;
pub mod in_view;
pub mod link;
mod state;

pub use actions::Action;
pub use state::Navigation;
