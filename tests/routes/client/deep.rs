//! JSON that is deep, has a million keys, or one of ten megabytes: read, compared and put away on a stack of two
//! megabytes, in seconds.

use std::time::{Duration, Instant};

use lunette_client::client::Limits;
use lunette_client::model::diff::{apply, diff};
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::ApplicationsSnapshot;
use serde_json::Value;

use crate::support::client_at;
use crate::support::hostile::{Behaviour, Hostile};

/// On a busy machine, and in a program that is not made fast.
const MOST: Duration = Duration::from_secs(60);

fn list(extra: &str) -> String {
    format!("{{\"iterable\": [], \"extra\": {extra}}}")
}

/// Arrays in arrays, so that the whole list has this depth.
fn deep(levels: usize) -> String {
    list(&format!("{}{}", "[".repeat(levels - 1), "]".repeat(levels - 1)))
}

/// What the client makes of an answer, on a thread with a small stack.
fn read(body: String) -> Result<Value, &'static str> {
    let read = move || {
        let server = Hostile::start(Behaviour::ok(body));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let client = client_at(&server.url(), Limits::default());
        let answer = runtime.block_on(client.call(ApplicationsSnapshot {}));
        answer.map(|list| list.into_tree()).map_err(|error| error.phase())
    };
    on_a_small_stack(read)
}

fn on_a_small_stack<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let thread = std::thread::Builder::new().stack_size(2 * 1024 * 1024).spawn(work).expect("a thread");
    thread.join().expect("it ends")
}

/// Compares a tree with one that differs at its last places, and makes the one of the other.
fn compared(tree: Value, change: impl FnOnce(&mut Value)) -> usize {
    let mut other = tree.clone();
    change(&mut other);
    on_a_small_stack(move || {
        let changes = diff(&tree, &other);
        assert_eq!(apply(&changes, tree).as_ref(), Ok(&other));
        changes.len()
    })
}

#[test]
fn too_deeply_nested_json_is_refused_without_an_overflow() {
    // The limit of serde_json is 128 levels, and the list is one of them.
    let tree = read(deep(127)).expect("it is read");
    assert_eq!(compared(tree, |tree| tree["extra"] = Value::Null), 1);
    for levels in [128, 129, 100_000] {
        assert_eq!(read(deep(levels)), Err("not JSON"), "{levels} levels");
    }
}

#[test]
fn two_hundred_thousand_keys_are_read_and_compared_in_time() {
    let begun = Instant::now();
    let keys: Vec<_> = (0..200_000).map(|index| format!("\"k{index}\":0")).collect();
    let tree = read(list(&format!("{{{}}}", keys.join(",")))).expect("it is read");
    let read_in = begun.elapsed();
    assert_eq!(tree["extra"].as_object().map(serde_json::Map::len), Some(200_000));
    let changes = compared(tree, |tree| {
        for index in 199_000..200_000 {
            tree["extra"][format!("k{index}")] = 1.into();
        }
    });
    assert_eq!(changes, 1_000);
    println!("read in {read_in:?}, with the comparison {:?}", begun.elapsed());
    assert!(begun.elapsed() < MOST);
}

#[test]
fn a_key_of_ten_megabytes_is_compared_without_a_copy_per_nested_field() {
    let begun = Instant::now();
    let key = "x".repeat(10_000_000);
    let below: Vec<_> = (0..1_000).map(|index| format!("\"k{index}\":[{index}]")).collect();
    let tree = read(list(&format!("{{\"{key}\": {{{}}}}}", below.join(",")))).expect("it is read");
    let changes = compared(tree, |tree| {
        let fields = tree["extra"][&key].as_object_mut().expect("an object");
        fields.values_mut().for_each(|value| *value = Value::Null);
    });
    assert_eq!(changes, 1, "what stands below such a key differs as a whole");
    println!("read and compared in {:?}", begun.elapsed());
    assert!(begun.elapsed() < MOST);
}
