//! Two sides of many assets: which assets they share, how these differ, and copying some of them.
//!
//! A side is a service, a backup, an archive, a folder of files, or a service of this program as it was. What is known
//! of an asset at a side is its [`Facts`]; [`Comparison`] pairs those of two sides and has a [`SideRow`] for each pair,
//! which is a row of a list as any other: it is filtered, sorted, marked and drawn from its columns. [`copy`] plans
//! what makes one side say what the other one says, as the changes of one run.
//!
//! What must hold: what a side does not tell is not a difference, and nothing is unlinked or deleted because of it; the
//! comparison depends on nothing but what was read; nothing is written to a side but by a run that names it.

mod base;
mod comparison;
pub mod copy;
mod decide;
mod facts;
mod items;
mod kept;
mod local;
mod location;
mod matching;
mod page;
mod past;
mod read;
mod reader;
mod row;
mod scratch;
mod side;
pub mod window;

pub use base::Base;
pub use comparison::{Comparison, Counts};
pub use decide::{Decided, Decision, Decisions};
pub use facts::{Facts, Part, PartKind, Parts};
pub use location::{Location, LocationError};
pub use matching::{Match, Matches};
pub use past::time_of;
pub use read::{NOTHING_KEPT, Progress, SideError};
pub use reader::ServiceReader;
pub use row::{Changed, RowKey, RowState, SideRow};
pub use scratch::{LeftCopy, Scratch, ScratchError, Scratches, fill, fill_activities};
pub use side::{Side, Sides};

#[cfg(test)]
mod tests;
