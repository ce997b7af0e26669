//! Reads the records that a graph needs, in rounds, until none is missing.
//!
//! What must hold: the number of calls is bounded by the number of nodes; a node that cannot be read does not affect
//! the others.

use std::collections::BTreeSet;

use futures_util::stream::{self, StreamExt as _};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::facts::{ApplicationFact, AssetFact, Fact, Facts, GraphContext, ItemFact};
use super::neighbourhood::{Matching, MissingRecords, Query, neighbourhood};
use super::node::{Graph, NodeKey};
use crate::Vendor;
use crate::change::{Item, ItemId, LinkKind, told_assets};
use crate::listing::rows::AssetRow;
use crate::{CallError, Transport, internal_error};
use lunette_client::model::id::{AssetId, CompactId};
use lunette_client::operation::table::AssetSnapshot;
use lunette_json::budget;

/// The maximum number of concurrent reads.
const IN_FLIGHT: usize = 8;
/// The maximum number of assets read to find those of an application.
const MAX_APPLICATION_ASSETS: usize = 100;
/// The maximum number of rounds. Each link of depth takes one, and expanded nodes add some.
const MAX_ROUNDS: usize = 16;

/// Reads a graph. Records in `facts` are not read again. Fails if none of the start nodes could be read.
pub async fn gather<C: Transport>(
    client: &C,
    query: &Query,
    known: &GraphContext,
    facts: &mut Facts,
) -> Result<Graph, CallError> {
    let matching = Matching::of(&query.filter, known);
    let mut error = None;
    for _ in 0..MAX_ROUNDS {
        let found = neighbourhood(query, known, facts, &matching, MissingRecords::ListOnly);
        if found.missing.is_empty() {
            return graph_or_error(found.graph, query, facts, error);
        }
        read_all(client, found.missing, known, facts, &mut error).await;
    }
    let graph = neighbourhood(query, known, facts, &matching, MissingRecords::BuildWithout).graph;
    graph_or_error(graph, query, facts, error)
}

/// Returns the graph, or an error if none of the start nodes could be read.
fn graph_or_error(graph: Graph, query: &Query, facts: &Facts, error: Option<CallError>) -> Result<Graph, CallError> {
    let was_read = |key: &NodeKey| !matches!(facts.get(key), Some(Fact::Failed(_)));
    match error.filter(|_| !query.start.iter().any(|start| was_read(&start.key))) {
        Some(error) => Err(error),
        None => Ok(graph),
    }
}

async fn read_all<C: Transport>(
    client: &C,
    keys: BTreeSet<NodeKey>,
    known: &GraphContext,
    facts: &mut Facts,
    error: &mut Option<CallError>,
) {
    let reads = keys.into_iter().map(|key| async move {
        let fact = read(client, &key, known).await;
        (key, fact)
    });
    let mut reads = stream::iter(reads).buffer_unordered(IN_FLIGHT);
    while let Some((key, fact)) = reads.next().await {
        let fact = fact.unwrap_or_else(|failed| {
            let why = failed.reason();
            error.get_or_insert(failed);
            (Fact::Failed(why), Vec::new())
        });
        for (id, asset) in fact.1 {
            facts.0.entry(NodeKey::Asset(id)).or_insert_with(|| Fact::Asset(asset).into());
        }
        facts.insert(key, fact.0);
    }
}

/// The record of a node, and assets read along with it.
type Found = (Fact, Vec<(AssetId, AssetFact)>);

async fn read<C: Transport>(client: &C, key: &NodeKey, known: &GraphContext) -> Result<Found, CallError> {
    match key {
        NodeKey::Asset(id) => Ok((Fact::Asset(asset(client, id).await?), Vec::new())),
        NodeKey::Item(kind, id) => {
            item(client, *kind, id, known.vendor).await.map(|fact| (Fact::Item(fact), Vec::new()))
        }
        NodeKey::Application(id) => application(client, id, known).await,
        NodeKey::More(_) => Err(internal_error("this node represents hidden neighbours")),
    }
}

async fn asset<C: Transport>(client: &C, id: &AssetId) -> Result<AssetFact, CallError> {
    let asset = client.call(AssetSnapshot { asset: id.clone(), transferables: Some(false) }).await?;
    Ok(AssetFact::of(&asset))
}

/// Finds the assets of an application. No operation lists them, but the record of each asset names the application of
/// its original. So the most recently changed assets are read: those of the application if the list says which these
/// are, else all.
async fn application<C: Transport>(client: &C, id: &str, known: &GraphContext) -> Result<Found, CallError> {
    let listed = known.rows.iter().any(|row| row.application().is_some());
    let may_be = |row: &&std::sync::Arc<AssetRow>| !listed || row.application_id() == Some(id);
    let mut newest: Vec<_> = known.rows.iter().filter(may_be).map(|row| (row.updated_at(), row.id())).collect();
    let of = newest.len();
    newest.sort_unstable_by(|one, other| other.cmp(one));
    newest.truncate(MAX_APPLICATION_ASSETS);
    let reads = newest.into_iter().map(|(_, id)| async move { asset(client, &id).await.map(|asset| (id, asset)) });
    let read: Vec<_> = stream::iter(reads).buffered(IN_FLIGHT).collect().await;
    let assets: Vec<_> = read.into_iter().collect::<Result<_, _>>()?;
    Ok((Fact::Application(ApplicationFact { assets_read: assets.len(), of, listed }), assets))
}

/// Reads an item with its assets. If the service does not have the operation, they are unknown, which is not an error.
async fn item<C: Transport>(client: &C, kind: LinkKind, id: &str, vendor: Vendor) -> Result<ItemFact, CallError> {
    let call = ItemId::parse(kind, id).read_call(vendor.is_lunette().then_some(true));
    let call = call.map_err(|problem| internal_error(problem.to_string()))?;
    let read = move |body: &[u8]| match serde_json::from_slice(body) {
        Ok(listed) => Ok(listed),
        Err(_) => Ok(ItemRecord::of_any(kind, &budget::parse(body)?)),
    };
    match client.read(&call, read).await {
        Ok(listed) => listed.fact(kind),
        Err(error) if error.missing() => Ok(ItemFact { name: String::new(), url: None, assets: None }),
        Err(error) => Err(error),
    }
}

/// The fields that are read from the record of an item.
#[derive(Deserialize)]
struct ItemRecord {
    id: String,
    #[serde(alias = "name")]
    text: String,
    url: Option<String>,
    assets: Option<Assets>,
}

#[derive(Deserialize)]
struct Assets {
    iterable: Option<Vec<IdOnly>>,
    indices: Option<Map<String, Value>>,
}

#[derive(Deserialize)]
struct IdOnly {
    id: String,
}

impl ItemRecord {
    /// The fields of a record of any shape; what it does not tell is empty.
    fn of_any(kind: LinkKind, record: &Value) -> Self {
        let named = |assets: Vec<&str>| assets.into_iter().map(|id| IdOnly { id: id.to_owned() }).collect();
        let assets = told_assets(record).map(|assets| Assets { iterable: Some(named(assets)), indices: None });
        match Item::of_record(kind, record) {
            Some(Item { id, text, url, .. }) => Self { id: id.to_string(), text, url, assets },
            None => Self { id: String::new(), text: String::new(), url: None, assets },
        }
    }

    fn fact(self, kind: LinkKind) -> Result<ItemFact, CallError> {
        let Self { id, text, url, assets } = self;
        let ids = assets.and_then(|assets| {
            let named = assets.iterable.map(|named| named.into_iter().map(|named| named.id).collect());
            named.or_else(|| assets.indices.map(|indices| indices.into_iter().map(|(id, _)| id).collect()))
        });
        let parse = |id: String| {
            let id: AssetId =
                id.parse().map_err(|problem| internal_error(format!("an asset has no usable id: {problem}")))?;
            Ok(CompactId::from(&id))
        };
        let assets: Option<Vec<String>> = ids;
        let assets = assets.map(|ids| ids.into_iter().map(parse).collect::<Result<_, CallError>>()).transpose()?;
        let item = Item::new(kind, &id, text, url);
        Ok(ItemFact { name: item.name().to_owned(), url: item.url, assets })
    }
}
