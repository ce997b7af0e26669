//! The texts of what is not an asset, for searches that look through all of them.

use crate::store::{Store, StoreError, checksum};

/// Whose texts are looked through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Texts {
    /// The text of each tag.
    Tags,
    /// Name and address of each website.
    Websites,
    /// Name and annotations of each workstream summary.
    Summaries,
    /// Name and messages of each conversation.
    Conversations,
    /// The text of each annotation.
    Annotations,
}

impl Texts {
    fn statement(self) -> &'static str {
        match self {
            Self::Tags => "SELECT id, name FROM item WHERE kind = 'tag' ORDER BY updated DESC, row DESC",
            Self::Websites => {
                "SELECT id, name || char(10) || coalesce(key, '') FROM item WHERE kind = 'website'
                 ORDER BY updated DESC, row DESC"
            }
            Self::Summaries => {
                "SELECT id, concat_ws(char(10), name,
                   (SELECT group_concat(text, char(10)) FROM annotation WHERE annotation.item = item.row))
                 FROM item WHERE kind = 'summary' ORDER BY updated DESC, row DESC"
            }
            Self::Conversations => {
                "SELECT id, concat_ws(char(10), name, (SELECT group_concat(text, char(10) ORDER BY conversation_message.row)
                   FROM conversation_message WHERE conversation = conversation.row))
                 FROM conversation ORDER BY updated DESC, row DESC"
            }
            Self::Annotations => "SELECT id, text FROM annotation WHERE text <> '' ORDER BY updated DESC, row DESC",
        }
    }
}

impl Store {
    /// Shows the id and the text of each, newest updated first, a line a part.
    pub(crate) fn texts(&self, of: Texts, mut show: impl FnMut(&str, &str)) -> Result<(), StoreError> {
        self.read(|db| {
            let mut statement = db.prepare_cached(of.statement())?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                show(&checksum::lossy(row, 0)?, &checksum::lossy(row, 1)?);
            }
            Ok(())
        })
    }
}
