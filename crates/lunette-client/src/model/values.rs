//! Identifiers, times, sizes, names and other small values.

pub mod display;
pub mod escape;
pub mod file_name;
pub mod id;
pub mod import_path;
pub mod language;
pub mod name_shape;
pub mod size;
pub mod time;
pub mod told;
pub mod value;
