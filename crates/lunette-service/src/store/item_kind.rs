//! The kinds of items that an asset is linked to.

/// A kind of item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ItemKind {
    Tag,
    Website,
    Summary,
}

impl ItemKind {
    /// The display name of the kind.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Tag => "tag",
            Self::Website => "website",
            Self::Summary => "workstream summary",
        }
    }

    pub(in crate::store) fn stored(self) -> &'static str {
        match self {
            Self::Tag => "tag",
            Self::Website => "website",
            Self::Summary => "summary",
        }
    }

    pub(in crate::store) fn of(stored: &str) -> Self {
        match stored {
            "tag" => Self::Tag,
            "website" => Self::Website,
            _ => Self::Summary,
        }
    }
}
