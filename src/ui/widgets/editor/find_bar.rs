//! The bar to find and replace: a field, its options, the number of matches, and a field for what replaces them.
//!
//! What must hold: texts are searched on another thread; Enter goes to the next match, Shift+Enter to the previous one;
//! in the field for the replacement Enter replaces; Escape closes the bar and goes back to the text.

use std::ops::Range;
use std::sync::Arc;

use super::super::background::Background;
use super::super::code::{Matches, split_by_match};
use super::super::grouped;
use super::super::text_field::TextField;
use super::document::{Document, Selection};
use super::search::{Found, Query, Search, SearchError};
use crate::ui::disabled_reason::enabled_unless;
use crate::ui::focus;
use crate::ui::theme::{Icon, SPACE_XS, Tokens, UiExt as _};
use egui::{Align, Button, Color32, Id, Key, Layout, Modifiers, RichText, Ui, WidgetInfo};

/// The most characters that are searched for.
const MAX_WORDS: usize = 1_000;
/// How many bytes of text are searched at once, without a gap, if the words are not an expression.
const BYTES_A_UNIT: usize = 64;

/// The bar, and what was found.
#[derive(Default)]
pub(super) struct FindBar {
    open: bool,
    /// Whether the field for the replacement is shown.
    replaces: bool,
    /// Whether the field takes the focus as soon as it is drawn.
    fresh: bool,
    query: Query,
    with: String,
    found: Background<Search, Found>,
    /// What replaces all matches, being computed.
    replacing: Option<(Search, Background<Search, Found>)>,
    /// The search that was shown last.
    shown: Option<Search>,
    /// Where the caret was when the query was changed.
    origin: usize,
    /// Steps to the next or the previous match that wait for the matches.
    steps: Vec<bool>,
    /// What was replaced last.
    replaced: Option<String>,
    text: Option<(u64, Arc<str>)>,
    /// The controls of the bar when it was drawn last.
    controls: Vec<Id>,
}

/// What happened in the bar in this frame.
#[derive(Default)]
pub(super) struct FindOutcome {
    pub closed: bool,
    /// Whether the selection was moved.
    pub moved: bool,
}

/// What was asked for.
#[derive(Clone, Copy, PartialEq)]
enum Asked {
    Next,
    Previous,
    Replace,
    ReplaceAll,
    /// An option was changed.
    Option,
    Close,
}

impl Asked {
    /// Returns the field that has the focus afterwards.
    fn field(self) -> Option<&'static str> {
        match self {
            Self::Next | Self::Previous | Self::Option => Some("find"),
            Self::Replace | Self::ReplaceAll => Some("replace"),
            Self::Close => None,
        }
    }
}

impl FindBar {
    /// Opens the bar for what is selected on one line.
    pub(super) fn open(&mut self, document: &Document, replaces: bool) {
        let selected = document.selected();
        if !selected.is_empty() && !selected.contains('\n') && selected.chars().count() <= MAX_WORDS {
            self.query = Query { words: selected.to_owned(), expression: false, ..std::mem::take(&mut self.query) };
        }
        self.origin = document.selection().range().start;
        self.replaces = replaces;
        (self.open, self.fresh, self.replaced) = (true, true, None);
    }

    /// Goes to the next match, or the previous one, as soon as it is known.
    pub(super) fn step(&mut self, next: bool) {
        if !self.query.words.is_empty() {
            self.open = true;
            self.steps.push(next);
        }
    }

    /// Splits a part of the text by the matches in it, each with its background, if any; the selected one has its own.
    pub(super) fn grounds(&self, part: Range<usize>, t: &Tokens, document: &Document) -> Vec<(Range<usize>, Color32)> {
        let selected = document.selection().range();
        let current = |matches: &Matches| {
            let at = matches.from(selected.start);
            if matches.get(at) == Some(selected.clone()) { at } else { usize::MAX }
        };
        split_by_match(part, t, self.matches(document.revision()).map(|matches| (matches, current(matches))))
    }

    /// Returns the matches in a text of this number, while the bar is open.
    fn matches(&self, revision: u64) -> Option<&Matches> {
        let shown = self.shown.as_ref().filter(|shown| self.open && shown.revision == revision)?;
        match self.found.known(shown)? {
            Found::Matches(matches) => Some(matches),
            Found::Replaced(_) | Found::Failed(_) => None,
        }
    }

    /// Draws the bar, if it is open.
    pub(super) fn ui(&mut self, ui: &mut Ui, id: Id, document: &mut Document) -> FindOutcome {
        let mut outcome = FindOutcome::default();
        if !self.open {
            return outcome;
        }
        ui.spacing_mut().item_spacing.x = SPACE_XS;
        let keys = self.keys(ui, id);
        let count = |ui: &Ui| ui.viewport(|view| view.this_pass.widgets.get_layer(ui.layer_id()).count());
        let first = count(ui);
        let asked = keys.or(self.fields_ui(ui, id, document));
        self.controls = ui.viewport(|view| {
            view.this_pass.widgets.get_layer(ui.layer_id()).skip(first).map(|widget| widget.id).collect()
        });
        self.search(ui, document, &mut outcome);
        // A button of the bar leaves the focus where Enter and Escape belong to the bar.
        if let Some(field) = asked.and_then(Asked::field).filter(|_| !ui.memory(|memory| memory.has_focus(id))) {
            ui.memory_mut(|memory| memory.request_focus(id.with(field)));
        }
        match asked {
            Some(Asked::Option) => {}
            Some(Asked::Close) => {
                (self.open, outcome.closed) = (false, true);
                self.found.cancel();
            }
            Some(Asked::Next) => self.steps.push(true),
            Some(Asked::Previous) => self.steps.push(false),
            Some(Asked::Replace) => outcome.moved |= self.replace(document),
            Some(Asked::ReplaceAll) => {
                let search = Search { with: Some(self.with.clone()), ..self.search_of(document) };
                self.replacing = Some((search, Background::default()));
            }
            None => {}
        }
        self.replace_all(ui, document, &mut outcome);
        outcome.moved |= self.take_steps(document);
        if !self.steps.is_empty() || asked.is_some() {
            ui.ctx().request_repaint();
        }
        outcome
    }

    fn search_of(&mut self, document: &Document) -> Search {
        let revision = document.revision();
        let known = self.text.take().filter(|(known, _)| *known == revision);
        let (_, text) = known.unwrap_or_else(|| (revision, Arc::from(document.text())));
        self.text = Some((revision, Arc::clone(&text)));
        Search { text, revision, query: self.query.clone(), with: None }
    }

    /// Searches the current text; selects the first match of a new query.
    fn search(&mut self, ui: &Ui, document: &mut Document, outcome: &mut FindOutcome) {
        let key = self.search_of(document);
        let search = key.clone();
        let units = if key.query.expression { usize::MAX } else { key.text.len() / BYTES_A_UNIT };
        let found = if units < super::super::background::PREPARED_AT_ONCE {
            self.found.get_prepared(ui.ctx(), &key, units, move || search.run(&lunette_syntax::CancelToken::default()))
        } else {
            self.found.get_cancellable(ui.ctx(), &key, move |cancel| search.run(&cancel))
        };
        let Some(Ok(found)) = found else { return };
        let fresh = self.shown.as_ref().is_none_or(|shown| shown.query != key.query);
        if let (true, Found::Matches(matches)) = (fresh && !key.query.words.is_empty(), found)
            && let Some(range) = matches.get(matches.from(self.origin))
        {
            document.select(Selection { anchor: range.start, head: range.end });
            outcome.moved = true;
        }
        self.shown = Some(key);
    }

    /// Goes to the matches that were asked for; returns whether the selection was moved.
    fn take_steps(&mut self, document: &mut Document) -> bool {
        let Some(matches) = self.matches(document.revision()) else { return false };
        if matches.is_empty() {
            self.steps.clear();
            return false;
        }
        let (count, mut target) = (matches.len(), None);
        for next in &self.steps {
            let selected = document.selection().range();
            let at = matches.from(selected.start);
            let here = matches.get(at) == Some(selected.clone());
            let index = match next {
                true if here => (at + 1) % count,
                true => matches.from(selected.end),
                // Beyond the last match, the first is found.
                false if matches.get(at).is_some_and(|range| range.start < selected.start) => count - 1,
                false => (at + count - 1) % count,
            };
            if let Some(range) = matches.get(index) {
                document.select(Selection { anchor: range.start, head: range.end });
                target = Some(range.start);
            }
        }
        self.steps.clear();
        self.origin = target.unwrap_or(self.origin);
        target.is_some()
    }

    /// Replaces the selected match and goes to the next one; returns whether the text was changed.
    fn replace(&mut self, document: &mut Document) -> bool {
        self.steps.push(true);
        let selected = document.selection().range();
        let matches = self.matches(document.revision());
        let is_match =
            matches.is_some_and(|matches| matches.get(matches.from(selected.start)) == Some(selected.clone()));
        let Some(Ok(compiled)) = is_match.then(|| self.query.compile()) else { return false };
        let Some(with) = compiled.replaced_at(document.text(), selected.clone(), &self.with) else { return false };
        let end = selected.start + with.len();
        document.replace_all(vec![(selected, with)]);
        document.select(Selection::caret(end));
        true
    }

    /// Replaces all matches once they are known; the text must be the one they were found in.
    fn replace_all(&mut self, ui: &Ui, document: &mut Document, outcome: &mut FindOutcome) {
        let Some((search, mut background)) = self.replacing.take() else { return };
        let job = search.clone();
        if search.revision != document.revision() {
            self.replaced = Some("The text was changed meanwhile. Press Replace all again.".to_owned());
            return;
        }
        match background.get_cancellable(ui.ctx(), &search, move |cancel| job.run(&cancel)) {
            None => self.replacing = Some((search, background)),
            Some(Ok(Found::Replaced(replaced))) => {
                let count = replaced.len();
                document.replace_all(replaced.clone());
                outcome.moved = true;
                let matches = if count == 1 { "match" } else { "matches" };
                self.replaced = Some(format!("Replaced {} {matches}", grouped(count as u64)));
            }
            Some(Ok(Found::Failed(error))) => self.replaced = Some(error.message()),
            Some(Ok(Found::Matches(_))) => {}
            Some(Err(problem)) => self.replaced = Some(format!("Nothing was replaced: {problem}")),
        }
    }

    /// Takes the keys of the fields before they do.
    fn keys(&self, ui: &Ui, id: Id) -> Option<Asked> {
        let in_field = |name: &str| focus::receives_keys(ui.ctx(), id.with(name));
        let (words, with) = (in_field("find"), in_field("replace"));
        // The toolkit takes the focus from a button before its Escape is seen.
        let left = |ui: &Ui| ui.memory(|memory| self.controls.iter().any(|id| memory.had_focus_last_frame(*id)));
        if !words && !with {
            let escaped = ui.input(|input| input.key_pressed(Key::Escape)) && left(ui);
            return escaped.then_some(Asked::Close);
        }
        let pressed = |modifiers, key| ui.input_mut(|input| input.consume_key(modifiers, key));
        if pressed(Modifiers::NONE, Key::Escape) {
            return Some(Asked::Close);
        }
        if with && pressed(Modifiers::COMMAND | Modifiers::ALT, Key::Enter) {
            return Some(Asked::ReplaceAll);
        }
        if pressed(Modifiers::SHIFT, Key::Enter) || pressed(Modifiers::SHIFT, Key::F3) {
            return Some(Asked::Previous);
        }
        let next = pressed(Modifiers::NONE, Key::F3);
        let enter = pressed(Modifiers::NONE, Key::Enter);
        (next || enter).then_some(if with && enter { Asked::Replace } else { Asked::Next })
    }

    fn fields_ui(&mut self, ui: &mut Ui, id: Id, document: &Document) -> Option<Asked> {
        let mut asked = None;
        let right_to_left = Layout::right_to_left(Align::Center);
        ui.horizontal(|ui| {
            ui.with_layout(right_to_left, |ui| {
                let none = self.matches(document.revision()).is_none_or(Matches::is_empty);
                asked = steps_ui(ui, none);
                let fresh = std::mem::take(&mut self.fresh);
                let field = TextField::search("Find in the text").limit(MAX_WORDS).id(id.with("find"));
                let field = field.selection(0..usize::MAX).focus(fresh).keep_tab_and_escape(true);
                if field.width(ui.available_width()).show(ui, &mut self.query.words).response.changed() {
                    (self.replaced, self.origin) = (None, document.selection().range().start);
                }
            });
        });
        if ui.horizontal_wrapped(|ui| self.options_ui(ui, document)).inner {
            asked = asked.or(Some(Asked::Option));
        }
        if self.replaces {
            ui.horizontal(|ui| {
                ui.with_layout(right_to_left, |ui| asked = asked.or(self.replacement_ui(ui, id, document)));
            });
        }
        asked
    }

    /// Draws the options of the search, and what it found; returns whether an option was changed.
    fn options_ui(&mut self, ui: &mut Ui, document: &Document) -> bool {
        let Query { case, whole_word, expression, .. } = &mut self.query;
        let mut changed = toggle(ui, "Aa", "Match case", case);
        changed |= toggle(ui, "W", "Whole words", whole_word);
        changed |= toggle(ui, ".*", "Regular expression", expression);
        if changed {
            (self.replaced, self.origin) = (None, document.selection().range().start);
        }
        toggle(ui, "Replace", "Show the replacement", &mut self.replaces);
        match self.error() {
            Some(error) => drop(ui.error_text(&error.message())),
            None => drop(ui.caption(&self.count_text(document))),
        }
        changed
    }

    fn error(&self) -> Option<&SearchError> {
        match self.found.known(self.shown.as_ref()?)? {
            Found::Failed(error) if self.shown.as_ref()?.query == self.query => Some(error),
            _ => None,
        }
    }

    /// Returns the number of matches and the selected one, as text.
    fn count_text(&self, document: &Document) -> String {
        if let Some(replaced) = &self.replaced {
            return replaced.clone();
        }
        match self.matches(document.revision()) {
            _ if self.query.words.is_empty() => String::new(),
            None => "Searching…".to_owned(),
            Some(matches) if matches.is_empty() => "No matches".to_owned(),
            Some(matches) => {
                let count = format!("{}{}", grouped(matches.len() as u64), if matches.more() { "+" } else { "" });
                let selected = document.selection().range();
                let at = matches.from(selected.start);
                match matches.get(at) == Some(selected) {
                    true => format!("{} of {count}", grouped(at as u64 + 1)),
                    false => format!("{count} {}", if matches.len() == 1 { "match" } else { "matches" }),
                }
            }
        }
    }

    fn replacement_ui(&mut self, ui: &mut Ui, id: Id, document: &Document) -> Option<Asked> {
        let none = self.matches(document.revision()).is_none_or(Matches::is_empty).then_some("Nothing was found");
        let mut asked = None;
        if enabled_unless(ui, none, |ui| ui.button("Replace all")).clicked() {
            asked = Some(Asked::ReplaceAll);
        }
        if enabled_unless(ui, none, |ui| ui.button("Replace match")).clicked() {
            asked = Some(Asked::Replace);
        }
        let hint = if self.query.expression { "Replacement, with $1 for a group" } else { "Replacement" };
        let field = TextField::new("Replace with").label_hidden().hint(hint).limit(MAX_WORDS).id(id.with("replace"));
        field.keep_tab_and_escape(true).width(ui.available_width()).show(ui, &mut self.with);
        asked
    }
}

/// Draws the buttons at the end of the first line, from the right.
fn steps_ui(ui: &mut Ui, none: bool) -> Option<Asked> {
    let mut asked = None;
    if ui.icon_button_with(Icon::CLOSE, "Close find", "Close (Esc)").clicked() {
        asked = Some(Asked::Close);
    }
    ui.add_enabled_ui(!none, |ui| {
        if ui.icon_button_with(Icon::NEXT, "Next match", "Next match (Enter)").clicked() {
            asked = Some(Asked::Next);
        }
        if ui.icon_button_with(Icon::PREVIOUS, "Previous match", "Previous match (Shift+Enter)").clicked() {
            asked = Some(Asked::Previous);
        }
    });
    asked
}

/// Draws an option that is on or off; returns whether it was changed.
fn toggle(ui: &mut Ui, text: &str, name: &str, on: &mut bool) -> bool {
    let color = if *on { ui.tokens().accent } else { ui.tokens().muted };
    let response = ui.add(Button::new(RichText::new(text).color(color)).selected(*on));
    response.widget_info(|| WidgetInfo::selected(egui::Role::Button, response.enabled(), *on, name));
    let clicked = response.accessible_name(name).on_hover_text(name).clicked();
    *on ^= clicked;
    clicked
}
