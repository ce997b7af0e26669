//! What looks like a secret, printed: the rule and the line, never the secret itself.

use std::collections::HashSet;

use lunette_secrets::Finding;
use serde_json::{Value, json};

use crate::cli::progress::escaped;

/// The most names that are printed; JSON has all.
const PRINTED: usize = 50;

/// A line for each asset or item that has findings.
pub(in crate::cli) fn lines<'a>(found: impl Iterator<Item = (&'a str, &'a [Finding])>) -> String {
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

/// The beginnings of the names of files that are made to hold secrets; `.env` alone has other names after it.
const SECRET_FILES: &[&str] =
    &[".env", ".netrc", ".pgpass", ".git-credentials", ".htpasswd", "id_rsa", "id_ecdsa", "id_ed25519", "id_dsa"];
/// The endings of such names whose files are made to be shared.
const SHARED: &[&str] = &[".example", ".sample", ".template", ".dist", ".pub"];

/// Adds the files among these that hold secrets by their name, whatever is in them, and have no findings.
pub(in crate::cli) fn with_names(
    mut found: Vec<(String, Vec<Finding>)>,
    paths: impl Iterator<Item = String>,
) -> Vec<(String, Vec<Finding>)> {
    let known: HashSet<String> = found.iter().map(|(path, _)| path.clone()).collect();
    let by_name = paths.filter(|path| is_secret_file(path) && !known.contains(path)).map(|path| {
        let what = "files of this name usually hold secrets".to_owned();
        (path, vec![Finding { line: 1, rule: "file-name".to_owned(), what }])
    });
    found.extend(by_name);
    found
}

fn is_secret_file(path: &str) -> bool {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path).to_lowercase();
    let is = |known: &str| name == known || known == ".env" && name.starts_with(".env.");
    SECRET_FILES.iter().any(|known| is(known)) && !SHARED.iter().any(|ending| name.ends_with(ending))
}

/// Findings as JSON.
pub(in crate::cli) fn json(findings: &[Finding]) -> Value {
    let finding = |Finding { line, rule, what }: &Finding| json!({ "line": line, "rule": rule, "what": what });
    findings.iter().map(finding).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_hold_secrets_by_their_name_are_named() {
        for (path, expected) in [
            (".env", true),
            ("a/.env.production", true),
            ("C:\\keys\\ID_RSA", true),
            (".env.example", false),
            ("id_rsa.pub", false),
            (".environment", false),
            ("notes.md", false),
        ] {
            let found = with_names(Vec::new(), std::iter::once(path.to_owned()));
            assert_eq!(!found.is_empty(), expected, "{path}");
        }
    }
}
