//! How the graph of a connection was left: what it leaves out, how far it goes, where nodes were, and which were pinned.
//!
//! What must hold: whatever stands in the file, a graph can be drawn with it.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Graphs whose pins are kept; those of older ones are forgotten.
const GRAPHS: usize = 8;
/// Pins of one graph.
const PINS: usize = 150;
/// How far from the middle a node can be pinned, in points.
const FAR: f32 = 20_000.0;
/// A longer text is none of ours.
const LONGEST: usize = 200;

/// What a graph leaves out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct GraphFilter {
    /// The kinds of nodes that are hidden, by their words.
    pub hidden: BTreeSet<String>,
    /// The language that assets must have, as the interface's word.
    pub language: Option<String>,
    /// In how many days assets must have changed.
    pub days: Option<u16>,
}

/// Where nodes of one graph were pinned.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Pins {
    /// What the graph begins with.
    pub start: String,
    /// Nodes and their places.
    pub at: BTreeMap<String, [f32; 2]>,
}

/// How the graph was left.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GraphSettings {
    /// What it leaves out.
    pub filter: GraphFilter,
    /// How many links it goes: 1 or 2.
    pub hops: u8,
    /// The pins of the graphs that were looked at last, the newest last.
    pub pins: Vec<Pins>,
    /// Where all nodes of these were.
    pub places: Vec<Pins>,
}

impl Default for GraphSettings {
    fn default() -> Self {
        Self { filter: GraphFilter::default(), hops: 2, pins: Vec::new(), places: Vec::new() }
    }
}

impl GraphSettings {
    /// Reads them, whatever the tree is.
    pub(super) fn read(tree: Option<&Value>) -> Self {
        let field = |name: &str| tree.and_then(|tree| tree.get(name)).cloned().unwrap_or_default();
        let mut filter: GraphFilter = serde_json::from_value(field("filter")).unwrap_or_default();
        filter.hidden.retain(|word| word.len() <= LONGEST);
        filter.language = filter.language.filter(|word| word.len() <= LONGEST);
        let hops = serde_json::from_value(field("hops")).ok().filter(|hops| (1..=2).contains(hops));
        let all = |name: &str| -> Vec<Pins> {
            let all = field(name).as_array().cloned().unwrap_or_default();
            let mut all: Vec<Pins> =
                all.into_iter().filter_map(|pins| serde_json::from_value(pins).ok()).map(Pins::usable).collect();
            forget_old(&mut all);
            all
        };
        Self { filter, hops: hops.unwrap_or(2), pins: all("pins"), places: all("places") }
    }

    /// The pins of a graph.
    pub fn pins(&self, start: &str) -> BTreeMap<String, [f32; 2]> {
        at(&self.pins, start)
    }

    /// Where the nodes of a graph were.
    pub fn places(&self, start: &str) -> BTreeMap<String, [f32; 2]> {
        at(&self.places, start)
    }

    /// Keeps the pins of a graph, which becomes the newest.
    pub(in crate::app) fn pin(&mut self, start: String, at: BTreeMap<String, [f32; 2]>) {
        keep(&mut self.pins, start, at);
    }

    /// Keeps where the nodes of a graph are.
    pub(in crate::app) fn place(&mut self, start: String, at: BTreeMap<String, [f32; 2]>) {
        keep(&mut self.places, start, at);
    }
}

fn at(all: &[Pins], start: &str) -> BTreeMap<String, [f32; 2]> {
    let start = beginning(start);
    all.iter().find(|pins| pins.start == start).map(|pins| pins.at.clone()).unwrap_or_default()
}

fn keep(all: &mut Vec<Pins>, start: String, at: BTreeMap<String, [f32; 2]>) {
    let pins = Pins { start, at }.usable();
    all.retain(|known| known.start != pins.start);
    if !pins.at.is_empty() {
        all.push(pins);
    }
    forget_old(all);
}

fn forget_old(all: &mut Vec<Pins>) {
    let surplus = all.len().saturating_sub(GRAPHS);
    all.drain(..surplus);
}

/// What of a name is kept.
fn beginning(start: &str) -> &str {
    &start[..start.floor_char_boundary(LONGEST)]
}

impl Pins {
    fn usable(mut self) -> Self {
        self.at.retain(|key, at| key.len() <= LONGEST && at.iter().all(|at| at.is_finite() && at.abs() <= FAR));
        self.at = self.at.into_iter().take(PINS).collect();
        self.start.truncate(beginning(&self.start).len());
        self
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_cannot_be_used_is_as_if_it_were_not_there() {
        let tree = json!({
            "filter": { "hidden": ["tag"], "language": 7 }, "hops": 9,
            "places": [{ "start": "a", "at": { "n": [1.0, 2.0] } }],
            "pins": [7, { "start": "a", "at": { "n": [1.0, 1e30], "m": [1.0, 2.0] } }],
        });
        let read = GraphSettings::read(Some(&tree));
        assert_eq!(read.places("a").len(), 1);
        assert_eq!((read.hops, read.filter), (2, GraphFilter::default()));
        assert_eq!(read.pins.iter().map(|pins| pins.at.len()).collect::<Vec<_>>(), [1]);
        assert_eq!(GraphSettings::read(None), GraphSettings::default());
        let again = serde_json::to_value(&GraphSettings { pins: read.pins.clone(), ..GraphSettings::default() });
        assert_eq!(GraphSettings::read(again.ok().as_ref()).pins, read.pins);
    }

    #[test]
    fn the_pins_of_the_graphs_looked_at_last_are_kept() {
        let mut settings = GraphSettings::default();
        for number in 0..20 {
            settings.pin(number.to_string(), BTreeMap::from([("n".to_owned(), [1.0, 2.0])]));
        }
        assert_eq!(settings.pins.len(), GRAPHS);
        assert!(settings.pins("3").is_empty() && settings.pins("19").len() == 1);
        settings.pin("19".to_owned(), BTreeMap::new());
        assert!(settings.pins("19").is_empty());
        // A graph of many begins with a long name.
        let long = "asset:0 ".repeat(100);
        settings.pin(long.clone(), BTreeMap::from([("n".to_owned(), [1.0, 2.0])]));
        assert_eq!(settings.pins(&long).len(), 1);
    }
}
