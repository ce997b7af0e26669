//! What changes while an assistant listens: assets, its proposals, and the tools that it has.
//!
//! What must hold: nothing is watched, read or asked for while nobody listens.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::broadcast::{Receiver, Sender};

use lunette_client::client::StreamKind;
use lunette_client::model::id::AssetId;
use lunette_inspector::proposals::Status;
use lunette_inspector::tasks::blocking;

use crate::backend::{Backend, Permission};

/// How often the proposals and the write policy are read, while somebody listens.
const EVERY: Duration = Duration::from_secs(1);

/// How long a broken stream of the service waits before it is opened again.
const AGAIN: Duration = Duration::from_secs(5);

/// How much is kept for a listener that is slow. It misses what comes then, and is told of everything.
const KEPT: usize = 1_024;

/// What changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum News {
    /// An asset was created, changed or deleted.
    Asset(AssetId),
    /// A proposal was made, or stands differently.
    Proposal { number: u64, client: String },
    /// The tools that there are.
    Tools,
}

/// What is watched, each by work of its own.
#[derive(Clone, Copy, Debug)]
enum Watched {
    Records,
    Assets,
}

/// Tells those who listen what changes.
pub(crate) struct Watch {
    news: Sender<News>,
    /// Whether the work of each runs.
    running: Mutex<[bool; 2]>,
}

impl Default for Watch {
    fn default() -> Self {
        Self { news: Sender::new(KEPT), running: Mutex::default() }
    }
}

impl Watch {
    /// Listens from now on. The first listener begins the work, which ends after the last one.
    pub fn listen(backend: &Arc<Backend>) -> Receiver<News> {
        let watch = &backend.watch;
        let mut running = watch.running.lock().unwrap_or_else(PoisonError::into_inner);
        if !std::mem::replace(&mut running[Watched::Records as usize], true) {
            tokio::spawn(records(Arc::clone(backend)));
        }
        if backend.tells_assets() && !std::mem::replace(&mut running[Watched::Assets as usize], true) {
            tokio::spawn(assets(Arc::clone(backend)));
        }
        watch.news.subscribe()
    }

    /// How many listen.
    pub fn listeners(&self) -> usize {
        self.news.receiver_count()
    }

    fn tell(&self, news: News) {
        // There may be no listener any more.
        self.news.send(news).ok();
    }

    /// Whether work goes on; if not, the next listener begins it again.
    fn goes_on(&self, watched: Watched) -> bool {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        let goes_on = self.listeners() > 0;
        running[watched as usize] = goes_on;
        goes_on
    }
}

/// Follows the assets of the service until nobody listens.
async fn assets(backend: Arc<Backend>) {
    while backend.watch.goes_on(Watched::Assets) {
        let Ok(mut stream) = backend.reading().follow_changes(StreamKind::Assets).await else {
            tokio::time::sleep(AGAIN).await;
            continue;
        };
        while backend.watch.listeners() > 0 {
            // A silent service must not keep the stream open after the last listener.
            let Ok(message) = tokio::time::timeout(EVERY, stream.next()).await else { continue };
            let Some(Ok(changes)) = message else { break };
            for id in changes.into_iter().filter_map(|change| change.id.parse::<AssetId>().ok()) {
                backend.watch.tell(News::Asset(id));
            }
        }
    }
}

/// How the proposals and the tools stand.
#[derive(Default)]
struct Known {
    proposals: HashMap<u64, Status>,
    permission: Option<Permission>,
}

/// Reads proposals and the write policy whenever something was written, until nobody listens.
async fn records(backend: Arc<Backend>) {
    let (mut known, mut version) = (None, None);
    while backend.watch.goes_on(Watched::Records) {
        let assistants = backend.assistants().clone();
        let now = blocking(move || assistants.version()).await.ok().and_then(Result::ok);
        if now.is_none() || now != version {
            known = Some(compare(&backend, known).await);
            version = now;
        }
        tokio::time::sleep(EVERY).await;
    }
}

/// Tells what differs from what was known; nothing if nothing was.
async fn compare(backend: &Arc<Backend>, known: Option<Known>) -> Known {
    let store = backend.proposals();
    let listed = blocking(move || store.list()).await.ok().and_then(Result::ok).unwrap_or_default();
    let permission = backend.permission().await.ok();
    if let Some(known) = known {
        for proposal in listed.iter().filter(|one| known.proposals.get(&one.number) != Some(&one.status)) {
            backend.watch.tell(News::Proposal { number: proposal.number, client: proposal.client.clone() });
        }
        if permission.is_some() && permission != known.permission {
            backend.watch.tell(News::Tools);
        }
    }
    let proposals = listed.into_iter().map(|proposal| (proposal.number, proposal.status)).collect();
    Known { proposals, permission }
}
