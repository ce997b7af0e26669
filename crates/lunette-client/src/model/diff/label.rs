//! Display labels for the paths of a record: `$.tags.iterable` is *Tags*.
//!
//! What must hold: one function labels a path everywhere; in a list, different paths have different labels.

use super::{Path, Step};

/// Steps that say how a record is built, and nothing about what it is of.
const STRUCTURE: [&str; 5] = ["iterable", "reference", "value", "string", "raw"];

impl Path {
    /// What people call the path: "Tags" for `$.tags.iterable`, "Score: reuse" for `$.score.reuse`.
    pub fn label(&self) -> String {
        let keys: Vec<&str> = self.0.iter().filter_map(key).filter(|key| !STRUCTURE.contains(key)).collect();
        let of = match keys.first() {
            Some(&"preview") => " of the preview",
            Some(&"formats") => " of a format",
            _ => "",
        };
        match keys.as_slice() {
            [] => "Entire asset".to_owned(),
            [.., "classification", "specific"] => format!("Language{of}"),
            [.., "fragment"] => format!("Text{of}"),
            [first, rest @ ..] => {
                let rest: Vec<String> = rest.iter().map(|key| key.replace('_', " ")).collect();
                let first = field(first);
                if rest.is_empty() { first } else { format!("{first}: {}", rest.join(", ")) }
            }
        }
    }
}

/// The label of each path of a list; where two would have the same, each has its path behind it.
pub fn labels<'a>(paths: impl Iterator<Item = &'a Path> + Clone) -> Vec<String> {
    let mut labels: Vec<String> = paths.clone().map(Path::label).collect();
    let mut sorted: Vec<&String> = labels.iter().collect();
    sorted.sort();
    let twice: Vec<String> = sorted.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0].clone()).collect();
    for (label, path) in labels.iter_mut().zip(paths) {
        if twice.binary_search(label).is_ok() {
            *label = format!("{label} ({path})");
        }
    }
    labels
}

fn key(step: &Step) -> Option<&str> {
    match step {
        Step::Key(key) => Some(key),
        Step::Place(_) | Step::Id(_) | Step::IdAt(..) => None,
    }
}

/// What a field of the record itself is called.
fn field(key: &str) -> String {
    match key {
        "favorited" => "Favourite".to_owned(),
        "interacted" => "Used".to_owned(),
        "summaries" | "workstream_summaries" => "Workstream summaries".to_owned(),
        _ => {
            let spaced = key.replace('_', " ");
            let mut letters = spaced.chars();
            let first: String = letters.next().map(|letter| letter.to_uppercase().collect()).unwrap_or_default();
            first + letters.as_str()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(keys: &[&str]) -> Path {
        Path(keys.iter().map(|key| Step::Key((*key).to_owned())).collect())
    }

    #[test]
    fn paths_have_readable_labels() {
        for (keys, label) in [
            (&["tags", "iterable"][..], "Tags"),
            (&["name"], "Name"),
            (&["favorited"], "Favourite"),
            (&["score", "reuse"], "Score: reuse"),
            (&["original", "reference", "classification", "specific"], "Language"),
            (&["preview", "base", "reference", "classification", "specific"], "Language of the preview"),
            (&["a_field_of_others"], "A field of others"),
            (&[], "Entire asset"),
        ] {
            assert_eq!(path(keys).label(), label);
        }
        let mut entry = path(&["tags", "iterable"]);
        entry.0.push(Step::IdAt("t".to_owned(), 0));
        assert_eq!(entry.label(), "Tags");
    }

    #[test]
    fn equal_labels_are_disambiguated_by_path() {
        let annotation = |id: &str| {
            let key = |key: &str| Step::Key(key.to_owned());
            Path(vec![key("annotations"), key("iterable"), Step::Id(id.to_owned()), key("text")])
        };
        let labels = labels([annotation("1"), annotation("2"), path(&["name"])].iter());
        assert_eq!(labels[2], "Name");
        assert_eq!(labels[0], "Annotations: text ($.annotations.iterable[id=1].text)");
        assert_ne!(labels[0], labels[1]);
    }
}
