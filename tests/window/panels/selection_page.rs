//! The page of several selected assets: what they have in common, and what can be done with all of them.

use egui::{Key, Modifiers, Role};
use lunette_client::operation::table::AssetAssociateTag;
use lunette_inspector::State;
use lunette_inspector::action::AssetsAction;
use lunette_inspector::runs::BulkOperation;

use crate::dialogs::plan::{stand, writes};
use crate::panels::graph::tag;
use crate::stage::Stage;

/// Four assets in two languages: two of three selected ones have the tag "blue", and all three have "all".
fn selected() -> Stage {
    let mut stage = Stage::embedded();
    let (blue, all) = (tag(&stage, "blue"), tag(&stage, "all"));
    for (name, tags) in [("a.rs", vec![&blue, &all]), ("b.rs", vec![&blue, &all]), ("c.txt", vec![&all])] {
        let asset = stage.asset(name, "text");
        for tag in tags {
            stage.call(AssetAssociateTag { asset: asset.clone(), tag: tag.clone() }).expect("linked");
        }
    }
    stage.asset("other.txt", "text");
    stage.ctrl(Key::Num3);
    let tagged = |state: &State| state.assets.list.iter().map(|row| row.tags().len()).sum::<usize>();
    stage.until("all are listed", |state| state.assets.list.order.len() == 4 && tagged(state) == 5);
    stand(&mut stage);
    for row in ["a.rs", "b.rs", "c.txt"] {
        stage.find(Role::Row, row).click_modifiers(Modifiers::COMMAND);
        stage.settle();
    }
    stage.until("they are summed up", |state| {
        state.assets.summing.summary.as_ref().is_some_and(|summary| summary.count == 3)
    });
    stand(&mut stage);
    stage
}

#[test]
fn the_page_of_a_selection_says_what_its_assets_have_in_common() {
    let stage = selected();
    for said in ["3 selected", "12 B", "blue 2 of 3", "Rust 2", "Plain text 1"] {
        assert!(stage.says(said), "{said}");
    }
    assert!(stage.draws(Role::Button, "all") && !stage.says("all 3 of 3"));
    assert!(stage.draws(Role::Button, "Remove tag all") && stage.draws(Role::Button, "Add tag blue to all"));
    assert!(!stage.draws(Role::Button, "Add tag all to all"));
}

#[test]
fn what_adds_a_tag_to_the_others_is_on_one_line_with_its_chip() {
    let stage = selected();
    let middle = |name: &str| stage.find(Role::Button, name).rect().center().y;
    let (chip, add) = (middle("blue 2 of 3"), middle("Add tag blue to all"));
    assert!((chip - add).abs() <= 1.0, "{chip} and {add}");
}

#[test]
fn a_tag_that_some_have_is_added_to_the_others_after_the_plan_was_seen() {
    let mut stage = selected();
    stage.press("Add tag blue to all");
    stage.until("the plan is there", |state| {
        state.bulk.draft.as_ref().is_some_and(|draft| draft.sample.value().is_some())
    });
    let draft = stage.state().bulk.draft.as_ref().expect("a plan");
    assert!(matches!(draft.operation(), Some(BulkOperation::Link(item)) if item.text == "blue"));
    assert_eq!((draft.assets.len(), writes(&stage)), (3, 0));
}

#[test]
fn a_common_tag_is_removed_from_all_after_the_plan_was_seen() {
    let mut stage = selected();
    stage.press("Remove tag all");
    stage.until("the plan is there", |state| {
        state.bulk.draft.as_ref().is_some_and(|draft| draft.sample.value().is_some())
    });
    let draft = stage.state().bulk.draft.as_ref().expect("a plan");
    assert!(matches!(draft.operation(), Some(BulkOperation::Unlink(item)) if item.text == "all"));
}

#[test]
fn an_asset_that_is_opened_is_shown_while_others_are_selected() {
    let mut stage = selected();
    let other = stage.state().assets.list.iter().find(|row| row.name() == "other.txt").expect("a row").id();
    stage.perform(AssetsAction::Open(other.clone()));
    stage.until("it is open", move |state| {
        state.page().is_some_and(|(id, page)| *id == other && page.record.value().is_some())
    });
    stand(&mut stage);
    assert!(stage.draws(Role::Tab, "Preview") && stage.state().assets.selected.count == 3);
    stage.find(Role::Row, "other.txt").click_modifiers(Modifiers::COMMAND);
    stage.until("four are summed up", |state| {
        state.assets.summing.summary.as_ref().is_some_and(|summary| summary.count == 4)
    });
    stand(&mut stage);
    assert!(!stage.draws(Role::Tab, "Preview"));
    stage.press("Clear the selection");
    stage.until("one is selected", |state| state.assets.selected.count <= 1);
    assert_eq!(stage.state().assets.summing.summary, None);
}

#[test]
fn the_summary_follows_its_assets() {
    let mut stage = selected();
    let asset = stage.state().assets.list.iter().find(|row| row.name() == "c.txt").expect("a row").id();
    let green = tag(&stage, "green");
    stage.call(AssetAssociateTag { asset, tag: green }).expect("linked");
    stage.until_said("green 1 of 3");
}
