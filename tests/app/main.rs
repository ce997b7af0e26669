//! The inspector without its window, over real HTTP and on real files.

#![expect(
    clippy::too_many_lines,
    reason = "a test of a whole story, and a table of cases, are easier to read in one piece"
)]

#[path = "../support/mod.rs"]
mod support;

#[cfg(feature = "mcp")]
mod assistants;
mod drafts;
mod graph;
mod importing;
mod inspector;
mod inventory;
mod kindness;
mod lists;
mod pages;
mod rescue;
mod scratch;
mod services;
mod sides;
mod stage;
mod two_windows;
mod writing;
