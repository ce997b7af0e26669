//! Answers that depend on the search index, which a service builds behind its writes.
//!
//! What must hold: an incomplete answer is never returned as if it were complete.

use std::time::{Duration, Instant};

use anyhow::anyhow;

use lunette_client::client::CallError;

use crate::cli::Failure;
use crate::cli::progress::ProgressLine;

/// How often the service is asked again.
const POLL_INTERVAL: Duration = if cfg!(test) { Duration::from_millis(1) } else { Duration::from_millis(200) };
/// After this time without progress, the service is considered unable to go on.
const TIMEOUT: Duration = Duration::from_secs(20);

/// An answer, and how many contents it leaves out.
pub(in crate::cli) struct Indexed<T> {
    pub answer: T,
    unindexed: u64,
}

impl<T> Indexed<T> {
    /// Fails if contents were left out: what was found is not all there is.
    pub fn complete(&self) -> Result<(), Failure> {
        let what = match self.unindexed {
            0 => return Ok(()),
            1 => "the content of 1 asset was".to_owned(),
            count => format!("the contents of {count} assets were"),
        };
        Err(Failure::failed(anyhow!(
            "{what} not searched, since the service is not indexing new contents; is its disk full?"
        )))
    }
}

/// Asks until everything is indexed, or until the index does not grow any more. `unindexed` returns how many contents an
/// answer leaves out.
pub(in crate::cli) async fn ask<T>(
    mut line: ProgressLine,
    ask: impl AsyncFn() -> Result<T, CallError>,
    unindexed: impl Fn(&T) -> u64,
) -> Result<Indexed<T>, CallError> {
    let answer = ask().await?;
    let mut asked = Indexed { unindexed: unindexed(&answer), answer };
    let (mut all, mut progress) = (asked.unindexed, Instant::now());
    if all > 0 {
        crate::cli::print_message(&format!("indexing {all} new contents first"));
    }
    while asked.unindexed > 0 && progress.elapsed() < TIMEOUT {
        tokio::time::sleep(POLL_INTERVAL).await;
        let (answer, before) = (ask().await?, asked.unindexed);
        asked = Indexed { unindexed: unindexed(&answer), answer };
        if asked.unindexed < before {
            progress = Instant::now();
        }
        all = all.max(asked.unindexed);
        let number = |count| usize::try_from(count).unwrap_or(usize::MAX);
        line.show(number(all - asked.unindexed), number(all), None);
    }
    Ok(asked)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[tokio::test]
    async fn the_service_is_asked_until_everything_is_indexed() {
        let left = Cell::new(7_u64);
        let next = async || Ok::<_, CallError>(left.replace(left.get().saturating_sub(3)));
        let asked = ask(ProgressLine::default(), next, |left| *left).await.expect("an answer");
        assert_eq!(asked.answer, 0);
        assert!(asked.complete().is_ok());
    }
}
