//! Two texts: how they are placed, the changes one after the other, searching both, and taking changes over.

use std::sync::Arc;

use egui::{Key, Modifiers, Ui};

use lunette_inspector::action::CompareAction;
use lunette_inspector::capability::Capability;
use lunette_inspector::compare::{
    Comparison, CopyPart, Found, Layout, MAX_FOUND, Position, Tab, TextDiff, Whitespace, find,
};
use lunette_inspector::panel::Panel;
use lunette_inspector::{Action, State};

use super::fields::{Wanted, obstacle};
use crate::ui::command::{Command, filter_field};
use crate::ui::disabled_reason::enabled_unless;
use crate::ui::focus;
use crate::ui::theme::{self, Icon, SPACE_XS, UiExt as _};
use crate::ui::widgets::background::{Background, Identity};
use crate::ui::widgets::context_menu::Entry;
use crate::ui::widgets::text_diff::{TextDiffState, TextDiffView, text_diff};
use crate::ui::widgets::text_field::TextField;
use crate::ui::widgets::{Choice, choose, grouped};

/// Below this width, in points, the texts are below each other.
const MIN_SIDE_BY_SIDE: f32 = 620.0;
/// The least height of the texts, in points.
const MIN_HEIGHT: f32 = 120.0;

/// The view of two texts.
#[derive(Default)]
pub(super) struct TextView {
    state: TextDiffState,
    words: String,
    found: Background<Search, Vec<Found>>,
    /// The search that the current place belongs to.
    searched: Option<Search>,
    at: usize,
}

/// What is searched for, and in which comparison.
type Search = (Identity<Comparison>, String);

impl TextView {
    /// Takes in that the texts were compared anew.
    pub fn renew(&mut self) {
        self.state.renew();
    }

    /// Goes to the next change, or to the previous one.
    pub fn step(&mut self, diff: &TextDiff, forward: bool) {
        self.state.step(diff, forward);
    }

    /// Draws the tools and the texts in the rest of the height.
    pub fn ui(
        &mut self,
        ui: &mut Ui,
        tab: &Tab,
        (comparison, diff): (&Arc<Comparison>, &TextDiff),
        (layout, state): (&mut Layout, &State),
        actions: &mut Vec<Action>,
    ) {
        let narrow = ui.available_width() < MIN_SIDE_BY_SIDE;
        ui.horizontal_wrapped(|ui| {
            if !narrow {
                let choices = [(Layout::SideBySide, "Side by side"), (Layout::Inline, "Inline")];
                let choices = choices.map(|(value, name)| Choice { value, name, icon: None });
                *layout = choose(ui, "Layout", *layout, &choices).unwrap_or(*layout);
            }
            whitespace_ui(ui, tab, actions);
            self.changes_ui(ui, diff, state);
            self.copy_ui(ui, tab, comparison, state, actions);
            self.find_ui(ui, comparison);
        });
        let layout = if narrow { Layout::Inline } else { *layout };
        let search = (Identity(Arc::clone(comparison)), self.words.clone());
        let found = self.found.known(&search).map(|found| (found.as_slice(), self.at));
        let view = TextDiffView { name: "Compared texts", diff, layout, found };
        let height = ui.available_height().max(MIN_HEIGHT);
        let texts = text_diff(ui, view, &mut self.state, height, |ui, hunk| {
            menu_entries_ui(ui, (tab, comparison), hunk, state, actions);
        });
        focus::register_list(ui.ctx(), texts.id);
    }

    fn changes_ui(&mut self, ui: &mut Ui, diff: &TextDiff, state: &State) {
        ui.spacing_mut().item_spacing.x = SPACE_XS;
        let none = diff.hunks.is_empty().then_some("The texts are the same");
        let steps = [
            (Command::PreviousChange, Icon::PREVIOUS, "Previous change", false),
            (Command::NextChange, Icon::NEXT, "Next change", true),
        ];
        for (command, icon, name, forward) in steps {
            let tip = command.with_keys(name, state);
            if enabled_unless(ui, none, |ui| ui.icon_button_with(icon, name, &tip)).clicked() {
                self.step(diff, forward);
            }
        }
        let count = grouped(diff.hunks.len() as u64);
        ui.caption(&match self.state.current() {
            Some(current) => format!("Change {} of {count}", grouped(current as u64 + 1)),
            None if diff.hunks.len() == 1 => "1 change".to_owned(),
            None => format!("{count} changes"),
        });
        let all = self.state.all_unfolded(diff);
        let (icon, name) =
            if all { (Icon::FOLD_ALL, "Fold equal lines") } else { (Icon::UNFOLD_ALL, "Unfold equal lines") };
        if ui.icon_button(icon, name).clicked() {
            self.state.unfold_all(diff, !all);
        }
    }

    /// Draws the buttons that copy the current change to a side.
    fn copy_ui(&self, ui: &mut Ui, tab: &Tab, comparison: &Comparison, state: &State, actions: &mut Vec<Action>) {
        if comparison.sides.iter().all(|side| side.target.is_none()) {
            return;
        }
        for (into, icon) in [(Position::Left, Icon::BACK), (Position::Right, Icon::FORWARD)] {
            let name = format!("Copy the change to the {}", into.as_str());
            let part = CopyPart::Hunks(self.state.current().into_iter().collect());
            let wanted = Wanted { into, part: &part, capability: Capability::Edit, name: &name };
            let none = self.state.current().is_none().then(|| "Click a change first, or go to one".to_owned());
            let reason = none.or_else(|| obstacle(&wanted, comparison, state));
            if enabled_unless(ui, reason.as_deref(), |ui| ui.icon_button(icon, &name)).clicked() {
                actions.push(CompareAction::CopyPart(tab.number, into, part).into());
            }
        }
    }

    /// Draws the field that searches both texts, and goes to what it found.
    fn find_ui(&mut self, ui: &mut Ui, comparison: &Arc<Comparison>) {
        let field = filter_field(Panel::Compare);
        let step = if focus::receives_keys(ui.ctx(), field) {
            let pressed = |modifiers| ui.input_mut(|input| input.consume_key(modifiers, Key::Enter));
            if pressed(Modifiers::SHIFT) { Some(false) } else { pressed(Modifiers::NONE).then_some(true) }
        } else {
            None
        };
        TextField::search("Find in both").id(field).limit(1_000).width(180.0).show(ui, &mut self.words);
        let key = (Identity(Arc::clone(comparison)), self.words.clone());
        let (of, words) = key.clone();
        let work = move || of.0.text().map(|diff| find(diff, &words)).unwrap_or_default();
        let Some(Ok(found)) = self.found.get(ui.ctx(), &key, work) else {
            ui.caption("Searching…");
            return;
        };
        let count = found.len();
        if !self.words.is_empty() {
            let more = if count >= MAX_FOUND / 2 { "+" } else { "" };
            let at = (self.at + 1).min(count);
            ui.caption(&if count == 0 {
                "No matches".to_owned()
            } else {
                format!("{at} of {}{more}", grouped(count as u64))
            });
        }
        let fresh = self.searched.as_ref() != Some(&key);
        match step {
            Some(true) if count > 0 && !fresh => self.at = (self.at + 1) % count,
            Some(false) if count > 0 && !fresh => self.at = (self.at + count - 1) % count,
            _ if !fresh => return,
            _ => self.at = 0,
        }
        self.searched = Some(key);
        if let Some(found) = found.get(self.at) {
            self.state.reveal(found.at, found.line);
            ui.ctx().request_repaint();
        }
    }
}

fn whitespace_ui(ui: &mut Ui, tab: &Tab, actions: &mut Vec<Action>) {
    let mut ignored = tab.whitespace == Whitespace::Ignored;
    if theme::checkbox(ui, &mut ignored, "Ignore whitespace").changed() {
        let whitespace = if ignored { Whitespace::Ignored } else { Whitespace::Exact };
        actions.push(CompareAction::Whitespace(tab.number, whitespace).into());
    }
}

/// Draws the entries of the menu of a change that copy it, or the whole text, to a side.
fn menu_entries_ui(
    ui: &mut Ui,
    (tab, comparison): (&Tab, &Comparison),
    hunk: usize,
    state: &State,
    actions: &mut Vec<Action>,
) {
    for (what, part) in [("change", CopyPart::Hunks(vec![hunk])), ("whole text", CopyPart::Text)] {
        for (into, icon) in [(Position::Left, Icon::BACK), (Position::Right, Icon::FORWARD)] {
            let name = format!("Copy the {what} to the {}", into.as_str());
            let wanted = Wanted { into, part: &part, capability: Capability::Edit, name: &name };
            let reason = obstacle(&wanted, comparison, state);
            if Entry::new(icon, &name).disabled_reason(reason.as_deref()).show(ui) {
                actions.push(CompareAction::CopyPart(tab.number, into, part.clone()).into());
            }
        }
    }
}
