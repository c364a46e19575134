//! Pass 2 followed step by step: which registers and places in memory hold sums over slots (see [`super`]).

use std::cell::RefCell;
use std::collections::BTreeMap;

use ir::{CastOp, FloatOp, FuncId, Inst, IntOp, Opnd, Scalar};
use machine::Machine;
use rustc_hash::FxHashMap;

use super::Ledger;
use crate::commute::Class;
use crate::drive::Watch;
use crate::slots::Stage;
use crate::taint::Tainter;

/// The most steps that are followed.
const MAX_STEPS: u64 = 30_000_000;

/// A sum of slots with coefficients.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Form {
    class: Class,
    bits: u8,
    /// By slot, never zero.
    terms: BTreeMap<(Stage, u64), u64>,
}

impl Form {
    /// `self + factor * other`.
    fn plus(mut self, other: &Form, factor: u64) -> Form {
        for (slot, coefficient) in &other.terms {
            let sum = self.terms.entry(*slot).or_default();
            *sum = sum.wrapping_add(coefficient.wrapping_mul(factor)) & mask(self.bits);
        }
        self.terms.retain(|_, c| *c != 0);
        self
    }

    fn times(mut self, factor: u64) -> Form {
        for c in self.terms.values_mut() {
            *c = c.wrapping_mul(factor) & mask(self.bits);
        }
        self.terms.retain(|_, c| *c != 0);
        self
    }

    /// Whether it is the same in every distribution: all members of a family count equally.
    fn is_closed(&self, ledger: &Ledger) -> bool {
        let mut seen: FxHashMap<(Stage, u32), (u64, u32)> = FxHashMap::default();
        for (slot, &c) in &self.terms {
            let Some(&family) = ledger.families.of.get(slot) else { return false };
            if ledger.spoilt.contains(&family) {
                return false;
            }
            let (coefficient, count) = seen.entry((slot.0, family)).or_insert((c, 0));
            if *coefficient != c {
                return false;
            }
            *count += 1;
        }
        seen.iter().all(|((_, family), (_, count))| ledger.families.all[*family as usize].size == *count)
    }
}

fn mask(bits: u8) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}

/// Where a thread stands before a step.
#[derive(Debug, Clone, Copy)]
struct Stand {
    func: FuncId,
    pc: u32,
    base: usize,
    depth: usize,
    /// The address of a plain load or store.
    address: Option<u64>,
    /// Whether a branch is decided by an unconstrained value.
    open: bool,
}

/// Follows pass 2.
pub struct Follower<'t, 'm> {
    tainter: &'t RefCell<Tainter<'m>>,
    /// By thread and slot of the machine.
    registers: FxHashMap<(usize, usize), Form>,
    /// By address.
    memory: BTreeMap<u64, (u64, Form)>,
    /// By thread: the calls that were followed, with the depth and where the result goes.
    calls: FxHashMap<usize, Vec<(usize, usize, u32)>>,
    stand: Option<Stand>,
    /// By thread: how many functions it was in after its last step.
    depths: FxHashMap<usize, usize>,
    steps: u64,
    /// Whether a floating-point sum was taken to be the same in every order.
    pub float_assumed: bool,
}

impl<'t, 'm> Follower<'t, 'm> {
    /// Of a pass that is about to begin.
    pub fn new(tainter: &'t RefCell<Tainter<'m>>) -> Follower<'t, 'm> {
        Follower {
            tainter,
            registers: FxHashMap::default(),
            memory: BTreeMap::default(),
            calls: FxHashMap::default(),
            stand: None,
            depths: FxHashMap::default(),
            steps: 0,
            float_assumed: false,
        }
    }

    fn forget(&mut self, t: usize) {
        self.registers.retain(|(u, _), _| *u != t);
        self.calls.remove(&t);
    }

    fn overwrite(&mut self, address: u64, len: u64) {
        let near = self.memory.range(address.saturating_sub(15)..address.saturating_add(len));
        let hit: Vec<u64> = near.filter(|(at, (size, _))| **at + size > address).map(|(at, _)| *at).collect();
        for at in hit {
            self.memory.remove(&at);
        }
    }

    /// What others have written, or was made anew, has no form.
    fn told(&mut self) {
        let (written, made) = {
            let mut tainter = self.tainter.borrow_mut();
            let ledger = &mut tainter.ledger;
            (std::mem::take(&mut ledger.written), std::mem::take(&mut ledger.made))
        };
        for (address, len) in written {
            self.overwrite(address, len);
        }
        for object in made {
            self.memory.retain(|at, _| at >> 30 != object);
        }
    }

    /// The form of an operand: `Err` if it is unconstrained and has none.
    fn form(&self, machine: &Machine, t: usize, base: usize, o: Opnd) -> Result<Option<Form>, ()> {
        let shadow = if o.is_const() { 0 } else { machine.threads[t].shadows[base + o.index()] };
        match self.registers.get(&(t, base + o.index())).filter(|_| !o.is_const()) {
            Some(form) => Ok(Some(form.clone())),
            None if shadow == 0 => Ok(None),
            None => Err(()),
        }
    }

    /// The form that an instruction gives its result, of operands as they are before it.
    fn result(&self, machine: &Machine, t: usize, stand: &Stand, inst: &Inst) -> Option<Form> {
        let form = |o: Opnd| self.form(machine, t, stand.base, o);
        let value = |o: Opnd| machine.value_of(t, o).filter(|v| v.1 == 0).map(|v| v.0);
        match *inst {
            Inst::Move { src, .. } => form(src).ok().flatten(),
            Inst::Int { op: op @ (IntOp::Add | IntOp::Sub), bits, a, b, .. } => {
                let factor = if op == IntOp::Add { 1 } else { u64::MAX };
                let sum = match (form(a).ok()?, form(b).ok()?) {
                    (None, None) => return None,
                    (Some(a), None) => a,
                    (None, Some(b)) => b.times(factor),
                    (Some(a), Some(b)) if (a.class, a.bits) == (b.class, b.bits) => a.plus(&b, factor),
                    _ => return None,
                };
                (sum.class == Class::Add && sum.bits == bits).then_some(sum)
            }
            Inst::Int { op: IntOp::Mul, bits, a, b, .. } => {
                let (sum, factor) = match (form(a).ok()?, form(b).ok()?) {
                    (Some(a), None) => (a, value(b)?),
                    (None, Some(b)) => (b, value(a)?),
                    _ => return None,
                };
                (sum.class == Class::Add && sum.bits == bits).then(|| sum.times(factor))
            }
            Inst::Float { op: op @ (FloatOp::Add | FloatOp::Sub), ty: Scalar::F64, a, b, .. } => {
                let factor = if op == FloatOp::Add { 1 } else { u64::MAX };
                let sum = match (form(a).ok()?, form(b).ok()?) {
                    (None, None) => return None,
                    (Some(a), None) => a,
                    (None, Some(b)) => b.times(factor),
                    (Some(a), Some(b)) if a.class == b.class => a.plus(&b, factor),
                    _ => return None,
                };
                (sum.class == Class::FloatAdd).then_some(sum)
            }
            Inst::Cast { op: CastOp::Trunc, to: Scalar::Int(to), src, .. } => {
                let form = form(src).ok().flatten().filter(|f| f.class == Class::Add && to <= f.bits)?;
                Some(Form { bits: to, ..form }.times(1))
            }
            Inst::Cast { op: CastOp::SExt, to: Scalar::Int(to), src, .. } if to <= 64 => {
                let form = form(src).ok().flatten().filter(|f| f.class == Class::Add)?;
                self.fits(&form, machine.value_of(t, src)?.0).then_some(Form { bits: to, ..form })
            }
            _ => None,
        }
    }

    /// Whether a form is one slot that holds no number too large for it in any distribution: then widening it is the
    /// same as computing in the wider type.
    fn fits(&self, form: &Form, value: u64) -> bool {
        let tainter = self.tainter.borrow();
        let ledger = &tainter.ledger;
        let mut terms = form.terms.iter();
        let (Some((slot, 1)), None) = (terms.next(), terms.next()) else { return false };
        let Some(family) = ledger.families.of.get(slot) else { return false };
        let shift = 64 - u32::from(form.bits);
        let now = u128::from((((value << shift) as i64) >> shift).unsigned_abs());
        let most = ledger.weight.get(family).copied().unwrap_or_default();
        now + 2 * most < 1 << (form.bits - 1)
    }

    /// The copies that an edge makes.
    fn follow_edge(&mut self, machine: &Machine, t: usize, stand: &Stand, edges: &[ir::EdgeId]) {
        let Some(body) = machine.program.module.funcs[stand.func.0 as usize].body.as_ref() else { return };
        let now = machine.threads[t].frames.last().map(|f| f.pc);
        let there = |e: &&ir::EdgeId| Some(body.edges[e.0 as usize].target) == now;
        let taken: Vec<_> = edges.iter().filter(there).collect();
        for &&edge in &taken {
            let edge = body.edges[edge.0 as usize];
            for &(dst, src) in &body.moves[edge.moves as usize..(edge.moves + edge.move_count) as usize] {
                let form = match taken.len() {
                    1 if !src.is_const() => self.registers.get(&(t, stand.base + src.index())).cloned(),
                    _ => None,
                };
                self.put(t, stand.base + dst.0 as usize, form);
            }
        }
        if taken.is_empty() {
            self.forget(t);
        }
    }

    fn put(&mut self, t: usize, slot: usize, form: Option<Form>) {
        match form {
            Some(form) => _ = self.registers.insert((t, slot), form),
            None => _ = self.registers.remove(&(t, slot)),
        }
    }

    /// A result is there: what is the same in every distribution is not unconstrained.
    fn settle(&mut self, machine: &mut Machine, t: usize, slot: usize, form: Option<Form>) {
        if let Some(form) = &form
            && form.is_closed(&self.tainter.borrow().ledger)
        {
            self.float_assumed |= form.class.is_assumed();
            machine.threads[t].shadows[slot] = 0;
            self.registers.remove(&(t, slot));
            return;
        }
        self.put(t, slot, form);
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

    fn follows(&mut self) -> bool {
        let follows = self.steps < MAX_STEPS && self.tainter.borrow().ledger.is_open();
        if !follows {
            self.registers.clear();
            self.memory.clear();
            self.depths.clear();
        }
        follows
    }

    fn before(&mut self, machine: &Machine, t: usize) {
        self.steps += 1;
        self.told();
        let th = &machine.threads[t];
        if self.depths.get(&t).is_some_and(|depth| *depth != th.frames.len()) {
            // Something else than a step has called a function or returned.
            self.forget(t);
        }
        let ledger = &mut self.tainter.borrow_mut().ledger;
        (ledger.read, ledger.open) = (None, false);
        self.stand = th.frames.last().and_then(|f| {
            let body = machine.program.module.funcs[f.func.0 as usize].body.as_ref()?;
            let (address, open) = match body.code[f.pc as usize] {
                Inst::Load { addr, .. } | Inst::Store { addr, .. } => (machine.value_of(t, addr), false),
                Inst::Branch { cond: o, .. } | Inst::Switch { value: o, .. } => {
                    (None, machine.value_of(t, o).is_some_and(|v| v.1 != 0))
                }
                _ => (None, false),
            };
            let address = address.filter(|a| a.1 == 0).map(|a| a.0);
            Some(Stand { func: f.func, pc: f.pc, base: f.base, depth: th.frames.len(), address, open })
        });
    }

    fn after(&mut self, machine: &mut Machine, t: usize, planned: Planned) {
        self.told();
        self.depths.insert(t, machine.threads[t].frames.len());
        let Some(stand) = self.stand.take() else { return self.forget(t) };
        let program = machine.program;
        let Some(body) = program.module.funcs[stand.func.0 as usize].body.as_ref() else {
            return self.forget(t);
        };
        let inst = &body.code[stand.pc as usize];
        let depth = machine.threads[t].frames.len();
        if stand.open {
            // Both ways were gone.
            self.memory.clear();
            return self.forget(t);
        }
        if depth > stand.depth {
            let base = machine.threads[t].frames[stand.depth].base;
            self.registers.retain(|(u, slot), _| *u != t || *slot < base);
            match *inst {
                Inst::Call { site } if depth == stand.depth + 1 => {
                    let site = &body.calls[site as usize];
                    let result = stand.base + site.result.0 as usize;
                    self.calls.entry(t).or_default().push((stand.depth, result, site.result_slots));
                }
                _ => self.forget(t),
            }
            return;
        }
        if depth < stand.depth {
            self.registers.retain(|(u, slot), _| *u != t || *slot < stand.base);
            match self.calls.get_mut(&t).and_then(Vec::pop) {
                Some((to, result, count)) if to == depth && matches!(inst, Inst::Return { .. }) => {
                    for slot in result..result + count as usize {
                        self.registers.remove(&(t, slot));
                    }
                }
                _ => self.forget(t),
            }
            return;
        }
        match *inst {
            Inst::Load { dst, ty, .. } => {
                let form = self.loaded(stand.address, ty);
                self.settle(machine, t, stand.base + dst.0 as usize, form);
                if ty.slots() > 1 {
                    self.registers.remove(&(t, stand.base + dst.0 as usize + 1));
                }
            }
            Inst::Store { .. } => match (stand.address, planned.stored) {
                (Some(address), Some((len, form))) => {
                    self.overwrite(address, len);
                    let open = self.tainter.borrow().ledger.open;
                    if let Some(form) = form.filter(|_| !open) {
                        self.memory.insert(address, (len, form));
                    }
                }
                _ => self.memory.clear(),
            },
            Inst::Jump { .. } | Inst::Branch { .. } | Inst::Switch { .. } | Inst::IndirectJump { .. } => {
                let mut edges = Vec::new();
                inst.edges(body, &mut |edge| edges.push(edge));
                self.follow_edge(machine, t, &stand, &edges);
            }
            Inst::Invoke { .. } | Inst::LandingPad { .. } | Inst::Resume { .. } => self.forget(t),
            _ => {
                let mut defs = Vec::new();
                inst.defs(body, &mut |slot, count| defs.push((slot.0 as usize, count as usize)));
                for (slot, count) in defs {
                    for slot in slot..slot + count {
                        self.registers.remove(&(t, stand.base + slot));
                    }
                }
                match *inst {
                    Inst::Move { dst, .. }
                    | Inst::Int { dst, .. }
                    | Inst::Float { dst, .. }
                    | Inst::Cast { dst, .. } => {
                        self.settle(machine, t, stand.base + dst.0 as usize, planned.result);
                    }
                    Inst::Alloca { dst, .. } => {
                        let made = machine.threads[t].slots[stand.base + dst.0 as usize] >> 30;
                        self.memory.retain(|at, _| at >> 30 != made);
                    }
                    // Memory that no observer is told of may change by these.
                    Inst::Copy { .. }
                    | Inst::Fill { .. }
                    | Inst::LifetimeStart { .. }
                    | Inst::LifetimeEnd { .. }
                    | Inst::StackRestore { .. }
                    | Inst::AtomicStore { .. }
                    | Inst::AtomicRmw { .. }
                    | Inst::CmpXchg { .. }
                    | Inst::VaStart { .. }
                    | Inst::VaCopy { .. }
                    | Inst::VaArg { .. } => self.memory.clear(),
                    _ => {}
                }
            }
        }
    }

    fn plan(&self, machine: &Machine, t: usize) -> Planned {
        let Some(stand) = &self.stand else { return Planned::default() };
        let Some(body) = machine.program.module.funcs[stand.func.0 as usize].body.as_ref() else {
            return Planned::default();
        };
        let inst = &body.code[stand.pc as usize];
        match *inst {
            Inst::Store { src, ty, .. } => {
                let form = self.form(machine, t, stand.base, src).ok().flatten();
                let fits = form.filter(|f| scalar(ty) == Some((f.class, f.bits)));
                let len = u64::from(machine.program.module.pointer_bytes).max(16);
                Planned { result: None, stored: Some((bytes(ty).unwrap_or(len), fits)) }
            }
            _ => Planned { result: self.result(machine, t, stand, inst), stored: None },
        }
    }
}

impl Follower<'_, '_> {
    /// The form of what was loaded just now.
    fn loaded(&self, address: Option<u64>, ty: Scalar) -> Option<Form> {
        let (class, bits) = scalar(ty)?;
        let address = address?;
        let len = bytes(ty)?;
        let tainter = self.tainter.borrow();
        if tainter.ledger.open {
            return None;
        }
        if let Some((at, size, slot)) = tainter.ledger.read {
            let family = tainter.ledger.families.of.get(&slot)?;
            let fits =
                (at, size) == (address, len) && tainter.ledger.families.all[*family as usize].class == class;
            return fits.then(|| Form { class, bits, terms: BTreeMap::from([(slot, 1)]) });
        }
        self.memory
            .get(&address)
            .filter(|(size, f)| *size == len && (f.class, f.bits) == (class, bits))
            .map(|m| m.1.clone())
    }
}

/// How values of a type are added, and how many bits they have.
fn scalar(ty: Scalar) -> Option<(Class, u8)> {
    match ty {
        Scalar::Int(bits @ (8 | 16 | 32 | 64)) => Some((Class::Add, bits)),
        Scalar::F64 => Some((Class::FloatAdd, 64)),
        _ => None,
    }
}

fn bytes(ty: Scalar) -> Option<u64> {
    match ty {
        Scalar::Int(bits) if bits <= 64 => Some(u64::from(bits).div_ceil(8)),
        Scalar::F32 => Some(4),
        Scalar::F64 | Scalar::Ptr => Some(8),
        _ => None,
    }
}

/// What the next step will leave, as far as that is known before it.
#[derive(Debug, Clone, Default)]
pub struct Planned {
    result: Option<Form>,
    /// The size of what is stored, and its form.
    stored: Option<(u64, Option<Form>)>,
}
