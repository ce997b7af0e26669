//! A page of rows, from a service with the operation for rows.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::Transport;
use crate::listing::rows::{AssetRow, ListedAsset, Shared};
use lunette_client::client::CallError;
use lunette_client::operation::DecodeError;
use lunette_client::operation::table::AssetsRowsSnapshot;

/// The maximum number of rows of a page after the first: about 200 kB. Larger ones cost memory: each would be read by
/// one thread and freed by another, and the allocator reuses such memory only when the first thread next looks for some
/// of that size.
const PAGE_ROWS: u64 = 700;

/// The next page of rows.
#[derive(Debug)]
pub(super) struct NextRows {
    /// The cursor that continues the list; `None` at its beginning.
    after: Option<String>,
    /// How many rows to request.
    size: u64,
}

/// Rows that were read, the values that they share, and whether more follow.
pub(super) struct RowPage {
    pub rows: Vec<AssetRow>,
    pub shared: Shared,
    pub next: Option<NextRows>,
}

impl NextRows {
    /// The first page: few rows, so that they are shown soon.
    pub fn beginning() -> Self {
        Self { after: None, size: 200 }
    }

    /// A smaller page instead of one that was too large; `None` if it had a single row.
    pub fn smaller(self) -> Option<Self> {
        (self.size > 1).then(|| Self { size: self.size / 8 + 1, ..self })
    }

    /// Requests the page, of at most `wanted` rows.
    pub async fn read(&self, client: &impl Transport, wanted: u64, mut shared: Shared) -> Result<RowPage, CallError> {
        let page = AssetsRowsSnapshot { after: self.after.clone(), limit: Some(self.size.min(wanted)) };
        let size = if self.after.is_none() { PAGE_ROWS } else { self.size };
        let read = move |body: &[u8]| {
            let (rows, next) = read_body(body, &mut shared).map_err(|error| DecodeError::NotJson(error.to_string()))?;
            let next = next.map(|next| NextRows { after: Some(next), size });
            Ok(RowPage { rows, shared, next })
        };
        client.read(&page.into(), read).await
    }
}

/// Reads the rows of a page, and the cursor that continues the list.
fn read_body(body: &[u8], shared: &mut Shared) -> serde_json::Result<(Vec<AssetRow>, Option<String>)> {
    let mut reader = serde_json::Deserializer::from_slice(body);
    let mut page = (Vec::new(), None);
    reader.deserialize_map(Body { shared, page: &mut page })?;
    reader.end()?;
    Ok(page)
}

/// The object of a page. Its rows are created one by one: a list of the sent records would need as much memory again.
struct Body<'a> {
    shared: &'a mut Shared,
    page: &'a mut (Vec<AssetRow>, Option<String>),
}

impl<'de> Visitor<'de> for Body<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with a list “iterable”")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
        let Self { shared, page: (rows, next) } = self;
        let mut listed = false;
        while let Some(field) = fields.next_key::<Cow<'de, str>>()? {
            match &*field {
                "iterable" => {
                    fields.next_value_seed(Rows { shared, rows })?;
                    listed = true;
                }
                "next" => *next = fields.next_value()?,
                _ => {
                    fields.next_value::<IgnoredAny>()?;
                }
            }
        }
        if listed { Ok(()) } else { Err(A::Error::missing_field("iterable")) }
    }
}

struct Rows<'a> {
    shared: &'a mut Shared,
    rows: &'a mut Vec<AssetRow>,
}

impl<'de> DeserializeSeed<'de> for Rows<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, list: D) -> Result<(), D::Error> {
        list.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Rows<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while let Some(asset) = list.next_element::<ListedAsset<'de>>()? {
            self.rows.extend(AssetRow::listed(asset, self.shared));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "5f0c1a34-0b7e-4c5d-9a51-2f6f3d1ae159";

    #[test]
    fn a_page_is_read_in_any_order_of_its_fields_and_with_fields_that_are_not_known() {
        let row = format!("{{\"id\":\"{ID}\",\"name\":\"a \\\"b\\\".rs\",\"tags\":[\"x\"],\"later\":{{}}}}");
        for body in [
            format!("{{\"iterable\":[{row}],\"next\":\"n\"}}"),
            format!("{{\"other\":[1,{{}}],\"next\":\"n\",\"iterable\":[{row}]}}"),
        ] {
            let (rows, next) = read_body(body.as_bytes(), &mut Shared::default()).expect("a page");
            assert_eq!((rows.len(), rows[0].name(), next.as_deref()), (1, "a \"b\".rs", Some("n")));
            assert_eq!((rows[0].id().as_str(), rows[0].tags().join(",")), (ID, "x".to_owned()));
        }
        let (rows, next) = read_body(br#"{"iterable":[],"next":null}"#, &mut Shared::default()).expect("a page");
        assert!(rows.is_empty() && next.is_none());
    }

    #[test]
    fn an_invalid_page_is_an_error() {
        for body in [
            "",
            "{}",
            "[]",
            "null",
            r#"{"next":"n"}"#,
            r#"{"iterable":{}}"#,
            r#"{"iterable":[]} x"#,
            r#"{"iterable":["#,
        ] {
            assert!(read_body(body.as_bytes(), &mut Shared::default()).is_err(), "{body}");
        }
    }
}
