//! Two open assets beside each other, without a window: what is shown, what is read, and what closes.

use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_inspector::State;
use lunette_inspector::action::{AssetsAction, NavigationAction};
use lunette_inspector::assets::page::Place;

use crate::stage::Stage;

fn shown(state: &State) -> Vec<AssetId> {
    state.assets.pages.shown().map(|(id, _)| id.clone()).collect()
}

fn until_read(stage: &mut Stage, asset: &AssetId) {
    let asset = asset.clone();
    stage.until("it is read", move |state| {
        let page = state.assets.pages.of.get(&asset);
        page.is_some_and(|page| page.record.value().is_some() && page.content.value().is_some())
    });
    stage.idle();
}

#[test]
fn a_second_page_costs_the_calls_of_the_first_and_no_more() {
    let mut stage = Stage::new();
    let assets = ["a", "b"].map(|name| stage.asset(name, name));
    stage.idle();
    let mut calls = Vec::new();
    for action in [AssetsAction::Open(assets[0].clone()), AssetsAction::OpenBeside(assets[1].clone())] {
        let before = stage.state().session.log.count();
        let asset = match &action {
            AssetsAction::Open(id) | AssetsAction::OpenBeside(id) => id.clone(),
            _ => unreachable!("both open an asset"),
        };
        stage.perform(action);
        until_read(&mut stage, &asset);
        calls.push(stage.state().session.log.count() - before);
    }
    assert_eq!(calls[0], calls[1]);
    // Which of the two is active is nothing to ask the service about.
    let before = stage.state().session.log.count();
    stage.perform(AssetsAction::Activate(Place::First));
    stage.idle();
    assert_eq!((stage.state().session.log.count(), shown(stage.state())), (before, assets.to_vec()));
}

#[test]
fn going_back_and_forward_shows_one_page_and_two_again() {
    let mut stage = Stage::new();
    let assets = ["a", "b"].map(|name| stage.asset(name, name));
    stage.perform(AssetsAction::Open(assets[0].clone()));
    until_read(&mut stage, &assets[0]);
    stage.perform(AssetsAction::OpenBeside(assets[1].clone()));
    until_read(&mut stage, &assets[1]);
    // Another active page is no other location.
    stage.perform(AssetsAction::Activate(Place::First));
    stage.perform(AssetsAction::Activate(Place::Second));
    stage.perform(NavigationAction::Back);
    stage.idle();
    assert_eq!(shown(stage.state()), assets[..1]);
    stage.perform(NavigationAction::Forward);
    stage.idle();
    assert_eq!((shown(stage.state()), stage.state().assets.pages.place), (assets.to_vec(), Place::Second));
}

#[test]
fn an_asset_that_the_list_opened_moves_to_the_second_page_and_the_one_before_comes_back() {
    let mut stage = Stage::new();
    let assets = ["a", "b", "c"].map(|name| stage.asset(name, name));
    stage.perform(AssetsAction::Open(assets[0].clone()));
    until_read(&mut stage, &assets[0]);
    stage.perform(AssetsAction::OpenBeside(assets[0].clone()));
    assert_eq!(shown(stage.state()), assets[..1], "there is nothing to show beside it yet");
    // The user works on the first, then moves through the list.
    stage.perform(AssetsAction::Activate(Place::First));
    for asset in &assets[1..] {
        stage.perform(AssetsAction::Open(asset.clone()));
        until_read(&mut stage, asset);
    }
    stage.perform(AssetsAction::OpenBeside(assets[2].clone()));
    until_read(&mut stage, &assets[2]);
    assert_eq!(shown(stage.state()), [assets[0].clone(), assets[2].clone()]);
    let record = stage.state().assets.pages.of.get(&assets[0]).and_then(|page| page.record.value());
    assert_eq!(record.and_then(|asset| asset.view().name()), Some("a"));
}
