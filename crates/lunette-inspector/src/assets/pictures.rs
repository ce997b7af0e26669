//! Pictures of assets that a text shows: loaded from the service and decoded in the background.
//!
//! What must hold: few are loaded at once, and none that is too large to be fetched unasked; what is kept is limited in
//! bytes, and the least recently asked for is dropped. A changed asset has another picture.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use jiff::Timestamp;

use crate::assets::content::{self, UNASKED};
use crate::assets::page::Content;
use crate::assets::{Assets, Output};
use crate::context::Context;
use crate::files::scaled::{self, DecodeError, Scaled};
#[cfg(feature = "svg")]
use crate::files::svg::SvgError;
use crate::listing::RowList;
use crate::listing::rows::AssetRow;
use crate::tasks::{Ended, blocking};
use crate::{CallError, Remote};
use lunette_client::client::Client;
use lunette_client::model::id::AssetId;

/// The longer side of a picture, in pixels.
const SIDE: u32 = 1_024;
/// How many are loaded at once.
const AT_ONCE: usize = 3;
/// How many bytes of pixels are kept, as long as several pictures are.
const MAX_BYTES: usize = 64 << 20;
/// How many pictures are known, with those that failed.
const MAX_COUNT: usize = 64;

/// An asset as it was at some time.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PictureOf {
    /// The asset.
    pub id: AssetId,
    /// When it was updated last, if the service tells it.
    pub updated: Option<Timestamp>,
}

/// A picture, or why there is none, in a few words.
pub type AssetPicture = Remote<Arc<Scaled>, String>;

/// The pictures that were asked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AssetPictures {
    of: BTreeMap<PictureOf, AssetPicture>,
    /// Those that are known or asked for, the last one at the end.
    asked: VecDeque<PictureOf>,
    waiting: VecDeque<PictureOf>,
    loading: usize,
}

impl AssetPictures {
    /// Returns a picture; `None` if it was not asked for, or was dropped.
    pub fn get(&self, of: &PictureOf) -> Option<&AssetPicture> {
        self.of.get(of)
    }

    /// Notes what is asked for and not known yet.
    fn ask(&mut self, wanted: Vec<PictureOf>) {
        for of in wanted {
            self.asked.retain(|asked| *asked != of);
            self.asked.push_back(of.clone());
            if !self.of.contains_key(&of) {
                self.of.insert(of.clone(), Remote::Loading { previous: None });
                self.waiting.push_back(of);
            }
        }
    }

    /// Returns what is to be loaded next.
    fn next(&mut self) -> Option<PictureOf> {
        let next = self.waiting.pop_front_if(|_| self.loading < AT_ONCE)?;
        self.loading += 1;
        Some(next)
    }

    fn loaded(&mut self, of: &PictureOf, picture: Result<Arc<Scaled>, NoPicture>) {
        self.loading = self.loading.saturating_sub(1);
        if let Some(known) = self.of.get_mut(of) {
            known.resolve(picture.map_err(|error| error.to_string()));
        }
        self.drop_old();
    }

    /// Drops the least recently asked for that exceed the limits; one is always kept.
    fn drop_old(&mut self) {
        let size = |picture: &AssetPicture| picture.value().map_or(0, |picture| picture.rgba.len());
        let mut bytes: usize = self.of.values().map(size).sum();
        while self.asked.len() > 1 && (bytes > MAX_BYTES || self.asked.len() > MAX_COUNT) {
            let Some(oldest) = self.asked.pop_front() else { return };
            bytes -= self.of.remove(&oldest).as_ref().map_or(0, size);
            self.waiting.retain(|waiting| *waiting != oldest);
        }
    }
}

impl Assets {
    /// Loads the pictures that are not known yet.
    pub(super) fn load_pictures(&mut self, wanted: Vec<PictureOf>, cx: &mut Context<'_>) {
        self.pictures.ask(wanted);
        self.load_next_pictures(cx);
    }

    pub(super) fn picture_loaded(&mut self, of: &PictureOf, picture: Result<Scaled, NoPicture>, cx: &mut Context<'_>) {
        self.pictures.loaded(of, picture.map(Arc::new));
        self.load_next_pictures(cx);
    }

    fn load_next_pictures(&mut self, cx: &mut Context<'_>) {
        while let Some(of) = self.pictures.next() {
            let (client, own, id) = (cx.client(), cx.connection.own, of.id.clone());
            let work = async move { picture(&client?, id, own).await };
            cx.run(work, move |picture| Output::Picture(of, picture));
        }
    }
}

/// Why an asset has no picture.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(crate) enum NoPicture {
    /// Its content could not be read.
    #[error(transparent)]
    Call(#[from] CallError),
    /// It is in a format that is not read.
    #[error("its format is not supported")]
    Format,
    /// It has too many pixels.
    #[error("it is too large")]
    TooLarge,
    /// It cannot be decoded, and why.
    #[error("it is damaged: {0}")]
    Damaged(String),
    /// It cannot be drawn.
    #[cfg(feature = "svg")]
    #[error(transparent)]
    Svg(#[from] SvgError),
    /// Its content is something else.
    #[error("it is no picture")]
    Other,
    /// Reading it panicked or was cancelled.
    #[error(transparent)]
    Ended(#[from] Ended),
}

async fn picture(client: &Client, id: AssetId, own: bool) -> Result<Scaled, NoPicture> {
    let content = content::whole(&client.with_response_limit(UNASKED), id, own).await?;
    blocking(move || decode(&content)).await?
}

fn decode(content: &Content) -> Result<Scaled, NoPicture> {
    match content {
        Content::Bytes(bytes) => scaled::decode(bytes, SIDE).map_err(|error| match error {
            DecodeError::Format => NoPicture::Format,
            DecodeError::TooLarge(..) => NoPicture::TooLarge,
            DecodeError::Damaged(problem) => NoPicture::Damaged(problem),
        }),
        #[cfg(feature = "svg")]
        Content::Text(text) => Ok(crate::files::svg::draw(text, SIDE)?.pixels),
        _ => Err(NoPicture::Other),
    }
}

/// Finds the assets that a text of the asset `text` means by the names of files. Of several with one name, the one that
/// was created nearest to the text is meant: files of one import are created together.
pub fn named(rows: &RowList<AssetRow>, text: &AssetId, names: &[String]) -> BTreeMap<String, PictureOf> {
    let created = rows.iter().find(|row| row.is_of(text)).and_then(|row| row.created_at());
    let mut found: BTreeMap<String, (u64, PictureOf)> = BTreeMap::new();
    for row in rows.iter() {
        let Some(name) = names.iter().find(|name| name.eq_ignore_ascii_case(row.name())) else { continue };
        let apart = |row: &AssetRow| Some(row.created_at()?.as_millisecond().abs_diff(created?.as_millisecond()));
        let apart = apart(row).unwrap_or(u64::MAX);
        if found.get(name).is_none_or(|(nearest, _)| apart < *nearest) {
            found.insert(name.clone(), (apart, PictureOf { id: row.id(), updated: row.updated_at() }));
        }
    }
    found.into_iter().map(|(name, (_, of))| (name, of)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(number: u32) -> PictureOf {
        PictureOf { id: AssetRow::sample(number as usize).id(), updated: None }
    }

    fn scaled(bytes: usize) -> Arc<Scaled> {
        Arc::new(Scaled { original: [1, 1], size: [1, 1], rgba: vec![0; bytes] })
    }

    #[test]
    fn few_pictures_are_loaded_at_once_and_each_only_once() {
        let mut pictures = AssetPictures::default();
        pictures.ask((0..5).map(of).collect());
        pictures.ask((0..5).map(of).collect());
        let started: Vec<_> = std::iter::from_fn(|| pictures.next()).collect();
        assert_eq!(started, [of(0), of(1), of(2)]);
        pictures.loaded(&of(1), Err(NoPicture::Format));
        assert_eq!((pictures.next(), pictures.next()), (Some(of(3)), None));
        assert_eq!(
            pictures.get(&of(1)).and_then(|picture| picture.error()).map(String::as_str),
            Some("its format is not supported")
        );
    }

    #[test]
    fn the_least_recently_asked_for_is_dropped_beyond_the_limits() {
        let mut pictures = AssetPictures::default();
        pictures.ask((0..3).map(of).collect());
        while pictures.next().is_some() {}
        pictures.ask(vec![of(0)]);
        for number in 0..3 {
            pictures.loaded(&of(number), Ok(scaled(MAX_BYTES / 2)));
        }
        assert!(pictures.get(&of(1)).is_none() && pictures.get(&of(0)).is_some() && pictures.get(&of(2)).is_some());
        pictures.ask((10..200).map(of).collect());
        pictures.loaded(&of(10), Err(NoPicture::Other));
        assert_eq!((pictures.of.len(), pictures.asked.len()), (MAX_COUNT, MAX_COUNT));
    }

    #[test]
    fn files_are_found_by_name_whatever_its_case() {
        let rows: RowList<AssetRow> = ["a.md", "Logo.PNG", "other.png"]
            .iter()
            .zip(0..)
            .map(|(name, at)| Arc::new(AssetRow::sample(at).renamed(name)))
            .collect();
        let names = ["logo.png".to_owned(), "missing.png".to_owned()];
        let found = named(&rows, &rows[0].id(), &names);
        assert_eq!(
            found.into_iter().map(|(name, of)| (name, of.id)).collect::<Vec<_>>(),
            [("logo.png".to_owned(), rows[1].id())]
        );
    }
}
