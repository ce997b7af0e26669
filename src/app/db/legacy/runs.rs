//! The ledgers in the folder `runs` of a connection: a file a run, a JSON object a line, the first of them the header.

use std::fs;
use std::path::Path;

use crate::app::bulk::{Line, RunId};

/// The lines of each ledger that can be read, and what is wrong with them, for people.
pub(in crate::app) fn read(folder: &Path) -> (Vec<(RunId, Vec<String>)>, Vec<String>) {
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

/// Whose ledger it is, its whole lines, and how many are damaged. The last one may have been cut by whatever ended the
/// program; it is not counted.
fn lines(bytes: &[u8]) -> (Option<RunId>, Vec<String>, usize) {
    let (mut run, mut lines, mut damaged, mut last_whole) = (None, Vec::new(), 0, true);
    for (place, line) in bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).enumerate() {
        let parsed = serde_json::from_slice::<Line>(line).ok();
        last_whole = parsed.is_some();
        if let (0, Some(Line::Run(header))) = (place, &parsed) {
            run = Some(header.run);
        }
        match (parsed, std::str::from_utf8(line)) {
            (Some(_), Ok(line)) => lines.push(line.to_owned()),
            (None, _) | (_, Err(_)) => damaged += 1,
        }
    }
    let cut = !last_whole && bytes.last() != Some(&b'\n');
    (run, lines, damaged - usize::from(cut))
}
