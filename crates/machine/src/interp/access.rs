//! Memory accesses of instructions: bounds, lifetime, recording, and what goes wrong.

use base::DefectKind;
use base::reason::{Beyond, Reason, Subject};
use ir::{AccessId, Init, Scalar, VarId};

use super::atomic::opened;
use crate::memory::layout::{Layout, RegionId};
use crate::memory::object::{Family, Life, Object, Origin};
use crate::memory::{Fault, Spot};
use crate::state::Machine;
use crate::stop::Stop;
use crate::thread::Thread;

/// A slot's value and shadow.
pub type Value = (u64, u64);

impl<'p> Machine<'p> {
    /// How many bytes a scalar takes in memory.
    #[inline]
    pub fn bytes_of(&self, ty: Scalar) -> u64 {
        match ty {
            Scalar::Int(bits) => u64::from(bits.div_ceil(8)),
            Scalar::Ptr => self.program.module.pointer_bytes.into(),
            Scalar::F32 => 4,
            Scalar::F64 => 8,
            Scalar::F80 => 10,
        }
    }

    /// Whether an access must be recorded: not while the thread's stack object is known to nobody else.
    #[inline]
    pub(super) fn visible(&self, spot: Spot) -> bool {
        (self.recording || self.observer.is_some()) && self.memory.object(spot).escaped
    }

    /// Where an access to a scalar of one slot goes, and whether it is to be recorded; `None` if it is not that simple.
    #[inline]
    pub(super) fn quick(&self, address: u64, ty: Scalar, write: bool) -> Option<(Spot, bool)> {
        let len = self.bytes_of(ty);
        let (spot, object) = self.memory.access(address, len, write)?;
        // A page that nobody has touched is made on the slow path.
        (len <= 8 && !spot.is_untouched())
            .then_some((spot, object.escaped && (self.recording || self.observer.is_some())))
    }

    /// Loads a scalar; the second value is there for two-slot types.
    #[inline]
    pub(crate) fn load(
        &mut self,
        t: usize,
        th: &mut Thread,
        address: u64,
        ty: Scalar,
        access: AccessId,
    ) -> Result<(Value, Option<Value>), Stop> {
        let len = self.bytes_of(ty);
        let spot = match self.memory.resolve(address, len, false) {
            Ok(spot) => spot,
            Err(fault) => return Err(self.fault_of(t, th, fault, address, len, false, access)),
        };
        let open = self.visible(spot) && self.record(t, th, address, len, false, access);
        let cell = self.peek(spot, ty);
        Ok(opened(cell, open, ty))
    }

    /// Reads a scalar without recording an access.
    #[inline]
    pub(crate) fn peek(&self, spot: Spot, ty: Scalar) -> (Value, Option<Value>) {
        let len = self.bytes_of(ty);
        if len <= 8 {
            let (v, s) = self.memory.load(spot, len as usize);
            return match ty {
                Scalar::Int(bits) => {
                    let m = super::int::mask(bits);
                    ((v & m, s & m), None)
                }
                _ => ((v, s), None),
            };
        }
        let low = self.memory.load(spot, 8);
        let high = self.memory.load(Spot { at: spot.at + 8, ..spot }, len as usize - 8);
        (low, Some(high))
    }

    /// Stores a scalar.
    #[inline]
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn store(
        &mut self,
        t: usize,
        th: &mut Thread,
        address: u64,
        ty: Scalar,
        value: Value,
        second: Option<Value>,
        access: AccessId,
    ) -> Result<(), Stop> {
        let len = self.bytes_of(ty);
        let spot = match self.memory.resolve(address, len, true) {
            Ok(spot) => spot,
            Err(fault) => return Err(self.fault_of(t, th, fault, address, len, true, access)),
        };
        if self.visible(spot) {
            let open = self.record(t, th, address, len, true, access);
            if open || value.1 != 0 {
                let (value, second) = match self.settles() {
                    true => ((value.0, 0), second.map(|s| (s.0, 0))),
                    false => opened((value, second), open, ty),
                };
                self.poke(spot, ty, value, second);
                return Ok(());
            }
        }
        self.poke(spot, ty, value, second);
        Ok(())
    }

    /// What is stored of a value of one slot when the access has been told; `open`: another schedule could store another one.
    #[inline]
    pub(super) fn stored(&self, value: Value, open: bool, ty: Scalar) -> Value {
        match open || value.1 != 0 {
            false => value,
            true if self.settles() => (value.0, 0),
            true => opened((value, None), open, ty).0,
        }
    }

    /// Whether the observer says that what was just written counts as fixed.
    #[cold]
    fn settles(&self) -> bool {
        self.observer.as_ref().is_some_and(|o| o.settles())
    }

    /// Writes a scalar without recording an access.
    #[inline]
    pub(crate) fn poke(&mut self, spot: Spot, ty: Scalar, value: Value, second: Option<Value>) {
        let len = self.bytes_of(ty) as usize;
        if len <= 8 {
            self.memory.store(spot, len, value.0, value.1);
            if len == usize::from(self.program.module.pointer_bytes) {
                self.publish(value.0, Some(spot));
            }
            return;
        }
        let second = second.unwrap_or((0, 0));
        self.memory.store(spot, 8, value.0, value.1);
        self.memory.store(Spot { at: spot.at + 8, ..spot }, len - 8, second.0, second.1);
        self.publish(value.0, Some(spot));
        self.publish(second.0, Some(spot));
    }

    /// Notes that a value which may be the address of a stack object is now in memory (at `holder`), or elsewhere where it
    /// can outlive the object.
    #[inline]
    pub(crate) fn publish(&mut self, value: u64, holder: Option<Spot>) {
        if self.memory.layout().region(value).is_stack() {
            self.publish_object(value, holder);
        }
    }

    #[cold]
    fn publish_object(&mut self, value: u64, holder: Option<Spot>) {
        let Some((region, index, object)) = self.memory.find(value) else { return };
        // A younger object of the same stack (or the object itself) is gone before this one is.
        let outlived = holder.is_some_and(|h| h.region == region && h.object >= index);
        if !object.published && !outlived {
            self.memory.update_object(region, index, |o| o.published = true);
            self.hand_over(region, index);
        }
    }

    /// Notes that others may know a stack object, and with it those below whose addresses it may hold.
    fn hand_over(&mut self, region: RegionId, index: usize) {
        // Whatever lies below one that was handed over was handed over with it.
        let known = self.memory.objects(region)[..=index].iter().rposition(|o| o.handed);
        for below in known.map_or(0, |i| i + 1)..=index {
            self.memory.update_object(region, below, |o| o.handed = true);
        }
    }

    /// Notes addresses of stack objects among bytes that were copied to `to`.
    fn publish_copied(&mut self, to: Spot, len: usize) {
        let word = usize::from(self.program.module.pointer_bytes);
        for at in (0..len.saturating_sub(word - 1)).step_by(word) {
            let (value, _) = self.memory.load(Spot { at: to.at + at, ..to }, word);
            self.publish(value, Some(to));
        }
    }

    /// Ends the stack objects of a thread above a height. An object whose address may still be somewhere keeps it, dead.
    pub(crate) fn pop_stack(&mut self, t: usize, th: &mut Thread, height: usize) {
        let region = RegionId::stack(t);
        let objects = self.memory.objects(region);
        if objects.len() <= height {
            return;
        }
        if self.recording || self.observer.is_some() {
            let told = self.observer.is_some();
            let known = |o: &&Object| o.life == Life::Alive && o.escaped && (told || o.handed);
            let ended: Vec<_> = objects[height..].iter().filter(known).copied().collect();
            ended.iter().for_each(|object| self.end_object(t, th, object));
        }
        let objects = self.memory.objects(region);
        if self.sync.on_stacks() {
            let ranges: Vec<_> = objects[height..].iter().map(|o| (o.base, o.size)).collect();
            self.forget_sync(&ranges);
        }
        let objects = self.memory.objects(region);
        let kept = objects.iter().rposition(|o| o.published).map_or(height, |i| (i + 1).max(height));
        for index in height..kept {
            if self.memory.objects(region)[index].life == Life::Alive {
                self.memory.update_object(region, index, |o| o.life = Life::Ended);
            }
        }
        self.memory.pop(region, kept);
    }

    /// Synchronisation objects inside memory that has ended are no more.
    pub(crate) fn forget_sync(&mut self, ranges: &[(u64, u64)]) {
        for &(base, size) in ranges {
            for address in self.sync.within(base, size) {
                self.set_sync(address, None);
            }
        }
    }

    /// Creates a stack object.
    pub(crate) fn alloca(
        &mut self,
        t: usize,
        (n, size): (u64, u64),
        align: u32,
        var: VarId,
        private: bool,
    ) -> Result<u64, Stop> {
        let bytes = n.saturating_mul(size);
        let region = RegionId::stack(t);
        let created =
            self.memory.create(region, bytes, align.into(), false, Family::None, Origin::Local(var));
        if private {
            self.memory.make_private(region);
        } else if let Some(address) = created {
            self.tell_made(t, address);
        }
        created.ok_or_else(|| {
            Stop::defect(DefectKind::StackOverflow, format!("a local variable of {bytes} bytes"))
        })
    }

    /// Copies bytes, as `memcpy` or `memmove`.
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn copy_bytes(
        &mut self,
        t: usize,
        th: &mut Thread,
        dst: u64,
        src: u64,
        len: u64,
        overlap: bool,
        access: AccessId,
    ) -> Result<(), Stop> {
        if len == 0 {
            return Ok(());
        }
        let piece = self.memory.together(src, len).min(self.memory.together(dst, len));
        if piece < len {
            return self.copy_pieces(t, th, dst, src, len, access);
        }
        let from = match self.memory.resolve(src, len, false) {
            Ok(spot) => spot,
            Err(fault) => return Err(self.fault_of(t, th, fault, src, len, false, access)),
        };
        let to = match self.memory.resolve(dst, len, true) {
            Ok(spot) => spot,
            Err(fault) => return Err(self.fault_of(t, th, fault, dst, len, true, access)),
        };
        if !overlap && dst != src && dst.abs_diff(src) < len {
            return Err(Stop::defect(DefectKind::Misuse, "memcpy between areas that overlap"));
        }
        let mut open = self.visible(from) && self.record(t, th, src, len, false, access);
        let seen = self.visible(to);
        open |= seen && self.record(t, th, dst, len, true, access);
        let to = self.memory.own(to);
        self.memory.copy(to, from, len as usize);
        if seen && self.mode.taint && self.settles() {
            self.memory.edit(to, len as usize).1.fill(0);
        } else if open {
            self.memory.edit(to, len as usize).1.fill(0xff);
        }
        self.publish_copied(to, len as usize);
        Ok(())
    }

    /// Copies bytes that do not lie in one piece.
    #[cold]
    fn copy_pieces(
        &mut self,
        t: usize,
        th: &mut Thread,
        dst: u64,
        src: u64,
        len: u64,
        access: AccessId,
    ) -> Result<(), Stop> {
        if dst.abs_diff(src) < len {
            return Err(Stop::unknown(Beyond::Copy));
        }
        let mut done = 0;
        while done < len {
            let (to, from, left) = (dst + done, src + done, len - done);
            let piece = self.memory.together(to, left).min(self.memory.together(from, left));
            let (of_to, of_from) = (self.memory.untouched(to), self.memory.untouched(from));
            let same = of_to.is_some() && of_to == of_from;
            // Between two pages that nobody has touched there is nothing to copy.
            if !same || self.recording || self.observer.is_some() {
                self.copy_bytes(t, th, to, from, piece, false, access)?;
            }
            done += piece;
        }
        Ok(())
    }

    /// Fills bytes, as `memset`.
    pub(crate) fn fill_bytes(
        &mut self,
        t: usize,
        th: &mut Thread,
        dst: u64,
        (byte, shadow): (u8, u8),
        len: u64,
        access: AccessId,
    ) -> Result<(), Stop> {
        if len == 0 {
            return Ok(());
        }
        let mut done = 0;
        while done < len {
            let piece = self.memory.together(dst + done, len - done);
            self.fill_piece(t, th, dst + done, (byte, shadow), piece, access)?;
            done += piece;
        }
        Ok(())
    }

    fn fill_piece(
        &mut self,
        t: usize,
        th: &mut Thread,
        dst: u64,
        (byte, shadow): (u8, u8),
        len: u64,
        access: AccessId,
    ) -> Result<(), Stop> {
        let to = match self.memory.resolve(dst, len, true) {
            Ok(spot) => spot,
            Err(fault) => return Err(self.fault_of(t, th, fault, dst, len, true, access)),
        };
        let open = self.visible(to) && self.record(t, th, dst, len, true, access);
        let shadow = if open { 0xff } else { shadow };
        let (data, shadows) = self.memory.edit(to, len as usize);
        data.fill(byte);
        shadows.fill(shadow);
        Ok(())
    }

    /// An access through a pointer that is unconstrained in whole or in part.
    #[cold]
    pub(crate) fn open_address(&self, value: Value) -> Stop {
        if self.inputs.is_some() {
            return self.open(Subject::Address, value);
        }
        Stop::defect(
            DefectKind::UninitialisedPointer,
            "an access through a pointer or index that was never initialised",
        )
    }

    /// An access that is not possible. One to a freed object may race with the free, one to a local variable whose scope
    /// has ended with what its function did, so it is recorded all the same.
    #[cold]
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn fault_of(
        &mut self,
        t: usize,
        th: &mut Thread,
        fault: Fault,
        address: u64,
        len: u64,
        write: bool,
        access: AccessId,
    ) -> Stop {
        if matches!(fault, Fault::Freed | Fault::Ended) {
            let home = self.memory.home(address);
            let len = if home == address { len } else { 1 };
            self.record_last(t, th, home, len, write, access);
        }
        self.fault(fault, address, len, write)
    }

    /// What a fault means to people.
    #[cold]
    pub(crate) fn fault(&self, fault: Fault, address: u64, len: u64, write: bool) -> Stop {
        let what = if write { "a write" } else { "a read" };
        let bytes = if len == 1 { "1 byte".to_string() } else { format!("{len} bytes") };
        match fault {
            Fault::Null => {
                Stop::defect(DefectKind::NullPointer, format!("{what} of {bytes} through a null pointer"))
            }
            Fault::Wild if self.in_dead_stack(address) => Stop::defect(
                DefectKind::UseAfterFree,
                format!("{what} of {bytes} in a local variable whose function has returned"),
            ),
            Fault::Wild => Stop::defect(
                DefectKind::InvalidPointer,
                format!("{what} of {bytes} through a pointer that points to no object"),
            ),
            Fault::Freed => Stop::defect(
                DefectKind::UseAfterFree,
                format!("{what} of {bytes} in an object that was freed"),
            ),
            Fault::Ended => Stop::defect(
                DefectKind::UseAfterFree,
                format!("{what} of {bytes} in a local variable whose scope has ended"),
            ),
            Fault::Constant => {
                Stop::defect(DefectKind::WriteToConstant, "a write to a constant object or string literal")
            }
            Fault::Bounds { base, size } => self.bounds(address, len, what, &bytes, base, size),
            Fault::Scattered => {
                let access = if write { base::AccessKind::Write } else { base::AccessKind::Read };
                Stop::unknown(Beyond::Pages { access, bytes: len })
            }
        }
    }

    fn bounds(&self, address: u64, _len: u64, what: &str, bytes: &str, base: u64, size: u64) -> Stop {
        if let Some((_, _, object)) = self.memory.find(address)
            && let Origin::Global(id) | Origin::ThreadLocal(id) = object.origin
        {
            let global = &self.program.module.globals[id.0 as usize];
            if global.init == Init::Extern {
                return Stop::unknown(Reason::NotDefined { variable: global.name.clone() });
            }
        }
        let offset = address.wrapping_sub(base) as i64;
        Stop::defect(
            DefectKind::OutOfBounds,
            format!("{what} of {bytes} at offset {offset} of an object of {size} bytes"),
        )
    }

    fn in_dead_stack(&self, address: u64) -> bool {
        let region = self.memory.layout().region(address);
        let thread = (region.0 as usize).wrapping_sub(4) / 3;
        region.is_stack()
            && thread < self.threads.len()
            && (self.memory.layout() == Layout::Narrow
                || Layout::wide_index(address) >= self.memory.height(region))
    }
}
