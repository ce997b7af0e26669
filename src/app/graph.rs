//! The graph of what is linked: from some assets, items or applications one or two links further, bounded.
//!
//! What must hold: every line of the picture is a link that a record of the service tells; what a service leaves out is
//! said to be not told and never taken for none; the same records give the same picture.

mod actions;
mod drawing;
mod facts;
mod gather;
mod layout;
mod link;
mod load;
mod mermaid;
mod neighbourhood;
mod node;
mod notes;
mod output;
mod places;
mod state;
mod svg;

pub use actions::Action;
pub use drawing::{Drawing, Mark, Outline, drawing, outline, shape_of};
pub use facts::{Facts, Known};
pub use gather::gather;
pub use layout::{SPACING, layout};
pub use link::{Linkable, linkable};
pub use mermaid::mermaid;
pub use neighbourhood::{BATCH, Query, TOTAL};
pub use node::{Edge, Graph, Node, NodeKey, NodeKind, ReadState, Start};
pub(in crate::app) use output::Output;
pub use state::{LinkGraph, Shown};
pub use svg::svg;
