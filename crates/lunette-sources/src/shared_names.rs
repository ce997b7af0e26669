//! Names that many items of a library share: those of folders and of tags.
//!
//! What must hold: a name that occurs once in a library and is copied into each of its items is short, and so is the path
//! of a folder, however deep the folders are nested.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use serde_json::Value;

use crate::candidate::Library;
use crate::json::string;
use crate::sqlite::Texts;
use crate::warning::Warning;

/// The maximum size of a name that items share, in bytes.
const MOST_NAME: usize = 1_024;
/// The maximum number of folders of a library.
const MOST_FOLDERS: usize = 100_000;
/// The maximum size of the path of a folder, in bytes, as in file systems.
const MOST_PATH: usize = 4_096;

impl Library {
    /// Returns a name that many items may share. One that is too long is cut, with a warning.
    pub(crate) fn shared_name(&mut self, name: &str, location: &str) -> String {
        let cut = &name[..name.floor_char_boundary(MOST_NAME)];
        if cut.len() < name.len() {
            let start = &name[..name.floor_char_boundary(40)];
            let message = format!("the name that begins with {start:?} is cut to {MOST_NAME} bytes");
            self.warn("limit.name", location, message);
        }
        cut.to_owned()
    }
}

/// Returns the names of tags by their ids. Warns of tags without an id.
pub(crate) fn tags_of(
    tags: &[Value],
    id: impl Fn(&Value) -> Option<String>,
    location: &str,
    library: &mut Library,
) -> HashMap<String, String> {
    let mut names = HashMap::new();
    for tag in tags {
        match id(tag) {
            Some(id) => _ = names.insert(id, library.shared_name(&string(tag, "name"), location)),
            None => library.report([Warning::of_value(location, "tags", tag, "a tag with an id")]),
        }
    }
    names
}

/// Returns the names of these ids, each once, without ids that have none.
pub(crate) fn names_of(ids: &[String], names: &HashMap<String, String>) -> Vec<String> {
    let mut seen = HashSet::new();
    ids.iter().filter(|id| seen.insert(*id)).filter_map(|id| names.get(id)).cloned().collect()
}

/// Returns a warning for each id of a tag that has no name.
pub(crate) fn unnamed(ids: &[String], names: &HashMap<String, String>, location: &str) -> Vec<Warning> {
    let ids = ids.iter().filter(|id| !id.is_empty() && !names.contains_key(*id));
    ids.map(|id| Warning::of_value(location, "tags", &Value::from(id.as_str()), "the id of a tag")).collect()
}

/// Returns the names of the tags of each item, in alphabetical order. Links are rows of the id of an item and of a tag, tags
/// are rows of an id and a name.
pub(crate) fn tags_by_item(
    links: Vec<Texts>,
    tags: Vec<Texts>,
    location: &str,
    library: &mut Library,
) -> HashMap<String, BTreeSet<Rc<str>>> {
    let pair = |row: Texts| Some(<[Option<String>; 2]>::try_from(row).ok()?.map(Option::unwrap_or_default));
    let names: HashMap<String, Rc<str>> =
        tags.into_iter().filter_map(pair).map(|[id, name]| (id, library.shared_name(&name, location).into())).collect();
    let mut by_item: HashMap<String, BTreeSet<Rc<str>>> = HashMap::new();
    for [item, tag] in links.into_iter().filter_map(pair) {
        match names.get(&tag) {
            Some(name) => _ = by_item.entry(item).or_default().insert(Rc::clone(name)),
            None => {
                let location = format!("{location}:snippet {item}");
                library.report([Warning::of_value(&location, "tags", &Value::from(tag), "the id of a tag")]);
            }
        }
    }
    by_item
}

/// Folders by their ids, each with its name and the id of the folder above.
#[derive(Debug, Default)]
pub(crate) struct FolderTree(HashMap<String, (String, Option<String>)>);

impl FolderTree {
    /// How many folders there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Adds a folder, unless there are too many. The last one with an id counts.
    pub fn insert(&mut self, id: String, name: String, above: Option<String>) {
        if self.0.len() < MOST_FOLDERS {
            self.0.insert(id, (name, above));
        }
    }

    /// Returns the path of a folder, from the outermost one. A cycle of folders ends where it begins. Of a path beyond the
    /// limits the outer folders are left out, with a warning.
    pub fn path(&self, id: Option<&str>, location: &str, library: &mut Library) -> Vec<String> {
        if self.0.len() == MOST_FOLDERS && id.is_some_and(|id| !self.0.contains_key(id)) {
            library.warn(
                "limit.folders",
                location,
                format!("its folder is not one of the first {MOST_FOLDERS}, and was left out"),
            );
        }
        let (mut path, mut size) = (Vec::new(), 0);
        let mut seen = HashSet::new();
        let mut next = id;
        while let Some(id) = next.filter(|id| seen.insert(*id))
            && let Some((name, above)) = self.0.get(id)
        {
            size += name.len();
            if size > MOST_PATH || path.len() >= library.limits().depth {
                library.warn("limit.folder", location, "is nested in too many folders: the outer ones are left out");
                break;
            }
            path.push(name.clone());
            next = above.as_deref();
        }
        path.reverse();
        path
    }
}
