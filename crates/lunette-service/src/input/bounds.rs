//! Size limits of stored records, so that every record can be read and every list be listed.
//!
//! Our choice: the interface names no sizes. Larger values are rejected with 400 and the limit in the message; what an
//! older version stored stays readable. A record without its content is at most [`RECORD_BYTES`], a quarter of what the
//! window reads at once.

use crate::store::StoreError;
use crate::store::records::asset::Transfer;
use crate::store::records::create::NewAsset;
use crate::store::records::format::Content;
use crate::{Service, ServiceError, record};

/// A text of a record that has a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bound {
    what: &'static str,
    most_bytes: usize,
}

/// The name of an asset, a website, a summary, a conversation or an anchor.
pub(crate) const NAME: Bound = Bound { what: "a name", most_bytes: 32 << 10 };
/// The text of a tag.
pub(crate) const TAG: Bound = Bound { what: "the text of a tag", most_bytes: 1 << 10 };
/// The address of a website, and the path of an anchor.
pub(crate) const ADDRESS: Bound = Bound { what: "an address or a path", most_bytes: 8 << 10 };
/// The text of an annotation or a hint.
pub(crate) const TEXT: Bound = Bound { what: "the text of an annotation or a hint", most_bytes: 64 << 10 };
/// All fields of a record that have no limit of their own.
pub(crate) const FIELDS: Bound = Bound { what: "all additional fields of a record together", most_bytes: 256 << 10 };

/// The event of an activity, as JSON.
pub(crate) const EVENT: Bound = Bound { what: "the event of an activity", ..FIELDS };
/// The application of an activity, as JSON.
pub(crate) const APPLICATION: Bound = Bound { what: "the application of an activity", ..FIELDS };

/// The most bytes of a content, decoded.
const CONTENT_BYTES: usize = 64 << 20;
/// A record with all it is linked with, without content.
pub(crate) const RECORD_BYTES: usize = 4 << 20;
/// What a linked record adds to its asset's record beside its own text.
pub(crate) const ITEM_BYTES: usize = 800;

impl Bound {
    /// Returns the text. Fails with [`StoreError::Invalid`] if it is too long.
    pub(crate) fn check<T: AsRef<str>>(self, text: T) -> Result<T, StoreError> {
        let Self { what, most_bytes } = self;
        match text.as_ref().len() {
            length if length > most_bytes => {
                Err(StoreError::invalid(format!("the limit for {what} is {most_bytes} bytes; this is {length} bytes")))
            }
            _ => Ok(text),
        }
    }
}

/// Returns the content. Fails with 413 if it is too large.
pub(crate) fn content(content: Content) -> Result<Content, ServiceError> {
    match content.as_bytes().len() {
        length if length > CONTENT_BYTES => Err(ServiceError::content_too_large(CONTENT_BYTES, length)),
        _ => Ok(content),
    }
}

/// Checks the fields of a record after a change. A record that already exceeded the limit may stay so.
pub(crate) fn grown(before: &str, after: String) -> Result<String, StoreError> {
    if after.len() <= before.len() { Ok(after) } else { FIELDS.check(after) }
}

/// How much the new texts of an update may add to the record of their asset.
pub(crate) struct RoomForTexts(usize);

impl RoomForTexts {
    /// Beside the texts that the record has.
    pub(crate) fn beside<'a>(present: impl Iterator<Item = &'a str>) -> Self {
        Self(present.fold(RECORD_BYTES, |room, text| room.saturating_sub(ITEM_BYTES + text.len())))
    }

    /// Takes this many bytes. Fails with [`StoreError::Invalid`] if there are not enough.
    pub(crate) fn take(&mut self, bytes: usize) -> Result<(), StoreError> {
        self.0 = self.0.checked_sub(bytes).ok_or_else(|| {
            StoreError::invalid(format!(
                "the limit for the record of an asset without its content is {RECORD_BYTES} bytes; these annotations \
                 exceed it: remove some first"
            ))
        })?;
        Ok(())
    }
}

/// Checks that an asset's record has room for an addition. Concurrent additions are not seen, so a record may end
/// slightly above the limit.
pub(crate) fn check_room(service: &Service, asset: &str, added_bytes: usize) -> Result<(), ServiceError> {
    let whole = service.store.asset(asset, Transfer::Withheld)?;
    let present = record::asset_text(service.store.identity(), &whole, Transfer::Withheld).len();
    match present.saturating_add(added_bytes) > RECORD_BYTES {
        true => Err(ServiceError::bad_request(format!(
            "the record of the asset without its content has {present} bytes; the limit is {RECORD_BYTES}: remove \
             links or annotations first"
        ))),
        false => Ok(()),
    }
}

/// Makes sure that the record of a new asset is not too large.
pub(crate) fn of_new(new: &NewAsset) -> Result<(), ServiceError> {
    let items = new.items.iter().map(|item| ITEM_BYTES + item.name.len() + item.key.as_ref().map_or(0, String::len));
    let texts = new.annotations.iter().map(|text| ITEM_BYTES + text.text.len() + text.document.len());
    let related = new.related.iter().map(|related_record| ITEM_BYTES + related_record.document.len());
    let archived = new.archived.iter().map(|archived| archived.record_bytes(ITEM_BYTES));
    let bytes: usize = items.chain(texts).chain(related).chain(archived).sum();
    match bytes > RECORD_BYTES {
        true => Err(ServiceError::bad_request(format!(
            "the tags, websites, annotations and other links of the seed have about {bytes} bytes together; the \
             limit is {RECORD_BYTES}"
        ))),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_may_have_exactly_its_limit_in_bytes() {
        for bound in [NAME, TAG, ADDRESS, TEXT, FIELDS] {
            let text = "ü".repeat(bound.most_bytes / 2);
            assert_eq!(bound.check(text.as_str()), Ok(text.as_str()));
            let refused = bound.check(text + "x").expect_err("one byte more");
            assert!(refused.to_string().contains(&bound.most_bytes.to_string()), "{refused}");
        }
    }
}
