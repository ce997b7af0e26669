//! The activity of an asset, newest first, in sentences.
//!
//! What must hold: activities are sorted once, and only those in sight are put into words.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use egui::{Sense, Ui, vec2};
use serde_json::Value;

use crate::app::change::{LinkKind, linked_name};
use crate::app::import;
use crate::ui::format;
use crate::ui::theme::{Icon, SPACE_S, UiExt as _};
use crate::ui::widgets::background::{Background, Identity};
use crate::ui::widgets::placeholder::{empty, skeleton};
use crate::ui::widgets::row_list::{RowList, RowListState};
use crate::ui::widgets::shown_short;
use lunette_client::model::activity::{Activities, Activity};
use lunette_client::model::asset::Asset;
use lunette_client::model::language::language;
use lunette_client::model::record::{Record as _, View};

use super::details::word;

/// Height of an activity, in points.
const HEIGHT: f32 = 44.0;

/// The activities in order, and the view state.
#[derive(Default)]
pub struct Timeline {
    order: Background<Identity<Activities>, Vec<u32>>,
    sentences: Sentences,
    list: RowListState,
}

/// The activities that were put into words: to find the link that one is about, all links are searched.
#[derive(Default)]
struct Sentences {
    made_of: Option<(Identity<Activities>, Identity<Asset>)>,
    /// By the place of the activity in its list.
    known: RefCell<BTreeMap<u32, String>>,
}

/// Maximum number of sentences that are kept; tens of them are in sight.
const MAX_SENTENCES: usize = 1_000;

impl Timeline {
    /// Draws a timeline of the activities.
    pub fn ui(&mut self, ui: &mut Ui, asset: &Arc<Asset>, activities: &Arc<Activities>) {
        let trees = activities.view().iterable().trees();
        if trees.is_empty() {
            empty(ui, Icon::ACTIVITY, "No activity yet", "What happens to the asset is listed here.", &[]);
            return;
        }
        let Self { order, sentences, list } = self;
        sentences.follow(asset, activities);
        let given = Arc::clone(activities);
        let work = move || newest_first(given.view());
        let order = match order.get_prepared(ui.ctx(), &Identity(Arc::clone(activities)), trees.len(), work) {
            Some(Ok(order)) => order,
            Some(Err(problem)) => {
                ui.error_text(&format!("the activities could not be sorted: {problem}"));
                return;
            }
            None => return skeleton(ui, "the activities", 5),
        };
        let activity = |row: usize| order.get(row).and_then(|place| Some((*place, trees.get(*place as usize)?)));
        let row_name = |row: usize| {
            let words = activity(row).map(|(place, tree)| sentences.of(asset, place, View::of(tree)));
            Cow::Owned(words.unwrap_or_default())
        };
        let rect = ui.available_rect_before_wrap();
        let rows = RowList { name: "Activities", rect, rows: order.len(), row_name: &row_name };
        rows.show(ui, list, |ui, row| {
            if let Some((_, tree)) = activity(row) {
                activity_ui(ui, View::of(tree), &row_name(row));
            }
        });
    }
}

impl Sentences {
    /// Forgets the sentences of other data.
    fn follow(&mut self, asset: &Arc<Asset>, activities: &Arc<Activities>) {
        let made_of = Some((Identity(Arc::clone(activities)), Identity(Arc::clone(asset))));
        if self.made_of != made_of || self.known.borrow().len() > MAX_SENTENCES {
            *self = Self { made_of, known: RefCell::default() };
        }
    }

    /// Returns the sentence of the activity at this place.
    fn of(&self, asset: &Asset, place: u32, activity: View<'_, Activity>) -> String {
        let new = || sentence(asset.view(), activity.event().tree());
        self.known.borrow_mut().entry(place).or_insert_with(new).clone()
    }
}

/// Returns the places of the activities, newest first; those of the same time stay in their order.
fn newest_first(activities: View<'_, Activities>) -> Vec<u32> {
    let times: Vec<&str> = activities.iterable().iter().map(|activity| activity.created().value()).collect();
    let mut order: Vec<u32> = (0..).take(times.len()).collect();
    order.sort_by_key(|place| std::cmp::Reverse(times[*place as usize]));
    order
}

fn activity_ui(ui: &mut Ui, activity: View<'_, Activity>, sentence: &str) {
    let t = ui.tokens();
    ui.horizontal_top(|ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(16.0, HEIGHT), Sense::hover());
        let middle = rect.center().x;
        ui.painter().vline(middle, rect.y_range(), egui::Stroke::new(1.0, t.line));
        ui.painter().circle(egui::pos2(middle, rect.top() + 9.0), 3.5, t.accent, egui::Stroke::new(1.0, t.background));
        ui.vertical(|ui| {
            ui.spacing_mut().item_spacing.y = 2.0;
            ui.add(egui::Label::new(sentence).truncate());
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = SPACE_S;
                let created = activity.created().value();
                ui.caption(&format::ago(created)).on_hover_text(format::exact(created));
                ui.caption(&format!("· {}", word(activity.mechanism()).to_lowercase()));
                if let Some(rank) = activity.rank().filter(|rank| *rank != 0) {
                    ui.caption(&format!("· score {rank:+}")).on_hover_text("What it adds to the score");
                }
                let application = activity.application();
                let own = import::is_lunette(application.id());
                let name = if own { "Lunette".to_owned() } else { word(application.name()) };
                ui.caption(&format!("· {name} {}", application.version()));
            });
        });
    });
}

/// Returns an event as a sentence: from its metadata if we know it, otherwise from its fixed sentence.
fn sentence(asset: View<'_, Asset>, event: &Value) -> String {
    let Some((kind, detail)) = event
        .as_object()
        .and_then(|event| event.iter().find(|(key, value)| key.as_str() != "schema" && value.is_object()))
    else {
        return "Unnamed event".to_owned();
    };
    let pair = detail
        .get("identifier_description_pair")
        .and_then(Value::as_object)
        .and_then(|pair| pair.iter().find_map(|(key, sentence)| Some((key.as_str(), sentence.as_str()?))));
    let metadata = detail.get("metadata").unwrap_or(&Value::Null);
    let described = event.pointer("/interaction/description").and_then(Value::as_str);
    let told = pair.and_then(|(key, _)| match (key, described) {
        // The fixed list has no event for every kind of update; our service adds a sentence that says which it was.
        ("asset_updated", Some(text)) => Some(shown_short(text, 200).into_owned()),
        _ => told(asset, key, metadata),
    });
    told.or_else(|| pair.map(|(_, sentence)| as_sentence(sentence)))
        .or_else(|| detail.get("description").and_then(Value::as_str).map(|text| shown_short(text, 200).into_owned()))
        .unwrap_or_else(|| format!("Event “{}”", shown_short(kind, 40)))
}

/// Returns the sentence of an event whose metadata says more than its name.
fn told(asset: View<'_, Asset>, key: &str, metadata: &Value) -> Option<String> {
    let text =
        |path: &str| metadata.pointer(path).and_then(Value::as_str).map(|text| shown_short(text, 80).into_owned());
    let item = |kind: LinkKind, path: &str| {
        let id = metadata.pointer(path).and_then(Value::as_str)?;
        Some(format!(" “{}”", shown_short(linked_name(asset, kind, id)?, 80)))
    };
    let tag = || item(LinkKind::Tag, "/tag/id").unwrap_or_default();
    let site = || item(LinkKind::Website, "/website/id").unwrap_or_default();
    Some(match key {
        "asset_created" => "Created".to_owned(),
        "asset_viewed" => "Viewed".to_owned(),
        "asset_referenced" => "Referred to".to_owned(),
        "asset_updated" => "Updated".to_owned(),
        "asset_deleted" => "Deleted".to_owned(),
        "asset_format_copied" => "Copied".to_owned(),
        "asset_format_downloaded" => "Saved to a file".to_owned(),
        "asset_description_updated" => "Description changed".to_owned(),
        "asset_tag_added" => format!("Tag{} added", tag()),
        "asset_tag_deleted" => format!("Tag{} removed", tag()),
        "asset_link_added" => format!("Website{} added", site()),
        "asset_link_deleted" => format!("Website{} removed", site()),
        "asset_name_updated" => match (text("/rename/previous"), text("/rename/current")) {
            (Some(from), Some(to)) => format!("Renamed from “{from}” to “{to}”"),
            _ => "Renamed".to_owned(),
        },
        "asset_format_specific_classification_updated" => reclassified(metadata),
        _ => return None,
    })
}

fn reclassified(metadata: &Value) -> String {
    let named = |path: &str| {
        let specific = metadata.pointer(path).and_then(Value::as_str)?;
        Some(language(specific).map_or_else(|| shown_short(specific, 40).into_owned(), |known| known.name.to_owned()))
    };
    match (named("/reclassification/previous/specific"), named("/reclassification/current/specific")) {
        (Some(from), Some(to)) => format!("Reclassified from {from} to {to}"),
        _ => "Reclassified".to_owned(),
    }
}

/// Returns `an_asset_was_created` as "An asset was created".
fn as_sentence(fixed: &str) -> String {
    let spaced = shown_short(fixed, 200).replace('_', " ");
    let mut letters = spaced.chars();
    let first: String = letters.next().map(|letter| letter.to_uppercase().collect()).unwrap_or_default();
    first + letters.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn shown(event: Value) -> String {
        let asset = json!({ "tags": { "iterable": [{ "id": "t", "text": "http" }] } });
        sentence(View::of(&asset), &event)
    }

    #[test]
    fn events_are_described_from_their_metadata() {
        let asset = |key: &str, metadata: Value| {
            json!({ "asset": { "asset": { "id": "a" }, "metadata": metadata,
                "identifier_description_pair": { key: "an_asset_was_touched" } } })
        };
        assert_eq!(shown(asset("asset_tag_added", json!({ "tag": { "id": "t" } }))), "Tag “http” added");
        assert_eq!(shown(asset("asset_tag_deleted", json!({ "tag": { "id": "gone" } }))), "Tag removed");
        let rename = json!({ "rename": { "previous": "a", "current": "b\u{202e}" } });
        assert_eq!(shown(asset("asset_name_updated", rename)), "Renamed from “a” to “b<U+202E>”");
        assert_eq!(shown(asset("asset_unheard_of", Value::Null)), "An asset was touched");
    }

    #[test]
    fn an_update_uses_the_sentence_of_its_interaction() {
        let update = json!({ "asset": { "id": "a" }, "identifier_description_pair": {
            "asset_updated": "an_asset_was_updated" } });
        assert_eq!(shown(json!({ "asset": update })), "Updated");
        assert_eq!(
            shown(json!({ "asset": update, "interaction": { "description": "Summary “\u{202e}x” linked" } })),
            "Summary “<U+202E>x” linked"
        );
    }

    #[test]
    fn events_without_a_name_are_described_too() {
        assert_eq!(shown(json!({ "interaction": { "description": "Clicked" } })), "Clicked");
        assert_eq!(shown(json!({ "ml": {} })), "Event “ml”");
        assert_eq!(shown(json!({})), "Unnamed event");
    }
}
