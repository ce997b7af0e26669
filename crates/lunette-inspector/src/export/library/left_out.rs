//! What is missing from an export: assets, and parts of the exported ones that the format has no place for.
//!
//! What must hold: whatever an export does not write passes one of the functions here, is counted, and is reported with
//! every export. The parts that a format does not write are in its row.

use std::collections::BTreeMap;

use super::item::ExportItem;
use lunette_client::model::id::AssetId;
use lunette_client::model::size::plural;

/// A part of an asset that a format may have no place for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AssetPart {
    /// All that is not a column of a list.
    Details,
    /// A name that is not a valid name of a file.
    Name,
    /// Its tags.
    Tags,
    /// The spaces in its tags, which are replaced.
    SpacesInTags,
    /// Its websites.
    Websites,
    /// The names of its websites.
    WebsiteNames,
    /// Its description.
    Description,
    /// Its annotations without the description.
    Annotations,
    /// Whether it is a favourite.
    Favourite,
    /// When it was created and last changed.
    Dates,
}

impl AssetPart {
    /// Returns its display name, as a plural.
    pub fn name(self) -> &'static str {
        match self {
            Self::Details => "contents, websites, descriptions and other annotations",
            Self::Name => "names that no file can have",
            Self::Tags => "tags",
            Self::SpacesInTags => "spaces in tags",
            Self::Websites => "websites",
            Self::WebsiteNames => "names of websites",
            Self::Description => "descriptions",
            Self::Annotations => "other annotations",
            Self::Favourite => "favourites",
            Self::Dates => "dates",
        }
    }

    /// Returns whether an asset has this part.
    fn is_in(self, item: &ExportItem) -> bool {
        match self {
            Self::Details => true,
            Self::Name => !item.file_name().starts_with(item.name()),
            Self::Tags => !item.tags().is_empty(),
            Self::SpacesInTags => item.tags().iter().any(|tag| tag.contains(char::is_whitespace)),
            Self::Websites => !item.websites().is_empty(),
            Self::WebsiteNames => item.websites().iter().any(|(url, name)| !name.is_empty() && name != url),
            Self::Description => item.description().is_some(),
            Self::Annotations => item.annotations().len() > usize::from(item.description().is_some()),
            Self::Favourite => item.favourite(),
            Self::Dates => !item.created().is_empty() || !item.updated().is_empty(),
        }
    }
}

/// An asset that is missing from an export, or whose history is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOutAsset {
    /// Its id.
    pub asset: AssetId,
    /// Its name.
    pub name: String,
    /// Why.
    pub reason: String,
    /// Whether it could not be read; otherwise the format does not support it.
    pub failed: bool,
}

/// What is missing from an export.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    assets: Vec<LeftOutAsset>,
    /// How many exported assets have each part that the format has no place for.
    parts: BTreeMap<AssetPart, usize>,
}

impl LeftOut {
    /// Adds an asset that cannot be read.
    pub(super) fn unreadable(&mut self, left_out: LeftOutAsset) {
        self.assets.push(left_out);
    }

    /// Adds an asset that the format does not support.
    pub(super) fn unsupported(&mut self, item: &ExportItem, reason: &str) {
        let (asset, name, reason) = (item.row.id(), item.title(), reason.to_owned());
        self.assets.push(LeftOutAsset { asset, name, reason, failed: false });
    }

    /// Counts what is missing of an exported asset: those of the parts that the format has no place for which it has, and
    /// the history that could not be read.
    pub(super) fn exported(&mut self, item: &ExportItem, lost: &[AssetPart]) {
        for part in lost.iter().filter(|part| part.is_in(item)) {
            *self.parts.entry(*part).or_default() += 1;
        }
        if !item.history.unread.is_empty() {
            let reason = format!("exported without its {}", item.history.unread.join("; without its "));
            let (asset, name) = (item.row.id(), item.title());
            self.assets.push(LeftOutAsset { asset, name, reason, failed: true });
        }
    }

    /// The assets, in the order of the export.
    pub fn assets(&self) -> &[LeftOutAsset] {
        &self.assets
    }

    /// Each part, and how many assets have it.
    pub fn parts(&self) -> impl Iterator<Item = (AssetPart, usize)> {
        self.parts.iter().map(|(part, count)| (*part, *count))
    }

    /// Returns a sentence about the parts without a full stop, or `None` if there are none.
    pub fn sentence(&self) -> Option<String> {
        let assets = |count| plural(count, "asset");
        let parts: Vec<_> = self.parts().map(|(part, count)| format!("{} of {}", part.name(), assets(count))).collect();
        (!parts.is_empty()).then(|| format!("The format has no place for {}", parts.join("; ")))
    }
}
