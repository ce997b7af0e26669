//! The dialogs of the window, and the order in which they are drawn.
//!
//! What must hold: a dialog that another one opens is drawn after it, and so is above it.

use crate::ui::dialogs::about::AboutDialog;
use crate::ui::dialogs::assistants::AssistantsDialog;
use crate::ui::dialogs::backups::Backups;
use crate::ui::dialogs::bulk::BulkDialog;
use crate::ui::dialogs::compare_with::CompareWithDialog;
use crate::ui::dialogs::confirm::ConfirmDialog;
use crate::ui::dialogs::conflict::ConflictDialog;
use crate::ui::dialogs::connection::ConnectionDialog;
use crate::ui::dialogs::export_many::ExportManyDialog;
use crate::ui::dialogs::help::HelpSheet;
use crate::ui::dialogs::import::ImportDialog;
use crate::ui::dialogs::merge::MergeDialog;
use crate::ui::dialogs::plan::PlanDialog;
use crate::ui::dialogs::preferences::Preferences;
use crate::ui::dialogs::proposal::ProposalDialog;
use crate::ui::dialogs::trash::TrashDialog;
use lunette_inspector::{Action, State};

/// One struct per dialog, each with the input of its fields.
#[derive(Default)]
pub(super) struct WindowDialogs {
    pub(super) connection: ConnectionDialog,
    pub(super) backups: Backups,
    pub(super) export_many: ExportManyDialog,
    pub(super) preferences: Preferences,
    pub(super) help: HelpSheet,
    pub(super) about: AboutDialog,
    compare_with: CompareWithDialog,
    proposal: ProposalDialog,
    assistants: AssistantsDialog,
    trash: TrashDialog,
    merge: MergeDialog,
    plan: PlanDialog,
    bulk: BulkDialog,
    conflict: ConflictDialog,
    confirm: ConfirmDialog,
    import: ImportDialog,
}

impl WindowDialogs {
    /// Draws the dialogs that are open; returns the assistant whose proposals are to be listed.
    pub(super) fn ui(&mut self, ctx: &egui::Context, state: &State, actions: &mut Vec<Action>) -> Option<String> {
        // Below the dialogs that are opened from it.
        self.compare_with.ui(ctx, state, actions);
        self.trash.ui(ctx, state, actions);
        self.proposal.ui(ctx, state, actions);
        self.merge.ui(ctx, state, actions);
        self.import.ui(ctx, state, actions);
        self.plan.ui(ctx, state, actions);
        self.bulk.ui(ctx, state, actions);
        self.conflict.ui(ctx, state, actions);
        self.connection.ui(ctx, state, actions);
        let assistant = self.assistants.ui(ctx, state, actions);
        self.backups.ui(ctx, state, actions);
        self.preferences.ui(ctx, state, actions);
        self.help.ui(ctx, state);
        self.about.ui(ctx);
        // Above the dialogs that it may be opened from.
        self.export_many.ui(ctx, state, actions);
        self.confirm.ui(ctx, state, actions);
        assistant
    }
}
