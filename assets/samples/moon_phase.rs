//! How much of the moon is lit on a day, to within a few hours.

/// From one new moon to the next, in days.
const SYNODIC_MONTH: f64 = 29.530_588_86;
/// A new moon: 2000-01-06 18:14 UTC, in days since 1970-01-01.
const KNOWN_NEW_MOON: f64 = 10_962.759_7;

/// The lit part of the disc, from 0 (new) to 1 (full).
pub fn lit(days_since_1970: f64) -> f64 {
    let age = (days_since_1970 - KNOWN_NEW_MOON).rem_euclid(SYNODIC_MONTH);
    (1.0 - (std::f64::consts::TAU * age / SYNODIC_MONTH).cos()) / 2.0
}

fn main() {
    for day in 0..30 {
        let part = lit(20_000.0 + f64::from(day));
        println!("{day:2}  {}", "●".repeat((part * 20.0).round() as usize));
    }
}
