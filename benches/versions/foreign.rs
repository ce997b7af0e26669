//! By how much the inspector's database grows where it keeps the versions of the assets of a service that keeps none.

use lunette_client::operation::table::AssetSnapshot;
use lunette_inspector::db::Database;
use lunette_inspector::local_versions::{LocalVersions, Recorder};
use lunette_inspector::settings::VersionBounds;

use super::growth::VERSIONS;
use super::*;

/// Every version of every asset is read once, as a page does that shows it.
pub(crate) async fn print(assets: usize, shape: Shape) {
    let mut bench = Bench::start(PastBounds::NONE).await;
    bench.create(assets, shape).await;
    let folder = tempfile::tempdir().expect("a folder");
    let database = Database::open(folder.path()).expect("a database").database;
    let (path, empty) = (database.path(), size(&database.path()));
    let (recorder, kept) = (Recorder::default(), LocalVersions::new(database, "bench", VersionBounds::default()));
    recorder.attach(Some((kept, tokio::runtime::Handle::current())));
    recorder.watch(true);
    let client = bench.client.clone().observed_by(recorder.clone());
    let mut grown = Vec::new();
    for version in 0..=VERSIONS {
        if version > 0 {
            bench.edit_all(version, shape, CLIENTS).await;
        }
        for asset in &bench.assets {
            let asset = asset.parse().expect("an id");
            client.call(AssetSnapshot { asset, transferables: Some(true) }).await.expect("read");
        }
        recorder.flush().await;
        grown.push(size(&path) - empty);
    }
    let kept = number(&Connection::open(&path).expect("a database"), "SELECT count(*) FROM version_past");
    assert_eq!(kept, (assets * VERSIONS) as i64, "every version is kept");
    let changed = (assets * VERSIONS * shape.changed) as f64;
    let (newest, all) = (grown[0] as f64, grown[VERSIONS] as f64);
    println!(
        "{:?}, {} bytes, a service of others: {assets} assets x {VERSIONS} versions grow the inspector's database by {:.2} x \
         the changed bytes above the newest versions, which take {:.2} x their {} bytes once",
        shape.pattern,
        shape.bytes,
        (all - newest) / changed,
        newest / (assets * shape.bytes) as f64,
        assets * shape.bytes,
    );
    recorder.attach(None);
    recorder.flush().await;
    bench.running.stop().await;
}

/// The bytes of the pages of a database that are in use.
fn size(path: &Path) -> i64 {
    used(&Connection::open(path).expect("a database"))
}
