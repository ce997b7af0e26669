//! Comparing two texts, from the texts to the rows that are drawn: `cargo bench --bench compare`.
//!
//! What must hold: two texts of 50,000 lines with 1,000 changes take at most 300 ms, two of 10 MB with nothing in common
//! at most 2 s.

use std::collections::BTreeSet;
use std::hint::black_box;
use std::sync::Arc;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use lunette_inspector::compare::{Body, Comparison, Layout, MAX_BYTES, Rows, Side, Whitespace, changed_words};

/// A text of so many lines, of which every one at a multiple of `changed` differs from that of another `kind`.
fn text(lines: usize, changed: usize, kind: &str) -> String {
    (0..lines)
        .map(|line| match line % changed {
            0 => format!("    let value_{line} = compute({kind}, {line});\n"),
            _ => format!("    let value_{line} = compute(same, {});\n", line / 7),
        })
        .collect()
}

fn side(text: String) -> Arc<Side> {
    Arc::new(Side { body: Body::text(text), ..Side::default() })
}

/// Compares, makes the rows, and finds the changed words of the first screens.
fn compared(left: &Arc<Side>, right: &Arc<Side>, whitespace: Whitespace) -> usize {
    let comparison = Comparison::of(Arc::clone(left), Arc::clone(right), whitespace);
    let Some(diff) = comparison.text() else { return 0 };
    let rows = Rows::of(diff, Layout::SideBySide, &BTreeSet::new());
    let words: usize = diff
        .hunks
        .iter()
        .take(100)
        .map(|hunk| {
            let [left, right] = [0, 1].map(|side| diff.lines[side].line(hunk.lines[side].start));
            changed_words(left, right).iter().map(Vec::len).sum::<usize>()
        })
        .sum();
    rows.len() + words
}

fn compare(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("compare");
    group.sample_size(10);
    let changed = [text(50_000, 50, "old"), text(50_000, 50, "new")].map(side);
    let unlike = ["left", "right"].map(|kind| {
        let mut all = text(MAX_BYTES / 40, 1, kind);
        all.truncate(MAX_BYTES);
        side(all)
    });
    let short = ["a\n", "b\n"].map(|line| side(line.repeat(MAX_BYTES / 2)));
    let whole = [side(format!("{}a", "x".repeat(MAX_BYTES - 1))), side(format!("{}b", "x".repeat(MAX_BYTES - 1)))];
    let cases = [
        ("50,000 lines, 1,000 changes", &changed, Whitespace::Exact),
        ("50,000 lines, 1,000 changes, whitespace ignored", &changed, Whitespace::Ignored),
        ("10 MB with nothing in common", &unlike, Whitespace::Exact),
        ("10 MB of lines of one letter", &short, Whitespace::Exact),
        ("10 MB in one line", &whole, Whitespace::Exact),
    ];
    for (name, [left, right], whitespace) in cases {
        let run = |(left, right): (Arc<Side>, Arc<Side>)| black_box(compared(&left, &right, whitespace));
        group.bench_function(name, |bencher| {
            bencher.iter_batched(|| (Arc::clone(left), Arc::clone(right)), run, BatchSize::PerIteration);
        });
    }
    group.finish();
}

criterion_group!(benches, compare);
criterion_main!(benches);
