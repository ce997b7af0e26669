//! The pace as a plain value, and turns that wait for one another.

use std::time::{Duration, Instant};

use futures_util::FutureExt as _;
use proptest::prelude::*;

use super::*;

const QUICK: CallOutcome = CallOutcome::Answered(Duration::from_millis(5));
const SLOW: CallOutcome = CallOutcome::Answered(Duration::from_secs(3));

/// Sends as many calls as may leave, and ends them all with this; returns how many there were.
fn round(pace: &mut Pace, heard: CallOutcome, now: Instant) -> usize {
    let mut count = 0;
    while pace.leave(now) == Leave::Now {
        count += 1;
    }
    (0..count).for_each(|_| pace.ended(heard, now));
    count
}

#[test]
fn it_starts_with_one_and_grows_by_one_to_the_most_while_answers_are_quick() {
    let (mut pace, now) = (Pace::new(USUAL_MOST), Instant::now());
    let counts: Vec<_> = (0..40).map(|_| round(&mut pace, QUICK, now)).collect();
    assert_eq!(counts[0], 1);
    assert!(counts.windows(2).all(|two| two[1] == two[0] || two[1] == two[0] + 1), "{counts:?}");
    assert_eq!(counts.last(), Some(&USUAL_MOST));
}

#[test]
fn it_never_grows_while_answers_are_slow_and_halves_where_they_become_slow() {
    let (mut pace, now) = (Pace::new(USUAL_MOST), Instant::now());
    assert!((0..40).all(|_| round(&mut pace, SLOW, now) == 1));
    (0..40).for_each(|_| _ = round(&mut pace, QUICK, now));
    assert_eq!(pace.leave(now), Leave::Now);
    pace.ended(SLOW, now);
    assert_eq!(pace.view(now).limit, USUAL_MOST / 2);
}

#[test]
fn an_answer_that_takes_much_longer_than_usual_is_slow_also_where_it_is_short() {
    let (mut pace, now) = (Pace::new(USUAL_MOST), Instant::now());
    (0..40).for_each(|_| _ = round(&mut pace, QUICK, now));
    round(&mut pace, CallOutcome::Answered(Duration::from_millis(300)), now);
    assert_eq!(pace.view(now).limit, 1);
}

#[test]
fn a_service_that_is_far_away_and_steady_is_not_slow() {
    let (mut pace, now) = (Pace::new(USUAL_MOST), Instant::now());
    (0..40).for_each(|_| _ = round(&mut pace, CallOutcome::Answered(Duration::from_millis(350)), now));
    assert_eq!(pace.view(now).limit, USUAL_MOST);
}

#[test]
fn an_overloaded_service_is_left_alone_for_as_long_as_it_asks_and_gets_one_call_then() {
    let (mut pace, now) = (Pace::new(USUAL_MOST), Instant::now());
    (0..40).for_each(|_| _ = round(&mut pace, QUICK, now));
    assert_eq!((pace.leave(now), pace.leave(now)), (Leave::Now, Leave::Now));
    pace.ended(CallOutcome::Overloaded(Some(Duration::from_secs(30))), now);
    // What another call was told then makes the pause no shorter.
    pace.ended(CallOutcome::Overloaded(None), now);
    assert_eq!(pace.leave(now), Leave::Paused(Duration::from_secs(30)));
    assert_eq!(pace.leave(now + Duration::from_secs(29)), Leave::Paused(Duration::from_secs(1)));
    assert_eq!(round(&mut pace, QUICK, now + Duration::from_secs(30)), 1);
}

#[test]
fn without_a_retry_after_it_pauses_for_a_second() {
    let (mut pace, now) = (Pace::new(USUAL_MOST), Instant::now());
    assert_eq!(pace.leave(now), Leave::Now);
    pace.ended(CallOutcome::Overloaded(None), now);
    assert_eq!(pace.leave(now), Leave::Paused(USUAL_PAUSE));
}

#[test]
fn a_lower_most_holds_for_calls_under_way_too() {
    let (mut pace, now) = (Pace::new(USUAL_MOST), Instant::now());
    (0..40).for_each(|_| _ = round(&mut pace, QUICK, now));
    (0..4).for_each(|_| assert_eq!(pace.leave(now), Leave::Now));
    pace.set_most(2);
    pace.ended(QUICK, now);
    pace.ended(QUICK, now);
    assert_eq!(pace.leave(now), Leave::Full);
    pace.ended(QUICK, now);
    assert_eq!(pace.leave(now), Leave::Now);
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
    fn whatever_is_heard_there_are_never_more_than_the_most_and_none_in_a_pause(
        most in 0_usize..12,
        events in prop::collection::vec((0_u8..6, 0_u64..5_000), 0..200),
    ) {
        let (mut pace, start) = (Pace::new(most), Instant::now());
        let most = most.clamp(1, HIGHEST_MOST);
        let (mut running, mut now) = (0, start);
        for (what, millis) in events {
            let took = Duration::from_millis(millis);
            match what {
                0 | 1 => match pace.leave(now) {
                    Leave::Now => running += 1,
                    Leave::Full => prop_assert!(running > 0, "a call that nobody lets leave"),
                    Leave::Paused(left) => prop_assert!(!left.is_zero()),
                },
                2 => now += took,
                _ if running == 0 => {}
                3 => (running, _) = (running - 1, pace.ended(CallOutcome::Answered(took), now)),
                4 => (running, _) = (running - 1, pace.ended(CallOutcome::Overloaded(Some(took)), now)),
                _ => (running, _) = (running - 1, pace.ended(CallOutcome::NoResponse, now)),
            }
            prop_assert!(running <= most);
            prop_assert!((1..=most).contains(&pace.view(now).limit));
        }
    }
}

#[tokio::test]
async fn a_second_call_waits_until_the_first_one_ended_and_a_cancelled_one_counts_no_more() {
    let limiter = Limiter::new(USUAL_MOST);
    let first = limiter.turn().await.expect("the first");
    let mut second = Box::pin(limiter.turn());
    assert!(second.as_mut().now_or_never().is_none());
    drop(first);
    drop(second.await.expect("the second"));
    assert!(limiter.turn().now_or_never().is_some());
}

#[tokio::test]
async fn a_pause_that_is_longer_than_a_call_may_wait_is_an_error() {
    let limiter = Limiter::new(USUAL_MOST);
    let mut turn = limiter.turn().await.expect("the first");
    turn.heard(CallOutcome::Overloaded(Some(LONGEST_WAIT * 2)));
    drop(turn);
    assert!(limiter.turn().await.expect_err("too long") > LONGEST_WAIT);
}
