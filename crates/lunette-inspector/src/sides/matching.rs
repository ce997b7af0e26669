//! Which assets of two sides are the same: by id, as they were copied, then by content, then by name, and as people
//! say.
//!
//! What must hold: an asset is matched once; what people say comes first; assets that could be matched in several ways
//! by name are not matched.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::Hash;
use std::sync::Arc;

use super::facts::Facts;

/// By what two assets were matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Match {
    /// They have one id.
    Id,
    /// One was copied from the other, under another id.
    Copied,
    /// They have one content.
    Content,
    /// They alone have one name.
    Name,
    /// People said so.
    Hand,
}

impl Match {
    /// Its name within a sentence.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Id => "id",
            Self::Copied => "copied",
            Self::Content => "content",
            Self::Name => "name",
            Self::Hand => "hand",
        }
    }
}

/// What people said of matches: by the ids on the left and on the right.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Matches {
    made: BTreeMap<Arc<str>, Arc<str>>,
    undone: BTreeSet<(Arc<str>, Arc<str>)>,
}

impl Matches {
    /// Makes a match of an asset on the left and one on the right; each is matched to no other then.
    pub fn make(&mut self, left: Arc<str>, right: Arc<str>) {
        self.made.retain(|_, other| *other != right);
        self.undone.remove(&(Arc::clone(&left), Arc::clone(&right)));
        self.made.insert(left, right);
    }

    /// Undoes a match, whoever made it: the two are not matched again.
    pub fn undo(&mut self, left: Arc<str>, right: Arc<str>) {
        if self.made.get(&left) == Some(&right) {
            self.made.remove(&left);
        }
        self.undone.insert((left, right));
    }

    /// Whether nothing was said.
    pub fn is_empty(&self) -> bool {
        self.made.is_empty() && self.undone.is_empty()
    }

    fn allows(&self, left: &Facts, right: &Facts) -> bool {
        self.undone.is_empty() || !self.undone.contains(&(Arc::clone(&left.id), Arc::clone(&right.id)))
    }
}

/// The pairs of two sides, as indices: those on the left in their order, then those on the right alone.
pub(super) type Pairs = Vec<(Option<usize>, Option<usize>, Option<Match>)>;

/// Matches the assets of two sides. `copied` has the ids on the right of those that were copied, by the ids on the
/// left.
pub(super) fn pairs(
    left: &[Arc<Facts>],
    right: &[Arc<Facts>],
    matches: &Matches,
    copied: &BTreeMap<Arc<str>, Arc<str>>,
) -> Pairs {
    let mut matching =
        Matching { left, right, matches, found: vec![None; left.len()], taken: vec![false; right.len()] };
    matching.by(&matches.made, Match::Hand);
    matching.by_id();
    matching.by(copied, Match::Copied);
    matching.by_content();
    matching.by_name();
    let Matching { found, taken, .. } = matching;
    let of_left = found.into_iter().enumerate().map(|(index, found)| match found {
        Some((other, by)) => (Some(index), Some(other), Some(by)),
        None => (Some(index), None, None),
    });
    let alone = taken.into_iter().enumerate().filter(|(_, taken)| !taken).map(|(index, _)| (None, Some(index), None));
    of_left.chain(alone).collect()
}

struct Matching<'a> {
    left: &'a [Arc<Facts>],
    right: &'a [Arc<Facts>],
    matches: &'a Matches,
    found: Vec<Option<(usize, Match)>>,
    taken: Vec<bool>,
}

impl<'a> Matching<'a> {
    /// Matches two, unless one of them is matched or people said that they are not the same.
    fn join(&mut self, left: usize, right: usize, by: Match) -> bool {
        let free = self.found[left].is_none() && !self.taken[right];
        if !free || !self.matches.allows(&self.left[left], &self.right[right]) {
            return false;
        }
        self.found[left] = Some((right, by));
        self.taken[right] = true;
        true
    }

    /// Matches those that are named by their ids.
    fn by(&mut self, named: &BTreeMap<Arc<str>, Arc<str>>, by: Match) {
        if named.is_empty() {
            return;
        }
        let of_right: HashMap<&str, usize> = indices(self.right, |facts| Some(&*facts.id));
        for left in 0..self.left.len() {
            let other = named.get(&self.left[left].id).and_then(|id| of_right.get(&**id));
            if let Some(right) = other.copied() {
                self.join(left, right, by);
            }
        }
    }

    fn by_id(&mut self) {
        let of_right: HashMap<&str, usize> = indices(self.right, |facts| Some(&*facts.id));
        for left in 0..self.left.len() {
            if let Some(right) = of_right.get(&*self.left[left].id).copied() {
                self.join(left, right, Match::Id);
            }
        }
    }

    /// Of several with one content, those of one name are matched first, and the others in their order.
    fn by_content(&mut self) {
        let mut named = self.groups(|facts| Some((facts.content()?, &*facts.name)));
        self.join_groups(&mut named, |facts| Some((facts.content()?, &*facts.name)), Match::Content);
        let mut any = self.groups(Facts::content);
        self.join_groups(&mut any, Facts::content, Match::Content);
    }

    /// A name that several have says nothing.
    fn by_name(&mut self) {
        let name = |facts: &'a Facts| Some(&*facts.name).filter(|name| !name.trim().is_empty());
        let free = (0..self.left.len()).filter(|left| self.found[*left].is_none());
        let (mut once, mut several) = (HashSet::new(), HashSet::new());
        for name in free.filter_map(|left| name(&self.left[left])) {
            if !once.insert(name) {
                several.insert(name);
            }
        }
        let mut groups = self.groups(name);
        groups.retain(|name, others| others.len() == 1 && once.contains(name) && !several.contains(name));
        self.join_groups(&mut groups, name, Match::Name);
    }

    /// Those on the right that are not matched, the last first, by what `key` says of them.
    fn groups<K: Hash + Eq>(&self, key: impl Fn(&'a Facts) -> Option<K>) -> HashMap<K, Vec<usize>> {
        let mut groups: HashMap<K, Vec<usize>> = HashMap::new();
        for index in (0..self.right.len()).rev().filter(|index| !self.taken[*index]) {
            if let Some(key) = key(&self.right[index]) {
                groups.entry(key).or_default().push(index);
            }
        }
        groups
    }

    fn join_groups<K: Hash + Eq>(
        &mut self,
        groups: &mut HashMap<K, Vec<usize>>,
        key: impl Fn(&'a Facts) -> Option<K>,
        by: Match,
    ) {
        let left = self.left;
        for (index, facts) in left.iter().enumerate() {
            if self.found[index].is_some() {
                continue;
            }
            let Some(others) = key(facts).and_then(|key| groups.get_mut(&key)) else { continue };
            if let Some(at) = (0..others.len()).rev().find(|at| self.join(index, others[*at], by)) {
                others.remove(at);
            }
        }
    }
}

fn indices<'a, K: Hash + Eq>(facts: &'a [Arc<Facts>], key: impl Fn(&'a Facts) -> Option<K>) -> HashMap<K, usize> {
    facts.iter().enumerate().filter_map(|(index, facts)| Some((key(facts)?, index))).collect()
}
