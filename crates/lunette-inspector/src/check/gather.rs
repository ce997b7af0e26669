//! The findings on one operation while it is called, and its verdict.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::Value;

use crate::CallError;
use lunette_client::client::Exchange;
use lunette_client::model::size::plural;
use lunette_client::operation::{Accept, OperationInfo};
use lunette_json::budget;

use super::{CheckRow, Difference, Verdict, shape};

/// The maximum number of reported differences of one operation.
const TOLD: usize = 20;

/// The findings on an operation so far.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    differences: Vec<Difference>,
    unknown: BTreeSet<String>,
    times: Vec<Duration>,
    missing: Option<u16>,
    failed: Option<String>,
    not_asked: Option<String>,
}

impl Gathered {
    /// Checks one exchange; returns its JSON if it has one.
    pub(super) fn judge(&mut self, exchange: &Exchange) -> Option<Value> {
        self.times.push(exchange.elapsed);
        let Some(status) = exchange.status else {
            self.failed = exchange.outcome.as_ref().err().map(CallError::reason);
            return None;
        };
        if !(200..300).contains(&status) {
            match status {
                404 | 405 | 501 => self.missing = Some(status),
                _ => self.differ("status", format!("expected {}, got {status}", exchange.info.status)),
            }
            return None;
        }
        if status != exchange.info.status {
            self.differ("status", format!("expected {}, got {status}", exchange.info.status));
        }
        self.judge_body(exchange)
    }

    fn judge_body(&mut self, exchange: &Exchange) -> Option<Value> {
        let (info, body) = (exchange.info, &exchange.response_body);
        if info.answer == "void" {
            match &exchange.outcome {
                // The body is incomplete, or not empty.
                Err(error) => self.differ("body", error.reason()),
                Ok(_) if !body.is_empty() => {
                    self.differ("body", format!("expected no body, got {}", plural(body.len(), "byte")));
                }
                Ok(_) => {}
            }
            return None;
        }
        // Without the header every client reads JSON (records, section 0, surprise 4).
        let kind = exchange.content_type.as_deref().unwrap_or("application/json");
        if info.accept != Accept::Text && !kind.trim_start().to_ascii_lowercase().starts_with("application/json") {
            self.differ("content type", format!("expected application/json, got {kind:?}"));
        }
        match budget::parse(body) {
            Ok(tree) => {
                let found = shape::look(info.answer, &tree);
                found.differences.into_iter().for_each(|found| self.differ(&found.path, found.problem));
                self.unknown.extend(found.unknown);
                Some(tree)
            }
            Err(error) => {
                // Without any JSON the client's message is better: too large, incomplete, a web page.
                let why = exchange.outcome.as_ref().err().map(CallError::reason);
                self.differ("body", why.unwrap_or_else(|| format!("not valid JSON: {error}")));
                None
            }
        }
    }

    /// Records a difference, once.
    pub(super) fn differ(&mut self, path: &str, problem: String) {
        let difference = Difference { path: path.to_owned(), problem };
        if self.differences.len() < TOLD && !self.differences.contains(&difference) {
            self.differences.push(difference);
        }
    }

    /// Records why the operation is not called.
    pub(super) fn not_asked(&mut self, reason: &str) {
        self.not_asked.get_or_insert_with(|| reason.to_owned());
    }

    /// Whether calling it again would find nothing new.
    pub(super) fn gave_up(&self) -> bool {
        self.missing.is_some() || self.failed.is_some()
    }

    /// The verdict.
    pub(super) fn row(mut self, info: &'static OperationInfo) -> CheckRow {
        self.times.sort_unstable();
        let share = |of_hundred: usize| {
            let rank = (self.times.len() * of_hundred).div_ceil(100);
            self.times.get(rank.checked_sub(1)?).copied()
        };
        let (calls, p50, p95) = (self.times.len(), share(50), share(95));
        let verdict = match self {
            Self { missing: Some(status), .. } => Verdict::Missing(status),
            Self { failed: Some(reason), .. } => Verdict::Failed(reason),
            Self { differences, .. } if !differences.is_empty() => Verdict::Differs(differences),
            Self { not_asked, .. } if calls == 0 => {
                Verdict::NotAsked(not_asked.unwrap_or_else(|| "nothing required it".to_owned()))
            }
            _ => Verdict::Works,
        };
        CheckRow { info, verdict, unknown: self.unknown.into_iter().collect(), calls, p50, p95 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lunette_client::operation::Operation as _;
    use lunette_client::operation::table::ApplicationsSnapshot;

    #[test]
    fn percentiles_are_those_of_recorded_calls() {
        let times = (1..=20).rev().map(Duration::from_millis).collect();
        let row = Gathered { times, ..Gathered::default() }.row(ApplicationsSnapshot::INFO);
        assert_eq!((row.p50, row.p95), (Some(Duration::from_millis(10)), Some(Duration::from_millis(19))));
        let row = Gathered::default().row(ApplicationsSnapshot::INFO);
        assert_eq!((row.p50, row.calls), (None, 0));
        assert!(matches!(row.verdict, Verdict::NotAsked(_)));
    }
}
