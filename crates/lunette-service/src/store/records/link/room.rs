//! How large the record of an asset can be at most, without making it: one statement for what else takes six, and the
//! text of all of it.
//!
//! What must hold: the bound is never below the length of the record without content (`record::asset_text`). Where it is
//! above the limit the record has to be measured.

use rusqlite::Connection;

use crate::store::StoreError;

/// The most bytes that a byte of text takes in JSON: `\u0000`.
const ESCAPED: i64 = 6;
/// What an asset, an item, a format or an annotation takes beside its own texts: names of fields, ids, times, its score.
const FIXED: i64 = 1000;

/// An upper bound of the bytes of a record; None where the asset has conversations or related records, whose records are not bounded here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RecordBound(Option<i64>);

/// ?2 is [`FIXED`], ?3 is [`ESCAPED`]. Numbers in a document may be written longer than they were read: `1e5` as `1e+5`. So
/// documents count twice.
const QUERY: &str = "
    SELECT octet_length(id) + coalesce(octet_length(name), 0) + octet_length(mechanism), octet_length(document),
      (SELECT count(*) FROM format WHERE format.asset = asset.row),
      (SELECT sum(?2 + ?3 * (octet_length(generic) + 2 * octet_length(specific) + octet_length(role))
          + octet_length(origin.document))
        FROM format JOIN origin ON origin.row = format.origin WHERE format.asset = asset.row),
      (SELECT sum(?2 + ?3 * (octet_length(item.name) + coalesce(octet_length(item.key), 0)
            + octet_length(link.mechanism)) + 2 * octet_length(item.document)
          + iif(item.kind = 'summary', coalesce((SELECT sum(?2 + ?3 * (octet_length(text) + octet_length(kind)
              + coalesce(octet_length(person), 0) + coalesce(octet_length(anchor), 0)) + 2 * octet_length(document))
            FROM annotation WHERE annotation.item = item.row), 0), 0))
        FROM link CROSS JOIN item ON item.row = link.item WHERE link.asset = asset.row),
      (SELECT sum(?2 + ?3 * (octet_length(text) + octet_length(kind) + coalesce(octet_length(person), 0)
          + coalesce(octet_length(anchor), 0)) + 2 * octet_length(document))
        FROM annotation WHERE annotation.asset = asset.row),
      EXISTS (SELECT 1 FROM conversation_asset WHERE conversation_asset.asset = asset.row)
        OR EXISTS (SELECT 1 FROM aside_link WHERE aside_link.asset = asset.row)
    FROM asset WHERE asset.row = ?1";

impl RecordBound {
    /// The bound of an asset.
    pub(super) fn of(db: &Connection, asset: i64) -> Result<Self, StoreError> {
        Ok(db.prepare_cached(QUERY)?.query_row([asset, FIXED, ESCAPED], |row| {
            let sum = |column| row.get::<_, Option<i64>>(column).map(Option::unwrap_or_default);
            let (texts, document, formats, of_formats) = (sum(0)?, sum(1)?, sum(2)?, sum(3)?);
            let head = FIXED + ESCAPED * texts;
            // Each format names its asset, and that all its formats; the original is there three times.
            let flattened = formats * (head + 64 * formats);
            let unbounded: bool = row.get(6)?;
            Ok(Self((!unbounded).then_some(head + 2 * document + 3 * of_formats + flattened + sum(4)? + sum(5)?)))
        })?)
    }

    /// Whether the record is no larger than this.
    pub(super) fn fits(self, limit: usize) -> bool {
        self.0.is_some_and(|bytes| usize::try_from(bytes).is_ok_and(|bytes| bytes <= limit))
    }

    /// Counts an item that was linked.
    pub(super) fn add(&mut self, item_bytes: i64) {
        self.0 = self.0.map(|bytes| bytes.saturating_add(item_bytes));
    }
}

/// What an item adds at most, beside the annotations of a summary: of its texts and of its document.
pub(super) fn item_bytes(texts: i64, document: i64) -> i64 {
    FIXED + ESCAPED * texts.saturating_add(16) + 2 * document
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record;
    use crate::store::LinkOutcome;
    use crate::store::Store;
    use crate::store::records::annotation::NewAnnotation;
    use crate::store::records::asset::Transfer;
    use crate::store::records::create::OnDuplicate;
    use crate::store::records::format::Content;
    use crate::store::records::item::{ItemKind, NewItem};
    use crate::store::tests::assets::{add, add_tag, new_asset, store};

    fn bound(store: &Store, id: &str) -> i64 {
        let of = |db: &Connection| {
            let row = db.query_row("SELECT row FROM asset WHERE id = ?1", [id], |row| row.get(0))?;
            RecordBound::of(db, row)
        };
        store.read(of).expect("read").0.expect("bounded")
    }

    fn length(store: &Store, id: &str) -> i64 {
        let whole = store.asset(id, Transfer::Withheld).expect("the asset");
        record::asset_text(store.identity(), &whole, Transfer::Withheld).len() as i64
    }

    fn note(text: &str) -> NewAnnotation {
        NewAnnotation { kind: "SUMMARY".to_owned(), text: text.to_owned(), document: r#"{"n":1e5}"#.to_owned() }
    }

    #[test]
    fn the_bound_of_a_record_is_never_below_its_length() {
        let store = store();
        for text in ["", "a plain text", &"\u{1}\"\\ü\n".repeat(500)] {
            let mut new = new_asset(text, Content::Text("x".to_owned()));
            new.document = serde_json::json!({ "more": text, "numbers": [1.5, 100_000] }).to_string();
            new.annotations = vec![note(text), note(text)];
            for (kind, key) in [(ItemKind::Tag, true), (ItemKind::Website, true), (ItemKind::Summary, false)] {
                let document = r#"{"x":[1E5,1E5,1E5,1E5,1E5,1E5,1E5,1E5,1E5,1E5]}"#.to_owned();
                let key = key.then(|| format!("{kind:?} {text}"));
                let annotations = if kind == ItemKind::Summary { vec![note(text)] } else { Vec::new() };
                new.items.push(NewItem {
                    id: None,
                    kind,
                    key,
                    name: text.to_owned(),
                    document,
                    annotations,
                    counters: Vec::new(),
                    mechanism: "MANUAL".to_owned(),
                });
            }
            let id = store.create_asset(new, OnDuplicate::Create).expect("an asset").id;
            let (bound, length) = (bound(&store, &id), length(&store, &id));
            assert!(length <= bound && bound <= 8 * length + 10_000, "{bound} for {length} bytes of {text:?}");
        }
    }

    #[test]
    fn a_link_is_measured_first_if_the_record_may_be_too_large() {
        let store = store();
        let (id, tag) = (add(&store, "a", "x"), add_tag(&store, "t"));
        let link = |limit| store.begin_link(&id, ItemKind::Tag, &tag, limit)?.wait();
        assert_eq!(link(Some(1_000)), Ok(LinkOutcome::MeasureFirst));
        assert!(store.asset(&id, Transfer::Withheld).expect("the asset").items.is_empty(), "nothing was linked");
        assert_eq!(link(Some(20_000)), Ok(LinkOutcome::Done));
        assert_eq!(link(None), Ok(LinkOutcome::Done));
    }
}
