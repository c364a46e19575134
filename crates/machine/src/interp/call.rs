//! Calls: frames, arguments, variable arguments, results, and the stages of the program's start and end.

use base::DefectKind;
use base::reason::{Reason, Role, Subject};
use ir::{ArgKind, CallSite, Callee, FuncId, Inst, Scalar};

use super::access::Value;
use crate::memory::Spot;
use crate::memory::layout::RegionId;
use crate::memory::object::{Family, Life, Origin};
use crate::native::{Call, Native, SyncOp};
use crate::state::Machine;
use crate::stop::Stop;
use crate::thread::{Frame, Pending, Status, Thread};

/// Bytes behind the variable arguments.
const VARARGS_SLACK: u64 = 64;

impl<'p> Machine<'p> {
    /// The call site that the innermost frame stands at.
    pub(crate) fn site(&self, th: &Thread) -> Option<CallSite> {
        let frame = th.frames.last()?;
        let body = self.program.module.funcs[frame.func.0 as usize].body.as_ref()?;
        match body.code[frame.pc as usize] {
            Inst::Call { site } | Inst::Invoke { site, .. } => Some(body.calls[site as usize]),
            _ => None,
        }
    }

    /// Executes the call at which the innermost frame stands: a new frame, or a native function.
    pub(crate) fn call(&mut self, t: usize, th: &mut Thread) -> Result<(), Stop> {
        let site = self.site(th).expect("the frame stands at a call");
        let func = match site.callee {
            Callee::Direct(func) => func,
            Callee::Indirect(o) => self.indirect(th, o)?,
        };
        let program = self.program;
        let function = &program.module.funcs[func.0 as usize];
        let caller = th.frames.last().expect("a caller").func;
        let caller = program.module.funcs[caller.0 as usize].body.as_ref().expect("a body");
        let args = &caller.args[site.args as usize..(site.args + site.arg_count) as usize];
        if program.funcs[func.0 as usize].watched {
            self.reach(th);
        }
        if function.body.is_some() {
            return self.enter(t, th, func, args);
        }
        match program.funcs[func.0 as usize].native {
            Some(native) => self.call_native(t, th, native, args),
            None => {
                Err(Stop::unknown(Reason::NoModel { function: function.display.clone(), role: Role::Called }))
            }
        }
    }

    /// Notes that something for several threads begins here.
    #[cold]
    fn reach(&self, th: &Thread) {
        let Some(frame) = th.frames.last() else { return };
        let module = self.program.module;
        let Some(body) = module.funcs[frame.func.0 as usize].body.as_ref() else { return };
        if let Inst::Call { site } | Inst::Invoke { site, .. } = body.code[frame.pc as usize] {
            module.reach(frame.func.0, site);
        }
    }

    fn indirect(&self, th: &Thread, o: ir::Opnd) -> Result<FuncId, Stop> {
        let (address, shadow) = self.operand(th, o);
        if shadow != 0 && self.mode.taint {
            return Err(self.open_address((address, shadow)));
        }
        self.program.function_at(address).ok_or_else(|| {
            let what = if address == 0 { "a null pointer" } else { "a pointer that points to no function" };
            Stop::defect(DefectKind::InvalidCall, format!("a call through {what}"))
        })
    }

    /// The values of arguments, slot by slot.
    fn arg_values(&self, th: &Thread, args: &[ir::Arg]) -> Vec<Value> {
        let mut values = Vec::with_capacity(args.len() + 1);
        for arg in args {
            values.push(self.operand(th, arg.value));
            if matches!(arg.kind, ArgKind::Scalar(s) if s.slots() == 2) {
                values.push(self.operand(th, arg.value.second()));
            }
        }
        values
    }

    fn enter(&mut self, t: usize, th: &mut Thread, func: FuncId, args: &[ir::Arg]) -> Result<(), Stop> {
        let function = &self.program.module.funcs[func.0 as usize];
        if self.program.funcs[func.0 as usize].fails {
            return Err(Stop::defect(DefectKind::Assertion, format!("{} called", function.display)));
        }
        if args.len() < function.params.len() {
            return Err(Stop::defect(
                DefectKind::InvalidCall,
                format!(
                    "`{}` is called with {} arguments, not {}",
                    function.display,
                    args.len(),
                    function.params.len()
                ),
            ));
        }
        let float = |k: &ArgKind| matches!(k, ArgKind::Scalar(Scalar::F32 | Scalar::F64 | Scalar::F80));
        if args.iter().zip(&function.params).any(|(arg, param)| float(&arg.kind) != float(param)) {
            return Err(Stop::defect(
                DefectKind::InvalidCall,
                format!("`{}` is called through a pointer of another type", function.display),
            ));
        }
        if th.frames.len() >= self.mode.max_frames {
            return Err(self.stack_overflow());
        }
        let height = self.memory.height(RegionId::stack(t));
        let base = th.slots.len();
        let slots = function.body.as_ref().expect("a body").slots as usize;
        th.slots.resize(base + slots, 0);
        th.shadows.resize(base + slots, 0);
        let mut at = base;
        for arg in &args[..function.params.len()] {
            let (v, s) = match arg.kind {
                ArgKind::Scalar(_) => self.operand(th, arg.value),
                ArgKind::ByVal { size, align } => (self.pass_by_value(t, th, arg.value, size, align)?, 0),
            };
            th.slots[at] = v;
            th.shadows[at] = s;
            at += 1;
            if matches!(arg.kind, ArgKind::Scalar(ty) if ty.slots() == 2) {
                let (v, s) = self.operand(th, arg.value.second());
                th.slots[at] = v;
                th.shadows[at] = s;
                at += 1;
            }
        }
        let varargs =
            if function.variadic { self.pack_varargs(t, th, &args[function.params.len()..])? } else { 0 };
        th.frames.push(Frame { func, pc: 0, base, height, varargs, silent: false, runtime: false });
        if self.program.funcs[func.0 as usize].combines {
            self.begin_combine(t, th);
        }
        Ok(())
    }

    /// Enters a function with plain scalar arguments, from nowhere.
    pub(crate) fn enter_with(&mut self, t: usize, th: &mut Thread, func: FuncId, args: &[u64]) {
        let function = &self.program.module.funcs[func.0 as usize];
        let slots = function.body.as_ref().expect("a body").slots as usize;
        let base = th.slots.len();
        th.slots.resize(base + slots, 0);
        th.shadows.resize(base + slots, 0);
        let n = function.params.len().min(args.len());
        th.slots[base..base + n].copy_from_slice(&args[..n]);
        let height = self.memory.height(RegionId::stack(t));
        th.frames.push(Frame { func, pc: 0, base, height, varargs: 0, silent: true, runtime: false });
    }

    fn pass_by_value(
        &mut self,
        t: usize,
        th: &mut Thread,
        value: ir::Opnd,
        size: u32,
        align: u32,
    ) -> Result<u64, Stop> {
        let (src, _) = self.operand(th, value);
        let access = self.native_access(th);
        self.record_visible(t, th, src, size.into(), false, access);
        let copy = self.internal(t, size.into(), align.into())?;
        let len = u64::from(size);
        let from = self.memory.resolve(src, len, false).map_err(|f| self.fault(f, src, len, false))?;
        let to = self.memory.resolve(copy, len, true).map_err(|f| self.fault(f, copy, len, true))?;
        self.memory.copy(to, from, size as usize);
        Ok(copy)
    }

    fn internal(&mut self, t: usize, size: u64, align: u64) -> Result<u64, Stop> {
        let made = self.memory.create(RegionId::stack(t), size, align, true, Family::None, Origin::Internal);
        let address = made.ok_or_else(|| self.stack_overflow())?;
        self.tell_made(t, address);
        Ok(address)
    }

    /// Lays out variable arguments as the target's calling convention lays out those in memory.
    fn pack_varargs(&mut self, t: usize, th: &mut Thread, args: &[ir::Arg]) -> Result<u64, Stop> {
        let word = u64::from(self.program.module.pointer_bytes);
        let mut places = Vec::with_capacity(args.len());
        let mut end = 0u64;
        let mut first = 0;
        for arg in args {
            if let Some(lane) = arg.lane.filter(|lane| lane.offset > 0) {
                places.push(first + u64::from(lane.offset));
                continue;
            }
            let (size, align) = self.vararg_size(arg);
            let at = end.div_ceil(align) * align;
            places.push(at);
            first = at;
            end = (at + size).div_ceil(word) * word;
        }
        // Reading more arguments than were passed gives whatever is there: unconstrained values.
        let area = self.internal(t, end + VARARGS_SLACK, 16)?;
        let slack = self.memory.resolve(area + end, VARARGS_SLACK, true).expect("inside the area");
        self.memory.edit(slack, VARARGS_SLACK as usize).1.fill(0xff);
        for (arg, at) in args.iter().zip(places) {
            let (v, s) = self.operand(th, arg.value);
            let address = area + at;
            match arg.kind {
                ArgKind::Scalar(ty) => {
                    let second = (ty.slots() == 2).then(|| self.operand(th, arg.value.second()));
                    let len = self.bytes_of(ty);
                    let spot = self.memory.resolve(address, len, true).expect("inside the area");
                    self.poke(spot, ty, (v, s), second);
                }
                ArgKind::ByVal { size, .. } => {
                    let len = u64::from(size);
                    let access = self.native_access(th);
                    self.record_visible(t, th, v, len, false, access);
                    let from =
                        self.memory.resolve(v, len, false).map_err(|f| self.fault(f, v, len, false))?;
                    let to = self.memory.resolve(address, len, true).expect("inside the area");
                    self.memory.copy(to, from, size as usize);
                }
            }
        }
        Ok(area)
    }

    /// The size and alignment of a variable argument in memory.
    fn vararg_size(&self, arg: &ir::Arg) -> (u64, u64) {
        let word = u64::from(self.program.module.pointer_bytes);
        match (arg.lane, arg.kind) {
            (Some(lane), _) => (lane.size.into(), if lane.size > 8 { 16 } else { word }),
            (_, ArgKind::Scalar(Scalar::F80)) if word == 8 => (16, 16),
            (_, ArgKind::Scalar(Scalar::F80)) => (12, 4),
            (_, ArgKind::Scalar(Scalar::Int(bits))) if bits > 64 => (16, 16),
            (_, ArgKind::Scalar(ty)) => (self.bytes_of(ty), word),
            (_, ArgKind::ByVal { size, align }) => (size.into(), u64::from(align).max(word)),
        }
    }

    /// Makes a `va_list` walk over the frame's variable arguments. On x86-64 the list says that all register arguments
    /// are used up, so that everything is read from memory.
    pub(crate) fn va_start(&mut self, t: usize, th: &mut Thread, list: u64) -> Result<(), Stop> {
        let area = th.frames.last().expect("a frame").varargs;
        let wide = self.program.module.pointer_bytes == 8;
        let len = if wide { 24 } else { 4 };
        let spot = self.memory.resolve(list, len, true).map_err(|f| self.fault(f, list, len, true))?;
        if wide {
            self.memory.store(spot, 8, 48 | 304 << 32, 0);
            self.memory.store(Spot { at: spot.at + 8, ..spot }, 8, area, 0);
            self.memory.store(Spot { at: spot.at + 16, ..spot }, 8, 0, 0);
        } else {
            self.memory.store(spot, 4, area, 0);
        }
        self.publish(area, Some(spot));
        let access = self.native_access(th);
        self.record_visible(t, th, list, len, true, access);
        Ok(())
    }

    /// Reads the next variable argument.
    pub(crate) fn va_arg(&mut self, list: u64, ty: Scalar) -> Result<(Value, Option<Value>), Stop> {
        let word = u64::from(self.program.module.pointer_bytes);
        let cursor = if word == 8 { list + 8 } else { list };
        let spot = self.memory.resolve(cursor, word, true).map_err(|f| self.fault(f, cursor, word, true))?;
        let mut address = self.see_pointer(cursor)?.known(self, Subject::VariableArguments)?;
        let size = self.bytes_of(ty);
        if word == 8 && size > 8 {
            address = address.div_ceil(16) * 16;
        }
        let at =
            self.memory.resolve(address, size, false).map_err(|f| self.fault(f, address, size, false))?;
        let step = if ty == Scalar::F80 && word == 8 { 16 } else { size.div_ceil(word) * word };
        self.memory.store(spot, word as usize, address + step, 0);
        Ok(self.peek(at, ty))
    }

    /// Goes on after the call at which the innermost frame stands, with its result.
    pub(crate) fn finish_call(&mut self, th: &mut Thread, result: &[Value]) {
        let Some(frame) = th.frames.last().copied() else { return };
        let body = self.program.module.funcs[frame.func.0 as usize].body.as_ref().expect("a body");
        let inst = body.code[frame.pc as usize];
        let (Inst::Call { site } | Inst::Invoke { site, .. }) = inst else {
            unreachable!("a frame that waits for a result stands at a call")
        };
        let site = body.calls[site as usize];
        for i in 0..site.result_slots as usize {
            // A result that the callee does not give is unconstrained.
            let value = result.get(i).copied().unwrap_or((0, u64::MAX));
            self.set_slot(th, ir::Slot(site.result.0 + i as u32), value);
        }
        let top = th.frames.len() - 1;
        match inst {
            Inst::Invoke { normal, .. } => self.follow(th, normal),
            _ => th.frames[top].pc += 1,
        }
    }

    /// Takes an edge in the innermost frame.
    pub(crate) fn follow(&mut self, th: &mut Thread, edge: ir::EdgeId) {
        let frame = *th.frames.last().expect("a frame");
        let body = self.program.module.funcs[frame.func.0 as usize].body.as_ref().expect("a body");
        let edge = body.edges[edge.0 as usize];
        for &(dst, src) in &body.moves[edge.moves as usize..(edge.moves + edge.move_count) as usize] {
            let value = self.operand(th, src);
            self.set_slot(th, dst, value);
        }
        let top = th.frames.len() - 1;
        th.frames[top].pc = edge.target;
    }

    /// Leaves the innermost frame.
    pub(crate) fn drop_frame(&mut self, t: usize, th: &mut Thread) {
        let frame = *th.frames.last().expect("a frame to leave");
        self.pop_stack(t, th, frame.height);
        th.frames.pop();
        th.slots.truncate(frame.base);
        th.shadows.truncate(frame.base);
    }

    /// Returns from the innermost frame.
    pub(crate) fn finish_frame(&mut self, t: usize, th: &mut Thread, result: &[Value]) -> Result<(), Stop> {
        if th.omp.combining.is_some() {
            self.end_combine(th)?;
        }
        let (silent, runtime) = th.frames.last().map_or((false, false), |f| (f.silent, f.runtime));
        for &(value, _) in result {
            self.publish(value, None);
        }
        self.drop_frame(t, th);
        if runtime {
            return self.runtime_call_returned(t, th);
        }
        if th.frames.is_empty() {
            th.result = result.first().copied().unwrap_or((0, 0));
        } else if !silent {
            self.finish_call(th, result);
        }
        Ok(())
    }

    fn call_native(
        &mut self,
        t: usize,
        th: &mut Thread,
        native: Native,
        args: &[ir::Arg],
    ) -> Result<(), Stop> {
        let values = self.arg_values(th, args);
        match native {
            Native::Local(f) => {
                let mut call = Call { machine: self, th, t, args: &values, result: Vec::new(), moved: false };
                f(&mut call)?;
                let (result, moved) = (std::mem::take(&mut call.result), call.moved);
                if !moved {
                    self.finish_call(th, &result);
                }
                Ok(())
            }
            Native::Sync(op) => {
                let mut plain = [0; 4];
                for (p, (v, s)) in plain.iter_mut().zip(&values) {
                    if *s != 0 && self.mode.taint {
                        return Err(self.open(Subject::SyncArgument, (*v, *s)));
                    }
                    *p = *v;
                }
                self.record_time(t, th, op, values.last().map_or(0, |v| v.0));
                if matches!(op, SyncOp::OmpLock | SyncOp::OmpTest | SyncOp::OmpUnlock) {
                    plain[0] = self.lock_for(t, th, plain[0])?;
                }
                let pending = Pending::Sync(op, plain);
                th.status = Status::At(pending);
                if op == SyncOp::Join {
                    self.notice_arrival(t);
                }
                if self.is_local_for(t, th, &pending) || (self.alone(t) && self.can_perform(t, th, &pending))
                {
                    return self.complete_local_as(t, th);
                }
                Err(Stop::AtSync)
            }
        }
    }

    /// A timed operation reads the time that its last argument points to.
    fn record_time(&mut self, t: usize, th: &mut Thread, op: SyncOp, time: u64) {
        use SyncOp as S;
        let timed = [S::MutexTimed, S::ReadTimed, S::WriteTimed, S::CondTimedWait, S::SemTimed];
        if timed.contains(&op) && time != 0 {
            let access = self.native_access(th);
            let len = 2 * u64::from(self.program.module.pointer_bytes);
            self.record_visible(t, th, time, len, false, access);
        }
    }

    /// Whether all other threads have ended: then synchronisation is nobody else's business.
    pub(crate) fn alone(&self, t: usize) -> bool {
        let ended = || self.threads.iter().enumerate().all(|(u, th)| u == t || th.ended());
        self.threads.len() == 1 || (self.mode.shortcuts && ended())
    }

    /// What a thread without frames does next.
    pub(crate) fn next_stage(&mut self, t: usize, th: &mut Thread) -> Result<(), Stop> {
        if self.await_tasks(t, th)? {
            return Ok(());
        }
        if t != 0 {
            return Err(self.end_thread(t, th));
        }
        let module = self.program.module;
        let stage = th.stage as usize;
        th.stage += 1;
        let ctors = module.ctors.len();
        let code = th.result.0 as u32 as i32;
        if stage < ctors {
            self.enter_with(t, th, module.ctors[stage], &[]);
        } else if stage == ctors {
            let args = self.program.main_args;
            self.enter_with(t, th, module.entry.expect("a loaded program has a main"), &args);
        } else if stage == ctors + 1 && self.program.exit.is_some() {
            if th.result.1 & 0xffff_ffff != 0 && self.mode.taint {
                th.result = (0, 0);
            }
            let exit = self.program.exit.expect("just checked");
            self.enter_with(t, th, exit, &[u64::from(code as u32)]);
        } else {
            th.status = Status::At(Pending::Exit(code));
            return Err(Stop::AtSync);
        }
        Ok(())
    }

    /// The thread's instances of thread-local variables end with it.
    fn end_thread_locals(&mut self, t: usize, th: &mut Thread) {
        let region = RegionId::tls(t);
        let objects = self.memory.objects(region).to_vec();
        for (index, object) in objects.iter().enumerate() {
            self.end_object(t, th, object);
            self.memory.update_object(region, index, |o| o.life = Life::Ended);
        }
        let ranges: Vec<_> = objects.iter().map(|o| (o.base, o.size)).collect();
        self.forget_sync(&ranges);
    }

    /// Ends the calling thread: its stack is gone, its history stays.
    pub(crate) fn end_thread(&mut self, t: usize, th: &mut Thread) -> Stop {
        self.notice_end(t, th);
        self.pop_stack(t, th, 0);
        self.end_thread_locals(t, th);
        th.frames.clear();
        th.slots.clear();
        th.shadows.clear();
        th.status = Status::Ended;
        Stop::Ended
    }
}
