//! Tracked applications, and those found on the machine.

mod actions;
mod output;

pub use actions::Action;
pub(in crate::app) use output::Output;
