//! From a request of the user to the feature that carries it out.

use crate::app::{Action, App};

impl App {
    /// Carries out a request of the user.
    pub fn perform(&mut self, action: impl Into<Action>) {
        self.dispatch(action.into());
        self.record_visit();
        // A write that begins now is known to those who read beside it before it leaves.
        self.publish_sight();
    }

    fn dispatch(&mut self, action: Action) {
        match action {
            Action::Check(read_only) => self.check(read_only),
            Action::Refresh(panel) => self.refresh(panel),
            Action::Confirm(yes) => self.answer_asked(yes),
            Action::Cancel(task) => self.cancel(task),
            Action::Dismiss(number) => self.state.notifications.notices.retain(|notice| notice.number != number),
            Action::Notify(text) => self.say(text),
            Action::Session(action) => self.perform_session(action),
            Action::Navigation(action) => self.perform_navigation(action),
            Action::Applications(action) => self.perform_applications(action),
            Action::Assets(action) => self.perform_assets(action),
            Action::Trash(action) => self.perform_trash(action),
            Action::Write(action) => self.perform_write(action),
            Action::History(action) => self.perform_history(action),
            Action::Bulk(action) => self.perform_bulk(action),
            Action::Import(action) => self.perform_import(action),
            Action::Export(action) => self.perform_export(action),
            Action::Embedded(action) => self.perform_embedded(action),
            Action::Settings(action) => self.perform_settings(action),
        }
    }
}
