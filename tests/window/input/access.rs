//! Accessibility: names, roles, values and states of every control, and the keyboard everywhere.
//!
//! Every panel, page, dialog, form and menu is opened in the real window, and its accessibility tree is checked.

use std::collections::BTreeMap;

use egui::accesskit::{Action as Ask, Role};
use egui_kittest::kittest::{By, NodeT as _, Queryable as _};
use lunette_client::model::export::ExportType;
use lunette_inspector::action::{NavigationAction, SettingsAction};
use lunette_inspector::panel::Panel;
use lunette_inspector::settings::{Look, Motion};
use lunette_inspector::{Action, WritePolicy};

use crate::stage::Stage;

mod focus;
mod layout;
mod screens;

use screens::each;

/// Returns what is wrong with the current accessibility tree.
fn faults(stage: &Stage) -> Vec<String> {
    let mut faults = Vec::new();
    let mut siblings: BTreeMap<(String, String), usize> = BTreeMap::new();
    for node in stage.harness.query_all(By::new()) {
        let node = node.accesskit_node();
        let (role, data) = (node.role(), node.data());
        let name = node.label().unwrap_or_default();
        let mut fault = |what: &str| faults.push(format!("{role:?} “{name}”: {what}"));
        let focusable = data.supports_action(Ask::Focus);
        if focusable && name.trim().is_empty() {
            fault("can have the keyboard and has no name");
        }
        if focusable && matches!(role, Role::Unknown | Role::GenericContainer) {
            fault("can have the keyboard and has no role");
        }
        if !name.trim().is_empty()
            && name.chars().all(|letter| is_sign(letter) || letter.is_whitespace())
            && role != Role::Label
            && role != Role::TextRun
        {
            fault("is named by a sign alone");
        }
        if role == Role::Label && !node.is_hidden() && node.value().unwrap_or_default().chars().any(is_sign) {
            fault(&format!("reads an icon aloud: {:?}", node.value()));
        }
        let size = node.bounding_box().map_or((0.0, 0.0), |bounds| (bounds.width(), bounds.height()));
        if focusable
            && (size.0 <= 0.0 || size.1 <= 0.0)
            && data.bounds().is_none_or(|bounds| bounds.width() <= 0.0 || bounds.height() <= 0.0)
        {
            fault("can have the keyboard and has no size");
        }
        if let Some(above) = belongs(role) {
            let mut up = node.parent();
            while let Some(parent) = up.filter(|parent| !above.contains(&parent.role())) {
                up = parent.parent();
            }
            if up.is_none() {
                fault(&format!("stands in no {:?}", above[0]));
            }
        }
        if matches!(
            role,
            Role::Dialog | Role::AlertDialog | Role::Table | Role::Tree | Role::ListBox | Role::TabList | Role::Menu
        ) && name.trim().is_empty()
        {
            fault("has no name");
        }
        // A picker belongs to its button and closes when the focus moves; the list of the palette stands alone.
        let mut above = std::iter::successors(node.parent(), |node| node.parent());
        let loose = name == "Palette" || above.any(|node| node.role() == Role::Button);
        if role == Role::Dialog && !loose && !node.is_modal() {
            fault("is not said to be modal");
        }
        if node.is_disabled() && is_control(role) && node.description().unwrap_or_default().trim().is_empty() {
            fault("is disabled and does not say why");
        }
        if role == Role::ProgressIndicator && name.trim().is_empty() {
            fault("has no name");
        }
        if focusable && let Some(parent) = node.parent() {
            *siblings.entry((format!("{:?}", parent.id()), format!("{role:?} “{name}”"))).or_default() += 1;
        }
    }
    let twice = siblings.into_iter().filter(|(_, count)| *count > 1);
    faults.extend(twice.map(|((_, what), count)| format!("{what}: {count} of this name stand side by side")));
    faults
}

/// Returns whether a character is from the icon font.
fn is_sign(letter: char) -> bool {
    matches!(letter, '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..='\u{10FFFD}')
}

/// Returns the roles that may contain this role.
fn belongs(role: Role) -> Option<&'static [Role]> {
    Some(match role {
        Role::Tab => &[Role::TabList],
        Role::Row | Role::ColumnHeader => &[Role::Table],
        Role::Cell => &[Role::Row],
        Role::TreeItem => &[Role::Tree],
        Role::ListBoxOption => &[Role::ListBox],
        Role::MenuItem => &[Role::Menu],
        _ => return None,
    })
}

fn is_control(role: Role) -> bool {
    matches!(
        role,
        Role::Button
            | Role::CheckBox
            | Role::RadioButton
            | Role::TextInput
            | Role::MultilineTextInput
            | Role::ComboBox
            | Role::Slider
            | Role::SpinButton
            | Role::MenuItem
    )
}

#[test]
fn every_control_of_every_screen_has_a_role_a_name_and_a_place() {
    let mut wrong = String::new();
    each(&mut |stage, screen| {
        for fault in faults(stage) {
            wrong.push_str(&format!("{screen}: {fault}\n"));
        }
    });
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn a_menu_within_a_menu_has_the_name_of_its_entry() {
    let mut stage = screens::looking();
    for entry in ["Columns", "Group by"] {
        stage.press("More for the list");
        stage.harness.run_steps(3);
        stage.find(Role::MenuItem, entry).click_accesskit();
        stage.harness.run_steps(4);
        assert!(stage.draws(Role::Menu, entry), "{entry}");
        assert_eq!(faults(&stage), [""; 0], "{entry}");
        stage.key(egui::Key::Escape);
        stage.settle();
    }
}

#[test]
fn a_table_says_which_of_its_rows_are_drawn_and_how_it_is_sorted() {
    let mut stage = screens::full();
    stage.find(Role::ColumnHeader, "Name").click();
    stage.harness.run_steps(3);
    let header = stage.find(Role::ColumnHeader, "Name").accesskit_node().data().sort_direction();
    assert_eq!(header, Some(egui::accesskit::SortDirection::Ascending));
    let table = stage.find(Role::Table, "Assets");
    let (rows, columns) = (table.accesskit_node().data().row_count(), table.accesskit_node().data().column_count());
    assert!(rows == Some(3) && columns.is_some_and(|count| count >= 5), "{rows:?} {columns:?}");
    let rows: Vec<_> =
        table.query_all_by_role(Role::Row).filter_map(|row| row.accesskit_node().data().row_index()).collect();
    assert_eq!(rows, [0, 1, 2]);
}

#[test]
fn tabs_report_the_panel_and_the_part_that_is_shown() {
    let mut stage = screens::full();
    stage.ctrl(egui::Key::Num6);
    let chosen = |stage: &Stage, name: &str| stage.find(Role::Tab, name).accesskit_node().is_selected();
    assert_eq!((chosen(&stage, "Log"), chosen(&stage, "Assets")), (Some(true), Some(false)));
    assert!(
        stage.harness.query_by_role_and_label(Role::TabPanel, "Log").is_some(),
        "what is shown is the panel of its tab"
    );
}

#[test]
fn an_idle_window_requests_no_frames() {
    let mut stage = screens::full();
    for panel in Panel::ALL {
        stage.perform(NavigationAction::Show(panel));
        stage.until_counted();
        let still = |stage: &mut Stage| {
            stage.harness.step();
            stage.harness.output().viewport_output.values().all(|output| output.repaint_delay.as_secs() > 60)
        };
        let frames = (0..200).take_while(|_| !still(&mut stage)).count();
        assert!(frames < 200, "{panel:?} is drawn again and again");
    }
}

#[test]
fn with_reduced_motion_nothing_requests_a_repaint() {
    let mut stage = screens::looking();
    stage.perform(SettingsAction::Look(Look { motion: Motion::Reduced, ..Look::default() }));
    stage.perform(Action::Notify("A message that goes by itself".to_owned()));
    stage.until_said("A message that goes by itself");
    // The window's clock advances with each frame: all of the message's duration, including its end.
    let mut frames = 0;
    for _ in 0..60 {
        stage.harness.run_steps(1);
        let soonest = stage.harness.output().viewport_output.values().map(|output| output.repaint_delay).min();
        frames += usize::from(soonest.is_some_and(|delay| delay.as_secs_f64() < 0.1));
        assert!(frames < 6, "the message moves");
    }
}
