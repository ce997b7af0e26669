//! Virtual lists and tables, and their keys.

pub(super) mod list;
pub(super) mod list_keys;
pub mod row_list;
pub(super) mod scroll;
pub mod table;
pub(in crate::ui) mod type_ahead;
