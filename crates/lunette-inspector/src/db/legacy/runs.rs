//! The ledgers in the folder `runs` of a connection: a file for each run, a JSON object for each line, the header
//! first.

use std::fs;
use std::path::Path;

use serde::de::IgnoredAny;
use serde_json::Value;
use uuid::Uuid;

/// The ledgers of runs: their lines.
type Ledgers = Vec<(Uuid, Vec<String>)>;

/// The readable lines of each ledger, and a message if some are damaged.
pub(crate) fn read(folder: &Path) -> (Ledgers, Vec<String>) {
    let (mut ledgers, mut problems) = (Vec::new(), Vec::new());
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.extension().is_none_or(|ending| ending != "jsonl") {
            continue;
        }
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) => {
                problems.push(format!("cannot read the ledger of a run: {error}: {}", path.display()));
                continue;
            }
        };
        let (run, lines, damaged) = lines(&bytes);
        if damaged > 0 {
            problems.push(format!("{damaged} lines of the ledger of a run are damaged: {}", path.display()));
        }
        match run {
            Some(run) => ledgers.push((run, lines)),
            None => problems
                .push(format!("cannot read the ledger of the run: its first line is damaged: {}", path.display())),
        }
    }
    (ledgers, problems)
}

/// The run of a ledger, its intact lines, and the number of damaged ones. The last line may have been truncated when
/// the program was killed; it is not counted.
fn lines(bytes: &[u8]) -> (Option<Uuid>, Vec<String>, usize) {
    let is_line = |line: &&str| serde_json::from_str::<IgnoredAny>(line).is_ok();
    let (mut run, mut lines, mut damaged, mut last_whole) = (None, Vec::new(), 0, true);
    for (index, line) in bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).enumerate() {
        let text = std::str::from_utf8(line).ok().filter(is_line);
        last_whole = text.is_some();
        match text {
            Some(text) => lines.push(text.to_owned()),
            None => damaged += 1,
        }
        if index == 0 {
            run = text.and_then(run_of);
        }
    }
    let cut = !last_whole && bytes.last() != Some(&b'\n');
    (run, lines, damaged - usize::from(cut))
}

/// The run that the first line of a ledger is about.
fn run_of(header: &str) -> Option<Uuid> {
    let header: Value = serde_json::from_str(header).ok()?;
    header.get("run")?.get("run")?.as_str()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bulk::{Ledger, RowStatus, RunStatus};
    use crate::db::RunStore;

    /// A run of three rows: one is done, one failed and one was being sent. It was written by the version before the
    /// database.
    const LEDGER: &str = include_str!("../../../../../tests/fixtures/legacy/run.jsonl");

    /// The ledgers of a data folder, after they were imported this many times.
    fn imported(ledgers: &[(&str, &str)], times: usize) -> (tempfile::TempDir, RunStore, Vec<String>) {
        let data = tempfile::tempdir().expect("a folder");
        let folder = data.path().join("runs");
        fs::create_dir(&folder).expect("made");
        for (name, text) in ledgers {
            fs::write(folder.join(name), text).expect("written");
        }
        let store = RunStore::open(data.path(), "embedded").expect("a database");
        let problems = (0..times).flat_map(|_| store.import(&folder).expect("read in")).collect();
        for (name, text) in ledgers {
            assert_eq!(fs::read_to_string(folder.join(name)).expect("kept"), *text);
        }
        (data, store, problems)
    }

    #[test]
    fn a_legacy_ledger_is_imported_once_and_left_in_place() {
        let (_data, store, problems) = imported(&[("run.jsonl", LEDGER), ("notes.txt", "of the user")], 2);
        assert_eq!(problems, [""; 0]);
        let (runs, message) = Ledger::interrupted(&store);
        let [interrupted] = runs.as_slice() else { panic!("one run: {message:?}") };
        assert_eq!(
            (interrupted.run.title.as_str(), &interrupted.run.status),
            ("Make 3 assets favourites", &RunStatus::Interrupted)
        );
        let rows: Vec<_> = interrupted.run.rows.iter().map(|row| row.status.clone()).collect();
        assert_eq!(rows, [RowStatus::Done, RowStatus::Failed("refused".to_owned()), RowStatus::Pending]);
        assert_eq!(store.lines(interrupted.run.id.0).expect("read").lines.len(), LEDGER.lines().count());
    }

    #[test]
    fn a_damaged_ledger_loses_only_the_damaged_lines() {
        let damaged = LEDGER.replacen("{\"failed\"", "{\"fail", 1);
        let (_data, store, problems) = imported(&[("a.jsonl", &damaged), ("b.jsonl", "{\"run\": 7}\n")], 1);
        assert_eq!(problems.len(), 2, "{problems:?}");
        let (runs, _) = Ledger::interrupted(&store);
        let rows: Vec<_> = runs[0].run.rows.iter().map(|row| row.status.clone()).collect();
        assert_eq!(rows, [RowStatus::Done, RowStatus::Pending, RowStatus::Pending]);
        // A truncated last line is not damage.
        let (_data, store, problems) = imported(&[("a.jsonl", &LEDGER[..LEDGER.len() - 4])], 1);
        assert_eq!((problems, Ledger::interrupted(&store).0.len()), (Vec::new(), 1));
    }
}
