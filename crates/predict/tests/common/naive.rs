//! The partial orders by their definitions, as matrices closed under the rules until nothing changes. Slow, and sharing
//! no code with the analyses: locks, fork, join, reads and writes; atomics for HB and SHB.

use std::collections::BTreeSet;

use trace::{EventId, Op, Trace};

/// A relation over events.
#[derive(Clone, PartialEq)]
pub struct Relation(Vec<Vec<bool>>);

pub type Pairs = BTreeSet<(EventId, EventId)>;

impl Relation {
    fn empty(n: usize) -> Relation {
        Relation(vec![vec![false; n]; n])
    }

    fn close(&mut self) {
        let n = self.0.len();
        for k in 0..n {
            for i in 0..n {
                if self.0[i][k] {
                    for j in 0..n {
                        self.0[i][j] |= self.0[k][j];
                    }
                }
            }
        }
    }

    pub fn has(&self, a: usize, b: usize) -> bool {
        self.0[a][b]
    }
}

/// Program order, fork, join.
fn hard(trace: &Trace) -> Relation {
    let e = &trace.events;
    let mut r = Relation::empty(e.len());
    for j in 0..e.len() {
        for i in 0..j {
            let fork = matches!(e[i].op, Op::Fork(t) if t == e[j].thread);
            let join = matches!(e[j].op, Op::Join(t) if t == e[i].thread);
            let empty = matches!((e[i].op, e[j].op), (Op::Fork(t), Op::Join(u)) if t == u);
            r.0[i][j] = e[i].thread == e[j].thread || fork || join || empty;
        }
    }
    r.close();
    r
}

fn last_write(trace: &Trace, read: usize) -> Option<usize> {
    let v = trace.events[read].op.variable()?;
    (0..read).rev().find(|&i| trace.events[i].op.is_write() && trace.events[i].op.variable() == Some(v))
}

pub fn hb(trace: &Trace) -> Relation {
    let e = &trace.events;
    let mut r = hard(trace);
    for j in 0..e.len() {
        for i in 0..j {
            r.0[i][j] |= matches!((e[i].op, e[j].op), (Op::Release(a), Op::Acquire(b)) if a == b);
        }
        if let (Op::AtomicRead(_), Some(w)) = (e[j].op, last_write(trace, j)) {
            r.0[w][j] |= e[w].op.is_atomic();
        }
    }
    r.close();
    r
}

/// SHB without the observation edge of `but`.
fn shb_but(trace: &Trace, but: usize) -> Relation {
    let mut r = hb(trace);
    for j in 0..trace.len() {
        if j != but
            && trace.events[j].op.is_read()
            && let Some(w) = last_write(trace, j)
        {
            r.0[w][j] = true;
        }
    }
    r.close();
    r
}

/// For each event the acquires and matching releases (if any) of the sections that it is in.
struct Sections {
    /// (acquire, release or none)
    all: Vec<(usize, Option<usize>)>,
}

impl Sections {
    fn of(trace: &Trace) -> Sections {
        let e = &trace.events;
        let mut all = Vec::new();
        for i in 0..e.len() {
            if let Op::Acquire(l) = e[i].op {
                all.push((i, (i..e.len()).find(|&j| e[j].op == Op::Release(l))));
            }
        }
        Sections { all }
    }

    fn contains(&self, trace: &Trace, (acq, rel): (usize, Option<usize>), i: usize) -> bool {
        trace.events[acq].thread == trace.events[i].thread && acq <= i && rel.is_none_or(|rel| i <= rel)
    }
}

/// Pairs (release, access): the access conflicts with one of the release's section and is under the same lock.
fn conflict_edges(trace: &Trace) -> Vec<(usize, usize)> {
    let e = &trace.events;
    let sections = Sections::of(trace);
    let mut edges = Vec::new();
    for &first in &sections.all {
        let Some(rel) = first.1 else { continue };
        for &second in sections.all.iter().filter(|s| s.0 > rel && e[s.0].op == e[first.0].op) {
            for j in (0..e.len()).filter(|&j| sections.contains(trace, second, j)) {
                let clash = |i: usize| sections.contains(trace, first, i) && e[i].conflicts(&e[j]);
                if (0..e.len()).any(clash) {
                    edges.push((rel, j));
                }
            }
        }
    }
    edges
}

/// Pairs of closed sections of one lock by different threads: (acquire 1, release 1, release 2).
fn section_pairs(trace: &Trace) -> Vec<(usize, usize, usize)> {
    let e = &trace.events;
    let all = Sections::of(trace).all;
    let mut pairs = Vec::new();
    for &(a1, r1) in &all {
        for &(a2, r2) in &all {
            if let (Some(r1), Some(r2)) = (r1, r2)
                && a1 < a2
                && e[a1].op == e[a2].op
                && e[a1].thread != e[a2].thread
            {
                pairs.push((a1, r1, r2));
            }
        }
    }
    pairs
}

pub fn dc(trace: &Trace) -> Relation {
    let mut r = hard(trace);
    for (rel, access) in conflict_edges(trace) {
        r.0[rel][access] = true;
    }
    loop {
        r.close();
        let before = r.clone();
        for (a1, r1, r2) in section_pairs(trace) {
            r.0[r1][r2] |= r.0[a1][r2];
        }
        if r == before {
            return r;
        }
    }
}

/// WCP together with the hard order.
pub fn wcp(trace: &Trace) -> Relation {
    let n = trace.len();
    let (hard, hb) = (hard(trace), hb(trace));
    let mut strict = Relation::empty(n);
    for (rel, access) in conflict_edges(trace) {
        strict.0[rel][access] = true;
    }
    loop {
        let before = strict.clone();
        for (a1, r1, r2) in section_pairs(trace) {
            strict.0[r1][r2] |= strict.0[a1][r2] || hard.0[a1][r2];
        }
        // HB on either side.
        for a in 0..n {
            for b in 0..n {
                if strict.0[a][b] {
                    for c in 0..n {
                        strict.0[c][b] |= hb.0[c][a];
                        strict.0[a][c] |= hb.0[b][c];
                    }
                }
            }
        }
        if strict == before {
            break;
        }
    }
    for (row, hard_row) in strict.0.iter_mut().zip(&hard.0) {
        for (x, &h) in row.iter_mut().zip(hard_row) {
            *x |= h;
        }
    }
    strict
}

fn unordered(trace: &Trace, ordered: impl Fn(usize, usize) -> bool) -> Pairs {
    let e = &trace.events;
    let mut pairs = Pairs::new();
    for j in 0..e.len() {
        for i in 0..j {
            if e[i].conflicts(&e[j]) && !ordered(i, j) {
                pairs.insert((EventId(i as u32), EventId(j as u32)));
            }
        }
    }
    pairs
}

/// The conflicting pairs that a relation leaves unordered.
pub fn races(trace: &Trace, relation: &Relation) -> Pairs {
    unordered(trace, |i, j| relation.has(i, j))
}

pub fn shb_races(trace: &Trace) -> Pairs {
    let but: Vec<Relation> = (0..trace.len()).map(|j| shb_but(trace, j)).collect();
    unordered(trace, |i, j| but[j].has(i, j))
}
