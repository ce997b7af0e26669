//! Reading a service of another program: what was read is kept, and what came, went or changed meanwhile is noticed.

use std::sync::atomic::{AtomicUsize, Ordering};

use lunette_client::model::asset::Assets;
use lunette_client::operation::table::{AssetsDeleteAsset, AssetsSnapshot};
use lunette_inspector::Transport as _;
use lunette_inspector::sides::SideError;

use super::*;

/// More than two pages of a list.
const ASSETS: usize = 450;

/// A service of another program with these assets behind it.
async fn other() -> (TestService, MutatingProxy, Client) {
    let service = TestService::start().await;
    fill(&service.client, ASSETS).await;
    let proxy = MutatingProxy::named("other/1.0", service.port(), |_| ProxyAction::Pass);
    let client = client_at(&proxy.url(), Limits::default());
    (service, proxy, client)
}

/// The ids of the assets in the order of the list.
async fn listed(client: &Client) -> Vec<AssetId> {
    let list = AssetsSnapshot {
        transferables: Some(false),
        suggested: None,
        pseudo: Some(true),
        offset: Some(0),
        limit: Some(ASSETS as u64),
    };
    let list: Assets = client.list(list).await.expect("the list");
    list.view().iterable().iter().map(|asset| asset.id().parse().expect("an id")).collect()
}

/// How often lists of assets were asked for, and assets by themselves.
fn asked(proxy: &MutatingProxy) -> [usize; 2] {
    let asked = proxy.asked();
    let count = |is: &dyn Fn(&str) -> bool| asked.iter().filter(|asked| is(&asked.path)).count();
    [count(&|path| path == "/assets"), count(&|path| path.starts_with("/asset/"))]
}

/// Reads until so many assets were read, and is cancelled then.
async fn read_until(reader: &mut ServiceReader, count: usize) -> Result<(), SideError> {
    let cancel = CancelFlag::default();
    let progress = |progress: lunette_inspector::sides::Progress| {
        if progress.done >= count {
            cancel.cancel();
        }
    };
    reader.read(&progress, &cancel).await
}

/// Checks that what was read says what the service says by its fingerprints.
async fn assert_right(service: &TestService, client: &Client, reader: ServiceReader) {
    let right = Side::of_service("right".to_owned(), client.clone(), Vendor::Other, reader);
    let left = side("left", &service.client, Vendor::Lunette).await;
    let count = left.facts.len();
    let comparison = Comparison::of(Arc::new(Sides { left, right }), Matches::default(), Arc::default());
    assert_eq!(states(&comparison), [(RowState::Same, count)]);
}

fn reader(client: &Client, data: &Path) -> ServiceReader {
    ServiceReader::new(client.clone(), Vendor::Other).kept_in(data)
}

#[tokio::test]
async fn what_was_read_before_it_was_cancelled_is_not_read_again_by_the_next_program() {
    let (service, proxy, client) = other().await;
    let data = tempfile::tempdir().expect("a folder");
    let mut first = reader(&client, data.path());
    assert!(matches!(read_until(&mut first, 300).await, Err(SideError::Cancelled)));
    assert!(first.is_kept());
    assert_eq!(asked(&proxy), [2, 0]);
    drop(first);
    let mut second = reader(&client, data.path());
    assert_eq!(second.read_earlier(), 400);
    second.read(&|_| {}, &CancelFlag::default()).await.expect("the rest is read");
    // The last page, and the list without contents, which says whether the others are as they were.
    assert_eq!(asked(&proxy), [4, 0]);
    assert_right(&service, &client, second).await;
    assert_eq!(reader(&client, data.path()).read_earlier(), 0, "nothing is kept once it was read to its end");
}

#[tokio::test]
async fn what_changed_between_two_programs_is_read_again() {
    let (service, proxy, client) = other().await;
    let data = tempfile::tempdir().expect("a folder");
    let mut first = reader(&client, data.path());
    read_until(&mut first, 300).await.expect_err("cancelled");
    drop(first);
    let ids = listed(&service.client).await;
    // Of a page that was read, and of the last one.
    for ids in [&ids[..4], &ids[ASSETS - 4..]] {
        set_text(&service.client, &ids[0], "another text").await;
        update(&service.client, &ids[1], |asset| asset["name"] = "renamed".into()).await;
        let tag = tag(&service.client, "new").await;
        service.client.call(AssetAssociateTag { asset: ids[2].clone(), tag }).await.expect("linked");
        service.client.call(AssetsDeleteAsset { asset: ids[3].clone() }).await.expect("deleted");
    }
    text_asset(&service.client, "new.txt", "new").await;
    let mut second = reader(&client, data.path());
    second.read(&|_| {}, &CancelFlag::default()).await.expect("the rest is read");
    let [_, alone] = asked(&proxy);
    assert!((1..=9).contains(&alone), "those that changed alone: {alone}");
    assert_right(&service, &client, second).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_asset_that_goes_while_the_list_is_read_hides_no_other_one() {
    let (service, proxy, client) = other().await;
    let ids = listed(&service.client).await;
    let pages = AtomicUsize::new(0);
    let progress = |progress: lunette_inspector::sides::Progress| {
        // After the first page: the others move up.
        if progress.done > 0 && pages.fetch_add(1, Ordering::Relaxed) == 0 {
            let delete = service.client.call(AssetsDeleteAsset { asset: ids[0].clone() });
            tokio::task::block_in_place(|| tokio::runtime::Handle::current().block_on(delete)).expect("deleted");
        }
    };
    let mut reader = ServiceReader::new(client.clone(), Vendor::Other);
    reader.read(&progress, &CancelFlag::default()).await.expect("read");
    assert_right(&service, &client, reader).await;
    let [lists, alone] = asked(&proxy);
    assert_eq!((lists, alone), (3, 1), "the one that moved to a page that was read");
}
