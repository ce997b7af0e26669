//! HTML as tags and text. Every text is valid HTML: what is not a tag is text, as in a browser.
//!
//! What must hold: each byte is read a bounded number of times. Therefore an unclosed comment, quoted value or script
//! takes the rest of the text.

/// A tag, or the text between two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// Text with its character references.
    Text(&'a str),
    /// A start tag.
    Start(Tag<'a>),
    /// An end tag, by its name.
    End(&'a str),
}

/// A start tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tag<'a> {
    /// Its name, in any case.
    pub name: &'a str,
    attributes: &'a str,
}

impl<'a> Tag<'a> {
    /// Returns the value of an attribute, with its character references; empty for one without a value.
    pub fn attribute(&self, name: &str) -> Option<&'a str> {
        let mut attributes = Attributes { rest: self.attributes };
        attributes.find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    /// Returns whether it is self-closing, as in `<svg/>`.
    pub fn is_closed(&self) -> bool {
        self.attributes.ends_with('/')
    }
}

/// The elements whose content is text up to their end tag, and whether it is shown.
const TEXT_ELEMENTS: &[(&str, bool)] = &[
    ("script", false),
    ("style", false),
    ("iframe", false),
    ("noembed", false),
    ("noframes", false),
    ("title", true),
    ("textarea", true),
    ("xmp", true),
];

/// The tokens of a text, in order.
#[derive(Debug)]
pub(super) struct Tokens<'a> {
    rest: &'a str,
    /// The open element, if its content is text.
    within: Option<(&'static str, bool)>,
}

impl<'a> Tokens<'a> {
    pub fn new(html: &'a str) -> Self {
        Tokens { rest: html, within: None }
    }

    /// Returns how many bytes are still to be read.
    pub fn remaining(&self) -> usize {
        self.rest.len()
    }

    /// Takes the first bytes of the rest.
    fn take(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.rest = rest;
        taken
    }

    /// Reads what begins with `<`; `None` for what is not shown.
    fn markup(&mut self) -> Option<Token<'a>> {
        let rest = self.rest;
        let starts_name = |at: usize| rest.as_bytes().get(at).is_some_and(u8::is_ascii_alphabetic);
        if starts_name(1) {
            return Some(self.start_tag());
        }
        if rest.starts_with("</") && starts_name(2) {
            return Some(Token::End(self.tag(2).name));
        }
        if let Some(comment) = rest.strip_prefix("<!--") {
            self.rest = after_comment(comment);
        } else if rest.starts_with("<!") || rest.starts_with("<?") || rest.starts_with("</") {
            self.rest = rest.split_once('>').map_or("", |(_, rest)| rest);
        } else {
            return Some(Token::Text(self.take(1)));
        }
        None
    }

    fn start_tag(&mut self) -> Token<'a> {
        let tag = self.tag(1);
        self.within = TEXT_ELEMENTS.iter().find(|(name, _)| tag.name.eq_ignore_ascii_case(name)).copied();
        Token::Start(tag)
    }

    /// Takes a tag whose name begins this many bytes from here.
    fn tag(&mut self, name_at: usize) -> Tag<'a> {
        self.take(name_at);
        let name = self.take(self.rest.find(ends_name).unwrap_or(self.rest.len()));
        let mut attributes = Attributes { rest: self.rest };
        while attributes.next().is_some() {}
        let text = self.take(self.rest.len() - attributes.rest.len());
        self.rest = self.rest.strip_prefix('>').unwrap_or(self.rest);
        Tag { name, attributes: text }
    }

    /// Takes the content of an element that contains only text.
    fn text_content(&mut self, name: &str, shown: bool) -> Option<Token<'a>> {
        let closes = |at: &usize| {
            let tag = &self.rest[at + 2..];
            let named = tag.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
            named && tag[name.len()..].chars().next().is_none_or(ends_name)
        };
        let end = self.rest.match_indices("</").map(|(at, _)| at).find(closes);
        let text = self.take(end.unwrap_or(self.rest.len()));
        (shown && !text.is_empty()).then_some(Token::Text(text))
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        while !self.rest.is_empty() {
            let token = if let Some((name, shown)) = self.within.take() {
                self.text_content(name, shown)
            } else if self.rest.starts_with('<') {
                self.markup()
            } else {
                let end = self.rest.find('<').unwrap_or(self.rest.len());
                Some(Token::Text(self.take(end)))
            };
            if token.is_some() {
                return token;
            }
        }
        None
    }
}

/// Returns whether a character ends the name of a tag.
fn ends_name(c: char) -> bool {
    c.is_ascii_whitespace() || matches!(c, '/' | '>')
}

/// Returns what follows a comment, given the text after its `<!--`.
fn after_comment(comment: &str) -> &str {
    for empty in [">", "->"] {
        if let Some(rest) = comment.strip_prefix(empty) {
            return rest;
        }
    }
    let closes = |at: &usize| comment[..*at].ends_with("--") || comment[..*at].ends_with("--!");
    let end = comment.match_indices('>').map(|(at, _)| at).find(closes);
    end.map_or("", |end| &comment[end + 1..])
}

/// The attributes of a tag. At the end, `rest` begins with the `>` of the tag or is empty.
struct Attributes<'a> {
    rest: &'a str,
}

impl<'a> Iterator for Attributes<'a> {
    type Item = (&'a str, &'a str);

    fn next(&mut self) -> Option<(&'a str, &'a str)> {
        let space = |c: char| c.is_ascii_whitespace();
        self.rest = self.rest.trim_start_matches(|c: char| space(c) || c == '/');
        if self.rest.is_empty() || self.rest.starts_with('>') {
            return None;
        }
        // An equals sign at the beginning is part of the name.
        let first = self.rest.chars().next().map_or(0, char::len_utf8);
        let ends = |c: char| space(c) || matches!(c, '/' | '>' | '=');
        let length = self.rest[first..].find(ends).map_or(self.rest.len(), |length| first + length);
        let (name, rest) = self.rest.split_at(length);
        self.rest = rest;
        let Some(value) = rest.trim_start_matches(space).strip_prefix('=') else { return Some((name, "")) };
        let value = value.trim_start_matches(space);
        let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
        let (value, rest) = match quote {
            Some(quote) => value[1..].split_once(quote).unwrap_or((&value[1..], "")),
            None => value.split_at(value.find(|c| space(c) || c == '>').unwrap_or(value.len())),
        };
        self.rest = rest;
        Some((name, value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tokens in short: text as it is, tags as `+name` and `-name`.
    fn tokens(html: &str) -> Vec<String> {
        let short = |token| match token {
            Token::Text(text) => text.to_owned(),
            Token::Start(tag) => format!("+{}", tag.name),
            Token::End(name) => format!("-{name}"),
        };
        Tokens::new(html).map(short).collect()
    }

    #[test]
    fn tags_and_texts_are_distinguished() {
        assert_eq!(tokens("a<b>c</b >d<br/>"), ["a", "+b", "c", "-b", "d", "+br"]);
        assert_eq!(tokens("1 < 2 <3"), ["1 ", "<", " 2 ", "<", "3"]);
        assert_eq!(tokens("a<>b</>c</ d>e<?x?>f<!DOCTYPE html>g"), ["a", "<", ">b", "c", "e", "f", "g"]);
    }

    #[test]
    fn comments_are_not_text_even_if_unclosed() {
        assert_eq!(tokens("a<!-- <b> -- > -->b<!-->c<!--->d<!----->e<!--x--!>f"), ["a", "b", "c", "d", "e", "f"]);
        assert_eq!(tokens("a<!-- never closed <b>b</b>"), ["a"]);
    }

    #[test]
    fn a_greater_than_sign_may_occur_in_an_attribute_value() {
        let mut found = Tokens::new("<a title='>' HREF = \"x>y\" data-n=1/2 = disabled>z");
        let Some(Token::Start(tag)) = found.next() else { panic!("a tag") };
        let of = |name| tag.attribute(name);
        assert_eq!((of("title"), of("href"), of("data-n")), (Some(">"), Some("x>y"), Some("1/2")));
        assert_eq!((of("disabled"), of("id")), (Some(""), None));
        assert_eq!(found.next(), Some(Token::Text("z")));
    }

    #[test]
    fn a_value_that_is_never_closed_takes_the_rest() {
        assert_eq!(tokens("a<b title=\"c>d</b>"), ["a", "+b"]);
        assert_eq!(tokens("a<b title"), ["a", "+b"]);
    }

    #[test]
    fn scripts_and_styles_have_no_tokens() {
        assert_eq!(
            tokens("<script>if (a<b) '</scripty><p>'</SCRIPT >c<style>p{}</style>"),
            ["+script", "-SCRIPT", "c", "+style", "-style"]
        );
        assert_eq!(tokens("a<script>never closed<p>b"), ["a", "+script"]);
        assert_eq!(tokens("<title>a <b></title>c"), ["+title", "a <b>", "-title", "c"]);
    }
}
