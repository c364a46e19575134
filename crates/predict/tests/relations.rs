//! The relations between the analyses, against definitions and the exhaustive oracle, on random traces.

mod common;

use common::naive::{self, Pairs};
use common::random::{Shape, trace};
use common::{event_pairs, exhaustive, trace_count};
use trace::Trace;

fn each(shape: Shape, mut test: impl FnMut(u64, &Trace)) {
    for seed in 0..trace_count() {
        test(seed, &trace(seed, shape));
    }
}

fn show(seed: u64, t: &Trace) -> String {
    let lines: Vec<String> = t.events.iter().map(|e| format!("T{} {:?}", e.thread.0, e.op)).collect();
    format!("seed {seed}:\n{}", lines.join("\n"))
}

fn crossed() -> Shape {
    Shape { crossed: true, ..Shape::small() }
}

fn long() -> Shape {
    Shape { max_events: 40, locks: 3, variables: 4, ..Shape::small() }
}

fn first_race(pairs: &Pairs) -> Pairs {
    let second = pairs.iter().map(|p| p.1).min();
    pairs.iter().filter(|p| Some(p.1) == second).copied().collect()
}

#[test]
fn orders_equal_their_definitions() {
    for shape in [Shape::small(), long(), Shape { crossed: true, ..long() }] {
        each(shape, |seed, t| {
            assert_eq!(event_pairs("hb", t), naive::races(t, &naive::hb(t)), "hb, {}", show(seed, t));
            assert_eq!(event_pairs("shb", t), naive::shb_races(t), "shb, {}", show(seed, t));
            assert_eq!(event_pairs("wcp", t), naive::races(t, &naive::wcp(t)), "wcp, {}", show(seed, t));
            assert_eq!(event_pairs("dc", t), naive::races(t, &naive::dc(t)), "dc, {}", show(seed, t));
        });
    }
}

#[test]
fn hb_and_shb_with_atomics_equal_their_definitions() {
    each(Shape { atomics: true, ..long() }, |seed, t| {
        assert_eq!(event_pairs("hb", t), naive::races(t, &naive::hb(t)), "hb, {}", show(seed, t));
        assert_eq!(event_pairs("shb", t), naive::shb_races(t), "shb, {}", show(seed, t));
    });
}

#[test]
fn each_order_leaves_at_least_as_much_unordered_as_the_one_before() {
    each(long(), |seed, t| {
        let all: Vec<Pairs> = ["shb", "hb", "wcp", "dc"].iter().map(|a| event_pairs(a, t)).collect();
        for two in all.windows(2) {
            assert!(two[0].is_subset(&two[1]), "{}", show(seed, t));
        }
        assert!(first_race(&all[1]).is_subset(&all[0]), "HB's first race is SHB's, {}", show(seed, t));
    });
}

#[test]
fn sound_reports_are_predictable_races() {
    let test = |seed: u64, t: &Trace| {
        let truth = exhaustive::explore(t);
        assert!(first_race(&event_pairs("hb", t)).is_subset(&truth.races), "hb, {}", show(seed, t));
        assert!(event_pairs("shb", t).is_subset(&truth.races), "shb, {}", show(seed, t));
        let vindicated = event_pairs("dc-vindicated", t);
        assert!(vindicated.is_subset(&truth.races), "dc-vindicated, {}", show(seed, t));
        assert!(vindicated.is_subset(&event_pairs("dc", t)), "dc-vindicated, {}", show(seed, t));
        let wcp = event_pairs("wcp", t);
        assert!(wcp.is_empty() || !truth.races.is_empty() || truth.deadlock, "wcp, {}", show(seed, t));
    };
    each(Shape::small(), test);
    each(crossed(), test);
}

#[test]
fn sound_reports_with_atomics_are_predictable_races() {
    each(Shape { atomics: true, ..Shape::small() }, |seed, t| {
        let truth = exhaustive::explore(t);
        assert!(first_race(&event_pairs("hb", t)).is_subset(&truth.races), "hb, {}", show(seed, t));
        assert!(event_pairs("shb", t).is_subset(&truth.races), "shb, {}", show(seed, t));
    });
}

/// What vindication is for: it finds races that HB and SHB miss, and only few of DC's races that are true escape it.
#[test]
fn vindication_finds_most_of_dcs_true_races() {
    let (mut found, mut missed, mut beyond_shb) = (0, 0, 0);
    each(Shape::small(), |_, t| {
        let truth = exhaustive::explore(t);
        let (dc, vindicated) = (event_pairs("dc", t), event_pairs("dc-vindicated", t));
        found += vindicated.len();
        missed += dc.intersection(&truth.races).filter(|p| !vindicated.contains(p)).count();
        beyond_shb += vindicated.difference(&event_pairs("shb", t)).count();
    });
    eprintln!("{found} vindicated, {missed} true races of DC not, {beyond_shb} unknown to SHB");
    assert!(beyond_shb > 0 && missed * 10 < found);
}

/// Goldilocks compares with the last write and each thread's last read since, and (atomics) each thread's last of a kind.
#[test]
fn goldilocks_is_happens_before() {
    for atomics in [false, true] {
        each(Shape { atomics, ..long() }, |seed, t| {
            let hb = naive::hb(t);
            let mut expected = Pairs::new();
            for (j, e) in t.events.iter().enumerate().filter(|(_, e)| e.op.variable().is_some()) {
                let earlier = |i: &usize| t.events[*i].op.variable() == e.op.variable();
                let last_write =
                    (0..j).rev().filter(earlier).find(|&i| matches!(t.events[i].op, trace::Op::Write(_)));
                for i in (0..j).filter(earlier) {
                    let past = &t.events[i];
                    let is_last =
                        !(i + 1..j).any(|k| t.events[k].thread == past.thread && t.events[k].op == past.op);
                    let compared = match past.op {
                        trace::Op::Write(_) => Some(i) == last_write,
                        trace::Op::Read(_) => is_last && last_write.is_none_or(|w| w < i),
                        _ => is_last,
                    };
                    if compared && past.conflicts(e) && !hb.has(i, j) {
                        expected.insert((trace::EventId(i as u32), trace::EventId(j as u32)));
                    }
                }
            }
            assert_eq!(event_pairs("goldilocks", t), expected, "{}", show(seed, t));
            let mut short = Box::new(
                predict::goldilocks::Goldilocks::new(&predict::Options {
                    pairs: predict::Pairs::Events,
                    ..Default::default()
                })
                .with_log_limit(3),
            );
            for (id, e) in t.iter() {
                predict::Streaming::event(&mut *short, id, e);
            }
            let races = predict::Streaming::finish(short).races;
            assert_eq!(
                races.iter().map(|r| (r.first, r.second)).collect::<Pairs>(),
                expected,
                "{}",
                show(seed, t)
            );
        });
    }
}

/// Short histories find the racy variables and location pairs that full histories find.
#[test]
fn location_pairs_lose_nothing() {
    let by_locations = |name: &str, t: &Trace, all_accesses| {
        let options = predict::Options { all_accesses, ..Default::default() };
        let answer = predict::run(&predict::find(name).unwrap(), t, &options);
        let mut pairs: Vec<_> = answer
            .races
            .iter()
            .map(|r| {
                let [a, b] = r.accesses.map(|e| e.location);
                (a.min(b), a.max(b))
            })
            .collect();
        pairs.sort();
        (pairs, answer.racy_variables)
    };
    for atomics in [false, true] {
        each(Shape { atomics, ..long() }, |seed, t| {
            let mut t = t.clone();
            for e in &mut t.events {
                e.location.0 %= 5;
            }
            for name in ["hb", "shb", "wcp", "dc"] {
                assert_eq!(
                    by_locations(name, &t, false),
                    by_locations(name, &t, true),
                    "{name}, {}",
                    show(seed, &t)
                );
            }
        });
    }
}
