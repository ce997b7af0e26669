//! The grammars, read from the archive in the program when they are first needed.

use std::collections::HashSet;
use std::io::{Cursor, Read as _};
use std::sync::{LazyLock, OnceLock};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use zip::ZipArchive;

use super::pattern::Pattern;
use super::scope::ScopeId;

/// All grammars.
pub(super) static LIBRARY: LazyLock<Library> = LazyLock::new(Library::open);

const ARCHIVE: &[u8] = include_bytes!("../assets/grammars.zip");

/// Where a context is: the number of its grammar, and its number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
pub(super) struct ContextId(u16, u16);

/// All grammars, each loaded on first use.
#[derive(Debug, Default)]
pub(super) struct Library {
    scopes: Vec<String>,
    entries: Vec<Entry>,
    contexts: Vec<OnceLock<Vec<Context>>>,
}

/// The index of the archive.
#[derive(Debug, Default, Deserialize)]
struct Index {
    scopes: Vec<String>,
    grammars: Vec<Entry>,
}

/// What the index says of one grammar.
#[derive(Debug, Deserialize)]
struct Entry {
    name: String,
    extensions: Vec<String>,
    start: u16,
}

/// A state that a parser can be in.
#[derive(Debug, Deserialize)]
pub(super) struct Context {
    /// Scopes of all text in this context, with the matches that begin and end it.
    #[serde(default)]
    pub(super) meta: Vec<ScopeId>,
    /// Scopes of the text between these matches.
    #[serde(default)]
    pub(super) content: Vec<ScopeId>,
    /// How many scopes of the surrounding contexts do not hold here.
    pub(super) clear: Option<usize>,
    /// The context whose rules come before those of this one.
    pub(super) prototype: Option<ContextId>,
    /// Whether a rule refers to groups of the match that led here.
    #[serde(default)]
    pub(super) backrefs: bool,
    rules: Vec<Rule>,
    #[serde(skip)]
    all: OnceLock<Vec<&'static MatchRule>>,
}

#[derive(Debug, Deserialize)]
#[serde(from = "RawRule")]
enum Rule {
    Include(ContextId),
    Match(Box<MatchRule>),
}

/// A regular expression, and what happens where it matches.
#[derive(Debug)]
pub(super) struct MatchRule {
    pub(super) pattern: Pattern,
    /// Whether the expression refers to groups of the match that led to its context.
    pub(super) backrefs: bool,
    /// Scopes of the match.
    pub(super) scope: Vec<ScopeId>,
    /// Scopes of groups of the match.
    pub(super) captures: Vec<(usize, Vec<ScopeId>)>,
    pub(super) action: Action,
    /// A context whose rules come first as long as the pushed one is on the stack.
    pub(super) with: Option<ContextId>,
}

/// What a match does to the stack of contexts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Action {
    None,
    Pop,
    Push(Vec<ContextId>),
    /// Replaces the topmost context.
    Set(Vec<ContextId>),
}

/// A rule as the archive has it: either `include` or `match`.
#[derive(Deserialize)]
struct RawRule {
    include: Option<ContextId>,
    #[serde(default)]
    r#match: String,
    #[serde(default)]
    backrefs: bool,
    #[serde(default)]
    scope: Vec<ScopeId>,
    #[serde(default)]
    captures: Vec<(usize, Vec<ScopeId>)>,
    #[serde(default)]
    pop: bool,
    push: Option<Vec<ContextId>>,
    set: Option<Vec<ContextId>>,
    with: Option<ContextId>,
}

impl From<RawRule> for Rule {
    fn from(raw: RawRule) -> Self {
        if let Some(include) = raw.include {
            return Rule::Include(include);
        }
        let action = match (raw.pop, raw.push, raw.set) {
            (true, ..) => Action::Pop,
            (_, Some(contexts), _) => Action::Push(contexts),
            (.., Some(contexts)) => Action::Set(contexts),
            _ => Action::None,
        };
        Rule::Match(Box::new(MatchRule {
            pattern: Pattern::new(raw.r#match),
            backrefs: raw.backrefs,
            scope: raw.scope,
            captures: raw.captures,
            action,
            with: raw.with,
        }))
    }
}

impl Library {
    fn open() -> Self {
        let index: Index = read("index.json").unwrap_or_default();
        let contexts = index.grammars.iter().map(|_| OnceLock::new()).collect();
        Library { scopes: index.scopes, entries: index.grammars, contexts }
    }

    /// The names of all scopes, by their numbers.
    pub(super) fn scopes(&self) -> &[String] {
        &self.scopes
    }

    /// The number of the grammar with this file extension, else of the one with this name. Of several the last holds.
    pub(super) fn find(&self, token: &str) -> Option<usize> {
        let same = |name: &String| name.eq_ignore_ascii_case(token);
        let by_extension = self.entries.iter().rposition(|entry| entry.extensions.iter().any(same));
        by_extension.or_else(|| self.entries.iter().rposition(|entry| same(&entry.name)))
    }

    /// The name of a grammar and the context it starts in.
    pub(super) fn entry(&self, number: usize) -> Option<(&str, ContextId)> {
        let entry = self.entries.get(number)?;
        Some((&entry.name, ContextId(u16::try_from(number).ok()?, entry.start)))
    }

    /// A context; None where the archive has none of this number.
    pub(super) fn context(&'static self, id: ContextId) -> Option<&'static Context> {
        let grammar = usize::from(id.0);
        let contexts = self.contexts.get(grammar)?;
        contexts.get_or_init(|| read(&format!("{grammar:03}.json")).unwrap_or_default()).get(usize::from(id.1))
    }

    #[cfg(test)]
    pub(super) fn ids(&'static self) -> Vec<ContextId> {
        let numbers = (0..self.entries.len()).map(|number| u16::try_from(number).expect("few"));
        let ids = |grammar| (0..).map(move |context| ContextId(grammar, context));
        numbers.flat_map(|grammar| ids(grammar).take_while(|id| self.context(*id).is_some())).collect()
    }
}

impl Context {
    /// The rules of this context and of those it includes, each once, in order.
    pub(super) fn rules(&'static self) -> &'static [&'static MatchRule] {
        self.all.get_or_init(|| {
            let mut rules = Vec::new();
            self.collect(&mut rules, &mut HashSet::new());
            rules
        })
    }

    fn collect(&'static self, rules: &mut Vec<&'static MatchRule>, seen: &mut HashSet<ContextId>) {
        for rule in &self.rules {
            match rule {
                Rule::Match(rule) => rules.push(rule),
                Rule::Include(id) if seen.insert(*id) => {
                    if let Some(context) = LIBRARY.context(*id) {
                        context.collect(rules, seen);
                    }
                }
                Rule::Include(_) => {}
            }
        }
    }
}

/// Reads a file of the archive. The tests read them all, so that None is for an archive that was damaged.
fn read<T: DeserializeOwned>(name: &str) -> Option<T> {
    let mut archive = ZipArchive::new(Cursor::new(ARCHIVE)).ok()?;
    let mut text = String::new();
    archive.by_name(name).ok()?.read_to_string(&mut text).ok()?;
    serde_json::from_str(&text).ok()
}
