//! The token that assistants show over HTTP.
//!
//! What must hold: the file is readable by its owner alone; a comparison takes as long wherever the texts differ; a
//! token that was revoked is refused from the next request on; the token is in no list, log or message.

use std::fmt;
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

/// A token. It has no `PartialEq`: `==` returns sooner the earlier two texts differ, which can be measured over HTTP.
#[derive(Clone)]
pub struct Token(String);

impl Token {
    /// The whole text, to be printed, drawn or copied.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// The text with only its last four characters readable.
    pub fn masked(&self) -> String {
        let end: String = self.0.chars().rev().take(4).collect();
        format!("••••••••{}", end.chars().rev().collect::<String>())
    }

    /// Whether a client sent this token. The time that this takes does not depend on where the texts differ.
    fn matches(&self, sent: &str) -> bool {
        // Digests have one length, and say nothing of how much of the texts is equal.
        let [own, sent] = [&self.0, sent].map(|text| Sha256::digest(text.as_bytes()));
        own.iter().zip(&sent).fold(0, |differ, (own, sent)| differ | (own ^ sent)) == 0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Token({:?})", self.masked())
    }
}

/// Verifies what clients send, without giving the token away.
#[derive(Clone, Debug)]
pub struct TokenVerifier(TokenFile);

impl TokenVerifier {
    /// Whether a client sent the token of the file; false if there is none. Blocks.
    pub fn accepts(&self, sent: &str) -> bool {
        self.0.known().is_some_and(|token| token.matches(sent))
    }
}

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
    pub fn known(&self) -> Option<Token> {
        let mut text = String::new();
        fs::File::open(&self.0).ok()?.take(LONGEST).read_to_string(&mut text).ok()?;
        let token = text.trim();
        (!token.is_empty()).then(|| Token(token.to_owned()))
    }

    /// The token, which is made if there is none. Blocks.
    pub fn get(&self) -> Result<Token, TokenError> {
        match self.known() {
            Some(token) => Ok(token),
            None => self.renew(),
        }
    }

    /// Makes a new token in place of the old one, which is refused from then on. Blocks.
    pub fn renew(&self) -> Result<Token, TokenError> {
        // 244 random bits.
        let token: String = [(); 2].map(|()| uuid::Uuid::new_v4().simple().to_string()).concat();
        let write = || {
            owner_only::create_folder(self.0.parent().unwrap_or(Path::new(".")))?;
            let mut file = owner_only::replace(&self.0)?;
            file.write_all(token.as_bytes())?;
            file.sync_all()
        };
        write().map_err(|error| self.failed(error))?;
        Ok(Token(token))
    }

    /// Deletes the token: nobody is let in over HTTP until there is another. Blocks.
    pub fn revoke(&self) -> Result<(), TokenError> {
        match fs::remove_file(&self.0) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(self.failed(error)),
            Ok(()) | Err(_) => Ok(()),
        }
    }

    /// What verifies the token for a server. It reads the file each time, so that a new token counts at once.
    pub fn verifier(&self) -> TokenVerifier {
        TokenVerifier(self.clone())
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
        let (file, made) = (TokenFile::of(folder.path()), |token: Result<Token, _>| token.expect("made").0);
        let verifier = file.verifier();
        assert!(!verifier.accepts(""), "there is none");
        let token = made(file.get());
        assert_eq!((token.len(), made(file.get())), (64, token.clone()));
        assert!(verifier.accepts(&token));
        let next = made(file.renew());
        assert!(verifier.accepts(&next) && !verifier.accepts(&token));
        file.revoke().expect("revoked");
        assert!(!verifier.accepts(&next));
    }

    #[test]
    fn no_other_text_is_accepted_whatever_its_length_and_however_it_begins() {
        let folder = TempDir::new().expect("a folder");
        let file = TokenFile::of(folder.path());
        let (token, verifier) = (file.get().expect("made").0, file.verifier());
        for length in 0..token.len() {
            assert!(!verifier.accepts(&token[..length]), "the first {length} characters");
            let other = if token.as_bytes()[length] == b'0' { "1" } else { "0" };
            let altered = [&token[..length], other, &token[length + 1..]].concat();
            assert!(!verifier.accepts(&altered), "another character at {length}");
        }
        let more = [" ", "\n", "\0", "é", "\u{feff}", &token];
        for more in more {
            assert!(!verifier.accepts(&[&token, more].concat()), "{more:?} after it");
            assert!(!verifier.accepts(&[more, &token].concat()), "{more:?} before it");
        }
        assert!(!verifier.accepts(&token.to_uppercase()) && !verifier.accepts(&token.repeat(10_000)));
    }

    /// Whether a type has no `==` with itself or a text. If it had one, two implementations would apply, and its use
    /// would not compile.
    trait NotComparable<Case> {
        const HOLDS: bool = true;
    }
    impl<T> NotComparable<()> for T {}
    impl<T: PartialEq> NotComparable<[(); 1]> for T {}
    impl<T: PartialEq<str>> NotComparable<[(); 2]> for T {}
    impl<T: PartialEq<String>> NotComparable<[(); 3]> for T {}
    const _: () = assert!(<Token as NotComparable<_>>::HOLDS);

    #[test]
    fn the_debug_text_of_a_token_does_not_have_it() {
        let folder = TempDir::new().expect("a folder");
        let token = TokenFile::of(folder.path()).get().expect("made");
        assert_eq!(format!("{token:?}"), format!("Token(\"••••••••{}\")", &token.0[60..]));
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
