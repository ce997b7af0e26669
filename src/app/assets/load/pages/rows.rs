//! A page of rows, from a service that sends what a list shows and no more.

use std::borrow::Cow;

use serde::Deserialize;

use crate::app::Transport;
use crate::app::listing::rows::{AssetRow, ListedAsset, Shared};
use lunette_client::client::CallError;
use lunette_client::operation::DecodeError;
use lunette_client::operation::table::AssetsRowsSnapshot;

/// The most rows of a page after the first: about a megabyte.
const PAGE_ROWS: u64 = 5_000;

/// The next page of rows.
#[derive(Debug)]
pub(super) struct NextRows {
    /// What the service said continues the list; None at its beginning.
    after: Option<String>,
    /// How many rows to ask for.
    size: u64,
}

/// Rows as they were read, what they share, and whether more follow.
pub(super) struct RowPage {
    pub rows: Vec<AssetRow>,
    pub shared: Shared,
    pub next: Option<NextRows>,
}

#[derive(Deserialize)]
struct Body<'a> {
    #[serde(borrow)]
    iterable: Vec<ListedAsset<'a>>,
    #[serde(borrow)]
    next: Option<Cow<'a, str>>,
}

impl NextRows {
    /// The beginning of the list: few rows, so that they are shown soon.
    pub fn beginning() -> Self {
        Self { after: None, size: 200 }
    }

    /// A smaller page in the place of one that was too large; None where it was a single row.
    pub fn smaller(self) -> Option<Self> {
        (self.size > 1).then(|| Self { size: self.size / 8 + 1, ..self })
    }

    /// Requests the page, of at most `wanted` rows.
    pub async fn read(&self, client: &impl Transport, wanted: u64, mut shared: Shared) -> Result<RowPage, CallError> {
        let page = AssetsRowsSnapshot { after: self.after.clone(), limit: Some(self.size.min(wanted)) };
        let size = if self.after.is_none() { PAGE_ROWS } else { self.size };
        let read = move |body: &[u8]| {
            let body: Body<'_> =
                serde_json::from_slice(body).map_err(|error| DecodeError::NotJson(error.to_string()))?;
            let rows = body.iterable.into_iter().filter_map(|row| AssetRow::listed(row, &mut shared)).collect();
            let next = body.next.map(|next| NextRows { after: Some(next.into_owned()), size });
            Ok(RowPage { rows, shared, next })
        };
        client.read(&page.into(), read).await
    }
}
