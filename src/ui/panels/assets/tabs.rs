//! The tabs of a page besides its preview: formats, activity, conversations, related assets, versions, the record.
//!
//! What must hold: each is loaded when it is first shown, and again when the record has changed since. Only what is in
//! sight of it is drawn.

use std::borrow::Cow;
use std::collections::BTreeMap;

use egui::Ui;
use serde_json::Value;

use crate::ui::disabled_reason::unsupported_ui;
use crate::ui::format;
use crate::ui::list::failure::{failure_ui, stale_ui};
use crate::ui::theme::{Icon, SPACE_M, SPACE_S, UiExt as _};
use crate::ui::widgets::placeholder::{empty, skeleton};
use crate::ui::widgets::row_list::{RowList, RowListResponse, RowListState};
use crate::ui::widgets::{COUNT_PENDING, plural, shown_short};
use lunette_client::model::asset::{Asset, Format, Formats};
use lunette_client::model::conversation::Conversation;
use lunette_client::model::language::language_name;
use lunette_client::model::record::{Record, View};
use lunette_inspector::action::{Action, AssetsAction, VersionsAction};
use lunette_inspector::assets::page::AssetPage;
use lunette_inspector::capability::Capability;
use lunette_inspector::{CallError, Remote};

use super::activity::Timeline;
use super::cells::language_ui;
use super::changes;
use super::details::word;
use super::frame::AssetFrame;
use super::record::RecordTab;
use super::related::RelatedTab;
use super::versions::VersionsTab;

mod menu;

/// The current tab, and the version of the record that each was loaded for.
#[derive(Default)]
pub struct Tabs {
    /// The index of the current tab; the preview is the first.
    pub chosen: usize,
    asked: BTreeMap<usize, String>,
    formats: RowListState,
    timeline: Timeline,
    conversations: RowListState,
    /// The related assets.
    pub related: RelatedTab,
    versions: VersionsTab,
    /// The record, and its editor.
    pub record: RecordTab,
}

/// The index of the preview.
pub const PREVIEW: usize = 0;
const FORMATS: usize = 1;
const ACTIVITY: usize = 2;
const CONVERSATIONS: usize = 3;
/// The index of the related assets.
pub const RELATED: usize = 4;
/// The index of the versions.
pub const VERSIONS: usize = 5;
/// The index of the record tab.
pub const RECORD: usize = 6;

/// Where the items of a tab come from.
struct TabSource {
    /// Loads them, again too.
    load: Action,
    loading: bool,
    /// Whether they were loaded, even if the last attempt failed.
    loaded: bool,
    /// What the service must offer, if there is nothing to show without it.
    capability: Option<Capability>,
}

impl Tabs {
    /// Returns the tabs for another asset: the same one selected, nothing loaded.
    pub fn for_other_asset(self) -> Self {
        Self { chosen: self.chosen, ..Self::default() }
    }

    /// Returns the names of the tabs, and the number of items in each if it is known.
    pub fn entries(asset: View<'_, Asset>, page: &AssetPage) -> [(&'static str, Option<usize>); 7] {
        let activities = page.activities.value().map(|known| known.view().iterable().len());
        let activities = activities.or_else(|| asset.activities().map(|known| known.iterable().len()));
        let conversations = page.conversations.value().map(|known| known.view().iterable().len());
        let conversations = conversations.or_else(|| asset.conversations().map(|known| known.iterable().len()));
        [
            ("Preview", None),
            ("Formats", formats(asset, page)),
            ("Activity", Some(activities.unwrap_or(COUNT_PENDING))),
            ("Conversations", Some(conversations.unwrap_or(COUNT_PENDING))),
            ("Related", page.related.value().map(|related| related.assets.len())),
            ("Versions", None),
            ("Record", None),
        ]
    }

    /// Draws the current tab, and requests what it shows.
    pub fn ui(&mut self, ui: &mut Ui, asset: View<'_, Asset>, frame: &mut AssetFrame<'_>) {
        let Some(source) = self.source(frame) else { return self.record.ui(ui, frame) };
        let TabSource { load, loading, loaded, capability } = source;
        if !loaded
            && !loading
            && let Some(again) = capability.and_then(|capability| unsupported_ui(ui, frame.state, capability))
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
        if self.list_ui(ui, frame) {
            frame.push(load);
        }
    }

    /// Returns where the items of the current tab come from; the record is loaded already.
    fn source(&self, frame: &AssetFrame<'_>) -> Option<TabSource> {
        let (page, id) = (frame.page, frame.id.clone());
        let (load, loading, loaded, capability) = match self.chosen {
            FORMATS => {
                let formats = &page.formats;
                let loaded = formats.value().is_some();
                (AssetsAction::LoadFormats(id).into(), formats.loading(), loaded, Some(Capability::Formats))
            }
            ACTIVITY => {
                let activities = &page.activities;
                let loaded = activities.value().is_some();
                (AssetsAction::LoadActivities(id).into(), activities.loading(), loaded, Some(Capability::Activities))
            }
            CONVERSATIONS => {
                let conversations = &page.conversations;
                let loaded = conversations.value().is_some();
                let load = AssetsAction::LoadConversations(id).into();
                (load, conversations.loading(), loaded, Some(Capability::Conversations))
            }
            RELATED => {
                let related = &page.related;
                (AssetsAction::LoadRelated(id).into(), related.loading(), related.value().is_some(), None)
            }
            VERSIONS => {
                let versions = frame.state.versions.of_asset(&id);
                let loading = versions.is_some_and(Remote::loading);
                let loaded = versions.is_some_and(|versions| versions.value().is_some());
                // Those that this program keeps need nothing of the service.
                let capability = (!frame.state.versions.is_local).then_some(Capability::Versions);
                (VersionsAction::Load(id).into(), loading, loaded, capability)
            }
            _ => return None,
        };
        Some(TabSource { load, loading, loaded, capability })
    }

    /// Draws what the current tab lists; returns whether to load it again.
    fn list_ui(&mut self, ui: &mut Ui, frame: &mut AssetFrame<'_>) -> bool {
        let Self { formats, timeline, conversations, related, versions: versions_tab, .. } = self;
        let page = frame.page;
        match self.chosen {
            FORMATS => {
                let mut shows_record = false;
                let again = remote_ui(ui, "The formats", &page.formats, |ui, known| {
                    if nothing_ui(ui, known.as_ref(), "This asset has no formats", "formats this asset has") {
                        return;
                    }
                    let trees = known.view().iterable().trees();
                    let drawn = rows_ui(ui, "Formats", trees, formats, format_name, format_ui);
                    shows_record = menu::format_ui(&drawn, trees, frame);
                });
                if shows_record {
                    self.chosen = RECORD;
                }
                again
            }
            ACTIVITY => {
                changes::ui(ui, frame);
                let Some(asset) = page.record.value() else { return false };
                let draw = |ui: &mut Ui, known: &_| timeline.ui(ui, asset, known, frame.actions);
                remote_ui(ui, "The activities", &page.activities, draw)
            }
            RELATED => remote_ui(ui, "The related assets", &page.related, |ui, known| related.ui(ui, known, frame)),
            VERSIONS => versions_tab.remote_ui(ui, frame),
            _ => remote_ui(ui, "The conversations", &page.conversations, |ui, known| {
                if nothing_ui(ui, known.as_ref(), "No conversations yet", "conversations are about this asset") {
                    return;
                }
                let trees = known.view().iterable().trees();
                let drawn = rows_ui(ui, "Conversations", trees, conversations, conversation_name, conversation_ui);
                menu::conversation_ui(&drawn, trees, frame.actions);
            }),
        }
    }
}

/// Returns the number of formats of an asset, from its record or from their own list, if one of them tells it.
fn formats(asset: View<'_, Asset>, page: &AssetPage) -> Option<usize> {
    let of = |formats: View<'_, Formats>| formats.tells("iterable").then(|| formats.iterable().len());
    of(asset.formats()).or_else(|| of(page.formats.value()?.view()))
}

/// Says that a list is empty, or that its response does not tell it; returns whether that is so.
fn nothing_ui<R: Record>(ui: &mut Ui, list: &R, none: &str, unknown: &str) -> bool {
    let told = list.view().tells("iterable");
    if told && list.tree()["iterable"].as_array().is_some_and(|entries| !entries.is_empty()) {
        return false;
    }
    match told {
        true => empty(ui, Icon::EMPTY, none, "", &[]),
        false => {
            let text = format!("The service does not say which {unknown}");
            empty(ui, Icon::UNKNOWN, &text, "Its response is in the Log.", &[])
        }
    };
    true
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

/// Draws the visible ones of these records, each with a line below it.
fn rows_ui<R>(
    ui: &mut Ui,
    name: &str,
    trees: &[Value],
    state: &mut RowListState,
    name_of: for<'t> fn(View<'t, R>) -> Cow<'t, str>,
    draw: fn(&mut Ui, View<'_, R>),
) -> RowListResponse {
    let row_name = |row: usize| trees.get(row).map_or(Cow::Borrowed(""), |tree| name_of(View::of(tree)));
    let rect = ui.available_rect_before_wrap();
    RowList { name, rect, rows: trees.len(), row_name: &row_name, drags: false }.show(ui, state, |ui, row| {
        let Some(tree) = trees.get(row) else { return };
        ui.scope(|ui| draw(ui, View::of(tree)));
        ui.add_space(SPACE_S);
        ui.line();
        ui.add_space(SPACE_S);
    })
}

fn format_name(format: View<'_, Format>) -> Cow<'_, str> {
    let specific = format.classification().specific();
    let name = language_name(specific);
    let name = if name.is_empty() { "Unknown language" } else { name };
    format!("{} {}", shown_short(name, 60), word(format.role())).trim_end().to_owned().into()
}

fn conversation_name(conversation: View<'_, Conversation>) -> Cow<'_, str> {
    let name = conversation.name().filter(|name| !name.trim().is_empty()).unwrap_or("Unnamed conversation");
    shown_short(name, 120)
}

fn format_ui(ui: &mut Ui, format: View<'_, Format>) {
    let specific = format.classification().specific();
    ui.horizontal(|ui| {
        match specific {
            "" => drop(ui.muted("Language not told")),
            specific => language_ui(ui, specific, language_name(specific)),
        }
        if !format.role().is_empty() {
            ui.badge(&word(format.role()));
        }
        let kind = match (format.fragment(), format.file()) {
            (Some(_), _) => "text",
            (None, Some(_)) => "file",
            (None, None) => "no content",
        };
        match Some(format.bytes()).filter(|bytes| bytes.tells("value")).map(|bytes| bytes.value()) {
            Some(bytes) => {
                let text = format!("{} · {kind}", format::size(bytes));
                ui.muted(&text).on_hover_text(format::exact_size(bytes))
            }
            None => ui.muted(&format!("size not told · {kind}")),
        };
    });
    ui.key_value("Generic", format::told(&word(format.classification().generic())));
    let application = format.application();
    let source = format!("{} {}", word(application.name()), application.version());
    ui.key_value("Source", format::told(source.trim()));
    moment_ui(ui, "Created", format.created().value());
    moment_ui(ui, "Updated", format.updated().value());
    id_ui(ui, format.id());
}

fn conversation_ui(ui: &mut Ui, conversation: View<'_, Conversation>) {
    ui.horizontal(|ui| {
        ui.strong(conversation_name(conversation));
        ui.add_space(SPACE_M);
        let messages = conversation.messages().iterable().len();
        match conversation.messages().tells("iterable") {
            true => ui.muted(&plural(messages, "message")),
            false => ui.muted("messages not told"),
        };
    });
    moment_ui(ui, "Updated", conversation.updated().value());
    id_ui(ui, conversation.id());
}

fn moment_ui(ui: &mut Ui, key: &str, moment: &str) {
    match moment {
        "" => ui.key_value(key, format::NOT_TOLD),
        moment => ui.key_value(key, &format::ago(moment)).on_hover_text(format::exact(moment)),
    };
}

fn id_ui(ui: &mut Ui, id: &str) {
    if id.is_empty() {
        ui.key_value("Id", format::NOT_TOLD);
        return;
    }
    ui.key_value_ui("Id", |ui| {
        ui.code_text(&shown_short(id, 60));
        if ui.icon_button(Icon::COPY, &format!("Copy the id {}", shown_short(id, 60))).clicked() {
            ui.ctx().copy_text(id.to_owned());
        }
    });
}
