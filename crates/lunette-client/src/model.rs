//! The records on the wire, their identifiers and small values. No input or output, nothing else of
//! ours.
//!
//! Fields and kinds are those of the interface document, section 2, as its public clients send and accept them.

pub mod activity;
pub mod application;
pub mod asset;
pub mod closed_enum;
pub mod conversation;
pub mod diff;
pub mod display;
pub mod event;
pub mod export;
pub mod field_type;
pub mod file_name;
pub mod id;
pub mod language;
pub mod linked;
pub mod local;
pub mod material;
pub mod origin;
pub mod record;
pub mod registry;
pub mod related;
pub mod search_result;
pub mod search_terms;
pub mod seed;
pub mod size;
pub mod time;
pub mod told;
pub mod trash;
pub mod value;

pub use record::{Record, SchemaError, View};
pub use told::Told;
