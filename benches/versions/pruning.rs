//! How long a write waits while many versions are deleted.

use super::growth::beside;
use super::*;

/// How many versions are deleted, and how many of them each asset has.
const VERSIONS: i64 = 1_000_000;
const OF_AN_ASSET: i64 = 10;

pub(crate) async fn print() {
    let mut bench = Bench::start(PastBounds::default()).await;
    bench.create(2, Shape::SMALL).await;
    // The backup of this day, which takes no versions.
    bench.running.run_daily().await;
    let (_, alone) = beside(&bench, tokio::time::sleep(Duration::from_secs(3))).await;
    let db = bench.open();
    db.execute(
        "WITH RECURSIVE number (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n + 1 < ?1)
         INSERT INTO past (asset, version, at, pieces)
         SELECT 1000 + n / ?2, n % ?2 + 1, 1000000 + n, randomblob(180) FROM number",
        [VERSIONS, OF_AN_ASSET],
    )
    .expect("made");
    db.execute("UPDATE past_status SET pruned = 0", []).expect("due");
    bench.rest();
    let (took, longest) = beside(&bench, bench.running.run_daily()).await;
    let left = number(&db, "SELECT count(*) FROM past WHERE pieces IS NOT NULL AND asset >= 1000");
    println!(
        "{} versions deleted in {:.1} s; a write beside it took at most {:.1} ms, and without at most {:.1} ms",
        VERSIONS - left,
        took.as_secs_f64(),
        longest.as_secs_f64() * 1e3,
        alone.as_secs_f64() * 1e3,
    );
    bench.running.stop().await;
}
