//! The items that assets are linked to.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use lunette_client::model::asset::Asset;
use lunette_client::model::display::beginning;
use lunette_client::model::record::View;

mod operations;

pub use operations::{ItemId, LinkState, UnusableId};

/// The kinds of items that an asset can be linked to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LinkKind {
    /// A tag.
    Tag,
    /// A website.
    Website,
    /// A workstream summary.
    Summary,
}

impl LinkKind {
    /// All of them, in the order of the page.
    pub const ALL: [Self; 3] = [Self::Tag, Self::Website, Self::Summary];

    /// The singular, for use within a sentence.
    pub fn one(self) -> &'static str {
        match self {
            Self::Tag => "tag",
            Self::Website => "website",
            Self::Summary => "workstream summary",
        }
    }

    /// The plural, as a heading.
    pub fn many(self) -> &'static str {
        match self {
            Self::Tag => "Tags",
            Self::Website => "Websites",
            Self::Summary => "Workstream summaries",
        }
    }
}

/// An item that an asset is or can be linked to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "StoredItem")]
pub struct Item {
    /// Its kind.
    pub kind: LinkKind,
    /// Its id, of its kind.
    pub id: ItemId,
    /// Its display name: a tag's text, a website's or summary's name.
    pub text: String,
    /// A website's address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

/// The stored form of an item, before its id is parsed.
#[derive(Deserialize)]
#[serde(rename = "Item", deny_unknown_fields)]
struct StoredItem {
    kind: LinkKind,
    id: String,
    #[serde(default)]
    text: String,
    #[serde(default)]
    url: Option<String>,
}

impl From<StoredItem> for Item {
    fn from(StoredItem { kind, id, text, url }: StoredItem) -> Self {
        Self::new(kind, &id, text, url)
    }
}

impl Item {
    /// An item of a kind; its id is parsed.
    pub fn new(kind: LinkKind, id: &str, text: impl Into<String>, url: Option<String>) -> Self {
        Self { kind, id: ItemId::parse(kind, id), text: text.into(), url }
    }

    /// The item of a record of its kind; None where the record has no id, without which nothing can be done with it.
    pub(crate) fn of_record(kind: LinkKind, record: &Value) -> Option<Self> {
        let text = |name: &str| record.get(name).and_then(Value::as_str);
        let (name, url) = match kind {
            LinkKind::Tag => (text("text"), None),
            LinkKind::Website => (text("name"), text("url")),
            LinkKind::Summary => (text("name"), None),
        };
        Some(Self::new(kind, id_of(record)?, name.unwrap_or_default(), url.map(str::to_owned)))
    }

    /// Its text, or its id if it has none, as in a plan file without texts.
    pub fn name(&self) -> &str {
        if self.text.trim().is_empty() { &self.id } else { &self.text }
    }

    /// Several items of one kind, for use within a sentence: “a”, “b” and 3 more tags.
    pub fn list(items: &[Self]) -> String {
        const NAMED: usize = 3;
        let Some(first) = items.first() else { return "nothing".to_owned() };
        let named = |items: &[Self]| {
            items
                .iter()
                .map(|item| format!("“{}”", beginning(item.name(), LONGEST_NAME)))
                .collect::<Vec<_>>()
                .join(", ")
        };
        match items {
            [one] => format!("{} {}", first.kind.one(), named(std::slice::from_ref(one))),
            _ if items.len() <= NAMED => {
                let (last, rest) = items.split_at(items.len() - 1);
                format!("{} {} and {}", first.kind.many().to_lowercase(), named(last), named(rest))
            }
            _ => format!(
                "{} {} and {} more",
                first.kind.many().to_lowercase(),
                named(&items[..NAMED]),
                items.len() - NAMED
            ),
        }
    }
}

/// The maximum length of a name in a list of names.
const LONGEST_NAME: usize = 40;

/// Whether the record tells all links of one kind. A service may omit them, or send something else in their place, which
/// does not mean that there are none.
pub fn reports_links(asset: View<'_, Asset>, kind: LinkKind) -> bool {
    entries(asset, kind).is_some_and(|entries| entries.iter().all(|entry| id_of(entry).is_some()))
}

/// The items of one kind that an asset is linked to, as far as its record tells them.
pub fn linked(asset: View<'_, Asset>, kind: LinkKind) -> Vec<Item> {
    entries(asset, kind).unwrap_or_default().iter().filter_map(|entry| Item::of_record(kind, entry)).collect()
}

/// The records of the links of one kind, of whichever shape; None where the record has no list of them.
fn entries(asset: View<'_, Asset>, kind: LinkKind) -> Option<&[Value]> {
    asset.tree().get(kind.collection())?.get("iterable")?.as_array().map(Vec::as_slice)
}

/// The ids of the assets that the record of an item names; None where it does not tell all of them.
pub(crate) fn told_assets(record: &Value) -> Option<Vec<&str>> {
    let assets = record.get("assets")?;
    match assets.get("iterable") {
        Some(Value::Array(entries)) => entries.iter().map(id_of).collect(),
        None | Some(Value::Null) => Some(assets.get("indices")?.as_object()?.keys().map(String::as_str).collect()),
        Some(_) => None,
    }
}

fn id_of(record: &Value) -> Option<&str> {
    record.get("id").and_then(Value::as_str).filter(|id| !id.is_empty())
}

/// The name of the item of one kind with this id, if an asset is linked to it.
pub fn linked_name<'a>(asset: View<'a, Asset>, kind: LinkKind, id: &str) -> Option<&'a str> {
    match kind {
        LinkKind::Tag => asset.tags()?.iterable().iter().find(|tag| tag.id() == id).map(|tag| tag.text()),
        LinkKind::Website => asset.websites()?.iterable().iter().find(|site| site.id() == id).map(|site| site.name()),
        LinkKind::Summary => {
            asset.summaries()?.iterable().iter().find(|summary| summary.id() == id).map(|summary| summary.name())
        }
    }
}

impl LinkKind {
    /// The field of a record that holds the links of this kind.
    pub(crate) const fn collection(self) -> &'static str {
        match self {
            Self::Tag => "tags",
            Self::Website => "websites",
            Self::Summary => "summaries",
        }
    }
}

/// How many items an asset is linked to.
pub fn link_count(asset: View<'_, Asset>) -> usize {
    let tags = asset.tags().map_or(0, |tags| tags.iterable().len());
    let websites = asset.websites().map_or(0, |websites| websites.iterable().len());
    tags + websites + asset.summaries().map_or(0, |summaries| summaries.iterable().len())
}
