//! What background work about connecting returns, and what it changes.

use crate::app::App;
use crate::app::CallError;
use crate::app::Probe;
use crate::app::output::Handshake;
use crate::app::session::FirstChoice;
use crate::app::session::Identity;
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

impl App {
    /// Takes in what a task ended with.
    pub(in crate::app) fn handle_session(&mut self, output: Output) {
        match output {
            Output::Connected(handshake) => self.connected(handshake),
            Output::Chosen(choice) => self.chosen(choice),
            Output::Probed(probes) => self.state.connection.probes.answer(Ok(Arc::new(probes))),
            Output::LivenessChecked(found) => self.liveness_checked(found),
            Output::NotFoundProbe(line) => self.not_found_probed(line),
        }
    }
}
