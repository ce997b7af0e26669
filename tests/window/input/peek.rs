//! Looking at assets without opening them, and the tabs of opened assets.

use egui::{Key, Role};
use egui_kittest::kittest::Queryable as _;
use lunette_client::model::record::Record as _;
use lunette_inspector::action::AssetsAction;
use lunette_inspector::settings::OpenedAssets;

use crate::input::selection::four;
use crate::stage::Stage;

/// The name of the asset that is looked at.
fn peeked(stage: &Stage) -> Option<String> {
    let pages = &stage.state().assets.pages;
    let record = pages.of.get(pages.peeked.as_ref()?)?.record.value()?;
    record.view().name().map(str::to_owned)
}

/// Moves the focus from the filter into the list, to its first row.
fn enter_list(stage: &mut Stage) {
    stage.find(Role::TextInput, "Filter assets").focus();
    stage.harness.run_steps(2);
    stage.key(Key::Enter);
    stage.harness.run_steps(4);
}

#[test]
fn f9_shows_the_focused_asset_the_arrows_move_on_and_nothing_is_opened_selected_or_counted() {
    let (mut stage, _) = four();
    enter_list(&mut stage);
    stage.perform(AssetsAction::Close);
    let recent = stage.state().recent().len();
    stage.key(Key::F9);
    stage.until("its record is read", |state| {
        let pages = &state.assets.pages;
        pages.peeked.as_ref().is_some_and(|id| pages.of[id].record.value().is_some())
    });
    stage.settle();
    let first = peeked(&stage).expect("an asset");
    assert!(stage.draws(Role::Dialog, "Peek"));
    stage.key(Key::ArrowDown);
    stage.until("the next is read", |state| {
        let pages = &state.assets.pages;
        pages.peeked.as_ref().is_some_and(|id| {
            pages
                .of
                .get(id)
                .and_then(|page| page.record.value())
                .is_some_and(|asset| asset.view().name() != Some(&first))
        })
    });
    stage.key(Key::Escape);
    stage.until("it is closed", |state| state.assets.pages.peeked.is_none());
    assert_eq!(stage.state().recent().len(), recent, "looking at an asset makes it no recent one");
}

#[test]
fn f9_looks_at_the_focused_asset_among_several_selected_ones() {
    let (mut stage, _) = four();
    enter_list(&mut stage);
    stage.ctrl(Key::A);
    stage.until("all are selected", |state| state.assets.selected.several());
    stage.key(Key::F9);
    stage.until("one is looked at", |state| state.assets.pages.peeked.is_some());
    assert!(stage.state().assets.selected.several(), "the selection stays");
}

#[test]
fn tabs_of_one_name_have_their_folders() {
    let mut stage = Stage::embedded();
    let ids = ["/src/lib.rs", "/tests/lib.rs"].map(|path| stage.imported(path, path));
    stage.ctrl(Key::Num3);
    stage.perform(lunette_inspector::Action::Refresh(lunette_inspector::panel::Panel::Assets));
    stage.until("the assets are listed", |state| state.assets.list.count() == 2);
    let look = stage.state().preferences.settings.look.clone();
    let look = lunette_inspector::settings::Look { opened: OpenedAssets::Tabs, ..look };
    stage.perform(lunette_inspector::action::SettingsAction::Look(look));
    for id in &ids {
        stage.perform(AssetsAction::Open(id.clone()));
    }
    stage.until_drawn("both are told apart", |harness| {
        let tab = |name: &str| harness.query_by_role_and_label(Role::Tab, name).is_some();
        tab("lib.rs · src") && tab("lib.rs · tests")
    });
}

#[test]
fn opened_assets_are_kept_in_tabs_if_that_is_chosen_and_closing_one_shows_the_next() {
    let (mut stage, ids) = four();
    stage.perform(AssetsAction::Open(ids[0].clone()));
    assert!(stage.state().assets.pages.tabs.is_empty(), "one page is the default");
    let look = lunette_inspector::settings::Look {
        opened: OpenedAssets::Tabs,
        ..stage.state().preferences.settings.look.clone()
    };
    stage.perform(lunette_inspector::action::SettingsAction::Look(look));
    for id in &ids[..3] {
        stage.perform(AssetsAction::Open(id.clone()));
    }
    assert_eq!(stage.state().assets.pages.tabs, ids[..3]);
    stage.until_idle();
    assert!(stage.draws(Role::TabList, "Opened assets"));
    stage.ctrl(Key::W);
    stage.until("the tab beside it is shown", |state| state.assets.pages.open.as_ref() == Some(&ids[1]));
    assert_eq!(stage.state().assets.pages.tabs, ids[..2]);
    stage.perform(AssetsAction::CloseTab(ids[0].clone()));
    assert_eq!(stage.state().assets.pages.open.as_ref(), Some(&ids[1]), "the open asset stays");
    stage.perform(AssetsAction::CloseTab(ids[1].clone()));
    assert_eq!(stage.state().assets.pages.open, None, "the last tab closes the page");
}
