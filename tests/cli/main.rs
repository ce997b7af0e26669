//! The command line: the real program, run as a user runs it.

mod bulk;
mod check;
mod import;
mod program;
mod rails;
mod serve;
mod services;
mod usage;
