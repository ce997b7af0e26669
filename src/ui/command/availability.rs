//! Whether a command is available now, and why not.

use super::execute::peek_target;
use super::target::{CommandTarget, page_is_open, target};
use super::{Command, Scope};
use crate::ui::disabled_reason::WRITING;
use lunette_client::model::id::AssetId;
use lunette_inspector::assets::near_duplicates::says_near_duplicates;
use lunette_inspector::capability::Capability;
use lunette_inspector::change::LinkKind;
use lunette_inspector::panel::Panel;
use lunette_inspector::session::Status;
use lunette_inspector::session::support::Reason;
use lunette_inspector::{State, WritePolicy};

/// Why near duplicates cannot be shown.
const NEAR_DUPLICATES_NOT_TOLD: &str = "This service does not say which assets are near duplicates";

/// Why a command is disabled, as a sentence and in a word or two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DisabledReason {
    /// The sentence.
    pub sentence: String,
    /// The short form, for where there is little room.
    pub short: &'static str,
}

impl DisabledReason {
    pub(super) fn new(sentence: &str, short: &'static str) -> Self {
        Self { sentence: sentence.to_owned(), short }
    }

    pub(super) fn of(reason: Reason) -> Self {
        let short = match &reason {
            Reason::ReadOnly | Reason::Refused(_) => "read-only",
            Reason::Unsupported { .. } => "not supported",
            Reason::NotConnected => "not connected",
        };
        Self { sentence: reason.sentence(), short }
    }
}

impl Command {
    /// Returns why the command is disabled; `None` if it is available.
    pub fn disabled_reason(self, state: &State) -> Option<DisabledReason> {
        let target = target(state);
        let for_target = match self.row().scope {
            Scope::Asset => self.target_reason(&target, state),
            // Every panel has a list with a filter.
            Scope::Always | Scope::List => None,
        };
        for_target
            .or_else(|| self.policy_reason(&target, state).map(DisabledReason::of))
            .or_else(|| self.compare_reason(state))
            .or_else(|| self.no_effect_reason(state))
    }

    /// Returns whether it makes sense for what is in view.
    pub(super) fn acts_on(self, target: &CommandTarget<'_>) -> bool {
        match target {
            CommandTarget::Nothing => false,
            CommandTarget::Applications(_) => self == Self::Compare,
            CommandTarget::Compared(_) => self.compares(),
            CommandTarget::OpenAsset(_) | CommandTarget::AssetRow(_) => true,
            CommandTarget::Assets(_) => !self.needs_one_asset(),
            CommandTarget::Item(_) => self.acts_on_items(),
            CommandTarget::Items(..) => self.tool_for_items().is_some(),
            CommandTarget::Application { .. } => self.acts_on_applications(),
        }
    }

    /// Returns why it cannot act on what is in view.
    fn target_reason(self, target: &CommandTarget<'_>, state: &State) -> Option<DisabledReason> {
        if self == Self::CloseAsset {
            return (!page_is_open(state)).then(|| DisabledReason::new("No page is open", "no page open"));
        }
        let one = |things: &str| {
            let reason = format!("Several {things} are selected, and this is for one: clear the selection first");
            Some(DisabledReason::new(&reason, "for one only"))
        };
        match target {
            CommandTarget::OpenAsset(id) => asset_disabled_reason(self, state, id, true),
            CommandTarget::AssetRow(row) => asset_disabled_reason(self, state, &row.id(), false),
            CommandTarget::Item(item) if self.acts_on(target) => self.item_reason(item, state),
            CommandTarget::Assets(_)
            | CommandTarget::Items(..)
            | CommandTarget::Application { .. }
            | CommandTarget::Applications(_)
            | CommandTarget::Compared(_)
                if self.acts_on(target) =>
            {
                None
            }
            CommandTarget::Assets(_) => one("assets"),
            CommandTarget::Items(kind, _) if self.acts_on_items() => one(&kind.many().to_lowercase()),
            CommandTarget::Applications(_) if self.acts_on_applications() => one("applications"),
            CommandTarget::Nothing
            | CommandTarget::Item(_)
            | CommandTarget::Items(..)
            | CommandTarget::Application { .. }
            | CommandTarget::Applications(_)
            | CommandTarget::Compared(_) => Some(DisabledReason::new("Open or select an asset first", "no asset")),
        }
    }

    /// Returns why the service or the write policy blocks it.
    pub(super) fn policy_reason(self, target: &CommandTarget<'_>, state: &State) -> Option<Reason> {
        let capability = match (self, target) {
            (Self::Undo | Self::Redo, _) => return state.connection.allows_writes().err(),
            (_, CommandTarget::Item(item)) if self.acts_on_items() => self.item_capability(item),
            (Self::Delete, CommandTarget::Items(kind, _)) => Some(Capability::DeleteItem(*kind)),
            (Self::ShowGraph, CommandTarget::Items(..) | CommandTarget::Application { .. }) => None,
            _ => self.capability(),
        };
        capability.and_then(|capability| state.connection.can_do(capability).err())
    }

    /// Returns the capability of the service that it needs.
    fn capability(self) -> Option<Capability> {
        Some(match self {
            Self::ImportFiles | Self::ImportFolder | Self::ImportSamples | Self::NewText | Self::NewFromClipboard => {
                Capability::CreateAsset
            }
            Self::Rename | Self::EditAsset | Self::EditText | Self::Favourite => Capability::Edit,
            Self::Reclassify => Capability::Reclassify,
            Self::Tag => Capability::Link(LinkKind::Tag),
            Self::Website => Capability::Link(LinkKind::Website),
            Self::Summary => Capability::Link(LinkKind::Summary),
            Self::Score => Capability::Score,
            Self::Delete => Capability::Delete,
            Self::ShowGraph => Capability::Asset,
            Self::Trash => Capability::Trash,
            _ => return None,
        })
    }

    /// Returns whether the service does not tell what it shows.
    fn is_not_told(self, state: &State) -> bool {
        self == Self::NearDuplicates && !says_near_duplicates(&state.connection)
    }

    /// Returns why it would change nothing.
    fn no_effect_reason(self, state: &State) -> Option<DisabledReason> {
        let none = |none: bool, sentence: &str, short| none.then(|| DisabledReason::new(sentence, short));
        match self {
            Self::Undo => none(state.history.last().is_none(), "There is nothing to undo", "nothing to undo"),
            Self::Redo => none(state.history.redoable().is_none(), "There is nothing to redo", "nothing to redo"),
            Self::Back => {
                none(state.navigation.visits.back().is_none(), "There is nothing to go back to", "no previous view")
            }
            Self::Forward => {
                none(state.navigation.visits.forward().is_none(), "There is nothing to go forward to", "no next view")
            }
            Self::NextAsset | Self::PreviousAsset => {
                none(state.assets.list.order.is_empty(), "The list of assets is empty", "no assets")
            }
            Self::Peek => {
                let nothing = peek_target(state).is_none() && state.assets.pages.peeked.is_none();
                none(nothing, "Move to an asset in the list first", "no asset")
            }
            Self::ClearLog => none(state.session.log.count() == 0, "The log is empty", "empty"),
            Self::Check => (state.connection.status != Status::Up)
                .then(|| DisabledReason::new("The service does not respond", "not connected"))
                .or_else(|| state.check.task.map(|_| DisabledReason::new("A check is running", "under way"))),
            Self::Refresh => {
                let kept = matches!(state.navigation.panel, Panel::Operations | Panel::Log | Panel::History);
                let down = matches!(state.connection.status, Status::Down(_));
                (kept && !down).then(|| DisabledReason::new("This view is always up to date", "live"))
            }
            Self::TryOnCopy => state.scratch.obstacle().map(|sentence| DisabledReason::new(sentence, "not now")),
            Self::BackUp if state.embedded.seen.damaged => {
                Some(DisabledReason::new("The database cannot be opened, so there is nothing to copy", "damaged"))
            }
            Self::BackUp => state.embedded.obstacle().map(|sentence| DisabledReason::new(sentence, "not available")),
            Self::AllowWrites | Self::ConfirmWrites | Self::ReadOnlyWrites => self.policy_is_set(state),
            _ => none(self.is_not_told(state), NEAR_DUPLICATES_NOT_TOLD, "not told"),
        }
    }

    /// Returns that the write policy is set already that the command sets.
    fn policy_is_set(self, state: &State) -> Option<DisabledReason> {
        let (policy, sentence) = match self {
            Self::AllowWrites => (WritePolicy::Allow, "Changes are allowed already"),
            Self::ConfirmWrites => (WritePolicy::Confirm, "Every change is confirmed already"),
            Self::ReadOnlyWrites => (WritePolicy::ReadOnly, "The connection is read-only already"),
            _ => return None,
        };
        (state.connection.write_policy == policy).then(|| DisabledReason::new(sentence, "already on"))
    }
}

/// Returns why the asset cannot be acted on; `read` says whether it must have been read.
pub(super) fn asset_disabled_reason(
    command: Command,
    state: &State,
    id: &AssetId,
    read: bool,
) -> Option<DisabledReason> {
    if command == Command::CopyId {
        return None;
    }
    let unread = || read.then(|| DisabledReason::new("The asset is not read yet", "loading"));
    let Some(page) = state.assets.pages.of.get(id) else { return unread() };
    if page.gone {
        Some(DisabledReason::new("The asset was deleted", "deleted"))
    } else if page.record.value().is_none() {
        unread()
    } else if state.write.of(id).writing
        && !command.compares()
        && !matches!(command, Command::Export | Command::ShowGraph | Command::OpenBeside)
    {
        Some(DisabledReason::new(WRITING, "saving"))
    } else {
        None
    }
}
