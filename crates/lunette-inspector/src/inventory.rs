//! The inventory: tracked, detected and related applications as one list, and its changes.
//!
//! What must hold: differences between two responses of a list are stored in the inspector's database, once for all
//! windows; a missing response, or an application that is missing briefly, is not a change; a list that fails does not
//! affect the others. Comparing and joining run in the background.

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

pub use actions::Action;
pub use icon::AppIcon;
pub use observed::{Change, Difference, SETTLED};
pub(crate) use output::Output;
pub use since::Since;
pub use state::{Inventory, Shown};
pub use store::InventoryHistory;
pub use usage_history::UsageHistory;
