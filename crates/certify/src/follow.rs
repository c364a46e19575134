//! Shares followed through registers (lemma 4): from the cell that was read to the one that is written.
//!
//! While some register of a thread that is still needed holds a share, its instructions are executed one by one. Copies, and operations of
//! the label's class with other labels or fixed values, have labels; multiples by fixed numbers of sums, too. Whatever else comes of such
//! a value has none, and stays open. A value whose label is complete is fixed: its shadow is cleared.

use ir::liveness::Liveness;
use ir::{Body, CastOp, FloatOp, FuncId, Inst, IntOp, Opnd, Scalar};
use machine::Machine;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::certificate::Class;
use crate::facts::Facts;
use crate::run::Run;
use crate::updates::{float_class, float_fn_class, int_class, int_fn_class};
use crate::values::{Found, Label};

/// The most steps that are followed.
const MAX_STEPS: u64 = 30_000_000;

/// A step that is about to be made.
#[derive(Debug)]
pub struct Step {
    func: FuncId,
    pc: u32,
    base: usize,
    depth: usize,
    /// Whether it is a branch that an open value decides, or that is taken both ways.
    open: bool,
    /// What its result will have.
    result: Option<Label>,
    stored: Option<Label>,
}

/// By function, for each instruction, the slots that are needed behind it; and how many steps were made.
#[derive(Debug, Default)]
pub struct Follower {
    needed: FxHashMap<u32, Vec<FxHashSet<u32>>>,
    steps: u64,
}

impl Follower {
    /// Whether the next instruction of a thread is to be followed.
    pub fn follows(&mut self, run: &mut Run, machine: &Machine, t: usize) -> bool {
        take_read(run, machine, t);
        if self.steps >= MAX_STEPS {
            run.registers.clear();
        }
        !run.registers.is_empty() && run.registers.keys().any(|(u, _)| *u == t)
    }

    /// A thread is about to execute one instruction.
    pub fn before(&mut self, run: &mut Run, machine: &Machine, t: usize) -> Option<Step> {
        self.steps += 1;
        (run.read, run.wrote) = (None, None);
        let frame = machine.threads[t].frames.last()?;
        let body = body(machine, frame.func)?;
        let inst = body.code[frame.pc as usize];
        let (func, pc, base, depth) = (frame.func, frame.pc, frame.base, machine.threads[t].frames.len());
        let mut step = Step { func, pc, base, depth, open: false, result: None, stored: None };
        match inst {
            Inst::Branch { cond: o, .. } | Inst::Switch { value: o, .. } => {
                let both = machine.may.sites.contains(&(func.0, pc));
                step.open = both || machine.value_of(t, o).is_some_and(|v| v.1 != 0);
            }
            Inst::Store { src, ty, .. } => {
                let label = label(run, machine, t, base, src).ok().flatten();
                step.stored = label.filter(|l| Some(l.len) == bytes(ty));
            }
            _ => step.result = result(run, machine, t, base, &inst),
        }
        Some(step)
    }

    /// The thread has executed it.
    pub fn after(
        &mut self,
        run: &mut Run,
        machine: &mut Machine,
        t: usize,
        step: Option<Step>,
        facts: &Facts,
    ) {
        let Some(step) = step else { return forget(run, t) };
        let program = machine.program;
        let Some(body) = program.module.funcs[step.func.0 as usize].body.as_ref() else {
            return forget(run, t);
        };
        let inst = body.code[step.pc as usize];
        let depth = machine.threads[t].frames.len();
        if step.open {
            return forget(run, t);
        }
        if depth > step.depth {
            // What the caller keeps it finds again; what is handed over is not followed.
            let base = machine.threads[t].frames[step.depth].base;
            return run.registers.retain(|(u, slot), _| *u != t || *slot < base);
        }
        if depth < step.depth {
            return returned(run, machine, t, &step);
        }
        match inst {
            Inst::Store { .. } => {
                if let Some((address, len)) = step.stored.clone().and_then(|label| stored(run, t, label))
                    && let Ok(spot) = machine.memory.resolve(address, len, true)
                {
                    // What is open there is so for its label alone.
                    machine.memory.edit(spot, len as usize).1.fill(0);
                }
            }
            Inst::Jump { .. } | Inst::Branch { .. } | Inst::Switch { .. } | Inst::IndirectJump { .. } => {
                follow_edge(run, machine, t, &step, body, &inst);
            }
            Inst::Invoke { .. } | Inst::LandingPad { .. } | Inst::Resume { .. } => forget(run, t),
            _ => {
                inst.defs(body, &mut |slot, count| {
                    (slot.0..slot.0 + count)
                        .for_each(|s| _ = run.registers.remove(&(t, step.base + s as usize)));
                });
                if matches!(inst, Inst::Load { .. }) {
                    take_read(run, machine, t);
                } else if let Some(label) = step.result.clone() {
                    inst.defs(body, &mut |slot, _| {
                        let slot = step.base + slot.0 as usize;
                        if label.is_complete(facts) {
                            run.values.floats |= label.class.is_assumed();
                            machine.threads[t].shadows[slot] = 0;
                        } else {
                            run.registers.insert((t, slot), label.clone());
                        }
                    });
                }
            }
        }
        self.forget_unneeded(run, machine, t, &step, body);
    }

    /// Forgets registers of the innermost function that nothing needs any more.
    fn forget_unneeded(&mut self, run: &mut Run, machine: &Machine, t: usize, step: &Step, body: &Body) {
        let needed = self.needed.entry(step.func.0).or_insert_with(|| {
            let mut needed = vec![FxHashSet::default(); body.code.len()];
            Liveness::new(body).for_each_after(body, &mut |pc, live| {
                needed[pc as usize] = (0..body.slots).filter(|&slot| live.contains(slot)).collect();
            });
            needed
        });
        let goes_on = machine.threads[t].frames.last().is_some_and(|f| f.pc == step.pc + 1);
        if let Some(needed) = needed.get(step.pc as usize).filter(|_| goes_on) {
            let dead = |slot: usize| slot >= step.base && !needed.contains(&((slot - step.base) as u32));
            run.registers.retain(|(u, slot), _| *u != t || !dead(*slot));
        }
    }
}

fn body<'p>(machine: &Machine<'p>, func: FuncId) -> Option<&'p Body> {
    machine.program.module.funcs[func.0 as usize].body.as_ref()
}

fn forget(run: &mut Run, t: usize) {
    run.registers.retain(|(u, _), _| *u != t);
}

/// The label of an operand: `Err` if it is open and has none.
fn label(run: &Run, machine: &Machine, t: usize, base: usize, o: Opnd) -> Result<Option<Label>, ()> {
    if o.is_const() {
        return Ok(None);
    }
    match run.registers.get(&(t, base + o.index())) {
        Some(label) => Ok(Some(label.clone())),
        None if machine.threads[t].shadows[base + o.index()] == 0 => Ok(None),
        None => Err(()),
    }
}

/// The label that an instruction gives its result.
fn result(run: &Run, machine: &Machine, t: usize, base: usize, inst: &Inst) -> Option<Label> {
    let label = |o: Opnd| label(run, machine, t, base, o);
    let fixed = |o: Opnd| machine.value_of(t, o).filter(|v| v.1 == 0).map(|v| v.0);
    let (class, len, minus, a, b) = match *inst {
        Inst::Move { src, .. } => return label(src).ok().flatten(),
        Inst::Cast { op: CastOp::Trunc, to: Scalar::Int(bits), src, .. } => {
            let label = label(src).ok().flatten().filter(|l| l.class == Class::Add)?;
            let len = bytes(Scalar::Int(bits)).filter(|len| *len <= label.len)?;
            return Some(Label { len, ..label }.times(1));
        }
        Inst::Int { op: IntOp::Mul, bits, a, b, .. } => {
            let (sum, factor) = match (label(a).ok()?, label(b).ok()?) {
                (Some(a), None) => (a, fixed(b)?),
                (None, Some(b)) => (b, fixed(a)?),
                _ => return None,
            };
            if sum.class == Class::Add {
                return (8 * sum.len == u64::from(bits)).then(|| sum.times(factor));
            }
            (Class::Mul, Some(u64::from(bits) / 8), false, a, b)
        }
        Inst::Int { op, bits, a, b, .. } => {
            (int_class(op, true)?, bytes(Scalar::Int(bits)), op == IntOp::Sub, a, b)
        }
        Inst::IntFn { f, bits, a, b, .. } => (int_fn_class(f)?, bytes(Scalar::Int(bits)), false, a, b),
        Inst::Float { op, ty, a, b, .. } => (float_class(op, true)?, bytes(ty), op == FloatOp::Sub, a, b),
        Inst::FloatFn { f, ty, a, b, .. } => (float_fn_class(f)?, bytes(ty), false, a, b),
        _ => return None,
    };
    let factor = if minus { u64::MAX } else { 1 };
    let sum = match (label(a).ok()?, label(b).ok()?) {
        (None, None) => return None,
        (Some(a), None) => a,
        (None, Some(b)) => b.times(factor),
        (Some(mut a), Some(b)) => {
            if (a.class, a.len) != (b.class, b.len) {
                return None;
            }
            a.combine(&b, factor);
            a
        }
    };
    (sum.class == class && Some(sum.len) == len).then_some(sum)
}

/// What a thread has just read is in the register that it read it into.
fn take_read(run: &mut Run, machine: &Machine, t: usize) {
    let Some((_, at, label)) = run.read.take_if(|read| read.0 == t) else { return };
    let (func, pc) = ((at >> 32) as u32, at as u32);
    let Some(frame) = machine.threads[t].frames.last().filter(|f| (f.func.0, f.pc) == (func, pc + 1)) else {
        return;
    };
    if let Some(Inst::Load { dst, ty, .. }) = body(machine, frame.func).map(|b| b.code[pc as usize])
        && bytes(ty) == Some(label.len)
    {
        run.registers.insert((t, frame.base + dst.0 as usize), label);
    }
}

/// What a thread has just stored has a label. The place, if that is all that makes it open.
fn stored(run: &mut Run, t: usize, mut label: Label) -> Option<(u64, u64)> {
    let (_, (address, key, len), update, open) = run.wrote.take().filter(|w| w.0 == t)?;
    if open || label.len != len {
        return None;
    }
    if update {
        match run.values.find(key, len) {
            Found::Nothing => {}
            Found::Exact(before) if before.class == label.class => label.combine(&before, 1),
            _ => return None,
        }
    }
    run.values.put(key, label);
    Some((address, len))
}

/// The copies that an edge makes, all at once.
fn follow_edge(run: &mut Run, machine: &Machine, t: usize, step: &Step, body: &Body, inst: &Inst) {
    let mut edges = Vec::new();
    inst.edges(body, &mut |edge| edges.push(edge));
    let now = machine.threads[t].frames.last().map(|f| f.pc);
    edges.retain(|e| Some(body.edges[e.0 as usize].target) == now);
    let &[edge] = edges.as_slice() else { return forget(run, t) };
    let edge = body.edges[edge.0 as usize];
    let moves = &body.moves[edge.moves as usize..(edge.moves + edge.move_count) as usize];
    let from =
        |src: Opnd| run.registers.get(&(t, step.base + src.index())).filter(|_| !src.is_const()).cloned();
    let labels: Vec<_> = moves.iter().map(|&(dst, src)| (dst, from(src))).collect();
    for (dst, label) in labels {
        let slot = (t, step.base + dst.0 as usize);
        match label {
            Some(label) => _ = run.registers.insert(slot, label),
            None => _ = run.registers.remove(&slot),
        }
    }
}

/// The thread is back in the function that called: what came back has no label.
fn returned(run: &mut Run, machine: &Machine, t: usize, step: &Step) {
    run.registers.retain(|(u, slot), _| *u != t || *slot < step.base);
    let call = machine.threads[t].frames.last().and_then(|f| {
        let body = body(machine, f.func)?;
        match body.code[f.pc.checked_sub(1)? as usize] {
            Inst::Call { site } => Some((f.base, body.calls[site as usize])),
            _ => None,
        }
    });
    let Some((base, site)) = call else { return forget(run, t) };
    (0..site.result_slots)
        .for_each(|slot| _ = run.registers.remove(&(t, base + (site.result.0 + slot) as usize)));
}

fn bytes(ty: Scalar) -> Option<u64> {
    match ty {
        Scalar::Int(bits @ (8 | 16 | 32 | 64)) => Some(u64::from(bits) / 8),
        Scalar::F32 => Some(4),
        Scalar::F64 => Some(8),
        _ => None,
    }
}
