//! The interpreter: runs one thread until it stands before a synchronisation operation.
//!
//! The machine never decides anything: what is not determined by the program comes in through [`Stop::AtSync`] (which
//! thread goes on) and [`Stop::Choose`] (which value).

pub mod access;
pub mod atomic;
pub mod call;
mod cycle;
mod demand;
pub mod float;
pub mod int;
mod long_double;
pub mod may;
mod rare;
pub mod unwind;

use base::DefectKind;
use base::reason::{Beyond, Input, Reason, Subject};
use ir::{CastOp, EdgeId, Inst, IntOp, Opnd, Scalar, Slot};

use crate::observe::Question;
use crate::state::Machine;
use crate::stop::Stop;
use crate::thread::{Pending, Status, Thread};
use cycle::Cycle;

impl<'p> Machine<'p> {
    /// Control, or something else that must be known, depends on a value that nobody has fixed.
    #[cold]
    pub(crate) fn open(&self, what: Subject, value: access::Value) -> Stop {
        if let Some(id) = self.enumerable(value) {
            return Stop::Needs(id);
        }
        self.opened.set(true);
        let module = self.program.module;
        let input = self.inputs.map(|(func, place)| Input {
            function: module.funcs[func.0 as usize].display.clone(),
            line: module.place(place).map_or(0, |p| p.line),
        });
        Stop::unknown(Reason::Open { what, input })
    }

    /// Runs a thread that [`Machine::is_local`] until it stops, executing at most `fuel` instructions.
    pub fn run(&mut self, t: usize, fuel: u64) -> Stop {
        self.save_thread(t);
        self.question = Question::Value;
        self.asks_input = false;
        let mut th = std::mem::take(&mut self.threads[t]);
        let mut left = fuel;
        let completed = self.complete_local(t, &mut th);
        let stop = match completed {
            Err(stop) => stop,
            Ok(()) if std::mem::take(&mut self.paused) => Stop::Fuel,
            Ok(()) if self.mode.taint => self.execute::<true>(t, &mut th, &mut left),
            Ok(()) => self.execute::<false>(t, &mut th, &mut left),
        };
        self.instructions += fuel - left;
        if stop.is_final() {
            th.status = Status::At(Pending::Stuck);
        }
        self.threads[t] = th;
        if stop.is_final() || matches!(stop, Stop::AtSync | Stop::Ended) {
            self.compare_arrival(t);
        }
        stop
    }

    /// Executes instructions of a thread until it stops.
    ///
    /// The inner loop holds the innermost frame's slots as slices, so that their addresses stay in registers; what needs
    /// the whole thread leaves it ([`Leave`]), is executed by [`Machine::slow`], and comes back.
    #[allow(clippy::too_many_lines)]
    pub(super) fn execute<const T: bool>(&mut self, t: usize, th: &mut Thread, fuel: &mut u64) -> Stop {
        let program = self.program;
        let pointer_mask = if program.module.pointer_bytes == 4 { 0xffff_ffff } else { u64::MAX };
        let mut cycle = Cycle::default();
        let mut results = [(0, 0); 8];
        loop {
            let Some(frame) = th.frames.last().copied() else {
                match self.next_stage(t, th) {
                    Ok(()) => continue,
                    Err(stop) => return stop,
                }
            };
            let loaded = &program.funcs[frame.func.0 as usize];
            let function = &program.module.funcs[frame.func.0 as usize];
            let body = function.body.as_ref().expect("a frame has a body");
            let code = &body.code[..];
            let consts = &loaded.consts[..];
            let const_shadows = &loaded.shadows[..];
            // Whether accesses are recorded as they are: see `Machine::record` for the others.
            let plain = self.observer.is_none()
                && !function.system
                && th.omp.combining.is_none()
                && !self.watches_piece(th);
            let probing = !self.may.sites.is_empty();
            let mut pc = frame.pc as usize;
            let mut left = *fuel;
            let mut slots = &mut th.slots[frame.base..];
            let mut shadows: &mut [u64] = if T { &mut th.shadows[frame.base..] } else { &mut [] };

            macro_rules! val {
                ($o:expr) => {{
                    let o = $o;
                    if o.is_const() { consts[o.index()] } else { slots[o.index()] }
                }};
            }
            macro_rules! shadow {
                ($o:expr) => {{
                    let o = $o;
                    if !T {
                        0
                    } else if o.is_const() {
                        const_shadows[o.index()]
                    } else {
                        shadows[o.index()]
                    }
                }};
            }
            macro_rules! set {
                ($dst:expr, $v:expr, $s:expr) => {{
                    let at = $dst.0 as usize;
                    slots[at] = $v;
                    if T {
                        shadows[at] = $s;
                    }
                }};
            }
            // An access that somebody is told of, who looks at the thread: as in `Machine::load` and `Machine::store`, but without leaving
            // this loop.
            macro_rules! told {
                ($address:expr, $ty:expr, $write:expr, $access:expr) => {{
                    th.frames.last_mut().expect("a frame").pc = pc as u32;
                    let len = self.bytes_of($ty);
                    let open = self.record(t, th, $address, len, $write, $access);
                    slots = &mut th.slots[frame.base..];
                    shadows = if T { &mut th.shadows[frame.base..] } else { &mut [] };
                    open
                }};
            }
            macro_rules! jump {
                ($edge:expr) => {{
                    let edge = &body.edges[$edge.0 as usize];
                    let from = edge.moves as usize;
                    for &(dst, src) in &body.moves[from..from + edge.move_count as usize] {
                        set!(dst, val!(src), shadow!(src));
                    }
                    pc = edge.target as usize;
                    if edge.back && cycle.step() && cycle.wants(pc, slots) {
                        break Leave::Head;
                    }
                }};
            }

            let leave = loop {
                if left == 0 {
                    break Leave::Stop(Stop::Fuel);
                }
                left -= 1;
                match code[pc] {
                    Inst::Move { dst, src } => {
                        set!(dst, val!(src), shadow!(src));
                        pc += 1;
                    }
                    Inst::Int { op, bits, dst, a, b } if bits <= 64 => {
                        let (x, y) = (val!(a), val!(b));
                        let mut s = 0;
                        if T {
                            let (sx, sy) = (shadow!(a), shadow!(b));
                            if sx | sy != 0 || (is_shift(op) && y >= u64::from(bits)) {
                                if self.is_symbolic() {
                                    break Leave::Slow;
                                }
                                if sy != 0 && is_division(op) {
                                    break Leave::Stop(self.open(Subject::Divisor, (y, sy)));
                                }
                                s = int::binary_shadow(op, bits, (x, sx), (y, sy));
                            }
                        }
                        match int::binary(op, bits, x, y) {
                            Ok(r) => set!(dst, r, s),
                            Err(_) => break Leave::Stop(division(y)),
                        }
                        pc += 1;
                    }
                    Inst::IntCmp { cmp, bits, dst, a, b } if bits <= 64 => {
                        let (x, y) = (val!(a), val!(b));
                        let (sx, sy) = (shadow!(a), shadow!(b));
                        let s = if T && sx | sy != 0 {
                            if self.is_symbolic() {
                                break Leave::Slow;
                            }
                            u64::from(int::compare_open(cmp, bits, (x, sx), (y, sy)))
                        } else {
                            0
                        };
                        let (x, y) = if s != 0 && self.may.both { (x, y) } else { (x & !sx, y & !sy) };
                        set!(dst, u64::from(int::compare(cmp, bits, x, y)), s);
                        pc += 1;
                    }
                    Inst::Cast { op, from: Scalar::Int(from), to: Scalar::Int(to), dst, src }
                        if from <= 64 && to <= 64 && shadow!(src) == 0 =>
                    {
                        let x = val!(src);
                        let r = if op == CastOp::SExt { int::sext(x, from) as u64 } else { x };
                        set!(dst, r & int::mask(to), 0);
                        pc += 1;
                    }
                    Inst::Float { op, ty: Scalar::F64, dst, a, b } if shadow!(a) | shadow!(b) == 0 => {
                        let r = float::binary(op, Scalar::F64, val!(a).into(), val!(b).into());
                        set!(dst, r as u64, 0);
                        pc += 1;
                    }
                    Inst::Index { dst, base: b, index, index_bits, scale } => {
                        let offset = int::sext(val!(index), index_bits).wrapping_mul(scale);
                        let s = if T && shadow!(b) | shadow!(index) != 0 { pointer_mask } else { 0 };
                        if T && s != 0 && self.is_symbolic() {
                            break Leave::Slow;
                        }
                        set!(dst, val!(b).wrapping_add_signed(offset) & pointer_mask, s);
                        pc += 1;
                    }
                    Inst::Offset { dst, base: b, offset } => {
                        let s = if T && shadow!(b) != 0 { pointer_mask } else { 0 };
                        if T && s != 0 && self.is_symbolic() {
                            break Leave::Slow;
                        }
                        set!(dst, val!(b).wrapping_add_signed(offset) & pointer_mask, s);
                        pc += 1;
                    }
                    Inst::Load { dst, addr, ty, access } if shadow!(addr) == 0 => {
                        let address = val!(addr);
                        let Some((spot, visible)) = self.quick(address, ty, false) else {
                            break Leave::Slow;
                        };
                        if visible && plain {
                            let len = self.bytes_of(ty);
                            th.history.record_range(address, len, false, access, th.epoch, &th.clock);
                        } else if visible {
                            let open = told!(address, ty, false, access);
                            let ((v, s), _) = atomic::opened(self.peek(spot, ty), open, ty);
                            set!(dst, v, s);
                            pc += 1;
                            if self.paused {
                                break Leave::Next;
                            }
                            continue;
                        }
                        let ((v, s), _) = self.peek(spot, ty);
                        set!(dst, v, s);
                        pc += 1;
                    }
                    Inst::Store { addr, src, ty, access } if shadow!(addr) == 0 => {
                        let address = val!(addr);
                        let Some((spot, visible)) = self.quick(address, ty, true) else {
                            break Leave::Slow;
                        };
                        let value = (val!(src), shadow!(src));
                        if visible && plain {
                            let len = self.bytes_of(ty);
                            th.history.record_range(address, len, true, access, th.epoch, &th.clock);
                        } else if visible {
                            let open = told!(address, ty, true, access);
                            let value = self.stored(value, open, ty);
                            self.poke(spot, ty, value, None);
                            pc += 1;
                            if self.paused {
                                break Leave::Next;
                            }
                            continue;
                        }
                        self.poke(spot, ty, value, None);
                        pc += 1;
                    }
                    Inst::Jump { edge } => jump!(edge),
                    Inst::Branch { cond, then, otherwise } => {
                        if T && shadow!(cond) & 1 != 0 {
                            break if self.may.both { Leave::Both } else { Leave::Slow };
                        }
                        if probing && self.may.sites.contains(&(frame.func.0, pc as u32)) {
                            break Leave::Either;
                        }
                        if val!(cond) & 1 != 0 {
                            jump!(then);
                        } else {
                            jump!(otherwise);
                        }
                    }
                    Inst::Switch { value, table } => {
                        if T && shadow!(value) != 0 {
                            break Leave::Slow;
                        }
                        let table = &body.switches[table as usize];
                        let v = val!(value);
                        let edge = match table.cases.binary_search_by_key(&v, |c| c.0) {
                            Ok(i) => table.cases[i].1,
                            Err(_) => table.default,
                        };
                        jump!(edge);
                    }
                    Inst::Select { dst, cond, a, b } => {
                        if T && shadow!(cond) & 1 != 0 && self.is_symbolic() {
                            break Leave::Slow;
                        }
                        let (x, y) = (val!(a), val!(b));
                        let picked = if val!(cond) & 1 != 0 { (x, shadow!(a)) } else { (y, shadow!(b)) };
                        let open =
                            if T && shadow!(cond) & 1 != 0 { shadow!(a) | shadow!(b) | (x ^ y) } else { 0 };
                        set!(dst, picked.0, picked.1 | open);
                        pc += 1;
                    }
                    Inst::Call { .. } | Inst::Invoke { .. } => break Leave::Call,
                    Inst::Return { src, count } if count as usize <= results.len() => {
                        for (i, r) in results[..count as usize].iter_mut().enumerate() {
                            let o = Opnd(src.0 + i as u32);
                            *r = (val!(o), shadow!(o));
                        }
                        break Leave::Return(count as usize);
                    }
                    Inst::Nop => pc += 1,
                    _ => break Leave::Slow,
                }
            };
            *fuel = left;
            th.frames.last_mut().expect("a frame").pc = pc as u32;
            let result = match leave {
                Leave::Stop(stop) => Err(stop),
                Leave::Head if cycle.repeats(th, || self.memory.hash()) => {
                    th.status = Status::At(Pending::Spin);
                    Err(Stop::AtSync)
                }
                Leave::Head | Leave::Next => Ok(()),
                Leave::Both => self.both_ways::<T>(t, th),
                Leave::Either => self.either_way::<T>(t, th),
                Leave::Call => self.call(t, th),
                Leave::Return(n) => self.finish_frame(t, th, &results[..n]),
                Leave::Slow => match self.slow::<T>(t, th, code[pc]) {
                    Ok(Some(edge)) => {
                        self.follow(th, edge);
                        let back = body.edges[edge.0 as usize].back;
                        if back && cycle.step() && cycle.repeats(th, || self.memory.hash()) {
                            th.status = Status::At(Pending::Spin);
                            Err(Stop::AtSync)
                        } else {
                            Ok(())
                        }
                    }
                    other => other.map(|_| ()),
                },
            };
            match result {
                Ok(()) if self.paused => {
                    self.paused = false;
                    return Stop::Fuel;
                }
                Ok(()) => {}
                // The instruction is executed again with what is known then.
                Err(Stop::Needs(id)) => {
                    if let Err(stop) = self.enumerate(t, th, id) {
                        return stop;
                    }
                }
                Err(stop) => return stop,
            }
        }
    }

    /// Executes an instruction that needs the whole thread; gives the edge to take, if it ends in one.
    fn slow<const T: bool>(&mut self, t: usize, th: &mut Thread, inst: Inst) -> Result<Option<EdgeId>, Stop> {
        // Without taint, shadows of slots are not kept up to date and must stay clear.
        let known = |(v, s): access::Value| if T { (v, s) } else { (v, 0) };
        match inst {
            Inst::Return { .. } => {
                return Err(Stop::unknown(Beyond::Returned));
            }
            Inst::Load { dst, addr, ty, access } => {
                let (address, open) = self.operand(th, addr);
                if T && open != 0 {
                    return Err(self.open_address((address, open)));
                }
                let (value, second) = self.load(t, th, address, ty, access)?;
                self.set_slot(th, dst, known(value));
                if let Some(second) = second {
                    self.set_slot(th, Slot(dst.0 + 1), known(second));
                }
            }
            Inst::Store { addr, src, ty, access } => {
                let (address, open) = self.operand(th, addr);
                if T && open != 0 {
                    return Err(self.open_address((address, open)));
                }
                let second = (ty.slots() == 2).then(|| known(self.operand(th, src.second())));
                let value = known(self.operand(th, src));
                self.store(t, th, address, ty, value, second, access)?;
            }
            Inst::Alloca { dst, count, count_bits, size, align, var, sight } => {
                let (n, open) = self.operand(th, count);
                if T && open != 0 {
                    return Err(self.open(Subject::ArraySize, (n, open)));
                }
                let frame = th.frames.last().expect("a frame");
                let private = match sight {
                    ir::Sight::Auto => self.program.is_private(frame.func, frame.pc),
                    ir::Sight::Visible => false,
                    ir::Sight::Hidden => true,
                };
                let address = self.alloca(t, (n & int::mask(count_bits), size), align, var, private)?;
                self.set_slot(th, dst, (address, 0));
            }
            Inst::AtomicLoad { .. }
            | Inst::AtomicStore { .. }
            | Inst::AtomicRmw { .. }
            | Inst::CmpXchg { .. } => {
                if self.is_symbolic() {
                    self.settle_atomic(th)?;
                }
                if !self.ends_update(th) && (!self.alone(t) || self.atomic_alternatives(th) > 1) {
                    th.status = Status::At(Pending::Atomic);
                    return Err(Stop::AtSync);
                }
                self.atomic(t, th, 0)?;
            }
            inst => match self.rare::<T>(t, th, inst)? {
                rare::Flow::Next => {}
                rare::Flow::Frame => return Ok(None),
                rare::Flow::Edge(edge) => return Ok(Some(edge)),
            },
        }
        th.frames.last_mut().expect("a frame").pc += 1;
        Ok(None)
    }
}

/// Why the inner loop of the interpreter is left.
enum Leave {
    /// The thread stops.
    Stop(Stop),
    /// The thread is at the head of a loop whose state is to be looked at.
    Head,
    /// The run pauses.
    Next,
    /// A branch on an unconstrained value, to be taken both ways.
    Both,
    /// A branch of which both ways are told.
    Either,
    /// A call.
    Call,
    /// A return, with that many results.
    Return(usize),
    /// Another instruction that needs the whole thread.
    Slow,
}

fn is_shift(op: IntOp) -> bool {
    matches!(op, IntOp::Shl | IntOp::LShr | IntOp::AShr)
}

fn is_division(op: IntOp) -> bool {
    matches!(op, IntOp::UDiv | IntOp::SDiv | IntOp::URem | IntOp::SRem)
}

#[cold]
fn division(divisor: u64) -> Stop {
    let what =
        if divisor == 0 { "a division by zero" } else { "a division whose result does not fit its type" };
    Stop::defect(DefectKind::DivisionByZero, what)
}
