//! Parts of a seed: the file of a new asset, and the application that creates it.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};

use crate::Vendor;
use crate::listing::rows::LUNETTE;

/// The application in seeds: this program.
pub(crate) fn application() -> Value {
    json!({
        "id": LUNETTE, "name": "OPEN_SOURCE", "version": env!("CARGO_PKG_VERSION"),
        "platform": "UNKNOWN", "onboarded": true, "privacy": "OPEN",
    })
}

/// Bytes as the file of a seed, in the form that the service accepts.
pub(crate) fn file_of_seed(name: &str, bytes: &[u8], vendor: Vendor) -> Value {
    let metadata = json!({ "name": name, "size": bytes.len() });
    if vendor.is_lunette() {
        json!({ "string": { "base64": BASE64_STANDARD.encode(bytes) }, "metadata": metadata })
    } else {
        json!({ "bytes": { "raw": bytes }, "metadata": metadata })
    }
}
