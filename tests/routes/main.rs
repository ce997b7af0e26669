//! The service over real HTTP, and the client against services that behave and services that do not.

#![expect(
    clippy::too_many_lines,
    reason = "a test of a whole story, and a table of cases, are easier to read in one piece"
)]

#[path = "../support/mod.rs"]
mod support;

mod activities;
mod annotations;
mod answers;
mod applications;
mod assets;
mod batches;
mod bounds;
mod cached;
mod client;
mod clients;
mod conversations;
mod discover;
mod engines;
mod examples;
mod exports;
mod extensions;
mod formats;
mod guard;
mod http;
mod ids;
mod items;
mod links;
mod local;
mod materials;
mod messages;
mod names;
mod partial;
mod pressure;
mod questions;
mod related;
mod routes;
mod search;
mod seeds;
mod semantics;
mod streamed;
mod streams;
mod trash;
mod unsupported;
mod updates;
mod write_policy;
