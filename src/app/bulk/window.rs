//! Runs in the window: planned, started, halted, resumed, reported.

use std::sync::Arc;

use crate::app::App;
use crate::app::bulk::plan_file::PlanFile;
use crate::app::bulk::report::report;
use crate::app::bulk::{BulkWish, ExportPlace, ReportKind, RunId};
use crate::app::event::What;
use crate::app::journal::EntryId;
use crate::model::export::ExportType;
use crate::model::file_name::suggested_name;
use crate::model::id::AssetId;

impl App {
    pub(in crate::app) fn plan_bulk(&mut self, _wish: BulkWish, _assets: Arc<Vec<(AssetId, String)>>) {}

    pub(in crate::app) fn draft_in_flight(&mut self, count: usize) {
        if let Some(draft) = &mut self.state.bulk {
            draft.in_flight = count.clamp(1, 8);
        }
    }

    pub(in crate::app) fn start_bulk(&mut self) {}

    pub(in crate::app) fn open_run(&mut self, _run: RunId) {}

    pub(in crate::app) fn pause_run(&mut self, _run: RunId) {}

    pub(in crate::app) fn resume_run(&mut self, _run: RunId) {}

    pub(in crate::app) fn cancel_run(&mut self, _run: RunId) {}

    pub(in crate::app) fn retry_run(&mut self, _run: RunId) {}

    pub(in crate::app) fn run_in_flight(&mut self, _run: RunId, _count: usize) {}

    pub(in crate::app) fn save_report(&mut self, run: RunId, kind: ReportKind) {
        let Some(run) = self.state.runs.get(&run).cloned() else { return };
        let file_name = suggested_name(&run.title, "report", kind.extension());
        self.save(&file_name, move || report(&run, kind).into_bytes());
    }

    pub(in crate::app) fn save_bulk_plan(&mut self) {
        let Some(draft) = self.state.bulk.clone() else { return };
        let file_name = suggested_name(&draft.title, "plan", "json");
        self.save(&file_name, move || PlanFile::of(&draft).text().into_bytes());
    }

    pub(in crate::app) fn pick_export_place(
        &mut self,
        kind: ExportType,
        zip: bool,
        assets: Arc<Vec<(AssetId, String)>>,
    ) {
        let picked = match zip {
            false => self.setup.dialogs.place(),
            true => self.setup.dialogs.save(&suggested_name(&format!("{} assets as {kind}", assets.len()), "", "zip")),
        };
        let place = if zip { ExportPlace::Zip } else { ExportPlace::Folder };
        let pick = async move {
            let wish = picked.await.map(|path| BulkWish::Export { kind, to: place(path) });
            What::PlacePicked(wish.map(|wish| (wish, assets)))
        };
        self.start(pick, |_| What::PlacePicked(None));
    }

    /// Takes a batch back: a run of the inverses of the rows that are done.
    pub(in crate::app) fn undo_batch(&mut self, _entry: EntryId) {}

    /// Does a batch again that was taken back: a run of what its rows did.
    pub(in crate::app) fn redo_batch(&mut self, _entry: EntryId) {}
}
