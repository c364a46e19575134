//! Which slots an instruction reads and writes, and which are live where.
//!
//! A slot is *live* before an instruction if some path from there reads it before anything writes it. Two frames that
//! differ in dead slots only behave alike. The sets are found by the usual backward iteration over basic blocks to
//! the least fixed point, so they are exact with respect to the control-flow graph.

use crate::code::*;

impl Inst {
    /// Calls `f` with every operand, and how many slots it spans.
    pub fn uses(&self, body: &Body, f: &mut dyn FnMut(Opnd, u32)) {
        let int = |bits: u8| Scalar::Int(bits).slots();
        match *self {
            Inst::Move { src, .. } => f(src, 1),
            Inst::Int { bits, a, b, .. }
            | Inst::IntCmp { bits, a, b, .. }
            | Inst::Overflow { bits, a, b, .. } => {
                f(a, int(bits));
                f(b, int(bits));
            }
            Inst::Float { ty, a, b, .. } | Inst::FloatCmp { ty, a, b, .. } => {
                f(a, ty.slots());
                f(b, ty.slots());
            }
            Inst::FloatNeg { ty, a, .. } => f(a, ty.slots()),
            Inst::Cast { from, src, .. } => f(src, from.slots()),
            Inst::Select { cond, a, b, .. } => [cond, a, b].into_iter().for_each(|o| f(o, 1)),
            Inst::IntFn { bits, a, b, c, .. } => [a, b, c].into_iter().for_each(|o| f(o, int(bits))),
            Inst::FloatFn { f: FloatFn::PowI, ty, a, b, .. } => {
                f(a, ty.slots());
                f(b, 1);
            }
            Inst::FloatFn { ty, a, b, c, .. } => [a, b, c].into_iter().for_each(|o| f(o, ty.slots())),
            Inst::Index { base, index, .. } => {
                f(base, 1);
                f(index, 1);
            }
            Inst::Offset { base, .. } => f(base, 1),
            Inst::Load { addr, .. } | Inst::AtomicLoad { addr, .. } => f(addr, 1),
            Inst::Store { addr, src, ty, .. }
            | Inst::AtomicStore { addr, src, ty, .. }
            | Inst::AtomicRmw { addr, src, ty, .. } => {
                f(addr, 1);
                f(src, ty.slots());
            }
            Inst::CmpXchg { index, .. } => {
                let x = &body.cmpxchgs[index as usize];
                f(x.addr, 1);
                f(x.expected, x.ty.slots());
                f(x.new, x.ty.slots());
            }
            Inst::Alloca { count, .. } => f(count, 1),
            Inst::StackRestore { saved } => f(saved, 1),
            Inst::LifetimeStart { addr } | Inst::LifetimeEnd { addr } => f(addr, 1),
            Inst::Copy { dst, src, len, .. } => [dst, src, len].into_iter().for_each(|o| f(o, 1)),
            Inst::Fill { dst, byte, len, .. } => [dst, byte, len].into_iter().for_each(|o| f(o, 1)),
            Inst::VaStart { list } | Inst::VaEnd { list } | Inst::VaArg { list, .. } => f(list, 1),
            Inst::VaCopy { dst, src } => {
                f(dst, 1);
                f(src, 1);
            }
            Inst::Call { site } | Inst::Invoke { site, .. } => {
                let site = &body.calls[site as usize];
                if let Callee::Indirect(callee) = site.callee {
                    f(callee, 1);
                }
                for arg in &body.args[site.args as usize..(site.args + site.arg_count) as usize] {
                    match arg.kind {
                        ArgKind::Scalar(ty) => f(arg.value, ty.slots()),
                        ArgKind::ByVal { .. } => f(arg.value, 1),
                    }
                }
            }
            Inst::LandingPad { pad } => {
                for clause in &body.pads[pad as usize].clauses {
                    match clause {
                        Clause::Catch(Some(info)) => f(*info, 1),
                        Clause::Catch(None) => {}
                        Clause::Filter(infos) => infos.iter().for_each(|o| f(*o, 1)),
                    }
                }
            }
            Inst::Resume { exception } => f(exception, 1),
            Inst::TypeIdFor { type_info, .. } => f(type_info, 1),
            Inst::Branch { cond, .. } => f(cond, 1),
            Inst::Switch { value, .. } => f(value, 1),
            Inst::IndirectJump { addr, .. } => f(addr, 1),
            Inst::Return { src, count } => {
                if count > 0 {
                    f(src, count);
                }
            }
            Inst::Fence { .. }
            | Inst::StackSave { .. }
            | Inst::ThreadLocal { .. }
            | Inst::Jump { .. }
            | Inst::Unreachable
            | Inst::Trap
            | Inst::Unsupported { .. }
            | Inst::Nop => {}
        }
    }

    /// Calls `f` with every slot that the instruction writes, and how many follow it. The result of an
    /// [`Inst::Invoke`] counts as written by the instruction, though it is on the normal way only.
    pub fn defs(&self, body: &Body, f: &mut dyn FnMut(Slot, u32)) {
        let int = |bits: u8| Scalar::Int(bits).slots();
        match *self {
            Inst::Move { dst, .. }
            | Inst::IntCmp { dst, .. }
            | Inst::FloatCmp { dst, .. }
            | Inst::Select { dst, .. }
            | Inst::Index { dst, .. }
            | Inst::Offset { dst, .. }
            | Inst::Alloca { dst, .. }
            | Inst::StackSave { dst }
            | Inst::ThreadLocal { dst, .. }
            | Inst::TypeIdFor { dst, .. } => f(dst, 1),
            Inst::Int { bits, dst, .. } | Inst::IntFn { bits, dst, .. } => f(dst, int(bits)),
            Inst::Overflow { bits, dst, overflow, .. } => {
                f(dst, int(bits));
                f(overflow, 1);
            }
            Inst::Cast { to, dst, .. } => f(dst, to.slots()),
            Inst::Float { ty, dst, .. }
            | Inst::FloatNeg { ty, dst, .. }
            | Inst::FloatFn { ty, dst, .. }
            | Inst::Load { ty, dst, .. }
            | Inst::AtomicLoad { ty, dst, .. }
            | Inst::AtomicRmw { ty, dst, .. }
            | Inst::VaArg { ty, dst, .. } => f(dst, ty.slots()),
            Inst::CmpXchg { dst, ok, index } => {
                f(dst, body.cmpxchgs[index as usize].ty.slots());
                f(ok, 1);
            }
            Inst::Call { site } | Inst::Invoke { site, .. } => {
                let site = &body.calls[site as usize];
                if site.result_slots > 0 {
                    f(site.result, site.result_slots);
                }
            }
            Inst::LandingPad { pad } => f(body.pads[pad as usize].result, 2),
            _ => {}
        }
    }

    /// Calls `f` with every edge that control can take.
    pub fn edges(&self, body: &Body, f: &mut dyn FnMut(EdgeId)) {
        match *self {
            Inst::Jump { edge } => f(edge),
            Inst::Branch { then, otherwise, .. } => {
                f(then);
                f(otherwise);
            }
            Inst::Invoke { normal, unwind, .. } => {
                f(normal);
                f(unwind);
            }
            Inst::Switch { table, .. } => {
                let table = &body.switches[table as usize];
                table.cases.iter().for_each(|(_, edge)| f(*edge));
                f(table.default);
            }
            Inst::IndirectJump { first, count, .. } => (0..count).for_each(|i| f(EdgeId(first.0 + i))),
            _ => {}
        }
    }

    /// Whether control never goes on to the instruction that follows.
    pub fn is_terminator(&self) -> bool {
        matches!(
            self,
            Inst::Jump { .. }
                | Inst::Branch { .. }
                | Inst::Switch { .. }
                | Inst::IndirectJump { .. }
                | Inst::Return { .. }
                | Inst::Unreachable
                | Inst::Trap
                | Inst::Unsupported { .. }
                | Inst::Invoke { .. }
                | Inst::Resume { .. }
        )
    }
}

/// A set of slots.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlotSet(Vec<u64>);

impl SlotSet {
    /// No slot, of `slots` many.
    pub fn new(slots: u32) -> SlotSet {
        SlotSet(vec![0; slots.div_ceil(64) as usize])
    }

    /// Whether a slot is in it.
    pub fn contains(&self, slot: u32) -> bool {
        self.0[slot as usize / 64] >> (slot % 64) & 1 != 0
    }

    /// Adds a slot.
    pub fn insert(&mut self, slot: u32) {
        self.0[slot as usize / 64] |= 1 << (slot % 64);
    }

    /// Removes a slot.
    pub fn remove(&mut self, slot: u32) {
        self.0[slot as usize / 64] &= !(1 << (slot % 64));
    }

    /// The slots, in order.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        let bits = |(i, word): (usize, &u64)| {
            let word = *word;
            (0..64).filter(move |b| word >> b & 1 != 0).map(move |b| i as u32 * 64 + b)
        };
        self.0.iter().enumerate().flat_map(bits)
    }

    /// Adds all of another set; whether that changed anything.
    pub fn union(&mut self, other: &SlotSet) -> bool {
        let mut changed = false;
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            changed |= *theirs & !*mine != 0;
            *mine |= theirs;
        }
        changed
    }
}

/// The live slots of a body.
#[derive(Debug, Clone)]
pub struct Liveness {
    /// The first instruction of each basic block, in order.
    starts: Vec<u32>,
    /// The slots that are live before each block.
    before: Vec<SlotSet>,
}

impl Liveness {
    /// Computes the live slots of a body.
    pub fn new(body: &Body) -> Liveness {
        let mut leads = vec![false; body.code.len()];
        leads.iter_mut().take(1).for_each(|l| *l = true);
        body.edges.iter().for_each(|e| leads[e.target as usize] = true);
        for (at, inst) in body.code.iter().enumerate() {
            if inst.is_terminator() && at + 1 < leads.len() {
                leads[at + 1] = true;
            }
        }
        let starts: Vec<u32> = (0..leads.len()).filter(|at| leads[*at]).map(|at| at as u32).collect();
        let mut live = Liveness { before: vec![SlotSet::new(body.slots); starts.len()], starts };
        let mut changed = true;
        while changed {
            changed = false;
            for block in (0..live.starts.len()).rev() {
                let set = live.walk(body, block, live.starts[block]);
                changed |= live.before[block].union(&set);
            }
        }
        live
    }

    /// The slots that are live before instruction `at`.
    pub fn before(&self, body: &Body, at: u32) -> SlotSet {
        let block = self.starts.partition_point(|start| *start <= at) - 1;
        self.walk(body, block, at)
    }

    /// Calls `f` for every instruction, in no particular order, with the slots that are live after it: on all ways out,
    /// before the edges' copies.
    pub fn for_each_after(&self, body: &Body, f: &mut dyn FnMut(u32, &SlotSet)) {
        for block in 0..self.starts.len() {
            self.walk_with(body, block, self.starts[block], f);
        }
    }

    fn walk(&self, body: &Body, block: usize, down_to: u32) -> SlotSet {
        self.walk_with(body, block, down_to, &mut |_, _| {})
    }

    fn walk_with(
        &self,
        body: &Body,
        block: usize,
        down_to: u32,
        f: &mut dyn FnMut(u32, &SlotSet),
    ) -> SlotSet {
        let end = self.starts.get(block + 1).map_or(body.code.len(), |s| *s as usize);
        let last = &body.code[end - 1];
        let mut live = SlotSet::new(body.slots);
        if !last.is_terminator() && block + 1 < self.starts.len() {
            live.union(&self.before[block + 1]);
        }
        last.edges(body, &mut |edge| {
            let edge = &body.edges[edge.0 as usize];
            let target = self.starts.partition_point(|s| *s <= edge.target) - 1;
            let mut set = self.before[target].clone();
            for i in (edge.moves..edge.moves + edge.move_count).rev() {
                let (dst, src) = body.moves[i as usize];
                set.remove(dst.0);
                if !src.is_const() {
                    set.insert(src.0);
                }
            }
            live.union(&set);
        });
        for at in (down_to as usize..end).rev() {
            let inst = &body.code[at];
            f(at as u32, &live);
            inst.defs(body, &mut |slot, count| (slot.0..slot.0 + count).for_each(|s| live.remove(s)));
            inst.uses(body, &mut |opnd, count| {
                if !opnd.is_const() {
                    (opnd.0..opnd.0 + count).for_each(|s| live.insert(s));
                }
            });
        }
        live
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::module::{Const, PlaceId};

    /// `do { i = i + 1 } while (i < n); return i` with `n` in slot 0, `i` in slot 1 and the test in slot 2.
    fn body() -> Body {
        let one = Opnd::constant(0);
        let (n, i, t) = (Opnd(0), Opnd(1), Opnd(2));
        Body {
            slots: 4,
            code: vec![
                Inst::Move { dst: Slot(3), src: n },
                Inst::Jump { edge: EdgeId(0) },
                Inst::Int { op: IntOp::Add, bits: 32, dst: Slot(1), a: i, b: one },
                Inst::IntCmp { cmp: IntCmp::Slt, bits: 32, dst: Slot(2), a: i, b: n },
                Inst::Branch { cond: t, then: EdgeId(1), otherwise: EdgeId(2) },
                Inst::Return { src: i, count: 1 },
            ],
            places: vec![PlaceId::NONE; 6],
            consts: vec![Const::Bits(1)],
            edges: [(2, 0, 1), (2, 0, 0), (5, 0, 0)]
                .map(|(target, moves, move_count)| Edge { target, moves, move_count, back: false })
                .to_vec(),
            moves: vec![(Slot(1), one)],
            ..Body::default()
        }
    }

    #[test]
    fn loops_keep_what_they_read() {
        let body = body();
        let live = Liveness::new(&body);
        let at = |i| live.before(&body, i).iter().collect::<Vec<_>>();
        assert_eq!(at(0), [0]);
        assert_eq!(at(1), [0]);
        assert_eq!(at(2), [0, 1]);
        assert_eq!(at(4), [0, 1, 2]);
        assert_eq!(at(5), [1]);
    }
}
