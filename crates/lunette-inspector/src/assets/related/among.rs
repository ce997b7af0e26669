//! What is related to an asset among the rows that are loaded: by links, folder, the shape of names, and language.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::{Related, RelatedAsset, SharedTraits};
use crate::listing::rows::AssetRow;
use crate::listing::{Label, RowList};
use lunette_client::model::name_shape::name_shape;
use lunette_client::model::search_result::DEFAULT_RELATED;

/// What a folder, the shape of a name and a language count. A link that few assets have counts almost 1.
const FOLDER: f64 = 0.5;
const NAME: f64 = 0.7;
const LANGUAGE: f64 = 0.05;

/// The rows that have something in common with an asset, the closest first. A language alone is not enough.
pub(super) fn related(asset: &AssetRow, rows: &RowList<AssetRow>) -> Related {
    let weights = Weights::of(asset, rows);
    let (shape, first) = (name_shape(asset.name()), first_letter(asset.name()));
    let mut found: Vec<(f64, usize, SharedTraits)> = Vec::new();
    for (index, row) in rows.iter().enumerate().filter(|(_, row)| row.compact_id() != asset.compact_id()) {
        // Names of one shape begin alike.
        let alike = shape.is_some() && first_letter(row.name()) == first;
        let shared = SharedTraits {
            tags: weights.shared(row.tags()),
            websites: weights.shared(row.websites()),
            summaries: weights.shared(row.summaries()),
            folder: asset.folder().is_some()
                && row.folder().map(|folder| &**folder) == asset.folder().map(|folder| &**folder),
            name: alike && name_shape(row.name()) == shape,
            language: !asset.specific().is_empty() && row.specific() == asset.specific(),
            ..SharedTraits::default()
        };
        let score = weights.score(&shared);
        if score > LANGUAGE {
            found.push((score, index, shared));
        }
    }
    // A score is not negative, so that its bits are in its order.
    found.sort_by_key(|(score, index, _)| (Reverse(score.to_bits()), *index));
    found.truncate(DEFAULT_RELATED);
    let assets = found.into_iter().filter_map(|(_, index, shared)| Some(row_of(rows.get(index)?, shared)));
    Related { assets: assets.collect(), unindexed: 0, by_window: true }
}

fn row_of(row: &AssetRow, mut shared: SharedTraits) -> RelatedAsset {
    // The last line of a website is its address.
    for website in &mut shared.websites {
        *website = website.rsplit('\n').next().unwrap_or_default().to_owned();
    }
    RelatedAsset {
        id: row.id(),
        name: row.name().to_owned(),
        specific: row.specific().to_owned(),
        folder: row.folder().map(|folder| folder.to_string()).unwrap_or_default(),
        near_duplicate: None,
        shared,
    }
}

/// What the shape of a name begins with.
fn first_letter(name: &str) -> Option<char> {
    let letter = name.chars().find(|letter| letter.is_alphanumeric())?;
    if letter.is_numeric() { Some('0') } else { letter.to_lowercase().next() }
}

/// What each link of an asset counts: the more, the fewer rows have it.
struct Weights(HashMap<String, f64>);

impl Weights {
    fn of(asset: &AssetRow, rows: &RowList<AssetRow>) -> Self {
        let links = |row: &AssetRow| [row.tags(), row.websites(), row.summaries()].concat();
        let mut having: HashMap<String, usize> = links(asset).iter().map(|link| (link.to_string(), 1)).collect();
        let rows_with_links = if having.is_empty() { 0 } else { rows.len() };
        for row in rows.iter().take(rows_with_links) {
            for link in [row.tags(), row.websites(), row.summaries()].into_iter().flatten() {
                if let Some(count) = having.get_mut(&**link) {
                    *count += 1;
                }
            }
        }
        let all = rows.len().max(2) as f64;
        let weight = |count: usize| (1.0 + all / count as f64).ln() / (1.0 + all).ln();
        Self(having.into_iter().map(|(link, count)| (link, weight(count))).collect())
    }

    /// Which of these links the asset has too.
    fn shared(&self, links: &[Label]) -> Vec<String> {
        if self.0.is_empty() {
            return Vec::new();
        }
        links.iter().filter(|link| self.0.contains_key(&***link)).map(|link| link.to_string()).collect()
    }

    fn score(&self, shared: &SharedTraits) -> f64 {
        let links = [&shared.tags, &shared.websites, &shared.summaries].into_iter().flatten();
        let so = [(shared.folder, FOLDER), (shared.name, NAME), (shared.language, LANGUAGE)];
        links.filter_map(|link| self.0.get(link)).sum::<f64>()
            + so.into_iter().filter(|(is_so, _)| *is_so).map(|(_, weight)| weight).sum::<f64>()
    }
}
