//! The work of the comparison of two sides.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::output::Compared;
use crate::change::Replacements;
use crate::compare::{self, Position, Source};
use crate::context::Context;
use crate::output::ProgressEvent;
use crate::session::reporter::Reporter;
use crate::setup::EmbeddedService;
use crate::sides::carry::{self, Carry, CarryError};
use crate::sides::{Base, Comparison, Location, Matches, Scratch, ServiceReader, Side, SideError, SideRow, Sides};
use crate::tasks::{CancelFlag, blocking};
use crate::write::recovery::Copies;
use crate::{Address, CallError, Limits, Vendor, WritePolicy};
use lunette_client::client::{Client, DEFAULT_CONCURRENCY, Limiter, probe};

/// The window is told at most this often how far it is.
const REPORT_INTERVAL: Duration = Duration::from_millis(50);

/// What the work needs of the window.
pub(super) struct Environment {
    number: u64,
    cancel: CancelFlag,
    own: Result<Client, CallError>,
    vendor: Vendor,
    data: Option<PathBuf>,
    copies: Copies,
    embed: Arc<dyn EmbeddedService>,
    reporter: Reporter,
    last: Mutex<Option<Instant>>,
}

impl Environment {
    /// That of what was begun under this number.
    pub fn of(number: u64, cancel: CancelFlag, cx: &Context<'_>) -> Self {
        Self {
            number,
            cancel,
            own: cx.client(),
            vendor: cx.connection.vendor,
            data: cx.setup().data.clone(),
            copies: Copies::in_folder(cx.journal().deleted()),
            embed: Arc::clone(&cx.setup().embed),
            reporter: cx.reporter(),
            last: Mutex::default(),
        }
    }

    fn report(&self, event: ProgressEvent) {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.is_none_or(|last| last.elapsed() >= REPORT_INTERVAL) {
            *last = Some(Instant::now());
            self.reporter.report(event);
        }
    }

    /// Reads a side, and what was started for it.
    async fn read(&self, at: Position, location: Location) -> Result<(Side, Option<Box<dyn Scratch>>), SideError> {
        let name = location.name();
        let progress = |progress| self.report(ProgressEvent::SideRead(self.number, at, progress));
        let cancel = &self.cancel;
        let of_service = async |client: Client, vendor| {
            let mut reader = ServiceReader::new(client.clone(), vendor);
            if let Some(data) = self.data.clone() {
                reader = blocking(move || if data.is_dir() { reader.kept_in(&data) } else { reader }).await?;
            }
            reader.read(&progress, cancel).await?;
            Ok::<_, SideError>(Side::of_service(name.clone(), client, vendor, reader))
        };
        let side = match location {
            Location::Own => of_service(self.own.clone()?, self.vendor).await?,
            Location::Service(address) => {
                let (client, vendor) = other(address).await?;
                of_service(client, vendor).await?
            }
            Location::Then(then) => Side::of_past(name.clone(), self.own.clone()?, &then, &progress, cancel).await?,
            Location::Files(path) => Side::of_files(name.clone(), path, cancel).await?,
            Location::Backup(path) | Location::Data(path) => {
                let scratch =
                    self.embed.serve_copy(path).await.map_err(|error| SideError::NotServed(error.to_string()))?;
                let (client, vendor) = other(scratch.url().parse()?).await?;
                let side = of_service(client, vendor).await?;
                return Ok((side, Some(scratch)));
            }
        };
        Ok((side, None))
    }
}

/// A client of another service, which is only read, and whose service it is.
async fn other(address: Address) -> Result<(Client, Vendor), SideError> {
    let found = probe(address.clone(), Limits::default()).await.result?;
    let vendor = found.vendor();
    let client = Client::new(address, Limits::default())?;
    let client = client.with_write_policy(WritePolicy::ReadOnly).paced(Limiter::new(DEFAULT_CONCURRENCY)).for_run();
    Ok((client, vendor))
}

/// Reads both sides and compares them; returns what was started for them, too.
pub(super) async fn compare(
    texts: [String; 2],
    moved: Replacements,
    environment: Environment,
) -> Result<Box<Compared>, SideError> {
    let parse = move || {
        let [left, right] = texts;
        Ok::<_, SideError>([Location::parse(left.trim())?, Location::parse(right.trim())?])
    };
    let [left, right] = blocking(parse).await??;
    let own =
        [Position::Left, Position::Right].into_iter().zip([&left, &right]).find(|(_, side)| **side == Location::Own);
    let own = own.map(|(at, _)| at);
    let (left, of_left) = environment.read(Position::Left, left).await?;
    let (right, of_right) = environment.read(Position::Right, right).await?;
    let (sides, data) = (Arc::new(Sides { left, right }), environment.data.clone());
    let compared = blocking(move || {
        let base = data.as_deref().map(|data| Base::load(data, sides.names())).unwrap_or_default();
        let base = Arc::new(base.with_copied(own.into_iter().flat_map(|own| copied(&moved, own))));
        let comparison = Comparison::of(sides, Matches::default(), Arc::clone(&base));
        if let Some(data) = data.filter(|data| data.is_dir()) {
            remember(&base, &comparison, &data);
        }
        comparison
    });
    let started = of_left.into_iter().chain(of_right).collect();
    Ok(Box::new(Compared { comparison: compared.await?, started }))
}

/// The ids on the left and on the right of the assets that were created at the connected service, which is this side.
fn copied(moved: &Replacements, own: Position) -> impl Iterator<Item = (Arc<str>, Arc<str>)> {
    moved.current().map(move |(from, to)| match own {
        Position::Left => (to.into(), from.into()),
        Position::Right => (from.into(), to.into()),
    })
}

/// Keeps what the sides are for the next comparison; without it, that does not say which side changed.
fn remember(base: &Base, comparison: &Comparison, data: &Path) {
    let base = base.after(comparison.rows.iter().map(Arc::as_ref));
    if let Err(error) = base.save(data, comparison.sides.names()) {
        tracing::warn!("the comparison is not remembered: {error}");
    }
}

/// Reads a row at both sides; one that does not have it is empty.
pub(super) async fn beside(comparison: &Comparison, row: &SideRow) -> Result<[Source; 2], SideError> {
    let side = async |at: Position| {
        let read = match row.side(at) {
            Some(facts) => comparison.sides.at(at).compared(&facts.id).await?,
            None => compare::Side {
                title: format!("not in {}", comparison.sides.at(at).name),
                kind: "nothing".to_owned(),
                ..compare::Side::default()
            },
        };
        Ok::<_, SideError>(Source::Ready(Arc::new(read)))
    };
    Ok([side(Position::Left).await?, side(Position::Right).await?])
}

/// Plans what is carried over, and keeps what the run creates.
pub(super) async fn plan(
    comparison: Arc<Comparison>,
    rows: Vec<Arc<SideRow>>,
    to: Position,
    environment: Environment,
) -> Result<Box<Carry>, CarryError> {
    let progress = |done| environment.report(ProgressEvent::SidePlanned(environment.number, done));
    let carry = carry::plan(&comparison.sides, &rows, to, &progress, &environment.cancel).await?;
    carry.keep(&environment.copies).await?;
    Ok(Box::new(carry))
}
