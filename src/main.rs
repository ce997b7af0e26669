//! The program: runs the command line and leaves with its exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    lunette::cli::run()
}
