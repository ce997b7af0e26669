//! The tabs of a page besides its preview: formats, activity, conversations, the record.
//!
//! What must hold: each is loaded when it is first shown, and again when the record has changed since.

use std::collections::BTreeMap;

use egui::{ScrollArea, Ui};

use crate::app::action::AssetsAction;
use crate::app::assets::page::AssetPage;
use crate::app::session::feature::Feature;
use crate::app::{Action, CallError, Remote};
use crate::ui::disabled_reason::unsupported_ui;
use crate::ui::format;
use crate::ui::list::failure::{failure_ui, stale_ui};
use crate::ui::theme::{Icon, SPACE_M, SPACE_S, UiExt as _};
use crate::ui::widgets::placeholder::{empty, skeleton};
use crate::ui::widgets::{COUNT_PENDING, shown_short};
use lunette_client::model::asset::{Asset, Format};
use lunette_client::model::conversation::Conversation;
use lunette_client::model::language::language;
use lunette_client::model::record::{Record as _, View};

use super::activity;
use super::cells::language_ui;
use super::changes;
use super::details::word;
use super::frame::AssetFrame;
use super::record::RecordTab;

/// The current tab, and the version of the record that each was loaded for.
#[derive(Default)]
pub struct Tabs {
    /// The index of the current tab; the preview is the first.
    pub chosen: usize,
    asked: BTreeMap<usize, String>,
    /// The record, and its editor.
    pub record: RecordTab,
}

const FORMATS: usize = 1;
const ACTIVITY: usize = 2;
const CONVERSATIONS: usize = 3;
/// The index of the record tab.
pub const RECORD: usize = 4;

impl Tabs {
    /// Returns the tabs for another asset: the same one selected, nothing loaded.
    pub fn for_other_asset(self) -> Self {
        Self { chosen: self.chosen, ..Self::default() }
    }

    /// Returns the names of the tabs, and the number of items in each if it is known.
    pub fn entries(asset: View<'_, Asset>, page: &AssetPage) -> [(&'static str, Option<usize>); 5] {
        let activities = page.activities.value().map(|known| known.view().iterable().len());
        let activities = activities.or_else(|| asset.activities().map(|known| known.iterable().len()));
        let conversations = page.conversations.value().map(|known| known.view().iterable().len());
        let conversations = conversations.or_else(|| asset.conversations().map(|known| known.iterable().len()));
        [
            ("Preview", None),
            ("Formats", Some(asset.formats().iterable().len())),
            ("Activity", Some(activities.unwrap_or(COUNT_PENDING))),
            ("Conversations", Some(conversations.unwrap_or(COUNT_PENDING))),
            ("Record", None),
        ]
    }

    /// Draws the current tab, and requests what it shows.
    pub fn ui(&mut self, ui: &mut Ui, asset: View<'_, Asset>, frame: &mut AssetFrame<'_>) {
        let (load, loading, feature, there) = match self.chosen {
            FORMATS => {
                let there = frame.page.formats.value().is_some();
                (
                    Action::Assets(AssetsAction::LoadFormats(frame.id.clone())),
                    frame.page.formats.loading(),
                    Feature::Formats,
                    there,
                )
            }
            ACTIVITY => {
                let there = frame.page.activities.value().is_some();
                (
                    Action::Assets(AssetsAction::LoadActivities(frame.id.clone())),
                    frame.page.activities.loading(),
                    Feature::Activities,
                    there,
                )
            }
            CONVERSATIONS => {
                let there = frame.page.conversations.value().is_some();
                (
                    Action::Assets(AssetsAction::LoadConversations(frame.id.clone())),
                    frame.page.conversations.loading(),
                    Feature::Conversations,
                    there,
                )
            }
            _ => return self.record.ui(ui, frame),
        };
        if !there
            && !loading
            && let Some(again) = unsupported_ui(ui, frame.state, feature)
        {
            frame.actions.extend(again.then_some(load));
            return;
        }
        let version = asset.updated().value();
        if self.asked.get(&self.chosen).is_none_or(|asked| asked != version) {
            self.asked.insert(self.chosen, version.to_owned());
            if !loading {
                frame.push(load.clone());
            }
        }
        let again = match self.chosen {
            FORMATS => remote_ui(ui, "The formats", &frame.page.formats, |ui, formats| {
                list_ui(ui, formats.view().iterable().iter(), format_ui, "This asset has no formats");
            }),
            ACTIVITY => {
                changes::ui(ui, frame);
                remote_ui(ui, "The activities", &frame.page.activities, |ui, activities| {
                    activity::ui(ui, asset, activities.view());
                })
            }
            _ => remote_ui(ui, "The conversations", &frame.page.conversations, |ui, conversations| {
                let items = conversations.view().iterable().iter();
                list_ui(ui, items, conversation_ui, "No conversations yet");
            }),
        };
        if again {
            frame.push(load);
        }
    }
}

/// Draws the value or why it could not be loaded; returns whether to retry.
fn remote_ui<T>(ui: &mut Ui, what: &str, remote: &Remote<T, CallError>, draw: impl FnOnce(&mut Ui, &T)) -> bool {
    let Some(value) = remote.value() else {
        return match remote.error() {
            Some(error) => failure_ui(ui, &format!("{what} could not be loaded"), error),
            None => {
                skeleton(ui, &what.to_lowercase(), 5);
                false
            }
        };
    };
    let again = remote.error().is_some_and(|error| stale_ui(ui, what, error));
    draw(ui, value);
    again
}

fn list_ui<T>(ui: &mut Ui, items: impl ExactSizeIterator<Item = T>, draw: fn(&mut Ui, T), none: &str) {
    if items.len() == 0 {
        empty(ui, Icon::EMPTY, none, "", &[]);
        return;
    }
    ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
        for (place, item) in items.enumerate() {
            ui.push_id(place, |ui| draw(ui, item));
            ui.add_space(SPACE_S);
            ui.line();
            ui.add_space(SPACE_S);
        }
    });
}

fn format_ui(ui: &mut Ui, format: View<'_, Format>) {
    let specific = format.classification().specific();
    ui.horizontal(|ui| {
        language_ui(ui, specific, language(specific).map_or(specific, |language| language.name));
        ui.badge(&word(format.role()));
        let kind = match (format.fragment(), format.file()) {
            (Some(_), _) => "text",
            (None, Some(_)) => "file",
            (None, None) => "no content",
        };
        let bytes = format.bytes().value();
        ui.muted(&format!("{} · {kind}", format::size(bytes))).on_hover_text(format::exact_size(bytes));
    });
    ui.key_value("Generic", &word(format.classification().generic()));
    let application = format.application();
    ui.key_value("Source", &format!("{} {}", word(application.name()), application.version()));
    moment_ui(ui, "Created", format.created().value());
    moment_ui(ui, "Updated", format.updated().value());
    id_ui(ui, format.id());
}

fn conversation_ui(ui: &mut Ui, conversation: View<'_, Conversation>) {
    let name = conversation.name().filter(|name| !name.trim().is_empty()).unwrap_or("Unnamed conversation");
    ui.horizontal(|ui| {
        ui.strong(shown_short(name, 120).into_owned());
        ui.add_space(SPACE_M);
        let messages = conversation.messages().iterable().len();
        ui.muted(&format!("{messages} {}", if messages == 1 { "message" } else { "messages" }));
    });
    moment_ui(ui, "Updated", conversation.updated().value());
    id_ui(ui, conversation.id());
}

fn moment_ui(ui: &mut Ui, key: &str, moment: &str) {
    ui.key_value(key, &format::ago(moment)).on_hover_text(format::exact(moment));
}

fn id_ui(ui: &mut Ui, id: &str) {
    ui.key_value_ui("Id", |ui| {
        ui.code_text(&shown_short(id, 60));
        if ui.icon_button(Icon::COPY, &format!("Copy the id {}", shown_short(id, 60))).clicked() {
            ui.ctx().copy_text(id.to_owned());
        }
    });
}
