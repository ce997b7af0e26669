//! Draws the visible entries of the palette, under the headings of their parts.

use std::borrow::Cow;

use egui::text::LayoutJob;
use egui::{
    Align, Id, Layout, Rect, ScrollArea, Sense, TextFormat, TextStyle, Ui, UiBuilder, accesskit::Role, pos2, vec2,
};

use crate::ui::app_icon;
use crate::ui::platform::with_key_names;
use crate::ui::theme::{SPACE_M, SPACE_S, UiExt as _, fonts, text};
use crate::ui::widgets::shown_short;
use lunette_inspector::State;

use super::entry::{Entry, Part};
use super::found;

/// Height of an entry, in points.
pub(super) const ENTRY: f32 = 32.0;
/// Side of the icon of an application, in points.
const ICON: f32 = 18.0;
/// Height of a heading, in points.
const HEADING: f32 = 24.0;
/// Maximum number of characters shown of a title.
const MAX_TITLE: usize = 70;
/// Maximum number of characters shown of a hint.
const MAX_HINT: usize = 40;
/// Maximum number of characters shown of a word of the search.
const MAX_WORD: usize = 20;

/// The entries to be drawn.
pub(super) struct EntryList<'a> {
    pub entries: &'a [Entry],
    /// The entry that Enter chooses.
    pub active: usize,
    pub height: f32,
    /// What is typed.
    pub query: &'a str,
    pub state: &'a State,
}

impl EntryList<'_> {
    /// Draws the list; returns the entry that was clicked, and the node of the entry that Enter chooses.
    /// `match_positions` returns the matching characters of a title.
    pub fn ui(
        &self,
        ui: &mut Ui,
        moved: bool,
        mut match_positions: impl FnMut(&str) -> Vec<u32>,
    ) -> (Option<usize>, Option<Id>) {
        let (line_layout, total) = self.line_layout();
        let area = ScrollArea::vertical().id_salt("entries").max_height(self.height).min_scrolled_height(self.height);
        let area = area.auto_shrink([false, true]);
        let drawn = area.show_viewport(ui, |ui, sight| {
            ui.set_height(total);
            list_node(ui, self.entries.len());
            let (mut clicked, mut active) = (None, None);
            let corner = ui.max_rect().left_top();
            for (top, height, line) in line_layout {
                let rect = Rect::from_min_size(pos2(corner.x, corner.y + top), vec2(ui.available_width(), height));
                let index = match line {
                    Line::Entry(index) => index,
                    Line::Heading(name) => {
                        if visible_lines(sight, top, height) {
                            heading_ui(ui, rect, &name);
                        }
                        continue;
                    }
                };
                let marked = index == self.active;
                if marked && moved {
                    // Scrolling to the first entry also shows its heading.
                    let rect = if index == 0 { rect.expand2(vec2(0.0, HEADING)) } else { rect };
                    ui.scroll_to_rect(rect, None);
                }
                if visible_lines(sight, top, height) {
                    let (id, chosen) =
                        entry_ui(ui, rect, (&self.entries[index], index, marked), self.state, &mut match_positions);
                    active = active.or(marked.then_some(id));
                    clicked = clicked.or(chosen.then_some(index));
                }
            }
            (clicked, active)
        });
        drawn.inner
    }

    /// Returns the heading of a part.
    fn heading(&self, part: Part) -> Cow<'static, str> {
        let of_section = match part {
            Part::Found(section) => found::heading(section, self.query, self.state),
            _ => None,
        };
        of_section.map_or(Cow::Borrowed(part.name()), Cow::Owned)
    }

    /// Returns every line with its position and height, and the total height.
    fn line_layout(&self) -> (Vec<(f32, f32, Line)>, f32) {
        let (mut line_layout, mut top, mut part) = (Vec::new(), 0.0, None);
        for (index, entry) in self.entries.iter().enumerate() {
            if part != Some(entry.part) {
                part = Some(entry.part);
                line_layout.push((top, HEADING, Line::Heading(self.heading(entry.part))));
                top += HEADING;
            }
            line_layout.push((top, ENTRY, Line::Entry(index)));
            top += ENTRY;
        }
        (line_layout, top)
    }
}

enum Line {
    Heading(Cow<'static, str>),
    Entry(usize),
}

fn visible_lines(sight: Rect, top: f32, height: f32) -> bool {
    top + height >= sight.top() && top <= sight.bottom()
}

fn list_node(ui: &Ui, count: usize) {
    ui.ctx().accesskit_node_builder(ui.unique_id(), |node| {
        node.set_role(Role::ListBox);
        node.set_label("Results");
        node.set_size_of_set(count);
    });
}

fn heading_ui(ui: &mut Ui, rect: Rect, name: &str) {
    let layout = Layout::left_to_right(Align::BOTTOM);
    let mut line = ui.new_child(UiBuilder::new().max_rect(rect.shrink2(vec2(10.0, 3.0))).layout(layout));
    line.style_mut().interaction.selectable_labels = false;
    line.tiny(name);
}

/// Draws an entry; returns its node, and whether it was clicked.
fn entry_ui(
    ui: &mut Ui,
    rect: Rect,
    (entry, index, marked): (&Entry, usize, bool),
    state: &State,
    match_positions: &mut impl FnMut(&str) -> Vec<u32>,
) -> (Id, bool) {
    let tokens = ui.tokens();
    let response = ui.interact(rect, ui.unique_id().with(("entry", index)), Sense::CLICK);
    if marked {
        ui.painter().rect_filled(rect, 6.0, tokens.selected_row);
    } else if response.hovered() {
        ui.painter().rect_filled(rect, 6.0, tokens.hovered_row);
    }
    let (title, hint) = (shown_short(&entry.title, MAX_TITLE), shown_short(&entry.hint, MAX_HINT));
    let detail = shown_short(&entry.detail, MAX_TITLE);
    let color = if entry.available { tokens.text } else { tokens.muted };
    let builder = UiBuilder::new().max_rect(rect.shrink2(vec2(10.0, 0.0)));
    let mut row = ui.new_child(builder.layout(Layout::right_to_left(Align::Center)));
    row.style_mut().interaction.selectable_labels = false;
    row.spacing_mut().item_spacing.x = SPACE_S;
    let hinted = row.label(egui::RichText::new(hint.as_ref()).text_style(text::tiny()).color(tokens.muted));
    let mut hidden = vec![hinted.id];
    row.with_layout(Layout::left_to_right(Align::Center), |row| {
        match entry.application_id() {
            Some(id) => {
                let (rect, icon) = row.allocate_exact_size(vec2(ICON, ICON), Sense::hover());
                app_icon::paint(row, rect, app_icon::path_of_tracked(state, id), &title, state);
                hidden.push(icon.id);
            }
            None => hidden.push(row.label(entry.icon.text().color(tokens.muted)).id),
        }
        let job = highlighted(row, &title, &match_positions(&title), color);
        hidden.push(row.add(egui::Label::new(job).truncate()).id);
        hidden.extend(entry.missing.iter().map(|word| missing_ui(row, word)));
        hidden.extend(detail_ui(row, &detail));
    });
    for part in hidden {
        // To assistive technology the entry is a single item.
        ui.ctx().accesskit_node_builder(part, |node| node.set_hidden());
    }
    let name = accessible_name(entry, [title, detail, hint]);
    response.widget_info(|| egui::WidgetInfo::selected(Role::ListBoxOption, entry.available, marked, &name));
    ui.ctx().accesskit_node_builder(response.id, |node| {
        node.set_selected(marked);
        node.set_position_in_set(index);
    });
    (response.id, response.clicked())
}

/// Returns the name of an entry, of what is shown of it.
fn accessible_name(entry: &Entry, shown: [Cow<'_, str>; 3]) -> String {
    let without = entry.missing.iter().map(|word| Cow::Owned(format!("without {}", shown_short(word, MAX_WORD))));
    let parts = shown.into_iter().chain(without).filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join(", ")
}

/// Draws what tells an entry from others of its title, if there is anything; returns its node.
fn detail_ui(ui: &mut Ui, detail: &str) -> Option<Id> {
    let text = egui::RichText::new(detail).text_style(text::tiny()).color(ui.tokens().muted);
    (!detail.is_empty()).then(|| ui.add(egui::Label::new(text).truncate()).id)
}

/// Draws a word of the search that the asset does not have; returns its node.
fn missing_ui(ui: &mut Ui, word: &str) -> Id {
    let text = egui::RichText::new(shown_short(word, MAX_WORD)).text_style(text::tiny()).color(ui.tokens().muted);
    ui.label(text.strikethrough()).id
}

/// Returns a title with the matching characters bold and underlined.
fn highlighted(ui: &Ui, title: &str, match_positions: &[u32], color: egui::Color32) -> LayoutJob {
    let size = TextStyle::Body.resolve(ui.style()).size;
    let plain = TextFormat::simple(TextStyle::Body.resolve(ui.style()), color);
    let accent = ui.tokens().accent;
    let heavy = TextFormat {
        underline: egui::Stroke::new(1.0, accent),
        ..TextFormat::simple(egui::FontId::new(size, fonts::semibold()), color)
    };
    let mut job = LayoutJob::default();
    let (mut part, mut part_marked) = (String::new(), false);
    for (index, letter) in (0..).zip(title.chars()) {
        let marked = match_positions.binary_search(&index).is_ok();
        if marked != part_marked && !part.is_empty() {
            job.append(&std::mem::take(&mut part), 0.0, if part_marked { heavy.clone() } else { plain.clone() });
        }
        part_marked = marked;
        part.push(letter);
    }
    job.append(&part, 0.0, if part_marked { heavy } else { plain });
    job
}

/// Draws the keys of the palette itself.
pub(super) fn hints_ui(ui: &mut Ui) {
    ui.add_space(SPACE_S);
    ui.line();
    ui.add_space(4.0);
    ui.horizontal_wrapped(|ui| {
        ui.style_mut().interaction.selectable_labels = false;
        ui.spacing_mut().item_spacing.x = SPACE_M;
        let hints = [
            "↑ ↓ move",
            "Enter choose",
            "Ctrl+Enter open beside",
            "Esc close",
            "> commands",
            "@ applications",
            "# tags",
        ];
        for hint in hints {
            ui.tiny(&with_key_names(hint));
        }
    });
}
