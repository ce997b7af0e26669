//! The records of the interface and of the service's own extensions, by resource.

pub mod activity;
pub mod application;
pub mod asset;
pub mod conversation;
pub mod event;
pub mod export;
pub mod fingerprint;
pub mod linked;
pub mod local;
pub mod material;
pub mod origin;
pub mod related;
pub mod search_result;
pub mod seed;
pub mod trash;
pub mod version;
