//! One frame of a list of assets, drawn and tessellated without a window, at 1,000 and 1,000,000 rows: by our table,
//! and by `egui_extras::TableBuilder` with the same columns, cells and rows in sight.

use criterion::{Criterion, criterion_group, criterion_main};
use egui::{Context, RawInput, Rect, RichText, Sense, Ui, pos2, vec2};
use egui_extras::{Column as TheirColumn, TableBuilder};
use lunette::ui::theme::{self, Tokens, UiExt as _};
use lunette::ui::widgets::table::{Column, Table, TableState};

/// The columns of the list of assets.
const COLUMNS: [Column; 6] = [
    Column::text("name", "Name", 240.0),
    Column::text("language", "Language", 130.0),
    Column::text("tags", "Tags", 180.0),
    Column::figures("score", "Score", 70.0),
    Column::figures("size", "Size", 90.0),
    Column::text("updated", "Updated", 120.0),
];

/// Draws one cell; the words differ from row to row, as those of real assets do.
fn cell(ui: &mut Ui, row: usize, column: usize) {
    let muted = Tokens::of(ui).muted;
    match column {
        0 => drop(ui.label(format!("retry_backoff_{row}.rs"))),
        1 => drop(ui.label("Rust")),
        2 => {
            ui.chip("http");
            ui.chip("tokio");
        }
        3 => drop(ui.label((row % 20).to_string())),
        4 => drop(ui.label(RichText::new(format!("{} B", row % 1000)).color(muted))),
        _ => drop(ui.label(RichText::new("4 min ago").color(muted))),
    }
}

fn ours(ui: &mut Ui, rows: usize, state: &mut TableState) {
    let key = |row: usize| row.to_string();
    Table::new("Assets", &COLUMNS, rows, &key).show(ui, state, cell);
}

fn theirs(ui: &mut Ui, rows: usize) {
    let ctx = ui.ctx().clone();
    // Rows right below each other and cells of one line, as in ours.
    ui.spacing_mut().item_spacing.y = 0.0;
    ui.style_mut().interaction.selectable_labels = false;
    ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Truncate);
    let mut table = TableBuilder::new(ui).resizable(true).sense(Sense::click()).auto_shrink(false);
    for column in &COLUMNS {
        table = table.column(TheirColumn::initial(column.width - 8.0).clip(true));
    }
    let height = theme::row(&ctx);
    let table = table.header(height, |mut header| {
        for column in &COLUMNS {
            header.col(|ui| drop(ui.label(column.title)));
        }
    });
    table.body(|body| {
        body.rows(height, rows, |mut row| {
            let index = row.index();
            for column in 0..COLUMNS.len() {
                row.col(|ui| cell(ui, index, column));
            }
        });
    });
}

/// A frame of 1200 by 800 points, up to the part that runs on the graphics card.
fn frame(ctx: &Context, time: &mut f64, draw: impl FnMut(&mut Ui)) -> usize {
    *time += 1.0 / 60.0;
    let input = RawInput {
        screen_rect: Some(Rect::from_min_size(pos2(0.0, 0.0), vec2(1200.0, 800.0))),
        time: Some(*time),
        ..RawInput::default()
    };
    let mut output = ctx.run_ui(input, draw);
    output.textures_delta.clear();
    ctx.tessellate(output.shapes, output.pixels_per_point).len()
}

/// A context that has drawn the list before, so that glyphs and columns are known.
fn warm(mut draw: impl FnMut(&mut Ui)) -> (Context, f64) {
    let ctx = Context::default();
    theme::install(&ctx);
    let mut time = 0.0;
    for _ in 0..10 {
        frame(&ctx, &mut time, &mut draw);
    }
    (ctx, time)
}

fn still(c: &mut Criterion) {
    let mut group = c.benchmark_group("frame");
    for rows in [1_000, 1_000_000] {
        let mut state = TableState::default();
        let (ctx, mut time) = warm(|ui| ours(ui, rows, &mut state));
        group.bench_function(format!("table/{rows}"), |bencher| {
            bencher.iter(|| frame(&ctx, &mut time, |ui| ours(ui, rows, &mut state)));
        });
        let (ctx, mut time) = warm(|ui| theirs(ui, rows));
        group.bench_function(format!("table_builder/{rows}"), |bencher| {
            bencher.iter(|| frame(&ctx, &mut time, |ui| theirs(ui, rows)));
        });
    }
    group.finish();
}

/// Each frame shows rows never shown before: all text is laid out anew.
fn jumping(c: &mut Criterion) {
    let rows = 1_000_000;
    let mut state = TableState::default();
    let (ctx, mut time) = warm(|ui| ours(ui, rows, &mut state));
    c.bench_function("frame/table/jumping", |bencher| {
        bencher.iter(|| {
            state.scroll.top = (state.scroll.top + 7_919.25) % 999_000.0;
            frame(&ctx, &mut time, |ui| ours(ui, rows, &mut state))
        });
    });
}

criterion_group!(benches, still, jumping);
criterion_main!(benches);
