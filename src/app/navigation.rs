//! Going from one thing to another: what was looked at before, and links into the window.

pub mod history;
pub mod link;
