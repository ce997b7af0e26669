//! Identifies the library of an item. Ids of most programs are unique only within a library, so records of an import
//! name the library too.
//!
//! What must hold: two libraries never share records, unless one is mostly a copy of the other: a moved, renamed or
//! copied library is recognised by its content.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;

use lunette_client::model::id::AssetId;
use sha2::{Digest as _, Sha256};

use super::ImportedItems;
use super::mapping::Item;

/// Identifies a library on this machine. Our choice: by its canonical path.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct LibraryKey(String);

/// The number of digits of a key.
const DIGITS: usize = 16;

impl LibraryKey {
    /// Returns the key of the library at this path. Blocks.
    pub fn of(path: &Path) -> Self {
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let digest = Sha256::digest(path.as_os_str().as_encoded_bytes());
        Self(crate::files::hex(&digest[..DIGITS / 2]))
    }

    /// Returns the id under which an item is recorded: that of its program if it is globally unique.
    pub fn recorded_id(&self, item: &Item) -> String {
        if item.unique { item.id.clone() } else { format!("@{}/{}", self.0, item.id) }
    }

    /// Splits a recorded id into the key of the library and the id within it. Earlier versions recorded no key.
    fn split(kept: &str) -> (Option<Self>, &str) {
        let keyed = kept.strip_prefix('@').and_then(|rest| rest.split_once('/'));
        let keyed = keyed.filter(|(key, _)| key.len() == DIGITS && key.bytes().all(|byte| byte.is_ascii_hexdigit()));
        keyed.map_or((None, kept), |(key, id)| (Some(Self(key.to_owned())), id))
    }
}

/// The records of the items of one library.
type Records<'a> = HashMap<&'a str, &'a (AssetId, String)>;

/// The previous imports of a library.
pub(super) struct PreviousItems<'a> {
    own: Records<'a>,
    /// The records of the same library at another path, or by an earlier version.
    elsewhere: Option<(Option<LibraryKey>, Records<'a>)>,
}

/// An item that was imported before.
pub(super) struct PreviousItem<'a> {
    pub asset: &'a AssetId,
    pub hash: &'a str,
    /// Whether it is recorded under another key.
    pub elsewhere: bool,
}

impl<'a> PreviousItems<'a> {
    /// Finds the records of these items. Records of assets that are not in `present` are ignored; `None` if all may
    /// exist.
    pub fn of(key: &LibraryKey, items: &[&Item], known: &'a ImportedItems, present: Option<&HashSet<String>>) -> Self {
        let mut libraries: HashMap<Option<LibraryKey>, Records<'a>> = HashMap::new();
        for (kept, row) in known {
            if present.is_none_or(|present| present.contains(row.0.as_str())) {
                let (library, id) = LibraryKey::split(kept);
                libraries.entry(library).or_default().insert(id, row);
            }
        }
        let own = libraries.remove(&Some(key.clone())).unwrap_or_default();
        // Our choice: a library at another path is the same if at least half of the common items are unchanged.
        let same = |(library, kept): (Option<LibraryKey>, Records<'a>)| {
            let both = items.iter().filter(|item| !item.unique);
            let both = both.filter_map(|item| Some((item, kept.get(id_in(library.as_ref(), item))?)));
            let (count, unchanged) = both.fold((0, 0), |(count, unchanged), (item, (_, hash))| {
                (count + 1, unchanged + usize::from(hash.starts_with(&item.hash.content.to_string())))
            });
            (unchanged > 0 && unchanged * 2 >= count).then_some((unchanged, library, kept))
        };
        let unique = libraries.get(&None).cloned().unwrap_or_default();
        let elsewhere = libraries.into_iter().filter_map(same).max_by_key(|(unchanged, ..)| *unchanged);
        let elsewhere = elsewhere.map(|(_, library, kept)| (library, kept));
        Self { own: own.into_iter().chain(unique_only(items, unique)).collect(), elsewhere }
    }

    /// Returns the record of an item.
    pub fn find(&self, item: &Item) -> Option<PreviousItem<'a>> {
        if let Some((asset, hash)) = self.own.get(item.id.as_str()) {
            return Some(PreviousItem { asset, hash, elsewhere: false });
        }
        let (library, kept) = self.elsewhere.as_ref()?;
        let (asset, hash) = kept.get(id_in(library.as_ref(), item))?;
        Some(PreviousItem { asset, hash, elsewhere: true })
    }
}

/// Returns the records of items with globally unique ids, which have no key.
fn unique_only<'a>(items: &[&Item], rows: Records<'a>) -> impl Iterator<Item = (&'a str, &'a (AssetId, String))> {
    let ids: HashSet<&str> = items.iter().filter(|item| item.unique).map(|item| item.id.as_str()).collect();
    let unique: Vec<_> = rows.into_iter().filter(|(id, _)| ids.contains(id)).collect();
    unique.into_iter()
}

/// Returns the id of an item within a library that is recorded with this key, or without one by an earlier version.
fn id_in<'i>(library: Option<&LibraryKey>, item: &'i Item) -> &'i str {
    match library {
        Some(_) => &item.id,
        None => item.old_id.as_deref().unwrap_or(&item.id),
    }
}
