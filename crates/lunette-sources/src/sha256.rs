//! SHA-256 as the hexadecimal text that archives list.

use sha2::{Digest as _, Sha256};

/// Returns the sum of these bytes in lower case.
pub(crate) fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
