//! C++ exceptions: throwing, unwinding, and which handler takes what (Itanium C++ ABI).
//!
//! An exception object is a heap object with a header in front of what the program sees. Unwinding has two phases, as in
//! the ABI: first look for a handler (without one the program terminates), then run clean-ups on the way to it.

use base::DefectKind;
use ir::{Clause, Inst, LandingPad};

use crate::memory::object::{Family, Origin};
use crate::state::Machine;
use crate::stop::Stop;
use crate::thread::Thread;

/// Bytes in front of an exception object, and what is where in them.
pub(crate) const HEADER: u64 = 64;
pub(crate) const TYPE_INFO: u64 = 0;
pub(crate) const DESTRUCTOR: u64 = 8;
pub(crate) const REFERENCES: u64 = 16;
pub(crate) const ADJUSTED: u64 = 24;

/// What a landing pad makes of an exception.
enum Landing {
    Catch { selector: u64, adjusted: u64 },
    Cleanup,
    Pass,
}

impl<'p> Machine<'p> {
    /// Creates an exception object.
    pub(crate) fn allocate_exception(&mut self, t: usize, th: &Thread, size: u64) -> Result<u64, Stop> {
        let base = self.allocate(t, th, size + HEADER, 16, false, Family::Malloc)?;
        let object = base + HEADER;
        for field in [TYPE_INFO, DESTRUCTOR, REFERENCES, ADJUSTED] {
            self.set_header(object, field, 0);
        }
        Ok(object)
    }

    /// A field of an exception's header.
    pub(crate) fn header(&self, object: u64, field: u64) -> u64 {
        match self.memory.resolve(object.wrapping_sub(HEADER) + field, 8, false) {
            Ok(spot) => self.memory.load(spot, 8).0,
            Err(_) => 0,
        }
    }

    /// Sets a field of an exception's header.
    pub(crate) fn set_header(&mut self, object: u64, field: u64, value: u64) {
        if let Ok(spot) = self.memory.resolve(object.wrapping_sub(HEADER) + field, 8, true) {
            self.memory.store(spot, 8, value, 0);
        }
    }

    fn word(&self, address: u64) -> u64 {
        let len = u64::from(self.program.module.pointer_bytes);
        match self.memory.resolve(address, len, false) {
            Ok(spot) => self.memory.load(spot, len as usize).0,
            Err(_) => 0,
        }
    }

    fn half(&self, address: u64) -> u32 {
        match self.memory.resolve(address, 4, false) {
            Ok(spot) => self.memory.load(spot, 4).0 as u32,
            Err(_) => 0,
        }
    }

    fn pad_at(&self, th: &Thread, frame: usize) -> Option<&'p LandingPad> {
        let frame = &th.frames[frame];
        let body = self.program.module.funcs[frame.func.0 as usize].body.as_ref()?;
        let Inst::Invoke { unwind, .. } = body.code[frame.pc as usize] else { return None };
        match body.code[body.edges[unwind.0 as usize].target as usize] {
            Inst::LandingPad { pad } => Some(&body.pads[pad as usize]),
            _ => None,
        }
    }

    /// Whether a frame's landing pad does nothing but end the program: that of a `noexcept` function.
    fn terminates(&self, th: &Thread, frame: usize) -> bool {
        let frame = &th.frames[frame];
        let module = self.program.module;
        let Some(body) = &module.funcs[frame.func.0 as usize].body else { return false };
        let Inst::Invoke { unwind, .. } = body.code[frame.pc as usize] else { return false };
        let pad = body.edges[unwind.0 as usize].target as usize;
        let ends = |inst: &Inst| match *inst {
            Inst::Call { site } => match body.calls[site as usize].callee {
                ir::Callee::Direct(f) => module.funcs[f.0 as usize].name == "__clang_call_terminate",
                ir::Callee::Indirect(_) => false,
            },
            _ => false,
        };
        body.code[pad + 1..].iter().find(|i| !matches!(i, Inst::Move { .. })).is_some_and(ends)
    }

    /// Whether the user's code on a thread's stack has clean-ups or handlers that unwinding would run.
    pub(crate) fn has_cleanups(&self, th: &Thread) -> bool {
        (0..th.frames.len()).any(|f| {
            let function = &self.program.module.funcs[th.frames[f].func.0 as usize];
            !function.system && self.pad_at(th, f).is_some() && !self.terminates(th, f)
        })
    }

    /// Whether the program has installed its own `std::terminate_handler`.
    fn has_terminate_handler(&self) -> bool {
        let globals = &self.program.module.globals;
        let handler = globals.iter().position(|g| g.name == "__rp_terminate_handler");
        handler.is_some_and(|i| self.word(self.program.globals[i]) != 0)
    }

    fn landing(&self, th: &Thread, frame: usize, object: u64) -> Landing {
        let Some(pad) = self.pad_at(th, frame) else { return Landing::Pass };
        let func = th.frames[frame].func;
        let constant = |o: &ir::Opnd| self.program.funcs[func.0 as usize].consts[o.index()];
        for clause in &pad.clauses {
            match clause {
                Clause::Catch(None) => return Landing::Catch { selector: CATCH_ALL, adjusted: object },
                Clause::Catch(Some(o)) => {
                    let wanted = constant(o);
                    if wanted == 0 {
                        return Landing::Catch { selector: CATCH_ALL, adjusted: object };
                    }
                    if let Some(adjusted) = self.catches(wanted, object) {
                        return Landing::Catch { selector: self.type_id(wanted), adjusted };
                    }
                }
                Clause::Filter(allowed) => {
                    if !allowed.iter().any(|o| self.catches(constant(o), object).is_some()) {
                        return Landing::Catch { selector: u64::from(u32::MAX), adjusted: object };
                    }
                }
            }
        }
        if pad.cleanup { Landing::Cleanup } else { Landing::Pass }
    }

    /// Unwinds to the handler of an exception, or to the next clean-up on the way there.
    pub(crate) fn unwind(
        &mut self,
        t: usize,
        th: &mut Thread,
        object: u64,
        resumed: bool,
    ) -> Result<(), Stop> {
        let handler = (0..th.frames.len())
            .rev()
            .find(|&f| matches!(self.landing(th, f, object), Landing::Catch { .. }));
        let fatal = handler.is_none_or(|f| self.terminates(th, f));
        if fatal && !resumed && !self.has_terminate_handler() {
            let name = self.type_name(self.header(object, TYPE_INFO));
            let what =
                if handler.is_some() { "leaves a function that must not throw" } else { "is not caught" };
            return Err(Stop::defect(DefectKind::Abort, format!("an exception of type {name} {what}")));
        }
        if handler.is_none()
            && !resumed
            && let Some(terminate) = self.program.module.func("_ZSt9terminatev")
            && self.program.module.funcs[terminate.0 as usize].body.is_some()
        {
            self.enter_with(t, th, terminate, &[]);
            return Ok(());
        }
        // The frame that resumes is done; so is a frame whose call does not catch.
        if resumed {
            self.drop_frame(t, th);
        }
        while let Some(top) = th.frames.len().checked_sub(1) {
            match self.landing(th, top, object) {
                Landing::Pass => self.drop_frame(t, th),
                Landing::Cleanup => return self.enter_pad(th, object, 0),
                Landing::Catch { selector, adjusted } => {
                    self.set_header(object, ADJUSTED, adjusted);
                    return self.enter_pad(th, object, selector);
                }
            }
        }
        Err(Stop::defect(DefectKind::Abort, "an exception leaves the thread's first function"))
    }

    fn enter_pad(&mut self, th: &mut Thread, object: u64, selector: u64) -> Result<(), Stop> {
        let top = th.frames.len() - 1;
        let pad = self.pad_at(th, top).expect("the frame lands here");
        let result = pad.result;
        let frame = th.frames[top];
        let body = self.program.module.funcs[frame.func.0 as usize].body.as_ref().expect("a body");
        let Inst::Invoke { unwind, .. } = body.code[frame.pc as usize] else {
            unreachable!("only invokes have landing pads")
        };
        self.follow(th, unwind);
        self.set_slot(th, result, (object, 0));
        self.set_slot(th, ir::Slot(result.0 + 1), (selector & 0xffff_ffff, 0));
        Ok(())
    }

    /// The number by which compiled code knows a type info.
    pub(crate) fn type_id(&self, type_info: u64) -> u64 {
        match self.memory.find(type_info).map(|(_, _, o)| o.origin) {
            Some(Origin::Global(id)) => u64::from(id.0) + 1,
            _ => CATCH_ALL,
        }
    }

    /// The kind of a type info: the name of the class that describes it.
    fn type_class(&self, type_info: u64) -> &'p str {
        match self.memory.find(self.word(type_info)).map(|(_, _, o)| o.origin) {
            Some(Origin::Global(id)) => &self.program.module.globals[id.0 as usize].name,
            _ => "",
        }
    }

    fn type_name(&self, type_info: u64) -> String {
        let at = self.word(type_info + u64::from(self.program.module.pointer_bytes));
        let mut name = Vec::new();
        for i in 0..256 {
            match self.memory.resolve(at + i, 1, false) {
                Ok(spot) if self.memory.load(spot, 1).0 != 0 => name.push(self.memory.load(spot, 1).0 as u8),
                _ => break,
            }
        }
        let mangled = String::from_utf8_lossy(&name).into_owned();
        // `12MyException` and `St13runtime_error` are names of classes preceded by their length.
        let (std, rest) = match mangled.strip_prefix("St") {
            Some(rest) => ("std::", rest),
            None => ("", &mangled[..]),
        };
        let plain = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        if plain.len() < rest.len() && rest.starts_with(&plain.len().to_string()) {
            format!("`{std}{plain}`")
        } else {
            format!("`{mangled}`")
        }
    }

    fn same_type(&self, a: u64, b: u64) -> bool {
        a == b || self.type_name(a) == self.type_name(b)
    }

    /// If a handler for type `wanted` takes the exception: what it gets.
    fn catches(&self, wanted: u64, object: u64) -> Option<u64> {
        let thrown = self.header(object, TYPE_INFO);
        let bytes = u64::from(self.program.module.pointer_bytes);
        if self.type_class(thrown).contains("pointer_type_info") {
            let value = self.word(object);
            if self.same_type(wanted, thrown) {
                return Some(value);
            }
            if !self.type_class(wanted).contains("pointer_type_info") {
                return None;
            }
            let (to, from) = (self.word(wanted + 3 * bytes), self.word(thrown + 3 * bytes));
            if self.type_name(to) == "`v`" || self.same_type(to, from) {
                return Some(value);
            }
            return self.base_at(from, value, to);
        }
        if self.same_type(wanted, thrown) { Some(object) } else { self.base_at(thrown, object, wanted) }
    }

    /// Where in an object of class `ty` its public base `wanted` lies.
    pub(crate) fn base_at(&self, ty: u64, object: u64, wanted: u64) -> Option<u64> {
        if self.same_type(ty, wanted) {
            return Some(object);
        }
        let bytes = u64::from(self.program.module.pointer_bytes);
        match self.type_class(ty) {
            "_ZTVN10__cxxabiv120__si_class_type_infoE" => {
                self.base_at(self.word(ty + 2 * bytes), object, wanted)
            }
            "_ZTVN10__cxxabiv121__vmi_class_type_infoE" => {
                let count = u64::from(self.half(ty + 2 * bytes + 4)).min(64);
                (0..count).find_map(|i| {
                    let entry = ty + 2 * bytes + 8 + i * 2 * bytes;
                    let (base, flags) = (self.word(entry), self.word(entry + bytes));
                    let flags = if bytes == 4 { i64::from(flags as u32 as i32) } else { flags as i64 };
                    if flags & 2 == 0 {
                        return None;
                    }
                    let mut offset = flags >> 8;
                    if flags & 1 != 0 {
                        let vtable = self.word(object);
                        offset = self.word(vtable.wrapping_add_signed(offset)) as i64;
                    }
                    self.base_at(base, object.wrapping_add_signed(offset), wanted)
                })
            }
            _ => None,
        }
    }

    /// `dynamic_cast`: from any part of an object to its base (or most derived class) `wanted`; 0 if there is none.
    pub(crate) fn dynamic_cast(&self, part: u64, wanted: u64) -> u64 {
        let bytes = u64::from(self.program.module.pointer_bytes);
        let vtable = self.word(part);
        let to_top = self.word(vtable.wrapping_sub(2 * bytes));
        let to_top = if bytes == 4 { i64::from(to_top as u32 as i32) } else { to_top as i64 };
        let whole = part.wrapping_add_signed(to_top);
        let ty = self.word(vtable.wrapping_sub(bytes));
        self.base_at(ty, whole, wanted).unwrap_or(0)
    }
}

/// The selector of `catch (...)`; compiled code does not compare it.
const CATCH_ALL: u64 = 0x7fff_ffff;
