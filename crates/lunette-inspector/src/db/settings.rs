//! The settings in the database: a row for each field, or for each entry of a field that is an object or a list, so
//! that a damaged row loses one entry.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::db::rows::SETTING;
use crate::db::{Database, DatabaseError};

/// The stored settings.
#[derive(Debug, Default)]
pub(crate) struct StoredSettings {
    /// The fields.
    pub fields: Value,
    /// Whether there are none.
    pub first: bool,
    /// How many entries could not be read.
    pub damaged: usize,
}

/// The rows of a field: its own, and those of its entries.
const OF_FIELD: &str = "name = ?1 OR (name >= ?2 AND name < ?3)";

impl Database {
    /// The settings. Blocks.
    pub(crate) fn settings(&self) -> Result<StoredSettings, DatabaseError> {
        self.read(|connection| {
            let found = SETTING.read(connection, "TRUE", [])?;
            let first = found.rows.is_empty() && found.damaged == 0;
            Ok(StoredSettings { fields: joined(found.rows.into_iter().map(pair)), first, damaged: found.damaged })
        })
    }

    /// One field of the settings, in an object of its own. Blocks.
    pub(crate) fn settings_of(&self, field: &str) -> Result<Value, DatabaseError> {
        // The names of its entries are between these two: the second ends with the letter after the one between.
        let (entries, after) = (format!("{field}{BETWEEN}"), format!("{field}0"));
        let found = self.read(|connection| SETTING.read(connection, OF_FIELD, [field, &entries, &after]))?;
        Ok(joined(found.rows.into_iter().map(pair)))
    }

    /// Replaces the settings by what `merge` returns for the stored ones. Blocks.
    pub(crate) fn change_settings(&self, merge: impl FnOnce(&Value) -> Value) -> Result<Value, DatabaseError> {
        self.write(|transaction| {
            let before: BTreeMap<_, _> = SETTING.read(transaction, "TRUE", [])?.rows.into_iter().map(pair).collect();
            let merged = merge(&joined(before.clone().into_iter()));
            let after = split(&merged);
            for name in before.keys().filter(|name| !after.contains_key(*name)) {
                transaction.prepare_cached("DELETE FROM setting WHERE name = ?1")?.execute([name])?;
            }
            for (name, value) in after.iter().filter(|(name, value)| before.get(*name) != Some(value)) {
                SETTING.insert(transaction, &[name, value])?;
            }
            Ok(merged)
        })
    }
}

fn pair((_, columns): (i64, Vec<String>)) -> (String, String) {
    let [name, value] = <[String; 2]>::try_from(columns).unwrap_or_default();
    (name, value)
}

/// Separates the name of a field from that of an entry. No field name contains it.
const BETWEEN: char = '/';

/// The prefix of the index of an entry in a list. It distinguishes lists from objects, also when they are empty.
const INDEXED: char = '#';

/// The rows of settings. A field that is an object or a list has a row for its type, and one for each entry.
fn split(fields: &Value) -> BTreeMap<String, String> {
    let mut rows = BTreeMap::new();
    for (field, value) in fields.as_object().into_iter().flatten() {
        match value {
            Value::Object(entries) => {
                rows.insert(field.clone(), "{}".to_owned());
                rows.extend(entries.iter().map(|(name, entry)| (format!("{field}{BETWEEN}{name}"), entry.to_string())));
            }
            Value::Array(entries) => {
                rows.insert(field.clone(), "[]".to_owned());
                let row_name = |index: usize| format!("{field}{BETWEEN}{INDEXED}{index:06}");
                rows.extend(entries.iter().enumerate().map(|(at, entry)| (row_name(at), entry.to_string())));
            }
            plain => drop(rows.insert(field.clone(), plain.to_string())),
        }
    }
    rows
}

/// Settings from their rows. Entries of a field whose own row is lost are kept: their names show its type.
fn joined(rows: impl Iterator<Item = (String, String)>) -> Value {
    let rows: BTreeMap<String, String> = rows.collect();
    let mut fields = Map::new();
    for (name, text) in &rows {
        let Ok(value) = serde_json::from_str::<Value>(text) else { continue };
        let Some((field, entry)) = name.split_once(BETWEEN) else {
            fields.insert(name.clone(), value);
            continue;
        };
        let listed = entry.strip_prefix(INDEXED).is_some_and(|index| index.bytes().all(|byte| byte.is_ascii_digit()));
        let empty = if listed { Value::Array(Vec::new()) } else { Value::Object(Map::new()) };
        match fields.entry(field).or_insert(empty) {
            Value::Array(entries) => entries.push(value),
            Value::Object(entries) => drop(entries.insert(entry.to_owned(), value)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    Value::Object(fields)
}

#[cfg(test)]
mod tests {
    use rusqlite::StatementStatus;
    use serde_json::json;

    use super::*;

    #[test]
    fn one_field_is_read_without_the_others() {
        let folder = tempfile::tempdir().expect("a folder");
        let database = Database::open(folder.path()).expect("opened").database;
        let policies = json!({ "embedded": "free", "http://a/0": "confirm" });
        let settings =
            json!({ "write_policies": policies, "write_policies0": 1, "write": { "a": 1 }, "theme": "Dark" });
        database.change_settings(|_| settings.clone()).expect("written");
        assert_eq!(database.settings_of("write_policies").expect("read"), json!({ "write_policies": policies }));
        assert_eq!(database.settings_of("nothing").expect("read"), json!({}));
    }

    #[test]
    fn a_field_that_is_read_again_is_not_prepared_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let database = Database::open(folder.path()).expect("opened").database;
        for field in ["theme", "zoom", "theme"] {
            database.settings_of(field).expect("read");
        }
        let runs = database.read(|connection| {
            let statement = connection.prepare_cached(&SETTING.query(OF_FIELD))?;
            Ok((statement.get_status(StatementStatus::Run), statement.get_status(StatementStatus::RePrepare)))
        });
        assert_eq!(runs.expect("read"), (3, 0));
    }

    #[test]
    fn settings_round_trip_through_rows_and_a_lost_row_loses_one_entry() {
        let settings = json!({
            "theme": "Dark", "zoom": 1.50, "none": {}, "nothing": [], "layout": { "#1": 1, "http://a/b": { "x": [1] } },
            "connections": [{ "name": "a" }, { "name": "b" }, { "name": "c" }],
        });
        let rows = split(&settings);
        let whole = joined(rows.clone().into_iter());
        assert_eq!(whole, settings);
        let without = |lost: &'static str| joined(rows.clone().into_iter().filter(move |(name, _)| name != lost));
        assert_eq!(without("connections/#000001")["connections"], json!([{ "name": "a" }, { "name": "c" }]));
        assert_eq!(without("connections")["connections"], settings["connections"]);
        assert_eq!(without("layout/#1")["layout"], json!({ "http://a/b": { "x": [1] } }));
        assert_eq!(without("theme").get("theme"), None);
    }
}
