//! Tracked applications, and those found on the machine.

mod actions;
mod output;
mod state;

pub use actions::Action;
pub(in crate::app) use output::Output;
pub use state::{ApplicationPage, Applications};
