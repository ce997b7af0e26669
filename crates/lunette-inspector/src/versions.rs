//! Earlier versions of assets, as a service of this program keeps them, or this program those of a service of others:
//! reading them, and the changes that restore one.
//!
//! What must hold: a restore is made of changes that each say what they replace, so that nothing is overwritten that
//! changed meanwhile; what is not restored is said.

use lunette_client::model::asset::Asset;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::View;
use lunette_client::model::version::PastAsset;
use serde_json::Value;

use crate::change::{Change, Edit, Field, Item, LinkKind, linked};

mod actions;
mod asking;
mod bounds;
mod content;
mod credit;
mod forgetting;
mod output;
mod read;
mod restoring;
mod rows;
mod runs;
mod service;
mod source;
mod state;
mod then;

pub use actions::Action;
pub(crate) use asking::ask_to_restore;
pub use content::{ContentUse, Copied, PastSearch, TextChange, find_text};
pub use credit::writers;
pub use forgetting::Forgotten;
pub(crate) use output::Output;
pub use read::{PastText, Whole, read};
pub use restoring::new_asset;
pub(crate) use restoring::{Restoring, read_restore};
pub use rows::{ThenRow, VersionRow};
pub use runs::{RunChanges, RunStep, read_runs};
pub use service::{assets_then, content, list, version};
pub(crate) use source::LONG_LIST;
pub use source::{SourceError, VersionSource};
pub use state::Versions;
pub use then::{Moment, PastRow, Since, Then, end_of_day};

/// What restores a version.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Restore {
    /// The changes, in order.
    pub changes: Vec<Change>,
    /// What of the version is not restored, and why.
    pub left: Vec<String>,
}

/// What makes an asset what it was, from what it is: its text, language, name, description, whether it is a favourite,
/// and its tags, websites and summaries. The text of now is None where the content is none.
pub fn restore(
    now: View<'_, Asset>,
    now_text: Option<&str>,
    then: View<'_, PastAsset>,
    then_text: PastText<'_>,
) -> Restore {
    let mut restore = Restore::default();
    let Ok(asset) = now.id().parse::<AssetId>() else { return restore };
    match (now_text, then_text) {
        (Some(now), PastText::Text(then)) if now != then => {
            restore.changes.push(Change::Text { asset: asset.clone(), from: now.to_owned(), to: then.to_owned() })
        }
        (Some(_), PastText::Text(_)) => {}
        (_, PastText::NotRead) => restore.left.push("the content, which was not read when the asset was so".to_owned()),
        (_, PastText::Text(_) | PastText::None) => restore.left.push("the content, which is not text".to_owned()),
    }
    let language = now.original().reference().map(|format| format.classification().specific());
    if let (Some(from), Some(to)) = (language, then.specific())
        && from != to
    {
        restore.changes.push(Change::Reclassify {
            asset: asset.clone(),
            from: Some(from.to_owned()),
            to: to.to_owned(),
        });
    }
    let edits = edits(now, then);
    if !edits.is_empty() {
        restore.changes.push(Change::Edit { asset: asset.clone(), edits });
    }
    for kind in LinkKind::ALL {
        restore.links(&asset, now, kind, items(then, kind));
    }
    restore.left.extend(left(then));
    restore
}

/// The edits that make the fields of an asset what they were.
fn edits(now: View<'_, Asset>, then: View<'_, PastAsset>) -> Vec<Edit> {
    let description = description(then).unwrap_or_default();
    let wanted = [
        (Field::Name, Value::from(then.name().unwrap_or_default())),
        (Field::Description, description.into()),
        (Field::Favorited, then.favorited().into()),
    ];
    let edit = |(field, to): (Field, Value)| {
        let from = field.value(now);
        (from != to).then(|| Edit { field, from: Some(from), to })
    };
    wanted.into_iter().filter_map(edit).collect()
}

/// The description that an asset had: the newest of its annotations that is one.
pub(crate) fn description<'a>(then: View<'a, PastAsset>) -> Option<&'a str> {
    let annotations = then.annotations();
    let mut of_kind = annotations.iter().filter(|one| one["type"].as_str() == Some("DESCRIPTION"));
    of_kind.next_back().and_then(|one| one["text"].as_str())
}

/// The items of a kind that an asset was linked to, and whether each was deleted since.
pub(crate) fn items(then: View<'_, PastAsset>, kind: LinkKind) -> Vec<(Item, bool)> {
    let (listed, name) = match kind {
        LinkKind::Tag => (then.tags(), "text"),
        LinkKind::Website => (then.websites(), "name"),
        LinkKind::Summary => (then.summaries(), "name"),
    };
    let item = |one: &Value| {
        let text = |field: &str| one[field].as_str().unwrap_or_default().to_owned();
        let url = one["url"].as_str().map(str::to_owned);
        (Item::new(kind, &text("id"), text(name), url), one["deleted"].as_bool().unwrap_or_default())
    };
    listed.iter().map(item).collect()
}

impl Restore {
    /// Adds what makes the links of a kind what they were.
    fn links(&mut self, asset: &AssetId, now: View<'_, Asset>, kind: LinkKind, then: Vec<(Item, bool)>) {
        let present = linked(now, kind);
        for item in &present {
            if !then.iter().any(|(was, _)| was.id == item.id) {
                self.changes.push(Change::Unlink { asset: asset.clone(), item: item.clone() });
            }
        }
        for (item, deleted) in then {
            if present.iter().any(|is| is.id == item.id) {
                continue;
            }
            match (deleted, kind) {
                (false, _) => self.changes.push(Change::Link { asset: asset.clone(), item }),
                (true, LinkKind::Tag | LinkKind::Website) => self.changes.push(Change::LinkNew {
                    asset: asset.clone(),
                    kind,
                    text: item.text,
                    url: item.url,
                    unlink: Vec::new(),
                }),
                (true, LinkKind::Summary) => {
                    self.left.push(format!("the workstream summary “{}”, which was deleted", item.text));
                }
            }
        }
    }
}

/// What a version has that no change restores.
fn left(then: View<'_, PastAsset>) -> Vec<String> {
    let comments = then.annotations().iter().filter(|one| one["type"].as_str() != Some("DESCRIPTION")).count();
    let counted = [
        (
            then.persons().iter().count() + then.anchors().iter().count() + then.hints().iter().count(),
            "persons, anchors and hints",
        ),
        (then.conversations().iter().count(), "conversations"),
        (comments, "comments"),
    ];
    counted.into_iter().filter(|(count, _)| *count > 0).map(|(_, what)| format!("its {what}")).collect()
}

#[cfg(test)]
mod tests;
