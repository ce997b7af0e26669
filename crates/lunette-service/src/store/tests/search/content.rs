//! New content is indexed once before its commit, whatever else the commit does to it.

use rusqlite::Transaction;

use crate::store::tests::assets::{add, store};
use crate::store::{Store, StoreError};

/// The formats that are found by a word of their content.
fn formats(store: &Store, word: &str) -> Vec<i64> {
    store
        .read(|db| {
            let mut found = db.prepare("SELECT rowid FROM search_word WHERE search_word MATCH ?1 ORDER BY rowid")?;
            Ok(found.query_map([word], |row| row.get(0))?.collect::<Result<_, _>>()?)
        })
        .expect("a search")
}

fn waiting(store: &Store) -> i64 {
    let count = "SELECT (SELECT count(*) FROM search_stale) + (SELECT count(*) FROM search_content_stale)";
    store.read(|db| Ok(db.query_row(count, [], |row| row.get(0))?)).expect("a count")
}

fn change(store: &Store, change: impl FnOnce(&Transaction) -> rusqlite::Result<()> + Send + 'static) {
    store.write(move |db| change(db).map_err(StoreError::from)).expect("changed");
    assert_eq!(waiting(store), 0, "nothing waits to be indexed after a commit");
}

/// Stores a content for the format of the first asset anew.
const AGAIN: &str = "DELETE FROM content; INSERT INTO content (format, text) VALUES (1, 'second words')";

#[test]
fn content_is_found_as_soon_as_it_is_committed() {
    let store = store();
    add(&store, "a", "first words");
    assert_eq!((formats(&store, "first"), waiting(&store)), (vec![1], 0));
}

#[test]
fn content_that_is_replaced_within_its_commit_is_found_by_its_last_words_only() {
    let store = store();
    add(&store, "a", "first words");
    change(&store, |db| db.execute_batch(AGAIN));
    assert_eq!((formats(&store, "first"), formats(&store, "second")), (vec![], vec![1]));
    change(&store, |db| {
        db.execute_batch(AGAIN)?;
        db.execute_batch("UPDATE content SET text = 'third words'; UPDATE content SET text = 'fourth 天气'")
    });
    let found = ["second", "third", "fourth"].map(|word| formats(&store, word));
    assert_eq!(found, [vec![], vec![], vec![1]]);
}

#[test]
fn content_that_is_gone_before_its_commit_is_not_found() {
    let store = store();
    add(&store, "a", "first words");
    change(&store, |db| {
        db.execute_batch(AGAIN)?;
        db.execute_batch("DELETE FROM content")
    });
    assert_eq!((formats(&store, "first"), formats(&store, "second")), (vec![], vec![]));
    change(&store, |db| db.execute_batch("INSERT INTO content (format, bytes) VALUES (1, x'00')"));
    change(&store, |db| db.execute_batch("UPDATE content SET bytes = NULL, text = 'text now'"));
    assert_eq!(formats(&store, "now"), [1]);
    change(&store, |db| db.execute_batch("UPDATE content SET bytes = x'00', text = NULL"));
    assert_eq!(formats(&store, "now"), [0; 0]);
}

#[test]
fn content_of_a_change_that_is_rolled_back_is_not_found() {
    let store = store();
    add(&store, "a", "first words");
    let refused = store.write(|db| -> Result<(), StoreError> {
        db.execute_batch(AGAIN)?;
        Err(StoreError::invalid("no"))
    });
    assert!(refused.is_err());
    assert_eq!((formats(&store, "first"), formats(&store, "second"), waiting(&store)), (vec![1], vec![], 0));
}
