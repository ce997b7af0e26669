//! Earlier versions of assets: listing, reading and forgetting them, all assets as they were at a time, and checkpoints.
//!
//! What must hold: nothing is said of a version that was not recorded, or is damaged, but that it was not or is.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jiff::Timestamp;
use lunette_client::model::record::Record as _;
use lunette_client::model::version::{
    AssetVersions, Checkpoint, Checkpoints, PastAsset, PastContent, SeededCheckpoint, VersionBounds,
};
use lunette_client::operation::table::{
    AssetVersionContent, AssetVersionForget, AssetVersionSnapshot, AssetVersionsForget, AssetVersionsSnapshot,
    AssetsThen, CheckpointsCreate, CheckpointsDelete, CheckpointsSnapshot, VersionBoundsChange, VersionBoundsSnapshot,
};
use serde_json::{Map, Value, json};

use super::assets::needed;
use crate::http::spool::ResponseText;
use crate::input::bounds;
use crate::store::PastBounds;
use crate::store::past::{self, Deletion, PastItem, PastRelated, PastState, Version, VersionEntry};
use crate::store::records::format::Content;
use crate::{RequestContext, Service, ServiceError, record};

/// Lists the versions of an asset.
pub(crate) fn of_asset(
    service: &Service,
    _: &RequestContext,
    op: AssetVersionsSnapshot,
) -> Result<AssetVersions, ServiceError> {
    let asset = op.asset.as_str();
    let _memory = service.reserve_memory(service.store.past_content_size(asset)?)?;
    let versions = service.store.versions_of(asset)?;
    let entries: Vec<Value> =
        versions.entries.iter().enumerate().map(|(index, entry)| version(entry, index == 0)).collect();
    let gap =
        |(began, ended): &(i64, Option<i64>)| json!({ "from": record::stamp(*began), "to": ended.map(record::stamp) });
    let mut tree = json!({ "asset": asset, "iterable": entries, "from_creation": versions.from_creation });
    let PastBounds { days, versions: most, bytes } = service.store.past_bounds();
    tree["kept"] = json!({ "days": days, "versions": most, "bytes": bytes });
    set(&mut tree, "ended", versions.ended.map(Value::from));
    let gaps: Vec<Value> = versions.gaps.iter().map(gap).collect();
    set(&mut tree, "gaps", (!gaps.is_empty()).then_some(Value::Array(gaps)));
    Ok(AssetVersions::from_tree(tree)?)
}

/// Sets a field that has a value.
fn set(tree: &mut Value, field: &str, value: Option<Value>) {
    if let Some(value) = value {
        tree[field] = value;
    }
}

/// How a deletion is told.
fn deleted(deletion: Deletion) -> Option<Value> {
    match deletion {
        Deletion::Present => None,
        Deletion::Trashed => Some("trash".into()),
        Deletion::Purged => Some("purged".into()),
    }
}

fn version(entry: &VersionEntry, current: bool) -> Value {
    let mut tree = json!({ "version": entry.number, "current": current, "changed": entry.changed });
    set(&mut tree, "at", entry.at.map(record::stamp));
    set(&mut tree, "client", entry.client.as_deref().map(Value::from));
    set(&mut tree, "application", entry.application.as_deref().map(Value::from));
    if let Some(lines) = &entry.lines {
        tree["added"] = lines.added.into();
        tree["removed"] = lines.removed.into();
        tree["first_line"] = lines.first.as_str().into();
    }
    set(&mut tree, "bytes", entry.bytes.map(Value::from));
    set(&mut tree, "deleted", deleted(entry.deletion));
    set(&mut tree, "missing", entry.missing.map(Value::from));
    set(&mut tree, "secret", entry.secret.as_deref().map(Value::from));
    tree
}

/// Reads a version of an asset.
pub(crate) fn one(service: &Service, _: &RequestContext, op: AssetVersionSnapshot) -> Result<PastAsset, ServiceError> {
    let number = op.version.number().into();
    let version = service.store.version_of(op.asset.as_str(), number, past::Read::Record)?;
    let mut tree = past_asset(&version);
    tree["creator"] = service.store.identity().user.as_str().into();
    Ok(PastAsset::from_tree(tree)?)
}

fn past_asset(version: &Version) -> Value {
    let Version { asset, number, current, at, state, deleted_items, .. } = version;
    let PastState { deletion, name, mechanism, favorited, language, .. } = state;
    let items = |kind: &str, write: fn(&str, &PastItem) -> Value| -> Value {
        let listed = state.items.iter().filter(|(_, item)| item.kind == kind);
        let written = |(id, item): (&String, &PastItem)| {
            let mut tree = write(id, item);
            set(&mut tree, "deleted", deleted_items.contains(id).then_some(true.into()));
            tree
        };
        listed.map(written).collect()
    };
    let related = |kind: &str| -> Value {
        state.related.iter().filter(|(_, one)| one.kind == kind).map(|(id, one)| related(id, one)).collect()
    };
    let named = |(id, name): (&String, &Option<String>)| json!({ "id": id, "name": name });
    let annotations =
        state.annotations.iter().map(|(id, text)| json!({ "id": id, "type": text.kind, "text": text.text }));
    let mut tree = json!({
        "asset": asset, "version": number, "current": current, "mechanism": mechanism,
        "favorited": favorited.unwrap_or_default(),
        "tags": items("tag", |id, item| json!({ "id": id, "text": item.name })),
        "websites": items("website", |id, item| json!({ "id": id, "url": item.key, "name": item.name })),
        "summaries": items("summary", |id, item| json!({ "id": id, "name": item.name })),
        "persons": related("person"), "anchors": related("anchor"), "hints": related("hint"),
        "conversations": state.conversations.iter().map(named).collect::<Value>(),
        "annotations": annotations.collect::<Value>(),
        "fields": object(&state.document),
    });
    set(&mut tree, "at", at.map(record::stamp));
    set(&mut tree, "deleted", deleted(*deletion));
    set(&mut tree, "name", name.as_deref().map(Value::from));
    if let Some((generic, specific)) = language {
        tree["generic"] = generic.as_str().into();
        tree["specific"] = specific.as_str().into();
    }
    tree
}

fn object(document: &str) -> Value {
    Value::Object(serde_json::from_str::<Map<String, Value>>(document).unwrap_or_default())
}

fn related(id: &str, one: &PastRelated) -> Value {
    json!({ "id": id, "record": object(&one.document), "link": object(&one.link) })
}

/// Reads the content of a version. Our choice: a part of a text begins and ends between characters, at the last place that
/// is not behind what was asked for.
pub(crate) fn content(
    service: &Service,
    _: &RequestContext,
    op: AssetVersionContent,
) -> Result<PastContent, ServiceError> {
    let AssetVersionContent { asset, version, offset, limit } = op;
    let _memory = service.reserve_memory(service.store.past_content_size(asset.as_str())?)?;
    let found = service.store.version_of(asset.as_str(), version.number().into(), past::Read::Content)?;
    let content = found.content.ok_or_else(|| {
        ServiceError::bad_request(format!("version {version} of the asset has no content: it was deleted for good"))
            .with_status(404)
    })?;
    let size = content.as_bytes().len();
    let place = |place: u64| usize::try_from(place).unwrap_or(usize::MAX).min(size);
    let offset = place(offset.unwrap_or_default());
    let end = offset.saturating_add(place(limit.unwrap_or(u64::MAX))).min(size);
    let (offset, part) = match &content {
        Content::Text(text) => {
            let offset = text.floor_char_boundary(offset);
            (offset, json!({ "text": &text[offset..text.floor_char_boundary(end).max(offset)] }))
        }
        Content::Bytes(bytes) => (offset, json!({ "base64": STANDARD.encode(&bytes[offset..end]) })),
    };
    let mut tree = json!({ "asset": asset, "version": found.number, "size": size, "offset": offset });
    if let (Value::Object(tree), Value::Object(part)) = (&mut tree, part) {
        tree.extend(part);
    }
    Ok(PastContent::from_tree(tree)?)
}

/// The most days and versions that are kept.
const MOST: u32 = 1_000_000;
/// The most bytes that they take: what every client reads as a number.
const MOST_BYTES: u64 = 1 << 53;

fn told_bounds(service: &Service) -> Result<VersionBounds, ServiceError> {
    let PastBounds { days, versions, bytes } = service.store.past_bounds();
    Ok(VersionBounds::from_tree(json!({ "days": days, "versions": versions, "bytes": bytes }))?)
}

/// Says how many versions are kept.
pub(crate) fn bounds(
    service: &Service,
    _: &RequestContext,
    _: VersionBoundsSnapshot,
) -> Result<VersionBounds, ServiceError> {
    told_bounds(service)
}

/// Sets how many versions are kept.
pub(crate) fn set_bounds(
    service: &Service,
    _: &RequestContext,
    op: VersionBoundsChange,
) -> Result<VersionBounds, ServiceError> {
    let body: VersionBounds = needed(op.bounds, "the bounds, with `days`, `versions` and `bytes`")?;
    let within = |field: &str, value: i64, most: u64| {
        u64::try_from(value).ok().filter(|value| *value <= most).ok_or_else(|| {
            ServiceError::bad_request(format!("the field `{field}` is {value}; it has to be from 0 to {most}"))
        })
    };
    let small = |field: &str, value: i64| within(field, value, MOST.into()).map(|value| value as u32);
    let view = body.view();
    let (days, versions) = (small("days", view.days())?, small("versions", view.versions())?);
    service.store.set_past_bounds(PastBounds { days, versions, bytes: within("bytes", view.bytes(), MOST_BYTES)? })?;
    told_bounds(service)
}

/// Forgets the versions of an asset.
pub(crate) fn forget(service: &Service, _: &RequestContext, op: AssetVersionsForget) -> Result<(), ServiceError> {
    Ok(service.store.forget_versions(op.asset.as_str())?)
}

/// Forgets one version of an asset.
pub(crate) fn forget_one(service: &Service, _: &RequestContext, op: AssetVersionForget) -> Result<(), ServiceError> {
    Ok(service.store.forget_version(op.asset.as_str(), op.version.number().into())?)
}

/// Lists the assets that there were at a time.
pub(crate) fn assets_then(
    service: &Service,
    caller: &RequestContext,
    op: AssetsThen,
) -> Result<ResponseText, ServiceError> {
    let at: Timestamp = op
        .at
        .parse()
        .map_err(|_| ServiceError::bad_request(format!("{:?} is not a time such as 2026-11-20T18:00:00Z", op.at)))?;
    let at = at.as_microsecond();
    let assets = service.store.assets_at(at)?;
    let row = |then: &past::AssetThen| {
        let mut tree = json!({ "id": then.id, "version": then.version, "recorded": then.recorded });
        set(&mut tree, "name", then.name.as_deref().map(Value::from));
        set(&mut tree, "specific", then.language.as_ref().map(|(_, specific)| specific.as_str().into()));
        set(&mut tree, "updated", then.updated.map(record::stamp));
        tree
    };
    let mut list = record::List::plain(service, caller);
    for then in &assets {
        if list.add(&row(then)).is_break() {
            break;
        }
    }
    list.finish_with(&format!("\"at\":{}", record::stamp(at)))
}

fn checkpoint(one: &past::Checkpoint) -> Value {
    let mut tree = json!({ "id": one.id, "name": one.name, "at": record::stamp(one.at) });
    set(&mut tree, "assets", one.assets.as_ref().map(|assets| json!(assets)));
    set(&mut tree, "automatic", one.automatic.then_some(true.into()));
    tree
}

/// Lists the checkpoints.
pub(crate) fn checkpoints(
    service: &Service,
    _: &RequestContext,
    _: CheckpointsSnapshot,
) -> Result<Checkpoints, ServiceError> {
    let all: Vec<Value> = service.store.checkpoints()?.iter().map(checkpoint).collect();
    Ok(Checkpoints::from_tree(json!({ "iterable": all }))?)
}

/// Makes a checkpoint.
pub(crate) fn make_checkpoint(
    service: &Service,
    _: &RequestContext,
    op: CheckpointsCreate,
) -> Result<Checkpoint, ServiceError> {
    let body: SeededCheckpoint = needed(op.checkpoint, "the checkpoint to make, with its `name`")?;
    let name = bounds::NAME.check(body.view().name().trim())?;
    if name.is_empty() {
        return Err(ServiceError::bad_request("the field `name` is empty"));
    }
    let assets = body.view().assets().map(|assets| assets.iter().map(str::to_owned).collect());
    let automatic = body.view().automatic().unwrap_or_default();
    let made = service.store.make_checkpoint(name.to_owned(), assets, automatic)?;
    Ok(Checkpoint::from_tree(checkpoint(&made))?)
}

/// Deletes a checkpoint.
pub(crate) fn delete_checkpoint(
    service: &Service,
    _: &RequestContext,
    op: CheckpointsDelete,
) -> Result<(), ServiceError> {
    Ok(service.store.delete_checkpoint(op.checkpoint.as_str())?)
}
