//! The text for the pace of runs at a service of others.

use lunette_client::client::{Limiter, PaceView};

/// How many calls are on their way at once, within a sentence.
pub fn pace_words(pace: &PaceView) -> String {
    let PaceView { limit, max, pause } = *pace;
    match pause {
        Some(pause) => format!("paused for {} s, as the service asks", pause.as_secs().max(1)),
        None if limit == 1 => format!("1 call at a time, of at most {max}"),
        None => format!("{limit} calls at a time, of at most {max}"),
    }
}

/// Describes the pace of a limiter.
pub fn limiter_words(limiter: &Limiter) -> String {
    pace_words(&limiter.view())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_status_shows_the_call_limit_and_the_length_of_a_pause() {
        let words = |limit, pause| pace_words(&PaceView { limit, max: 4, pause });
        assert_eq!(words(1, None), "1 call at a time, of at most 4");
        assert_eq!(words(3, None), "3 calls at a time, of at most 4");
        assert_eq!(words(1, Some(Duration::from_secs(30))), "paused for 30 s, as the service asks");
    }
}
