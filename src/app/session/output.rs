//! The results of background work on the connection, and what they change.

use crate::app::CallError;
use crate::app::Probe;
use crate::app::context::Context;
use crate::app::output::Handshake;
use crate::app::session::FirstChoice;
use crate::app::session::Identity;
use crate::app::session::Session;
use crate::app::session::log::LogEntry;
use std::sync::Arc;

/// The result of a task on the connection.
pub(in crate::app) enum Output {
    /// A service was reached, or not.
    Connected(Result<Box<Handshake>, String>),
    /// The service to use at the first start.
    Chosen(FirstChoice),
    Probed(Vec<Probe>),
    /// The result of a liveness check.
    LivenessChecked(Result<Identity, CallError>),
    /// The response to an unknown path; `None` if there was none.
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
