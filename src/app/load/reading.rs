//! What is read in the same way for the user and beside them: pages of the list of assets, and the short lists.

use std::collections::HashSet;
use std::sync::Arc;

use crate::app::change::{Item, LinkKind};
use crate::app::log::Wire;
use crate::app::rows::{ApplicationRow, AssetRow, ExternalRow, Shared};
use crate::app::{CallError, Caller};
use crate::client::Target;
use crate::model::application::Applications;
use crate::model::asset::Assets;
use crate::model::id::AssetId;
use crate::model::record::Record as _;
use crate::operation::Operation as _;
use crate::operation::table::{
    ApplicationsExternalRelated, ApplicationsExternalSnapshot, ApplicationsSnapshot, AssetsSnapshot, TagsSnapshot,
    WebsitesSnapshot, WorkstreamSummariesSnapshot,
};

/// How many assets are asked for at a time; the first page is smaller, so that it is there sooner.
const FIRST_PAGE: u64 = 200;
const PAGE: u64 = 2_000;

/// How much of a list is read.
#[derive(Clone, Copy, Debug)]
struct Most {
    rows: usize,
    /// Of the texts of rows.
    bytes: usize,
}

/// Our choice: a service that goes on telling assets that nobody knows is read up to here. It is more than any list of
/// the interface was seen to have, and less than a desktop's memory.
const MOST: Most = Most { rows: 2_000_000, bytes: 1024 * 1024 * 1024 };

/// The list of assets, page by page. A service that knows no pages sends everything at once, and the same again when
/// asked for more; and a list that changes between two pages shows an asset twice. So each is taken once. A list without
/// an end is read up to a limit, and then fails with it.
pub struct Pages<C = Wire> {
    wire: C,
    offset: u64,
    /// None when there is no more.
    limit: Option<u64>,
    seen: HashSet<AssetId>,
    shared: Shared,
    most: Most,
    /// How much text the rows have that came.
    bytes: usize,
}

impl<C: Caller> Pages<C> {
    /// The beginning of the list; nothing is asked yet.
    pub fn new(wire: C) -> Self {
        let (seen, shared) = Default::default();
        Self { wire, offset: 0, limit: Some(FIRST_PAGE), seen, shared, most: MOST, bytes: 0 }
    }

    /// The next page; None when there is no more.
    pub async fn next(&mut self) -> Option<Result<Vec<Arc<AssetRow>>, CallError>> {
        let limit = self.limit.take()?;
        let page = AssetsSnapshot {
            transferables: Some(false),
            suggested: None,
            pseudo: None,
            offset: Some(self.offset),
            limit: Some(limit),
        };
        let assets: Assets = match self.wire.call(page).await {
            Ok(assets) => assets,
            Err(error) => return Some(Err(error)),
        };
        let items = assets.view().iterable();
        let Self { seen, shared, .. } = self;
        let rows = items.iter().filter_map(|asset| AssetRow::sharing(asset, shared));
        let rows = rows.filter(|row| seen.insert(row.id.clone()));
        let rows: Vec<_> = rows.map(Arc::new).collect();
        let count = items.len() as u64;
        self.offset += count;
        self.bytes += rows.iter().map(|row| row.weight()).sum::<usize>();
        if self.seen.len() > self.most.rows || self.bytes > self.most.bytes {
            return Some(Err(self.endless()));
        }
        self.limit = (count == limit && !rows.is_empty()).then_some(PAGE);
        Some(Ok(rows))
    }

    /// What a list without an end comes to.
    fn endless(&self) -> CallError {
        let Most { rows, bytes } = self.most;
        let info = AssetsSnapshot::INFO;
        CallError::WrongShape {
            target: Target { method: info.method, url: info.path.to_owned(), writes: false, content: false },
            path: format!("$.iterable[{}]", self.seen.len()),
            problem: format!(
                "a list that did not end after {rows} assets, or {bytes} bytes of their texts, so no more of it is read"
            ),
        }
    }

    /// Whether everything was read.
    pub fn over(&self) -> bool {
        self.limit.is_none()
    }
}

/// The tracked applications.
pub async fn applications(wire: &impl Caller) -> Result<Vec<Arc<ApplicationRow>>, CallError> {
    wire.call(ApplicationsSnapshot {}).await.map(application_rows)
}

pub(super) fn application_rows(applications: Applications) -> Vec<Arc<ApplicationRow>> {
    applications.view().iterable().iter().map(ApplicationRow::of).map(Arc::new).collect()
}

/// Detected and related applications. A service that has only one of the two still fills the list.
pub async fn external(wire: &impl Caller) -> Result<Vec<Arc<ExternalRow>>, CallError> {
    let (detected, related) =
        tokio::join!(wire.call(ApplicationsExternalSnapshot {}), wire.call(ApplicationsExternalRelated {}));
    let (detected, related) = match (detected, related) {
        (Err(error), Err(_)) => return Err(error),
        (detected, related) => (detected.ok(), related.ok()),
    };
    let records = |records: &Option<crate::model::application::DetectedExternalApplications>| {
        records.as_ref().map(|records| records.view().iterable().trees()).unwrap_or_default().to_vec()
    };
    let (detected, related) = (records(&detected), records(&related));
    let rows =
        ExternalRow::merged(detected.iter().map(crate::model::View::of), related.iter().map(crate::model::View::of));
    Ok(rows.into_iter().map(Arc::new).collect())
}

/// What assets can be linked to, of one kind.
pub(in crate::app) async fn items(wire: &Wire, kind: LinkKind) -> Result<Vec<Item>, CallError> {
    let item = |id: &str, text: &str, url: Option<&str>| Item {
        kind,
        id: id.to_owned(),
        text: text.to_owned(),
        url: url.map(str::to_owned),
    };
    Ok(match kind {
        LinkKind::Tag => {
            let tags = wire.call(TagsSnapshot { transferables: None }).await?;
            tags.view().iterable().iter().map(|tag| item(tag.id(), tag.text(), None)).collect()
        }
        LinkKind::Website => {
            let sites = wire.call(WebsitesSnapshot { transferables: None }).await?;
            sites.view().iterable().iter().map(|site| item(site.id(), site.name(), Some(site.url()))).collect()
        }
        LinkKind::Summary => {
            let summaries = wire.call(WorkstreamSummariesSnapshot { transferables: None }).await?;
            summaries.view().iterable().iter().map(|summary| item(summary.id(), summary.name(), None)).collect()
        }
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::operation::{Call, Reply};

    /// Answers each page with as many assets as it asks for, none of them told before, with names of this length.
    #[derive(Clone)]
    struct Endless {
        name: usize,
    }

    impl Caller for Endless {
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

    /// Reads to the end; how many rows came, and why it ended.
    async fn read(mut pages: Pages<Endless>) -> (usize, Option<CallError>) {
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
    async fn a_list_without_end_is_read_up_to_so_many_assets() {
        let pages = Pages { most: Most { rows: 5_000, bytes: usize::MAX }, ..Pages::new(Endless { name: 1 }) };
        let (count, error) = read(pages).await;
        assert_eq!(count, 4_200, "a first page and two more");
        let said = error.expect("it fails").to_string();
        assert!(said.contains("5000 assets"), "{said}");
    }

    #[tokio::test]
    async fn a_list_of_long_names_is_read_up_to_so_many_bytes() {
        let pages = Pages { most: Most { rows: usize::MAX, bytes: 1_000_000 }, ..Pages::new(Endless { name: 1_000 }) };
        let (count, error) = read(pages).await;
        assert_eq!(count, 200, "the first page: each name is kept as it is and as it is searched");
        assert!(error.is_some_and(|error| error.to_string().contains("1000000 bytes")));
    }
}
