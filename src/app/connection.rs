//! Which service is talked to: choosing, reaching, leaving one, and finding those that run.

use std::path::PathBuf;
use std::sync::Arc;

use crate::app::event::{Greeting, What};
use crate::app::journal::{Entry, Journal, JournalError};
use crate::app::listing::Listing;
use crate::app::log::{Wire, is_own};
use crate::app::state::{Connection, Console, Grade, State, Status, Target};
use crate::app::{App, Remote, broken};
use crate::client::{self, Address, CallError, Client, Limits};
use crate::operation::table::{ApplicationsSnapshot, GetWellKnownHealth, GetWellKnownVersion};

mod kept;

pub(super) use kept::Kept;

impl App {
    /// Talks to a service from now on. What was shown of another one goes; the log and the settings stay.
    pub(super) fn connect(&mut self, target: Target) {
        self.leave(&target);
        self.state.connection.target = target.clone();
        self.state.connection.status = Status::Connecting;
        let below = self.setup.journal.clone();
        let (embed, limits) = (Arc::clone(&self.setup.embed), self.setup.limits);
        let (notes, waker, calls) = (self.notes_in.clone(), self.tasks.waker(), Arc::clone(&self.calls));
        let generation = self.generation;
        let on_wire = move |client| Wire::new(client, notes, waker, calls, generation);
        let reach = async move {
            let address = match &target {
                Target::Embedded => embed.start().await,
                Target::Url(url) => Ok(url.clone()),
            };
            let greeting = match address {
                Ok(address) => greet(&address, limits, on_wire).await.map_err(|error| error.to_string()),
                Err(problem) => Err(problem),
            };
            What::Connected(match greeting {
                Ok(greeting) => {
                    // However an address was typed, there is one journal for it.
                    let key = match target {
                        Target::Embedded => "embedded".to_owned(),
                        Target::Url(_) => greeting.address.clone(),
                    };
                    Ok(Box::new(Greeting { kept: kept(below, key).await, ..greeting }))
                }
                Err(problem) => Err(problem),
            })
        };
        self.start(reach, |error| What::Connected(Err(error.to_string())));
    }

    /// At the first start: a service that runs already, else the embedded one.
    pub(super) fn choose(&mut self) {
        self.state.connection.status = Status::Connecting;
        let limits = self.setup.limits;
        let choose = async move {
            let probes = client::discover(limits).await;
            let found = probes.into_iter().find(|probe| probe.result.is_ok());
            What::Chosen(found.map_or(Target::Embedded, |probe| Target::Url(probe.address.to_string())))
        };
        self.start(choose, |_| What::Chosen(Target::Embedded));
    }

    fn leave(&mut self, next: &Target) {
        self.generation += 1;
        self.wire = None;
        self.leave_live();
        self.journal = Journal::in_memory();
        let same = *next == self.state.connection.target;
        if !same {
            self.same_since = self.generation;
            self.late.clear();
        }
        self.leave_drafts(same);
        let runs = self.leave_runs();
        for work in std::mem::take(&mut self.state.work) {
            if !runs.contains(&work.task) {
                self.cancel(work.task);
            }
        }
        let State { panel, log, notices, settings, connection, drafts, .. } = std::mem::take(&mut self.state);
        self.state = State { panel, log, notices, settings, drafts, ..State::default() };
        self.state.connection = Connection { probes: connection.probes, ..Connection::default() };
        self.state.console = Console::default();
    }

    pub(super) fn connected(&mut self, greeting: Result<Box<Greeting>, String>) {
        let greeting = match greeting {
            Ok(greeting) => *greeting,
            Err(problem) => {
                self.state.connection.status = Status::Down(problem);
                return;
            }
        };
        let Greeting { wire, address, version, latency, own, kept } = greeting;
        self.take_kept(kept);
        self.wire = Some(wire);
        let connection = &mut self.state.connection;
        connection.status = Status::Up;
        connection.address = Some(address.clone());
        connection.version = version;
        connection.latency = Some(latency);
        connection.own = own;
        let target = connection.target.clone();
        self.set(|settings| {
            if let Target::Url(url) = &target {
                settings.addresses.retain(|known| known != url);
                settings.addresses.insert(0, url.clone());
                settings.addresses.truncate(10);
            }
            settings.target = target;
        });
        self.refresh_all();
        self.find_runs();
        self.start_live();
    }

    fn take_kept(&mut self, kept: Kept) {
        let Kept { journal, history, shelf, drafts, said } = kept;
        self.journal = journal;
        self.state.history = history;
        for step in std::mem::take(&mut self.late) {
            self.state.history.put(step);
        }
        self.take_drafts(shelf, drafts);
        said.into_iter().for_each(|said| self.notify(Grade::Failed, said));
    }

    /// Takes in a step that began or ended, also one from before the same service was tried anew.
    pub(super) fn put_step(&mut self, step: Arc<Entry>) {
        match self.wire {
            Some(_) => self.state.history.put(step),
            None => self.late.push(step),
        }
    }

    pub(super) fn discover(&mut self) {
        self.state.connection.probes.ask();
        let limits = self.setup.limits;
        self.start(async move { What::Probed(client::discover(limits).await) }, |_| What::Probed(Vec::new()));
    }

    /// Notes from a call's end how the connection stands.
    pub(super) fn note_standing(&mut self, line: &crate::app::log::LogLine, own: bool) {
        let connection = &mut self.state.connection;
        match &line.error {
            // Still saying hello: it is up once its journal is open.
            _ if self.wire.is_none() => {}
            Some(CallError::Refused { .. }) => connection.status = Status::Down("it no longer answers".to_owned()),
            Some(_) => {}
            None => {
                connection.status = Status::Up;
                connection.latency = Some(line.elapsed);
                connection.own = own;
            }
        }
        let names_nothing = line.info.inputs.iter().all(|input| input.place != crate::operation::Place::Path);
        if names_nothing && line.error.as_ref().is_some_and(CallError::missing) {
            connection.lacking.insert(line.info.name);
        }
    }

    /// Empties every list, so that each is drawn as not asked for.
    pub(super) fn refresh_all(&mut self) {
        self.state.applications = Listing::default();
        self.load_applications();
        self.load_external();
        self.load_assets();
        for kind in crate::app::change::LinkKind::ALL {
            self.state.linkable.insert(kind, Remote::Unasked);
            self.load_linkable(kind);
        }
    }
}

/// Says hello: any service of this family answers its health or, if it has the interface alone, its applications.
async fn greet(address: &str, limits: Limits, on_wire: impl FnOnce(Client) -> Wire) -> Result<Greeting, CallError> {
    let address: Address = address.parse()?;
    let wire = on_wire(Client::new(address.clone(), limits)?);
    let (health, line) = wire.exchange(&GetWellKnownHealth {}.into()).await;
    let (last, version) = match health.outcome {
        Ok(_) => (health.server, wire.call(GetWellKnownVersion {}).await.ok()),
        Err(error) if error.missing() => {
            let (applications, _) = wire.exchange(&ApplicationsSnapshot {}.into()).await;
            applications.outcome?;
            (applications.server, None)
        }
        Err(error) => return Err(error),
    };
    let own = last.as_deref().is_some_and(is_own);
    Ok(Greeting { wire, address: address.to_string(), version, latency: line.elapsed, own, kept: Kept::default() })
}

/// Opens what is kept of a connection on disk.
async fn kept(below: Option<PathBuf>, key: String) -> Kept {
    let open = tokio::task::spawn_blocking(move || Kept::open(below.as_deref(), &key));
    open.await.unwrap_or_else(|error| Kept::closed(JournalError(format!("the journal could not be opened: {error}"))))
}

impl App {
    /// The wire, or the error every call has while there is none.
    pub(super) fn wire(&self) -> Result<Wire, CallError> {
        self.wire.clone().ok_or_else(|| broken("no service is connected"))
    }
}
