//! How long searches that go on take, and how large their index is. Run them by themselves:
//! `ASSETS=100000 cargo test -p lunette-service measured -- --ignored --nocapture`. With `STORE=FOLDER` the store stays there,
//! and is used again. Times are of the processor, so that other work on the machine does not count.

use std::time::{Duration, Instant};

use super::questions::going_on;
use super::recorded::{fill, made_assets::made};
use super::search;
use crate::store::Store;
use crate::store::records::create::OnDuplicate;
use crate::store::records::format::Content;
use crate::store::tests::assets::new_asset;

/// What each step needs at least once.
const QUERIES: [(&str, &str); 12] = [
    ("any word, one rare", "tibarolene nowhere"),
    ("any word, common", "nebabababa usual nowhere"),
    ("any word, all common", "usual file topic value nowhere"),
    ("any word, five", "tibarolene sukakaroro lemolenesu kabatilero nowhere"),
    ("forms", "tibarolenes values nowhere"),
    ("parts of identifiers", "tibarolene_nebabababa"),
    ("misspelt", "tibraolene"),
    ("misspelt, three words", "tibraolene skuakaroro lemolensu"),
    ("misspelt, first letter", "xibarolene"),
    ("pieces", "xyzlenekaxyz"),
    ("synonyms", "delete insert"),
    ("all together", "tibraolene values delete xyzlenekaxyz usual nowhere"),
];

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// How long this thread has used the processor; where the system does not say, the time of day.
fn used() -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|told| told.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(|| std::time::UNIX_EPOCH.elapsed().expect("a time"), Duration::from_nanos)
}

fn measure(store: &Store) {
    for (step, query) in QUERIES {
        let times = |goes_on: bool| {
            let of = |_| {
                let began = used();
                let found = store.search(&if goes_on { going_on(query) } else { search(query) }).expect("a search");
                (used() - began, found.hits.len())
            };
            let runs: Vec<(Duration, usize)> = (0..9).map(of).collect();
            (median(runs.iter().map(|(time, _)| *time).collect()), runs[0].0, runs[0].1)
        };
        let ((exact, _, _), (all, first, hits)) = (times(false), times(true));
        println!("{step}: {all:.1?} (first {first:.1?}), of it exact {exact:.1?}; {hits} found for {query}");
    }
}

fn sizes(store: &Store) {
    let query = "SELECT CASE WHEN name LIKE 'search_form%' OR name LIKE 'search_vocabulary%' THEN 'forms'
                   WHEN name LIKE 'search%' THEN 'index' ELSE 'other' END AS part, sum(pgsize) FROM dbstat GROUP BY part";
    let sizes = store.read(|db| {
        let mut query = db.prepare(query)?;
        let rows = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<Result<Vec<(String, i64)>, _>>()?)
    });
    println!("bytes: {:?}", sizes.expect("sizes"));
}

/// Indexes all forms anew, as after an update of the program; a search goes on meanwhile.
fn index_anew(store: &Store) {
    store
        .write(|db| {
            Ok(db.execute_batch(
                "DELETE FROM search_form; DELETE FROM search_vocabulary; DELETE FROM search_form_waiting;
                 INSERT INTO search_form_waiting (row)
                 SELECT -row FROM search_text UNION ALL SELECT format FROM content WHERE text IS NOT NULL",
            )?)
        })
        .expect("emptied");
    let (began, mut slowest) = (Instant::now(), Duration::ZERO);
    let left = || -> i64 {
        let query = "SELECT count(*) FROM search_form_waiting";
        store.read(|db| Ok(db.query_row(query, [], |row| row.get(0))?)).expect("a count")
    };
    while left() > 0 {
        let search_began = Instant::now();
        store.search(&going_on("tibarolene usual")).expect("a search");
        slowest = slowest.max(search_began.elapsed());
        std::thread::yield_now();
    }
    println!("indexed anew in {:.1?}; the slowest search meanwhile {slowest:.1?}", began.elapsed());
}

#[test]
#[ignore = "takes minutes"]
fn measured() {
    let count: usize = std::env::var("ASSETS").ok().and_then(|count| count.parse().ok()).unwrap_or(10_000);
    let folder = tempfile::tempdir().expect("a folder");
    let kept = std::env::var_os("STORE").map(std::path::PathBuf::from);
    let is_filled = kept.as_ref().is_some_and(|kept| kept.exists());
    let store = Store::open(kept.as_deref().unwrap_or(folder.path())).expect("a store");
    let began = Instant::now();
    if !is_filled {
        fill(&store, (0..count).map(made));
    }
    println!("{count} assets in {:.1?}", began.elapsed());
    sizes(&store);
    measure(&store);
    if std::env::var_os("ANEW").is_some() {
        index_anew(&store);
        sizes(&store);
    }
}

#[test]
#[ignore = "reads the files of a folder"]
fn measured_on_real_files() {
    let Some(folder) = std::env::var_os("FILES") else { return };
    let mut waiting = vec![std::path::PathBuf::from(folder)];
    let mut files = Vec::new();
    while let Some(folder) = waiting.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                waiting.push(path);
            } else if let Ok(text) = std::fs::read_to_string(&path) {
                files.push(new_asset(&path.file_name().expect("a name").to_string_lossy(), Content::Text(text)));
            }
        }
    }
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(folder.path()).expect("a store");
    println!("{} files", files.len());
    let began = Instant::now();
    while !files.is_empty() {
        let batch = files.split_off(files.len().saturating_sub(100));
        store.create_assets(batch, OnDuplicate::Create).expect("a batch");
    }
    assert!(store.status.wait_until(|| store.search(&search("usual")).expect("a search").unindexed == 0));
    println!("in {:.1?}", began.elapsed());
    sizes(&store);
    for query in
        ["parse header line xyzzyx", "prase haeder", "getUserNames", "serializing structs", "buffersize limits"]
    {
        let began = Instant::now();
        let found = store.search(&going_on(query)).expect("a search").hits.len();
        println!("{query}: {found} in {:.1?}", began.elapsed());
    }
}
