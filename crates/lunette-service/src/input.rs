//! Records from outside before they are stored: their size limits, the values that every client knows, and the fields
//! that have no column of their own.

pub(crate) mod bounds;
pub(crate) mod extra_fields;
pub(crate) mod normalize;
