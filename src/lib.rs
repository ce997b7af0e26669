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
//! | [`cli`] | arguments and verbs; hands the service inside to the window |
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
//! # One click, followed
//!
//! A tag is linked to an asset:
//!
//! 1. Frame *n*. The asset's page draws a button from [`app::State`]; it is clicked, and the page pushes an
//!    [`app::Action`]. Nothing is called, read or waited for while drawing.
//! 2. `App::perform` notes in the state that a write is under way, and starts a task on the tokio runtime.
//! 3. The task reads the asset afresh and makes an [`app::plan::Plan`] of the change; where the tag is linked already, or
//!    the asset is not what the user saw, it ends here. The step goes into the [`app::journal`], and is on disk.
//! 4. The task sends [`operation::table::AssetAssociateTag`] through `client::Client`: `write` makes the request's parts,
//!    and the row says which path they fill. The whole exchange goes into the log.
//! 5. The service's guard looks at the request; its route reads the same parts back and calls the handler on a thread
//!    that may block; the store links both sides in one transaction that is on disk before it is acknowledged: 204.
//! 6. The task notes the end in the journal, sends the outcome, then wakes the window, in this order: a frame that came
//!    before the outcome would be the last one.
//! 7. Frame *n + k*. `App::step` takes the outcome and starts one fresh read of the asset; the old tags stay on screen
//!    meanwhile. A late answer is stored under its own asset and never shown as the one that is selected now.
//! 8. Frame *n + m*. The page draws the new tag, and offers to take the link back.
//!
//! # Sources
//!
//! Comments name where a fact comes from: *interface* is the Local Application and Asset Service Interface document, by
//! section; *records* is what its public clients (`pieces_os_client` 2.7.0 and its relatives) send and accept, by section
//! of the notes on them. What neither says is marked `Our choice:`.
//!
//! # A 28th operation
//!
//! A row in `operation/table.rs`, its record in [`model`], a handler, a line in `service/routes.rs`: the client, the
//! console's form, the log, `lunette call` and the README's table have it then. The tests say what is missing.

pub mod app;
pub mod cli;
pub mod client;
pub mod model;
pub mod operation;
pub mod service;
pub mod store;
pub mod ui;
