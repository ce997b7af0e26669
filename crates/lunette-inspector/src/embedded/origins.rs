//! The allowed origins, on their way to the embedded service.
//!
//! What must hold: in whichever order tasks pass them on, the service ends with the newest.

use std::sync::{Arc, Mutex, PoisonError};

use crate::EmbeddedService;

/// The newest allowed origins. Clones share them.
#[derive(Clone, Default)]
pub(crate) struct AllowedOrigins {
    newest: Arc<Mutex<Vec<String>>>,
    /// Held while they are passed on.
    turn: Arc<tokio::sync::Mutex<()>>,
}

impl AllowedOrigins {
    /// Replaces the origins; the next [`Self::hand_over`] passes them on.
    pub(crate) fn set(&self, origins: Vec<String>) {
        *self.newest.lock().unwrap_or_else(PoisonError::into_inner) = origins;
    }

    /// Passes the newest origins to the service.
    pub(crate) async fn hand_over(&self, service: &dyn EmbeddedService) {
        let _turn = self.turn.lock().await;
        let newest = self.newest.lock().unwrap_or_else(PoisonError::into_inner).clone();
        service.allow(newest).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BoxFuture;
    use crate::setup::EmbeddedError;

    #[derive(Default)]
    struct Service(Mutex<Vec<String>>);

    impl EmbeddedService for Service {
        fn start(&self) -> BoxFuture<Result<String, EmbeddedError>> {
            Box::pin(async { Err(EmbeddedError::NotHere) })
        }

        fn allow(&self, origins: Vec<String>) -> BoxFuture<()> {
            *self.0.lock().expect("the origins") = origins;
            Box::pin(async {})
        }
    }

    #[test]
    fn a_late_task_uses_the_newest_origins_instead_of_its_own() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        let (origins, service) = (AllowedOrigins::default(), Service::default());
        origins.set(Vec::new());
        let late = origins.clone();
        let late = late.hand_over(&service);
        origins.set(vec!["http://localhost:1".to_owned()]);
        runtime.block_on(origins.hand_over(&service));
        runtime.block_on(late);
        assert_eq!(*service.0.lock().expect("the origins"), ["http://localhost:1"]);
    }
}
