//! What rows share: languages, and the texts of what assets are linked to.
//!
//! What must hold: a row has one pointer to each, however long the text is; labels are equal and in order as their texts
//! are.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::ops::Deref;
use std::sync::Arc;

use crate::filter::SharedText;

/// A language, as the interface names it and as people do.
#[derive(Debug)]
pub(in crate::listing) struct Language {
    pub specific: Box<str>,
    pub name: Box<str>,
    /// Both, for searching.
    pub searched: SharedText,
}

impl Language {
    pub fn new(specific: &str, name: &str) -> Self {
        let searched = SharedText::new(&[name, specific].join("\n"));
        Self { specific: specific.into(), name: name.into(), searched }
    }
}

impl PartialEq for Language {
    fn eq(&self, other: &Self) -> bool {
        (&self.specific, &self.name) == (&other.specific, &other.name)
    }
}

/// What an asset is linked to, in the order in which a row has its links.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::listing) enum LabelKind {
    Tag,
    Website,
    Summary,
    /// The application that the original came from.
    Application,
    /// The folder that the asset was imported from.
    Folder,
}

/// The text of a tag, a website, a summary, an application or a folder, shared by all rows that have it.
#[derive(Clone, Debug)]
pub struct Label(Arc<Link>);

#[derive(Debug)]
struct Link {
    kind: LabelKind,
    text: Box<str>,
    searched: SharedText,
}

impl Label {
    pub(in crate::listing) fn new(kind: LabelKind, text: &str) -> Self {
        // Websites and summaries are searched by their fields alone.
        let searched = SharedText::new(if kind == LabelKind::Tag { text } else { "" });
        Self(Arc::new(Link { kind, text: text.into(), searched }))
    }

    pub(in crate::listing) fn kind(&self) -> LabelKind {
        self.0.kind
    }

    pub(in crate::listing) fn searched(&self) -> &SharedText {
        &self.0.searched
    }
}

impl Deref for Label {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0.text
    }
}

impl Borrow<str> for Label {
    fn borrow(&self) -> &str {
        self
    }
}

impl PartialEq for Label {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || **self == **other
    }
}

impl Eq for Label {}

impl PartialOrd for Label {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Label {
    fn cmp(&self, other: &Self) -> Ordering {
        if Arc::ptr_eq(&self.0, &other.0) { Ordering::Equal } else { (**self).cmp(&**other) }
    }
}
