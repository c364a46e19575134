//! Reports of `predict`, `triage` and `locks`: the first two of small traces that are analysed here, the last put together.

use base::{Bound, Verdict};
use locks::analysis::{Basis, Meeting, Need, NodeInfo, PairCounts, PairInfo, VariableInfo};
use locks::hunt::Judgement;
use locks::judge::{Evidence, EvidenceKind};
use locks::source::constructs::ConstructKind;
use locks::suggest::SuggestionKind;
use report::locks::{ConstructReport, LocksReport, SuggestionReport};
use report::predict::{Elaborate, Measured, Numbering, PredictReport, TraceSummary};
use report::triage::{Order, Placed, TriageReport};
use trace::Trace;
use triage::EventControl;

use super::place;

/// An account whose balance is read without the lock; the two accesses are ordered in this run by chance.
pub const ACCOUNT: &str = "T1|fork(T2)|8\nT1|acq(l)|src/queue.c:3\nT1|w(x)|src/queue.c:4\nT1|rel(l)|src/queue.c:5\n\
                           T2|acq(l)|src/main.c:4\nT2|w(x)|src/main.c:5\nT2|rel(l)|src/main.c:6\nT2|r(x)|src/main.c:7:12\n";
/// A ticket that two threads draw, and what each then does with it.
pub const TICKETS: &str = "T1|r(next)|ticket.c:1\nT2|r(next)|ticket.c:1\nT1|w(next)|ticket.c:2\nT2|w(next)|ticket.c:2\n\
                           T1|w(jobs)|ticket.c:3\nT2|w(jobs)|ticket.c:3\n";

fn read(text: &str) -> Trace {
    trace::read::read_std(text.as_bytes()).expect("a trace")
}

fn summary(trace: &Trace, name: &str) -> TraceSummary {
    let mut summary = TraceSummary::new(name.into(), trace::Format::Std, trace.len() as u64, trace.counts());
    summary.seconds = 0.012;
    summary
}

/// What these analyses say of a trace.
pub fn predicted(text: &str, analyses: &[&str]) -> PredictReport {
    let trace = read(text);
    let options = predict::Options::default();
    let numbering = Numbering::default();
    let elaborate = Elaborate { trace: &trace, numbering: &numbering, with_steps: 100 };
    let one = |name: &&str| {
        let entry = predict::find(name).expect("an analysis");
        let answer = predict::run(&entry, &trace, &options);
        let measured = Measured { answer, seconds: 0.003, peak_memory_bytes: 5 << 20 };
        elaborate.analysis(&entry, measured, false)
    };
    let analyses = analyses.iter().map(one).collect();
    PredictReport::new(summary(&trace, "run.std"), options.pairs, None, analyses)
}

/// What triage says of a trace, with its picture.
pub fn triaged(text: &str) -> (TriageReport, String) {
    let trace = read(text);
    let options = triage::Options { view: triage::View::Accesses, draw: 40 };
    let answer = triage::triage(&trace, EventControl::Flow, options);
    let mut report =
        report::triage::report(&trace, &Numbering::default(), &answer, summary(&trace, "ticket.std"));
    report.seconds = 0.004;
    (report, report::triage::svg(&trace, &answer))
}

/// An order for the two races of [`super::race`].
pub fn order() -> Order {
    let placed = |group, first| Some(Placed { group, first, may_explain: usize::from(first) });
    let mut order = Order::new(&[(1, placed(1, false)), (2, placed(0, true))]);
    order.picture = triaged(TICKETS).1;
    order
}

fn node(kind: &'static str, name: &str, after: &[u32], line: u32) -> NodeInfo {
    let unit = kind == "work unit";
    NodeInfo {
        kind,
        name: name.into(),
        after: after.to_vec(),
        place: Some(place("counter.c", line, 5)),
        strand: if after.is_empty() { "main".into() } else { "thread 1 (worker)".into() },
        lines: if unit { vec![line] } else { vec![] },
        reads: if unit { vec!["counter".into()] } else { vec![] },
        writes: if unit && line == 8 { vec!["counter".into()] } else { vec![] },
        locks: if line == 22 { vec!["m".into()] } else { vec![] },
        choices: vec![],
    }
}

fn variable(name: &str, need: Need, why: &str) -> VariableInfo {
    let meeting = Meeting {
        first: "WU1".into(),
        first_place: place("counter.c", 8, 13),
        first_writes: true,
        second: "WU2".into(),
        second_place: place("counter.c", 22, 17),
        second_writes: false,
        strands: ["thread 1 (worker)".into(), "main".into()],
        kept_apart: None,
    };
    let protected = need == Need::Protected;
    VariableInfo {
        name: name.into(),
        candidates: if protected { vec!["m".into()] } else { vec![] },
        unprotected: !protected,
        refined_candidates: protected.then(|| vec!["m".into()]),
        state: "shared-modified",
        reported: need == Need::NeedsProtection,
        need,
        why: why.into(),
        meetings: if need == Need::NeedsProtection { vec![meeting] } else { vec![] },
        sampled: false,
    }
}

const PATCH: &str = "--- a/counter.c\n+++ b/counter.c\n@@ -20,5 +20,3 @@\n     pthread_create(&b, NULL, worker, (void *)2L);\n\
                     -    pthread_mutex_lock(&m);\n     long seen = counter;\n-    pthread_mutex_unlock(&m);\n";

/// A program with a lock that helps nobody, one that does, and a variable without any.
pub fn locked() -> LocksReport {
    let evidence = Evidence {
        kind: EvidenceKind::Race,
        text: "race on `counter`: write at line 8 and read at line 22".into(),
        places: vec![place("counter.c", 8, 13), place("counter.c", 22, 17)],
        variable: Some("counter".into()),
        races: vec![],
    };
    let construct = |what: &str, line, judgement| ConstructReport {
        kind: ConstructKind::Lock,
        what: what.into(),
        place: place("counter.c", line, 5),
        lines: vec![line + 2],
        judgement,
    };
    LocksReport {
        version: report::locks::VERSION,
        verdict: Verdict::RaceFree,
        reason: None,
        files: vec!["counter.c".into()],
        flags: vec![],
        bounds: vec![Bound { threads: 2, ..Bound::default() }],
        constructs: vec![
            construct("join of `a`", 24, Judgement::Needed { evidence }),
            construct("lock `m`", 21, Judgement::Superfluous),
            construct("lock `n`", 25, Judgement::Undecided { why: "no run comes there".into() }),
        ],
        suggestions: vec![SuggestionReport {
            kind: SuggestionKind::Shrink,
            constructs: vec![1],
            text: "line 22 need not be inside the section of line 21".into(),
            patch: PATCH.into(),
        }],
        repair: None,
        patch: Some(PATCH.into()),
        patch_verdict: Some(Verdict::RaceFree),
        variables: vec![
            variable("seen", Need::SafeWithout, "touched by one thread only"),
            variable("counter", Need::NeedsProtection, "WU1 and WU2 can meet"),
            variable("total", Need::Protected, "lock m"),
        ],
        suv: vec!["seen".into(), "counter".into()],
        not_judged: vec![],
        formula_counts: PairCounts { checked: 2, hold: 1, fail: 1, ..PairCounts::default() },
        basis: Basis { executions: 1, every_schedule_alike: true, ..Basis::default() },
        graph: vec![
            node("fork", "", &[], 19),
            node("work unit", "WU1", &[0], 8),
            node("lock", "m", &[0], 21),
            node("work unit", "WU2", &[2], 22),
            node("unlock", "m", &[3], 23),
            node("join", "", &[1, 4], 24),
        ],
        formulas: vec![
            PairInfo {
                first: "WU0".into(),
                second: "WU1".into(),
                variables: vec!["counter".into()],
                formula: "not EF (EX_WU0 true and EX_WU1 true)".into(),
                holds: Some(true),
                states: 4,
            },
            PairInfo {
                first: "WU1".into(),
                second: "WU2".into(),
                variables: vec!["counter".into()],
                formula: "not EF (EX_WU1 true and EX_WU2 true)".into(),
                holds: Some(false),
                states: 5,
            },
        ],
        actl: None,
        notes: vec!["--patch FILE writes the proposed change".into()],
        rounds: vec![],
        checks: 7,
        seconds: 1.25,
    }
}
