//! Atomic operations.
//!
//! Each location has a clock of its own. A releasing store sets it, a releasing read-modify-write adds to it (it continues
//! the release sequence), a relaxed store passes on only what a release fence before it covers (C11 5.1.2.4, 7.17.4). An
//! acquiring load learns it; a relaxed load keeps it for a later acquire fence.
//!
//! In C, and in C++ before C++20, a relaxed store of the thread that heads a release sequence continues it: what such a
//! thread has released at a location is kept beside it ([`sequence_of`]), until another thread stores there. (What a release
//! fence covers, a later store of the thread passes on anyway.)
//!
//! Locations are ranges of bytes: where accesses of several sizes overlap, what a byte was last stored with is what who
//! reads that byte learns (the languages leave mixed sizes undefined; processors and libstdc++ rely on them).

use base::DefectKind;
use base::reason::Subject;
use ir::{AccessId, Inst, Order, RmwOp, Scalar};
use smallvec::{SmallVec, smallvec};

use super::access::Value;
use super::{float, int};
use crate::clock::Clock;
use crate::memory::Spot;
use crate::observe::Edge;
use crate::state::Machine;
use crate::stop::Stop;
use crate::sync::table::{Entry, Kind, sequence_of};
use crate::thread::{Status, Thread};

/// Locations that an atomic access touches: where they begin, and how many bytes they have.
type Parts = SmallVec<[(u64, u64); 2]>;

/// A value of one or two slots with its shadow.
type Cell = (Value, Option<Value>);

impl<'p> Machine<'p> {
    /// The atomic instruction at which the innermost frame stands.
    pub(crate) fn atomic_inst(&self, th: &Thread) -> Inst {
        let frame = th.frames.last().expect("a frame");
        self.program.module.funcs[frame.func.0 as usize].body.as_ref().expect("a body").code
            [frame.pc as usize]
    }

    /// Whether the atomic instruction ends an update that has begun (see [`ir::Update`]): nobody comes in between.
    pub(crate) fn ends_update(&self, th: &Thread) -> bool {
        let Inst::CmpXchg { index, .. } = self.atomic_inst(th) else { return false };
        let frame = th.frames.last().expect("a frame");
        let body = self.program.module.funcs[frame.func.0 as usize].body.as_ref().expect("a body");
        body.cmpxchgs[index as usize].ends_update
    }

    /// Whether a thread stands at an atomic load that begins an update which another instruction ends, or at that instruction (see
    /// [`ir::Update`]): nobody comes in between.
    pub fn at_update(&self, t: usize) -> bool {
        let th = &self.threads[t];
        let Some(frame) = th.frames.last() else { return false };
        let module = self.program.module;
        let Some(body) = &module.funcs[frame.func.0 as usize].body else { return false };
        match body.code[frame.pc as usize] {
            Inst::AtomicLoad { access, .. } => module.accesses[access.0 as usize].update.is_some(),
            Inst::CmpXchg { index, .. } => body.cmpxchgs[index as usize].ends_update,
            _ => false,
        }
    }

    /// How many ways the atomic instruction can go: a weak compare-and-exchange that would succeed may also fail.
    pub(crate) fn atomic_alternatives(&self, th: &Thread) -> u32 {
        let Inst::CmpXchg { index, .. } = self.atomic_inst(th) else { return 1 };
        let frame = th.frames.last().expect("a frame");
        let x = self.program.module.funcs[frame.func.0 as usize].body.as_ref().expect("a body").cmpxchgs
            [index as usize];
        let address = self.operand(th, x.addr).0;
        let succeeds = self
            .memory
            .resolve(address, self.bytes_of(x.ty), false)
            .is_ok_and(|spot| same(self.peek(spot, x.ty), self.cell(th, x.expected, x.ty)));
        if x.weak && succeeds { 2 } else { 1 }
    }

    fn cell(&self, th: &Thread, o: ir::Opnd, ty: Scalar) -> Cell {
        (self.operand(th, o), (ty.slots() == 2).then(|| self.operand(th, o.second())))
    }

    fn set_cell(&self, th: &mut Thread, dst: ir::Slot, cell: Cell) {
        self.set_slot(th, dst, cell.0);
        if let Some(second) = cell.1 {
            self.set_slot(th, ir::Slot(dst.0 + 1), second);
        }
    }

    /// Executes the atomic instruction at which the innermost frame stands. The caller moves on.
    pub(crate) fn atomic(&mut self, t: usize, th: &mut Thread, alternative: u32) -> Result<(), Stop> {
        self.notice_operation(t, th);
        match self.atomic_inst(th) {
            Inst::AtomicLoad { dst, addr, ty, order, access } => {
                let (address, spot) = self.atomic_spot(t, th, addr, ty, false, access)?;
                let open = self.synchronise(t, th, address, Some(order), None, ty, access);
                let cell = self.peek(spot, ty);
                self.set_cell(th, dst, opened(cell, open, ty));
            }
            Inst::AtomicStore { addr, src, ty, order, access } => {
                let (address, spot) = self.atomic_spot(t, th, addr, ty, true, access)?;
                let cell = self.cell(th, src, ty);
                let open = self.synchronise(t, th, address, None, Some(order), ty, access);
                let cell = opened(cell, open, ty);
                self.poke(spot, ty, cell.0, cell.1);
            }
            Inst::AtomicRmw { op, dst, addr, src, ty, order, access } => {
                let (address, spot) = self.atomic_spot(t, th, addr, ty, true, access)?;
                let (old, operand) = (self.peek(spot, ty), self.cell(th, src, ty));
                let open = self.synchronise(t, th, address, Some(order), Some(order), ty, access);
                let new = modify(op, ty, old, operand);
                self.poke(spot, ty, new.0, new.1);
                self.set_cell(th, dst, opened(old, open, ty));
            }
            Inst::CmpXchg { dst, ok, index } => self.compare_exchange(t, th, dst, ok, index, alternative)?,
            inst => unreachable!("{inst:?} is not atomic"),
        }
        Ok(())
    }

    fn compare_exchange(
        &mut self,
        t: usize,
        th: &mut Thread,
        dst: ir::Slot,
        ok: ir::Slot,
        index: u32,
        alternative: u32,
    ) -> Result<(), Stop> {
        let frame = th.frames.last().expect("a frame");
        let x = self.program.module.funcs[frame.func.0 as usize].body.as_ref().expect("a body").cmpxchgs
            [index as usize];
        let (address, spot) = self.atomic_spot(t, th, x.addr, x.ty, true, x.access)?;
        if x.ends_update {
            let new = self.cell(th, x.new, x.ty);
            let open = self.synchronise(t, th, address, Some(x.success), Some(x.success), x.ty, x.access);
            let new = opened(new, open, x.ty);
            self.poke(spot, x.ty, new.0, new.1);
            self.set_cell(th, dst, self.cell(th, x.expected, x.ty));
            self.set_slot(th, ok, (1, 0));
            return Ok(());
        }
        let (old, expected) = (self.peek(spot, x.ty), self.cell(th, x.expected, x.ty));
        let open = |c: &Cell| c.0.1 != 0 || c.1.is_some_and(|s| s.1 != 0);
        let decided = !self.mode.taint || !(open(&old) || open(&expected));
        if self.may.both {
            return self.exchange_either_way(t, th, (dst, ok), x, (address, spot), decided);
        }
        if !decided {
            let value = if open(&old) { old.0 } else { expected.0 };
            return Err(self.open(Subject::CompareExchange, value));
        }
        let success = same(old, expected) && alternative == 0;
        let open = if success {
            let new = self.cell(th, x.new, x.ty);
            let open = self.synchronise(t, th, address, Some(x.success), Some(x.success), x.ty, x.access);
            self.poke(spot, x.ty, new.0, new.1);
            open
        } else {
            self.synchronise(t, th, address, Some(x.failure), None, x.ty, x.access)
        };
        if open {
            return Err(self.open(Subject::CompareExchange, (0, 0)));
        }
        self.set_cell(th, dst, old);
        self.set_slot(th, ok, (success.into(), 0));
        Ok(())
    }

    /// A compare and exchange of which another schedule may decide otherwise: told as a write in any case. Where the outcome
    /// is not clear, what it leaves and what it gives back are unconstrained.
    fn exchange_either_way(
        &mut self,
        t: usize,
        th: &mut Thread,
        (dst, ok): (ir::Slot, ir::Slot),
        x: ir::CmpXchg,
        (address, spot): (u64, Spot),
        decided: bool,
    ) -> Result<(), Stop> {
        let (old, expected) = (self.peek(spot, x.ty), self.cell(th, x.expected, x.ty));
        let new = self.cell(th, x.new, x.ty);
        let open =
            self.synchronise(t, th, address, Some(x.success), Some(x.success), x.ty, x.access) || !decided;
        let success = same(old, expected);
        let left = opened(if success { new } else { old }, open, x.ty);
        self.poke(spot, x.ty, left.0, left.1);
        self.set_cell(th, dst, opened(old, open, x.ty));
        self.set_slot(th, ok, (success.into(), open.into()));
        Ok(())
    }

    #[allow(clippy::too_many_arguments)]
    fn atomic_spot(
        &mut self,
        t: usize,
        th: &mut Thread,
        addr: ir::Opnd,
        ty: Scalar,
        write: bool,
        access: AccessId,
    ) -> Result<(u64, Spot), Stop> {
        let (address, shadow) = self.operand(th, addr);
        if shadow != 0 && self.mode.taint {
            return Err(self.open_address((address, shadow)));
        }
        let len = self.bytes_of(ty);
        let spot = match self.memory.resolve(address, len, write) {
            Ok(spot) => spot,
            Err(fault) => return Err(self.fault_of(t, th, fault, address, len, write, access)),
        };
        if address % len.next_power_of_two() != 0 {
            return Err(Stop::defect(
                DefectKind::Misuse,
                "an atomic operation on an address that is not aligned",
            ));
        }
        Ok((address, spot))
    }

    /// The happens-before side of an atomic access; whether its value is to count as unconstrained.
    #[allow(clippy::too_many_arguments)]
    fn synchronise(
        &mut self,
        t: usize,
        th: &mut Thread,
        address: u64,
        load: Option<Order>,
        store: Option<Order>,
        ty: Scalar,
        access: AccessId,
    ) -> bool {
        let len = self.bytes_of(ty);
        let parts = self.atomic_parts(t, th, address, len);
        if let Some(order) = load {
            for &(part, _) in &parts {
                self.read_part(t, th, part, order);
            }
        }
        let open = self.record_atomic(t, th, address, len, store.is_some(), access);
        let Some(order) = store else { return open };
        for &(part, bytes) in &parts {
            self.write_part(t, th, (part, bytes), order, load.is_some());
        }
        if order.releases() {
            self.next_epoch(t, th);
        }
        open
    }

    /// The atomic locations that an access of these bytes touches: one, unless accesses of several sizes are mixed. A
    /// location of which it touches only a part falls into parts.
    fn atomic_parts(&mut self, t: usize, th: &Thread, from: u64, len: u64) -> Parts {
        let there = self.sync.overlapping(from, len);
        if there.is_empty() || there[..] == [(from, len)] {
            return smallvec![(from, len)];
        }
        let mut parts = Parts::new();
        let (mut at, to) = (from, from + len);
        for (start, bytes) in there {
            let end = start + bytes;
            if start > at {
                parts.push((at, start - at));
            }
            let (first, last) = (start.max(from), end.min(to));
            self.cut(t, th, start, first);
            self.cut(t, th, first, last);
            parts.push((first, last - first));
            at = last;
        }
        if at < to {
            parts.push((at, to - at));
        }
        parts
    }

    /// Cuts the atomic location that begins at `start` in two, if `at` lies inside it.
    fn cut(&mut self, t: usize, th: &Thread, start: u64, at: u64) {
        let Some(whole) = self.sync.get(start).cloned() else { return };
        let (offset, len) = ((at - start) as u8, whole.len);
        if offset == 0 || offset >= len {
            return;
        }
        let rest = Entry { clock: whole.clock.clone(), len: len - offset, ..Entry::new(Kind::Atomic) };
        self.set_sync(start, Some(Entry { len: offset, ..whole }));
        self.set_sync(at, Some(rest));
        self.observe(t, th, Edge::Split(start, at));
    }

    fn read_part(&mut self, t: usize, th: &mut Thread, part: u64, order: Order) {
        let clock = self.sync.get(part).map(|e| e.clock.clone()).unwrap_or_default();
        if order.acquires() {
            self.observe(t, th, Edge::Acquire(part));
            self.learn(t, th, &clock);
        } else {
            self.observe(t, th, Edge::See(part));
            th.seen.join(&clock);
        }
    }

    /// What a store leaves at one of its parts; a read-modify-write keeps what was there.
    fn write_part(&mut self, t: usize, th: &Thread, (part, len): (u64, u64), order: Order, keep: bool) {
        let entry = self.sync.get(part).cloned().unwrap_or_else(|| Entry::new(Kind::Atomic));
        let mut clock = if keep { entry.clock } else { Clock::new() };
        let own = self.program.stores_continue().then(|| sequence_of(part, t));
        if own.is_some() && !keep {
            self.end_other_sequences(t, th, part);
        }
        if order.releases() {
            clock.join(&th.clock);
            let edge = if keep { Edge::Release(part) } else { Edge::ReleaseOnly(part) };
            self.observe(t, th, edge);
            if let Some(own) = own {
                self.observe(t, th, Edge::ReleaseOnly(own));
                let clock = th.clock.clone();
                self.set_sync(own, Some(Entry { clock, ..Entry::new(Kind::Atomic) }));
            }
        } else {
            let mut keep = keep;
            if let Some(own) = own.filter(|_| !keep)
                && let Some(mine) = self.sync.get(own)
            {
                clock.join(&mine.clock);
                self.observe(t, th, Edge::Split(own, part));
                keep = true;
            }
            clock.join(&th.fenced);
            self.observe(t, th, Edge::ReleaseFenced(part, keep));
        }
        self.set_sync(part, Some(Entry { clock, len: len as u8, ..Entry::new(entry.kind) }));
    }

    /// A store ends the release sequences that other threads head.
    fn end_other_sequences(&mut self, t: usize, th: &Thread, part: u64) {
        for u in (0..self.threads.len()).filter(|&u| u != t) {
            let other = sequence_of(part, u);
            if self.sync.get(other).is_some() {
                self.observe(t, th, Edge::Forget(other));
                self.set_sync(other, None);
            }
        }
    }

    /// Executes a pending atomic operation as a transition of its own.
    pub(crate) fn perform_atomic(&mut self, t: usize, th: &mut Thread, alternative: u32) -> Result<(), Stop> {
        self.atomic(t, th, alternative)?;
        let top = th.frames.len() - 1;
        th.frames[top].pc += 1;
        th.status = Status::Ready;
        Ok(())
    }
}

/// The value, or one of which nothing is known.
pub(super) fn opened(cell: Cell, open: bool, ty: Scalar) -> Cell {
    let mask = match ty {
        Scalar::Int(bits) if bits < 64 => int::mask(bits),
        Scalar::F32 => u64::from(u32::MAX),
        _ => u64::MAX,
    };
    if open { ((cell.0.0, mask), cell.1.map(|s| (s.0, u64::MAX))) } else { cell }
}

fn same(a: Cell, b: Cell) -> bool {
    a.0.0 == b.0.0 && a.1.map(|v| v.0) == b.1.map(|v| v.0)
}

fn modify(op: RmwOp, ty: Scalar, (old, old2): Cell, (new, new2): Cell) -> Cell {
    let wide =
        |v: Value, second: Option<Value>| u128::from(second.map_or(0, |s| s.0)) << 64 | u128::from(v.0);
    let (a, b) = (wide(old, old2), wide(new, new2));
    let bits = match ty {
        Scalar::Int(bits) => bits,
        Scalar::F32 => 32,
        Scalar::F80 => 80,
        _ => 64,
    };
    let (sa, sb) = (int::sext128(a, bits), int::sext128(b, bits));
    let number = |op| float::binary(op, ty, a, b);
    let pick = |f| float::function(f, ty, a, b, 0).unwrap_or(a);
    let r = match op {
        RmwOp::Xchg => b,
        RmwOp::Add => a.wrapping_add(b),
        RmwOp::Sub => a.wrapping_sub(b),
        RmwOp::And => a & b,
        RmwOp::Nand => !(a & b),
        RmwOp::Or => a | b,
        RmwOp::Xor => a ^ b,
        RmwOp::Max => sa.max(sb) as u128,
        RmwOp::Min => sa.min(sb) as u128,
        RmwOp::UMax => a.max(b),
        RmwOp::UMin => a.min(b),
        RmwOp::FAdd => number(ir::FloatOp::Add),
        RmwOp::FSub => number(ir::FloatOp::Sub),
        RmwOp::FMax => pick(ir::FloatFn::MaxNum),
        RmwOp::FMin => pick(ir::FloatFn::MinNum),
        RmwOp::UIncWrap => {
            if a >= b {
                0
            } else {
                a + 1
            }
        }
        RmwOp::UDecWrap => {
            if a == 0 || a > b {
                b
            } else {
                a - 1
            }
        }
    } & int::mask128(bits);
    let open = old.1 | new.1 | old2.map_or(0, |s| s.1) | new2.map_or(0, |s| s.1);
    let s = match op {
        RmwOp::Xchg => (new.1, new2.map_or(0, |s| s.1)),
        _ if open == 0 => (0, 0),
        _ => (int::mask(bits.min(64)), if bits > 64 { int::mask(bits - 64) } else { 0 }),
    };
    // What an exchange stores keeps its name; of what is computed, unconstrained bits are zero.
    let keep = |v: u64, s: u64| if op == RmwOp::Xchg { v } else { v & !s };
    ((keep(r as u64, s.0), s.0), old2.map(|_| (keep((r >> 64) as u64, s.1), s.1)))
}
