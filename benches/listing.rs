//! What the list of assets costs beside drawing it: filtering and sorting a million rows, which the window does in the
//! background. The time is the delay between a keystroke and its rows; the window itself does not wait.

use std::hint::black_box;
use std::sync::Arc;

use criterion::{Criterion, criterion_group, criterion_main};
use lunette_inspector::filter::{List, parse};
use lunette_inspector::listing::rows::AssetRow;
use lunette_inspector::listing::{Arrangement, Query, RowList, Sort, apply_query};

const ROWS: usize = 1_000_000;

fn filter_and_sort(criterion: &mut Criterion) {
    let rows: RowList<AssetRow> = (0..ROWS).map(AssetRow::sample).map(Arc::new).collect();
    let mut group = criterion.benchmark_group("of 1,000,000 assets");
    group.sample_size(10);
    let filters = [
        ("filter, many match", "rust 12"),
        ("filter, one matches", "0777777"),
        ("filter, none matches", "zebra"),
        ("filter by fields", "language:rust tag:http score:>90 updated:<7d"),
    ];
    for (name, filter) in filters {
        let query = Query { filter: parse(filter, List::Assets).expect("a filter"), ..Query::default() };
        group.bench_function(name, |bencher| bencher.iter(|| black_box(apply_query(&rows, &query).len())));
    }
    for (name, column) in [("sort by name", "name"), ("sort by score", "score")] {
        let query = Query { sort: Some(Sort::down(column)), ..Query::default() };
        group.bench_function(name, |bencher| bencher.iter(|| black_box(apply_query(&rows, &query).len())));
    }
    // Beside the order: the query without groups takes the time of the filter.
    for (name, column) in [("group by language", "language"), ("group by tag", "tags"), ("group by day", "updated")] {
        let query = Query { group: Some(column.to_owned()), ..Query::default() };
        let order = apply_query(&rows, &query);
        group.bench_function(name, |bencher| {
            bencher.iter(|| black_box(Arrangement::of(&rows, &query, order.clone()).groups));
        });
    }
    group.finish();
}

criterion_group!(benches, filter_and_sort);
criterion_main!(benches);
