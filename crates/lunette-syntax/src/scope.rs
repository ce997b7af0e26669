//! Scopes: names as `keyword.control.rust`, by the [conventions](https://www.sublimetext.com/docs/scope_naming.html) that
//! all grammars follow; and the stack of those that hold at a position.

use serde::Deserialize;

use super::grammar::LIBRARY;

/// The number of a scope's name in the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub(super) struct ScopeId(u16);

/// A change to the stack of scopes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    Push(ScopeId),
    Pop(usize),
    /// Takes the topmost scopes away until the matching [`Operation::Restore`].
    Clear(usize),
    Restore,
}

/// The scopes that hold at one position, the innermost last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ScopeStack {
    scopes: Vec<ScopeId>,
    cleared: Vec<Vec<ScopeId>>,
}

impl ScopeStack {
    pub(super) fn apply(&mut self, operation: Operation) {
        match operation {
            Operation::Push(scope) => self.scopes.push(scope),
            Operation::Pop(count) => self.scopes.truncate(self.scopes.len().saturating_sub(count)),
            Operation::Clear(count) => {
                let rest = self.scopes.len().saturating_sub(count);
                self.cleared.push(self.scopes.split_off(rest));
            }
            Operation::Restore => self.scopes.extend(self.cleared.pop().unwrap_or_default()),
        }
    }

    /// The class of the innermost scope that has one.
    pub(super) fn class<C: Copy + Default>(&self, classes: &Classes<C>) -> C {
        self.scopes.iter().rev().find_map(|scope| classes.get(*scope)).unwrap_or_default()
    }
}

/// What scopes are shown as.
#[derive(Debug)]
pub struct Classes<C>(Vec<Option<C>>);

impl<C: Copy> Classes<C> {
    /// Classes by the beginning of a scope's name, in whole words: `string` is the beginning of `string.quoted` and not
    /// of `stringify`. The first entry that fits a scope holds.
    pub fn new(table: &[(&str, C)]) -> Self {
        let class = |name: &String| table.iter().find(|(prefix, _)| is_prefix(prefix, name)).map(|(_, class)| *class);
        Classes(LIBRARY.scopes().iter().map(class).collect())
    }

    fn get(&self, scope: ScopeId) -> Option<C> {
        self.0.get(usize::from(scope.0)).copied().flatten()
    }
}

fn is_prefix(prefix: &str, name: &str) -> bool {
    name.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}
