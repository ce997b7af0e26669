//! What an asset's record comes to, without what changes by itself: to know later whether anybody changed it.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

/// Fields of a record that move without anybody editing it.
pub const VOLATILE: [&str; 4] = ["updated", "interacted", "score", "activities"];

/// The SHA-256 of a record without its volatile fields, in hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Fingerprint(String);

impl Fingerprint {
    /// The fingerprint of a record; the order of its fields does not matter.
    pub fn of(record: &Value) -> Self {
        let mut hash = Sha256::new();
        feed(&mut hash, record, true);
        Self(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
    }
}

fn feed(hash: &mut Sha256, value: &Value, top: bool) {
    match value {
        Value::Object(fields) => {
            hash.update(b"{");
            let mut names: Vec<_> = fields.keys().filter(|name| !top || !VOLATILE.contains(&name.as_str())).collect();
            names.sort_unstable();
            for name in names {
                hash.update(Value::from(name.as_str()).to_string());
                feed(hash, &fields[name.as_str()], false);
            }
            hash.update(b"}");
        }
        Value::Array(items) => {
            hash.update(b"[");
            items.iter().for_each(|item| feed(hash, item, false));
            hash.update(b"]");
        }
        scalar => hash.update(scalar.to_string()),
    }
    // Two values side by side must not read as one.
    hash.update(b",");
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_what_somebody_edits_counts() {
        let one = Fingerprint::of(&json!({ "name": "a", "tags": [1, 2], "updated": 1 }));
        assert_eq!(one, Fingerprint::of(&json!({ "updated": 2, "tags": [1, 2], "name": "a", "score": {} })));
        assert_ne!(one, Fingerprint::of(&json!({ "name": "a", "tags": [12] })));
    }
}
