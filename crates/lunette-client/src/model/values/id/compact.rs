//! A UUID in twenty bytes instead of its text, where very many are kept.
//!
//! What must hold: the text that comes out is the text that went in, with the case of its letters; two texts of the same
//! UUID are two ids.

use std::fmt::Write as _;

use uuid::Uuid;
use uuid::fmt::Hyphenated;

use super::{AssetId, UuidText};

/// The id of an asset: its UUID, and which of its letters are upper case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CompactId {
    uuid: [u8; 16],
    /// A bit for each hexadecimal digit, the first one lowest.
    upper: u32,
}

impl CompactId {
    /// The bytes of an id as text.
    pub const TEXT_BYTES: usize = Hyphenated::LENGTH;

    /// The id in lower case, written into the buffer.
    pub fn lower_case<'a>(&self, buffer: &'a mut [u8; Self::TEXT_BYTES]) -> &'a str {
        Uuid::from_bytes(self.uuid).as_hyphenated().encode_lower(buffer)
    }

    /// A number that few ids share (FNV-1a).
    pub fn fingerprint(&self) -> u32 {
        let bytes = self.uuid.into_iter().chain(self.upper.to_le_bytes());
        bytes.fold(0x811c_9dc5, |sum: u32, byte| (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193))
    }
}

impl From<&AssetId> for CompactId {
    fn from(id: &AssetId) -> Self {
        let uuid = Uuid::try_parse(id.as_str()).unwrap_or_default();
        let digits = id.as_str().bytes().filter(|byte| *byte != b'-');
        let upper = digits.zip(0..32).filter(|(digit, _)| digit.is_ascii_uppercase());
        Self { uuid: uuid.into_bytes(), upper: upper.fold(0, |bits, (_, bit)| bits | 1 << bit) }
    }
}

impl From<CompactId> for AssetId {
    fn from(id: CompactId) -> Self {
        let mut buffer = [0; Hyphenated::LENGTH];
        let lower = &*Uuid::from_bytes(id.uuid).hyphenated().encode_lower(&mut buffer);
        let mut text = UuidText::new();
        match id.upper {
            0 => text.write_str(lower).ok(),
            bits => write_with_case(&mut text, lower, bits).ok(),
        };
        Self(text)
    }
}

fn write_with_case(text: &mut UuidText, lower: &str, upper: u32) -> std::fmt::Result {
    let mut digit = 0;
    for letter in lower.chars() {
        let is_upper = letter != '-' && upper >> digit & 1 == 1;
        text.write_char(if is_upper { letter.to_ascii_uppercase() } else { letter })?;
        digit += u32::from(letter != '-');
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trips() {
        let ids = [
            "00000000-0000-0000-0000-000000000000",
            "5f0c1a34-0b7e-4c5d-9a51-2f6f3d1ae159",
            "5F0C1A34-0B7E-4C5D-9A51-2F6F3D1AE159",
            "5F0c1a34-0b7e-4c5d-9a51-2f6f3d1aE15F",
            "ffffffff-ffff-ffff-ffff-ffffffffffff",
            "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
        ];
        for text in ids {
            let id: AssetId = text.parse().expect("an id");
            assert_eq!(AssetId::from(CompactId::from(&id)).as_str(), text);
        }
    }

    #[test]
    fn two_texts_of_the_same_uuid_are_two_ids() {
        let id = |text: &str| CompactId::from(&text.parse::<AssetId>().expect("an id"));
        assert_ne!(id("5f0c1a34-0b7e-4c5d-9a51-2f6f3d1ae159"), id("5F0C1a34-0b7e-4c5d-9a51-2f6f3d1ae159"));
    }

    #[test]
    fn an_id_takes_twenty_bytes() {
        assert_eq!(size_of::<CompactId>(), 20);
    }
}
