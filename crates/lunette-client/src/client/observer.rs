//! Who sees the calls of a client: a log, a report on a terminal, a test.

use std::any::Any;
use std::fmt;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;

use super::{Client, Exchange};

/// How long a call may have no response before its observer is told.
pub const SLOW: Duration = Duration::from_secs(2);

/// Why a call is sent, from which an observer decides how to show it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Purpose {
    /// The user asked for it.
    #[default]
    Request,
    /// It is one of many whose results are reported together.
    Part,
    /// It keeps what is shown up to date.
    Background,
    /// It checks that the service is still the same one.
    Liveness,
}

/// Calls that belong together, such as those of a run: an observer may show them as one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallGroup {
    /// The id by which the calls of a group are known.
    pub id: u128,
    /// What they do, for people.
    pub title: String,
}

/// Sees every call of a client.
pub trait Observer: Send + Sync {
    /// A call has had no response for [`SLOW`] since it was sent. The returned value is dropped when the call ends, also
    /// if it is cancelled.
    fn slow(&self, operation: &'static str, since: Timestamp) -> Box<dyn Send> {
        let _ = (operation, since);
        Box::new(())
    }

    /// This moment has a name: something is about to begin that concerns these assets, by their ids, or all (None).
    fn marked(&self, name: &str, assets: Option<&[String]>) {
        let _ = (name, assets);
    }

    /// A call of this client ended, whatever its outcome. Returns the number of the call in a log, or 0 if it is in none.
    fn ended(&self, client: &Client, exchange: &Exchange<Box<dyn Any + Send>>) -> u64;
}

/// The observer of a client, if it has one.
#[derive(Clone, Default)]
pub(super) struct Observed(Option<Arc<dyn Observer>>);

impl Observed {
    pub fn by(observer: impl Observer + 'static) -> Self {
        Self(Some(Arc::new(observer)))
    }

    /// Awaits a call, and tells the observer if it is slow.
    pub async fn watch<T>(&self, operation: &'static str, call: impl Future<Output = T>) -> T {
        let Some(observer) = &self.0 else { return call.await };
        let since = Timestamp::now();
        let mut call = pin!(call);
        if let Ok(done) = tokio::time::timeout(SLOW, call.as_mut()).await {
            return done;
        }
        let _until_the_end = observer.slow(operation, since);
        call.await
    }

    pub fn marked(&self, name: &str, assets: Option<&[String]>) {
        if let Some(observer) = &self.0 {
            observer.marked(name, assets);
        }
    }

    pub fn ended(&self, client: &Client, exchange: &Exchange<Box<dyn Any + Send>>) -> u64 {
        self.0.as_ref().map_or(0, |observer| observer.ended(client, exchange))
    }
}

impl fmt::Debug for Observed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "observed" } else { "not observed" })
    }
}
