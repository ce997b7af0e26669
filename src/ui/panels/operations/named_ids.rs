//! Items that are known by name, for picking one where an operation needs an id.
//!
//! What must hold: picking only fills in the id; ids can always be typed. The name of a typed id is looked up once, not
//! in each frame.

use std::borrow::Cow;
use std::sync::Arc;

use egui::Ui;

use crate::ui::theme::{Icon, UiExt as _};
use crate::ui::widgets::background::Identity;
use crate::ui::widgets::picker::{Picked, Picker, PickerEntry, PickerState};
use crate::ui::widgets::shown_short;
use lunette_client::operation::Input;
use lunette_inspector::action::AssetsAction;
use lunette_inspector::change::{Item, LinkKind};
use lunette_inspector::listing::RowList;
use lunette_inspector::listing::rows::{ApplicationRow, AssetRow};
use lunette_inspector::{Action, State};

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

    /// Returns the list of these items.
    fn listed(self, state: &State) -> Listed {
        let listed = match self {
            Self::Asset => state.assets.list.rows.value().cloned().map(Listed::Assets),
            Self::Application => state.applications.list.rows.value().cloned().map(Listed::Applications),
            Self::Linked(kind) => {
                let items = state.assets.linkable.get(&kind).and_then(|items| items.value());
                items.map(|items| Listed::Items(Identity(Arc::clone(items))))
            }
        };
        listed.unwrap_or_default()
    }
}

/// The list that an item is picked from. It is shared, so taking it copies none of its rows.
#[derive(Clone, Default)]
enum Listed {
    #[default]
    None,
    Assets(RowList<AssetRow>),
    Applications(RowList<ApplicationRow>),
    Items(Identity<Vec<Item>>),
}

impl Listed {
    /// Returns whether both are the same list in memory.
    fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::None, Self::None) => true,
            (Self::Assets(one), Self::Assets(other)) => one.same(other),
            (Self::Applications(one), Self::Applications(other)) => one.same(other),
            (Self::Items(one), Self::Items(other)) => one == other,
            _ => false,
        }
    }

    fn count(&self) -> usize {
        match self {
            Self::None => 0,
            Self::Assets(rows) => rows.len(),
            Self::Applications(rows) => rows.len(),
            Self::Items(items) => items.0.len(),
        }
    }

    /// Returns the id and the name of the item at an index.
    fn at(&self, index: usize) -> Option<(Cow<'_, str>, &str)> {
        match self {
            Self::None => None,
            Self::Assets(rows) => rows.get(index).map(|row| (row.id().to_string().into(), row.name())),
            Self::Applications(rows) => rows.get(index).map(|row| (row.id.as_str().into(), row.name.as_str())),
            Self::Items(items) => items.0.get(index).map(|item| (item.id.as_str().into(), item.text.as_str())),
        }
    }

    /// Looks up the name of the item with an id.
    fn name_of(&self, id: &str) -> Option<String> {
        let name = match self {
            Self::None => return None,
            Self::Assets(rows) => rows.find(&id.parse().ok()?)?.name(),
            Self::Applications(rows) => &rows.iter().find(|row| row.id == id)?.name,
            Self::Items(items) => &items.0.iter().find(|item| item.id == *id)?.text,
        };
        (!name.trim().is_empty()).then(|| shown_short(name, NAME_SHOWN).into_owned())
    }
}

/// The picker of one input, and the name of the id in it.
#[derive(Default)]
pub(super) struct IdPicker {
    picker: PickerState,
    listed: Listed,
    /// How often the list was replaced.
    revision: u64,
    /// The id that was looked up last, and its name.
    named: Option<(String, Option<String>)>,
}

impl IdPicker {
    /// Returns the name of the item with this id, if it is known.
    pub fn name_of(&mut self, kind: IdKind, id: &str, state: &State) -> Option<&str> {
        self.follow(kind, state);
        let id = id.trim();
        if self.named.as_ref().is_none_or(|(named, _)| named != id) {
            let name = if id.is_empty() { None } else { self.listed.name_of(id) };
            self.named = Some((id.to_owned(), name));
        }
        self.named.as_ref()?.1.as_deref()
    }

    /// Draws the button that picks an item by name; returns the id of the picked one.
    pub fn ui(&mut self, ui: &mut Ui, kind: IdKind, state: &State, actions: &mut Vec<Action>) -> Option<String> {
        self.follow(kind, state);
        let name = format!("Pick {}", kind.label_with_article());
        let button = ui.icon_button_with(Icon::SEARCH, &name, &format!("{name} by name"));
        if let (true, IdKind::Linked(kind)) = (button.clicked(), kind)
            && state.needs_items(kind)
        {
            actions.push(AssetsAction::LoadLinkable(kind).into());
        }
        let Self { picker, listed, revision, .. } = self;
        let entry = |index: usize| {
            let (id, name) = listed.at(index).unwrap_or_default();
            PickerEntry { name: if name.trim().is_empty() { id } else { name.into() }, detail: "".into() }
        };
        let count = listed.count();
        let status = (count == 0).then_some("None are listed here");
        match Picker::new(&name, count, &entry).revision(*revision).status(status).popup(&button, picker) {
            Some(Picked::Entry(index)) => listed.at(index).map(|(id, _)| id.into_owned()),
            Some(Picked::New(_)) | None => None,
        }
    }

    fn follow(&mut self, kind: IdKind, state: &State) {
        let listed = kind.listed(state);
        if !listed.same(&self.listed) {
            self.listed = listed;
            self.revision += 1;
            self.named = None;
        }
    }
}
