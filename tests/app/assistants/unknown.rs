//! New assets and changes without a clear response: each is looked for once, sent once, and what was found is told.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use lunette_client::client::{Limits, WritePolicy};
use lunette_inspector::Vendor;
use lunette_inspector::change::Recovery;
use lunette_inspector::journal::{EntryKind, Outcome};
use lunette_inspector::proposals::{Applied, Selection, Status, Target, apply, settle, take_back};
use lunette_inspector::undo::HeadlessHistory;
use lunette_mcp::{Permission, call};
use serde_json::{Value, json};

use super::Place;
use crate::support::client_at;
use crate::support::mutating_proxy::{MutatingProxy, ProxyAction, Reply};

/// The writes are answered as the service does.
const CLEAR: u8 = 0;
/// They are not made, and nothing usable is answered.
const NOT_MADE: u8 = 1;
/// They are made, and nothing usable is answered.
const MADE: u8 = 2;

/// Nothing usable is answered to anything.
const SILENT: u8 = 3;

/// A service whose answers to writes can be lost, and a proposal to create an asset there.
struct Setting {
    place: Place,
    wire: MutatingProxy,
    how: Arc<AtomicU8>,
    vendor: Vendor,
}

impl Setting {
    async fn new(vendor: Vendor) -> Self {
        Self::with(vendor, |_| json!([{ "do": "create", "name": "new", "text": "text" }])).await
    }

    /// With a proposal of these changes, made for the id of the asset that is there.
    async fn with(vendor: Vendor, changes: impl FnOnce(&str) -> Value) -> Self {
        let (place, how) = (Place::with(&[("other", "text")]).await, Arc::new(AtomicU8::new(CLEAR)));
        let shared = Arc::clone(&how);
        let lost = || Reply { status: 502, content_type: String::new(), body: Vec::new() };
        let wire = MutatingProxy::start(place.service.running.port(), move |asked| {
            match (asked.method.as_str(), shared.load(Ordering::Relaxed)) {
                ("POST", NOT_MADE) | (_, SILENT) => ProxyAction::Respond(lost()),
                ("POST", MADE) => ProxyAction::Change(Box::new(move |made: &mut Reply| *made = lost())),
                _ => ProxyAction::Pass,
            }
        });
        let backend = place.backend(Permission::Propose);
        let changes = changes(&place.assets[0]);
        call(&backend, "a", "propose", &json!({ "reason": "x", "changes": changes })).await.expect("proposed");
        Self { place, wire, how, vendor }
    }

    fn target(&self) -> Target<'_> {
        Target {
            client: client_at(&self.wire.url(), Limits::default()).with_write_policy(WritePolicy::Allow),
            vendor: self.vendor,
            recovery: Recovery::Copy,
            connection: "embedded",
            folder: self.place.folder.path(),
            back_up: &|| Ok(()),
        }
    }

    /// Applies the proposal while writes are answered in this way; so many of its changes are unknown then.
    async fn apply_all(&self, how: u8, unknown: usize) {
        let store = self.place.store();
        let shown = store.get(1).expect("read").expect("there");
        self.how.store(how, Ordering::Relaxed);
        let applied = apply(&self.target(), &store, &shown, &Selection::All).await.expect("applied");
        self.how.store(CLEAR, Ordering::Relaxed);
        let Status::Applied(applied) = applied.status else { panic!("{applied:?}") };
        assert_eq!(applied.unknown, unknown, "{applied:?}");
    }

    async fn apply(&self, how: u8) {
        self.apply_all(how, 1).await;
    }

    /// Reads again what is unknown; returns what was found, and how the proposal stands.
    async fn settled(&self) -> (usize, Applied) {
        let (store, before) = (self.place.store(), self.writes());
        let settled = settle(&self.target(), &store).await.expect("settled");
        assert_eq!(self.writes(), before, "nothing is sent again");
        match store.get(1).expect("read").expect("there").status {
            Status::Applied(applied) => (settled.len(), applied),
            status => panic!("{status:?}"),
        }
    }

    fn writes(&self) -> usize {
        self.wire.asked().iter().filter(|asked| asked.method == "POST").count()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_asset_whose_answer_was_lost_is_found_by_its_id_or_by_its_name_content_and_time() {
    for vendor in [Vendor::Lunette, Vendor::Other] {
        let setting = Setting::new(vendor).await;
        setting.apply(MADE).await;
        let (found, applied) = setting.settled().await;
        assert_eq!((found, applied.done, applied.unknown, applied.failed), (1, 1, 0, 0), "{vendor:?}: {applied:?}");
        assert!(applied.problems.is_empty(), "{applied:?}");
        let history = HeadlessHistory::open(setting.place.folder.path(), "embedded").expect("read");
        let step = &history.entries()[0];
        assert!(matches!((&step.kind, &step.outcome), (EntryKind::Change(_), Outcome::Done)), "{step:?}");
        assert!(step.was_unknown.is_some());
        let taken = take_back(&setting.target(), ("a", Some(1))).await.expect("undone");
        assert_eq!((taken.undone, taken.left.len()), (1, 0), "{vendor:?}: {taken:?}");
        let left = setting.place.everything().await;
        assert_eq!(left["iterable"].as_array().map(Vec::len), Some(1), "{vendor:?}: the new one is deleted again");
        let status = setting.place.store().get(1).expect("read").expect("there").status;
        assert_eq!(status, Status::Undone, "{vendor:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_asset_that_was_not_made_is_not_found_and_not_created_again() {
    for vendor in [Vendor::Lunette, Vendor::Other] {
        let setting = Setting::new(vendor).await;
        setting.apply(NOT_MADE).await;
        let (found, applied) = setting.settled().await;
        assert_eq!((found, applied.done, applied.unknown, applied.failed), (1, 0, 0, 1), "{vendor:?}: {applied:?}");
        let everything = setting.place.everything().await;
        assert_eq!(everything["iterable"].as_array().map(Vec::len), Some(1), "{vendor:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_asset_beside_another_like_it_stays_unknown_and_is_looked_for_once() {
    let setting = Setting::new(Vendor::Other).await;
    setting.apply(MADE).await;
    let seed = Some(crate::support::assets::record(crate::support::assets::text_seed("new", "text")));
    let create = lunette_client::operation::table::AssetsCreateNewAsset { transferables: None, once: None, seed };
    setting.place.service.client.call(create).await.expect("created");
    let (found, applied) = setting.settled().await;
    assert_eq!((found, applied.unknown), (0, 1), "{applied:?}");
    let asked = setting.wire.asked().len();
    assert_eq!(setting.settled().await.0, 0);
    assert_eq!(setting.wire.asked().len(), asked, "it is asked about once");
}

/// A text that is too large for the history.
fn large() -> String {
    "a line of a large text\n".repeat(100_000)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_asset_that_is_too_large_for_the_history_is_looked_for_too() {
    for (vendor, how, made) in [
        (Vendor::Lunette, MADE, true),
        (Vendor::Other, MADE, true),
        (Vendor::Lunette, NOT_MADE, false),
        (Vendor::Other, NOT_MADE, false),
    ] {
        let create = json!([{ "do": "create", "name": "new", "text": large() }]);
        let setting = Setting::with(vendor, |_| create).await;
        setting.apply(how).await;
        let (found, applied) = setting.settled().await;
        let counts = (found, applied.done, applied.unknown, applied.failed);
        assert_eq!(counts, (1, usize::from(made), 0, usize::from(!made)), "{vendor:?}: {applied:?}");
        let history = HeadlessHistory::open(setting.place.folder.path(), "embedded").expect("read");
        let body = history.entries()[0].requests[0].body.clone().expect("a body");
        assert!(body.len() < 4_000, "the history has no content: {} bytes", body.len());
        if made {
            let taken = take_back(&setting.target(), ("a", Some(1))).await.expect("undone");
            assert_eq!((taken.undone, taken.left.len()), (1, 0), "{vendor:?}: {taken:?}");
        }
        let left = setting.place.everything().await;
        assert_eq!(left["iterable"].as_array().map(Vec::len), Some(1), "{vendor:?}: the new one is not left");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_of_a_run_without_a_clear_answer_are_read_again_once_and_not_sent_again() {
    for (how, made) in [(MADE, true), (NOT_MADE, false)] {
        let changes = |asset: &str| {
            json!([
                { "do": "rename", "asset": asset, "to": "renamed" },
                { "do": "describe", "asset": asset, "to": "described" },
            ])
        };
        let setting = Setting::with(Vendor::Lunette, changes).await;
        setting.apply_all(how, 2).await;
        let (found, applied) = setting.settled().await;
        let (done, failed) = if made { (2, 0) } else { (0, 2) };
        assert_eq!((found, applied.done, applied.unknown, applied.failed), (1, done, 0, failed), "{applied:?}");
        let history = HeadlessHistory::open(setting.place.folder.path(), "embedded").expect("read");
        let step = &history.entries()[0];
        assert!(!history.is_unfinished(step), "the run stays ended");
        assert_eq!(matches!(step.outcome, Outcome::Done), made, "{:?}", step.outcome);
        let asked = setting.wire.asked().len();
        assert_eq!(setting.settled().await.0, 0);
        assert_eq!(setting.wire.asked().len(), asked, "it is asked about once");
        if made {
            let taken = take_back(&setting.target(), ("a", Some(1))).await.expect("undone");
            assert_eq!((taken.undone, taken.left.len()), (1, 0), "{taken:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_of_a_run_at_a_service_that_cannot_be_read_are_asked_about_another_time() {
    let changes = |asset: &str| {
        json!([
            { "do": "rename", "asset": asset, "to": "renamed" },
            { "do": "describe", "asset": asset, "to": "described" },
        ])
    };
    let setting = Setting::with(Vendor::Lunette, changes).await;
    setting.apply_all(MADE, 2).await;
    setting.how.store(SILENT, Ordering::Relaxed);
    let store = setting.place.store();
    let error = settle(&setting.target(), &store).await.expect_err("nothing can be read");
    assert!(error.to_string().contains("could not be read again"), "{error}");
    setting.how.store(CLEAR, Ordering::Relaxed);
    let (found, applied) = setting.settled().await;
    assert_eq!((found, applied.done, applied.unknown), (1, 2, 0), "{applied:?}");
}
