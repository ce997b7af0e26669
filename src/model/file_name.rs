//! Names for files that are safe on every platform.

/// A name for a file.
pub fn suggested_name(name: &str, _id: &str, extension: &str) -> String {
    format!("{name}.{extension}")
}
