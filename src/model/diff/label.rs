//! Names for people of the places of an asset's record.
//!
//! What must hold: a name is given only to a place that it says wholly; any other place keeps its path.

use super::{Path, Step};

/// Fields of the record itself.
const FIELDS: [(&str, &str); 8] = [
    ("name", "Name"),
    ("favorited", "Favourite"),
    ("score", "Score"),
    ("annotations", "Annotations"),
    ("tags", "Tags"),
    ("websites", "Websites"),
    ("summaries", "Workstream summaries"),
    ("creator", "Creator"),
];

/// Places further in, as keys alone.
const BELOW: [(&[&str], &str); 10] = [
    (&["score", "manual"], "Score: manual"),
    (&["score", "automatic"], "Score: automatic"),
    (&["score", "priority"], "Score: priority"),
    (&["score", "reuse"], "Score: reuse"),
    (&["score", "update"], "Score: update"),
    (&["score", "reference"], "Score: reference"),
    (&["score", "searched"], "Score: searched"),
    (&["annotations", "iterable", "text"], "Annotations: text"),
    (&["original", "reference", "classification", "specific"], "Language"),
    (&["original", "reference", "fragment", "string", "raw"], "Text"),
];

/// The name of a place, if it has one.
pub(super) fn of(path: &Path) -> Option<String> {
    let keys: Vec<&str> = path.0.iter().filter_map(key).collect();
    let known = BELOW.iter().find(|(below, _)| *below == keys.as_slice()).map(|(_, name)| *name);
    let field = || {
        // The list of a field, and an entry of it, are told by the field.
        let ([first, "iterable"] | [first]) = keys.as_slice() else { return None };
        FIELDS.iter().find(|(field, _)| field == first).map(|(_, name)| *name)
    };
    known.or_else(field).map(str::to_owned)
}

fn key(step: &Step) -> Option<&str> {
    match step {
        Step::Key(key) => Some(key),
        Step::Place(_) | Step::Id(_) | Step::IdAt(..) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_that_people_know_have_names_and_others_keep_their_path() {
        let key = |key: &str| Step::Key(key.to_owned());
        let path = |steps: &[Step]| Path(steps.to_vec()).label();
        let tags = [key("tags"), key("iterable"), Step::IdAt("t".to_owned(), 0)];
        assert_eq!((path(&tags[..2]), path(&tags)), ("Tags".to_owned(), "Tags".to_owned()));
        assert_eq!(path(&[key("score"), key("reuse")]), "Score: reuse");
        assert_eq!(path(&[key("name")]), "Name");
        assert_eq!(path(&[key("x_new")]), "$.x_new");
        assert_eq!(
            path(&[tags[0].clone(), tags[1].clone(), Step::Id("t".to_owned()), key("text")]),
            "$.tags.iterable[id=t].text"
        );
    }
}
