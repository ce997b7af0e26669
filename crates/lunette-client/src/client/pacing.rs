//! How the calls of a client wait for a permit.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::pace::{Limiter, Permit};

/// How the calls of a client wait for a permit.
#[derive(Clone, Debug)]
pub(super) enum Pacing {
    /// They are sent at once.
    None,
    /// Each waits for a permit.
    Limited(Limiter),
    /// The next one already has a permit; those after it wait.
    Held(Limiter, Arc<Mutex<Option<Permit>>>),
}

impl Pacing {
    pub fn limiter(&self) -> Option<&Limiter> {
        match self {
            Self::None => None,
            Self::Limited(limiter) | Self::Held(limiter, _) => Some(limiter),
        }
    }

    /// Waits for the permit of a call; fails with the pause that the service asked for if that is too long to wait.
    pub async fn acquire(&self) -> Result<Option<Permit>, Duration> {
        if let Self::Held(_, held) = self
            && let Some(permit) = held.lock().unwrap_or_else(PoisonError::into_inner).take()
        {
            return Ok(Some(permit));
        }
        match self.limiter() {
            None => Ok(None),
            Some(limiter) => limiter.acquire().await.map(Some),
        }
    }

    /// Waits for the permit of the next call. If the pause is too long, that call fails with it.
    pub async fn with_permit(&self) -> Self {
        match self {
            Self::Limited(limiter) => match limiter.acquire().await {
                Ok(permit) => Self::Held(limiter.clone(), Arc::new(Mutex::new(Some(permit)))),
                Err(_) => self.clone(),
            },
            Self::None | Self::Held(..) => self.clone(),
        }
    }
}
