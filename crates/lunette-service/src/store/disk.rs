//! The data folder on disk: its owner, the database file and its versions, backups and restoring them, quarantine, and
//! the space that all of it needs.

pub(super) mod backup;
pub(super) mod ballast;
pub(super) mod file;
pub(super) mod folder;
mod free_space;
pub(super) mod migration;
pub(super) mod opening;
pub(super) mod quarantine;
pub(super) mod replacement;
pub(super) mod restore;
