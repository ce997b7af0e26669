//! By how much a database grows for each byte that was changed.

use super::*;

/// How many times each text is changed.
pub(crate) const VERSIONS: usize = 10;

/// A database after all changes.
struct Grown {
    size: i64,
    /// How long the changes took.
    took: Duration,
    /// How many bytes the pages have that versions are in, and how many versions have.
    pages: i64,
    pieces: i64,
}

async fn grown(assets: usize, shape: Shape, past: PastBounds) -> Grown {
    let mut bench = Bench::start(past).await;
    bench.create(assets, shape).await;
    let began = Instant::now();
    for version in 1..=VERSIONS {
        bench.edit_all(version, shape, CLIENTS).await;
    }
    let took = began.elapsed();
    bench.rest();
    let pages = number(&bench.open(), "SELECT coalesce(sum(pgsize), 0) FROM dbstat WHERE name LIKE 'past%'");
    let grown = Grown { size: bench.size(), took, pages, pieces: stored(&bench) };
    bench.running.stop().await;
    grown
}

pub(crate) async fn print(assets: usize, shape: Shape) {
    let versions = (assets * VERSIONS) as f64;
    let without = grown(assets, shape, PastBounds::NONE).await;
    let with = grown(assets, shape, PastBounds::default()).await;
    println!(
        "{:?}, {} bytes: {assets} assets x {VERSIONS} versions grow the file by {:.3} x the changed bytes ({:.1} MB with, \
         {:.1} MB without; {:.1} s with, {:.1} s without); a version has {:.1} bytes and takes {:.1}, which is {:.3} x; \
         the rest of the file differs by {:.1} kB",
        shape.pattern,
        shape.bytes,
        (with.size - without.size) as f64 / (versions * shape.changed as f64),
        with.size as f64 / 1e6,
        without.size as f64 / 1e6,
        with.took.as_secs_f64(),
        without.took.as_secs_f64(),
        with.pieces as f64 / versions,
        with.pages as f64 / versions,
        (with.pages - without.pages) as f64 / (versions * shape.changed as f64),
        ((with.size - with.pages) - (without.size - without.pages)) as f64 / 1e3,
    );
}

/// 1 MiB is inserted at the front of 63 MiB and taken out again, with and without versions; meanwhile another client writes.
pub(crate) async fn print_largest() {
    for (kept, past) in [("without versions", PastBounds::NONE), ("with versions", PastBounds::default())] {
        print_largest_of(kept, past).await;
    }
}

async fn print_largest_of(kept: &str, past: PastBounds) {
    let mut bench = Bench::start(past).await;
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
        let (took, waited) = beside(&bench, edit).await;
        bench.rest();
        println!(
            "1 MiB {what}, {kept}: versions grow by {} bytes; the change took {:.0} ms, and a write beside it {}",
            stored(&bench) - before,
            took.as_secs_f64() * 1e3,
            told(waited),
        );
    }
    bench.running.stop().await;
}

/// How many bytes versions take.
fn stored(bench: &Bench) -> i64 {
    number(&bench.open(), "SELECT coalesce(sum(length(pieces)), 0) FROM past")
}

/// How long work takes, and how long each of the small writes beside it.
pub(crate) async fn beside(bench: &Bench, work: impl Future<Output = ()>) -> (Duration, Vec<Duration>) {
    let (began, mut waited) = (Instant::now(), Vec::new());
    let mut work = std::pin::pin!(work);
    loop {
        let text = format!("small {}", waited.len());
        let write = async {
            let began = Instant::now();
            bench.edit(1, text).await;
            began.elapsed()
        };
        // Both go on until the small write ends; the work may end first.
        let mut write = std::pin::pin!(write);
        let ended = tokio::select! {
            () = &mut work => Some(began.elapsed()),
            took = &mut write => { waited.push(took); None }
        };
        if let Some(took) = ended {
            waited.push(write.await);
            return (took, waited);
        }
    }
}

/// How long writes took, in a phrase.
pub(crate) fn told(mut waited: Vec<Duration>) -> String {
    waited.sort_unstable();
    let [half, most, longest] = [50, 99, 100].map(|percent| {
        let at = (waited.len() * percent).div_ceil(100).saturating_sub(1);
        waited.get(at).copied().unwrap_or_default().as_secs_f64() * 1e3
    });
    format!("{half:.1} ms in the median, {most:.1} ms for 99 %, {longest:.1} ms the longest of {}", waited.len())
}
