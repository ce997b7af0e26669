//! Closing a window: recent changes of settings, and versions of what was seen, are on disk when it is closed.

use std::thread;
use std::time::{Duration, Instant};

use crate::App;
use crate::background::SaveState;

/// How long closing waits for writes: a disk that does not respond must not block it forever.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often the writes are polled.
const LOOK: Duration = Duration::from_millis(2);

impl Drop for App {
    fn drop(&mut self) {
        let end = Instant::now() + PATIENCE;
        while self.state.preferences.saving != SaveState::No && Instant::now() < end {
            self.step();
            thread::sleep(LOOK);
        }
        // What was seen until now is kept, and that somebody watched until now.
        self.runtime.recorder.watch(false);
        while !self.runtime.recorder.is_idle() && Instant::now() < end {
            thread::sleep(LOOK);
        }
    }
}
