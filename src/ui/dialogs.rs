//! The dialogs. Each draws itself while the state, or a request of the user, asks for it.

pub mod about;
pub(in crate::ui) mod assistants;
pub mod backups;
pub mod bulk;
pub(in crate::ui) mod compare_with;
pub mod confirm;
pub mod conflict;
pub mod connection;
pub(in crate::ui) mod export_many;
pub mod help;
pub(in crate::ui) mod import;
pub(in crate::ui) mod merge;
mod parts;
pub mod plan;
pub mod preferences;
pub(in crate::ui) mod proposal;
pub mod trash;
