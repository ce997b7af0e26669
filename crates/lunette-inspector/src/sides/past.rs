//! What a service was: at a day, a time or a checkpoint, as the service keeps it, or this program for one of others.
//!
//! What must hold: an asset of which it is not recorded what it was tells nothing but its name; a service of others is
//! asked nothing.

use std::collections::HashMap;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use lunette_client::client::Client;
use lunette_client::model::asset::Asset;
use lunette_client::model::id::{AssetId, VersionNumber};
use lunette_client::model::record::{Record as _, View};
use lunette_client::model::version::{PastAsset, PastAssetRow, PastContent};
use serde_json::{Value, json};

use super::facts::Facts;
use super::read::SideError;
use crate::CallError;
use crate::local_versions::{Known, LocalVersions};
use crate::tasks::CancelFlag;
use crate::versions::{self, LONG_LIST, SourceError, VersionSource};

/// The versions of the assets that were something else.
#[derive(Debug, Default)]
pub(super) struct PastVersions(HashMap<Arc<str>, i64>);

impl PastVersions {
    /// The version of an asset; `None` if it is the same now.
    pub fn of(&self, id: &str) -> Option<i64> {
        self.0.get(id).copied()
    }
}

/// What was read of a past.
pub(super) struct Past {
    pub facts: Vec<Arc<Facts>>,
    pub versions: PastVersions,
    pub left_out: Vec<String>,
}

/// The end of a day in the zone of this machine, or a time. One in the future is now; `None` if the text is neither.
pub fn time_of(text: &str) -> Option<Timestamp> {
    let end_of_day = |day: Date| {
        let next = day.tomorrow().and_then(|next| next.to_zoned_datetime(TimeZone::system())).ok()?;
        Some(next.timestamp())
    };
    let at = match text {
        "yesterday" => jiff::ZonedDateTime::now().date().yesterday().ok().and_then(end_of_day),
        _ => text.parse::<Timestamp>().ok().or_else(|| text.parse().ok().and_then(end_of_day)),
    };
    at.map(|at| at.min(Timestamp::now()))
}

/// The time that a text names: that of a checkpoint of this name or id, or a day or time.
pub(super) async fn moment(source: &VersionSource, text: &str) -> Result<Timestamp, SideError> {
    if let Some(at) = time_of(text) {
        return Ok(at);
    }
    let checkpoints = source.checkpoints().await.map_err(|error| match error {
        SourceError::Call(error) => no_past(error),
        error => error.into(),
    })?;
    let known = checkpoints.view().iterable();
    let named = known.iter().find(|one| one.name() == text || one.id() == text);
    named.and_then(|one| one.at().value().parse().ok()).ok_or_else(|| SideError::NoTime(text.to_owned()))
}

/// Reads what there was as far as this program kept it, without a call. Blocks.
pub(super) fn read_kept(versions: &LocalVersions, at: Timestamp, cancel: &CancelFlag) -> Result<Past, SideError> {
    let then = versions.assets_then(at.as_microsecond()).map_err(SourceError::from)?;
    let mut past = Past { facts: Vec::new(), versions: PastVersions::default(), left_out: Vec::new() };
    for row in then.view().iterable().iter() {
        if cancel.cancelled() {
            return Err(SideError::Cancelled);
        }
        let (id, number) = (row.id().to_lowercase(), row.version());
        let named = || Arc::new(Facts::named(&id, row.name().unwrap_or_default()).untold());
        if !row.recorded() {
            past.facts.push(named());
            continue;
        }
        match kept_record(versions, row.id(), number) {
            Ok(asset) => {
                past.facts.push(Arc::new(Facts::of_foreign(asset.view()).known_by(&id)));
                past.versions.0.insert(id.into(), number);
            }
            Err(error) => {
                past.left_out.push(format!("version {number} of {id} could not be read: {error}"));
                past.facts.push(named());
            }
        }
    }
    Ok(past)
}

/// Reads what there was. `now` is what there is: what has the same version is what it was.
pub(super) async fn read(
    client: &Client,
    at: Timestamp,
    now: Vec<Arc<Facts>>,
    cancel: &CancelFlag,
) -> Result<Past, SideError> {
    let many = client.with_json_limit(LONG_LIST);
    let then = versions::assets_then(&many, at.to_string(), AssetThen::of).await.map_err(no_past)?;
    // Asked for after `now` was read: a version that is equal was equal then.
    let number = |row: View<'_, PastAssetRow>| (row.id().to_lowercase(), row.version());
    let current = versions::assets_then(&many, Timestamp::now().to_string(), number).await.map_err(no_past)?;
    let current: HashMap<String, i64> = current.into_iter().collect();
    let now: HashMap<Arc<str>, Arc<Facts>> = now.into_iter().map(|facts| (Arc::clone(&facts.id), facts)).collect();
    let mut past = Past { facts: Vec::new(), versions: PastVersions::default(), left_out: Vec::new() };
    for AssetThen { id, number, name, recorded } in then {
        if cancel.cancelled() {
            return Err(SideError::Cancelled);
        }
        if !recorded {
            past.facts.push(Arc::new(Facts::named(&id, &name).untold()));
            continue;
        }
        if let Some(same) = now.get(id.as_str()).filter(|_| current.get(&id) == Some(&number)) {
            past.facts.push(Arc::clone(same));
            continue;
        }
        match record(client, &id, number).await {
            Ok(asset) => {
                past.facts.push(Arc::new(Facts::of_record(asset.view()).known_by(&id)));
                past.versions.0.insert(id.into(), number);
            }
            Err(SideError::Call(error)) if !crate::runs::silent(&error) => {
                past.left_out.push(format!("version {number} of {id} could not be read: {}", error.reason()));
                past.facts.push(Arc::new(Facts::named(&id, &name).untold()));
            }
            Err(error) => return Err(error),
        }
    }
    Ok(past)
}

/// An asset that there was.
struct AssetThen {
    id: String,
    number: i64,
    name: String,
    recorded: bool,
}

impl AssetThen {
    fn of(row: View<'_, PastAssetRow>) -> Self {
        let name = row.name().unwrap_or_default().to_owned();
        Self { id: row.id().to_lowercase(), number: row.version(), name, recorded: row.recorded() }
    }
}

fn no_past(error: CallError) -> SideError {
    if error.missing() { SideError::NoPast(error) } else { SideError::Call(error) }
}

/// The numbers of a version in the types of the interface.
fn named(id: &str, number: i64) -> Result<(AssetId, VersionNumber), SideError> {
    let no_asset = || SideError::NoAsset(id.to_owned());
    Ok((id.parse().map_err(|_| no_asset())?, number.to_string().parse().map_err(|_| no_asset())?))
}

/// A version in the form of the record of an asset, with its content.
pub(super) async fn record(client: &Client, id: &str, number: i64) -> Result<Asset, SideError> {
    let (asset, version) = named(id, number)?;
    let then = versions::version(client, asset.clone(), version.clone()).await?;
    let content = match versions::content(client, asset, version).await {
        Ok(content) => Some(content),
        Err(error) if error.missing() => None,
        Err(error) => return Err(error.into()),
    };
    Asset::from_any(tree(&then, content.as_ref())).map_err(|_| SideError::NotReadable(id.to_owned()))
}

/// A version that this program kept in the form of the record of an asset, without the fields of which nothing is
/// known. Blocks.
pub(super) fn kept_record(versions: &LocalVersions, id: &str, number: i64) -> Result<Asset, SideError> {
    let (asset, version) = named(id, number)?;
    let Known { record, content, unknown } = versions.known(&asset, &version).map_err(SourceError::from)?;
    let mut tree = tree(&record, content.as_ref());
    for field in unknown {
        match field {
            "generic" | "specific" => {}
            field => drop(tree.as_object_mut().and_then(|fields| fields.shift_remove(field))),
        }
    }
    Asset::from_any(tree).map_err(|_| SideError::NotReadable(id.to_owned()))
}

/// The tree of the record that an asset had.
fn tree(then: &PastAsset, content: Option<&PastContent>) -> Value {
    let then = then.view();
    let time = json!({ "value": then.at().map_or("1970-01-01T00:00:00Z", |at| at.value()) });
    let list = |records: &[Value]| json!({ "iterable": records });
    let links = |records: &[Value]| list(&records.iter().map(with_url).collect::<Vec<_>>());
    let mut tree = then.fields().clone();
    if !tree.is_object() {
        tree = json!({});
    }
    let told = json!({
        "id": then.asset(), "creator": then.creator().unwrap_or(FORMAT), "mechanism": then.mechanism(),
        "created": time, "updated": time, "favorited": then.favorited(),
        "formats": { "iterable": [] }, "original": { "id": FORMAT, "reference": original(&then, content) },
        "preview": { "base": { "id": FORMAT } },
        "tags": links(then.tags().trees()), "websites": links(then.websites().trees()),
        "summaries": links(then.summaries().trees()), "annotations": list(then.annotations().trees()),
    });
    for (field, value) in told.as_object().into_iter().flatten() {
        tree[field] = value.clone();
    }
    if let Some(name) = then.name() {
        tree["name"] = name.into();
    }
    tree
}

/// The id of a format that had none.
const FORMAT: &str = "00000000-0000-4000-8000-000000000000";

/// The original format that an asset had.
fn original(then: &View<'_, PastAsset>, content: Option<&PastContent>) -> Value {
    let mut original = json!({
        "id": FORMAT, "classification": { "generic": then.generic().unwrap_or("TEXT"), "specific": then.specific() },
    });
    if let Some(content) = content.map(|content| content.view()) {
        original["bytes"] = json!({ "value": content.size() });
        match (content.text(), content.base64()) {
            (Some(text), _) => original["fragment"] = json!({ "string": { "raw": text } }),
            (None, Some(bytes)) if STANDARD.decode(bytes).is_ok() => {
                original["file"] = json!({ "string": { "base64": bytes } });
            }
            _ => {}
        }
    }
    original
}

/// A linked item with the fields that the records of items have.
fn with_url(item: &Value) -> Value {
    let mut item = item.clone();
    if item["text"].is_null() && item["name"].is_string() {
        item["text"] = item["name"].clone();
    }
    item
}
