//! Comparing two sides of many assets: the rows by how they compare, a row side by side, copying, and failures.

use std::sync::Arc;

use egui::Role;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lunette::ui::Window;
use lunette_client::client::Client;
use lunette_client::model::record::Record;
use lunette_client::operation::table::{AssetsSnapshot, FormatUpdateValue};
use lunette_inspector::action::{HistoryAction, NavigationAction, SidesAction};
use lunette_inspector::compare::Position;
use lunette_inspector::filter::List;
use lunette_inspector::journal::Outcome;
use lunette_inspector::listing::{Change, Row as _};
use lunette_inspector::panel::Panel;
use lunette_inspector::sides::window::Stage as Compared;
use lunette_inspector::sides::{Match, RowKey, RowState, SideRow};
use lunette_inspector::undo::HeadlessHistory;
use lunette_inspector::{Action, State};
use lunette_service::{Data, Running, start};
use serde_json::Value;

use crate::stage::Stage;
use crate::support;
use crate::support::mutating_proxy::{MutatingProxy, ProxyAction};

/// A window on a service of its own and another service, each with an asset that the other one does not have, one that
/// is the same, and one that differs.
pub(super) fn two_services() -> (Stage, Running) {
    let stage = Stage::embedded();
    let other = stage.runtime.block_on(start(support::settings(Data::Memory))).expect("it starts");
    let client = support::client(&other);
    for (name, here, there) in [
        ("same.txt", Some("the same"), Some("the same")),
        ("mine.txt", Some("only here"), None),
        ("theirs.txt", None, Some("only there")),
        ("both.txt", Some("one"), Some("two")),
    ] {
        if let Some(text) = here {
            stage.asset(name, text);
        }
        if let Some(text) = there {
            stage.runtime.block_on(support::assets::text_asset(&client, name, text));
        }
    }
    (stage, other)
}

pub(super) fn compare(stage: &mut Stage, other: &str) {
    stage.perform(NavigationAction::Show(Panel::Sides));
    stage.type_into("Right side", other);
    stage.press("Compare");
    stage.until("they are compared", |state| state.sides.stage == Compared::Ready);
}

fn counts(stage: &Stage) -> Vec<(RowState, usize)> {
    let comparison = stage.state().sides.comparison.as_ref().expect("a comparison");
    let counts = RowState::ALL.into_iter().map(|state| (state, comparison.counts.of(state)));
    counts.filter(|(_, count)| *count > 0).collect()
}

#[test]
fn two_services_are_compared_filtered_by_state_and_shown_side_by_side() {
    let (mut stage, other) = two_services();
    compare(&mut stage, &other.url());
    let expected = [(RowState::OnlyLeft, 1), (RowState::OnlyRight, 1), (RowState::Different, 1), (RowState::Same, 1)];
    assert_eq!(counts(&stage), expected);
    assert!(stage.says("mine.txt, only left") && stage.says("both.txt, different"));
    stage.harness.get_by_label("different (1)").click();
    stage.until("only these are shown", |state| state.sides.list.order.len() == 1);
    let key = stage.state().sides.list.shown(0).expect("a row").key();
    stage.perform(SidesAction::Open(key));
    stage.until("they are beside each other", |state| {
        state.navigation.panel == Panel::Compare && state.compare.tab().is_some_and(|tab| tab.shown.value().is_some())
    });
    stage.perform(NavigationAction::Show(Panel::Sides));
    stage.harness.get_by_label("different (1)").click();
    stage.until("all are shown again", |state| state.sides.list.order.len() == 4);
}

#[test]
fn the_keyboard_begins_in_the_first_empty_field_and_goes_to_the_rows_once_they_are_compared() {
    let (mut stage, other) = two_services();
    stage.perform(NavigationAction::Show(Panel::Assets));
    stage.until("the assets are listed", |state| state.assets.list.count() == 3);
    stage.find(Role::Table, "Assets").focus();
    stage.until_drawn("the list has the keyboard", |harness| harness.ctx.memory(|memory| memory.focused().is_some()));
    stage.perform(NavigationAction::Show(Panel::Sides));
    stage.until_drawn("the right side has it, since own is on the left", |harness| {
        let field = harness.query_by_role_and_label(Role::TextInput, "Right side");
        field.is_some_and(|field| field.accesskit_node().is_focused())
    });
    stage.harness.event(egui::Event::Text(other.url()));
    stage.until("it is typed", |state| state.sides.sources.texts[1] == other.url());
    stage.key(egui::Key::Enter);
    stage.until("they are compared", |state| state.sides.stage == Compared::Ready);
    stage.until_drawn("a row has the keyboard", |harness| {
        harness.query_all_by_role(Role::Row).any(|row| row.accesskit_node().is_focused())
    });
}

#[test]
fn marked_rows_are_copied_after_a_question_and_a_second_comparison_finds_no_more_of_them() {
    let (mut stage, other) = two_services();
    compare(&mut stage, &other.url());
    let wanted = [RowState::OnlyRight, RowState::Different];
    let rows = stage.state().sides.list.iter().filter(|row| wanted.contains(&row.state)).map(|row| row.key());
    let keys = Arc::new(rows.collect::<Vec<_>>());
    stage.perform(SidesAction::Copy(keys, Position::Left));
    stage.until_said("Copy 2 changes to the left?");
    assert!(stage.state().assets.list.count() < 4, "nothing is written before");
    stage.press("Copy to the left");
    stage.until("they are here", |state| state.assets.list.count() == 4);
    stage.until("the run has ended", |state| {
        let ended = |outcome: &Outcome| matches!(outcome, Outcome::Done);
        state.history.entries.iter().any(|entry| entry.title.starts_with("Copied from") && ended(&entry.outcome))
    });
    let known = |state: &State| {
        let counts = &state.sides.comparison.as_ref().expect("a comparison").counts;
        RowState::ALL.map(|state| counts.of(state))
    };
    stage.until("the rows say so, before they are compared again", |state| known(state) == [1, 0, 0, 0, 0, 3]);
    stage.until_said("Copied to the connected service: 2 of 2 changes");
    stage.perform(HistoryAction::Undo);
    stage.press_once_enabled("Undo on 2 assets, deleting 1");
    stage.until("and that it was undone", |state| known(state) == [1, 1, 0, 1, 0, 1]);
    stage.until_said("Undone at the connected service: 2 of 2 changes");
    assert!(!stage.says("Copied to the connected service"));
    stage.perform(HistoryAction::Redo);
    stage.press_once_enabled("Redo on 2 assets");
    stage.until("and that it was done again", |state| known(state) == [1, 0, 0, 0, 0, 3]);
    stage.until_said("Copied to the connected service: 2 of 2 changes");
    stage.press("Compare");
    stage.until("they are compared again", |state| {
        state.sides.stage == Compared::Ready
            && state.sides.comparison.as_ref().is_some_and(|now| now.counts.of(RowState::Same) == 3)
    });
    assert_eq!(counts(&stage), [(RowState::OnlyLeft, 1), (RowState::Same, 3)]);
}

#[test]
fn a_side_that_cannot_be_read_is_named_and_can_be_tried_again() {
    let (mut stage, other) = two_services();
    let url = other.url();
    stage.runtime.block_on(other.stop());
    stage.perform(NavigationAction::Show(Panel::Sides));
    stage.until_label("Compare two sides");
    stage.type_into("Right side", &url);
    stage.press("Compare");
    stage.until_said("The two sides were not compared");
    assert!(!stage.says("0 assets"), "nothing was counted");
    stage.press("Clear Right side");
    stage.type_into("Right side", "/nonexistent/file");
    stage.press("Compare");
    stage.until_said("There is no file or folder “/nonexistent/file”");
    stage.until_said("correct the side that is marked");
    stage.press("Close");
    stage.until_label("Compare two sides");
}

#[test]
fn two_empty_sides_are_not_called_the_same() {
    let (mut stage, empty) = (Stage::embedded(), tempfile::tempdir().expect("a folder"));
    compare(&mut stage, empty.path().to_str().expect("a path"));
    stage.until_said("Neither side has assets");
    assert!(!stage.says("Both sides are the same"));
}

/// The text of the asset of this name at a service, if it has it.
fn text_of(stage: &Stage, client: &Client, name: &str) -> Option<String> {
    let asset = asset_of(stage, client, name)?;
    asset["original"]["reference"]["fragment"]["string"]["raw"].as_str().map(str::to_owned)
}

pub(super) fn asset_of(stage: &Stage, client: &Client, name: &str) -> Option<Value> {
    let call = AssetsSnapshot { transferables: Some(true), suggested: None, pseudo: None, offset: None, limit: None };
    let assets = stage.runtime.block_on(client.call(call)).expect("read");
    assets.tree()["iterable"].as_array()?.iter().find(|asset| asset["name"] == name).cloned()
}

pub(super) fn set_text(stage: &Stage, client: &Client, name: &str, text: &str) {
    let listed = asset_of(stage, client, name).expect("an asset");
    let id = listed["id"].as_str().expect("an id").parse().expect("an id");
    let mut asset = stage.runtime.block_on(support::assets::tree(client, &id));
    let mut format = asset["formats"]["iterable"][0].take();
    format["fragment"]["string"]["raw"] = text.into();
    let format = Some(Record::from_any(format).expect("a format"));
    stage.runtime.block_on(client.call(FormatUpdateValue { transferable: Some(false), format })).expect("updated");
}

pub(super) fn keys(stage: &Stage, wanted: impl Fn(&SideRow) -> bool) -> Arc<Vec<RowKey>> {
    Arc::new(stage.state().sides.list.iter().filter(|row| wanted(row)).map(|row| row.key()).collect())
}

fn writes(proxy: &MutatingProxy) -> Vec<String> {
    let writes = proxy.asked().into_iter().filter(|asked| asked.method != "GET" && asked.path.starts_with("/asset"));
    writes.map(|asked| asked.path).collect()
}

#[test]
fn rows_are_copied_to_the_other_side_which_alone_is_written_to_and_taken_back() {
    let (mut stage, other) = two_services();
    let watched = MutatingProxy::start(other.port(), |_| ProxyAction::Pass);
    let there = support::client(&other);
    compare(&mut stage, &watched.url());
    let steps = stage.state().history.entries.len();
    let rows = keys(&stage, |row| matches!(row.state, RowState::OnlyLeft | RowState::Different));
    stage.perform(SidesAction::Copy(rows, Position::Right));
    stage.until_said("Copy 2 changes to the right?");
    assert!(stage.says(&watched.url()), "the question names where it is sent to");
    assert_eq!(writes(&watched), [""; 0], "nothing is written before");
    let lists = |proxy: &MutatingProxy| proxy.asked().iter().filter(|asked| asked.path.contains("fingerprint")).count();
    let read = lists(&watched);
    stage.press("Copy to the right");
    stage.until_said("2 of 2 changes");
    stage.until("the rows say so", |state| {
        state.sides.comparison.as_ref().is_some_and(|now| now.counts.of(RowState::Same) == 3)
    });
    assert_eq!(counts(&stage), [(RowState::OnlyRight, 1), (RowState::Same, 3)]);
    assert!(stage.says("mine.txt, same"));
    assert_eq!(lists(&watched), read, "the side is not read again");
    assert_eq!(text_of(&stage, &there, "mine.txt").as_deref(), Some("only here"));
    assert_eq!(text_of(&stage, &there, "both.txt").as_deref(), Some("one"));
    assert_eq!(text_of(&stage, &there, "theirs.txt").as_deref(), Some("only there"), "nothing is deleted");
    assert_eq!(stage.state().history.entries.len(), steps, "the connected service has no step");
    assert_eq!(text_of(&stage, &stage.client(), "theirs.txt"), None, "and was not written to");
    let of_other = HeadlessHistory::open(stage.folder.path(), watched.url().trim_end_matches('/')).expect("a history");
    assert_eq!(of_other.entries().len(), 1, "it is a step of that connection");
    stage.until_drawn("it can be undone", |harness| harness.query_by_role_and_label(Role::Button, "Undo").is_some());
    stage.press("Undo");
    stage.until("it is taken back", |state| state.sides.sent.as_ref().is_some_and(|sent| sent.undone));
    assert_eq!(text_of(&stage, &there, "mine.txt"), None);
    assert_eq!(text_of(&stage, &there, "both.txt").as_deref(), Some("two"));
    stage.until("the rows say so", |state| {
        state.sides.comparison.as_ref().is_some_and(|now| now.counts.of(RowState::Same) == 1)
    });
    assert!(stage.says("mine.txt, only left") && stage.says("both.txt, different"));
}

#[test]
fn what_changed_there_since_is_refused_row_by_row() {
    let (mut stage, other) = two_services();
    let there = support::client(&other);
    compare(&mut stage, &other.url());
    let rows = keys(&stage, |row| matches!(row.state, RowState::OnlyLeft | RowState::Different));
    stage.perform(SidesAction::Copy(rows, Position::Right));
    stage.until_said("Copy 2 changes to the right?");
    set_text(&stage, &there, "both.txt", "changed meanwhile");
    stage.press("Copy to the right");
    stage.until_said("1 of 2 changes");
    assert_eq!(text_of(&stage, &there, "both.txt").as_deref(), Some("changed meanwhile"));
    assert_eq!(text_of(&stage, &there, "mine.txt").as_deref(), Some("only here"));
    stage.until_said("1 were not");
}

#[test]
fn what_both_sides_changed_is_decided_part_by_part_and_written_as_it_was_decided() {
    let (mut stage, other) = two_services();
    let (here, there) = (stage.client(), support::client(&other));
    let before = "one\nsame\nsame\nsame\nsame\nsame\nsame\ntwo\n";
    set_text(&stage, &here, "both.txt", before);
    set_text(&stage, &there, "both.txt", before);
    compare(&mut stage, &other.url());
    set_text(&stage, &here, "both.txt", &before.replace("one", "left 1").replace("two", "left 2"));
    set_text(&stage, &there, "both.txt", &before.replace("one", "right 1").replace("two", "right 2"));
    stage.press("Compare");
    stage.until("both changed it", |state| {
        state.sides.comparison.as_ref().is_some_and(|now| now.counts.of(RowState::Conflict) == 1)
            && state.sides.stage == Compared::Ready
    });
    let conflict = keys(&stage, |row| row.state == RowState::Conflict);
    stage.perform(SidesAction::Copy(Arc::clone(&conflict), Position::Right));
    stage.until_said("decide which version is taken");
    stage.perform(SidesAction::Decide(Some(conflict[0].clone())));
    stage.until_said("2 of 2 changes are to be decided");
    stage.until_said("Change 1 of 2");
    assert!(
        stage.value_of("Left side") == "own" && !stage.find(Role::TextInput, "Left side").accesskit_node().is_focused()
    );
    stage.harness.get_by_role_and_label(Role::RadioButton, "Left").click();
    stage.until_said("1 of 2 changes are to be decided");
    stage.until_said("Change 2 of 2");
    stage.harness.get_by_role_and_label(Role::RadioButton, "Right").click();
    stage.until_said("Everything is decided. Copy it to either side from the list.");
    stage.press("Back to the list");
    stage.until_said("both.txt, decided");
    let decided = before.replace("one", "left 1").replace("two", "right 2");
    for (to, client) in [(Position::Right, &there), (Position::Left, &here)] {
        stage.perform(SidesAction::Copy(Arc::clone(&conflict), to));
        stage.until_said(&format!("Copy 1 change to the {}?", to.as_str()));
        stage.press(&format!("Copy to the {}", to.as_str()));
        stage.until_said("1 of 1 changes");
        stage.until("nothing is under way", |state| !state.sides.is_busy() && state.work.is_empty());
        assert_eq!(text_of(&stage, client, "both.txt"), Some(decided.clone()), "on the {}", to.as_str());
    }
    stage.press("Compare");
    stage.until("it is the same", |state| {
        state.sides.stage == Compared::Ready
            && state.sides.comparison.as_ref().is_some_and(|now| now.counts.of(RowState::Same) == 2)
    });
}

#[test]
fn matches_are_made_and_undone_by_hand() {
    let (mut stage, other) = two_services();
    compare(&mut stage, &other.url());
    let alone = keys(&stage, |row| matches!(row.state, RowState::OnlyLeft | RowState::OnlyRight));
    let id = |at: fn(&RowKey) -> Option<&Arc<str>>| alone.iter().find_map(at).cloned().expect("an id");
    let (left, right) = (id(|key| key.left.as_ref()), id(|key| key.right.as_ref()));
    stage.perform(SidesAction::Match(left, right));
    stage.until("they are one row", |state| state.sides.list.count() == 3 && !state.sides.is_busy());
    let matched = keys(&stage, |row| row.matched == Some(Match::Hand));
    assert_eq!(matched.len(), 1);
    stage.perform(SidesAction::Unmatch(matched[0].clone()));
    stage.until("they are two again", |state| state.sides.list.count() == 4 && !state.sides.is_busy());
}

#[test]
fn sides_are_chosen_from_what_is_known_and_what_is_wrong_is_said_beside_the_field() {
    let (mut stage, other) = two_services();
    stage.perform(NavigationAction::Show(Panel::Sides));
    stage.until_label("Compare two sides");
    assert_eq!(stage.value_of("Left side"), "own");
    stage.press("Choose the right side");
    stage.until_label("This connection as of yesterday");
    stage.harness.get_by_label("This connection as of yesterday").click();
    stage.until_drawn("it is in the field", |harness| {
        harness
            .query_all_by_label("Right side")
            .any(|node| node.accesskit_node().value().as_deref() == Some("@yesterday"))
    });
    let folder = stage.folder.path().join("files");
    std::fs::create_dir(&folder).expect("a folder");
    stage.picked.set(vec![folder.clone()]);
    stage.press("Choose the right side");
    stage.until_label("A folder of files or of data…");
    stage.harness.get_by_label("A folder of files or of data…").click();
    stage.until("it is taken", |state| state.sides.sources.texts[1] == folder.display().to_string());
    assert_eq!(stage.state().sides.sources.problems, [None, None]);
    stage.perform(SidesAction::Set(Position::Right, "/nonexistent/file".to_owned()));
    stage.until_said("There is no file or folder “/nonexistent/file”");
    assert!(stage.state().sides.sources.problems[0].is_none(), "the other side has no problem");
    stage.perform(SidesAction::Set(Position::Right, other.url()));
    stage.until("nothing is wrong", |state| state.sides.sources.problems == [None, None]);
    stage.press("Compare");
    stage.until("they are compared", |state| state.sides.stage == Compared::Ready);
}

#[test]
fn at_least_eight_rows_are_in_view_in_a_small_window() {
    let (mut stage, other) = two_services();
    let there = support::client(&other);
    for number in 0..20 {
        stage.runtime.block_on(support::assets::text_asset(
            &there,
            &format!("{number}.txt"),
            &format!("text {number}"),
        ));
    }
    stage.harness.set_size(egui::vec2(800.0, 600.0));
    compare(&mut stage, &other.url());
    stage.until("all are listed", |state| state.sides.list.order.len() == 24);
    let in_view = |harness: &egui_kittest::Harness<'static, Window>| {
        let table = harness.query_by_role_and_label(Role::Table, "Assets of both sides").map(|table| table.rect());
        let rows = harness.query_all_by_role(Role::Row);
        rows.filter(|row| table.is_some_and(|table| table.contains_rect(row.rect()))).count()
    };
    // The first row of a table has the titles of its columns.
    stage.until_drawn("eight rows", |harness| in_view(harness) > 8);
}

#[test]
fn many_rows_are_filtered_beside_the_frames() {
    let mut stage = Stage::embedded();
    let folder = stage.folder.path().join("files");
    std::fs::create_dir(&folder).expect("a folder");
    for number in 0..5_200 {
        std::fs::write(folder.join(format!("{number}.txt")), format!("text {number}")).expect("a file");
    }
    compare(&mut stage, &folder.display().to_string());
    assert_eq!(stage.state().sides.list.order.len(), 5_200);
    stage.harness.state_mut().perform(Action::List(List::Sides, Change::Filter("4711.txt".to_owned())));
    assert!(stage.state().sides.list.applying_query, "not within the frame");
    stage.until("one is shown", |state| state.sides.list.order.len() == 1 && !state.sides.list.applying_query);
}
