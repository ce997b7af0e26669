//! Lunette: a desktop inspector for the local application and asset service, with that service inside.
//!
//! # Layout
//!
//! | crate or module | what it is |
//! |---|---|
//! | [`lunette_client`] | the interface as a library: records, the table of operations, a client |
//! | [`lunette_service`] | the service as a library: routes, guard, a handler an operation, detection, export; its store in SQLite |
//! | [`lunette_syntax`] | syntax highlighting with a limit on work |
//! | `lunette_mcp` | assistants by the Model Context Protocol: tools over the inspector |
//! | [`lunette_inspector`] | the inspector without a window: state, actions, background work, import |
//! | [`ui`] | the window: draws from the state, pushes actions |
//! | [`cli`] | arguments and commands; hands the built-in service to the window |
//!
//! # Who may name whom
//!
//! ```text
//! lunette_client     nothing of ours
//! lunette_service    records and table, lunette_syntax
//! lunette_inspector  lunette_client, lunette_syntax
//! lunette_mcp        lunette_inspector, lunette_client, lunette_secrets
//! ui                 lunette_inspector, records and table, lunette_syntax
//! cli                everything but the store
//! ```
//!
//! Client and service never name each other: what they share is the table and the records. Paths of the interface are in
//! the table only, SQL in [`lunette_service::store`], reqwest in [`lunette_client::client`], axum in the `http` files of
//! the service, egui in [`ui`], clap and anyhow in [`cli`]. `tests/shape` holds what the compiler cannot see of this.
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

#![cfg_attr(
    test,
    expect(
        clippy::too_many_lines,
        reason = "a test of a whole story, and a table of cases, are easier to read in one piece"
    )
)]

pub mod cli;
#[cfg(feature = "window")]
pub mod ui;
