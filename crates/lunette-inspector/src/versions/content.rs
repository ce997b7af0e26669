//! The contents of versions: copied, saved, and searched for a text.

use std::sync::Arc;

use super::{Output, SourceError, VersionSource, Versions, Whole};
use crate::Remote;
use crate::context::Context;
use crate::notifications::Topic;
use crate::request_versions::ResourceKey;
use crate::transport::Transport;
use lunette_client::model::id::{AssetId, VersionNumber};
use lunette_client::model::record::Record as _;
use lunette_client::model::version::AssetVersions;

/// What becomes of the content of a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContentUse {
    /// It goes to the clipboard.
    Copy,
    /// It is saved as a file.
    Save,
}

/// A text to be copied; the number tells it from the one before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copied {
    /// Counts the copies.
    pub number: u64,
    /// The text.
    pub text: Arc<str>,
}

/// Versions by their number, the newest first: whether each has a text, `None` if its content is not known.
pub type FoundIn = Arc<Vec<(u32, Option<bool>)>>;

/// In which versions a text is.
#[derive(Clone, Debug, PartialEq)]
pub struct PastSearch {
    /// The asset that the versions are of.
    pub asset: AssetId,
    /// The text.
    pub text: String,
    /// What was found.
    pub found: Remote<FoundIn, SourceError>,
}

impl PastSearch {
    /// What a version is to the text; None if nothing changed there.
    pub fn change_at(&self, version: u32) -> Option<TextChange> {
        TextChange::at(self.found.value()?, version)
    }
}

impl TextChange {
    /// What a version is to a text: it is in it for the first time, or no longer; None if nothing changed there.
    pub fn at(found: &[(u32, Option<bool>)], version: u32) -> Option<Self> {
        let index = found.iter().position(|(number, _)| *number == version)?;
        let has = found[index].1?;
        let before = found[index + 1..].iter().find_map(|(_, has)| *has);
        match (before, has) {
            (Some(true), false) => Some(Self::Gone),
            (Some(false) | None, true) => Some(Self::Came),
            _ => None,
        }
    }
}

/// How a version differs from the one before with regard to a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextChange {
    /// It has the text, and the one before did not, or there is none before.
    Came,
    /// It does not have the text, and the one before did.
    Gone,
}

impl Versions {
    pub(super) fn read_content(
        &mut self,
        asset: AssetId,
        version: VersionNumber,
        purpose: ContentUse,
        cx: &mut Context<'_>,
    ) {
        let (source, of, number): (VersionSource, _, _) = (cx.version_source(), asset.clone(), version.clone());
        let read = async move { super::read(&source, asset, version).await };
        cx.run(read, move |read| Output::ContentRead(of, number, purpose, read));
    }

    pub(super) fn content_read(
        &mut self,
        (asset, version): (AssetId, VersionNumber),
        purpose: ContentUse,
        read: Result<Whole, SourceError>,
        cx: &mut Context<'_>,
    ) {
        let failed = |cx: &mut Context<'_>, why: String| {
            let message = format!("The content of version {version} is not available: {why}");
            cx.notify_failed(Topic::Asset(asset.clone()), message, Vec::new());
        };
        let whole = match read {
            Ok(whole) => whole,
            Err(error) => return failed(cx, error.to_string()),
        };
        let name = whole.record.view().name().unwrap_or("asset").to_owned();
        let Some(content) = whole.content else {
            let why = if whole.unread { "it was not read when the asset was so" } else { "it has none" };
            return failed(cx, why.to_owned());
        };
        match (purpose, String::from_utf8(content)) {
            (ContentUse::Copy, Ok(text)) => {
                let number = self.copied.as_ref().map_or(1, |copied| copied.number + 1);
                self.copied = Some(Copied { number, text: text.into() });
                cx.show_success(format!("Copied the content of version {version}"));
            }
            (ContentUse::Copy, Err(_)) => failed(cx, "it is not text; save it as a file".to_owned()),
            (ContentUse::Save, content) => {
                let bytes = content.map_or_else(|error| error.into_bytes(), String::into_bytes);
                cx.save_made(&past_name(&name, &version), move || Ok(bytes));
            }
        }
    }

    pub(super) fn search(&mut self, asset: AssetId, text: String, cx: &mut Context<'_>) {
        if text.is_empty() {
            self.search = None;
            return;
        }
        let mut found = Remote::NotRequested;
        found.start_loading();
        self.search = Some(PastSearch { asset: asset.clone(), text: text.clone(), found });
        let numbers: Vec<u32> =
            self.of_asset(&asset).and_then(Remote::value).map(|list| numbers(list)).unwrap_or_default();
        let source: VersionSource = cx.version_source();
        let find = async move { find(&source, &asset, numbers, &text).await.map(Arc::new) };
        cx.read(ResourceKey::PastSearch, find, Output::Searched);
    }

    pub(super) fn searched(&mut self, found: Result<FoundIn, SourceError>) {
        if let Some(search) = &mut self.search {
            search.found.resolve(found);
        }
    }
}

/// Says which of these versions of an asset have a text; None for one whose content is not known.
///
/// # Errors
///
/// Fails if the service does not answer.
async fn find<C: Transport>(
    source: &VersionSource<C>,
    asset: &AssetId,
    numbers: Vec<u32>,
    text: &str,
) -> Result<Vec<(u32, Option<bool>)>, SourceError> {
    let mut found = Vec::with_capacity(numbers.len());
    for number in numbers {
        let Some(version) = VersionNumber::of(number) else { continue };
        let has = match super::read(source, asset.clone(), version).await {
            Ok(whole) => whole.content.map(|content| contains(&content, text.as_bytes())),
            // A version that is damaged says nothing of the text.
            Err(SourceError::Local(_)) => None,
            Err(SourceError::Call(error)) if error.missing() => None,
            Err(error) => return Err(error),
        };
        found.push((number, has));
    }
    Ok(found)
}

/// Says which of the versions of a list have a text, in its order; None for one whose content is not known.
///
/// # Errors
///
/// Fails if the service does not answer.
pub async fn find_text<C: Transport>(
    source: &VersionSource<C>,
    asset: &AssetId,
    versions: &AssetVersions,
    text: &str,
) -> Result<Vec<(u32, Option<bool>)>, SourceError> {
    find(source, asset, numbers(versions), text).await
}

fn numbers(list: &AssetVersions) -> Vec<u32> {
    list.view().iterable().iter().filter_map(|version| u32::try_from(version.version()).ok()).collect()
}

fn contains(content: &[u8], text: &[u8]) -> bool {
    content.windows(text.len()).any(|part| part == text)
}

/// The name of a file with an earlier version: `a.txt` becomes `a (version 3).txt`.
fn past_name(name: &str, version: &VersionNumber) -> String {
    match name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()) {
        Some((stem, ending)) => format!("{stem} (version {version}).{ending}"),
        None => format!("{name} (version {version})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_says_where_a_text_came_and_went() {
        let mut found = Remote::NotRequested;
        found.resolve(Ok(Arc::new(vec![
            (6, Some(false)),
            (5, None),
            (4, Some(true)),
            (3, Some(true)),
            (2, Some(false)),
            (1, Some(true)),
        ])));
        let search = PastSearch { asset: AssetId::random(), text: "line".to_owned(), found };
        let changes: Vec<_> = (1..=7).map(|version| search.change_at(version)).collect();
        let (came, gone) = (Some(TextChange::Came), Some(TextChange::Gone));
        assert_eq!(changes, [came, gone, came, None, None, gone, None]);
    }

    #[test]
    fn a_saved_version_keeps_its_ending() {
        let version = VersionNumber::of(3).expect("a number");
        assert_eq!(past_name("a.b.txt", &version), "a.b (version 3).txt");
        assert_eq!(past_name(".env", &version), ".env (version 3)");
        assert_eq!(past_name("plain", &version), "plain (version 3)");
    }
}
