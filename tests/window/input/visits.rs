//! Back and forward through the navigation history.

use egui::{Key, Modifiers, Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lunette_client::model::id::AssetId;
use lunette_client::operation::table::AssetsDeleteAsset;
use lunette_inspector::action::AssetsAction;
use lunette_inspector::panel::Panel;

use crate::stage::Stage;

/// Opens an asset and waits until it is loaded.
fn open(stage: &mut Stage, id: &AssetId) {
    stage.perform(AssetsAction::Open(id.clone()));
    let wanted = id.clone();
    stage.until("it is read", move |state| {
        state.page().is_some_and(|(id, page)| *id == wanted && page.record.value().is_some())
    });
}

fn back(stage: &mut Stage) {
    stage.harness.key_press_modifiers(Modifiers::ALT, Key::ArrowLeft);
    stage.settle();
}

fn forward(stage: &mut Stage) {
    stage.harness.key_press_modifiers(Modifiers::ALT, Key::ArrowRight);
    stage.settle();
}

#[test]
fn back_and_forward_lead_through_panels_and_assets() {
    let mut stage = Stage::embedded();
    let (one, other) = (stage.asset("one.txt", "1"), stage.asset("other.txt", "2"));
    open(&mut stage, &one);
    stage.ctrl(Key::Num6);
    open(&mut stage, &other);
    back(&mut stage);
    assert_eq!(stage.state().navigation.panel, Panel::Log);
    back(&mut stage);
    assert_eq!((stage.state().navigation.panel, stage.state().assets.pages.open.as_ref()), (Panel::Assets, Some(&one)));
    forward(&mut stage);
    forward(&mut stage);
    assert_eq!(
        (stage.state().navigation.panel, stage.state().assets.pages.open.as_ref()),
        (Panel::Assets, Some(&other))
    );
    assert!(stage.find(Role::Button, "Forward").accesskit_node().is_disabled());
    stage.press("Back");
    assert_eq!(stage.state().navigation.panel, Panel::Log);
}

#[test]
fn mouse_side_buttons_go_back_and_forward() {
    let mut stage = Stage::embedded();
    stage.ctrl(Key::Num1);
    stage.ctrl(Key::Num6);
    for (button, panel) in
        [(egui::PointerButton::Extra1, Panel::Applications), (egui::PointerButton::Extra2, Panel::Log)]
    {
        for pressed in [true, false] {
            let (pos, modifiers) = (egui::pos2(600.0, 400.0), Modifiers::NONE);
            stage.harness.input_mut().events.push(egui::Event::PointerMoved(pos));
            stage.harness.input_mut().events.push(egui::Event::PointerButton { pos, button, pressed, modifiers });
            stage.settle();
        }
        assert_eq!(stage.state().navigation.panel, panel);
    }
}

#[test]
fn history_navigation_skips_a_deleted_asset() {
    let mut stage = Stage::embedded();
    let (one, other) = (stage.asset("one.txt", "1"), stage.asset("other.txt", "2"));
    stage.ctrl(Key::Num1);
    open(&mut stage, &one);
    open(&mut stage, &other);
    stage.call(AssetsDeleteAsset { asset: one.clone() }).expect("deleted");
    stage.perform(AssetsAction::Reload(one.clone()));
    stage.until("it is known to be gone", |state| {
        state.navigation.visits.back().is_some_and(|location| location.asset.as_ref() != Some(&one))
    });
    back(&mut stage);
    assert_eq!(stage.state().navigation.panel, Panel::Applications);
}

#[test]
fn an_unfinished_rename_is_restored_on_returning() {
    let mut stage = Stage::embedded();
    let (one, other) = (stage.asset("one.txt", "1"), stage.asset("other.txt", "2"));
    open(&mut stage, &one);
    open(&mut stage, &other);
    stage.key(Key::F2);
    stage.until_drawn("the field is there", |harness| {
        harness.query_by_role_and_label(Role::TextInput, "Name").is_some()
    });
    stage.find(Role::TextInput, "Name").type_text(" begun");
    stage.settle();
    stage.press("Back");
    assert_eq!(stage.state().assets.pages.open, Some(one));
    assert!(stage.harness.query_by_role_and_label(Role::TextInput, "Name").is_none());
    stage.press("Forward");
    let value = stage.find(Role::TextInput, "Name").accesskit_node().value().unwrap_or_default();
    assert!(value.contains("begun"), "{value}");
}

#[test]
fn a_navigation_button_names_its_destination() {
    let mut stage = Stage::embedded();
    let id = stage.asset("one.txt", "1");
    open(&mut stage, &id);
    stage.ctrl(Key::Num6);
    stage.find(Role::Button, "Back").hover();
    stage.until_said("Back to one.txt (Alt+←)");
}
