//! Finds possible secrets in a text: private keys, tokens and passwords by the rules of Gitleaks, and passwords in
//! addresses, card numbers and IBANs by our own rules.
//!
//! What must hold: no text causes a panic or unbounded work; a finding has the rule and the line, never the secret
//! itself; a number inside an id, such as a UUID, is not a card number. Nothing is changed or sent anywhere.

mod gitleaks;
mod numbers;

/// A possible secret.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    /// The line, from 1.
    pub line: usize,
    /// The name of the rule that found it, such as `private-key`.
    pub rule: String,
    /// The description of what the rule finds.
    pub what: String,
}

/// Only so much of a text is searched.
/// Our choice: secrets are in small texts and near the beginning of large ones, and each rule reads the text once.
pub const MAX_BYTES: usize = 2 << 20;

/// The maximum number of findings in a text.
const MOST_FINDINGS: usize = 20;

/// Finds possible secrets in a text, ordered by line. Each rule is reported once per line.
pub fn find(text: &str) -> Vec<Finding> {
    let mut end = text.len().min(MAX_BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let text = &text[..end];
    let mut found = gitleaks::find(text);
    found.extend(numbers::find(text));
    // In order, since lines are counted from one to the next: there may be as many findings as lines.
    found.sort_by_key(|found| found.at);
    let (mut line, mut counted) = (1, 0);
    let numbered = |Found { at, rule, what, .. }: Found| {
        line += memchr::memchr_iter(b'\n', &text.as_bytes()[counted..at]).count();
        counted = at;
        Finding { line, rule, what }
    };
    let mut findings: Vec<Finding> = found.into_iter().map(numbered).collect();
    findings.sort();
    findings.dedup_by(|one, other| one.line == other.line && one.rule == other.rule);
    findings.truncate(MOST_FINDINGS);
    findings
}

/// How often a text is searched again for what the marks uncovered.
const PASSES: usize = 8;

/// Returns a text with a mark such as `[masked: private-key]` in place of each possible secret; `None` if there is
/// none. A text in which they do not come to an end is withheld as a whole.
pub fn masked(text: &str) -> Option<String> {
    let mut masked = mask(text)?;
    for _ in 0..PASSES {
        match mask(&masked) {
            None => return Some(masked),
            Some(next) => masked = next,
        }
    }
    Some("[masked: the whole text]".to_owned())
}

/// Masks each part of a text that is not too large to be searched.
fn mask(text: &str) -> Option<String> {
    // What is masked so far, from the first secret on.
    let (mut result, mut done) = (None, 0);
    while done < text.len() {
        let rest = &text[done..];
        let mut end = rest.len().min(MAX_BYTES);
        while !rest.is_char_boundary(end) {
            end -= 1;
        }
        // At the end of a line, so that no secret of one line is cut.
        if end < rest.len() {
            end = memchr::memrchr(b'\n', &rest.as_bytes()[..end]).map_or(end, |line| line + 1);
        }
        match (mask_part(&rest[..end]), &mut result) {
            (Some(masked), result) => {
                result.get_or_insert_with(|| text[..done].to_owned()).push_str(&masked);
            }
            (None, Some(result)) => result.push_str(&rest[..end]),
            (None, None) => {}
        }
        done += end;
    }
    result
}

fn mask_part(text: &str) -> Option<String> {
    let mut found = gitleaks::find(text);
    found.extend(numbers::find(text));
    found.retain(|found| found.at < found.end && !text[found.at..found.end].starts_with(MARK));
    if found.is_empty() {
        return None;
    }
    found.sort_by_key(|found| (found.at, std::cmp::Reverse(found.end)));
    let (mut result, mut done) = (String::with_capacity(text.len()), 0);
    for Found { at, end, rule, .. } in found {
        if end <= done {
            continue;
        }
        // One that begins within another is masked with it.
        if at >= done {
            result.push_str(&text[done..at]);
            result.push_str(&format!("{MARK}{rule}]"));
        }
        done = end;
    }
    result.push_str(&text[done..]);
    Some(result)
}

/// How a mark begins.
const MARK: &str = "[masked: ";

/// Finds possible secrets in bytes; binary data has none.
pub fn find_in_bytes(bytes: &[u8]) -> Vec<Finding> {
    std::str::from_utf8(bytes).map(find).unwrap_or_default()
}

/// The position of a match of a rule.
struct Found {
    /// Where the secret begins.
    at: usize,
    /// Where it ends.
    end: usize,
    rule: String,
    what: String,
}

#[cfg(test)]
mod tests;
