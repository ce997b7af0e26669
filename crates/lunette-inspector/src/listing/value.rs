//! What a row says in a column, borrowed from the row.
//!
//! What must hold: what a service does not tell is [`Value::NotTold`], and never a zero or a text.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::time::Duration;

use jiff::Timestamp;
use serde_json::json;

use super::compact_time::CompactTime;
use super::label::Label;
use crate::filter::compare_versions;
use crate::listing::rows::readable_word;
use lunette_client::model::time::moment;

/// What a row says in a column.
#[derive(Clone, Debug)]
pub enum Value<'a> {
    /// The service does not tell it, or there is none.
    NotTold,
    /// A text.
    Text(Cow<'a, str>),
    /// A word of the interface, such as `VS_CODE`. Further lines are other names of the same.
    Word(&'a str),
    /// One of a few values, with a name for people and one for programs.
    Named {
        /// The name for people.
        text: &'a str,
        /// The name for programs.
        token: &'a str,
    },
    /// A version.
    Version(&'a str),
    /// Several texts.
    Texts(&'a [Label]),
    /// Several websites: each its name and, on the last line, its address.
    Websites(&'a [Label]),
    /// A count.
    Number(i64),
    /// A size in bytes.
    Bytes(i64),
    /// A length of time.
    Length(Duration),
    /// A moment.
    Moment(Moment<'a>),
    /// Whether the row is so.
    Flag(bool),
    /// A place in an order, for columns that are sorted by something else than their value.
    Rank(i128),
}

/// A moment, in the form in which a row keeps it.
#[derive(Clone, Copy, Debug)]
pub enum Moment<'a> {
    /// As a service wrote it.
    Text(&'a str),
    /// As a service wrote it, and read before.
    Read(&'a str, Option<Timestamp>),
    /// As a service wrote it, in eight bytes.
    Compact(CompactTime),
    /// As this program read it from the clock.
    At(Timestamp),
}

impl<'a> Value<'a> {
    /// A text; an empty one is not told.
    pub fn text(text: impl Into<Cow<'a, str>>) -> Self {
        Some(text.into()).filter(|text| !text.is_empty()).map_or(Self::NotTold, Self::Text)
    }

    /// A word of the interface; an empty one is not told.
    pub fn word(word: &'a str) -> Self {
        if word.is_empty() { Self::NotTold } else { Self::Word(word) }
    }

    /// A version; an empty one is not told.
    pub fn version(version: &'a str) -> Self {
        if version.is_empty() { Self::NotTold } else { Self::Version(version) }
    }

    /// A moment as a service wrote it (RFC 3339); an empty text is not told.
    pub fn moment(text: &'a str) -> Self {
        if text.is_empty() { Self::NotTold } else { Self::Moment(Moment::Text(text)) }
    }

    /// A count, if it is told. One that is too large is the largest.
    pub fn count(count: Option<u64>) -> Self {
        count.map(|count| i64::try_from(count).unwrap_or(i64::MAX)).into()
    }

    /// Returns a number that has the order of the values of a column, for sorting; `None` for texts. What is not told
    /// comes first, and so do rows that are so before those that are not.
    pub fn rank(&self) -> Option<i128> {
        Some(match self {
            Self::NotTold => i128::MIN,
            Self::Number(number) | Self::Bytes(number) => (*number).into(),
            Self::Length(length) => i128::try_from(length.as_nanos()).unwrap_or(i128::MAX),
            // No moment is as early.
            Self::Moment(moment) => moment.at().map_or(i128::MIN, Timestamp::as_nanosecond),
            Self::Flag(is_so) => (!is_so).into(),
            Self::Rank(rank) => *rank,
            Self::Text(_) | Self::Word(_) | Self::Named { .. } | Self::Version(_) => return None,
            Self::Texts(_) | Self::Websites(_) => return None,
        })
    }

    /// The order of two values of a column.
    pub fn compare(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Version(one), Self::Version(other)) => compare_versions(one, other),
            (Self::Texts(one), Self::Texts(other)) | (Self::Websites(one), Self::Websites(other)) => one.cmp(other),
            _ => match (self.rank(), other.rank()) {
                (Some(one), Some(other)) => one.cmp(&other),
                _ => self.sorted_text().cmp(other.sorted_text()),
            },
        }
    }

    fn sorted_text(&self) -> &str {
        match self {
            Self::Text(text) => text,
            Self::Word(text) | Self::Version(text) | Self::Named { text, .. } => text,
            Self::Texts(texts) | Self::Websites(texts) => texts.first().map_or("", |text| text),
            _ => "",
        }
    }

    /// Returns whether any of its texts is as wanted; false for what has none. The interface's words are written with
    /// underscores and shown without, so they are found by both.
    pub fn any_text(&self, wanted: &mut dyn FnMut(&str) -> bool) -> bool {
        let mut has = |text: &str| !text.is_empty() && wanted(text);
        match self {
            Self::Text(text) => has(text),
            Self::Version(text) => has(text) || has(&text.replace('_', " ")),
            Self::Word(words) => {
                words.split('\n').any(|word| has(word) || has(&word.replace('_', " ")) || has(&readable_word(word)))
            }
            Self::Named { text, token } => has(text) || has(token),
            Self::Texts(texts) => texts.iter().any(|text| has(text)),
            Self::Websites(sites) => sites.iter().any(|site| site.split('\n').any(&mut has)),
            _ => false,
        }
    }

    /// Returns its number: a count, bytes or milliseconds.
    pub fn number(&self) -> Option<i64> {
        match self {
            Self::Number(number) | Self::Bytes(number) => Some(*number),
            Self::Length(length) => i64::try_from(length.as_millis()).ok(),
            _ => None,
        }
    }

    /// Returns its moment.
    pub fn at(&self) -> Option<Timestamp> {
        match self {
            Self::Moment(moment) => moment.at(),
            _ => None,
        }
    }

    /// Returns it for other programs: what is not told is null, a moment is as the service wrote it, and a length of time
    /// is in milliseconds.
    pub fn json(&self) -> serde_json::Value {
        let site = |site: &Label| {
            let (name, url) = site.rsplit_once('\n').unwrap_or((site, ""));
            json!({ "name": name, "url": url })
        };
        match self {
            Self::NotTold | Self::Rank(_) => serde_json::Value::Null,
            Self::Text(text) => json!(text),
            Self::Word(words) => json!(words.split('\n').next()),
            Self::Named { token, .. } => json!(token),
            Self::Version(version) => json!(version),
            Self::Texts(texts) => texts.iter().map(|text| &**text).collect(),
            Self::Websites(sites) => sites.iter().map(site).collect(),
            Self::Number(number) | Self::Bytes(number) => json!(number),
            Self::Length(length) => json!(length.as_secs_f64() * 1_000.0),
            Self::Moment(moment) => json!(moment.text()),
            Self::Flag(is_so) => json!(is_so),
        }
    }
}

impl From<Option<i64>> for Value<'_> {
    fn from(number: Option<i64>) -> Self {
        number.map_or(Self::NotTold, Self::Number)
    }
}

impl<'a> Moment<'a> {
    /// Returns the moment; `None` if its text is none.
    pub fn at(&self) -> Option<Timestamp> {
        match self {
            Self::Text(text) => moment(text),
            Self::Read(_, at) => *at,
            Self::Compact(time) => time.timestamp(),
            Self::At(at) => Some(*at),
        }
    }

    /// Returns its text (RFC 3339), as the service wrote it.
    pub fn text(&self) -> Cow<'a, str> {
        match self {
            Self::Text(text) | Self::Read(text, _) => Cow::Borrowed(text),
            Self::Compact(time) => Cow::Owned(time.to_string()),
            Self::At(at) => Cow::Owned(at.to_string()),
        }
    }
}
