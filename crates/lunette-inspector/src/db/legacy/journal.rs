//! `journal.jsonl` in the folder of a connection: a line for each beginning and each end of a step, with a checksum.
//! Files beside it, `journal-TIME.jsonl`, have the older lines of a large journal.
//!
//! What must hold: a truncated or changed line is detected, and an intact line is found also after a damaged line end.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read as _};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

/// The file's name in its folder.
const FILE: &str = "journal.jsonl";

/// The longest line that is read; no step was longer.
const LONGEST_LINE: u64 = 256 * 1024 * 1024;

/// Passes on the text of each line of a connection's journal, oldest first, and returns a message if it is damaged.
pub(crate) fn read(folder: &Path, mut take: impl FnMut(&str)) -> io::Result<Vec<String>> {
    let mut problems = Vec::new();
    for path in files(folder) {
        let mut damaged = 0;
        each_line(BufReader::new(File::open(&path)?), |bytes, whole| {
            let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
            let (lines, is_damaged) = if whole { lines(bytes) } else { (Vec::new(), true) };
            damaged += usize::from(is_damaged && !bytes.is_empty());
            lines.into_iter().for_each(&mut take);
        })?;
        let count = match damaged {
            0 => continue,
            1 => "1 unreadable line".to_owned(),
            lines => format!("{lines} unreadable lines"),
        };
        problems.push(format!("Skipped {count} of the history; the file is unchanged: {}", path.display()));
    }
    Ok(problems)
}

/// The files with the older lines, then the journal itself.
fn files(folder: &Path) -> Vec<PathBuf> {
    let names = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.file_name());
    let mut names: Vec<_> = names
        .filter_map(|name| name.into_string().ok())
        .filter(|name| name.starts_with("journal-") && name.ends_with(".jsonl"))
        .collect();
    names.sort();
    names.push(FILE.to_owned());
    names.into_iter().map(|name| folder.join(name)).filter(|path| path.is_file()).collect()
}

/// Passes on each line with its end, and whether all of it was read.
fn each_line(mut file: impl BufRead, mut take: impl FnMut(&[u8], bool)) -> io::Result<()> {
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = (&mut file).take(LONGEST_LINE).read_until(b'\n', &mut line)? as u64;
        if read == 0 {
            return Ok(());
        }
        take(&line, line.ends_with(b"\n") || read < LONGEST_LINE);
    }
}

const HEAD: &[u8] = b"{\"sum\":\"";
const MIDDLE: &[u8] = b"\",\"line\":";

/// How many hexadecimal digits a checksum has.
const SUM: usize = 16;

/// How often an intact line is searched for within a damaged one.
const TRIES: usize = 16;

/// The text of a line; `None` if it is damaged.
fn line(bytes: &[u8]) -> Option<&str> {
    let rest = bytes.strip_prefix(HEAD)?;
    let (checksum, rest) = rest.split_at_checked(SUM)?;
    let json = rest.strip_prefix(MIDDLE)?.strip_suffix(b"}")?;
    if checksum == sum(json).as_bytes() { std::str::from_utf8(json).ok() } else { None }
}

/// The text between two line ends: its intact lines, and whether a part is damaged.
fn lines(bytes: &[u8]) -> (Vec<&str>, bool) {
    if let Some(line) = line(bytes) {
        return (vec![line], false);
    }
    // A damaged line end leaves two lines in one.
    let heads = bytes.windows(HEAD.len()).enumerate().skip(1).filter(|(_, window)| *window == HEAD);
    for (at, _) in heads.take(TRIES) {
        if let Some(second) = line(&bytes[at..]) {
            let first = line(&bytes[..at - 1]).or_else(|| line(&bytes[..at]));
            let damaged = first.is_none();
            return (first.into_iter().chain([second]).collect(), damaged);
        }
    }
    (Vec::new(), true)
}

fn sum(json: &[u8]) -> String {
    Sha256::digest(json).iter().take(SUM / 2).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests;
