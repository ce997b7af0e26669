//! The help sheet: every command with its current keys, in columns by group, and the keys of lists.

use egui::{Context, Event, ScrollArea, Ui};

use lunette_inspector::State;

use crate::ui::command::{Command, Group, Keys, keys_of};
use crate::ui::platform::with_key_names;
use crate::ui::theme::{SPACE_L, SPACE_S, UiExt as _};
use crate::ui::widgets::text_field::TextField;
use crate::ui::widgets::{CONFIRM_KEY, buttons, dialog};

/// Minimum width of a column, in points.
const COLUMN: f32 = 290.0;
/// The height of a line, in points.
const LINE: f32 = 24.0;
/// What the rest of the sheet takes of the window's height, in points.
const RESERVED_HEIGHT: f32 = 240.0;

/// The keys of every list; they cannot be changed.
const LISTS: [(&str, &str); 11] = [
    ("Next row, previous row", "↓ ↑"),
    ("Next page, previous page", "Page Down, Page Up"),
    ("First row, last row", "Home, End"),
    ("Open the row", "Enter"),
    ("Select the row", "Space"),
    ("Extend the selection", "Shift+arrow"),
    ("Move without selecting", "Ctrl+arrow"),
    ("Select all visible rows", "Ctrl+A"),
    ("Back to the list", "Esc"),
    ("Confirm the plan in a dialog", CONFIRM_KEY),
    ("Next control, previous control", "Tab, Shift+Tab"),
];

/// The sheet while it is open.
#[derive(Default)]
pub(in crate::ui) struct HelpSheet {
    open: bool,
    words: String,
}

/// A section of the sheet: its title, and lines of what is done and by which keys.
type Part = (&'static str, Vec<(String, String)>);

impl HelpSheet {
    /// Opens the sheet.
    pub(in crate::ui) fn open(&mut self) {
        *self = Self { open: true, words: String::new() };
    }

    /// Draws the sheet if it is open.
    pub(in crate::ui) fn ui(&mut self, ctx: &Context, state: &State) {
        if !self.open {
            return;
        }
        // The key that opened it closes it and must not be typed into the field.
        let own = keys_of(Command::Help, &state.preferences.settings.look);
        let again = ctx.input_mut(|input| {
            let mut again = false;
            input.events.retain(|event| {
                let pressed = Keys::of_event(event).is_some_and(|(keys, _)| own.contains(&keys));
                again |= pressed;
                !(pressed || again && matches!(event, Event::Text(_)))
            });
            again
        });
        let width = (ctx.content_rect().width() - 96.0).min(3.0 * COLUMN + 2.0 * SPACE_L + 24.0);
        let (close, outside) = dialog(ctx, "help", Command::Help.title(), width, |ui| self.contents_ui(ui, state));
        self.open = !(again || close || outside);
    }

    /// Draws the field and the columns; returns whether the sheet is to be closed.
    fn contents_ui(&mut self, ui: &mut Ui, state: &State) -> bool {
        TextField::search("Find a command or its keys").limit(100).show(ui, &mut self.words);
        let parts = parts(state, &self.words);
        let height = (ui.ctx().content_rect().height() - RESERVED_HEIGHT).max(60.0);
        let scroll = ScrollArea::vertical().id_salt("sheet").max_height(height).min_scrolled_height(height);
        scroll.auto_shrink([false, true]).show(ui, |ui| {
            if parts.is_empty() {
                ui.muted("No command matches.");
            }
            columns_ui(ui, &parts);
        });
        buttons(ui, |ui| {
            let close = ui.button("Close").clicked();
            let change = Command::Preferences.keys_shown(state);
            ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                ui.caption(&format!("Change keys in the preferences ({change})."));
            });
            close
        })
    }
}

/// Returns the sections, reduced to lines that contain every word.
fn parts(state: &State, words: &str) -> Vec<Part> {
    let words = words.to_lowercase();
    let wanted = |part: &str, (title, keys): &(String, String)| {
        let text = format!("{part} {title} {keys}").to_lowercase();
        words.split_whitespace().all(|word| text.contains(word))
    };
    let line = |command: Command| {
        let keys: Vec<String> =
            keys_of(command, &state.preferences.settings.look).into_iter().map(|keys| keys.display()).collect();
        (command.title().trim_end_matches('…').to_owned(), keys.join(", "))
    };
    let lists = LISTS.into_iter().map(|(title, keys)| (title.to_owned(), with_key_names(keys).into_owned())).collect();
    let groups = Group::ALL.into_iter().map(|group| (group.name(), group.commands().map(line).collect()));
    let parts = groups.chain([("In lists", lists)]);
    let kept = |(part, lines): (&'static str, Vec<(String, String)>)| {
        let lines: Vec<_> = lines.into_iter().filter(|line| wanted(part, line)).collect();
        (!lines.is_empty()).then_some((part, lines))
    };
    parts.filter_map(kept).collect()
}

/// Draws the sections in as many columns as there is room for, of about equal length.
fn columns_ui(ui: &mut Ui, parts: &[Part]) {
    let count = ((ui.available_width() / COLUMN) as usize).clamp(1, 3);
    let heights: Vec<usize> = parts.iter().map(|(_, lines)| lines.len() + 2).collect();
    let fair = heights.iter().sum::<usize>().div_ceil(count);
    ui.spacing_mut().item_spacing.x = SPACE_L;
    ui.columns(count, |columns| {
        let (mut column, mut filled) = (0, 0);
        for ((part, lines), height) in parts.iter().zip(heights) {
            if filled > 0 && filled + height / 2 > fair && column + 1 < count {
                (column, filled) = (column + 1, 0);
            }
            filled += height;
            part_ui(&mut columns[column], part, lines);
        }
    });
}

fn part_ui(ui: &mut Ui, part: &str, lines: &[(String, String)]) {
    ui.spacing_mut().item_spacing.y = 0.0;
    ui.section_title(part);
    ui.add_space(2.0);
    for (title, keys) in lines {
        let size = egui::vec2(ui.available_width(), LINE);
        let layout = egui::Layout::right_to_left(egui::Align::Center);
        ui.allocate_ui_with_layout(size, layout, |ui| {
            if !keys.is_empty() {
                ui.spacing_mut().item_spacing.x = SPACE_S;
                ui.muted(keys);
            }
            ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                ui.add(egui::Label::new(title).truncate());
            });
        });
    }
    ui.add_space(SPACE_L);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sheet_lists_every_command_with_its_current_keys() {
        let mut state = State::default();
        state.preferences.settings.look.shortcuts.insert("export".to_owned(), vec!["Ctrl+Shift+X".to_owned()]);
        let parts = parts(&state, "");
        let lines: Vec<&(String, String)> = parts.iter().flat_map(|(_, lines)| lines).collect();
        assert_eq!(lines.len(), Command::ALL.len() + LISTS.len());
        assert!(lines.iter().any(|(title, keys)| title == "Export the asset" && keys.contains("Shift+X")));
    }

    #[test]
    fn the_sheet_is_searched_by_words_and_by_keys() {
        let state = State::default();
        let found = |words: &str| parts(&state, words).into_iter().flat_map(|(_, lines)| lines).count();
        assert_eq!(found("go to log"), 1);
        assert_eq!(found("ctrl+1"), 1);
        assert_eq!(found("no such words"), 0);
    }
}
