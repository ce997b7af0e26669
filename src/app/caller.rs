//! Who sends calls: the window's logged wire, or the command line's client. What writes need of either.

use std::future::Future;

use crate::app::log::Wire;
use crate::app::{CallError, broken};
use crate::client::Client;
use crate::operation::{Call, Operation, Reply};

/// Sends any call, once.
pub trait Caller: Clone + Send + Sync + 'static {
    /// Sends a call; the reply of any operation.
    fn reply(&self, call: &Call) -> impl Future<Output = Result<Reply, CallError>> + Send;

    /// Sends an operation; its own answer.
    fn call<O: Operation>(&self, operation: O) -> impl Future<Output = Result<O::Output, CallError>> + Send {
        async move {
            let reply = self.reply(&operation.into()).await?;
            O::output(reply).ok_or_else(|| broken("the reply is another operation's"))
        }
    }
}

impl Caller for Wire {
    async fn reply(&self, call: &Call) -> Result<Reply, CallError> {
        self.exchange(call).await.0.outcome
    }
}

impl Caller for Client {
    async fn reply(&self, call: &Call) -> Result<Reply, CallError> {
        self.exchange(call).await.outcome
    }
}
