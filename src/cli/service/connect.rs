//! Connects a verb to its service, by one rule for all verbs.
//!
//! The rule: the service given with `--url`; else the one that serves the data folder, the user's own or that of
//! `--data`; else, without `--data`, a running service of the same user on this machine; else one that this program
//! starts on the data folder for the duration of the verb. What must hold: a service that was not given explicitly is
//! used only if it belongs to the user; a verb that only reads creates no folder and no database; a verb that writes
//! says where it writes; verbs that run at the same time take turns on a folder without a service ([`crate::cli::turn`]).

use std::future::Future;
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::anyhow;

use lunette_client::client::{
    Address, CallError, Client, DEFAULT_CONCURRENCY, FoundService, Limiter, Limits, Owner, Probe, TimeoutPhase,
    WritePolicy, discover, probe,
};
use lunette_inspector::Vendor;
use lunette_inspector::change::Recovery;
use lunette_inspector::db::Database;
use lunette_inspector::local_versions::{LocalVersions, Recorded, Recorder};
use lunette_inspector::sides::NOTHING_KEPT;
use lunette_inspector::tasks;
use lunette_inspector::versions::VersionSource;
use lunette_inspector::write::headless::{HeadlessService, HeadlessWriter};
use lunette_service::address::Lasts;
use lunette_service::turn::Turn;
use lunette_service::{Data, Ports, Settings, maintenance, start_unpublished};

use crate::cli::Failure;
use crate::cli::data_dir;
use crate::cli::time_out_report::TimeOutReport;
use crate::cli::turn;
use held::{Held, Wrote};

mod held;

/// How long to wait for the program that holds a data folder: it may be starting or stopping.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The name of the journal of a service of a data folder.
const OWN: &str = "embedded";
/// How often to check for it.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Runs async work to completion on a runtime of its own.
pub fn run<T>(work: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    run_on(tasks::runtime_builder(), work)
}

/// Runs async work to completion on this thread, which is cheaper for one client that waits for each response.
#[cfg(feature = "mcp")]
pub fn run_on_this_thread<T>(work: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    run_on(tasks::current_thread_builder(), work)
}

fn run_on<T>(
    mut builder: tokio::runtime::Builder,
    work: impl Future<Output = Result<T, Failure>>,
) -> Result<T, Failure> {
    let runtime = builder.build();
    let runtime =
        runtime.map_err(|error| Failure::failed(anyhow::Error::new(error).context("no threads to work on")))?;
    let done = runtime.block_on(work);
    // A thread that waits for standard input must not block the exit.
    runtime.shutdown_background();
    done
}

/// What a verb does with the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// It reads.
    Read,
    /// It writes; to a service on another machine only if `allowed`.
    Write {
        /// Whether the user allowed writes to another machine.
        allowed: bool,
    },
    /// It writes to what is there, so a folder without data is a mistake; otherwise the same.
    Change {
        /// Whether the user allowed writes to another machine.
        allowed: bool,
    },
}

/// The service that a verb needs.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// The address given with `--url`.
    pub url: Option<&'a str>,
    /// The folder given with `--data`.
    pub data: Option<&'a Path>,
    /// What it does there.
    pub access: Access,
    /// The limits of its calls.
    pub limits: Limits,
    /// Whether a service given by address must identify itself before the work begins.
    pub identify: bool,
    /// How many calls are on their way to a service of others at once, at most; `None` for the usual number.
    pub in_flight: Option<u8>,
    /// How long to wait for other commands on the data folder; `None` for as long as it takes.
    pub patience: Option<Duration>,
}

/// The service of a verb.
pub struct Service {
    /// Its client, which sends writes as the verb may.
    pub client: Client,
    /// Whether it is our own service, which supports a compact form of content.
    pub vendor: Vendor,
    /// The name of its journal: `embedded` for the service of a data folder, else its address.
    pub connection: String,
    /// Where a verb says that it writes.
    location: String,
    /// Where the versions of its assets are that this program keeps; None for a service that keeps them itself, and
    /// without a database.
    local_versions: Option<LocalVersions>,
    /// Keeps them.
    recorder: Recorder,
}

impl Service {
    /// Returns the client, which also reports calls that time out on stderr.
    pub fn reporting(&self) -> Client {
        let recorder = self.recorder.clone();
        self.client.clone().observed_by(Recorded { observer: TimeOutReport, recorder })
    }

    /// Where the versions of its assets are. Fails for a service that keeps none, and of which none were kept here.
    pub fn versions(&self) -> Result<VersionSource, Failure> {
        self.version_source().ok_or_else(|| Failure::failed(anyhow!(NOTHING_KEPT)))
    }

    /// Where the versions of its assets are; `None` for a service that keeps none, and of which none were kept here.
    pub fn version_source(&self) -> Option<VersionSource> {
        match self.vendor {
            Vendor::Lunette => Some(VersionSource::Service(Ok(self.client.clone()))),
            Vendor::Other => Some(VersionSource::Local(self.local_versions.clone()?, self.recorder.clone())),
        }
    }

    /// Begins to keep versions of what is read and written at a service that keeps none itself. A verb that only reads
    /// creates no database for that.
    fn recorded(mut self, data: Option<&Path>, access: Access) -> Self {
        let Ok(folder) = data_dir::folder(data) else { return self };
        if access == Access::Read && !Database::exists(&folder) {
            return self;
        }
        // What is wrong with the database is said by the verbs that need it.
        let Ok(opened) = Database::open(&folder) else { return self };
        opened.problem.iter().for_each(|problem| crate::cli::print_message(problem));
        let settings = lunette_inspector::settings::Settings::read(&folder).settings;
        let versions = LocalVersions::new(opened.database, &self.connection, settings.versions);
        self.local_versions = Some(versions.clone());
        if !settings.unrecorded.contains(&self.connection) {
            self.recorder.attach(Some((versions, tokio::runtime::Handle::current())));
            self.client = self.client.observed_by(self.recorder.clone());
        }
        self
    }

    /// A service that a command started for itself alone, to read from.
    pub fn read_only(client: Client, vendor: Vendor) -> Self {
        let (local_versions, recorder) = (None, Recorder::default());
        let (connection, location) = (String::new(), String::new());
        Self { client, vendor, connection, location, local_versions, recorder }
    }

    /// Whether it serves a data folder, wherever it runs.
    pub fn of_folder(&self) -> bool {
        self.connection == OWN
    }

    /// Opens the history of this service in a data folder, to write to the service; reports what is wrong with it.
    pub fn writer(&self, folder: &Path, recovery: Recovery) -> Result<HeadlessWriter, Failure> {
        let to = HeadlessService { client: self.client.clone(), vendor: self.vendor, recovery };
        let writer = HeadlessWriter::open(folder, &self.connection, to);
        let writer = writer.map_err(|error| Failure::failed(anyhow!("{error}; nothing was sent")))?;
        writer.message.iter().for_each(|message| crate::cli::print_message(message));
        Ok(writer)
    }
}

impl Wanted<'_> {
    /// Runs work with the service, then stops it if it was started for that.
    pub async fn with<T>(self, work: impl AsyncFnOnce(&Service) -> Result<T, Failure>) -> Result<T, Failure> {
        let (service, mut held) = self.open().await?;
        if self.access != Access::Read && !crate::cli::is_quiet() {
            // If stderr is closed, there is no one to tell.
            writeln!(
                std::io::stderr(),
                "to {}",
                crate::cli::display_text(&service.location, crate::cli::Breaks::Escaped)
            )
            .ok();
        }
        let done = held.during(work(&service)).await;
        service.recorder.flush().await;
        held.release(if self.access == Access::Read { Wrote::No } else { Wrote::Yes }).await;
        done
    }

    /// Returns the name of the journal of the service that [`Self::with`] would use; starts none, and reads nothing
    /// from it.
    pub async fn connection(self) -> Result<String, Failure> {
        if let Some(url) = self.url {
            return Ok(url.parse::<Address>().map_err(failure)?.to_string());
        }
        if self.data.is_some() || serving(data_dir::folder(None).ok().as_deref()).await.is_some() {
            return Ok(OWN.to_owned());
        }
        let found = choose(discover(self.limits).await)?;
        Ok(found.map_or_else(|| OWN.to_owned(), |(address, _)| address.to_string()))
    }

    /// Whether there is no service, and no data yet in the user's own folder.
    pub async fn is_empty(self) -> Result<bool, Failure> {
        if self.url.is_some() || self.data.is_some() {
            return Ok(false);
        }
        let folder = data_dir::folder(None)?;
        Ok(maintenance::never_used(&folder) && choose(discover(self.limits).await)?.is_none())
    }

    async fn open(self) -> Result<(Service, Held), Failure> {
        if let Some(url) = self.url {
            return Ok((self.named(url).await?, Held::default()));
        }
        // Without a home directory there is no default folder; a running service can still be found.
        let folder = data_dir::folder(self.data);
        match serving(folder.as_deref().ok()).await {
            Some((address, found, Lasts::UntilStopped)) => {
                return Ok((self.of_folder(address, &found)?, Held::default()));
            }
            Some((.., Lasts::OneCommand)) => {}
            None if self.data.is_none() => {
                if let Some((address, found)) = choose(discover(self.limits).await)? {
                    let location = format!("{address} (your running service)");
                    let service = self.at(address.clone(), found.vendor(), address.to_string(), location)?;
                    return Ok((service, Held::default()));
                }
            }
            None => {}
        }
        self.started(&folder?).await
    }

    /// Connects to the service that runs on the data folder.
    fn of_folder(self, address: Address, found: &FoundService) -> Result<Service, Failure> {
        let location = match self.data {
            None => format!("{address} (own data folder)"),
            Some(folder) => format!("{address} (data folder {})", folder.display()),
        };
        self.at(address, found.vendor(), OWN.to_owned(), location)
    }

    /// Connects to the service given by address.
    async fn named(self, url: &str) -> Result<Service, Failure> {
        let address: Address = url.parse().map_err(failure)?;
        let allowed = matches!(self.access, Access::Write { allowed: true } | Access::Change { allowed: true });
        let may = allowed || WritePolicy::of(&address).allows_writes();
        if self.access != Access::Read && !may {
            return Err(Failure::failed(anyhow!("nothing was sent to {address}. {ALLOW}")));
        }
        let vendor = match self.identify {
            true => probe(address.clone(), self.limits).await.result.map_err(failure)?.vendor(),
            false => Vendor::Other,
        };
        let location = format!("{address} (named with --url)");
        self.at(address.clone(), vendor, address.to_string(), location)
    }

    fn at(self, address: Address, vendor: Vendor, connection: String, location: String) -> Result<Service, Failure> {
        let client = Client::new(address, self.limits).map_err(failure)?;
        let policy = match self.access {
            Access::Read => WritePolicy::ReadOnly,
            Access::Write { .. } | Access::Change { .. } => WritePolicy::Allow,
        };
        let client = client.with_write_policy(policy);
        let client = match vendor.is_lunette() || !self.identify {
            true => client,
            false => client.paced(Limiter::new(self.in_flight.map_or(DEFAULT_CONCURRENCY, usize::from))).for_run(),
        };
        let (local_versions, recorder) = (None, Recorder::default());
        let service = Service { client, vendor, connection, location, local_versions, recorder };
        Ok(match vendor == Vendor::Other && self.identify {
            true => service.recorded(self.data, self.access),
            false => service,
        })
    }

    /// Connects to a service on the data folder, started for the verb, or that of the program that holds the folder.
    async fn started(self, folder: &Path) -> Result<(Service, Held), Failure> {
        let settings = data_dir::settings(Some(folder), Ports::Any)?;
        if !matches!(self.access, Access::Write { .. }) && maintenance::never_used(folder) {
            return self.nothing_yet(folder, settings).await;
        }
        let turn = self.turn(folder).await?;
        let end = Instant::now() + TIMEOUT;
        loop {
            let error = match start_unpublished(settings.clone()).await {
                Ok(running) => {
                    let location = format!("{} (data folder, no service running)", folder.display());
                    let service = self.on(&running.url(), location)?;
                    return Ok((service, Held::service(running, turn, folder.to_owned())));
                }
                Err(error) => error,
            };
            if !error.folder_in_use() || Instant::now() > end {
                return Err(data_dir::not_started(error));
            }
            if let Some((address, found, lasts)) = data_dir::serving(folder).await {
                let held = match lasts {
                    Lasts::UntilStopped => Held::default(),
                    // It does not end before the turn does.
                    Lasts::OneCommand => Held::turn(turn),
                };
                return Ok((self.of_folder(address, &found)?, held));
            }
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    }

    async fn turn(self, folder: &Path) -> Result<Turn, Failure> {
        let Some(patience) = self.patience else { return Ok(turn::take(folder).await) };
        let turn = tokio::time::timeout(patience, turn::take(folder)).await;
        turn.map_err(|_| Failure::usage(anyhow!("another command uses {}", folder.display())))
    }

    /// Handles a folder without data: one given explicitly is a mistake; the default one is empty, which can be read without
    /// creating anything, and has nothing that could be changed.
    async fn nothing_yet(self, folder: &Path, settings: Settings) -> Result<(Service, Held), Failure> {
        let shown = folder.display();
        if self.data.is_some() {
            return Err(no_data(folder));
        }
        if self.access != Access::Read {
            let advice = "import something with `lunette import`, or choose another folder with --data DIR";
            return Err(Failure::failed(anyhow!("there is no data yet in {shown}; {advice}")));
        }
        crate::cli::print_message(&format!("no service is running, and there is no data yet in {shown}"));
        let settings = Settings { data: Data::Memory, ..settings };
        let running = start_unpublished(settings).await.map_err(data_dir::not_started)?;
        let service = self.on(&running.url(), String::new())?;
        Ok((Service { connection: "memory".to_owned(), ..service }, Held::in_memory(running)))
    }

    fn on(self, url: &str, location: String) -> Result<Service, Failure> {
        let client = Client::new(url.parse().map_err(failure)?, self.limits).map_err(failure)?;
        let (local_versions, recorder) = (None, Recorder::default());
        let connection = OWN.to_owned();
        Ok(Service { client, vendor: Vendor::Lunette, connection, location, local_versions, recorder })
    }
}

/// Returns the failure for a folder that was given and has no data.
pub fn no_data(folder: &Path) -> Failure {
    let advice = "choose another folder with --data DIR, or import something with `lunette import`";
    Failure::usage(anyhow!("there is no data in {}; {advice}", folder.display()))
}

async fn serving(folder: Option<&Path>) -> Option<(Address, FoundService, Lasts)> {
    data_dir::serving(folder?).await
}

/// Returns the first running service that belongs to the user; `None` if there is none. Services of other users are
/// skipped and reported. Fails if the system does not report the owner of the only ones found.
fn choose(probes: Vec<Probe>) -> Result<Option<(Address, FoundService)>, Failure> {
    let mut unknown = None;
    for Probe { address, owner, result, .. } in probes {
        match (result, owner) {
            (Ok(found), Owner::SameUser) => return Ok(Some((address, found))),
            (Ok(_), Owner::AnotherUser) => crate::cli::print_message(&format!(
                "the service at {address} belongs to another user and was skipped; to use it, add --url {address}"
            )),
            (Ok(_), Owner::Unknown) => unknown = unknown.or(Some(address)),
            (Err(_), _) => {}
        }
    }
    match unknown {
        None => Ok(None),
        Some(address) => Err(Failure::usage(anyhow!(
            "a service answers at {address}, but the system does not say which user it belongs to. To use it, add \
             --url {address}; to use your own data folder, add --data DIR"
        ))),
    }
}

/// What to do about a write that was blocked.
const ALLOW: &str = "It is on another machine and therefore read-only; add --allow-writes to change it. Data is sent \
                     unencrypted";

/// Returns the error for the case that no service is running.
pub fn nothing_runs() -> anyhow::Error {
    anyhow!(
        "no service is running on this machine (checked ports 39300 to 39333, 1000 and 5323). Start one with \
         `lunette serve`, or choose one with --url"
    )
}

/// Returns the failure for a failed call: no service is wrong usage, everything else a refusal.
pub fn failure(error: CallError) -> Failure {
    let advice = match &error {
        error if error.outcome_unknown() => error.advice(),
        CallError::Refused { .. } | CallError::NotThisService { .. } => {
            "Start one with `lunette serve`, or choose another with --url".to_owned()
        }
        CallError::ReadOnly { refusal: None, .. } => ALLOW.to_owned(),
        CallError::ReadOnly { refusal: Some(_), .. } => {
            "The service only reads: it can be listed and exported".to_owned()
        }
        CallError::NotJson { .. } | CallError::SchemaError { .. } | CallError::UnexpectedBody { .. } => {
            "It may be a different version or a different program; `lunette check` shows how it differs".to_owned()
        }
        CallError::Status { status: 300..=399, .. } => {
            "Redirects are not followed; if you trust the new address, use it with --url".to_owned()
        }
        CallError::TooLarge { target, .. } if target.content => {
            "Request it without content (transferables=false), or export it".to_owned()
        }
        error => error.advice(),
    };
    let message = anyhow!("{}. {}", error.to_string().trim_end_matches('.'), advice.trim_end_matches('.'));
    match error {
        error if error.outcome_unknown() => Failure::failed(message),
        CallError::Address { .. }
        | CallError::Refused { .. }
        | CallError::NotThisService { .. }
        | CallError::TimedOut { waiting: TimeoutPhase::Connect, .. } => Failure::usage(message),
        _ => Failure::failed(message),
    }
}

/// Returns the failure for a service that did not answer this many calls in a row.
pub fn timed_out(error: &CallError, calls: usize) -> Failure {
    Failure::failed(anyhow!(
        "stopped after {calls} calls in a row without a response ({error}). The service may be busy; try again or restart it"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(port: u16, owner: Owner) -> Probe {
        let found = FoundService {
            version: None,
            health: Some("ok:5f0c1a34-0b7e-4c5d-9a51-2f6f3d1ae159".to_owned()),
            server: Some("lunette/0.1.0".to_owned()),
            elapsed: Duration::ZERO,
        };
        let address = Address::local(port);
        Probe { address, server: found.server.clone(), owner, elapsed: Duration::ZERO, result: Ok(found) }
    }

    #[test]
    fn a_service_of_another_user_is_skipped_regardless_of_its_report() {
        let chosen = choose(vec![found(39300, Owner::AnotherUser), found(39301, Owner::SameUser)]);
        assert_eq!(chosen.expect("one").map(|(address, _)| address), Some(Address::local(39301)));
        assert!(choose(vec![found(39300, Owner::AnotherUser)]).expect("none").is_none());
    }

    #[test]
    fn an_unverified_service_is_used_only_if_named() {
        let refused = choose(vec![found(39300, Owner::Unknown)]).expect_err("refused").to_string();
        assert!(refused.contains("add --url http://127.0.0.1:39300"), "{refused}");
        let chosen = choose(vec![found(39300, Owner::Unknown), found(39301, Owner::SameUser)]);
        assert!(chosen.expect("one").is_some(), "the user's own needs no word");
    }
}
