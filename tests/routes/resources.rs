//! Every operation, by resource.

pub mod activities;
pub mod annotations;
pub mod applications;
pub mod assets;
pub mod batches;
pub mod conversations;
pub mod exports;
pub mod extensions;
pub mod fingerprints;
pub mod formats;
pub mod items;
pub mod links;
pub mod local;
pub mod materials;
pub mod messages;
pub mod questions;
pub mod related;
pub mod relations;
pub mod search;
pub mod trash;
pub mod updates;
pub mod versions;
