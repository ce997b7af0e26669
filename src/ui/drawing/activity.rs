//! One activity of an asset as a row: what happened, in a sentence, and when and by what.

use egui::{Sense, Ui, vec2};
use serde_json::Value;

use crate::ui::format;
use crate::ui::panels::applications::labels;
use crate::ui::panels::assets::details::word;
use crate::ui::theme::{SPACE_S, UiExt as _};
use crate::ui::widgets::shown_short;
use lunette_client::model::activity::Activity;
use lunette_client::model::language::language;
use lunette_client::model::record::View;
use lunette_inspector::change::LinkKind;
use lunette_inspector::listing::rows::application_name;

/// Height of an activity, in points.
const HEIGHT: f32 = 44.0;

/// Finds the name of a linked item by its kind and id.
pub(in crate::ui) type NameOf<'a, 'n> = &'a dyn Fn(LinkKind, &str) -> Option<&'n str>;

/// Draws an activity with its sentence.
pub(in crate::ui) fn activity_ui(ui: &mut Ui, activity: View<'_, Activity>, sentence: &str) {
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
                match created {
                    "" => ui.caption("Time not told"),
                    created => ui.caption(&format::ago(created)).on_hover_text(format::exact(created)),
                };
                if !activity.mechanism().is_empty() {
                    ui.caption(&format!("· {}", word(activity.mechanism()).to_lowercase()));
                }
                if let Some(rank) = activity.rank().filter(|rank| *rank != 0) {
                    ui.caption(&format!("· score {rank:+}")).on_hover_text("What it adds to the score");
                }
                let application = activity.application();
                if !application.name().is_empty() {
                    let name = labels::application(application_name(application.id(), application.name()));
                    ui.caption(&format!("· {name} {}", application.version()));
                }
            });
        });
    });
}

/// Returns an event as a sentence: from its metadata if we know it, otherwise from its fixed sentence.
pub(in crate::ui) fn sentence(name_of: NameOf<'_, '_>, event: &Value) -> String {
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
    let from_pair = pair.and_then(|(key, _)| match (key, described) {
        // The fixed list has no event for every kind of update; our service adds a sentence that says which it was.
        ("asset_updated", Some(text)) => Some(shown_short(text, 200).into_owned()),
        _ => described_event(name_of, key, metadata),
    });
    from_pair
        .or_else(|| pair.map(|(_, sentence)| as_sentence(sentence)))
        .or_else(|| detail.get("description").and_then(Value::as_str).map(|text| shown_short(text, 200).into_owned()))
        .unwrap_or_else(|| format!("Event “{}”", shown_short(kind, 40)))
}

/// Returns the sentence of an event whose metadata says more than its name.
fn described_event(name_of: NameOf<'_, '_>, key: &str, metadata: &Value) -> Option<String> {
    let text =
        |path: &str| metadata.pointer(path).and_then(Value::as_str).map(|text| shown_short(text, 80).into_owned());
    let item = |kind: LinkKind, path: &str| {
        let id = metadata.pointer(path).and_then(Value::as_str)?;
        Some(format!(" “{}”", shown_short(name_of(kind, id)?, 80)))
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
        sentence(&|kind, id| (kind == LinkKind::Tag && id == "t").then_some("http"), &event)
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
