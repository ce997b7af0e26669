//! What a run does or did, in one sentence: for the status bar, the history and messages.
//!
//! What must hold: the tense follows the status of the run.

use super::{RowStatus, Run, RunStatus};
use crate::change::{CHANGES, with_name};
use lunette_client::model::size::grouped;

/// The beginnings of titles besides the verbs of changes, in the past tense and while it is done.
const OTHERS: [(&str, &str); 5] = [
    ("Added", "Adding"),
    ("Exported", "Exporting"),
    ("Imported", "Importing"),
    ("Undo:", "Undoing:"),
    ("Redo:", "Redoing:"),
];

/// What a run does now, or did. `title` is the title of its step, in the past tense.
pub fn sentence(run: &Run, title: &str) -> String {
    let counts = run.counts();
    let so_far = || format!("{} of {}", grouped(counts.ended() as u64), grouped(counts.all() as u64));
    match run.status {
        RunStatus::Running => format!("{} … {}", under_way(title), so_far()),
        RunStatus::Paused(_) => format!("{}: paused after {}", under_way(title), so_far()),
        RunStatus::Interrupted => format!("{}: interrupted after {}", under_way(title), so_far()),
        RunStatus::Cancelled | RunStatus::Ended => ended(run, title),
    }
}

/// What a run did that has ended.
pub fn ended(run: &Run, title: &str) -> String {
    let counts = run.counts();
    let number = |count: usize| grouped(count as u64);
    if run.status == RunStatus::Cancelled && counts.pending > 0 {
        let left = [(counts.failed, "failed"), (counts.unknown, "unknown")].into_iter().filter(|(count, _)| *count > 0);
        let left: String = left.map(|(count, how)| format!(", {} {how}", number(count))).collect();
        let (done, all) = (number(counts.ended()), number(counts.all()));
        return format!("{}: stopped after {done} of {all}{left}", under_way(title));
    }
    if counts.done == counts.all() {
        return title.to_owned();
    }
    let parts = [
        (counts.done, "done"),
        (counts.unchanged, "unchanged"),
        (counts.failed, "failed"),
        (counts.unknown, "unknown"),
        (counts.pending, "not started"),
    ];
    let parts = parts.into_iter().filter(|(count, _)| *count > 0);
    let parts: Vec<_> = parts.map(|(count, how)| format!("{} {how}", number(count))).collect();
    format!("{title}: {}", parts.join(", "))
}

/// A title in the past tense as that of something that is under way. Titles of others, from plan files, stay.
fn under_way(title: &str) -> String {
    let verbs = CHANGES.iter().map(|info| (info.past, info.doing)).chain(OTHERS);
    let doing = |(past, doing): (&str, &'static str)| {
        let rest = title.strip_prefix(past)?;
        rest.starts_with(' ').then_some((doing, rest))
    };
    // The longest verb: *Created and linked* begins with *Created*.
    let doing = verbs.filter_map(doing).min_by_key(|(_, rest)| rest.len());
    doing.map_or_else(|| title.to_owned(), |(doing, rest)| format!("{doing}{rest}"))
}

/// The words for the end of an undo or redo of a batch.
pub(crate) struct Words {
    all: &'static str,
    some: &'static str,
    none: &'static str,
    not: &'static str,
}

pub(crate) const UNDO: Words =
    Words { all: "Undone", some: "Undid", none: "was not undone", not: "could not be undone" };
pub(crate) const REDO: Words =
    Words { all: "Redone", some: "Redid", none: "was not redone", not: "could not be redone" };

/// The result of an undo or redo of a batch; an asset is named, whatever the service calls it.
pub(crate) fn answered(run: &Run, title: &str, words: &Words) -> String {
    let counts = run.counts();
    let why = run.rows.iter().find_map(|row| match &row.status {
        RowStatus::Failed(why) | RowStatus::Unknown(why) => Some(with_name(why, &row.asset, &row.name)),
        RowStatus::Pending | RowStatus::Sending | RowStatus::Done | RowStatus::Unchanged(_) => None,
    });
    let number = |count: usize| grouped(count as u64);
    let left = [(counts.failed, words.not), (counts.unknown, "with unknown outcome"), (counts.pending, "not started")];
    let left = left.into_iter().filter(|(count, _)| *count > 0).map(|(count, how)| format!("{} {how}", number(count)));
    let left = left.collect::<Vec<_>>().join(", ");
    let why = why.map(|why| format!(": {why}")).unwrap_or_default();
    match counts.done {
        _ if left.is_empty() => format!("{}: {title}", words.all),
        0 => format!("“{title}” {}; {left}{why}", words.none),
        done => format!("{} {} of {}; {left}{why}", words.some, number(done), number(counts.all())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::RunRow;
    use lunette_client::model::id::AssetId;

    fn run(done: usize, all: usize, status: RunStatus) -> Run {
        let rows = (0..all).map(|_| RunRow::new(AssetId::random(), "a.rs")).collect();
        let mut run = Run::new("Create and link tag “x” to 4 assets".to_owned(), rows, 4);
        (0..done).for_each(|row| run.change(row, |row| row.status = RowStatus::Done));
        run.status = status;
        run
    }

    #[test]
    fn the_tense_follows_the_status() {
        let title = "Created and linked tag “x” to 4,057 assets";
        let so_far = |status| sentence(&run(1_204, 4_057, status), title);
        let doing = "Creating and linking tag “x” to 4,057 assets";
        assert_eq!(so_far(RunStatus::Running), format!("{doing} … 1,204 of 4,057"));
        assert_eq!(so_far(RunStatus::Paused(None)), format!("{doing}: paused after 1,204 of 4,057"));
        assert_eq!(so_far(RunStatus::Interrupted), format!("{doing}: interrupted after 1,204 of 4,057"));
        assert_eq!(so_far(RunStatus::Cancelled), format!("{doing}: stopped after 1,204 of 4,057"));
        assert_eq!(sentence(&run(3, 3, RunStatus::Ended), title), title);
        let mut failed = run(2, 3, RunStatus::Ended);
        failed.change(2, |row| row.status = RowStatus::Failed("no".to_owned()));
        assert_eq!(sentence(&failed, title), format!("{title}: 2 done, 1 failed"));
    }

    #[test]
    fn every_verb_has_a_form_for_what_is_under_way() {
        for info in CHANGES {
            assert_eq!(under_way(&format!("{} x", info.past)), format!("{} x", info.doing));
        }
        assert_eq!(under_way("Undo: linked tag “x”"), "Undoing: linked tag “x”");
        assert_eq!(under_way("Links of May"), "Links of May");
    }

    #[test]
    fn a_failed_undo_names_the_asset() {
        let mut undo = run(1, 2, RunStatus::Ended);
        let asset = undo.rows[1].asset.clone();
        undo.change(1, |row| row.status = RowStatus::Failed(format!("there is no asset {asset}")));
        let said = answered(&undo, "linked tag “x”", &UNDO);
        assert_eq!(said, "Undid 1 of 2; 1 could not be undone: there is no asset “a.rs”");
    }
}
