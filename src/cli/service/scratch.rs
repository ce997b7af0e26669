//! Services that a command or the window starts beside its own: on a copy to try things on, and on a backup that is read.
//!
//! What must hold: no other program finds them; what they are on is removed with them, and nothing else is.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lunette_inspector::BoxFuture;
use lunette_inspector::rescue::Destination;
use lunette_inspector::sides::{Scratch, ScratchError, Scratches};
use lunette_service::{Data, Ports, Running, Settings, detect, maintenance, start_unpublished};

use super::restored::Here;

/// The folder of all copies, within the data folder.
const FOLDER: &str = "scratch";

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

    fn fresh(&self) -> Result<Removed, ScratchError> {
        let parent = if self.data.is_dir() { self.data.join(FOLDER) } else { std::env::temp_dir() };
        let folder = parent.join(format!("lunette-{}", uuid::Uuid::new_v4()));
        fs::create_dir_all(&folder)?;
        Ok(Removed(folder))
    }

    /// Starts a service on a copy of a backup, which is not changed.
    pub async fn of_backup(&self, backup: &Path) -> Result<ScratchServer, ScratchError> {
        let (folder, backup) = (self.fresh()?, backup.to_owned());
        let data = folder.0.clone();
        let copied = tokio::task::spawn_blocking(move || maintenance::restore(&data, &backup)).await;
        let copied = copied.map_err(|panic| ScratchError::NotStarted(panic.to_string()))?;
        copied.map_err(|error| ScratchError::NotStarted(error.to_string()))?;
        ScratchServer::start(folder).await
    }

    async fn of_data(&self) -> Result<ScratchServer, ScratchError> {
        let folder = self.fresh()?;
        let (data, backup) = (self.data.clone(), folder.0.join("copy.sqlite3"));
        let taken = tokio::task::spawn_blocking({
            let backup = backup.clone();
            move || maintenance::back_up(&data, Some(&backup))
        });
        let taken = taken.await.map_err(|panic| ScratchError::NotStarted(panic.to_string()))?;
        taken.map_err(|error| ScratchError::NotStarted(error.to_string()))?;
        // Its folder is removed with what it is about.
        let server = self.of_backup(&backup).await;
        drop(folder);
        server
    }
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
}

fn boxed(server: ScratchServer) -> Result<Box<dyn Scratch>, ScratchError> {
    Ok(Box::new(server))
}

/// A service on a folder of its own.
pub struct ScratchServer {
    running: Running,
    folder: Removed,
}

impl ScratchServer {
    async fn start(folder: Removed) -> Result<Self, ScratchError> {
        let settings = Settings::new(Data::Folder(folder.0.clone()), Ports::Any, detect::of_this_machine());
        let running: Running =
            start_unpublished(settings).await.map_err(|error| ScratchError::NotStarted(error.to_string()))?;
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

    fn destination(&self) -> Arc<dyn Destination> {
        Arc::new(Here(self.running.restorer()))
    }

    fn discard(self: Box<Self>) -> BoxFuture<Result<(), ScratchError>> {
        Box::pin(self.stop())
    }
}

/// A folder that is removed when it is dropped.
struct Removed(PathBuf);

impl Removed {
    /// Removes it. Fails if the disk does.
    fn remove(self) -> Result<(), ScratchError> {
        Ok(self.clear()?)
    }

    fn clear(&self) -> std::io::Result<()> {
        if self.0.exists() {
            fs::remove_dir_all(&self.0)?;
        }
        // The folder of all copies stays while there are others.
        if let Some(parent) = self.0.parent().filter(|parent| parent.ends_with(FOLDER)) {
            fs::remove_dir(parent).ok();
        }
        Ok(())
    }
}

impl Drop for Removed {
    fn drop(&mut self) {
        self.clear().ok(); // Whoever wants to know calls `remove`.
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
}
