//! What an archive says of its records: the sum of each, and what was left out of it. Archives of format 4 say nothing.

use std::collections::{BTreeMap, HashMap};

use serde_json::Value;

use super::material::Material;
use crate::Warning;
use crate::candidate::Library;
use crate::files::Files;
use crate::json::{self, text};
use crate::sha256;

/// The name of the file.
pub(super) const STATE: &str = "rebuild-state.jsonl";

/// The name of a record in an archive: the sum of its kind and id.
pub(super) type Key = [u8; 32];

/// Returns the key in a text of hexadecimal digits.
pub(super) fn key(text: &str) -> Option<Key> {
    let mut key = Key::default();
    let valid = text.len() == 64 && text.bytes().all(|digit| digit.is_ascii_hexdigit());
    for (at, byte) in key.iter_mut().enumerate() {
        *byte = valid.then(|| u8::from_str_radix(&text[2 * at..2 * at + 2], 16).ok()).flatten()?;
    }
    Some(key)
}

/// What is said of a record that the archive has.
#[derive(Clone, Copy, Debug)]
pub(super) struct ListedRecord {
    pub material: Option<Material>,
    pub sum: Key,
    /// How many values in it were replaced.
    pub redactions: u64,
}

/// What an archive says of its records.
#[derive(Debug, Default)]
pub(super) struct State {
    rows: HashMap<Key, ListedRecord>,
    left_out: BTreeMap<(Material, String), usize>,
}

/// Why a line of the list of records is left out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
enum LineError {
    /// It is not JSON; why and where.
    #[error("{0}")]
    Invalid(String),
    /// It lacks what identifies a record.
    #[error("names a record without its key or its sum")]
    NoKey,
    /// It says what no export says of a record.
    #[error("has the unknown state {0:?}")]
    UnknownState(String),
}

impl State {
    /// Reads the file at this path. Returns `None` with a warning if it cannot be read at all.
    pub fn read(files: &Files, path: &str, expected: Option<&str>, library: &mut Library) -> Option<Self> {
        let written = match files.bytes(path) {
            Ok(written) => written,
            Err(warning) => {
                let message = format!("{}: nothing is verified", warning.message);
                library.report([Warning { message, ..warning }]);
                return None;
            }
        };
        if expected.is_some_and(|expected| expected != sha256::hex(&written)) {
            library.warn("pieces.checksum", files.location(path), "has changed since the archive was written");
        }
        let mut state = Self::default();
        for (number, line) in written.split(|byte| *byte == b'\n').enumerate().filter(|(_, line)| !line.is_empty()) {
            if let Err(error) = state.add(line) {
                library.warn("pieces.state", format!("{}:{}", files.location(path), number + 1), error.to_string());
            }
        }
        Some(state)
    }

    /// Adds a line.
    fn add(&mut self, line: &[u8]) -> Result<(), LineError> {
        let row = json::parse_strict(line).map_err(|error| LineError::Invalid(error.at("").message))?;
        let material = Material::named(text(&row, "material"));
        let record = key(text(&row, "record_ref"));
        match text(&row, "state") {
            "included" => {
                let (Some(record), Some(sum)) = (record, key(text(&row, "data_sha256"))) else {
                    return Err(LineError::NoKey);
                };
                let redactions = row.get("redactions").and_then(Value::as_u64).unwrap_or_default();
                self.rows.insert(record, ListedRecord { material, sum, redactions });
            }
            state @ ("excluded" | "withheld" | "missing" | "omitted") => {
                let Some(material) = material else { return Ok(()) };
                *self.left_out.entry((material, state.to_owned())).or_default() += 1;
            }
            state => return Err(LineError::UnknownState(state.to_owned())),
        }
        Ok(())
    }

    /// What is said of a record.
    pub fn row(&self, record: &Key) -> Option<ListedRecord> {
        self.rows.get(record).copied()
    }

    /// The records of a kind that the archive must have.
    pub fn of(&self, material: Material) -> impl Iterator<Item = &Key> {
        self.rows.iter().filter(move |(_, row)| row.material == Some(material)).map(|(record, _)| record)
    }

    /// Warns of the records that the export left out.
    pub fn warn_of_left_out(&self, location: &str, library: &mut Library) {
        for ((material, state), count) in &self.left_out {
            let (code, reason) = match state.as_str() {
                "excluded" => ("pieces.excluded", "that the rules of the export exclude"),
                "withheld" => ("pieces.withheld", "that the export withheld because it could not check them"),
                "missing" => ("pieces.missing", "that could not be read when the archive was written"),
                _ => ("pieces.omitted", "that the options of the export left out"),
            };
            library.warn(code, location, format!("records of {} {reason}: {count}", material.name()));
        }
    }
}
