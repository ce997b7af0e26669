//! Which library an item belongs to. Most programs number their items in each library anew, so what is kept of an
//! import names the library as well.
//!
//! What must hold: two libraries never share what is kept, unless the second is mostly the first: one that was moved,
//! renamed or copied is known by its content.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;

use lunette_client::model::id::AssetId;
use sha2::{Digest as _, Sha256};

use super::Known;
use super::mapping::Item;

/// Identifies a library on this machine. Our choice: by its canonical path.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct LibraryKey(String);

/// The digits of a key.
const DIGITS: usize = 16;

impl LibraryKey {
    /// The key of the library at this path. Blocks.
    pub fn of(path: &Path) -> Self {
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let digest = Sha256::digest(path.as_os_str().as_encoded_bytes());
        Self(digest.iter().take(DIGITS / 2).map(|byte| format!("{byte:02x}")).collect())
    }

    /// The id under which an item is kept: that of its program where no other library can have it.
    pub fn kept_id(&self, item: &Item) -> String {
        if item.unique { item.id.clone() } else { format!("@{}/{}", self.0, item.id) }
    }

    /// The key and the id within the library of a kept id. Earlier versions kept no key.
    fn split(kept: &str) -> (Option<Self>, &str) {
        let keyed = kept.strip_prefix('@').and_then(|rest| rest.split_once('/'));
        let keyed = keyed.filter(|(key, _)| key.len() == DIGITS && key.bytes().all(|byte| byte.is_ascii_hexdigit()));
        keyed.map_or((None, kept), |(key, id)| (Some(Self(key.to_owned())), id))
    }
}

/// What is kept of the items of one library.
type Kept<'a> = HashMap<&'a str, &'a (AssetId, String)>;

/// What was imported of a library before.
pub(super) struct Before<'a> {
    own: Kept<'a>,
    /// What is kept of the same library at another place, or by an earlier version.
    elsewhere: Option<(Option<LibraryKey>, Kept<'a>)>,
}

/// An item that was imported before.
pub(super) struct Found<'a> {
    pub asset: &'a AssetId,
    pub hash: &'a str,
    /// Whether it is kept under another key than that of the library.
    pub elsewhere: bool,
}

impl<'a> Before<'a> {
    /// Looks for what these items became. Of assets that are not in `present` nothing is known; None if all may be
    /// there.
    pub fn of(key: &LibraryKey, items: &[&Item], known: &'a Known, present: Option<&HashSet<String>>) -> Self {
        let mut libraries: HashMap<Option<LibraryKey>, Kept<'a>> = HashMap::new();
        for (kept, row) in known {
            if present.is_none_or(|present| present.contains(row.0.as_str())) {
                let (library, id) = LibraryKey::split(kept);
                libraries.entry(library).or_default().insert(id, row);
            }
        }
        let own = libraries.remove(&Some(key.clone())).unwrap_or_default();
        // Our choice: a library is the same one elsewhere if at least half of the items that both have are unchanged.
        let same = |(library, kept): (Option<LibraryKey>, Kept<'a>)| {
            let both = items.iter().filter(|item| !item.unique);
            let both = both.filter_map(|item| Some((item, kept.get(id_in(library.as_ref(), item))?)));
            let (count, unchanged) = both.fold((0, 0), |(count, unchanged), (item, (_, hash))| {
                (count + 1, unchanged + usize::from(hash.starts_with(&item.hash.content)))
            });
            (unchanged > 0 && unchanged * 2 >= count).then_some((unchanged, library, kept))
        };
        let unique = libraries.get(&None).cloned().unwrap_or_default();
        let elsewhere = libraries.into_iter().filter_map(same).max_by_key(|(unchanged, ..)| *unchanged);
        let elsewhere = elsewhere.map(|(_, library, kept)| (library, kept));
        Self { own: own.into_iter().chain(unique_only(items, unique)).collect(), elsewhere }
    }

    /// What is kept of an item.
    pub fn find(&self, item: &Item) -> Option<Found<'a>> {
        if let Some((asset, hash)) = self.own.get(item.id.as_str()) {
            return Some(Found { asset, hash, elsewhere: false });
        }
        let (library, kept) = self.elsewhere.as_ref()?;
        let (asset, hash) = kept.get(id_in(library.as_ref(), item))?;
        Some(Found { asset, hash, elsewhere: true })
    }
}

/// The rows of items whose ids are unique, which are kept without a key.
fn unique_only<'a>(items: &[&Item], rows: Kept<'a>) -> impl Iterator<Item = (&'a str, &'a (AssetId, String))> {
    let ids: HashSet<&str> = items.iter().filter(|item| item.unique).map(|item| item.id.as_str()).collect();
    let unique: Vec<_> = rows.into_iter().filter(|(id, _)| ids.contains(id)).collect();
    unique.into_iter()
}

/// The id of an item within a library that is kept with this key, or with none by an earlier version.
fn id_in<'i>(library: Option<&LibraryKey>, item: &'i Item) -> &'i str {
    match library {
        Some(_) => &item.id,
        None => item.old_id.as_deref().unwrap_or(&item.id),
    }
}
