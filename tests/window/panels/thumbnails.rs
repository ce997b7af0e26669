//! The gallery: assets as tiles with their pictures, which are loaded while they are in sight.

use egui::{Key, Role, vec2};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lunette_inspector::State;
use lunette_inspector::action::NavigationAction;
use lunette_inspector::assets::pictures::picture_of;
use lunette_inspector::panel::Panel;

use crate::dialogs::plan::stand;
use crate::input::views::until_kept;
use crate::panels::asset_page::of_bytes;
use crate::stage::Stage;

/// A small picture whose bytes differ from those of every other number.
fn png(number: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    let image = image::RgbImage::from_pixel(8, 8, image::Rgb([number as u8, (number >> 8) as u8, 90]));
    image.write_to(&mut std::io::Cursor::new(&mut bytes), image::ImageFormat::Png).expect("encoded");
    bytes
}

/// A gallery of so many pictures and a text.
fn gallery(pictures: u32) -> Stage {
    let mut stage = Stage::embedded();
    stage.harness.set_size(vec2(1280.0, 800.0));
    for number in 0..pictures {
        of_bytes(&stage, &format!("{number:03}.png"), &png(number));
    }
    stage.asset("notes.md", "# Notes");
    stage.ctrl(Key::Num3);
    let all = pictures as usize + 1;
    stage.until("all are listed", |state| state.assets.list.order.len() == all && !state.assets.list.rows.loading());
    stand(&mut stage);
    stage.press("Gallery");
    stand(&mut stage);
    stage
}

/// How many thumbnails are known, and how many were asked for.
fn thumbnails(state: &State) -> (usize, usize) {
    let all = state.assets.list.iter().filter_map(|row| picture_of(row));
    let asked: Vec<_> = all.filter_map(|of| state.assets.thumbnails.get(&of)).collect();
    (asked.iter().filter(|picture| picture.value().is_some()).count(), asked.len())
}

#[test]
fn pictures_are_drawn_in_the_gallery_and_the_other_assets_as_their_kind() {
    let mut stage = gallery(3);
    stage.until("the thumbnails are loaded", |state| thumbnails(state) == (3, 3));
    let tiles: Vec<_> = ["000.png", "notes.md"].map(|name| stage.find(Role::Row, name).rect()).into();
    assert_eq!(tiles[0].top(), tiles[1].top(), "tiles are beside each other");
    assert!(tiles[0].height() > 120.0);
    stage.press("Gallery");
    stand(&mut stage);
    assert!(stage.find(Role::Row, "000.png").rect().height() < 60.0);
    assert!(stage.state().assets.thumbnails.shows(&[]), "nothing is wanted that is not seen");
}

#[test]
fn the_gallery_is_remembered() {
    let mut stage = gallery(1);
    until_kept(&mut stage);
    let mut stage = stage.reopened();
    stage.ctrl(Key::Num3);
    stage.until("the thumbnail is loaded", |state| thumbnails(state).0 == 1);
    stand(&mut stage);
    assert!(stage.find(Role::Row, "000.png").rect().height() > 120.0);
}

#[test]
fn only_pictures_in_sight_are_loaded_and_leaving_the_panel_asks_for_none() {
    let mut stage = gallery(150);
    let drawn = |stage: &Stage| {
        let rows = egui_kittest::kittest::Queryable::query_all_by_role(&stage.harness, Role::Row);
        rows.filter(|row| row.accesskit_node().label().is_some_and(|name| name.ends_with(".png"))).count()
    };
    let in_sight = drawn(&stage);
    assert!((10..60).contains(&in_sight), "{in_sight}");
    stage.until("those in sight are loaded", move |state| thumbnails(state).0 == in_sight);
    assert_eq!(thumbnails(stage.state()).1, in_sight, "no others are asked for");
    stage.find(Role::Table, "Assets").focus();
    stage.settle();
    stage.key(Key::End);
    stage.until("the last ones are loaded too", move |state| thumbnails(state).0 > in_sight);
    stage.perform(NavigationAction::Show(Panel::Log));
    stage.until("nothing is wanted", |state| state.assets.thumbnails.shows(&[]));
}

#[test]
fn the_arrow_keys_move_between_tiles_and_enter_opens_one() {
    let mut stage = gallery(12);
    stage.find(Role::Table, "Assets").focus();
    stage.settle();
    stage.key(Key::Home);
    let selected = |stage: &Stage| {
        let rows = egui_kittest::kittest::Queryable::query_all_by_role(&stage.harness, Role::Row);
        let row = rows.into_iter().find(|row| row.accesskit_node().is_selected() == Some(true)).expect("one");
        row.rect().center()
    };
    let first = selected(&stage);
    stage.key(Key::ArrowRight);
    let second = selected(&stage);
    assert!(second.x > first.x + 100.0 && second.y == first.y, "{first} {second}");
    stage.key(Key::ArrowDown);
    let below = selected(&stage);
    assert!(below.y > second.y + 100.0 && (below.x - second.x).abs() < 1.0, "{second} {below}");
    stage.key(Key::ArrowUp);
    stage.key(Key::ArrowLeft);
    assert_eq!(selected(&stage), first);
    stage.key(Key::Enter);
    stage.until("it is open", |state| state.page().is_some_and(|(_, page)| page.record.value().is_some()));
}

#[test]
fn the_palette_shows_the_assets_as_tiles_from_any_panel() {
    let mut stage = Stage::embedded();
    stage.asset("notes.md", "# Notes");
    stage.perform(NavigationAction::Show(Panel::Log));
    stage.ctrl(Key::K);
    stage.type_into("Search or run a command", "Gallery");
    stage.until_drawn("it is found", |harness| {
        harness.query_by_role_and_label(Role::ListBoxOption, "Gallery").is_some()
    });
    stage.find(Role::ListBoxOption, "Gallery").click();
    stage.until_drawn("the asset is a tile", |harness| {
        harness.query_by_role_and_label(Role::Row, "notes.md").is_some_and(|tile| tile.rect().height() > 120.0)
    });
    assert_eq!(stage.state().navigation.panel, Panel::Assets);
}
