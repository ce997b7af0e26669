//! The plan of a run as a file: what `lunette bulk` reads, and what the window saves of a run that is looked at.
//!
//! ```json
//! { "version": 1, "title": "…", "in_flight": 4, "each": { "increment": "reuse" }, "assets": ["5f0c1a34-…"] }
//! ```
//!
//! Instead of `each` and `assets` there may be `changes`, a list of different ones. What must hold: a file that is not
//! just this is refused as a whole, and the sentence says where and why; what is written reads back as it was.

use std::collections::BTreeMap;
use std::io;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::app::bulk::{BulkDraft, BulkOperation, ExportPlace, RunRecord, Task};
use crate::app::change::{Change, Edit, Field, Item, LinkKind};
use lunette_client::model::id::{AssetId, BadId, TagId, WebsiteId, WorkstreamSummaryId};

/// The version of plan files.
const VERSION: u64 = 1;

/// How many are in flight where a plan does not say.
const IN_FLIGHT: usize = 4;

/// The fields of a plan.
const FIELDS: [&str; 6] = ["version", "title", "in_flight", "each", "assets", "changes"];

/// What can be done to each of many assets.
const WISHES: [&str; 8] = ["link", "link_new", "unlink", "reclassify", "favourite", "increment", "export", "delete"];

/// What can be done to one asset.
const CHANGES: [&str; 9] =
    ["link", "unlink", "link_new", "edit", "record", "text", "reclassify", "increment", "delete"];

/// A file that is no plan; the sentence says where and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadPlan(String);

/// A plan as its file has it.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanFile {
    /// What is done, in a sentence; None where the file does not say.
    pub title: Option<String>,
    /// How many are in flight at once, 1 to 8.
    pub in_flight: usize,
    /// What is to be done.
    pub work: PlannedWork,
}

/// What a plan is about.
#[derive(Clone, Debug, PartialEq)]
pub enum PlannedWork {
    /// One wish for many assets: id, and name for people, which may be empty.
    Each(BulkOperation, Vec<(AssetId, String)>),
    /// A change of its own for each.
    Changes(Vec<Change>),
}

impl PlanFile {
    /// The plan of a run that is looked at; None where it undoes or redoes a batch, which is nobody's but this
    /// history's.
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
        // Editors of some systems put a mark before UTF-8.
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

    /// Takes the place of exports from the folder the program runs in, once and for all.
    pub fn absolute(&mut self) -> io::Result<()> {
        if let PlannedWork::Each(
            BulkOperation::Export { to: ExportPlace::Folder(path) | ExportPlace::Zip(path), .. },
            _,
        ) = &mut self.work
        {
            *path = std::path::absolute(&*path)?;
        }
        Ok(())
    }

    /// The run that begins now.
    pub fn record(self) -> RunRecord {
        let Self { title, in_flight, work } = self;
        match work {
            PlannedWork::Each(operation, assets) => {
                let title = title.unwrap_or_else(|| operation.title(assets.len()));
                RunRecord::of_operation(title, operation, &assets, in_flight)
            }
            PlannedWork::Changes(changes) => {
                let title = title.unwrap_or_else(|| match changes.len() {
                    1 => "1 change".to_owned(),
                    count => format!("{count} changes"),
                });
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

/// A value at a place, once its operation is known to be one of these.
fn read_operation<T: DeserializeOwned>(place: &str, value: &Value, known: &[&str]) -> Result<T, BadPlan> {
    let name = match value {
        Value::String(name) => name,
        Value::Object(fields) if fields.len() == 1 => fields.keys().next().map_or("", String::as_str),
        _ => return Err(invalid(format!("{place} must be one operation, such as {{\"increment\": …}}"))),
    };
    if !known.contains(&name) {
        return Err(invalid(format!("{place}: unknown operation {name:?}; the operations are {}", known.join(", "))));
    }
    T::deserialize(value).map_err(|error| invalid(format!("{place}.{name}: {error}")))
}

fn each_operation(each: &Value) -> Result<BulkOperation, BadPlan> {
    let operation = read_operation("each", each, &WISHES)?;
    match &operation {
        BulkOperation::Link(item) => item_id("each.link", item)?,
        BulkOperation::Unlink(item) => item_id("each.unlink", item)?,
        BulkOperation::LinkNew { .. }
        | BulkOperation::Reclassify(_)
        | BulkOperation::Favourite(_)
        | BulkOperation::Increment(_)
        | BulkOperation::Export { .. }
        | BulkOperation::Delete => {}
    }
    Ok(operation)
}

fn item_id(place: &str, item: &Item) -> Result<(), BadPlan> {
    let id = item.id.as_str();
    let read: Result<(), BadId> = match item.kind {
        LinkKind::Tag => id.parse::<TagId>().map(drop),
        LinkKind::Website => id.parse::<WebsiteId>().map(drop),
        LinkKind::Summary => id.parse::<WorkstreamSummaryId>().map(drop),
    };
    read.map_err(|error| invalid(format!("{place}.id: {error}")))
}

fn assets_of(field: &Value) -> Result<Vec<(AssetId, String)>, BadPlan> {
    let (mut assets, mut seen) = (Vec::new(), BTreeMap::new());
    for (place, value) in list("assets", field)?.iter().enumerate() {
        let (id, name) = match value {
            Value::String(id) => (id.as_str(), String::new()),
            Value::Object(fields) => named_asset(fields)
                .ok_or_else(|| invalid(format!("assets[{place}] must be an id or {{\"id\": …, \"name\": …}}")))?,
            _ => return Err(invalid(format!("assets[{place}] must be an id, not {value}"))),
        };
        let id: AssetId = id.parse().map_err(|error| invalid(format!("assets[{place}]: {error}")))?;
        // A UUID is the same in capitals.
        if let Some(first) = seen.insert(id.as_str().to_lowercase(), place) {
            return Err(invalid(format!("assets[{place}] repeats assets[{first}], {id}; list each asset once")));
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
    let (mut changes, mut seen) = (Vec::new(), BTreeMap::new());
    for (place, value) in list("changes", field)?.iter().enumerate() {
        let at = format!("changes[{place}]");
        let change: Change = read_operation(&at, value, &CHANGES)?;
        match &change {
            Change::Link { item, .. } | Change::Unlink { item, .. } => item_id(&at, item)?,
            Change::Edit { edits, .. } => edits_fit(&at, edits)?,
            Change::LinkNew { .. }
            | Change::Record { .. }
            | Change::Text { .. }
            | Change::Reclassify { .. }
            | Change::Increment { .. }
            | Change::Create { .. }
            | Change::Delete { .. }
            | Change::Restore { .. }
            | Change::Purge { .. }
            | Change::Recreate { .. } => {}
        }
        if let Some(first) = seen.insert(tree(&change).to_string().to_lowercase(), place) {
            return Err(invalid(format!("{at} repeats changes[{first}] of {}; list each change once", change.asset())));
        }
        changes.push(change);
    }
    Ok(changes)
}

fn edits_fit(place: &str, edits: &[Edit]) -> Result<(), BadPlan> {
    if edits.is_empty() {
        return Err(invalid(format!("{place}.edit.edits is empty; add at least one field")));
    }
    let unfit = edits.iter().find(|edit| match edit.field {
        Field::Name | Field::Description => !edit.to.is_string(),
        Field::Favorited => !edit.to.is_boolean(),
    });
    unfit.map_or(Ok(()), |Edit { field, to, .. }| {
        let kind = if *field == Field::Favorited { "true or false" } else { "a string" };
        Err(invalid(format!("{place}.edit: {} must be {kind}, not {to}", field.as_str())))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::change::Counter;
    use lunette_client::model::export::ExportType;

    const A: &str = "5f0c1a34-0b7e-4c5d-9a51-2f6f3d1ae159";

    fn refused(text: &str) -> String {
        PlanFile::read(text.as_bytes()).expect_err(text).to_string()
    }

    #[test]
    fn a_plan_reads_back_as_written() {
        let item = Item { kind: LinkKind::Tag, id: "t/1 ü".to_owned(), text: "a \"b\"".to_owned(), url: None };
        let to = ExportPlace::Zip("/tmp/a b.zip".into());
        for each in [
            BulkOperation::Link(item.clone()),
            BulkOperation::LinkNew { kind: LinkKind::Website, text: "w".to_owned(), url: Some("http://a".to_owned()) },
            BulkOperation::Unlink(item),
            BulkOperation::Reclassify("rs".to_owned()),
            BulkOperation::Favourite(false),
            BulkOperation::Increment(Counter::Reuse),
            BulkOperation::Export { kind: ExportType::Md, to },
            BulkOperation::Delete,
        ] {
            let assets = vec![(AssetId::random(), String::new()), (AssetId::random(), "=1 \u{202e}".to_owned())];
            let plan = PlanFile { title: Some("t".to_owned()), in_flight: 8, work: PlannedWork::Each(each, assets) };
            assert_eq!(PlanFile::read(plan.text().as_bytes()).as_ref(), Ok(&plan), "{}", plan.text());
        }
        let asset = AssetId::random();
        let edits = vec![Edit { field: Field::Name, from: None, to: "x".into() }];
        let changes = vec![
            Change::Edit { asset: asset.clone(), edits },
            Change::Increment { asset: asset.clone(), counter: Counter::Reuse, from: None },
            Change::Delete { asset, name: String::new(), made: None },
        ];
        let plan = PlanFile { title: None, in_flight: 1, work: PlannedWork::Changes(changes) };
        assert_eq!(PlanFile::read(plan.text().as_bytes()), Ok(plan));
    }

    #[test]
    fn the_shortest_plan_is_one() {
        let plan =
            PlanFile::read(format!("\u{feff}{{\"version\":1,\"each\":\"delete\",\"assets\":[\"{A}\"]}}").as_bytes());
        let plan = plan.expect("a plan");
        assert_eq!((plan.title.as_deref(), plan.in_flight), (None, IN_FLIGHT));
    }

    #[test]
    fn an_invalid_plan_is_refused_with_position_and_reason() {
        let each = |each: &str| format!(r#"{{"version":1,"each":{each},"assets":["{A}"]}}"#);
        let assets = |assets: &str| format!(r#"{{"version":1,"each":{{"increment":"reuse"}},"assets":{assets}}}"#);
        let changes = |changes: &str| format!(r#"{{"version":1,"changes":{changes}}}"#);
        let upper = A.to_uppercase();
        for (text, message) in [
            (
                "{\n  \"version\": 1,,\n}".to_owned(),
                "the plan is not valid JSON: key must be a string at line 2 column 16",
            ),
            (String::new(), "the plan is not valid JSON: EOF while parsing a value at line 1 column 0"),
            ("[]".to_owned(), "the plan must be a JSON object"),
            (
                r#"{"version":1,"asets":[]}"#.to_owned(),
                "unknown field \"asets\"; the fields of a plan are version, title",
            ),
            (r#"{"each":"delete"}"#.to_owned(), "the plan has no version; add \"version\": 1"),
            (r#"{"version":2}"#.to_owned(), "the plan has version 2; this program reads version 1"),
            (r#"{"version":1}"#.to_owned(), "the plan has no changes"),
            (r#"{"version":1,"each":"delete"}"#.to_owned(), "add \"assets\""),
            (r#"{"version":1,"assets":[]}"#.to_owned(), "add \"each\""),
            (r#"{"version":1,"changes":[],"assets":[]}"#.to_owned(), "remove one of them"),
            (r#"{"version":1,"title":1}"#.to_owned(), "title must be a string"),
            (r#"{"version":1,"in_flight":9}"#.to_owned(), "in_flight must be a number from 1 to 8, not 9"),
            (r#"{"version":1,"in_flight":0.5}"#.to_owned(), "in_flight must be a number from 1 to 8, not 0.5"),
            (each("{\"explode\":1}"), "each: unknown operation \"explode\"; the operations are link, link_new, unlink"),
            (each("[]"), "each must be one operation"),
            (each("{\"increment\":\"fame\"}"), "each.increment: unknown variant `fame`, expected one of `reuse`"),
            (each("{\"link\":{\"kind\":\"tag\",\"id\":\"..\"}}"), "each.link.id: \"..\" is not a valid id"),
            (each("{\"link\":{\"kind\":\"tag\",\"id\":\"1\",\"color\":2}}"), "each.link: unknown field `color`"),
            (assets("[]"), "assets is empty; add at least one entry"),
            (assets("{}"), "assets must be a list"),
            (assets("[\"all\"]"), "assets[0]: \"all\" is not a UUID such as"),
            (assets("[1]"), "assets[0] must be an id, not 1"),
            (assets("[{\"name\":\"x\"}]"), "assets[0] must be an id or {\"id\": …, \"name\": …}"),
            (assets(&format!("[\"{A}\",\"{upper}\"]")), "assets[1] repeats assets[0]"),
            (changes("[{\"create\":{}}]"), "changes[0]: unknown operation \"create\""),
            (
                changes("[{\"increment\":{\"asset\":\"1\",\"counter\":\"reuse\"}}]"),
                "changes[0].increment: \"1\" is not a UUID",
            ),
            (changes(&format!("[{{\"edit\":{{\"asset\":\"{A}\",\"edits\":[]}}}}]")), "changes[0].edit.edits is empty"),
            (
                changes(&format!("[{{\"edit\":{{\"asset\":\"{A}\",\"edits\":[{{\"field\":\"name\",\"to\":1}}]}}}}]")),
                "changes[0].edit: name must be a string, not 1",
            ),
        ] {
            let refused = refused(&text);
            assert!(refused.contains(message), "{text}: {refused}");
        }
    }

    #[test]
    fn duplicate_changes_are_refused_and_different_changes_of_one_asset_are_not() {
        let change = |counter: &str| format!(r#"{{"increment":{{"asset":"{A}","counter":"{counter}"}}}}"#);
        let plan = |a: &str, b: &str| format!(r#"{{"version":1,"changes":[{},{}]}}"#, change(a), change(b));
        assert!(refused(&plan("reuse", "reuse")).contains("changes[1] repeats changes[0]"));
        assert!(PlanFile::read(plan("reuse", "update").as_bytes()).is_ok());
    }
}
