//! The command line: the real program, run as a user runs it.

#![expect(
    clippy::too_many_lines,
    reason = "a test of a whole story, and a table of cases, are easier to read in one piece"
)]

#[cfg(feature = "mcp")]
mod assistants;
mod backup;
mod bulk;
#[path = "../support/busy.rs"]
#[allow(dead_code, reason = "each test binary uses a part of it")]
mod busy;
mod check;
#[cfg(unix)]
mod complete;
mod crash;
mod damaged;
mod desktop;
mod diff;
#[cfg(all(target_os = "linux", feature = "window"))]
mod drag;
#[cfg(unix)]
#[path = "../support/dying.rs"]
#[allow(dead_code, reason = "each test binary uses a part of it")]
mod dying;
mod exit_codes;
mod export;
#[path = "../support/fault.rs"]
#[allow(dead_code, reason = "each test binary uses a part of it")]
mod fault;
mod find;
mod habits;
mod history;
mod import;
mod import_folder;
mod import_pieces;
mod import_sources;
#[cfg(all(target_os = "linux", feature = "window"))]
mod instance;
#[cfg(unix)]
mod interrupted;
mod inventory;
#[cfg(target_os = "linux")]
mod kept;
mod links;
mod list;
mod memory;
#[path = "../support/mutating_proxy.rs"]
#[allow(dead_code, reason = "each test binary uses a part of it")]
mod mutating_proxy;
#[cfg(target_os = "linux")]
mod owner;
#[path = "../support/paged.rs"]
mod paged;
#[cfg(unix)]
mod parallel;
mod program;
#[path = "../support/raw.rs"]
#[allow(dead_code, reason = "each test binary uses a part of it")]
mod raw;
#[cfg(unix)]
mod refused_writes;
#[cfg(unix)]
mod rescue;
#[cfg(unix)]
mod rescue_again;
#[cfg(all(target_os = "linux", feature = "window"))]
mod screen;
mod serve;
mod services;
mod sides;
mod target;
#[cfg(target_os = "linux")]
mod terminal;
mod thousand_changes;
mod usage;
mod versions;
mod write;
mod write_policy;
