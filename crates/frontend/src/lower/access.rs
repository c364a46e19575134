//! Stack objects, loads and stores.

use ir::{AccessId, AccessInfo, Inst, Opnd, Order, Slot, VarId, Variable};

use super::Unsupported;
use super::func::Func;
use crate::llvm::{Opcode, Ordering, Value};
use crate::omp::carried;

impl<'m> Func<'_, 'm> {
    /// What a report says of an instruction that touches memory.
    pub fn access(&mut self, instruction: Value<'m>, volatile: bool) -> AccessId {
        let text = instruction.note(self.m.names).or_else(|| self.name_after_promotion(instruction));
        let expr = text.map(|text| self.m.string(&text));
        let update = self.updates.get(&instruction).copied();
        self.m.access(AccessInfo { place: self.place, func: self.id, expr, volatile, update })
    }

    /// The name of an access that promotion has made: part of a struct copy, or of a local that stays in memory.
    fn name_after_promotion(&mut self, instruction: Value<'m>) -> Option<String> {
        let address = match instruction.opcode()? {
            Opcode::LLVMLoad => instruction.operand(0),
            Opcode::LLVMStore => instruction.operand(1),
            _ => return None,
        };
        if let Some(variable) = self.variables.get(&address) {
            let variable = self.m.debug.variable(&mut self.m.out, *variable)?;
            return Some(variable.name);
        }
        let function = &self.m.out.funcs[self.id.0 as usize].name;
        self.m.copies.side(function, instruction).map(str::to_string)
    }

    pub fn alloca(&mut self, instruction: Value<'m>) -> Result<(), Unsupported> {
        let ty = instruction.allocated_type();
        let count = self.opnd(instruction.operand(0))?;
        let count_bits = instruction.operand(0).ty().int_bits().min(64) as u8;
        let align = match instruction.alignment() {
            0 => self.m.llvm.align_of(ty),
            given => given,
        };
        let variable = self.variables.get(&instruction).copied();
        let variable = variable.and_then(|v| self.m.debug.variable(&mut self.m.out, v));
        let mut variable = variable.unwrap_or_else(|| Variable {
            name: "<temporary>".to_string(),
            ty: None,
            place: self.place,
        });
        // A part that LLVM has split off is not of the variable's type.
        let size = self.m.llvm.size_of(ty);
        let constant = instruction.operand(0).constant_int();
        if constant == Some(1) && variable.ty.is_some_and(|t| self.m.out.type_size(t) > size) {
            variable.ty = None;
        }
        let var = VarId(self.m.out.variables.len() as u32);
        self.m.out.variables.push(variable);
        let dst = self.def(instruction)?;
        let sight = carried::sight(instruction, self.m.lane);
        self.emit(Inst::Alloca { dst, count, count_bits, size, align: align.max(1), var, sight });
        Ok(())
    }

    pub fn load(&mut self, instruction: Value<'m>) -> Result<(), Unsupported> {
        let layout = self.layout(instruction.ty())?;
        if layout.packed_bits {
            return Err("load of a vector of bits".to_string());
        }
        let addr = self.opnd(instruction.operand(0))?;
        let access = self.access(instruction, instruction.is_volatile());
        let order = order(instruction.ordering());
        let dst = self.def(instruction)?;
        for leaf in &layout.leaves {
            let addr = self.offset(addr, leaf.offset as i64);
            let (dst, ty) = (Slot(dst.0 + leaf.slot), leaf.scalar);
            self.emit(match order {
                Some(order) => Inst::AtomicLoad { dst, addr, ty, order, access },
                None => Inst::Load { dst, addr, ty, access },
            });
        }
        Ok(())
    }

    pub fn store(&mut self, instruction: Value<'m>) -> Result<(), Unsupported> {
        let layout = self.layout(instruction.operand(0).ty())?;
        if layout.packed_bits {
            return Err("store of a vector of bits".to_string());
        }
        let src: Vec<Opnd> = self.opnds(instruction.operand(0))?;
        let addr = self.opnd(instruction.operand(1))?;
        let access = self.access(instruction, instruction.is_volatile());
        let order = order(instruction.ordering());
        for leaf in &layout.leaves {
            let addr = self.offset(addr, leaf.offset as i64);
            let (src, ty) = (src[leaf.slot as usize], leaf.scalar);
            self.emit(match order {
                Some(order) => Inst::AtomicStore { addr, src, ty, order, access },
                None => Inst::Store { addr, src, ty, access },
            });
        }
        Ok(())
    }
}

/// A memory order; `None` if the access is not atomic. `unordered` is for Java; treating it as relaxed loses nothing.
pub fn order(ordering: Ordering) -> Option<Order> {
    match ordering {
        Ordering::LLVMAtomicOrderingNotAtomic => None,
        Ordering::LLVMAtomicOrderingUnordered | Ordering::LLVMAtomicOrderingMonotonic => Some(Order::Relaxed),
        Ordering::LLVMAtomicOrderingAcquire => Some(Order::Acquire),
        Ordering::LLVMAtomicOrderingRelease => Some(Order::Release),
        Ordering::LLVMAtomicOrderingAcquireRelease => Some(Order::AcqRel),
        Ordering::LLVMAtomicOrderingSequentiallyConsistent => Some(Order::SeqCst),
    }
}
