//! Services that a command or the window starts beside its own: on a copy to try things on, and on a backup that is
//! read.
//!
//! What must hold: no other program finds them; what they are on is removed with them, and nothing else is; a copy that
//! is kept outlives the program, and the next one finds it.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lunette_inspector::BoxFuture;
use lunette_inspector::rescue::Destination;
use lunette_inspector::settings::Origin;
use lunette_inspector::sides::{LeftCopy, Scratch, ScratchError, Scratches};
use lunette_inspector::tasks::blocking;
use lunette_service::{Data, Ports, Running, Settings, detect, maintenance, start_unpublished};

use super::restored::Here;

/// The folder of all copies, within the data folder.
const FOLDER: &str = "scratch";
/// How the name of the folder of a copy begins.
const PREFIX: &str = "lunette-";
/// The file that is locked while a copy is in use.
const LOCK: &str = "in-use";
/// The file that says what a kept copy is of.
const ORIGIN: &str = "copy.json";
/// The database of a data folder.
const DATABASE: &str = "lunette.sqlite3";

/// Starts copies beside a data folder.
#[derive(Clone, Debug)]
pub struct ScratchFolder {
    data: PathBuf,
}

impl ScratchFolder {
    /// Copies below this data folder, or below the system's folder for temporary files if there is no data yet.
    pub fn below(data: &Path) -> Self {
        Self { data: data.to_owned() }
    }

    fn fresh(&self) -> Result<CopyFolder, ScratchError> {
        let parent = if self.data.is_dir() { self.data.join(FOLDER) } else { std::env::temp_dir() };
        let path = parent.join(format!("{PREFIX}{}", uuid::Uuid::new_v4()));
        fs::create_dir_all(&path)?;
        let lock = File::create(path.join(LOCK))?;
        lock_unless_unsupported(&lock)?;
        Ok(CopyFolder { path, lock: Some(lock), is_kept: false })
    }

    /// Starts a service on a copy of a backup, which is not changed.
    pub async fn of_backup(&self, backup: &Path) -> Result<ScratchServer, ScratchError> {
        let (folder, backup) = (self.fresh()?, backup.to_owned());
        let copied = blocking(move || maintenance::restore(&folder.path, &backup).map(|_| folder)).await?;
        ScratchServer::start(copied.map_err(not_started)?).await
    }

    async fn of_data(&self) -> Result<ScratchServer, ScratchError> {
        let (folder, data) = (self.fresh()?, self.data.clone());
        let copy = move || maintenance::copy(&data, &folder.path.join(DATABASE)).map(|()| folder);
        ScratchServer::start(blocking(copy).await?.map_err(not_started)?).await
    }

    /// The folders of copies that no program uses.
    fn unused(&self) -> Vec<CopyFolder> {
        let entries = fs::read_dir(self.data.join(FOLDER)).into_iter().flatten().flatten();
        let paths = entries.map(|entry| entry.path());
        let named = |path: &PathBuf| {
            path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with(PREFIX))
        };
        paths.filter(named).filter_map(|path| CopyFolder::claim(path).ok().flatten()).collect()
    }

    /// The copies that an earlier program kept. Those that it was making, or only read, are removed. Blocks.
    fn left_behind(&self) -> Vec<LeftCopy> {
        let left = self.unused().into_iter().filter_map(|mut folder| {
            let origin = fs::read(folder.path.join(ORIGIN)).ok();
            let of = serde_json::from_slice::<Origin>(&origin?).ok()?;
            folder.is_kept = true;
            Some(LeftCopy { folder: folder.path.clone(), of })
        });
        let mut left: Vec<LeftCopy> = left.collect();
        left.sort_by(|one, other| one.of.made.cmp(&other.of.made));
        left
    }

    fn claimed(&self, folder: &Path) -> Result<CopyFolder, ScratchError> {
        let is_ours = folder.parent() == Some(&self.data.join(FOLDER));
        let claimed = if is_ours { CopyFolder::claim(folder.to_owned())? } else { None };
        claimed.ok_or_else(|| ScratchError::NotStarted("another window uses it, or it is gone".to_owned()))
    }
}

fn not_started(error: impl std::fmt::Display) -> ScratchError {
    ScratchError::NotStarted(error.to_string())
}

impl Scratches for ScratchFolder {
    fn empty(&self) -> BoxFuture<Result<Box<dyn Scratch>, ScratchError>> {
        let scratches = self.clone();
        Box::pin(async move { boxed(ScratchServer::start(scratches.fresh()?).await?) })
    }

    fn of_own(&self) -> BoxFuture<Result<Box<dyn Scratch>, ScratchError>> {
        let scratches = self.clone();
        Box::pin(async move { boxed(scratches.of_data().await?) })
    }

    fn left(&self) -> BoxFuture<Result<Vec<LeftCopy>, ScratchError>> {
        let scratches = self.clone();
        Box::pin(async move { Ok(blocking(move || scratches.left_behind()).await?) })
    }

    fn reopen(&self, folder: PathBuf) -> BoxFuture<Result<Box<dyn Scratch>, ScratchError>> {
        let scratches = self.clone();
        Box::pin(async move {
            let mut folder = scratches.claimed(&folder)?;
            folder.is_kept = true;
            boxed(ScratchServer::start(folder).await?)
        })
    }

    fn remove(&self, folder: PathBuf) -> BoxFuture<Result<(), ScratchError>> {
        let scratches = self.clone();
        Box::pin(async move { blocking(move || scratches.claimed(&folder)?.remove()).await? })
    }
}

fn boxed(server: ScratchServer) -> Result<Box<dyn Scratch>, ScratchError> {
    Ok(Box::new(server))
}

/// A service on a folder of its own.
pub struct ScratchServer {
    running: Running,
    folder: CopyFolder,
}

impl ScratchServer {
    async fn start(folder: CopyFolder) -> Result<Self, ScratchError> {
        let settings = Settings::new(Data::Folder(folder.path.clone()), Ports::Any, detect::of_this_machine());
        let running: Running = start_unpublished(settings).await.map_err(not_started)?;
        Ok(Self { running, folder })
    }

    /// Stops it, and removes its folder.
    pub async fn stop(self) -> Result<(), ScratchError> {
        let Self { running, folder } = self;
        running.stop().await;
        folder.remove()
    }
}

impl Scratch for ScratchServer {
    fn url(&self) -> String {
        self.running.url()
    }

    fn folder(&self) -> PathBuf {
        self.folder.path.clone()
    }

    fn destination(&self) -> Arc<dyn Destination> {
        Arc::new(Here(self.running.restorer()))
    }

    fn keep(&mut self, origin: &Origin) -> Result<(), ScratchError> {
        let text = serde_json::to_vec(origin).map_err(io::Error::from)?;
        // Whole or not at all: a copy without it is removed by the next program.
        let unfinished = self.folder.path.join("copy.unfinished");
        fs::write(&unfinished, text)?;
        fs::rename(unfinished, self.folder.path.join(ORIGIN))?;
        self.folder.is_kept = true;
        Ok(())
    }

    fn discard(self: Box<Self>) -> BoxFuture<Result<(), ScratchError>> {
        Box::pin(self.stop())
    }
}

/// The folder of a copy, which is locked, and removed when this is dropped unless it is kept.
struct CopyFolder {
    path: PathBuf,
    lock: Option<File>,
    is_kept: bool,
}

impl CopyFolder {
    /// The folder, unless another program uses it. It is removed unless it is kept.
    fn claim(path: PathBuf) -> Result<Option<Self>, ScratchError> {
        if !path.is_dir() {
            return Ok(None);
        }
        let lock = File::create(path.join(LOCK))?;
        match lock_unless_unsupported(&lock) {
            Ok(()) => Ok(Some(Self { path, lock: Some(lock), is_kept: false })),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Removes it. Fails if the disk does.
    fn remove(mut self) -> Result<(), ScratchError> {
        Ok(self.clear()?)
    }

    fn clear(&mut self) -> io::Result<()> {
        self.is_kept = true;
        // An open file cannot be removed everywhere.
        self.lock = None;
        if self.path.exists() {
            fs::remove_dir_all(&self.path)?;
        }
        // The folder of all copies stays while there are others.
        if let Some(parent) = self.path.parent().filter(|parent| parent.ends_with(FOLDER)) {
            fs::remove_dir(parent).ok();
        }
        Ok(())
    }
}

impl Drop for CopyFolder {
    fn drop(&mut self) {
        if !self.is_kept {
            self.clear().ok(); // Whoever wants to know calls `remove`.
        }
    }
}

/// Locks a file; file systems without locks are supported.
fn lock_unless_unsupported(file: &File) -> io::Result<()> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(io::ErrorKind::WouldBlock.into()),
        Err(TryLockError::Error(error)) if error.kind() != io::ErrorKind::Unsupported => Err(error),
        Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use lunette_client::client::{Client, Limits, Vendor};
    use lunette_client::model::record::Record as _;
    use lunette_client::model::seed::Seed;
    use lunette_client::operation::table::{
        AssetAssociateTag, AssetsCreateNewAsset, AssetsDeleteAsset, TagsCreateNewTag,
    };
    use lunette_inspector::sides::{Base, Comparison, Matches, RowState, ServiceReader, Side, Sides, fill};
    use lunette_inspector::tasks::CancelFlag;
    use serde_json::json;

    use super::*;

    fn client(url: &str) -> Client {
        Client::new(url.parse().expect("an address"), Limits::default()).expect("a client")
    }

    async fn side(client: &Client) -> Side {
        let mut reader = ServiceReader::new(client.clone(), Vendor::Lunette);
        reader.read(&|_| {}, &CancelFlag::default()).await.expect("read");
        Side::of_service(client.address().to_string(), client.clone(), Vendor::Lunette, reader)
    }

    async fn counts(left: &Client, right: &Client) -> [usize; 3] {
        let sides = Arc::new(Sides { left: side(left).await, right: side(right).await });
        let comparison = Comparison::of(sides, Matches::default(), Arc::new(Base::default()));
        [RowState::Same, RowState::OnlyLeft, RowState::OnlyRight].map(|state| comparison.counts.of(state))
    }

    /// A service on a folder with so many assets, each with a tag.
    async fn live(data: &Path, assets: usize) -> Running {
        let settings = Settings::new(Data::Folder(data.to_owned()), Ports::Any, detect::of_this_machine());
        let running = start_unpublished(settings).await.expect("it starts");
        let client = client(&running.url());
        let tag = serde_json::from_value(json!({ "text": "t" })).expect("a seed");
        let tag = client.call(TagsCreateNewTag { transferables: None, tag: Some(tag) }).await.expect("a tag");
        for number in 0..assets {
            let application = json!({ "id": "00000003-0000-4000-8000-000000000003", "name": "OPEN_SOURCE",
                "version": "1.0.0", "platform": "LINUX", "onboarded": false, "privacy": "OPEN" });
            let seed = json!({ "type": "SEEDED_ASSET", "asset": { "application": application,
                "format": { "fragment": { "string": { "raw": format!("text {number}") } } },
                "metadata": { "name": format!("{number}.txt") } } });
            let seed = Some(Seed::from_tree(seed).expect("a seed"));
            let call = AssetsCreateNewAsset { transferables: None, once: None, seed };
            let asset = client.call(call).await.expect("an asset").view().id().parse().expect("an id");
            let tag = tag.view().id().parse().expect("an id");
            client.call(AssetAssociateTag { asset, tag }).await.expect("linked");
        }
        running
    }

    #[tokio::test]
    async fn what_is_tried_on_a_copy_changes_nothing_and_leaves_no_trace() {
        let around = tempfile::tempdir().expect("a folder");
        let data = around.path().join("data");
        let running = live(&data, 3).await;
        let live = client(&running.url());
        let files = || {
            let names = fs::read_dir(&data).expect("the folder").flatten().map(|entry| entry.file_name());
            names.collect::<std::collections::BTreeSet<_>>()
        };
        let before = files();
        let scratch = ScratchFolder::below(&data).empty().await.expect("a copy");
        let (all, copy) = (side(&live).await, client(&scratch.url()));
        let ids: Vec<Arc<str>> = all.facts.iter().take(2).map(|facts| Arc::clone(&facts.id)).collect();
        let destination = scratch.destination();
        let unstored = fill(&all, &ids, destination.as_ref(), &|_| {}, &CancelFlag::default()).await.expect("filled");
        drop(destination);
        assert_eq!((unstored, counts(&live, &copy).await), (Vec::new(), [2, 1, 0]));
        copy.call(AssetsDeleteAsset { asset: ids[0].parse().expect("an id") }).await.expect("deleted");
        assert_eq!(counts(&live, &copy).await, [1, 2, 0]);
        scratch.discard().await.expect("discarded");
        assert_eq!((files(), side(&live).await.facts.len()), (before, 3));
        running.stop().await;
    }

    #[tokio::test]
    async fn a_copy_of_everything_has_everything() {
        let around = tempfile::tempdir().expect("a folder");
        let data = around.path().join("data");
        let running = live(&data, 3).await;
        let begun = Instant::now();
        let scratch = ScratchFolder::below(&data).of_own().await.expect("a copy");
        let (live, copy) = (client(&running.url()), client(&scratch.url()));
        assert_eq!(counts(&live, &copy).await, [3, 0, 0], "after {:?}", begun.elapsed());
        scratch.discard().await.expect("discarded");
        assert!(!data.join(FOLDER).exists());
        let siblings = fs::read_dir(around.path()).expect("the folder").count();
        assert_eq!(siblings, 1, "no folder of backups either");
        running.stop().await;
    }

    #[tokio::test]
    async fn a_kept_copy_is_found_by_the_next_program_and_one_that_is_in_use_or_was_not_finished_is_not() {
        let around = tempfile::tempdir().expect("a folder");
        let data = around.path().join("data");
        let running = live(&data, 2).await;
        let scratches = ScratchFolder::below(&data);
        let (mut kept, unfinished) = (scratches.of_own().await.expect("a copy"), scratches.fresh().expect("a folder"));
        let origin = Origin {
            target: Box::default(),
            name: "the built-in service".to_owned(),
            key: "embedded".to_owned(),
            made: "2026-01-31T18:00:00Z".to_owned(),
            chosen: None,
        };
        kept.keep(&origin).expect("kept");
        let folder = kept.folder();
        assert_eq!(scratches.left().await.expect("read"), [], "both are in use");
        // What a program that is killed leaves: its locks are released, and nothing is removed.
        let mut unfinished = unfinished;
        (unfinished.lock, unfinished.is_kept) = (None, true);
        let path = unfinished.path.clone();
        drop(unfinished);
        drop(kept);
        assert_eq!(scratches.left().await.expect("read"), [LeftCopy { folder: folder.clone(), of: origin }]);
        assert!(!path.exists() && folder.exists(), "only what was not finished is removed");
        let again = scratches.reopen(folder.clone()).await.expect("it starts");
        assert!(scratches.remove(folder.clone()).await.is_err(), "it is in use");
        assert_eq!(side(&client(&again.url())).await.facts.len(), 2);
        drop(again);
        scratches.remove(folder).await.expect("removed");
        assert!(!data.join(FOLDER).exists());
        assert!(scratches.remove(around.path().to_owned()).await.is_err(), "nothing but copies is removed");
        running.stop().await;
    }
}
