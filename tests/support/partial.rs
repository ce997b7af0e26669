//! Records as any service of the interface may send them: some of their fields left out, some of another type.

#![allow(dead_code, reason = "each test binary uses a part of it")]

use serde_json::{Value, json};

/// Numbers that differ from one to the next, and are the same in each run.
pub struct Numbers(u64);

impl Numbers {
    /// Begins with this seed.
    pub fn from(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// The next number below a limit.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}

/// Leaves out one of about eight fields at any depth, and gives one of about eight a value of any type.
pub fn partial(tree: &Value, numbers: &mut Numbers) -> Value {
    match tree {
        Value::Object(fields) => {
            let kept = fields.iter().filter_map(|(name, value)| {
                let value = match numbers.below(8) {
                    0 => return None,
                    1 => any(numbers),
                    _ => partial(value, numbers),
                };
                Some((name.clone(), value))
            });
            Value::Object(kept.collect())
        }
        Value::Array(entries) => {
            let entry = |entry: &Value| if numbers.below(8) == 0 { any(numbers) } else { partial(entry, numbers) };
            Value::Array(entries.iter().map(entry).collect())
        }
        other => other.clone(),
    }
}

fn any(numbers: &mut Numbers) -> Value {
    let values = [
        Value::Null,
        json!(true),
        json!(-7),
        json!(1.5),
        json!("a text"),
        json!(""),
        json!([]),
        json!([1, null, {}]),
        json!({}),
        json!({ "iterable": 3 }),
        json!({ "iterable": [{}, [], "x", { "id": 5 }] }),
        json!({ "value": [] }),
    ];
    values[numbers.below(values.len() as u64) as usize].clone()
}

/// The example of a record.
pub fn example(name: &str) -> Value {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/examples/{name}.json"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).expect("JSON")
}
