//! The offered file, as a URL and as a path.

use std::path::Path;

/// The two forms of an offered file.
pub struct NotificationAction {
    address: Vec<u8>,
    path: Vec<u8>,
    read: bool,
}

impl NotificationAction {
    /// `None` for a path that is not absolute.
    pub fn of(path: &Path) -> Option<Self> {
        let address = url::Url::from_file_path(path).ok()?;
        let text = path.to_string_lossy().into_owned().into_bytes();
        // A URI list has one URI per line, with CRLF line endings (RFC 2483, 5).
        Some(Self { address: format!("{address}\r\n").into_bytes(), path: text, read: false })
    }

    /// Returns the URI list, or the path as plain text.
    pub fn read(&mut self, as_address: bool) -> &[u8] {
        self.read = true;
        if as_address { &self.address } else { &self.path }
    }

    /// Returns whether a program requested it.
    pub fn was_read(&self) -> bool {
        self.read
    }
}
