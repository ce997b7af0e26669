//! What sends calls: the client of a service, or a stand-in for it in a test.

use std::future::Future;

use crate::{CallError, Refusal, internal_error};
use lunette_client::client::{Client, PaceView, Target};
use lunette_client::model::record::Record;
use lunette_client::operation::{Call, DecodeError, Operation, OperationInfo, Reply};

/// Sends any call, once.
pub trait Transport: Clone + Send + Sync + 'static {
    /// How the calls of a run are paced; None where they are not.
    fn pace(&self) -> Option<PaceView> {
        None
    }

    /// The refusal after which no write is sent; None while writes are sent.
    fn refusal(&self) -> Option<Refusal> {
        None
    }

    /// Names this moment for whoever keeps versions of what is read and written through this; `assets` are the ids of the
    /// assets that it is about, None for all. Sends nothing.
    fn mark(&self, name: &str, assets: Option<&[String]>) {
        let _ = (name, assets);
    }

    /// Sends a call; the reply of any operation.
    fn reply(&self, call: &Call) -> impl Future<Output = Result<Reply, CallError>> + Send;

    /// Sends a call and reads the body of the response in another way than as the record of the operation, for
    /// responses that are too large to be held as a whole. The default implementation serializes the record again.
    fn read<T: Send + 'static>(
        &self,
        call: &Call,
        read: impl FnOnce(&[u8]) -> Result<T, DecodeError> + Send + 'static,
    ) -> impl Future<Output = Result<T, CallError>> + Send {
        async move {
            let body = self.reply(call).await?.to_tree().to_string();
            read(body.as_bytes()).map_err(|bad| internal_error(bad.to_string()))
        }
    }

    /// Sends an operation whose response is a list. Fails if the response has none: that is not an empty list, by which
    /// things would be gone.
    fn list<O>(&self, operation: O) -> impl Future<Output = Result<O::Output, CallError>> + Send
    where
        O: Operation,
        O::Output: Record,
    {
        async move {
            let list = self.call(operation).await?;
            if list.view().tells("iterable") {
                return Ok(list);
            }
            Err(unexpected(O::INFO, "$.iterable", "the response has no list".to_owned()))
        }
    }

    /// Sends an operation; its own response.
    fn call<O: Operation>(&self, operation: O) -> impl Future<Output = Result<O::Output, CallError>> + Send {
        async move {
            let reply = self.reply(&operation.into()).await?;
            O::output(reply).ok_or_else(|| internal_error("the response belongs to another operation"))
        }
    }
}

/// The error for a response that lacks what is needed of it. The outcome of a write is unknown then.
pub(crate) fn unexpected(info: &OperationInfo, path: &str, problem: String) -> CallError {
    let target = Target { method: info.method, url: info.path.to_owned(), writes: info.writes(), content: false };
    CallError::SchemaError { target, path: path.to_owned(), problem }
}

impl Transport for Client {
    fn pace(&self) -> Option<PaceView> {
        Client::pace(self)
    }

    fn refusal(&self) -> Option<Refusal> {
        Client::refusal(self)
    }

    fn mark(&self, name: &str, assets: Option<&[String]>) {
        Client::mark(self, name, assets);
    }

    async fn reply(&self, call: &Call) -> Result<Reply, CallError> {
        self.exchange(call).await.outcome
    }

    async fn read<T: Send + 'static>(
        &self,
        call: &Call,
        read: impl FnOnce(&[u8]) -> Result<T, DecodeError> + Send + 'static,
    ) -> Result<T, CallError> {
        self.exchange_reading(call, read).await.outcome
    }
}
