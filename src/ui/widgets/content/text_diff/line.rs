//! One line of one side.

use std::ops::Range;

use egui::text::{LayoutJob, TextFormat};
use egui::{Align2, Color32, FontId, Rect, Ui, pos2};
use lunette_inspector::compare::{Layout, Position};

use super::TextDiffView;
use crate::ui::theme::Tokens;
use crate::ui::widgets::code::MAX_LENGTH;
use crate::ui::widgets::shown;

/// Width of the column of signs, in points.
const SIGN: f32 = 14.0;

/// How lines are placed.
#[derive(Clone, Copy)]
pub(super) struct Look {
    /// Width of the line numbers, in points.
    pub gutter: f32,
    /// Width of a character, in points.
    pub advance: f32,
    pub layout: Layout,
}

impl Look {
    /// Returns how much of a row is left for the text of one side, in points.
    pub fn text_width(self, row: f32) -> f32 {
        match self.layout {
            Layout::SideBySide => row / 2.0 - self.gutter - SIGN,
            Layout::Inline => row - 2.0 * self.gutter - SIGN,
        }
    }

    /// Returns the part of a row for one side.
    fn half(self, rect: Rect, at: Position) -> Rect {
        let (left, right) = rect.split_left_right_at_fraction(0.5);
        match (self.layout, at) {
            (Layout::Inline, _) => rect,
            (Layout::SideBySide, Position::Left) => left.with_max_x(left.right() - 1.0),
            (Layout::SideBySide, Position::Right) => right,
        }
    }
}

/// One side of a row.
pub(super) struct Half<'a> {
    pub at: Position,
    pub lines: [Option<u32>; 2],
    pub changed: bool,
    /// Whether it belongs to the current change.
    pub current: bool,
    /// The changed bytes of the line, if it stands for one of the other side.
    pub words: Option<&'a [Range<usize>]>,
    /// How far the text is scrolled sideways, in points.
    pub left: f32,
}

/// Draws one side of a row.
pub(super) fn half_ui(ui: &Ui, row: Rect, view: TextDiffView<'_>, half: &Half<'_>, look: Look) {
    let t = Tokens::of(ui);
    let rect = look.half(row, half.at);
    let line = half.lines[half.at.index()];
    let (ground, sign) = match (half.changed, line, half.at) {
        (false, ..) => (Color32::TRANSPARENT, ""),
        // The other side has more lines here.
        (true, None, _) => (t.panel, ""),
        (true, Some(_), Position::Left) => (t.removed_ground, "−"),
        (true, Some(_), Position::Right) => (t.added_ground, "+"),
    };
    let painter = ui.painter();
    painter.rect_filled(rect, 0.0, ground);
    if half.current {
        painter.rect_filled(rect.with_max_x(rect.left() + 3.0), 0.0, t.accent);
    }
    let font = egui::TextStyle::Monospace.resolve(ui.style());
    let ink = if half.changed { t.muted } else { t.faint };
    let mut left = rect.left();
    let columns = match look.layout {
        Layout::SideBySide => vec![line],
        Layout::Inline => half.lines.to_vec(),
    };
    for number in columns {
        left += look.gutter;
        if let Some(number) = number {
            painter.text(pos2(left - 14.0, rect.center().y), Align2::RIGHT_CENTER, number + 1, font.clone(), ink);
        }
    }
    painter.text(pos2(left, rect.center().y), Align2::LEFT_CENTER, sign, font.clone(), t.text);
    let Some(line) = line else { return };
    let text = rect.with_min_x(left + SIGN);
    let job = line_job(view, half, line, &font, t);
    let galley = ui.fonts_mut(|fonts| fonts.layout_job(job));
    let at = pos2(text.left() - half.left, rect.center().y - galley.size().y / 2.0);
    painter.with_clip_rect(text.intersect(ui.clip_rect())).galley(at, galley, t.text);
}

/// Lays out a line: changed words and places that were found on their grounds, and its end if the other side has
/// another.
fn line_job(view: TextDiffView<'_>, half: &Half<'_>, line: u32, font: &FontId, t: &Tokens) -> LayoutJob {
    let lines = view.diff.side(half.at);
    let whole = lines.line(line);
    let text = whole.trim_end_matches('\n');
    let mut job = LayoutJob { break_on_newline: false, ..LayoutJob::default() };
    let word = match half.at {
        Position::Left => t.removed_word_ground(),
        Position::Right => t.added_word_ground(),
    };
    let end = text.char_indices().nth(MAX_LENGTH).map_or(text.len(), |(end, _)| end);
    for (part, ground) in parts(end, half.words.unwrap_or_default(), word, &found_in(view, half.at, line), t) {
        let part = text.get(part).unwrap_or_default().replace('\t', "    ");
        let format = TextFormat { background: ground, ..TextFormat::simple(font.clone(), t.text) };
        job.append(&shown(&part), 0.0, format);
    }
    let note = TextFormat::simple(font.clone(), t.muted);
    if end < text.len() {
        job.append(" …", 0.0, note.clone());
    }
    if half.changed && !whole.ends_with('\n') {
        job.append("  (no line end)", 0.0, note);
    }
    job
}

/// Returns the places that were found in a line, and whether each is the current one.
fn found_in(view: TextDiffView<'_>, at: Position, line: u32) -> Vec<(Range<usize>, bool)> {
    let Some((found, current)) = view.found else { return Vec::new() };
    let here = found.iter().enumerate().filter(|(_, found)| found.at == at && found.line == line);
    here.map(|(index, found)| (found.range.clone(), index == current)).collect()
}

/// Splits a line of so many bytes by its changed words and the places that were found; the latter are above the former.
fn parts(
    end: usize,
    words: &[Range<usize>],
    word: Color32,
    found: &[(Range<usize>, bool)],
    t: &Tokens,
) -> Vec<(Range<usize>, Color32)> {
    let mut cuts: Vec<usize> =
        words.iter().chain(found.iter().map(|(range, _)| range)).flat_map(|range| [range.start, range.end]).collect();
    cuts.extend([0, end]);
    cuts.retain(|cut| *cut <= end);
    cuts.sort_unstable();
    cuts.dedup();
    let ground = |at: usize| match found.iter().find(|(range, _)| range.contains(&at)) {
        Some((_, true)) => t.current_match_ground(),
        Some((_, false)) => t.match_ground(),
        None if words.iter().any(|range| range.contains(&at)) => word,
        None => Color32::TRANSPARENT,
    };
    cuts.windows(2).map(|pair| (pair[0]..pair[1], ground(pair[0]))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_that_was_found_is_above_a_changed_word() {
        let t = &Tokens::DARK;
        let parts = parts(10, std::slice::from_ref(&(2..6)), t.added_word_ground(), &[(4..8, true)], t);
        let (word, found, none) = (t.added_word_ground(), t.current_match_ground(), Color32::TRANSPARENT);
        assert_eq!(parts, [(0..2, none), (2..4, word), (4..6, found), (6..8, found), (8..10, none)]);
    }
}
