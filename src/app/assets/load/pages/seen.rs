//! The assets that a list has had already.

use std::collections::HashSet;

use uuid::Uuid;

use lunette_client::model::id::AssetId;

/// A set of ids, small enough for a million of them.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// Those that are written as usual, by their number.
    numbers: HashSet<u128>,
    /// The others: those with upper-case letters.
    others: HashSet<AssetId>,
}

impl Seen {
    /// Adds an id; returns whether it is new.
    pub fn insert(&mut self, id: &AssetId) -> bool {
        match Uuid::try_parse(id.as_str()) {
            Ok(uuid) if !id.as_str().bytes().any(|byte| byte.is_ascii_uppercase()) => {
                self.numbers.insert(uuid.as_u128())
            }
            Ok(_) | Err(_) => self.others.insert(id.clone()),
        }
    }

    /// Returns the number of ids.
    pub fn len(&self) -> usize {
        self.numbers.len() + self.others.len()
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_new_once_and_each_way_to_write_it_is_another_id() {
        let mut seen = Seen::default();
        let id = |text: &str| text.parse::<AssetId>().expect("an id");
        let ids = ["5f0c1a34-0b7e-4c5d-9a51-2f6f3d1ae159", "5F0C1A34-0b7e-4c5d-9a51-2f6f3d1ae159"];
        for text in ids {
            assert!(seen.insert(&id(text)) && !seen.insert(&id(text)));
        }
        assert_eq!((seen.len(), seen.is_empty()), (2, false));
    }
}
