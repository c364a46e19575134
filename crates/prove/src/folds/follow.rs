//! Sums followed through registers: from the cell that was read to the one that is written.
//!
//! When a thread reads a cell whose label is a sum, the run pauses, and goes on instruction by instruction for this
//! thread as long as a register that is still needed holds something with a label. Sums, differences, multiples by fixed numbers, and copies have
//! labels; whatever else comes of such a value has none, and stays open. A value whose label is complete is fixed: its shadow is
//! cleared.

use std::cell::RefCell;

use ir::liveness::Liveness;
use ir::{Body, CastOp, FloatOp, FuncId, Inst, IntOp, Opnd, Scalar};
use machine::Machine;
use rustc_hash::{FxHashMap, FxHashSet};

use super::Label;
use crate::commute::Class;
use crate::drive::Watch;
use crate::taint::Tainter;

/// The most steps that are followed.
const MAX_STEPS: u64 = 30_000_000;

/// Where a thread stands before a step.
#[derive(Debug, Clone, Copy)]
struct Stand {
    func: FuncId,
    pc: u32,
    base: usize,
    depth: usize,
    /// Whether a branch is decided by an unconstrained value.
    open: bool,
}

/// What the next step will leave, as far as that is known before it.
#[derive(Debug, Clone, Default)]
pub struct Planned {
    result: Option<Label>,
}

/// For each instruction of a function, the slots that are needed behind it.
type Needed = Vec<FxHashSet<u32>>;

/// Follows a second pass.
pub struct Follower<'t, 'm> {
    tainter: &'t RefCell<Tainter<'m>>,
    /// By thread and slot of the machine.
    registers: FxHashMap<(usize, usize), Label>,
    needed: FxHashMap<u32, Needed>,
    stand: Option<Stand>,
    steps: u64,
}

impl<'t, 'm> Follower<'t, 'm> {
    /// Of a pass that is about to begin.
    pub fn new(tainter: &'t RefCell<Tainter<'m>>) -> Follower<'t, 'm> {
        Follower {
            tainter,
            registers: FxHashMap::default(),
            needed: FxHashMap::default(),
            stand: None,
            steps: 0,
        }
    }

    fn forget(&mut self, t: usize) {
        self.registers.retain(|(u, _), _| *u != t);
    }

    /// The label of an operand: `Err` if it is unconstrained and has none.
    fn label(&self, machine: &Machine, t: usize, base: usize, o: Opnd) -> Result<Option<Label>, ()> {
        let shadow = if o.is_const() { 0 } else { machine.threads[t].shadows[base + o.index()] };
        match self.registers.get(&(t, base + o.index())).filter(|_| !o.is_const()) {
            Some(label) => Ok(Some(label.clone())),
            None if shadow == 0 => Ok(None),
            None => Err(()),
        }
    }

    /// The label that an instruction gives its result, of operands as they are before it.
    fn result(&self, machine: &Machine, t: usize, stand: &Stand, inst: &Inst) -> Option<Label> {
        let label = |o: Opnd| self.label(machine, t, stand.base, o);
        let value = |o: Opnd| machine.value_of(t, o).filter(|v| v.1 == 0).map(|v| v.0);
        match *inst {
            Inst::Move { src, .. } => label(src).ok().flatten(),
            Inst::Int { op: op @ (IntOp::Add | IntOp::Sub), bits, a, b, .. } => {
                let sum = sum(label(a).ok()?, label(b).ok()?, op == IntOp::Sub)?;
                (sum.class == Class::Add && 8 * sum.len == u64::from(bits)).then_some(sum)
            }
            Inst::Int { op: IntOp::Mul, bits, a, b, .. } => {
                let (sum, factor) = match (label(a).ok()?, label(b).ok()?) {
                    (Some(a), None) => (a, value(b)?),
                    (None, Some(b)) => (b, value(a)?),
                    _ => return None,
                };
                (sum.class == Class::Add && 8 * sum.len == u64::from(bits)).then(|| sum.times(factor))
            }
            Inst::Float { op: op @ (FloatOp::Add | FloatOp::Sub), ty: Scalar::F64, a, b, .. } => {
                let sum = sum(label(a).ok()?, label(b).ok()?, op == FloatOp::Sub)?;
                (sum.class == Class::FloatAdd).then_some(sum)
            }
            Inst::Cast { op: CastOp::Trunc, to: Scalar::Int(to), src, .. } => {
                let label = label(src).ok().flatten().filter(|l| l.class == Class::Add)?;
                let len = whole_bytes(to).filter(|len| *len <= label.len)?;
                Some(Label { len, ..label }.times(1))
            }
            Inst::Cast { op: CastOp::SExt, to: Scalar::Int(to), src, .. } => {
                let label = label(src).ok().flatten().filter(|l| l.class == Class::Add)?;
                let fits = self.tainter.borrow().labels.fits(&label, machine.value_of(t, src)?.0);
                let len = whole_bytes(to).filter(|_| fits)?;
                Some(Label { len, ..label })
            }
            _ => None,
        }
    }

    /// The copies that an edge makes.
    fn follow_edge(&mut self, machine: &Machine, t: usize, stand: &Stand, body: &Body, inst: &Inst) {
        let mut edges = Vec::new();
        inst.edges(body, &mut |edge| edges.push(edge));
        let now = machine.threads[t].frames.last().map(|f| f.pc);
        edges.retain(|e| Some(body.edges[e.0 as usize].target) == now);
        let &[edge] = edges.as_slice() else { return self.forget(t) };
        let edge = body.edges[edge.0 as usize];
        let moves = &body.moves[edge.moves as usize..(edge.moves + edge.move_count) as usize];
        // All of them are made at once.
        let from = |src: Opnd| self.registers.get(&(t, stand.base + src.index())).filter(|_| !src.is_const());
        let labels: Vec<_> = moves.iter().map(|&(dst, src)| (dst, from(src).cloned())).collect();
        for (dst, label) in labels {
            self.put(t, stand.base + dst.0 as usize, label);
        }
    }

    fn put(&mut self, t: usize, slot: usize, label: Option<Label>) {
        match label {
            Some(label) => _ = self.registers.insert((t, slot), label),
            None => _ = self.registers.remove(&(t, slot)),
        }
    }

    /// A result is there: what is the same in every distribution is not unconstrained.
    fn settle(&mut self, machine: &mut Machine, t: usize, slot: usize, label: Option<Label>) {
        if let Some(label) = &label {
            let labels = &mut self.tainter.borrow_mut().labels;
            if label.is_complete(&labels.families) {
                labels.float_assumed |= label.class.is_assumed();
                machine.threads[t].shadows[slot] = 0;
                self.registers.remove(&(t, slot));
                return;
            }
        }
        self.put(t, slot, label);
    }

    /// What a thread has just read, if that has a label, is in the register that it read it into.
    fn take_read(&mut self, machine: &Machine, t: usize) {
        let Some((func, pc, label, updated)) = self.tainter.borrow_mut().take_read(t) else { return };
        let Some(frame) = machine.threads[t].frames.last().filter(|f| (f.func.0, f.pc) == (func, pc + 1))
        else {
            return;
        };
        let Some(body) = machine.program.module.funcs[func as usize].body.as_ref() else { return };
        if let Inst::Load { dst, ty, .. } = body.code[pc as usize]
            && scalar(ty) == Some((label.class, label.len))
        {
            self.registers.insert((t, frame.base + dst.0 as usize), label);
            if let Some(key) = updated {
                self.tainter.borrow_mut().hand(t, key);
            }
        }
    }

    /// The thread is back in the function that called: what came back has no label.
    fn returned(&mut self, machine: &Machine, t: usize, stand: &Stand) {
        self.registers.retain(|(u, slot), _| *u != t || *slot < stand.base);
        let call = machine.threads[t].frames.last().and_then(|f| {
            let body = machine.program.module.funcs[f.func.0 as usize].body.as_ref()?;
            match body.code[f.pc.checked_sub(1)? as usize] {
                Inst::Call { site } => Some((f.base, &body.calls[site as usize])),
                _ => None,
            }
        });
        let Some((base, site)) = call else { return self.forget(t) };
        for slot in 0..site.result_slots {
            self.registers.remove(&(t, base + (site.result.0 + slot) as usize));
        }
    }

    /// Forgets registers of the innermost function that nothing needs any more.
    fn forget_unneeded(&mut self, machine: &Machine, t: usize, stand: &Stand, body: &Body) {
        let needed = self.needed.entry(stand.func.0).or_insert_with(|| needed_behind(body));
        let Some(needed) = needed.get(stand.pc as usize) else { return };
        let jumps = machine.threads[t].frames.last().is_none_or(|f| f.pc != stand.pc + 1);
        if !jumps {
            let base = stand.base;
            self.registers
                .retain(|(u, slot), _| *u != t || *slot < base || needed.contains(&((*slot - base) as u32)));
        }
    }
}

/// The slots that are needed behind each instruction.
fn needed_behind(body: &Body) -> Needed {
    let mut needed = vec![FxHashSet::default(); body.code.len()];
    Liveness::new(body).for_each_after(body, &mut |pc, live| {
        needed[pc as usize] = (0..body.slots).filter(|&slot| live.contains(slot)).collect();
    });
    needed
}

/// A sum or difference.
fn sum(a: Option<Label>, b: Option<Label>, minus: bool) -> Option<Label> {
    let factor = if minus { u64::MAX } else { 1 };
    match (a, b) {
        (None, None) => None,
        (Some(a), None) => Some(a),
        (None, Some(b)) => Some(b.times(factor)),
        (Some(mut a), Some(b)) if (a.class, a.len) == (b.class, b.len) => {
            a.combine(&b, factor);
            Some(a)
        }
        _ => None,
    }
}

impl Watch for Follower<'_, '_> {
    fn waits(&mut self, _: usize, _: usize) {}

    fn ended(&mut self, t: usize) {
        self.forget(t);
    }

    fn steered(&self) -> bool {
        false
    }

    fn follows(&mut self, machine: &Machine, t: usize) -> bool {
        self.take_read(machine, t);
        if self.steps >= MAX_STEPS {
            self.registers.clear();
        }
        self.registers.keys().any(|(u, _)| *u == t)
    }

    fn before(&mut self, machine: &Machine, t: usize) -> Planned {
        self.steps += 1;
        self.tainter.borrow_mut().plan(t, None);
        self.stand = machine.threads[t].frames.last().map(|f| Stand {
            func: f.func,
            pc: f.pc,
            base: f.base,
            depth: machine.threads[t].frames.len(),
            open: false,
        });
        let Some(stand) = &mut self.stand else { return Planned::default() };
        let Some(body) = machine.program.module.funcs[stand.func.0 as usize].body.as_ref() else {
            return Planned::default();
        };
        let inst = body.code[stand.pc as usize];
        if let Inst::Branch { cond: o, .. } | Inst::Switch { value: o, .. } = inst {
            let both = machine.may.sites.contains(&(stand.func.0, stand.pc));
            stand.open = both || machine.value_of(t, o).is_some_and(|v| v.1 != 0);
        }
        let stand = *stand;
        match inst {
            Inst::Store { src, ty, .. } => {
                let label = self.label(machine, t, stand.base, src).ok().flatten();
                let label = label.filter(|l| scalar(ty) == Some((l.class, l.len)));
                self.tainter.borrow_mut().plan(t, label);
                Planned::default()
            }
            _ => Planned { result: self.result(machine, t, &stand, &inst) },
        }
    }

    fn after(&mut self, machine: &mut Machine, t: usize, planned: Planned) {
        let Some(stand) = self.stand.take() else { return self.forget(t) };
        let program = machine.program;
        let Some(body) = program.module.funcs[stand.func.0 as usize].body.as_ref() else {
            return self.forget(t);
        };
        let inst = body.code[stand.pc as usize];
        let depth = machine.threads[t].frames.len();
        if stand.open {
            // Both ways were gone.
            return self.forget(t);
        }
        if depth > stand.depth {
            // What the caller keeps it finds again; what is handed over is not followed.
            let base = machine.threads[t].frames[stand.depth].base;
            return self.registers.retain(|(u, slot), _| *u != t || *slot < base);
        }
        if depth < stand.depth {
            return self.returned(machine, t, &stand);
        }
        match inst {
            Inst::Load { dst, ty, .. } => {
                for slot in 0..ty.slots() {
                    self.registers.remove(&(t, stand.base + dst.0 as usize + slot as usize));
                }
                self.take_read(machine, t);
            }
            Inst::Store { .. } => {
                if let Some((address, len)) = self.tainter.borrow_mut().take_settled(t)
                    && let Ok(spot) = machine.memory.resolve(address, len, true)
                {
                    // Every share is in it now.
                    machine.memory.edit(spot, len as usize).1.fill(0);
                }
            }
            Inst::Jump { .. } | Inst::Branch { .. } | Inst::Switch { .. } | Inst::IndirectJump { .. } => {
                self.follow_edge(machine, t, &stand, body, &inst);
            }
            Inst::Invoke { .. } | Inst::LandingPad { .. } | Inst::Resume { .. } => self.forget(t),
            _ => self.follow_result(machine, t, &stand, body, &inst, planned.result),
        }
        self.forget_unneeded(machine, t, &stand, body);
    }
}

impl Follower<'_, '_> {
    /// An instruction that gives a result.
    fn follow_result(
        &mut self,
        machine: &mut Machine,
        t: usize,
        stand: &Stand,
        body: &Body,
        inst: &Inst,
        result: Option<Label>,
    ) {
        let mut defs = Vec::new();
        inst.defs(body, &mut |slot, count| defs.push(slot.0 as usize..(slot.0 + count) as usize));
        for slot in defs.into_iter().flatten() {
            self.registers.remove(&(t, stand.base + slot));
        }
        if let Inst::Move { dst, .. }
        | Inst::Int { dst, .. }
        | Inst::Float { dst, .. }
        | Inst::Cast { dst, .. } = *inst
        {
            self.settle(machine, t, stand.base + dst.0 as usize, result);
        }
    }
}

/// How values of a type are added, and how many bytes they have.
pub fn scalar(ty: Scalar) -> Option<(Class, u64)> {
    match ty {
        Scalar::Int(bits) => whole_bytes(bits).map(|len| (Class::Add, len)),
        Scalar::F64 => Some((Class::FloatAdd, 8)),
        _ => None,
    }
}

fn whole_bytes(bits: u8) -> Option<u64> {
    matches!(bits, 8 | 16 | 32 | 64).then_some(u64::from(bits) / 8)
}
