//! Ids that a stream reported, and how much memory they take.

use std::collections::{BTreeSet, btree_set};

/// What an id takes beside its text, in bytes: its place in the set and in the allocator.
const OF_ID: usize = 96;

/// A set of ids that knows its size.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Ids {
    ids: BTreeSet<String>,
    bytes: usize,
}

impl Ids {
    /// Adds an id.
    pub fn insert(&mut self, id: String) {
        let size = id.len() + OF_ID;
        if self.ids.insert(id) {
            self.bytes += size;
        }
    }

    /// Removes an id.
    pub fn remove(&mut self, id: &str) {
        if self.ids.remove(id) {
            self.bytes -= id.len() + OF_ID;
        }
    }

    /// Returns whether an id is there.
    pub fn contains(&self, id: &str) -> bool {
        self.ids.contains(id)
    }

    /// The memory that they take, in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// The ids, in order.
    pub fn iter(&self) -> btree_set::Iter<'_, String> {
        self.ids.iter()
    }
}

impl Extend<String> for Ids {
    fn extend<T: IntoIterator<Item = String>>(&mut self, ids: T) {
        ids.into_iter().for_each(|id| self.insert(id));
    }
}

impl FromIterator<String> for Ids {
    fn from_iter<T: IntoIterator<Item = String>>(ids: T) -> Self {
        let mut set = Self::default();
        set.extend(ids);
        set
    }
}

impl IntoIterator for Ids {
    type Item = String;
    type IntoIter = btree_set::IntoIter<String>;

    fn into_iter(self) -> Self::IntoIter {
        self.ids.into_iter()
    }
}
