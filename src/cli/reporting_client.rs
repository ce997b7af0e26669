//! A client that reports time-outs on stderr, so that a verb that waits for long is not silent.

use std::io::{self, Write as _};

use lunette_client::client::{Client, Exchange, PaceView};
use lunette_client::operation::{Call, OperationInfo, Reply, RequestParts};
use lunette_inspector::{CallError, Observer, Transport};

/// Forwards calls to the client, and reports each that timed out.
#[derive(Clone)]
pub(super) struct ReportingClient(pub Client);

impl ReportingClient {
    fn report(info: &OperationInfo, error: Option<&CallError>) {
        if let Some(error @ CallError::TimedOut { .. }) = error {
            writeln!(io::stderr(), "lunette: {}: {}", info.name, error.reason()).ok(); // A closed stderr leaves nobody to tell.
        }
    }

    fn reported(exchange: Exchange) -> Exchange {
        Self::report(exchange.info, exchange.outcome.as_ref().err());
        exchange
    }
}

impl Transport for ReportingClient {
    fn pace(&self) -> Option<PaceView> {
        Transport::pace(&self.0)
    }

    async fn reply(&self, call: &Call) -> Result<Reply, CallError> {
        self.observe(call).await.outcome
    }
}

impl Observer for ReportingClient {
    async fn observe(&self, call: &Call) -> Exchange {
        Self::reported(self.0.exchange(call).await)
    }

    async fn observe_as(&self, call: &Call, parts: RequestParts, header: Option<(&'static str, String)>) -> Exchange {
        Self::reported(self.0.exchange_as(call, parts, header).await)
    }

    fn address(&self) -> String {
        self.0.address().to_string()
    }
}
