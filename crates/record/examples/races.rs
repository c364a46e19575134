//! Prints what is in a recording: sizes, notes, and the races of the run and of other orders of it.

use record::names::Namer;

fn main() {
    let path = std::env::args().nth(1).expect("a recording");
    let began = std::time::Instant::now();
    let run = record::run::open(path.as_ref()).expect("a readable recording");
    let read = began.elapsed();
    let runs: usize = run.threads.iter().map(|thread| thread.accesses.len()).sum();
    let (accesses, syncs) = run.sizes();
    println!(
        "{accesses} accesses in {runs} runs, {syncs} synchronisation records; missing: {:?}",
        run.missing
    );
    let mut namer = Namer::new(&run);
    let reduced = record::reduce::reduce(&run, &mut namer);
    let names = &reduced.trace.names;
    println!(
        "{} events, {} variables; read {read:?}, reduced {:?}; {:?}",
        reduced.trace.len(),
        reduced.variables.len(),
        began.elapsed() - read,
        reduced.notes
    );
    for name in ["hb", "m2"] {
        let began = std::time::Instant::now();
        let entry = predict::find(name).expect("it is there");
        let answer = predict::run(&entry, &reduced.trace, &predict::Options::default());
        println!(
            "{name}: {} races, {} undecided, {:?}",
            answer.races.len(),
            answer.undecided.len(),
            began.elapsed()
        );
        for race in answer.races.iter().take(20) {
            let [a, b] = race
                .accesses
                .map(|e| format!("{} {} {:?}", names.thread(e.thread), names.location(e.location), e.op));
            println!("  {}: {a} | {b}", names.variable(race.variable));
        }
    }
}
