//! Merges updates into the rows of the list of assets: the one merge, for the user's own changes and for those of others.
//!
//! What must hold: an updated row replaces the old one at its index and all other rows keep theirs, so that the list does
//! not move while the user reads it.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::listing::RowList;
use crate::listing::rows::AssetRow;
use lunette_client::model::id::{AssetId, CompactId};

/// Up to this many updates are applied one by one.
const FEW: usize = 500;

/// Updates of some rows.
#[derive(Debug, Default)]
pub(crate) struct RowUpdates {
    /// Rows as they were read, in the order of the service.
    pub read: Vec<Arc<AssetRow>>,
    /// Deleted assets.
    pub gone: HashSet<AssetId>,
    /// Whether the rows read are all rows of the service.
    pub whole: bool,
    /// Whether assets that are not in the list are added.
    pub adds: bool,
}

impl RowUpdates {
    /// The update of a single row. An asset that was never saved is not added to the list.
    pub(crate) fn of(row: Arc<AssetRow>) -> Self {
        Self { adds: !row.pseudo, read: vec![row], ..Self::default() }
    }

    /// The removal of a single row.
    pub(crate) fn removal(id: AssetId) -> Self {
        Self { gone: HashSet::from([id]), ..Self::default() }
    }
}

/// The rows with their updates; `None` if nothing differs. New rows come first, as the last changed asset does at a service
/// that lists by date.
pub(crate) fn merged(base: &RowList<AssetRow>, better: RowUpdates) -> Option<RowList<AssetRow>> {
    match !better.whole && better.read.len() + better.gone.len() <= FEW {
        true => merged_few(base, better),
        false => merged_many(base, better),
    }
}

/// Changes the rows that differ, and leaves the others in place.
fn merged_few(base: &RowList<AssetRow>, better: RowUpdates) -> Option<RowList<AssetRow>> {
    let RowUpdates { read, gone, whole: _, adds } = better;
    let (mut rows, mut new) = (base.clone(), Vec::new());
    let mut seen = HashSet::new();
    for row in read.into_iter().rev() {
        // The last row of an asset counts.
        if gone.contains(&row.id()) || !seen.insert(row.compact_id()) {
            continue;
        }
        match rows.index_of_compact(row.compact_id()) {
            Some(index) => {
                let row = used_as(row, &rows[index]);
                if rows[index] != row {
                    rows.replace(index, row);
                }
            }
            None if adds => new.push(row),
            None => {}
        }
    }
    for id in &gone {
        if let Some(index) = rows.index_of(id) {
            rows.remove(index);
        }
    }
    new.into_iter().for_each(|row| rows.insert_first(row));
    (!rows.same(base)).then_some(rows)
}

/// A row as it was read, with what no record says of the row that it replaces: its uses, which are counted in the window,
/// and whether it is a near duplicate.
fn used_as(row: Arc<AssetRow>, before: &AssetRow) -> Arc<AssetRow> {
    if (row.uses(), row.near_duplicate) == (before.uses(), before.near_duplicate) {
        return row;
    }
    let used = row.with_uses(row.uses().max(before.uses()));
    Arc::new(used.as_near_duplicate(before.near_duplicate))
}

fn merged_many(base: &RowList<AssetRow>, better: RowUpdates) -> Option<RowList<AssetRow>> {
    let RowUpdates { read, gone, whole, adds } = better;
    let mut indices: HashMap<CompactId, usize> = HashMap::with_capacity(read.len());
    for (index, row) in read.iter().enumerate() {
        indices.insert(row.compact_id(), index); // The last row of an asset counts.
    }
    let (mut kept, mut differs) = (Vec::with_capacity(base.len()), false);
    let mut known = vec![false; read.len()];
    for row in base.iter() {
        let index = indices.get(&row.compact_id()).copied();
        let leaves = gone.contains(&row.id()) || whole && index.is_none();
        differs |= leaves;
        match index {
            _ if leaves => {}
            Some(index) => {
                known[index] = true;
                // The same row is kept, not an equal one, so that nothing is drawn anew for it.
                let newer = used_as(Arc::clone(&read[index]), row);
                let same = newer == *row;
                differs |= !same;
                kept.push(if same { Arc::clone(row) } else { newer });
            }
            None => kept.push(Arc::clone(row)),
        }
    }
    let is_new = |(index, row): &(usize, &Arc<AssetRow>)| {
        adds && !known[*index] && indices.get(&row.compact_id()) == Some(index) && !gone.contains(&row.id())
    };
    let mut rows: Vec<_> = read.iter().enumerate().filter(is_new).map(|(_, row)| Arc::clone(row)).collect();
    if rows.is_empty() && !differs {
        return None;
    }
    rows.append(&mut kept);
    Some(rows.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(indices: impl IntoIterator<Item = usize>) -> Vec<Arc<AssetRow>> {
        indices.into_iter().map(|index| Arc::new(AssetRow::sample(index))).collect()
    }

    fn renamed(index: usize) -> Arc<AssetRow> {
        Arc::new(AssetRow::sample(index).renamed("another"))
    }

    fn ids<'a>(rows: impl IntoIterator<Item = &'a Arc<AssetRow>>) -> Vec<AssetId> {
        rows.into_iter().map(|row| row.id()).collect()
    }

    #[test]
    fn few_and_many_changes_are_merged_alike() {
        let base = RowList::from(rows(0..20));
        let gone = || HashSet::from([AssetRow::sample(1).id(), AssetRow::sample(31).id(), AssetRow::sample(32).id()]);
        let read = || [renamed(3), renamed(31), Arc::new(AssetRow::sample(40)), renamed(40), renamed(41), renamed(5)];
        for adds in [true, false] {
            let better = || RowUpdates { read: read().to_vec(), gone: gone(), whole: false, adds };
            assert_eq!(merged_few(&base, better()), merged_many(&base, better()));
        }
    }

    #[test]
    fn a_reloaded_row_keeps_its_position_and_a_new_one_goes_to_the_top() {
        let base = RowList::from(rows(0..5));
        let gone = HashSet::from([base[1].id()]);
        let read = vec![renamed(3), Arc::new(AssetRow::sample(9))];
        let now = merged(&base, RowUpdates { read, gone, whole: false, adds: true }).expect("it differs");
        assert_eq!(ids(now.iter()), ids(&rows([9, 0, 2, 3, 4])));
        assert_eq!(now[3].name(), "another");
    }

    #[test]
    fn a_full_reload_removes_missing_rows_and_keeps_the_displayed_order() {
        let base = RowList::from(rows(0..4));
        let read = rows([8, 3, 0, 1]);
        let now =
            merged(&base, RowUpdates { read, whole: true, adds: true, ..RowUpdates::default() }).expect("it differs");
        assert_eq!(ids(now.iter()), ids(&rows([8, 0, 1, 3])));
    }

    #[test]
    fn unchanged_rows_are_not_updates() {
        let base = RowList::from(rows(0..4));
        for better in [
            RowUpdates { read: rows([2, 0]), adds: true, ..RowUpdates::default() },
            RowUpdates { read: rows(0..4), whole: true, adds: true, ..RowUpdates::default() },
            RowUpdates { read: rows([7]), ..RowUpdates::default() },
            RowUpdates { gone: HashSet::from([AssetRow::sample(7).id()]), ..RowUpdates::default() },
        ] {
            assert!(merged(&base, better).is_none());
        }
    }

    #[test]
    fn an_asset_deleted_right_after_its_read_is_gone() {
        let gone = HashSet::from([AssetRow::sample(7).id()]);
        assert!(merged(&rows(0..2).into(), RowUpdates { read: rows([7]), gone, adds: true, whole: false }).is_none());
    }

    #[test]
    fn an_unlisted_asset_is_updated_without_being_added() {
        let base = RowList::from(rows([0]));
        let unsaved = |index: usize| {
            let mut row = AssetRow::sample(index);
            row.pseudo = true;
            Arc::new(row)
        };
        assert!(merged(&base, RowUpdates::of(unsaved(1))).is_none());
        let updated = merged(&base, RowUpdates::of(unsaved(0))).expect("it differs");
        assert!(updated.len() == 1 && updated[0].pseudo);
        let added = merged(&base, RowUpdates::of(rows([1])[0].clone())).expect("it differs");
        assert_eq!(ids(added.iter()), ids(&rows([1, 0])));
        let removed = merged(&base, RowUpdates::removal(AssetRow::sample(0).id())).expect("it differs");
        assert_eq!(removed.len(), 0);
    }
}
