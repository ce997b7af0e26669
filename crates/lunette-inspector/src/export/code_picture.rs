//! A picture of code to share: a frame with name and language, and the highlighted text, as SVG or PNG.
//!
//! What must hold: it takes bounded time and memory, whatever the text; the picture says what is cut; hidden characters
//! are escaped; the same text gives the same picture.

use lunette_client::model::display::{Breaks, beginning, display_text};
use lunette_client::model::language::language;
use lunette_client::model::size::grouped;
use lunette_syntax::{Budget, CancelToken, Highlighter};
use unicode_width::UnicodeWidthChar as _;

use crate::highlighting::{TokenClass, classes, syntax};

mod palette;
mod png;
mod svg;
#[cfg(test)]
mod tests;

pub use palette::{Palette, Shade};
pub use png::png;
pub use svg::svg;

/// The font of code.
pub const FONT: &[u8] = include_bytes!("../../../../assets/fonts/JetBrainsMono-Regular.ttf");

/// Our choice: the maximum number of lines. A longer picture would be of no use.
pub const MAX_LINES: usize = 300;
/// Our choice: the maximum number of columns, after which a line is cut.
pub const MAX_COLUMNS: usize = 160;
/// The minimum width in columns, so that a name has room.
const MIN_COLUMNS: usize = 40;
/// The maximum number of characters of a name.
const MAX_NAME_LENGTH: usize = 60;
/// The distance of tab stops in columns.
const TAB_WIDTH: usize = 4;

/// The font size, in points.
const SIZE: f32 = 14.0;
/// The width of a column: all glyphs of the font are 0.6 of the font size wide.
const COLUMN: f32 = SIZE * 0.6;
/// The height of a line.
const LINE: f32 = 21.0;
/// The padding around the text.
const PADDING: f32 = 20.0;
/// The height of the bar with the name.
const BAR: f32 = 40.0;
/// The radius of the corners of the frame.
const CORNER: f32 = 10.0;

/// The file format of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureFormat {
    /// A vector image with text.
    Svg,
    /// A bitmap.
    Png,
}

impl PictureFormat {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Svg, Self::Png];

    /// Its display name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Svg => "SVG",
            Self::Png => "PNG",
        }
    }

    /// The extension of its files.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Svg => "svg",
            Self::Png => "png",
        }
    }
}

/// A requested picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PictureKind {
    /// The kind of file.
    pub format: PictureFormat,
    /// Light or dark.
    pub shade: Shade,
}

/// A run of text in one colour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// Its first column.
    pub column: usize,
    /// The text.
    pub text: String,
    /// Its width in columns.
    pub width: usize,
    /// Its class.
    pub class: TokenClass,
}

/// The content of a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sheet {
    /// The name, in one line.
    pub title: Vec<Span>,
    /// The language.
    pub language: &'static str,
    /// The lines of the text.
    pub lines: Vec<Vec<Span>>,
    /// Its width in columns.
    pub columns: usize,
    /// Notes about what was cut.
    pub notes: Vec<String>,
    /// Light or dark.
    pub shade: Shade,
}

impl Sheet {
    /// Lays out a text; `specific` is its language as an enum value of the interface.
    pub fn new(name: &str, specific: &str, text: &str, shade: Shade) -> Self {
        let mut highlighter = syntax(specific).map(Highlighter::new);
        let mut budget = Budget::new(CancelToken::default());
        let (mut lines, mut cut) = (Vec::new(), 0_usize);
        let all = text.lines().count();
        for line in text.lines().take(MAX_LINES) {
            // Only the start of a long line is processed.
            let line = beginning(line, MAX_COLUMNS + 1);
            let line = display_text(&line, Breaks::Kept);
            let tokens = highlighter.as_mut().map(|running| running.line(&line, classes(), &mut budget));
            let tokens = match tokens {
                Some(Ok(tokens)) => tokens,
                Some(Err(_)) => {
                    highlighter = None;
                    Vec::new()
                }
                None => Vec::new(),
            };
            let mut row = Row::default();
            match tokens.is_empty() {
                true => row.push(&line, TokenClass::Plain),
                false => tokens.into_iter().for_each(|(range, class)| {
                    row.push(line.get(range).unwrap_or_default(), class);
                }),
            }
            cut += usize::from(row.full);
            lines.push(row.spans);
        }
        let mut title = Row::default();
        title.push(&display_text(&beginning(name, MAX_NAME_LENGTH), Breaks::Spaced), TokenClass::Plain);
        let language = language(specific).map_or("Text", |language| language.name);
        let ends = lines.iter().chain([&title.spans]).filter_map(|row| row.last());
        let wide = ends.map(|span| span.column + span.width).max().unwrap_or_default();
        let head = title.column + 3 + language.chars().count();
        let columns = wide.max(head).max(MIN_COLUMNS);
        let notes = [all.saturating_sub(MAX_LINES), cut];
        Self { title: title.spans, language, lines, columns, notes: notes_text(notes), shade }
    }

    fn width(&self) -> f32 {
        self.columns as f32 * COLUMN + 2.0 * PADDING
    }

    fn height(&self, notes: usize) -> f32 {
        BAR + 2.0 * PADDING + (self.lines.len() + notes) as f32 * LINE
    }
}

/// Returns notes about what was cut.
fn notes_text([lines, cut]: [usize; 2]) -> Vec<String> {
    let lines = match lines {
        0 => None,
        1 => Some("… 1 more line is left out".to_owned()),
        count => Some(format!("… {} more lines are left out", grouped(count as u64))),
    };
    let cut = match cut {
        0 => None,
        1 => Some(format!("1 line is cut after {MAX_COLUMNS} columns")),
        count => Some(format!("{} lines are cut after {MAX_COLUMNS} columns", grouped(count as u64))),
    };
    lines.into_iter().chain(cut).collect()
}

/// A line that is being laid out.
#[derive(Default)]
struct Row {
    spans: Vec<Span>,
    column: usize,
    full: bool,
}

impl Row {
    fn push(&mut self, text: &str, class: TokenClass) {
        for letter in text.chars() {
            let width = match letter {
                '\t' => TAB_WIDTH - self.column % TAB_WIDTH,
                letter => width(letter),
            };
            if self.full || self.column + width > MAX_COLUMNS {
                self.full = true;
                return;
            }
            match letter {
                ' ' | '\t' => {}
                letter => self.push_char(letter, width, class),
            }
            self.column += width;
        }
    }

    /// A character that is not one column wide has a span of its own, so that those after it keep their columns.
    fn push_char(&mut self, letter: char, width: usize, class: TokenClass) {
        let column = self.column;
        match self.spans.last_mut() {
            Some(span) if width == 0 => span.text.push(letter),
            Some(span) if width == 1 && span.class == class && span.continues_at(column) => {
                span.text.push(letter);
                span.width += 1;
            }
            _ => self.spans.push(Span { column, text: letter.to_string(), width, class }),
        }
    }
}

impl Span {
    fn continues_at(&self, column: usize) -> bool {
        self.column + self.width == column && self.text.chars().last().is_some_and(|letter| width(letter) == 1)
    }
}

/// Returns the width of a character in columns: two for East Asian characters and emoji, zero for combining accents.
fn width(letter: char) -> usize {
    letter.width().unwrap_or_default()
}
