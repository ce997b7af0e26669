//! What the lists show of a record: a few small fields, read once off the window's thread.

mod application;
mod application_name;
mod asset;
mod external;
mod inventory;
mod link;
mod trash;

pub use application::{ApplicationRow, Usage, onboarding};
pub use application_name::{CHECK, LUNETTE, application_name, readable_word};
pub use asset::{AssetRow, ListedAsset, Shared, total_score};
pub use external::{ExternalKey, ExternalRow, ExternalState};
pub use inventory::{InventoryRow, InventoryState, RowChange, plain_name};
pub use link::LinkRow;
pub use trash::TrashRow;

#[cfg(test)]
mod tests;
