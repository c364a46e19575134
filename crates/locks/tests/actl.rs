//! The checker against a naive evaluator of fixpoints, on random systems and formulas. The evaluator shares nothing
//! with the checker but the types of formulas and systems: it works on sets of all states at once.

use locks::actl::formula::Paths;
use locks::actl::{Action, Checker, Evidence, Formula, Lts, parse};

/// A small random number generator (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }
}

fn system(r: &mut Random) -> Lts {
    let states = 1 + r.below(8) as u32;
    let labels: Vec<String> = ["a", "b", "c", "i"].map(String::from).to_vec();
    let mut steps = vec![Vec::new(); states as usize];
    for from in &mut steps {
        // One state in four is a deadlock.
        for _ in 0..r.below(4) {
            from.push((r.below(4) as u32, r.below(states.into()) as u32));
        }
    }
    Lts { initial: r.below(states.into()) as u32, labels, steps }
}

fn action(r: &mut Random, depth: u32) -> Action {
    let inner = |r: &mut Random| Box::new(action(r, depth - 1));
    match r.below(if depth == 0 { 6 } else { 9 }) {
        0 => Action::True,
        1 => Action::Tau,
        2 => Action::False,
        3 => Action::Label("a".into()),
        4 => Action::Label("b".into()),
        5 => Action::Label("*c".into()),
        6 => Action::Not(inner(r)),
        7 => Action::And(inner(r), inner(r)),
        _ => Action::Or(inner(r), inner(r)),
    }
}

fn formula(r: &mut Random, depth: u32) -> Formula {
    if depth == 0 {
        return match r.below(4) {
            0 => Formula::True,
            1 => Formula::False,
            _ => Formula::Next(Paths::Some, action(r, 0), Box::new(Formula::True)),
        };
    }
    let paths = if r.below(2) == 0 { Paths::Some } else { Paths::All };
    let inner = |r: &mut Random| Box::new(formula(r, depth - 1));
    match r.below(8) {
        0 => Formula::Not(inner(r)),
        1 => Formula::And(inner(r), inner(r)),
        2 => Formula::Or(inner(r), inner(r)),
        3 => Formula::Next(paths, action(r, 1), inner(r)),
        4 => Formula::eventually(paths, action(r, 1), formula(r, depth - 1)),
        5 => Formula::always(paths, action(r, 1), formula(r, depth - 1)),
        6 => Formula::Until { paths, before: inner(r), by: action(r, 1), last: None, goal: inner(r) },
        _ => {
            let last = Some(action(r, 1));
            Formula::Until { paths, before: inner(r), by: action(r, 1), last, goal: inner(r) }
        }
    }
}

fn sat(a: &Action, label: &str) -> bool {
    match a {
        Action::True => true,
        Action::False => false,
        Action::Tau => label == "i",
        Action::Label(text) => label == text.trim_start_matches('*'),
        Action::Not(a) => !sat(a, label),
        Action::And(a, b) => sat(a, label) && sat(b, label),
        Action::Or(a, b) => sat(a, label) || sat(b, label),
    }
}

/// The states of a formula, as the table of `locks::actl` defines them: least fixpoints by iteration from the empty set.
fn naive(lts: &Lts, f: &Formula) -> Vec<bool> {
    let n = lts.steps.len();
    let steps = |s: usize| lts.steps[s].iter().map(|&(l, t)| (lts.labels[l as usize].as_str(), t as usize));
    match f {
        Formula::True => vec![true; n],
        Formula::False => vec![false; n],
        Formula::Not(f) => naive(lts, f).iter().map(|x| !x).collect(),
        Formula::And(f, g) => naive(lts, f).iter().zip(naive(lts, g)).map(|(x, y)| *x && y).collect(),
        Formula::Or(f, g) => naive(lts, f).iter().zip(naive(lts, g)).map(|(x, y)| *x || y).collect(),
        Formula::Next(paths, a, f) => {
            let inner = naive(lts, f);
            let good = |(l, t): (&str, usize)| sat(a, l) && inner[t];
            (0..n)
                .map(|s| match paths {
                    Paths::Some => steps(s).any(good),
                    Paths::All => steps(s).count() > 0 && steps(s).all(good),
                })
                .collect()
        }
        Formula::Until { paths, before, by, last, goal } => {
            let (before, goal) = (naive(lts, before), naive(lts, goal));
            let mut set = vec![false; n];
            loop {
                let good = |(l, t): (&str, usize)| {
                    let ends = last.as_ref().is_some_and(|b| sat(b, l) && goal[t]);
                    ends || (sat(by, l) || l == "i") && set[t]
                };
                let next: Vec<bool> = (0..n)
                    .map(|s| {
                        let here = last.is_none() && goal[s];
                        let on = match paths {
                            Paths::Some => steps(s).any(good),
                            Paths::All => steps(s).count() > 0 && steps(s).all(good),
                        };
                        here || before[s] && on
                    })
                    .collect();
                if next == set {
                    return set;
                }
                set = next;
            }
        }
    }
}

/// Every path of evidence must be one of the system.
fn walk(lts: &Lts, from: usize, evidence: &Evidence) {
    let mut states = vec![from];
    // Several steps can have one label: follow all of them.
    for label in &evidence.steps {
        let mut next: Vec<usize> = Vec::new();
        for &s in &states {
            next.extend(
                lts.steps[s]
                    .iter()
                    .filter(|(l, _)| lts.labels[*l as usize] == *label)
                    .map(|&(_, t)| t as usize),
            );
        }
        assert!(!next.is_empty(), "no step {label} in {evidence:?}");
        states = next;
    }
}

#[test]
fn agrees_with_the_naive_evaluator() {
    let mut r = Random(0x9e37_79b9_7f4a_7c15);
    let (mut held, mut shown) = (0, 0);
    for round in 0..5000 {
        let lts = system(&mut r);
        let depth = 1 + r.below(3) as u32;
        let f = formula(&mut r, depth);
        let expected = naive(&lts, &f);
        for (start, &expected) in expected.iter().enumerate() {
            let lts = Lts { initial: start as u32, ..lts.clone() };
            let mut checker = Checker::new(&lts, 1000);
            let answer = checker.check(&f).unwrap();
            assert_eq!(answer, expected, "round {round}, state {start}: {f} on {lts:?}");
            held += usize::from(answer);
            // Asked again, and after the explanation, the answer is the same.
            let evidence = checker.explain(&f).unwrap();
            shown += usize::from(!evidence.is_empty());
            evidence.iter().for_each(|e| walk(&lts, start, e));
            assert_eq!(checker.check(&f).unwrap(), answer);
        }
        assert_eq!(
            naive(&lts, &parse(&f.to_string()).unwrap()),
            expected,
            "{f} reads back as something else"
        );
    }
    assert!(held > 3000 && shown > 3000, "the formulas are not trivial: {held} held, {shown} had a path");
}

#[test]
fn untils_of_existential_formulas_have_witnesses_and_of_universal_ones_counterexamples() {
    let lts = locks::actl::aut::read("des (0, 4, 4)\n(0, a, 1)\n(1, b, 2)\n(2, c, 1)\n(0, d, 3)").unwrap();
    let explain = |text: &str| {
        let f = parse(text).unwrap();
        let mut checker = Checker::new(&lts, 10);
        let answer = checker.check(&f).unwrap();
        (answer, checker.explain(&f).unwrap())
    };
    let (answer, evidence) = explain("EF EX_c true");
    assert!(answer);
    assert_eq!(evidence[0].whole_path(), ["a", "b", "c"]);
    let (answer, evidence) = explain("AF EX_c true");
    assert!(!answer);
    assert_eq!(
        (evidence[0].steps.join(" "), evidence[0].end.as_str()),
        ("d".into(), "nothing can happen any more")
    );
    let (answer, evidence) = explain("AX_a AF EX_nothing true or EX_d EX true");
    assert!(!answer && !evidence.is_empty());
    let (answer, evidence) = explain("AG not EX_b EX_c AF EX_d true");
    assert!(answer && evidence.is_empty());
    let (answer, evidence) = explain("EX_a EG true");
    assert!(answer);
    assert_eq!(evidence[0].then[0].back_to, Some(0));
}

#[test]
fn the_limit_is_told() {
    let lts = locks::actl::aut::read("des (0, 3, 4)\n(0, a, 1)\n(1, a, 2)\n(2, a, 3)").unwrap();
    let f = parse("AF EX_nothing true").unwrap();
    assert_eq!(
        Checker::new(&lts, 3).check(&f).unwrap_err().to_string(),
        "more than 3 states are needed to decide the formula"
    );
    // On the fly: states that the answer does not need are not made.
    let mut checker = Checker::new(&lts, 2);
    assert_eq!(checker.check(&parse("EX_a true").unwrap()), Ok(true));
}
