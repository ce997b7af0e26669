//! The panel of comparisons: two things beside each other, each comparison in a tab.
//!
//! What must hold: nothing is written from here but by taking a part over, which is a change like any other; what is
//! left out of a comparison is said.

use std::collections::BTreeMap;
use std::sync::Arc;

use egui::{CentralPanel, Frame, Margin, Rect, Sense, Ui};

use lunette_inspector::action::{CompareAction, NavigationAction};
use lunette_inspector::compare::{Comparison, ContentDiff, Layout, Position, Source, SourceError, Tab};
use lunette_inspector::panel::Panel;
use lunette_inspector::versions;
use lunette_inspector::{Action, State};

use crate::ui::dragging;
use crate::ui::dropped_files::{Dropped, DroppedFiles};
use crate::ui::focus::{self, Region, region};
use crate::ui::list::failure::failure_ui;
use crate::ui::theme::{Icon, SPACE_S, UiExt as _};
use crate::ui::widgets::placeholder::{Failure, empty, failed, skeleton_text};
use crate::ui::widgets::{TabEvent, TabText, tab_strip};

mod bytes;
mod fields;
mod head;
mod menu;
mod pictures;
mod text;

pub(in crate::ui) use menu::{
    entries_ui, of_application, of_call, of_external, of_inventory, of_response, of_unlisted, selection_sources,
};

use fields::FieldsView;
use pictures::PicturesView;
use text::TextView;

/// The panel, and the view state of each comparison.
#[derive(Default)]
pub struct ComparePanel {
    views: BTreeMap<u64, ComparisonView>,
    layout: Layout,
    dropped: DroppedFiles,
}

/// The view state of a comparison.
#[derive(Default)]
struct ComparisonView {
    /// The comparison that is drawn; kept alive, so that its address is not reused.
    of: Option<Arc<Comparison>>,
    text: TextView,
    fields: FieldsView,
    pictures: PicturesView,
}

impl ComparisonView {
    /// Takes in a comparison that was made anew; where the view is scrolled to is kept.
    fn follow(&mut self, comparison: &Arc<Comparison>) {
        if self.of.as_ref().is_none_or(|of| !Arc::ptr_eq(of, comparison)) {
            self.of = Some(Arc::clone(comparison));
            self.text.renew();
            self.fields = FieldsView::of(comparison);
        }
    }
}

impl ComparePanel {
    /// Draws the panel.
    pub fn ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        self.views.retain(|number, _| state.compare.tabs.iter().any(|tab| tab.number == *number));
        let frame = Frame::new().inner_margin(Margin { left: 14, right: 12, top: 8, bottom: 8 });
        CentralPanel::default().frame(frame).show(ui, |ui| {
            region(ui, Region::List, |ui| {
                tabs_ui(ui, state, actions);
                let rect = ui.available_rect_before_wrap();
                match state.compare.tab() {
                    Some(tab) => {
                        self.tab_ui(ui, tab, state, actions);
                        drops_ui(ui, rect, tab, actions);
                    }
                    None => {
                        nothing_ui(ui, state, actions);
                        drop_ui(ui, rect, state, actions);
                    }
                }
                actions.extend(self.dropped.take(ui, rect).map(|dropped| compare_files(dropped, state)));
            });
        });
    }

    /// Shows the panel, and goes to the next change of the shown comparison, or to the previous one.
    pub fn go_to_change(&mut self, state: &State, forward: bool, actions: &mut Vec<Action>) {
        if state.navigation.panel != Panel::Compare {
            actions.push(NavigationAction::Show(Panel::Compare).into());
        }
        let Some(tab) = state.compare.tab() else { return };
        let Some(diff) = tab.shown.value().and_then(|comparison| comparison.text()) else { return };
        self.views.entry(tab.number).or_default().text.step(diff, forward);
    }

    fn tab_ui(&mut self, ui: &mut Ui, tab: &Tab, state: &State, actions: &mut Vec<Action>) {
        let view = self.views.entry(tab.number).or_default();
        let Some(comparison) = tab.shown.value() else {
            return match tab.shown.error() {
                Some(error) => failed_ui(ui, tab, error, actions),
                None => loading_ui(ui, tab, actions),
            };
        };
        view.follow(comparison);
        head::ui(ui, tab, comparison, actions);
        if let Some(error) = tab.shown.error() {
            ui.error_text(&format!("This could not be read again: {error}"));
        }
        for left_out in comparison.left_out() {
            ui.caption(&left_out);
        }
        if comparison.is_equal() {
            ui.horizontal(|ui| {
                ui.decoration(Icon::DONE.text().color(ui.tokens().ok));
                ui.strong("The two are the same");
            });
        }
        view.fields.ui(ui, tab, comparison, state, actions);
        match &comparison.content {
            ContentDiff::Text(diff) => {
                view.text.ui(ui, tab, (comparison, diff), (&mut self.layout, state), actions);
            }
            ContentDiff::Pictures(diff) => {
                bytes::line_ui(ui, diff);
                view.pictures.ui(ui, comparison);
            }
            ContentDiff::Bytes(diff) => bytes::ui(ui, diff),
            ContentDiff::None | ContentDiff::TooLarge(_) => {}
        }
    }
}

/// Draws the tabs, if there is more than one comparison.
fn tabs_ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    let tabs = &state.compare.tabs;
    if tabs.is_empty() {
        return;
    }
    let texts: Vec<TabText> =
        tabs.iter().map(|tab| TabText { name: tab.title(), open: state.compare.open == Some(tab.number) }).collect();
    let strip = tab_strip(ui, "Comparisons", &texts);
    // A comparison without texts has nothing else that the keyboard could read.
    let comparison = state.compare.tab().and_then(|tab| tab.shown.value());
    if let Some(open) = strip.open.filter(|_| comparison.is_some_and(|comparison| comparison.text().is_none())) {
        focus::register_list(ui.ctx(), open);
    }
    match strip.event {
        Some(TabEvent::Open(index)) => actions.push(CompareAction::Show(tabs[index].number).into()),
        Some(TabEvent::Close(index)) => actions.push(CompareAction::Close(tabs[index].number).into()),
        None => {}
    }
    ui.add_space(SPACE_S);
}

/// Takes what is dropped on either side of a comparison: it is compared in place of that side.
fn drops_ui(ui: &Ui, rect: Rect, tab: &Tab, actions: &mut Vec<Action>) {
    let halves = [rect.with_max_x(rect.center().x), rect.with_min_x(rect.center().x)];
    for (at, rect) in Position::ALL.into_iter().zip(halves) {
        let side = ui.interact(rect, ui.scope_id().with(("side", at)), Sense::hover());
        let does = format!("Compare on the {}:", at.as_str());
        if let Some(source) = dragging::drop_on_side(ui, &side, &does) {
            actions.push(CompareAction::Replace(tab.number, at, source).into());
        }
    }
}

/// What compares files that were dropped: in place of a side, or with what is selected.
fn compare_files(dropped: Dropped, state: &State) -> Action {
    let (at, path) = match dropped {
        Dropped::Both(paths) => return CompareAction::Open(paths.map(Source::File)).into(),
        Dropped::Refused(why) => return Action::Hint(why.to_owned()),
        Dropped::Side(at, path) => (at, Source::File(path)),
    };
    match (state.compare.tab(), &state.compare.selected) {
        (Some(tab), _) => CompareAction::Replace(tab.number, at, path).into(),
        (None, Some(_)) => CompareAction::WithSelected(path).into(),
        (None, None) => CompareAction::Select(path).into(),
    }
}

/// Takes what is dropped while nothing is compared: two are compared, one after the other.
fn drop_ui(ui: &Ui, rect: Rect, state: &State, actions: &mut Vec<Action>) {
    let panel = ui.interact(rect, ui.scope_id().with("drop"), Sense::hover());
    let does = if state.compare.selected.is_some() { "Compare with" } else { "Select for compare:" };
    if let Some(source) = dragging::drop_on_side(ui, &panel, does) {
        actions.push(match &state.compare.selected {
            Some(_) => CompareAction::WithSelected(source).into(),
            None => CompareAction::Select(source).into(),
        });
    }
}

fn nothing_ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    let (title, advice) = match &state.compare.selected {
        Some(selected) => (
            format!("“{}” is selected", selected.name()),
            "Choose “Compare with…” to find any asset or a file, or “Compare with selected” in the menu of another row.",
        ),
        None => (
            "Nothing is compared".to_owned(),
            "Select two assets and choose Compare, or choose “Compare with…” in the menu of an asset, a tag, an application \
             or a call of the log.",
        ),
    };
    let button = if state.compare.selected.is_some() { "Compare with…" } else { "Compare two files…" };
    if empty(ui, Icon::COMPARE, &title, advice, &[button]).is_some() {
        actions.push(match &state.compare.selected {
            Some(selected) => CompareAction::Choose(selected.clone()).into(),
            None => CompareAction::PickFiles.into(),
        });
    }
}

fn loading_ui(ui: &mut Ui, tab: &Tab, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        ui.title(&tab.title());
        if ui.button("Cancel").on_hover_text("Closes this comparison").clicked() {
            actions.push(CompareAction::Close(tab.number).into());
        }
    });
    skeleton_text(ui, "both sides", 12);
}

fn failed_ui(ui: &mut Ui, tab: &Tab, error: &SourceError, actions: &mut Vec<Action>) {
    let again = match error {
        SourceError::Call { name, error } => failure_ui(ui, &format!("“{name}” could not be read"), error),
        SourceError::Version { name, error: versions::SourceError::Call(error) } => {
            failure_ui(ui, &format!("“{name}” could not be read"), error)
        }
        SourceError::Version { .. } | SourceError::File(_) | SourceError::Ended(_) => {
            let reason = error.to_string();
            let advice = "Check that it exists and can be read, then try again.";
            failed(
                ui,
                &Failure {
                    title: "A side could not be read",
                    method: "",
                    address: "",
                    phase: "",
                    reason: &reason,
                    advice,
                },
            )
        }
    };
    if again {
        actions.push(CompareAction::Reload(tab.number).into());
    }
}
