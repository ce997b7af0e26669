//! The rows of the tab: versions and the times between them that nobody watched, newest first.

use std::borrow::Cow;
use std::cmp::Reverse;

use jiff::Timestamp;

use super::owned;
use crate::ui::format;
use lunette_client::model::record::Record as _;
use lunette_client::model::version::AssetVersions;
use lunette_inspector::versions::VersionRow;
use serde_json::Value;

enum Item {
    /// A version, by its index.
    Version(usize),
    /// A time that nobody watched.
    Gap(String),
}

/// The rows, newest first.
pub(super) struct TimeLine<'a> {
    rows: &'a [VersionRow],
    items: Vec<Item>,
}

impl<'a> TimeLine<'a> {
    /// Puts each gap between the versions around it.
    pub fn of(versions: &AssetVersions, rows: &'a [VersionRow]) -> Self {
        let time = |text: &str| text.parse::<Timestamp>().ok();
        let view = versions.view();
        let gaps = view.gaps().into_iter().flat_map(|gaps| gaps.iter());
        let mut gaps: Vec<_> =
            gaps.filter_map(|gap| Some((time(gap["from"]["value"].as_str()?)?, gap_text(gap)))).collect();
        gaps.sort_by_key(|(from, _)| Reverse(*from));
        let mut gaps = gaps.into_iter().peekable();
        let mut items = Vec::with_capacity(rows.len());
        for (index, row) in rows.iter().enumerate() {
            let at = time(&row.at);
            while let Some((_, gap)) = gaps.next_if(|(from, _)| at.is_some_and(|at| *from >= at)) {
                items.push(Item::Gap(gap));
            }
            items.push(Item::Version(index));
        }
        items.extend(gaps.map(|(_, gap)| Item::Gap(gap)));
        Self { rows, items }
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// The index of the version in a row.
    pub fn version(&self, item: usize) -> Option<usize> {
        match self.items.get(item)? {
            Item::Version(index) => Some(*index),
            Item::Gap(_) => None,
        }
    }

    /// The text of a gap in a row; empty if there is none.
    pub fn gap(&self, item: usize) -> &str {
        match self.items.get(item) {
            Some(Item::Gap(text)) => text,
            Some(Item::Version(_)) | None => "",
        }
    }

    /// What a row is called.
    pub fn name(&self, item: usize, of_version: &dyn Fn(&VersionRow) -> String) -> Cow<'static, str> {
        match self.version(item).and_then(|index| self.rows.get(index)) {
            Some(row) => owned(of_version(row)),
            None => owned(self.gap(item).replace('\n', " ")),
        }
    }
}

/// What is said of a gap, and from when to when it was on a second line.
fn gap_text(gap: &Value) -> String {
    let time = |end: &str| gap[end]["value"].as_str().map_or_else(|| "now".to_owned(), format::exact);
    let what = match gap["times"].as_u64() {
        None => "Gap: no versions were kept".to_owned(),
        Some(1) => "Gap: nobody watched".to_owned(),
        Some(times) => format!("Gap: nobody watched all the time ({times} interruptions)"),
    };
    format!("{what}\nfrom {} to {}", time("from"), time("to"))
}
