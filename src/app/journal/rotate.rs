//! A journal that has grown large: its older lines move to a file beside it, byte for byte.
//!
//! What must hold: a line is in one of both files at any moment, whenever the program ends; nothing is deleted.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Seek as _, SeekFrom, Write as _};

use crate::app::journal::folder::FILE;
use crate::app::journal::folder::Folder;
use crate::app::journal::replay::{Replay, each_line};

/// Moves what the replay let go to a file of its own, and gives its name. The folder's lock is held by the caller.
pub(super) fn rotate(folder: &Folder, mut file: &File, replay: &Replay) -> io::Result<String> {
    let (older, older_file) = dated(folder)?;
    let moved = folder.temporary(FILE).and_then(|(newer, newer_file)| {
        file.seek(SeekFrom::Start(0))?;
        split(file, replay, older_file, newer_file)?;
        folder.sync()?;
        folder.replace(&newer, FILE)
    });
    if moved.is_err() {
        // Nothing was taken from the journal; a copy of half of it serves nobody.
        fs::remove_file(folder.path(&older)).ok();
    }
    moved.map(|()| older)
}

fn split(file: &File, replay: &Replay, older: File, newer: File) -> io::Result<()> {
    let kept = replay.lines();
    let (mut older, mut newer) = (BufWriter::new(older), BufWriter::new(newer));
    each_line(BufReader::new(file), |at, line, _| {
        if !kept.contains(&at) {
            return older.write_all(line);
        }
        newer.write_all(line)?;
        // The last line may lack its end; it is not the last for long.
        if line.ends_with(b"\n") { Ok(()) } else { newer.write_all(b"\n") }
    })?;
    for writer in [older, newer] {
        writer.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
    }
    Ok(())
}

/// A new file named for this moment.
fn dated(folder: &Folder) -> io::Result<(String, File)> {
    let now = jiff::Timestamp::now().strftime("%Y%m%dT%H%M%SZ").to_string();
    let mut tries = 1;
    loop {
        let name = if tries == 1 { format!("journal-{now}.jsonl") } else { format!("journal-{now}-{tries}.jsonl") };
        match folder.new_file(&name) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && tries < 100 => tries += 1,
            file => return Ok((name, file?)),
        }
    }
}
