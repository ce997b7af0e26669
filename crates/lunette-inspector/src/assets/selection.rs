//! What is selected in a list of assets: how many, and what they have in common.
//!
//! What must hold: the summary of several assets is made in the background, when the selection or its rows change, and
//! never while anything is drawn.

use std::collections::HashMap;
use std::sync::Arc;

use super::{Assets, Output};
use crate::change::LinkKind;
use crate::context::Context;
use crate::listing::rows::AssetRow;
use crate::listing::{Label, RowList};
use crate::tasks::Ended;

/// The selection in the list of assets, for commands; the list itself knows the selected rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Selected {
    /// How many are selected.
    pub count: usize,
    /// How many of those are not visible, because of a filter or because the list is not shown.
    pub hidden: usize,
    /// Whether each of them is a favourite.
    pub favourites: bool,
}

impl Selected {
    /// Whether several are selected. With one row selected, commands act on the open asset, if there is one.
    pub fn several(self) -> bool {
        self.count > 1
    }
}

/// How many values of a kind are named.
const NAMED: usize = 60;

/// Selected assets, by the indices of their rows.
#[derive(Clone, Debug, PartialEq)]
pub struct SelectedRows {
    /// The rows of the list.
    pub rows: RowList<AssetRow>,
    /// The indices of the selected ones; none if they are no longer to be summed up.
    pub indices: Arc<Vec<u32>>,
}

/// What several assets have in common.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SelectionSummary {
    /// How many they are.
    pub count: usize,
    /// The size of those whose size the service tells, in bytes.
    pub size: i64,
    /// How many have a size that is not told.
    pub unsized_count: usize,
    /// How many are favourites.
    pub favourites: usize,
    /// Their languages.
    pub languages: Shares,
    /// Their tags, websites and workstream summaries, in the order of the kinds.
    pub links: [Shares; 3],
    /// How many of them do not say what they are linked to, by kind.
    pub unreported: [usize; 3],
}

/// Values, and how many of the assets have each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shares {
    /// Those that most assets have, most first.
    pub most: Vec<Share>,
    /// How many other values there are.
    pub others: usize,
}

/// A value, and how many of the assets have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Share {
    /// The value: a name or, for a website without a name, its address.
    pub name: String,
    /// The address of a website.
    pub url: Option<String>,
    /// How many of the assets have it.
    pub count: usize,
}

impl Shares {
    fn of(counts: HashMap<&str, usize>) -> Self {
        let mut most: Vec<(&str, usize)> = counts.into_iter().collect();
        most.sort_by(|(name, count), (other, more)| more.cmp(count).then_with(|| name.cmp(other)));
        let others = most.len().saturating_sub(NAMED);
        most.truncate(NAMED);
        Self { most: most.into_iter().map(|(value, count)| Share::of(value, count)).collect(), others }
    }
}

impl Share {
    /// A value as rows have it: that of a website has its address on its last line.
    fn of(value: &str, count: usize) -> Self {
        let (name, url) = match value.rsplit_once('\n') {
            Some(("", url)) => (url, Some(url)),
            Some((name, url)) => (name, Some(url)),
            None => (value, None),
        };
        Self { name: name.to_owned(), url: url.map(str::to_owned), count }
    }
}

impl SelectionSummary {
    /// Sums up the rows of a list that are selected.
    pub fn of(selected: &SelectedRows) -> Self {
        let mut summary = Self::default();
        let mut languages = HashMap::new();
        let mut links: [HashMap<&str, usize>; 3] = Default::default();
        for row in selected.indices.iter().filter_map(|index| selected.rows.get(*index as usize)) {
            summary.count += 1;
            match row.size() {
                Some(size) => summary.size = summary.size.saturating_add(size),
                None => summary.unsized_count += 1,
            }
            summary.favourites += usize::from(row.favorited);
            *languages.entry(row.language()).or_default() += 1;
            for (kind, (counts, unreported)) in
                LinkKind::ALL.into_iter().zip(links.iter_mut().zip(&mut summary.unreported))
            {
                let labels = links_of(row, kind);
                *unreported += usize::from(labels.is_empty() && !row.reports(kind));
                labels.iter().for_each(|label| *counts.entry(label).or_default() += 1);
            }
        }
        summary.languages = Shares::of(languages);
        summary.links = links.map(Shares::of);
        summary
    }

    /// The items of a kind that some of the assets are linked to.
    pub fn links(&self, kind: LinkKind) -> &Shares {
        &self.links[kind as usize]
    }
}

fn links_of(row: &AssetRow, kind: LinkKind) -> &[Label] {
    match kind {
        LinkKind::Tag => row.tags(),
        LinkKind::Website => row.websites(),
        LinkKind::Summary => row.summaries(),
    }
}

/// The summary of the selected assets, and what it is made from.
#[derive(Default)]
pub struct Summing {
    /// The last summary; `None` unless several are selected.
    pub summary: Option<Arc<SelectionSummary>>,
    /// Whether one is being made.
    running: bool,
    /// What is to be summed up after that.
    next: Option<SelectedRows>,
}

impl Assets {
    /// Sums up these assets; while others are summed up, afterwards.
    pub(super) fn sum_up(&mut self, selected: SelectedRows, cx: &mut Context<'_>) {
        let Summing { summary, running, next } = &mut self.summing;
        if selected.indices.is_empty() {
            *summary = None;
        }
        if *running {
            *next = Some(selected);
        } else if !selected.indices.is_empty() {
            *running = true;
            let sum = move || Ok::<_, Ended>(Arc::new(SelectionSummary::of(&selected)));
            cx.run_blocking(sum, |summary| Output::SummedUp(summary.ok()));
        }
    }

    pub(super) fn summed_up(&mut self, summary: Option<Arc<SelectionSummary>>, cx: &mut Context<'_>) {
        self.summing.running = false;
        match self.summing.next.take() {
            Some(next) => self.sum_up(next, cx),
            None => self.summing.summary = summary,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selected(indices: impl Iterator<Item = u32>, rows: usize) -> SelectedRows {
        let rows = (0..rows).map(AssetRow::sample).map(Arc::new).collect();
        SelectedRows { rows, indices: Arc::new(indices.collect()) }
    }

    #[test]
    fn values_are_counted_and_sizes_added_up() {
        let summary = SelectionSummary::of(&selected([0, 1, 2, 11].into_iter(), 12));
        assert_eq!((summary.count, summary.size, summary.unsized_count), (4, 37 + 74 + 407, 0));
        assert_eq!((summary.favourites, summary.unreported), (2, [0; 3]));
        let share = |name: &str| Share { name: name.to_owned(), url: None, count: 4 };
        assert_eq!(summary.languages, Shares { most: vec![share("Rust")], others: 0 });
        assert_eq!(summary.links(LinkKind::Tag).most, [share("http")]);
        assert_eq!(summary.links(LinkKind::Website), &Shares::default());
    }

    #[test]
    fn what_is_not_told_is_counted_and_not_taken_for_none() {
        let silent = AssetRow::recent("00000000-0000-4000-8000-000000000001", "a").map(Arc::new);
        let rows = SelectedRows { rows: silent.into_iter().collect(), indices: Arc::new(vec![0]) };
        let summary = SelectionSummary::of(&rows);
        assert_eq!((summary.unsized_count, summary.unreported), (1, [1; 3]));
    }

    #[test]
    fn of_very_many_values_the_most_frequent_are_named_and_the_others_counted() {
        let names: Vec<String> = (0..100).map(|index| format!("{index:03}")).collect();
        let counts = names.iter().zip(1..).map(|(name, count)| (name.as_str(), count)).collect();
        let shares = Shares::of(counts);
        assert_eq!((shares.most.len(), shares.others), (NAMED, 40));
        assert_eq!((shares.most[0].name.as_str(), shares.most[0].count), ("099", 100));
        let website = Share::of("docs\nhttps://docs.rs/", 2);
        assert_eq!((website.name.as_str(), website.url.as_deref()), ("docs", Some("https://docs.rs/")));
    }

    #[test]
    #[ignore = "measures"]
    fn a_selection_of_20_000_is_summed_up_in_a_tenth_of_a_second() {
        let all = selected(0..20_000, 20_000);
        let begun = std::time::Instant::now();
        assert_eq!(SelectionSummary::of(&all).count, 20_000);
        let took = begun.elapsed();
        assert!(took < std::time::Duration::from_millis(100), "{took:?}");
    }
}
