//! The records read for a graph, and what was known before.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::Vendor;
use crate::assets::content;
use crate::change::{Item, LinkKind, linked, reports_links};
use crate::listing::RowList;
use crate::listing::rows::{AssetRow, application_name};
use lunette_client::model::asset::Asset;
use lunette_client::model::id::{AssetId, CompactId};
use lunette_client::model::record::Record as _;

use super::node::NodeKey;

/// What is known without reading from the service.
#[derive(Clone, Default)]
pub struct GraphContext {
    /// The list of assets, as far as it was read.
    pub rows: RowList<AssetRow>,
    /// The opened assets: their links are read if the service does not report the assets of an item.
    pub opened: Vec<AssetId>,
    /// Whether the service is one of ours.
    pub vendor: Vendor,
    /// The current time, for the filter by date.
    pub now: jiff::Timestamp,
}

/// The record of each node.
#[derive(Clone, Debug, Default)]
pub struct Facts(pub(super) BTreeMap<NodeKey, Arc<Fact>>);

/// The record of a node.
#[derive(Clone, Debug)]
pub(super) enum Fact {
    Asset(AssetFact),
    Item(ItemFact),
    Application(ApplicationFact),
    /// Reading it failed, with the reason.
    Failed(String),
}

/// The record of an asset.
#[derive(Clone, Debug)]
pub(super) struct AssetFact {
    pub name: String,
    pub language: String,
    pub updated: String,
    /// The linked items by kind; `None` if the record does not include them.
    pub links: Vec<(LinkKind, Option<Vec<Item>>)>,
    /// The application that its original came from: id and name.
    pub application: Option<(String, String)>,
}

/// The record of a tag, a website or a workstream summary.
#[derive(Clone, Debug)]
pub(super) struct ItemFact {
    pub name: String,
    pub url: Option<String>,
    /// Its assets; `None` if the service does not report them.
    pub assets: Option<Vec<CompactId>>,
}

/// What is known about the assets of an application.
#[derive(Clone, Debug)]
pub(super) struct ApplicationFact {
    /// The number of assets read to find those of the application.
    pub assets_read: usize,
    /// The number of assets of the application, or of all assets if the list does not say.
    pub of: usize,
    /// Whether the list says which assets belong to the application.
    pub listed: bool,
}

impl AssetFact {
    pub fn of(asset: &Asset) -> Self {
        let view = asset.view();
        let kinds = LinkKind::ALL.into_iter();
        let links = kinds.map(|kind| (kind, reports_links(view, kind).then(|| linked(view, kind)))).collect();
        let format = content::original(view);
        let application = format.map(|format| {
            let application = format.application();
            let described = application.tree().get("descriptor").and_then(serde_json::Value::as_str);
            let named = application_name(application.id(), application.name());
            let name = described.filter(|name| !name.is_empty()).unwrap_or(named);
            (application.id().to_owned(), name.to_owned())
        });
        let language = format.map(|format| format.classification().specific()).unwrap_or_default();
        Self {
            name: view.name().unwrap_or_default().to_owned(),
            language: language.to_owned(),
            updated: view.updated().value().to_owned(),
            links,
            application,
        }
    }

    /// Returns whether the record includes the links of every kind.
    pub fn has_all_links(&self) -> bool {
        self.links.iter().all(|(_, items)| items.is_some())
    }
}

impl Facts {
    pub(super) fn insert(&mut self, key: NodeKey, fact: Fact) {
        self.0.insert(key, Arc::new(fact));
    }

    pub(super) fn get(&self, key: &NodeKey) -> Option<&Fact> {
        self.0.get(key).map(Arc::as_ref)
    }

    pub(super) fn asset(&self, id: &AssetId) -> Option<&AssetFact> {
        match self.get(&NodeKey::Asset(id.clone()))? {
            Fact::Asset(fact) => Some(fact),
            Fact::Item(_) | Fact::Application(_) | Fact::Failed(_) => None,
        }
    }

    /// Returns the assets whose records were read.
    pub(super) fn assets(&self) -> impl Iterator<Item = (&AssetId, &AssetFact)> {
        self.0.iter().filter_map(|(key, fact)| match (key, fact.as_ref()) {
            (NodeKey::Asset(id), Fact::Asset(fact)) => Some((id, fact)),
            _ => None,
        })
    }

    /// Removes the records of an asset and of all items, and all failures.
    pub(crate) fn forget(&mut self, asset: &AssetId) {
        self.0.retain(|key, fact| match (key, fact.as_ref()) {
            (_, Fact::Failed(_)) | (NodeKey::Item(..), _) => false,
            (key, _) => key.asset() != Some(asset),
        });
    }
}
