//! Everything the window shows, as plain data. Only [`crate::app::App`] changes it; panels read it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::app::assets::search::Search;
pub use crate::app::assets::selection::Selected;
use crate::app::bulk::{BulkDraft, Run, RunId};
use crate::app::change::{Item, LinkKind};
use crate::app::check::window::Checked;
use crate::app::confirm::Confirmation;
use crate::app::drafts::{Draft, DraftKey};
use crate::app::history::History;
pub use crate::app::import::ImportSummary;
use crate::app::journal::EntryId;
use crate::app::listing::Listing;
use crate::app::listing::rows::{ApplicationRow, AssetRow, ExternalKey, ExternalRow};
use crate::app::navigation::history::NavigationHistory;
pub use crate::app::notifications::{Grade, Notice, Offer, Resolved, Topic};
use crate::app::session::capability::{Capabilities, Capability};
use crate::app::session::log::LogEntry;
pub use crate::app::session::{CallFault, CallHealth, Identity, PendingCall, Retry};
use crate::app::settings::{Settings, View};
use crate::app::sync;
use crate::app::tasks::TaskId;
pub use crate::app::trash::Trash;
use crate::app::write::conflict::Conflict;
use crate::app::write::plan::Planned;
use crate::app::{CallError, Probe, Remote, WritePolicy};
use lunette_client::client::Address;
use lunette_client::model::application::Application;
use lunette_client::model::id::AssetId;

mod page;

pub use page::{AssetPage, Content, Export, Exported};

/// What the window shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// The panel in front.
    pub panel: Panel,
    /// The service that is talked to.
    pub connection: Connection,
    /// The tracked applications.
    pub applications: Listing<ApplicationRow>,
    /// Detected and related external applications as one list.
    pub external: Listing<ExternalRow>,
    /// The external application looked at.
    pub external_open: Option<ExternalKey>,
    /// The assets; where the service cannot list them, those of `recent`.
    pub assets: Listing<AssetRow>,
    /// The search by the service; None when nothing is searched.
    pub found: Option<Search>,
    /// What was looked at, to go back to.
    pub visits: NavigationHistory,
    /// The application looked at, by the id of its row.
    pub application: Option<ApplicationPage>,
    /// The asset looked at; its page is in `pages`.
    pub asset: Option<AssetId>,
    /// The deleted assets that can be restored.
    pub trash: Trash,
    /// The rows selected in the list of assets.
    pub selected: Selected,
    /// What is known of each asset that was opened. A late answer lands here under its own id.
    pub pages: BTreeMap<AssetId, AssetPage>,
    /// What assets can be linked to, by kind.
    pub linkable: BTreeMap<LinkKind, Remote<Arc<Vec<Item>>>>,
    /// Counts how often one of these lists was replaced.
    pub linkable_revision: u64,
    /// The asset that is made from text, or was made last; fails with a sentence.
    pub making: Remote<AssetId, String>,
    /// The call that makes it, while its answer is awaited.
    pub creating: Option<Saving>,
    /// The last answer of the operations console.
    pub console: Console,
    /// Every call of this connection and the ones before, oldest first.
    pub log: Vec<Arc<LogEntry>>,
    /// Work under way.
    pub work: Vec<Work>,
    /// How the last write ended.
    pub outcome: Option<Outcome>,
    /// What others did to the asset looked at, in one sentence.
    pub news: Option<String>,
    /// What the user should know, until dismissed.
    pub notices: Vec<Notice>,
    /// Which errors no longer hold, although they may still be on screen.
    pub resolved: Resolved,
    /// Counts how often the form for a path to import was asked for.
    pub path_asked: u64,
    /// The file that was saved last.
    pub saved: Option<PathBuf>,
    /// The report of the last import.
    pub import: Option<Arc<ImportSummary>>,
    /// What waits for the user's word before it is done.
    pub asked: Option<Confirmation>,
    /// The write whose plan is looked at before it is sent.
    pub planned: Option<Planned>,
    /// The write that met an asset which had moved on.
    pub conflict: Option<Conflict>,
    /// The steps of this connection.
    pub history: History,
    /// The run that is looked at before it starts.
    pub bulk: Option<BulkDraft>,
    /// The runs of this connection that were started or looked at.
    pub runs: BTreeMap<RunId, Run>,
    /// The conformance check of this connection.
    pub check: Checked,
    /// What was typed and not applied.
    pub drafts: BTreeMap<DraftKey, Draft>,
    /// What is kept from one run to the next.
    pub settings: Settings,
    /// The service inside, whichever one is talked to.
    pub inside: crate::app::embedded::Inside,
    /// How the window is laid out for this connection.
    pub view: View,
    /// Counts how often another view was taken up: what draws by one looks at it anew then.
    pub view_number: u64,
}

impl State {
    /// The page of the asset looked at.
    pub fn page(&self) -> Option<(&AssetId, &AssetPage)> {
        let id = self.asset.as_ref()?;
        Some((id, self.pages.get(id)?))
    }

    /// What assets can be linked to, of one kind; empty until asked for.
    pub fn items(&self, kind: LinkKind) -> &[Item] {
        self.linkable.get(&kind).and_then(Remote::value).map_or(&[], |items| items.as_slice())
    }

    /// Assets looked at lately with this service, newest first.
    pub fn recent(&self) -> &[Recent] {
        self.settings.recent.get(&self.connection.key()).map_or(&[], Vec::as_slice)
    }
}

/// The panels, in the order of the sidebar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Panel {
    /// Tracked applications.
    #[default]
    Applications,
    /// External applications.
    External,
    /// Assets.
    Assets,
    /// The console for every operation.
    Operations,
    /// Every call that was made.
    Log,
    /// Every write that was made, to be taken back or done again.
    History,
}

impl Panel {
    /// All of them, in the order of the sidebar.
    pub const ALL: [Self; 6] =
        [Self::Applications, Self::External, Self::Assets, Self::Operations, Self::Log, Self::History];

    /// The name in the sidebar.
    pub fn name(self) -> &'static str {
        match self {
            Self::Applications => "Applications",
            Self::External => "External",
            Self::Assets => "Assets",
            Self::Operations => "Operations",
            Self::Log => "Log",
            Self::History => "History",
        }
    }
}

/// Which service is meant.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Target {
    /// The one inside this program.
    #[default]
    Embedded,
    /// One at an address.
    Url(String),
}

/// The service that is talked to, and how it stands.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Connection {
    /// Which service was asked for.
    pub target: Target,
    /// Its base address, once known.
    pub address: Option<String>,
    /// How it stands.
    pub status: Status,
    /// Whether it is a service of our own kind, by its `Server` header.
    pub own: bool,
    /// Its version, where it tells.
    pub version: Option<String>,
    /// How long the last answer took.
    pub latency: Option<Duration>,
    /// How its calls go.
    pub calls: CallHealth,
    /// What is known of its operations.
    pub capabilities: Capabilities,
    /// Which writes leave for it.
    pub write_policy: WritePolicy,
    /// Which service it is.
    pub identity: Identity,
    /// When the service answered last, where it no longer does: what is shown is as old as that. None while it answers,
    /// and where it never did.
    pub stale_since: Option<jiff::Timestamp>,
    /// When it is tried again.
    pub retry: Option<Retry>,
    /// The other service that answers at its address now.
    pub other: Option<Identity>,
    /// The services found on this machine; those looked at so far while it is searched.
    pub probes: Remote<Arc<Vec<Probe>>, CallError>,
    /// How the window keeps up with what others change.
    pub live: sync::Standing,
}

impl Connection {
    /// The name under which things of this connection are kept.
    pub fn key(&self) -> String {
        match &self.target {
            Target::Embedded => "embedded".to_owned(),
            Target::Url(url) => url.clone(),
        }
    }

    /// Whether the service runs on this machine; false while no address is known.
    pub fn is_loopback(&self) -> bool {
        let address = self.address.as_ref().and_then(|address| address.parse::<Address>().ok());
        address.is_some_and(|address| address.is_loopback())
    }

    /// Whether the service offers an operation, as far as is known.
    pub fn offers(&self, operation: &str) -> bool {
        !matches!(self.capabilities.of(operation), Capability::Lacking(_))
    }
}

/// How a connection stands.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Status {
    /// Nothing was tried.
    #[default]
    Idle,
    /// The first answer is awaited.
    Connecting,
    /// It answers.
    Up,
    /// It does not.
    Down(String),
}

/// One application, looked at.
#[derive(Clone, Debug, PartialEq)]
pub struct ApplicationPage {
    /// Its id as in the list.
    pub id: String,
    /// The record, fresh from the service.
    pub record: Remote<Arc<Application>>,
}

/// The operations console.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Console {
    /// Whether an answer is awaited.
    pub waiting: bool,
    /// The last request that went out, and its answer.
    pub answer: Option<Arc<ConsoleAnswer>>,
    /// Why the last request did not go out, or was given up.
    pub refused: Option<String>,
}

/// An answer in the console: the log keeps the beginning of a body, the console all of it.
#[derive(Clone, Debug, PartialEq)]
pub struct ConsoleAnswer {
    /// The request and how it went.
    pub line: Arc<LogEntry>,
    /// The body as text; bytes that are none are replaced.
    pub text: Arc<str>,
    /// The body as JSON, where it is.
    pub tree: Option<Arc<serde_json::Value>>,
}

/// Work that takes a while.
#[derive(Clone, Debug, PartialEq)]
pub struct Work {
    /// Names it.
    pub number: u64,
    /// Its task.
    pub task: TaskId,
    /// The run that it carries out, if it does.
    pub run: Option<RunId>,
    /// What is done, for people.
    pub title: String,
    /// How far it is: done and all; None while unknown.
    pub progress: Option<(usize, usize)>,
    /// Whether it was asked to end.
    pub cancelling: bool,
    /// When it began.
    pub since: jiff::Timestamp,
    /// Whether it is a single write: it is usually over before anyone could read about it.
    pub saves: bool,
}

/// A write to an asset that is under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Saving {
    /// Its task.
    pub task: TaskId,
    /// When it began.
    pub since: jiff::Timestamp,
    /// Whether the user no longer waits for it.
    pub cancelled: bool,
}

/// How a write ended, and how to undo it.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// What was done, in one sentence.
    pub text: String,
    /// The step it was, where it can be taken back.
    pub undo: Option<EntryId>,
}

/// An asset looked at lately.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Recent {
    /// Its id.
    pub id: String,
    /// Its name then.
    pub name: String,
}
