//! Tests of the pace and of permits that wait for each other.

use std::time::{Duration, Instant};

use futures_util::FutureExt as _;
use proptest::prelude::*;

use super::*;

const QUICK: CallOutcome = CallOutcome::Answered(Duration::from_millis(5));
const SLOW: CallOutcome = CallOutcome::Answered(Duration::from_secs(3));

/// Starts as many calls as permitted, and ends them all with this outcome; returns how many there were.
fn round(pace: &mut Pace, outcome: CallOutcome, now: Instant) -> usize {
    let mut count = 0;
    while pace.try_start(now) == Admission::Admitted {
        count += 1;
    }
    (0..count).for_each(|_| pace.finish(outcome, now));
    count
}

#[test]
fn the_limit_grows_by_one_to_the_maximum_while_responses_are_quick() {
    let (mut pace, now) = (Pace::new(DEFAULT_CONCURRENCY), Instant::now());
    let counts: Vec<_> = (0..40).map(|_| round(&mut pace, QUICK, now)).collect();
    assert_eq!(counts[0], 1);
    assert!(counts.windows(2).all(|two| two[1] == two[0] || two[1] == two[0] + 1), "{counts:?}");
    assert_eq!(counts.last(), Some(&DEFAULT_CONCURRENCY));
}

#[test]
fn the_limit_does_not_grow_while_responses_are_slow_and_halves_when_they_become_slow() {
    let (mut pace, now) = (Pace::new(DEFAULT_CONCURRENCY), Instant::now());
    assert!((0..40).all(|_| round(&mut pace, SLOW, now) == 1));
    (0..40).for_each(|_| _ = round(&mut pace, QUICK, now));
    assert_eq!(pace.try_start(now), Admission::Admitted);
    pace.finish(SLOW, now);
    assert_eq!(pace.view(now).limit, DEFAULT_CONCURRENCY / 2);
}

#[test]
fn a_response_that_takes_much_longer_than_usual_is_slow() {
    let (mut pace, now) = (Pace::new(DEFAULT_CONCURRENCY), Instant::now());
    (0..40).for_each(|_| _ = round(&mut pace, QUICK, now));
    round(&mut pace, CallOutcome::Answered(Duration::from_millis(300)), now);
    assert_eq!(pace.view(now).limit, 1);
}

#[test]
fn a_distant_service_with_steady_latency_is_not_slow() {
    let (mut pace, now) = (Pace::new(DEFAULT_CONCURRENCY), Instant::now());
    (0..40).for_each(|_| _ = round(&mut pace, CallOutcome::Answered(Duration::from_millis(350)), now));
    assert_eq!(pace.view(now).limit, DEFAULT_CONCURRENCY);
}

#[test]
fn an_overloaded_service_gets_no_call_for_as_long_as_it_asks_and_one_call_then() {
    let (mut pace, now) = (Pace::new(DEFAULT_CONCURRENCY), Instant::now());
    (0..40).for_each(|_| _ = round(&mut pace, QUICK, now));
    assert_eq!((pace.try_start(now), pace.try_start(now)), (Admission::Admitted, Admission::Admitted));
    pace.finish(CallOutcome::Overloaded(Some(Duration::from_secs(30))), now);
    // A later response does not shorten the pause.
    pace.finish(CallOutcome::Overloaded(None), now);
    assert_eq!(pace.try_start(now), Admission::Paused(Duration::from_secs(30)));
    assert_eq!(pace.try_start(now + Duration::from_secs(29)), Admission::Paused(Duration::from_secs(1)));
    assert_eq!(round(&mut pace, QUICK, now + Duration::from_secs(30)), 1);
}

#[test]
fn without_retry_after_the_pause_is_one_second() {
    let (mut pace, now) = (Pace::new(DEFAULT_CONCURRENCY), Instant::now());
    assert_eq!(pace.try_start(now), Admission::Admitted);
    pace.finish(CallOutcome::Overloaded(None), now);
    assert_eq!(pace.try_start(now), Admission::Paused(USUAL_PAUSE));
}

#[test]
fn a_lower_maximum_also_counts_calls_that_already_run() {
    let (mut pace, now) = (Pace::new(DEFAULT_CONCURRENCY), Instant::now());
    (0..40).for_each(|_| _ = round(&mut pace, QUICK, now));
    (0..4).for_each(|_| assert_eq!(pace.try_start(now), Admission::Admitted));
    pace.set_max(2);
    pace.finish(QUICK, now);
    pace.finish(QUICK, now);
    assert_eq!(pace.try_start(now), Admission::AtLimit);
    pace.finish(QUICK, now);
    assert_eq!(pace.try_start(now), Admission::Admitted);
}

#[test]
fn retry_after_is_seconds_or_a_date() {
    let now = "2026-03-01T12:00:00Z".parse().expect("a time");
    let read = |text| retry_after(text, now).map(|pause| pause.as_secs());
    assert_eq!(read("120"), Some(120));
    assert_eq!(read("Sun, 01 Mar 2026 12:00:30 GMT"), Some(30));
    assert_eq!(read("Sun, 01 Mar 2026 11:00:00 GMT"), Some(0), "a moment that has passed");
    assert_eq!(read("18446744073709551615"), Some(u64::MAX));
    for odd in ["", "-1", "soon", "1.5"] {
        assert_eq!(read(odd), None, "{odd}");
    }
}

proptest! {
    #[test]
    fn running_calls_never_exceed_the_maximum_and_none_starts_in_a_pause(
        max in 0_usize..12,
        events in prop::collection::vec((0_u8..6, 0_u64..5_000), 0..200),
    ) {
        let (mut pace, start) = (Pace::new(max), Instant::now());
        let max = max.clamp(1, MAX_CONCURRENCY);
        let (mut running, mut now) = (0, start);
        for (what, millis) in events {
            let took = Duration::from_millis(millis);
            match what {
                0 | 1 => match pace.try_start(now) {
                    Admission::Admitted => running += 1,
                    Admission::AtLimit => prop_assert!(running > 0, "a call is refused although none is running"),
                    Admission::Paused(left) => prop_assert!(!left.is_zero()),
                },
                2 => now += took,
                _ if running == 0 => {}
                3 => (running, _) = (running - 1, pace.finish(CallOutcome::Answered(took), now)),
                4 => (running, _) = (running - 1, pace.finish(CallOutcome::Overloaded(Some(took)), now)),
                _ => (running, _) = (running - 1, pace.finish(CallOutcome::NoResponse, now)),
            }
            prop_assert!(running <= max);
            prop_assert!((1..=max).contains(&pace.view(now).limit));
        }
    }
}

#[tokio::test]
async fn a_second_call_waits_for_the_first_one_and_a_cancelled_call_releases_its_permit() {
    let limiter = Limiter::new(DEFAULT_CONCURRENCY);
    let first = limiter.acquire().await.expect("the first");
    let mut second = Box::pin(limiter.acquire());
    assert!(second.as_mut().now_or_never().is_none());
    drop(first);
    drop(second.await.expect("the second"));
    assert!(limiter.acquire().now_or_never().is_some());
}

#[tokio::test]
async fn a_pause_longer_than_a_call_may_wait_is_an_error() {
    let limiter = Limiter::new(DEFAULT_CONCURRENCY);
    let mut permit = limiter.acquire().await.expect("the first");
    permit.record(CallOutcome::Overloaded(Some(LONGEST_WAIT * 2)));
    drop(permit);
    assert!(limiter.acquire().await.expect_err("too long") > LONGEST_WAIT);
}
