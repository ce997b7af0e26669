//! The options for mapping folders, fragments and triggers.

use egui::{ComboBox, Ui};

use crate::ui::disabled_reason::enabled_unless;
use crate::ui::theme::{self, SPACE_M, UiExt as _};
use crate::ui::widgets::grouped;
use lunette_inspector::Action;
use lunette_inspector::action::PreviewAction;
use lunette_inspector::import::engine::TakenIds;
use lunette_inspector::import::mapping::{Folders, Fragments, Mapping, Triggers};
use lunette_inspector::import::preview::Preview;
use lunette_inspector::import::preview::content::Content;
use lunette_inspector::import::preview::read::ReadAs;

/// The choices for folders, the default first.
const FOLDERS: [(Folders, &str); 2] = [(Folders::Tag, "a tag with the path (default)"), (Folders::Nothing, "nothing")];
/// The choices for several fragments, the default first.
const FRAGMENTS: [(Fragments, &str); 2] =
    [(Fragments::Assets, "an asset each (default)"), (Fragments::OneText, "one text")];
/// The choices for triggers, the default first.
const TRIGGERS: [(Triggers, &str); 2] =
    [(Triggers::Description, "a line of the description (default)"), (Triggers::Nothing, "nothing")];

/// Width of one choice with its label, in points.
const CHOICE_WIDTH: f32 = 345.0;

/// Draws the options, side by side if there is room.
pub(super) fn ui(ui: &mut Ui, preview: &Preview, content: &Content, actions: &mut Vec<Action>) {
    if !content.has_mapping() {
        return;
    }
    let mut mapping = preview.mapping;
    let reason = sending_reason(preview);
    let Mapping { folders, fragments, triggers } = &mut mapping;
    let mut choices: [&mut dyn FnMut(&mut Ui); 3] = [
        &mut |ui| choice_ui(ui, "Folders become", folders, &FOLDERS, reason),
        &mut |ui| choice_ui(ui, "Several parts become", fragments, &FRAGMENTS, reason),
        &mut |ui| choice_ui(ui, "Triggers become", triggers, &TRIGGERS, reason),
    ];
    let across = ((ui.available_width() / CHOICE_WIDTH) as usize).clamp(1, choices.len());
    for line in choices.chunks_mut(across) {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = SPACE_M;
            line.iter_mut().for_each(|choice| choice(ui));
        });
    }
    if mapping != preview.mapping {
        actions.push(PreviewAction::Map(mapping).into());
    }
}

/// The choices for items whose ids are taken.
const TAKEN_IDS: [(TakenIds, &str, &str); 3] = [
    (TakenIds::Keep, "Keep the existing assets", "They stay as they are, and the items are taken for them"),
    (TakenIds::Skip, "Leave the items out", "Nothing is imported of them"),
    (
        TakenIds::NewId,
        "Give the items other ids",
        "They become more assets; links to the old ids lead to the existing ones",
    ),
];

/// Asks what happens to items whose ids are taken; none is chosen until the user does.
pub(super) fn taken_ids_ui(ui: &mut Ui, preview: &Preview, content: &Content, actions: &mut Vec<Action>) {
    if content.taken == 0 {
        return;
    }
    let question = match content.taken {
        1 => "The id of 1 item is taken by an asset here:".to_owned(),
        count => format!("The ids of {} items are taken by assets here:", grouped(count as u64)),
    };
    match preview.asks_about_ids() {
        true => drop(ui.warning_text(&question)),
        false => drop(ui.label(question)),
    }
    ui.horizontal_wrapped(|ui| {
        for (way, words, tip) in TAKEN_IDS {
            let radio = |ui: &mut Ui| theme::radio(ui, preview.taken_ids == Some(way), words);
            if enabled_unless(ui, sending_reason(preview), radio).on_hover_text(tip).clicked() {
                actions.push(PreviewAction::TakenIds(way).into());
            }
        }
    });
}

/// Draws the option to treat libraries and archives as plain files.
pub(super) fn as_files_ui(ui: &mut Ui, preview: &Preview, content: &Content, actions: &mut Vec<Action>) {
    let mut as_files = preview.read_as == ReadAs::Files;
    if content.plans.is_empty() && !as_files {
        return;
    }
    if enabled_unless(ui, sending_reason(preview), |ui| theme::checkbox(ui, &mut as_files, "As plain files")).changed()
    {
        let read_as = if as_files { ReadAs::Files } else { ReadAs::Recognised };
        actions.push(PreviewAction::Read(read_as).into());
    }
}

fn sending_reason(preview: &Preview) -> Option<&'static str> {
    preview.sending.is_some().then_some("The import is in progress")
}

fn choice_ui<T: Copy + PartialEq>(
    ui: &mut Ui,
    label: &str,
    chosen: &mut T,
    choices: &[(T, &str)],
    reason: Option<&str>,
) {
    ui.horizontal(|ui| {
        let label = ui.label(label);
        let words = choices.iter().find(|(choice, _)| choice == chosen).map_or("", |(_, words)| *words);
        enabled_unless(ui, reason, |ui| {
            let combo = ComboBox::from_id_salt(label.id).selected_text(words).width(120.0);
            let response = combo.show_ui(ui, |ui| {
                for (choice, words) in choices {
                    ui.selectable_value(chosen, *choice, *words);
                }
            });
            response.response.labelled_by(label.id)
        });
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_choice_is_the_default_and_says_so() {
        let first = Mapping { folders: FOLDERS[0].0, fragments: FRAGMENTS[0].0, triggers: TRIGGERS[0].0 };
        assert_eq!(first, Mapping::default());
        for words in [FOLDERS[0].1, FRAGMENTS[0].1, TRIGGERS[0].1] {
            assert!(words.ends_with("(default)"), "{words}");
        }
    }
}
