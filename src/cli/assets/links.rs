//! `lunette links`: tags, websites and workstream summaries, listed, merged, split, renamed and deleted.
//!
//! What must hold: a merge or a move changes assets through the same plan as the window, as one step that can be undone; an item is
//! deleted only where no asset is linked to it.

use std::collections::HashSet;

use anyhow::anyhow;
use clap::{Subcommand, ValueEnum};
use serde_json::json;

use lunette_inspector::change::{Item, LinkKind, Recovery};
use lunette_inspector::history::ItemWrite;
use lunette_inspector::journal::{EntryId, EntryRelation};
use lunette_inspector::links::headless::{self, NotWritten};
use lunette_inspector::links::{assets_of, list as read_list};
use lunette_inspector::listing::rows::LinkRow;
use lunette_inspector::listing::{RowList, apply_query};
use lunette_inspector::runs::{BulkOperation, RunRecord};

use crate::cli::asset_id::Selection;
use crate::cli::changes::{self, IN_FLIGHT};
use crate::cli::connect::{self, Service};
use crate::cli::list::{ListOptions, print};
use crate::cli::progress::escaped;
use crate::cli::tag::named;
use crate::cli::target::{ReadTarget, WriteTarget};
use crate::cli::{Failure, data_dir, short_id};

/// What `links` takes.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// What to work on.
    #[arg(value_enum, value_name = "KIND")]
    kind: Kind,
    #[command(subcommand)]
    action: Action,
}

/// The kinds of links.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Kind {
    Tags,
    Websites,
    Summaries,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// List tags, websites or summaries with the number of their assets, optionally filtered.
    List(ListArguments),
    /// Merge several into one: their assets are linked to it, and the others stay without assets.
    Merge(MergeArguments),
    /// Replace one by another on those of the named assets that are linked to it.
    Move(MoveArguments),
    /// Rename a tag, a website or a summary, or change the address of a website.
    Rename(RenameArguments),
    /// Delete those that no asset is linked to.
    Delete(DeleteArguments),
}

#[derive(Debug, clap::Args)]
struct ListArguments {
    #[command(flatten)]
    options: ListOptions,
    #[command(flatten)]
    target: ReadTarget,
    /// Print a JSON array with one object per row.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
struct MergeArguments {
    /// What to merge, each by its name or id.
    #[arg(value_name = "NAME", required = true)]
    names: Vec<String>,
    /// What to merge into, by its name or id.
    #[arg(long, value_name = "NAME")]
    into: String,
    #[command(flatten)]
    target: WriteTarget,
}

#[derive(Debug, clap::Args)]
struct MoveArguments {
    /// What the assets are linked to now, by its name or id.
    #[arg(value_name = "NAME")]
    from: String,
    /// What to link them to instead, by its name or id.
    #[arg(long, value_name = "NAME")]
    to: String,
    #[command(flatten)]
    assets: Selection,
    #[command(flatten)]
    target: WriteTarget,
}

#[derive(Debug, clap::Args)]
struct RenameArguments {
    /// What to rename, by its name or id.
    #[arg(value_name = "NAME")]
    name: String,
    /// The new name.
    #[arg(value_name = "NEW_NAME")]
    to: String,
    /// The new address of a website.
    #[arg(long, value_name = "URL")]
    address: Option<String>,
    #[command(flatten)]
    target: WriteTarget,
}

#[derive(Debug, clap::Args)]
struct DeleteArguments {
    /// What to delete, each by its name or id.
    #[arg(value_name = "NAME", required = true)]
    names: Vec<String>,
    #[command(flatten)]
    target: WriteTarget,
}

impl From<Kind> for LinkKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Tags => Self::Tag,
            Kind::Websites => Self::Website,
            Kind::Summaries => Self::Summary,
        }
    }
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let kind = arguments.kind.into();
    match &arguments.action {
        Action::List(arguments) => list(kind, arguments),
        Action::Merge(arguments) => merge(kind, arguments),
        Action::Move(arguments) => move_assets(kind, arguments),
        Action::Rename(arguments) => rename(kind, arguments),
        Action::Delete(arguments) => delete(kind, arguments),
    }
}

fn list(kind: LinkKind, arguments: &ListArguments) -> Result<(), Failure> {
    let query = arguments.options.query::<LinkRow>()?;
    let read =
        async |service: &Service| read_list(&service.client, kind, service.vendor).await.map_err(connect::failure);
    let rows = RowList::from(connect::run(arguments.target.wanted().with(read))?);
    let indices = apply_query(&rows, &query);
    let shown = indices.iter().take(arguments.options.limit()).filter_map(|index| rows.get(*index as usize));
    print(&shown.map(std::sync::Arc::as_ref).collect::<Vec<&LinkRow>>(), arguments.json, arguments.options.extent())
}

fn merge(kind: LinkKind, arguments: &MergeArguments) -> Result<(), Failure> {
    changes::run(&arguments.target, async |service: &Service| {
        let items = items(service, kind).await?;
        let link = find(&items, kind, &arguments.into)?;
        let mut unlink = Vec::new();
        for name in &arguments.names {
            let item = find(&items, kind, name)?;
            if item.id != link.id && !unlink.contains(&item) {
                unlink.push(item);
            }
        }
        if unlink.is_empty() {
            return Err(Failure::usage(anyhow!("a {} cannot be merged with itself", kind.one())));
        }
        let (mut assets, mut seen) = (Vec::new(), HashSet::new());
        for item in &unlink {
            let linked = assets_of(&service.client, item, service.vendor).await.map_err(connect::failure)?;
            assets.extend(linked.into_iter().filter(|asset| seen.insert(asset.clone())));
        }
        if assets.is_empty() {
            changes::print_line(&format!("nothing to merge: no asset is linked to {}", Item::list(&unlink)));
            return Ok(None);
        }
        let assets: Vec<_> = assets.into_iter().map(|asset| (asset, String::new())).collect();
        let operation = BulkOperation::Relink { link, unlink };
        let title = operation.title(assets.len());
        Ok(Some(RunRecord::of_operation(title, operation, &assets, IN_FLIGHT).into()))
    })
}

fn move_assets(kind: LinkKind, arguments: &MoveArguments) -> Result<(), Failure> {
    let selected = arguments.assets.read()?;
    changes::run(&arguments.target, async |service: &Service| {
        let items = items(service, kind).await?;
        let (link, from) = (find(&items, kind, &arguments.to)?, find(&items, kind, &arguments.from)?);
        if link.id == from.id {
            return Err(Failure::usage(anyhow!("assets cannot be moved from a {} to itself", kind.one())));
        }
        let assets = selected.find(service).await?;
        if assets.is_empty() {
            return Ok(None);
        }
        let operation = BulkOperation::Relink { link, unlink: vec![from] };
        let title = operation.title(assets.len());
        Ok(Some(RunRecord::of_operation(title, operation, &assets, IN_FLIGHT).into()))
    })
}

fn rename(kind: LinkKind, arguments: &RenameArguments) -> Result<(), Failure> {
    let RenameArguments { name, to, address, target } = arguments;
    if to.trim().is_empty() {
        return Err(Failure::usage(anyhow!("the new name is empty")));
    }
    if address.is_some() && kind != LinkKind::Website {
        return Err(Failure::usage(anyhow!("only a website has an address")));
    }
    write_each(kind, std::slice::from_ref(name), target, |item| {
        let url = address.clone().or_else(|| item.url.clone());
        ItemWrite::Rename { to: Item { text: to.trim().to_owned(), url, ..item.clone() }, item }
    })
}

fn delete(kind: LinkKind, arguments: &DeleteArguments) -> Result<(), Failure> {
    write_each(kind, &arguments.names, &arguments.target, ItemWrite::Delete)
}

/// Changes each of these items, or shows the changes for a dry run.
fn write_each(
    kind: LinkKind,
    names: &[String],
    target: &WriteTarget,
    change: impl Fn(Item) -> ItemWrite,
) -> Result<(), Failure> {
    let work = async |service: &Service| {
        let items = items(service, kind).await?;
        let found = names.iter().map(|name| find(&items, kind, name)).collect::<Result<Vec<_>, _>>()?;
        let writes = found.into_iter().map(|item| (change(item), EntryRelation::None)).collect();
        write_all(target, service, writes).await
    };
    connect::run(target.to_change().with(work))
}

/// Undoes changes of items that were made together.
pub(in crate::cli) async fn undo(
    target: &WriteTarget,
    service: &Service,
    inverse: Vec<(ItemWrite, EntryRelation)>,
) -> Result<(), Failure> {
    write_all(target, service, inverse).await
}

/// Makes changes one after another, as steps that are undone together, and reports each; a failed change does not stop
/// the others.
async fn write_all(
    target: &WriteTarget,
    service: &Service,
    writes: Vec<(ItemWrite, EntryRelation)>,
) -> Result<(), Failure> {
    let writer = service.writer(&data_dir::folder(target.data())?, Recovery::None)?;
    let group = (writes.len() > 1).then(EntryId::random);
    let (mut rows, mut counts) = (Vec::new(), [0_usize; 3]);
    for (write, answers) in writes {
        let end = match target.dry_run() {
            true => headless::check(&writer, &write).await,
            false => headless::write(&writer, &write, answers, group).await,
        };
        let (counter, status) = match &end {
            Ok(()) if target.dry_run() => (0, "planned"),
            Ok(()) => (0, "done"),
            Err(NotWritten::Failed(_)) => (1, "failed"),
            Err(NotWritten::Unknown(_)) => (2, "unknown"),
        };
        counts[counter] += 1;
        if !target.json() {
            let what = changes::shown(&write.done());
            crate::cli::print(&format!("{}  {status:9}  {what}\n", write.item().id))?;
        }
        if let Err(why) = &end {
            changes::print_error(&format!(
                "lunette: {status}: {}: {}",
                write.item().id,
                changes::shown(&why.to_string())
            ));
        }
        rows.push(report_row(&write, status, end.err().map(|why| why.to_string())));
    }
    let [done, failed, unknown] = counts;
    if target.json() {
        let counts = json!({ "done": done, "failed": failed, "unknown": unknown });
        let report = json!({ "dry_run": target.dry_run(), "counts": counts, "rows": rows });
        crate::cli::print_json(&format!("{report}\n"))?;
    }
    if !target.dry_run() {
        changes::print_line(&format!("{done} done, {failed} failed, {unknown} unknown"));
    }
    if failed + unknown == 0 { Ok(()) } else { Err(Failure::reported()) }
}

fn report_row(write: &ItemWrite, status: &str, why: Option<String>) -> serde_json::Value {
    let (item, to) = match write {
        ItemWrite::Rename { item, to } => (item, Some(to)),
        ItemWrite::Delete(item) | ItemWrite::Make(item) => (item, None),
    };
    let to = to.map(|to| json!({ "name": to.text, "address": to.url }));
    json!({
        "id": item.id, "name": item.text, "address": item.url, "to": to, "status": status, "why": why,
        "what": write.done(),
    })
}

async fn items(service: &Service, kind: LinkKind) -> Result<Vec<Item>, Failure> {
    let rows = read_list(&service.client, kind, service.vendor).await.map_err(connect::failure)?;
    Ok(rows.iter().map(|row| row.item.clone()).collect())
}

/// Returns the item with this name, address or id, or the unique beginning or end of its id.
fn find(items: &[Item], kind: LinkKind, wanted: &str) -> Result<Item, Failure> {
    let exact = |item: &&Item| item.id == *wanted || item.url.as_deref() == Some(wanted);
    if let Some(item) = items.iter().find(exact) {
        return Ok(item.clone());
    }
    if let Some(item) = named(items.to_vec(), wanted.trim())? {
        return Ok(item);
    }
    let short: Vec<&Item> = items.iter().filter(|item| short_id::names(wanted, &item.id)).collect();
    match short.as_slice() {
        [item] => Ok(Item::clone(item)),
        [] => Err(Failure::failed(anyhow!("there is no {} {wanted:?}", kind.one()))),
        several => {
            let line = |item: &&Item| format!("\n  {}  {}", item.id, escaped(&item.text));
            let lines: String = several.iter().map(line).collect();
            Err(Failure::usage(anyhow!("{wanted:?} matches several; give the id of one of them:{lines}")))
        }
    }
}
