//! Tracked applications, and those found on the machine.

mod actions;
mod load;
mod output;
pub mod read;
mod source;
mod state;

pub use actions::Action;
pub(crate) use output::Output;
pub use source::{ListResult, Source};
pub use state::{ApplicationPage, Applications};
