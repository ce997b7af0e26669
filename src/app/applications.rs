//! Tracked applications, and those found on the machine.

mod actions;

pub use actions::Action;
