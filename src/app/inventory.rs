//! The inventory: tracked, detected and related applications as one list, and how it changed.
//!
//! What must hold: what differs between two answers of a list is kept in the inspector's database, once for all windows;
//! an answer that is missing, or misses an application for a moment, is no change; a list that fails takes nothing of the
//! others away. Comparing and joining is done away from the window.

mod actions;
pub mod headless;
mod icon;
mod join;
mod observed;
mod output;
mod since;
mod state;
mod store;
mod usage_history;

pub use actions::{Action, Answered};
pub use icon::AppIcon;
pub use observed::{Change, Difference, SETTLED, Source};
pub(in crate::app) use output::Output;
pub use since::Since;
pub use state::{Inventory, Shown};
pub(in crate::app) use store::InventoryStore;
pub use store::Watched;
pub use usage_history::UsageHistory;
