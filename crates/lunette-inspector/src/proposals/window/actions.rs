//! The actions of the proposals.

use std::sync::Arc;

use super::{Doing, OpenProposal, Output, ProposalsPage, work};
use crate::Remote;
use crate::action::NavigationAction;
use crate::capability::Capability;
use crate::confirm::{Confirmation, Confirmed};
use crate::context::Context;
use crate::event::StepEvent;
use crate::history::SentHere;
use crate::panel::Panel;
use crate::proposals::{Proposal, Selection};
use crate::tasks::blocking;

/// An action of the proposals.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Reads them again.
    Reload,
    /// Opens a proposal; `None` closes the open one.
    Open(Option<u64>),
    /// Applies a proposal as it was shown, or some of its changes.
    Apply(Arc<Proposal>, Selection),
    /// Declines the proposal with this number, with a reply to the assistant.
    Decline(u64, String),
    /// Undoes what a proposal changed.
    Undo(u64),
    /// Undoes everything that an assistant changed, after confirmation.
    UndoAll(String),
    /// Undoes everything that an assistant changed.
    UndoAllConfirmed(String, Confirmed),
}

impl From<Action> for crate::Action {
    fn from(action: Action) -> Self {
        Self::Proposals(action)
    }
}

impl ProposalsPage {
    /// Performs an action.
    pub(crate) fn perform(&mut self, action: Action, cx: &mut Context<'_>) {
        match action {
            Action::Reload => {
                self.reload();
                self.settle(cx);
            }
            Action::Open(number) => self.show(number, cx),
            Action::Apply(shown, selection) => self.apply_shown(shown, selection, cx),
            Action::Decline(number, reply) => self.decline(number, reply, cx),
            Action::Undo(number) => self.undo_one(number, cx),
            Action::UndoAll(client) => self.ask_undo_all(client, cx),
            Action::UndoAllConfirmed(client, Confirmed { .. }) => self.undo(client, None, cx),
        }
    }

    fn show(&mut self, number: Option<u64>, cx: &mut Context<'_>) {
        self.open =
            number.map(|number| OpenProposal { number, proposal: Remote::Loading { previous: None }, problem: None });
        self.changes.clear_rows();
        if number.is_some() {
            cx.request(NavigationAction::Show(Panel::Proposals));
            self.read_open(cx);
        }
    }

    /// Reads the open proposal, whose changes stay until then.
    pub(super) fn read_open(&mut self, cx: &mut Context<'_>) {
        let (Some(open), Some(place)) = (&mut self.open, &self.place) else { return };
        open.proposal.start_loading();
        let (number, store) = (open.number, place.store.clone());
        let of = self.number;
        let read = async move { Ok(blocking(move || store.get(number)).await??) };
        cx.run(read, move |read| Output::Read(of, number, read));
    }

    /// What the work needs, unless the service cannot be written to, or another decision is under way.
    fn place(&mut self, what: &str, cx: &mut Context<'_>) -> Option<work::Place> {
        if self.is_busy() || cx.blocks_write(Capability::Edit, what) {
            return None;
        }
        work::Place::of(self.place.clone()?, cx)
    }

    fn apply_shown(&mut self, shown: Arc<Proposal>, selection: Selection, cx: &mut Context<'_>) {
        let Some(place) = self.place("Could not apply", cx) else { return };
        let number = shown.number;
        let sent = SentHere {
            client: shown.client.clone(),
            proposal: Some(shown.undoes.unwrap_or(number)),
            undoes: shown.undoes.is_some(),
        };
        cx.emit(StepEvent::SendingBegan(sent));
        self.begin(Doing::Applying, Some(number));
        let of = self.number;
        cx.run(work::apply(place, shown, selection), move |end| Output::Applied(of, number, end));
    }

    /// Reads again what became of proposals that another program was sending when it ended, and of changes of unknown
    /// outcome, once the service can be asked.
    pub(crate) fn settle(&mut self, cx: &mut Context<'_>) {
        let is_any_open = self.list.iter().any(|row| row.status.is_unsettled());
        if !is_any_open || self.settling || self.is_busy() {
            return;
        }
        let Some(place) = self.place.clone().and_then(|kept| work::Place::of(kept, cx)) else { return };
        self.settling = true;
        let of = self.number;
        cx.run(work::settle(place), move |end| Output::Settled(of, end));
    }

    fn decline(&mut self, number: u64, reply: String, cx: &mut Context<'_>) {
        let (Some(place), false) = (&self.place, self.is_busy()) else { return };
        let store = place.store.clone();
        self.begin(Doing::Declining, Some(number));
        let of = self.number;
        let decline = async move { Ok(blocking(move || store.decline(number, &reply)).await??) };
        cx.run(decline, move |end| Output::Declined(of, number, end));
    }

    fn undo_one(&mut self, number: u64, cx: &mut Context<'_>) {
        let Some(client) = self.row(number).map(|row| row.client.clone()) else { return };
        self.undo(client, Some(number), cx);
    }

    fn ask_undo_all(&mut self, client: String, cx: &mut Context<'_>) {
        if self.is_busy() || cx.blocks_write(Capability::Edit, "Could not undo") {
            return;
        }
        let text = "Every step that this assistant proposed is undone, newest first. Assets that have changed since are \
                    left as they are and named; scores cannot be undone.";
        let title = format!("Undo everything that {client} changed?");
        let then = |confirmed| Action::UndoAllConfirmed(client, confirmed);
        cx.ask_first(Confirmation::writes(title, text.to_owned(), "Undo everything", then));
    }

    fn undo(&mut self, client: String, number: Option<u64>, cx: &mut Context<'_>) {
        let Some(place) = self.place("Could not undo", cx) else { return };
        cx.emit(StepEvent::SendingBegan(SentHere { client: client.clone(), proposal: number, undoes: true }));
        self.begin(Doing::Undoing, number);
        let of = self.number;
        cx.run(work::undo(place, client, number), move |end| Output::Undone(of, number, end));
    }

    fn begin(&mut self, doing: Doing, number: Option<u64>) {
        self.doing = Some((doing, number));
        if let Some(open) = self.open.as_mut().filter(|open| Some(open.number) == number) {
            open.problem = None;
        }
    }
}
