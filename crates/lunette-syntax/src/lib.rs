//! Syntax highlighting: grammars of Sublime Text, run line by line.
//!
//! A grammar is a set of contexts; a context is a list of regular expressions with the scopes they give and the context
//! they lead to. The grammars come from `assets`, which says how they were made.
//!
//! What must hold, whatever the text: no panic, no endless loop, and a bounded amount of work ([`Budget`]). Each
//! regular expression has a limit on backtracking; reaching it counts as no match.

mod budget;
mod editing;
mod grammar;
mod parser;
mod pattern;
mod scope;
#[cfg(test)]
mod tests;

use std::ops::Range;

pub use budget::{Budget, CancelToken, Stopped};
pub use editing::{BRACKETS, Editing};
pub use scope::Classes;

use grammar::{ContextId, LIBRARY};
use parser::{Parser, ParserState};
use scope::ScopeStack;

/// A grammar to highlight with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Syntax {
    name: &'static str,
    start: ContextId,
}

impl Syntax {
    /// Finds a grammar by a file extension, else by its name, both in any case. Plain text has none.
    pub fn find(token: &str) -> Option<Syntax> {
        let number = LIBRARY.find(token)?;
        let (name, start) = LIBRARY.entry(number)?;
        (name != "Plain Text").then_some(Syntax { name, start })
    }

    /// What people call the grammar, as `Rust`.
    pub fn name(self) -> &'static str {
        self.name
    }
}

/// What a highlighter knows at the beginning of a line. Two that are equal find the same tokens in the same lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineState {
    parser: ParserState,
    scopes: ScopeStack,
}

/// Highlights the lines of one text, from the first on.
#[derive(Debug)]
pub struct Highlighter {
    parser: Parser,
    scopes: ScopeStack,
    /// The line with its break; kept for its memory.
    line: String,
}

impl Highlighter {
    /// A highlighter at the beginning of a text.
    pub fn new(syntax: Syntax) -> Self {
        Highlighter { parser: Parser::new(syntax.start), scopes: ScopeStack::default(), line: String::new() }
    }

    /// Returns what is known at the beginning of the next line.
    pub fn state(&self) -> LineState {
        LineState { parser: self.parser.state().clone(), scopes: self.scopes.clone() }
    }

    /// Continues at the beginning of a line of a text in the same language. After an error of [`Highlighter::line`],
    /// this returns to the line before it.
    pub fn resume(&mut self, state: &LineState) {
        self.parser.resume(state.parser.clone());
        self.scopes = state.scopes.clone();
    }

    /// Returns the tokens of the next line, given without its break: they cover the line in order, and neighbours differ.
    ///
    /// # Errors
    ///
    /// Fails if the budget is used up or the work was cancelled. The rest of the text is then to be shown plain.
    pub fn line<C: Copy + PartialEq + Default>(
        &mut self,
        line: &str,
        classes: &Classes<C>,
        budget: &mut Budget,
    ) -> Result<Vec<(Range<usize>, C)>, Stopped> {
        self.line.clear();
        self.line.push_str(line);
        // The grammars expect the line break.
        self.line.push('\n');
        let operations = self.parser.parse_line(&self.line, budget)?;
        let mut tokens: Vec<(Range<usize>, C)> = Vec::new();
        let mut start = 0;
        let mut push = |end: usize, class: C| {
            let end = end.min(line.len());
            match tokens.last_mut() {
                _ if start >= end => return,
                Some((range, last)) if *last == class => range.end = end,
                _ => tokens.push((start..end, class)),
            }
            start = end;
        };
        for (offset, operation) in operations {
            push(offset, self.scopes.class(classes));
            self.scopes.apply(operation);
        }
        push(line.len(), self.scopes.class(classes));
        Ok(tokens)
    }
}
