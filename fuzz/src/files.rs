//! A file that is imported: what it is made out to be, and the seed it becomes.
//!
//! The bytes: the file's name on one line, what the client says of it on the next, the content after that.

use lunette_client::model::language::language;
use lunette_client::model::record::Record as _;
use lunette_inspector::Vendor;
use lunette_inspector::import::engine::seed_of;
use lunette_service::classify::{Content, classify};

/// Any file is something that clients know, and a text that is imported is not changed.
pub fn holds(data: &[u8]) {
    let (name, data) = super::line(data);
    let (hint, content) = super::line(data);
    let text = std::str::from_utf8(content).ok();
    let of_bytes = classify(Some(&name), Some(&hint), Content::Bytes(content));
    let of_text = text.map(|text| classify(Some(&name), Some(&hint), Content::Text(text)));
    for found in of_text.iter().chain([&of_bytes]) {
        assert!(language(found.specific).is_some(), "no client knows {:?}", found.specific);
    }
    let seed = seed_of(&name, content.to_vec(), "Imported", Vendor::Lunette).expect("our own service takes any bytes");
    let format = &seed.tree()["asset"]["format"];
    assert!(format["fragment"].is_object() != format["file"].is_object(), "{format}");
}
