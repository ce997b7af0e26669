//! Assets that are skipped in the list because a single one exceeds the limit.

use lunette_client::model::display::beginning;
use lunette_client::model::id::AssetId;
use lunette_client::model::size::grouped;
use lunette_client::operation::elements::Element;

/// The maximum length of a name, in characters.
const MAX_NAME: usize = 80;

/// How many are named; the others are counted.
const NAMED: usize = 5;

/// An asset that is too large to be listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Its index in the list of the service, from 0.
    pub index: u64,
    /// Its id, if it could be read.
    pub id: Option<AssetId>,
    /// Its name, if it could be read.
    pub name: Option<String>,
}

impl LeftOut {
    /// An element of a page.
    pub(super) fn of(element: &Element<'_>) -> Self {
        let name = element.field("name").filter(|name| !name.trim().is_empty());
        Self { index: element.index as u64, id: element.field("id").and_then(|id| id.parse().ok()), name }
    }

    /// Converts the index in a page to the index in the whole list.
    pub(super) fn behind(self, offset: u64) -> Self {
        Self { index: self.index + offset, ..self }
    }
}

/// A message about skipped assets, if there are any.
pub fn describe(left_out: &[LeftOut]) -> Option<String> {
    let name = |one: &LeftOut| match (&one.name, &one.id) {
        (Some(name), _) => format!("“{}”", beginning(name, MAX_NAME)),
        (None, Some(id)) => id.to_string(),
        (None, None) => format!("the asset at position {}", one.index + 1),
    };
    let mut named: Vec<String> = left_out.iter().take(NAMED).map(name).collect();
    if left_out.len() > NAMED {
        named.push(format!("{} more", left_out.len() - NAMED));
    }
    let subject = match left_out.len() {
        0 => return None,
        1 => "Skipped 1 asset that is too large to list".to_owned(),
        many => format!("Skipped {} assets that are too large to list", grouped(many as u64)),
    };
    Some(format!("{subject}: {}", named.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skipped_assets_are_counted_and_the_first_are_named() {
        let at = |index| LeftOut { index, id: None, name: None };
        assert_eq!(describe(&[]), None);
        let message = describe(&[at(6)]).expect("one");
        assert!(message.starts_with("Skipped 1 asset that is too large to list: the asset at position 7"), "{message}");
        let named = describe(&[LeftOut { name: Some("big.csv".to_owned()), ..at(0) }]).expect("one");
        assert!(named.ends_with(": “big.csv”"), "{named}");
        let message = describe(&(0..9).map(at).collect::<Vec<_>>()).expect("nine");
        assert!(message.starts_with("Skipped 9 assets") && message.contains("position 5, 4 more"), "{message}");
    }
}
