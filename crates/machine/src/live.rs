//! Which slots of a frame still matter.
//!
//! A value that is never read again must not tell two states apart, so states are hashed by their live slots only. The
//! analysis is the classical backward data flow over basic blocks; results are kept for the instructions at which a
//! thread can stand while a state is taken: calls (also of frames further out), atomic operations and loop heads.

use ir::{ArgKind, Body, Callee, Clause, Edge, Inst, Opnd, Scalar, Slot};
use rustc_hash::FxHashMap;

/// Live slots of one function, by instruction.
#[derive(Debug, Default)]
pub struct Liveness {
    /// Live before the instruction.
    before: FxHashMap<u32, Box<[u32]>>,
    /// Live across a call: after it, without its result.
    across: FxHashMap<u32, Box<[u32]>>,
}

impl Liveness {
    /// Slots that are live before instruction `pc`.
    pub fn before(&self, pc: u32) -> &[u32] {
        self.before.get(&pc).map_or(&[], |s| s)
    }

    /// Slots that are live while the call at `pc` runs.
    pub fn across(&self, pc: u32) -> &[u32] {
        self.across.get(&pc).map_or(&[], |s| s)
    }

    /// Analyses a body.
    pub fn new(body: &Body) -> Liveness {
        let blocks = Blocks::new(body);
        let ins = blocks.solve(body);
        let mut result = Liveness::default();
        for (b, range) in blocks.ranges.iter().enumerate() {
            let mut live = blocks.out(body, b, &ins);
            for pc in range.clone().rev() {
                let inst = &body.code[pc];
                let call = matches!(inst, Inst::Call { .. } | Inst::Invoke { .. });
                defs(body, inst, |slot| live.remove(slot));
                if call {
                    result.across.insert(pc as u32, live.list());
                }
                uses(body, inst, |slot| live.insert(slot));
                if call || is_atomic(inst) || blocks.heads.contains(&(pc as u32)) {
                    result.before.insert(pc as u32, live.list());
                }
            }
        }
        result
    }
}

fn is_atomic(inst: &Inst) -> bool {
    matches!(
        inst,
        Inst::AtomicLoad { .. } | Inst::AtomicStore { .. } | Inst::AtomicRmw { .. } | Inst::CmpXchg { .. }
    )
}

#[derive(Clone, PartialEq)]
struct Bits(Vec<u64>);

impl Bits {
    fn new(slots: u32) -> Bits {
        Bits(vec![0; slots.div_ceil(64) as usize])
    }

    fn insert(&mut self, slot: Slot) {
        self.0[slot.0 as usize / 64] |= 1 << (slot.0 % 64);
    }

    fn remove(&mut self, slot: Slot) {
        self.0[slot.0 as usize / 64] &= !(1 << (slot.0 % 64));
    }

    fn join(&mut self, other: &Bits) {
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a |= b;
        }
    }

    fn list(&self) -> Box<[u32]> {
        let mut list = Vec::new();
        for (i, &word) in self.0.iter().enumerate() {
            let mut w = word;
            while w != 0 {
                list.push(i as u32 * 64 + w.trailing_zeros());
                w &= w - 1;
            }
        }
        list.into()
    }
}

struct Blocks {
    ranges: Vec<std::ops::Range<usize>>,
    /// Block of each block's first instruction.
    by_start: FxHashMap<u32, usize>,
    /// Targets of edges that close loops.
    heads: Vec<u32>,
}

impl Blocks {
    fn new(body: &Body) -> Blocks {
        let mut starts: Vec<u32> = body.edges.iter().map(|e| e.target).chain([0]).collect();
        for (pc, inst) in body.code.iter().enumerate() {
            if !successors(body, inst).is_empty() || ends_path(inst) {
                starts.push(pc as u32 + 1);
            }
        }
        starts.sort_unstable();
        starts.dedup();
        starts.retain(|&s| (s as usize) < body.code.len());
        let ends = starts.iter().skip(1).map(|&s| s as usize).chain([body.code.len()]);
        let ranges: Vec<_> = starts.iter().zip(ends).map(|(&s, e)| s as usize..e).collect();
        let by_start = starts.iter().enumerate().map(|(i, &s)| (s, i)).collect();
        let heads = body.edges.iter().filter(|e| e.back).map(|e| e.target).collect();
        Blocks { ranges, by_start, heads }
    }

    /// Live slots at the end of block `b`.
    fn out(&self, body: &Body, b: usize, ins: &[Bits]) -> Bits {
        let mut live = Bits::new(body.slots);
        let last = self.ranges[b].end - 1;
        let next = successors(body, &body.code[last]);
        if next.is_empty() && !ends_path(&body.code[last]) {
            if let Some(&n) = self.by_start.get(&(last as u32 + 1)) {
                live.join(&ins[n]);
            }
            return live;
        }
        for edge in next {
            let mut through = ins[self.by_start[&edge.target]].clone();
            let moves = &body.moves[edge.moves as usize..(edge.moves + edge.move_count) as usize];
            for (dst, src) in moves.iter().rev() {
                through.remove(*dst);
                if !src.is_const() {
                    through.insert(Slot(src.index() as u32));
                }
            }
            live.join(&through);
        }
        live
    }

    fn solve(&self, body: &Body) -> Vec<Bits> {
        let mut ins = vec![Bits::new(body.slots); self.ranges.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for b in (0..self.ranges.len()).rev() {
                let mut live = self.out(body, b, &ins);
                for pc in self.ranges[b].clone().rev() {
                    defs(body, &body.code[pc], |slot| live.remove(slot));
                    uses(body, &body.code[pc], |slot| live.insert(slot));
                }
                if live != ins[b] {
                    ins[b] = live;
                    changed = true;
                }
            }
        }
        ins
    }
}

fn ends_path(inst: &Inst) -> bool {
    matches!(
        inst,
        Inst::Return { .. } | Inst::Unreachable | Inst::Trap | Inst::Unsupported { .. } | Inst::Resume { .. }
    )
}

fn successors(body: &Body, inst: &Inst) -> Vec<Edge> {
    let edge = |e: ir::EdgeId| body.edges[e.0 as usize];
    match *inst {
        Inst::Jump { edge: e } => vec![edge(e)],
        Inst::Branch { then, otherwise, .. } => vec![edge(then), edge(otherwise)],
        Inst::Invoke { normal, unwind, .. } => vec![edge(normal), edge(unwind)],
        Inst::Switch { table, .. } => {
            let table = &body.switches[table as usize];
            table.cases.iter().map(|&(_, e)| edge(e)).chain([edge(table.default)]).collect()
        }
        Inst::IndirectJump { first, count, .. } => {
            body.edges[first.0 as usize..(first.0 + count) as usize].to_vec()
        }
        _ => Vec::new(),
    }
}

fn int_slots(bits: u8) -> u32 {
    Scalar::Int(bits).slots()
}

/// Calls `f` with every slot that an instruction writes.
fn defs(body: &Body, inst: &Inst, mut f: impl FnMut(Slot)) {
    let mut many = |slot: Slot, n: u32| (0..n).for_each(|i| f(Slot(slot.0 + i)));
    match *inst {
        Inst::Move { dst, .. }
        | Inst::IntCmp { dst, .. }
        | Inst::FloatCmp { dst, .. }
        | Inst::Select { dst, .. }
        | Inst::Index { dst, .. }
        | Inst::Offset { dst, .. }
        | Inst::Alloca { dst, .. }
        | Inst::StackSave { dst }
        | Inst::ThreadLocal { dst, .. }
        | Inst::TypeIdFor { dst, .. } => many(dst, 1),
        Inst::Int { dst, bits, .. } | Inst::IntFn { dst, bits, .. } => many(dst, int_slots(bits)),
        Inst::Float { dst, ty, .. }
        | Inst::FloatNeg { dst, ty, .. }
        | Inst::FloatFn { dst, ty, .. }
        | Inst::Load { dst, ty, .. }
        | Inst::AtomicLoad { dst, ty, .. }
        | Inst::AtomicRmw { dst, ty, .. }
        | Inst::VaArg { dst, ty, .. } => many(dst, ty.slots()),
        Inst::Cast { dst, to, .. } => many(dst, to.slots()),
        Inst::Overflow { dst, overflow, bits, .. } => {
            many(dst, int_slots(bits));
            many(overflow, 1);
        }
        Inst::CmpXchg { dst, ok, index } => {
            many(dst, body.cmpxchgs[index as usize].ty.slots());
            many(ok, 1);
        }
        Inst::Call { site } | Inst::Invoke { site, .. } => {
            let site = &body.calls[site as usize];
            many(site.result, site.result_slots);
        }
        Inst::LandingPad { pad } => many(body.pads[pad as usize].result, 2),
        _ => {}
    }
}

/// Calls `f` with every slot that an instruction reads.
fn uses(body: &Body, inst: &Inst, mut f: impl FnMut(Slot)) {
    let mut many = |o: Opnd, n: u32| {
        if !o.is_const() {
            (0..n).for_each(|i| f(Slot(o.index() as u32 + i)));
        }
    };
    match *inst {
        Inst::Move { src, .. } => many(src, 1),
        Inst::Int { bits, a, b, .. }
        | Inst::IntCmp { bits, a, b, .. }
        | Inst::Overflow { bits, a, b, .. } => {
            many(a, int_slots(bits));
            many(b, int_slots(bits));
        }
        Inst::Float { ty, a, b, .. } | Inst::FloatCmp { ty, a, b, .. } => {
            many(a, ty.slots());
            many(b, ty.slots());
        }
        Inst::FloatNeg { ty, a, .. } => many(a, ty.slots()),
        Inst::Cast { from, src, .. } => many(src, from.slots()),
        Inst::Select { cond, a, b, .. } => [cond, a, b].into_iter().for_each(|o| many(o, 1)),
        Inst::IntFn { bits, a, b, c, .. } => [a, b, c].into_iter().for_each(|o| many(o, int_slots(bits))),
        Inst::FloatFn { ty, a, b, c, .. } => [a, b, c].into_iter().for_each(|o| many(o, ty.slots())),
        Inst::Index { base, index, .. } => {
            many(base, 1);
            many(index, 1);
        }
        Inst::Offset { base, .. } => many(base, 1),
        Inst::Load { addr, .. } | Inst::AtomicLoad { addr, .. } => many(addr, 1),
        Inst::Store { addr, src, ty, .. }
        | Inst::AtomicStore { addr, src, ty, .. }
        | Inst::AtomicRmw { addr, src, ty, .. } => {
            many(addr, 1);
            many(src, ty.slots());
        }
        Inst::CmpXchg { index, .. } => {
            let x = &body.cmpxchgs[index as usize];
            many(x.addr, 1);
            many(x.expected, x.ty.slots());
            many(x.new, x.ty.slots());
        }
        Inst::Alloca { count, .. } => many(count, 1),
        Inst::StackRestore { saved } => many(saved, 1),
        Inst::LifetimeStart { addr } | Inst::LifetimeEnd { addr } => many(addr, 1),
        Inst::Copy { dst, src, len, .. } => [dst, src, len].into_iter().for_each(|o| many(o, 1)),
        Inst::Fill { dst, byte, len, .. } => [dst, byte, len].into_iter().for_each(|o| many(o, 1)),
        Inst::VaStart { list } | Inst::VaEnd { list } | Inst::VaArg { list, .. } => many(list, 1),
        Inst::VaCopy { dst, src } => {
            many(dst, 1);
            many(src, 1);
        }
        Inst::Call { site } | Inst::Invoke { site, .. } => {
            let site = &body.calls[site as usize];
            if let Callee::Indirect(o) = site.callee {
                many(o, 1);
            }
            for arg in &body.args[site.args as usize..(site.args + site.arg_count) as usize] {
                match arg.kind {
                    ArgKind::Scalar(s) => many(arg.value, s.slots()),
                    ArgKind::ByVal { .. } => many(arg.value, 1),
                }
            }
        }
        Inst::LandingPad { pad } => {
            for clause in &body.pads[pad as usize].clauses {
                match clause {
                    Clause::Catch(o) => o.iter().for_each(|&o| many(o, 1)),
                    Clause::Filter(list) => list.iter().for_each(|&o| many(o, 1)),
                }
            }
        }
        Inst::Resume { exception } => many(exception, 1),
        Inst::TypeIdFor { type_info, .. } => many(type_info, 1),
        Inst::Branch { cond, .. } => many(cond, 1),
        Inst::Switch { value, .. } => many(value, 1),
        Inst::IndirectJump { addr, .. } => many(addr, 1),
        Inst::Return { src, count } => many(src, count),
        _ => {}
    }
}
