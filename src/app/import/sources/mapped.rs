//! The assets of a candidate as the user chose to map it.

use lunette_sources::{Candidate, Source};

use super::mapping::{Item, items};
use crate::app::import::mapping::Mapping;

/// The assets of a candidate. An item has the same hash whatever is left out of it, so that another choice does not look
/// like a change in the library.
pub(super) fn mapped_items(mapping: Mapping, source: Source, library: &str, candidate: Candidate) -> Vec<Item> {
    if mapping == Mapping::default() || candidate.native.is_some() {
        return items(source, library, candidate);
    }
    let candidate = mapping.join(candidate);
    let whole = items(source, library, candidate.clone());
    let mapped = items(source, library, mapping.leave_out(candidate));
    mapped.into_iter().zip(whole).map(|(item, whole)| Item { hash: whole.hash, ..item }).collect()
}

#[cfg(test)]
mod tests {
    use lunette_sources::Fragment;

    use super::*;
    use crate::app::import::mapping::{Folders, Fragments, Triggers};

    fn candidate() -> Candidate {
        let part = |text: &str| Fragment { bytes: text.as_bytes().to_vec(), ..Fragment::default() };
        Candidate {
            source_id: "7".to_owned(),
            name: "Two".to_owned(),
            fragments: vec![part("x"), part("y")],
            folder: vec!["Work".to_owned(), "SQL".to_owned()],
            triggers: vec!["tw".to_owned()],
            ..Candidate::default()
        }
    }

    #[test]
    fn folders_and_triggers_that_become_nothing_leave_the_hash_as_it_is() {
        let mapping = Mapping { folders: Folders::Nothing, triggers: Triggers::Nothing, ..Mapping::default() };
        let default = mapped_items(Mapping::default(), Source::MassCode, "db.json", candidate());
        let mapped = mapped_items(mapping, Source::MassCode, "db.json", candidate());
        let hashes = |items: &[Item]| items.iter().map(|item| item.hash.clone()).collect::<Vec<_>>();
        assert_eq!(hashes(&default), hashes(&mapped));
        assert_eq!(default[0].new.tags, ["Work/SQL", "Two"]);
        assert_eq!(mapped[0].new.tags, ["Two"]);
        assert!(default[0].new.annotations[0].1.contains("Trigger: tw"));
        assert!(!mapped[0].new.annotations[0].1.contains("Trigger"));
    }

    #[test]
    fn several_fragments_become_one_asset_of_the_item() {
        let mapping = Mapping { fragments: Fragments::OneText, ..Mapping::default() };
        let items = mapped_items(mapping, Source::MassCode, "db.json", candidate());
        let [item] = items.as_slice() else { panic!("{items:?}") };
        assert_eq!((item.id.as_str(), item.new.name.as_deref()), ("7", Some("Two")));
        assert_eq!(item.new.content, b"x\n\ny");
    }
}
