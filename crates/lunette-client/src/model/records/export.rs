//! The kinds of export (interface, 4.2 rule 3: "Allowed values of exportType: not shown").

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

/// A kind of export, by its name on the wire.
///
/// The public clients know `HTML` and `MD` (records, 2.1). Our choice: our own service adds `JSON`, `TXT` and `RAW`, and
/// any other text travels as it is, for services that know more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExportType {
    /// A self-contained web page.
    Html,
    /// A Markdown document.
    Md,
    /// The whole record.
    Json,
    /// The text alone.
    Txt,
    /// The original bytes.
    Raw,
    /// A kind we do not know.
    Other(String),
}

impl ExportType {
    /// The kinds our own service makes.
    pub const KNOWN: [Self; 5] = [Self::Html, Self::Md, Self::Json, Self::Txt, Self::Raw];

    /// The name on the wire.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Html => "HTML",
            Self::Md => "MD",
            Self::Json => "JSON",
            Self::Txt => "TXT",
            Self::Raw => "RAW",
            Self::Other(name) => name,
        }
    }
}

impl FromStr for ExportType {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self::KNOWN.into_iter().find(|known| known.as_str() == text).unwrap_or_else(|| Self::Other(text.to_owned())))
    }
}

impl serde::Serialize for ExportType {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> serde::Deserialize<'de> for ExportType {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        Ok(name.parse().unwrap_or_else(|never: Infallible| match never {}))
    }
}

impl fmt::Display for ExportType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
