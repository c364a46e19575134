//! Lets values that are never needed at the same time share slots, so that frames are small and phi nodes need few
//! copies.
//!
//! Interference as in Chaitin's graph colouring: what an instruction (or a copy on an edge) writes interferes with what
//! is live after it, except a copy's own source. Slots that an instruction names as one span stay together. The spans
//! are coloured greedily in order of their first definition, each with the colour of a copy-related slot if that is
//! free, else with the lowest that fits. Parameters keep their places.

use ir::liveness::{Liveness, SlotSet};
use ir::{Body, Inst, Opnd, Slot};

/// Bodies with more slots stay as they are: the interference table is quadratic.
const MAX_SLOTS: u32 = 4096;

/// Renumbers the slots of a body whose first `params` slots are parameters.
pub fn compact(body: &mut Body, params: u32) {
    if body.slots <= params || body.slots > MAX_SLOTS {
        return;
    }
    let graph = Graph::new(body, params);
    let colours = graph.colour(body, params);
    let count = (0..body.slots as usize).map(|s| colours[s] + 1).max().unwrap_or(0);
    rename(body, &colours);
    body.slots = count.max(params);
    drop_copies_to_self(body);
}

struct Graph {
    /// For each slot those that must not share its place.
    rows: Vec<SlotSet>,
    /// Whether a slot and its successor stay together.
    glued: Vec<bool>,
    /// Pairs of slots between which copies are made.
    related: Vec<(u32, u32)>,
}

impl Graph {
    fn new(body: &Body, params: u32) -> Graph {
        let mut graph = Graph {
            rows: vec![SlotSet::new(body.slots); body.slots as usize],
            glued: vec![false; body.slots as usize],
            related: Vec::new(),
        };
        let live = Liveness::new(body);
        // What is read without having been written has its place from the start, as parameters have.
        let mut entry: Vec<u32> = live.before(body, 0).iter().collect();
        entry.extend(0..params);
        graph.all_differ(&entry);
        live.for_each_after(body, &mut |at, after| graph.instruction(body, &body.code[at as usize], after));
        for edge in &body.edges {
            let mut after = live.before(body, edge.target);
            for i in (edge.moves..edge.moves + edge.move_count).rev() {
                let (dst, src) = body.moves[i as usize];
                graph.copy(dst, src, &after);
                after.remove(dst.0);
                if !src.is_const() {
                    after.insert(src.0);
                }
            }
        }
        graph
    }

    fn differ(&mut self, a: u32, b: u32) {
        if a != b {
            self.rows[a as usize].insert(b);
            self.rows[b as usize].insert(a);
        }
    }

    fn all_differ(&mut self, slots: &[u32]) {
        for (i, a) in slots.iter().enumerate() {
            slots[i + 1..].iter().for_each(|b| self.differ(*a, *b));
        }
    }

    fn copy(&mut self, dst: Slot, src: Opnd, after: &SlotSet) {
        for other in after.iter() {
            if src.is_const() || other != src.0 {
                self.differ(dst.0, other);
            }
        }
        if !src.is_const() {
            self.related.push((dst.0, src.0));
        }
    }

    fn instruction(&mut self, body: &Body, inst: &Inst, after: &SlotSet) {
        let mut uses = Vec::new();
        inst.uses(body, &mut |opnd, count| {
            if !opnd.is_const() {
                (opnd.0..opnd.0 + count - 1).for_each(|s| self.glued[s as usize] = true);
                uses.extend(opnd.0..opnd.0 + count);
            }
        });
        let mut defs = Vec::new();
        inst.defs(body, &mut |slot, count| {
            (slot.0..slot.0 + count - 1).for_each(|s| self.glued[s as usize] = true);
            defs.extend(slot.0..slot.0 + count);
        });
        if let Inst::CmpXchg { dst, ok, .. } = *inst {
            (dst.0..ok.0).for_each(|s| self.glued[s as usize] = true);
        }
        if let Inst::Move { dst, src } = *inst {
            return self.copy(dst, src, after);
        }
        for def in &defs {
            after.iter().for_each(|other| self.differ(*def, other));
        }
        self.all_differ(&defs);
        if !reads_first(inst) || defs.len() > 1 {
            defs.iter().for_each(|d| uses.iter().for_each(|u| self.differ(*d, *u)));
        } else if let ([def], [first, ..]) = (&defs[..], &uses[..]) {
            // No copy, but a place that is likely to be free: `i = i + 1`.
            self.related.push((*def, *first));
        }
    }

    /// The colour of every slot.
    fn colour(&self, body: &Body, params: u32) -> Vec<u32> {
        const NONE: u32 = u32::MAX;
        let slots = body.slots;
        let mut colours = vec![NONE; slots as usize];
        (0..params).for_each(|s| colours[s as usize] = s);
        let mut partners = vec![Vec::new(); slots as usize];
        for (a, b) in &self.related {
            partners[*a as usize].push(*b);
            partners[*b as usize].push(*a);
        }
        let mut first = params;
        while first < slots {
            let mut last = first;
            while self.glued[last as usize] && last + 1 < slots {
                last += 1;
            }
            let span = first..last + 1;
            let free = |base: u32| {
                span.clone().all(|slot| {
                    let colour = base + (slot - first);
                    self.rows[slot as usize].iter().all(|other| colours[other as usize] != colour)
                })
            };
            let mut wanted = span.clone().flat_map(|slot| {
                let colours = &colours;
                partners[slot as usize]
                    .iter()
                    .map(move |p| colours[*p as usize])
                    .filter(|c| *c != NONE)
                    .filter_map(move |c| c.checked_sub(slot - first))
            });
            let base = wanted.find(|base| free(*base)).unwrap_or_else(|| {
                let taken = span.clone().flat_map(|slot| self.rows[slot as usize].iter());
                let top = taken.map(|other| colours[other as usize]).filter(|c| *c != NONE).max();
                let top = top.map_or(0, |c| c + 1);
                (0..top).find(|base| free(*base)).unwrap_or(top)
            });
            span.clone().for_each(|slot| colours[slot as usize] = base + (slot - first));
            first = last + 1;
        }
        colours
    }
}

/// Whether an instruction has surely read its operands when it writes its result.
fn reads_first(inst: &Inst) -> bool {
    matches!(
        inst,
        Inst::Int { .. }
            | Inst::IntCmp { .. }
            | Inst::Float { .. }
            | Inst::FloatNeg { .. }
            | Inst::FloatCmp { .. }
            | Inst::Cast { .. }
            | Inst::Select { .. }
            | Inst::IntFn { .. }
            | Inst::FloatFn { .. }
            | Inst::Index { .. }
            | Inst::Offset { .. }
            | Inst::Load { .. }
            | Inst::Call { .. }
            | Inst::Invoke { .. }
    )
}

fn rename(body: &mut Body, colours: &[u32]) {
    let slot = |s: &mut Slot| s.0 = colours[s.0 as usize];
    let opnd = |o: &mut Opnd| {
        if !o.is_const() {
            o.0 = colours[o.0 as usize];
        }
    };
    for inst in &mut body.code {
        rename_inst(inst, &slot, &opnd);
    }
    for (dst, src) in &mut body.moves {
        slot(dst);
        opnd(src);
    }
    for site in &mut body.calls {
        if site.result_slots > 0 {
            slot(&mut site.result);
        }
        if let ir::Callee::Indirect(callee) = &mut site.callee {
            opnd(callee);
        }
    }
    body.args.iter_mut().for_each(|a| opnd(&mut a.value));
    body.pads.iter_mut().for_each(|p| slot(&mut p.result));
    for x in &mut body.cmpxchgs {
        [&mut x.addr, &mut x.expected, &mut x.new].into_iter().for_each(opnd);
    }
}

fn rename_inst(inst: &mut Inst, slot: &impl Fn(&mut Slot), opnd: &impl Fn(&mut Opnd)) {
    let s = slot;
    let all = |opnds: &mut [&mut Opnd]| opnds.iter_mut().for_each(|o| opnd(o));
    match inst {
        Inst::Move { dst, src } | Inst::Cast { dst, src, .. } => {
            s(dst);
            opnd(src);
        }
        Inst::Int { dst, a, b, .. }
        | Inst::IntCmp { dst, a, b, .. }
        | Inst::Float { dst, a, b, .. }
        | Inst::FloatCmp { dst, a, b, .. } => {
            s(dst);
            all(&mut [a, b]);
        }
        Inst::FloatNeg { dst, a, .. } => {
            s(dst);
            opnd(a);
        }
        Inst::Select { dst, cond, a, b } => {
            s(dst);
            all(&mut [cond, a, b]);
        }
        Inst::IntFn { dst, a, b, c, .. } | Inst::FloatFn { dst, a, b, c, .. } => {
            s(dst);
            all(&mut [a, b, c]);
        }
        Inst::Overflow { dst, overflow, a, b, .. } => {
            s(dst);
            s(overflow);
            all(&mut [a, b]);
        }
        Inst::Index { dst, base, index, .. } => {
            s(dst);
            all(&mut [base, index]);
        }
        Inst::Offset { dst, base, .. } => {
            s(dst);
            opnd(base);
        }
        Inst::Load { dst, addr, .. } | Inst::AtomicLoad { dst, addr, .. } => {
            s(dst);
            opnd(addr);
        }
        Inst::Store { addr, src, .. } | Inst::AtomicStore { addr, src, .. } => all(&mut [addr, src]),
        Inst::AtomicRmw { dst, addr, src, .. } => {
            s(dst);
            all(&mut [addr, src]);
        }
        Inst::CmpXchg { dst, ok, .. } => {
            s(dst);
            s(ok);
        }
        Inst::Alloca { dst, count, .. } => {
            s(dst);
            opnd(count);
        }
        Inst::StackSave { dst } | Inst::ThreadLocal { dst, .. } => s(dst),
        Inst::StackRestore { saved: o } | Inst::LifetimeStart { addr: o } | Inst::LifetimeEnd { addr: o } => {
            opnd(o)
        }
        Inst::Copy { dst, src, len, .. } => all(&mut [dst, src, len]),
        Inst::Fill { dst, byte, len, .. } => all(&mut [dst, byte, len]),
        Inst::VaStart { list } | Inst::VaEnd { list } => opnd(list),
        Inst::VaCopy { dst, src } => all(&mut [dst, src]),
        Inst::VaArg { dst, list, .. } => {
            s(dst);
            opnd(list);
        }
        Inst::Resume { exception: o } | Inst::Branch { cond: o, .. } => opnd(o),
        Inst::Switch { value: o, .. } | Inst::IndirectJump { addr: o, .. } => opnd(o),
        Inst::TypeIdFor { dst, type_info } => {
            s(dst);
            opnd(type_info);
        }
        Inst::Return { src, count } => {
            if *count > 0 {
                opnd(src);
            }
        }
        Inst::Fence { .. }
        | Inst::Call { .. }
        | Inst::Invoke { .. }
        | Inst::LandingPad { .. }
        | Inst::Jump { .. }
        | Inst::Unreachable
        | Inst::Trap
        | Inst::Unsupported { .. }
        | Inst::Nop => {}
    }
}

/// Removes copies on edges whose source and destination have come to share a slot.
fn drop_copies_to_self(body: &mut Body) {
    let old = std::mem::take(&mut body.moves);
    for edge in &mut body.edges {
        let range = edge.moves as usize..(edge.moves + edge.move_count) as usize;
        edge.moves = body.moves.len() as u32;
        body.moves.extend(old[range].iter().filter(|(dst, src)| Opnd::slot(*dst) != *src));
        edge.move_count = body.moves.len() as u32 - edge.moves;
    }
}
