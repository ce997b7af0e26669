//! Whether the calls of a client wait for their turn.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::pace::{Limiter, Turn};

/// Whether the calls of a client wait for their turn.
#[derive(Clone, Debug)]
pub(super) enum Pacing {
    /// They leave at once.
    None,
    /// Each waits.
    Limited(Limiter),
    /// The next one has its turn already; those that follow wait.
    Held(Limiter, Arc<Mutex<Option<Turn>>>),
}

impl Pacing {
    pub fn limiter(&self) -> Option<&Limiter> {
        match self {
            Self::None => None,
            Self::Limited(limiter) | Self::Held(limiter, _) => Some(limiter),
        }
    }

    /// The turn of a call; fails with the pause that the service asked for where it is too long to be waited for.
    pub async fn turn(&self) -> Result<Option<Turn>, Duration> {
        if let Self::Held(_, held) = self
            && let Some(turn) = held.lock().unwrap_or_else(PoisonError::into_inner).take()
        {
            return Ok(Some(turn));
        }
        match self.limiter() {
            None => Ok(None),
            Some(limiter) => limiter.turn().await.map(Some),
        }
    }

    /// The same once one call has its turn. Where the pause is too long, that call is told so.
    pub async fn in_turn(&self) -> Self {
        match self {
            Self::Limited(limiter) => match limiter.turn().await {
                Ok(turn) => Self::Held(limiter.clone(), Arc::new(Mutex::new(Some(turn)))),
                Err(_) => self.clone(),
            },
            Self::None | Self::Held(..) => self.clone(),
        }
    }
}
