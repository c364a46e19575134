//! Event control of a run on the machine (P3 section 4.1): which reads steer, from the code and the trace.
//!
//! What a loaded value can do inside its function is read off the code: follow the slots that it reaches, along all paths,
//! to conditions, addresses, divisors, arguments, results, atomic operations (it *steers*), or to stores of it. What is
//! stored goes on through memory, and there the trace knows: a write steers if a read that observed it does. So in one pass
//! over the trace from its end: a read steers if its load steers by the code, or if its value may be in a later write of its
//! thread that steers.
//!
//! Errs on the side of steering: a value passed to or returned from a function steers; so does one whose load is not in the
//! code (native functions), and one whose store the trace does not show between this read and the thread's next one at the
//! same place (it may have gone to memory that was not shared yet). A read that steers is taken to do so at once.
//!
//! Why observations of this run suffice for others: see [`mod@crate::validate`]. In a schedule that the theorems speak of, the
//! events are those of this run, and a read that steers observes the same write; so a value that steers somebody there has
//! come the same way here.

use ir::{AccessId, Body, Callee, EdgeId, Inst, IntOp, Module, Opnd, Scalar, Slot};
use rustc_hash::FxHashMap;
use trace::{EventId, Trace};

use crate::Steering;

/// What can become of a loaded value inside its function.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Use {
    steers: bool,
    /// The accesses that store it.
    stores: Vec<AccessId>,
}

/// Which reads of a recorded run steer. `accesses` has for each event of the trace the access of the program that made it.
pub fn of_run(module: &Module, trace: &Trace, accesses: &[Option<AccessId>]) -> Steering {
    let observed = trace.observations();
    let mut uses: FxHashMap<AccessId, Use> = FxHashMap::default();
    let mut steering = Steering::default();
    let mut relevant = vec![false; trace.len()];
    // By thread and access: the next write after here that it makes, and whether a later one steers.
    let mut later: FxHashMap<(u32, AccessId), (EventId, bool)> = FxHashMap::default();
    // By thread and access: the next read after here that it makes.
    let mut reads: FxHashMap<(u32, AccessId), EventId> = FxHashMap::default();
    for (id, e) in trace.iter().rev() {
        let Some(access) = accesses.get(id.index()).copied().flatten() else { continue };
        if e.op.is_write() {
            let before = later.get(&(e.thread.0, access)).is_some_and(|l| l.1);
            later.insert((e.thread.0, access), (id, before || relevant[id.index()]));
        } else if e.op.is_read() {
            let used = uses.entry(access).or_insert_with(|| use_of(module, access));
            let next_read = reads.insert((e.thread.0, access), id);
            let stored = |store: &AccessId| match later.get(&(e.thread.0, *store)) {
                Some(&(next, steers)) => steers || next_read.is_some_and(|read| read < next),
                None => true,
            };
            if used.steers || used.stores.iter().any(stored) {
                steering.mark(id, id);
                if let Some(write) = observed[id.index()] {
                    relevant[write.index()] = true;
                }
            }
        }
    }
    steering
}

/// What can become of the values that an access loads: by all instructions that stand for it.
fn use_of(module: &Module, access: AccessId) -> Use {
    let unknown = Use { steers: true, stores: Vec::new() };
    let Some(info) = module.accesses.get(access.0 as usize) else { return unknown };
    let Some(body) = module.funcs.get(info.func.0 as usize).and_then(|f| f.body.as_ref()) else {
        return unknown;
    };
    let mut all = Use::default();
    let mut found = false;
    for (pc, inst) in body.code.iter().enumerate() {
        match *inst {
            Inst::Load { dst, ty, access: a, .. } | Inst::AtomicLoad { dst, ty, access: a, .. }
                if a == access =>
            {
                found = true;
                Follow::new(body).from(pc, dst, ty.slots(), &mut all);
            }
            Inst::Copy { access: a, .. } if a == access => {
                found = true;
                all.stores.push(access);
            }
            Inst::AtomicRmw { access: a, .. } if a == access => return unknown,
            _ => {}
        }
    }
    all.stores.sort_unstable();
    all.stores.dedup();
    if found { all } else { unknown }
}

/// A set of slots.
type Slots = Vec<u64>;

/// Follows a value through a body.
struct Follow<'a> {
    body: &'a Body,
    /// By instruction: the slots that may hold the value before it.
    before: FxHashMap<u32, Slots>,
    todo: Vec<u32>,
}

impl<'a> Follow<'a> {
    fn new(body: &'a Body) -> Follow<'a> {
        Follow { body, before: FxHashMap::default(), todo: Vec::new() }
    }

    fn from(mut self, pc: usize, dst: Slot, count: u32, all: &mut Use) {
        let mut slots: Slots = vec![0; self.body.slots as usize / 64 + 1];
        set(&mut slots, dst, count, true);
        self.reach(pc as u32 + 1, &slots);
        while let Some(pc) = self.todo.pop() {
            if all.steers {
                return;
            }
            let slots = self.before[&pc].clone();
            self.step(pc, slots, all);
        }
    }

    /// The slots may hold the value before this instruction.
    fn reach(&mut self, pc: u32, slots: &Slots) {
        if slots.iter().all(|word| *word == 0) {
            return;
        }
        let known = self.before.entry(pc).or_insert_with(|| vec![0; slots.len()]);
        let mut news = false;
        for (mine, theirs) in known.iter_mut().zip(slots) {
            news |= *theirs & !*mine != 0;
            *mine |= theirs;
        }
        if news {
            self.todo.push(pc);
        }
    }

    fn edge(&mut self, edge: EdgeId, slots: &Slots) {
        let Some(&edge) = self.body.edges.get(edge.0 as usize) else { return };
        let mut slots = slots.clone();
        for &(to, from) in &self.body.moves[edge.moves as usize..(edge.moves + edge.move_count) as usize] {
            let held = holds(&slots, from, 1);
            set(&mut slots, to, 1, held);
        }
        self.reach(edge.target, &slots);
    }

    fn step(&mut self, pc: u32, mut slots: Slots, all: &mut Use) {
        let body = self.body;
        let Some(inst) = body.code.get(pc as usize) else { return };
        let held = |slots: &Slots, o: Opnd| holds(slots, o, 1);
        match *inst {
            Inst::Jump { edge } => return self.edge(edge, &slots),
            Inst::Branch { cond, then, otherwise } => {
                all.steers |= held(&slots, cond);
                self.edge(then, &slots);
                return self.edge(otherwise, &slots);
            }
            Inst::Switch { value, table } => {
                all.steers |= held(&slots, value);
                let table = &body.switches[table as usize];
                table.cases.iter().for_each(|case| self.edge(case.1, &slots));
                return self.edge(table.default, &slots);
            }
            Inst::IndirectJump { addr, first, count } => {
                all.steers |= held(&slots, addr);
                (first.0..first.0 + count).for_each(|e| self.edge(EdgeId(e), &slots));
                return;
            }
            Inst::Return { src, count } => {
                all.steers |= holds(&slots, src, count);
                return;
            }
            Inst::Resume { exception } => {
                all.steers |= held(&slots, exception);
                return;
            }
            Inst::Invoke { site, normal, unwind } => {
                self.call(site, &mut slots, all);
                self.edge(normal, &slots);
                return self.edge(unwind, &slots);
            }
            Inst::Unreachable | Inst::Trap | Inst::Unsupported { .. } => return,
            Inst::Call { site } => self.call(site, &mut slots, all),
            ref other => straight(body, other, &mut slots, all),
        }
        self.reach(pc + 1, &slots);
    }

    fn call(&self, site: u32, slots: &mut Slots, all: &mut Use) {
        let site = &self.body.calls[site as usize];
        let args = &self.body.args[site.args as usize..(site.args + site.arg_count) as usize];
        all.steers |= args.iter().any(|arg| match arg.kind {
            ir::ArgKind::Scalar(ty) => holds(slots, arg.value, ty.slots()),
            ir::ArgKind::ByVal { .. } => holds(slots, arg.value, 1),
        });
        if let Callee::Indirect(callee) = site.callee {
            all.steers |= holds(slots, callee, 1);
        }
        set(slots, site.result, site.result_slots, false);
    }
}

/// An instruction after which the next one comes.
fn straight(body: &Body, inst: &Inst, slots: &mut Slots, all: &mut Use) {
    let wide = |bits: u8| Scalar::Int(bits).slots();
    match *inst {
        Inst::Move { dst, src } => compute(slots, (dst, 1), &[(src, 1)]),
        Inst::Int { op, bits, dst, a, b } => {
            let divides = matches!(op, IntOp::UDiv | IntOp::SDiv | IntOp::URem | IntOp::SRem);
            // By zero it fails, and the least number by -1 does.
            let by_constant = b.is_const() && matches!(op, IntOp::UDiv | IntOp::URem);
            let n = wide(bits);
            all.steers |= divides && (holds(slots, b, n) || !by_constant && holds(slots, a, n));
            compute(slots, (dst, n), &[(a, n), (b, n)]);
        }
        Inst::IntCmp { bits, dst, a, b, .. } => compute(slots, (dst, 1), &[(a, wide(bits)), (b, wide(bits))]),
        Inst::Float { ty, dst, a, b, .. } => {
            compute(slots, (dst, ty.slots()), &[(a, ty.slots()), (b, ty.slots())]);
        }
        Inst::FloatNeg { ty, dst, a } => compute(slots, (dst, ty.slots()), &[(a, ty.slots())]),
        Inst::FloatCmp { ty, dst, a, b, .. } => compute(slots, (dst, 1), &[(a, ty.slots()), (b, ty.slots())]),
        Inst::Cast { from, to, dst, src, .. } => compute(slots, (dst, to.slots()), &[(src, from.slots())]),
        Inst::Select { dst, cond, a, b } => compute(slots, (dst, 1), &[(cond, 1), (a, 1), (b, 1)]),
        Inst::IntFn { bits, dst, a, b, c, .. } => {
            let n = wide(bits);
            compute(slots, (dst, n), &[(a, n), (b, n), (c, n)]);
        }
        Inst::FloatFn { ty, dst, a, b, c, .. } => {
            let n = ty.slots();
            compute(slots, (dst, n), &[(a, n), (b, n), (c, n)]);
        }
        Inst::Overflow { bits, dst, overflow, a, b, .. } => {
            let n = wide(bits);
            let held = holds(slots, a, n) || holds(slots, b, n);
            set(slots, dst, n, held);
            set(slots, overflow, 1, held);
        }
        Inst::Index { dst, base, index, .. } => compute(slots, (dst, 1), &[(base, 1), (index, 1)]),
        Inst::Offset { dst, base, .. } => compute(slots, (dst, 1), &[(base, 1)]),
        Inst::Load { dst, addr, ty, .. } | Inst::AtomicLoad { dst, addr, ty, .. } => {
            all.steers |= holds(slots, addr, 1);
            set(slots, dst, ty.slots(), false);
        }
        Inst::Store { addr, src, ty, access } | Inst::AtomicStore { addr, src, ty, access, .. } => {
            all.steers |= holds(slots, addr, 1);
            if holds(slots, src, ty.slots()) {
                all.stores.push(access);
            }
        }
        Inst::AtomicRmw { dst, addr, src, ty, .. } => {
            all.steers |= holds(slots, addr, 1) || holds(slots, src, ty.slots());
            set(slots, dst, ty.slots(), false);
        }
        Inst::CmpXchg { dst, ok, index } => {
            let x = &body.cmpxchgs[index as usize];
            let n = x.ty.slots();
            all.steers |= holds(slots, x.addr, 1) || holds(slots, x.expected, n) || holds(slots, x.new, n);
            set(slots, dst, n, false);
            set(slots, ok, 1, false);
        }
        Inst::Alloca { dst, count, .. } => {
            all.steers |= holds(slots, count, 2);
            set(slots, dst, 1, false);
        }
        Inst::Copy { dst, src, len, .. } => {
            all.steers |= holds(slots, dst, 1) || holds(slots, src, 1) || holds(slots, len, 2);
        }
        Inst::Fill { dst, byte, len, access, .. } => {
            all.steers |= holds(slots, dst, 1) || holds(slots, len, 2);
            if holds(slots, byte, 1) {
                all.stores.push(access);
            }
        }
        Inst::StackSave { dst } | Inst::ThreadLocal { dst, .. } => set(slots, dst, 1, false),
        Inst::TypeIdFor { dst, type_info } => compute(slots, (dst, 1), &[(type_info, 1)]),
        Inst::VaArg { dst, list, ty } => {
            all.steers |= holds(slots, list, 1);
            set(slots, dst, ty.slots(), false);
        }
        Inst::StackRestore { saved: o }
        | Inst::LifetimeStart { addr: o }
        | Inst::LifetimeEnd { addr: o }
        | Inst::VaStart { list: o }
        | Inst::VaEnd { list: o } => all.steers |= holds(slots, o, 1),
        Inst::VaCopy { dst, src } => all.steers |= holds(slots, dst, 1) || holds(slots, src, 1),
        Inst::LandingPad { pad } => set(slots, body.pads[pad as usize].result, 2, false),
        Inst::Fence { .. } | Inst::Nop => {}
        // Control flow is handled by the caller; anything else would be news.
        _ => all.steers = true,
    }
}

fn compute(slots: &mut Slots, (dst, count): (Slot, u32), operands: &[(Opnd, u32)]) {
    let held = operands.iter().any(|&(o, n)| holds(slots, o, n));
    set(slots, dst, count, held);
}

fn holds(slots: &Slots, o: Opnd, count: u32) -> bool {
    let at = o.index();
    !o.is_const()
        && (at..at + count as usize).any(|s| slots.get(s / 64).is_some_and(|word| word >> (s % 64) & 1 != 0))
}

fn set(slots: &mut Slots, dst: Slot, count: u32, value: bool) {
    for s in dst.0 as usize..(dst.0 + count) as usize {
        let Some(word) = slots.get_mut(s / 64) else { continue };
        if value {
            *word |= 1 << (s % 64);
        } else {
            *word &= !(1 << (s % 64));
        }
    }
}
