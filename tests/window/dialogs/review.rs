//! Plans in two depths: what needs none, where the focus is first, and what Enter does in every dialog that confirms
//! something; and toasts, which cover nothing.

use std::sync::Arc;

use egui::{Key, Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lunette_client::model::id::AssetId;
use lunette_client::operation::table::AssetSnapshot;
use lunette_inspector::action::{BulkAction, ImportAction, LinksAction, SessionAction, SettingsAction, WriteAction};
use lunette_inspector::change::{Change, Counter, Item, LinkKind};
use lunette_inspector::panel::Panel;
use lunette_inspector::runs::BulkOperation;
use lunette_inspector::{Action, WritePolicy};

use super::plan::{stand, writes};
use crate::input::selection::four;
use crate::panels::asset_page::{looking_at, settle};
use crate::stage::Stage;

fn exists(stage: &Stage, id: &AssetId) -> bool {
    stage.call(AssetSnapshot { asset: id.clone(), transferables: Some(false) }).is_ok()
}

fn no_dialog(stage: &Stage) -> bool {
    stage.harness.query_all_by_role(Role::Dialog).next().is_none()
}

fn has_focus(stage: &Stage, button: &str) -> bool {
    stage.find(Role::Button, button).accesskit_node().is_focused()
}

#[test]
fn a_deletion_to_the_trash_needs_no_dialog_and_is_undone_from_the_status_bar() {
    let (mut stage, id) = looking_at("doomed.txt", "text");
    stage.press("More");
    stage.press("Delete");
    stage.until("the page is left", |state| state.assets.pages.open.is_none());
    assert!(no_dialog(&stage) && !exists(&stage, &id));
    assert_eq!(writes(&stage), 1);
    stage.until_label("Deleted “doomed.txt”");
    assert_eq!(stage.harness.query_all_by_label_contains("Deleted “doomed.txt”").count(), 1, "it is said in one place");
    stage.press("Undo");
    stage.until("it is back", |state| state.assets.list.count() == 1);
    assert!(exists(&stage, &id));
}

#[test]
fn undo_right_after_a_deletion_takes_it_back() {
    let (mut stage, id) = looking_at("a.txt", "text");
    stage.ctrl(Key::Delete);
    stage.ctrl(Key::Z);
    stage.until("both have ended", |state| {
        state.history.entries.len() == 2 && state.work.is_empty() && !state.write.is_writing()
    });
    assert!(exists(&stage, &id));
}

#[test]
fn enter_pressed_twice_in_a_menu_deletes_one_asset() {
    let (mut stage, ids) = four();
    stage.find(Role::Table, "Assets").focus();
    stage.key(Key::Home);
    stage.settle();
    stage.key(Key::Menu);
    stage.settle();
    stage.find(Role::MenuItem, "Delete").focus();
    stage.settle();
    for _ in 0..2 {
        stage.harness.key_press(Key::Enter);
    }
    stage.harness.run_steps(4);
    stage.until("one is gone", |state| state.assets.list.count() == 3 && state.work.is_empty());
    stage.settle();
    assert_eq!(ids.iter().filter(|id| exists(&stage, id)).count(), 3);
    assert_eq!((writes(&stage), stage.state().history.entries.len()), (1, 1));
}

/// Opens something that confirms.
type Opens<'a> = &'a dyn Fn(&mut Stage, &[AssetId]);

#[test]
fn every_plan_has_the_focus_on_cancel_first_and_enter_there_sends_nothing() {
    let (mut stage, ids) = four();
    let increment = |stage: &mut Stage, ids: &[AssetId]| {
        let change = Change::Increment { asset: ids[0].clone(), counter: Counter::Reuse, from: None };
        stage.perform(WriteAction::Change(change));
        stage.until_said("This cannot be undone");
    };
    let bulk = |stage: &mut Stage, ids: &[AssetId]| {
        let assets = Arc::new(ids.iter().map(|id| (id.clone(), "a".to_owned())).collect());
        stage.perform(BulkAction::Plan(BulkOperation::Favourite(true), assets));
        stage.until("it is planned", |state| state.bulk.draft.as_ref().is_some_and(|bulk| !bulk.sample.loading()));
    };
    let confirmation = |stage: &mut Stage, _: &[AssetId]| {
        stage.perform(WriteAction::Track { name: "Sextant".to_owned(), version: "1.0".to_owned(), identifier: None });
        stage.until_drawn("it is asked", |harness| harness.query_by_role_and_label(Role::Button, "Track").is_some());
    };
    let opened: [(&str, Opens<'_>); 3] =
        [("a change", &increment), ("a run", &bulk), ("a request that is asked about", &confirmation)];
    for details in [false, true] {
        stage.perform(SettingsAction::PlanDetails(details));
        for (what, open) in opened {
            open(&mut stage, &ids);
            stand(&mut stage);
            stand(&mut stage);
            assert!(has_focus(&stage, "Cancel"), "{what}, details {details}");
            stage.key(Key::Enter);
            stage.until_drawn("it is closed", |harness| harness.query_all_by_role(Role::Dialog).next().is_none());
            assert_eq!(writes(&stage), 0, "{what}");
            assert!(stage.state().history.entries.is_empty(), "{what}");
        }
    }
}

#[test]
fn enter_on_the_choice_of_a_merge_goes_on_to_the_plan_whose_first_focus_is_cancel() {
    let (mut stage, ids) = four();
    let mut items = Vec::new();
    for (text, id) in ["one", "two"].iter().zip(&ids) {
        let tag = crate::panels::graph::tag(&stage, text);
        let item = Item::new(LinkKind::Tag, &tag.to_string(), *text, None);
        stage.perform(WriteAction::Change(Change::Link { asset: id.clone(), item: item.clone() }));
        settle(&mut stage, id);
        items.push(item);
    }
    let before = writes(&stage);
    stage.perform(LinksAction::Merge(items));
    stage.until_drawn("it asks which to keep", |harness| harness.query_by_label("Show plan").is_some());
    stand(&mut stage);
    stage.key(Key::Enter);
    stage.until("the plan is shown", |state| state.bulk.draft.as_ref().is_some_and(|bulk| !bulk.sample.loading()));
    stage.until_drawn("it is drawn", |harness| harness.query_by_label("Details of the plan").is_some());
    stand(&mut stage);
    stand(&mut stage);
    assert!(has_focus(&stage, "Cancel"));
    stage.key(Key::Enter);
    stage.until("it is closed", |state| state.bulk.draft.is_none());
    assert_eq!(writes(&stage), before);
}

#[test]
fn whether_plans_show_their_details_is_remembered() {
    let (mut stage, id) = looking_at("a.txt", "text");
    let increment = Change::Increment { asset: id, counter: Counter::Reuse, from: None };
    stage.perform(WriteAction::Change(increment));
    stage.until_drawn("the plan is shown", |harness| harness.query_by_label("Details of the plan").is_some());
    stand(&mut stage);
    assert!(!stage.says("POST http"));
    stage.press("Details of the plan");
    stage.until_said("POST http");
    stage.key(Key::Escape);
    stage.settle();
    let stage = stage.reopened();
    assert!(stage.state().preferences.settings.plan_details);
}

#[test]
fn a_toast_covers_nothing_that_can_be_pressed_at_any_size() {
    let (mut stage, _) = looking_at("a.txt", "text");
    stage.perform(SessionAction::SetWritePolicy(WritePolicy::ReadOnly));
    for size in [[800.0, 600.0], [1280.0, 800.0], [1920.0, 1080.0]] {
        for panel in Panel::ALL {
            stage.perform(lunette_inspector::action::NavigationAction::Show(panel));
            stage.harness.set_size(size.into());
            stage.perform(ImportAction::Import(vec!["/nowhere".into()]));
            stage.until_drawn("it is blocked", |harness| harness.query_by_role(Role::Alert).is_some());
            stage.harness.run_steps(3);
            let text = stage.harness.query_all_by_label_contains("Could not import").last().expect("its text").rect();
            let toast = text.union(stage.find(Role::Button, "Dismiss").rect());
            assert!(toast.width() > 100.0 && toast.bottom() <= size[1], "{toast:?}");
            for role in [Role::Button, Role::Row, Role::Tab, Role::Link, Role::TextInput, Role::CheckBox] {
                for node in stage.harness.query_all_by_role(role) {
                    let name = node.accesskit_node().label().unwrap_or_default();
                    // What is scrolled out of sight has no place.
                    let Some(place) = node.accesskit_node().bounding_box() else { continue };
                    let corner = |x: f64, y: f64| egui::pos2(x as f32, y as f32);
                    let place = egui::Rect::from_min_max(corner(place.x0, place.y0), corner(place.x1, place.y1));
                    let over = toast.shrink(1.0).intersect(place);
                    let covers = over.width() > 1.0 && over.height() > 1.0;
                    assert!(!covers || name == "Dismiss", "{role:?} {name:?} in {panel:?} at {size:?}: {over:?}");
                }
            }
        }
    }
}

#[test]
fn the_focus_stays_where_it_was_when_a_toast_comes_and_goes() {
    let (mut stage, _) = looking_at("a.txt", "text");
    stage.perform(SessionAction::SetWritePolicy(WritePolicy::ReadOnly));
    stage.settle();
    stage.find(Role::TextInput, "Filter assets").focus();
    stage.settle();
    let focused = |stage: &Stage| stage.find(Role::TextInput, "Filter assets").accesskit_node().is_focused();
    assert!(focused(&stage));
    stage.perform(ImportAction::Import(vec!["/nowhere".into()]));
    stage.until_drawn("it is blocked", |harness| harness.query_by_role(Role::Alert).is_some());
    stage.settle();
    assert!(focused(&stage));
    stage.perform(SessionAction::SetWritePolicy(WritePolicy::Allow));
    stage.until_drawn("it is allowed", |harness| harness.query_by_role(Role::Alert).is_none());
}

#[test]
fn a_confirming_connection_still_asks_before_a_deletion() {
    let (mut stage, id) = looking_at("a.txt", "text");
    stage.perform(SessionAction::SetWritePolicy(WritePolicy::Confirm));
    stage.ctrl(Key::Delete);
    stage.until_drawn("it is asked", |harness| {
        harness.query_by_role_and_label(Role::Dialog, "Delete “a.txt”?").is_some()
    });
    assert!(exists(&stage, &id) && writes(&stage) == 0);
    stage.perform(Action::Write(WriteAction::DismissPlan));
}
