//! The layout of the window for one connection: panel, lists, size, zoom.
//!
//! What must hold: any stored value gives a usable view; values out of range are limited, and invalid ones are ignored.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use super::graph::GraphSettings;
use crate::listing::ListView;
use crate::listing::view::{ENTRIES, field};
use crate::panel::Panel;

/// The range of the zoom.
pub const ZOOM: std::ops::RangeInclusive<f32> = 0.5..=3.0;
/// The range of window sizes, in points: from the smallest that shows everything to the largest of any screen.
const WIDTH: std::ops::RangeInclusive<f32> = 800.0..=16_384.0;
const HEIGHT: std::ops::RangeInclusive<f32> = 600.0..=16_384.0;
/// The maximum length of the path of an unfolded folder, in bytes.
const PATH: usize = 2_000;

/// The layout of the window for one connection.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct View {
    /// The open panel.
    pub panel: Panel,
    /// The zoom.
    pub zoom: f32,
    /// The size of the window; `None` until it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<WindowSize>,
    /// The open tab of an asset's page, by its index.
    pub tab: usize,
    /// Whether the details of assets are unfolded below their content.
    pub details: bool,
    /// Whether a search by the service finds only assets that have every word as typed.
    pub exact_search: bool,
    /// The folders that are unfolded in the sidebar, by their paths.
    pub unfolded: BTreeSet<String>,
    /// The lists, by their names.
    pub lists: BTreeMap<String, ListView>,
    /// The graph.
    pub graph: GraphSettings,
}

/// The size of a window.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct WindowSize {
    /// Its width in points, at a zoom of 1 and while it is not maximised.
    pub width: f32,
    /// Its height, in the same way.
    pub height: f32,
    /// Whether it fills the screen.
    pub maximised: bool,
}

impl Default for View {
    fn default() -> Self {
        let (unfolded, lists, graph) = Default::default();
        let (tab, details, exact_search) = Default::default();
        Self { panel: Panel::Assets, zoom: 1.0, window: None, tab, details, exact_search, unfolded, lists, graph }
    }
}

impl View {
    /// The layout of the list with this name.
    pub fn list(&self, name: &str) -> &ListView {
        static UNTOUCHED: ListView = ListView::DEFAULT;
        self.lists.get(name).unwrap_or(&UNTOUCHED)
    }

    /// Records that a folder of the sidebar is unfolded, or not. Of too many, another one is folded.
    pub(super) fn unfold(&mut self, path: String, on: bool) {
        if !on {
            self.unfolded.remove(&path);
        } else if path.len() <= PATH {
            if self.unfolded.len() >= ENTRIES {
                self.unfolded.pop_first();
            }
            self.unfolded.insert(path);
        }
    }

    /// Reads a view from any tree.
    pub fn read(tree: &Value) -> Self {
        let usual = Self::default();
        Self {
            panel: field(tree, "panel").unwrap_or(usual.panel),
            zoom: within(field(tree, "zoom"), ZOOM).unwrap_or(usual.zoom),
            window: tree.get("window").and_then(WindowSize::read),
            tab: field(tree, "tab").filter(|tab| *tab < ENTRIES).unwrap_or(usual.tab),
            details: field(tree, "details").unwrap_or(usual.details),
            exact_search: field(tree, "exact_search").unwrap_or(usual.exact_search),
            unfolded: unfolded(tree.get("unfolded")),
            lists: lists(tree.get("lists")),
            graph: GraphSettings::read(tree.get("graph")),
        }
    }
}

impl WindowSize {
    /// A size that a window can have; `None` if it is invalid.
    pub fn new(width: f32, height: f32, maximised: bool) -> Option<Self> {
        let (width, height) = (within(Some(width.round()), WIDTH)?, within(Some(height.round()), HEIGHT)?);
        Some(Self { width, height, maximised })
    }

    fn read(tree: &Value) -> Option<Self> {
        Self::new(field(tree, "width")?, field(tree, "height")?, field(tree, "maximised").unwrap_or_default())
    }
}

/// The unfolded folders of a tree.
fn unfolded(tree: Option<&Value>) -> BTreeSet<String> {
    let paths = tree.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    paths.filter(|path| path.len() <= PATH).take(ENTRIES).map(str::to_owned).collect()
}

/// The lists of a tree, by their names.
pub(super) fn lists(tree: Option<&Value>) -> BTreeMap<String, ListView> {
    let lists = tree.and_then(Value::as_object).into_iter().flatten();
    lists.take(ENTRIES).map(|(name, tree)| (name.clone(), ListView::read(tree))).collect()
}

impl<'de> Deserialize<'de> for View {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Value::deserialize(deserializer).map(|tree| Self::read(&tree))
    }
}

/// Reads views by their connections from any tree.
pub(super) fn read_views<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<String, View>, D::Error> {
    let tree = Value::deserialize(deserializer)?;
    let views = tree.as_object().into_iter().flatten();
    Ok(views.map(|(key, tree)| (key.clone(), View::read(tree))).collect())
}

/// A number if it is within its bounds.
fn within(number: Option<f32>, bounds: std::ops::RangeInclusive<f32>) -> Option<f32> {
    number.filter(|number| bounds.contains(number))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::listing::view::{COLUMN, PAGE};

    /// A width of the window of each size, in points.
    const SIZES: [f32; 3] = [1_000.0, 1_300.0, 1_900.0];

    /// Any JSON, with the names that a view knows among its keys.
    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<f64>().prop_map(|number| json!(number)),
            any::<i64>().prop_map(Value::from),
            Just(json!(1e9)),
            Just(json!(0)),
            Just(json!("Log")),
            ".{0,8}".prop_map(Value::from),
        ];
        let names = ["panel", "zoom", "window", "width", "height", "maximised", "tab", "lists", "assets", "widths"];
        let more = [
            "exact_search",
            "unfolded",
            "group",
            "visible",
            "pages",
            "narrow",
            "medium",
            "wide",
            "sort",
            "then",
            "column",
            "descending",
            "filter",
            "name",
        ];
        let key = prop_oneof![
            4 => proptest::sample::select([&names[..], &more[..]].concat()).prop_map(str::to_owned),
            1 => ".{0,4}",
        ];
        leaf.prop_recursive(4, 64, 8, move |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                proptest::collection::hash_map(key.clone(), inner, 0..8).prop_map(|map| map.into_iter().collect()),
            ]
        })
    }

    fn is_usable(view: &View) -> bool {
        let list = |list: &ListView| {
            list.widths.values().all(|width| COLUMN.contains(width))
                && SIZES.iter().all(|window| list.pages.of(*window).is_none_or(|page| PAGE.contains(&page)))
        };
        let window = |size: WindowSize| WIDTH.contains(&size.width) && HEIGHT.contains(&size.height);
        ZOOM.contains(&view.zoom) && view.window.is_none_or(window) && view.lists.values().all(list)
    }

    proptest! {
        #[test]
        fn any_json_is_read_as_a_valid_view(tree in any_json()) {
            let view = View::read(&tree);
            prop_assert!(is_usable(&view), "{view:?}");
            let again = View::read(&serde_json::to_value(&view).expect("JSON"));
            prop_assert_eq!(again, view);
        }
    }

    #[test]
    fn a_folder_stays_unfolded_and_there_are_never_too_many() {
        let mut view = View::default();
        (0..ENTRIES + 5).for_each(|number| view.unfold(format!("folder {number:03}"), true));
        view.unfold("folder 010".to_owned(), false);
        view.unfold("long".repeat(PATH), true);
        assert_eq!((view.unfolded.len(), view.unfolded.contains("folder 010")), (ENTRIES - 1, false));
        assert_eq!(View::read(&serde_json::to_value(&view).expect("JSON")), view);
    }

    #[test]
    fn a_page_has_a_width_for_each_size_of_the_window() {
        let mut view = View::default();
        let pages = &mut view.lists.entry("assets".to_owned()).or_default().pages;
        pages.set(1_279.0, 300.0);
        pages.set(1_280.0, 400.0);
        pages.set(1_600.0, 1.0);
        let read = View::read(&serde_json::to_value(&view).expect("JSON"));
        assert_eq!(SIZES.map(|window| read.list("assets").pages.of(window)), [Some(300.0), Some(400.0), Some(120.0)]);
    }

    #[test]
    fn out_of_range_values_are_corrected() {
        let tree = json!({
            "panel": "NotFoundProbe", "zoom": 0, "tab": -1, "window": { "width": 1e9, "height": 700 },
            "lists": { "assets": { "widths": { "name": 1e9, "size": -3, "tags": "wide" }, "pages": { "medium": null }, "sort": 7 } },
        });
        let view = View::read(&tree);
        assert_eq!((view.panel, view.zoom, view.window, view.tab), (Panel::Assets, 1.0, None, 0));
        let list = view.list("assets");
        assert_eq!((list.widths["name"], list.widths["size"], list.widths.get("tags")), (2_000.0, 40.0, None));
        assert_eq!((list.pages.of(1_300.0), &list.sort), (None, &None));
        assert_eq!(WindowSize::new(f32::NAN, 700.0, false), None);
    }
}
