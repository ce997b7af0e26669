//! What looks like a secret in a text: private keys, tokens and passwords by the rules of Gitleaks, and passwords in
//! addresses, card numbers and IBANs by rules of our own.
//!
//! What must hold: no panic and no endless work on any text; a find names the rule and the line and never the secret
//! itself; a number within an id, such as a UUID, is no card number. Nothing is changed or sent anywhere.

mod gitleaks;
mod numbers;

/// What looks like a secret.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    /// The line, from 1.
    pub line: usize,
    /// The name of the rule that found it, such as `private-key`.
    pub rule: String,
    /// What the rule looks for, for people.
    pub what: String,
}

/// Only so much of a text is searched.
/// Our choice: secrets are in small texts and near the beginning of large ones, and each rule reads the text once.
pub const MAX_BYTES: usize = 2 << 20;

/// The most findings of one text.
const MOST_FINDINGS: usize = 20;

/// What looks like a secret in a text, by line. Each rule is named once a line.
pub fn find(text: &str) -> Vec<Finding> {
    let mut end = text.len().min(MAX_BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let text = &text[..end];
    let mut found = gitleaks::find(text);
    found.extend(numbers::find(text));
    let mut findings: Vec<Finding> = found
        .into_iter()
        .map(|Found { at, rule, what }| {
            let line = text[..at].bytes().filter(|byte| *byte == b'\n').count() + 1;
            Finding { line, rule, what }
        })
        .collect();
    findings.sort();
    findings.dedup_by(|one, other| one.line == other.line && one.rule == other.rule);
    findings.truncate(MOST_FINDINGS);
    findings
}

/// The same of bytes; what is no text has none.
pub fn find_in_bytes(bytes: &[u8]) -> Vec<Finding> {
    std::str::from_utf8(bytes).map(find).unwrap_or_default()
}

/// Where a rule found something.
struct Found {
    at: usize,
    rule: String,
    what: String,
}

#[cfg(test)]
mod tests;
