//! How records are declared: their fields and types, closed sets of values, and every record by name.

pub mod closed_enum;
pub mod field_type;
pub mod record;
pub mod registry;
