//! The stored records, in one module for each kind: reading, creating, changing and deleting them.

pub(crate) mod activity;
pub(crate) mod annotation;
pub(crate) mod application;
pub(crate) mod archived;
pub(crate) mod asset;
pub(crate) mod conversation;
pub(crate) mod create;
pub(crate) mod format;
pub(crate) mod item;
pub(crate) mod link;
pub(crate) mod material;
pub(crate) mod related;
pub(crate) mod restored;
pub(crate) mod session;
pub(crate) mod trash;
pub(crate) mod usage;
