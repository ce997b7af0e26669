//! The page of several selected assets: what they have in common, and what can be done with all of them.
//!
//! What must hold: what they have in common comes from the state, which has it made in the background; nothing is written
//! from here: each change is planned as a run, which is previewed before it starts.

use egui::{ScrollArea, Ui};

use super::{SelectedAssets, SelectionTool, tools_that_fit};
use crate::ui::disabled_reason::disabled_reason;
use crate::ui::dragging;
use crate::ui::list::split::page_title_ui;
use crate::ui::theme::{self, SPACE_M, SPACE_S, UiExt as _};
use crate::ui::widgets::placeholder::skeleton;
use crate::ui::widgets::{chip, chip_row, grouped, locked_chip, removable_chip, shown_short};
use lunette_client::model::id::AssetId;
use lunette_client::model::size::size;
use lunette_inspector::action::AssetsAction;
use lunette_inspector::assets::{SelectedRows, SelectionSummary, Share, Shares};
use lunette_inspector::capability::Capability;
use lunette_inspector::change::{Item, LinkKind};
use lunette_inspector::filter::{Field, Filter};
use lunette_inspector::listing::RowList;
use lunette_inspector::listing::rows::AssetRow;
use lunette_inspector::runs::BulkOperation;
use lunette_inspector::{Action, Remote, State};

/// Whether the page is shown, and what is asked of it.
#[derive(Default)]
pub struct SelectionPage {
    shown: bool,
    /// The changes of the selection that were seen, and the asset that was open then.
    seen: (u64, Option<AssetId>),
    /// What was summed up last.
    summed: Option<(u64, RowList<AssetRow>)>,
    /// The link that is to be added or removed as soon as the items are read.
    pending: Option<LinkRequest>,
}

/// A link of all selected assets.
struct LinkRequest {
    kind: LinkKind,
    share: Share,
    adds: bool,
}

/// What was chosen on the page.
pub enum SelectionChoice {
    /// Nothing is selected any longer.
    Clear,
    /// A tool is started.
    Tool(SelectionTool),
    /// The assets that match are shown.
    Filter(Filter),
}

impl SelectionPage {
    /// Takes in what is selected, and has it summed up if it changed. The page is shown from a change of the selection
    /// until an asset is opened.
    pub fn sync(&mut self, state: &State, selected: SelectedAssets<'_>, actions: &mut Vec<Action>) {
        let SelectedAssets { marks, list } = selected;
        let several = marks.count() > 1;
        let (changes, open) = &mut self.seen;
        if *open != state.assets.pages.open {
            open.clone_from(&state.assets.pages.open);
            self.shown &= open.is_none();
        }
        if std::mem::replace(changes, marks.changes()) != marks.changes() {
            self.shown = true;
        }
        self.shown &= several;
        let Some(rows) = list.rows.value() else { return };
        let now = several.then(|| (marks.changes(), rows.clone()));
        let same = match (&self.summed, &now) {
            (Some((before, of)), Some((changes, rows))) => before == changes && of.same(rows),
            (None, None) => true,
            _ => false,
        };
        if !same {
            self.summed = now;
            let indices = if several { marks.numbers() } else { Vec::new() };
            actions.push(AssetsAction::SumUp(SelectedRows { rows: rows.clone(), indices: indices.into() }).into());
        }
    }

    /// Returns whether the page is shown in place of that of the open asset.
    pub fn is_shown(&self) -> bool {
        self.shown
    }

    /// Draws the page; returns what was chosen.
    pub fn ui(
        &mut self,
        ui: &mut Ui,
        state: &State,
        selected: SelectedAssets<'_>,
        actions: &mut Vec<Action>,
    ) -> Option<SelectionChoice> {
        self.link_pending(state, selected, actions);
        let count = selected.marks.count();
        let mut chosen = None;
        if page_title_ui(ui, &format!("{} selected", grouped(count as u64)), "Clear the selection") {
            chosen = Some(SelectionChoice::Clear);
        }
        let summary = state.assets.summing.summary.as_deref();
        ui.muted(&facts(summary, selected.marks.hidden()));
        ui.add_space(SPACE_S);
        chosen = buttons_ui(ui, summary, state).map(SelectionChoice::Tool).or(chosen);
        ui.add_space(SPACE_M);
        let Some(summary) = summary else {
            skeleton(ui, "the selection", 6);
            return chosen;
        };
        let area = ScrollArea::vertical().id_salt("selection").auto_shrink(false);
        area.show(ui, |ui| {
            for kind in LinkKind::ALL {
                chosen = self.links_ui(ui, kind, summary, state, actions).or(chosen.take());
            }
            languages_ui(ui, &summary.languages);
        });
        chosen
    }

    /// Draws the items of a kind that the assets are linked to.
    fn links_ui(
        &mut self,
        ui: &mut Ui,
        kind: LinkKind,
        summary: &SelectionSummary,
        state: &State,
        actions: &mut Vec<Action>,
    ) -> Option<SelectionChoice> {
        let shares = summary.links(kind);
        ui.section_title(kind.many());
        let unreported = summary.unreported[kind as usize];
        if unreported > 0 {
            let things = kind.many().to_lowercase();
            let count = grouped(unreported as u64);
            ui.caption(&format!("The service does not say which {things} {count} of them have."));
        }
        let add = disabled_reason(state, Capability::Link(kind));
        let remove = disabled_reason(state, Capability::Unlink(kind));
        let (mut chosen, mut request) = (None, None);
        chip_row(ui, |ui| {
            // A button is higher than the chips before it, which are centred beside it.
            ui.set_row_height(theme::LINE_BUTTON);
            for share in &shares.most {
                let chip = ShareChip { kind, share, of: summary.count, add: add.as_deref(), remove: remove.as_deref() };
                match chip.ui(ui, state) {
                    Some(ChipChoice::List) => chosen = Some(SelectionChoice::Filter(filter_of(kind, share))),
                    Some(ChipChoice::Link(adds)) => request = Some(LinkRequest { kind, share: share.clone(), adds }),
                    Some(ChipChoice::Dropped(action)) => actions.push(*action),
                    None => {}
                }
            }
            if shares.others > 0 {
                ui.caption(&format!("and {} more", grouped(shares.others as u64)));
            }
            if shares.most.is_empty() && unreported < summary.count {
                ui.caption("None");
            }
        });
        ui.add_space(SPACE_M);
        if let Some(request) = request {
            if state.needs_items(kind) {
                actions.push(AssetsAction::LoadLinkable(kind).into());
            }
            self.pending = Some(request);
        } else if !shares.most.is_empty() && !state.assets.linkable.contains_key(&kind) {
            // What is dropped on a chip needs the id of its item.
            actions.push(AssetsAction::LoadLinkable(kind).into());
        }
        chosen
    }

    /// Plans the link that was asked for, as soon as the items of its kind are read: rows name items, but not their ids.
    fn link_pending(&mut self, state: &State, selected: SelectedAssets<'_>, actions: &mut Vec<Action>) {
        let Some(LinkRequest { kind, share, adds }) = &self.pending else { return };
        match state.assets.linkable.get(kind) {
            Some(Remote::Loading { .. } | Remote::NotRequested) | None => return,
            Some(Remote::Failed { error, .. }) => {
                let text = format!("The {} could not be read: {}", kind.many().to_lowercase(), error.reason());
                actions.push(Action::Notify(text));
            }
            Some(Remote::Known(items)) => match items.iter().find(|item| is_named(item, share)) {
                Some(item) => {
                    let operation = if *adds { BulkOperation::Link } else { BulkOperation::Unlink };
                    actions.push(selected.plan(operation(item.clone())));
                }
                None => {
                    let name = shown_short(&share.name, 60);
                    actions.push(Action::Hint(format!("The service does not list the {} “{name}”", kind.one())));
                }
            },
        }
        self.pending = None;
    }
}

/// Draws what can be done with the assets, in as many lines as are needed; returns what was chosen.
fn buttons_ui(ui: &mut Ui, summary: Option<&SelectionSummary>, state: &State) -> Option<SelectionTool> {
    let useful = |tool: &SelectionTool| match (tool, summary) {
        (SelectionTool::Favourite(true), Some(summary)) => summary.favourites < summary.count,
        (SelectionTool::Favourite(false), Some(summary)) => summary.favourites > 0,
        _ => true,
    };
    let tools: Vec<SelectionTool> = SelectionTool::ALL.into_iter().filter(useful).collect();
    let (mut rest, mut chosen) = (tools.as_slice(), None);
    while !rest.is_empty() {
        let (line, below) = rest.split_at(tools_that_fit(ui, rest, &[]).clamp(1, rest.len()));
        ui.horizontal(|ui| {
            for tool in line {
                if tool.ui(ui, state).clicked() {
                    chosen = Some(*tool);
                }
            }
        });
        rest = below;
    }
    chosen
}

/// Whether an item is the one that rows name so.
fn is_named(item: &Item, share: &Share) -> bool {
    match &share.url {
        Some(url) => item.url.as_ref() == Some(url),
        None => item.text == share.name,
    }
}

fn filter_of(kind: LinkKind, share: &Share) -> Filter {
    let field = match kind {
        LinkKind::Tag => Field::Tag,
        LinkKind::Website => Field::Website,
        LinkKind::Summary => Field::Summary,
    };
    Filter::of(field, share.url.as_deref().unwrap_or(&share.name))
}

/// What was chosen on a chip.
enum ChipChoice {
    /// The assets that have the item are listed.
    List,
    /// The item is linked to all selected assets, or to none.
    Link(bool),
    /// Assets were dropped on it.
    Dropped(Box<Action>),
}

/// An item that some of the assets are linked to.
struct ShareChip<'a> {
    kind: LinkKind,
    share: &'a Share,
    /// How many assets there are.
    of: usize,
    /// Why it cannot be added.
    add: Option<&'a str>,
    /// Why it cannot be removed.
    remove: Option<&'a str>,
}

impl ShareChip<'_> {
    fn ui(&self, ui: &mut Ui, state: &State) -> Option<ChipChoice> {
        let Self { kind, share, of, add, remove } = *self;
        let partial = share.count < of;
        let text = match partial {
            true => format!("{} {} of {}", share.name, grouped(share.count as u64), grouped(of as u64)),
            false => share.name.clone(),
        };
        let color = (kind == LinkKind::Tag).then(|| state.preferences.settings.look.tag_colors.of(&share.name));
        let fill = color.flatten().map(|color| ui.tokens().tag_fill(color));
        let salt = share.url.as_ref().unwrap_or(&share.name);
        let chip = match remove {
            None => removable_chip(ui, salt, kind.one(), &text, fill),
            Some(why) => locked_chip(ui, salt, &text, why, fill),
        };
        let mut chosen = chip.removed.then_some(ChipChoice::Link(false));
        if chip.clicked {
            chosen = Some(ChipChoice::List);
        }
        if dragging::is_over(&chip.response)
            && let Some(item) = state.assets.items(kind).iter().find(|item| is_named(item, share))
        {
            let dropped = dragging::drop_on_item(ui, &chip.response, item);
            chosen = dropped.map(|action| ChipChoice::Dropped(Box::new(action))).or(chosen);
        }
        chip.response.on_hover_text(format!("Click to list the assets with this {}", kind.one()));
        if partial && add.is_none() {
            let name = format!("Add {} {} to all", kind.one(), shown_short(&share.name, 60));
            let tip = format!("Adds it to the other {}", grouped((of - share.count) as u64));
            if ui.line_button("+").accessible_name(&name).on_hover_text(tip).clicked() {
                chosen = Some(ChipChoice::Link(true));
            }
        }
        chosen
    }
}

fn languages_ui(ui: &mut Ui, languages: &Shares) {
    ui.section_title("Languages");
    chip_row(ui, |ui| {
        for Share { name, count, .. } in &languages.most {
            let name = if name.is_empty() { "No language" } else { name };
            chip(ui, &format!("{} {}", shown_short(name, 40), grouped(*count as u64)), None);
        }
        if languages.others > 0 {
            ui.caption(&format!("and {} more", grouped(languages.others as u64)));
        }
    });
}

/// Returns what the assets are together: their size, and how many of them are favourites or hidden.
fn facts(summary: Option<&SelectionSummary>, hidden: usize) -> String {
    let mut facts = Vec::new();
    if let Some(summary) = summary {
        match summary.unsized_count {
            0 => facts.push(size(summary.size)),
            unknown if unknown == summary.count => facts.push("size unknown".to_owned()),
            unknown => facts.push(format!("{}, and {} of unknown size", size(summary.size), grouped(unknown as u64))),
        }
        match summary.favourites {
            0 => {}
            1 => facts.push("1 favourite".to_owned()),
            count => facts.push(format!("{} favourites", grouped(count as u64))),
        }
    }
    if hidden > 0 {
        facts.push(format!("{} not visible in the list", grouped(hidden as u64)));
    }
    facts.join(" · ")
}
