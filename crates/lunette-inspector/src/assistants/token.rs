//! The token that assistants show over HTTP.
//!
//! What must hold: the file is readable by its owner alone; a comparison takes as long wherever the texts differ; a
//! token that was revoked is refused from the next request on.

use std::fs;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use lunette_storage::owner_only;
use lunette_storage::system::error_text;
use sha2::{Digest as _, Sha256};

/// The name of the file in the data folder.
const FILE: &str = "assistants.token";

/// The most bytes of the file that are read.
const LONGEST: u64 = 256;

/// The file of the token.
#[derive(Clone, Debug)]
pub struct TokenFile(PathBuf);

/// The token cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[error("cannot use {path}: {}", error_text(.error))]
pub struct TokenError {
    path: String,
    error: io::Error,
}

impl TokenFile {
    /// The file of a data folder.
    pub fn of(folder: &Path) -> Self {
        Self(folder.join(FILE))
    }

    /// The token; `None` if there is none. Blocks.
    pub fn known(&self) -> Option<String> {
        let mut text = String::new();
        fs::File::open(&self.0).ok()?.take(LONGEST).read_to_string(&mut text).ok()?;
        let token = text.trim();
        (!token.is_empty()).then(|| token.to_owned())
    }

    /// The token, which is made if there is none. Blocks.
    pub fn get(&self) -> Result<String, TokenError> {
        match self.known() {
            Some(token) => Ok(token),
            None => self.renew(),
        }
    }

    /// Makes a new token in the place of the old one, which is refused from then on. Blocks.
    pub fn renew(&self) -> Result<String, TokenError> {
        // 244 random bits.
        let token: String = [(); 2].map(|()| uuid::Uuid::new_v4().simple().to_string()).concat();
        let write = || {
            owner_only::create_folder(self.0.parent().unwrap_or(Path::new(".")))?;
            let mut file = owner_only::replace(&self.0)?;
            file.write_all(token.as_bytes())?;
            file.sync_all()
        };
        write().map_err(|error| self.failed(error))?;
        Ok(token)
    }

    /// Deletes the token: nobody is let in over HTTP until there is another. Blocks.
    pub fn revoke(&self) -> Result<(), TokenError> {
        match fs::remove_file(&self.0) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(self.failed(error)),
            Ok(()) | Err(_) => Ok(()),
        }
    }

    /// Whether a text is the token. The time that this takes does not depend on where they differ. Blocks.
    pub fn is(&self, shown: &str) -> bool {
        let Some(token) = self.known() else { return false };
        // Digests have one length, and say nothing of how much of the texts is equal.
        let [one, other] = [token.as_bytes(), shown.as_bytes()].map(Sha256::digest);
        one.iter().zip(&other).fold(0, |differ, (one, other)| differ | (one ^ other)) == 0
    }

    fn failed(&self, error: io::Error) -> TokenError {
        TokenError { path: self.0.display().to_string(), error }
    }
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    #[test]
    fn a_token_is_kept_until_it_is_renewed_or_revoked() {
        let folder = TempDir::new().expect("a folder");
        let file = TokenFile::of(folder.path());
        assert!(!file.is(""), "there is none");
        let token = file.get().expect("made");
        assert_eq!((token.len(), file.get().expect("kept")), (64, token.clone()));
        assert!(file.is(&token) && !file.is(&token[1..]) && !file.is(""));
        let next = file.renew().expect("renewed");
        assert!(file.is(&next) && !file.is(&token));
        file.revoke().expect("revoked");
        assert!(!file.is(&next));
    }

    #[cfg(unix)]
    #[test]
    fn the_file_is_readable_by_its_owner_alone() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = TempDir::new().expect("a folder");
        TokenFile::of(folder.path()).get().expect("made");
        let mode = fs::metadata(folder.path().join(FILE)).expect("there").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}
