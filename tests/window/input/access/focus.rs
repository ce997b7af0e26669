//! Keyboard focus: the Tab order, that every control can be reached, the focus ring, and focus traps of dialogs.

use super::*;
use egui::{Key, Modifiers, Rect};
use lunette_inspector::WritePolicy;
use lunette_inspector::action::{SessionAction, SettingsAction, TrashAction};

/// Returns what has the focus: its role, name and rectangle. For a list it is the list, whatever row is focused.
fn focused(stage: &Stage) -> Option<(String, Rect)> {
    let has = stage.harness.ctx.memory(|memory| memory.focused())?.accesskit_id();
    let nodes = stage.harness.query_all(By::new());
    let mut nodes = nodes.filter(|node| node.accesskit_node().locate().0 == has);
    nodes.next().map(|node| {
        let data = node.accesskit_node();
        (format!("{:?} “{}”", data.role(), data.label().unwrap_or_default()), node.rect())
    })
}

fn tab(stage: &mut Stage, modifiers: Modifiers) -> Option<(String, Rect)> {
    stage.harness.key_press_modifiers(modifiers, Key::Tab);
    stage.harness.run_steps(2);
    focused(stage)
}

/// Returns everything that Tab visits until it wraps around, in order.
fn around(stage: &mut Stage) -> Vec<(String, Rect)> {
    let mut gone: Vec<(String, Rect)> = Vec::new();
    for _ in 0..400 {
        let here = tab(stage, Modifiers::NONE).expect("something has the keyboard");
        if gone.first().is_some_and(|first| *first == here) {
            return gone;
        }
        gone.push(here);
    }
    panic!("Tab does not come around: {gone:#?}");
}

/// Returns the controls that can have the focus and are enabled.
fn focusable(stage: &Stage) -> Vec<String> {
    let nodes = stage.harness.query_all(By::new());
    let usable = nodes.filter(|node| {
        let node = node.accesskit_node();
        node.data().supports_action(Ask::Focus) && !node.is_disabled()
    });
    let message = |node: egui_kittest::Node<'_>| {
        let data = node.accesskit_node();
        format!("{:?} “{}”", data.role(), data.label().unwrap_or_default())
    };
    usable.map(message).collect()
}

#[test]
fn tab_reaches_every_control_of_every_panel_in_reading_order() {
    let mut stage = screens::looking();
    for panel in Panel::ALL {
        screens::show(&mut stage, panel);
        let gone = around(&mut stage);
        let names: Vec<&String> = gone.iter().map(|(name, _)| name).collect();
        let missed: Vec<String> = focusable(&stage).into_iter().filter(|name| !names.contains(&name)).collect();
        assert!(missed.is_empty(), "{panel:?}: Tab misses {missed:?}, and goes {names:#?}");
        // Down, or to the right on one line, except between regions of the window.
        let back = |pair: &&[(String, Rect)]| {
            let (one, next) = (pair[0].1, pair[1].1);
            let line = one.y_range().contains(next.center().y) || next.y_range().contains(one.center().y);
            if line { next.left() < one.left() } else { next.top() < one.top() }
        };
        let breaks: Vec<_> =
            gone.windows(2).filter(back).map(|pair| format!("{} → {}", pair[0].0, pair[1].0)).collect();
        assert!(breaks.len() <= 4, "{panel:?}: {breaks:#?}");
    }
}

#[test]
fn shift_tab_reverses_the_tab_order() {
    let mut stage = screens::looking();
    let gone = around(&mut stage);
    let mut back: Vec<String> =
        (0..gone.len()).filter_map(|_| tab(&mut stage, Modifiers::SHIFT)).map(|(name, _)| name).collect();
    back.reverse();
    assert_eq!(back, gone.into_iter().map(|(name, _)| name).collect::<Vec<_>>());
}

/// Returns the outlines in the accent colour: focus rings, and the borders of focused text fields.
fn rings(stage: &Stage) -> Vec<Rect> {
    let accent = lunette::ui::theme::Tokens::of_context(&stage.harness.ctx).accent;
    let outline = |shape: &egui::epaint::ClippedShape| match &shape.shape {
        // A primary button is filled with the accent.
        egui::Shape::Rect(rect) if rect.stroke.color == accent && rect.fill != accent => Some(rect.rect),
        _ => None,
    };
    let rings = stage.harness.output().shapes.iter().filter_map(outline);
    rings.filter(|rect| rect.width().max(rect.height()) > 8.0).collect()
}

/// Returns whether exactly one ring is drawn, around or inside this rectangle.
fn ringed(stage: &Stage, rect: Rect) -> bool {
    matches!(rings(stage)[..], [ring] if rect.expand(6.0).contains_rect(ring))
}

#[test]
fn the_focus_ring_is_visible_everywhere() {
    let mut stage = screens::looking();
    for panel in Panel::ALL {
        screens::show(&mut stage, panel);
        for (name, _) in around(&mut stage) {
            let (here, rect) = tab(&mut stage, Modifiers::NONE).expect("something has the keyboard");
            let rings = rings(&stage);
            assert!(
                ringed(&stage, rect),
                "{panel:?}: {here} (after {name}) at {rect:?} does not show one ring: {rings:?}"
            );
        }
    }
}

#[test]
fn the_focus_ring_of_a_list_is_never_larger_than_a_row() {
    let mut stage = screens::full();
    for panel in [Panel::Applications, Panel::External, Panel::Assets, Panel::Operations, Panel::Log] {
        screens::show(&mut stage, panel);
        // Any key shows the focus ring from then on.
        stage.key(Key::F12);
        stage.harness.run_steps(2);
        let (list, _) = focused(&stage).expect("something has the focus");
        let rings = rings(&stage);
        assert!(list.starts_with("Table") || list.starts_with("Tree"), "{panel:?}: {list}");
        assert!(matches!(rings[..], [ring] if ring.height() < 40.0), "{panel:?}: {list} shows {rings:?}");
    }
}

#[test]
fn a_click_draws_no_focus_ring_and_the_next_key_does() {
    let mut stage = screens::full();
    stage.key(Key::F12);
    stage.harness.run_steps(2);
    let row = stage.harness.query_all_by_role(Role::Row).next().expect("a row").rect();
    let button = |pressed| egui::Event::PointerButton {
        pos: row.center(),
        button: egui::PointerButton::Primary,
        pressed,
        modifiers: Modifiers::NONE,
    };
    for event in [egui::Event::PointerMoved(row.center()), button(true), button(false)] {
        stage.harness.event(event);
        stage.harness.run_steps(2);
    }
    assert_eq!(focused(&stage).map(|(name, _)| name).as_deref(), Some("Table “Assets”"));
    assert_eq!(rings(&stage), []);
    stage.key(Key::ArrowDown);
    stage.harness.run_steps(3);
    assert_eq!(rings(&stage).len(), 1);
}

/// Opens a dialog, and checks that Tab stays in it and Escape restores the focus.
#[track_caller]
fn keeps(stage: &mut Stage, what: &str, open: impl FnOnce(&mut Stage)) {
    let before = focused(stage).expect("something has the keyboard");
    open(stage);
    stage.harness.run_steps(6);
    assert!(focused(stage).is_some(), "{what}: nothing has the keyboard");
    for _ in 0..40 {
        let here = tab(stage, Modifiers::NONE).map(|(name, _)| name);
        let nodes = stage.harness.query_all(By::new());
        let has = stage.harness.ctx.memory(|memory| memory.focused()).map(|id| id.accesskit_id());
        let mut within = nodes.filter(|node| Some(node.accesskit_node().locate().0) == has).flat_map(|node| {
            std::iter::successors(node.accesskit_node().parent(), |node| node.parent()).collect::<Vec<_>>()
        });
        let inside = within.any(|node| matches!(node.role(), Role::Dialog | Role::Menu));
        assert!(inside, "{what}: the keyboard left for {here:?}");
    }
    stage.key(Key::Escape);
    stage.harness.run_steps(4);
    let after = focused(stage);
    assert_eq!(after.map(|(name, _)| name), Some(before.0), "{what} gives the keyboard back");
}

/// Focuses a button.
fn stand_on(stage: &mut Stage, button: &str) {
    stage.find(Role::Button, button).focus();
    stage.harness.run_steps(2);
}

#[test]
fn dialogs_and_menus_trap_the_focus_and_restore_it() {
    let mut stage = screens::looking();
    stage.perform(SettingsAction::PlanDetails(true));
    stage.perform(SessionAction::SetWritePolicy(WritePolicy::Confirm));
    stage.settle();
    for (button, item) in [
        ("Preferences", None),
        ("Edit", None),
        ("Reclassify", None),
        ("Score 0 +", None),
        ("Export", None),
        ("Import", Some("From a path…")),
        ("Import", Some("New from text…")),
        ("More", Some("Delete…")),
    ] {
        stand_on(&mut stage, button);
        keeps(&mut stage, button, |stage| {
            stage.key(Key::Enter);
            stage.harness.run_steps(3);
            if let Some(item) = item {
                stage.press(item);
                if item == "Delete…" {
                    stage.until_said("/delete");
                }
            }
        });
    }
    stand_on(&mut stage, "Import");
    keeps(&mut stage, "the palette", |stage| stage.ctrl(Key::K));
    stand_on(&mut stage, "Export");
    keeps(&mut stage, "the connection", |stage| stage.harness.get_by_label_contains("Connection: ").click_accesskit());
    for menu in ["Import", "More for the list", "More"] {
        stand_on(&mut stage, menu);
        keeps(&mut stage, menu, |stage| stage.key(Key::Enter));
    }
}

/// Opens something in the window.
type Opens<'a> = &'a dyn Fn(&mut Stage);

#[test]
fn a_plan_opens_with_the_focus_on_cancel_and_restores_it_wherever_it_is_opened_from() {
    let mut stage = screens::looking();
    stage.perform(SettingsAction::PlanDetails(true));
    stage.perform(SessionAction::SetWritePolicy(WritePolicy::Confirm));
    stage.settle();
    let menu = |stage: &mut Stage| {
        stage.find(Role::Table, "Assets").focus();
        stage.harness.run_steps(2);
        stage.key(Key::Menu);
        stage.find(Role::MenuItem, "Delete…").click();
    };
    let page = |stage: &mut Stage| {
        stand_on(stage, "More");
        stage.key(Key::Enter);
        stage.harness.run_steps(3);
        stage.press("Delete…");
    };
    let key = |stage: &mut Stage| {
        stage.find(Role::Table, "Assets").focus();
        stage.harness.run_steps(2);
        stage.ctrl(Key::Delete);
    };
    let opened: [(&str, Opens<'_>, &str); 3] = [
        ("by the menu of the row", &menu, "Table “Assets”"),
        ("by the menu of the page", &page, "Button “More”"),
        ("by its key", &key, "Table “Assets”"),
    ];
    for (how, open, before) in opened {
        open(&mut stage);
        stage.until_said("/delete");
        stage.harness.run_steps(6);
        let here = |stage: &Stage| focused(stage).map(|(name, _)| name);
        assert_eq!(here(&stage).as_deref(), Some("Button “Cancel”"), "{how}");
        // Enter changes nothing: it cancels.
        stage.key(Key::Enter);
        stage.until("it is closed", |state| state.write.planned.is_none());
        stage.harness.run_steps(4);
        assert_eq!(here(&stage).as_deref(), Some(before), "{how}");
    }
    assert!(stage.state().history.entries.is_empty());
}

#[test]
fn a_plan_opened_from_the_trash_focuses_cancel_and_restores_the_focus_to_the_trash() {
    let mut stage = screens::looking();
    let id = stage.state().assets.pages.open.clone().expect("an open asset");
    stage.call(lunette_client::operation::table::AssetsDeleteAsset { asset: id }).expect("deleted");
    stage.perform(TrashAction::Show(true));
    stage.until("it is read", |state| state.trash.listing.count() == 1);
    stage.harness.run_steps(4);
    stage.harness.query_all_by_role(Role::Row).last().expect("its row").click();
    stage.settle();
    stand_on(&mut stage, "Delete permanently…");
    stage.key(Key::Enter);
    stage.until_said("This cannot be undone: the asset and its content are deleted permanently");
    stage.harness.run_steps(6);
    assert_eq!(focused(&stage).map(|(name, _)| name).as_deref(), Some("Button “Cancel”"));
    stage.key(Key::Escape);
    stage.until("it is closed", |state| state.write.planned.is_none());
    stage.harness.run_steps(4);
    assert!(stage.state().trash.open, "Escape closes the plan alone");
    assert_eq!(focused(&stage).map(|(name, _)| name).as_deref(), Some("Button “Delete permanently…”"));
}

#[test]
fn enter_focuses_the_page_and_escape_returns_to_the_row() {
    let mut stage = screens::full();
    stage.find(Role::Table, "Assets").focus();
    stage.key(Key::Home);
    stage.key(Key::Enter);
    stage.until("it is read", |state| state.page().is_some_and(|(_, page)| page.record.value().is_some()));
    stage.harness.run_steps(4);
    let (inside, rect) = focused(&stage).expect("something has the keyboard");
    let list = stage.find(Role::Table, "Assets").rect();
    assert!(rect.left() > list.right(), "{inside} is not in the page");
    stage.key(Key::Escape);
    stage.harness.run_steps(2);
    assert_eq!(focused(&stage).map(|(name, _)| name).as_deref(), Some("Table “Assets”"));
    stage.key(Key::ArrowRight);
    stage.harness.run_steps(3);
    assert_ne!(focused(&stage).map(|(name, _)| name).as_deref(), Some("Table “Assets”"));
}

#[test]
fn a_panel_opened_by_its_key_focuses_its_list() {
    let mut stage = screens::looking();
    for (key, list) in [
        (Key::Num1, "Table “Applications”"),
        (Key::Num6, "Table “Calls”"),
        (Key::Num5, "Tree “List of operations”"),
        (Key::Num3, "Table “Assets”"),
    ] {
        stage.ctrl(key);
        stage.harness.run_steps(4);
        assert_eq!(focused(&stage).map(|(name, _)| name).as_deref(), Some(list));
    }
}

#[test]
fn the_keyboard_moves_through_the_operations_and_only_visible_ones_are_drawn() {
    let mut stage = Stage::embedded();
    stage.ctrl(Key::Num5);
    stage.harness.run_steps(3);
    let drawn = stage.harness.query_all_by_role(Role::TreeItem).count();
    assert!(drawn < 40, "{drawn} lines are drawn");
    stage.harness.event(egui::Event::Text("assetForm".to_owned()));
    stage.harness.run_steps(3);
    stage.until_said("/formats");
    stage.key(Key::Enter);
    stage.harness.run_steps(3);
    assert_ne!(focused(&stage).map(|(name, _)| name).as_deref(), Some("Tree “List of operations”"));
    stage.key(Key::Escape);
    stage.key(Key::End);
    stage.key(Key::ArrowRight);
    stage.harness.run_steps(2);
    stage.key(Key::End);
    stage.harness.run_steps(2);
    let items: Vec<_> = stage.harness.query_all_by_role(Role::TreeItem).collect();
    assert!(items.iter().all(|item| item.accesskit_node().data().level().is_some()));
}
