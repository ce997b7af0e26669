//! The list of assets, page by page.
//!
//! What must hold: each asset is listed once, even if a service sends it twice; a page that is too large is requested
//! again in smaller parts, down to one asset, and an asset that is too large by itself is skipped and reported; an
//! endless list is read up to a limit. A page takes no more memory than its text and one record: records are read one
//! by one.

use std::collections::HashSet;
use std::sync::Arc;

use crate::Vendor;
use crate::listing::rows::{AssetRow, Shared};
use crate::{CallError, Transport};
use lunette_client::client::Client;
use lunette_client::client::Target;
use lunette_client::model::asset::{Asset, Assets};
use lunette_client::model::id::CompactId;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::AssetsSnapshot;
use lunette_client::operation::{DecodeError, Operation as _, elements};

mod left_out;
mod rows;
mod size;

pub use left_out::{LeftOut, describe};

use rows::{NextRows, RowPage};
use size::PageSize;

/// The limits of a list.
#[derive(Clone, Copy, Debug)]
struct ListLimits {
    rows: usize,
    /// The maximum size of rows with their texts.
    bytes: usize,
    /// Assets that are too large to be listed.
    left_out: usize,
}

/// Our choice: another service that keeps sending new assets is read up to this limit, which is more than any known list
/// has.
const LIST_LIMITS: ListLimits = ListLimits { rows: 500_000, bytes: 128 * 1024 * 1024, left_out: 100 };

/// The limit for our own service, which has as many assets as the user made. Less than the memory of a desktop.
const OWN_LIST_LIMITS: ListLimits = ListLimits { rows: 2_000_000, bytes: 1024 * 1024 * 1024, left_out: 100 };

/// An offset after the end of any list, valid also for a service with 32-bit offsets.
const PAST_END: u64 = i32::MAX as u64;

/// How many consecutive small pages without new assets end the list: one asset that was created meanwhile shifts a
/// whole small page.
const MAX_REPEATED_PAGES: usize = 3;

/// The list of assets, page by page. A service without pages sends everything at once, and the same for the next page;
/// and a list that changes between two pages has an asset twice. So each is listed once.
pub struct PagedList<C = Client> {
    client: C,
    offset: u64,
    /// The next page of rows, if the service has the operation for rows.
    rows: Option<NextRows>,
    /// The size of the next request for records; `None` at the end.
    limit: Option<u64>,
    /// The maximum number of assets.
    wanted: u64,
    size: PageSize,
    /// The assets that were listed already.
    seen: HashSet<CompactId>,
    shared: Shared,
    limits: ListLimits,
    /// The size of the listed rows with their texts.
    bytes: usize,
    /// The number of consecutive pages without new assets.
    repeated: usize,
    left_out: Vec<LeftOut>,
    /// Whether the service is known to support pages.
    paged: bool,
}

/// A page that was read.
#[derive(Default)]
struct Page {
    rows: Vec<AssetRow>,
    shared: Shared,
    /// The number of its assets, listed or not.
    count: u64,
    /// The length of its text.
    length: usize,
    left_out: Vec<LeftOut>,
}

impl<C: Transport> PagedList<C> {
    /// Starts at the beginning of the list; nothing is requested yet.
    pub fn new(client: C) -> Self {
        Self::up_to(client, u64::MAX)
    }

    /// Requests at most the first `wanted` assets of the list.
    pub fn up_to(client: C, wanted: u64) -> Self {
        let (seen, shared, left_out) = Default::default();
        let size = PageSize::default();
        let limit = Some(size.next().min(wanted)).filter(|limit| *limit > 0);
        let (offset, bytes, repeated, paged) = (0, 0, 0, false);
        Self {
            client,
            offset,
            rows: None,
            limit,
            wanted,
            size,
            seen,
            shared,
            limits: LIST_LIMITS,
            bytes,
            repeated,
            left_out,
            paged,
        }
    }

    /// Requests rows instead of records from our own service. Earlier versions without that operation are asked for
    /// records.
    #[must_use]
    pub fn of_vendor(self, vendor: Vendor) -> Self {
        let rows = (vendor.is_lunette() && self.limit.is_some()).then(NextRows::beginning);
        let limits = if vendor.is_lunette() { OWN_LIST_LIMITS } else { self.limits };
        Self { limit: self.limit.filter(|_| rows.is_none()), rows, limits, ..self }
    }

    /// Reads the next page; returns `None` at the end.
    pub async fn next(&mut self) -> Option<Result<Vec<Arc<AssetRow>>, CallError>> {
        while let Some(next) = self.rows.take() {
            let wanted = self.wanted.saturating_sub(self.seen.len() as u64);
            let shared = std::mem::take(&mut self.shared);
            match next.read(&self.client, wanted, shared).await {
                Ok(page) => return Some(self.take_rows(page)),
                Err(error) if error.missing() && self.seen.is_empty() => self.ask_on(),
                Err(error) if error.too_large() => match next.smaller() {
                    Some(smaller) => self.rows = Some(smaller),
                    None => return Some(Err(error)),
                },
                Err(error) => return Some(Err(error)),
            }
        }
        loop {
            let asked = self.limit.take()?;
            let end = match self.read(self.offset, asked).await {
                Ok(page) => return Some(self.take(page, asked)),
                Err(error) if error.too_large() => self.shrink(asked, error).await,
                Err(error) => Err(error),
            };
            if let Err(error) = end {
                return Some(Err(error));
            }
        }
    }

    /// Whether everything was read.
    pub fn over(&self) -> bool {
        self.limit.is_none() && self.rows.is_none()
    }

    /// The assets found so far that are too large to be listed.
    pub fn left_out(&self) -> &[LeftOut] {
        &self.left_out
    }

    async fn read(&mut self, offset: u64, limit: u64) -> Result<Page, CallError> {
        let (offset, limit) = (Some(offset), Some(limit));
        let page = AssetsSnapshot { transferables: Some(false), suggested: None, pseudo: None, offset, limit };
        let shared = std::mem::take(&mut self.shared);
        self.client.read(&page.into(), move |body| read_page(body, shared)).await
    }

    /// Adds a page and determines the next request.
    fn take(&mut self, page: Page, asked: u64) -> Result<Vec<Arc<AssetRow>>, CallError> {
        let Page { rows, shared, count, length, left_out } = page;
        self.shared = shared;
        let rows = self.add(rows);
        let new = rows.len() + left_out.len();
        let offset = self.offset;
        self.left_out.extend(left_out.into_iter().map(|one| one.behind(offset)));
        self.offset += count;
        let limits = &self.limits;
        if self.seen.len() > limits.rows || self.bytes > limits.bytes || self.left_out.len() > limits.left_out {
            return Err(self.endless());
        }
        self.repeated = if new == 0 { self.repeated + 1 } else { 0 };
        let goes_on = self.repeated == 0 || self.size.is_reduced() && self.repeated < MAX_REPEATED_PAGES;
        self.size.read(self.offset, count, length);
        if count == asked && goes_on {
            self.ask_on();
        }
        Ok(rows)
    }

    /// Adds a page of rows and determines the next request.
    fn take_rows(&mut self, page: RowPage) -> Result<Vec<Arc<AssetRow>>, CallError> {
        let RowPage { rows, shared, next } = page;
        self.shared = shared;
        let rows = self.add(rows);
        if self.seen.len() > self.limits.rows || self.bytes > self.limits.bytes {
            return Err(self.endless());
        }
        self.rows = next.filter(|_| !rows.is_empty() && (self.seen.len() as u64) < self.wanted);
        Ok(rows)
    }

    /// Returns the rows that were not listed before.
    fn add(&mut self, rows: Vec<AssetRow>) -> Vec<Arc<AssetRow>> {
        let rows = rows.into_iter().filter(|row| self.seen.insert(row.compact_id()));
        let rows: Vec<_> = rows.map(Arc::new).collect();
        self.bytes += rows.iter().map(|row| row.weight() + size_of::<AssetRow>()).sum::<usize>();
        rows
    }

    fn ask_on(&mut self) {
        let remaining = self.wanted.saturating_sub(self.seen.len() as u64);
        self.limit = Some(self.size.next().min(remaining)).filter(|limit| *limit > 0);
    }

    /// Requests a smaller page after one that was too large; a single asset that is too large is skipped. Fails if the
    /// service has no pages.
    async fn shrink(&mut self, asked: u64, error: CallError) -> Result<(), CallError> {
        if let CallError::TooLarge { limit, .. } = &error {
            self.size.limit(*limit);
        }
        if asked > 1 {
            self.size.failed(self.offset, asked);
            self.limit = Some(self.size.next());
            return Ok(());
        }
        if !self.paged {
            match self.read(PAST_END, 1).await {
                Ok(_) => self.paged = true,
                Err(behind) if behind.too_large() => return Err(unpaged(error)),
                Err(behind) => return Err(behind),
            }
        }
        self.left_out.push(LeftOut { index: self.offset, id: None, name: None });
        self.offset += 1;
        if self.left_out.len() > self.limits.left_out {
            return Err(self.endless());
        }
        self.size.read(self.offset, 1, 0);
        self.ask_on();
        Ok(())
    }

    /// The error for an endless list.
    fn endless(&self) -> CallError {
        let ListLimits { rows, bytes, left_out } = self.limits;
        let info = AssetsSnapshot::INFO;
        let problem = if self.left_out.len() > left_out {
            format!("more than {left_out} assets are too large to list, so reading stopped")
        } else {
            format!("the list did not end after {rows} assets or {bytes} bytes, so reading stopped")
        };
        CallError::SchemaError {
            target: Target { method: info.method, url: info.path.to_owned(), writes: false, content: false },
            path: format!("$.iterable[{}]", self.offset),
            problem,
        }
    }
}

/// The error for a list that is too large and has no pages.
fn unpaged(error: CallError) -> CallError {
    match error {
        CallError::TooLarge { target, limit } => CallError::Unpaged { target, limit },
        other => other,
    }
}

/// Decodes the assets of a page one by one; an asset that would take too much memory is skipped.
fn read_page(body: &[u8], shared: Shared) -> Result<Page, DecodeError> {
    let mut page = Page { shared, length: body.len(), ..Page::default() };
    let Page { rows, shared, left_out, .. } = &mut page;
    page.count = elements::each(body, Assets::NAME, |element| {
        match element.record::<Asset>() {
            Ok(asset) => rows.extend(AssetRow::sharing(asset.view(), shared)),
            Err(DecodeError::OverBudget(_)) => left_out.push(LeftOut::of(&element)),
            Err(error) => return Err(error),
        }
        Ok(())
    })? as u64;
    Ok(page)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use lunette_client::model::id::AssetId;
    use lunette_client::operation::{Call, Reply};

    /// Responds to each request with as many new assets as requested, with names of this length.
    #[derive(Clone)]
    struct Endless {
        name: usize,
    }

    impl Transport for Endless {
        async fn reply(&self, call: &Call) -> Result<Reply, CallError> {
            let parts = call.parts();
            let limit = parts.query.iter().find(|(name, _)| name == "limit").map(|(_, limit)| limit.parse());
            let count: usize = limit.expect("a limit").expect("a number");
            let time = json!({ "value": "2026-11-20T12:00:00Z" });
            let asset = |_| {
                let id = AssetId::random().to_string();
                json!({ "id": id, "name": "n".repeat(self.name), "creator": id, "created": time, "updated": time,
                    "mechanism": "MANUAL", "formats": { "iterable": [] }, "original": { "id": id },
                    "preview": { "base": { "id": id } } })
            };
            let body = json!({ "iterable": (0..count).map(asset).collect::<Vec<_>>() }).to_string();
            Ok(call.answer(body.as_bytes()).expect("a list"))
        }
    }

    /// Reads to the end; returns the number of rows, and why it ended.
    async fn read(mut pages: PagedList<Endless>) -> (usize, Option<CallError>) {
        let mut count = 0;
        while let Some(page) = pages.next().await {
            match page {
                Ok(rows) => count += rows.len(),
                Err(error) => return (count, Some(error)),
            }
        }
        (count, None)
    }

    #[tokio::test]
    async fn a_long_list_is_read_up_to_a_number_of_assets() {
        let pages =
            PagedList { limits: ListLimits { rows: 5_000, ..LIST_LIMITS }, ..PagedList::new(Endless { name: 1 }) };
        let (count, error) = read(pages).await;
        assert_eq!(count, 4_200, "a first page and two more");
        let message = error.expect("it fails").to_string();
        assert!(message.contains("5000 assets"), "{message}");
    }

    #[tokio::test]
    async fn a_list_of_long_names_is_read_up_to_a_byte_limit() {
        let pages = PagedList {
            limits: ListLimits { bytes: 1_000_000, ..LIST_LIMITS },
            ..PagedList::new(Endless { name: 1_000 })
        };
        let (count, error) = read(pages).await;
        assert_eq!(count, 200, "the first page");
        assert!(error.is_some_and(|error| error.to_string().contains("1000000 bytes")));
    }
}
