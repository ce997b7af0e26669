//! The dialogs. Each draws itself while the state, or a request of the user, asks for it.

pub mod backups;
pub mod bulk;
pub mod confirm;
pub mod conflict;
pub mod connection;
pub mod help;
mod parts;
pub mod plan;
pub mod preferences;
pub mod trash;
