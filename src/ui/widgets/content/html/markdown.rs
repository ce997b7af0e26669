//! Writes blocks as Markdown.
//!
//! What must hold: the text reads back as the blocks it was written from. Block quotes contain only paragraphs,
//! headings and code, since the renderer supports nothing else there.

use super::block::{Block, Item, Kind, Run, Style};
use super::inline::{self, Context};

/// Returns the blocks as CommonMark with tables.
pub(super) fn write(blocks: &[Block]) -> String {
    let mut writer = Writer::default();
    for block in blocks {
        writer.block(block);
    }
    writer.text
}

/// A list that the next item may continue.
struct OpenList {
    list: usize,
    numbered: bool,
    /// Whether it uses the second bullet character, which separates it from the list before it.
    second_sign: bool,
    /// The column where the text of its last item starts.
    text_indent: usize,
}

#[derive(Default)]
struct Writer {
    text: String,
    /// The open lists, outermost first.
    levels: Vec<OpenList>,
    after_item: bool,
    after_quoted: bool,
    after_quoted_item: bool,
}

impl Writer {
    fn block(&mut self, block: &Block) {
        let Block { quoted, kind } = block;
        let is_item = !quoted && matches!(kind, Kind::Item(_));
        let is_quoted_item = *quoted && matches!(kind, Kind::Item(_));
        if is_quoted_item && self.after_quoted_item {
            // They are lines of one paragraph.
            self.text.truncate(self.text.trim_end_matches('\n').len());
            self.text.push_str("\\\n");
        } else if !(is_item && self.after_item) {
            self.levels.clear();
            if !self.text.is_empty() {
                self.text.push_str(if *quoted && self.after_quoted { ">\n" } else { "\n" });
            }
        }
        (self.after_item, self.after_quoted, self.after_quoted_item) = (is_item, *quoted, is_quoted_item);
        let prefix = if *quoted { "> " } else { "" };
        match kind {
            Kind::Paragraph(runs) => self.line(prefix, runs, Context::Line { prefix }),
            Kind::Heading(level, runs) => {
                let sign = "#".repeat(usize::from(*level));
                self.line(&format!("{prefix}{sign} "), runs, Context::Heading);
            }
            Kind::Item(item) if *quoted => self.quoted_item(item),
            Kind::Item(item) => self.item(item),
            Kind::Code { language, text } => self.code(prefix, language, text),
            Kind::Table(rows) => self.table(rows),
            Kind::Rule => self.text.push_str(&format!("{prefix}***\n")),
        }
    }

    fn line(&mut self, start: &str, runs: &[Run], context: Context<'_>) {
        self.text.push_str(start);
        inline::write(&mut self.text, runs, context);
        self.text.push('\n');
    }

    fn item(&mut self, item: &Item) {
        let Item { depth, list, number, runs } = item;
        let numbered = number.is_some();
        self.levels.truncate(*depth);
        let same_depth = self.levels.len() == *depth;
        let before = if same_depth { self.levels.pop() } else { None };
        let indent = self.levels.last().map_or(0, |outer| outer.text_indent);
        let goes_on = before.as_ref().is_some_and(|before| before.list == *list && before.numbered == numbered);
        if !goes_on && number.is_some_and(|number| number != 1) && !self.text.ends_with("\n\n") {
            // Without an empty line, only a list that starts at 1 can follow text.
            self.text.push('\n');
        }
        let second_sign = before.is_some_and(|before| {
            let same_sign = goes_on || before.numbered != numbered;
            before.second_sign == same_sign
        });
        let sign = match (number, second_sign) {
            (None, false) => "-".to_owned(),
            (None, true) => "+".to_owned(),
            // CommonMark allows no more digits.
            (Some(number), false) => format!("{}.", number % 1_000_000_000),
            (Some(number), true) => format!("{})", number % 1_000_000_000),
        };
        let text_indent = indent + sign.len() + 1;
        self.levels.push(OpenList { list: *list, numbered, second_sign, text_indent });
        let start = format!("{}{sign} ", " ".repeat(indent));
        self.line(&start, runs, Context::Line { prefix: &" ".repeat(text_indent) });
    }

    fn quoted_item(&mut self, item: &Item) {
        let Item { depth, number, runs, .. } = item;
        let indent = "\u{a0}".repeat(4 * (depth - 1));
        let sign = number.map_or("•".to_owned(), |number| format!("{number}."));
        let sign = Run { text: format!("{indent}{sign}\u{a0}"), style: Style::default(), link: None };
        let runs: Vec<Run> = std::iter::once(sign).chain(runs.iter().cloned()).collect();
        self.line("> ", &runs, Context::Line { prefix: "> " });
    }

    /// Writes code in a fence longer than any run of backticks in it.
    fn code(&mut self, prefix: &str, language: &str, text: &str) {
        let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or_default();
        let fence = "`".repeat(longest.max(2) + 1);
        self.text.push_str(&format!("{prefix}{fence}{language}\n"));
        for line in text.lines() {
            self.text.push_str(&format!("{prefix}{line}\n"));
        }
        self.text.push_str(&format!("{prefix}{fence}\n"));
    }

    fn table(&mut self, rows: &[Vec<Vec<Run>>]) {
        for (at, row) in rows.iter().enumerate() {
            for cell in row {
                self.text.push_str("| ");
                inline::write(&mut self.text, cell, Context::Cell);
                self.text.push(' ');
            }
            self.text.push_str("|\n");
            if at == 0 {
                self.text.push_str(&format!("|{}\n", " --- |".repeat(row.len())));
            }
        }
    }
}
