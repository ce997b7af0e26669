//! Runs a grammar over lines: a stack of contexts, and for each line the changes to the stack of scopes.
//!
//! At each position the rules of the topmost context are searched for; the match that begins first wins, and of those that
//! begin at the same position the rule that is named first. A match may be empty; two guards keep empty matches from going
//! on for ever: an empty pop right after an empty push moves on by one character, and the stack has a greatest depth.

use std::collections::HashMap;

use super::budget::{Budget, Stopped};
use super::grammar::{Action, Context, ContextId, LIBRARY, MatchRule};
use super::pattern::{Found, Groups, Pattern};
use super::scope::Operation;

/// The greatest depth of the stack of contexts.
const MAX_DEPTH: usize = 100;
/// The most matches in a line: far more than characters, as a bound for cyclic grammars.
const MAX_MATCHES: usize = 20_000;
/// How many expressions with replaced groups are kept.
const MAX_REPLACED: usize = 64;

/// Changes to the stack of scopes, each with the position in the line where it happens.
pub(super) type Operations = Vec<(usize, Operation)>;

/// The state of a grammar between two lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ParserState {
    /// Never empty.
    stack: Vec<Level>,
    first_line: bool,
    /// Depths at which a rule of a `with` context pushed; levels below it are ignored.
    barriers: Vec<usize>,
}

/// A grammar at work.
#[derive(Debug)]
pub(super) struct Parser {
    state: ParserState,
    /// Expressions with replaced groups, by their text.
    replaced: HashMap<String, Pattern>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Level {
    context: ContextId,
    /// The `with` contexts of the rule that pushed this one.
    with: Vec<ContextId>,
    /// The groups of the match that pushed this one, where a rule refers to them.
    groups: Option<Vec<Option<String>>>,
}

/// What is found for one line: by the number of the pattern.
type Cache = HashMap<u32, Option<Found>>;

/// The match that wins at a position.
struct Best {
    found: Found,
    rule: &'static MatchRule,
    /// The level whose groups the rule's expression refers to.
    level: Option<usize>,
    from_with: bool,
    /// Whether it is an empty pop right after an empty push.
    loops: bool,
}

/// Where in a line the parser is.
struct Progress<'a> {
    line: &'a str,
    start: usize,
    cache: Cache,
    /// Position and depth after the last empty push.
    empty_push: Option<(usize, usize)>,
    operations: Operations,
}

impl Parser {
    pub(super) fn new(start: ContextId) -> Self {
        let stack = vec![Level { context: start, with: Vec::new(), groups: None }];
        let state = ParserState { stack, first_line: true, barriers: Vec::new() };
        Parser { state, replaced: HashMap::new() }
    }

    /// Returns the state between two lines.
    pub(super) fn state(&self) -> &ParserState {
        &self.state
    }

    /// Continues from a state of the same grammar.
    pub(super) fn resume(&mut self, state: ParserState) {
        self.state = state;
    }

    /// Parses the next line, given with its break.
    pub(super) fn parse_line(&mut self, line: &str, budget: &mut Budget) -> Result<Operations, Stopped> {
        let cache = HashMap::with_capacity(128);
        let mut progress = Progress { line, start: 0, cache, empty_push: None, operations: Vec::new() };
        if std::mem::take(&mut self.state.first_line)
            && let Some(scope) = self.context().and_then(|context| context.content.first())
        {
            progress.operations.push((0, Operation::Push(*scope)));
        }
        for _ in 0..MAX_MATCHES {
            if !self.parse_token(&mut progress, budget)? {
                break;
            }
        }
        Ok(progress.operations)
    }

    /// Finds the next match and does what its rule says; false at the end of the line.
    fn parse_token(&mut self, progress: &mut Progress<'_>, budget: &mut Budget) -> Result<bool, Stopped> {
        let depth = self.state.stack.len();
        self.state.barriers.truncate(self.state.barriers.partition_point(|barrier| *barrier < depth));
        let Some(best) = self.best(progress, budget)? else { return Ok(false) };
        if best.loops {
            let next = progress.line.get(progress.start..).and_then(|rest| rest.char_indices().nth(1));
            progress.start += next.map_or(0, |(width, _)| width);
            return Ok(next.is_some());
        }
        if best.found.end <= progress.start && matches!(best.rule.action, Action::Push(_)) {
            progress.empty_push = Some((best.found.end, depth + 1));
        }
        progress.start = progress.start.max(best.found.end);
        if best.from_with {
            self.state.barriers.push(depth);
        }
        let groups = self.groups(&best, progress.line, budget)?;
        self.scopes_of(&best, &groups, &mut progress.operations);
        self.act(&best, &groups, progress.line);
        Ok(true)
    }

    fn best(&mut self, progress: &mut Progress<'_>, budget: &mut Budget) -> Result<Option<Best>, Stopped> {
        let after_empty_push = progress.empty_push == Some((progress.start, self.state.stack.len()));
        let mut best: Option<Best> = None;
        for (from_with, id, level) in self.chain() {
            let Some(context) = LIBRARY.context(id) else { continue };
            for rule in context.rules() {
                let Some(found) = self.search(rule, level, progress, budget)? else { continue };
                let better =
                    |best: &Best| found.start < best.found.start || found.start == best.found.start && best.loops;
                if !best.as_ref().is_none_or(better) {
                    continue;
                }
                if matches!(rule.action, Action::Push(_)) && self.state.stack.len() >= MAX_DEPTH {
                    return Ok(None);
                }
                let empty = found.end <= progress.start;
                let loops = after_empty_push && empty && rule.action == Action::Pop;
                let first = found.start == progress.start && !loops;
                best = Some(Best { found, rule, level, from_with, loops });
                if first {
                    return Ok(best);
                }
            }
        }
        Ok(best)
    }

    /// The contexts whose rules hold, in order: whether it is a `with` context, which, and the level whose groups it
    /// uses.
    fn chain(&self) -> Vec<(bool, ContextId, Option<usize>)> {
        let barrier = self.state.barriers.last().copied().unwrap_or_default();
        let mut chain = Vec::new();
        for (level, at) in self.state.stack.iter().enumerate().skip(barrier) {
            chain.extend(at.with.iter().map(|id| (true, *id, Some(level))));
        }
        chain.extend(self.context().and_then(|context| context.prototype).map(|id| (false, id, None)));
        chain.extend(self.state.stack.last().map(|top| (false, top.context, Some(self.state.stack.len() - 1))));
        chain
    }

    /// The next match of one rule, from the cache where it is known.
    fn search(
        &mut self,
        rule: &MatchRule,
        level: Option<usize>,
        progress: &mut Progress<'_>,
        budget: &mut Budget,
    ) -> Result<Option<Found>, Stopped> {
        match progress.cache.get(&rule.pattern.number) {
            Some(None) => return Ok(None),
            Some(Some(known)) if known.start >= progress.start => return Ok(Some(*known)),
            _ => {}
        }
        budget.charge(progress.line.len().saturating_sub(progress.start))?;
        let found = match self.replaced(rule, level) {
            Some(pattern) => {
                let found = pattern.find(progress.line, progress.start);
                return Ok(found.filter(|found| self.progresses(rule, found)));
            }
            None => rule.pattern.find(progress.line, progress.start),
        };
        let useful = found.is_none_or(|found| self.progresses(rule, &found));
        if useful {
            progress.cache.insert(rule.pattern.number, found);
        }
        Ok(found.filter(|_| useful))
    }

    /// The expression of a rule that refers to groups of an earlier match, with their text in it.
    fn replaced(&mut self, rule: &MatchRule, level: Option<usize>) -> Option<&Pattern> {
        let groups = self.state.stack.get(level.filter(|_| rule.backrefs)?)?.groups.as_deref()?;
        let source = rule.pattern.with_groups(groups);
        if self.replaced.len() >= MAX_REPLACED && !self.replaced.contains_key(&source) {
            self.replaced.clear();
        }
        Some(self.replaced.entry(source.clone()).or_insert_with(|| Pattern::new(source)))
    }

    /// The groups of a match, where anything needs them.
    fn groups(&mut self, best: &Best, line: &str, budget: &mut Budget) -> Result<Groups, Stopped> {
        let rule = best.rule;
        let refers = |id: &ContextId| LIBRARY.context(*id).is_some_and(|context| context.backrefs);
        let pushed = match &rule.action {
            Action::Push(contexts) | Action::Set(contexts) => contexts.as_slice(),
            Action::None | Action::Pop => &[],
        };
        // The `with` contexts of a level that is replaced go on to the new one.
        let top = self.state.stack.last().map(|level| level.with.as_slice()).unwrap_or_default();
        if rule.captures.is_empty() && !pushed.iter().chain(&rule.with).chain(top).any(refers) {
            return Ok(Groups::new());
        }
        budget.charge(line.len().saturating_sub(best.found.from))?;
        let pattern = self.replaced(rule, best.level).unwrap_or(&rule.pattern);
        Ok(pattern.groups(line, best.found.from))
    }

    /// Whether a match makes progress: an empty match without an action does not.
    fn progresses(&self, rule: &MatchRule, found: &Found) -> bool {
        match rule.action {
            Action::None => found.start != found.end,
            Action::Push(_) => self.state.stack.len() < MAX_DEPTH,
            Action::Pop | Action::Set(_) => true,
        }
    }

    /// Adds the scopes that a match gives to itself, to its groups, and to what follows.
    fn scopes_of(&self, best: &Best, groups: &Groups, operations: &mut Operations) {
        let Found { start, end, .. } = best.found;
        let rule = best.rule;
        let Some(current) = self.context() else { return };
        enter(rule, current, start, operations);
        operations.extend(rule.scope.iter().map(|scope| (start, Operation::Push(*scope))));
        capture(rule, groups, operations);
        if !rule.scope.is_empty() {
            operations.push((end, Operation::Pop(rule.scope.len())));
        }
        leave(rule, current, end, operations);
    }

    /// Changes the stack of contexts.
    fn act(&mut self, best: &Best, groups: &Groups, line: &str) {
        let mut with = Vec::new();
        let contexts = match &best.rule.action {
            Action::None => return,
            Action::Pop => {
                if self.state.stack.len() > 1 {
                    self.state.stack.pop();
                }
                return;
            }
            Action::Push(contexts) => contexts,
            Action::Set(contexts) => {
                // The `with` contexts hold until the level that they came with is popped.
                with = self.state.stack.pop().map(|level| level.with).unwrap_or_default();
                contexts
            }
        };
        for (index, id) in contexts.iter().enumerate() {
            let mut with = std::mem::take(&mut with);
            if index + 1 == contexts.len() {
                with.extend(best.rule.with);
            }
            let refers = |id: &ContextId| LIBRARY.context(*id).is_some_and(|context| context.backrefs);
            let groups = (refers(id) || with.iter().any(refers)).then(|| texts(groups, line));
            self.state.stack.push(Level { context: *id, with, groups });
        }
    }

    fn context(&self) -> Option<&'static Context> {
        self.state.stack.last().and_then(|level| LIBRARY.context(level.context))
    }
}

/// The text of each group.
fn texts(groups: &Groups, line: &str) -> Vec<Option<String>> {
    groups.iter().map(|group| group.and_then(|(start, end)| line.get(start..end)).map(str::to_owned)).collect()
}

/// The scopes of the groups of a match, outer ones first.
fn capture(rule: &MatchRule, groups: &Groups, operations: &mut Operations) {
    let mut changes = Vec::new();
    for (group, scopes) in &rule.captures {
        let Some((start, end)) = groups.get(*group).copied().flatten().filter(|(start, end)| start < end) else {
            continue;
        };
        // At one position: ends first, then longer groups before shorter ones.
        changes.extend(scopes.iter().map(|scope| ((start, 1, usize::MAX - (end - start)), Operation::Push(*scope))));
        changes.push(((end, 0, 0), Operation::Pop(scopes.len())));
    }
    changes.sort_by_key(|(order, _)| *order);
    operations.extend(changes.into_iter().map(|((position, ..), operation)| (position, operation)));
}

/// What happens to the scopes of contexts where a match begins.
fn enter(rule: &MatchRule, current: &Context, position: usize, operations: &mut Operations) {
    let (contexts, set) = match &rule.action {
        Action::None => return,
        Action::Pop => {
            if !current.content.is_empty() {
                operations.push((position, Operation::Pop(current.content.len())));
            }
            return;
        }
        Action::Push(contexts) => (contexts, false),
        Action::Set(contexts) => (contexts, true),
    };
    if set && current.clear.is_some() {
        operations.push((position, Operation::Restore));
    }
    for context in contexts.iter().filter_map(|id| LIBRARY.context(*id)) {
        // A push clears before the match, a set after it.
        operations.extend(context.clear.filter(|_| !set).map(|count| (position, Operation::Clear(count))));
        operations.extend(context.meta.iter().map(|scope| (position, Operation::Push(*scope))));
    }
}

/// What happens to the scopes of contexts where a match ends.
fn leave(rule: &MatchRule, current: &Context, position: usize, operations: &mut Operations) {
    let (contexts, set) = match &rule.action {
        Action::None => return,
        Action::Pop => {
            if !current.meta.is_empty() {
                operations.push((position, Operation::Pop(current.meta.len())));
            }
            operations.extend(current.clear.map(|_| (position, Operation::Restore)));
            return;
        }
        Action::Push(contexts) => (contexts, false),
        Action::Set(contexts) => (contexts, true),
    };
    let contexts: Vec<_> = contexts.iter().filter_map(|id| LIBRARY.context(*id)).collect();
    let own = if set { current.meta.len() + current.content.len() } else { 0 };
    let again = |context: &&Context| !context.content.is_empty() || set && context.clear.is_some();
    if own == 0 && !contexts.iter().any(again) {
        return;
    }
    // The scopes of the new contexts are on the stack already: they go, so that those of their content come between.
    let pushed: usize = contexts.iter().map(|context| context.meta.len()).sum();
    if own + pushed > 0 {
        operations.push((position, Operation::Pop(own + pushed)));
    }
    for context in contexts {
        operations.extend(context.clear.filter(|_| set).map(|count| (position, Operation::Clear(count))));
        let scopes = context.meta.iter().chain(&context.content);
        operations.extend(scopes.map(|scope| (position, Operation::Push(*scope))));
    }
}
