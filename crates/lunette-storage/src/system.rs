//! Differences between systems in paths, kinds of files and shells.
//!
//! What must hold: no higher layer checks the operating system to handle a path or a file.

use std::fs::{self, FileType};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns the absolute path of an existing file. Links are followed, except on Windows: there the result would begin
/// with `\\?\`, which other programs do not take.
pub fn whole_path(path: &Path) -> io::Result<PathBuf> {
    if cfg!(windows) { std::path::absolute(path) } else { fs::canonicalize(path) }
}

/// Returns the path of a `file:` URL from what follows its host, which on Windows has a slash before the drive.
pub fn path_of_url(path: &str) -> PathBuf {
    PathBuf::from(if cfg!(windows) { path.trim_start_matches('/') } else { path })
}

/// Returns a path as one word of the shells of this system.
pub fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    if cfg!(windows) { quoted_for_windows(&text) } else { quoted_for_posix(&text) }
}

fn quoted_for_posix(text: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "/._-+:@".contains(letter);
    if text.chars().all(plain) { text.to_owned() } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

/// Both of its shells support double quotes, and no path contains one. A backslash before the last quote would escape
/// it.
fn quoted_for_windows(text: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || r"/\._-+:".contains(letter);
    match text.chars().all(plain) {
        true => text.to_owned(),
        false if text.ends_with('\\') => format!(r#""{text}\""#),
        false => format!("\"{text}\""),
    }
}

/// Returns what an error says, without the number that the operating system has for it.
pub fn error_text(error: &io::Error) -> String {
    let mut text = error.to_string();
    if let Some(number) = error.raw_os_error() {
        let suffix = format!(" (os error {number})");
        text.truncate(text.strip_suffix(&suffix).unwrap_or(&text).len());
    }
    text
}

/// The editor of a user who has named none.
pub const STANDARD_EDITOR: &str = if cfg!(windows) { "notepad" } else { "vi" };

/// Returns the command that opens a file in this editor. As in git, an editor may have arguments, and on Unix whatever a
/// shell takes.
pub fn editor_command(editor: &str, file: &Path) -> Command {
    if cfg!(windows) {
        let mut words = editor.split_whitespace();
        let mut command = Command::new(words.next().unwrap_or(STANDARD_EDITOR));
        command.args(words).arg(file);
        return command;
    }
    let mut command = Command::new("sh");
    command.args(["-c", &format!("{editor} \"$@\""), editor]).arg(file);
    command
}

/// Returns a path as the system's own units: bytes, or on Windows units of UTF-16. Every path has them, also one that is
/// not Unicode.
pub fn path_units(path: &Path) -> Vec<u16> {
    #[cfg(windows)]
    {
        use std::os::windows::ffi::OsStrExt as _;
        path.as_os_str().encode_wide().collect()
    }
    #[cfg(not(windows))]
    path.as_os_str().as_encoded_bytes().iter().copied().map(u16::from).collect()
}

/// Returns the path of such units; `None` if they are not those of a path of this system.
pub fn path_of_units(units: &[u16]) -> Option<PathBuf> {
    #[cfg(windows)]
    {
        use std::os::windows::ffi::OsStringExt as _;
        Some(std::ffi::OsString::from_wide(units).into())
    }
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStringExt as _;
        let bytes = units.iter().map(|unit| u8::try_from(*unit).ok()).collect::<Option<_>>()?;
        Some(std::ffi::OsString::from_vec(bytes).into())
    }
}

/// Returns what this is instead of a regular file, if it is of a kind that only some systems have.
pub fn special_kind(kind: FileType) -> Option<&'static str> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt as _;
        if kind.is_fifo() {
            return Some("a named pipe");
        }
        if kind.is_socket() {
            return Some("a socket");
        }
        if kind.is_block_device() || kind.is_char_device() {
            return Some("a device");
        }
    }
    #[cfg(not(unix))]
    let _ = kind;
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_one_word_of_each_shell() {
        assert_eq!(quoted_for_posix("/home/u/a-b.sqlite3"), "/home/u/a-b.sqlite3");
        assert_eq!(quoted_for_posix("/it's $HOME"), r"'/it'\''s $HOME'");
        assert_eq!(quoted_for_windows(r"C:\data\a.sqlite3"), r"C:\data\a.sqlite3");
        assert_eq!(quoted_for_windows(r"C:\it's data ü"), r#""C:\it's data ü""#);
        assert_eq!(quoted_for_windows(r"C:\a b\"), r#""C:\a b\\""#);
    }

    #[test]
    fn an_error_is_told_without_its_number() {
        let missing = fs::read("/no/such/folder/file").expect_err("there is none");
        assert!(missing.to_string().contains("os error"));
        let text = error_text(&missing);
        assert!(!text.is_empty() && !text.contains("os error") && !text.ends_with(' '), "{text:?}");
        assert_eq!(error_text(&io::Error::other("anything else (os error 2)")), "anything else (os error 2)");
        assert_eq!(error_text(&io::ErrorKind::NotFound.into()), "entity not found");
    }
}
