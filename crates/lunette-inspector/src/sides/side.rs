//! A side that was read: its assets, and where their whole records are.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use lunette_client::client::Client;
use lunette_client::model::View;
use lunette_client::model::asset::Asset;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::AssetSnapshot;
use serde_json::Value;

use super::facts::Facts;
use super::items::Items;
use super::local::{self, LocalAsset};
use super::past::{self, PastVersions};
use super::read::{Progress, SideError};
use super::reader::ServiceReader;
use crate::assets::content::of_original;
use crate::assets::page::Content;
use crate::change::Field;
use crate::compare::{self, Position, asset_record};
use crate::local_versions::LocalVersions;
use crate::tasks::{CancelFlag, blocking};
use crate::versions::VersionSource;
use crate::{CallError, Vendor};

/// The two sides of a comparison.
#[derive(Debug)]
pub struct Sides {
    /// The left one.
    pub left: Side,
    /// The right one.
    pub right: Side,
}

impl Sides {
    /// One of them.
    pub fn at(&self, at: Position) -> &Side {
        match at {
            Position::Left => &self.left,
            Position::Right => &self.right,
        }
    }

    /// What they are remembered by.
    pub fn names(&self) -> [&str; 2] {
        [&self.left.name, &self.right.name]
    }
}

/// A side that was read. A clone shares what was read.
#[derive(Clone, Debug)]
pub struct Side {
    /// Its name for people.
    pub name: String,
    /// Its assets, each once.
    pub facts: Vec<Arc<Facts>>,
    /// Whether all of it was read: if not, an asset may be there that was not found.
    pub complete: bool,
    /// What could not be read, in sentences.
    pub left_out: Vec<String>,
    records: Arc<Records>,
}

/// Where the whole records of a side are.
#[derive(Debug)]
enum Records {
    /// At a service, with the items whose texts its records leave out.
    Service(Client, Vendor, Arc<Items>),
    /// Some are as they are at a service, the others are versions.
    Past(Client, PastVersions),
    /// Versions that this program keeps of the assets of a service of others.
    Kept(LocalVersions, PastVersions),
    /// In files.
    Local(HashMap<Arc<str>, LocalAsset>),
}

impl Side {
    /// The side of a service that was read.
    pub fn of_service(name: String, client: Client, vendor: Vendor, reader: ServiceReader) -> Self {
        let (facts, left_out, items) = reader.finish();
        let records = Arc::new(Records::Service(client, vendor, items));
        Self { name, facts, complete: left_out.is_empty(), left_out, records }
    }

    /// Reads what a service was at a day, a time or a checkpoint. Where this program keeps its versions, it is asked
    /// nothing.
    ///
    /// # Errors
    ///
    /// Fails if the service keeps no versions or does not respond, or if there is no such time.
    pub async fn of_past(
        name: String,
        source: &VersionSource,
        then: &str,
        progress: &(dyn Fn(Progress) + Send + Sync),
        cancel: &CancelFlag,
    ) -> Result<Self, SideError> {
        let at = past::moment(source, then).await?;
        let client = match source {
            VersionSource::Service(client) => client.clone()?,
            VersionSource::Local(versions, _) => {
                let flag = cancel.clone();
                let read = source.local(move |versions| Ok(past::read_kept(versions, at, &flag))).await??;
                let records = Arc::new(Records::Kept(versions.clone(), read.versions));
                let (facts, left_out) = (read.facts, read.left_out);
                return Ok(Self { name, facts, complete: left_out.is_empty(), left_out, records });
            }
        };
        let mut reader = ServiceReader::new(client.clone(), Vendor::Lunette);
        reader.read(progress, cancel).await?;
        let (now, mut left_out, _) = reader.finish();
        let read = past::read(&client, at, now, cancel).await?;
        left_out.extend(read.left_out);
        let records = Arc::new(Records::Past(client, read.versions));
        Ok(Self { name, facts: read.facts, complete: left_out.is_empty(), left_out, records })
    }

    /// Reads an archive, the library of another program, or a folder of files.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be read.
    pub async fn of_files(name: String, path: PathBuf, cancel: &CancelFlag) -> Result<Self, SideError> {
        let cancel = cancel.clone();
        let read = blocking(move || local::read(&path, &cancel)).await??;
        let facts = read.assets.iter().map(|asset| Arc::clone(&asset.facts)).collect();
        let of_id = read.assets.into_iter().map(|asset| (Arc::clone(&asset.facts.id), asset));
        let records = Arc::new(Records::Local(of_id.collect()));
        Ok(Self { name, facts, complete: read.left_out.is_empty(), left_out: read.left_out, records })
    }

    /// A side of these assets whose records are nowhere, so that they can only be compared.
    pub(crate) fn known(name: &str, facts: Vec<Arc<Facts>>) -> Self {
        let records = Arc::new(Records::Local(HashMap::new()));
        Self { name: name.to_owned(), facts, complete: true, left_out: Vec::new(), records }
    }

    /// Reads some of its assets again, by their ids: the side with what they are now, without those that are gone and
    /// with those that are new. Only a service as it is now can have changed.
    ///
    /// # Errors
    ///
    /// Fails if the service does not respond, or if the reading is cancelled.
    pub async fn read_again<'a>(
        &self,
        ids: impl IntoIterator<Item = &'a Arc<str>>,
        cancel: &CancelFlag,
    ) -> Result<Self, SideError> {
        let mut side = self.clone();
        let Records::Service(client, vendor, items) = &*self.records else { return Ok(side) };
        // Its records may name their items by ids alone, of which some may be new.
        let items = match vendor {
            Vendor::Other => Arc::new(Items::all(client).await?),
            _ => Arc::clone(items),
        };
        let mut read: HashMap<Arc<str>, Option<Arc<Facts>>> = HashMap::new();
        for id in ids {
            if cancel.cancelled() {
                return Err(SideError::Cancelled);
            }
            let facts = match whole(client, id).await {
                Ok(asset) => {
                    let asset = items.named_in(asset);
                    let facts = match vendor {
                        Vendor::Other => Facts::of_foreign(asset.view()),
                        _ => Facts::of_record(asset.view()),
                    };
                    Some(Arc::new(facts.known_by(id)))
                }
                Err(SideError::NoAsset(_) | SideError::Call(CallError::Status { status: 404 | 410, .. })) => None,
                Err(error) => return Err(error),
            };
            read.insert(Arc::clone(id), facts);
        }
        side.facts.retain_mut(|facts| match read.remove(&facts.id) {
            Some(Some(now)) => {
                *facts = now;
                true
            }
            Some(None) => false,
            None => true,
        });
        let mut new: Vec<Arc<Facts>> = read.into_values().flatten().collect();
        new.sort_unstable_by(|one, other| one.id.cmp(&other.id));
        side.facts.extend(new);
        side.records = Arc::new(Records::Service(client.clone(), *vendor, items));
        Ok(side)
    }

    /// The client of its service; `None` if it is not a service as it is now.
    pub fn client(&self) -> Option<(&Client, Vendor)> {
        match &*self.records {
            Records::Service(client, vendor, _) => Some((client, *vendor)),
            Records::Past(..) | Records::Kept(..) | Records::Local(_) => None,
        }
    }

    /// What a record of this side says of a field; `None` if it does not tell it. A service of another program that
    /// leaves a field out does not say that it is empty.
    pub(super) fn says(&self, field: Field, asset: View<'_, Asset>) -> Option<Value> {
        match &*self.records {
            Records::Service(_, Vendor::Other, _) | Records::Kept(..) => field.said(asset),
            Records::Service(..) | Records::Past(..) | Records::Local(_) => field.told(asset),
        }
    }

    /// The whole record of an asset, with its content.
    ///
    /// # Errors
    ///
    /// Fails if the side does not have it, or does not respond.
    pub async fn record(&self, id: &str) -> Result<Asset, SideError> {
        match &*self.records {
            Records::Service(client, _, items) => Ok(items.named_in(whole(client, id).await?)),
            Records::Past(client, versions) => match versions.of(id) {
                Some(version) => past::record(client, id, version).await,
                None => whole(client, id).await,
            },
            Records::Kept(kept, versions) => {
                let number = versions.of(id).ok_or_else(|| SideError::NoAsset(id.to_owned()))?;
                let (kept, id) = (kept.clone(), id.to_owned());
                blocking(move || past::kept_record(&kept, &id, number)).await?
            }
            Records::Local(assets) => {
                let asset = assets.get(id).cloned().ok_or_else(|| SideError::NoAsset(id.to_owned()))?;
                blocking(move || asset.record()).await?
            }
        }
    }

    /// An asset as one side of the side-by-side view. Nothing is copied to it there: what is written is a run.
    ///
    /// # Errors
    ///
    /// Fails as [`Self::record`] does.
    pub async fn compared(&self, id: &str) -> Result<compare::Side, SideError> {
        if let Records::Service(client, vendor, _) = &*self.records {
            let asset = id.parse().map_err(|_| SideError::NoAsset(id.to_owned()))?;
            return Ok(compare::Side { target: None, ..compare::asset_side(client, asset, *vendor).await? });
        }
        let asset = self.record(id).await?;
        let view = asset.view();
        let name = view.name().filter(|name| !name.trim().is_empty()).unwrap_or(id);
        Ok(compare::Side {
            title: name.to_owned(),
            kind: format!("asset · {id} · {}", self.name),
            record: Some(asset_record(view)),
            links: compare::asset_links(view),
            body: match of_original(view) {
                Content::Bytes(bytes) if bytes.len() > compare::MAX_BYTES => {
                    compare::Body::TooLarge(Some(bytes.len() as u64))
                }
                content => content.into(),
            },
            target: None,
        })
    }
}

async fn whole(client: &Client, id: &str) -> Result<Asset, SideError> {
    let asset = id.parse().map_err(|_| SideError::NoAsset(id.to_owned()))?;
    let client = client.with_json_limit(super::reader::JSON_TIMES);
    Ok(crate::Transport::call(&client, AssetSnapshot { asset, transferables: Some(true) }).await?)
}
