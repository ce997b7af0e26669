//! What two services exchange to find the assets that differ between them, without reading all of them.
//!
//! What must hold: a part depends on what people wrote and linked alone, and on nothing that a service maintains by
//! itself: no time, no score, no id of a format, a link or an item; so two services that have the same say the same.

use sha2::{Digest as _, Sha256};

use crate::model::field_type::{Bool, Int, List, Moment, Text, Uuid};
use crate::model::record::records;
use crate::model::value::EmbeddedModelSchema;

records! {
    /// A page of the fingerprints of all assets, in the order of their creation; `next` is the `position` of the page after.
    AssetFingerprints {
        iterable: List<AssetFingerprint>, next? Int, schema? EmbeddedModelSchema,
    }

    /// What tells an asset from another one: its name and language, whether it is a favourite, the SHA-256 of its content,
    /// and hashes of its description, of the addresses of its websites and of the names of its workstream summaries. What is
    /// absent is empty: the service tells all of it. `updated` and `size` are for people, and are not compared.
    AssetFingerprint {
        id: Uuid, name? Text, specific? Text, favorited? Bool, updated? Moment, size? Int, content? Text,
        description? Text, tags? List<Text>, websites? Text, summaries? Text, schema? EmbeddedModelSchema,
    }
}

/// The hash of a text: the first 32 hexadecimal digits of its SHA-256.
pub fn text_hash(text: &str) -> String {
    short(&Sha256::digest(text.as_bytes()))
}

/// The hash of a set of texts, whatever their order; `None` of an empty one.
pub fn set_hash<'a>(texts: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let mut texts: Vec<&str> = texts.into_iter().collect();
    texts.sort_unstable();
    texts.dedup();
    let mut hash = Sha256::new();
    for text in &texts {
        // With its length, so that two texts are not one.
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text.as_bytes());
    }
    (!texts.is_empty()).then(|| short(&hash.finalize()))
}

/// The hash of a content: its SHA-256 in hexadecimal digits.
pub fn content_hash(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Bytes in hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.map(|digit| char::from(DIGITS[usize::from(digit)])).collect()
}

fn short(hash: &[u8]) -> String {
    hex(&hash[..hash.len().min(16)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_of_a_set_depends_on_what_is_in_it_and_not_on_its_order() {
        assert_eq!(set_hash(["a", "b"]), set_hash(["b", "a", "b"]));
        assert_ne!(set_hash(["a", "b"]), set_hash(["ab"]));
        assert_eq!(set_hash([]), None);
    }

    /// Services of different versions compare them.
    #[test]
    fn hashes_do_not_change_with_the_program() {
        assert_eq!(text_hash("é"), "4a99557e4033c3539de2eb65472017ca");
        assert_eq!(content_hash(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }
}
