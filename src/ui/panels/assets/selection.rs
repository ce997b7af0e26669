//! Acting on several selected assets: the bar below the list, and their page.
//!
//! What must hold: nothing is written from here; each tool plans a run, which is previewed before it starts; it acts on
//! the assets selected at that moment.

use std::sync::Arc;

use egui::{Response, Ui};

use crate::ui::disabled_reason::{disabled_reason, enabled_unless};
use crate::ui::dragging::named_assets;
use crate::ui::list::keyed_selection::KeyedSelection;
use crate::ui::list::selection_bar::SelectionBar;
use crate::ui::panels::compare::selection_sources;
use crate::ui::platform::with_key_names;
use crate::ui::theme::{Icon, SPACE_S, UiExt as _};
use lunette_inspector::action::{AssetsAction, BulkAction, CompareAction, GraphAction, ScratchAction, ScratchOf};
use lunette_inspector::bulk::NamedAssets;
use lunette_inspector::capability::Capability;
use lunette_inspector::change::LinkKind;
use lunette_inspector::compare::Source;
use lunette_inspector::graph::Start;
use lunette_inspector::listing::Listing;
use lunette_inspector::listing::rows::AssetRow;
use lunette_inspector::runs::BulkOperation;
use lunette_inspector::{Action, State};

mod page;
mod prompt;

pub(super) use page::{SelectionChoice, SelectionPage};
pub(in crate::ui) use prompt::hidden_ui;

use prompt::Prompt;

/// The prompt before a run is planned.
#[derive(Default)]
pub struct Prompts {
    prompt: Option<Prompt>,
}

/// An action on many assets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SelectionTool {
    /// Links an item, or removes a link.
    Link(LinkKind),
    /// Changes their language.
    Reclassify,
    /// Makes them favourites, or not.
    Favourite(bool),
    /// Increments a counter of their scores.
    Score,
    /// Exports them.
    Export,
    /// Deletes them.
    Delete,
    /// Shows what they are linked to.
    Graph,
    /// Compares the two.
    Compare,
    /// Copies them into a service of its own, to try things on.
    TryOut,
}

impl SelectionTool {
    /// All tools; those that do not fit on the bar are in its menu.
    pub(super) const ALL: [Self; 12] = [
        Self::Link(LinkKind::Tag),
        Self::Reclassify,
        Self::Delete,
        Self::Export,
        Self::Link(LinkKind::Website),
        Self::Link(LinkKind::Summary),
        Self::Favourite(true),
        Self::Favourite(false),
        Self::Score,
        Self::Graph,
        Self::Compare,
        Self::TryOut,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Link(LinkKind::Tag) => "Tag…",
            Self::Link(LinkKind::Website) => "Website…",
            Self::Link(LinkKind::Summary) => "Summary…",
            Self::Reclassify => "Reclassify…",
            Self::Favourite(true) => "Add to favourites",
            Self::Favourite(false) => "Remove from favourites",
            Self::Score => "Score…",
            Self::Export => "Export…",
            Self::Delete => "Delete…",
            Self::Graph => "Show graph",
            Self::Compare => "Compare",
            Self::TryOut => "Try on a copy…",
        }
    }

    fn meaning(self) -> &'static str {
        match self {
            Self::Link(_) => "Adds or removes a link for all selected assets",
            Self::Reclassify => "Changes the language of all selected assets",
            Self::Favourite(true) => "Adds all selected assets to the favourites",
            Self::Favourite(false) => "Removes all selected assets from the favourites",
            Self::Score => "Increments a counter of all selected assets",
            Self::Export => "Saves all selected assets as files",
            Self::Delete => "Deletes all selected assets, after asking",
            Self::Compare => "Shows the two selected assets beside each other",
            Self::TryOut => "Copies the selected assets into a service of their own, where nothing is changed here",
            Self::Graph => "Shows what all selected assets are linked to, as a picture",
        }
    }

    fn ui(self, ui: &mut Ui, state: &State) -> Response {
        let not_two = self == Self::Compare && state.assets.selected.count != 2;
        let no_copy = state.scratch.obstacle().filter(|_| self == Self::TryOut).map(str::to_owned);
        let disabled_reason = disabled_reason(state, self.capability())
            .or(no_copy)
            .or_else(|| not_two.then(|| "Compare takes two: select exactly two".to_owned()));
        let button = |ui: &mut Ui| match self {
            Self::Delete => ui.danger_button(self.name()),
            Self::Link(_)
            | Self::Reclassify
            | Self::Favourite(_)
            | Self::Score
            | Self::Export
            | Self::Graph
            | Self::Compare
            | Self::TryOut => ui.button(self.name()),
        };
        enabled_unless(ui, disabled_reason.as_deref(), button).on_hover_text(self.meaning())
    }

    fn capability(self) -> Capability {
        match self {
            Self::Link(kind) => Capability::Link(kind),
            Self::Reclassify => Capability::Reclassify,
            Self::Favourite(_) => Capability::Edit,
            Self::Score => Capability::Score,
            Self::Export => Capability::Export,
            Self::Delete => Capability::Delete,
            Self::Graph | Self::Compare | Self::TryOut => Capability::Asset,
        }
    }
}

/// Draws those of these tools for the selected assets that are not on the page; returns the one that was chosen.
pub(super) fn tools_ui(
    ui: &mut Ui,
    bar: &mut SelectionBar<'_, AssetRow>,
    tools: &[SelectionTool],
    state: &State,
) -> Option<SelectionTool> {
    let mut wanted = None;
    let fitting = tools_that_fit(ui, tools, &["Copy", "Clear selection"]);
    for tool in &tools[..fitting] {
        if tool.ui(ui, state).clicked() {
            wanted = Some(*tool);
        }
    }
    bar.copy_ui(ui, |_| {});
    ui.icon_menu(Icon::MORE, "More for the selection", |ui| {
        ui.set_width(200.0);
        wanted = more_ui(ui, &tools[fitting..], state, bar).or(wanted);
    });
    wanted
}

impl Prompts {
    /// Starts a tool: opens its prompt, or plans it.
    pub fn begin(
        &mut self,
        tool: SelectionTool,
        state: &State,
        selected: SelectedAssets<'_>,
        actions: &mut Vec<Action>,
    ) {
        match tool {
            SelectionTool::Favourite(on) => actions.push(selected.plan(BulkOperation::Favourite(on))),
            SelectionTool::Delete => actions.push(selected.plan(BulkOperation::Delete)),
            SelectionTool::Reclassify => self.prompt = Some(Prompt::language(state)),
            SelectionTool::Score => self.prompt = Some(Prompt::counter()),
            SelectionTool::Export => self.prompt = Some(Prompt::export()),
            SelectionTool::Graph => {
                let start = selected.named().iter().map(|(id, name)| Start::asset(id.clone(), name)).collect();
                actions.push(GraphAction::Start(start).into());
            }
            SelectionTool::Compare => {
                let sources = selected.rows().into_iter().map(|row| Source::Asset(row.id(), row.name().to_owned()));
                actions.push(match selection_sources(sources) {
                    Some(sources) => CompareAction::Open(sources).into(),
                    None => Action::Hint("Compare takes two: select exactly two".to_owned()),
                });
            }
            SelectionTool::TryOut => {
                let ids = selected.rows().into_iter().map(|row| row.id()).collect();
                actions.push(ScratchAction::Ask(ScratchOf::Assets(Arc::new(ids))).into());
            }
            SelectionTool::Link(kind) => {
                if state.needs_items(kind) {
                    actions.push(AssetsAction::LoadLinkable(kind).into());
                }
                self.prompt = Some(Prompt::link(kind, &selected.rows()));
            }
        }
    }

    /// Draws the prompt before a run is planned.
    pub fn ui(&mut self, ui: &Ui, state: &State, selected: SelectedAssets<'_>, actions: &mut Vec<Action>) {
        let Some(prompt) = &mut self.prompt else { return };
        let (answer, closed) = prompt.ui(ui.ctx(), state, selected.marks.count());
        match answer {
            Some(prompt::Answer::Operation(operation)) => actions.push(selected.plan(operation)),
            Some(prompt::Answer::Export(kind, zip)) => {
                actions.push(BulkAction::PickExportTarget(kind, zip, selected.named()).into());
            }
            None if !closed => return,
            None => {}
        }
        self.prompt = None;
    }
}

/// Returns how many tools fit beside these other buttons and the menu.
fn tools_that_fit(ui: &Ui, tools: &[SelectionTool], others: &[&str]) -> usize {
    let gap = ui.spacing().item_spacing.x + ui.spacing().button_padding.x * 2.0;
    let width = |text: &str| {
        let font = egui::TextStyle::Button.resolve(ui.style());
        ui.painter().layout_no_wrap(text.to_owned(), font, egui::Color32::PLACEHOLDER).size().x + gap
    };
    // The icons of the two menus, beside their labels.
    let mut left = ui.available_width() - others.iter().map(|text| width(text)).sum::<f32>() - 2.0 * (20.0 + gap);
    let fits = |tool: &&SelectionTool| {
        left -= width(tool.name());
        left >= 0.0
    };
    tools.iter().take_while(fits).count()
}

/// Draws the menu: the tools that did not fit, and selection commands.
fn more_ui(
    ui: &mut Ui,
    tools: &[SelectionTool],
    state: &State,
    bar: &mut SelectionBar<'_, AssetRow>,
) -> Option<SelectionTool> {
    let mut wanted = None;
    for tool in tools {
        if tool.ui(ui, state).clicked() {
            wanted = Some(*tool);
            ui.close();
        }
    }
    if !tools.is_empty() {
        ui.add_space(SPACE_S / 2.0);
        ui.line();
    }
    if ui
        .button("Select all")
        .on_hover_text(with_key_names("Selects everything that the filter shows (Ctrl+A)"))
        .clicked()
    {
        bar.select_all();
        ui.close();
    }
    wanted
}

/// The selected assets, and the list in which they are selected.
#[derive(Clone, Copy)]
pub(super) struct SelectedAssets<'a> {
    pub marks: &'a KeyedSelection<AssetRow>,
    pub list: &'a Listing<AssetRow>,
}

impl SelectedAssets<'_> {
    /// Plans a change of them.
    pub fn plan(self, operation: BulkOperation) -> Action {
        BulkAction::Plan(operation, self.named()).into()
    }

    fn rows(&self) -> Vec<&AssetRow> {
        self.marks.rows(self.list)
    }

    /// Returns them by id, each with its name.
    fn named(self) -> NamedAssets {
        named_assets(self.rows())
    }
}
