//! Random programs with inputs: the oracle tries every value, the checker is told the range alone.
//!
//! Some threads of a generated program begin by reading an input from 0 to [`MOST`] into a register; some of
//! their statements then depend on it. The truth is the union of the answers for all values of all inputs. The checker
//! gets a program that reads `__VERIFIER_nondet_int()` there and assumes the range, in one of several ways to write it.

use crate::explore::Outcome;
use crate::generate::{Size, generate};
use crate::print::{Printed, print};
use crate::program::{Program, Stmt, Test, Value};
use crate::rng::Rng;
use crate::{explore, program};

/// The largest value of an input.
pub const MOST: i32 = 3;

/// Stands for the first input in the printed program; the others follow.
const MARK: i32 = 770_000;

/// A program with inputs and its answer.
#[derive(Debug, Clone)]
pub struct Sample {
    /// Its seed.
    pub seed: u64,
    /// The C source for the checker.
    pub source: String,
    /// The answer over all values.
    pub outcome: Outcome,
}

/// The program of a seed; `None` if it is too large or breaks a rule of pthreads for some value.
pub fn draw(seed: u64, limit: usize) -> Option<Sample> {
    let mut rng = Rng::new(seed, 77);
    let mut program = (0..20).find_map(|attempt| generate(seed, Size::Small, attempt))?;
    let created = program.created();
    let threads: Vec<usize> = (0..program.threads.len()).filter(|&t| created[t]).collect();
    let count = 1 + rng.below(2).min(threads.len() - 1);
    let mut inputs = Vec::new();
    for _ in 0..count {
        let thread = rng.pick(&threads);
        let reg = rng.below(program::REGISTERS as usize) as u8;
        if inputs.contains(&(thread, reg)) {
            continue;
        }
        depend(&mut program.threads[thread], reg, &mut rng);
        program.threads[thread].insert(0, Stmt::Set { reg, value: Value::Const(0) });
        inputs.push((thread, reg));
    }
    let fill = |program: &Program, values: &dyn Fn(usize) -> i32| {
        let mut program = program.clone();
        for (i, &(thread, reg)) in inputs.iter().enumerate() {
            // Those that were put in later stand before.
            let at = inputs[i + 1..].iter().filter(|later| later.0 == thread).count();
            program.threads[thread][at] = Stmt::Set { reg, value: Value::Const(values(i)) };
        }
        program
    };
    let printed = print(&fill(&program, &|i| MARK + i as i32));
    let mut outcome = Outcome::default();
    let radix = (MOST + 1) as usize;
    for number in 0..radix.pow(inputs.len() as u32) {
        let program = fill(&program, &|i| (number / radix.pow(i as u32) % radix) as i32);
        let one = explore(&program, &Printed { source: String::new(), lines: printed.lines.clone() }, limit)
            .ok()?;
        if one.misuse {
            return None;
        }
        outcome.race |= one.race;
        outcome.deadlock |= one.deadlock;
        outcome.assertion |= one.assertion;
        outcome.races.extend(one.races);
        outcome.states += one.states;
        outcome.endless |= one.endless;
    }
    let source = with_inputs(&printed.source, &inputs, &mut rng);
    Some(Sample { seed, source, outcome })
}

/// Makes some statements depend on a register: what is written, and whether something is done at all.
fn depend(body: &mut Vec<Stmt>, reg: u8, rng: &mut Rng) {
    for stmt in body.iter_mut() {
        if let Stmt::Write { value, .. } | Stmt::Store { value, .. } = stmt
            && rng.chance(30)
        {
            *value = if rng.chance(50) { Value::Reg(reg) } else { Value::Plus(reg, rng.below(3) as i32 - 1) };
        }
    }
    // A critical section, as a whole or only its lock and its unlock, or any plain access.
    let test = Test { reg, equal: rng.chance(60), value: rng.below(MOST as usize + 2) as i32 };
    let only_if = |stmt: Stmt| Stmt::If { test, then: vec![stmt], otherwise: Vec::new() };
    let lock = body.iter().position(|s| matches!(s, Stmt::Lock(_)));
    if let Some(from) = lock.filter(|_| rng.chance(50)) {
        let Stmt::Lock(mutex) = body[from] else { return };
        let Some(to) = body[from..].iter().position(|s| *s == Stmt::Unlock(mutex)).map(|n| from + n) else {
            return;
        };
        let overwritten = body[from..to].iter().any(|s| writes(s, reg));
        if rng.chance(50) && !overwritten {
            for at in [from, to] {
                body[at] = only_if(body[at].clone());
            }
        } else {
            let section: Vec<Stmt> = body.splice(from..=to, []).collect();
            if !section.iter().any(|s| matches!(s, Stmt::Create(_) | Stmt::Join(_))) {
                body.insert(from, Stmt::If { test, then: section, otherwise: Vec::new() });
            } else {
                body.splice(from..from, section);
            }
        }
        return;
    }
    let plain = |s: &Stmt| matches!(s, Stmt::Read { .. } | Stmt::Write { .. } | Stmt::Increment { .. });
    let accesses: Vec<usize> = (0..body.len()).filter(|&i| plain(&body[i])).collect();
    if !accesses.is_empty() {
        let at = rng.pick(&accesses);
        body[at] = only_if(body[at].clone());
    }
}

fn writes(stmt: &Stmt, wanted: u8) -> bool {
    match stmt {
        Stmt::Set { reg, .. }
        | Stmt::Read { reg, .. }
        | Stmt::Peek { reg, .. }
        | Stmt::Load { reg, .. }
        | Stmt::FetchAdd { reg, .. }
        | Stmt::Exchange { reg, .. }
        | Stmt::CompareExchange { reg, .. } => *reg == wanted,
        _ => stmt.blocks().into_iter().flatten().any(|s| writes(s, wanted)),
    }
}

/// Replaces the marks by inputs, on the same lines.
fn with_inputs(source: &str, inputs: &[(usize, u8)], rng: &mut Rng) -> String {
    let declarations = "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assume(int); \
                        extern void abort(void);";
    let mut source = source.replacen("\n\n", &format!("\n{declarations}\n"), 1);
    for (i, &(_, reg)) in inputs.iter().enumerate() {
        let r = format!("r{reg}");
        let range = match rng.below(4) {
            0 => format!("__VERIFIER_assume(0 <= {r} && {r} <= {MOST});"),
            1 => format!("if ({r} < 0 || {r} > {MOST}) abort();"),
            2 => format!("__VERIFIER_assume((unsigned){r} < {}u);", MOST + 1),
            _ => format!("{r} &= {MOST};"),
        };
        let mark = format!("{r} = {};", MARK + i as i32);
        source = source.replace(&mark, &format!("{r} = __VERIFIER_nondet_int(); {range}"));
    }
    source
}
