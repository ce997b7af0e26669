//! Frames of the panel of links with 10,000 tags, scrolled from the first to the last:
//! `cargo bench --features bench --bench links`; `-- COUNT` makes as many tags instead.
//!
//! What is measured: each frame of the whole window, drawn and tessellated, while the wheel turns; on a service in this
//! process, over HTTP.

use std::sync::Arc;
use std::time::{Duration, Instant};

use egui_kittest::Harness;
use lunette::ui::{Options, Window};
use lunette_client::client::{Client, Limits};
use lunette_client::model::linked::SeededTag;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::TagsCreateNewTag;
use lunette_inspector::Action;
use lunette_inspector::change::LinkKind;
use lunette_inspector::panel::Panel;
use lunette_inspector::settings::Target;
use lunette_service::detect::NoDetector;
use lunette_service::{Data, Ports, Settings};
use tokio::runtime::Runtime;

#[path = "../tests/support/headless.rs"]
mod headless;

use headless::Headless;

/// How many tags there are, unless another count is given.
const TAGS: usize = 10_000;
/// How many frames are measured.
const FRAMES: usize = 600;
/// How far the wheel turns in a frame, in points: from the first row to the last in these frames.
const PER_FRAME: f32 = 28.0 * TAGS as f32 / FRAMES as f32;

async fn make_tags(client: Client, count: usize) {
    let mut making = tokio::task::JoinSet::new();
    for number in 0..count {
        if making.len() == 16 {
            making.join_next().await;
        }
        let client = client.clone();
        making.spawn(async move {
            let tag = SeededTag::from_tree(serde_json::json!({ "text": format!("tag {number:05}") })).expect("a seed");
            client.call(TagsCreateNewTag { transferables: None, tag: Some(tag) }).await.expect("a tag");
        });
    }
    making.join_all().await;
}

fn until(harness: &mut Harness<'static, Window>, done: impl Fn(&lunette_inspector::State) -> bool) {
    let end = Instant::now() + Duration::from_secs(120);
    while !done(harness.state().state()) {
        assert!(Instant::now() < end, "waited in vain");
        harness.step();
    }
}

fn scroll(harness: &mut Harness<'static, Window>) -> Vec<Duration> {
    harness.event(egui::Event::PointerMoved(egui::pos2(500.0, 500.0)));
    harness.run_steps(5);
    let turn = || egui::Event::MouseWheel {
        unit: egui::MouseWheelUnit::Point,
        delta: egui::vec2(0.0, -PER_FRAME),
        phase: egui::TouchPhase::Move,
        modifiers: egui::Modifiers::NONE,
        source: egui::MouseWheelSource::Trackpad,
    };
    let mut times = Vec::new();
    for _ in 0..FRAMES {
        harness.event(turn());
        let began = Instant::now();
        harness.step();
        let output = harness.output();
        let points = output.pixels_per_point;
        harness.ctx.tessellate(output.shapes.clone(), points);
        times.push(began.elapsed());
    }
    times.sort_unstable();
    times
}

fn main() {
    let count = std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(TAGS);
    let runtime = Runtime::new().expect("a runtime");
    let settings = Settings::new(Data::Memory, Ports::Any, Arc::new(NoDetector));
    let service = runtime.block_on(lunette_service::start(settings)).expect("the service starts");
    let client = Client::new(service.url().parse().expect("an address"), Limits::default()).expect("a client");
    runtime.block_on(make_tags(client, count));
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
    let show = lunette_inspector::action::NavigationAction::Show(Panel::Links);
    harness.state_mut().perform(Action::from(show));
    until(&mut harness, |state| state.links.list(LinkKind::Tag).count() == count);
    let times = scroll(&mut harness);
    let at = |part: f64| times[((times.len() - 1) as f64 * part) as usize];
    println!("{count} tags, {FRAMES} frames: median {:?}, 99 % {:?}, longest {:?}", at(0.5), at(0.99), at(1.0));
}
