//! The inspector without its window, over real HTTP and on real files.

#![expect(
    clippy::too_many_lines,
    reason = "a test of a whole story, and a table of cases, are easier to read in one piece"
)]

#[path = "../support/mod.rs"]
mod support;

mod archives;
mod bounds;
mod bulk;
mod bulk_steps;
mod capabilities;
mod check;
mod drafts;
mod endless;
mod flood;
mod foreign;
mod graph;
mod imports;
mod inspector;
mod interleavings;
mod inventory;
mod journal;
mod kindness;
mod links;
mod links_thousand;
mod lists;
mod live;
mod live_streams;
mod panics;
mod partial;
mod patch;
mod plans;
mod races;
mod reconnect;
mod shared_history;
mod stage;
mod trash;
mod trust;
mod tunnel;
mod two_windows;
mod undo;
mod undo_deleted;
mod undo_plans;
mod unreported;
mod watched;
mod write_policy;
mod writes;
