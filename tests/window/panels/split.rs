//! Splitting a website and a workstream summary: some of their assets move to a new one, by one plan and one undo.

use egui::{Key, Modifiers, Role};
use egui_kittest::kittest::Queryable as _;
use lunette::ui::command::Command;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::{AssetAssociateWebsite, AssetAssociateWorkstreamSummary, AssetSnapshot};
use lunette_inspector::action::{HistoryAction, SettingsAction};
use lunette_inspector::change::{LinkKind, linked};

use crate::dialogs::bulk::until_ended;
use crate::dialogs::plan::writes;
use crate::input::commands::press_keys;
use crate::input::selection::{click, four};
use crate::stage::Stage;
use crate::support;

/// Returns the names of the items of a kind that each asset has on the service.
fn names(stage: &Stage, kind: LinkKind, ids: &[AssetId]) -> Vec<Vec<String>> {
    let read = |id: &AssetId| {
        let call = AssetSnapshot { asset: id.clone(), transferables: Some(false) };
        let asset = stage.call(call).expect("an asset");
        linked(asset.view(), kind).into_iter().map(|item| item.text).collect()
    };
    ids.iter().map(read).collect()
}

/// Links an item of a kind to the first three of four assets, and returns its name.
fn link_three(stage: &Stage, kind: LinkKind, ids: &[AssetId]) -> &'static str {
    let client = stage.client();
    match kind {
        LinkKind::Website => {
            let website = stage.runtime.block_on(support::assets::website(&client, "https://example.org/old"));
            for asset in &ids[..3] {
                let call = AssetAssociateWebsite { asset: asset.clone(), website: website.clone() };
                stage.call(call).expect("linked");
            }
            "a website"
        }
        LinkKind::Tag | LinkKind::Summary => {
            let workstream_summary = stage.summary("Morning");
            for asset in &ids[..3] {
                let workstream_summary = workstream_summary.clone();
                let call = AssetAssociateWorkstreamSummary { asset: asset.clone(), workstream_summary };
                stage.call(call).expect("linked");
            }
            "Morning"
        }
    }
}

/// Selects the first two assets and chooses to move them from the item; what they are moved to is asked next.
fn move_two(stage: &mut Stage, kind: LinkKind, from: &'static str, command: Command) {
    stage.perform(SettingsAction::PlanDetails(true));
    stage.until("it is offered", |state| state.assets.items(kind).iter().any(|item| item.text == from));
    click(stage, "a.txt", Modifiers::NONE);
    click(stage, "b.md", Modifiers::COMMAND);
    press_keys(stage, command);
    stage.until_drawn("the choice is open", |harness| harness.query_by_role(Role::Dialog).is_some());
    stage.find(Role::RadioButton, "Move").click();
    stage.until_drawn("it is offered", |harness| harness.query_by_role_and_label(Role::ListBoxOption, from).is_some());
    stage.find(Role::ListBoxOption, from).click();
    stage.until_label(&format!("From {} “{from}” to:", kind.one()));
}

/// Applies the plan, and takes it back.
fn apply_and_undo(stage: &mut Stage, kind: LinkKind, ids: &[AssetId], [from, to]: [&str; 2]) {
    let before = names(stage, kind, ids);
    assert_eq!(writes(stage), 0, "nothing is created before the plan was seen");
    stage.harness.run_steps(4);
    stage.press("Apply to 2 assets");
    until_ended(stage, 1);
    assert_eq!(names(stage, kind, ids), [vec![to], vec![to], vec![from], vec![]]);
    stage.perform(HistoryAction::Undo);
    stage.until_said("the first request");
    stage.harness.run_steps(6);
    stage.press("Undo on 2 assets");
    until_ended(stage, 2);
    assert_eq!(names(stage, kind, ids), before);
}

#[test]
fn a_website_is_split_by_one_plan_and_one_undo() {
    let (mut stage, ids) = four();
    let kind = LinkKind::Website;
    let from = link_three(&stage, kind, &ids);
    move_two(&mut stage, kind, from, Command::Website);
    stage.type_into("Move to a website", "https://example.org/new");
    stage.key(Key::Enter);
    stage.until_label("Name of the website");
    assert_eq!(stage.value_of("Address of the website"), "https://example.org/new");
    stage.press("Clear Name of the website");
    stage.type_into("Name of the website", "the new one");
    stage.press("Add website");
    stage.until_label("Replace website “a website” with the new website “the new one” on 2 assets");
    stage.until_said("1 request creates the website, 2 link it in place of website “a website”:");
    apply_and_undo(&mut stage, kind, &ids, [from, "the new one"]);
}

#[test]
fn a_workstream_summary_is_split_by_one_plan_and_one_undo() {
    let (mut stage, ids) = four();
    let kind = LinkKind::Summary;
    let from = link_three(&stage, kind, &ids);
    move_two(&mut stage, kind, from, Command::Summary);
    stage.type_into("Move to a workstream summary", "Evening");
    stage.key(Key::Enter);
    stage.until_label("Replace workstream summary “Morning” with the new workstream summary “Evening” on 2 assets");
    stage.until_said("1 request creates the workstream summary, 2 link it in place of workstream summary “Morning”:");
    apply_and_undo(&mut stage, kind, &ids, [from, "Evening"]);
}
