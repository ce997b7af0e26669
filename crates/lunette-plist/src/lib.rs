//! Property lists of macOS from anybody: `Info.plist` of an application, or data of a program of macOS.
//!
//! What must hold: no bytes cost more than their size allows. In a binary list values may refer to shared values, so that
//! a few hundred bytes can stand for more than any memory holds; and a list may be nested so deeply that dropping it
//! would overflow the stack. Such lists are not read.
//!
//! ```
//! let list = lunette_plist::read(b"<plist><dict><key>Name</key><string>Editor</string></dict></plist>");
//! let name = list.as_ref().and_then(|list| list.as_dictionary()?.get("Name")?.as_string());
//! assert_eq!(name, Some("Editor"));
//! ```

use std::io::Cursor;

use plist::stream::{BinaryReader, Event, XmlReader};
pub use plist::{Dictionary, Uid, Value};

/// How deeply arrays and dictionaries may be nested.
const DEPTH: usize = 64;
/// What each value costs beside its bytes, about the size of a [`Value`] in a dictionary.
const VALUE_BYTES: usize = 64;
/// What any list may cost.
const FREE_BYTES: usize = 1 << 20;
/// How many bytes of values each byte of a list may stand for.
const BYTES_PER_BYTE: usize = 64;

/// Reads an XML or binary property list. Returns `None` if it is damaged, nested more than 64 levels deep, or stands for
/// more than 1 MiB and 64 times its size.
///
/// Formats: `plist(5)` of macOS, and CoreFoundation's `CFBinaryPList.c`.
pub fn read(bytes: &[u8]) -> Option<Value> {
    let mut budget = Budget { left: FREE_BYTES + bytes.len().saturating_mul(BYTES_PER_BYTE), depth: 0 };
    let allowed = |event: &Result<Event<'static>, plist::Error>| event.as_ref().is_ok_and(|event| budget.takes(event));
    let list = if bytes.starts_with(b"bplist") {
        Value::from_events(BinaryReader::new(Cursor::new(bytes)).take_while(allowed))
    } else {
        Value::from_events(XmlReader::new(Cursor::new(bytes)).take_while(allowed))
    };
    list.ok()
}

/// What a list may still cost.
struct Budget {
    left: usize,
    depth: usize,
}

impl Budget {
    /// Subtracts the cost of an event; returns false if the list costs too much.
    fn takes(&mut self, event: &Event<'_>) -> bool {
        match event {
            Event::StartArray(_) | Event::StartDictionary(_) => self.depth += 1,
            Event::EndCollection => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        let bytes = match event {
            Event::String(text) => text.len(),
            Event::Data(bytes) => bytes.len(),
            _ => 0,
        };
        match self.left.checked_sub(bytes.saturating_add(VALUE_BYTES)) {
            Some(left) if self.depth <= DEPTH => {
                self.left = left;
                true
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A binary list of these objects, whose first one is the list.
    fn binary(objects: &[Vec<u8>]) -> Vec<u8> {
        let mut bytes = b"bplist00".to_vec();
        let mut offsets = Vec::new();
        for object in objects {
            offsets.extend((bytes.len() as u32).to_be_bytes());
            bytes.extend(object);
        }
        let table = bytes.len() as u64;
        bytes.extend(offsets);
        bytes.extend([0, 0, 0, 0, 0, 0, 4, 1]);
        for number in [objects.len() as u64, 0, table] {
            bytes.extend(number.to_be_bytes());
        }
        bytes
    }

    #[test]
    fn xml_and_binary_lists_are_read_the_same() {
        let xml = b"<plist><dict><key>a</key><array><string>b</string><true/></array></dict></plist>";
        let list = read(xml).expect("a list");
        let mut bytes = Vec::new();
        list.to_writer_binary(&mut bytes).expect("written");
        assert!(bytes.starts_with(b"bplist00"));
        assert_eq!(read(&bytes), Some(list));
    }

    #[test]
    fn a_small_list_that_stands_for_a_billion_values_is_not_read() {
        let mut objects: Vec<Vec<u8>> = (1..=30).map(|next| vec![0xa2, next, next]).collect();
        objects.push(vec![0x51, b'a']);
        assert_eq!(read(&binary(&objects)), None);
    }

    #[test]
    fn a_long_text_that_is_repeated_is_not_read() {
        let text = [vec![0x5f, 0x12, 0, 0, 0x40, 0], vec![b'a'; 0x4000]].concat();
        let many = [vec![0xaf, 0x11, 0x04, 0x00], vec![1; 0x400]].concat();
        assert_eq!(read(&binary(&[many, text])), None);
    }

    #[test]
    fn a_list_within_itself_is_not_read() {
        assert_eq!(read(&binary(&[vec![0xa1, 0]])), None);
    }

    #[test]
    fn a_deeply_nested_list_is_not_read() {
        let nested = |depth| format!("<plist>{}{}</plist>", "<array>".repeat(depth), "</array>".repeat(depth));
        assert!(read(nested(64).as_bytes()).is_some());
        assert_eq!(read(nested(65).as_bytes()), None);
        assert_eq!(read(nested(100_000).as_bytes()), None);
    }

    #[test]
    fn other_bytes_are_not_read() {
        let all_ones = [b"bplist00".to_vec(), vec![0xff; 32]].concat();
        for bytes in [&b""[..], b"bplist00", b"<plist>", b"\xff\xfe\x00", &all_ones] {
            assert_eq!(read(bytes), None, "{}", String::from_utf8_lossy(bytes));
        }
    }
}
