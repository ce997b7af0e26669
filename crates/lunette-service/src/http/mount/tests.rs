//! A fault of one handler fails its request alone, and reads wait for their turn where writes do not.

use std::sync::Condvar;
use std::sync::atomic::{AtomicUsize, Ordering};

use hyper::service::Service as _;
use hyper_util::service::TowerToHyperService;

use super::*;
use crate::detect::NoDetector;
use crate::store::Store;
use lunette_client::model::search_result::SearchedTags;
use lunette_client::operation::table::{
    AssetDisassociateTag, GetWellKnownHealth, GetWellKnownVersion, OPERATIONS, SearchTags, TagsCreateNewTag,
};

fn routes(surface: ApiSurface) -> Routes {
    let service = Service::new(Store::in_memory().expect("a store"), Arc::new(NoDetector)).expect("a service");
    let (busy, _) = mpsc::channel(1);
    Routes::new(Arc::new(service), surface, HttpLimits::default(), busy)
        .on::<GetWellKnownHealth>(|_, _, _| panic!("a fault of ours: secret"))
        .on::<GetWellKnownVersion>(|_, caller, _| Ok(caller.user_agent.clone().unwrap_or_default()))
}

async fn get(router: &TowerToHyperService<Router>, path: &str) -> (StatusCode, String) {
    let request = Request::get(path).header(USER_AGENT, "someone").body(Body::empty()).expect("a request");
    let response = router.call(request).await.unwrap_or_else(|never| match never {});
    let (head, body) = response.into_parts();
    let bytes = axum::body::to_bytes(body, usize::MAX).await.expect("a body");
    (head.status, String::from_utf8_lossy(&bytes).into_owned())
}

#[tokio::test]
async fn a_panic_fails_only_its_request_and_reveals_nothing() {
    let router = TowerToHyperService::new(routes(ApiSurface::Everything).into_router());
    for _ in 0..2 {
        let (status, text) = get(&router, GetWellKnownHealth::INFO.path).await;
        assert_eq!(status, StatusCode::INTERNAL_SERVER_ERROR);
        assert!(!text.contains("secret"), "{text}");
        assert_eq!(get(&router, GetWellKnownVersion::INFO.path).await, (StatusCode::OK, "someone".to_owned()));
    }
}

static RUNNING: AtomicUsize = AtomicUsize::new(0);
static GATE: (Mutex<bool>, Condvar) = (Mutex::new(true), Condvar::new());

fn wait_until_released(_: &Service, _: &RequestContext, _: SearchTags) -> Result<SearchedTags, ServiceError> {
    RUNNING.fetch_add(1, Ordering::SeqCst);
    let guard = GATE.0.lock().expect("no panic");
    drop(GATE.1.wait_while(guard, |wait_until_released| *wait_until_released).expect("no panic"));
    Err(ServiceError::bad_request("it was held"))
}

#[tokio::test(flavor = "multi_thread")]
async fn posts_that_read_wait_for_a_permit_and_posts_that_write_do_not() {
    let service = Service::new(Store::in_memory().expect("a store"), Arc::new(NoDetector)).expect("a service");
    let routes = Routes::new(Arc::new(service), ApiSurface::Everything, HttpLimits::default(), mpsc::channel(1).0)
        .on::<SearchTags>(wait_until_released)
        .on::<TagsCreateNewTag>(|_, _, _| Err(ServiceError::bad_request("a write")));
    let router = Arc::new(TowerToHyperService::new(routes.into_router()));
    let post = |path: &'static str| {
        let router = Arc::clone(&router);
        tokio::spawn(async move {
            let request = Request::post(path).body(Body::empty()).expect("a request");
            router.call(request).await.unwrap_or_else(|never| match never {}).status()
        })
    };
    let searches: Vec<_> = (0..READS + 4).map(|_| post(SearchTags::INFO.path)).collect();
    while RUNNING.load(Ordering::SeqCst) < READS {
        tokio::task::yield_now().await;
    }
    for _ in 0..50 {
        assert_eq!(post(TagsCreateNewTag::INFO.path).await.expect("an answer"), StatusCode::BAD_REQUEST);
    }
    assert_eq!(RUNNING.load(Ordering::SeqCst), READS);
    *GATE.0.lock().expect("no panic") = false;
    GATE.1.notify_all();
    for search in searches {
        assert_eq!(search.await.expect("an answer"), StatusCode::BAD_REQUEST);
    }
    assert_eq!(RUNNING.load(Ordering::SeqCst), READS + 4);
}

#[tokio::test]
async fn a_panic_while_a_write_is_queued_fails_only_its_request() {
    let routes =
        routes(ApiSurface::Everything).on_queued::<AssetDisassociateTag>(|_, _| panic!("a fault of ours: secret"));
    let router = TowerToHyperService::new(routes.into_router());
    let id = "00000000-0000-0000-0000-000000000001";
    let path = AssetDisassociateTag::INFO.path.replace("{asset}", id).replace("{tag}", id);
    for _ in 0..2 {
        let request = Request::post(&path).body(Body::empty()).expect("a request");
        let response = router.call(request).await.unwrap_or_else(|never| match never {});
        assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
        let bytes = axum::body::to_bytes(response.into_body(), usize::MAX).await.expect("a body");
        assert!(!String::from_utf8_lossy(&bytes).contains("secret"));
    }
}

#[tokio::test]
async fn extension_operations_are_mounted_only_if_offered() {
    let router = TowerToHyperService::new(routes(ApiSurface::Interface).into_router());
    assert_eq!(get(&router, GetWellKnownVersion::INFO.path).await.0, StatusCode::NOT_FOUND);
    assert_eq!(routes(ApiSurface::Everything).mounted().len(), 2);
}

#[test]
fn only_records_that_are_read_are_cached() {
    // The cache is asked for `GET` and `HEAD` alone, and responds with 200 and the type of a record.
    for info in OPERATIONS.iter().filter(|info| info.cached) {
        assert!(matches!((info.method, info.body_kind, info.status), (Method::Get, BodyKind::Record, 200)), "{info:?}");
    }
}
