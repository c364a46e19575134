//! Random runs: the races that happens-before finds in the reduced trace are those that brute force finds in the run.
//!
//! A run is made of single accesses of 1 to 8 bytes, locks, and creation and joining of threads, in one random order. Brute
//! force compares every pair of accesses by vector clocks over the whole run, knows nothing of granules, variables or
//! suspects, and shares no code with what is tested.

use std::collections::BTreeSet;

use record::file::{Contents, End, Piece};
use record::names::Namer;
use record::run::Run;

const THREADS: usize = 3;

/// A small generator of random numbers (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n
    }
}

#[derive(Clone, Copy)]
enum Step {
    Access { address: u64, log: u32, write: bool },
    Acquire(u64),
    Release(u64),
    Fork(usize),
    Join(usize),
    Begin,
    End,
}

/// A random run in the order of its steps.
fn steps(random: &mut Random) -> Vec<(usize, Step)> {
    let mut out = vec![(0, Step::Begin)];
    let mut held: Vec<Option<u64>> = vec![None; THREADS];
    let mut live = vec![0];
    let mut next = 1;
    for _ in 0..40 {
        let t = live[random.below(live.len() as u64) as usize];
        match (random.below(8), held[t]) {
            (0, None) if next < THREADS => {
                out.extend([(t, Step::Fork(next)), (next, Step::Begin)]);
                live.push(next);
                next += 1;
            }
            (1, None) if t == 0 && live.len() > 1 => {
                let index = 1 + random.below(live.len() as u64 - 1) as usize;
                let child = live[index];
                if held[child].is_none() {
                    live.remove(index);
                    out.extend([(child, Step::End), (0, Step::Join(child))]);
                }
            }
            (2 | 3, None) => {
                let lock = 0x9000 + 64 * random.below(2);
                if !held.contains(&Some(lock)) {
                    held[t] = Some(lock);
                    out.push((t, Step::Acquire(lock)));
                }
            }
            (2..=4, Some(lock)) => {
                held[t] = None;
                out.push((t, Step::Release(lock)));
            }
            _ => {
                let log = random.below(4) as u32;
                let address = 0x5000 + (random.below(24) >> log << log);
                out.push((t, Step::Access { address, log, write: random.below(2) == 0 }));
            }
        }
    }
    out
}

/// The site of an access: its own for each thread, size and kind, so that places tell them apart.
fn site(t: usize, log: u32, write: bool) -> u32 {
    1 + t as u32 * 8 + log * 2 + u32::from(write)
}

/// The steps as a recording. Accesses are written when their thread synchronises next, in reverse, as a cache may do.
fn recording(steps: &[(usize, Step)]) -> Contents {
    let mut words: Vec<Vec<u64>> = vec![Vec::new(); THREADS];
    let mut waiting: Vec<Vec<[u64; 2]>> = vec![Vec::new(); THREADS];
    let mut clocks = [1_u64; THREADS];
    for (t, words) in words.iter_mut().enumerate() {
        for log in 0..4 {
            for write in [false, true] {
                let id = site(t, log, write);
                let kind = u64::from(if write { 1 } else { 2_u32 } | log << 4);
                words.extend([1 | u64::from(id) << 8, (0x1000 + u64::from(id)) | (kind << 48), 0]);
            }
        }
    }
    for (seq, (t, step)) in steps.iter().enumerate() {
        let k = clocks[*t];
        clocks[*t] += 1;
        let (op, object, argument) = match *step {
            Step::Access { address, log, write } => {
                waiting[*t].push([3 | u64::from(site(*t, log, write)) << 8 | k << 32, address]);
                continue;
            }
            Step::Fork(child) => (1, 0, child as u64),
            Step::Begin => (2, 0, 0),
            Step::End => (3, 0, 0),
            Step::Join(child) => (4, 0, child as u64),
            Step::Acquire(lock) => (5, lock, 0),
            Step::Release(lock) => (6, lock, 0),
        };
        words[*t].extend(waiting[*t].drain(..).rev().flatten());
        words[*t].extend([6 | k << 32, seq as u64, object | op << 48, argument]);
    }
    for t in 0..THREADS {
        let rest: Vec<u64> = waiting[t].drain(..).rev().flatten().collect();
        words[t].extend(rest);
    }
    let piece = |(t, words)| Piece { thread: t as u32, index: 0, words };
    Contents {
        pieces: words.into_iter().enumerate().map(piece).collect(),
        end: Some(End::default()),
        ..Contents::default()
    }
}

/// Pairs of sites whose accesses overlap, conflict and are not ordered.
fn brute_force(steps: &[(usize, Step)]) -> BTreeSet<(u32, u32)> {
    let mut clocks = [[0_u32; THREADS]; THREADS];
    for (t, clock) in clocks.iter_mut().enumerate() {
        clock[t] = 1;
    }
    let mut locks: Vec<(u64, [u32; THREADS])> = Vec::new();
    let mut accesses: Vec<(usize, [u32; THREADS], u64, u64, u32, bool)> = Vec::new();
    let join = |into: &mut [u32; THREADS], from: [u32; THREADS]| {
        into.iter_mut().zip(from).for_each(|(a, b)| *a = (*a).max(b));
    };
    for (t, step) in steps {
        match *step {
            Step::Access { address, log, write } => {
                accesses.push((*t, clocks[*t], address, address + (1 << log), site(*t, log, write), write));
            }
            Step::Fork(child) => {
                let known = clocks[*t];
                join(&mut clocks[child], known);
                clocks[*t][*t] += 1;
            }
            Step::Join(child) => {
                let known = clocks[child];
                join(&mut clocks[*t], known);
            }
            Step::Acquire(lock) => {
                let known = locks.iter().rev().find(|(of, _)| *of == lock).map(|(_, known)| *known);
                known.into_iter().for_each(|known| join(&mut clocks[*t], known));
            }
            Step::Release(lock) => {
                locks.push((lock, clocks[*t]));
                clocks[*t][*t] += 1;
            }
            Step::Begin | Step::End => {}
        }
    }
    let mut pairs = BTreeSet::new();
    for (i, a) in accesses.iter().enumerate() {
        for b in &accesses[i + 1..] {
            let ordered = a.0 == b.0 || b.1[a.0] >= a.1[a.0] || a.1[b.0] >= b.1[b.0];
            if !ordered && a.2 < b.3 && b.2 < a.3 && (a.5 || b.5) {
                pairs.insert((a.4.min(b.4), a.4.max(b.4)));
            }
        }
    }
    pairs
}

/// The same by reduction and the analysis `hb`.
fn by_reduction(steps: &[(usize, Step)]) -> BTreeSet<(u32, u32)> {
    let run = Run::new(recording(steps));
    let reduced = record::reduce::reduce(&run, &mut Namer::new(&run));
    assert!(reduced.notes.is_empty(), "{:?}", reduced.notes);
    if reduced.trace.is_empty() {
        return BTreeSet::new();
    }
    let options =
        predict::Options { all_accesses: true, pairs: predict::Pairs::Events, ..Default::default() };
    let answer = predict::run(&predict::find("hb").expect("it is there"), &reduced.trace, &options);
    let pair = |race: &predict::RacePair| {
        let [a, b] = [race.first, race.second].map(|id| reduced.origins[id.index()].site);
        (a.min(b), a.max(b))
    };
    answer.races.iter().map(pair).collect()
}

#[test]
fn reduction_keeps_the_races_of_happens_before() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let (mut racy, mut free) = (0, 0);
    for round in 0..20_000 {
        let steps = steps(&mut random);
        let expected = brute_force(&steps);
        assert_eq!(by_reduction(&steps), expected, "round {round}");
        if expected.is_empty() { free += 1 } else { racy += 1 }
    }
    // Both kinds came up often.
    assert!(racy > 1000 && free > 100, "{racy} racy, {free} free");
}

#[test]
fn a_file_without_an_end_is_cut_where_it_is_certain() {
    let mut random = Random(7);
    for _ in 0..500 {
        let steps = steps(&mut random);
        let whole = brute_force(&steps);
        let mut contents = recording(&steps);
        contents.end = None;
        // A thread's later records are missing.
        let piece = &mut contents.pieces[random.below(THREADS as u64) as usize];
        let keep = 24 + (piece.words.len() - 24) / 2;
        piece.words.truncate(keep);
        let run = Run::new(contents);
        assert!(!run.missing.is_empty() && run.cut.is_some());
        let reduced = record::reduce::reduce(&run, &mut Namer::new(&run));
        assert!(reduced.notes.is_empty(), "{:?}", reduced.notes);
        let answer = predict::run(
            &predict::find("hb").expect("it is there"),
            &reduced.trace,
            &predict::Options::default(),
        );
        for race in &answer.races {
            let [a, b] = [race.first, race.second].map(|id| reduced.origins[id.index()].site);
            assert!(whole.contains(&(a.min(b), a.max(b))), "a race that the whole run does not have");
        }
    }
}
