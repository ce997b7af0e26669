//! What was read of the service for a graph, and what was known before.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::app::assets::content;
use crate::app::change::{Item, LinkKind, linked, tells_links};
use crate::app::listing::RowList;
use crate::app::listing::rows::AssetRow;
use lunette_client::model::asset::Asset;
use lunette_client::model::id::{AssetId, CompactId};
use lunette_client::model::record::Record as _;

use super::node::NodeKey;

/// What is known without asking the service.
#[derive(Clone, Default)]
pub struct Known {
    /// The list of assets, as far as it was read.
    pub rows: RowList<AssetRow>,
    /// Assets that were opened: what they are linked to is asked for where a service does not tell it of an item.
    pub opened: Vec<AssetId>,
    /// Whether the service is one of ours.
    pub own: bool,
    /// When it is, which bounds the filter by dates.
    pub now: jiff::Timestamp,
}

/// What was read of each node.
#[derive(Clone, Debug, Default)]
pub struct Facts(pub(super) BTreeMap<NodeKey, Arc<Fact>>);

/// What was read of one.
#[derive(Clone, Debug)]
pub(super) enum Fact {
    Asset(AssetFact),
    Item(ItemFact),
    Application(ApplicationFact),
    /// It could not be read, and why.
    Failed(String),
}

/// What an asset's record says.
#[derive(Clone, Debug)]
pub(super) struct AssetFact {
    pub name: String,
    pub language: String,
    pub updated: String,
    /// What it is linked to, by kind; None where the record leaves that out.
    pub links: Vec<(LinkKind, Option<Vec<Item>>)>,
    /// The application that its original came from: id and name.
    pub application: Option<(String, String)>,
}

/// What the record of a tag, a website or a workstream summary says.
#[derive(Clone, Debug)]
pub(super) struct ItemFact {
    pub name: String,
    pub url: Option<String>,
    /// Its assets; None where the service does not tell.
    pub assets: Option<Vec<CompactId>>,
}

/// What is known of an application's assets.
#[derive(Clone, Debug)]
pub(super) struct ApplicationFact {
    /// How many records of assets were read to find those of the application.
    pub looked_at: usize,
    /// How many assets there are: of the application, or of all where the list does not say.
    pub of: usize,
    /// Whether the list says which assets are of the application.
    pub listed: bool,
}

impl AssetFact {
    pub fn of(asset: &Asset) -> Self {
        let view = asset.view();
        let kinds = LinkKind::ALL.into_iter();
        let links = kinds.map(|kind| (kind, tells_links(view, kind).then(|| linked(view, kind)))).collect();
        let format = content::original(view);
        let application = format.map(|format| {
            let application = format.application();
            let described = application.tree().get("descriptor").and_then(serde_json::Value::as_str);
            let name = described.filter(|name| !name.is_empty()).unwrap_or(application.name());
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

    /// Whether the record says what the asset is linked to, of every kind.
    pub fn tells_all(&self) -> bool {
        self.links.iter().all(|(_, items)| items.is_some())
    }
}

impl Facts {
    pub(super) fn put(&mut self, key: NodeKey, fact: Fact) {
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

    /// The assets whose records were read.
    pub(super) fn assets(&self) -> impl Iterator<Item = (&AssetId, &AssetFact)> {
        self.0.iter().filter_map(|(key, fact)| match (key, fact.as_ref()) {
            (NodeKey::Asset(id), Fact::Asset(fact)) => Some((id, fact)),
            _ => None,
        })
    }

    /// Forgets what was read of an asset and of what it is linked to, and everything that failed.
    pub(in crate::app) fn forget(&mut self, asset: &AssetId) {
        self.0.retain(|key, fact| match (key, fact.as_ref()) {
            (_, Fact::Failed(_)) | (NodeKey::Item(..), _) => false,
            (key, _) => key.asset() != Some(asset),
        });
    }
}
