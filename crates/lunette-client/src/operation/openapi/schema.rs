//! Records and their fields as schemas (JSON Schema 2020-12).
//!
//! A record in a request may hold any value where one in a response has a closed enum. A record that occurs in both and
//! differs by this has two schemas; the name of the one in requests ends with `-Input`. An update sends a part of a
//! record that only needs the id: its schema ends with `-Update`. The format of a string in a request says what to send;
//! the service accepts other strings too. Both directions have it, so that what a client read can be sent again.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use crate::model::closed_enum::ClosedEnum;
use crate::model::record::{Field, Record, RecordTable, Schema};
use crate::model::registry;
use crate::model::search_result::StreamedIdentifiers;
use crate::operation::{Input, OperationInfo, StreamInfo};

use super::{object, rules};

/// What a stream sends.
pub(super) const STREAMED: Schema = Schema::Record(StreamedIdentifiers::NAME);

/// Whether a record is in a request or a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// To the service.
    Sent,
    /// From the service.
    Answered,
}

/// The schemas that some operations need.
#[derive(Debug, Default)]
pub(super) struct Schemas {
    sent: BTreeSet<&'static str>,
    answered: BTreeSet<&'static str>,
    /// The records of which a part is sent.
    updates: BTreeSet<&'static str>,
    /// The records that are looser when they are sent.
    loose: BTreeSet<&'static str>,
}

impl Schemas {
    /// Those that these operations and streams need.
    pub(super) fn of(rows: &[&OperationInfo], streams: &[StreamInfo]) -> Self {
        let mut schemas = Self::default();
        for info in rows {
            info.inputs.iter().for_each(|input| schemas.reach_input(info, input));
            if let Some(record) = registry::record(info.answer) {
                reach(Schema::Record(record.name), &mut schemas.answered);
            }
        }
        if !streams.is_empty() {
            reach(STREAMED, &mut schemas.answered);
        }
        for name in schemas.sent.intersection(&schemas.answered) {
            let mut within = BTreeSet::new();
            reach(Schema::Record(name), &mut within);
            if fields_of(&within).any(|field| is_loose(field.schema)) {
                schemas.loose.insert(name);
            }
        }
        schemas
    }

    fn reach_input(&mut self, info: &OperationInfo, input: &Input) {
        match input.schema {
            Schema::Record(name) if info.updates => {
                self.updates.insert(name);
                let fields = registry::record(name).into_iter().flat_map(|record| record.fields);
                fields.for_each(|field| reach(field.schema, &mut self.sent));
            }
            schema => reach(schema, &mut self.sent),
        }
    }

    /// The schema of a body; for an update, that of a part of the record.
    pub(super) fn body(&self, info: &OperationInfo, schema: Schema) -> Value {
        match schema {
            Schema::Record(name) if info.updates && info.needs_body => reference(&part_of(name)),
            Schema::Record(name) if info.updates => {
                json!({ "anyOf": [reference(&part_of(name)), { "type": "null" }] })
            }
            schema if info.needs_body => self.schema(schema, Direction::Sent),
            schema => self.or_null(schema, Direction::Sent),
        }
    }

    /// The schema of a kind; of a record or a list of words, a reference to it.
    pub(super) fn schema(&self, schema: Schema, direction: Direction) -> Value {
        match schema {
            Schema::Text => json!({ "type": "string" }),
            Schema::Uuid => json!({ "type": "string", "format": "uuid" }),
            Schema::Moment => json!({ "type": "string", "format": "date-time" }),
            Schema::Enum(closed_enum) if direction == Direction::Answered => reference(closed_enum.name),
            Schema::Enum(closed_enum) => json!({ "anyOf": [reference(closed_enum.name), { "type": "string" }] }),
            Schema::Bool => json!({ "type": "boolean" }),
            Schema::Int => json!({ "type": "integer" }),
            Schema::Number => json!({ "type": "number" }),
            Schema::Json => json!({}),
            Schema::List(item) => json!({ "type": "array", "items": self.schema(*item, direction) }),
            Schema::Keyed(item) => json!({ "type": "object", "additionalProperties": self.schema(*item, direction) }),
            Schema::Record(name) => reference(&self.name(name, direction)),
        }
    }

    /// The schema of what may be null too.
    pub(super) fn or_null(&self, schema: Schema, direction: Direction) -> Value {
        let mut json = self.schema(schema, direction);
        if let Some(kind) = json.get_mut("type") {
            *kind = json!([kind.clone(), "null"]);
            return json;
        }
        match schema {
            Schema::Json => json,
            _ => json!({ "anyOf": [json, { "type": "null" }] }),
        }
    }

    /// Every schema by its name.
    pub(super) fn components(&self) -> Value {
        let mut components: Vec<(String, Value)> = Vec::new();
        for (names, direction) in [(&self.answered, Direction::Answered), (&self.sent, Direction::Sent)] {
            let records = names.iter().filter_map(|name| registry::record(name));
            components
                .extend(records.map(|record| (self.name(record.name, direction), self.record(record, direction))));
        }
        let updates = self.updates.iter().filter_map(|name| registry::record(name));
        components.extend(updates.map(|record| (part_of(record.name), self.part(record))));
        let words = fields_of(&self.answered)
            .chain(fields_of(&self.sent))
            .chain(fields_of(&self.updates))
            .filter_map(|field| closed_enum(field.schema));
        components.extend(words.map(|closed_enum| (closed_enum.name.to_owned(), enum_schema(closed_enum))));
        components.sort_by(|(one, _), (other, _)| one.cmp(other));
        Value::Object(components.into_iter().collect::<Map<_, _>>())
    }

    fn name(&self, record: &str, direction: Direction) -> String {
        let own = direction == Direction::Sent && self.loose.contains(record);
        if own { format!("{record}-Input") } else { record.to_owned() }
    }

    fn record(&self, record: &RecordTable, direction: Direction) -> Value {
        self.record_requiring(record, direction, |field| field.required)
    }

    /// A part of a record, of which only the id must be there.
    fn part(&self, record: &RecordTable) -> Value {
        let mut schema = self.record_requiring(record, Direction::Sent, |field| field.name == "id");
        schema.as_object_mut().into_iter().for_each(|schema| rules::apply_to_part(record, schema));
        schema
    }

    /// A record of which these fields must be there; all others may be left out or null.
    fn record_requiring(&self, record: &RecordTable, direction: Direction, required: fn(&Field) -> bool) -> Value {
        let property = |field: &Field| match (required(field), field.schema, direction) {
            // Null is as good as nothing, also where anything else is taken.
            (true, Schema::Json, Direction::Sent) => json!({ "not": { "type": "null" } }),
            (true, ..) => self.schema(field.schema, direction),
            (false, ..) => self.or_null(field.schema, direction),
        };
        let properties: Map<_, _> =
            record.fields.iter().map(|field| (field.name.to_owned(), property(field))).collect();
        let mut schema = object([
            ("type", json!("object")),
            ("description", json!(without_sources(record.summary))),
            ("properties", Value::Object(properties)),
            ("required", record.fields.iter().filter(|field| required(field)).map(|field| field.name).collect()),
        ]);
        if let Value::Object(schema) = &mut schema {
            rules::apply_to_both(record, schema);
            if direction == Direction::Sent {
                rules::apply(record, schema);
            }
        }
        schema
    }
}

/// The name of the schema of a part of a record.
fn part_of(record: &str) -> String {
    format!("{record}-Update")
}

/// The schema of a list of words.
pub(super) fn enum_schema(closed_enum: &ClosedEnum) -> Value {
    json!({ "type": "string", "description": closed_enum.summary, "enum": (closed_enum.words)() })
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

/// Adds the records that stand in a kind, however deep.
fn reach(schema: Schema, found: &mut BTreeSet<&'static str>) {
    match schema {
        Schema::List(item) | Schema::Keyed(item) => reach(*item, found),
        Schema::Record(name) => {
            if let (Some(record), true) = (registry::record(name), found.insert(name)) {
                record.fields.iter().for_each(|field| reach(field.schema, found));
            }
        }
        _ => {}
    }
}

fn fields_of(names: &BTreeSet<&'static str>) -> impl Iterator<Item = &'static Field> {
    names.iter().filter_map(|name| registry::record(name)).flat_map(|record| record.fields)
}

fn closed_enum(schema: Schema) -> Option<&'static ClosedEnum> {
    match schema {
        Schema::Enum(closed_enum) => Some(closed_enum),
        Schema::List(item) | Schema::Keyed(item) => closed_enum(*item),
        _ => None,
    }
}

fn is_loose(schema: Schema) -> bool {
    match schema {
        Schema::Enum(_) => true,
        Schema::List(item) | Schema::Keyed(item) => is_loose(*item),
        _ => false,
    }
}

/// A sentence without the sections of documents that the reader of this one does not have.
fn without_sources(sentence: &str) -> String {
    let Some((before, rest)) = sentence.split_once(" (interface,").or_else(|| sentence.split_once(" (records,")) else {
        return sentence.to_owned();
    };
    let after = rest.split_once(')').map_or("", |(_, after)| after);
    format!("{before}{after}")
}
