//! JSON texts as trees, within limits.

use lunette_json::budget::{self, Budget};
use serde_json::Value;

/// The longest text that becomes a tree, in bytes.
const MAX_BYTES: usize = 8 << 20;
/// The memory that its tree may take, in bytes. Freeing more would be felt.
const MAX_MEMORY: usize = 96 << 20;

/// Why a text has no tree.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoTree {
    /// It is too long to be parsed.
    #[error("it is larger than {} MiB", MAX_BYTES >> 20)]
    TooLarge,
    /// It is not JSON, or its tree would take too much memory; why and where.
    #[error("{0}")]
    Invalid(String),
}

/// Returns the tree of a JSON text.
pub fn tree(text: &str) -> Result<Value, NoTree> {
    if text.len() > MAX_BYTES {
        return Err(NoTree::TooLarge);
    }
    let text = text.trim_start_matches('\u{feff}');
    budget::parse_within(text.as_bytes(), Budget::new(MAX_MEMORY)).map_err(|error| NoTree::Invalid(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_a_tree_or_a_reason_why_not() {
        assert_eq!(tree("\u{feff}{\"a\": [1]}"), Ok(serde_json::json!({ "a": [1] })));
        assert!(tree("{\"a\": 1,\n}").expect_err("refused").to_string().contains("line 2"));
        assert!(tree(&"[".repeat(100_000)).expect_err("refused").to_string().contains("recursion limit"));
        assert!(tree(&format!("\"{}\"", "x".repeat(MAX_BYTES))).expect_err("refused").to_string().contains("8 MiB"));
        assert!(
            tree(&format!("[{}0]", "[],".repeat(MAX_BYTES / 4))).expect_err("refused").to_string().contains("memory")
        );
        assert!(tree("\0").is_err() && tree("").is_err());
    }
}
