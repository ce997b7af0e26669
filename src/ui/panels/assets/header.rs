//! The header of an asset's page: its name, a line of facts, and its actions.

use egui::{Color32, Key, Modifiers, RichText, Sense, TextStyle, Ui};

use crate::ui::command::{Command, delete_name};
use crate::ui::disabled_reason::enabled_unless;
use crate::ui::format;
use crate::ui::theme::{Icon, SPACE_S, SPACE_XS, UiExt as _, text};
use crate::ui::widgets::shown_short;
use crate::ui::widgets::text_field::TextField;
use lunette_client::model::Told;
use lunette_client::model::asset::Asset;
use lunette_client::model::id::AssetId;
use lunette_client::model::language::language_name;
use lunette_client::model::record::View;
use lunette_inspector::action::{AssetsAction, GraphAction};
use lunette_inspector::assets::content;
use lunette_inspector::assets::page::Content;
use lunette_inspector::capability::Capability;
use lunette_inspector::change::{Change, Edit, Field};
use lunette_inspector::graph::Start;
use lunette_inspector::listing::rows::total_score;
use lunette_inspector::navigation::link::Link;
use lunette_inspector::{Action, Remote, State};

use super::cells::language_ui;
use super::details;
use super::forms::{EditForm, Form, ScoreForm, Submission};
use super::frame::AssetFrame;

/// Maximum number of characters shown of a name; hover shows the rest.
const MAX_NAME: usize = 120;
/// Maximum number of characters shown of a name on hover.
const MAX_NAME_HOVERED: usize = 2_000;

/// The name while it is being edited.
#[derive(Default)]
pub struct Header {
    rename: Option<Rename>,
}

#[derive(Default)]
struct Rename {
    was: String,
    text: String,
    /// The name that was sent last.
    sent_name: String,
    fresh: bool,
    sent: Submission,
}

impl Header {
    /// Starts editing the name.
    pub fn start_rename(&mut self, asset: View<'_, Asset>) {
        let was = asset.name().unwrap_or_default().to_owned();
        let start_rename = || Rename { text: was.clone(), was, ..Rename::default() };
        self.rename.get_or_insert_with(start_rename).fresh = true;
    }

    /// Returns whether another name was typed and not applied.
    pub fn is_editing(&self) -> bool {
        self.rename.as_ref().is_some_and(|rename| rename.text != rename.was)
    }

    /// Draws the header of an asset that is not loaded, with its name if that is known from elsewhere; returns whether the
    /// page is to be closed.
    pub fn placeholder_ui(ui: &mut Ui, id: &AssetId, state: &State, back: bool) -> bool {
        let listed = || state.assets.list.rows.value()?.find(id).map(|row| row.name());
        let recent =
            || state.recent().iter().find(|recent| recent.id == id.as_str()).map(|recent| recent.name.as_str());
        let name = listed().or_else(recent).filter(|name| !name.trim().is_empty()).unwrap_or("Asset");
        ui.horizontal(|ui| {
            let left = back && ui.icon_button(Icon::BACK, "Back to the list").clicked();
            ui.heading(shown_short(name, 40).into_owned());
            ui.code_text(id.as_str());
            let close = !back && ui.icon_button(Icon::CLOSE, "Close the asset").clicked();
            left || close
        })
        .inner
    }

    /// Draws name, star and facts; returns whether the page is to be closed.
    pub fn ui(&mut self, ui: &mut Ui, asset: View<'_, Asset>, back: bool, frame: &mut AssetFrame<'_>) -> bool {
        let mut left = false;
        let disabled_reason = frame.change_disabled_reason(Capability::Edit);
        ui.horizontal(|ui| {
            if back {
                left = ui.icon_button(Icon::BACK, "Back to the list").clicked();
            }
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                if !back {
                    let tip = Command::CloseAsset.with_keys("Close the asset", frame.state);
                    left = ui.icon_button_with(Icon::CLOSE, "Close the asset", &tip).clicked();
                }
                if frame.page.record.loading() || frame.write.writing {
                    ui.caption(if frame.write.writing { "Saving…" } else { "Refreshing…" });
                }
                ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                    match &self.rename {
                        Some(_) => self.rename_ui(ui, asset, frame),
                        None => self.name_ui(ui, asset, frame.state, disabled_reason.as_deref()),
                    }
                    star_ui(ui, asset, disabled_reason.as_deref(), frame);
                });
            });
        });
        facts_ui(ui, asset, frame);
        left
    }

    fn name_ui(&mut self, ui: &mut Ui, asset: View<'_, Asset>, state: &State, disabled_reason: Option<&str>) {
        let name = asset.name().unwrap_or_default();
        let shown = match (name.trim().is_empty(), asset.told("name")) {
            (true, Told::Unknown) => "Name not told by this service".to_owned(),
            (true, Told::Value | Told::Nothing) => "Unnamed".to_owned(),
            (false, _) => shown_short(name, MAX_NAME).into_owned(),
        };
        let text = RichText::new(&shown).heading();
        let room = (ui.available_width() - 40.0).max(60.0);
        let response = ui
            .scope(|ui| {
                ui.set_max_width(room);
                ui.add(egui::Label::new(text).truncate().selectable(false).sense(Sense::click()))
            })
            .inner;
        let name_of = format!("Rename {shown}");
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, disabled_reason.is_none(), &name_of));
        if let Some(disabled_reason) = disabled_reason {
            ui.ctx().accesskit_node_builder(response.id, |node| node.set_description(disabled_reason));
        }
        let response = response.on_hover_ui(|ui| {
            ui.set_max_width(420.0);
            if name.chars().nth(60).is_some() {
                ui.label(shown_short(name, MAX_NAME_HOVERED).into_owned());
            }
            let rename = Command::Rename.with_keys("Click to rename", state);
            ui.weak(disabled_reason.unwrap_or(&rename));
        });
        if response.clicked() && disabled_reason.is_none() {
            self.start_rename(asset);
        }
    }

    fn rename_ui(&mut self, ui: &mut Ui, asset: View<'_, Asset>, frame: &mut AssetFrame<'_>) {
        let Some(rename) = &mut self.rename else { return };
        let fault = rename.text.trim().is_empty().then_some("Enter a name");
        // Escape on the other of two pages is not for this one.
        let active = frame.state.assets.pages.open.as_ref() == Some(frame.id);
        let escaped = active && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape));
        let focus = std::mem::take(&mut rename.fresh);
        let width = (ui.available_width() - 40.0).clamp(80.0, 360.0);
        let field = TextField::new("Name").label_hidden().width(width).error(fault);
        let field = field.focus(focus).selection(0..stem_length(&rename.text)).show(ui, &mut rename.text);
        // Compared with the name when editing started: the asset may have been renamed elsewhere since.
        let unchanged = rename.text == rename.was;
        let sending = rename.sent.waiting();
        let done = rename.sent.succeeded(ui, frame.write);
        if field.submitted && fault.is_none() && !unchanged && !frame.write.writing && !sending {
            let edit =
                Edit { field: Field::Name, from: Some(rename.was.as_str().into()), to: rename.text.as_str().into() };
            rename.sent_name = rename.text.clone();
            rename.sent.send(ui, Change::Edit { asset: frame.id.clone(), edits: vec![edit] }, frame);
            return;
        }
        let left = field.response.lost_focus() && !sending && (unchanged || field.submitted && fault.is_none());
        // What was typed after Enter is not part of the write; it stays as a change to the current name.
        if done && rename.text != rename.sent_name {
            asset.name().unwrap_or_default().clone_into(&mut rename.was);
        } else if done || escaped || left {
            self.rename = None;
        } else if field.submitted {
            field.response.request_focus();
        }
    }

    /// Draws the actions of an asset; returns the form that was requested.
    pub fn actions_ui(&mut self, ui: &mut Ui, asset: View<'_, Asset>, frame: &mut AssetFrame<'_>) -> Option<Form> {
        let mut wanted = None;
        ui.add_space(SPACE_XS);
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = SPACE_S;
            let write_button = |ui: &mut Ui, capability: Capability, command: Command, name: &str| {
                let disabled_reason = frame.change_disabled_reason(capability);
                command.on(enabled_unless(ui, disabled_reason.as_deref(), |ui| ui.button(name)), frame.state).clicked()
            };
            if write_button(ui, Capability::Reclassify, Command::Reclassify, "Reclassify") {
                wanted = Some(Form::reclassify(asset, frame.state));
            }
            let score = match asset.told("score") {
                Told::Unknown => "Score +".to_owned(),
                Told::Value | Told::Nothing => format!("Score {} +", details::signed(total_score(asset))),
            };
            let disabled_reason = frame.change_disabled_reason(Capability::Score);
            let button =
                Command::Score.on(enabled_unless(ui, disabled_reason.as_deref(), |ui| ui.button(&score)), frame.state);
            if button.on_hover_text(details::score_tip(asset)).clicked() {
                wanted = Some(Form::Score(ScoreForm::default()));
            }
            if Command::Export.on(ui.button("Export"), frame.state).clicked() {
                wanted = Some(Form::Export(Box::default()));
            }
            if write_button(ui, Capability::Edit, Command::EditAsset, "Edit") {
                wanted = Some(Form::Edit(Box::new(EditForm::new(asset))));
            }
            ui.icon_menu(Icon::MORE, "More", |ui| {
                ui.set_width(180.0);
                menu_ui(ui, asset, frame);
            });
        });
        wanted
    }
}

/// Returns how many characters of a name stand before its extension, as file managers select them for renaming.
fn stem_length(name: &str) -> usize {
    let stem = name.rsplit_once('.').map(|(stem, _)| stem).filter(|stem| !stem.is_empty());
    stem.unwrap_or(name).chars().count()
}

fn menu_ui(ui: &mut Ui, asset: View<'_, Asset>, frame: &mut AssetFrame<'_>) {
    if ui.icon_text_button(Icon::COPY, "Copy id").clicked() {
        copy(ui, frame.id.as_str(), "Copied the id", frame.actions);
    }
    if ui.icon_text_button(Icon::COPY, "Copy link").clicked() {
        copy(ui, &Link::Asset(frame.id.clone()).to_string(), "Copied the link", frame.actions);
    }
    let name = asset.name().unwrap_or_default();
    if ui.icon_text_button(Icon::COPY, "Copy name").clicked() {
        copy(ui, name, "Copied the name", frame.actions);
    }
    if let Some(Content::Text(text)) = frame.page.content.value()
        && ui.icon_text_button(Icon::COPY, "Copy text").clicked()
    {
        copy(ui, text, "Copied the text", frame.actions);
    }
    if ui.icon_text_button(Icon::REFRESH, "Refresh").clicked() {
        frame.push(AssetsAction::Reload(frame.id.clone()));
        match &frame.page.content {
            Remote::Known(Content::Part(..)) => {}
            Remote::Known(_) | Remote::Failed { .. } if frame.state.preferences.settings.transferables => {
                frame.push(AssetsAction::LoadContent(frame.id.clone()));
            }
            _ => {}
        }
        ui.close();
    }
    if Command::ShowGraph.on(ui.icon_text_button(Icon::GRAPH, "Show graph"), frame.state).clicked() {
        let shown = if name.is_empty() { frame.id.as_str() } else { name };
        frame.push(GraphAction::Start(vec![Start::asset(frame.id.clone(), shown)]));
        ui.close();
    }
    ui.line();
    let disabled_reason = frame.change_disabled_reason(Capability::Delete);
    if enabled_unless(ui, disabled_reason.as_deref(), |ui| ui.danger_button(delete_name(frame.state))).clicked() {
        ui.close();
        let name = if name.is_empty() { frame.id.as_str() } else { name };
        frame.change(Change::Delete { asset: frame.id.clone(), name: name.to_owned(), made: None });
    }
}

fn copy(ui: &mut Ui, text: &str, message: &str, actions: &mut Vec<Action>) {
    ui.ctx().copy_text(text.to_owned());
    actions.push(Action::Notify(message.to_owned()));
    ui.close();
}

fn star_ui(ui: &mut Ui, asset: View<'_, Asset>, disabled_reason: Option<&str>, frame: &mut AssetFrame<'_>) {
    let on = asset.favorited().unwrap_or_default();
    let star = enabled_unless(ui, disabled_reason, |ui| ui.toggle_icon_button(Icon::STAR, "Favourite", on));
    if star.clicked() {
        let edit = Edit { field: Field::Favorited, from: Some(on.into()), to: (!on).into() };
        frame.change(Change::Edit { asset: frame.id.clone(), edits: vec![edit] });
    }
}

/// Draws language, size, creation date and id on one line.
fn facts_ui(ui: &mut Ui, asset: View<'_, Asset>, frame: &mut AssetFrame<'_>) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().interact_size.y = 24.0;
        ui.spacing_mut().item_spacing.x = SPACE_XS + 2.0;
        let specific = content::original(asset).map(|format| format.classification().specific());
        if let Some(specific) = specific.filter(|specific| !specific.is_empty()) {
            let name = language_name(specific);
            language_ui(ui, specific, name);
            ui.muted("·");
        }
        if let Some(size) = content::told_size(asset) {
            ui.muted(&format::size(size)).on_hover_text(format::exact_size(size));
            ui.muted("·");
        }
        let created = asset.created().value();
        if !created.is_empty() {
            ui.muted(&format!("created {}", format::ago(created))).on_hover_text(format::exact(created));
            id_break_ui(ui, frame.id);
        }
        ui.code_text(&short_id(frame.id)).on_hover_text(frame.id.as_str());
        if small_copy_button(ui, "Copy the id").clicked() {
            ui.ctx().copy_text(frame.id.to_string());
            frame.notify("Copied the id");
        }
    });
}

/// Draws what is before the id: a dot, or where the id and its button do not fit beside it, the end of the line.
fn id_break_ui(ui: &mut Ui, id: &AssetId) {
    let font = text::mono_small().resolve(ui.style());
    let id = ui.painter().layout_no_wrap(short_id(id), font, Color32::PLACEHOLDER).size().x;
    let dot = ui.painter().layout_no_wrap("·".to_owned(), TextStyle::Body.resolve(ui.style()), Color32::PLACEHOLDER);
    let button = COPY_BUTTON.max(COPY_SIGN + 2.0 * ui.spacing().button_padding.x);
    let needed = dot.size().x + id + button + 3.0 * ui.spacing().item_spacing.x;
    match ui.available_size_before_wrap().x < needed {
        true => ui.end_row(),
        false => drop(ui.muted("·")),
    }
}

/// Least width of the button that copies the text before it, and the size of its icon, in points.
const COPY_BUTTON: f32 = 24.0;
const COPY_SIGN: f32 = 12.0;

/// Draws a small icon button that copies the text before it.
pub fn small_copy_button(ui: &mut Ui, name: &str) -> egui::Response {
    let sign = Icon::COPY.text().size(COPY_SIGN).color(ui.tokens().muted);
    let button = egui::Button::new(sign).frame_when_inactive(false).small().min_size(egui::vec2(COPY_BUTTON, 17.0));
    ui.add(button).accessible_name(name).on_hover_text(name)
}

/// Returns the beginning and the end of an id: `5f0c…e159`.
fn short_id(id: &AssetId) -> String {
    let text = id.as_str();
    match (text.get(..4), text.len().checked_sub(4).and_then(|end| text.get(end..))) {
        (Some(head), Some(tail)) => format!("{head}…{tail}"),
        _ => text.to_owned(),
    }
}
