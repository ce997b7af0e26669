//! How the window looks, as the user likes it: the same for every connection.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::TagColors;

/// How the window looks and answers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Look {
    /// The colour of what is selected, primary or under way.
    pub accent: Accent,
    /// How much room rows and controls take.
    pub density: Density,
    /// Whether anything moves.
    pub motion: Motion,
    /// The keys of commands that have others than their own, by the command's name; an empty list leaves it without.
    pub shortcuts: BTreeMap<String, Vec<String>>,
    /// The colours of tags.
    pub tag_colors: TagColors,
}

/// The colour of what is selected, primary or under way.
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

    /// Its name for people.
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

/// How much room rows and controls take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Density {
    /// Room to breathe.
    #[default]
    Comfortable,
    /// More rows on a screen.
    Compact,
}

/// Whether anything moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Motion {
    /// As the system asks.
    #[default]
    System,
    /// What helps to follow.
    Full,
    /// Nothing.
    Reduced,
}
