//! What looks like a secret, printed: the rule and the line, never the secret itself.

use lunette_secrets::Finding;
use serde_json::{Value, json};

use super::progress::escaped;

/// The most names that are printed; JSON has all.
const PRINTED: usize = 50;

/// A line for each asset or item that has findings.
pub(super) fn lines<'a>(found: impl Iterator<Item = (&'a str, &'a [Finding])>) -> String {
    let (mut lines, mut count) = (String::new(), 0_usize);
    for (name, findings) in found.filter(|(_, findings)| !findings.is_empty()) {
        count += 1;
        if count <= PRINTED {
            let locations: Vec<String> =
                findings.iter().map(|finding| format!("line {} ({})", finding.line, finding.rule)).collect();
            lines.push_str(&format!("looks like a secret: {}: {}\n", escaped(name), locations.join(", ")));
        }
    }
    if count > PRINTED {
        lines.push_str(&format!("looks like a secret: {} more; --json lists them\n", count - PRINTED));
    }
    lines
}

/// Findings as JSON.
pub(super) fn json(findings: &[Finding]) -> Value {
    let finding = |Finding { line, rule, what }: &Finding| json!({ "line": line, "rule": rule, "what": what });
    findings.iter().map(finding).collect()
}
