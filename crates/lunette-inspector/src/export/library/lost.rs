//! What the format of an export has no place for, counted over the assets.
//!
//! What must hold: a part of an asset that a format does not write is in the row of the format, is counted here, and is
//! reported with every export.

use std::collections::BTreeMap;

use super::item::ExportItem;

/// A part of an asset that a format may have no place for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
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

impl Part {
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

/// How many exported assets have each part that the format has no place for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lost(BTreeMap<Part, usize>);

impl Lost {
    /// Counts those of the parts that the format has no place for which an asset has.
    pub(super) fn count(&mut self, item: &ExportItem, lost: &[Part]) {
        for part in lost.iter().filter(|part| part.is_in(item)) {
            *self.0.entry(*part).or_default() += 1;
        }
    }

    /// Each part, and how many assets have it.
    pub fn parts(&self) -> impl Iterator<Item = (Part, usize)> {
        self.0.iter().map(|(part, count)| (*part, *count))
    }

    /// Returns a sentence without a full stop, or `None` if nothing is lost.
    pub fn sentence(&self) -> Option<String> {
        let assets = |count| if count == 1 { "1 asset".to_owned() } else { format!("{count} assets") };
        let parts: Vec<_> = self.parts().map(|(part, count)| format!("{} of {}", part.name(), assets(count))).collect();
        (!parts.is_empty()).then(|| format!("The format has no place for {}", parts.join("; ")))
    }
}
