//! Pictures of assets that a text shows, and thumbnails of a gallery: loaded from the service and decoded in the
//! background.
//!
//! What must hold: few are loaded at once, and none that is too large to be fetched unasked; what is kept is limited in
//! bytes, and the least recently asked for is dropped. A changed asset has another picture. A thumbnail that is scrolled
//! out of sight before it is there is not loaded.
//!
//! Our choice: nothing is kept on disk. The service is on the same machine, and what is in an asset is in its store alone.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use jiff::Timestamp;

use crate::Vendor;
use crate::assets::content::{self, UNASKED};
use crate::assets::page::Content;
use crate::assets::{Assets, Output};
use crate::context::Context;
use crate::files::scaled::{self, DecodeError, Scaled};
#[cfg(feature = "svg")]
use crate::files::svg::SvgError;
use crate::listing::RowList;
use crate::listing::rows::AssetRow;
use crate::tasks::{Ended, TaskId, blocking};
use crate::{CallError, Remote};
use lunette_client::client::Client;
use lunette_client::model::id::AssetId;

/// How many are loaded at once.
const AT_ONCE: usize = 3;
/// How many bytes of pixels are kept, as long as several pictures are.
const MAX_BYTES: usize = 64 << 20;

/// An asset as it was at some time.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PictureOf {
    /// The asset.
    pub id: AssetId,
    /// When it was updated last, if the service tells it.
    pub updated: Option<Timestamp>,
}

/// A picture, or why there is none, in a few words.
pub type AssetPicture = Remote<Arc<Scaled>, String>;

/// The pictures that were asked for: the longer side of each, in pixels, and how many are known, with those that failed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AssetPictures<const SIDE: u32, const COUNT: usize> {
    of: BTreeMap<PictureOf, AssetPicture>,
    /// Those that are known or asked for, the last one at the end.
    asked: VecDeque<PictureOf>,
    waiting: VecDeque<PictureOf>,
    /// Those that are being loaded, each with the number and the task of its load.
    loading: BTreeMap<PictureOf, (u64, Option<TaskId>)>,
    /// How many loads were begun.
    begun: u64,
    /// Those that are in sight, if only these are wanted.
    in_sight: Vec<PictureOf>,
}

/// The pictures of texts.
pub type TextPictures = AssetPictures<1_024, 64>;
/// The thumbnails of a gallery: more than a window shows.
pub type Thumbnails = AssetPictures<256, 512>;

impl<const SIDE: u32, const COUNT: usize> AssetPictures<SIDE, COUNT> {
    /// Returns a picture; `None` if it was not asked for, or was dropped.
    pub fn get(&self, of: &PictureOf) -> Option<&AssetPicture> {
        self.of.get(of)
    }

    /// Returns whether these are the ones that are in sight.
    pub fn shows(&self, in_sight: &[PictureOf]) -> bool {
        self.in_sight == in_sight
    }

    /// Asks for the pictures that are in sight now, and no longer for others; returns the loads to cancel.
    fn show(&mut self, in_sight: Vec<PictureOf>) -> Vec<TaskId> {
        let unwanted = |of: &PictureOf| !in_sight.contains(of);
        let unloaded: Vec<_> =
            self.waiting.iter().chain(self.loading.keys()).filter(|of| unwanted(of)).cloned().collect();
        for of in &unloaded {
            self.of.remove(of);
        }
        self.waiting.retain(|of| !unwanted(of));
        self.asked.retain(|of| !unloaded.contains(of));
        let cancelled = unloaded.iter().filter_map(|of| self.loading.remove(of)).filter_map(|(_, task)| task);
        let cancelled = cancelled.collect();
        self.ask(in_sight.clone());
        self.in_sight = in_sight;
        cancelled
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

    /// Returns what is to be loaded next, and the number of its load.
    fn next(&mut self) -> Option<(PictureOf, u64)> {
        let next = self.waiting.pop_front_if(|_| self.loading.len() < AT_ONCE)?;
        self.begun += 1;
        self.loading.insert(next.clone(), (self.begun, None));
        Some((next, self.begun))
    }

    /// Notes the task of a load.
    fn runs(&mut self, of: &PictureOf, task: TaskId) {
        if let Some((_, known)) = self.loading.get_mut(of) {
            *known = Some(task);
        }
    }

    /// Takes in the end of a load; one that was cancelled changes nothing.
    fn loaded(&mut self, of: &PictureOf, number: u64, picture: Result<Arc<Scaled>, NoPicture>) {
        if self.loading.get(of).is_none_or(|(known, _)| *known != number) {
            return;
        }
        self.loading.remove(of);
        if let Some(known) = self.of.get_mut(of) {
            known.resolve(picture.map_err(|error| error.to_string()));
        }
        self.drop_old();
    }

    /// Drops the least recently asked for that exceed the limits; one is always kept.
    fn drop_old(&mut self) {
        let size = |picture: &AssetPicture| picture.value().map_or(0, |picture| picture.rgba.len());
        let mut bytes: usize = self.of.values().map(size).sum();
        while self.asked.len() > 1 && (bytes > MAX_BYTES || self.asked.len() > COUNT) {
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
        load_next(&mut self.pictures, cx, Output::Picture);
    }

    pub(super) fn picture_loaded(&mut self, of: &PictureOf, number: u64, picture: Loaded, cx: &mut Context<'_>) {
        self.pictures.loaded(of, number, picture.map(Arc::new));
        self.load_pictures(Vec::new(), cx);
    }

    /// Loads the thumbnails that are in sight, and no others.
    pub(super) fn show_thumbnails(&mut self, in_sight: Vec<PictureOf>, cx: &mut Context<'_>) {
        for task in self.thumbnails.show(in_sight) {
            cx.cancel(task);
        }
        self.load_thumbnails(cx);
    }

    pub(super) fn thumbnail_loaded(&mut self, of: &PictureOf, number: u64, picture: Loaded, cx: &mut Context<'_>) {
        self.thumbnails.loaded(of, number, picture.map(Arc::new));
        self.load_thumbnails(cx);
    }

    fn load_thumbnails(&mut self, cx: &mut Context<'_>) {
        load_next(&mut self.thumbnails, cx, Output::Thumbnail);
    }
}

/// A picture that was loaded, or why not.
pub(crate) type Loaded = Result<Scaled, NoPicture>;

/// Begins to load as many pictures as may be loaded at once.
fn load_next<const SIDE: u32, const COUNT: usize>(
    pictures: &mut AssetPictures<SIDE, COUNT>,
    cx: &mut Context<'_>,
    into: fn(PictureOf, u64, Loaded) -> Output,
) {
    while let Some((of, number)) = pictures.next() {
        let (client, vendor, id) = (cx.client(), cx.connection.vendor, of.id.clone());
        let work = async move { picture(&client?, id, vendor, SIDE).await };
        let asset = of.clone();
        let task = cx.run(work, move |picture| into(of, number, picture));
        pictures.runs(&asset, task);
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
    #[error("it is not a picture")]
    Other,
    /// Reading it panicked or was cancelled.
    #[error(transparent)]
    Ended(#[from] Ended),
}

async fn picture(client: &Client, id: AssetId, vendor: Vendor, side: u32) -> Result<Scaled, NoPicture> {
    let content = content::whole(&client.with_response_limit(UNASKED), id, vendor).await?;
    blocking(move || decode(&content, side)).await?
}

fn decode(content: &Content, side: u32) -> Result<Scaled, NoPicture> {
    match content {
        Content::Bytes(bytes) => scaled::decode(bytes, side).map_err(|error| match error {
            DecodeError::Format => NoPicture::Format,
            DecodeError::TooLarge(..) => NoPicture::TooLarge,
            DecodeError::Damaged(problem) => NoPicture::Damaged(problem),
        }),
        #[cfg(feature = "svg")]
        Content::Text(text) => Ok(crate::files::svg::draw(text, side)?.pixels),
        _ => Err(NoPicture::Other),
    }
}

/// The picture of the asset of a row; `None` if its content is none that can be drawn.
pub fn picture_of(row: &AssetRow) -> Option<PictureOf> {
    let specific = row.specific();
    let drawn =
        matches!(specific, "png" | "jpg" | "jpeg" | "gif" | "webp") || cfg!(feature = "svg") && specific == "svg";
    drawn.then(|| PictureOf { id: row.id(), updated: row.updated_at() })
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
        let mut pictures = TextPictures::default();
        pictures.ask((0..5).map(of).collect());
        pictures.ask((0..5).map(of).collect());
        let started: Vec<_> = std::iter::from_fn(|| pictures.next()).collect();
        assert_eq!(started, [(of(0), 1), (of(1), 2), (of(2), 3)]);
        pictures.loaded(&of(1), 2, Err(NoPicture::Format));
        assert_eq!((pictures.next(), pictures.next()), (Some((of(3), 4)), None));
        assert_eq!(
            pictures.get(&of(1)).and_then(|picture| picture.error()).map(String::as_str),
            Some("its format is not supported")
        );
    }

    #[test]
    fn the_least_recently_asked_for_is_dropped_beyond_the_limits() {
        let mut pictures = TextPictures::default();
        pictures.ask((0..3).map(of).collect());
        while pictures.next().is_some() {}
        pictures.ask(vec![of(0)]);
        for number in 0..3 {
            pictures.loaded(&of(number), u64::from(number) + 1, Ok(scaled(MAX_BYTES / 2)));
        }
        assert!(pictures.get(&of(1)).is_none() && pictures.get(&of(0)).is_some() && pictures.get(&of(2)).is_some());
        pictures.ask((10..200).map(of).collect());
        let (next, number) = pictures.next().expect("another");
        pictures.loaded(&next, number, Err(NoPicture::Other));
        assert_eq!((pictures.of.len(), pictures.asked.len()), (64, 64));
    }

    #[test]
    fn what_is_scrolled_out_of_sight_is_not_loaded_and_its_late_load_changes_nothing() {
        let mut pictures = Thumbnails::default();
        pictures.show((0..10).map(of).collect());
        let begun: Vec<_> = std::iter::from_fn(|| pictures.next()).collect();
        assert_eq!(begun.len(), AT_ONCE);
        pictures.show((2..5).chain(20..22).map(of).collect());
        let next: Vec<_> = std::iter::from_fn(|| pictures.next()).map(|(of, _)| of).collect();
        assert_eq!(next, [of(3), of(4)], "the load of 2 goes on");
        assert!((5..10).chain(0..2).all(|number| pictures.get(&of(number)).is_none()));
        pictures.loaded(&of(0), 1, Ok(scaled(4)));
        assert!(pictures.get(&of(0)).is_none());
        pictures.show(Vec::new());
        assert!(pictures.next().is_none() && pictures.of.is_empty());
        pictures.show(vec![of(2)]);
        let (again, number) = pictures.next().expect("it is loaded again");
        pictures.loaded(&of(2), 3, Err(NoPicture::Other));
        assert!(pictures.get(&of(2)).is_some_and(Remote::loading));
        pictures.loaded(&again, number, Ok(scaled(4)));
        assert!(pictures.get(&of(2)).is_some_and(|picture| picture.value().is_some()));
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
