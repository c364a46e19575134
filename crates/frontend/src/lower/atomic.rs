//! Read-modify-writes, compare and exchange, fences.

use ir::{CmpXchg, Inst, Order, RmwOp, Slot};

use super::Unsupported;
use super::access::order;
use super::func::Func;
use crate::llvm::{RmwBinOp, Value};

impl<'m> Func<'_, 'm> {
    pub fn rmw(&mut self, instruction: Value<'m>) -> Result<(), Unsupported> {
        let ty = self.layout(instruction.ty())?.single()?;
        let addr = self.opnd(instruction.operand(0))?;
        let src = self.opnd(instruction.operand(1))?;
        let op = rmw_op(instruction.rmw_operation());
        let order = order(instruction.ordering()).unwrap_or(Order::SeqCst);
        let access = self.access(instruction, instruction.is_volatile());
        let dst = self.def(instruction)?;
        self.emit(Inst::AtomicRmw { op, dst, addr, src, ty, order, access });
        Ok(())
    }

    pub fn cmpxchg(&mut self, instruction: Value<'m>) -> Result<(), Unsupported> {
        let ty = self.layout(instruction.operand(1).ty())?.single()?;
        let addr = self.opnd(instruction.operand(0))?;
        let expected = self.opnd(instruction.operand(1))?;
        let new = self.opnd(instruction.operand(2))?;
        let (success, failure, weak) = instruction.cmpxchg();
        let success = order(success).unwrap_or(Order::SeqCst);
        let failure = order(failure).unwrap_or(Order::SeqCst);
        let access = self.access(instruction, instruction.is_volatile());
        let index = self.body.cmpxchgs.len() as u32;
        let ends_update = self.updates.contains_key(&instruction);
        self.body.cmpxchgs.push(CmpXchg {
            addr,
            expected,
            new,
            ty,
            success,
            failure,
            weak,
            ends_update,
            access,
        });
        let dst = self.def(instruction)?;
        self.emit(Inst::CmpXchg { dst, ok: Slot(dst.0 + ty.slots()), index });
        Ok(())
    }

    pub fn fence(&mut self, instruction: Value<'m>) -> Result<(), Unsupported> {
        // The C interface does not tell a fence's scope. Fences are few, so printing them is no matter.
        if instruction.text().contains("syncscope(\"singlethread\")") {
            return Ok(());
        }
        let order = order(instruction.ordering()).unwrap_or(Order::SeqCst);
        self.emit(Inst::Fence { order });
        Ok(())
    }
}

fn rmw_op(op: RmwBinOp) -> RmwOp {
    use RmwBinOp::*;
    match op {
        LLVMAtomicRMWBinOpXchg => RmwOp::Xchg,
        LLVMAtomicRMWBinOpAdd => RmwOp::Add,
        LLVMAtomicRMWBinOpSub => RmwOp::Sub,
        LLVMAtomicRMWBinOpAnd => RmwOp::And,
        LLVMAtomicRMWBinOpNand => RmwOp::Nand,
        LLVMAtomicRMWBinOpOr => RmwOp::Or,
        LLVMAtomicRMWBinOpXor => RmwOp::Xor,
        LLVMAtomicRMWBinOpMax => RmwOp::Max,
        LLVMAtomicRMWBinOpMin => RmwOp::Min,
        LLVMAtomicRMWBinOpUMax => RmwOp::UMax,
        LLVMAtomicRMWBinOpUMin => RmwOp::UMin,
        LLVMAtomicRMWBinOpFAdd => RmwOp::FAdd,
        LLVMAtomicRMWBinOpFSub => RmwOp::FSub,
        LLVMAtomicRMWBinOpFMax => RmwOp::FMax,
        LLVMAtomicRMWBinOpFMin => RmwOp::FMin,
        LLVMAtomicRMWBinOpUIncWrap => RmwOp::UIncWrap,
        LLVMAtomicRMWBinOpUDecWrap => RmwOp::UDecWrap,
    }
}
