//! What assets are linked to: lists of tags, websites and workstream summaries, and their care.
//!
//! What must hold: what a service does not tell of an item's assets is not taken for none; assets change by runs alone,
//! which can be undone as a whole; an item is deleted only after the user saw the request, and on its own where no asset
//! is linked to it.

mod actions;
mod activity;
pub mod headless;
mod item_step;
mod known;
mod load;
mod many;
mod merge;
mod output;
mod read;
pub mod similar;
mod state;
mod write;

pub use actions::Action;
pub use activity::{ItemActivity, ItemEvent};
pub use item_step::{ItemStep, ItemWrite};
pub use many::ManyWrites;
pub(in crate::app) use output::Output;
pub use read::{assets_of, list};
pub use state::{LinkPage, Links, MergeDraft};
