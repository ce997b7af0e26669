//! The window, driven by labels, on the real service: every panel and every form, empty, loading, failed and full.

#![expect(
    clippy::too_many_lines,
    reason = "a test of a whole story, and a table of cases, are easier to read in one piece"
)]

#[path = "../support/mod.rs"]
mod support;

mod dialogs;
mod drafts;
mod frame;
mod front;
mod input;
mod looks;
mod messages;
mod panels;
mod services;
mod stage;
mod ten_tasks;
mod widgets;
