//! Returns freed memory to the system after a large task.
//!
//! The allocator of the program (mimalloc, version 3) returns memory a second after it was freed, but only checks for
//! such memory when something else is freed or a thread ends. A program that becomes idle after a large task would keep
//! all the memory of the task. A thread also keeps what it allocated and others freed, for as long as it lives, so threads
//! for blocking work must not live long. What must hold: a request is cheap and never blocks, and an idle program stays
//! idle: one thread sleeps, twice, and ends.
//!
//! This is not about SQLite's own memory, which is from the C library: that one keeps what a thread has freed until what
//! was allocated behind it is freed as well. So connections that nobody uses are closed.

use std::hint::black_box;
use std::sync::atomic::{AtomicU8, Ordering};
use std::thread;
use std::time::Duration;

/// Longer than freed memory is retained for the next task.
const SOON: Duration = Duration::from_millis(1500);
/// How long threads for blocking work may be idle before they end.
pub const THREADS_IDLE: Duration = Duration::from_secs(1);
/// Longer than they live, and than the memory they free is retained.
const LATER: Duration = Duration::from_secs(3);

/// No request.
const IDLE: u8 = 0;
/// The thread sleeps.
const ASKED: u8 = 1;
/// There was a request while it slept.
const ASKED_AGAIN: u8 = 2;

static STATE: AtomicU8 = AtomicU8::new(IDLE);

/// Returns freed memory soon, and once more when the worker threads have ended.
pub fn schedule_trim() {
    let asked = STATE.fetch_update(Ordering::AcqRel, Ordering::Acquire, |state| {
        Some(if state == IDLE { ASKED } else { ASKED_AGAIN })
    });
    if asked == Ok(IDLE) {
        let sleeper = thread::Builder::new().name("freed-memory".to_owned()).spawn(until_nobody_asks);
        if sleeper.is_err() {
            // If no thread can be started, memory is not the main problem.
            STATE.store(IDLE, Ordering::Release);
        }
    }
}

fn until_nobody_asks() {
    loop {
        thread::sleep(SOON);
        give_back();
        thread::sleep(LATER);
        give_back();
        if STATE.compare_exchange(ASKED, IDLE, Ordering::AcqRel, Ordering::Acquire).is_ok() {
            return;
        }
        STATE.store(ASKED, Ordering::Release);
    }
}

/// The allocator checks for memory to return when a thread that has allocated something ends.
fn give_back() {
    let allocate = || drop(black_box(Box::new([0_u8; 1024])));
    if let Ok(thread) = thread::Builder::new().spawn(allocate) {
        thread.join().ok();
    }
}

#[cfg(test)]
mod tests {
    /// Returns the number of threads of this process with the name.
    #[cfg(target_os = "linux")]
    fn asleep() -> usize {
        let threads = std::fs::read_dir("/proc/self/task").expect("threads");
        let names = threads.filter_map(|thread| std::fs::read_to_string(thread.ok()?.path().join("comm")).ok());
        names.filter(|name| name.trim() == "freed-memory").count()
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn repeated_requests_use_one_sleeping_thread() {
        (0..100).for_each(|_| super::schedule_trim());
        // A thread sets its own name.
        let seen = (0..100_000).map(|_| asleep()).find(|count| *count > 0);
        assert_eq!((seen, asleep()), (Some(1), 1));
    }
}
