//! Earlier versions of an asset: listed, shown, restored and forgotten, and the assets as they were on a day.
//!
//! Those of a service of others are the ones that this program keeps.
//!
//! What must hold: nothing is said of a version that was not recorded but that it was not; a restore is a step of the
//! history, and leaves what changed meanwhile.

use anyhow::anyhow;
use jiff::Timestamp;
use jiff::tz::TimeZone;

use lunette_client::model::id::{AssetId, BadId, VersionNumber};
use lunette_client::model::record::Record as _;
use lunette_client::model::size::plural;
use lunette_client::model::time;
use lunette_client::model::version::{AssetVersions, PastAsset};
use lunette_client::operation::table::AssetSnapshot;
use lunette_inspector::assets::content;
use lunette_inspector::assets::page::Content;
use lunette_inspector::compare::{Side, version_side};
use lunette_inspector::listing::Columns as _;
use lunette_inspector::runs::{RunRecord, Task};
use lunette_inspector::undo::HeadlessHistory;
use lunette_inspector::versions::{self, SourceError, TextChange, ThenRow, VersionRow, Whole};

use crate::cli::asset_id;
use crate::cli::changes::{self, Planned};
use crate::cli::connect::{self, Service};
use crate::cli::list::{self, Extent};
use crate::cli::progress::whole;
use crate::cli::target::{ReadTarget, WriteTarget};
use crate::cli::{Failure, data_dir, new, print, print_json, print_message};

/// Reads the number of a version.
pub(in crate::cli) fn number(text: &str) -> Result<VersionNumber, BadId> {
    text.parse()
}

/// Splits `ID@N`; None if the text ends in no number of a version.
pub(in crate::cli) fn at_version(text: &str) -> Option<(&str, VersionNumber)> {
    let (asset, version) = text.rsplit_once('@').filter(|(asset, _)| !asset.is_empty())?;
    Some((asset, version.parse().ok()?))
}

/// Returns the asset that a text means. One that was deleted is meant by its id alone, since no list has it.
async fn find(service: &Service, text: &str) -> Result<AssetId, Failure> {
    Ok(asset_id::find(service, text).await?.0)
}

/// Prints the versions of an asset, the newest first; with a text, those in which it came or went.
pub(in crate::cli) fn list(
    text: &str,
    find_text: Option<&str>,
    target: &ReadTarget,
    (limit, as_json): (Option<usize>, bool),
) -> Result<(), Failure> {
    let (mut rows, versions, found) = connect::run(target.wanted().with(async |service: &Service| {
        let source = service.versions()?;
        let asset = find(service, text).await?;
        let versions = source.list(asset.clone()).await.map_err(failure)?;
        let found = match find_text {
            None => None,
            Some(text) => Some(versions::find_text(&source, &asset, &versions, text).await.map_err(failure)?),
        };
        let mut rows = VersionRow::all(&versions);
        let history = HeadlessHistory::open(&data_dir::folder(target.wanted().data)?, &service.connection);
        match history {
            Ok(history) => history.name_steps(&mut rows, &asset, source.is_local()),
            Err(error) => print_message(&format!("the steps that wrote these versions are not named: {error}")),
        }
        Ok((rows, versions, found))
    }))?;
    if versions.view().iterable().is_empty() && !as_json {
        print_message("no versions yet: Lunette has not seen this asset before");
    }
    if let Some(found) = &found {
        rows = changing(rows, found);
    }
    rows.truncate(limit.unwrap_or(usize::MAX));
    list::print(&rows.iter().collect::<Vec<_>>(), as_json, Extent::of(limit.is_none()))?;
    if !as_json {
        tell_unread(found.as_deref().unwrap_or_default());
        tell_limits(&versions);
    }
    Ok(())
}

/// The versions in which a text came or went, marked so.
fn changing(rows: Vec<VersionRow>, found: &[(u32, Option<bool>)]) -> Vec<VersionRow> {
    let marked = |mut row: VersionRow| {
        row.mark_text(TextChange::at(found, u32::try_from(row.number).ok()?)?);
        Some(row)
    };
    rows.into_iter().filter_map(marked).collect()
}

/// Says how many versions were not searched, and that the text is in none of the others.
fn tell_unread(found: &[(u32, Option<bool>)]) {
    if !found.is_empty() && found.iter().all(|(_, has)| *has != Some(true)) {
        print_message("the text is in no version that can be searched");
    }
    match found.iter().filter(|(_, has)| has.is_none()).count() {
        0 => {}
        1 => print_message("1 version cannot be searched: its content is not known"),
        count => print_message(&format!("{count} versions cannot be searched: their contents are not known")),
    }
}

/// Says what the list does not have: what came before the first version, and times in which none were kept.
fn tell_limits(versions: &AssetVersions) {
    let view = versions.view();
    match view.ended() {
        Some(ended) => print_message(&format!("versions up to {ended} are no longer kept")),
        None if !view.from_creation() => {
            print_message("what the asset was before the first of these versions is not recorded")
        }
        None => {}
    }
    for gap in view.gaps().iter().flat_map(|gaps| gaps.iter()) {
        let time = |end: &str| gap[end]["readable"].as_str().unwrap_or("now").to_owned();
        let watched = gap["times"].is_null();
        let what = if watched { "no versions were kept" } else { "nobody watched all the time" };
        print_message(&format!("from {} to {} {what}", time("from"), time("to")));
    }
}

/// The failure of a verb that needed versions.
fn failure(error: SourceError) -> Failure {
    match error {
        SourceError::Call(error) => connect::failure(error),
        error => Failure::failed(anyhow!(error)),
    }
}

async fn read(service: &Service, asset: &AssetId, version: &VersionNumber) -> Result<Whole, Failure> {
    versions::read(&service.versions()?, asset.clone(), version.clone()).await.map_err(failure)
}

/// Reads a version as one side of a comparison.
pub(in crate::cli) async fn side(service: &Service, text: &str, version: &VersionNumber) -> Result<Side, Failure> {
    let asset = find(service, text).await?;
    let Whole { record, content, .. } = read(service, &asset, version).await?;
    Ok(version_side(record.view(), content))
}

/// Prints a version of an asset: its fields and its text, its content alone, or both as JSON.
pub(in crate::cli) fn show(
    (text, version): (&str, &VersionNumber),
    target: &ReadTarget,
    (as_json, content_alone): (bool, bool),
) -> Result<(), Failure> {
    let found = connect::run(target.wanted().with(async |service: &Service| {
        let asset = find(service, text).await?;
        read(service, &asset, version).await
    }))?;
    let Whole { record, content, unread } = found;
    if content_alone {
        let why = if unread { "the content was not read when the asset was so" } else { "this version has no content" };
        let content = content.ok_or_else(|| Failure::failed(anyhow!(why)))?;
        return crate::cli::show::write_bytes(&content);
    }
    let text = content.and_then(|content| String::from_utf8(content).ok());
    if as_json {
        let mut tree = record.tree().clone();
        tree["content"] = text.into();
        return print_json(&format!("{tree:#}\n"));
    }
    print(&as_text(&record, text.as_deref()))
}

/// Returns a line per field that the version has, and its text below.
fn as_text(record: &PastAsset, text: Option<&str>) -> String {
    let view = record.view();
    let listed = |field: &str| record.tree()[field].as_array().map(Vec::as_slice).unwrap_or_default().iter();
    let joined = |field: &str, key: &str| -> String {
        listed(field).filter_map(|one| one[key].as_str()).collect::<Vec<_>>().join(", ")
    };
    let annotations = |descriptions: bool| -> String {
        let wanted = listed("annotations").filter(|one| (one["type"] == "DESCRIPTION") == descriptions);
        wanted.filter_map(|one| one["text"].as_str()).collect::<Vec<_>>().join(", ").replace('\n', " ")
    };
    let at = view
        .at()
        .map(|at| format!("{} ({})", at.value(), time::ago(at.value(), Timestamp::now(), &TimeZone::system())));
    let fields = [
        ("name", view.name().unwrap_or_default().to_owned()),
        ("id", view.asset().to_owned()),
        ("version", format!("{}{}", view.version(), if view.current() { " (now)" } else { "" })),
        ("written", at.unwrap_or_else(|| "not recorded".to_owned())),
        ("language", view.specific().unwrap_or_default().to_owned()),
        ("tags", joined("tags", "text")),
        ("websites", joined("websites", "url")),
        ("summaries", joined("summaries", "name")),
        ("description", annotations(true)),
        ("annotations", annotations(false)),
        ("favourite", if view.favorited() { "yes" } else { "no" }.to_owned()),
        ("deleted", view.deleted().unwrap_or_default().to_owned()),
    ];
    let fields = fields.iter().filter(|(_, value)| !value.is_empty());
    let mut lines: String = fields.map(|(name, value)| format!("{name:<12} {}\n", whole(value))).collect();
    match text {
        Some(text) => {
            lines.push('\n');
            lines.push_str(text);
            if !text.is_empty() && !text.ends_with('\n') {
                lines.push('\n');
            }
        }
        None => lines.push_str("content      none, or not text; write it to a file with --content\n"),
    }
    lines
}

/// Restores a version of an asset as one step of the history; of one that was deleted for good, as a new asset.
pub(in crate::cli) fn restore(text: &str, version: &VersionNumber, target: &WriteTarget) -> Result<(), Failure> {
    changes::run(target, async |service: &Service| {
        let asset = find(service, text).await?;
        let then = read(service, &asset, version).await?;
        match deletion(service, &asset).await?.as_deref() {
            Some("purged") => recreate(service, target, then).await.map(|()| None),
            Some(_) => {
                let advice = "`lunette undelete` brings it back; restore the version then";
                Err(Failure::failed(anyhow!("the asset is in the Trash: {advice}")))
            }
            None => plan(service, &asset, version, &then).await,
        }
    })
}

/// How an asset was deleted, if it was.
async fn deletion(service: &Service, asset: &AssetId) -> Result<Option<String>, Failure> {
    let versions = service.versions()?.list(asset.clone()).await.map_err(failure)?;
    Ok(versions.view().iterable().first().and_then(|current| current.deleted()).map(str::to_owned))
}

/// The changes that restore a version, each with what it replaces.
async fn plan(
    service: &Service,
    asset: &AssetId,
    version: &VersionNumber,
    then: &Whole,
) -> Result<Option<Planned>, Failure> {
    let snapshot = AssetSnapshot { asset: asset.clone(), transferables: Some(false) };
    let now = service.client.call(snapshot).await.map_err(connect::failure)?;
    let content = content::whole(&service.client, asset.clone(), service.vendor).await.map_err(connect::failure)?;
    let now_text = match &content {
        Content::Text(text) => Some(text.as_ref()),
        Content::Bytes(_) | Content::Large(_) | Content::Part(..) | Content::None => None,
    };
    let restore = versions::restore(now.view(), now_text, then.record.view(), then.text());
    for left in &restore.left {
        print_message(&format!("not restored: {left}"));
    }
    if restore.changes.is_empty() {
        print_message(&format!("the asset is like version {version} already, so nothing was done"));
        return Ok(None);
    }
    let name = now.view().name().unwrap_or_default().to_owned();
    let shown = if name.is_empty() { asset.as_str() } else { &name };
    let title = format!("Restored version {version} of “{shown}”");
    let tasks = restore.changes.into_iter().map(|change| (Task::Change(change), name.clone())).collect();
    Ok(Some(RunRecord::of_tasks(title, tasks, 1).after_checkpoint().into()))
}

/// Creates an asset from a version of one that was deleted for good.
async fn recreate(service: &Service, target: &WriteTarget, then: Whole) -> Result<(), Failure> {
    let made = versions::new_asset(&then).map_err(failure)?;
    if target.dry_run() {
        return new::preview(&made, target.json());
    }
    let folder = data_dir::folder(target.data())?;
    print_message("the asset was deleted for good, so it comes back as a new one with another id");
    let row = new::make(service, &folder, made).await?;
    match target.json() {
        true => print_json(&format!("{:#}\n", row.record())),
        false => print(&format!("{}  {}\n", row.id(), crate::cli::progress::escaped(row.name()))),
    }
}

/// Forgets the versions of an asset, or the one that `ID@N` names, which cannot be undone.
pub(in crate::cli) fn forget(text: &str, target: &WriteTarget) -> Result<(), Failure> {
    let forgotten = connect::run(target.to_change().with(async |service: &Service| match at_version(text) {
        Some((asset, version)) => forget_one(service, asset, version, target.dry_run()).await,
        None => forget_all(service, text, target.dry_run()).await,
    }))?;
    let verb = if target.dry_run() { "would be forgotten" } else { "forgotten; backups keep what they have" };
    let what = plural(forgotten, "earlier version");
    match target.json() {
        true => {
            print_json(&format!("{:#}\n", serde_json::json!({ "forgotten": forgotten, "dry_run": target.dry_run() })))
        }
        false => print(&format!("{what} {verb}\n")),
    }
}

/// Forgets all versions of an asset; returns how many they are.
async fn forget_all(service: &Service, text: &str, dry_run: bool) -> Result<usize, Failure> {
    let asset = find(service, text).await?;
    let source = service.versions()?;
    let known = source.list(asset.clone()).await.map_err(failure)?;
    let count = known.view().iterable().len();
    if !dry_run {
        source.forget(asset).await.map_err(failure)?;
    }
    // Here all are forgotten, and a service keeps what the asset is now.
    Ok(if source.is_local() { count } else { count.saturating_sub(1) })
}

/// Forgets one version of an asset; returns how many that is.
async fn forget_one(service: &Service, text: &str, version: VersionNumber, dry_run: bool) -> Result<usize, Failure> {
    let asset = find(service, text).await?;
    let source = service.versions()?;
    if dry_run {
        source.version(asset, version).await.map_err(failure)?;
    } else {
        source.forget_one(asset, version).await.map_err(failure)?;
    }
    Ok(1)
}

/// Prints the assets that there were at a time, the one last changed first.
pub(in crate::cli) fn list_at(
    at: &str,
    wanted: connect::Wanted<'_>,
    limit: Option<usize>,
    as_json: bool,
) -> Result<(), Failure> {
    let at = moment(at)?;
    let mut rows = connect::run(wanted.with(async |service: &Service| {
        let versions = service.versions()?.for_long_list();
        versions.assets_then(at, ThenRow::of).await.map_err(failure)
    }))?;
    rows.sort_by(|a, b| b.updated.cmp(&a.updated));
    let unrecorded = rows.iter().filter(|row| !row.recorded).count();
    rows.truncate(limit.unwrap_or(usize::MAX));
    list::print(&rows.iter().collect::<Vec<_>>(), as_json, Extent::of(limit.is_none()))?;
    if unrecorded > 0 && !as_json {
        print_message(&format!(
            "what {unrecorded} assets were then is not recorded; they are shown as they were first known"
        ));
    }
    Ok(())
}

/// The end of a day in the zone of this machine, or a time. One in the future is now.
fn moment(text: &str) -> Result<Timestamp, Failure> {
    lunette_inspector::sides::time_of(text).ok_or_else(|| {
        Failure::usage(anyhow!(
            "{text:?} is neither a day such as 2026-01-31 or yesterday nor a time such as 2026-01-31T18:00:00Z"
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_asset_is_named_with_a_version_only_by_a_number_behind_an_at_sign() {
        let split = |text| at_version(text).map(|(asset, version)| (asset, version.number()));
        assert_eq!(split("abcd@3"), Some(("abcd", 3)));
        assert_eq!(split("mail@example@12"), Some(("mail@example", 12)));
        for text in ["abcd", "@3", "abcd@", "abcd@0", "abcd@03", "mail@example.org"] {
            assert_eq!(split(text), None, "{text}");
        }
    }

    #[test]
    fn a_day_means_its_end_and_never_the_future() {
        let day = moment("2026-01-31").expect("a time");
        assert_eq!(day.to_zoned_datetime(TimeZone::system()).date().to_string(), "2026-02-01");
        assert_eq!(moment("2026-01-31T18:00:00Z").expect("a time").to_string(), "2026-01-31T18:00:00Z");
        assert!(moment("9998-01-01").expect("a time") <= Timestamp::now());
        assert!(moment("last week").is_err());
    }
}
