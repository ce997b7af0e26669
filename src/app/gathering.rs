//! A list of assets that is read again: its rows are gathered aside, and take the place of the old ones when all are
//! there. So the list never shrinks under the user's eyes, and keeps its place.

use std::sync::Arc;

use crate::app::App;
use crate::app::rows::AssetRow;
use crate::model::id::AssetId;

/// The rows of a list that is read again.
#[derive(Default)]
pub(super) struct Gathering {
    rows: Vec<Arc<AssetRow>>,
    /// What became known of single rows meanwhile, which is newer.
    meanwhile: Vec<(AssetId, Option<Arc<AssetRow>>)>,
}

impl Gathering {
    /// All rows, with what became known meanwhile: a row that is new stands at the top.
    fn finish(self) -> Vec<Arc<AssetRow>> {
        let Self { mut rows, meanwhile } = self;
        for (id, row) in meanwhile {
            let place = rows.iter().position(|known| known.id == id);
            match (place, row) {
                (Some(place), Some(row)) => rows[place] = row,
                (Some(place), None) => {
                    rows.remove(place);
                }
                (None, Some(row)) => rows.insert(0, row),
                (None, None) => {}
            }
        }
        rows
    }
}

impl App {
    /// Takes rows aside where the list is read again; gives them back where it is read for the first time.
    pub(super) fn gather(&mut self, rows: Vec<Arc<AssetRow>>, first: bool) -> Option<Vec<Arc<AssetRow>>> {
        if first {
            self.gathering = (self.state.assets.count() > 0).then(Gathering::default);
        }
        match &mut self.gathering {
            None => Some(rows),
            Some(gathering) => {
                gathering.rows.extend(rows);
                None
            }
        }
    }

    /// Notes what became known of a row while the list is read again; None that it is gone.
    pub(super) fn gathered_meanwhile(&mut self, id: &AssetId, row: Option<&Arc<AssetRow>>) {
        if let Some(gathering) = &mut self.gathering {
            gathering.meanwhile.push((id.clone(), row.cloned()));
        }
    }

    /// The rows that were gathered, now that all are there; None where the list was read for the first time.
    pub(super) fn gathered(&mut self) -> Option<Vec<Arc<AssetRow>>> {
        self.gathering.take().map(Gathering::finish)
    }
}
