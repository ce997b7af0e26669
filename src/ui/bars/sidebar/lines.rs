//! The lines of the sidebar below the panels, and which of them are in sight.
//!
//! What must hold: lines are made anew only if what they are made of changed; what a frame costs depends on the lines in
//! sight and not on how many there are.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use lunette_inspector::State;
use lunette_inspector::filter::{Field, Saved};
use lunette_inspector::overview::{Folder, Groups, Summary};
use lunette_inspector::settings::Recent;

use crate::ui::overview::saved_filters;

/// Maximum number of saved filters shown; all of them are in the menu beside the filter field.
const FILTERS: usize = 5;
/// Maximum number of recent assets shown, unless more are pinned.
const RECENT: usize = 6;
/// At least so many recent assets are shown that are not pinned.
const FEW_RECENT: usize = 2;
/// How many tags, languages and folders of one level are shown until more are asked for.
const FEW: usize = 5;
/// How many lines are drawn before and after those in sight, so that Tab finds the next control behind a title.
const MARGIN: usize = 3;

/// A line of the sidebar.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Line {
    /// The title of the lines below it.
    Title(&'static str),
    /// An asset that was opened recently.
    Recent(Recent),
    /// A saved filter of the list of assets.
    Saved(Saved),
    /// A tag or a language.
    Value(ValueLine),
    /// A folder of the tree.
    Folder(FolderLine),
    /// Shows all lines of a group, or fewer of them.
    More(MoreLine),
    /// How many others of a group have no line.
    Others(usize),
}

/// A tag or a language that assets have.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ValueLine {
    /// Which of both.
    pub field: Field,
    /// The value that a filter takes.
    pub name: String,
    /// How many assets have it.
    pub count: usize,
}

/// A folder that assets were imported from.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FolderLine {
    /// Its path.
    pub path: String,
    /// How many assets are in it and below it.
    pub assets: usize,
    /// How many folders of the tree it is in.
    pub depth: usize,
    /// Whether those in it are shown; `None` if there are none.
    pub unfolded: Option<bool>,
}

impl FolderLine {
    /// The last part of its path.
    pub fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or_default()
    }
}

/// What shows all lines of a group.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct MoreLine {
    /// The group: a title, or the path of a folder.
    pub group: String,
    /// How many folders of the tree these are in; `None` if they are not folders.
    pub depth: Option<usize>,
    /// How many lines it shows or hides.
    pub count: usize,
    /// Whether they are shown.
    pub shown: bool,
}

impl Line {
    /// Returns what tells it from the other lines.
    pub fn key(&self) -> (&'static str, &str) {
        match self {
            Self::Title(title) => ("title", title),
            Self::Recent(asset) => ("recent", &asset.id),
            Self::Saved(saved) => ("filter", &saved.name),
            Self::Value(value) => (if value.field == Field::Tag { "tag" } else { "language" }, &value.name),
            Self::Folder(folder) => ("folder", &folder.path),
            Self::More(more) => ("more", &more.group),
            Self::Others(_) => ("others", ""),
        }
    }
}

/// The heights of lines, in points, with the gap below each.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Heights {
    pub title: f32,
    pub link: f32,
    pub note: f32,
}

/// The lines, and where each is.
#[derive(Default)]
pub(super) struct Lines {
    lines: Vec<Line>,
    /// The upper edge of each line below that of the first, and the end of the last, in points.
    tops: Vec<f32>,
    heights: Option<Heights>,
    /// Which of them are titles.
    titles: Vec<usize>,
    /// What they were made of; `None` if they are to be made anew.
    source: Option<Source>,
    /// The groups of which all lines are shown.
    whole: BTreeSet<String>,
    /// The line with the focus, or from which something is dragged: it is drawn wherever it is.
    pub held: Option<usize>,
}

/// What lines are made of.
struct Source {
    recent: Vec<Recent>,
    saved: Vec<Saved>,
    summary: Option<Arc<Summary>>,
    unfolded: BTreeSet<String>,
}

impl Source {
    fn is_of(&self, state: &State) -> bool {
        let summary = (&self.summary, &state.overview.summary);
        let same_summary = match summary {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            (one, other) => one.is_none() && other.is_none(),
        };
        same_summary
            && self.recent == recent(state)
            && self.saved == saved(state)
            && self.unfolded == state.preferences.view.unfolded
    }
}

/// The recent assets that are shown.
fn recent(state: &State) -> &[Recent] {
    let recent = state.recent();
    let pinned = recent.iter().filter(|asset| asset.pinned).count();
    &recent[..recent.len().min(RECENT.max(pinned + FEW_RECENT))]
}

/// The saved filters that are shown.
fn saved(state: &State) -> &[Saved] {
    let saved = saved_filters(state);
    &saved[..saved.len().min(FILTERS)]
}

impl Lines {
    /// Makes the lines that show the state, unless they do.
    pub fn update(&mut self, state: &State, heights: Heights) {
        if self.source.as_ref().is_none_or(|source| !source.is_of(state)) {
            let held = self.held.and_then(|held| self.lines.get(held)).cloned();
            self.lines = self.made(state);
            self.held = held.and_then(|held| self.lines.iter().position(|line| line.key() == held.key()));
            self.source = Some(Source {
                recent: recent(state).to_vec(),
                saved: saved(state).to_vec(),
                summary: state.overview.summary.clone(),
                unfolded: state.preferences.view.unfolded.clone(),
            });
            let is_title = |index: &usize| matches!(self.lines[*index], Line::Title(_));
            self.titles = (0..self.lines.len()).filter(is_title).collect();
            self.heights = None;
        }
        if self.heights != Some(heights) {
            self.heights = Some(heights);
            let height = |line: &Line| match line {
                Line::Title(_) => heights.title,
                Line::Others(_) => heights.note,
                Line::Recent(_) | Line::Saved(_) | Line::Value(_) | Line::Folder(_) | Line::More(_) => heights.link,
            };
            let mut end = 0.0;
            self.tops = vec![end];
            self.tops.extend(self.lines.iter().map(|line| {
                end += height(line);
                end
            }));
        }
    }

    /// Returns the height of all lines, in points.
    pub fn height(&self) -> f32 {
        self.tops.last().copied().unwrap_or_default()
    }

    /// Returns a line with its upper and lower edge, in points below the upper edge of the first.
    pub fn line(&self, index: usize) -> (&Line, Range<f32>) {
        (&self.lines[index], self.tops[index]..self.tops[index + 1])
    }

    /// Returns the lines to be drawn if this range is in sight, in points below the upper edge of the first, in order.
    pub fn drawn(&self, sight: Range<f32>) -> impl Iterator<Item = usize> + use<> {
        let count = self.lines.len();
        let around = move |range: Range<usize>| range.start.saturating_sub(MARGIN)..(range.end + MARGIN).min(count);
        let first = self.tops.partition_point(|top| *top <= sight.start).saturating_sub(1);
        let end = self.tops.partition_point(|top| *top < sight.end).min(count);
        let seen = around(first.min(end)..end);
        let held = self.held.filter(|held| *held < count).map_or(0..0, |held| around(held..held + 1));
        let before = held.start..held.end.min(seen.start);
        let after = held.start.max(seen.end)..held.end;
        before.chain(seen).chain(after)
    }

    /// Returns the place of a line among those below its title, from 0 on, and how many these are; `None` for a title.
    pub fn place(&self, index: usize) -> Option<(usize, usize)> {
        let after = self.titles.partition_point(|title| *title <= index);
        let title = *self.titles.get(after.checked_sub(1)?)?;
        let end = self.titles.get(after).copied().unwrap_or(self.lines.len());
        (index - title).checked_sub(1).map(|place| (place, end - title - 1))
    }

    /// Shows all lines of a group, or fewer of them.
    pub fn toggle(&mut self, group: String) {
        if !self.whole.remove(&group) {
            self.whole.insert(group);
        }
        self.source = None;
    }

    fn made(&self, state: &State) -> Vec<Line> {
        let mut lines = Vec::new();
        let mut section = |title, part: Vec<Line>| {
            if !part.is_empty() {
                lines.push(Line::Title(title));
                lines.extend(part);
            }
        };
        section("Recent", recent(state).iter().cloned().map(Line::Recent).collect());
        section("Saved filters", saved(state).iter().cloned().map(Line::Saved).collect());
        let Some(summary) = &state.overview.summary else { return lines };
        section("Tags", self.group("Tags", Field::Tag, &summary.tags));
        section("Languages", self.group("Languages", Field::Language, &summary.languages));
        let mut folders = Vec::new();
        self.level(&mut folders, "Folders", &summary.folders.outermost, 0, &state.preferences.view.unfolded);
        if self.whole.contains("Folders") || summary.folders.outermost.len() <= FEW {
            folders.extend(Some(summary.folders.others).filter(|others| *others > 0).map(Line::Others));
        }
        section("Folders", folders);
        lines
    }

    /// The lines of tags or languages.
    fn group(&self, title: &str, field: Field, groups: &Groups) -> Vec<Line> {
        let whole = self.whole.contains(title);
        let most = groups.most.iter().take(if whole { usize::MAX } else { FEW });
        let value = |(name, count): &(String, usize)| ValueLine { field, name: name.clone(), count: *count };
        let mut lines: Vec<Line> = most.map(|most| Line::Value(value(most))).collect();
        lines.extend(self.more(title, None, groups.most.len()));
        lines.extend(Some(groups.others).filter(|others| whole && *others > 0).map(Line::Others));
        lines
    }

    /// Adds the lines of the folders that are in the one with this path, or of the outermost ones.
    fn level(&self, lines: &mut Vec<Line>, of: &str, folders: &[Folder], depth: usize, open: &BTreeSet<String>) {
        let most = if self.whole.contains(of) { usize::MAX } else { FEW };
        for Folder { path, assets, below } in folders.iter().take(most) {
            let unfolded = (!below.is_empty()).then(|| open.contains(path));
            lines.push(Line::Folder(FolderLine { path: path.clone(), assets: *assets, depth, unfolded }));
            if unfolded == Some(true) {
                self.level(lines, path, below, depth + 1, open);
            }
        }
        lines.extend(self.more(of, Some(depth), folders.len()));
    }

    /// The line that shows all of a group with so many lines, or fewer of them.
    fn more(&self, group: &str, depth: Option<usize>, of: usize) -> Option<Line> {
        let count = of.checked_sub(FEW).filter(|count| *count > 0)?;
        Some(Line::More(MoreLine { group: group.to_owned(), depth, count, shown: self.whole.contains(group) }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEIGHTS: Heights = Heights { title: 40.0, link: 30.0, note: 30.0 };

    /// A state with so many folders in one that is unfolded.
    fn with_folders(count: usize) -> State {
        let folder = |path: String, below| Folder { path, assets: 1, below };
        let below = (0..count).map(|number| folder(format!("all/{number:04}"), Vec::new())).collect();
        let mut summary = Summary::default();
        summary.folders.outermost = vec![folder("all".to_owned(), below)];
        summary.tags.most = (0..3).map(|number| (format!("tag {number}"), 1)).collect();
        let mut state = State::default();
        state.overview.summary = Some(Arc::new(summary));
        state.preferences.view.unfolded.insert("all".to_owned());
        state
    }

    fn lines(state: &State) -> Lines {
        let mut lines = Lines::default();
        lines.toggle("all".to_owned());
        lines.update(state, HEIGHTS);
        lines
    }

    #[test]
    fn of_five_thousand_unfolded_folders_those_in_sight_are_drawn() {
        let lines = lines(&with_folders(5_000));
        // Two titles, three tags, the folder itself, and what shows fewer.
        assert_eq!(lines.lines.len(), 5_000 + 7);
        let middle = lines.height() / 2.0;
        let drawn: Vec<usize> = lines.drawn(middle..middle + 600.0).collect();
        assert!(drawn.len() <= 600 / 30 + 2 + 2 * MARGIN, "{}", drawn.len());
        assert!(drawn.windows(2).all(|pair| pair[1] == pair[0] + 1));
        let (_, first) = lines.line(drawn[MARGIN]);
        assert!(first.start <= middle && middle < first.end, "{first:?} holds {middle}");
    }

    #[test]
    fn the_line_with_the_focus_is_drawn_wherever_it_is() {
        let mut lines = lines(&with_folders(5_000));
        lines.held = Some(4_000);
        let drawn: Vec<usize> = lines.drawn(0.0..600.0).collect();
        assert!(drawn.is_sorted() && drawn.contains(&0) && drawn.contains(&4_001) && !drawn.contains(&3_000));
        lines.held = Some(4);
        let drawn: Vec<usize> = lines.drawn(0.0..600.0).collect();
        assert!(drawn.windows(2).all(|pair| pair[0] < pair[1]), "none is drawn twice");
    }

    #[test]
    fn lines_are_made_anew_if_what_they_show_changed_and_the_held_one_is_found_again() {
        let mut state = with_folders(20);
        let mut lines = lines(&state);
        let of_tag = lines.lines.iter().position(|line| line.key() == ("tag", "tag 2"));
        lines.held = of_tag;
        state.preferences.view.unfolded.clear();
        lines.update(&state, HEIGHTS);
        assert_eq!((lines.lines.len(), lines.held), (6, of_tag));
        let mut summary = state.overview.summary.as_deref().cloned().unwrap_or_default();
        summary.tags.most.remove(0);
        state.overview.summary = Some(Arc::new(summary));
        lines.update(&state, HEIGHTS);
        assert_eq!((lines.lines.len(), lines.held), (5, of_tag.map(|line| line - 1)));
    }

    #[test]
    fn a_line_knows_its_place_below_its_title() {
        let lines = lines(&with_folders(10));
        assert_eq!((lines.place(0), lines.place(1), lines.place(3)), (None, Some((0, 3)), Some((2, 3))));
        assert_eq!(lines.place(lines.lines.len() - 1), Some((11, 12)));
    }
}
