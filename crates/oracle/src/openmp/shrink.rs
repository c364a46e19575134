//! Makes an OpenMP program smaller while it keeps a property.
//!
//! Greedy, as [`crate::shrink`]: drop a statement, put the blocks of a construct in its place, simplify clauses.

use super::program::{Loop, Order, Program, Region, Schedule, Stmt};
use super::valid::valid;

/// The smallest program found from `program` that `keeps` the property; `program` itself is taken to keep it.
pub fn shrink(program: &Program, mut keeps: impl FnMut(&Program) -> bool) -> Program {
    let mut best = program.clone();
    while let Some(smaller) = candidates(&best).into_iter().filter(valid).find(&mut keeps) {
        best = smaller;
    }
    best
}

/// All programs one simplification away, the boldest first.
fn candidates(program: &Program) -> Vec<Program> {
    let mut found: Vec<Program> =
        simpler_blocks(&program.main).into_iter().map(|main| Program { main, ..program.clone() }).collect();
    if program.vars.contains(&true) {
        found.push(Program { vars: vec![false; program.vars.len()], ..program.clone() });
    }
    if program.arrays.contains(&true) {
        found.push(Program { arrays: vec![false; program.arrays.len()], ..program.clone() });
    }
    found
}

fn simpler_blocks(block: &[Stmt]) -> Vec<Vec<Stmt>> {
    let mut found = Vec::new();
    let with = |at: usize, replacement: Vec<Stmt>| {
        let mut copy = block.to_vec();
        copy.splice(at..=at, replacement);
        copy
    };
    for at in 0..block.len() {
        found.push(with(at, Vec::new()));
    }
    for (at, stmt) in block.iter().enumerate() {
        found.extend(stmt.blocks().into_iter().map(|inner| with(at, inner.clone())));
        found.extend(simpler_inside(stmt).into_iter().map(|s| with(at, vec![s])));
    }
    found
}

fn simpler_inside(stmt: &Stmt) -> Vec<Stmt> {
    let mut found = Vec::new();
    for (which, inner) in stmt.blocks().into_iter().enumerate() {
        for body in simpler_blocks(inner) {
            let mut copy = stmt.clone();
            *copy.blocks_mut()[which] = body;
            found.push(copy);
        }
    }
    if let Stmt::Sections { nowait, blocks } = stmt {
        for at in 0..blocks.len() {
            let mut blocks = blocks.clone();
            blocks.remove(at);
            found.push(Stmt::Sections { nowait: *nowait, blocks });
        }
    }
    found.extend(simpler_clauses(stmt));
    found
}

fn simpler_clauses(stmt: &Stmt) -> Vec<Stmt> {
    let mut found = Vec::new();
    let mut change = |change: &dyn Fn(&mut Stmt)| {
        let mut copy = stmt.clone();
        change(&mut copy);
        if copy != *stmt {
            found.push(copy);
        }
    };
    match stmt {
        Stmt::For { .. } => {
            let heads: [fn(&mut Loop); 7] = [
                |h| h.n = h.n.saturating_sub(1).max(1),
                |h| h.schedule = Schedule::None,
                |h| h.nowait = false,
                |h| h.ordered = false,
                |h| h.reduction = None,
                |h| h.lastprivate = None,
                |h| h.firstprivate = None,
            ];
            for simplify in heads {
                change(&|s| {
                    if let Stmt::For { head, .. } = s {
                        simplify(head);
                    }
                });
            }
        }
        Stmt::Parallel { .. } => {
            let heads: [fn(&mut Region); 4] = [
                |r| r.threads = 2,
                |r| r.combined = false,
                |r| r.reduction = None,
                |r| r.firstprivate = None,
            ];
            for simplify in heads {
                change(&|s| {
                    if let Stmt::Parallel { region, .. } = s {
                        simplify(region);
                    }
                });
            }
        }
        Stmt::Task { clauses, .. } => {
            for at in 0..clauses.depends.len() {
                change(&|s| {
                    if let Stmt::Task { clauses, .. } = s {
                        clauses.depends.remove(at);
                    }
                });
            }
            change(&|s| {
                if let Stmt::Task { clauses, .. } = s {
                    clauses.firstprivate = None;
                }
            });
            change(&|s| {
                if let Stmt::Task { clauses, .. } = s {
                    clauses.undeferred = false;
                }
            });
        }
        _ => {}
    }
    change(&|s| match s {
        Stmt::AtomicRead { order, .. }
        | Stmt::AtomicWrite { order, .. }
        | Stmt::AtomicUpdate { order, .. }
        | Stmt::AtomicCapture { order, .. }
        | Stmt::Spin { order, .. } => *order = Order::SeqCst,
        Stmt::Repeat { times, .. } => *times = 2,
        Stmt::Critical { name, .. } => *name = None,
        Stmt::Masked { filter, .. } => *filter = None,
        Stmt::Single { nowait, .. } | Stmt::Sections { nowait, .. } => *nowait = false,
        _ => {}
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openmp::generate::balanced;
    use crate::openmp::judge;

    #[test]
    fn racy_programs_shrink_to_few_statements() {
        let racy = |p: &Program| judge(p).is_ok_and(|(_, o)| o.race && !o.misuse);
        let samples = (0..60).filter_map(|seed| balanced(seed, 3_000)).filter(|s| s.outcome.race).take(6);
        let mut tried = 0;
        for sample in samples {
            let small = shrink(&sample.program, racy);
            assert!(racy(&small) && valid(&small));
            assert!(small.statements() <= 4, "seed {}: {small:?}", sample.seed);
            tried += 1;
        }
        assert_eq!(tried, 6);
    }
}
