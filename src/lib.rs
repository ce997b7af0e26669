//! Lunette: a desktop inspector for the local application and asset service, with that service inside.
//!
//! # Layout
//!
//! | module | what it is |
//! |---|---|
//! | [`model`] | the records on the wire: checked JSON trees with typed views |
//! | [`operation`] | the table: one row an operation, from which come its request, its route and its form |
//! | [`client`] | any operation, sent under limits; one error enum; which services run |
//! | [`store`] | SQLite: one writer, many readers, migrations |
//! | [`service`] | the service inside: routes, guard, a handler an operation, detection, export |
//! | [`app`] | the inspector without a window: state, actions, background work, import |
//! | [`ui`] | the window: draws from the state, pushes actions |
//! | [`cli`] | arguments and commands; hands the built-in service to the window |
//!
//! # Who may name whom
//!
//! ```text
//! model      nothing of ours          store    model                       app   client, operation, model
//! operation  model                    service  store, operation, model     ui    app, operation, model
//! client     operation, model         cli      all but store
//! ```
//!
//! Client and service never name each other: what they share is the table and the records. Paths of the interface stand
//! in `operation/table.rs` only, SQL in [`store`], reqwest in [`client`], axum in the http files of [`service`], egui in
//! [`ui`], clap and anyhow in [`cli`]. `tests/shape` holds all of this.
//!
//! # Sources
//!
//! Comments name where a fact comes from: *interface* is the Local Application and Asset Service Interface document, by
//! section; *records* is what its public clients (`pieces_os_client` 2.7.0 and its relatives) send and accept, by section
//! of the notes on them. What neither says is marked `Our choice:`.
//!
//! # More
//!
//! `docs/architecture.md` follows one click from the button to the disk and back, and says how an operation and a feature
//! are added. `docs/choices.md` lists the choices.

pub mod app;
pub mod cli;
pub mod client;
pub mod model;
pub mod operation;
pub mod service;
pub mod store;
pub mod ui;
