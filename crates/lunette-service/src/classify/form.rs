//! Forms of lines: patterns that `statements.txt` is written in.
//!
//! What must hold: matching takes time in proportion to the line for all but a few forms, and never fails.

/// The most parts of a form that stand for anything; more would make matching slow.
const MAX_ANY: usize = 6;

/// What a whole line looks like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Form(Vec<Part>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    /// This text.
    Literal(String),
    /// At least one space or tab.
    Space,
    /// A name: letters, digits, `_` and `$`, not only digits.
    Name,
    /// A name, or names with `.`, `:`, `/`, `\` or `-` between them.
    Path,
    /// Any text, or none.
    Any,
}

/// The forms that a text with alternatives (`‹a|b›`) stands for.
pub(super) fn forms(text: &str) -> Vec<Form> {
    alternatives(text).iter().map(|text| Form::parse(text)).collect()
}

/// A text for each choice of the alternatives, which may contain alternatives. `\|` is a bar.
fn alternatives(text: &str) -> Vec<String> {
    let Some(start) = text.find('‹') else { return vec![text.to_owned()] };
    let (front, inside) = (&text[..start], &text[start + '‹'.len_utf8()..]);
    let (mut choices, mut depth, mut escaped) = (vec![String::new()], 0, false);
    let mut rest = "";
    for (at, c) in inside.char_indices() {
        match c {
            '›' if depth == 0 => {
                rest = &inside[at + c.len_utf8()..];
                break;
            }
            '|' if depth == 0 && !escaped => choices.push(String::new()),
            _ => {
                depth += i32::from(c == '‹') - i32::from(c == '›');
                if let Some(choice) = choices.last_mut() {
                    if escaped && c == '|' && depth == 0 {
                        choice.pop();
                    }
                    choice.push(c);
                }
            }
        }
        escaped = c == '\\';
    }
    choices.iter().flat_map(|choice| alternatives(&format!("{front}{choice}{rest}"))).collect()
}

impl Form {
    fn parse(text: &str) -> Self {
        let mut parts: Vec<Part> = Vec::new();
        for c in text.chars() {
            let part = match c {
                '…' => Part::Any,
                '¤' => Part::Name,
                '§' => Part::Path,
                ' ' => Part::Space,
                c => match parts.last_mut() {
                    Some(Part::Literal(literal)) => {
                        literal.push(c);
                        continue;
                    }
                    _ => Part::Literal(c.to_string()),
                },
            };
            if !(part == Part::Any && parts.last() == Some(&Part::Any)) {
                parts.push(part);
            }
        }
        debug_assert!(parts.iter().filter(|part| **part == Part::Any).count() <= MAX_ANY, "{text}");
        Self(parts)
    }

    /// The first byte of every line of this form, if they have one in common.
    pub(super) fn first_byte(&self) -> Option<u8> {
        match self.0.first() {
            Some(Part::Literal(literal)) => literal.bytes().next(),
            _ => None,
        }
    }

    /// The characters that every line of this form has.
    pub(super) fn characters(&self) -> Characters {
        let literals = self.0.iter().map(|part| match part {
            Part::Literal(literal) => Characters::of(literal),
            Part::Space | Part::Name | Part::Path | Part::Any => Characters(0),
        });
        literals.fold(Characters(0), |all, some| Characters(all.0 | some.0))
    }

    /// Whether a line without space around it is of this form.
    pub(super) fn matches(&self, line: &str) -> bool {
        matches(&self.0, line)
    }
}

/// The ASCII characters of a text, as a set: what a form needs and a line lacks need not be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Characters(u128);

impl Characters {
    pub(super) fn of(text: &str) -> Self {
        Self(text.bytes().filter(u8::is_ascii).fold(0, |set, byte| set | 1 << byte))
    }

    /// Whether all of these are among others.
    pub(super) fn are_in(self, others: Self) -> bool {
        self.0 & !others.0 == 0
    }
}

fn matches(parts: &[Part], text: &str) -> bool {
    let Some((part, rest)) = parts.split_first() else { return text.is_empty() };
    match part {
        Part::Literal(literal) => text.strip_prefix(literal.as_str()).is_some_and(|text| matches(rest, text)),
        Part::Space => {
            let after = text.trim_start_matches([' ', '\t']);
            after.len() < text.len() && matches(rest, after)
        }
        Part::Name => {
            let length = name_length(text);
            length > 0 && matches(rest, &text[length..])
        }
        Part::Path => {
            let length = path_length(text);
            length > 0 && matches(rest, &text[length..])
        }
        Part::Any => match rest.first() {
            None => true,
            Some(Part::Literal(literal)) => {
                text.match_indices(literal.as_str()).any(|(at, _)| matches(rest, &text[at..]))
            }
            Some(Part::Space) => text.match_indices([' ', '\t']).any(|(at, _)| matches(rest, &text[at..])),
            // A name or a path starts where none is before it.
            Some(Part::Name | Part::Path | Part::Any) => {
                let mut inside = false;
                text.char_indices().any(|(at, c)| {
                    let starts = is_name(c) && !inside;
                    inside = is_name(c);
                    starts && matches(rest, &text[at..])
                })
            }
        },
    }
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '$')
}

fn name_length(text: &str) -> usize {
    let length = text.find(|c| !is_name(c)).unwrap_or(text.len());
    if text.starts_with(|c: char| c.is_ascii_digit()) { 0 } else { length }
}

fn path_length(text: &str) -> usize {
    let mut length = name_length(text);
    while length > 0 {
        let after = text[length..].trim_start_matches(['.', ':', '/', '\\', '-']);
        let more = after.find(|c| !is_name(c)).unwrap_or(after.len());
        if more == 0 || after.len() == text.len() - length {
            break;
        }
        length = text.len() - after.len() + more;
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is(form: &str, line: &str) -> bool {
        forms(form).iter().any(|form| form.matches(line))
    }

    #[test]
    fn a_form_is_the_whole_line() {
        assert!(is("import §", "import os.path") && !is("import §", "import os.path;"));
        assert!(is("def ¤(…):", "def add(a, b):") && !is("def ¤(…):", "def add(a, b)"));
        assert!(is("const ¤ = …", "const  $x\t= 1") && !is("const ¤ = …", "const 1 = 1"));
        assert!(is("… => {", "(a, b) => {") && !is("… => {", "=> {"));
        assert!(is("…(… for ¤ in …)", "sum(x for x in y)") && !is("…(… for ¤ in …)", "sum(for x)"));
        assert!(!is("use §;", "use std::;") && is("use §;", "use std::fs;") && is("use §;", "use a-b.c/d;"));
    }

    #[test]
    fn alternatives_may_be_empty_and_nested_and_hold_a_bar() {
        assert!(is("‹pub |›fn ¤(…)", "fn a()") && is("‹pub |›fn ¤(…)", "pub fn a(b)"));
        assert!(is("‹a‹b|c›|d›", "ac") && is("‹a‹b|c›|d›", "d") && !is("‹a‹b|c›|d›", "a"));
        assert!(is("x ‹\\||<› y", "x | y") && is("x ‹\\||<› y", "x < y"));
    }

    #[test]
    fn any_line_is_matched_without_a_fault() {
        for line in ["", "é", "日本 = 語", "$", "a.", "a:::", &"x => ".repeat(500)] {
            for form in ["…", "¤", "§", "… => …", "§;", "…‹a|é›…¤", "¤(…) …: …; …"] {
                let _ = is(form, line);
            }
        }
    }
}
