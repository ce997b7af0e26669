//! Markdown, whose marks are comments of scripts and lists of notes, too.

/// How often items of lists, quotes and emphasis count: plain text has them as well.
const MAX_WEAK: i32 = 3;

/// What speaks for Markdown.
#[derive(Default)]
struct Marks {
    /// Fences, links, check boxes, tables: what only Markdown has.
    strong: i32,
    headings: i32,
    weak: i32,
    /// Lines of code outside of fences.
    code: i32,
}

/// Whether a text has marks that only Markdown has.
pub(super) fn is_certain(text: &str) -> bool {
    let Marks { strong, headings, weak, code } = Marks::of(text);
    strong >= 4 && strong + headings + weak.min(MAX_WEAK) - code >= 4
}

/// Whether a text that is not code is Markdown.
pub(super) fn is_likely(text: &str) -> bool {
    let Marks { strong, headings, weak, code } = Marks::of(text);
    let items_only = text.lines().all(|line| line.trim_start().starts_with("- ") || line.trim().is_empty());
    strong + headings + weak.min(MAX_WEAK) - code >= 4 && !(items_only && text.contains(": "))
}

/// Whether a text has what Markdown has and plain text does not: headings, fences, links.
pub(super) fn is_document(text: &str) -> bool {
    let heading = |line: &str| line.trim_start_matches('#').starts_with(' ') && line.starts_with('#');
    text.lines().filter(|line| heading(line)).count() >= 2 || text.contains("\n```") || text.contains("](http")
}

impl Marks {
    fn of(text: &str) -> Self {
        let mut marks = Self::default();
        let mut fenced = false;
        let mut before = "";
        let mut lines = text.lines().map(str::trim_end).peekable();
        while let Some(line) = lines.next() {
            if line.starts_with("```") {
                fenced = !fenced;
                marks.strong += 3;
            } else if !fenced {
                marks.headings += heading(before, line, lines.peek().copied());
                marks.add(line);
                marks.code += i32::from(
                    line.starts_with("#!") || line.ends_with(':') && before.is_empty() && line.trim().len() < 20,
                );
            }
            before = line;
        }
        marks
    }

    /// Adds what a line says by itself.
    fn add(&mut self, line: &str) {
        let item = line.trim_start();
        // A comment or an attribute of code may hold Markdown.
        if item.starts_with("//") || item.starts_with("#[") {
            self.code += 1;
            return;
        }
        let checked = ["- [ ] ", "- [x] ", "* [ ] ", "* [x] "].iter().any(|mark| item.starts_with(mark));
        let table = ["|--", "| --", "|:-", "| :-"].iter().any(|mark| item.starts_with(mark));
        let link = line.contains(']')
            && line.split("](").skip(1).any(|to| ["http", "./", "#"].iter().any(|begin| to.starts_with(begin)));
        self.strong += i32::from(checked) * 3 + i32::from(table) * 5 + i32::from(link || line.starts_with("![")) * 4;
        self.strong += i32::from(line.contains('*') && line.matches("**").count() >= 2 && !line.contains("/**")) * 2;
        if self.weak < MAX_WEAK {
            let number = item.split_once(". ").map(|(number, _)| number);
            let numbered = number.is_some_and(|number| number.len() <= 2 && number.parse::<u8>().is_ok());
            let bullet = ["> ", "* ", "- ", "+ "].iter().any(|mark| item.starts_with(mark));
            let emphasis = ['*', '`'].iter().any(|mark| item.matches(*mark).count() >= 2);
            self.weak += i32::from(numbered || bullet) + i32::from(emphasis);
        }
        self.code += i32::from(line.ends_with([';', '{', '}'])) * 3;
    }
}

/// How surely a line is a heading. A comment of a script looks like one, but has no empty line around it as a rule.
fn heading(before: &str, line: &str, after: Option<&str>) -> i32 {
    let level = line.len() - line.trim_start_matches('#').len();
    if !(1..=6).contains(&level) || !line[level..].starts_with(' ') || !before.is_empty() {
        return 0;
    }
    match (level, after) {
        (1, Some("")) => 4,
        (1, _) => 2,
        _ => 3,
    }
}
