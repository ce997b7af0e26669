//! Notifications of what changes: `subscriptions/listen` of 2026-07-28, and `resources/subscribe` of older revisions.
//!
//! What must hold: a client is told of what it asked for alone, and of no proposal of another one; one that is turned
//! off is told nothing.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{ErrorData, ResourceUpdatedNotificationParam, SubscriptionFilter};
use rmcp::service::{Peer, SubscriptionContext};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::{RecvError, TryRecvError};

use lunette_inspector::assistants::ToolCall;
use lunette_inspector::tasks::blocking;

use super::resources::{asset_link, is_asset, is_link, proposal_link};
use crate::backend::Backend;
use crate::watch::{News, Watch};

/// The most clients that listen at a time.
const MOST: usize = 32;

/// The most resources of one subscription.
const MOST_LINKS: usize = 1_000;

/// How often it is checked whether a client of an older revision is still there.
const EVERY: Duration = Duration::from_secs(2);

/// The resources that the client of a session subscribed to, in older revisions.
#[derive(Default)]
pub(super) struct Subscribed(Mutex<HashSet<String>>);

/// What changed, for one client.
#[derive(Debug, Default)]
struct Batch {
    assets: bool,
    tools: bool,
    /// The links of what changed; `None` if some of it was missed.
    links: Option<HashSet<String>>,
}

/// The part of what a client asks for that it is told of; of assets only where the service tells what changes among
/// them.
pub(super) fn accepted(requested: &SubscriptionFilter, tells_assets: bool) -> SubscriptionFilter {
    let mut accepted = requested.clone();
    accepted.prompts_list_changed = None;
    accepted.resources_list_changed = accepted.resources_list_changed.filter(|_| tells_assets);
    if let Some(links) = &mut accepted.resource_subscriptions {
        links.retain(|link| is_link(link) && (tells_assets || !is_asset(link)));
        links.truncate(MOST_LINKS);
    }
    accepted
}

/// Begins to listen for a client. Fails if it is turned off, or if too many listen.
async fn begin(backend: &Arc<Backend>, client: &str) -> Result<Receiver<News>, ErrorData> {
    let refused = |why: String| ErrorData::invalid_request(why, None);
    backend.known(client).await.map_err(|error| refused(error.to_string()))?;
    if backend.watch.listeners() >= MOST {
        return Err(refused(format!("{MOST} assistants listen already; try again later")));
    }
    let listener = Watch::listen(backend);
    let (assistants, connection) = (backend.assistants().clone(), backend.connection.clone());
    let call = ToolCall::begun(client, "subscribe");
    let kept = blocking(move || assistants.record(&connection, &call)).await;
    kept.map_err(|error| refused(error.to_string()))?.map_err(|error| refused(error.to_string()))?;
    Ok(listener)
}

/// Tells a client of the revision of 2026-07-28 what changes, until it ends the request.
pub(super) async fn listen(
    backend: &Arc<Backend>,
    client: &str,
    context: &SubscriptionContext,
) -> Result<(), ErrorData> {
    let mut listener = begin(backend, client).await?;
    let accepted = context.accepted().clone();
    loop {
        let batch = tokio::select! {
            () = context.cancelled() => return Ok(()),
            batch = next(&mut listener, client) => batch,
        };
        let Some(batch) = batch else { return Ok(()) };
        if backend.known(client).await.is_err() {
            return Ok(());
        }
        let sink = context.sink();
        let mut sent = Ok(());
        if batch.tools && accepted.tools_list_changed == Some(true) {
            sent = sink.notify_tool_list_changed().await;
        }
        if batch.assets && accepted.resources_list_changed == Some(true) {
            sent = sent.and(sink.notify_resource_list_changed().await);
        }
        for link in accepted.resource_subscriptions.iter().flatten().filter(|link| batch.has(link)) {
            sent = sent.and(sink.notify_resource_updated(link.clone()).await);
        }
        if sent.is_err() {
            return Ok(());
        }
    }
}

/// Subscribes a client of an older revision to a resource.
pub(super) async fn subscribe(
    backend: &Arc<Backend>,
    client: &str,
    (subscribed, peer): (&Arc<Subscribed>, Peer<RoleServer>),
    link: String,
) -> Result<(), ErrorData> {
    if !is_link(&link) {
        return Err(ErrorData::resource_not_found("no resource has this link", None));
    }
    if is_asset(&link) && !backend.tells_assets() {
        let why =
            "this service does not tell what changes among its assets; read the asset again to see whether it did";
        return Err(ErrorData::invalid_request(why, None));
    }
    let is_first = {
        let mut links = subscribed.0.lock().unwrap_or_else(PoisonError::into_inner);
        if links.len() >= MOST_LINKS {
            return Err(ErrorData::invalid_request(format!("{MOST_LINKS} resources are subscribed to already"), None));
        }
        let is_first = links.is_empty();
        links.insert(link);
        is_first
    };
    if !is_first {
        return Ok(());
    }
    match begin(backend, client).await {
        Ok(listener) => {
            let (backend, client, subscribed) = (Arc::clone(backend), client.to_owned(), Arc::clone(subscribed));
            tokio::spawn(tell(backend, client, listener, subscribed, peer));
            Ok(())
        }
        Err(error) => {
            subscribed.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
            Err(error)
        }
    }
}

/// Ends the subscription to a resource; what is not subscribed to needs no end.
pub(super) fn unsubscribe(subscribed: &Subscribed, link: &str) {
    subscribed.0.lock().unwrap_or_else(PoisonError::into_inner).remove(link);
}

/// Tells a client of an older revision what changes, until it is gone or subscribes to nothing.
async fn tell(
    backend: Arc<Backend>,
    client: String,
    mut listener: Receiver<News>,
    subscribed: Arc<Subscribed>,
    peer: Peer<RoleServer>,
) {
    loop {
        let batch = tokio::time::timeout(EVERY, next(&mut listener, &client)).await;
        let changed: Vec<String> = {
            let links = subscribed.0.lock().unwrap_or_else(PoisonError::into_inner);
            if links.is_empty() || peer.is_transport_closed() {
                return;
            }
            match batch {
                Err(_) => continue,
                Ok(None) => return,
                Ok(Some(batch)) => links.iter().filter(|link| batch.has(link)).cloned().collect(),
            }
        };
        if backend.known(&client).await.is_err() {
            return;
        }
        for link in changed {
            if peer.notify_resource_updated(ResourceUpdatedNotificationParam::new(link)).await.is_err() {
                return;
            }
        }
    }
}

/// What changed since, once something did; `None` if nothing is watched any more.
async fn next(listener: &mut Receiver<News>, client: &str) -> Option<Batch> {
    let mut batch = Batch { links: Some(HashSet::new()), ..Batch::default() };
    match listener.recv().await {
        Ok(news) => batch.add(news, client),
        Err(RecvError::Lagged(_)) => batch = Batch { assets: true, tools: true, links: None },
        Err(RecvError::Closed) => return None,
    }
    loop {
        match listener.try_recv() {
            Ok(news) => batch.add(news, client),
            Err(TryRecvError::Lagged(_)) => batch = Batch { assets: true, tools: true, links: None },
            Err(TryRecvError::Empty | TryRecvError::Closed) => return Some(batch),
        }
    }
}

impl Batch {
    fn add(&mut self, news: News, client: &str) {
        let link = match news {
            News::Asset(id) => {
                self.assets = true;
                asset_link(id.as_str())
            }
            News::Proposal { number, client: owner } if owner == client => proposal_link(number),
            News::Proposal { .. } => return,
            News::Tools => {
                self.tools = true;
                return;
            }
        };
        if let Some(links) = &mut self.links {
            links.insert(link);
        }
    }

    fn has(&self, link: &str) -> bool {
        self.links.as_ref().is_none_or(|links| links.contains(link))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assets_of_a_service_of_others_are_left_out_of_what_a_client_is_told_of() {
        let (asset, proposal) = (asset_link("6f1a2b3c-0000-4000-8000-000000000001"), proposal_link(3));
        let mut requested = SubscriptionFilter::default();
        requested.resources_list_changed = Some(true);
        requested.tools_list_changed = Some(true);
        requested.resource_subscriptions = Some(vec![asset.clone(), proposal.clone(), "file:///etc/passwd".to_owned()]);
        let own = accepted(&requested, true);
        assert_eq!((own.resources_list_changed, own.tools_list_changed), (Some(true), Some(true)));
        assert_eq!(own.resource_subscriptions, Some(vec![asset, proposal.clone()]));
        let foreign = accepted(&requested, false);
        assert_eq!((foreign.resources_list_changed, foreign.tools_list_changed), (None, Some(true)));
        assert_eq!(foreign.resource_subscriptions, Some(vec![proposal]));
    }
}
