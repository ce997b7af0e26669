//! The records on the wire, their identifiers and small values. No input or output, nothing else of
//! ours.
//!
//! Fields and kinds are those of the interface document, section 2, as its public clients send and accept them.

pub mod diff;
mod records;
mod schema;
pub mod search_terms;
mod values;

pub use records::{
    activity, application, asset, conversation, event, export, fingerprint, linked, local, material, origin, related,
    search_result, seed, trash, version,
};
pub use schema::{closed_enum, field_type, record, registry};
pub use values::{display, escape, file_name, id, import_path, language, name_shape, size, time, told, value};

pub use record::{Record, SchemaError, View};
pub use told::Told;
