//! The saved view of a list: its filter, its order, and the layout of its columns.
//!
//! What must hold: any stored value gives a usable view; values out of range are limited, and invalid ones are ignored.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Columns, Query};
use crate::filter::{List, parse};

/// The range of column widths, in points.
pub(crate) const COLUMN: RangeInclusive<f32> = 40.0..=2_000.0;
/// The range of widths of the page beside a list, in points.
pub(crate) const PAGE: RangeInclusive<f32> = 120.0..=8_000.0;
/// The width of the window from which it is of medium size, in points: it then has room for a second page.
pub const MEDIUM_WINDOW: f32 = 1_280.0;
/// The width of the window from which it is wide, in points: it then has room for a third column.
pub const WIDE_WINDOW: f32 = 1_600.0;
/// The maximum number of entries that are read of a list or a view.
pub(crate) const ENTRIES: usize = 64;
/// The maximum length of a filter.
const FILTER: usize = 2_000;

/// The view of one list.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ListView {
    /// Column widths set by the user, in points.
    pub widths: BTreeMap<String, f32>,
    /// Columns the user showed or hid.
    pub visible: BTreeMap<String, bool>,
    /// The widths of the page beside the list.
    #[serde(skip_serializing_if = "PageWidths::is_untouched")]
    pub pages: PageWidths,
    /// The column it is sorted by.
    pub sort: Option<Sort>,
    /// The second column it is sorted by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub then: Option<Sort>,
    /// The column it is grouped by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// The text of its filter.
    pub filter: String,
    /// Whether its rows are drawn as tiles.
    #[serde(skip_serializing_if = "is_false")]
    pub tiles: bool,
    /// Whether rows of work in the background are shown too.
    #[serde(skip_serializing_if = "is_false")]
    pub background: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the form that serde calls")]
fn is_false(is_so: &bool) -> bool {
    !is_so
}

/// The widths of a page beside a list that the user chose, in points: one for each size of the window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct PageWidths {
    /// In a window narrower than [`MEDIUM_WINDOW`].
    narrow: Option<f32>,
    /// In one narrower than [`WIDE_WINDOW`].
    medium: Option<f32>,
    /// In a wider one.
    wide: Option<f32>,
}

impl PageWidths {
    /// Returns the width that was chosen in a window as wide as this one, in points.
    pub fn of(self, window: f32) -> Option<f32> {
        Self::size(window, [self.narrow, self.medium, self.wide])
    }

    /// Sets the width for windows as wide as this one, in points.
    pub fn set(&mut self, window: f32, page: f32) {
        let Self { narrow, medium, wide } = self;
        *Self::size(window, [narrow, medium, wide]) = clamped(page, PAGE);
    }

    fn size<T>(window: f32, [narrow, medium, wide]: [T; 3]) -> T {
        if window < MEDIUM_WINDOW {
            narrow
        } else if window < WIDE_WINDOW {
            medium
        } else {
            wide
        }
    }

    fn is_untouched(&self) -> bool {
        *self == Self::default()
    }

    fn read(pages: &Value) -> Self {
        let width = |name: &str| field(pages, name).and_then(|width| clamped(width, PAGE));
        Self { narrow: width("narrow"), medium: width("medium"), wide: width("wide") }
    }
}

/// A column that a list is sorted by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sort {
    /// The key of the column.
    pub column: String,
    /// Whether the largest, last or newest comes first.
    pub descending: bool,
}

impl Sort {
    /// Smallest, first or oldest first.
    pub fn up(column: &str) -> Self {
        Self { column: column.to_owned(), descending: false }
    }

    /// Largest, last or newest first.
    pub fn down(column: &str) -> Self {
        Self { column: column.to_owned(), descending: true }
    }
}

/// A change of which rows a list shows, and in which order.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// The text of the filter. While it is not a valid filter, the last valid one applies.
    Filter(String),
    /// The columns it is sorted by, first and second.
    Sort(Option<Sort>, Option<Sort>),
    /// The column it is grouped by.
    Group(Option<String>),
    /// Whether rows of work in the background are shown too.
    Background(bool),
}

impl ListView {
    /// A view without anything that a user changed.
    pub const DEFAULT: Self = Self {
        widths: BTreeMap::new(),
        visible: BTreeMap::new(),
        pages: PageWidths { narrow: None, medium: None, wide: None },
        sort: None,
        then: None,
        group: None,
        filter: String::new(),
        tiles: false,
        background: false,
    };

    /// Makes a change.
    pub(crate) fn change(&mut self, change: Change) {
        match change {
            Change::Filter(text) => self.filter = text,
            Change::Sort(sort, then) => (self.sort, self.then) = (sort, then),
            Change::Group(group) => self.group = group,
            Change::Background(shown) => self.background = shown,
        }
    }

    /// The query of rows with these columns, after one that applied before: an invalid filter leaves the one before, and
    /// unknown columns are dropped.
    pub(super) fn query<R: Columns>(&self, list: List, before: &Query) -> Query {
        let sort = |sort: &Option<Sort>| sort.clone().filter(|sort| R::column(&sort.column).is_some());
        let filter = parse(&self.filter, list).unwrap_or_else(|_| before.filter.clone());
        let is_grouped = |key: &String| R::column(key).is_some_and(|column| column.group.is_some());
        let group = self.group.clone().filter(is_grouped);
        Query { filter, sort: sort(&self.sort), then: sort(&self.then), group, background: self.background }
    }

    /// Reads a view from any tree.
    pub(crate) fn read(tree: &Value) -> Self {
        let filter: String = field(tree, "filter").unwrap_or_default();
        let widths = entries(tree.get("widths"));
        Self {
            widths: widths.filter_map(|(key, width)| Some((key, clamped(width, COLUMN)?))).collect(),
            visible: entries(tree.get("visible")).collect(),
            pages: tree.get("pages").map(PageWidths::read).unwrap_or_default(),
            sort: field(tree, "sort"),
            then: field(tree, "then"),
            group: field(tree, "group"),
            filter: if filter.len() <= FILTER { filter } else { String::new() },
            tiles: field(tree, "tiles").unwrap_or_default(),
            background: field(tree, "background").unwrap_or_default(),
        }
    }
}

/// A field of a tree; `None` if it has none of this type.
pub(crate) fn field<T: DeserializeOwned>(tree: &Value, name: &str) -> Option<T> {
    serde_json::from_value(tree.get(name)?.clone()).ok()
}

fn entries<T: DeserializeOwned>(tree: Option<&Value>) -> impl Iterator<Item = (String, T)> {
    let entries = tree.and_then(Value::as_object).into_iter().flatten();
    entries.filter_map(|(key, value)| Some((key.clone(), serde_json::from_value(value.clone()).ok()?))).take(ENTRIES)
}

/// A number limited to its bounds; `None` if it is not a number.
fn clamped(number: f32, bounds: RangeInclusive<f32>) -> Option<f32> {
    number.is_finite().then(|| number.clamp(*bounds.start(), *bounds.end()))
}
