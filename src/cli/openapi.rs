//! `lunette openapi`: the interface as an OpenAPI 3.1 document.

use lunette_client::operation::openapi::{Extent, Place, document};

use super::Failure;

/// What `openapi` takes.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Describe only the 27 operations of the interface, without the companion operations.
    #[arg(long)]
    interface_only: bool,
}

/// Prints the document.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let extent = if arguments.interface_only { Extent::Interface } else { Extent::Everything };
    super::print(&format!("{:#}\n", document(extent, Place::Apart)))
}
