//! Reads the lists of applications, for the user and in the background.

use std::sync::Arc;

use serde_json::Value;

use crate::applications::Source;
use crate::listing::rows::{ApplicationRow, ExternalRow};
use crate::{CallError, Transport};
use lunette_client::model::View;
use lunette_client::model::application::DetectedExternalApplications;
use lunette_client::model::record::Record;
use lunette_client::operation::table::{
    ApplicationsExternalRelated, ApplicationsExternalSnapshot, ApplicationsSnapshot,
};

/// The tracked applications.
pub async fn applications(client: &impl Transport) -> Result<Vec<Arc<ApplicationRow>>, CallError> {
    let applications = client.list(ApplicationsSnapshot {}).await?;
    Ok(records(&applications).into_iter().map(ApplicationRow::of).map(Arc::new).collect())
}

/// The last answer of each of the two lists that was read; `None` where none was.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExternalAnswers {
    detected: Option<Arc<DetectedExternalApplications>>,
    related: Option<Arc<DetectedExternalApplications>>,
}

/// Detected and related applications, and which of the two could not be read.
#[derive(Clone, Debug, Default)]
pub struct External {
    /// The rows of the lists, each as it was last read.
    pub rows: Vec<Arc<ExternalRow>>,
    /// The lists that could not be read now, and why.
    pub failed: Vec<(Source, CallError)>,
    /// What the rows were made of.
    pub answers: ExternalAnswers,
}

impl External {
    /// Neither of the two could be read.
    pub(super) fn failed(error: &CallError, answers: ExternalAnswers) -> Self {
        let failed = [Source::Detected, Source::Related].map(|source| (source, error.clone())).into();
        Self { rows: Vec::new(), failed, answers }
    }

    /// Whether one of the two lists was read now.
    pub fn any_read(&self) -> bool {
        self.failed.len() < 2
    }
}

/// Detected and related applications. A list that cannot be read is as it was in `answers`.
pub async fn external(client: &impl Transport, mut answers: ExternalAnswers) -> External {
    let (detected, related) =
        tokio::join!(client.list(ApplicationsExternalSnapshot {}), client.list(ApplicationsExternalRelated {}));
    let mut failed = Vec::new();
    let mut take =
        |source, answer: Result<DetectedExternalApplications, CallError>, last: &mut Option<Arc<_>>| match answer {
            Ok(answer) => *last = Some(Arc::new(answer)),
            Err(error) => failed.push((source, error)),
        };
    take(Source::Detected, detected, &mut answers.detected);
    take(Source::Related, related, &mut answers.related);
    let rows = ExternalRow::merged(answers.detected.as_deref().map(records), answers.related.as_deref().map(records));
    External { rows: rows.into_iter().map(Arc::new).collect(), failed, answers }
}

/// The records of an answer; an entry that is not an object is none.
fn records<L: Record, R>(answer: &L) -> Vec<View<'_, R>> {
    let entries = answer.tree().get("iterable").and_then(Value::as_array);
    entries.into_iter().flatten().filter(|entry| entry.is_object()).map(View::of).collect()
}
