//! Gives freed memory back to the system after a large task.
//!
//! The allocator of the program (mimalloc, version 3) gives memory back a second after it was freed, but looks for such
//! memory only when something else is freed or a thread ends. A program that comes to rest after a large task would keep
//! all that the task needed. What must hold: asking costs nothing worth mentioning, nobody waits, and a program at rest
//! stays at rest: one thread sleeps, twice, and ends.
//!
//! This is not about SQLite's own memory, which is from the C library: that one keeps up to about 20 MB for each thread
//! that read something of that size.

use std::hint::black_box;
use std::sync::atomic::{AtomicU8, Ordering};
use std::thread;
use std::time::Duration;

/// Longer than freed memory is kept for the next task.
const SOON: Duration = Duration::from_millis(1500);
/// Longer than threads for blocking work wait for more, and what they then free is kept.
const LATER: Duration = Duration::from_secs(12);

/// Nobody asked.
const IDLE: u8 = 0;
/// The thread sleeps.
const ASKED: u8 = 1;
/// Somebody asked while it slept.
const ASKED_AGAIN: u8 = 2;

static STATE: AtomicU8 = AtomicU8::new(IDLE);

/// Has freed memory given back soon, and once more when the threads that worked have ended.
pub fn give_back_soon() {
    let asked = STATE.fetch_update(Ordering::AcqRel, Ordering::Acquire, |state| {
        Some(if state == IDLE { ASKED } else { ASKED_AGAIN })
    });
    if asked == Ok(IDLE) {
        let sleeper = thread::Builder::new().name("freed-memory".to_owned()).spawn(until_nobody_asks);
        if sleeper.is_err() {
            // Without threads to spare there is more to worry about than memory.
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

/// The allocator looks for memory to give back when a thread ends that has allocated something itself.
fn give_back() {
    let allocate = || drop(black_box(Box::new([0_u8; 1024])));
    if let Ok(thread) = thread::Builder::new().spawn(allocate) {
        thread.join().ok();
    }
}

#[cfg(test)]
mod tests {
    /// How many threads of this process have the name.
    #[cfg(target_os = "linux")]
    fn asleep() -> usize {
        let threads = std::fs::read_dir("/proc/self/task").expect("threads");
        let names = threads.filter_map(|thread| std::fs::read_to_string(thread.ok()?.path().join("comm")).ok());
        names.filter(|name| name.trim() == "freed-memory").count()
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn however_often_it_is_asked_one_thread_sleeps() {
        (0..100).for_each(|_| super::give_back_soon());
        // A thread gives itself its name.
        let seen = (0..100_000).map(|_| asleep()).find(|count| *count > 0);
        assert_eq!((seen, asleep()), (Some(1), 1));
    }
}
