//! Links of one commit take few statements, leave what links one after the other leave, and fail alone.

use std::cell::Cell;
use std::path::Path;

use rusqlite::trace::{TraceEvent, TraceEventCodes};
use tempfile::TempDir;

use super::*;
use crate::store::disk::file::{self, LogLimits};
use crate::store::records::item::ItemKind;
use crate::store::tests::assets::{add, add_tag};
use crate::store::writer::queue::{Frees, Queue};
use crate::store::{Store, writer};

thread_local! {
    static STATEMENTS: Cell<usize> = const { Cell::new(0) };
    static TRIGGERS: Cell<usize> = const { Cell::new(0) };
}

fn count(event: TraceEvent<'_>) {
    if let TraceEvent::Stmt(_, sql) = event {
        let counter = if sql.starts_with("--") { &TRIGGERS } else { &STATEMENTS };
        counter.set(counter.get() + 1);
    }
}

/// A folder with these numbers of assets and tags; their ids.
fn filled(assets: usize, tags: usize) -> (TempDir, Vec<String>, Vec<String>) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(folder.path()).expect("a store");
    let assets = (0..assets).map(|number| add(&store, &format!("{number}.txt"), "text")).collect();
    let tags = (0..tags).map(|number| add_tag(&store, &format!("tag {number}"))).collect();
    (folder, assets, tags)
}

/// A connection as the writer has it.
fn connect(folder: &Path) -> Connection {
    let connection = Connection::open(folder.join("lunette.sqlite3")).expect("a database");
    file::prepare_writer(&connection, LogLimits::of_memory()).expect("prepared");
    writer::install_triggers(&connection).expect("triggers");
    connection
}

/// Makes these links in one commit; gives the results.
fn commit(connection: &mut Connection, links: Vec<LinkChange>) -> Vec<Result<LinkOutcome, StoreError>> {
    let (queue, mut waiting) = Queue::new();
    for link in links {
        drop(queue.send(Frees::No, Shares::Commit, Work::Link(link)).expect("sent"));
    }
    let mut done = Batch::default();
    run_changes(connection, &mut std::iter::from_fn(|| waiting.next_sharing()), &mut done, |_| Ok(()))
        .expect("committed");
    done.changes.into_iter().map(|change| change.result.expect("it ran")).collect()
}

/// What a statement returns, as text.
fn rows(connection: &Connection, query: &str) -> Vec<String> {
    let mut statement = connection.prepare(query).expect("a query");
    let rows = statement.query_map([], |row| row.get(0)).expect("rows");
    rows.collect::<Result<_, _>>().expect("texts")
}

/// How many statements and triggers links take in one commit.
fn cost(connection: &mut Connection, links: Vec<LinkChange>) -> (usize, usize) {
    STATEMENTS.set(0);
    TRIGGERS.set(0);
    assert!(commit(connection, links).iter().all(Result::is_ok));
    (STATEMENTS.get(), TRIGGERS.get())
}

#[test]
fn a_link_takes_four_statements_and_each_side_is_read_and_touched_once_a_commit() {
    let (folder, assets, tags) = filled(41, 41);
    let mut connection = connect(folder.path());
    let link = |asset: &String, tag: &String| LinkChange::add(asset, ItemKind::Tag, tag, Some(1 << 20));
    // Statements are prepared, and the index has its first entries.
    commit(&mut connection, vec![link(&assets[40], &tags[40]), link(&assets[40], &tags[39])]);
    connection.trace_v2(TraceEventCodes::SQLITE_TRACE_STMT, Some(count)).expect("traced");
    let one = cost(&mut connection, vec![link(&assets[0], &tags[0])]);
    let tags_of_one: Vec<_> = tags[1..40].iter().map(|tag| link(&assets[0], tag)).collect();
    let many = cost(&mut connection, tags_of_one);
    // Each tag is found and touched; a link and an activity are made.
    assert!(many.0 <= one.0 + 38 * 4, "{one:?} of one link, {many:?} of 39");
    assert!(one.0 <= 20, "{one:?} with the commit and the index of the search");
    // Five triggers with six statements: three of the link, one of the tag and one of the activity.
    assert!(many.1 <= one.1 + 38 * 11, "{one:?} of one link, {many:?} of 39: triggers");
    let again = cost(&mut connection, tags.iter().take(40).map(|tag| link(&assets[0], tag)).collect());
    assert!(again.0 <= one.0 + 39 * 2, "{again:?} of 40 links that are there");
}

#[test]
fn linking_in_a_batch_gives_the_same_result_as_linking_one_by_one() {
    let (folder, assets, tags) = filled(3, 4);
    let mut changes = Vec::new();
    let mut random = 7_u64;
    for _ in 0..200 {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let pick = |shift: u32, count: usize| (random >> shift) as usize % count;
        let (asset, tag) = (&assets[pick(33, 3)], &tags[pick(40, 4)]);
        changes.push(match pick(50, 2) {
            0 => LinkChange::remove(asset, ItemKind::Tag, tag),
            _ => LinkChange::add(asset, ItemKind::Tag, tag, None),
        });
    }
    let copy = tempfile::tempdir().expect("a folder");
    std::fs::copy(folder.path().join("lunette.sqlite3"), copy.path().join("lunette.sqlite3")).expect("copied");
    let (mut together, mut apart) = (connect(folder.path()), connect(copy.path()));
    commit(&mut together, changes.clone());
    for change in changes {
        commit(&mut apart, vec![change]);
    }
    for query in [
        "SELECT json_array(asset, item, mechanism) FROM link ORDER BY asset, item",
        "SELECT json_array(asset, event, told, mechanism, rank, origin, metadata) FROM activity ORDER BY row",
        "SELECT json_array(row, score_manual, updated > created) FROM asset ORDER BY row",
        "SELECT json_array(row, updated > created) FROM item ORDER BY row",
        "SELECT json_array(row, name, tag) FROM search_text ORDER BY row",
    ] {
        assert_eq!(rows(&together, query), rows(&apart, query), "{query}");
    }
}

#[test]
fn a_link_of_several_that_cannot_be_made_fails_alone() {
    let (folder, assets, tags) = filled(1, 3);
    let mut connection = connect(folder.path());
    let link = |tag: &str| LinkChange::add(&assets[0], ItemKind::Tag, tag, None);
    let made = commit(&mut connection, vec![link(&tags[0]), link("unknown"), link(&tags[1])]);
    let done = Ok(LinkOutcome::Done);
    assert_eq!(made, [done.clone(), Err(StoreError::not_found("tag", "unknown")), done.clone()]);
    let refuse = format!(
        "CREATE TEMP TRIGGER refuse BEFORE INSERT ON link WHEN new.item = (SELECT row FROM item WHERE id = '{}')
         BEGIN SELECT RAISE(ABORT, 'no'); END",
        tags[2]
    );
    connection.execute_batch(&refuse).expect("a trigger");
    let again = LinkChange::remove(&assets[0], ItemKind::Tag, &tags[0]);
    let made = commit(&mut connection, vec![again, link(&tags[2]), link(&tags[0])]);
    assert!(
        matches!(&made[..], [Ok(LinkOutcome::Done), Err(StoreError::Broken(_)), Ok(LinkOutcome::Done)]),
        "{made:?}"
    );
    assert_eq!(rows(&connection, "SELECT 'x' FROM link").len(), 2);
    let events = "SELECT event FROM activity WHERE event <> 'asset_created' ORDER BY row";
    let expected = ["asset_tag_added", "asset_tag_added", "asset_tag_deleted", "asset_tag_added"];
    assert_eq!(rows(&connection, events), expected);
}
