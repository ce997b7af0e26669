//! The program: runs the command line and leaves with its exit code.

use std::process::ExitCode;

/// Gives memory back to the system once it is freed (`lunette_storage::freed_memory` says when). The allocator of the C
/// library keeps most of what other threads freed, so that one large answer would count for as long as the program runs.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    lunette::cli::run()
}
