//! The requests of the user to comparisons.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::source::{Reader, Source, SourceError};
use super::state::{Compare, MAX_TABS, Tab};
use super::{Comparison, CopyPart, Output, Position, Whitespace};
use crate::Remote;
use crate::action::WriteAction;
use crate::context::Context;
use crate::event::Event;
use crate::panel::Panel;
use crate::setup::picked;
use crate::tasks::blocking;
use lunette_client::model::id::{AssetId, VersionNumber};

/// A request of the user.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Makes it one side of the next comparison.
    Select(Source),
    /// Forgets it.
    Deselect,
    /// Compares what was selected with this.
    WithSelected(Source),
    /// Asks what this is to be compared with.
    Choose(Source),
    /// Chooses nothing.
    CancelChoice,
    /// Compares two.
    Open([Source; 2]),
    /// Lets the user pick a file to compare this with.
    PickFile(Source),
    /// Lets the user pick two files to compare.
    PickFiles,
    /// Shows an open comparison, by its number.
    Show(u64),
    /// Closes a comparison; one that is being made is cancelled.
    Close(u64),
    /// Exchanges the sides.
    Swap(u64),
    /// Compares something else in place of a side.
    Replace(u64, Position, Source),
    /// Reads both sides again.
    Reload(u64),
    /// Compares whitespace, or not.
    Whitespace(u64, Whitespace),
    /// Copies a part of the other side to one: sends the change, or shows its plan.
    CopyPart(u64, Position, CopyPart),
    /// Shows the parts in which an asset differs from a version of it, to choose some that are restored; or reads them
    /// again.
    ChooseParts(AssetId, VersionNumber),
    /// Shows them no longer.
    CloseParts,
    /// Restores parts of the shown version, by their indices, after a question that names what changes.
    RestoreParts(BTreeSet<usize>),
}

impl From<Action> for crate::Action {
    fn from(action: Action) -> Self {
        Self::Compare(action)
    }
}

impl Compare {
    /// Carries out a request.
    pub(crate) fn perform(&mut self, action: Action, cx: &mut Context<'_>) {
        match action {
            Action::Select(source) => self.select(source, cx),
            Action::Deselect => self.selected = None,
            Action::WithSelected(source) => {
                if let Some(selected) = self.selected.take() {
                    self.begin([selected, source], cx);
                }
            }
            Action::Choose(source) => self.choosing = Some(source),
            Action::CancelChoice => self.choosing = None,
            Action::Open(sources) => self.begin(sources, cx),
            Action::PickFile(source) => {
                self.choosing = None;
                pick_file(source, cx);
            }
            Action::PickFiles => pick_files(cx),
            Action::Show(number) => {
                self.open = Some(number);
                cx.emit(Event::Show(Panel::Compare));
            }
            Action::Close(number) => self.close(number, cx),
            Action::Swap(number) => {
                if let Some(tab) = self.tab_mut(number) {
                    tab.sources.swap(0, 1);
                    self.read(number, cx);
                }
            }
            Action::Replace(number, at, source) => {
                if let Some(tab) = self.tab_mut(number) {
                    tab.sources[at.index()] = source;
                    self.read(number, cx);
                }
            }
            Action::Reload(number) => self.read(number, cx),
            Action::Whitespace(number, whitespace) => self.set_whitespace(number, whitespace, cx),
            Action::CopyPart(number, into, part) => self.copy_part(number, into, &part, cx),
            Action::ChooseParts(asset, version) => self.choose_parts(asset, version, cx),
            Action::CloseParts => self.choice = None,
            Action::RestoreParts(chosen) => self.restore_parts(&chosen, cx),
        }
    }

    pub(super) fn select(&mut self, source: Source, cx: &mut Context<'_>) {
        cx.show_success(format!("“{}” is selected: choose “Compare with selected” on another one", source.name()));
        self.selected = Some(source);
    }

    /// Opens the comparison of two, and shows it.
    pub(super) fn begin(&mut self, sources: [Source; 2], cx: &mut Context<'_>) {
        self.choosing = None;
        let known = self.tabs.iter().find(|tab| tab.sources == sources).map(|tab| tab.number);
        let number = known.unwrap_or_else(|| self.add(sources));
        if self.tabs.len() > MAX_TABS {
            let first = self.tabs[0].number;
            self.close(first, cx);
        }
        self.open = Some(number);
        self.read(number, cx);
        cx.emit(Event::Show(Panel::Compare));
    }

    fn add(&mut self, sources: [Source; 2]) -> u64 {
        self.last += 1;
        let number = self.last;
        let whitespace = self.tab().map(|tab| tab.whitespace).unwrap_or_default();
        self.tabs.push(Tab { number, sources, whitespace, shown: Remote::NotRequested, task: None });
        number
    }

    fn close(&mut self, number: u64, cx: &mut Context<'_>) {
        let Some(index) = self.tabs.iter().position(|tab| tab.number == number) else { return };
        let tab = self.tabs.remove(index);
        if let Some(task) = tab.task.filter(|_| tab.shown.loading()) {
            cx.cancel(task);
        }
        // Two large texts take a while to free.
        cx.discard(tab);
        if self.open == Some(number) {
            self.open = self.tabs.get(index).or(self.tabs.last()).map(|tab| tab.number);
        }
    }

    /// Reads both sides and compares them.
    pub(super) fn read(&mut self, number: u64, cx: &mut Context<'_>) {
        let reader = |cx: &Context<'_>| Reader {
            client: cx.client(),
            vendor: cx.connection.vendor,
            versions: cx.version_source(),
        };
        let [one, other] = [reader(cx), reader(cx)];
        let Some(tab) = self.tab_mut(number) else { return };
        if let Some(task) = tab.task.take().filter(|_| tab.shown.loading()) {
            cx.cancel(task);
        }
        tab.shown.start_loading();
        let ([left, right], whitespace) = (tab.sources.clone(), tab.whitespace);
        let work = async move {
            let (left, right) = futures_util::future::try_join(left.read(one), right.read(other)).await?;
            let compare = move || Arc::new(Comparison::of(left, right, whitespace));
            Ok::<_, SourceError>(blocking(compare).await?)
        };
        let task = cx.run(work, move |result| Output::Compared(number, result.map_err(Arc::new)));
        if let Some(tab) = self.tab_mut(number) {
            tab.task = Some(task);
        }
    }

    /// Compares the sides that were read again.
    fn set_whitespace(&mut self, number: u64, whitespace: Whitespace, cx: &mut Context<'_>) {
        let Some(tab) = self.tab_mut(number).filter(|tab| tab.whitespace != whitespace) else { return };
        tab.whitespace = whitespace;
        let Some(known) = tab.shown.value().cloned() else { return self.read(number, cx) };
        tab.shown.start_loading();
        let work = move || {
            let [left, right] = known.sides.clone();
            Ok::<_, SourceError>(Arc::new(Comparison::of(left, right, whitespace)))
        };
        let task = cx.run_blocking(work, move |result| Output::Compared(number, result.map_err(Arc::new)));
        if let Some(tab) = self.tab_mut(number) {
            tab.task = Some(task);
        }
    }

    fn copy_part(&mut self, number: u64, into: Position, part: &CopyPart, cx: &mut Context<'_>) {
        let Some(comparison) = self.tab_mut(number).and_then(|tab| tab.shown.value().cloned()) else { return };
        match comparison.copy_part(into, part) {
            Ok(change) => cx.request(WriteAction::Change(change)),
            Err(error) => cx.show_success(format!("Nothing was copied: {error}")),
        }
    }

    /// Reads again what compares an asset that was written.
    pub(crate) fn written(&mut self, asset: &AssetId, cx: &mut Context<'_>) {
        let of = |tab: &Tab| tab.sources.iter().any(|source| source.is_asset(asset));
        let numbers: Vec<u64> = self.tabs.iter().filter(|tab| of(tab)).map(|tab| tab.number).collect();
        numbers.into_iter().for_each(|number| self.read(number, cx));
    }

    /// Reads the shown comparison again.
    pub(crate) fn reload(&mut self, cx: &mut Context<'_>) {
        if let Some(number) = self.open {
            self.read(number, cx);
        }
    }
}

fn pick_file(source: Source, cx: &mut Context<'_>) {
    let dialogs = Arc::clone(&cx.setup().dialogs);
    let picking = picked(dialogs.files(), dialogs);
    cx.run(picking, move |result| Output::Picked(Some(source), result));
}

fn pick_files(cx: &mut Context<'_>) {
    let dialogs = Arc::clone(&cx.setup().dialogs);
    cx.run(picked(dialogs.files(), dialogs), |result| Output::Picked(None, result));
}
