//! All kinds of changes, in random order: each version is what the asset was.

use super::*;
use crate::store::records::annotation::{About, AnnotationChange, NewAnnotation};
use crate::store::records::conversation::NewConversation;
use crate::store::records::related::{NewRelated, RelatedKind};

/// What random changes need.
pub(super) struct Story {
    pub(super) store: Store,
    pub(super) id: String,
    tags: Vec<String>,
    hint: String,
    talk: String,
    annotation: Option<String>,
    seed: u64,
}

impl Story {
    fn begin() -> Self {
        Self::begin_in(Store::in_memory().expect("a store"), 1)
    }

    pub(super) fn begin_in(store: Store, seed: u64) -> Self {
        let id = add(&store, "one", &"a line\n".repeat(40));
        let tags = ["a", "b", "c"].map(|text| add_tag(&store, text)).to_vec();
        let hint = NewRelated {
            kind: RelatedKind::Hint,
            document: "{}".to_owned(),
            mechanism: "MANUAL".to_owned(),
            link: "{}".to_owned(),
            annotations: Vec::new(),
        };
        let hint = store.make_related(hint, None).expect("a hint").related_record.id;
        let talk = store.make_conversation(NewConversation::default()).expect("a conversation");
        Self { store, id, tags, hint, talk, annotation: None, seed }
    }

    pub(super) fn random(&mut self, below: usize) -> usize {
        self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.seed >> 33) as usize % below
    }

    pub(super) fn change(&mut self) {
        let (number, id) = (self.random(1000), self.id.clone());
        let tag = self.random(3);
        let tag = self.tags[tag].clone();
        match self.random(14) {
            0 => rename(&self.store, &id, &format!("name {number}")),
            1 => {
                let change = AssetChange { favorited: Some(number.is_multiple_of(2)), ..AssetChange::default() };
                self.store.update_asset(&id, move |_| Ok(change)).expect("changed");
            }
            2 => {
                let change =
                    AssetChange { document: Some(format!(r#"{{"curated":{number}}}"#)), ..AssetChange::default() };
                self.store.update_asset(&id, move |_| Ok(change)).expect("changed");
            }
            3 => self.store.reclassify(&id, "CODE", ["rs", "py"][number % 2]).expect("reclassified"),
            4 => self.store.link(&id, ItemKind::Tag, &tag).expect("linked"),
            5 => self.store.unlink(&id, ItemKind::Tag, &tag).expect("unlinked"),
            6 => self.store.link_related(&id, RelatedKind::Hint, &self.hint).expect("linked"),
            7 => self.store.unlink_related(&id, RelatedKind::Hint, &self.hint).expect("unlinked"),
            8 => self.store.link_conversation(&id, &self.talk).expect("linked"),
            9 => self.store.unlink_conversation(&id, &self.talk).expect("unlinked"),
            10 => self.annotate(number),
            11 => {
                self.store.delete_asset(&id).expect("deleted");
                self.store.restore_asset(&id).expect("restored");
            }
            _ => self.edit(number),
        }
    }

    fn annotate(&mut self, number: usize) {
        let text = format!("note {number}");
        match self.annotation.take() {
            None => {
                let new = NewAnnotation { kind: "COMMENT".to_owned(), text, document: "{}".to_owned() };
                let about = About { asset: Some(self.id.clone()), ..About::default() };
                self.annotation = Some(self.store.make_annotation(about, new).expect("annotated").id);
            }
            Some(id) if number.is_multiple_of(3) => self.store.delete_annotation(&id).expect("deleted"),
            Some(id) => {
                let change = AnnotationChange { text: Some(text), ..AnnotationChange::default() };
                self.store.update_annotation(&id, move |_| Ok(change)).expect("changed");
                self.annotation = Some(id);
            }
        }
    }

    fn edit(&mut self, number: usize) {
        let Some((false, bytes)) = now_of(&self.store, &self.id).content else { panic!("text") };
        let mut lines: Vec<String> = String::from_utf8(bytes).expect("text").lines().map(str::to_owned).collect();
        let at = self.random(lines.len());
        lines[at] = format!("line {number}");
        edit(&self.store, &self.id, &lines.join("\n"));
    }
}

#[test]
fn a_thousand_changes_of_all_kinds_are_read_back_in_order_byte_for_byte() {
    let mut story = Story::begin();
    let mut states = vec![now_of(&story.store, &story.id)];
    for number in 0..1000 {
        let before = numbers_of(&story);
        story.change();
        let made = numbers_of(&story) - before;
        let now = now_of(&story.store, &story.id);
        match made {
            0 => assert_eq!(Some(&now), states.last(), "a change without a version"),
            1 => states.push(now),
            // It was deleted and restored.
            2 => {
                let mut deleted = now.clone();
                deleted.state.deletion = Deletion::Trashed;
                states.extend([deleted, now]);
            }
            more => panic!("{more} versions of one change"),
        }
        if number % 97 == 0 {
            arrange_all(&story.store);
        }
    }
    assert_eq!(numbers_of(&story), states.len() as i64);
    for (index, state) in states.iter().enumerate() {
        let number = index as i64 + 1;
        assert_eq!(version(&story.store, &story.id, number).as_ref(), Ok(state), "version {number}");
    }
    let listed = story.store.versions_of(&story.id).expect("versions");
    assert!(listed.entries.iter().all(|entry| entry.missing.is_none() && !entry.changed.is_empty()));
    assert!(listed.entries.windows(2).all(|pair| pair[0].number == pair[1].number + 1 && pair[0].at > pair[1].at));
}

/// The number of the newest version.
pub(super) fn numbers_of(story: &Story) -> i64 {
    let asset = row_of(&story.store, &story.id);
    story.store.read(|db| Ok(entry::chain(db, asset)?.current())).expect("a number")
}

#[test]
fn what_was_linked_to_an_asset_when_the_other_end_was_deleted_is_in_its_version() {
    let mut story = Story::begin();
    let id = story.id.clone();
    story.store.link(&id, ItemKind::Tag, &story.tags[0]).expect("linked");
    story.store.link_related(&id, RelatedKind::Hint, &story.hint).expect("linked");
    story.store.link_conversation(&id, &story.talk).expect("linked");
    story.annotate(1);
    let before = (numbers_of(&story), now_of(&story.store, &id));
    story.store.delete_item(ItemKind::Tag, &story.tags[0]).expect("deleted");
    story.store.delete_related(RelatedKind::Hint, &story.hint).expect("deleted");
    story.store.delete_conversation(&story.talk).expect("deleted");
    assert_eq!(numbers_of(&story), before.0 + 3);
    let mut was = version(&story.store, &id, before.0).expect("read");
    // A hint that was deleted has no record any more.
    was.state.related.values_mut().for_each(|one| one.document = "{}".to_owned());
    assert_eq!(was, before.1);
    arrange_all(&story.store);
    assert_eq!(version(&story.store, &id, before.0).expect("read").state.items, before.1.state.items);
}

#[test]
fn an_asset_that_was_deleted_for_good_is_read_as_it_was_in_the_trash_and_before() {
    let mut story = Story::begin();
    let id = story.id.clone();
    story.store.link(&id, ItemKind::Tag, &story.tags[0]).expect("linked");
    story.annotate(1);
    let before = now_of(&story.store, &id);
    story.store.delete_asset(&id).expect("deleted");
    story.store.delete_item(ItemKind::Tag, &story.tags[1]).expect("deleted");
    let trashed = now_of(&story.store, &id);
    story.store.empty_trash(None).expect("emptied");
    for _ in 0..2 {
        let newest = numbers_of(&story);
        assert_eq!(now_of(&story.store, &id).content, None);
        assert_eq!(version(&story.store, &id, newest - 1), Ok(trashed.clone()));
        assert_eq!(version(&story.store, &id, newest - 2), Ok(before.clone()));
        let listed = story.store.versions_of(&id).expect("versions");
        let deletions: Vec<_> = listed.entries.iter().take(3).map(|entry| entry.deletion).collect();
        assert_eq!(deletions, [Deletion::Purged, Deletion::Trashed, Deletion::Present]);
        arrange_all(&story.store);
    }
}

#[test]
fn all_assets_are_listed_as_they_were_at_a_time() {
    let store = Store::in_memory().expect("a store");
    let (one, two) = (add(&store, "one", "a"), add(&store, "two", "b"));
    rename(&store, &one, "one, renamed");
    let at = store.versions_of(&one).expect("versions").entries[0].at.expect("a time");
    let three = add(&store, "three", "c");
    rename(&store, &one, "one, again");
    store.delete_asset(&two).expect("deleted");
    for _ in 0..2 {
        let then = store.assets_at(at).expect("a list");
        let listed: Vec<_> =
            then.iter().map(|then| (then.id.as_str(), then.name.as_deref(), then.version, then.recorded)).collect();
        assert_eq!(listed, [(one.as_str(), Some("one, renamed"), 2, true), (two.as_str(), Some("two"), 1, true)]);
        assert_eq!(store.assets_at(at - 1).expect("a list")[0].name.as_deref(), Some("one"));
        let now: Vec<_> = store.assets_at(i64::MAX).expect("a list").into_iter().map(|then| then.id).collect();
        assert_eq!(now, [one.as_str(), three.as_str()]);
        arrange_all(&store);
    }
}

#[test]
fn large_content_is_kept_as_differences_that_are_made_before_the_write_and_each_32nd_whole() {
    let store = Store::in_memory().expect("a store");
    let large = |number: usize| format!("{number} {}", "a line of a large text\n".repeat(5_000));
    let id = add(&store, "one", "small");
    let mut texts = vec!["small".to_owned()];
    for number in 1..=70 {
        // Also a large one that a small one replaces.
        let text = if number == 50 { "small again".to_owned() } else { large(number) };
        edit(&store, &id, &text);
        texts.push(text);
        if number % 9 == 0 {
            arrange_all(&store);
        }
    }
    arrange_all(&store);
    for (index, text) in texts.iter().enumerate() {
        let read = version(&store, &id, index as i64 + 1).expect("read");
        assert_eq!(read.content, Some((false, text.clone().into_bytes())), "version {}", index + 1);
    }
    let asset = row_of(&store, &id);
    let chain = store.read(|db| entry::chain(db, asset)).expect("a chain");
    assert!(chain.content_steps() < 32, "{}", chain.content_steps());
    let stored: i64 = store
        .read(|db| Ok(db.query_row("SELECT sum(length(pieces)) FROM past", [], |row| row.get(0))?))
        .expect("counted");
    assert!(stored < 200_000, "{stored} bytes for 70 versions of 115 kB");
}

#[test]
fn a_large_content_that_was_replaced_while_it_was_compared_is_kept_as_it_is() {
    let store = Store::in_memory().expect("a store");
    let large = |name: &str| format!("{name} {}", "a line of a large text\n".repeat(5_000));
    let id = add(&store, "one", &large("first"));
    let format = format_of(&store, &id);
    let prepared = store.read(|db| prepare_content(db, &format, large("third").as_bytes())).expect("prepared");
    edit(&store, &id, &large("second"));
    let asset = row_of(&store, &id);
    store
        .write(move |db| {
            let row = db.query_row("SELECT row FROM format WHERE asset = ?1", [asset], |row| row.get(0))?;
            content_replaced(db, asset, row, large("third").as_bytes(), prepared)
        })
        .expect("kept");
    for _ in 0..2 {
        assert_eq!(version(&store, &id, 2).expect("read").content, Some((false, large("second").into_bytes())));
        assert_eq!(version(&store, &id, 1).expect("read").content, Some((false, large("first").into_bytes())));
        arrange_all(&store);
    }
}
