//! The generator plants races that are predictable, and nothing else: M2 finds exactly these, and knows that it does.

use predict::{Options, find, run};
use trace::generate::{Generator, Parameters};
use trace::{Trace, check};

fn make(p: Parameters) -> Trace {
    let generator = Generator::new(p);
    let names = generator.names();
    let mut trace = Trace { events: generator.collect(), names };
    check::normalise(&mut trace).expect("the generator keeps the rules");
    trace
}

fn races(trace: &Trace, analysis: &str) -> Vec<(u32, u64)> {
    let answer = run(&find(analysis).expect("an analysis"), trace, &Options::default());
    assert!(answer.undecided.is_empty(), "{analysis}: {:?}", answer.undecided);
    answer.races.iter().map(|r| (r.variable.0, u64::from(r.second.0 - r.first.0))).collect()
}

#[test]
fn m2_finds_what_was_planted() {
    for seed in 1..=40 {
        for (events, threads) in [(20_000, 8), (3000, 2), (5000, 3), (4000, 4), (300, 16)] {
            let p = Parameters { events, threads, seed, ..Parameters::default() };
            let trace = make(p);
            let mut found = races(&trace, "m2");
            found.sort_unstable();
            let variables: Vec<u32> = found.iter().map(|race| race.0).collect();
            let planted: Vec<u32> = (0..p.near_races + p.far_races).collect();
            assert_eq!(variables, planted, "{p:?}");
            if events >= 3000 {
                let far = &found[p.near_races as usize..];
                assert!(far.iter().all(|race| race.1 > events * 3 / 4), "{p:?}: {far:?}");
            }
        }
    }
}

/// Who misses what: happens-before sees the near ones, not the hidden ones and not those far apart.
#[test]
fn happens_before_misses_hidden_and_far_races() {
    let p = Parameters { events: 200_000, ..Parameters::default() };
    let trace = make(p);
    for analysis in ["hb", "shb", "goldilocks"] {
        let mut found: Vec<u32> = races(&trace, analysis).iter().map(|race| race.0).collect();
        found.sort_unstable();
        let near: Vec<u32> = (0..p.near_races).filter(|race| race % 4 != 3).collect();
        assert_eq!(found, near, "{analysis}");
    }
    assert_eq!(races(&trace, "syncp").len(), 25, "all but the hidden ones");
    assert_eq!(races(&trace, "m2").len(), 30);
}
