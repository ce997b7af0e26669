//! The known values of a field, for suggestions.

use std::collections::HashMap;
use std::sync::Arc;

use lunette_client::operation::Method;
use lunette_inspector::State;
use lunette_inspector::filter::{Field, KnownValue, List};
use lunette_inspector::listing::rows::{ApplicationRow, ExternalState, readable_word};
use lunette_inspector::session::log::LogEntry;

/// Returns the known values of a field, in any order and possibly with duplicates: those that occur in the list, with
/// the number of rows, and otherwise all possible ones.
pub(super) fn known_values(field: Field, list: List, state: &State) -> Vec<KnownValue> {
    let words = |words: &[&str]| words.iter().map(|word| KnownValue::from((*word).to_owned())).collect();
    match (list, field) {
        (
            List::Assets | List::Linked,
            Field::Language | Field::Tag | Field::Website | Field::Summary | Field::Application | Field::Folder,
        ) => {
            let known = |(text, count): (&str, usize)| KnownValue { text: text.to_owned(), count: Some(count) };
            state.assets.values().in_field(field).map(known).collect()
        }
        (List::Applications, Field::Name) => {
            counted(state.applications.list.iter(), |row: &Arc<ApplicationRow>, add| add(&readable_word(&row.name)))
        }
        (_, Field::Platform) => of_applications(state, |row| &row.platform),
        (_, Field::Privacy) => of_applications(state, |row| &row.privacy),
        (_, Field::Status) => of_applications(state, |row| &row.status),
        (List::Applications, Field::Version) => of_applications(state, |row| &row.version),
        (_, Field::State) => words(&ExternalState::ALL.map(ExternalState::as_str)),
        (List::Log, Field::Operation) => {
            counted(state.session.log.iter(), |line: &Arc<LogEntry>, add| add(line.info.name))
        }
        (List::Log, Field::Method) => words(&[Method::Get, Method::Post].map(Method::as_str)),
        (_, Field::Score | Field::Sessions | Field::Events) => words(&[">0", ">3", ">10"]),
        (_, Field::Size) => words(&[">10kb", ">1mb", "<1kb"]),
        (_, Field::Created | Field::Updated | Field::Active | Field::At) => {
            words(&["<1d", "<7d", "<1mo", ">1y", "today"])
        }
        (_, Field::Code) => words(&["200", ">=400", ">=500"]),
        (_, Field::Took) => words(&[">100ms", ">1s"]),
        _ => Vec::new(),
    }
}

fn of_applications(state: &State, text: impl Fn(&ApplicationRow) -> &String) -> Vec<KnownValue> {
    counted(state.applications.list.iter(), |row: &Arc<ApplicationRow>, add| add(text(row)))
}

/// Returns every text that occurs, with the number of rows that have it.
fn counted<'a, R: 'a>(
    rows: impl IntoIterator<Item = &'a R>,
    texts: impl Fn(&R, &mut dyn FnMut(&str)),
) -> Vec<KnownValue> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for row in rows {
        texts(row, &mut |text| match counts.get_mut(text) {
            Some(count) => *count += 1,
            None => drop(counts.insert(text.to_owned(), 1)),
        });
    }
    counts.into_iter().map(|(text, count)| KnownValue { text, count: Some(count) }).collect()
}
