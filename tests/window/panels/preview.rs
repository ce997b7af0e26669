//! The preview of an asset: its size, large texts, wrapped lines, and the find bar.

use std::sync::Arc;

use egui::{Key, Modifiers, Rect, Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::AssetsCreateNewAsset;
use lunette_inspector::Action;
use lunette_inspector::action::{AssetsAction, WriteAction};
use lunette_inspector::assets::page::Content;
use lunette_inspector::change::{Change, LinkKind};

use crate::panels::asset_page::{looking_at, open, settle};
use crate::stage::Stage;
use crate::support::assets::{record as record_of, text_seed};

/// A document with this many lines, in a window of this size, with a tag, a website and a summary.
fn in_window(size: [f32; 2], lines: usize) -> Stage {
    let text: String = (1..=lines).map(|line| format!("let line_{line} = {line};\n")).collect();
    let (mut stage, id) = looking_at("main.rs", &text);
    for (kind, text, url) in [
        (LinkKind::Tag, "http", None),
        (LinkKind::Website, "docs", Some("https://docs.rs/tokio".to_owned())),
        (LinkKind::Summary, "Retry work", None),
    ] {
        let text = text.to_owned();
        stage.perform(WriteAction::Change(Change::LinkNew {
            asset: id.clone(),
            kind,
            text: text.clone(),
            url,
            unlink: Vec::new(),
        }));
        settle(&mut stage, &id);
        stage.until_label(&format!("Remove {} {text}", kind.one()));
    }
    stage.harness.set_size(egui::Vec2::from(size));
    stage.harness.run_steps(4);
    stage
}

fn rect(stage: &Stage, role: Role, name: &str) -> Rect {
    stage.find(role, name).rect()
}

fn code(stage: &Stage, name: &str) -> Rect {
    rect(stage, Role::Document, &format!("Content of {name}"))
}

/// Height of a line of code, in points.
const LINE: f32 = 20.0;

#[test]
fn in_a_window_of_1280_by_800_the_page_has_45_percent_and_20_lines_of_code_below_the_links() {
    let mut stage = in_window([1280.0, 800.0], 60);
    let code = code(&stage, "main.rs");
    assert!(code.width() > 1280.0 * 0.45 - 32.0 && code.height() >= 20.0 * LINE, "{code:?}");
    for name in ["Remove tag http", "Remove website docs", "Remove workstream summary Retry work"] {
        let chip = rect(&stage, Role::Button, name);
        assert!(chip.bottom() < code.top(), "{name}: {chip:?}");
    }
    assert!(!stage.says("Creator"), "the details are folded");
    stage.press("Details");
    for name in ["Creator", "Created", "Updated"] {
        let detail = rect(&stage, Role::Label, name);
        assert!(detail.bottom() < 774.0, "{name}: {detail:?}");
    }
}

#[test]
fn details_stay_unfolded_after_a_restart_and_have_a_column_of_their_own_in_a_wide_window() {
    let mut stage = in_window([1280.0, 800.0], 60);
    stage.press("Details");
    let id = stage.state().assets.pages.open.clone().expect("an open asset");
    let mut stage = stage.reopened();
    open(&mut stage, &id);
    stage.until_label("Creator");
    stage.harness.set_size(egui::vec2(1920.0, 1080.0));
    stage.until_drawn("its content is drawn", |harness| {
        harness.query_by_role_and_label(Role::Document, "Content of main.rs").is_some()
    });
    stage.harness.run_steps(4);
    let (creator, code) = (rect(&stage, Role::Label, "Creator"), code(&stage, "main.rs"));
    assert!(creator.left() > code.right() && creator.top() < code.bottom(), "{creator:?} {code:?}");
    assert!(!stage.draws(Role::Button, "Details"), "a column is not folded");
}

#[test]
fn code_fills_the_height_of_a_large_window() {
    let high = code(&in_window([1920.0, 1080.0], 200), "main.rs");
    assert!(high.height() > 420.0, "{high:?}");
    let short = code(&in_window([1920.0, 1080.0], 3), "main.rs");
    assert!(short.height() < 120.0, "{short:?}");
}

#[test]
fn in_a_small_window_the_links_are_above_the_code() {
    let stage = in_window([800.0, 600.0], 60);
    let code = code(&stage, "main.rs");
    let add = rect(&stage, Role::Button, "Add a tag");
    assert!(code.height() >= 10.0 * LINE && add.bottom() < code.top(), "{code:?} {add:?}");
}

#[test]
fn nothing_moves_when_links_are_added_and_those_that_do_not_fit_are_in_a_dialog() {
    let (mut stage, id) = looking_at("a.txt", "text");
    stage.harness.set_size(egui::vec2(1280.0, 800.0));
    let places = |stage: &Stage| {
        let add = ["Add a tag", "Add a website", "Add a workstream summary"];
        let buttons = add.map(|name| rect(stage, Role::Button, name));
        (buttons, rect(stage, Role::Tab, "Preview"), code(stage, "a.txt").top())
    };
    stage.harness.run_steps(3);
    let before = places(&stage);
    let tags = ["http", "tokio", "retry", "planning", "to do", "from-outside", "one more"];
    for tag in tags {
        stage.perform(WriteAction::Change(Change::LinkNew {
            asset: id.clone(),
            kind: LinkKind::Tag,
            text: tag.to_owned(),
            url: None,
            unlink: Vec::new(),
        }));
        settle(&mut stage, &id);
    }
    stage.until_drawn("some do not fit", |harness| harness.query_by_label_contains("more links").is_some());
    assert_eq!(places(&stage), before);
    let drawn = stage.harness.query_all_by_label_contains("Remove tag").count();
    let more = stage.harness.get_by_label_contains("more links").accesskit_node().label().expect("a name");
    assert_eq!(more, format!("{} more links", tags.len() - drawn));
    stage.press(&more);
    let crosses = |stage: &Stage| stage.harness.query_all_by_label_contains("Remove tag").count();
    stage.harness.run_steps(3);
    assert_eq!(crosses(&stage), drawn + tags.len(), "the dialog has all of them");
}

/// A stage with an open text of 20 MB, whose last line says so.
fn looking_at_large() -> (Stage, AssetId) {
    let mut text = "a line of a large text, of fifty letters in all.\n".repeat(420_000);
    text.push_str("the very last line\n");
    let mut stage = Stage::embedded();
    let seed = Some(record_of(text_seed("large.txt", &text)));
    let made = stage.call(AssetsCreateNewAsset { transferables: Some(false), once: None, seed }).expect("an asset");
    let id: AssetId = made.view().id().parse().expect("an id");
    open(&mut stage, &id);
    (stage, id)
}

#[test]
fn a_text_of_20_mb_shows_its_beginning_at_once_and_the_rest_on_request() {
    let (mut stage, id) = looking_at_large();
    let content = |stage: &Stage| stage.state().assets.pages.of.get(&id).and_then(|page| page.content.value().cloned());
    stage.until_said("Showing the first 256 KB of 20.6 MB");
    let Some(Content::Part(text, _)) = content(&stage) else { panic!("a part") };
    assert!(text.ends_with(".\n") && text.len() <= 256_000, "whole lines: {}", text.len());
    stage.press("Show more");
    stage.until_said("Showing the first 1.02 MB of 20.6 MB");
    stage.press("Show all");
    let wanted = id.clone();
    stage.until("all of it is there", move |state| {
        let content = state.assets.pages.of.get(&wanted).and_then(|page| page.content.value());
        matches!(content, Some(Content::Text(text)) if text.ends_with("the very last line\n"))
    });
    stage.until_drawn("all of it is drawn", |harness| harness.query_by_label("420,001 lines").is_some());
    assert!(!stage.says("Showing the first"));
}

#[test]
fn words_are_found_in_a_text_of_20_mb() {
    let (mut stage, id) = looking_at_large();
    stage.perform(AssetsAction::LoadContent(id));
    stage.until_drawn("all of it is drawn", |harness| harness.query_by_label("420,001 lines").is_some());
    stage.press("Find in the text");
    stage.type_into("Find in the text", "LAST LINE");
    stage.until_label("1 of 1");
    stage.until_label("the very last line");
}

#[test]
fn find_goes_through_the_matches_by_enter_and_escape_closes_it() {
    let text: String = (1..=300).map(|line| format!("line {line}\n")).collect();
    let (mut stage, _) = looking_at("a.txt", &text);
    stage.harness.set_size(egui::vec2(1280.0, 800.0));
    // The page has the focus, so that Ctrl+F belongs to it.
    stage.find(Role::Document, "Content of a.txt").focus();
    stage.harness.run_steps(2);
    stage.ctrl(Key::F);
    stage.until_drawn("the field has the keyboard", |harness| {
        harness.query_by_role_and_label(Role::TextInput, "Find in the text").is_some_and(|field| field.is_focused())
    });
    stage.type_into("Find in the text", "line 2");
    stage.until_label("1 of 111");
    stage.key(Key::Enter);
    stage.until_label("2 of 111");
    stage.until_label("line 20");
    stage.harness.key_press_modifiers(Modifiers::SHIFT, Key::Enter);
    stage.until_label("1 of 111");
    stage.harness.key_press_modifiers(Modifiers::SHIFT, Key::Enter);
    stage.until_label("111 of 111");
    stage.until_label("line 299");
    stage.type_into("Find in the text", "no such words");
    stage.until_label("No matches");
    stage.key(Key::Escape);
    stage.until_drawn("it is closed", |harness| {
        harness.query_by_role_and_label(Role::TextInput, "Find in the text").is_none()
    });
    assert!(stage.state().assets.pages.open.is_some(), "Escape closed the field and not the page");
}

#[test]
fn find_in_the_text_does_not_open_while_the_list_has_the_focus() {
    let (mut stage, _) = looking_at("a.txt", "text");
    stage.harness.set_size(egui::vec2(1280.0, 800.0));
    stage.ctrl(Key::F);
    assert!(!stage.draws(Role::TextInput, "Find in the text"));
}

#[test]
fn long_lines_wrap_if_enabled_and_the_choice_is_saved() {
    let long = format!("{} the_end", "word ".repeat(100));
    let (mut stage, _) = looking_at("a.txt", &format!("{long}\nsecond line\n"));
    stage.until_label(&long);
    stage.press("Wrap long lines");
    stage.until_drawn("it is wrapped", |harness| harness.query_all_by_label(&long).next().is_none());
    stage.until_label("second line");
    stage.until_said("the_end");
    let mut stage = stage.reopened();
    assert!(stage.state().preferences.settings.wrap_text);
    let id = stage.asset("b.txt", &long);
    open(&mut stage, &id);
    stage.until_said("the_end");
    stage.until_drawn("it is wrapped here too", |harness| harness.query_all_by_label(&long).next().is_none());
}

#[test]
fn a_line_of_a_megabyte_is_drawn_and_searched_to_its_end() {
    let text: Arc<str> = format!("{}needle", "x".repeat(1_000_000)).into();
    let (mut stage, _) = looking_at("min.js", &text);
    stage.press("Find in the text");
    stage.type_into("Find in the text", "needle");
    stage.until_label("1 of 1");
    // It may be on two rows; no other row has an `e`.
    stage.until_drawn("its end is drawn", |harness| {
        let document = harness.query_by_role_and_label(Role::Document, "Content of min.js");
        document.is_some_and(|document| document.query_all_by_label_contains("e").next().is_some())
    });
}

#[test]
fn changing_the_language_keeps_the_text_position() {
    let text: String = (1..=60).map(|line| format!("line {line}\n")).collect();
    let (mut stage, id) = looking_at("a.txt", &text);
    stage.harness.run_steps(4);
    let before = code(&stage, "a.txt");
    let change = Change::Reclassify { asset: id.clone(), from: Some("txt".to_owned()), to: "rs".to_owned() };
    stage.perform(WriteAction::Change(change));
    for _ in 0..200 {
        stage.harness.step();
        let now = code(&stage, "a.txt");
        let moved = (now.min - before.min).length() + (now.max - before.max).length();
        assert!(moved < 2.0, "it stays while it is read again: {before:?} {now:?}");
        if stage.says("Reclassified") && !stage.says("Refreshing") {
            break;
        }
        std::thread::yield_now();
    }
}

#[test]
fn a_chip_has_a_menu_that_lists_the_assets_of_its_tag() {
    let (mut stage, id) = looking_at("a.txt", "text");
    let change = Change::LinkNew {
        asset: id.clone(),
        kind: LinkKind::Tag,
        text: "http".to_owned(),
        url: None,
        unlink: Vec::new(),
    };
    stage.perform(WriteAction::Change(change));
    settle(&mut stage, &id);
    stage.until_label("Remove tag http");
    stage.find(Role::Button, "Remove tag http").hover();
    stage.harness.run_steps(2);
    // The chip is the button before its cross.
    let chip = rect(&stage, Role::Button, "Remove tag http");
    let pos = chip.left_center() - egui::vec2(10.0, 0.0);
    for pressed in [true, false] {
        let (button, modifiers) = (egui::PointerButton::Secondary, Modifiers::NONE);
        stage.harness.event(egui::Event::PointerMoved(pos));
        stage.harness.event(egui::Event::PointerButton { pos, button, pressed, modifiers });
        stage.harness.step();
    }
    stage.until_drawn("the menu is open", |harness| {
        harness.query_by_role_and_label(Role::MenuItem, "List assets with this tag").is_some()
    });
    stage.find(Role::MenuItem, "Remove tag");
    stage.find(Role::MenuItem, "List assets with this tag").click_accesskit();
    stage.until("the list is filtered", |state| !state.assets.list.query.filter.is_empty());
    assert_eq!(stage.state().assets.list.order.len(), 1);
}

#[test]
fn tabs_do_not_move_when_a_count_appears() {
    let (mut stage, id) = looking_at("a.txt", "text");
    let tabs = |stage: &Stage| ["Activity", "Conversations", "Record"].map(|tab| rect(stage, Role::Tab, tab));
    let before = tabs(&stage);
    for load in [
        Action::Assets(AssetsAction::LoadActivities(id.clone())),
        Action::Assets(AssetsAction::LoadConversations(id.clone())),
    ] {
        stage.perform(load);
    }
    let wanted = id.clone();
    stage.until("both are counted", move |state| {
        let page = state.assets.pages.of.get(&wanted);
        page.is_some_and(|page| page.activities.value().is_some() && page.conversations.value().is_some())
    });
    assert_eq!(tabs(&stage), before);
}

#[test]
fn the_changes_of_an_asset_are_listed_with_its_activity_and_can_be_undone_there() {
    let (mut stage, id) = looking_at("a.txt", "text");
    stage.press("Favourite");
    settle(&mut stage, &id);
    assert_eq!(crate::panels::asset_page::at_service(&stage, &id)["favorited"], true);
    stage.find(Role::Tab, "Activity").click();
    stage.until_label("Changes you can undo or look up");
    let undo = stage.harness.query_all_by_role(Role::Button).filter_map(|button| button.accesskit_node().label());
    let undo: Vec<String> = undo.filter(|label| label.starts_with("Undo ")).collect();
    let [undo] = &undo[..] else { panic!("{undo:?}") };
    stage.press(&undo.clone());
    settle(&mut stage, &id);
    stage.until("it is undone", |state| state.history.entries.iter().any(|entry| entry.undone));
    assert_eq!(crate::panels::asset_page::at_service(&stage, &id)["favorited"], false);
}

#[test]
fn html_is_shown_as_code_and_rendered_at_a_click() {
    let page = "<title>Lens</title><style>p { color: red }</style><h1>Lens</h1><p>Some <b>glass</b>.</p>\
                <script>alert('run')</script><ul><li><a href='https://lens.example/'>More</a></ul>";
    let (mut stage, _) = looking_at("lens.html", page);
    let on = |stage: &Stage, name| {
        stage.find(Role::RadioButton, name).accesskit_node().toggled() == Some(egui::accesskit::Toggled::True)
    };
    stage.until_said("<h1>Lens</h1>");
    assert!(on(&stage, "Source") && stage.says("1 line"));
    stage.find(Role::RadioButton, "Rendered").click();
    stage.until_label("glass");
    assert!(
        on(&stage, "Rendered")
            && stage.draws(Role::Link, "More")
            && stage.draws(Role::Document, "Content of lens.html")
    );
    assert!(!stage.says("<h1>") && !stage.says("alert") && !stage.says("color: red"));
    // The source is searched.
    stage.press("Find in the text");
    stage.until_said("<h1>Lens</h1>");
}

#[test]
fn in_a_low_window_a_text_that_is_edited_has_the_room_of_the_tools_until_one_is_asked_for() {
    let mut stage = in_window([640.0, 400.0], 100);
    assert!(stage.draws(Role::Button, "Reclassify"));
    stage.key(Key::F4);
    stage.until_label("Text of the asset");
    stage.harness.run_steps(4);
    assert!(!stage.draws(Role::Button, "Reclassify"));
    let text = rect(&stage, Role::MultilineTextInput, "Text of the asset");
    let save = rect(&stage, Role::Button, "Save");
    assert!(text.height() >= 3.0 * LINE && save.bottom() <= 376.0, "{text}, {save}");
    stage.ctrl(Key::T);
    stage.until_drawn("the picker of tags is open", |harness| {
        harness.query_by_role_and_label(Role::TextInput, "Add a tag").is_some()
    });
    stage.key(Key::Escape);
    stage.harness.run_steps(4);
    assert!(!stage.draws(Role::Button, "Reclassify"));
}
