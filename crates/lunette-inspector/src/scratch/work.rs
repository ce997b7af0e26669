//! Makes a copy: of the data folder of this program where it has what is copied, and otherwise by reading.

use std::sync::Arc;

use super::Which;
use crate::Vendor;
use crate::output::ProgressEvent;
use crate::session::reporter::ThrottledReporter;
use crate::settings::{Origin, Target};
use crate::sides::{
    Base, Comparison, Facts, Matches, Progress, Scratch, ScratchError, Scratches, ServiceReader, Side, SideError,
    Sides, fill, fill_activities,
};
use crate::tasks::{CancelFlag, blocking};
use crate::{Address, Limits, WritePolicy};
use lunette_client::client::Client;

/// A copy that was made.
pub(crate) struct Made {
    pub copy: Box<dyn Scratch>,
    pub of: Origin,
    /// The assets and activities that are not in it, and why.
    pub unstored: Vec<String>,
}

/// What is copied, and where to.
pub(super) struct Job {
    pub scratches: Arc<dyn Scratches>,
    pub client: Client,
    pub vendor: Vendor,
    pub which: Which,
    pub of: Origin,
    pub cancel: CancelFlag,
    /// What it was begun under.
    pub number: u64,
    pub reporter: ThrottledReporter,
}

impl Job {
    /// Makes the copy, which is kept from then on, and remembers what it was, so that a comparison says who changed
    /// what.
    pub async fn run(self) -> Result<Made, ScratchError> {
        let (mut copy, unstored) = self.copy().await?;
        let facts = facts_of(copy.as_ref(), &self.cancel).await?;
        let (of, folder) = (self.of.clone(), copy.folder());
        let finish = move || {
            remember(facts, &of, &folder)?;
            copy.keep(&of)?;
            Ok::<_, ScratchError>(copy)
        };
        let copy = blocking(finish).await??;
        Ok(Made { copy, of: self.of, unstored })
    }

    fn report(&self, progress: Progress) {
        self.reporter.report(ProgressEvent::Scratch(self.number, progress));
    }

    async fn copy(&self) -> Result<(Box<dyn Scratch>, Vec<String>), ScratchError> {
        if self.which == Which::All && *self.of.target == Target::Embedded {
            return Ok((self.scratches.of_own().await?, Vec::new()));
        }
        let copy = self.scratches.empty().await?;
        let client = self.client.clone().with_write_policy(WritePolicy::ReadOnly).for_run();
        let mut reader = ServiceReader::new(client.clone(), self.vendor);
        let progress = |progress| self.report(progress);
        let chosen: Option<Vec<Arc<str>>> = match &self.which {
            Which::All => None,
            Which::Assets(ids) => Some(ids.iter().map(|id| Arc::from(id.as_str().to_lowercase())).collect()),
        };
        // Services of others name the items of an asset by their ids alone, perhaps.
        if chosen.is_none() || !self.vendor.is_lunette() {
            reader.read(&progress, &self.cancel).await?;
        }
        let side = Side::of_service(self.of.name.clone(), client, self.vendor, reader);
        let ids = match &chosen {
            Some(ids) => ids.clone(),
            None => side.facts.iter().map(|facts| Arc::clone(&facts.id)).collect(),
        };
        let total = ids.len();
        let progress = |now: Progress| self.report(Progress { total: Some(total), ..now });
        let to = copy.destination();
        let mut unstored = fill(&side, &ids, to.as_ref(), &progress, &self.cancel).await?;
        unstored.extend(fill_activities(&side, chosen.as_deref(), to.as_ref(), &self.cancel).await?);
        Ok((copy, unstored))
    }
}

/// What the assets of a copy are.
async fn facts_of(copy: &dyn Scratch, cancel: &CancelFlag) -> Result<Vec<Arc<Facts>>, ScratchError> {
    let address: Address = copy.url().parse().map_err(SideError::from)?;
    let client = Client::new(address, Limits::default()).map_err(SideError::from)?;
    let client = client.with_write_policy(WritePolicy::ReadOnly);
    let mut reader = ServiceReader::new(client.clone(), Vendor::Lunette);
    reader.read(&|_| {}, cancel).await?;
    Ok(Side::of_service(String::new(), client, Vendor::Lunette, reader).facts)
}

/// Remembers in the folder of a copy that both sides are the same.
fn remember(facts: Vec<Arc<Facts>>, of: &Origin, folder: &std::path::Path) -> Result<(), ScratchError> {
    let sides = Sides { left: Side::known(&of.name, facts.clone()), right: Side::known("own", facts) };
    let comparison = Comparison::of(Arc::new(sides), Matches::default(), Arc::default());
    let base = Base::default().after(comparison.rows.iter().map(Arc::as_ref));
    Ok(base.save(folder, comparison.sides.names())?)
}
