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
    let numbered = |Found { at, rule, what }: Found| {
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

/// Finds possible secrets in bytes; binary data has none.
pub fn find_in_bytes(bytes: &[u8]) -> Vec<Finding> {
    std::str::from_utf8(bytes).map(find).unwrap_or_default()
}

/// The position of a match of a rule.
struct Found {
    at: usize,
    rule: String,
    what: String,
}

#[cfg(test)]
mod tests;
