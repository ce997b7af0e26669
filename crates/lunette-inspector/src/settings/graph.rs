//! The saved graph of a connection: its filter, its depth, the positions of its nodes, and pinned nodes.
//!
//! What must hold: any stored value gives a valid graph.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// How many graphs keep their pins; those of older ones are dropped.
const GRAPHS: usize = 8;
/// The maximum number of pins of one graph.
const PINS: usize = 150;
/// The maximum distance of a pin from the centre, in points.
const FAR: f32 = 20_000.0;
/// The maximum length of a text.
const LONGEST: usize = 200;

/// The filter of a graph.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct GraphFilter {
    /// The hidden kinds of nodes, by their names.
    pub hidden: BTreeSet<String>,
    /// The language that assets must have, by its name in the interface.
    pub language: Option<String>,
    /// Within how many days assets must have changed.
    pub days: Option<u16>,
}

/// The pins of one graph.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Pins {
    /// The start of the graph.
    pub start: String,
    /// Nodes and their positions.
    pub at: BTreeMap<String, [f32; 2]>,
}

/// The saved graph.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GraphSettings {
    /// Its filter.
    pub filter: GraphFilter,
    /// Its depth in links: 1 or 2.
    pub hops: u8,
    /// The pins of the last shown graphs, the newest last.
    pub pins: Vec<Pins>,
    /// The positions of all nodes of these graphs.
    pub positions: Vec<Pins>,
}

impl Default for GraphSettings {
    fn default() -> Self {
        Self { filter: GraphFilter::default(), hops: 2, pins: Vec::new(), positions: Vec::new() }
    }
}

impl GraphSettings {
    /// Reads it from any tree.
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
        // Earlier versions named the positions "places".
        let positions = if field("positions").is_null() { all("places") } else { all("positions") };
        Self { filter, hops: hops.unwrap_or(2), pins: all("pins"), positions }
    }

    /// The pins of a graph.
    pub fn pins(&self, start: &str) -> BTreeMap<String, [f32; 2]> {
        at(&self.pins, start)
    }

    /// The saved positions of the nodes of a graph.
    pub fn positions(&self, start: &str) -> BTreeMap<String, [f32; 2]> {
        at(&self.positions, start)
    }

    /// Saves the pins of a graph, which becomes the newest.
    pub(crate) fn pin(&mut self, start: String, at: BTreeMap<String, [f32; 2]>) {
        keep(&mut self.pins, start, at);
    }

    /// Saves the positions of the nodes of a graph.
    pub(crate) fn save_positions(&mut self, start: String, at: BTreeMap<String, [f32; 2]>) {
        keep(&mut self.positions, start, at);
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

/// The part of a name that is stored.
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
    fn invalid_values_are_ignored() {
        let tree = json!({
            "filter": { "hidden": ["tag"], "language": 7 }, "hops": 9,
            "positions": [{ "start": "a", "at": { "n": [1.0, 2.0] } }],
            "pins": [7, { "start": "a", "at": { "n": [1.0, 1e30], "m": [1.0, 2.0] } }],
        });
        let read = GraphSettings::read(Some(&tree));
        assert_eq!(read.positions("a").len(), 1);
        assert_eq!((read.hops, read.filter), (2, GraphFilter::default()));
        assert_eq!(read.pins.iter().map(|pins| pins.at.len()).collect::<Vec<_>>(), [1]);
        assert_eq!(GraphSettings::read(None), GraphSettings::default());
        let again = serde_json::to_value(&GraphSettings { pins: read.pins.clone(), ..GraphSettings::default() });
        assert_eq!(GraphSettings::read(again.ok().as_ref()).pins, read.pins);
    }

    #[test]
    fn positions_that_earlier_versions_stored_are_read() {
        let tree = json!({ "places": [{ "start": "a", "at": { "n": [1.0, 2.0] } }] });
        let read = GraphSettings::read(Some(&tree));
        assert_eq!(read.positions("a").len(), 1);
        let stored = serde_json::to_value(&read).expect("a tree");
        assert!(stored.get("places").is_none());
        assert_eq!(GraphSettings::read(Some(&stored)), read);
    }

    #[test]
    fn the_pins_of_the_last_shown_graphs_are_saved() {
        let mut settings = GraphSettings::default();
        for number in 0..20 {
            settings.pin(number.to_string(), BTreeMap::from([("n".to_owned(), [1.0, 2.0])]));
        }
        assert_eq!(settings.pins.len(), GRAPHS);
        assert!(settings.pins("3").is_empty() && settings.pins("19").len() == 1);
        settings.pin("19".to_owned(), BTreeMap::new());
        assert!(settings.pins("19").is_empty());
        // A graph with many start nodes has a long name.
        let long = "asset:0 ".repeat(100);
        settings.pin(long.clone(), BTreeMap::from([("n".to_owned(), [1.0, 2.0])]));
        assert_eq!(settings.pins(&long).len(), 1);
    }
}
