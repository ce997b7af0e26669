//! The items of a service that assets are linked to, by their ids and by what makes them the same at another service.

use std::collections::HashMap;

use lunette_client::client::Client;
use lunette_client::model::asset::Asset;
use lunette_client::model::record::Record as _;
use lunette_client::operation::DecodeError;
use serde_json::Value;

use super::facts::key;
use super::read::{is_absent, patiently};
use crate::CallError;
use crate::change::{Item, LinkKind};

/// Items of a service.
#[derive(Clone, Debug, Default)]
pub(super) struct Items {
    of_key: HashMap<(LinkKind, String), Item>,
    of_id: HashMap<(LinkKind, String), Item>,
    read: Vec<LinkKind>,
}

impl Items {
    /// The items of all kinds of a service.
    pub async fn all(client: &Client) -> Result<Self, CallError> {
        let mut items = Self::default();
        for kind in LinkKind::ALL {
            items.read(client, kind).await?;
        }
        Ok(items)
    }

    /// Lists the items of a kind, once. A service without such a list has none that are known.
    pub async fn read(&mut self, client: &Client, kind: LinkKind) -> Result<(), CallError> {
        if self.read.contains(&kind) {
            return Ok(());
        }
        let parse = |body: &[u8]| {
            serde_json::from_slice::<Value>(body).map_err(|error| DecodeError::NotJson(error.to_string()))
        };
        match patiently(client, &kind.list_call(Some(false), Some(false)), parse).await {
            Ok(list) => {
                let records = list["iterable"].as_array().into_iter().flatten();
                records.filter_map(|record| Item::of_record(kind, record)).for_each(|item| self.add(item));
            }
            Err(error) if is_absent(&error) => {}
            Err(error) => return Err(error),
        }
        self.read.push(kind);
        Ok(())
    }

    fn add(&mut self, item: Item) {
        if !key(&item).is_empty() {
            self.of_id.insert((item.kind, item.id.to_lowercase()), item.clone());
            self.of_key.entry((item.kind, key(&item).to_owned())).or_insert(item);
        }
    }

    /// The item that is the same as one of another service.
    pub fn same(&self, item: &Item) -> Option<&Item> {
        self.of_key.get(&(item.kind, key(item).to_owned()))
    }

    /// The record of an asset with the texts of those of its items that it names by their ids alone.
    pub fn named_in(&self, asset: Asset) -> Asset {
        let has_text =
            |kind: LinkKind, entry: &Value| Item::of_record(kind, entry).is_none_or(|item| !key(&item).is_empty());
        let entries = |kind: LinkKind| asset.tree()[kind.collection()]["iterable"].as_array().into_iter().flatten();
        if LinkKind::ALL.into_iter().all(|kind| entries(kind).all(|entry| has_text(kind, entry))) {
            return asset;
        }
        let mut tree = asset.tree().clone();
        for kind in LinkKind::ALL {
            for entry in tree[kind.collection()]["iterable"].as_array_mut().into_iter().flatten() {
                let id = entry["id"].as_str().unwrap_or_default().to_lowercase();
                let Some(item) = self.of_id.get(&(kind, id)).filter(|_| !has_text(kind, entry)) else { continue };
                entry[if kind == LinkKind::Tag { "text" } else { "name" }] = item.text.as_str().into();
                if let Some(url) = &item.url {
                    entry["url"] = url.as_str().into();
                }
            }
        }
        Asset::from_any(tree).unwrap_or(asset)
    }
}
