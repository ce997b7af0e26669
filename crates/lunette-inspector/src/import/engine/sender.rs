//! Reads files and sends them to a service, one by one or in batches.
//!
//! What must hold: at most [`MEMORY_MIB`] of content is in memory at a time; a file that cannot be read and a seed that
//! the service rejects do not affect the others.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Semaphore;

use super::batch::{self, CreateAssets};
use super::{FileEntry, NewAsset, Outcome, Rejected, SendMode, failure_reason, outcome, seed};
use crate::CallError;
use crate::Vendor;
use crate::tasks::{CancelFlag, blocking};
use lunette_client::model::seed::Seed;
use lunette_client::operation::table::AssetsCreateNewAsset;

/// The maximum number of concurrent requests for single files to our own service.
pub(super) const IN_FLIGHT: usize = 8;
/// The maximum number of batches in flight: the service stores one while the next ones are read and sent.
const BATCHES_IN_FLIGHT: usize = 3;
/// The maximum size of content in memory, in MiB.
const MEMORY_MIB: u32 = 64;

/// Sends files. Clones share the memory limit.
#[derive(Clone)]
pub(super) struct Sender<C> {
    create: C,
    vendor: Vendor,
    /// Whether the service supports batches, as far as is known.
    batches: Arc<AtomicBool>,
    cancel: CancelFlag,
    memory: Arc<Semaphore>,
}

impl<C: CreateAssets> Sender<C> {
    pub(super) fn new(create: C, sending: SendMode, cancel: CancelFlag) -> Self {
        let batches = Arc::new(AtomicBool::new(sending == SendMode::Batches));
        let memory = Arc::new(Semaphore::new(MEMORY_MIB as usize));
        Self { create, vendor: sending.vendor(), batches, cancel, memory }
    }

    /// Returns whether files are sent in batches.
    pub(super) fn batches(&self) -> bool {
        self.batches.load(Ordering::Relaxed)
    }

    /// Returns the maximum number of concurrent requests.
    pub(super) fn in_flight(&self) -> usize {
        let most = if self.batches() { BATCHES_IN_FLIGHT } else { IN_FLIGHT };
        self.create.at_once().map_or(most, |at_once| most.min(at_once))
    }

    /// Reads these files and sends them; returns the outcome of each, in their order.
    pub(super) async fn send(self, files: Vec<FileEntry>) -> Vec<Outcome> {
        let mib = files.iter().map(|file| file.size).sum::<u64>() / (1024 * 1024);
        let mib = u32::try_from(mib).unwrap_or(MEMORY_MIB).clamp(1, MEMORY_MIB);
        // The semaphore is never closed.
        let _held = Arc::clone(&self.memory).acquire_many_owned(mib).await;
        let (vendor, count) = (self.vendor, files.len());
        let duplicate: Vec<bool> = files.iter().map(FileEntry::is_duplicate).collect();
        let read = blocking(move || files.iter().map(|file| read(file, vendor)).collect());
        let read: Vec<Result<Seed, Rejected>> = match read.await {
            Ok(read) => read,
            Err(panic) => return vec![Outcome::Rejected(format!("could not read it: {panic}")); count],
        };
        let mut outcomes = vec![Outcome::NotSent; count];
        let (mut seeds, mut copies) = (Vec::with_capacity(count), Vec::new());
        for (index, read) in read.into_iter().enumerate() {
            match read {
                Ok(seed) if duplicate[index] => copies.push((index, seed)),
                Ok(seed) => seeds.push((index, seed)),
                Err(rejected) => outcomes[index] = Outcome::Rejected(rejected.reason),
            }
        }
        if seeds.len() > 1 && self.batches() {
            for batch in batch::split(seeds) {
                self.send_batch(batch, &mut outcomes).await;
            }
        } else {
            self.send_singly(seeds, self.vendor.is_lunette().then_some(true), &mut outcomes).await;
        }
        self.send_singly(copies, None, &mut outcomes).await;
        outcomes
    }

    /// Sends seeds one by one; `once` returns an existing asset with the same name and content instead of creating
    /// another.
    async fn send_singly(&self, seeds: Vec<(usize, Seed)>, once: Option<bool>, outcomes: &mut [Outcome]) {
        for (index, seed) in seeds {
            if self.cancel.cancelled() {
                return;
            }
            let call = AssetsCreateNewAsset { transferables: Some(false), once, seed: Some(seed) };
            outcomes[index] = match self.create.create(call).await {
                Err(error) if self.refuses(&error) => Outcome::Stopped(Box::new(error)),
                created => outcome(created),
            };
            if matches!(outcomes[index], Outcome::Stopped(_)) {
                return;
            }
        }
    }

    /// Whether a call failed because the service accepts no writes, so that all others would fail too.
    fn refuses(&self, error: &CallError) -> bool {
        self.create.refusal().is_some_and(|refusal| refusal.explains(error))
    }

    async fn send_batch(&self, batch: Vec<(usize, Seed)>, outcomes: &mut [Outcome]) {
        if self.cancel.cancelled() {
            return;
        }
        let indices: Vec<usize> = batch.iter().map(|(index, _)| *index).collect();
        let seeds: Vec<Seed> = batch.into_iter().map(|(_, seed)| seed).collect();
        let call = match batch::call(seeds, C::RECORDS) {
            Ok(call) => call,
            Err(error) => {
                return indices.into_iter().for_each(|index| outcomes[index] = Outcome::Rejected(error.reason()));
            }
        };
        match self.create.create_batch(&call).await {
            Ok(created) => {
                for (index, outcome) in indices.into_iter().zip(batch::outcomes(&created)) {
                    outcomes[index] = outcome;
                }
            }
            Err(error) if error.outcome_unknown() => {
                indices.into_iter().for_each(|index| outcomes[index] = Outcome::Unknown(failure_reason(&error)));
            }
            // No more can be sent.
            Err(error) if stops(&error) || self.refuses(&error) => {
                indices.into_iter().for_each(|index| outcomes[index] = Outcome::Stopped(Box::new(error.clone())));
            }
            // The whole batch was rejected and created nothing; each file needs its own outcome.
            Err(error) => {
                if error.missing() {
                    self.batches.store(false, Ordering::Relaxed);
                }
                let seeds = indices.into_iter().zip(batch::into_seeds(call)).collect();
                self.send_singly(seeds, self.vendor.is_lunette().then_some(true), outcomes).await;
            }
        }
    }
}

/// Whether a call failed because no service responds.
fn stops(error: &CallError) -> bool {
    matches!(error, CallError::Refused { .. } | CallError::Disconnected { .. })
}

/// Reads a file. A panic affects this file only.
fn read(file: &FileEntry, vendor: Vendor) -> Result<Seed, Rejected> {
    let read = AssertUnwindSafe(|| match &file.new_asset {
        Some(new) => NewAsset::clone(new).seed(vendor).map_err(|reason| Rejected::new(&file.path, reason)),
        None => seed(&file.path, &file.display_path, vendor),
    });
    let panicked = || Rejected::new(&file.path, "could not read it: an internal error");
    catch_unwind(read).unwrap_or_else(|_| Err(panicked()))
}
