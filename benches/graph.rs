//! The graph on a large store, from the click to its picture, and its frames:
//! `cargo bench --bench graph -- FOLDER`, where FOLDER was made by `make_store`.
//!
//! What is measured: from requesting a graph of two links until its nodes are placed, read over HTTP from the service
//! in this process; then frames of the whole window with that graph, drawn and tessellated.

#![expect(clippy::too_many_lines, reason = "a measurement is easier to read in one piece")]

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use egui_kittest::Harness;
use lunette::ui::{Options, Window};
use lunette_client::client::Limits;
use lunette_inspector::Remote;
use lunette_inspector::action::GraphAction;
use lunette_inspector::change::LinkKind;
use lunette_inspector::graph::Start;
use lunette_inspector::settings::Target;
use lunette_service::detect::NoDetector;
use lunette_service::{Data, Ports, Settings};
use tokio::runtime::Runtime;

#[path = "../tests/support/headless.rs"]
mod headless;

use headless::Headless;

/// Graphs of each kind of start.
const STARTS: usize = 9;
const FRAMES: usize = 200;

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn until(harness: &mut Harness<'static, Window>, done: impl Fn(&lunette_inspector::State) -> bool) {
    let end = Instant::now() + Duration::from_secs(120);
    while !done(harness.state().state()) {
        assert!(Instant::now() < end, "waited in vain");
        harness.step();
    }
}

/// Requests a graph and draws until it is ready; returns how long that took.
fn graph(harness: &mut Harness<'static, Window>, start: Start) -> Duration {
    harness.state_mut().perform(GraphAction::Start(vec![start]));
    let began = Instant::now();
    while !matches!(harness.state().state().graph.shown, Remote::Known(_)) {
        harness.step();
        assert!(began.elapsed() < Duration::from_secs(60), "waited in vain");
    }
    began.elapsed()
}

fn measure(harness: &mut Harness<'static, Window>, name: &str, starts: Vec<Start>) {
    let (mut times, mut nodes, mut links) = (Vec::new(), 0, 0);
    for start in starts {
        times.push(graph(harness, start));
        let shown = harness.state().state().graph.graph().map(|graph| graph.counts()).unwrap_or_default();
        (nodes, links) = (nodes.max(shown.0), links.max(shown.1));
    }
    let longest = times.iter().max().copied().unwrap_or_default();
    println!("{name}: median {:?}, longest {longest:?}; at most {nodes} nodes, {links} links", median(times));
}

fn frames(harness: &mut Harness<'static, Window>) {
    harness.run_steps(5);
    let mut times = Vec::new();
    for number in 0..FRAMES {
        // The pointer moves, so that hit testing is included.
        let at = egui::pos2(400.0 + number as f32, 300.0);
        harness.event(egui::Event::PointerMoved(at));
        let began = Instant::now();
        harness.step();
        let output = harness.output();
        let points = output.pixels_per_point;
        harness.ctx.tessellate(output.shapes.clone(), points);
        times.push(began.elapsed());
    }
    let longest = times.iter().max().copied().unwrap_or_default();
    let nodes = harness.state().state().graph.graph().map_or(0, |graph| graph.nodes.len());
    println!("a frame with {nodes} nodes: median {:?}, longest {longest:?}", median(times));
}

fn main() {
    let Some(folder) = std::env::args().skip(1).find(|argument| argument != "--bench").map(PathBuf::from) else {
        return println!("usage: cargo bench --bench graph -- FOLDER");
    };
    let runtime = Runtime::new().expect("a runtime");
    let settings = Settings::new(Data::Folder(folder), Ports::Any, Arc::new(NoDetector));
    let service = runtime.block_on(lunette_service::start(settings)).expect("the service starts");
    let options = Options {
        runtime: runtime.handle().clone(),
        target: Some(Target::Url(service.url())),
        embed: Arc::new(Headless),
        dialogs: Arc::new(Headless),
        data: None,
        limits: Limits::default(),
        open_requests: None,
        reset_layout: false,
        loaded: None,
    };
    let mut harness = Harness::builder()
        .with_size([1280.0, 800.0])
        .allow_missing_glyphs()
        .build_eframe(move |cc| Window::new(&cc.egui_ctx, options));
    until(&mut harness, |state| {
        matches!(state.assets.list.rows, Remote::Known(_))
            && LinkKind::ALL.iter().all(|kind| matches!(state.assets.linkable.get(kind), Some(Remote::Known(_))))
    });
    let state = harness.state().state();
    let rows = state.assets.list.rows.value().cloned().unwrap_or_default();
    println!("{} assets", rows.len());
    let assets = (0..STARTS).filter_map(|number| rows.get(number * rows.len() / STARTS));
    let assets = assets.map(|row| Start::asset(row.id(), row.name())).collect();
    let items = |kind: LinkKind| -> Vec<Start> { state.assets.items(kind).iter().map(Start::item).collect() };
    let common = |start: &Start| ["topic 0000", "topic 0001", "topic 0002"].contains(&start.name.as_str());
    let (tags, websites, summaries) = (items(LinkKind::Tag), items(LinkKind::Website), items(LinkKind::Summary));
    let most: Vec<Start> = tags.iter().filter(|start| common(start)).cloned().collect();
    let few = |starts: &[Start]| starts.iter().take(STARTS).cloned().collect::<Vec<_>>();
    measure(&mut harness, "two links from an asset", assets);
    measure(&mut harness, "two links from a tag", few(&tags));
    measure(&mut harness, "two links from a website", few(&websites));
    measure(&mut harness, "two links from a summary", few(&summaries));
    measure(&mut harness, "two links from a tag on 7 % of the assets", most.clone());
    if let Some(start) = most.first() {
        graph(&mut harness, start.clone());
        // Up to the most that is drawn.
        for _ in 0..4 {
            harness.state_mut().perform(GraphAction::Open(start.key.clone()));
            until(&mut harness, |state| matches!(state.graph.shown, Remote::Known(_)));
        }
        frames(&mut harness);
    }
    runtime.block_on(service.stop());
}
