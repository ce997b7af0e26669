//! Batches: several assets created by one request, if the service supports it.
//!
//! What must hold: a batch stays within the limits of the service and is sent once; it is sent with `once`, so that
//! importing the same files again creates no duplicates; each file gets the outcome of its own seed.

use std::future::Future;
use std::iter::{Enumerate, Peekable};

use serde_json::{Value, json};

use super::{FileEntry, Outcome, UNKNOWN};
use crate::{CallError, Refusal, Transport, internal_error, unexpected};
use lunette_client::client::Client;
use lunette_client::model::asset::Asset;
use lunette_client::model::record::{Record as _, View};
use lunette_client::model::seed::{BATCH_CONTENT_BYTES, CreatedAsset, CreatedAssets, Seed, Seeds};
use lunette_client::operation::table::{AssetsCreateBatch, AssetsCreateNewAsset};
use lunette_client::operation::{Call, Operation as _};

/// The maximum number of files in a batch. Our choice: half of what the service accepts, so that batches overlap even
/// in a small import, and a cancellation takes effect soon.
pub(super) const FILES: usize = 128;
/// The maximum size of the files of a batch, in bytes. Text may grow when decoded, so a batch may still be split.
const FILE_BYTES: u64 = 3 << 20;

/// Creates assets on a service.
pub trait CreateAssets: Clone + Send + Sync + 'static {
    /// Returns the maximum number of concurrent requests for services other than our own.
    fn at_once(&self) -> Option<usize> {
        None
    }

    /// The refusal after which no write is sent; None while writes are sent.
    fn refusal(&self) -> Option<Refusal> {
        None
    }

    /// Creates one asset.
    fn create(&self, call: AssetsCreateNewAsset) -> impl Future<Output = Result<Asset, CallError>> + Send;

    /// Whether the response to a batch should include the record of each asset.
    const RECORDS: bool;

    /// Creates several assets with one [`AssetsCreateBatch`].
    fn create_batch(&self, call: &Call) -> impl Future<Output = Result<CreatedAssets, CallError>> + Send;
}

impl CreateAssets for Client {
    fn at_once(&self) -> Option<usize> {
        Transport::pace(self).map(|pace| pace.limit)
    }

    fn refusal(&self) -> Option<Refusal> {
        Client::refusal(self)
    }

    async fn create(&self, call: AssetsCreateNewAsset) -> Result<Asset, CallError> {
        self.call(call).await
    }

    const RECORDS: bool = false;

    async fn create_batch(&self, call: &Call) -> Result<CreatedAssets, CallError> {
        send_batch(self, call).await
    }
}

/// Sends a batch once, without retries, so the outcome of a batch without a response is unknown until its files are
/// imported again.
pub(crate) async fn send_batch<T: Transport>(transport: &T, call: &Call) -> Result<CreatedAssets, CallError> {
    let reply = transport.reply(call).await?;
    let created =
        AssetsCreateBatch::output(reply).ok_or_else(|| internal_error("the response belongs to another operation"))?;
    let (seeds, outcomes) = (seeds_of(call).count(), created.view().iterable().iter().count());
    match outcomes == seeds {
        true => Ok(created),
        false => {
            let problem = format!("the response has {outcomes} outcomes for {seeds} seeds");
            Err(unexpected(AssetsCreateBatch::INFO, "$.iterable", problem))
        }
    }
}

/// Returns the seeds of a batch.
pub(crate) fn seeds_of(call: &Call) -> impl Iterator<Item = &Value> {
    let seeds = match call {
        Call::AssetsCreateBatch(AssetsCreateBatch { seeds: Some(seeds), .. }) => seeds.tree()["iterable"].as_array(),
        _ => None,
    };
    seeds.into_iter().flatten()
}

/// Returns a call with these seeds.
pub(super) fn call(seeds: Vec<Seed>, records: bool) -> Result<Call, CallError> {
    let seeds = Value::Array(seeds.into_iter().map(Seed::into_tree).collect());
    let mut tree = json!({ "iterable": [] });
    tree["iterable"] = seeds;
    let seeds = Seeds::from_tree(tree).map_err(|wrong| internal_error(wrong.to_string()))?;
    Ok(AssetsCreateBatch { once: Some(true), records: Some(records), seeds: Some(seeds) }.into())
}

/// Returns the seeds of a rejected batch.
pub(super) fn into_seeds(call: Call) -> Vec<Seed> {
    let tree = match call {
        Call::AssetsCreateBatch(AssetsCreateBatch { seeds: Some(seeds), .. }) => seeds.into_tree()["iterable"].take(),
        _ => Value::Null,
    };
    match tree {
        Value::Array(seeds) => seeds.into_iter().filter_map(|seed| Seed::from_tree(seed).ok()).collect(),
        _ => Vec::new(),
    }
}

/// Returns the outcomes of the seeds of a batch, in order.
pub(super) fn outcomes(created: &CreatedAssets) -> Vec<Outcome> {
    created.view().iterable().iter().map(outcome).collect()
}

fn outcome(created: View<'_, CreatedAsset>) -> Outcome {
    match (created.id().map(str::parse), created.error()) {
        (Some(Ok(id)), _) if created.existing() == Some(true) => Outcome::Existing(id),
        (Some(Ok(id)), _) => Outcome::Imported(id),
        (Some(Err(problem)), _) => {
            Outcome::Rejected(format!("the service created an asset without a usable id: {problem}"))
        }
        (None, Some(error)) => Outcome::Rejected(match created.status() {
            Some(status) => format!("status {status}: {error}"),
            None => error.to_owned(),
        }),
        (None, None) => Outcome::Unknown(format!("{UNKNOWN}: the response does not say")),
    }
}

/// Returns the next files to send together: as many as fit into a batch, but at least one.
pub(super) fn next_files(
    waiting: &mut Peekable<Enumerate<std::vec::IntoIter<FileEntry>>>,
    batches: bool,
) -> Vec<(usize, FileEntry)> {
    let mut files: Vec<(usize, FileEntry)> = Vec::new();
    let mut bytes = 0;
    while files.len() < if batches { FILES } else { 1 } {
        let alike =
            |file: &FileEntry| files.first().is_none_or(|(_, first)| first.is_duplicate() == file.is_duplicate());
        let fits = |(_, file): &(usize, FileEntry)| files.is_empty() || bytes + file.size <= FILE_BYTES && alike(file);
        let Some((index, file)) = waiting.next_if(fits) else { break };
        bytes += file.size;
        files.push((index, file));
    }
    files
}

/// Splits seeds so that each batch stays within the limit on content, in order. A seed over the limit is sent alone.
pub(super) fn split(seeds: Vec<(usize, Seed)>) -> Vec<Vec<(usize, Seed)>> {
    let mut batches: Vec<Vec<(usize, Seed)>> = Vec::new();
    let mut bytes = 0;
    for (index, seed) in seeds {
        let size = content_bytes(&seed);
        match batches.last_mut() {
            Some(batch) if bytes + size <= BATCH_CONTENT_BYTES => batch.push((index, seed)),
            Some(_) | None => {
                batches.push(vec![(index, seed)]);
                bytes = 0;
            }
        }
        bytes += size;
    }
    batches
}

/// Returns the size of the content of a seed, or slightly more, and of the data from an archive.
fn content_bytes(seed: &Seed) -> usize {
    let asset = &seed.tree()["asset"];
    let archived = asset.get("archived").map_or(0, |archived| archived.to_string().len());
    let format = &asset["format"];
    let text = |text: &Value| text.as_str().map_or(0, str::len);
    archived + text(&format["fragment"]["string"]["raw"]) + text(&format["file"]["string"]["base64"]) / 4 * 3
}
