//! The window by its labels, on the real service: every panel and every form, empty, loading, failed and full.

#[path = "../support/mod.rs"]
mod support;

mod applications;
mod external;
mod faulty;
mod frame;
mod log;
mod stage;
mod widgets;
