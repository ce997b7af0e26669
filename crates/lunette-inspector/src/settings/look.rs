//! The appearance of the window, which is the same for every connection.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::TagColors;

/// The appearance of the window.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Look {
    /// The accent colour.
    pub accent: Accent,
    /// The density of rows and controls.
    pub density: Density,
    /// The animations.
    pub motion: Motion,
    /// How opened assets are kept.
    pub opened: OpenedAssets,
    /// Changed keys of commands, by the command's name; with an empty list it has none.
    pub shortcuts: BTreeMap<String, Vec<String>>,
    /// The colours of tags.
    pub tag_colors: TagColors,
}

/// The accent colour: of selected, primary and active elements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[allow(missing_docs, reason = "each is the colour of its name")]
pub enum Accent {
    #[default]
    Amber,
    Blue,
    Green,
    Violet,
    Rose,
}

impl Accent {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Amber, Self::Blue, Self::Green, Self::Violet, Self::Rose];

    /// Its display name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Amber => "Amber",
            Self::Blue => "Blue",
            Self::Green => "Green",
            Self::Violet => "Violet",
            Self::Rose => "Rose",
        }
    }
}

/// The density of rows and controls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Density {
    /// Comfortable.
    #[default]
    Comfortable,
    /// Compact: more rows on a screen.
    Compact,
}

/// How opened assets are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum OpenedAssets {
    /// On one page: an asset that is opened takes the place of the one before.
    #[default]
    OnePage,
    /// Each in a tab, until the tab is closed.
    Tabs,
}

/// Which animations are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Motion {
    /// The setting of the system.
    #[default]
    System,
    /// Those that help to follow changes.
    Full,
    /// None.
    Reduced,
}
