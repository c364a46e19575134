//! Instructions that are not on the interpreter's fast path.

use base::DefectKind;
use base::reason::{Beyond, Reason, Subject};
use ir::{EdgeId, Inst, Opnd, Scalar, Slot};

use super::access::Value;
use super::{division, float, int};
use crate::memory::layout::RegionId;
use crate::memory::object::{Family, Life, Origin};
use crate::observe::{Edge, Work};
use crate::program::{initialise, resolve_const};
use crate::state::Machine;
use crate::stop::Stop;
use crate::thread::Thread;

/// Where to go on.
pub enum Flow {
    /// At the next instruction.
    Next,
    /// In what is now the innermost frame.
    Frame,
    /// Along an edge.
    Edge(EdgeId),
}

/// A two-slot value with its shadow.
type WideValue = (u128, u128);

impl<'p> Machine<'p> {
    /// The value of an operand of the innermost frame.
    /// What an operand of the innermost function of a thread holds, and its shadow.
    pub fn value_of(&self, t: usize, o: Opnd) -> Option<(u64, u64)> {
        let th = self.threads.get(t)?;
        th.frames.last().map(|_| self.operand(th, o))
    }

    pub(crate) fn operand(&self, th: &Thread, o: Opnd) -> Value {
        let frame = th.frames.last().expect("a running thread has a frame");
        if o.is_const() {
            let loaded = &self.program.funcs[frame.func.0 as usize];
            (loaded.consts[o.index()], loaded.shadows[o.index()])
        } else {
            let at = frame.base + o.index();
            (th.slots[at], th.shadows[at])
        }
    }

    fn wide(&self, th: &Thread, o: Opnd, slots: u32) -> WideValue {
        let (v, s) = self.operand(th, o);
        if slots == 1 {
            return (v.into(), s.into());
        }
        let (hv, hs) = self.operand(th, o.second());
        (u128::from(hv) << 64 | u128::from(v), u128::from(hs) << 64 | u128::from(s))
    }

    /// Sets a slot of the innermost frame.
    pub(crate) fn set_slot(&self, th: &mut Thread, dst: Slot, (v, s): Value) {
        let at = th.frames.last().expect("a running thread has a frame").base + dst.0 as usize;
        th.slots[at] = v;
        th.shadows[at] = if self.mode.taint { s } else { 0 };
    }

    fn set_wide(&self, th: &mut Thread, dst: Slot, slots: u32, (v, s): WideValue) {
        self.set_slot(th, dst, (v as u64, s as u64));
        if slots == 2 {
            self.set_slot(th, Slot(dst.0 + 1), ((v >> 64) as u64, (s >> 64) as u64));
        }
    }

    /// Sets what was computed: unconstrained bits of it are zero, so that they are not taken for a name.
    fn set_computed(&self, th: &mut Thread, dst: Slot, slots: u32, (v, s): WideValue) {
        // States that differ in unconstrained bits alone are equal, unless one run is all there is.
        let masks = self.mode.taint && !self.may.both;
        self.set_wide(th, dst, slots, (if masks { v & !s } else { v }, s));
    }

    /// An operand that must be known.
    fn fixed(&self, th: &Thread, o: Opnd, what: Subject) -> Result<u64, Stop> {
        match self.operand(th, o) {
            (v, 0) => Ok(v),
            _ if !self.mode.taint => Ok(self.operand(th, o).0),
            value => Err(self.open(what, value)),
        }
    }

    fn address(&self, th: &Thread, o: Opnd) -> Result<u64, Stop> {
        match self.operand(th, o) {
            (v, s) if s == 0 || !self.mode.taint => Ok(v),
            value => Err(self.open_address(value)),
        }
    }

    #[allow(clippy::too_many_lines)]
    pub(super) fn rare<const T: bool>(
        &mut self,
        t: usize,
        th: &mut Thread,
        inst: Inst,
    ) -> Result<Flow, Stop> {
        match inst {
            Inst::Branch { cond, then, otherwise } => {
                let holds = self.decide(t, th, cond, Subject::Branch)?;
                return Ok(Flow::Edge(if holds { then } else { otherwise }));
            }
            Inst::Switch { value, table } => return self.open_switch(t, th, value, table).map(Flow::Edge),
            Inst::Select { dst, cond, a, b } => {
                let holds = self.decide(t, th, cond, Subject::Selection)?;
                let value = self.operand(th, if holds { a } else { b });
                self.set_slot(th, dst, value);
            }
            Inst::Index { dst, base, index, .. } => self.open_index(th, dst, &[base, index])?,
            Inst::Offset { dst, base, .. } => self.open_index(th, dst, &[base])?,
            Inst::Int { op, bits, dst, a, b } if bits <= 64 => {
                let operands = (self.operand(th, a), self.operand(th, b));
                let value = self.open_int(t, th, op, bits, operands)?;
                self.set_slot(th, dst, value);
            }
            Inst::IntCmp { cmp, bits, dst, a, b } if bits <= 64 => {
                let operands = (self.operand(th, a), self.operand(th, b));
                let value = self.open_compare(th, cmp, bits, operands);
                self.set_slot(th, dst, value);
            }
            Inst::Int { op, bits, dst, a, b } => {
                let ((x, sx), (y, sy)) = (self.wide(th, a, 2), self.wide(th, b, 2));
                if T && sy != 0 && super::is_division(op) {
                    return Err(self.open(Subject::Divisor, (0, 0)));
                }
                let r = int::binary128(op, bits, x, y).map_err(|_| division(y as u64))?;
                self.set_computed(th, dst, 2, (r, spread(sx | sy, int::mask128(bits))));
            }
            Inst::IntCmp { cmp, bits, dst, a, b } => {
                let ((x, sx), (y, sy)) = (self.wide(th, a, 2), self.wide(th, b, 2));
                let r = int::compare128(cmp, bits, x & !sx, y & !sy);
                self.set_slot(th, dst, (r.into(), (sx | sy != 0).into()));
            }
            Inst::Float { op, ty, dst, a, b } => {
                let n = ty.slots();
                let ((x, sx), (y, sy)) = (self.wide(th, a, n), self.wide(th, b, n));
                self.set_computed(th, dst, n, (float::binary(op, ty, x, y), spread(sx | sy, full(ty))));
            }
            Inst::FloatNeg { ty, dst, a } => {
                let (x, s) = self.wide(th, a, ty.slots());
                self.set_computed(th, dst, ty.slots(), (float::negate(ty, x), s));
            }
            Inst::FloatCmp { cmp, ty, dst, a, b } => {
                let n = ty.slots();
                let ((x, sx), (y, sy)) = (self.wide(th, a, n), self.wide(th, b, n));
                let s = u64::from(sx | sy != 0);
                let r = u64::from(float::compare(cmp, ty, x, y));
                let value = if s != 0 && !self.may.both { self.fresh_test(th) } else { (r, s) };
                self.set_slot(th, dst, value);
            }
            Inst::Cast { op, from, to, dst, src } => {
                let (x, s) = self.wide(th, src, from.slots());
                if T && s != 0
                    && self.is_symbolic()
                    && let Some(value) = self.open_cast(th, op, from, to, (x as u64, s as u64))
                {
                    self.set_wide(th, dst, to.slots(), (value.0.into(), value.1.into()));
                    return Ok(Flow::Next);
                }
                let r = float::cast(op, from, to, x);
                let shadow = match op {
                    _ if s == 0 => 0,
                    ir::CastOp::Trunc | ir::CastOp::ZExt | ir::CastOp::SExt => float::cast(op, from, to, s),
                    _ => full(to),
                };
                self.set_computed(th, dst, to.slots(), (r, shadow));
            }
            Inst::IntFn { f, bits, dst, a, b, c } => {
                let n = Scalar::Int(bits).slots();
                let (x, y, z) = (self.wide(th, a, n), self.wide(th, b, n), self.wide(th, c, n));
                let r = int::function(f, bits, x.0, y.0, z.0);
                let s = match f {
                    ir::IntFn::Bswap | ir::IntFn::Bitreverse => int::function(f, bits, x.1, 0, 0),
                    ir::IntFn::Ctpop | ir::IntFn::Ctlz | ir::IntFn::Cttz | ir::IntFn::Abs => {
                        spread(x.1, int::mask128(bits))
                    }
                    ir::IntFn::Fshl | ir::IntFn::Fshr => spread(x.1 | y.1 | z.1, int::mask128(bits)),
                    _ => spread(x.1 | y.1, int::mask128(bits)),
                };
                self.set_computed(th, dst, n, (r, s));
            }
            Inst::FloatFn { f, ty, dst, a, b, c } => {
                let n = ty.slots();
                let (x, y, z) = (self.wide(th, a, n), self.wide(th, b, n), self.wide(th, c, n));
                let r = float::function(f, ty, x.0, y.0, z.0)
                    .ok_or_else(|| Stop::unknown(Beyond::LongDouble(format!("{f:?}"))))?;
                let s = match float_operands(f) {
                    1 => x.1,
                    2 => x.1 | y.1,
                    _ => x.1 | y.1 | z.1,
                };
                self.set_computed(th, dst, n, (r, spread(s, full(ty))));
            }
            Inst::Overflow { op, signed, bits, dst, overflow, a, b } => {
                let n = Scalar::Int(bits).slots();
                let (x, y) = (self.wide(th, a, n), self.wide(th, b, n));
                let (r, over) = int::overflow(op, signed, bits, x.0, y.0);
                let s = spread(x.1 | y.1, int::mask128(bits));
                self.set_computed(th, dst, n, (r, s));
                self.set_slot(th, overflow, (over.into(), (s != 0).into()));
            }
            Inst::Fence { order } => self.fence(t, th, order),
            Inst::StackSave { dst } => {
                let height = self.memory.height(RegionId::stack(t)) as u64;
                self.set_slot(th, dst, (height, 0));
            }
            Inst::StackRestore { saved } => {
                let height = self.operand(th, saved).0 as usize;
                self.pop_stack(t, th, height);
            }
            Inst::LifetimeStart { addr } => self.lifetime(t, th, addr, Life::Alive),
            Inst::LifetimeEnd { addr } => self.lifetime(t, th, addr, Life::Ended),
            Inst::Copy { dst, src, len, len_bits, overlap, access } => {
                let n = self.fixed(th, len, Subject::CopyLength)? & int::mask(len_bits);
                if n > 0 {
                    let (d, s) = (self.address(th, dst)?, self.address(th, src)?);
                    self.copy_bytes(t, th, d, s, n, overlap, access)?;
                }
            }
            Inst::Fill { dst, byte, len, len_bits, access } => {
                let n = self.fixed(th, len, Subject::FillLength)? & int::mask(len_bits);
                if n > 0 {
                    let d = self.address(th, dst)?;
                    let (v, s) = self.operand(th, byte);
                    self.fill_bytes(t, th, d, (v as u8, s as u8), n, access)?;
                }
            }
            Inst::ThreadLocal { dst, global } => {
                let address = self.thread_local(t, th, global)?;
                let variable = &self.program.module.globals[global.0 as usize];
                // What the library keeps for a thread does not show.
                if variable.var.is_some() && !variable.name.starts_with("__rp") {
                    self.refuse_strayed(th)?;
                }
                if !th.omp.seats.is_empty() {
                    self.tell(t, th, &Work::Identity);
                }
                self.set_slot(th, dst, (address, 0));
            }
            Inst::VaStart { list } => {
                let list = self.address(th, list)?;
                self.va_start(t, th, list)?;
            }
            Inst::VaCopy { dst, src } => {
                let (d, s) = (self.address(th, dst)?, self.address(th, src)?);
                let len = if self.program.module.pointer_bytes == 8 { 24 } else { 4 };
                let from = self.memory.resolve(s, len, false).map_err(|f| self.fault(f, s, len, false))?;
                let to = self.memory.resolve(d, len, true).map_err(|f| self.fault(f, d, len, true))?;
                let access = self.native_access(th);
                self.record_visible(t, th, s, len, false, access);
                self.memory.copy(to, from, len as usize);
                self.record_visible(t, th, d, len, true, access);
            }
            Inst::VaEnd { .. } => {}
            Inst::VaArg { dst, list, ty } => {
                let list = self.address(th, list)?;
                let (v, second) = self.va_arg(list, ty)?;
                self.set_slot(th, dst, v);
                if let Some(second) = second {
                    self.set_slot(th, Slot(dst.0 + 1), second);
                }
            }
            Inst::LandingPad { .. } => {}
            Inst::Resume { exception } => {
                let object = self.address(th, exception)?;
                self.unwind(t, th, object, true)?;
                return Ok(Flow::Frame);
            }
            Inst::TypeIdFor { dst, type_info } => {
                let id = self.type_id(self.operand(th, type_info).0);
                self.set_slot(th, dst, (id, 0));
            }
            Inst::IndirectJump { addr, first, count } => {
                let address = self.fixed(th, addr, Subject::Goto)?;
                let func = th.frames.last().expect("a running thread has a frame").func;
                return match self.program.block_at(func, address) {
                    Some(block) if block < count => Ok(Flow::Edge(EdgeId(first.0 + block))),
                    _ => Err(Stop::defect(DefectKind::InvalidCall, "a computed goto to no label")),
                };
            }
            Inst::Unreachable => {
                return Err(Stop::defect(
                    DefectKind::Unreachable,
                    "code that must not be reached (such as the end of a function that should have returned a value)",
                ));
            }
            Inst::Trap => return Err(Stop::defect(DefectKind::Abort, "the program trapped")),
            Inst::Unsupported { what } => {
                let what = self.program.module.str(what).to_string();
                return Err(Stop::unknown(Reason::NotTranslated { what }));
            }
            _ => unreachable!("{inst:?} is on the fast path"),
        }
        Ok(Flow::Next)
    }

    fn lifetime(&mut self, t: usize, th: &mut Thread, addr: Opnd, life: Life) {
        let address = self.operand(th, addr).0;
        let Some((region, index, &object)) = self.memory.find(address) else { return };
        if object.base != address || !region.is_stack() {
            return;
        }
        let (size, known) = (object.size, object.escaped);
        if known && life == Life::Ended && object.life == Life::Alive {
            self.end_object(t, th, &object);
        }
        self.memory.update_object(region, index, |o| o.life = life);
        if life == Life::Ended {
            if self.sync.on_stacks() {
                self.forget_sync(&[(address, size)]);
            }
            return;
        }
        if known {
            self.tell_made(t, address);
        }
        if let Ok(spot) = self.memory.resolve(address, size, true) {
            let (data, shadow) = self.memory.edit(spot, size as usize);
            data.fill(0);
            shadow.fill(0xff);
        }
    }

    /// The address of the calling thread's instance of a thread-local variable; made at its first use.
    pub(crate) fn thread_local(
        &mut self,
        t: usize,
        th: &mut Thread,
        global: ir::GlobalId,
    ) -> Result<u64, Stop> {
        let program = self.program;
        let Some(index) = program.tls_index[global.0 as usize] else {
            return Ok(program.globals[global.0 as usize]);
        };
        if th.tls.len() <= index {
            th.tls.resize(index + 1, 0);
        }
        if th.tls[index] != 0 {
            return Ok(th.tls[index]);
        }
        let g = &program.module.globals[global.0 as usize];
        let size = if g.init == ir::Init::Extern { 0 } else { g.size };
        let address = self
            .memory
            .create(RegionId::tls(t), size, g.align.into(), true, Family::None, Origin::ThreadLocal(global))
            .ok_or_else(|| Stop::unknown(Beyond::ThreadLocals))?;
        let functions: Vec<u64> = program.funcs.iter().map(|f| f.address).collect();
        initialise(&mut self.memory, &g.init, address, |c| {
            resolve_const(program.module, &functions, &program.globals, c)
        });
        th.tls[index] = address;
        if let Some((region, index, _)) = self.memory.find(address) {
            self.memory.update_object(region, index, |o| o.handed = true);
        }
        if let Some(observer) = &mut self.observer {
            observer.local(t, address, global.0);
        }
        Ok(address)
    }

    pub(crate) fn fence(&mut self, t: usize, th: &mut Thread, order: ir::Order) {
        self.notice_operation(t, th);
        if order.acquires() {
            let seen = th.seen.clone();
            self.learn(t, th, &seen);
            self.observe(t, th, Edge::AcquireFence);
        }
        if order.releases() {
            th.fenced = th.clock.clone();
            self.next_epoch(t, th);
            self.observe(t, th, Edge::ReleaseFence);
        }
    }
}

/// All bits of a type.
fn full(ty: Scalar) -> u128 {
    match ty {
        Scalar::Int(bits) => int::mask128(bits),
        Scalar::F32 => int::mask128(32),
        Scalar::F80 => int::mask128(80),
        Scalar::Ptr | Scalar::F64 => int::mask128(64),
    }
}

/// If anything is unconstrained, everything is.
fn spread(shadow: u128, all: u128) -> u128 {
    if shadow == 0 { 0 } else { all }
}

fn float_operands(f: ir::FloatFn) -> u32 {
    use ir::FloatFn as F;
    match f {
        F::CopySign | F::MinNum | F::MaxNum | F::Greater | F::Lesser | F::Pow | F::PowI => 2,
        F::Fma => 3,
        _ => 1,
    }
}
