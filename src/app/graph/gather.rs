//! Reads what a graph needs, and no more: records of its nodes, some at a time, until nothing is missing.
//!
//! What must hold: the number of calls is bounded by the number of nodes; one node that cannot be read does not take the
//! others with it.

use std::collections::BTreeSet;

use futures_util::stream::{self, StreamExt as _};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::facts::{ApplicationFact, AssetFact, Fact, Facts, ItemFact, Known};
use super::neighbourhood::{Matching, Partly, Query, neighbourhood};
use super::node::{Graph, NodeKey};
use crate::app::change::{Item, ItemId, LinkKind};
use crate::app::listing::rows::AssetRow;
use crate::app::{CallError, Transport, broken};
use lunette_client::model::id::{AssetId, CompactId};
use lunette_client::operation::DecodeError;
use lunette_client::operation::table::AssetSnapshot;

/// How many records are read at once.
const IN_FLIGHT: usize = 8;
/// How many assets are looked at for those of an application.
const NEWEST: usize = 100;
/// A graph is complete after as many rounds as it has links in a row; more opened nodes add some.
const MOST_ROUNDS: usize = 16;

/// Reads a graph. What was read before is kept in the facts and not read again. Fails where nothing of what the graph
/// begins with could be read.
pub async fn gather<C: Transport>(
    client: &C,
    query: &Query,
    known: &Known,
    facts: &mut Facts,
) -> Result<Graph, CallError> {
    let matching = Matching::of(&query.filter, known);
    let mut error = None;
    for _ in 0..MOST_ROUNDS {
        let found = neighbourhood(query, known, facts, &matching, Partly::Named);
        if found.missing.is_empty() {
            return answer(found.graph, query, facts, error);
        }
        read_all(client, found.missing, known, facts, &mut error).await;
    }
    let graph = neighbourhood(query, known, facts, &matching, Partly::Made).graph;
    answer(graph, query, facts, error)
}

/// The graph, unless nothing of what it begins with could be read.
fn answer(graph: Graph, query: &Query, facts: &Facts, error: Option<CallError>) -> Result<Graph, CallError> {
    let begun = |key: &NodeKey| !matches!(facts.get(key), Some(Fact::Failed(_)));
    match error.filter(|_| !query.start.iter().any(|start| begun(&start.key))) {
        Some(error) => Err(error),
        None => Ok(graph),
    }
}

async fn read_all<C: Transport>(
    client: &C,
    keys: BTreeSet<NodeKey>,
    known: &Known,
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
        facts.put(key, fact.0);
    }
}

/// What is read of a node, and of assets on the way.
type Found = (Fact, Vec<(AssetId, AssetFact)>);

async fn read<C: Transport>(client: &C, key: &NodeKey, known: &Known) -> Result<Found, CallError> {
    match key {
        NodeKey::Asset(id) => Ok((Fact::Asset(asset(client, id).await?), Vec::new())),
        NodeKey::Item(kind, id) => item(client, *kind, id, known.own).await.map(|fact| (Fact::Item(fact), Vec::new())),
        NodeKey::Application(id) => application(client, id, known).await,
        NodeKey::More(_) => Err(broken("this node stands for others")),
    }
}

async fn asset<C: Transport>(client: &C, id: &AssetId) -> Result<AssetFact, CallError> {
    let asset = client.call(AssetSnapshot { asset: id.clone(), transferables: Some(false) }).await?;
    Ok(AssetFact::of(&asset))
}

/// No operation lists the assets of an application, but each asset's record names the application that its original
/// came from. So the records of those that changed last are looked at: of its own, where the list says which these are,
/// else of all.
async fn application<C: Transport>(client: &C, id: &str, known: &Known) -> Result<Found, CallError> {
    let listed = known.rows.iter().any(|row| row.application().is_some());
    let may_be = |row: &&std::sync::Arc<AssetRow>| !listed || row.application_id() == Some(id);
    let mut newest: Vec<_> =
        known.rows.iter().filter(may_be).map(|row| (row.updated().into_owned(), row.id())).collect();
    let of = newest.len();
    newest.sort_unstable_by(|one, other| other.cmp(one));
    newest.truncate(NEWEST);
    let reads = newest.into_iter().map(|(_, id)| async move { asset(client, &id).await.map(|asset| (id, asset)) });
    let read: Vec<_> = stream::iter(reads).buffered(IN_FLIGHT).collect().await;
    let assets: Vec<_> = read.into_iter().collect::<Result<_, _>>()?;
    Ok((Fact::Application(ApplicationFact { looked_at: assets.len(), of, listed }), assets))
}

/// Reads an item with its assets. A service without the operation tells nothing of them, which is no failure.
async fn item<C: Transport>(client: &C, kind: LinkKind, id: &str, own: bool) -> Result<ItemFact, CallError> {
    let id = ItemId::parse(kind, id).map_err(|problem| broken(problem.to_string()))?;
    let call = id.read_call(own.then_some(true));
    let read =
        |body: &[u8]| serde_json::from_slice::<Listed>(body).map_err(|error| DecodeError::NotJson(error.to_string()));
    match client.read(&call, read).await {
        Ok(listed) => listed.fact(kind),
        Err(error) if error.missing() => Ok(ItemFact { name: String::new(), url: None, assets: None }),
        Err(error) => Err(error),
    }
}

/// What is read of an item's record.
#[derive(Deserialize)]
struct Listed {
    id: String,
    #[serde(alias = "name")]
    text: String,
    url: Option<String>,
    assets: Option<Assets>,
}

#[derive(Deserialize)]
struct Assets {
    iterable: Option<Vec<Named>>,
    indices: Option<Map<String, Value>>,
}

#[derive(Deserialize)]
struct Named {
    id: String,
}

impl Listed {
    fn fact(self, kind: LinkKind) -> Result<ItemFact, CallError> {
        let Self { id, text, url, assets } = self;
        let ids = assets.and_then(|assets| {
            let named = assets.iterable.map(|named| named.into_iter().map(|named| named.id).collect());
            named.or_else(|| assets.indices.map(|indices| indices.into_iter().map(|(id, _)| id).collect()))
        });
        let parse = |id: String| {
            let id: AssetId = id.parse().map_err(|problem| broken(format!("an asset has no usable id: {problem}")))?;
            Ok(CompactId::from(&id))
        };
        let assets: Option<Vec<String>> = ids;
        let assets = assets.map(|ids| ids.into_iter().map(parse).collect::<Result<_, CallError>>()).transpose()?;
        let item = Item { kind, id, text, url };
        Ok(ItemFact { name: item.name().to_owned(), url: item.url, assets })
    }
}
