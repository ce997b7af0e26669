//! The terminal and the process: errors and exit codes, progress, numbers, signals, crash reports.

#[doc(hidden)]
pub mod crash;
pub(super) mod failure;
pub(super) mod number;
pub(super) mod progress;
pub(super) mod signals;
pub(super) mod time_out_report;
