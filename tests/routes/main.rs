//! The service over real HTTP, and the client against services that behave and services that do not.

#![expect(
    clippy::too_many_lines,
    reason = "a test of a whole story, and a table of cases, are easier to read in one piece"
)]

#[path = "../support/mod.rs"]
mod support;

mod answers;
mod client;
mod clients;
mod discover;
mod engines;
mod examples;
mod names;
mod protocol;
mod resources;
mod seeds;
