//! Assets that are related to one: by rare words, links, folder, conversations and the shape of their names, and those that
//! are near duplicates of it.
//!
//! Our choice: near duplicates come first, then what has most in common, where a word or a link counts the more the fewer
//! have it. A word alone is not a relation unless very few have it. The application that an asset came from does not count:
//! almost all assets of a store share it.
//!
//! What must hold: the work is bounded for any asset and any store; the order is a function of what is stored.

use std::collections::HashMap;

use rusqlite::Connection;

use super::later::check;
use super::refresh;
use crate::store::interrupt::InterruptToken;
use crate::store::records::asset;
use crate::store::{Store, StoreError};

mod explain;
mod folders;
mod groups;
mod links;
mod near;
mod subject;
mod words;

use explain::Explainer;
use links::Links;
use subject::Subject;
use words::Words;

/// The most assets whose relation is read in full.
const CANDIDATES: usize = 200;
/// The most assets that share one word, link or folder and are looked at.
const SHARING: usize = 256;
/// What a folder, a conversation, a person or place, and the shape of the name count; a word or a link that few have counts
/// almost 1.
const FOLDER: f64 = 0.5;
const CONVERSATION: f64 = 1.0;
const RELATED_RECORD: f64 = 0.5;
const NAME: f64 = 0.7;

/// The assets that are related to one.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Relations {
    /// The closest first.
    pub(crate) assets: Vec<RelatedAsset>,
    /// How many contents were not looked through, since they are not indexed yet.
    pub(crate) unindexed: usize,
}

/// An asset that is related to another.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RelatedAsset {
    pub(crate) id: String,
    pub(crate) name: Option<String>,
    /// The language of the original.
    pub(crate) language: Option<String>,
    /// The path that its description says it was imported from.
    pub(crate) path: Option<String>,
    /// How much of its text is the same, from 0.5 to 1, if it is a near duplicate.
    pub(crate) near_duplicate: Option<f64>,
    pub(crate) why: Why,
}

/// What two assets have in common.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Why {
    /// How many rare words.
    pub(crate) words: usize,
    /// The texts of tags, the addresses of websites, the names of workstream summaries.
    pub(crate) tags: Vec<String>,
    pub(crate) websites: Vec<String>,
    pub(crate) summaries: Vec<String>,
    /// How many persons, anchors and conversations.
    pub(crate) persons: usize,
    pub(crate) anchors: usize,
    pub(crate) conversations: usize,
    /// The folder that they were imported from.
    pub(crate) folder: bool,
    /// The shape of their names.
    pub(crate) name: bool,
}

impl Why {
    /// Whether they have nothing in common but words.
    fn only_words(&self) -> bool {
        let links = self.tags.len() + self.websites.len() + self.summaries.len();
        links + self.persons + self.anchors + self.conversations == 0 && !self.folder && !self.name
    }
}

/// What is known of a candidate before it is read.
#[derive(Clone, Debug, Default)]
struct Evidence {
    /// Which of the rare words it has, as bits.
    words: u32,
    /// How many groups of common words.
    groups: u32,
    /// What its links and the rest count.
    score: f64,
}

/// Candidates by the row of the asset.
#[derive(Default)]
struct Candidates(HashMap<i64, Evidence>);

impl Candidates {
    fn of(&mut self, asset: i64) -> &mut Evidence {
        self.0.entry(asset).or_default()
    }

    /// The most promising ones, the best first.
    fn best(&self, words: &Words) -> Vec<i64> {
        let mut ranked: Vec<(f64, i64)> = self
            .0
            .iter()
            .map(|(asset, found)| (words.weight(found.words) + 0.3 * f64::from(found.groups) + found.score, *asset))
            .collect();
        // A score is not negative, so that its bits are in its order.
        ranked.sort_by_key(|(score, asset)| std::cmp::Reverse((score.to_bits(), *asset)));
        ranked.truncate(CANDIDATES);
        ranked.into_iter().map(|(_, asset)| asset).collect()
    }
}

impl Store {
    /// The assets that are related to one, the closest first, at most so many.
    pub(crate) fn related_assets(
        &self,
        id: &str,
        most: usize,
        interrupt: &InterruptToken,
    ) -> Result<Relations, StoreError> {
        self.read(|db| {
            interrupt
                .run_interruptible(db, || related(db, &Subject::read(db, asset::row_of(db, id)?)?, most, interrupt))
        })
    }
}

fn related(
    db: &Connection,
    subject: &Subject,
    most: usize,
    interrupt: &InterruptToken,
) -> Result<Relations, StoreError> {
    let mut candidates = Candidates::default();
    let words = Words::gather(db, subject, &mut candidates, interrupt)?;
    check(interrupt)?;
    let links = Links::gather(db, subject, &mut candidates)?;
    check(interrupt)?;
    folders::gather(db, subject, &mut candidates)?;
    candidates.0.remove(&subject.row);
    check(interrupt)?;
    let best = candidates.best(&words);
    let explainer = Explainer { db, subject, words: &words, links: &links, candidates: &candidates };
    let assets = explainer.explained(&best, most, interrupt)?;
    Ok(Relations { assets, unindexed: refresh::count_waiting(db)? })
}
