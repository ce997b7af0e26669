//! Lists, and description lists, which are shown as items.

use super::super::element::Emphasis;
use super::{MAX_NESTING, Reader, Tag, attribute};

/// A list being read.
#[derive(Debug)]
pub(in crate::ui::widgets::html) struct List {
    /// Its number in the document.
    pub(super) id: usize,
    /// The number of the next item, in a numbered list.
    next: Option<u64>,
    /// The number of an item that was begun and has no text yet.
    pub(super) begun: Option<Option<u64>>,
}

/// The state of the term in a description list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Term {
    /// There is none on this line.
    None,
    Reading,
    /// Its description follows on the same line.
    Read,
}

impl Reader {
    pub(super) fn start_list(&mut self, numbered: bool, tag: &Tag) {
        self.end_term();
        self.end_block();
        if self.lists.len() >= MAX_NESTING {
            self.deeper_lists += 1;
            return;
        }
        self.lists_begun += 1;
        let first = attribute(tag, "start").and_then(|start| start.trim().parse().ok()).unwrap_or(1);
        self.lists.push(List { id: self.lists_begun, next: numbered.then_some(first), begun: None });
    }

    pub(super) fn end_list(&mut self) {
        self.end_term();
        self.end_block();
        self.term = Term::None;
        if self.deeper_lists > 0 {
            self.deeper_lists -= 1;
        } else {
            self.lists.pop();
        }
    }

    pub(super) fn start_item(&mut self) {
        self.end_block();
        match self.lists.last_mut() {
            Some(list) => {
                list.begun = Some(list.next);
                list.next = list.next.map(|number| number.saturating_add(1));
            }
            None => self.push_text("• "),
        }
    }

    pub(super) fn start_term(&mut self) {
        self.end_term();
        self.start_item();
        self.term = Term::Reading;
        self.styles.open(Emphasis::Strong);
    }

    pub(super) fn end_term(&mut self) {
        if self.term != Term::Reading {
            return;
        }
        if !self.line.is_empty() && !self.line.ends_with(":") {
            self.push_text(":");
        }
        self.styles.close(Emphasis::Strong);
        self.push_text(" ");
        self.term = Term::Read;
    }

    pub(super) fn start_description(&mut self) {
        self.end_term();
        if self.term != Term::Read {
            self.end_block();
        }
        self.term = Term::None;
    }
}
