//! What a user can ask for is done by every analysis: pairs, variables, time limits, answers in order.

use std::collections::BTreeSet;
use std::time::Duration;

use predict::{Options, Pairs, find, registry, run};
use trace::generate::{Generator, Parameters};
use trace::{Trace, VarId};

fn generated() -> Trace {
    let generator =
        Generator::new(Parameters { events: 30_000, near_races: 6, far_races: 4, ..Parameters::default() });
    let names = generator.names();
    Trace { events: generator.collect(), names }
}

#[test]
fn names_are_unique_and_found() {
    let names: Vec<&str> = registry().iter().map(|e| e.name).collect();
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
    assert!(names.iter().all(|n| find(n).is_some()));
    assert!(find("no-such-analysis").is_none());
}

#[test]
fn answers_are_in_order_and_repeat() {
    let trace = generated();
    for entry in registry() {
        let options = Options { pairs: Pairs::Events, ..Options::default() };
        let answer = run(&entry, &trace, &options);
        assert!(answer.races.is_sorted_by_key(|r| (r.second, r.first)), "{}", entry.name);
        assert!(answer.racy_variables.is_sorted(), "{}", entry.name);
        assert!(answer.races.iter().all(|r| r.first < r.second && r.count == 1), "{}", entry.name);
        for r in &answer.races {
            assert_eq!(r.accesses, [*trace.event(r.first), *trace.event(r.second)], "{}", entry.name);
            assert!(r.accesses[0].conflicts(&r.accesses[1]), "{}", entry.name);
            assert!(answer.racy_variables.contains(&r.variable), "{}", entry.name);
        }
        assert_eq!(answer, run(&entry, &trace, &options), "{}", entry.name);
    }
}

#[test]
fn near_races_of_the_generator_are_found() {
    let trace = generated();
    for name in ["hb", "shb", "wcp", "dc", "dc-vindicated", "goldilocks"] {
        let answer = run(&find(name).unwrap(), &trace, &Options::default());
        let near = answer.racy_variables.iter().filter(|v| v.0 < 6).count();
        assert!(near >= 5, "{name} finds {near} of 6 near races");
        assert!(answer.racy_variables.iter().all(|v| v.0 < 10), "{name} accuses a protected variable");
    }
}

#[test]
fn one_variable_alone() {
    let trace = generated();
    for entry in registry() {
        let all = run(&entry, &trace, &Options::default());
        let Some(&v) = all.racy_variables.first() else { continue };
        let one = run(&entry, &trace, &Options { variable: Some(v), ..Options::default() });
        assert_eq!(one.racy_variables, [v], "{}", entry.name);
        let expected: Vec<_> =
            all.races.iter().filter(|r| r.variable == v).map(|r| (r.first, r.second)).collect();
        let found: Vec<_> = one.races.iter().map(|r| (r.first, r.second)).collect();
        assert_eq!(found, expected, "{}", entry.name);
        let none = run(&entry, &trace, &Options { variable: Some(VarId(u32::MAX)), ..Options::default() });
        assert!(none.races.is_empty(), "{}", entry.name);
    }
}

#[test]
fn no_time_is_no_answer_but_an_honest_one() {
    let trace = generated();
    for entry in registry() {
        let answer = run(&entry, &trace, &Options { time_limit: Some(Duration::ZERO), ..Options::default() });
        assert!(answer.stopped, "{}", entry.name);
        assert!(!run(&entry, &trace, &Options::default()).stopped, "{}", entry.name);
    }
}

#[test]
fn witnesses_are_valid() {
    let trace = generated();
    for entry in registry() {
        for r in run(&entry, &trace, &Options::default()).races {
            if let Some(witness) = r.witness {
                trace::replay::check(&trace, &witness, (r.first, r.second)).unwrap();
            }
        }
    }
}

#[test]
fn streams_give_the_same_answers() {
    let trace = generated();
    let bytes =
        trace::write::write_trace(&trace, Vec::new(), trace::Format::Binary, Default::default()).unwrap();
    let entries = registry();
    let streamed =
        predict::stream::run(trace::Reader::new(&bytes[..]).unwrap(), &entries, &Options::default()).unwrap();
    assert_eq!(streamed.events as usize, trace.len());
    for (entry, answer) in entries.iter().zip(&streamed.answers) {
        assert_eq!(*answer, run(entry, &trace, &Options::default()), "{}", entry.name);
    }
    assert_eq!(streamed.answers.len(), entries.len());
    let stopped = Options { time_limit: Some(Duration::ZERO), ..Options::default() };
    let hb = [find("hb").unwrap()];
    let streamed = predict::stream::run(trace::Reader::new(&bytes[..]).unwrap(), &hb, &stopped).unwrap();
    assert!(streamed.answers[0].stopped && streamed.trace.is_none());
    let cut = &bytes[..bytes.len() - 20];
    assert!(predict::stream::run(trace::Reader::new(cut).unwrap(), &hb, &Options::default()).is_err());
}

/// The first pass beside the reading finds out the same as one over the trace in memory: also if threads and variables
/// appear late, and if an order is fixed, so that it has to give up.
#[test]
fn the_first_pass_beside_the_reading() {
    let late = "A|w(x)|1\nA|fork(B)|2\nB|w(y)|3\nA|w(y)|4\nA|fork(C)|5\nC|r(y)|6\nB|acq(l)|7\nB|w(z)|8\nB|rel(l)|9\n\
                C|acq(l)|10\nC|w(z)|11\nC|rel(l)|12\nD|w(z)|13\nA|join(B)|14\nA|r(z)|15\n";
    let fixed = "A|w(x)|1\nA|notify(c)|2\nB|wait(c)|3\nB|w(x)|4\nA|ar(y)|5\nA|aw(y)|5\nB|ar(y)|6\nB|aw(y)|6\nB|w(z)|7\nA|w(z)|8\n";
    let barrier =
        "A|w(x)|1\nA|barrier(b)|2\nB|barrier(b)|3\nB|w(x)|4\nA|w(x)|5\nC|r(x)|6\nA|w(y)|7\nB|w(y)|8\n";
    let mut traces: Vec<Trace> = [late, fixed, barrier].map(|t| Trace::parse_std(t).unwrap()).into();
    traces.push(generated());
    for trace in &traces {
        let bytes =
            trace::write::write_trace(trace, Vec::new(), trace::Format::Binary, trace::Compression::None)
                .unwrap();
        for name in ["m2", "syncp"] {
            let options = Options { pairs: Pairs::Events, ..Options::default() };
            let entry = find(name).unwrap();
            let reader = trace::Reader::new(&bytes[..]).unwrap();
            let read = predict::stream::run(reader, &[entry], &options).unwrap();
            assert_eq!(read.answers[0], run(&entry, trace, &options), "{name}, {} events", trace.len());
            assert!(!read.answers[0].races.is_empty(), "{name}, {} events", trace.len());
        }
    }
}
