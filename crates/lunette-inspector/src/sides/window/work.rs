//! The work of the comparison of two sides.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::rows::Arranged;
use crate::change::Replacements;
use crate::compare::{self, Position, Source};
use crate::context::Context;
use crate::listing::Query;
use crate::output::ProgressEvent;
use crate::session::reporter::ThrottledReporter;
use crate::settings::{Origin, Target};
use crate::setup::EmbeddedService;
use crate::sides::copy::{self, CopyPlan, CopyPlanError};
use crate::sides::{
    Base, Comparison, Decisions, Location, Matches, Scratch, ServiceReader, Side, SideError, SideRow, Sides,
};
use crate::tasks::{CancelFlag, Ended, blocking};
use crate::versions::VersionSource;
use crate::write::recovery::Copies;
use crate::{Address, CallError, Limits, Vendor, WritePolicy};
use lunette_client::client::{Client, DEFAULT_CONCURRENCY, Limiter, probe};

/// What the work needs of the window.
pub(super) struct Environment {
    number: u64,
    cancel: CancelFlag,
    own: Result<Client, CallError>,
    /// What the connected copy is of.
    original: Option<Origin>,
    vendor: Vendor,
    /// Where the versions of its assets are.
    versions: VersionSource,
    data: Option<PathBuf>,
    copies: Copies,
    embed: Arc<dyn EmbeddedService>,
    reporter: ThrottledReporter,
}

impl Environment {
    /// That of what was begun under this number.
    pub fn of(number: u64, cancel: CancelFlag, cx: &Context<'_>) -> Self {
        Self {
            number,
            cancel,
            own: cx.client(),
            original: cx.connection.target.copy().map(|copy| copy.of.clone()),
            vendor: cx.connection.vendor,
            versions: cx.version_source(),
            data: cx.data(),
            copies: Copies::in_folder(cx.journal().deleted()),
            embed: Arc::clone(&cx.setup().embed),
            reporter: cx.reporter().throttled(),
        }
    }

    /// Asks the work to stop.
    pub fn cancel(&self) -> &CancelFlag {
        &self.cancel
    }

    /// The folder in which what belongs to the connection is stored.
    pub fn data(&self) -> Option<&Path> {
        self.data.as_deref()
    }

    /// The number under which it was begun.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Tells the window how far it is.
    pub fn report(&self, event: ProgressEvent) {
        self.reporter.report(event);
    }

    /// Reads a side, and what was started for it.
    async fn read(&self, at: Position, place: Place) -> Result<(Side, Option<Box<dyn Scratch>>), SideError> {
        let (name, location) = match place {
            Place::Named(location) => (location.name(), location),
            Place::Original(original) => (original.name.clone(), Location::Service(self.address_of(&original).await?)),
        };
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
            Location::Then(then) => Side::of_past(name.clone(), &self.versions, &then, &progress, cancel).await?,
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

    /// Where the service is that the connected copy is of.
    async fn address_of(&self, original: &Origin) -> Result<Address, SideError> {
        let url = match &*original.target {
            Target::Embedded => self.embed.start().await.map_err(|error| SideError::NotServed(error.to_string()))?,
            Target::Url(url) => url.clone(),
            Target::Copy(copy) => copy.url.clone(),
        };
        Ok(url.parse::<Address>()?)
    }
}

/// What was compared.
pub(crate) struct Compared {
    /// The comparison.
    pub comparison: Comparison,
    /// Its rows as the list wants them.
    pub arranged: Arranged,
    /// What was started to read its sides.
    pub started: Vec<Box<dyn Scratch>>,
}

/// Why two sides were not compared.
#[derive(Debug, thiserror::Error)]
#[error("{error}")]
pub(crate) struct CompareError {
    /// The side that is not read, if it is one of them.
    pub at: Option<Position>,
    error: SideError,
}

impl CompareError {
    fn at(at: Position, error: SideError) -> Self {
        Self { at: Some(at), error }
    }

    /// Whether what was typed names no side.
    pub fn is_of_text(&self) -> bool {
        matches!(self.error, SideError::Location(_) | SideError::NoTime(_) | SideError::Files { .. })
    }
}

impl From<Ended> for CompareError {
    fn from(ended: Ended) -> Self {
        Self { at: None, error: ended.into() }
    }
}

/// What a text names.
#[derive(PartialEq)]
enum Place {
    /// A side as on the command line.
    Named(Location),
    /// What the connected copy is of.
    Original(Origin),
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
    query: Query,
    environment: Environment,
) -> Result<Box<Compared>, CompareError> {
    let original = environment.original.clone();
    let parse = move || {
        let place = |at: Position| match (texts[at.index()].trim(), &original) {
            ("original", Some(original)) => Ok(Place::Original(original.clone())),
            (text, _) => Location::parse(text).map(Place::Named).map_err(|error| CompareError::at(at, error.into())),
        };
        Ok::<_, CompareError>([place(Position::Left)?, place(Position::Right)?])
    };
    let [left, right] = blocking(parse).await??;
    let own = [Position::Left, Position::Right].into_iter().zip([&left, &right]);
    let own = own.into_iter().find(|(_, place)| **place == Place::Named(Location::Own)).map(|(at, _)| at);
    let read =
        async |at: Position, place| environment.read(at, place).await.map_err(|error| CompareError::at(at, error));
    let (left, of_left) = read(Position::Left, left).await?;
    let (right, of_right) = read(Position::Right, right).await?;
    let (sides, data) = (Arc::new(Sides { left, right }), environment.data.clone());
    let compared = blocking(move || {
        let base = data.as_deref().map(|data| Base::load(data, sides.names())).unwrap_or_default();
        let base = Arc::new(base.with_copied(own.into_iter().flat_map(|own| copied(&moved, own))));
        let comparison = Comparison::of(sides, Matches::default(), Arc::clone(&base));
        if let Some(data) = data {
            remember(&base, &comparison, &data);
        }
        let arranged = Arranged::of(&comparison.rows, query);
        (comparison, arranged)
    });
    let started = of_left.into_iter().chain(of_right).collect();
    let (comparison, arranged) = compared.await?;
    Ok(Box::new(Compared { comparison, arranged, started }))
}

/// The ids on the left and on the right of the assets that were created at the connected service, which is this side.
fn copied(moved: &Replacements, own: Position) -> impl Iterator<Item = (Arc<str>, Arc<str>)> {
    moved.current().map(move |(from, to)| match own {
        Position::Left => (to.into(), from.into()),
        Position::Right => (from.into(), to.into()),
    })
}

/// Keeps what the sides are for the next comparison; without it, that does not say which side changed. Blocks.
pub(super) fn remember(base: &Base, comparison: &Comparison, data: &Path) {
    if !data.is_dir() {
        return;
    }
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

/// Plans what is copied, and keeps what the run creates.
pub(super) async fn plan(
    comparison: Arc<Comparison>,
    rows: Vec<Arc<SideRow>>,
    to: Position,
    decisions: Decisions,
    environment: Environment,
) -> Result<Box<CopyPlan>, CopyPlanError> {
    let progress = |done| environment.report(ProgressEvent::SidePlanned(environment.number, done));
    let plan = copy::plan_decided(&comparison.sides, &rows, to, &decisions, &progress, &environment.cancel).await?;
    plan.keep(&environment.copies).await?;
    Ok(Box::new(plan))
}
