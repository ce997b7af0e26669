//! The related assets of an asset: why each is one, what can be done with it, and near duplicates merged in one run.

use egui::{Event, Modifiers, PointerButton, Pos2, Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::{AssetAssociateTag, AssetSnapshot, AssetsDeleteAsset};
use lunette_inspector::Remote;
use lunette_inspector::action::{AssetsAction, NavigationAction, SessionAction};
use lunette_inspector::change::{LinkKind, linked};
use lunette_inspector::panel::Panel;
use lunette_inspector::runs::RunStatus;
use lunette_inspector::{State, WritePolicy};

use crate::dialogs::plan::stand;
use crate::input::dragging::tag;
use crate::input::row_menu::{choose, entries};
use crate::panels::asset_page::open;
use crate::stage::Stage;

const TEXT: &str = "fn debounce(quiet: Duration, mut call: impl FnMut()) { let mut last = Instant::now(); \
                    loop { if last.elapsed() > quiet { call(); last = Instant::now(); } park_timeout(quiet); } }";

/// A window with an asset, an edited copy of it, one with its tag, and one that has nothing of it.
fn with_related() -> (Stage, [AssetId; 3]) {
    let mut stage = Stage::embedded();
    let original = stage.imported("lib/time/debounce.rs", TEXT);
    let tagged = stage.asset("invoices.sql", "SELECT name FROM invoices");
    stage.asset("poem", "roses violets");
    let copy = stage.asset("scratch", &TEXT.replace("quiet", "pause"));
    let batch = tag(&stage, "batch");
    for asset in [&original, &tagged] {
        stage.call(AssetAssociateTag { asset: asset.clone(), tag: batch.clone() }).expect("linked");
    }
    stage.until("they are listed", |state| state.assets.list.count() == 4 && !state.assets.list.rows.loading());
    (stage, [original, copy, tagged])
}

fn of(state: &State, id: &AssetId) -> usize {
    let page = state.assets.pages.of.get(id);
    page.and_then(|page| page.related.value()).map_or(0, |related| related.assets.len())
}

/// Shows the related assets of an asset.
fn show(stage: &mut Stage, id: &AssetId) {
    open(stage, id);
    stage.find(Role::Tab, "Related").click();
    let wanted = id.clone();
    stage.until("its related assets are there", move |state| of(state, &wanted) > 0);
    stage.settle();
}

fn rows(stage: &Stage) -> Vec<String> {
    let rows = stage.harness.query_all_by_role(Role::ListItem).filter_map(|row| row.accesskit_node().label());
    rows.filter(|name| name.contains("shares") || name.contains("same") || name.contains("near")).collect()
}

fn row(stage: &Stage, name: &str) -> Pos2 {
    let mut rows = stage.harness.query_all_by_role(Role::ListItem);
    let named =
        |row: &egui_kittest::Node<'_>| row.accesskit_node().label().is_some_and(|label| label.starts_with(name));
    rows.find(named).unwrap_or_else(|| panic!("a row {name}")).rect().center()
}

fn pointer(stage: &mut Stage, at: Pos2, button: PointerButton, pressed: bool) {
    stage.harness.event(Event::PointerMoved(at));
    stage.harness.step();
    stage.harness.event(Event::PointerButton { pos: at, button, pressed, modifiers: Modifiers::NONE });
    stage.harness.step();
}

fn click(stage: &mut Stage, at: Pos2, button: PointerButton) {
    pointer(stage, at, button, true);
    pointer(stage, at, button, false);
    stage.settle();
}

#[test]
fn related_assets_say_why_and_a_click_opens_one_and_shows_what_is_related_to_it() {
    let (mut stage, [original, copy, _]) = with_related();
    show(&mut stage, &original);
    let found = rows(&stage);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].starts_with("scratch, near duplicate (") && found[0].contains("shares "), "{found:?}");
    assert_eq!(found[1], "invoices.sql, same tag “batch”");
    let at = row(&stage, "scratch");
    click(&mut stage, at, PointerButton::Primary);
    let wanted = copy.clone();
    stage.until("the copy is open with its own", move |state| {
        state.assets.pages.open.as_ref() == Some(&wanted) && of(state, &wanted) > 0
    });
    stage.settle();
    assert!(rows(&stage)[0].starts_with("debounce.rs, lib/time, near duplicate ("), "{:?}", rows(&stage));
}

#[test]
fn nothing_is_asked_before_the_tab_is_seen_and_opening_another_asset_cancels_it() {
    let (mut stage, [original, copy, _]) = with_related();
    open(&mut stage, &original);
    let asked = |state: &State, id: &AssetId| state.assets.pages.of[id].related != Remote::NotRequested;
    assert!(!asked(stage.state(), &original));
    stage.perform(AssetsAction::LoadRelated(original.clone()));
    assert!(asked(stage.state(), &original));
    stage.perform(AssetsAction::LoadRelated(original.clone()));
    stage.perform(AssetsAction::Open(copy));
    stage.until_idle();
    let page = &stage.state().assets.pages.of[&original];
    assert!(page.related.error().is_none() && !page.related.loading(), "{:?}", page.related);
}

#[test]
fn an_asset_that_shares_nothing_says_so() {
    let mut stage = Stage::embedded();
    let alone = stage.asset("poem", "roses violets");
    stage.until("it is listed", |state| state.assets.list.count() == 1);
    open(&mut stage, &alone);
    stage.find(Role::Tab, "Related").click();
    stage.until_label("Nothing is related to it");
}

#[test]
fn what_could_not_be_loaded_says_why_and_is_loaded_again() {
    let (mut stage, [original, ..]) = with_related();
    open(&mut stage, &original);
    stage.call(AssetsDeleteAsset { asset: original.clone() }).expect("deleted");
    stage.find(Role::Tab, "Related").click();
    stage.until_said("The related assets could not be loaded");
}

#[test]
fn a_row_has_the_menu_of_the_list_and_is_dragged_onto_a_tag() {
    let (mut stage, [original, copy, _]) = with_related();
    stage.harness.set_size(egui::vec2(1600.0, 1000.0));
    show(&mut stage, &original);
    let at = row(&stage, "scratch");
    click(&mut stage, at, PointerButton::Secondary);
    let names: Vec<String> = entries(&stage).into_iter().map(|(name, _)| name).collect();
    for name in ["Open", "Copy name", "Copy UUID", "Add tag…", "Show graph", "Delete"] {
        assert!(names.iter().any(|known| known == name), "{name}: {names:?}");
    }
    choose(&mut stage, "Copy UUID");
    stage.until("tags are counted and read", |state| {
        let named = state.overview.summary.as_ref().is_some_and(|summary| !summary.tags.most.is_empty());
        named && !state.assets.items(LinkKind::Tag).is_empty()
    });
    stand(&mut stage);
    let onto = stage.find(Role::Link, "batch").rect().center();
    let at = row(&stage, "scratch");
    pointer(&mut stage, at, PointerButton::Primary, true);
    for far in [8.0, 16.0] {
        stage.harness.event(Event::PointerMoved(at + egui::vec2(far, 0.0)));
        stage.harness.step();
    }
    pointer(&mut stage, onto, PointerButton::Primary, false);
    stage.until("it is linked", |state| state.work.is_empty() && state.history.last().is_some());
    let record = stage.call(AssetSnapshot { asset: copy, transferables: Some(false) }).expect("the asset");
    let tags: Vec<String> = linked(record.view(), LinkKind::Tag).into_iter().map(|item| item.text).collect();
    assert_eq!(tags, ["batch"]);
}

fn tags_of(stage: &Stage, asset: &AssetId) -> Option<Vec<String>> {
    let record = stage.call(AssetSnapshot { asset: asset.clone(), transferables: Some(false) }).ok()?;
    let mut tags: Vec<String> = linked(record.view(), LinkKind::Tag).into_iter().map(|item| item.text).collect();
    tags.sort_unstable();
    Some(tags)
}

fn texts(texts: &[&str]) -> Option<Vec<String>> {
    Some(texts.iter().map(|text| (*text).to_owned()).collect())
}

#[test]
fn near_duplicates_are_filtered_and_merged_into_the_newest_in_a_run_that_undo_reverts() {
    let (mut stage, [original, copy, _]) = with_related();
    // What is linked last is the newest.
    let draft = tag(&stage, "draft");
    stage.call(AssetAssociateTag { asset: copy.clone(), tag: draft }).expect("linked");
    stage.perform(SessionAction::SetWritePolicy(WritePolicy::Allow));
    stage.perform(NavigationAction::Show(Panel::Assets));
    stage.type_into("Filter assets", "is:near-duplicate");
    stage.until("two are found", |state| {
        state.assets.near_duplicates.value().is_some() && state.assets.list.order.len() == 2
    });
    stage.until_said("2 assets are near duplicates of one another.");
    let (kept, merged) = (copy, original);
    stage.press("Merge into the newest…");
    stage.until("the plan is shown", |state| {
        state.bulk.draft.as_ref().is_some_and(|draft| draft.sample.value().is_some())
    });
    stage.until_said("Merge 1 near duplicate into the newest");
    stage.press_once_enabled("Merge and delete 1 asset");
    let ended = |state: &State| state.bulk.runs.values().any(|run| run.status == RunStatus::Ended);
    stage.until("the run has ended", ended);
    assert_eq!((tags_of(&stage, &kept), tags_of(&stage, &merged)), (texts(&["batch", "draft"]), None));
    stage.until("the filter finds none", |state| {
        state.assets.near_duplicates.value().is_some_and(|near| near.groups.is_empty())
            && state.assets.list.order.is_empty()
    });
    stage.ctrl(egui::Key::Z);
    stage.until("the undo is planned", |state| {
        state.bulk.draft.as_ref().is_some_and(|draft| draft.sample.value().is_some())
    });
    stage.press_once_enabled("Undo on 2 assets");
    stage.until("it is undone", |state| state.history.entries.iter().any(|entry| entry.undone));
    stage.until_idle();
    assert_eq!((tags_of(&stage, &kept), tags_of(&stage, &merged)), (texts(&["draft"]), texts(&["batch"])));
}
