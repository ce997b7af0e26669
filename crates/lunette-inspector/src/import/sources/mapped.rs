//! Maps a candidate to assets with the options of the user.

use lunette_sources::{Candidate, Source};

use super::mapping::{Item, items};
use crate::import::mapping::Mapping;

/// Returns the assets of a candidate. The hash of an item does not depend on the options, so that changing them does
/// not look like a change in the library.
pub(super) fn mapped_items(mapping: Mapping, source: Source, library: &str, candidate: Candidate) -> Vec<Item> {
    if mapping == Mapping::default() || candidate.native.is_some() {
        return items(source, library, candidate);
    }
    let candidate = mapping.join(candidate);
    let full = items(source, library, candidate.clone());
    let mapped = items(source, library, mapping.leave_out(candidate));
    mapped.into_iter().zip(full).map(|(item, full)| Item { hash: full.hash, ..item }).collect()
}

#[cfg(test)]
mod tests {
    use lunette_sources::Fragment;

    use super::*;
    use crate::import::mapping::{Folders, Fragments, Triggers};

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
    fn folders_and_triggers_that_are_dropped_do_not_change_the_hash() {
        let mapping = Mapping { folders: Folders::Nothing, triggers: Triggers::Nothing, ..Mapping::default() };
        let default = mapped_items(Mapping::default(), Source::MASS_CODE, "db.json", candidate());
        let mapped = mapped_items(mapping, Source::MASS_CODE, "db.json", candidate());
        let hashes = |items: &[Item]| items.iter().map(|item| item.hash.clone()).collect::<Vec<_>>();
        assert_eq!(hashes(&default), hashes(&mapped));
        assert_eq!(default[0].new.tags, ["Work/SQL", "Two"]);
        assert_eq!(mapped[0].new.tags, ["Two"]);
        assert!(default[0].new.annotations[0].1.contains("Trigger: tw"));
        assert!(!mapped[0].new.annotations[0].1.contains("Trigger"));
    }

    #[test]
    fn several_fragments_can_become_one_asset() {
        let mapping = Mapping { fragments: Fragments::OneText, ..Mapping::default() };
        let items = mapped_items(mapping, Source::MASS_CODE, "db.json", candidate());
        let [item] = items.as_slice() else { panic!("{items:?}") };
        assert_eq!((item.id.as_str(), item.new.name.as_deref()), ("7", Some("Two")));
        assert_eq!(item.new.content, b"x\n\ny");
    }
}
