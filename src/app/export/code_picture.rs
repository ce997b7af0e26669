//! A picture of code to share: a frame with name and language, and the highlighted text, as SVG or PNG.
//!
//! What must hold: it costs a bounded time and memory, whatever the text; what is cut is said in the picture; hidden
//! characters are written out; the same text is the same picture.

use lunette_client::model::display::{Breaks, beginning, display_text};
use lunette_client::model::language::language;
use lunette_client::model::size::grouped;
use lunette_syntax::{Budget, CancelToken, Highlighter};
use unicode_width::UnicodeWidthChar as _;

use crate::app::highlighting::{TokenClass, classes, syntax};

mod palette;
mod png;
mod svg;
#[cfg(test)]
mod tests;

pub use palette::{Palette, Shade};
pub use png::png;
pub use svg::svg;

/// The font of code.
pub const FONT: &[u8] = include_bytes!("../../../assets/fonts/JetBrainsMono-Regular.ttf");

/// Our choice: a picture has at most so many lines. More is no picture that anybody looks at.
pub const MAX_LINES: usize = 300;
/// Our choice: so many columns, after which a line is cut.
pub const MAX_COLUMNS: usize = 160;
/// The least width, so that a name has room.
const LEAST_COLUMNS: usize = 40;
/// The most characters of a name.
const NAME: usize = 60;
/// How many columns a tab leads on.
const TAB: usize = 4;

/// The height of letters, in points.
const SIZE: f32 = 14.0;
/// The width of a column: all letters of the font are 0.6 of their height wide.
const COLUMN: f32 = SIZE * 0.6;
/// The height of a line.
const LINE: f32 = 21.0;
/// The room around the text.
const ROOM: f32 = 20.0;
/// The height of the bar with the name.
const BAR: f32 = 40.0;
/// How round the corners of the frame are.
const CORNER: f32 = 10.0;

/// The kind of file that a picture is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureFormat {
    /// Text that stays text at any size.
    Svg,
    /// Dots.
    Png,
}

impl PictureFormat {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Svg, Self::Png];

    /// Its name for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Svg => "SVG",
            Self::Png => "PNG",
        }
    }

    /// The ending of its files.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Svg => "svg",
            Self::Png => "png",
        }
    }
}

/// The picture that is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PictureKind {
    /// The kind of file.
    pub format: PictureFormat,
    /// Light or dark.
    pub shade: Shade,
}

/// A text of one colour in a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// Where it begins.
    pub column: usize,
    /// What it says.
    pub text: String,
    /// How many columns it takes.
    pub width: usize,
    /// Its class.
    pub class: TokenClass,
}

/// What is in a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sheet {
    /// The name, in one line.
    pub title: Vec<Span>,
    /// The language.
    pub language: &'static str,
    /// The lines of the text.
    pub lines: Vec<Vec<Span>>,
    /// How many columns it is wide.
    pub columns: usize,
    /// What was cut.
    pub notes: Vec<String>,
    /// Light or dark.
    pub shade: Shade,
}

impl Sheet {
    /// Lays a text out; `specific` is its language as the interface has it.
    pub fn new(name: &str, specific: &str, text: &str, shade: Shade) -> Self {
        let mut highlighter = syntax(specific).map(Highlighter::new);
        let mut budget = Budget::new(CancelToken::default());
        let (mut lines, mut cut) = (Vec::new(), 0_usize);
        let all = text.lines().count();
        for line in text.lines().take(MAX_LINES) {
            // Longer lines cost as much as their beginning.
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
        title.push(&display_text(&beginning(name, NAME), Breaks::Spaced), TokenClass::Plain);
        let language = language(specific).map_or("Text", |language| language.name);
        let ends = lines.iter().chain([&title.spans]).filter_map(|row| row.last());
        let wide = ends.map(|span| span.column + span.width).max().unwrap_or_default();
        let head = title.column + 3 + language.chars().count();
        let columns = wide.max(head).max(LEAST_COLUMNS);
        let notes = [all.saturating_sub(MAX_LINES), cut];
        Self { title: title.spans, language, lines, columns, notes: said(notes), shade }
    }

    fn width(&self) -> f32 {
        self.columns as f32 * COLUMN + 2.0 * ROOM
    }

    fn height(&self, notes: usize) -> f32 {
        BAR + 2.0 * ROOM + (self.lines.len() + notes) as f32 * LINE
    }
}

/// What was cut, for people.
fn said([lines, cut]: [usize; 2]) -> Vec<String> {
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
                '\t' => TAB - self.column % TAB,
                letter => width(letter),
            };
            if self.full || self.column + width > MAX_COLUMNS {
                self.full = true;
                return;
            }
            match letter {
                ' ' | '\t' => {}
                letter => self.put(letter, width, class),
            }
            self.column += width;
        }
    }

    /// A letter that is not one column wide has a span of its own, so that those behind it keep their columns.
    fn put(&mut self, letter: char, width: usize, class: TokenClass) {
        let column = self.column;
        match self.spans.last_mut() {
            Some(span) if width == 0 => span.text.push(letter),
            Some(span) if width == 1 && span.class == class && span.goes_on_at(column) => {
                span.text.push(letter);
                span.width += 1;
            }
            _ => self.spans.push(Span { column, text: letter.to_string(), width, class }),
        }
    }
}

impl Span {
    fn goes_on_at(&self, column: usize) -> bool {
        self.column + self.width == column && self.text.chars().last().is_some_and(|letter| width(letter) == 1)
    }
}

/// How many columns a letter takes: those of East Asia and emoji two, accents that stand above another letter none.
fn width(letter: char) -> usize {
    letter.width().unwrap_or_default()
}
