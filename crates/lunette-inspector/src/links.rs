//! What assets are linked to: lists of tags, websites and workstream summaries, and changes of them.
//!
//! What must hold: if a service does not report the assets of an item, they are unknown, not zero; assets are changed
//! only by bulk runs, which are undone as a whole; an item is deleted only if no asset is linked to it, and only after
//! the user saw the request.

mod actions;
mod activity;
mod assets;
pub mod headless;
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
pub use assets::{ItemAssets, Source, ToldBy};
pub use many::ManyWrites;
pub(crate) use output::Output;
pub use read::{assets_of, list};
pub use state::{LinkPage, Links, MergeDraft};
