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
            Action::Adopt => self.connect_by_choice(self.state.connection.target.clone()),
            Action::KeepConnection { url, named } => self.keep_connection(&url, named),
            Action::ForgetConnection(url) => self.forget_connection(&url),
            Action::Check(read_only) => self.check(read_only),
            Action::Discover => self.discover(),
            Action::Refresh(panel) => self.refresh(panel),
            Action::OpenApplication(id) => self.open_application(id),
            Action::CloseApplication => self.state.application = None,
            Action::OpenExternal(external) => self.state.external_open = external,
            Action::Track { name, version, identifier } => self.track(name, version, identifier),
            Action::ArrangeApplications(query) => self.arrange_applications(query),
            Action::ArrangeExternal(query) => self.arrange_external(query),
            Action::ArrangeAssets(query) => self.arrange_assets(query),
            Action::Search(text) => self.search(text),
            Action::OpenAsset(id) => self.open_asset(id),
            Action::SelectAssets(selected) => self.state.selected = selected,
            Action::OpenLink(link) => self.open_link(link),
            Action::ShowTrash(open) => self.show_trash(open),
            Action::LoadTrash => self.load_trash(),
            Action::ArrangeTrash(sort) => self.arrange_trash(sort),
            Action::RestoreTrashed(assets) => self.restore_trashed(&assets),
            Action::PurgeTrashed(assets) => self.purge_trashed(&assets),
            Action::EmptyTrash => self.ask_empty_trash(),
            Action::ForgetRecent(id) => {
                let key = self.state.connection.key();
                self.set(|settings| settings.forget(&key, id.as_str()));
            }
            Action::CloseAsset => self.close_asset(),
            Action::RefreshAsset(id) => self.load_asset(&id),
            Action::LoadContent(id) => self.load_content(&id),
            Action::ChangeConfirmed(change) => self.change_confirmed(change),
            Action::OpenFile(path) => self.open_file(path),
            Action::ShowInFolder(path) => self.show_in_folder(path),
            Action::LoadMore(id) => self.load_more_content(&id),
            Action::WrapText(on) => self.set(|settings| settings.wrap_text = on),
            Action::LoadFormats(id) => self.load_formats(id),
            Action::LoadActivities(id) => self.load_activities(id),
            Action::LoadConversations(id) => self.load_conversations(id),
            Action::LoadLinkable(kind) => self.load_linkable(kind),
            Action::Transferables(on) => self.set_transferables(on),
            Action::SetWritePolicy(policy) => self.set_write_policy(policy),
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
            Action::UndoBefore(entry) => self.undo_before(entry),
            Action::Settle(entry) => self.settle(entry),
            Action::SelectStep(entry) => self.select_step(entry),
            Action::KeepDraft(key, draft) => self.keep_draft(key, draft),
            Action::PlanAnswer(answer) => self.plan_answer(answer),
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
            Action::AskForPath => {
                self.show(crate::app::state::Panel::Assets);
                self.state.path_asked += 1;
            }
            Action::ImportSamples => self.import_samples(),
            Action::Export(id, kind) => self.export(id, kind),
            Action::DropExport(id) => self.drop_export(&id),
            Action::SaveExport(id) => self.save_export(&id),
            Action::DragExport(id) => self.drag_export(&id),
            Action::SaveExportAs(id, path) => self.save_export_as(&id, path),
            Action::SaveContent(id) => self.save_content(&id),
            Action::Cancel(task) => self.cancel(task),
            Action::Dismiss(number) => self.state.notices.retain(|notice| notice.number != number),
            Action::DismissImport => self.state.import = None,
            Action::Say(text) => self.say(text),
            Action::LookForBackups => self.look_for_backups(),
            Action::BackUp => self.back_up(),
            Action::AskRestore(backup) => self.ask_restore(&backup),
            Action::AskBeginEmpty => self.ask_begin_empty(),
            Action::AllowOrigin(origin) => self.allow_origin(&origin),
            Action::DisallowOrigin(origin) => self.disallow_origin(&origin),
            Action::PutRefusedAway => self.put_refused_away(),
            Action::ClearLog => self.state.log.clear(),
            Action::SavePicture(picture) => self.save_picture(picture),
            Action::Used(command) => self.set(|settings| settings.used(command)),
            Action::Theme(theme) => self.set(|settings| settings.theme = theme),
            Action::Look(look) => self.set(|settings| settings.look = look),
            Action::Layout(name, layout) => self.lay_out(&name, *layout),
            Action::KeepFilter(list, filter) => self.keep_filter(list, filter),
            Action::KeepFilters(list, saved) => self.keep_filters(list, saved),
            Action::KeepTab(tab) => self.see(|view| view.tab = tab),
            Action::KeepWindow(size) => self.see(|view| view.window = Some(size)),
            Action::ResetLayout => self.reset_layout(),
            Action::Zoom(zoom) => self.zoom(zoom),
        }
    }
}
