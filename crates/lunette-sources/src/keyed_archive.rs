//! Objects that programs of macOS archive in files (`NSKeyedArchiver`), as JSON.
//!
//! What must hold: objects refer to each other by number, so that a small archive may stand for more than memory holds, or
//! contain itself: depth and size of what is made of it are limited.

use jiff::Timestamp;
use lunette_plist::{Dictionary, Value as Plist};
use serde_json::{Map, Value};

/// How deeply objects may be nested, those of archives within the archive included.
const DEPTH: usize = 64;
/// What any archive may cost, in bytes.
const FREE_BYTES: usize = 1 << 20;
/// How many bytes each byte of an archive may stand for.
const BYTES_PER_BYTE: usize = 16;
/// What each object costs beside its text.
const OBJECT_BYTES: usize = 64;
/// Seconds from 1970 to 2001, where dates of macOS begin.
const EPOCH: f64 = 978_307_200.0;

/// Returns the root object of an archive, or `None` if it is damaged or beyond the limits. What it takes up, in bytes, is
/// subtracted from `room`, which all archives of a library share.
///
/// Arrays, dictionaries, texts, numbers and flags are what they are; a date is a text of ISO 8601; bytes are their text,
/// or their root object if they are an archive; an object of the program is a dictionary of its fields. What has no such
/// form is null.
pub(crate) fn root(bytes: &[u8], room: &mut usize) -> Option<Value> {
    let most = (FREE_BYTES + bytes.len().saturating_mul(BYTES_PER_BYTE)).min(*room);
    let mut left = most;
    let root = root_within(bytes, &mut left, 0);
    *room -= most - left;
    root
}

fn root_within(bytes: &[u8], left: &mut usize, depth: usize) -> Option<Value> {
    let list = lunette_plist::read(bytes)?;
    let list = list.as_dictionary()?;
    let objects = list.get("$objects")?.as_array()?;
    let root = list.get("$top")?.as_dictionary()?.get("root")?;
    Archive { objects, left }.value(root, depth)
}

struct Archive<'a> {
    objects: &'a [Plist],
    /// The bytes that it may still stand for.
    left: &'a mut usize,
}

impl Archive<'_> {
    /// Returns `None` beyond the limits.
    fn value(&mut self, stored: &Plist, depth: usize) -> Option<Value> {
        self.pay(OBJECT_BYTES)?;
        if depth > DEPTH {
            return None;
        }
        Some(match stored {
            // The first object stands for none.
            Plist::Uid(id) if id.get() == 0 => Value::Null,
            Plist::Uid(id) => {
                let objects = self.objects;
                let object = usize::try_from(id.get()).ok().and_then(|id| objects.get(id));
                return object.map_or(Some(Value::Null), |object| self.value(object, depth + 1));
            }
            Plist::String(text) => {
                self.pay(text.len())?;
                Value::String(text.clone())
            }
            Plist::Boolean(set) => Value::Bool(*set),
            Plist::Integer(number) => number.as_signed().map_or(Value::Null, Value::from),
            Plist::Real(number) => Value::from(*number),
            Plist::Array(values) => self.array(values, depth)?,
            Plist::Data(bytes) => self.bytes(bytes, depth)?,
            Plist::Dictionary(object) => self.object(object, depth)?,
            _ => Value::Null,
        })
    }

    fn pay(&mut self, bytes: usize) -> Option<()> {
        *self.left = self.left.checked_sub(bytes)?;
        Some(())
    }

    fn array(&mut self, values: &[Plist], depth: usize) -> Option<Value> {
        values.iter().map(|value| self.value(value, depth + 1)).collect::<Option<_>>().map(Value::Array)
    }

    fn bytes(&mut self, bytes: &[u8], depth: usize) -> Option<Value> {
        // An archive within the archive is parsed again for each reference to it, so that it costs as much as a text.
        self.pay(bytes.len())?;
        if bytes.starts_with(b"bplist") {
            return root_within(bytes, self.left, depth + 1);
        }
        Some(String::from_utf8(bytes.to_vec()).map_or(Value::Null, Value::String))
    }

    fn object(&mut self, object: &Dictionary, depth: usize) -> Option<Value> {
        if let Some(seconds) = object.get("NS.time").and_then(Plist::as_real) {
            return Some(date(seconds).map_or(Value::Null, Value::String));
        }
        for wrapped in ["NS.data", "NS.string", "NS.bytes"] {
            if let Some(value) = object.get(wrapped) {
                return self.value(value, depth + 1);
            }
        }
        match (object.get("NS.keys").and_then(Plist::as_array), object.get("NS.objects").and_then(Plist::as_array)) {
            (Some(keys), Some(values)) => self.dictionary(keys, values, depth),
            (None, Some(values)) => self.array(values, depth),
            _ => {
                let fields = object.iter().filter(|(name, _)| name.as_str() != "$class");
                let fields = fields.map(|(name, value)| {
                    self.pay(name.len())?;
                    Some((name.clone(), self.value(value, depth + 1)?))
                });
                fields.collect::<Option<Map<_, _>>>().map(Value::Object)
            }
        }
    }

    fn dictionary(&mut self, keys: &[Plist], values: &[Plist], depth: usize) -> Option<Value> {
        let mut fields = Map::new();
        for (key, value) in keys.iter().zip(values) {
            if let Value::String(key) = self.value(key, depth + 1)? {
                fields.insert(key, self.value(value, depth + 1)?);
            }
        }
        Some(Value::Object(fields))
    }
}

/// A date of macOS, in seconds since 2001.
fn date(seconds: f64) -> Option<String> {
    let seconds = seconds + EPOCH;
    // Casts saturate, and what is out of range is not a date.
    let date = Timestamp::from_millisecond((seconds * 1000.0) as i64).ok()?;
    Some(date.to_string())
}

#[cfg(test)]
mod tests {
    use std::iter::once;

    use lunette_plist::Uid;
    use serde_json::json;

    use super::*;

    fn root(bytes: &[u8]) -> Option<Value> {
        super::root(bytes, &mut (1 << 30))
    }

    fn archive(objects: impl IntoIterator<Item = Plist>) -> Vec<u8> {
        let objects = once(Plist::String("$null".to_owned())).chain(objects).collect();
        let top = Dictionary::from_iter([("root", Plist::Uid(Uid::new(1)))]);
        let list = [("$objects", Plist::Array(objects)), ("$top", Plist::Dictionary(top))];
        let mut bytes = Vec::new();
        let list = Plist::Dictionary(Dictionary::from_iter(list));
        list.to_writer_binary(&mut bytes).expect("written");
        bytes
    }

    fn refer(objects: &[u64]) -> Plist {
        Plist::Array(objects.iter().map(|id| Plist::Uid(Uid::new(*id))).collect())
    }

    fn object(fields: Vec<(&str, Plist)>) -> Plist {
        Plist::Dictionary(Dictionary::from_iter(fields))
    }

    #[test]
    fn objects_are_read_by_their_numbers() {
        let inner = archive([Plist::String("inner".to_owned())]);
        let bytes = archive([
            object(vec![("NS.keys", refer(&[2, 3, 4])), ("NS.objects", refer(&[5, 6, 0]))]),
            Plist::String("date".to_owned()),
            Plist::String("data".to_owned()),
            Plist::String("none".to_owned()),
            object(vec![("NS.time", Plist::Real(0.5))]),
            object(vec![("NS.data", Plist::Data(inner))]),
        ]);
        let expected = json!({ "date": "2001-01-01T00:00:00.5Z", "data": "inner", "none": null });
        assert_eq!(root(&bytes), Some(expected));
    }

    #[test]
    fn an_archive_within_itself_is_not_read() {
        assert_eq!(root(&archive([object(vec![("NS.objects", refer(&[1]))])])), None);
    }

    #[test]
    fn a_small_archive_that_stands_for_a_billion_objects_is_not_read() {
        let objects = (1..=40).map(|id| object(vec![("NS.objects", refer(&[id + 1, id + 1]))]));
        assert_eq!(root(&archive(objects)), None);
    }

    #[test]
    fn an_archive_within_an_archive_is_paid_for_at_each_reference() {
        let inner = archive([Plist::Boolean(true), Plist::String("text".repeat(50_000))]);
        let many = |count| archive([refer(&vec![2; count]), Plist::Data(inner.clone())]);
        assert!(root(&many(10)).is_some());
        assert_eq!(root(&many(5_000)), None);
        let named = object(vec![(&*"name".repeat(50_000), Plist::Boolean(true))]);
        assert_eq!(root(&archive([refer(&vec![2; 5_000]), named])), None);
    }

    #[test]
    fn archives_share_the_room_of_their_library() {
        let bytes = archive([Plist::String("text".repeat(100))]);
        let mut room = 1_500;
        let read = [(); 4].map(|()| super::root(&bytes, &mut room).is_some());
        assert_eq!(read, [true, true, false, false]);
    }

    #[test]
    fn a_reference_to_nothing_is_null_and_other_bytes_are_no_archive() {
        assert_eq!(root(&archive([refer(&[9, u64::MAX])])), Some(json!([null, null])));
        assert_eq!(root(b"bplist00"), None);
        assert_eq!(root(b""), None);
    }
}
