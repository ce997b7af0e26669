//! What is offered: a file, as its address and as its path.

use std::path::Path;

/// The two forms of a file on offer.
pub struct Offer {
    address: Vec<u8>,
    path: Vec<u8>,
    read: bool,
}

impl Offer {
    /// None for a path that is not whole.
    pub fn of(path: &Path) -> Option<Self> {
        let address = url::Url::from_file_path(path).ok()?;
        let text = path.to_string_lossy().into_owned().into_bytes();
        // A list of addresses has a line each, and lines end as in mail (RFC 2483, 5).
        Some(Self { address: format!("{address}\r\n").into_bytes(), path: text, read: false })
    }

    /// The list of addresses, or the path as plain text.
    pub fn read(&mut self, as_address: bool) -> &[u8] {
        self.read = true;
        if as_address { &self.address } else { &self.path }
    }

    /// Whether anybody asked for it.
    pub fn was_read(&self) -> bool {
        self.read
    }
}
