//! The colours of a picture of code: those of the window.

use std::str::FromStr;

use crate::highlighting::TokenClass;

/// Light or dark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shade {
    /// Dark text on a light background.
    #[default]
    Light,
    /// Light text on a dark background.
    Dark,
}

/// There is no theme of this name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a theme is light or dark")]
pub struct UnknownShade;

impl FromStr for Shade {
    type Err = UnknownShade;

    fn from_str(text: &str) -> Result<Self, UnknownShade> {
        match text.to_ascii_lowercase().as_str() {
            "light" => Ok(Self::Light),
            "dark" => Ok(Self::Dark),
            _ => Err(UnknownShade),
        }
    }
}

/// Red, green and blue.
pub type Ink = [u8; 3];

/// The colours of a shade.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Palette {
    /// The background of the code.
    pub ground: Ink,
    /// The background of the name.
    pub panel: Ink,
    /// The frame.
    pub line: Ink,
    /// The language and the notes.
    pub muted: Ink,
    text: Ink,
    keyword: Ink,
    function: Ink,
    literal: Ink,
    comment: Ink,
}

impl Palette {
    /// The colours of a shade.
    pub const fn of(shade: Shade) -> Self {
        match shade {
            Shade::Light => Self {
                ground: [0xfa, 0xf9, 0xf6],
                panel: [0xff, 0xff, 0xff],
                line: [0xde, 0xdb, 0xd3],
                muted: [0x54, 0x5b, 0x66],
                text: [0x1d, 0x1f, 0x23],
                keyword: [0x8d, 0x49, 0x13],
                function: [0x19, 0x56, 0x80],
                literal: [0x2e, 0x61, 0x22],
                comment: [0x56, 0x5c, 0x67],
            },
            Shade::Dark => Self {
                ground: [0x10, 0x12, 0x16],
                panel: [0x1a, 0x1d, 0x22],
                line: [0x2c, 0x31, 0x39],
                muted: [0xa3, 0xac, 0xba],
                text: [0xe7, 0xe9, 0xee],
                keyword: [0xde, 0xa2, 0x73],
                function: [0x7f, 0xb4, 0xd8],
                literal: [0x8f, 0xbf, 0x7f],
                comment: [0x9a, 0xa4, 0xb3],
            },
        }
    }

    /// Returns the colour of a token class.
    pub const fn code(&self, class: TokenClass) -> Ink {
        match class {
            TokenClass::Plain => self.text,
            TokenClass::Keyword => self.keyword,
            TokenClass::Function => self.function,
            TokenClass::Literal => self.literal,
            TokenClass::Comment => self.comment,
        }
    }
}
