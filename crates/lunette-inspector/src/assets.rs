//! Assets: the list, the pages of opened assets, their content, and the search by the service.
//!
//! What must hold: rows change in one place; memory is bounded in number and in bytes.

mod actions;
mod beside;
pub mod content;
mod limits;
pub mod linkable;
pub(crate) mod list;
pub mod load;
pub mod near_duplicates;
mod output;
pub mod page;
pub mod pictures;
pub mod related;
mod remote;
pub(crate) mod row_updates;
pub mod search;
pub(crate) mod seed;
pub(crate) mod selection;
mod state;
mod uses;
pub mod values;

pub use actions::Action;
pub(crate) use output::Output;
pub use selection::{Selected, SelectedRows, SelectionSummary, Share, Shares};
pub use state::Assets;
