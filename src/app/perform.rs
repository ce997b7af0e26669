//! From a wish to what carries it out.

use crate::app::{Action, App};

impl App {
    /// Carries out a wish.
    pub fn perform(&mut self, action: Action) {
        self.carry_out(action);
        self.note_visit();
        // A write that begins now is known to those who read beside it before it leaves.
        self.publish_sight();
    }

    fn carry_out(&mut self, action: Action) {
        match action {
            Action::Show(panel) => self.show(panel),
            Action::GoBack => self.go_back(),
            Action::GoForward => self.go_forward(),
            Action::Connect(target) => self.choose_target(target),
            Action::Reconnect => self.try_now(),
            Action::Adopt => self.connect(self.state.connection.target.clone()),
            Action::KeepConnection { url, named } => self.keep_connection(&url, named),
            Action::ForgetConnection(url) => self.forget_connection(&url),
            Action::Check(read_only) => self.check(read_only),
            Action::Discover => self.discover(),
            Action::Refresh(panel) => self.refresh(panel),
            Action::OpenApplication(id) => self.open_application(id),
            Action::Track { name, version, identifier } => self.track(name, version, identifier),
            Action::ArrangeApplications(query) => self.arrange_applications(query),
            Action::ArrangeExternal(query) => self.arrange_external(query),
            Action::ArrangeAssets(query) => self.arrange_assets(query),
            Action::Search(text) => self.search(text),
            Action::OpenAsset(id) => self.open_asset(id),
            Action::OpenLink(link) => self.open_link(link),
            Action::CloseAsset => self.close_asset(),
            Action::RefreshAsset(id) => self.load_asset(&id),
            Action::LoadContent(id) => self.load_content(&id),
            Action::LoadFormats(id) => self.load_formats(id),
            Action::LoadActivities(id) => self.load_activities(id),
            Action::LoadConversations(id) => self.load_conversations(id),
            Action::LoadLinkable(kind) => self.load_linkable(kind),
            Action::Transferables(on) => self.set_transferables(on),
            Action::SetRail(rail) => self.set_rail(rail),
            Action::Answer(yes) => self.answer_asked(yes),
            Action::ForgetLack(name) => self.state.connection.capabilities.forget(name),
            Action::Change(change) => self.change(change),
            Action::ApplyPlan => self.apply_plan(),
            Action::DismissPlan => self.dismiss_plan(),
            Action::Decide(place, choice) => self.decide(place, choice),
            Action::MergeConflict => self.merge_conflict(),
            Action::DismissConflict => self.dismiss_conflict(),
            Action::Undo => self.undo(),
            Action::Redo => self.redo(),
            Action::UndoStep(entry) => self.undo_step(entry),
            Action::Settle(entry) => self.settle(entry),
            Action::SelectStep(entry) => self.select_step(entry),
            Action::KeepDraft(key, draft) => self.keep_draft(key, draft),
            Action::PlanBulk(wish, assets) => self.plan_bulk(wish, assets),
            Action::DraftInFlight(count) => self.draft_in_flight(count),
            Action::StartBulk => self.start_bulk(),
            Action::DismissBulk => self.state.bulk = None,
            Action::OpenRun(run) => self.open_run(run),
            Action::PauseRun(run) => self.pause_run(run),
            Action::ResumeRun(run) => self.resume_run(run),
            Action::CancelRun(run) => self.cancel_run(run),
            Action::RetryRun(run) => self.retry_run(run),
            Action::RunInFlight(run, count) => self.run_in_flight(run, count),
            Action::SaveReport(run, kind) => self.save_report(run, kind),
            Action::SaveBulkPlan => self.save_bulk_plan(),
            Action::PickExportPlace(kind, zip, assets) => self.pick_export_place(kind, zip, assets),
            Action::DismissRefusal(id) => self.dismiss_refusal(&id),
            Action::Create { name, text } => self.create(name, text),
            Action::Send(call) => self.send(*call),
            Action::Import(paths) => self.import(paths),
            Action::PickFiles => self.pick_files(),
            Action::PickFolder => self.pick_folder(),
            Action::ImportSamples => self.import_samples(),
            Action::Export(id, kind) => self.export(id, kind),
            Action::SaveExport(id) => self.save_export(&id),
            Action::DragExport(id) => self.drag_export(&id),
            Action::SaveExportAs(id, path) => self.save_export_as(&id, path),
            Action::SaveContent(id) => self.save_content(&id),
            Action::Cancel(task) => self.cancel(task),
            Action::Dismiss(number) => self.state.notices.retain(|notice| notice.number != number),
            Action::DismissImport => self.state.import = None,
            Action::Say(text) => self.say(text),
            Action::ClearLog => self.state.log.clear(),
            Action::SavePicture(picture) => self.save_picture(picture),
            Action::Used(command) => self.set(|settings| settings.used(command)),
            Action::Theme(theme) => self.set(|settings| settings.theme = theme),
            Action::Look(look) => self.set(|settings| settings.look = look),
            Action::Layout(name, layout) => self.set(|settings| {
                settings.layout.insert(name, layout);
            }),
            Action::Zoom(zoom) => self.set(|settings| settings.zoom = zoom.clamp(0.5, 3.0)),
        }
    }
}
