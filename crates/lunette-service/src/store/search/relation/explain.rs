//! What the best candidates have in common with the asset, read in full, and which of them are near duplicates.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use rusqlite::{Connection, Row};

use super::links::Links;
use super::near::{self, Compared, NEAR};
use super::words::Words;
use super::{CONVERSATION, Candidates, FOLDER, NAME, RELATED_RECORD, RelatedAsset, Subject, Why};
use crate::store::StoreError;
use crate::store::checksum::{self, summed};
use crate::store::interrupt::InterruptToken;
use crate::store::records::annotation;
use crate::store::records::asset::{AssetSet, ByAsset};
use crate::store::records::item::ItemKind;
use crate::store::search::later::check;
use lunette_client::model::import_path;
use lunette_client::model::name_shape::name_shape;

/// The most assets whose texts are compared.
const COMPARED: usize = 48;
/// Texts of which one is so many times as long as the other are not compared.
const LONGER: i64 = 4;
/// A word that so many other texts have is a relation by itself.
const ALONE: usize = 8;

/// An asset as it is read.
struct Read {
    row: i64,
    id: String,
    name: Option<String>,
    language: Option<String>,
    size: i64,
    digest: Option<Vec<u8>>,
}

/// What candidates are linked to, by asset.
struct Linked {
    items: ByAsset<i64>,
    related: ByAsset<i64>,
    conversations: ByAsset<i64>,
    paths: ByAsset<Option<String>>,
}

/// Everything that a candidate is compared with.
pub(super) struct Explainer<'a> {
    pub(super) db: &'a Connection,
    pub(super) subject: &'a Subject,
    pub(super) words: &'a Words,
    pub(super) links: &'a Links,
    pub(super) candidates: &'a Candidates,
}

impl Explainer<'_> {
    /// The candidates that are related, the closest first.
    pub(super) fn explained(
        &self,
        candidates: &[i64],
        most: usize,
        interrupt: &InterruptToken,
    ) -> Result<Vec<RelatedAsset>, StoreError> {
        let set = AssetSet::of_rows(candidates.iter().copied());
        let mut assets = self.read(&set)?;
        let linked = self.linked(&set)?;
        check(interrupt)?;
        let near = self.near_duplicates(candidates, &assets, interrupt)?;
        let mut related = Vec::new();
        for row in candidates {
            let Some(asset) = assets.remove(row) else { continue };
            let path = linked.paths.get(row).and_then(|paths| paths.last().cloned().flatten());
            let why = self.why(&asset, &linked, path.as_deref());
            let near_duplicate = near.get(row).copied();
            if near_duplicate.is_some() || self.is_relation(*row, &why) {
                let score = self.score(*row, &linked, &why);
                let Read { id, name, language, .. } = asset;
                related.push((score, *row, RelatedAsset { id, name, language, path, near_duplicate, why }));
            }
        }
        // Neither number is negative, so that their bits are in their order.
        related.sort_by_key(|(score, row, asset)| {
            Reverse((asset.near_duplicate.unwrap_or_default().to_bits(), score.to_bits(), *row))
        });
        related.truncate(most);
        Ok(related.into_iter().map(|(_, _, asset)| asset).collect())
    }

    /// The candidates that are neither deleted nor pseudo assets.
    fn read(&self, set: &AssetSet) -> Result<HashMap<i64, Read>, StoreError> {
        let query = concat!(
            "SELECT asset.row, asset.id, asset.name, specific, coalesce(size, 0), sha256, ",
            summed!(asset),
            " FROM asset LEFT JOIN format ON format.asset = asset.row AND format.place = 0
             WHERE asset.row IN (SELECT value FROM json_each(?1)) AND deleted IS NULL AND pseudo = 0"
        );
        let read = |row: &Row| {
            checksum::verify(row, 6, "asset", 1)?;
            Ok(Read {
                row: row.get(0)?,
                id: row.get(1)?,
                name: row.get(2)?,
                language: row.get(3)?,
                size: row.get(4)?,
                digest: row.get(5)?,
            })
        };
        let read = set.read(self.db, query, 0, read)?;
        Ok(read.into_values().flatten().map(|asset| (asset.row, asset)).collect())
    }

    fn linked(&self, set: &AssetSet) -> Result<Linked, StoreError> {
        let of = |query: &str| set.read(self.db, query, 0, |row| row.get(1));
        Ok(Linked {
            items: of("SELECT asset, item FROM link WHERE asset IN (SELECT value FROM json_each(?1))")?,
            related: of("SELECT asset, aside FROM aside_link WHERE asset IN (SELECT value FROM json_each(?1))")?,
            conversations: of("SELECT asset, conversation FROM conversation_asset
                 WHERE asset IN (SELECT value FROM json_each(?1))")?,
            paths: annotation::import_paths(self.db, set)?,
        })
    }

    /// How near the candidates are that are near duplicates.
    fn near_duplicates(
        &self,
        candidates: &[i64],
        assets: &HashMap<i64, Read>,
        interrupt: &InterruptToken,
    ) -> Result<HashMap<i64, f64>, StoreError> {
        let mut near = HashMap::new();
        let mut compared: Vec<(u64, &Read)> = Vec::new();
        for row in candidates {
            let Some(asset) = assets.get(row) else { continue };
            if asset.digest.is_some() && asset.digest == self.subject.digest {
                near.insert(*row, 1.0);
            } else {
                let found = &self.candidates.0[row];
                let shared = self.words.weight(found.words) + f64::from(found.groups);
                compared.push((shared.to_bits(), asset));
            }
        }
        compared.sort_by_key(|(shared, asset)| Reverse((*shared, asset.row)));
        let subject = Compared::of(&self.subject.text, self.words.common());
        for (_, asset) in compared.into_iter().take(COMPARED).filter(|(_, asset)| self.may_be_near(asset)) {
            check(interrupt)?;
            let text = near::text(self.db, asset.row)?.unwrap_or_default();
            let similarity = subject.similarity_to(&text);
            if similarity >= NEAR {
                near.insert(asset.row, similarity);
            }
        }
        Ok(near)
    }

    /// Whether a candidate has a third of the rare words, and a text of about the same length.
    fn may_be_near(&self, asset: &Read) -> bool {
        let words = self.candidates.0[&asset.row].words.count_ones() as usize;
        let (shorter, longer) = (self.subject.size.min(asset.size), self.subject.size.max(asset.size));
        words * 3 >= self.words.count() && longer / LONGER <= shorter
    }

    fn why(&self, asset: &Read, linked: &Linked, path: Option<&str>) -> Why {
        let of = |by_asset: &ByAsset<i64>| -> HashSet<i64> {
            by_asset.get(&asset.row).into_iter().flatten().copied().collect()
        };
        let (items, related, conversations) = (of(&linked.items), of(&linked.related), of(&linked.conversations));
        let texts = |kind: ItemKind| {
            let shared = self.links.items.iter().filter(|item| item.kind == kind && items.contains(&item.row));
            shared.map(|item| item.text.clone()).collect()
        };
        let folder = path.and_then(import_path::folder);
        let shape = asset.name.as_deref().and_then(name_shape);
        Why {
            words: self.candidates.0[&asset.row].words.count_ones() as usize,
            tags: texts(ItemKind::Tag),
            websites: texts(ItemKind::Website),
            summaries: texts(ItemKind::Summary),
            persons: self.links.persons.intersection(&related).count(),
            anchors: self.links.anchors.intersection(&related).count(),
            conversations: self.links.conversations.intersection(&conversations).count(),
            folder: folder.is_some() && folder == self.subject.folder.as_deref(),
            name: shape.is_some() && shape == self.subject.shape,
        }
    }

    /// Whether what they have in common is more than a word that many have.
    fn is_relation(&self, row: i64, why: &Why) -> bool {
        match why.words {
            0 => !why.only_words(),
            1 => !why.only_words() || self.words.rarest(self.candidates.0[&row].words) <= ALONE,
            _ => true,
        }
    }

    /// What they have in common, weighed.
    fn score(&self, row: i64, linked: &Linked, why: &Why) -> f64 {
        let items = linked.items.get(&row).map(Vec::as_slice).unwrap_or_default();
        let shared = self.links.items.iter().filter(|item| items.contains(&item.row));
        let folder = if why.folder { FOLDER } else { 0.0 };
        let name = if why.name { NAME } else { 0.0 };
        self.words.weight(self.candidates.0[&row].words)
            + shared.map(|item| item.weight).sum::<f64>()
            + RELATED_RECORD * (why.persons + why.anchors) as f64
            + CONVERSATION * why.conversations as f64
            + folder
            + name
    }
}
