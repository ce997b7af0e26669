//! Hands actions to the features that they concern.

use crate::action::{HistoryAction, SidesAction};
use crate::context::{of_feature, of_reader};
use crate::navigation::history::Location;
use crate::navigation::in_view::SelectedRows;
use crate::{Action, App};

impl App {
    /// Performs an action of the user.
    pub fn perform(&mut self, action: impl Into<Action>) {
        let before = self.hinted();
        self.dispatch(action.into());
        self.handle_events();
        self.state.update_rows();
        self.record_visit();
        // What was said of another page or selection does not stay.
        if let (Some((before, of)), Some((hint, now))) = (before, self.hinted())
            && before == hint
            && of != now
        {
            self.state.notifications.hint = None;
        }
        // Concurrent reads must know of a starting write before it is sent.
        self.publish_view();
    }

    /// The hint in the status bar, and the page and the selected rows that it is about.
    fn hinted(&self) -> Option<(String, (Location, SelectedRows))> {
        let hint = self.state.notifications.hint.clone()?;
        Some((hint, (self.state.location(), self.state.navigation.in_view.selected.clone())))
    }

    /// Performs an action of the two sides, which know by what ids the history has created assets.
    fn perform_sides(&mut self, action: SidesAction) {
        if action.reads() {
            let moved = self.state.history.replacements(&self.state.bulk.runs);
            self.state.sides.set_moved(moved);
        }
        of_feature!(self, sides.perform(action));
    }

    /// Starts a check of the service, for which the open asset is read.
    fn check(&mut self, read_only: bool) {
        let asset = self.state.assets.pages.open.clone();
        of_feature!(self, check.check(read_only, asset));
    }

    /// Hands an action to the feature that it concerns.
    pub(crate) fn dispatch(&mut self, action: Action) {
        match action {
            Action::Check(read_only) => self.check(read_only),
            Action::Refresh(panel) => self.refresh(panel),
            Action::List(list, change) => self.change_list(list, change),
            Action::Confirm => self.context().confirm(),
            Action::Decline => self.context().decline(),
            Action::Cancel(task) => self.cancel(task),
            Action::Dismiss(number) => self.state.notifications.dismiss(number),
            Action::Notify(text) => self.context().show_success(text),
            Action::Hint(text) => self.context().show_hint(text),
            Action::Session(action) => of_feature!(self, session.perform(action)),
            Action::Navigation(action) => of_feature!(self, navigation.perform(action, &assets.pages), with assets),
            Action::Applications(action) => of_feature!(self, applications.perform(action)),
            Action::Inventory(action) => of_feature!(self, inventory.perform(action)),
            Action::Assets(action) => of_feature!(self, assets.perform(action)),
            Action::Links(action) => of_feature!(self, links.perform(action)),
            Action::Graph(action) => of_feature!(self, graph.perform(action)),
            Action::Compare(action) => of_feature!(self, compare.perform(action)),
            Action::Overview(action) => of_feature!(self, overview.perform(action)),
            Action::Sides(action) => self.perform_sides(action),
            Action::Rescue(action) => of_feature!(self, rescue.perform(action)),
            Action::Scratch(action) => of_feature!(self, scratch.perform(action)),
            Action::Proposals(action) => of_feature!(self, proposals.perform(action)),
            Action::Assistants(action) => of_feature!(self, assistants.perform(action)),
            Action::Trash(action) => of_feature!(self, trash.perform(action)),
            Action::Versions(action) => of_feature!(self, versions.perform(action)),
            Action::Write(action) => of_reader!(self, write.perform(action)),
            Action::Drafts(action) => of_feature!(self, drafts.perform(action)),
            // The last step is known only once it has ended.
            Action::History(HistoryAction::Undo) if self.state.write.undo_when_ended() => {
                self.context().show_success("The change will be taken back once it has ended".to_owned());
            }
            Action::History(action) => of_feature!(self, history.perform(action, &bulk.runs), with bulk),
            Action::Bulk(action) => of_reader!(self, bulk.perform(action)),
            Action::Import(action) => of_feature!(self, import.perform(action)),
            Action::Watch(action) => of_feature!(self, watch.perform(action)),
            Action::Export(action) => of_feature!(self, export.perform(action, &assets.pages), with assets),
            Action::Embedded(action) => of_feature!(self, embedded.perform(action)),
            Action::Settings(action) => self.context().perform_settings(action),
        }
    }

    /// Records where the window is, for going back.
    pub(crate) fn record_visit(&mut self) {
        let here = self.state.location();
        let left = self.state.navigation.visits.current_asset();
        let record = left.and_then(|asset| self.state.assets.pages.of.get(asset)).map(|page| &page.record);
        let passed = record.is_some_and(|record| record.never_read());
        self.state.navigation.visits.record(here, passed);
    }
}
