//! The plan of a run as a file: `lunette bulk` reads it, and the window saves planned runs to it.
//!
//! ```json
//! { "version": 1, "title": "…", "in_flight": 4, "each": { "increment": "reuse" }, "assets": ["5f0c1a34-…"] }
//! ```
//!
//! Instead of `each` and `assets` there may be `changes`, a list of different changes. What must hold: any other file
//! is rejected as a whole with the path and the reason; a plan that was written is read back unchanged.

use std::collections::BTreeMap;
use std::io;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::bulk::BulkDraft;
use crate::change::{CHANGES, Change, Edit, Field, Item, LinkKind, UnusableId};
use crate::runs::{BulkOperation, ExportTarget, RunRecord, Task};
use lunette_client::model::id::AssetId;
use lunette_client::model::size::plural;

/// The version of plan files.
const VERSION: u64 = 1;

/// The number of rows in flight if a plan does not say.
const IN_FLIGHT: usize = 4;

/// The fields of a plan.
const FIELDS: [&str; 6] = ["version", "title", "in_flight", "each", "assets", "changes"];

/// The operations on each of many assets.
const WISHES: [&str; 9] =
    ["link", "link_new", "unlink", "relink", "reclassify", "favourite", "increment", "export", "delete"];

/// The file is not a valid plan; the message says where and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadPlan(String);

/// The content of a plan file.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanFile {
    /// The title, if the file has one.
    pub title: Option<String>,
    /// How many are in flight at once, 1 to 8.
    pub in_flight: usize,
    /// The tasks.
    pub work: PlannedWork,
}

/// The tasks of a plan.
#[derive(Clone, Debug, PartialEq)]
pub enum PlannedWork {
    /// One operation on many assets, given with their ids and names, which may be empty.
    Each(BulkOperation, Vec<(AssetId, String)>),
    /// A separate change for each.
    Changes(Vec<Change>),
}

impl PlanFile {
    /// The plan of a run that is shown before it starts; `None` for undo and redo of a batch, which only this history
    /// can do.
    pub fn of(draft: &BulkDraft) -> Option<Self> {
        let work = PlannedWork::Each(draft.operation()?.clone(), draft.assets.to_vec());
        Some(Self { title: Some(draft.title.clone()), in_flight: draft.in_flight, work })
    }

    /// The file.
    pub fn text(&self) -> String {
        let mut plan = json!({ "version": VERSION });
        if let Some(title) = &self.title {
            plan["title"] = title.as_str().into();
        }
        plan["in_flight"] = self.in_flight.into();
        match &self.work {
            PlannedWork::Each(operation, assets) => {
                plan["each"] = tree(operation);
                plan["assets"] = assets.iter().map(asset_tree).collect();
            }
            PlannedWork::Changes(changes) => plan["changes"] = changes.iter().map(tree).collect(),
        }
        format!("{plan:#}\n")
    }

    /// Reads a file.
    pub fn read(bytes: &[u8]) -> Result<Self, BadPlan> {
        // Some editors write a byte order mark.
        let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
        let plan: Value =
            serde_json::from_slice(bytes).map_err(|error| BadPlan(format!("the plan is not valid JSON: {error}")))?;
        let Value::Object(fields) = plan else { return Err(invalid("the plan must be a JSON object")) };
        if let Some(unknown) = fields.keys().find(|name| !FIELDS.contains(&name.as_str())) {
            return Err(invalid(format!("unknown field {unknown:?}; the fields of a plan are {}", FIELDS.join(", "))));
        }
        match fields.get("version") {
            Some(version) if version.as_u64() == Some(VERSION) => {}
            Some(version) => {
                return Err(invalid(format!("the plan has version {version}; this program reads version {VERSION}")));
            }
            None => return Err(invalid(format!("the plan has no version; add \"version\": {VERSION}"))),
        }
        let title = match fields.get("title") {
            None => None,
            Some(Value::String(title)) => Some(title.clone()),
            Some(_) => return Err(invalid("title must be a string")),
        };
        let in_flight = in_flight(fields.get("in_flight"))?;
        Ok(Self { title, in_flight, work: work(&fields)? })
    }

    /// Makes the destination of exports absolute, relative to the working directory.
    pub fn absolute(&mut self) -> io::Result<()> {
        if let PlannedWork::Each(
            BulkOperation::Export { to: ExportTarget::Folder(path) | ExportTarget::Zip(path), .. },
            _,
        ) = &mut self.work
        {
            *path = std::path::absolute(&*path)?;
        }
        Ok(())
    }

    /// Creates the run, starting now.
    pub fn record(self) -> RunRecord {
        let Self { title, in_flight, work } = self;
        match work {
            PlannedWork::Each(operation, assets) => {
                let title = title.unwrap_or_else(|| operation.title(assets.len()));
                RunRecord::of_operation(title, operation, &assets, in_flight)
            }
            PlannedWork::Changes(changes) => {
                let title = title.unwrap_or_else(|| plural(changes.len(), "change"));
                let tasks = changes.into_iter().map(|change| (Task::Change(change), String::new())).collect();
                RunRecord::of_tasks(title, tasks, in_flight)
            }
        }
    }
}

fn invalid(message: impl Into<String>) -> BadPlan {
    BadPlan(message.into())
}

fn tree(value: &impl Serialize) -> Value {
    serde_json::to_value(value).expect("an operation is valid JSON")
}

fn asset_tree((id, name): &(AssetId, String)) -> Value {
    if name.is_empty() { id.as_str().into() } else { json!({ "id": id, "name": name }) }
}

fn in_flight(field: Option<&Value>) -> Result<usize, BadPlan> {
    let Some(field) = field else { return Ok(IN_FLIGHT) };
    let count = field.as_u64().filter(|count| (1..=8).contains(count));
    count
        .map(|count| count as usize)
        .ok_or_else(|| invalid(format!("in_flight must be a number from 1 to 8, not {field}")))
}

fn work(fields: &Map<String, Value>) -> Result<PlannedWork, BadPlan> {
    match (fields.get("each"), fields.get("assets"), fields.get("changes")) {
        (Some(each), Some(assets), None) => Ok(PlannedWork::Each(each_operation(each)?, assets_of(assets)?)),
        (None, None, Some(changes)) => Ok(PlannedWork::Changes(changes_of(changes)?)),
        (None, None, None) => Err(invalid("the plan has no changes; add \"each\" and \"assets\", or \"changes\"")),
        (Some(_), None, None) => Err(invalid("the plan has \"each\" but no \"assets\"; add \"assets\"")),
        (None, Some(_), None) => Err(invalid("the plan has \"assets\" but no \"each\"; add \"each\"")),
        (_, _, Some(_)) => Err(invalid("the plan has both \"changes\" and \"each\" or \"assets\"; remove one of them")),
    }
}

fn list<'a>(name: &str, field: &'a Value) -> Result<&'a [Value], BadPlan> {
    match field.as_array() {
        Some(items) if items.is_empty() => Err(invalid(format!("{name} is empty; add at least one entry"))),
        Some(items) => Ok(items),
        None => Err(invalid(format!("{name} must be a list"))),
    }
}

/// A value at a path, after its operation was checked to be one of these.
fn read_operation<T: DeserializeOwned>(path: &str, value: &Value, known: &[&str]) -> Result<T, BadPlan> {
    let name = match value {
        Value::String(name) => name,
        Value::Object(fields) if fields.len() == 1 => fields.keys().next().map_or("", String::as_str),
        _ => return Err(invalid(format!("{path} must be one operation, such as {{\"increment\": …}}"))),
    };
    if !known.contains(&name) {
        return Err(invalid(format!("{path}: unknown operation {name:?}; the operations are {}", known.join(", "))));
    }
    T::deserialize(value).map_err(|error| invalid(format!("{path}.{name}: {error}")))
}

fn each_operation(each: &Value) -> Result<BulkOperation, BadPlan> {
    let operation: BulkOperation = read_operation("each", each, &WISHES)?;
    if let Task::Change(change) = operation.task(&AssetId::random(), "") {
        check(&format!("each.{}", change.info().name), &change)?;
    }
    Ok(operation)
}

/// Checks the parts of a change that its form does not.
fn check(path: &str, change: &Change) -> Result<(), BadPlan> {
    match change {
        Change::Relink { link, unlink, .. } => relinked(path, link, unlink),
        Change::LinkNew { kind, unlink, .. } => replaced(path, *kind, unlink),
        Change::Edit { edits, .. } => edits_fit(path, edits),
        change => {
            let (link, unlink) = change.links();
            link.iter().chain(unlink).try_for_each(|item| item_id(path, item))
        }
    }
}

fn item_id(path: &str, item: &Item) -> Result<(), BadPlan> {
    item.id.usable().map_err(|UnusableId { problem, .. }| invalid(format!("{path}.id: {problem}")))
}

fn relinked(path: &str, link: &[Item], unlink: &[Item]) -> Result<(), BadPlan> {
    if unlink.is_empty() {
        return Err(invalid(format!("{path}.unlink is empty; add at least one item, or use link")));
    }
    let kinds = link.iter().chain(unlink).map(|item| item.kind);
    if kinds.clone().zip(kinds.skip(1)).any(|(one, other)| one != other) {
        return Err(invalid(format!("{path} has items of several kinds; only items of one kind replace each other")));
    }
    if link.iter().any(|item| unlink.iter().any(|other| other.id.eq_ignore_ascii_case(&item.id))) {
        return Err(invalid(format!("{path} links an item that it unlinks")));
    }
    link.iter().chain(unlink).try_for_each(|item| item_id(path, item))
}

/// Checks the items that a new one replaces; there may be none.
fn replaced(path: &str, kind: LinkKind, unlink: &[Item]) -> Result<(), BadPlan> {
    if unlink.iter().any(|item| item.kind != kind) {
        return Err(invalid(format!("{path} has items of several kinds; only items of one kind replace each other")));
    }
    unlink.iter().try_for_each(|item| item_id(path, item))
}

fn assets_of(field: &Value) -> Result<Vec<(AssetId, String)>, BadPlan> {
    let (mut assets, mut seen) = (Vec::new(), BTreeMap::new());
    for (index, value) in list("assets", field)?.iter().enumerate() {
        let (id, name) = match value {
            Value::String(id) => (id.as_str(), String::new()),
            Value::Object(fields) => named_asset(fields)
                .ok_or_else(|| invalid(format!("assets[{index}] must be an id or {{\"id\": …, \"name\": …}}")))?,
            _ => return Err(invalid(format!("assets[{index}] must be an id, not {value}"))),
        };
        let id: AssetId = id.parse().map_err(|error| invalid(format!("assets[{index}]: {error}")))?;
        // UUIDs are case-insensitive.
        if let Some(first) = seen.insert(id.as_str().to_lowercase(), index) {
            return Err(invalid(format!("assets[{index}] repeats assets[{first}], {id}; list each asset once")));
        }
        assets.push((id, name));
    }
    Ok(assets)
}

fn named_asset(fields: &Map<String, Value>) -> Option<(&str, String)> {
    let plain = fields.keys().all(|name| name == "id" || name == "name");
    let name = match fields.get("name") {
        None => "",
        Some(name) => name.as_str()?,
    };
    plain.then_some((fields.get("id")?.as_str()?, name.to_owned()))
}

fn changes_of(field: &Value) -> Result<Vec<Change>, BadPlan> {
    let mut known: Vec<_> = CHANGES.iter().filter(|info| info.in_plan_files).map(|info| info.name).collect();
    known.dedup();
    let (mut changes, mut seen) = (Vec::new(), BTreeMap::new());
    for (index, value) in list("changes", field)?.iter().enumerate() {
        let at = format!("changes[{index}]");
        let change: Change = read_operation(&at, value, &known)?;
        check(&at, &change)?;
        if let Some(first) = seen.insert(tree(&change).to_string().to_lowercase(), index) {
            return Err(invalid(format!("{at} repeats changes[{first}] of {}; list each change once", change.asset())));
        }
        changes.push(change);
    }
    Ok(changes)
}

fn edits_fit(path: &str, edits: &[Edit]) -> Result<(), BadPlan> {
    if edits.is_empty() {
        return Err(invalid(format!("{path}.edit.edits is empty; add at least one field")));
    }
    let unfit = edits.iter().find(|edit| match edit.field {
        Field::Name | Field::Description => !edit.to.is_string(),
        Field::Favorited => !edit.to.is_boolean(),
    });
    unfit.map_or(Ok(()), |Edit { field, to, .. }| {
        let kind = if *field == Field::Favorited { "true or false" } else { "a string" };
        Err(invalid(format!("{path}.edit: {} must be {kind}, not {to}", field.as_str())))
    })
}

#[cfg(test)]
mod tests;
