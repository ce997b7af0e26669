//! Holds responses back until a test releases them.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use super::mutating_proxy::{Asked, MutatingProxy, ProxyAction, Reply};

/// Blocks waiters until it is opened.
#[derive(Default)]
pub struct Gate {
    open: Mutex<bool>,
    opened: Condvar,
}

impl Gate {
    pub fn open(&self) {
        *self.open.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.opened.notify_all();
    }

    pub fn wait(&self) {
        let closed = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.opened.wait_while(closed, |open| !*open).unwrap_or_else(PoisonError::into_inner));
    }
}

/// A service behind a gate: requests for a path reach it, and the responses wait for the gate.
pub fn held(service: u16, path: String) -> (MutatingProxy, Arc<Gate>) {
    let gate = Arc::new(Gate::default());
    let wall = MutatingProxy::start(service, holding(path, &gate, |_, _| {}));
    (wall, gate)
}

/// Holds back the first response for a path until the gate opens; each response for it may be changed, by its number.
pub fn holding(
    path: String,
    gate: &Arc<Gate>,
    change: impl Fn(usize, &mut Reply) + Send + Sync + 'static,
) -> impl Fn(&Asked) -> ProxyAction + Send + Sync + 'static {
    let (count, gate, change) = (AtomicUsize::new(0), Arc::clone(gate), Arc::new(change));
    move |asked| {
        if asked.path != path {
            return ProxyAction::Pass;
        }
        let turn = count.fetch_add(1, Ordering::SeqCst) + 1;
        let (gate, change) = (Arc::clone(&gate), Arc::clone(&change));
        ProxyAction::Change(Box::new(move |reply| {
            change(turn, reply);
            if turn == 1 {
                gate.wait();
            }
        }))
    }
}
