//! Exports many assets from the window: reads and writes in the background, and renames at the end.
//!
//! What must hold: if there are possible secrets, the export is finished only after the user saw the assets and
//! confirmed; declining, cancelling and closing the window leave nothing behind.

use lunette_client::client::Purpose;
use lunette_client::model::size::plural;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::library::{
    ExportError, ExportOptions, ExportReport, Format, PreparedExport, Progress, Suspect, prepare_library,
};
use super::{Action, Exports, Output};
use crate::confirm::Confirmation;
use crate::context::Context;
use crate::files::IfExists;
use crate::listing::Column;
use crate::listing::rows::AssetRow;
use crate::notifications::{NotificationAction, Severity};
use crate::setup::{NotPicked, picked};
use crate::tasks::CancelFlag;

/// The assets, format and target of an export.
#[derive(Clone, Debug, PartialEq)]
pub struct ExportRequest {
    /// The format.
    pub format: Format,
    /// The new folder or file.
    pub target: PathBuf,
    /// The assets, in their order.
    pub rows: Vec<Arc<AssetRow>>,
    /// A description of the assets.
    pub what: String,
    /// The columns of a list.
    pub columns: Vec<&'static Column<AssetRow>>,
}

/// The maximum number of assets listed in a dialog or message.
const MAX_LISTED: usize = 10;

impl Exports {
    /// Exports many assets; asks first if there are possible secrets.
    pub(super) fn export_many(&mut self, request: ExportRequest, cx: &mut Context<'_>) {
        let ExportRequest { format, target, rows, what, columns } = request;
        let title = format!("Exporting {}", plural(rows.len(), "asset"));
        let (client, vendor, cancel) = (cx.client(), cx.connection.vendor, CancelFlag::default());
        let options = ExportOptions { format, target, if_exists: IfExists::Refuse, what, columns, vendor };
        let work = cx.next_work();
        let report = cx.reporter().progress(work);
        let progress = move |Progress { done, total, .. }: Progress| report(done, total);
        let flag = cancel.clone();
        let export = async move {
            let client = client?.for_run().for_purpose(Purpose::Part);
            prepare_library(client, rows, options, progress, flag).await.map(Box::new)
        };
        let task = cx.run(export, Output::Prepared);
        cx.show_work(work, task, title, Some(cancel));
    }

    pub(super) fn prepared(&mut self, end: Result<Box<PreparedExport>, ExportError>, cx: &mut Context<'_>) {
        match end {
            Ok(prepared) if prepared.report().suspects.is_empty() => self.finish_export(*prepared, cx),
            Ok(prepared) => {
                let suspects = &prepared.report().suspects;
                let title = match suspects.len() {
                    1 => "Export 1 asset that may contain a secret?".to_owned(),
                    count => format!("Export {count} assets that may contain secrets?"),
                };
                cx.ask_first(
                    Confirmation::here(title, named(suspects), "Export all", Action::FinishMany)
                        .or_else(Action::DropMany),
                );
                self.waiting = Some(prepared);
            }
            Err(problem) => cx.notify(Severity::Failed, format!("Could not export: {problem}")),
        }
    }

    /// Finishes the export that waits for confirmation.
    pub(super) fn finish_many(&mut self, cx: &mut Context<'_>) {
        if let Some(prepared) = self.waiting.take() {
            self.finish_export(*prepared, cx);
        }
    }

    /// Removes the export that waits for confirmation.
    pub(super) fn drop_many(&mut self, cx: &mut Context<'_>) {
        let Some(prepared) = self.waiting.take() else { return };
        let remove = move || {
            drop(prepared);
            Err(ExportError::Declined)
        };
        cx.run_blocking(remove, Output::Written);
    }

    fn finish_export(&mut self, prepared: PreparedExport, cx: &mut Context<'_>) {
        cx.run_blocking(move || prepared.finish(), Output::Written);
    }

    pub(super) fn written(&mut self, end: Result<ExportReport, ExportError>, cx: &mut Context<'_>) {
        let ExportReport { path, exported, left_out, .. } = match end {
            Ok(report) => report,
            Err(ExportError::Declined) => return cx.notify(Severity::Failed, "Nothing was exported".to_owned()),
            Err(error) => return cx.notify(Severity::Failed, format!("Could not export: {error}")),
        };
        self.completed += 1;
        let mut done = format!("Exported {} to {}", plural(exported, "asset"), path.display());
        left_out.sentence().iter().for_each(|sentence| done.push_str(&format!(". {sentence}")));
        let offers = vec![NotificationAction {
            label: "Show in folder",
            actions: vec![Action::ShowInFolder(path.clone()).into()],
        }];
        match left_out.assets() {
            [] => cx.notify_offering(Severity::Done, done, offers),
            left_out => {
                let reasons: Vec<_> =
                    left_out.iter().take(MAX_LISTED).map(|one| format!("“{}”: {}", one.name, one.reason)).collect();
                let more = if left_out.len() > MAX_LISTED { "; and more" } else { "" };
                let text = format!("{done}; {} left out: {}{more}", left_out.len(), reasons.join("; "));
                cx.notify_offering(Severity::Failed, text, offers);
            }
        }
    }

    /// Lets the user choose the target of an export.
    pub(super) fn pick_target(&mut self, file_name: &str, cx: &mut Context<'_>) {
        let (picking, dialogs) = (cx.setup().dialogs.save(file_name), Arc::clone(&cx.setup().dialogs));
        cx.run(picked(picking, dialogs), Output::TargetPicked);
    }

    pub(super) fn target_picked(&mut self, end: Result<Option<PathBuf>, NotPicked>, cx: &mut Context<'_>) {
        match end {
            Ok(Some(path)) => {
                self.target = Some(path);
                self.targets += 1;
            }
            Ok(None) => {}
            Err(error) => cx.notify(Severity::Failed, error.to_string()),
        }
    }

    /// Returns the last picked path, and how many were picked.
    pub fn picked_target(&self) -> (u64, Option<&Path>) {
        (self.targets, self.target.as_deref())
    }
}

/// Returns a line for each asset with findings: where, and by which rule.
fn named(suspects: &[Suspect]) -> String {
    let line = |suspect: &Suspect| {
        let locations: Vec<String> =
            suspect.findings.iter().map(|finding| format!("line {} ({})", finding.line, finding.rule)).collect();
        format!("{}: {}", suspect.name, locations.join(", "))
    };
    let mut lines: Vec<String> = suspects.iter().take(MAX_LISTED).map(line).collect();
    if suspects.len() > MAX_LISTED {
        lines.push(format!("and {} more", suspects.len() - MAX_LISTED));
    }
    lines.push("Nothing has been written yet. Nothing will be left out.".to_owned());
    lines.join("\n")
}
