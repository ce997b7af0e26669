//! Reports time-outs on stderr, so that a verb that waits for long is not silent.

use std::any::Any;
use std::io::{self, Write as _};

use lunette_client::client::{CallError, Client, Exchange, Observer};

/// Reports each call that timed out.
pub(in crate::cli) struct TimeOutReport;

impl Observer for TimeOutReport {
    fn ended(&self, _: &Client, exchange: &Exchange<Box<dyn Any + Send>>) -> u64 {
        if let Err(error @ CallError::TimedOut { .. }) = &exchange.outcome {
            writeln!(io::stderr(), "lunette: {}: {}", exchange.info.name, error.reason()).ok(); // A closed stderr leaves nobody to tell.
        }
        0
    }
}
