//! Changes: single ones, plans, runs, the history and undo.

pub mod bulk;
pub mod bulk_steps;
pub mod interleavings;
pub mod journal;
pub mod links;
pub mod links_thousand;
pub mod patch;
pub mod plans;
pub mod review;
pub mod shared_history;
pub mod trash;
pub mod undo;
pub mod undo_deleted;
pub mod undo_plans;
pub mod unknown;
pub mod write_policy;
pub mod writes;
