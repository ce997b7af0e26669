//! By how much a database grows for each byte that was changed.

use super::*;

/// How many times each text is changed.
const VERSIONS: usize = 10;

/// How large a database is after all changes, and how long they took.
async fn size_after(assets: usize, shape: Shape, past: PastBounds) -> (i64, Duration) {
    let mut bench = Bench::start(past).await;
    bench.create(assets, shape).await;
    let began = Instant::now();
    for version in 1..=VERSIONS {
        bench.edit_all(version, shape, CLIENTS).await;
    }
    let took = began.elapsed();
    bench.rest();
    let size = bench.size();
    bench.running.stop().await;
    (size, took)
}

pub(crate) async fn print(assets: usize, shape: Shape) {
    let changed = (assets * VERSIONS * shape.changed) as f64;
    let (without, took_without) = size_after(assets, shape, PastBounds::NONE).await;
    let (with, took_with) = size_after(assets, shape, PastBounds::default()).await;
    println!(
        "{:?}, {} bytes: {assets} assets x {VERSIONS} versions grow the file by {:.2} x the changed bytes ({:.1} MB with, \
         {:.1} MB without; {:.1} s with, {:.1} s without)",
        shape.pattern,
        shape.bytes,
        (with - without) as f64 / changed,
        with as f64 / 1e6,
        without as f64 / 1e6,
        took_with.as_secs_f64(),
        took_without.as_secs_f64(),
    );
}

/// 1 MiB is inserted at the front of 63 MiB and taken out again; meanwhile another client writes.
pub(crate) async fn print_largest() {
    let mut bench = Bench::start(PastBounds::default()).await;
    let text = texts::noise(1, 63 << 20);
    let shape = Shape { bytes: 8, changed: 1, pattern: Pattern::Block };
    bench.create(2, shape).await;
    bench.edit(0, text.clone()).await;
    for (what, next) in
        [("inserted at the front of 63 MiB", texts::noise(2, 1 << 20) + &text), ("taken out again", text.clone())]
    {
        bench.rest();
        let before = stored(&bench);
        let edit = bench.edit(0, next);
        let (took, longest) = beside(&bench, edit).await;
        bench.rest();
        println!(
            "1 MiB {what}: versions grow by {} bytes; the change took {:.0} ms, and another write meanwhile at most {:.0} ms",
            stored(&bench) - before,
            took.as_secs_f64() * 1e3,
            longest.as_secs_f64() * 1e3,
        );
    }
    bench.running.stop().await;
}

/// How many bytes versions take.
fn stored(bench: &Bench) -> i64 {
    number(&bench.open(), "SELECT coalesce(sum(length(pieces)), 0) FROM past")
}

/// How long work takes, and how long the longest of the small writes beside it.
pub(crate) async fn beside(bench: &Bench, work: impl Future<Output = ()>) -> (Duration, Duration) {
    let (began, mut longest, mut number) = (Instant::now(), Duration::ZERO, 0);
    let mut work = std::pin::pin!(work);
    loop {
        number += 1;
        let write = async {
            let began = Instant::now();
            bench.edit(1, format!("small {number}")).await;
            began.elapsed()
        };
        // Both go on until the small write ends; the work may end first.
        let mut write = std::pin::pin!(write);
        let ended = tokio::select! {
            () = &mut work => true,
            took = &mut write => { longest = longest.max(took); false }
        };
        if ended {
            return (began.elapsed(), longest.max(write.await));
        }
    }
}
