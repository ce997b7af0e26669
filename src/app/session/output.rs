//! What background work about connecting returns, and what it changes.

use crate::app::CallError;
use crate::app::Probe;
use crate::app::context::Context;
use crate::app::output::Handshake;
use crate::app::session::FirstChoice;
use crate::app::session::Identity;
use crate::app::session::Session;
use crate::app::session::log::LogEntry;
use std::sync::Arc;

/// What a task about connecting ended with.
pub(in crate::app) enum Output {
    /// A service was reached, or not.
    Connected(Result<Box<Handshake>, String>),
    /// Which service there is to talk to at the first start.
    Chosen(FirstChoice),
    Probed(Vec<Probe>),
    /// The service was asked whether it is still there.
    LivenessChecked(Result<Identity, CallError>),
    /// How the service answers for a path that is none; None where it did not.
    NotFoundProbe(Option<Arc<LogEntry>>),
}

impl Session {
    /// Handles the output of a task.
    pub(in crate::app) fn apply(&mut self, output: Output, cx: &mut Context<'_>) {
        match output {
            Output::Connected(handshake) => self.connected(handshake, cx),
            Output::Chosen(choice) => self.chosen(choice, cx),
            Output::Probed(probes) => cx.connection.probes.answer(Ok(Arc::new(probes))),
            Output::LivenessChecked(found) => self.liveness_checked(found, cx),
            Output::NotFoundProbe(line) => self.not_found_probed(line, cx),
        }
    }
}
