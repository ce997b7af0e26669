//! Who made a version, and what of it is stored, in one number.

/// Who made a version.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Who {
    /// Nobody watched, so it is not known.
    #[default]
    Unknown,
    /// This program.
    Us,
    /// Another client, while this program watched.
    Other,
}

/// What is known of the content of a version.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum ContentState {
    /// It was not read while the asset was so.
    #[default]
    Unread,
    /// It was read or written.
    Read,
    /// It is that of the version before: this program changed something else.
    Carried,
}

/// What is known of a version besides its record and content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Facts {
    pub who: Who,
    /// Whether this program created the asset so.
    pub created: bool,
    pub deleted: bool,
    pub content: ContentState,
    pub is_text: bool,
    /// Whether it was forgotten alone: nothing but its number and its time is left.
    pub forgotten: bool,
}

const CREATED: i64 = 1 << 4;
const DELETED: i64 = 1 << 5;
const BYTES: i64 = 1 << 6;
const FORGOTTEN: i64 = 1 << 7;
const CONTENT: i64 = 8;

impl Facts {
    /// The stored number.
    pub fn number(self) -> i64 {
        let flag = |on: bool, flag: i64| if on { flag } else { 0 };
        let who = match self.who {
            Who::Unknown => 0,
            Who::Us => 1,
            Who::Other => 2,
        };
        let content = match self.content {
            ContentState::Unread => 0,
            ContentState::Read => 1,
            ContentState::Carried => 2,
        };
        who | content << CONTENT
            | flag(self.created, CREATED)
            | flag(self.deleted, DELETED)
            | flag(!self.is_text, BYTES)
            | flag(self.forgotten, FORGOTTEN)
    }

    /// What a stored number says.
    pub fn from_number(number: i64) -> Self {
        Self {
            who: match number & 0xf {
                1 => Who::Us,
                2 => Who::Other,
                _ => Who::Unknown,
            },
            created: number & CREATED != 0,
            deleted: number & DELETED != 0,
            content: match number >> CONTENT & 0xf {
                1 => ContentState::Read,
                2 => ContentState::Carried,
                _ => ContentState::Unread,
            },
            is_text: number & BYTES == 0,
            forgotten: number & FORGOTTEN != 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_says_what_it_was_made_of() {
        for who in [Who::Unknown, Who::Us, Who::Other] {
            for content in [ContentState::Unread, ContentState::Read, ContentState::Carried] {
                for bits in 0..16 {
                    let [created, deleted, is_text, forgotten] = [1, 2, 4, 8].map(|bit| bits & bit != 0);
                    let facts = Facts { who, content, created, deleted, is_text, forgotten };
                    assert_eq!(Facts::from_number(facts.number()), facts);
                }
            }
        }
    }
}
