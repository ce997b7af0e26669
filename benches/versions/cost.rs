//! What a write takes with and without versions, in turn.

use super::*;

/// How many writes one turn makes, and how many turns there are. The log of a turn stays below the size at which it is
/// folded into the database.
const WRITES: usize = 200;
const TURNS: usize = 15;

/// What was measured of one side.
#[derive(Default)]
struct Side {
    took: Vec<Duration>,
    log: Vec<u64>,
    processor: Duration,
}

impl Side {
    async fn turn(&mut self, bench: &Bench, work: impl Future<Output = ()>) {
        bench.rest();
        let (began, processor) = (Instant::now(), processor_time());
        work.await;
        self.took.push(began.elapsed());
        self.log.push(bench.log_bytes());
        self.processor += processor_time().zip(processor).map(|(after, before)| after - before).unwrap_or_default();
    }
}

fn report(what: &str, sides: [Side; 2]) {
    let [(without, without_log, without_processor), (with, with_log, with_processor)] =
        sides.map(|side| (median(side.took), median(side.log), side.processor));
    println!(
        "{what}: wall {:.3} ({:.0} us with versions, {:.0} us without), log bytes {:.3} ({} with, {} without), processor {:.3}",
        with.as_secs_f64() / without.as_secs_f64(),
        with.as_secs_f64() / WRITES as f64 * 1e6,
        without.as_secs_f64() / WRITES as f64 * 1e6,
        with_log as f64 / without_log as f64,
        with_log / WRITES as u64,
        without_log / WRITES as u64,
        with_processor.as_secs_f64() / without_processor.as_secs_f64(),
    );
}

async fn both() -> [Bench; 2] {
    [Bench::start(PastBounds::NONE).await, Bench::start(PastBounds::default()).await]
}

/// Edits by so many clients at once.
pub(crate) async fn print(clients: usize) {
    let mut benches = both().await;
    for bench in &mut benches {
        bench.create(WRITES, Shape::SMALL).await;
    }
    let mut sides = [Side::default(), Side::default()];
    for turn in 0..TURNS {
        // The one that begins has the machine as the turn before left it.
        for which in [turn % 2, 1 - turn % 2] {
            let bench = &benches[which];
            sides[which].turn(bench, bench.edit_all(turn + 1, Shape::SMALL, clients)).await;
        }
    }
    report(&format!("{clients} clients, an edit"), sides);
    for bench in benches {
        bench.running.stop().await;
    }
}

/// New assets, as an import makes them.
pub(crate) async fn print_creating() {
    let mut benches = both().await;
    let mut sides = [Side::default(), Side::default()];
    for turn in 0..TURNS {
        for which in [turn % 2, 1 - turn % 2] {
            let bench = &mut benches[which];
            bench.rest();
            let (began, processor) = (Instant::now(), processor_time());
            bench.create(WRITES, Shape::SMALL).await;
            sides[which].took.push(began.elapsed());
            sides[which].log.push(bench.log_bytes());
            let used = processor_time().zip(processor).map(|(after, before)| after - before);
            sides[which].processor += used.unwrap_or_default();
        }
    }
    report("a new asset of an import", sides);
    for bench in benches {
        bench.running.stop().await;
    }
}
