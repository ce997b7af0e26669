//! A run over 1,000 assets: its cost compared with the bare calls, and its effect on the frames of the window.
//!
//! A run reads each asset again, records in its ledger what it is about to send, and links. It is compared with a loop
//! of eight that only reads and links the same assets, and with one that only links; all in one program, in turn,
//! against a service with its data on disk. The frames of the window are drawn completely, without a display, during a
//! run.

use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use egui_kittest::Harness;
use lunette::ui::{Options, Window};
use lunette_client::client::{Client, Limits};
use lunette_client::model::id::{AssetId, TagId};
use lunette_client::model::record::Record;
use lunette_client::operation::table::{AssetAssociateTag, AssetSnapshot, AssetsCreateNewAsset, TagsCreateNewTag};
use lunette_inspector::Vendor;
use lunette_inspector::action::BulkAction;
use lunette_inspector::change::{Item, LinkKind};
use lunette_inspector::db::RunStore;
use lunette_inspector::runs::{BulkOperation, Control, Ledger, RowSelection, RunRecord, RunStatus, run};
use lunette_inspector::session::Status;
use lunette_inspector::settings::Target;
use lunette_inspector::{BoxFuture, EmbeddedError, EmbeddedService};
use lunette_service::detect::NoDetector;
use lunette_service::{Data, Ports, Running, Settings};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

#[path = "../tests/support/headless.rs"]
mod headless;

use headless::Headless;

/// How many assets a run is over.
const ASSETS: usize = 1_000;
/// How many are in flight.
const IN_FLIGHT: usize = 8;
/// The number of measurements of each; the medians are reported.
const ROUNDS: usize = 5;

/// A service with its data on disk, and assets.
struct Bench {
    client: Client,
    assets: Vec<(AssetId, String)>,
    running: Running,
    folder: tempfile::TempDir,
    runtime: Runtime,
}

fn record<R: Record>(tree: Value) -> R {
    R::from_tree(tree).expect("a record")
}

impl Bench {
    fn start() -> Self {
        let runtime = Runtime::new().expect("a runtime");
        let folder = tempfile::tempdir().expect("a folder");
        let settings = Settings::new(Data::Folder(folder.path().join("data")), Ports::Any, Arc::new(NoDetector));
        let running = runtime.block_on(lunette_service::start(settings)).expect("the service starts");
        let client = Client::new(running.url().parse().expect("an address"), Limits::default()).expect("a client");
        let mut bench = Self { client, assets: Vec::new(), running, folder, runtime };
        let numbers: Vec<usize> = (0..ASSETS).collect();
        let made = Arc::new(Mutex::new(Vec::new()));
        let (client, all) = (bench.client.clone(), Arc::clone(&made));
        bench.runtime.block_on(at_once(numbers, move |number| {
            let (client, all) = (client.clone(), Arc::clone(&all));
            async move {
                let name = format!("retry_backoff_{number}.rs");
                let asset = client.call(seed(&name)).await.expect("an asset");
                let id = asset.view().id().parse().expect("an id");
                all.lock().unwrap_or_else(PoisonError::into_inner).push((id, name));
            }
        }));
        bench.assets = std::mem::take(&mut made.lock().unwrap_or_else(PoisonError::into_inner));
        bench
    }

    /// A tag that no asset has.
    fn tag(&self, text: &str) -> TagId {
        let call = TagsCreateNewTag { transferables: None, tag: Some(record(json!({ "text": text }))) };
        let tag = self.runtime.block_on(self.client.call(call)).expect("a tag");
        tag.view().id().parse().expect("an id")
    }

    fn operation(&self, text: &str) -> BulkOperation {
        let id = self.tag(text).to_string();
        BulkOperation::Link(Item::new(LinkKind::Tag, &id, text, None))
    }

    /// A bare loop of eight, which optionally reads each asset first.
    fn bare(&self, tag: &str, reading: bool) -> Duration {
        let (client, tag) = (self.client.clone(), self.tag(tag));
        let assets: Vec<AssetId> = self.assets.iter().map(|(asset, _)| asset.clone()).collect();
        let start = Instant::now();
        self.runtime.block_on(at_once(assets, move |asset| {
            let (client, tag) = (client.clone(), tag.clone());
            async move {
                if reading {
                    let read = AssetSnapshot { asset: asset.clone(), transferables: Some(false) };
                    client.call(read).await.expect("the asset");
                }
                client.call(AssetAssociateTag { asset, tag }).await.expect("it is linked");
            }
        }));
        start.elapsed()
    }

    /// A run with its ledger on disk.
    fn run(&self, text: &str) -> Duration {
        let operation = self.operation(text);
        let start = Instant::now();
        let kept = RunRecord::of_operation(text.to_owned(), operation, &self.assets, IN_FLIGHT);
        let store = RunStore::open(self.folder.path(), "bench").expect("a database");
        let ledger = Ledger::create(Some(&store), &kept).expect("a ledger");
        let work = kept.rest.work(&kept.run, RowSelection::Open);
        let control = Control::new(IN_FLIGHT);
        let status = self.runtime.block_on(run(self.client.clone(), Vendor::Lunette, work, ledger, control, |_| {}));
        assert_eq!(status, RunStatus::Ended);
        start.elapsed()
    }
}

fn seed(name: &str) -> AssetsCreateNewAsset {
    let seed = json!({ "asset": {
        "application": { "id": "a", "name": "OPEN_SOURCE", "version": "1", "platform": "LINUX", "onboarded": false,
            "privacy": "OPEN" },
        "format": { "fragment": { "string": { "raw": format!("// {name}\n{}", "fn main() {}\n".repeat(100)) } } },
        "metadata": { "name": name },
    } });
    AssetsCreateNewAsset { transferables: Some(false), once: None, seed: Some(record(seed)) }
}

/// Does each, eight at once.
async fn at_once<T, F>(items: Vec<T>, each: impl Fn(T) -> F + Send + Clone + 'static)
where
    T: Send + 'static,
    F: Future<Output = ()> + Send,
{
    let items = Arc::new(Mutex::new(items));
    let mut lanes = tokio::task::JoinSet::new();
    for _ in 0..IN_FLIGHT {
        let (items, each) = (Arc::clone(&items), each.clone());
        lanes.spawn(async move {
            loop {
                let next = items.lock().unwrap_or_else(PoisonError::into_inner).pop();
                let Some(item) = next else { return };
                each(item).await;
            }
        });
    }
    lanes.join_all().await;
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

struct Inside(String);

impl EmbeddedService for Inside {
    fn start(&self) -> BoxFuture<Result<String, EmbeddedError>> {
        let url = self.0.clone();
        Box::pin(async move { Ok(url) })
    }
}

/// The window, without a display.
struct Stage {
    harness: Harness<'static, Window>,
    woken: Receiver<()>,
}

impl Stage {
    fn on(bench: &Bench) -> Self {
        let options = Options {
            runtime: bench.runtime.handle().clone(),
            target: Some(Target::Embedded),
            embed: Arc::new(Inside(bench.running.url())),
            dialogs: Arc::new(Headless),
            data: Some(bench.folder.path().to_owned()),
            limits: Limits::default(),
            open_requests: None,
            reset_layout: false,
            loaded: None,
        };
        let (wake, woken) = channel();
        let setup = move |ctx: &egui::Context| {
            let wake = Mutex::new(wake);
            ctx.set_request_repaint_callback(move |_| {
                // The receiver is gone once the bench is over.
                wake.lock().unwrap_or_else(PoisonError::into_inner).send(()).ok();
            });
        };
        let harness = Harness::builder()
            .with_size([1280.0, 800.0])
            .with_context_setup(setup)
            .allow_missing_glyphs()
            .build_eframe(move |cc| Window::new(&cc.egui_ctx, options));
        Self { harness, woken }
    }

    /// Draws a frame whenever one is requested, as the desktop does, and reports how long each took.
    fn until(&mut self, done: impl Fn(&Window) -> bool) -> Vec<Duration> {
        let mut frames = Vec::new();
        while !done(self.harness.state()) {
            self.woken.recv_timeout(Duration::from_millis(50)).ok();
            while self.woken.try_recv().is_ok() {}
            let start = Instant::now();
            self.harness.step();
            frames.push(start.elapsed());
        }
        frames
    }
}

/// Measures a run in the window, and each frame meanwhile.
fn in_the_window(bench: &Bench) -> (Duration, Vec<Duration>) {
    let mut stage = Stage::on(bench);
    stage.until(|window| {
        let state = window.state();
        state.connection.status == Status::Up
            && state.assets.list.count() == ASSETS
            && !state.assets.list.rows.loading()
    });
    let (operation, assets) = (bench.operation("in the window"), Arc::new(bench.assets.clone()));
    stage.harness.state_mut().perform(BulkAction::Plan(operation, assets));
    stage.until(|window| window.state().bulk.draft.as_ref().is_some_and(|draft| draft.sample.value().is_some()));
    stage.harness.state_mut().perform(BulkAction::SetDraftInFlight(IN_FLIGHT));
    let start = Instant::now();
    stage.harness.state_mut().perform(BulkAction::Start);
    let ended = |window: &Window| window.state().bulk.runs.values().all(|run| run.status == RunStatus::Ended);
    let frames = stage.until(ended);
    (start.elapsed(), frames)
}

fn main() {
    let bench = Bench::start();
    let (mut links, mut both, mut runs) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        links.push(bench.bare(&format!("only linked {round}"), false));
        both.push(bench.bare(&format!("read and linked {round}"), true));
        runs.push(bench.run(&format!("by a run {round}")));
    }
    let (links, both, run) = (median(links), median(both), median(runs));
    let times = |other: Duration| run.as_secs_f64() / other.as_secs_f64();
    println!("{ASSETS} links, {IN_FLIGHT} in flight, medians of {ROUNDS}");
    println!("  a loop that links:           {links:>10.1?}");
    println!("  a loop that reads and links: {both:>10.1?}");
    println!("  a run:                       {run:>10.1?}  {:.2} and {:.2} times those", times(links), times(both));

    let (run, frames) = in_the_window(&bench);
    let longest = frames.iter().max().copied().unwrap_or_default();
    println!("the same run in the window: {run:.1?}, {} frames", frames.len());
    println!("  a frame: {:.2?} in the median, {longest:.2?} the longest", median(frames.clone()));
    let over = frames.iter().filter(|frame| **frame > Duration::from_millis(16)).count();
    println!("  frames over 16 ms: {over}");
}
