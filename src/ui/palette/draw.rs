//! How the entries of the palette are drawn: those in sight, under the headings of their parts.

use egui::text::LayoutJob;
use egui::{
    Align, Id, Layout, Rect, ScrollArea, Sense, TextFormat, TextStyle, Ui, UiBuilder, accesskit::Role, pos2, vec2,
};

use crate::ui::theme::{SPACE_M, SPACE_S, UiExt as _, fonts, text};
use crate::ui::widgets::shown_short;

use super::entry::Entry;

/// Height of an entry, in points.
pub(super) const ENTRY: f32 = 32.0;
/// Height of a heading, in points.
const HEADING: f32 = 24.0;
/// More letters of a title are not shown.
const TITLE: usize = 70;
/// More letters of a hint are not shown.
const HINT: usize = 40;

/// The entries to be drawn.
pub(super) struct EntryList<'a> {
    pub entries: &'a [Entry],
    /// The entry that Enter chooses.
    pub place: usize,
    pub height: f32,
}

impl EntryList<'_> {
    /// Draws the list; gives the entry that was clicked, and the node of the one that Enter chooses. `marks` gives the
    /// letters of a title that match.
    pub fn ui(&self, ui: &mut Ui, moved: bool, mut marks: impl FnMut(&str) -> Vec<u32>) -> (Option<usize>, Option<Id>) {
        let (lines, total) = self.lines();
        let area = ScrollArea::vertical().id_salt("entries").max_height(self.height).min_scrolled_height(self.height);
        let area = area.auto_shrink([false, true]);
        let drawn = area.show_viewport(ui, |ui, sight| {
            ui.set_height(total);
            list_node(ui, self.entries.len());
            let (mut clicked, mut active) = (None, None);
            let corner = ui.max_rect().left_top();
            for (top, height, line) in lines {
                let rect = Rect::from_min_size(pos2(corner.x, corner.y + top), vec2(ui.available_width(), height));
                let place = match line {
                    Line::Entry(place) => place,
                    Line::Heading(name) => {
                        if in_sight(sight, top, height) {
                            heading_ui(ui, rect, name);
                        }
                        continue;
                    }
                };
                let marked = place == self.place;
                if marked && moved {
                    // The first entry brings its heading with it.
                    let rect = if place == 0 { rect.expand2(vec2(0.0, HEADING)) } else { rect };
                    ui.scroll_to_rect(rect, None);
                }
                if in_sight(sight, top, height) {
                    let (id, chosen) = entry_ui(ui, rect, (&self.entries[place], place, marked), &mut marks);
                    active = active.or(marked.then_some(id));
                    clicked = clicked.or(chosen.then_some(place));
                }
            }
            (clicked, active)
        });
        drawn.inner
    }

    /// Every line with where it begins and how high it is, and the height of all.
    fn lines(&self) -> (Vec<(f32, f32, Line)>, f32) {
        let (mut lines, mut top, mut part) = (Vec::new(), 0.0, None);
        for (place, entry) in self.entries.iter().enumerate() {
            if part != Some(entry.part) {
                part = Some(entry.part);
                lines.push((top, HEADING, Line::Heading(entry.part.name())));
                top += HEADING;
            }
            lines.push((top, ENTRY, Line::Entry(place)));
            top += ENTRY;
        }
        (lines, top)
    }
}

enum Line {
    Heading(&'static str),
    Entry(usize),
}

fn in_sight(sight: Rect, top: f32, height: f32) -> bool {
    top + height >= sight.top() && top <= sight.bottom()
}

fn list_node(ui: &Ui, count: usize) {
    ui.ctx().accesskit_node_builder(ui.unique_id(), |node| {
        node.set_role(Role::ListBox);
        node.set_label("What was found");
        node.set_size_of_set(count);
    });
}

fn heading_ui(ui: &mut Ui, rect: Rect, name: &str) {
    let layout = Layout::left_to_right(Align::BOTTOM);
    let mut line = ui.new_child(UiBuilder::new().max_rect(rect.shrink2(vec2(10.0, 3.0))).layout(layout));
    line.style_mut().interaction.selectable_labels = false;
    line.tiny(name);
}

/// Draws an entry with its place and whether Enter chooses it; gives its node, and whether it was clicked.
fn entry_ui(
    ui: &mut Ui,
    rect: Rect,
    (entry, place, marked): (&Entry, usize, bool),
    marks: &mut impl FnMut(&str) -> Vec<u32>,
) -> (Id, bool) {
    let tokens = ui.tokens();
    let response = ui.interact(rect, ui.unique_id().with(("entry", place)), Sense::CLICK);
    if marked {
        ui.painter().rect_filled(rect, 6.0, tokens.selected_row);
    } else if response.hovered() {
        ui.painter().rect_filled(rect, 6.0, tokens.hovered_row);
    }
    let (title, hint) = (shown_short(&entry.title, TITLE), shown_short(&entry.hint, HINT));
    let color = if entry.able { tokens.text } else { tokens.muted };
    let builder = UiBuilder::new().max_rect(rect.shrink2(vec2(10.0, 0.0)));
    let mut row = ui.new_child(builder.layout(Layout::right_to_left(Align::Center)));
    row.style_mut().interaction.selectable_labels = false;
    row.spacing_mut().item_spacing.x = SPACE_S;
    let hinted = row.label(egui::RichText::new(hint.as_ref()).text_style(text::tiny()).color(tokens.muted));
    let mut hidden = vec![hinted.id];
    row.with_layout(Layout::left_to_right(Align::Center), |row| {
        hidden.push(row.label(entry.icon.text().color(tokens.muted)).id);
        let job = highlighted(row, &title, &marks(&title), color);
        hidden.push(row.add(egui::Label::new(job).truncate()).id);
    });
    for part in hidden {
        // The entry is one thing to those who do not see it.
        ui.ctx().accesskit_node_builder(part, |node| node.set_hidden());
    }
    let name = if hint.is_empty() { title.into_owned() } else { format!("{title}, {hint}") };
    response.widget_info(|| egui::WidgetInfo::selected(Role::ListBoxOption, entry.able, marked, &name));
    ui.ctx().accesskit_node_builder(response.id, |node| {
        node.set_selected(marked);
        node.set_position_in_set(place);
    });
    (response.id, response.clicked())
}

/// A title with the letters that match in a heavier face and underlined.
fn highlighted(ui: &Ui, title: &str, marks: &[u32], color: egui::Color32) -> LayoutJob {
    let size = TextStyle::Body.resolve(ui.style()).size;
    let plain = TextFormat::simple(TextStyle::Body.resolve(ui.style()), color);
    let accent = ui.tokens().accent;
    let heavy = TextFormat {
        underline: egui::Stroke::new(1.0, accent),
        ..TextFormat::simple(egui::FontId::new(size, fonts::semibold()), color)
    };
    let mut job = LayoutJob::default();
    let (mut part, mut part_marked) = (String::new(), false);
    for (place, letter) in (0..).zip(title.chars()) {
        let marked = marks.binary_search(&place).is_ok();
        if marked != part_marked && !part.is_empty() {
            job.append(&std::mem::take(&mut part), 0.0, if part_marked { heavy.clone() } else { plain.clone() });
        }
        part_marked = marked;
        part.push(letter);
    }
    job.append(&part, 0.0, if part_marked { heavy } else { plain });
    job
}

/// The keys of the palette itself.
pub(super) fn hints_ui(ui: &mut Ui) {
    ui.add_space(SPACE_S);
    ui.line();
    ui.add_space(4.0);
    ui.horizontal_wrapped(|ui| {
        ui.style_mut().interaction.selectable_labels = false;
        ui.spacing_mut().item_spacing.x = SPACE_M;
        for hint in ["↑ ↓ move", "Enter choose", "Esc close", "> commands", "@ applications", "# tags"] {
            ui.tiny(hint);
        }
    });
}
