//! Reaches the two sides of a command: services, data folders, backups, archives and folders.
//!
//! What must hold: a side that is only read is read-only; what was started for a side ends with the command.

use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Error, anyhow};

use lunette_client::client::{Client, Limits, Vendor, WritePolicy};
use lunette_inspector::sides::{
    Base, Comparison, Location, LocationError, Progress, Scratch as _, ServiceReader, Side, SideError, Sides,
};
use lunette_inspector::tasks::CancelFlag;
use lunette_service::{Data, Ports, Settings, maintenance, start_unpublished};

use crate::cli::connect::{self, Access, Service, Wanted};
use crate::cli::scratch::ScratchFolder;
use crate::cli::signals::Signals;
use crate::cli::{Failure, data_dir, print_message};

/// A side that a command named, and what is done there.
#[derive(Debug)]
pub(in crate::cli) struct Named {
    pub location: Location,
    pub access: Access,
}

/// The client of a side, and whether its service is one of this program; `None` for files.
pub(in crate::cli) type Reached<'a> = Option<&'a Service>;

impl Named {
    /// A side that is read. Blocks.
    pub fn to_read(text: &str) -> Result<Self, Failure> {
        Ok(Self { location: Location::parse(text).map_err(not_a_side)?, access: Access::Read })
    }
}

pub(in crate::cli) fn not_a_side(error: LocationError) -> Failure {
    Failure::usage(Error::new(error))
}

/// Does work with both sides, whose services are started for it if none runs. `own` is what `own` and `@…` mean.
pub(in crate::cli) async fn with<T>(
    [left, right]: [&Named; 2],
    own: Wanted<'_>,
    work: impl AsyncFnOnce([Reached<'_>; 2]) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let is_own = |named: &Named| matches!(named.location, Location::Own | Location::Then(_));
    if is_own(left) && is_own(right) {
        let access = if left.access == Access::Read { right.access } else { left.access };
        return Wanted { access, ..own }.with(async |service: &Service| work([Some(service); 2]).await).await;
    }
    with_one(left, own, async |left: Reached<'_>| {
        with_one(right, own, async |right: Reached<'_>| work([left, right]).await).await
    })
    .await
}

async fn with_one<T>(
    named: &Named,
    own: Wanted<'_>,
    work: impl AsyncFnOnce(Reached<'_>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let wanted = Wanted { access: named.access, ..own };
    let url = match &named.location {
        Location::Service(address) => Some(address.to_string()),
        _ => None,
    };
    let wanted = match &named.location {
        Location::Own | Location::Then(_) => wanted,
        Location::Service(_) => Wanted { url: url.as_deref(), data: None, ..wanted },
        Location::Data(path) if named.access == Access::Read && maintenance::never_used(path) => {
            return with_nothing(work).await;
        }
        Location::Data(path) => Wanted { url: None, data: Some(path), ..wanted },
        Location::Files(_) => return work(None).await,
        Location::Backup(path) => {
            let folder = data_dir::folder(own.data)?;
            let server = ScratchFolder::below(&folder).of_backup(path).await;
            let server = server.map_err(|error| Failure::usage(Error::new(error)))?;
            let service = started(&server.url())?;
            let done = work(Some(&service)).await;
            server.stop().await.map_err(|error| Failure::failed(Error::new(error)))?;
            return done;
        }
    };
    wanted.with(async |service: &Service| work(Some(service)).await).await
}

/// Does work with a service that has nothing, in place of that of a folder which is not there yet: nothing is created.
async fn with_nothing<T>(work: impl AsyncFnOnce(Reached<'_>) -> Result<T, Failure>) -> Result<T, Failure> {
    let settings = Settings { data: Data::Memory, ..data_dir::settings(None, Ports::Any)? };
    let running = start_unpublished(settings).await.map_err(data_dir::not_started)?;
    let done = match started(&running.url()) {
        Ok(service) => work(Some(&service)).await,
        Err(failure) => Err(failure),
    };
    running.stop().await;
    done
}

/// The service at an address that was started to be read.
fn started(url: &str) -> Result<Service, Failure> {
    let client = Client::new(url.parse().map_err(connect::failure)?, Limits::default()).map_err(connect::failure)?;
    Ok(Service::read_only(client.with_write_policy(WritePolicy::ReadOnly), Vendor::Lunette))
}

/// Reads both sides; `data` is where what was read of a service is kept until it is read to its end. The first signal
/// ends it.
pub(in crate::cli) async fn read(
    named: [&Named; 2],
    reached: [Reached<'_>; 2],
    data: Option<&Path>,
) -> Result<Sides, Failure> {
    let cancel = CancelFlag::default();
    let both = async {
        let side = |index: usize| read_side(&named[index].location, reached[index], data, &cancel);
        let (left, right) = tokio::try_join!(side(0), side(1))?;
        Ok(Sides { left, right })
    };
    until_signal(both, &cancel).await.map_err(failure)
}

/// Waits for work, which is cancelled by the first signal.
pub(in crate::cli) async fn until_signal<T, E>(
    work: impl Future<Output = Result<T, E>>,
    cancel: &CancelFlag,
) -> Result<T, E>
where
    E: From<SideError>,
{
    tokio::pin!(work);
    let Ok(mut signals) = Signals::listen() else { return work.await };
    tokio::select! {
        done = &mut work => done,
        () = signals.next() => {
            cancel.cancel();
            work.await
        }
    }
}

/// Reads a side.
pub(in crate::cli) async fn read_side(
    location: &Location,
    reached: Reached<'_>,
    data: Option<&Path>,
    cancel: &CancelFlag,
) -> Result<Side, SideError> {
    let name = location.name();
    let progress = |progress: Progress| show(&name, progress.done);
    let side = match (location, reached) {
        (Location::Files(path), _) => Side::of_files(name.clone(), path.clone(), cancel).await,
        (Location::Then(then), Some(service)) => match service.version_source() {
            Some(versions) => Side::of_past(name.clone(), &versions, then, &progress, cancel).await,
            None => Err(SideError::NothingKept),
        },
        (_, Some(service)) => read_service(&name, service, data, &progress, cancel).await,
        (_, None) => Err(SideError::NoAsset(name.clone())),
    };
    clear();
    side
}

async fn read_service(
    name: &str,
    service: &Service,
    data: Option<&Path>,
    progress: &(dyn Fn(Progress) + Send + Sync),
    cancel: &CancelFlag,
) -> Result<Side, SideError> {
    let mut reader = ServiceReader::new(service.client.clone(), service.vendor);
    if let Some(data) = data {
        reader = reader.kept_in(data);
    }
    if reader.read_earlier() > 0 {
        print_message(&format!("{name}: {} assets were read before", reader.read_earlier()));
    }
    if let Err(error) = reader.read(progress, cancel).await {
        if reader.is_kept() {
            print_message(&format!("{name}: what was read is kept; run it again to go on"));
        }
        return Err(error);
    }
    Ok(Side::of_service(name.to_owned(), service.client.clone(), service.vendor, reader))
}

/// The data folder in which what is read and compared is remembered, if it is there. Blocks.
pub(in crate::cli) fn memory(data: Option<&Path>) -> Option<PathBuf> {
    data_dir::folder(data).ok().filter(|folder| folder.is_dir())
}

/// Keeps what the sides are for the next comparison, and which assets were copied under another id: those on the left
/// and on the right.
pub(in crate::cli) fn remember(
    data: &Path,
    comparison: &Comparison,
    copied: impl IntoIterator<Item = (Arc<str>, Arc<str>)>,
) {
    let names = comparison.sides.names();
    let base = Base::load(data, names).after(comparison.rows.iter().map(Arc::as_ref)).with_copied(copied);
    if let Err(error) = base.save(data, names) {
        print_message(&format!("the comparison is not remembered: {error}"));
    }
}

/// Shows how many assets were read, if stderr is a terminal.
pub(in crate::cli) fn show(name: &str, done: usize) {
    if !crate::cli::is_quiet() && io::stderr().is_terminal() {
        // Progress that nobody can see is not missed.
        write!(io::stderr(), "\r\x1b[K{}: {done}", crate::cli::progress::escaped(name)).ok();
    }
}

fn clear() {
    if !crate::cli::is_quiet() && io::stderr().is_terminal() {
        write!(io::stderr(), "\r\x1b[K").ok();
    }
}

/// The failure of a side that cannot be read: without an answer it is wrong usage, as for every command.
pub(in crate::cli) fn failure(error: SideError) -> Failure {
    match error {
        SideError::Call(error) => connect::failure(error),
        SideError::NoTime(_) | SideError::Files { .. } | SideError::Library(_) => Failure::usage(Error::new(error)),
        SideError::Cancelled => Failure::failed(anyhow!("stopped; nothing was written")),
        other => Failure::failed(Error::new(other)),
    }
}

/// Prints what could not be read.
pub(in crate::cli) fn print_left_out(sides: &Sides) {
    for side in [&sides.left, &sides.right] {
        for left_out in &side.left_out {
            print_message(&format!("{}: {left_out}", side.name));
        }
    }
}
