//! The ids under which records are here that another service had under others.

use std::collections::BTreeMap;

use serde_json::Value;

/// The ids under which records are here, by those that they were received with.
#[derive(Clone, Debug, Default)]
pub(super) struct Mapping(BTreeMap<String, String>);

impl Mapping {
    /// Records that what was received under one id is here under another.
    pub fn insert(&mut self, received: String, here: String) {
        self.0.insert(received, here);
    }

    /// The id under which a record is here.
    pub fn of<'a>(&'a self, id: &'a str) -> &'a str {
        self.0.get(id).map_or(id, String::as_str)
    }

    /// The pairs whose received id is one of these.
    pub fn among<'a>(&'a self, known: impl Fn(&str) -> bool + 'a) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.0.iter().map(|(from, to)| (from.as_str(), to.as_str())).filter(move |(from, _)| known(from))
    }

    /// A record that names others by the ids under which they are here.
    pub fn applied(&self, mut record: Value) -> Value {
        if !self.0.is_empty() {
            self.apply(&mut record);
        }
        record
    }

    fn apply(&self, value: &mut Value) {
        match value {
            Value::String(text) => {
                if let Some(to) = self.0.get(text) {
                    text.clone_from(to);
                }
            }
            Value::Array(entries) => entries.iter_mut().for_each(|entry| self.apply(entry)),
            Value::Object(fields) => {
                let named: Vec<String> = fields.keys().filter(|name| self.0.contains_key(*name)).cloned().collect();
                for from in named {
                    let value = fields.shift_remove(&from).unwrap_or_default();
                    fields.insert(self.of(&from).to_owned(), value);
                }
                fields.values_mut().for_each(|field| self.apply(field));
            }
            _ => {}
        }
    }
}
