//! The window on a service with damaged responses: whatever byte is changed, every panel is drawn.
//!
//! The responses are those of a real service; each byte is changed with a probability of one in fifty, by a seed that a
//! failure names. `LUNETTE_FLIPS` is the number of seeds.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use lunette_client::model::id::AssetId;
use lunette_inspector::Action;
use lunette_inspector::action::{AssetsAction, NavigationAction};
use lunette_inspector::change::LinkKind;
use lunette_inspector::panel::Panel;
use lunette_inspector::session::Status;
use lunette_inspector::state::State;

use crate::stage::Stage;
use crate::support::mutating_proxy::{MutatingProxy, ProxyAction};
use crate::support::{TestService, assets};

const SEEDS: u64 = 300;

/// Prints the seed of a failure.
struct Named(u64);

impl Drop for Named {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("the answers were damaged by seed {}", self.0);
        }
    }
}

/// Pseudo-random numbers, the same for a seed.
struct Draw(u64);

impl Draw {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }
}

fn damage(body: &mut [u8], seed: u64, path: &str) {
    let mut draw = Draw(path.bytes().fold(seed, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into())));
    for byte in body {
        if draw.below(50) == 0 {
            *byte = u8::try_from(draw.below(256)).unwrap_or_default();
        }
    }
}

async fn filled(service: &TestService) -> AssetId {
    let client = &service.client;
    let asset = assets::text_asset(client, "opened.rs", "fn main() {\n    println!(\"hello\");\n}\n").await;
    for (index, odd) in assets::ODD.iter().enumerate() {
        assets::text_asset(client, &format!("{index} {odd}"), odd).await;
        assets::tag(client, &format!("{index} {odd}")).await;
    }
    assets::website(client, "https://example.org/").await;
    assets::summary(client, "a summary").await;
    asset
}

/// Returns the reads of the panel for a seed.
fn reads(turn: u64, asset: &AssetId) -> (Panel, Vec<Action>) {
    let id = || asset.clone();
    match turn % 4 {
        0 => (Panel::Applications, vec![Action::Refresh(Panel::Applications)]),
        1 => (Panel::External, vec![Action::Refresh(Panel::External)]),
        2 => {
            let page = vec![
                Action::Assets(AssetsAction::Open(id())),
                Action::Assets(AssetsAction::LoadContent(id())),
                Action::Assets(AssetsAction::LoadFormats(id())),
                Action::Assets(AssetsAction::LoadActivities(id())),
                Action::Assets(AssetsAction::LoadConversations(id())),
            ];
            (Panel::Assets, page)
        }
        _ => {
            let lists = LinkKind::ALL.map(|value| Action::Assets(AssetsAction::LoadLinkable(value)));
            (Panel::Assets, lists.into_iter().chain([Action::Refresh(Panel::Assets)]).collect())
        }
    }
}

fn loading(state: &State) -> bool {
    let pages = state.assets.pages.of.values().any(|page| {
        page.record.loading()
            || page.content.loading()
            || page.formats.loading()
            || page.activities.loading()
            || page.conversations.loading()
    });
    let lists = state.assets.linkable.values().any(|items| items.loading());
    let rows = state.applications.list.rows.loading()
        || state.applications.external.rows.loading()
        || state.assets.list.rows.loading();
    pages || lists || rows
}

#[test]
fn every_panel_is_drawn_with_any_corrupted_response_byte() {
    let seeds = std::env::var("LUNETTE_FLIPS").ok().and_then(|seeds| seeds.parse().ok()).unwrap_or(SEEDS);
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let service = runtime.block_on(TestService::start());
    let asset = runtime.block_on(filled(&service));
    let seed = Arc::new(AtomicU64::new(0));
    let shared = Arc::clone(&seed);
    let wall = MutatingProxy::start(service.port(), move |asked| {
        let (seed, path) = (shared.load(Ordering::SeqCst), asked.path.clone());
        // The response that identifies the service stays intact: otherwise the window would only report that it is
        // unavailable.
        if seed == 0 || path.starts_with("/.well-known/") {
            return ProxyAction::Pass;
        }
        ProxyAction::Change(Box::new(move |reply| damage(&mut reply.body, seed, &path)))
    });
    let mut stage = Stage::at(&wall.url());
    stage.until("it is up", |state| state.connection.status == Status::Up && !loading(state));
    for turn in 1..=seeds {
        let _named = Named(turn);
        seed.store(turn, Ordering::SeqCst);
        let (panel, reads) = reads(turn, &asset);
        stage.perform(NavigationAction::Show(panel));
        if panel == Panel::Assets && turn % 4 != 2 {
            stage.perform(AssetsAction::Close);
        }
        reads.into_iter().for_each(|read| stage.harness.state_mut().perform(read));
        stage.until("its answers came", |state| !loading(state));
        stage.harness.step();
        assert_eq!(stage.state().navigation.panel, panel);
    }
}
