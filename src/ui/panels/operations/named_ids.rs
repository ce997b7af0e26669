//! Items that are known by name, for picking one where an operation needs an id.
//!
//! What must hold: picking only fills in the id; ids can always be typed.

use egui::Ui;

use crate::app::action::AssetsAction;
use crate::app::change::{Item, LinkKind};
use crate::app::{Action, State};
use crate::ui::theme::{Icon, UiExt as _};
use crate::ui::widgets::picker::{Picked, Picker, PickerEntry, PickerState};
use crate::ui::widgets::shown_short;
use lunette_client::operation::Input;

/// Maximum number of characters shown of a name.
const NAME_SHOWN: usize = 80;

/// A kind of item that an input refers to by id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IdKind {
    Asset,
    Application,
    Linked(LinkKind),
}

impl IdKind {
    /// Returns the kind that an input refers to; `None` if no such items are listed.
    pub fn of(input: &Input) -> Option<Self> {
        Some(match input.name {
            "asset" => Self::Asset,
            "application" => Self::Application,
            "tag" => Self::Linked(LinkKind::Tag),
            "website" => Self::Linked(LinkKind::Website),
            "workstream_summary" | "summary" => Self::Linked(LinkKind::Summary),
            _ => return None,
        })
    }

    /// Returns its name with the article.
    fn label_with_article(self) -> &'static str {
        match self {
            Self::Asset => "an asset",
            Self::Application => "an application",
            Self::Linked(LinkKind::Tag) => "a tag",
            Self::Linked(LinkKind::Website) => "a website",
            Self::Linked(LinkKind::Summary) => "a workstream summary",
        }
    }

    /// Returns the name of the item with this id, if it is known.
    pub fn name_of(self, id: &str, state: &State) -> Option<String> {
        let id = id.trim();
        let name = match self {
            _ if id.is_empty() => None,
            Self::Asset => {
                let row = state.assets.list.rows.value()?.find(&id.parse().ok()?);
                row.map(|row| row.name().to_owned())
            }
            Self::Application => {
                let rows = state.applications.list.rows.value()?;
                rows.iter().find(|row| row.id == id).map(|row| row.name.clone())
            }
            Self::Linked(kind) => items(kind, state).iter().find(|item| item.id == id).map(|item| item.text.clone()),
        };
        name.filter(|name| !name.trim().is_empty()).map(|name| shown_short(&name, NAME_SHOWN).into_owned())
    }

    fn count(self, state: &State) -> usize {
        match self {
            Self::Asset => state.assets.list.count(),
            Self::Application => state.applications.list.count(),
            Self::Linked(kind) => items(kind, state).len(),
        }
    }

    /// Returns the id and the name of the item at an index.
    fn at(self, place: usize, state: &State) -> Option<(&str, &str)> {
        match self {
            Self::Asset => state.assets.list.rows.value()?.get(place).map(|row| (row.id.as_str(), row.name())),
            Self::Application => {
                state.applications.list.rows.value()?.get(place).map(|row| (row.id.as_str(), row.name.as_str()))
            }
            Self::Linked(kind) => items(kind, state).get(place).map(|item| (item.id.as_str(), item.text.as_str())),
        }
    }

    /// Draws the button that picks an item by name; returns the id of the picked one.
    pub fn pick_ui(
        self,
        ui: &mut Ui,
        picker: &mut PickerState,
        state: &State,
        actions: &mut Vec<Action>,
    ) -> Option<String> {
        let name = format!("Pick {}", self.label_with_article());
        let button = ui.icon_button_with(Icon::SEARCH, &name, &format!("{name} by name"));
        if let (true, Self::Linked(kind)) = (button.clicked(), self)
            && state.needs_items(kind)
        {
            actions.push(AssetsAction::LoadLinkable(kind).into());
        }
        let entry = |place: usize| {
            let (id, name) = self.at(place, state).unwrap_or_default();
            PickerEntry { name: if name.trim().is_empty() { id } else { name }.into(), detail: "".into() }
        };
        let count = self.count(state);
        let status = (count == 0).then_some("None are listed here");
        match Picker::new(&name, count, &entry).revision(count as u64).status(status).popup(&button, picker) {
            Some(Picked::Entry(place)) => self.at(place, state).map(|(id, _)| id.to_owned()),
            Some(Picked::New(_)) | None => None,
        }
    }
}

fn items(kind: LinkKind, state: &State) -> &[Item] {
    state.assets.linkable.get(&kind).and_then(|items| items.value()).map_or(&[], |items| items.as_slice())
}
