//! A key in the editor at 10 MB: in the model, and a whole frame drawn and tessellated without a window.

use std::time::Duration;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use egui::{Context, Event, Id, Key, Modifiers, RawInput, Rect, pos2, vec2};
use lunette::ui::theme;
use lunette::ui::widgets::editor::document::{Document, Selection};
use lunette::ui::widgets::editor::search::Query;
use lunette::ui::widgets::editor::{Editor, EditorView};
use lunette_inspector::highlighting::syntax;
use lunette_syntax::CancelToken;

const LINE: &str = "    let number: usize = values.iter().map(|value| value.len()).sum(); // a line\n";

/// A text of so many bytes.
fn text(bytes: usize) -> String {
    LINE.repeat(bytes / LINE.len())
}

/// A key at the beginning, in the middle and at the end.
fn key(c: &mut Criterion) {
    let mut group = c.benchmark_group("editor/key");
    for (name, part) in [("beginning", 0), ("middle", 1), ("end", 2)] {
        let mut document = Document::new(text(10_000_000), syntax("rs"));
        document.select(Selection::caret(document.text().len() / 2 * part));
        group.bench_function(name, |bencher| bencher.iter(|| document.type_text("a")));
    }
    let mut document = Document::new(text(10_000_000), syntax("rs"));
    group.bench_function("new_line", |bencher| bencher.iter(|| document.new_line()));
    group.finish();
}

fn replace_all(c: &mut Criterion) {
    let query = Query { words: "number".to_owned(), ..Query::default() };
    let compiled = query.compile().expect("valid");
    let begun = Document::new(text(10_000_000), syntax("rs"));
    let found = compiled.replaced(begun.text(), "count", &CancelToken::default()).expect("found");
    let mut group = c.benchmark_group("editor");
    group.sample_size(10);
    group.bench_function("find", |bencher| {
        bencher.iter(|| compiled.matches(begun.text(), &CancelToken::default()).map(|matches| matches.len()));
    });
    group.bench_function("replace_all", |bencher| {
        let fresh = || (begun.clone(), found.clone());
        bencher.iter_batched(fresh, |(mut document, found)| document.replace_all(found), BatchSize::LargeInput);
    });
    group.finish();
}

/// A frame of 1200 by 800 points, up to the part that runs on the graphics card.
fn frame(ctx: &Context, time: &mut f64, editor: &mut Editor, (events, wraps): (Vec<Event>, bool)) -> usize {
    *time += 1.0 / 60.0;
    let screen_rect = Some(Rect::from_min_size(pos2(0.0, 0.0), vec2(1200.0, 800.0)));
    let input = RawInput { screen_rect, time: Some(*time), events, ..RawInput::default() };
    let mut output = ctx.run_ui(input, |ui| {
        let view = EditorView { name: "Text", height: 780.0, wraps, indents: true, fault: None };
        editor.ui(ui, view).response.request_focus();
    });
    output.textures_delta.clear();
    ctx.tessellate(output.shapes, output.pixels_per_point).len()
}

/// A frame in which a character is typed, and one in which the text is scrolled to lines never shown before.
fn frames(c: &mut Criterion) {
    let mut group = c.benchmark_group("editor/frame");
    for wraps in [false, true] {
        let ctx = Context::default();
        theme::install(&ctx);
        let mut time = 0.0;
        let mut editor = Editor::new(text(10_000_000), syntax("rs"));
        for _ in 0..200 {
            frame(&ctx, &mut time, &mut editor, (Vec::new(), wraps));
        }
        let name = if wraps { "wrapped" } else { "lines" };
        group.bench_function(format!("still/{name}"), |bencher| {
            bencher.iter(|| frame(&ctx, &mut time, &mut editor, (Vec::new(), wraps)));
        });
        group.bench_function(format!("key/{name}"), |bencher| {
            bencher.iter(|| frame(&ctx, &mut time, &mut editor, (vec![Event::Text("a".to_owned())], wraps)));
        });
        let mut line = 0.0;
        group.bench_function(format!("jump/{name}"), |bencher| {
            bencher.iter(|| {
                line = (line + 7_919.0) % 120_000.0;
                editor.start_at(0, line);
                ctx.memory_mut(|memory| memory.surrender_focus(Id::NULL));
                frame(&ctx, &mut time, &mut editor, (Vec::new(), wraps))
            });
        });
    }
    group.finish();
}

/// A frame in which a character is typed in the middle and at the end, and one that goes to the next match.
fn frames_elsewhere(c: &mut Criterion) {
    let mut group = c.benchmark_group("editor/frame");
    let ctx = Context::default();
    theme::install(&ctx);
    let mut time = 0.0;
    let mut editor = Editor::new(text(10_000_000), syntax("rs"));
    let length = editor.document().text().len();
    for (name, byte) in [("middle", length / 2), ("end", length)] {
        editor.start_at(byte, (byte / LINE.len()) as f64);
        for _ in 0..200 {
            frame(&ctx, &mut time, &mut editor, (Vec::new(), false));
        }
        group.bench_function(format!("key/{name}"), |bencher| {
            bencher.iter(|| frame(&ctx, &mut time, &mut editor, (vec![Event::Text("a".to_owned())], false)));
        });
    }
    // The first word of the text is looked for.
    editor.start_at(0, 0.0);
    let word = Modifiers { shift: true, ..Modifiers::CTRL };
    for event in [key_event(Key::ArrowRight, word), key_event(Key::F, Modifiers::COMMAND)] {
        frame(&ctx, &mut time, &mut editor, (vec![event], false));
    }
    for _ in 0..200 {
        // All matches are found on another thread.
        std::thread::sleep(Duration::from_millis(10));
        frame(&ctx, &mut time, &mut editor, (Vec::new(), false));
    }
    group.bench_function("find_next", |bencher| {
        bencher.iter(|| {
            frame(&ctx, &mut time, &mut editor, (vec![key_event(Key::F3, Modifiers::NONE)], false));
            editor.document().selection().head
        });
    });
    assert!(editor.document().selection().head > LINE.len(), "matches were gone to");
    group.finish();
}

fn key_event(key: Key, modifiers: Modifiers) -> Event {
    Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers }
}

criterion_group!(benches, key, replace_all, frames, frames_elsewhere);
criterion_main!(benches);
