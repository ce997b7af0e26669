//! The results of background work on the connection, and what they change.

use crate::CallError;
use crate::Probe;
use crate::context::Context;
use crate::output::{Handshake, TaskOutput, TaskResult};
use crate::session::FirstChoice;
use crate::session::Identity;
use crate::session::Session;
use crate::session::connect::NotReached;
use crate::session::log::LogEntry;
use std::sync::Arc;

/// The result of a task on the connection.
pub(crate) enum Output {
    /// A service was reached, or not.
    Connected(Result<Box<Handshake>, NotReached>),
    /// The service to use at the first start.
    Chosen(FirstChoice),
    Probed(Vec<Probe>),
    /// The result of a liveness check.
    LivenessChecked(Result<Identity, CallError>),
    /// The response to an unknown path; `None` if there was none.
    NotFoundProbe(Option<Arc<LogEntry>>),
}

impl TaskResult for Output {
    fn into_output(self) -> TaskOutput {
        TaskOutput::Session(self)
    }

    fn outlives_its_connection(&self) -> bool {
        matches!(self, Self::Probed(_))
    }
}

impl Session {
    /// Handles the output of a task.
    pub(crate) fn apply(&mut self, output: Output, cx: &mut Context<'_>) {
        match output {
            Output::Connected(handshake) => self.connected(handshake, cx),
            Output::Chosen(choice) => self.chosen(choice, cx),
            Output::Probed(probes) => cx.connection.probes.resolve(Ok(Arc::new(probes))),
            Output::LivenessChecked(found) => self.liveness_checked(found, cx),
            Output::NotFoundProbe(line) => self.not_found_probed(line, cx),
        }
    }
}
