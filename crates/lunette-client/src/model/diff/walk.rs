//! Walks three trees at once and finds the paths where either version differs from the base.
//!
//! What must hold: no path found lies within another; each part of the trees is visited a bounded number of times; the
//! paths found need little memory, however long the keys and ids are and however many values differ below them.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::{Path, Step};

/// A value at the end of a longer way is compared as a whole, since each path below it would copy the way.
const LONGEST_WAY: usize = 4 * 1024;
/// How many bytes the keys and ids of all paths may have together. Beyond that, values are compared as a whole.
const MOST_PATH_BYTES: usize = 64 * 1024 * 1024;

/// A path as the three trees hold it: where it began, yours, theirs.
type Versions<'a> = [Option<&'a Value>; 3];

/// Calls `found` at every path where `yours` or `theirs` differs from `base`.
pub(super) fn differences<'a>(
    base: &'a Value,
    yours: &'a Value,
    theirs: &'a Value,
    found: impl FnMut(Path, Versions<'a>),
) {
    Walk { way: Vec::new(), length: 0, spent: 0, found }.at([Some(base), Some(yours), Some(theirs)]);
}

/// A [`Step`] that is not kept yet.
#[derive(Clone, Copy)]
enum Way<'a> {
    Key(&'a str),
    Place(usize),
    Id(&'a str),
    IdAt(&'a str, usize),
}

impl Way<'_> {
    fn length(self) -> usize {
        match self {
            Self::Key(text) | Self::Id(text) | Self::IdAt(text, _) => text.len(),
            Self::Place(_) => size_of::<usize>(),
        }
    }

    fn step(self) -> Step {
        match self {
            Self::Key(key) => Step::Key(key.to_owned()),
            Self::Place(index) => Step::Place(index),
            Self::Id(id) => Step::Id(id.to_owned()),
            Self::IdAt(id, index) => Step::IdAt(id.to_owned(), index),
        }
    }
}

struct Walk<'a, F> {
    way: Vec<Way<'a>>,
    /// The bytes of its keys and ids.
    length: usize,
    /// The bytes of those of all paths found.
    spent: usize,
    found: F,
}

impl<'a, F: FnMut(Path, Versions<'a>)> Walk<'a, F> {
    fn at(&mut self, versions: Versions<'a>) {
        match versions {
            _ if self.is_long(&versions) => self.whole(versions),
            [Some(Value::Object(base)), Some(Value::Object(yours)), Some(Value::Object(theirs))] => {
                self.fields([base, yours, theirs]);
            }
            [Some(Value::Array(base)), Some(Value::Array(yours)), Some(Value::Array(theirs))] => {
                let arrays = [base.as_slice(), yours.as_slice(), theirs.as_slice()];
                match Entries::of_all(arrays) {
                    Some(entries) => self.entries(arrays, &entries),
                    None if base.len() == yours.len() && base.len() == theirs.len() && !all_by_id(arrays) => {
                        self.items(arrays);
                    }
                    None => self.whole(versions),
                }
            }
            _ => self.whole(versions),
        }
    }

    fn below(&mut self, at: Way<'a>, versions: Versions<'a>) {
        self.way.push(at);
        self.length += at.length();
        self.at(versions);
        self.length -= at.length();
        self.way.pop();
    }

    /// Whether the paths below would copy too much of the way to here.
    fn is_long(&self, versions: &Versions<'_>) -> bool {
        let below = |value: &Value| match value {
            Value::Array(entries) => entries.len(),
            Value::Object(fields) => fields.len(),
            _ => 0,
        };
        let most = versions.iter().flatten().map(|value| below(value)).max().unwrap_or_default();
        self.length > LONGEST_WAY || self.spent.saturating_add(most.saturating_mul(self.length)) > MOST_PATH_BYTES
    }

    fn whole(&mut self, versions: Versions<'a>) {
        let [base, yours, theirs] = versions;
        if yours != base || theirs != base {
            self.spent = self.spent.saturating_add(self.length);
            let path = Path(self.way.iter().map(|at| at.step()).collect());
            (self.found)(path, versions);
        }
    }

    fn fields(&mut self, objects: [&'a Map<String, Value>; 3]) {
        for key in union(objects.map(Map::keys), |key, side| objects[side].contains_key(key)) {
            self.below(Way::Key(key), objects.map(|object| object.get(key)));
        }
    }

    fn items(&mut self, arrays: [&'a [Value]; 3]) {
        for index in 0..arrays[0].len() {
            self.below(Way::Place(index), arrays.map(|array| array.get(index)));
        }
    }

    fn entries(&mut self, arrays: [&'a [Value]; 3], entries: &[Entries<'a>; 3]) {
        let [base, yours, theirs] = entries;
        // Entries after the last shared one are appended.
        let kept = yours.order.iter().rposition(|id| theirs.indices.contains_key(id)).map_or(0, |last| last + 1);
        // Yours first: what is added comes in the order it has there.
        let lists = [yours, base, theirs];
        for id in union(lists.map(|list| list.order.iter().copied()), |id, list| lists[list].indices.contains_key(id)) {
            let at = match (yours.indices.get(id), theirs.indices.get(id)) {
                (Some(&index), None) if index < kept => Way::IdAt(id, index),
                (None, Some(&index)) => Way::IdAt(id, index),
                (Some(_), _) | (None, None) => Way::Id(id),
            };
            let entry = |side: usize| entries[side].indices.get(id).map(|&index| &arrays[side][index]);
            self.below(at, [entry(0), entry(1), entry(2)]);
        }
    }
}

/// Every name of three lists once: those of the first, then those that the second has more, then the third's.
fn union<T: Copy>(lists: [impl Iterator<Item = T>; 3], has: impl Fn(T, usize) -> bool) -> impl Iterator<Item = T> {
    let lists = lists.into_iter().enumerate();
    lists.flat_map(|(side, list)| list.map(move |name| (side, name))).filter_map(move |(side, name)| {
        let seen = (0..side).any(|earlier| has(name, earlier));
        (!seen).then_some(name)
    })
}

/// An array's entries by their ids.
struct Entries<'a> {
    order: Vec<&'a str>,
    indices: HashMap<&'a str, usize>,
}

impl<'a> Entries<'a> {
    /// The entries of three arrays; None where one has an entry without an id of its own, or where two arrays have the
    /// entries they share in another order.
    fn of_all(arrays: [&'a [Value]; 3]) -> Option<[Self; 3]> {
        let [base, yours, theirs] = arrays.map(Self::of);
        let (base, yours, theirs) = (base?, yours?, theirs?);
        let ordered = base.in_order(&yours) && base.in_order(&theirs) && yours.in_order(&theirs);
        ordered.then_some([base, yours, theirs])
    }

    fn of(array: &'a [Value]) -> Option<Self> {
        let order = array.iter().map(id_of).collect::<Option<Vec<_>>>()?;
        let indices: HashMap<_, _> = order.iter().enumerate().map(|(index, id)| (*id, index)).collect();
        (indices.len() == order.len()).then_some(Self { order, indices })
    }

    fn in_order(&self, other: &Self) -> bool {
        self.order.iter().filter_map(|id| other.indices.get(id)).is_sorted()
    }
}

/// Whether all are arrays of entries with ids, so that an index does not identify an entry.
fn all_by_id(arrays: [&[Value]; 3]) -> bool {
    arrays.into_iter().all(|array| Entries::of(array).is_some())
}

/// The `id` of an object.
pub(super) fn id_of(value: &Value) -> Option<&str> {
    value.as_object()?.get("id")?.as_str()
}
