//! The handlers, in one module for each resource. They know nothing of HTTP: each takes a validated operation and returns
//! its output or an error of the service.

pub(crate) mod activities;
pub(crate) mod annotations;
pub(crate) mod applications;
pub(crate) mod assets;
pub(crate) mod conversations;
pub(crate) mod extensions;
pub(crate) mod formats;
pub(crate) mod integrations;
pub(crate) mod items;
pub(crate) mod links;
pub(crate) mod local;
pub(crate) mod materials;
pub(crate) mod messages;
pub(crate) mod models;
pub(crate) mod related;
pub(crate) mod restored;
pub(crate) mod search;
pub(crate) mod sessions;
pub(crate) mod streams;
pub(crate) mod trash;
pub(crate) mod usage;
pub(crate) mod versions;
pub(crate) mod well_known;
