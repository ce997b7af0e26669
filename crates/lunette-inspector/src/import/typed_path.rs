//! Parses a typed or pasted path, for systems without file dialogs.
//!
//! What must hold: the path does not depend on the working directory; the file system is not accessed.

use std::path::PathBuf;

use lunette_storage::system;

/// Parses a path: with or without quotes, starting with `~`, or as a `file://` address, as file managers copy it.
///
/// # Errors Fails with a sentence if it is not an absolute path.
pub fn typed_path(text: &str) -> Result<PathBuf, &'static str> {
    let text = text.trim();
    let text = ['"', '\''].iter().find_map(|quote| text.strip_prefix(*quote)?.strip_suffix(*quote)).unwrap_or(text);
    let path = match (text.strip_prefix("file://"), text.strip_prefix('~')) {
        (Some(address), _) => decoded(address).ok_or("this is not the address of a local file")?,
        (None, Some(rest)) if rest.is_empty() || rest.starts_with('/') => {
            let home = std::env::home_dir().ok_or("the home folder is unknown; type the full path")?;
            home.join(rest.trim_start_matches('/'))
        }
        (None, _) => PathBuf::from(text),
    };
    match (text.is_empty(), path.is_absolute()) {
        (true, _) => Err("type or paste a path"),
        (false, false) => Err("type the full path, starting with / or ~"),
        (false, true) => Ok(path),
    }
}

/// Decodes the path of a `file://` address, given without its scheme.
fn decoded(address: &str) -> Option<PathBuf> {
    let path = address.strip_prefix("localhost").unwrap_or(address);
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.bytes();
    while let Some(byte) = rest.next() {
        let byte = match byte {
            b'%' => {
                let digits = [rest.next()?, rest.next()?];
                u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
            }
            byte => byte,
        };
        bytes.push(byte);
    }
    let path = String::from_utf8(bytes).ok().filter(|path| path.starts_with('/'))?;
    Some(system::path_of_url(&path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn paths_are_accepted_as_users_and_file_managers_write_them() {
        for text in [
            "/tmp/a b.txt",
            " '/tmp/a b.txt' ",
            "\"/tmp/a b.txt\"",
            "file:///tmp/a%20b.txt",
            "file://localhost/tmp/a%20b.txt",
        ] {
            assert_eq!(typed_path(text), Ok(PathBuf::from("/tmp/a b.txt")), "{text}");
        }
        let home = std::env::home_dir().expect("a home folder");
        assert_eq!(typed_path("~/notes"), Ok(home.join("notes")));
    }

    #[test]
    fn invalid_paths_are_rejected() {
        for text in ["", "notes.txt", "./notes.txt", "file://elsewhere/notes.txt", "file:///%zz", "~other/notes"] {
            assert!(typed_path(text).is_err(), "{text}");
        }
    }
}
