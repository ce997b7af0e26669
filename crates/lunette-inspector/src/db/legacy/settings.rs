//! `settings.json`, and `settings.bak.json` beside it, the previous version.

use std::fs;
use std::io;
use std::path::Path;

use serde_json::Value;

/// The settings of an earlier version.
pub(crate) struct Legacy<T> {
    /// Those of the file, or of the previous version if it is missing or damaged; `None` if there are none.
    pub settings: Option<T>,
    /// A message if something could not be read.
    pub problem: Option<String>,
    /// Whether the file exists and may be readable the next time.
    pub unreadable: bool,
}

/// Reads the settings of a file; `parse` creates them from its fields.
pub(crate) fn read<T>(path: &Path, parse: impl Fn(Value) -> serde_json::Result<T>) -> Legacy<T> {
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
    // A list is not accepted as settings.
    let fields: serde_json::Map<String, Value> = serde_json::from_slice(bytes).map_err(invalid)?;
    parse(Value::Object(fields)).map_err(invalid)
}
