//! The filter field of a list: suggestions, the error and its position, and the saved filters.
//!
//! What must hold: while the text is not a valid filter, the last valid filter applies; the keyboard stays in the
//! field; Enter belongs to the field unless a suggestion was chosen with the arrow keys.

use egui::{Id, Key, Modifiers, Ui};

use lunette_inspector::filter::{Field, Filter, List, ParseError, parse};
use lunette_inspector::listing::Change;
use lunette_inspector::panel::Panel;
use lunette_inspector::{Action, State};

use crate::ui::command::filter_field;
use crate::ui::focus;
use crate::ui::theme::UiExt as _;
use crate::ui::widgets::table::enter_list_by_arrow;
use crate::ui::widgets::text_field::{TextField, focus_selected};
use completion::{Source, Suggestions};
use saved::SavedMenu;

mod completion;
mod recent;
mod saved;
mod values;

/// Maximum length of a filter, in characters.
const MAX_LENGTH: usize = 500;
/// Width of the button for saved filters, in points: icon only, and with its label.
const BUTTON: f32 = 34.0;
const LABELLED: f32 = 122.0;
/// From this width on, in points, the button has its label.
const ROOM_FOR_LABEL: f32 = 400.0;

/// Returns the id of a list's filter field, by which it is focused from elsewhere.
fn field_id(list: List) -> Id {
    let panel = match list {
        List::Applications | List::Inventory => Panel::Applications,
        List::External => Panel::External,
        List::Assets => Panel::Assets,
        List::Links => Panel::Links,
        List::Log => Panel::Log,
        List::History => Panel::History,
        List::Rescue => Panel::Rescue,
        List::Sides => Panel::Sides,
        List::Proposals => Panel::Proposals,
        List::Linked | List::Trash | List::Import | List::ProposedChanges | List::Assistants => {
            return Id::unique(("filter", list.key()));
        }
    };
    filter_field(panel)
}

/// The filter of a list, and what is being typed.
pub(in crate::ui) struct FilterField {
    list: List,
    name: &'static str,
    text: String,
    /// The last valid filter.
    filter: Filter,
    fault: Option<ParseError>,
    /// The view that the filter was taken from.
    view: Option<u64>,
    suggestions: Suggestions,
    saved: SavedMenu,
}

/// What happened in the field in this frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::ui) struct FilterResponse {
    /// The valid filter changed.
    pub changed: bool,
    /// Enter was pressed. The list then gets the keyboard unless the result takes it.
    pub submitted: bool,
    /// Ctrl+Enter was pressed.
    pub with_ctrl: bool,
    /// A recent search of the contents was chosen.
    pub searches: bool,
}

impl FilterField {
    /// A filter for a list; `name` is the accessible name of its field.
    pub fn new(list: List, name: &'static str) -> Self {
        Self {
            list,
            name,
            text: String::new(),
            filter: Filter::default(),
            fault: None,
            view: None,
            suggestions: Suggestions::default(),
            saved: SavedMenu::default(),
        }
    }

    /// Returns the text of the field.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the last valid filter.
    pub fn filter(&self) -> &Filter {
        &self.filter
    }

    /// Returns what the service should search for: words and phrases as they are typed, without conditions that only the
    /// filter understands.
    pub fn searched(&self) -> String {
        let words = self.filter.words_alone();
        if self.fault.is_some() || words == self.filter {
            return self.text.clone();
        }
        let is_word = |part: &&str| parse(part, self.list).is_ok_and(|filter| filter == filter.words_alone());
        quoted_parts(&self.text).filter(is_word).collect::<Vec<_>>().join(" ")
    }

    /// Replaces the text.
    pub fn set_text(&mut self, text: String, actions: &mut Vec<Action>) {
        self.set(text, actions);
    }

    /// Replaces the filter.
    pub fn set_filter(&mut self, filter: &Filter, actions: &mut Vec<Action>) {
        self.set(filter.to_string(), actions);
    }

    /// Clears the field.
    pub fn clear(&mut self, actions: &mut Vec<Action>) {
        self.set(String::new(), actions);
    }

    /// Takes over the filter of a view, once per view.
    fn sync_view(&mut self, state: &State) {
        if self.view.replace(state.preferences.view_number) == Some(state.preferences.view_number) {
            return;
        }
        self.text = state.preferences.view.list(self.list.key()).filter.clone();
        self.read();
    }

    /// Draws the field and the button for saved filters, together `width` wide; `enter` says what Enter does.
    pub fn ui(
        &mut self,
        ui: &mut Ui,
        state: &State,
        width: f32,
        enter: &str,
        actions: &mut Vec<Action>,
    ) -> FilterResponse {
        self.sync_view(state);
        let width = width.min(ui.available_width());
        let labelled = width >= ROOM_FOR_LABEL;
        let field_width = (width - if labelled { LABELLED } else { BUTTON }).max(60.0);
        let drawn = ui.horizontal_top(|ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            let done = self.field_ui(ui, state, field_width, enter);
            let saveable = (self.text.as_str(), self.fault.is_none());
            (done, self.saved.ui(ui, self.list, saveable, labelled, state, actions))
        });
        let (FilterResponse { mut changed, submitted, with_ctrl, searches }, applied) = drawn.inner;
        if let Some(text) = applied {
            self.text = text;
            changed |= self.read();
        }
        if changed {
            self.keep(actions);
        }
        FilterResponse { changed, submitted, with_ctrl, searches }
    }

    /// Focuses the field with all of its text selected, so that typing replaces it.
    pub fn select_all(&self, ui: &Ui) {
        focus_selected(ui.ctx(), field_id(self.list));
    }

    fn field_ui(&mut self, ui: &mut Ui, state: &State, width: f32, enter: &str) -> FilterResponse {
        let id = field_id(self.list);
        let keys = self.suggestions.keys(ui, id);
        let (with_ctrl, down) = self.consume_leaving_keys(ui, id);
        // A word that is still being typed is not reported as an error until the field loses the focus.
        let typing = ui.memory(|memory| memory.has_focus(id));
        let fault = self.fault.as_ref().filter(|fault| !(fault.unfinished && typing));
        let hint = format!("Filter, such as {}", self.list.example());
        let field = TextField::search(self.name).hint(&hint).width(width).limit(MAX_LENGTH).id(id);
        let field =
            field.underline(fault.map(|fault| fault.span.clone())).keep_tab_and_escape(self.suggestions.is_open());
        let recent = recent::choices(self.list, state);
        let message = fault.map(|fault| fault.problem.clone());
        let field = field.show(ui, &mut self.text);
        if let Some(message) = message {
            ui.ctx().accesskit_node_builder(id, |node| {
                node.set_invalid(egui::accesskit::Invalid::True);
                node.set_description(message);
            });
        }
        if !self.suggestions.is_open() {
            let help = "Words and \"phrases\", field:value or field:>value, several values with commas, -without.";
            field.response.clone().on_hover_text([help, enter].join(" ").trim_end());
        }
        let known_values = |of: Field| values::known_values(of, self.list, state);
        let was_empty = self.text.is_empty();
        let source = Source { list: self.list, known_values: &known_values, initial: &recent.choices };
        let completed = self.suggestions.ui(ui, &field.response, &mut self.text, &source, keys);
        if self.suggestions.takes_tab() {
            focus::claims_tab(ui.ctx(), id);
        }
        let searches = was_empty && completed.is_some_and(|index| recent.searches_contents(index));
        let changed = (field.response.changed() || completed.is_some()) && self.read();
        if field.submitted || with_ctrl {
            // If no list is drawn, the field keeps the focus.
            field.response.request_focus();
        }
        if down {
            enter_list_by_arrow(ui.ctx());
        } else if field.submitted || with_ctrl {
            focus::enter_list(ui.ctx());
        }
        FilterResponse { changed, submitted: field.submitted, with_ctrl, searches }
    }

    /// Returns whether Ctrl+Enter or the down arrow was pressed in the field; consumes both.
    fn consume_leaving_keys(&self, ui: &Ui, id: Id) -> (bool, bool) {
        if !focus::receives_keys(ui.ctx(), id) {
            return (false, false);
        }
        let free = !self.suggestions.is_open();
        ui.input_mut(|input| {
            let with_ctrl = input.consume_key(Modifiers::COMMAND, Key::Enter);
            (with_ctrl, free && input.consume_key(Modifiers::NONE, Key::ArrowDown))
        })
    }

    /// Draws the error below the field; returns whether its fix was applied.
    pub fn fault_ui(&mut self, ui: &mut Ui, actions: &mut Vec<Action>) -> bool {
        let typing = ui.memory(|memory| memory.has_focus(field_id(self.list)));
        let Some(fault) = self.fault.clone().filter(|fault| !(fault.unfinished && typing)) else { return false };
        let mut mended = false;
        ui.horizontal_wrapped(|ui| {
            ui.error_text(&fault.problem);
            if let Some(instead) = &fault.instead
                && self.text.get(fault.span.clone()).is_some()
                && ui.small_button(format!("Use {instead}")).clicked()
            {
                self.text.replace_range(fault.span.clone(), instead);
                mended = self.read();
            }
        });
        if mended {
            self.keep(actions);
        }
        mended
    }

    fn set(&mut self, text: String, actions: &mut Vec<Action>) {
        self.text = text;
        if self.read() {
            self.keep(actions);
        }
    }

    /// Parses the text; returns whether the valid filter changed.
    fn read(&mut self) -> bool {
        match parse(&self.text, self.list) {
            Ok(filter) => {
                self.fault = None;
                let other = filter != self.filter;
                self.filter = filter;
                other
            }
            Err(fault) => {
                self.fault = Some(fault);
                false
            }
        }
    }

    fn keep(&self, actions: &mut Vec<Action>) {
        actions.push(Action::List(self.list, Change::Filter(self.text.clone())));
    }
}

/// The parts of a filter between spaces outside of quotation marks.
fn quoted_parts(text: &str) -> impl Iterator<Item = &str> {
    let (mut quoted, mut escaped) = (false, false);
    let parts = text.split(move |letter: char| {
        let is_escaped = escaped;
        escaped = quoted && letter == '\\' && !is_escaped;
        quoted ^= letter == '"' && !is_escaped;
        letter.is_whitespace() && !quoted
    });
    parts.filter(|part| !part.is_empty())
}
