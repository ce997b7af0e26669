//! The command line: the real program, run as a user runs it.

mod bulk;
mod import;
mod program;
mod serve;
mod usage;
