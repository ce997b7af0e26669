//! The folders that assets were imported from, as a tree.
//!
//! What must hold: a folder stays unfolded in the next start; of each level a few are drawn until more are asked for.
//!
//! Our choice: a tag, a website or a summary that is dropped on a folder is linked to all assets in it and below it, after
//! a plan; assets are not dropped on one, since where they came from does not change.

use egui::Ui;

use lunette_inspector::action::SettingsAction;
use lunette_inspector::bulk::NamedAssets;
use lunette_inspector::filter::{Field, Filter};
use lunette_inspector::listing::rows::AssetRow;
use lunette_inspector::overview::{Folder, Folders};
use lunette_inspector::{Action, State};

use super::{FEW, chosen_by, is_on, is_unfolded, more_ui, others_ui};
use crate::ui::dragging::{self, Dragged, named_assets};
use crate::ui::widgets::{Branch, grouped, nav_branch, shown_short};

/// The group of the outermost folders.
const GROUP: &str = "Folders";

/// Draws the tree; returns the filter that a click on a folder asks for.
pub(super) fn ui(ui: &mut Ui, folders: &Folders, state: &State, actions: &mut Vec<Action>) -> Option<Filter> {
    let mut tree = Tree { state, actions, chosen: None };
    tree.level_ui(ui, GROUP, &folders.outermost, 0);
    if is_unfolded(ui, GROUP) || folders.outermost.len() <= FEW {
        others_ui(ui, folders.others);
    }
    tree.chosen
}

/// The tree while it is drawn.
struct Tree<'a> {
    state: &'a State,
    actions: &'a mut Vec<Action>,
    /// The filter that a click asks for.
    chosen: Option<Filter>,
}

impl Tree<'_> {
    /// Draws the folders that are in the one with this path, or the outermost ones.
    fn level_ui(&mut self, ui: &mut Ui, of: &str, folders: &[Folder], depth: usize) {
        let most = if is_unfolded(ui, of) { usize::MAX } else { FEW };
        for folder in folders.iter().take(most) {
            let unfolded = self.folder_ui(ui, folder, depth);
            if unfolded {
                self.level_ui(ui, &folder.path, &folder.below, depth + 1);
            }
        }
        more_ui(ui, of, of, folders.len().saturating_sub(FEW));
    }

    /// Draws a folder; returns whether those in it are shown.
    fn folder_ui(&mut self, ui: &mut Ui, folder: &Folder, depth: usize) -> bool {
        let state = self.state;
        let (path, filter) = (&folder.path, Filter::of(Field::Folder, &folder.path));
        let is_unfolded = !folder.below.is_empty() && state.preferences.view.unfolded.contains(path);
        let branch = Branch { path, depth, unfolded: (!folder.below.is_empty()).then_some(is_unfolded) };
        let on = is_on(&filter, state);
        let (link, toggled) = ui.push_id(path, |ui| nav_branch(ui, folder.name(), folder.assets, branch, on)).inner;
        dragging::begin(&link, || Some(assets_of(folder, state)).filter(|all| !all.is_empty()).map(Dragged::Assets));
        let named = || format!("{} assets in “{}”", grouped(folder.assets as u64), shown_short(path, 40));
        self.actions.extend(dragging::drop_on_assets(ui, &link, named, || assets_of(folder, state)));
        self.chosen = chosen_by(ui, link, &shown_short(path, 200), filter, state).or(self.chosen.take());
        if toggled {
            self.actions.push(SettingsAction::KeepUnfolded(path.clone(), !is_unfolded).into());
        }
        is_unfolded
    }
}

/// The assets that were imported from a folder or from one below it, each with its name.
fn assets_of(folder: &Folder, state: &State) -> NamedAssets {
    let is_in = |row: &&AssetRow| row.folder().is_some_and(|of| **of == *folder.path || folder.has_below(of));
    named_assets(state.assets.list.iter().map(AsRef::as_ref).filter(is_in))
}
