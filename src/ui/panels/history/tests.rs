//! The panel on states built by hand.

use std::collections::BTreeMap;
use std::sync::Arc;

use egui::accesskit::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use serde_json::json;

use super::*;
use lunette_client::model::diff::{FieldChange, Path, Step};
use lunette_client::model::id::AssetId;
use lunette_client::operation::Operation as _;
use lunette_client::operation::table::{ApplicationsRegister, AssetFormats, TagsCreateNewTag};
use lunette_inspector::action::{AssetsAction, BulkAction, HistoryAction};
use lunette_inspector::change::{Change, Counter, Edit, Field};
use lunette_inspector::filter::{List, parse};
use lunette_inspector::history::asset_name;
use lunette_inspector::journal::{Entry, Outcome, Sent};
use lunette_inspector::listing::{AnyList as _, Change as ListChange};
use lunette_inspector::runs::{RowStatus, Run, RunId, RunRow, RunStatus};

/// A panel over a state, and the actions it pushed.
struct Shown {
    panel: HistoryPanel,
    state: State,
    actions: Vec<Action>,
}

fn panel(state: State) -> Harness<'static, Shown> {
    let mut state = state;
    state.update_rows();
    let shown = Shown { panel: HistoryPanel::default(), state, actions: Vec::new() };
    let draw = |ui: &mut Ui, shown: &mut Shown| shown.panel.ui(ui, &shown.state, &mut shown.actions);
    let builder = Harness::builder().with_size([1084.0, 728.0]).with_context_setup(crate::ui::theme::install);
    let mut harness = builder.allow_missing_glyphs().build_ui_state(draw, shown);
    harness.run_ok();
    harness
}

fn rename(name: &str) -> Entry {
    let edit = Edit { field: Field::Name, from: Some(name.into()), to: "new.txt".into() };
    let path = Path(vec![Step::Key("name".to_owned())]);
    Entry {
        id: EntryId::random(),
        at: jiff::Timestamp::now(),
        title: "Renamed to “new.txt”".to_owned(),
        kind: EntryKind::Change(Change::Edit { asset: AssetId::random(), edits: vec![edit] }),
        requests: vec![Sent {
            operation: "assetUpdate".to_owned(),
            method: "POST".to_owned(),
            target: "/x/update?transferables=false".to_owned(),
            body: Some("{\"name\":\"new.txt\"}".to_owned()),
            shortened: false,
        }],
        fields: vec![FieldChange { path, before: Some(name.into()), after: Some("new.txt".into()) }],
        before: Some(json!({ "name": name })),
        outcome: Outcome::Done,
        answers: EntryRelation::None,
        undone: false,
        partly: None,
        ended: None,
        was_unknown: None,
        group: None,
        asked_by: None,
    }
}

fn with(entries: Vec<Entry>, looked_at: usize) -> State {
    let mut state = State::default();
    state.history.selected = entries.get(looked_at).map(|entry| entry.id);
    state.history.here = entries.iter().map(|entry| entry.id).collect();
    state.history.entries = entries.into_iter().map(Arc::new).collect();
    state.connection.address = Some("http://127.0.0.1:1000".to_owned());
    state
}

/// A run of this many rows: the first tenth failed, one unknown, and its entry.
fn with_run(rows: usize, status: RunStatus) -> (State, RunId) {
    let row = |index: usize| RunRow {
        status: match index {
            0 => RowStatus::Unknown("the answer did not come".to_owned()),
            _ if index <= rows / 10 => RowStatus::Failed("503: out of order".to_owned()),
            _ if index.is_multiple_of(2) || status == RunStatus::Ended => RowStatus::Done,
            _ => RowStatus::Pending,
        },
        ..RunRow::new(AssetId::random(), &format!("asset {index}"))
    };
    let mut entry = rename("a.txt");
    entry.title = format!("Linked tag “rust” to {rows} assets");
    let mut run = Run::new(entry.title.clone(), (0..rows).map(row).collect(), 4);
    entry.kind = EntryKind::Batch { run: run.id, count: rows };
    (run.status, run.entry) = (status, Some(entry.id));
    let mut state = with(vec![entry], 0);
    state.bulk.runs = BTreeMap::from([(run.id, run.clone())]);
    (state, run.id)
}

fn disabled(harness: &Harness<'_, Shown>, button: &str) -> bool {
    harness.get_by_role_and_label(Role::Button, button).accesskit_node().is_disabled()
}

fn asks(harness: &mut Harness<'_, Shown>, button: &str) -> Vec<Action> {
    harness.state_mut().actions.clear();
    harness.get_by_role_and_label(Role::Button, button).click();
    harness.run_ok();
    std::mem::take(&mut harness.state_mut().actions)
}

#[test]
fn an_empty_history_explains_what_will_appear() {
    let harness = panel(State::default());
    harness.get_by_label("No changes yet");
    harness.get_by_label_contains("recorded here before it is sent");
}

#[test]
fn a_history_that_is_not_read_yet_is_not_called_empty() {
    let mut state = State::default();
    state.connection.status = Status::Connecting;
    let harness = panel(state);
    assert!(harness.query_by_label("No changes yet").is_none());
}

#[test]
fn in_a_narrow_list_the_title_keeps_its_width_and_hover_shows_all_of_it() {
    let title = "Linked tag “a tag with quite a long name” to an asset with a name that is long, too";
    for width in [320.0, 380.0, 440.0, 520.0, 560.0, 640.0, 980.0] {
        let mut entry = rename("a.txt");
        entry.title = title.to_owned();
        let mut harness = panel(with(vec![entry], usize::MAX));
        harness.set_size(egui::vec2(width, 700.0));
        harness.run_ok();
        let what = harness.get_by_role_and_label(Role::ColumnHeader, "What").rect().width();
        assert!(what >= (width * 0.5).min(220.0), "{what} of {width}");
        harness.get_by_role_and_label(Role::ColumnHeader, "Result");
        // Without its margins the list has 478, as beside a page in a window of 1280 points.
        let when = harness.query_by_role_and_label(Role::ColumnHeader, "When").is_some();
        assert_eq!(when, width >= 500.0, "{width}");
    }
    let mut entry = rename("a.txt");
    entry.title = title.to_owned();
    entry.answers = EntryRelation::Undoes(EntryId::random());
    let mut harness = panel(with(vec![entry], usize::MAX));
    let lines = |harness: &Harness<'_, Shown>| harness.query_all_by_label(title).count();
    let before = lines(&harness);
    harness.query_all_by_label(title).next().expect("the title").hover();
    harness.run_steps(60);
    assert!(lines(&harness) > before, "the whole title is said on hover");
}

#[test]
fn problems_with_the_journal_are_reported() {
    let mut state = State::default();
    state.history.message = Some("3 lines of the journal could not be read".to_owned());
    panel(state).get_by_label_contains("3 lines of the journal");
}

#[test]
fn the_newest_step_is_first_and_each_says_how_it_ended() {
    let mut entries: Vec<Entry> = ["a.txt", "b.txt", "c.txt", "d.txt", "e.txt"].map(rename).into();
    entries[0].undone = true;
    entries[1].outcome = Outcome::Failed("404".to_owned());
    entries[2].outcome = Outcome::Unknown("timed out".to_owned());
    entries[3].outcome = Outcome::Sending;
    entries[4].outcome = Outcome::Sending;
    let mut state = with(entries, usize::MAX);
    let elsewhere = state.history.entries[4].id;
    state.history.here.remove(&elsewhere);
    let harness = panel(state);
    let rows: Vec<_> = harness.query_all_by_role(Role::Row).filter_map(|row| row.accesskit_node().label()).collect();
    let wanted = ["e.txt, in another window", "d.txt, under way", "c.txt, unknown", "b.txt, failed", "a.txt, undone"];
    assert_eq!(rows, wanted.map(|end| format!("Renamed to “new.txt”, {end}")));
}

#[test]
fn a_row_opens_and_the_filter_matches_title_and_asset() {
    let mut harness = panel(with(["a.txt", "b.txt"].map(rename).into(), usize::MAX));
    let wanted = harness.state().state.history.entries[0].id;
    harness.get_by_role_and_label(Role::Row, "Renamed to “new.txt”, a.txt, done").click();
    harness.run_ok();
    assert!(harness.state().actions.contains(&Action::History(HistoryAction::Select(Some(wanted)))));
    harness.get_by_role_and_label(Role::TextInput, "Filter steps").focus();
    harness.run_ok();
    harness.get_by_role_and_label(Role::TextInput, "Filter steps").type_text("renamed B.TXT");
    harness.run_ok();
    let asked = harness.state().actions.iter().rev().find_map(|action| match action {
        Action::List(List::History, ListChange::Filter(text)) => Some(parse(text, List::History)),
        _ => None,
    });
    let list = &mut harness.state_mut().state.history.list;
    list.query.filter = asked.expect("a filter was asked for").expect("a filter");
    list.apply();
    harness.run_ok();
    assert_eq!(harness.query_all_by_role(Role::Row).count(), 1);
}

#[test]
fn an_entry_shows_both_values_and_its_requests_and_is_undone() {
    let mut harness = panel(with(vec![rename("old.txt")], 0));
    harness.get_by_label("Name: \"old.txt\" becomes \"new.txt\"");
    harness.get_by_label("POST /x/update?transferables=false");
    assert_eq!(asks(&mut harness, "Copy as curl"), [Action::Notify("Copied the call as curl".to_owned())]);
    let id = harness.state().state.history.entries[0].id;
    assert_eq!(asks(&mut harness, "Undo this step"), [Action::History(HistoryAction::UndoStep(id))]);
    harness.get_by_role_and_label(Role::Link, "Open old.txt").click();
    harness.run_ok();
    assert!(matches!(harness.state().actions.as_slice(), [Action::Assets(AssetsAction::Open(_))]));
}

#[test]
fn an_entry_that_cannot_be_undone_says_why() {
    let mut entry = rename("a.txt");
    let change = Change::Increment { asset: AssetId::random(), counter: Counter::Reuse, from: Some(1) };
    entry.kind = EntryKind::Change(change);
    let harness = panel(with(vec![entry], 0));
    assert!(disabled(&harness, "Undo this step"));
    harness.get_by_label_contains("cannot be decremented");
}

#[test]
fn an_unknown_outcome_is_read_again_and_never_repeated() {
    let mut entry = rename("a.txt");
    entry.outcome = Outcome::Unknown("no answer came within 5 s".to_owned());
    let id = entry.id;
    let mut harness = panel(with(vec![entry], 0));
    harness.get_by_label("no answer came within 5 s");
    harness.get_by_label_contains("never repeats a change by itself");
    assert!(disabled(&harness, "Undo this step"));
    assert_eq!(asks(&mut harness, "Read again"), [Action::History(HistoryAction::Reconcile(id))]);
}

#[test]
fn an_undo_names_the_step_it_reverts() {
    let (first, mut second) = (rename("a.txt"), rename("a.txt"));
    second.title = "Renamed to “a.txt”".to_owned();
    second.answers = EntryRelation::Undoes(first.id);
    let id = first.id;
    let mut harness = panel(with(vec![first, second], 1));
    harness.get_by_label("Undoes");
    harness.get_by_role_and_label(Role::Link, "Open the step Renamed to “new.txt”").click();
    harness.run_ok();
    assert_eq!(harness.state().actions, [Action::History(HistoryAction::Select(Some(id)))]);
}

#[test]
fn a_missing_run_is_requested_once() {
    let (mut state, run) = with_run(10, RunStatus::Ended);
    state.bulk.runs.clear();
    let mut harness = panel(state);
    harness.run_steps(3);
    let asked = harness.state().actions.iter().filter(|action| **action == Action::Bulk(BulkAction::Open(run))).count();
    assert_eq!(asked, 1);
    harness.get_by_label("Loading the rows");
}

#[test]
fn a_run_shows_its_rows_by_status_with_their_reasons() {
    let (state, run) = with_run(1_000, RunStatus::Ended);
    let mut harness = panel(state);
    for name in ["All (1,000)", "Done (899)", "Failed (100)", "Unknown (1)"] {
        harness.get_by_label(name);
    }
    harness.get_by_label("Failed (100)").click();
    harness.run_ok();
    harness.get_by_role_and_label(Role::Row, "asset 1, failed");
    harness.query_all_by_label("503: out of order").next().expect("the reason");
    assert!(harness.query_by_role_and_label(Role::Row, "asset 101, done").is_none());
    assert_eq!(asks(&mut harness, "Retry failed (100)"), [Action::Bulk(BulkAction::Retry(run))]);
}

#[test]
fn only_the_visible_ones_of_a_hundred_thousand_rows_are_drawn() {
    let (state, _) = with_run(100_000, RunStatus::Running);
    let harness = panel(state);
    assert!(harness.query_all_by_role(Role::Row).count() < 40);
}

#[test]
fn the_controls_of_a_run_depend_on_its_status() {
    let cases = [
        (RunStatus::Running, "Pause", "10/s"),
        (RunStatus::Paused(Some("the service does not answer".to_owned())), "Resume", "the service does not answer"),
        (RunStatus::Interrupted, "Resume", "nothing is done twice"),
    ];
    for (status, button, words) in cases {
        let (state, run) = with_run(40, status.clone());
        let mut harness = panel(state);
        let wanted = if button == "Pause" {
            Action::Bulk(BulkAction::Pause(run))
        } else {
            Action::Bulk(BulkAction::Resume(run))
        };
        assert_eq!(asks(&mut harness, button), [wanted]);
        assert_eq!(asks(&mut harness, "Cancel"), [Action::Bulk(BulkAction::Cancel(run))]);
        if status != RunStatus::Running {
            harness.get_by_label_contains(words);
        }
    }
}

#[test]
fn a_cancelled_run_says_what_was_not_started_and_a_report_is_saved() {
    let (state, run) = with_run(40, RunStatus::Cancelled);
    let mut harness = panel(state);
    harness.get_by_label_contains("were not started");
    harness.get_by_role_and_label(Role::Button, "Report").click();
    harness.run_ok();
    let asked = asks(&mut harness, "Save as Markdown…");
    assert_eq!(asked, [Action::Bulk(BulkAction::SaveReport(run, lunette_inspector::bulk::ReportKind::Markdown))]);
    assert!(matches!(asks(&mut harness, "Undo batch").as_slice(), [Action::History(HistoryAction::UndoStep(_))]));
}

#[test]
fn a_batch_says_how_far_it_is_undone_and_a_partly_done_one_how_far_it_was_done() {
    let (mut state, _) = with_run(20, RunStatus::Ended);
    let mut entry = Entry::clone(&state.history.entries[0]);
    entry.partly = Some(lunette_inspector::journal::Partly { undone: 19, of: 20, unclear: false });
    let mut second = Entry { id: EntryId::random(), partly: None, ..entry.clone() };
    second.outcome = Outcome::Partly { done: 3, of: 20, why: "17 of 20 failed".to_owned() };
    let mut third = Entry { id: EntryId::random(), ..second.clone() };
    third.outcome = Outcome::Failed("20 of 20 failed".to_owned());
    state.history.entries = [entry, second, third].map(Arc::new).into();
    let harness = panel(state);
    let rows: Vec<_> = harness.query_all_by_role(Role::Row).filter_map(|row| row.accesskit_node().label()).collect();
    let rows: Vec<_> = rows.into_iter().filter(|row| row.starts_with("Linked")).collect();
    assert_eq!(rows.len(), 3);
    for (row, end) in rows.iter().zip(["failed", "partly done: 3 of 20", "partly undone: 19 of 20"]) {
        assert_eq!(*row, format!("Linked tag “rust” to 20 assets, 20 assets, {end}"));
    }
}

#[test]
fn a_run_that_is_over_has_no_bar_of_one_under_way() {
    for (status, bars) in [(RunStatus::Running, 1), (RunStatus::Ended, 0), (RunStatus::Cancelled, 0)] {
        let (state, _) = with_run(40, status);
        assert_eq!(panel(state).query_all_by_role(Role::ProgressIndicator).count(), bars);
    }
}

#[test]
fn an_undo_that_left_the_step_in_force_offers_no_redo() {
    let (first, mut second) = (rename("a.txt"), rename("a.txt"));
    second.answers = EntryRelation::Undoes(first.id);
    second.outcome = Outcome::Failed("410".to_owned());
    let harness = panel(with(vec![first, second], 1));
    assert!(harness.query_by_role_and_label(Role::Button, "Redo this step").is_none());
}

#[test]
fn a_call_is_titled_by_its_application_or_asset_and_never_by_its_operation() {
    let call = |operation: &str, target: String, body: Option<&str>| {
        let mut entry = rename("a.txt");
        entry.kind = EntryKind::Call { operation: operation.to_owned() };
        let body = body.map(str::to_owned);
        let (operation, method) = (operation.to_owned(), "POST".to_owned());
        entry.requests = vec![Sent { operation, method, target, body, shortened: false }];
        entry
    };
    let asset = AssetId::random();
    let application = Some("{\"id\":\"a\",\"name\":\"OPEN_SOURCE\",\"descriptor\":\"Sextant\"}");
    let state = State::default();
    let name = |entry: &Entry| asset_name(entry, &state.history, &Default::default()).into_owned();
    assert_eq!(name(&call("applicationsRegister", ApplicationsRegister::INFO.path.to_owned(), application)), "Sextant");
    assert_eq!(
        name(&call("assetFormats", AssetFormats::INFO.path.replace("{asset}", asset.as_str()), None)),
        asset.as_str()
    );
    assert_eq!(name(&call("tagsCreateNewTag", TagsCreateNewTag::INFO.path.to_owned(), None)), "");
}
