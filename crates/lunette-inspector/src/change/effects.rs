//! The effects of a change, as a report lists them.

use serde_json::Value;

use super::{Change, Edit, LinkKind};
use lunette_client::model::diff::diff;

/// The effect of a change on one field; `None` for no value.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangedField {
    /// Its display name.
    pub field: String,
    /// Its value before.
    pub before: Option<Value>,
    /// Its value after.
    pub after: Option<Value>,
}

impl ChangedField {
    fn new(field: &str, before: Option<Value>, after: Option<Value>) -> Self {
        Self { field: field.to_owned(), before, after }
    }

    fn item(kind: LinkKind, before: Option<&str>, after: Option<&str>) -> Self {
        Self::new(kind.one(), before.map(Value::from), after.map(Value::from))
    }
}

impl Change {
    /// The fields that it affects, before and after.
    pub fn changed_fields(&self) -> Vec<ChangedField> {
        let one =
            |field: &str, before: Option<Value>, after: Option<Value>| vec![ChangedField::new(field, before, after)];
        match self {
            Self::Edit { edits, .. } => {
                let field =
                    |edit: &Edit| ChangedField::new(edit.field.as_str(), edit.from.clone(), Some(edit.to.clone()));
                edits.iter().map(field).collect()
            }
            Self::Record { from, to, .. } => diff(from, to)
                .into_iter()
                .map(|field| ChangedField { field: field.path.to_string(), before: field.before, after: field.after })
                .collect(),
            Self::Text { from, to, .. } => one("text", Some(from.as_str().into()), Some(to.as_str().into())),
            Self::Reclassify { from, to, .. } => {
                one("language", from.as_deref().map(Value::from), Some(to.as_str().into()))
            }
            Self::Increment { counter, from, .. } => {
                one(counter.as_str(), from.map(Value::from), from.and_then(|from| from.checked_add(1)).map(Value::from))
            }
            _ => match (self.name().map(Value::from), self.info().removes) {
                (Some(name), true) => one("asset", Some(name), None),
                (Some(name), false) => one("asset", None, Some(name)),
                (None, _) => self.changed_links(),
            },
        }
    }

    fn changed_links(&self) -> Vec<ChangedField> {
        let (link, unlink) = self.links();
        let new = match self {
            Self::LinkNew { kind, text, .. } => Some(ChangedField::item(*kind, None, Some(text))),
            _ => None,
        };
        let added = link.iter().map(|item| ChangedField::item(item.kind, None, Some(item.name())));
        let removed = unlink.iter().map(|item| ChangedField::item(item.kind, Some(item.name()), None));
        new.into_iter().chain(added).chain(removed).collect()
    }
}
