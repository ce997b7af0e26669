//! The licences of third-party parts of the program: libraries, fonts, grammars.
//!
//! What must hold: each is named with its version and the text of its licence; `tests/shape` holds the list against
//! `Cargo.lock`. The file is compressed, and the packages bring it too.

use std::io::Read as _;

/// Created by `assets/licences/update`.
const PACKED: &[u8] = include_bytes!("../../../assets/licences/THIRD-PARTY.txt.gz");

/// Returns the list and the texts: about 15,000 lines.
///
/// # Panics
///
/// If the file in the program is damaged, which a test rules out.
pub fn of_others() -> String {
    let mut text = String::new();
    flate2::read::GzDecoder::new(PACKED).read_to_string(&mut text).expect("the file in the program is whole");
    text
}
