//! What tools work on: the service, the data folder, and what the connection allows.
//!
//! What must hold: the client of the tools sends no write, whatever a tool asks of it.

use std::any::Any;
use std::fmt::Display;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use lunette_client::client::{Client, Exchange, Observer, WritePolicy};
use lunette_inspector::Vendor;
use lunette_inspector::assistants::{Assistant, Assistants};
use lunette_inspector::db::DatabaseError;
use lunette_inspector::local_versions::{LocalVersions, Recorder};
use lunette_inspector::proposals::{NotSent, ProposalStore};
use lunette_inspector::settings::Settings;
use lunette_inspector::tasks::briefly;
use lunette_inspector::versions::VersionSource;

use crate::approval::{Asking, Question, Questions};
use crate::last_list::LastList;
use crate::tools::ToolError;
use crate::watch::Watch;

/// What assistants may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Permission {
    /// They read; the tools that propose are not there.
    Read,
    /// They read, and propose what a person decides about.
    Propose,
    /// They also undo at once what is their own and was applied, and make small changes at once if the user allowed
    /// that for them.
    TakeBack,
}

impl Permission {
    /// What a connection with this write policy allows.
    pub fn of(policy: WritePolicy) -> Self {
        match policy {
            WritePolicy::ReadOnly => Self::Read,
            WritePolicy::Confirm => Self::Propose,
            WritePolicy::Allow => Self::TakeBack,
        }
    }
}

/// What applies and undoes proposals.
pub struct Writer {
    /// A client that sends writes.
    pub client: Client,
    /// Backs up the service before many assets are deleted; fails with the reason.
    pub back_up: Box<dyn Fn() -> Result<(), NotSent> + Send + Sync>,
}

/// Why a backend cannot be opened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotOpened(String);

impl NotOpened {
    /// Because of this.
    pub fn of(error: impl Display) -> Self {
        Self(error.to_string())
    }
}

/// The service that is read, and where proposals are kept.
pub struct Backend {
    client: Client,
    pub(crate) vendor: Vendor,
    pub(crate) connection: String,
    pub(crate) folder: PathBuf,
    /// The most that assistants may do, whatever the user decided in the window.
    most: Permission,
    pub(crate) writer: Option<Writer>,
    assistants: Assistants,
    proposals: ProposalStore,
    /// The versions that this program keeps of the assets of another program's service; `None` for a service that keeps
    /// its own.
    kept: Option<LocalVersions>,
    pub(crate) questions: Questions,
    pub(crate) watch: Watch,
    pub(crate) last_list: LastList,
}

impl Backend {
    /// A backend of a service whose journal has this name, with proposals in this data folder. Assistants may do what
    /// the write policy of the connection allows, and no more than `most`. Fails if the inspector's database cannot be
    /// opened. Blocks.
    pub fn open(
        client: Client,
        vendor: Vendor,
        connection: &str,
        folder: PathBuf,
        most: Permission,
    ) -> Result<Self, NotOpened> {
        let assistants = Assistants::open(&folder).map_err(NotOpened::of)?;
        let client = client.with_write_policy(WritePolicy::ReadOnly);
        let connection = connection.to_owned();
        let proposals = ProposalStore::of(assistants.database(), &connection);
        let kept = (!vendor.is_lunette()).then(|| {
            let bounds = Settings::read(&folder).settings.versions;
            LocalVersions::new(assistants.database(), &connection, bounds)
        });
        Ok(Self {
            client,
            vendor,
            connection,
            folder,
            most,
            writer: None,
            assistants,
            proposals,
            kept,
            questions: Questions::default(),
            watch: Watch::default(),
            last_list: LastList::default(),
        })
    }

    /// Lets assistants undo at once what is their own, if the permission says so.
    #[must_use]
    pub fn with_writer(self, writer: Writer) -> Self {
        Self { writer: Some(writer), ..self }
    }

    /// The proposals of the connection.
    pub(crate) fn proposals(&self) -> ProposalStore {
        self.proposals.clone()
    }

    /// Whether the service tells what changes among its assets without sending all of them first, which services of
    /// other programs do.
    pub(crate) fn tells_assets(&self) -> bool {
        self.vendor.is_lunette()
    }

    /// The client, which sends no writes.
    pub(crate) fn reading(&self) -> &Client {
        &self.client
    }

    /// What is recorded of assistants.
    pub(crate) fn assistants(&self) -> &Assistants {
        &self.assistants
    }

    /// What assistants may do now, by the write policy that the user chose for the connection.
    pub(crate) async fn permission(&self) -> Result<Permission, ToolError> {
        let (database, connection) = (self.assistants.database(), self.connection.clone());
        let saved = briefly(move || Settings::write_policy_in(&database, &connection)).await;
        Ok(self.permitted(saved.map_err(ToolError::of)?.map_err(ToolError::of)?))
    }

    /// What a write policy permits; none is chosen yet for `None`.
    fn permitted(&self, saved: Option<WritePolicy>) -> Permission {
        let policy = saved.unwrap_or_else(|| WritePolicy::of(self.client.address()));
        self.most.min(Permission::of(policy))
    }

    /// The work of one call: reads with a client that counts its requests.
    pub(crate) async fn begin(self: &Arc<Self>, client_name: &str, asking: Asking) -> Result<Session, ToolError> {
        let (assistants, name, connection) = (self.assistants.clone(), client_name.to_owned(), self.connection.clone());
        let read = move || {
            let policy = Settings::write_policy_in(&assistants.database(), &connection)?;
            Ok::<_, DatabaseError>((assistants.get(&name)?, policy))
        };
        let (known, policy) = briefly(read).await.map_err(ToolError::of)?.map_err(ToolError::of)?;
        let known = allowed(client_name, known)?;
        let requests = Arc::new(AtomicU64::new(0));
        let client = self.client.clone().observed_by(Counter(Arc::clone(&requests)));
        let permission = self.permitted(policy);
        Ok(Session {
            client,
            permission,
            backend: Arc::clone(self),
            name: client_name.to_owned(),
            shown_secrets: known.shown_secrets,
            applies_small: known.applies_small,
            asking,
            question: Mutex::new(None),
            requests,
        })
    }

    /// What the user decided about an assistant. Fails if it is turned off.
    pub(crate) async fn known(&self, client_name: &str) -> Result<Assistant, ToolError> {
        let (assistants, name) = (self.assistants.clone(), client_name.to_owned());
        let known = briefly(move || assistants.get(&name)).await.map_err(ToolError::of)?.map_err(ToolError::of)?;
        allowed(client_name, known)
    }
}

/// What is known of an assistant, unless it is turned off.
fn allowed(client_name: &str, known: Assistant) -> Result<Assistant, ToolError> {
    match known.off {
        true => Err(ToolError::new(format!("the user turned {client_name} off, so nothing was done"))),
        false => Ok(known),
    }
}

/// One call of an assistant.
pub(crate) struct Session {
    /// Sends reads alone.
    pub client: Client,
    pub backend: Arc<Backend>,
    pub permission: Permission,
    /// The name of the assistant.
    pub name: String,
    /// Whether the user lets it see what looks like a secret.
    pub shown_secrets: bool,
    /// Whether the user lets small changes of it be applied at once.
    pub applies_small: bool,
    /// How its client asks its user.
    pub asking: Asking,
    /// What the client is to ask before it calls again.
    question: Mutex<Option<Question>>,
    requests: Arc<AtomicU64>,
}

impl Session {
    /// Where the versions of assets are: at a service of this program, or in the inspector's database.
    pub fn versions(&self) -> VersionSource {
        match &self.backend.kept {
            Some(kept) => VersionSource::Local(kept.clone(), Recorder::default()),
            None => VersionSource::Service(Ok(self.client.clone())),
        }
    }

    /// How many requests were sent so far.
    pub fn requests(&self) -> u64 {
        self.requests.load(Ordering::Relaxed)
    }

    /// Has the client ask its user, in place of an answer.
    pub fn ask(&self, question: Question) {
        *self.question.lock().unwrap_or_else(PoisonError::into_inner) = Some(question);
    }

    /// What the client is to ask.
    pub fn question(&self) -> Option<Question> {
        self.question.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Counts the requests that were sent.
struct Counter(Arc<AtomicU64>);

impl Observer for Counter {
    fn ended(&self, _: &Client, _: &Exchange<Box<dyn Any + Send>>) -> u64 {
        self.0.fetch_add(1, Ordering::Relaxed) + 1
    }
}
