//! `lunette openapi`: the interface as an OpenAPI 3.1 document.

use lunette_client::operation::openapi::{ApiSurface, Publication, document};

use crate::cli::Failure;

/// What `openapi` takes.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Describe only the 27 operations of the interface, without the extension operations.
    #[arg(long)]
    interface_only: bool,
}

/// Prints the document.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let surface = if arguments.interface_only { ApiSurface::Interface } else { ApiSurface::Everything };
    crate::cli::print(&format!("{:#}\n", document(surface, Publication::Apart)))
}
