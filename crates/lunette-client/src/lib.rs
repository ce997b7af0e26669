//! The interface of the local application and asset service as a library: its records, its table of operations, and a
//! client that sends any of them under limits.
//!
//! | module | what it is |
//! |---|---|
//! | [`model`] | the records on the wire: checked JSON trees with typed views |
//! | [`operation`] | the table: one row an operation, from which come its request, its route and its form |
//! | [`client`] | any operation, sent under limits; one error enum; which services run |
//!
//! # Example
//!
//! ```
//! use lunette_client::client::{Client, Limits};
//! use lunette_client::operation::table::AssetSnapshot;
//!
//! # async fn read(id: &str) -> Result<(), Box<dyn std::error::Error>> {
//! let client = Client::new("localhost:39300".parse()?, Limits::default())?;
//! let asset = client.call(AssetSnapshot { asset: id.parse()?, transferables: Some(false) }).await?;
//! println!("{}", asset.view().name().unwrap_or("unnamed"));
//! # Ok(())
//! # }
//! # use lunette_client::model::record::Record as _;
//! ```
//!
//! # Sources
//!
//! Comments name where a fact comes from: *interface* is the Local Application and Asset Service Interface document, by
//! section; *records* is what its public clients (`pieces_os_client` 2.7.0 and its relatives) send and accept, by section
//! of the notes on them. What neither says is marked `Our choice:`.

#![cfg_attr(
    test,
    expect(
        clippy::too_many_lines,
        reason = "a test of a whole story, and a table of cases, are easier to read in one piece"
    )
)]

pub mod client;
pub mod model;
pub mod operation;
