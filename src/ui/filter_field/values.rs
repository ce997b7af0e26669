//! The values of a field that are known, to be suggested.

use std::sync::Arc;

use crate::app::State;
use crate::app::change::LinkKind;
use crate::app::filter::{Field, List};
use crate::app::rows::{ApplicationRow, ExternalState};
use crate::model::language::LANGUAGES;
use crate::operation::{Method, OPERATIONS};

/// The known values of a field, in any order, some perhaps twice.
pub(super) fn known(field: Field, list: List, state: &State) -> Vec<String> {
    let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    match field {
        Field::Language => LANGUAGES.iter().map(|language| language.name.to_owned()).collect(),
        Field::Tag => linkable(LinkKind::Tag, state),
        Field::Website => linkable(LinkKind::Website, state),
        Field::Summary => linkable(LinkKind::Summary, state),
        Field::Name if list == List::Applications => of_applications(state, |row| &row.name),
        Field::Platform => of_applications(state, |row| &row.platform),
        Field::Privacy => of_applications(state, |row| &row.privacy),
        Field::Status => of_applications(state, |row| &row.status),
        Field::Version if list == List::Applications => of_applications(state, |row| &row.version),
        Field::State => {
            let states = [ExternalState::Installed, ExternalState::NotInstalled, ExternalState::Anticipated];
            states.map(|state| state.as_str().to_owned()).to_vec()
        }
        Field::Operation => OPERATIONS.iter().map(|info| info.name.to_owned()).collect(),
        Field::Method => [Method::Get, Method::Post].map(|method| method.as_str().to_owned()).to_vec(),
        Field::Score | Field::Sessions | Field::Events => owned(&[">0", ">3", ">10"]),
        Field::Size => owned(&[">10kb", ">1mb", "<1kb"]),
        Field::Created | Field::Updated | Field::Active | Field::At => owned(&["<1d", "<7d", "<1mo", ">1y", "today"]),
        Field::Code => owned(&["200", ">=400", ">=500"]),
        Field::Took => owned(&[">100ms", ">1s"]),
        _ => Vec::new(),
    }
}

fn linkable(kind: LinkKind, state: &State) -> Vec<String> {
    let items = state.linkable.get(&kind).and_then(|items| items.value());
    items.map(|items| items.iter().map(|item| item.text.clone()).collect()).unwrap_or_default()
}

fn of_applications(state: &State, text: impl Fn(&ApplicationRow) -> &String) -> Vec<String> {
    let rows = state.applications.rows.value();
    let rows: &[Arc<ApplicationRow>] = rows.map_or(&[], |rows| rows.as_slice());
    rows.iter().map(|row| text(row).clone()).collect()
}
