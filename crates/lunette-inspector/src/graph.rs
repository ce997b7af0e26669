//! The graph of links: it starts at some assets, items or applications, goes one or two links deep, and is bounded.
//!
//! What must hold: every line is a link in a record of the service; links that a service does not report are marked as
//! unknown, never as absent; the same records give the same picture.

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
mod positions;
mod state;
mod svg;

pub use actions::Action;
pub use drawing::{Drawing, Mark, Outline, drawing, outline, shape_of};
pub use facts::{Facts, GraphContext};
pub use gather::gather;
pub use layout::{SPACING, layout};
pub use link::{Linkable, linkable};
pub use mermaid::mermaid;
pub use neighbourhood::{BATCH, MAX_NODES, Query};
pub use node::{Edge, Graph, Node, NodeKey, NodeKind, ReadState, Start};
pub(crate) use output::Output;
pub use state::{LinkGraph, Shown};
pub use svg::svg;
