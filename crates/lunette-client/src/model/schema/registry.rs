//! Every record type by name, for code that describes records.
//!
//! What must hold: each module that declares records is named below. Tests lay this beside the source, and look up
//! every name that a field, an operation's body or a response refers to.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::model::record::RecordTable;
use crate::model::{
    activity, application, asset, conversation, fingerprint, linked, local, material, related, search_result, seed,
    value, version,
};

const MODULES: [&[RecordTable]; 13] = [
    activity::RECORDS,
    application::RECORDS,
    related::RECORDS,
    asset::RECORDS,
    conversation::RECORDS,
    fingerprint::RECORDS,
    search_result::RECORDS,
    linked::RECORDS,
    local::RECORDS,
    material::RECORDS,
    seed::RECORDS,
    value::RECORDS,
    version::RECORDS,
];

static BY_NAME: LazyLock<HashMap<&'static str, &'static RecordTable>> =
    LazyLock::new(|| records().map(|record| (record.name, record)).collect());

/// Every record, module by module.
pub fn records() -> impl Iterator<Item = &'static RecordTable> {
    MODULES.into_iter().flatten()
}

/// The record of this name; names compare as in the document.
pub fn record(name: &str) -> Option<&'static RecordTable> {
    BY_NAME.get(name).copied()
}

/// The fields that services of this program, and of later clients, add to the records of the interface's operations. They
/// are known, and read as they are.
const ADDED: &[(&str, &[&str])] = &[
    ("Application", &["descriptor", "status", "engagement"]),
    ("DetectedExternalApplication", &["state", "identifier", "found_by", "path"]),
    ("Asset", &["accessor"]),
];

/// The fields that are added to a record beside those of its table.
pub fn added_fields(record: &str) -> &'static [&'static str] {
    ADDED.iter().find(|(name, _)| *name == record).map_or(&[], |(_, fields)| fields)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::model::record::Schema;

    fn named(schema: Schema) -> Option<&'static str> {
        match schema {
            Schema::List(item) | Schema::Keyed(item) => named(*item),
            Schema::Record(name) => Some(name),
            _ => None,
        }
    }

    #[test]
    fn no_two_records_have_one_name() {
        let names: HashSet<&str> = records().map(|record| record.name).collect();
        assert_eq!(names.len(), records().count());
    }

    #[test]
    fn added_fields_are_those_of_a_record_and_not_in_its_table() {
        for (name, added) in ADDED {
            let table = record(name).expect("a record");
            assert!(table.fields.iter().all(|field| !added.contains(&field.name)), "{name}");
        }
    }

    #[test]
    fn every_record_that_a_field_refers_to_is_found_by_its_name() {
        for field in records().flat_map(|record| record.fields) {
            if let Some(name) = named(field.schema) {
                assert!(record(name).is_some(), "{name}");
            }
        }
    }
}
