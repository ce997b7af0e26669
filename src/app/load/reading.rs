//! What is read in the same way for the user and beside them: pages of the list of assets, and the short lists.

use std::collections::HashSet;
use std::sync::Arc;

use crate::app::change::{Item, LinkKind};
use crate::app::log::Wire;
use crate::app::rows::{ApplicationRow, AssetRow, ExternalRow, Shared};
use crate::app::{CallError, Caller};
use crate::model::application::Applications;
use crate::model::asset::Assets;
use crate::model::id::AssetId;
use crate::model::record::Record as _;
use crate::operation::table::{
    ApplicationsExternalRelated, ApplicationsExternalSnapshot, ApplicationsSnapshot, AssetsSnapshot, TagsSnapshot,
    WebsitesSnapshot, WorkstreamSummariesSnapshot,
};

/// How many assets are asked for at a time; the first page is smaller, so that it is there sooner.
const FIRST_PAGE: u64 = 200;
const PAGE: u64 = 2_000;

/// The list of assets, page by page. A service that knows no pages sends everything at once, and the same again when
/// asked for more; and a list that changes between two pages shows an asset twice. So each is taken once.
pub struct Pages<C = Wire> {
    wire: C,
    offset: u64,
    /// None when there is no more.
    limit: Option<u64>,
    seen: HashSet<AssetId>,
    shared: Shared,
}

impl<C: Caller> Pages<C> {
    /// The beginning of the list; nothing is asked yet.
    pub fn new(wire: C) -> Self {
        Self { wire, offset: 0, limit: Some(FIRST_PAGE), seen: HashSet::new(), shared: Shared::default() }
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
        self.limit = (count == limit && !rows.is_empty()).then_some(PAGE);
        Some(Ok(rows))
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
