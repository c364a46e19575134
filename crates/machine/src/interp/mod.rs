//! The interpreter: runs one thread until it stands before a synchronisation operation.
//!
//! The machine never decides anything: what is not determined by the program comes in through [`Stop::AtSync`] (which
//! thread goes on) and [`Stop::Choose`] (which value).

pub mod access;
pub mod atomic;
pub mod call;
mod cycle;
pub mod float;
pub mod int;
mod rare;
pub mod unwind;

use base::DefectKind;
use ir::{Inst, IntOp};

use crate::state::Machine;
use crate::stop::Stop;
use crate::thread::{Pending, Status, Thread};
use cycle::Cycle;

impl<'p> Machine<'p> {
    /// Control, or something else that must be known, depends on a value that nobody has fixed.
    #[cold]
    pub(crate) fn open(&self, what: &str) -> Stop {
        let module = self.program.module;
        Stop::Unknown(match self.inputs {
            None => format!("{what} depends on an uninitialised value"),
            Some((func, place)) => {
                let name = &module.funcs[func.0 as usize].display;
                let at = module.place(place).map_or(String::new(), |p| format!(" in line {}", p.line));
                format!(
                    "{what} depends on an input without bounds (from `{name}`{at}) or on an uninitialised value; \
                     bound inputs with raceproof_range, --arg or --define"
                )
            }
        })
    }

    /// Runs a thread that [`Machine::is_local`] until it stops, executing at most `fuel` instructions.
    pub fn run(&mut self, t: usize, fuel: u64) -> Stop {
        self.save_thread(t);
        let mut th = std::mem::take(&mut self.threads[t]);
        let mut left = fuel;
        let stop = match self.complete_local(t, &mut th) {
            Err(stop) => stop,
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

    #[allow(clippy::too_many_lines)]
    fn execute<const T: bool>(&mut self, t: usize, th: &mut Thread, fuel: &mut u64) -> Stop {
        let program = self.program;
        let pointer_mask = if program.module.pointer_bytes == 4 { 0xffff_ffff } else { u64::MAX };
        let mut cycle = Cycle::default();
        'frames: loop {
            let Some(frame) = th.frames.last().copied() else {
                match self.next_stage(t, th) {
                    Ok(()) => continue,
                    Err(stop) => return stop,
                }
            };
            let loaded = &program.funcs[frame.func.0 as usize];
            let body = program.module.funcs[frame.func.0 as usize].body.as_ref().expect("a frame has a body");
            let code = &body.code[..];
            let consts = &loaded.consts[..];
            let const_shadows = &loaded.shadows[..];
            let base = frame.base;
            let mut pc = frame.pc as usize;

            macro_rules! val {
                ($o:expr) => {{
                    let o = $o;
                    if o.is_const() { consts[o.index()] } else { th.slots[base + o.index()] }
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
                        th.shadows[base + o.index()]
                    }
                }};
            }
            macro_rules! set {
                ($dst:expr, $v:expr, $s:expr) => {{
                    let at = base + $dst.0 as usize;
                    th.slots[at] = $v;
                    if T {
                        th.shadows[at] = $s;
                    }
                }};
            }
            macro_rules! stop {
                ($stop:expr) => {{
                    let top = th.frames.len() - 1;
                    th.frames[top].pc = pc as u32;
                    return $stop;
                }};
            }
            macro_rules! check {
                ($result:expr) => {
                    match $result {
                        Ok(v) => v,
                        Err(stop) => stop!(stop),
                    }
                };
            }
            macro_rules! jump {
                ($edge:expr) => {{
                    let edge = &body.edges[$edge.0 as usize];
                    let from = edge.moves as usize;
                    for &(dst, src) in &body.moves[from..from + edge.move_count as usize] {
                        set!(dst, val!(src), shadow!(src));
                    }
                    pc = edge.target as usize;
                    if edge.back && cycle.step() {
                        let top = th.frames.len() - 1;
                        th.frames[top].pc = pc as u32;
                        if cycle.repeats(th, || self.memory.hash()) {
                            th.status = Status::At(Pending::Spin);
                            return Stop::AtSync;
                        }
                    }
                }};
            }

            loop {
                if *fuel == 0 {
                    stop!(Stop::Fuel);
                }
                *fuel -= 1;
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
                                if sy != 0 && is_division(op) {
                                    stop!(self.open("the divisor"));
                                }
                                s = int::binary_shadow(op, bits, (x, sx), (y, sy));
                            }
                        }
                        match int::binary(op, bits, x, y) {
                            Ok(r) => set!(dst, r, s),
                            Err(_) => stop!(division(y)),
                        }
                        pc += 1;
                    }
                    Inst::IntCmp { cmp, bits, dst, a, b } if bits <= 64 => {
                        let (x, y) = (val!(a), val!(b));
                        let mut s = 0;
                        if T {
                            let (sx, sy) = (shadow!(a), shadow!(b));
                            if sx | sy != 0 {
                                s = u64::from(int::compare_open(cmp, bits, (x, sx), (y, sy)));
                            }
                            let (x, y) = (x & !sx, y & !sy);
                            set!(dst, u64::from(int::compare(cmp, bits, x, y)), s);
                        } else {
                            set!(dst, u64::from(int::compare(cmp, bits, x, y)), s);
                        }
                        pc += 1;
                    }
                    Inst::Index { dst, base: b, index, index_bits, scale } => {
                        let offset = int::sext(val!(index), index_bits).wrapping_mul(scale);
                        let s = if T && shadow!(b) | shadow!(index) != 0 { pointer_mask } else { 0 };
                        set!(dst, val!(b).wrapping_add_signed(offset) & pointer_mask, s);
                        pc += 1;
                    }
                    Inst::Offset { dst, base: b, offset } => {
                        let s = if T && shadow!(b) != 0 { pointer_mask } else { 0 };
                        set!(dst, val!(b).wrapping_add_signed(offset) & pointer_mask, s);
                        pc += 1;
                    }
                    Inst::Load { dst, addr, ty, access } => {
                        let address = val!(addr);
                        if T && shadow!(addr) != 0 {
                            stop!(self.open_address(shadow!(addr)));
                        }
                        if self.observer.is_some() {
                            th.frames.last_mut().expect("a frame").pc = pc as u32;
                        }
                        let ((v, s), second) = check!(self.load(t, th, address, ty, access));
                        set!(dst, v, s);
                        if let Some((v, s)) = second {
                            set!(ir::Slot(dst.0 + 1), v, s);
                        }
                        pc += 1;
                    }
                    Inst::Store { addr, src, ty, access } => {
                        let address = val!(addr);
                        if T && shadow!(addr) != 0 {
                            stop!(self.open_address(shadow!(addr)));
                        }
                        if self.observer.is_some() {
                            th.frames.last_mut().expect("a frame").pc = pc as u32;
                        }
                        let second = if ty.slots() == 2 {
                            Some((val!(src.second()), shadow!(src.second())))
                        } else {
                            None
                        };
                        check!(self.store(t, th, address, ty, (val!(src), shadow!(src)), second, access));
                        pc += 1;
                    }
                    Inst::Jump { edge } => jump!(edge),
                    Inst::Branch { cond, then, otherwise } => {
                        if T && shadow!(cond) & 1 != 0 {
                            stop!(self.open("this branch"));
                        }
                        if val!(cond) & 1 != 0 {
                            jump!(then);
                        } else {
                            jump!(otherwise);
                        }
                    }
                    Inst::Switch { value, table } => {
                        if T && shadow!(value) != 0 {
                            stop!(self.open("this switch"));
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
                        let (x, y) = (val!(a), val!(b));
                        let picked = if val!(cond) & 1 != 0 { (x, shadow!(a)) } else { (y, shadow!(b)) };
                        let open =
                            if T && shadow!(cond) & 1 != 0 { shadow!(a) | shadow!(b) | (x ^ y) } else { 0 };
                        set!(dst, picked.0, picked.1 | open);
                        pc += 1;
                    }
                    Inst::Call { .. } | Inst::Invoke { .. } => {
                        let top = th.frames.len() - 1;
                        th.frames[top].pc = pc as u32;
                        match self.call(t, th) {
                            Ok(()) => continue 'frames,
                            Err(stop) => return stop,
                        }
                    }
                    Inst::Return { src, count } => {
                        let mut result = [(0, 0); 8];
                        let n = (count as usize).min(result.len());
                        for (i, r) in result[..n].iter_mut().enumerate() {
                            let o = ir::Opnd(src.0 + i as u32);
                            *r = (val!(o), shadow!(o));
                        }
                        if count as usize > n {
                            stop!(Stop::Unknown("a function that returns more than eight scalars".into()));
                        }
                        match self.finish_frame(t, th, &result[..n]) {
                            Ok(()) => continue 'frames,
                            Err(stop) => return stop,
                        }
                    }
                    Inst::Alloca { dst, count, count_bits, size, align, var } => {
                        if T && shadow!(count) != 0 {
                            stop!(self.open("the size of this array"));
                        }
                        let n = val!(count) & int::mask(count_bits);
                        let private = program.is_private(frame.func, pc as u32);
                        let address = check!(self.alloca(t, (n, size), align, var, private));
                        set!(dst, address, 0);
                        pc += 1;
                    }
                    Inst::AtomicLoad { .. }
                    | Inst::AtomicStore { .. }
                    | Inst::AtomicRmw { .. }
                    | Inst::CmpXchg { .. } => {
                        let top = th.frames.len() - 1;
                        th.frames[top].pc = pc as u32;
                        if !self.alone(t) || self.atomic_alternatives(th) > 1 {
                            th.status = Status::At(Pending::Atomic);
                            return Stop::AtSync;
                        }
                        check!(self.atomic(t, th, 0));
                        pc += 1;
                    }
                    Inst::Nop => pc += 1,
                    inst => {
                        let top = th.frames.len() - 1;
                        th.frames[top].pc = pc as u32;
                        match self.rare::<T>(t, th, inst) {
                            Ok(rare::Flow::Next) => pc += 1,
                            Ok(rare::Flow::Frame) => continue 'frames,
                            Ok(rare::Flow::Edge(edge)) => jump!(edge),
                            Err(stop) => return stop,
                        }
                    }
                }
            }
        }
    }
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
