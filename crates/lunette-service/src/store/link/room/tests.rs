//! The bound of a record is above its length, whatever its texts are, and not far above.

use super::*;
use crate::record;
use crate::store::Store;
use crate::store::annotation::NewAnnotation;
use crate::store::asset::Transfer;
use crate::store::create::OnDuplicate;
use crate::store::format::Content;
use crate::store::item::{ItemKind, NewItem};
use crate::store::link::LinkOutcome;
use crate::store::tests::assets::{add, add_tag, new_asset, store};

fn bound(store: &Store, id: &str) -> i64 {
    let of = |db: &Connection| {
        let row = db.query_row("SELECT row FROM asset WHERE id = ?1", [id], |row| row.get(0))?;
        RecordBound::of(db, row)
    };
    store.read(of).expect("read").0.expect("bounded")
}

fn length(store: &Store, id: &str) -> i64 {
    let whole = store.asset(id, Transfer::Withheld).expect("the asset");
    record::asset_text(store.identity(), &whole, Transfer::Withheld).len() as i64
}

fn note(text: &str) -> NewAnnotation {
    NewAnnotation { kind: "SUMMARY".to_owned(), text: text.to_owned(), document: r#"{"n":1e5}"#.to_owned() }
}

#[test]
fn the_bound_of_a_record_is_never_below_its_length() {
    let store = store();
    for text in ["", "a plain text", &"\u{1}\"\\ü\n".repeat(500)] {
        let mut new = new_asset(text, Content::Text("x".to_owned()));
        new.document = serde_json::json!({ "more": text, "numbers": [1.5, 100_000] }).to_string();
        new.annotations = vec![note(text), note(text)];
        for (kind, key) in [(ItemKind::Tag, true), (ItemKind::Website, true), (ItemKind::Summary, false)] {
            let document = r#"{"x":[1E5,1E5,1E5,1E5,1E5,1E5,1E5,1E5,1E5,1E5]}"#.to_owned();
            let key = key.then(|| format!("{kind:?} {text}"));
            let annotations = if kind == ItemKind::Summary { vec![note(text)] } else { Vec::new() };
            new.items.push(NewItem { kind, key, name: text.to_owned(), document, annotations });
        }
        let id = store.create_asset(new, OnDuplicate::Create).expect("an asset").id;
        let (bound, length) = (bound(&store, &id), length(&store, &id));
        assert!(length <= bound && bound <= 8 * length + 10_000, "{bound} for {length} bytes of {text:?}");
    }
}

#[test]
fn a_link_is_measured_first_if_the_record_may_be_too_large() {
    let store = store();
    let (id, tag) = (add(&store, "a", "x"), add_tag(&store, "t"));
    let link = |limit| store.link_within(&id, ItemKind::Tag, &tag, limit);
    assert_eq!(link(Some(1_000)), Ok(LinkOutcome::MeasureFirst));
    assert!(store.asset(&id, Transfer::Withheld).expect("the asset").items.is_empty(), "nothing was linked");
    assert_eq!(link(Some(20_000)), Ok(LinkOutcome::Done));
    assert_eq!(link(None), Ok(LinkOutcome::Done));
}
