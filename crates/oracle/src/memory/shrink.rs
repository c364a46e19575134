//! Makes a program smaller while it keeps a property: see [`crate::shrink`], of which this is the same for programs with memory.

use super::program::{Expr, Program, Schedule, Split, Stmt};
use super::valid::valid;

/// The smallest program found from `program` that `keeps` the property; `program` itself is taken to keep it.
pub fn shrink(program: &Program, mut keeps: impl FnMut(&Program) -> bool) -> Program {
    let mut best = program.clone();
    while let Some(smaller) = candidates(&best).into_iter().find(|p| valid(p) && keeps(p)) {
        best = smaller;
    }
    best
}

/// All programs one simplification away, the boldest first.
fn candidates(program: &Program) -> Vec<Program> {
    simpler_blocks(&program.main).into_iter().map(|main| Program { main, ..program.clone() }).collect()
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
    let changes: [fn(&mut Stmt); 6] =
        [fewer, simpler_clause, no_capture, tied, simpler_value, without_reduction];
    for change in changes {
        let mut copy = stmt.clone();
        change(&mut copy);
        if copy != *stmt {
            found.push(copy);
        }
    }
    found
}

fn fewer(stmt: &mut Stmt) {
    let count = match stmt {
        Stmt::For { head, .. } => &mut head.n,
        Stmt::Repeat { times: n, .. }
        | Stmt::Taskloop { n, .. }
        | Stmt::Distribute { n, .. }
        | Stmt::Simd { n, .. } => n,
        Stmt::Parallel { threads: Some(n), .. } => n,
        _ => return,
    };
    *count = (*count - 1).max(1);
}

fn simpler_clause(stmt: &mut Stmt) {
    match stmt {
        Stmt::For { head, .. } if head.nowait => head.nowait = false,
        Stmt::For { head, .. } if head.schedule != Schedule::Dynamic => head.schedule = Schedule::Dynamic,
        Stmt::Single { nowait, .. } | Stmt::Sections { nowait, .. } => *nowait = false,
        Stmt::Critical { name, .. } => *name = None,
        Stmt::Taskloop { split, .. } => *split = Split::Open,
        Stmt::Simd { safelen, .. } => *safelen = None,
        _ => {}
    }
}

fn no_capture(stmt: &mut Stmt) {
    if let Stmt::Task { capture, .. } | Stmt::Taskloop { capture, .. } = stmt {
        capture.firstprivate.pop();
        capture.shared.pop();
    }
}

fn tied(stmt: &mut Stmt) {
    if let Stmt::Task { capture, .. } | Stmt::Taskloop { capture, .. } = stmt {
        (capture.untied, capture.undeferred) = (false, false);
    }
}

fn simpler_value(stmt: &mut Stmt) {
    if let Stmt::Assign { value, .. }
    | Stmt::Add { value, .. }
    | Stmt::Sub { value, .. }
    | Stmt::AtomicAdd { value, .. } = stmt
        && matches!(value, Expr::Bin(..) | Expr::Cond(..))
    {
        *value = Expr::Const(1);
    }
}

fn without_reduction(stmt: &mut Stmt) {
    if let Stmt::Parallel { reduction, .. } = stmt {
        *reduction = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::generate::balanced;
    use crate::memory::{Flavour, judge};

    #[test]
    fn racy_programs_shrink_to_few_statements() {
        let racy = |p: &Program| judge(p).is_ok_and(|(_, o)| o.race && !o.misuse);
        let samples = (0..40).filter_map(|seed| balanced(Flavour::All, seed, 2_000));
        let mut tried = 0;
        for sample in samples.filter(|s| s.outcome.race).take(6) {
            let small = shrink(&sample.program, racy);
            assert!(racy(&small) && valid(&small));
            assert!(small.statements() <= sample.program.statements());
            assert!(small.statements() <= 8, "seed {}: {small:?}", sample.seed);
            tried += 1;
        }
        assert_eq!(tried, 6);
    }
}
