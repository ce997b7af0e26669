//! Every record by its name: what describes a record without one in hand starts here.
//!
//! What must hold: each module that declares records is named below. Tests lay this beside the source, and look up every
//! name that a field, an operation's body or an answer refers to.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::record::RecordTable;
use super::{activity, application, asset, conversation, linked, local, related, search_result, seed, value};

const MODULES: [&[RecordTable]; 10] = [
    activity::RECORDS,
    application::RECORDS,
    related::RECORDS,
    asset::RECORDS,
    conversation::RECORDS,
    search_result::RECORDS,
    linked::RECORDS,
    local::RECORDS,
    seed::RECORDS,
    value::RECORDS,
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
    fn every_record_that_a_field_refers_to_is_found_by_its_name() {
        for field in records().flat_map(|record| record.fields) {
            if let Some(name) = named(field.schema) {
                assert!(record(name).is_some(), "{name}");
            }
        }
    }
}
