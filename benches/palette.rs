//! A keystroke in the palette over 100,000 names of assets: how long until everything that matches is on screen, drawn
//! and tessellated without a window, and how long the longest frame on the way there is.

use std::sync::Arc;
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use egui::{Context, Event, RawInput, Rect, pos2, vec2};
use lunette::ui::palette::Palette;
use lunette::ui::theme;
use lunette_inspector::listing::rows::AssetRow;
use lunette_inspector::{Remote, State};

/// How many names there are.
const NAMES: usize = 100_000;

/// Words that the names are made of, so that a few letters match many of them.
const WORDS: [&str; 12] = [
    "retry", "backoff", "stream", "parser", "invoice", "notes", "migrate", "window", "report", "client", "schema",
    "draft",
];

fn state() -> State {
    let row = |index: usize| {
        let (one, other) = (WORDS[index % WORDS.len()], WORDS[index / WORDS.len() % WORDS.len()]);
        Arc::new(AssetRow::sample(index).renamed(&format!("{one}_{other}_{index}.rs")))
    };
    let mut state = State::default();
    state.assets.list.rows = Remote::Known((0..NAMES).map(row).collect());
    state
}

/// Draws one frame of 1200 by 800 points, up to the part that runs on the graphics card.
fn frame(ctx: &Context, time: &mut f64, events: Vec<Event>, palette: &mut Palette, state: &State) {
    *time += 1.0 / 60.0;
    let input = RawInput {
        screen_rect: Some(Rect::from_min_size(pos2(0.0, 0.0), vec2(1200.0, 800.0))),
        time: Some(*time),
        events,
        ..RawInput::default()
    };
    let mut output = ctx.run_ui(input, |ui| {
        palette.ui(ui.ctx(), state, &mut Vec::new());
    });
    output.textures_delta.clear();
    ctx.tessellate(output.shapes, output.pixels_per_point);
}

/// Types a letter and draws until its results are shown; returns the longest frame.
fn keystroke(ctx: &Context, time: &mut f64, letter: &str, palette: &mut Palette, state: &State) -> Duration {
    let mut events = vec![Event::Text(letter.to_owned())];
    let mut longest = Duration::ZERO;
    loop {
        let begun = Instant::now();
        // The frame that receives the letter still shows the previous results.
        let typed = events.is_empty();
        frame(ctx, time, std::mem::take(&mut events), palette, state);
        longest = longest.max(begun.elapsed());
        if typed && palette.is_complete() {
            return longest;
        }
    }
}

fn palette(c: &mut Criterion) {
    let state = state();
    let ctx = Context::default();
    theme::install(&ctx);
    let mut time = 0.0;
    for typed in ["r", "retry", "rtybck 9"] {
        let (before, letter) = typed.split_at(typed.len() - 1);
        let mut longest = Duration::ZERO;
        c.bench_function(&format!("palette/{NAMES}/{typed}"), |bencher| {
            bencher.iter_custom(|count| {
                let mut spent = Duration::ZERO;
                for _ in 0..count {
                    let mut palette = Palette::default();
                    palette.open(&state, &mut Vec::new());
                    frame(&ctx, &mut time, Vec::new(), &mut palette, &state);
                    if !before.is_empty() {
                        keystroke(&ctx, &mut time, before, &mut palette, &state);
                    }
                    let begun = Instant::now();
                    longest = longest.max(keystroke(&ctx, &mut time, letter, &mut palette, &state));
                    spent += begun.elapsed();
                }
                spent
            });
        });
        println!("palette/{NAMES}/{typed}: the longest frame took {longest:?}");
    }
}

criterion_group!(benches, palette);
criterion_main!(benches);
