//! The end of a window: what was chosen just before it is on disk when it is closed.

use std::thread;
use std::time::{Duration, Instant};

use crate::app::App;
use crate::app::background::SaveState;

/// How long writing may hold the end up: a disk that does not answer must not hold it up for ever.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often it is looked whether it is written.
const LOOK: Duration = Duration::from_millis(2);

impl Drop for App {
    fn drop(&mut self) {
        let end = Instant::now() + PATIENCE;
        while self.state.preferences.keeping != SaveState::No && Instant::now() < end {
            self.step();
            thread::sleep(LOOK);
        }
    }
}
