//! `settings.json`, and `settings.bak.json` beside it: what it was before it was written last.

use std::fs;
use std::io;
use std::path::Path;

use serde_json::Value;

/// The settings that an earlier version kept.
pub(in crate::app) struct Legacy<T> {
    /// Those of the file; where it is missing or damaged, those before them. None where there are none.
    pub settings: Option<T>,
    /// What was wrong, for people.
    pub problem: Option<String>,
    /// Whether the file is there and may be readable another time.
    pub unreadable: bool,
}

/// Reads the settings of a file; `parse` makes them of its fields.
pub(in crate::app) fn read<T>(path: &Path, parse: impl Fn(Value) -> serde_json::Result<T>) -> Legacy<T> {
    let whole = |path: &Path| fs::read(path).and_then(|bytes| parsed(&bytes, &parse));
    let shown = path.display();
    match whole(path) {
        Ok(settings) => Legacy { settings: Some(settings), problem: None, unreadable: false },
        Err(error) => {
            let settings = whole(&path.with_extension("bak.json")).ok();
            let instead = if settings.is_some() { "; using the previous settings" } else { "" };
            let unreadable = !matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::InvalidData);
            let problem = match error.kind() {
                io::ErrorKind::NotFound => {
                    settings.is_some().then(|| format!("The settings file is missing{instead}: {shown}"))
                }
                io::ErrorKind::InvalidData => {
                    Some(format!("The settings file was damaged ({error}){instead}. The file is unchanged: {shown}"))
                }
                _ => Some(format!("Could not read the settings: {error}: {shown}{instead}")),
            };
            Legacy { settings, problem, unreadable }
        }
    }
}

fn parsed<T>(bytes: &[u8], parse: impl Fn(Value) -> serde_json::Result<T>) -> io::Result<T> {
    let invalid = |error| io::Error::new(io::ErrorKind::InvalidData, error);
    // An object, so that a list is not taken for settings.
    let fields: serde_json::Map<String, Value> = serde_json::from_slice(bytes).map_err(invalid)?;
    parse(Value::Object(fields)).map_err(invalid)
}
