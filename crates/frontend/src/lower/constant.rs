//! Constants: to the slots' contents.

use ir::Const;

use super::{Lowering, Unsupported};
use crate::llvm::{Linkage, Opcode, Type, TypeKind, Value, ValueKind};

impl<'m> Lowering<'m> {
    /// The slots of a constant, or `None` if some are known at run time only.
    pub fn fold(&mut self, value: Value<'m>) -> Result<Option<Vec<Const>>, Unsupported> {
        use ValueKind::*;
        let slots = self.layouts.of(value.ty())?.slots as usize;
        match value.kind() {
            LLVMUndefValueValueKind | LLVMPoisonValueKind => Ok(Some(vec![Const::Undef; slots])),
            LLVMConstantAggregateZeroValueKind | LLVMConstantPointerNullValueKind => {
                Ok(Some(vec![Const::Bits(0); slots]))
            }
            LLVMConstantIntValueKind | LLVMConstantFPValueKind => {
                // A vector whose lanes are all equal may be a single number to LLVM.
                let Some(bits) = self.llvm.constant_bits(value) else {
                    return Err(format!("constant of type {}", value.ty().text()));
                };
                let words = [Const::Bits(bits as u64), Const::Bits((bits >> 64) as u64)];
                Ok(Some(words[..slots.min(2)].to_vec()))
            }
            LLVMConstantStructValueKind | LLVMConstantArrayValueKind | LLVMConstantVectorValueKind => {
                let mut all = Vec::with_capacity(slots);
                for i in 0..value.operand_count() {
                    let Some(part) = self.fold(value.operand(i))? else { return Ok(None) };
                    all.extend(part);
                }
                Ok(Some(all))
            }
            LLVMConstantDataArrayValueKind | LLVMConstantDataVectorValueKind => {
                let mut all = Vec::with_capacity(slots);
                for i in 0..value.ty().len() as u32 {
                    let Some(part) = self.fold(value.data_element(i))? else { return Ok(None) };
                    all.extend(part);
                }
                Ok(Some(all))
            }
            LLVMFunctionValueKind | LLVMGlobalVariableValueKind if self.is_missing(value) => {
                Ok(Some(vec![Const::Bits(0)]))
            }
            LLVMFunctionValueKind => Ok(Some(vec![Const::Func(self.func(value))])),
            LLVMGlobalVariableValueKind if value.is_thread_local() => Ok(None),
            LLVMGlobalVariableValueKind => Ok(Some(vec![Const::Global(self.global(value), 0)])),
            LLVMGlobalAliasValueKind => self.fold(value.aliasee()),
            LLVMGlobalIFuncValueKind => Err(format!("indirect function `{}` (ifunc)", value.name())),
            LLVMBlockAddressValueKind => {
                let (function, block) = value.block_address();
                let number = self.addressed(function).iter().position(|b| *b == block);
                let number = number.ok_or("address of a block")? as u32;
                Ok(Some(vec![Const::Block(self.func(function), number)]))
            }
            LLVMConstantExprValueKind => Ok(self.fold_expression(value)?.map(|c| vec![c])),
            _ => Err(format!("constant of type {}", value.ty().text())),
        }
    }

    /// Whether a weak reference is to something that is defined nowhere, so that its address is null. Parts of
    /// pthreads are always there: libstdc++ asks for them to learn whether the program has threads.
    fn is_missing(&self, value: Value<'m>) -> bool {
        let weak = value.linkage() == Linkage::LLVMExternalWeakLinkage && value.is_declaration();
        weak && {
            let name = value.name();
            !name.starts_with("pthread") && !name.starts_with("__pthread")
        }
    }

    fn fold_one(&mut self, value: Value<'m>) -> Result<Option<Const>, Unsupported> {
        Ok(self.fold(value)?.filter(|c| c.len() == 1).map(|c| c[0]))
    }

    fn fold_expression(&mut self, value: Value<'m>) -> Result<Option<Const>, Unsupported> {
        let Some(opcode) = value.opcode() else { return Ok(None) };
        let Some(first) = self.fold_one(value.operand(0))? else { return Ok(None) };
        let bits = self.bits_of(value.ty());
        match opcode {
            Opcode::LLVMGetElementPtr => {
                Ok(self.constant_offset(value).and_then(|offset| self.moved(first, offset)))
            }
            Opcode::LLVMPtrToInt | Opcode::LLVMIntToPtr | Opcode::LLVMBitCast | Opcode::LLVMAddrSpaceCast
                if self.bits_of(value.operand(0).ty()) == bits =>
            {
                Ok(Some(first))
            }
            Opcode::LLVMPtrToInt | Opcode::LLVMIntToPtr | Opcode::LLVMTrunc => match first {
                Const::Bits(word) => Ok(Some(Const::Bits(word & mask(bits)))),
                _ => Ok(None),
            },
            Opcode::LLVMAdd | Opcode::LLVMSub | Opcode::LLVMMul | Opcode::LLVMXor if bits <= 64 => {
                let Some(second) = self.fold_one(value.operand(1))? else { return Ok(None) };
                Ok(binary(opcode, first, second, bits))
            }
            _ => Ok(None),
        }
    }

    /// A constant address moved by some bytes.
    fn moved(&self, base: Const, offset: i64) -> Option<Const> {
        match base {
            Const::Global(global, at) => Some(Const::Global(global, at.wrapping_add(offset))),
            Const::Bits(word) => {
                let bits = u32::from(self.out.pointer_bytes) * 8;
                Some(Const::Bits(word.wrapping_add(offset as u64) & mask(bits)))
            }
            Const::Func(_) | Const::Block(..) if offset == 0 => Some(base),
            Const::Undef => Some(Const::Undef),
            _ => None,
        }
    }

    /// The width of a scalar type in bits, pointers as wide as they are; 0 for other types.
    fn bits_of(&self, ty: Type<'m>) -> u32 {
        match ty.kind() {
            TypeKind::LLVMIntegerTypeKind => ty.int_bits(),
            TypeKind::LLVMPointerTypeKind => self.llvm.pointer_bytes() * 8,
            TypeKind::LLVMFloatTypeKind => 32,
            TypeKind::LLVMDoubleTypeKind => 64,
            _ => 0,
        }
    }

    /// The offset that a GEP adds, if all its indices are constants.
    pub fn constant_offset(&self, gep: Value<'m>) -> Option<i64> {
        let mut total = 0i64;
        let mut ty = gep.gep_type();
        for i in 1..gep.operand_count() {
            let index = gep.operand(i).constant_int()?;
            if i == 1 {
                total = total.wrapping_add(index.wrapping_mul(self.llvm.size_of(ty) as i64));
            } else if ty.kind() == TypeKind::LLVMStructTypeKind {
                let member = u32::try_from(index).ok().filter(|m| u64::from(*m) < ty.len())?;
                total = total.wrapping_add(self.llvm.offset_of(ty, member) as i64);
                ty = ty.member(member);
            } else if matches!(ty.kind(), TypeKind::LLVMArrayTypeKind | TypeKind::LLVMVectorTypeKind) {
                ty = ty.element();
                total = total.wrapping_add(index.wrapping_mul(self.llvm.size_of(ty) as i64));
            } else {
                return None;
            }
        }
        Some(total)
    }
}

fn mask(bits: u32) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}

fn binary(opcode: Opcode, a: Const, b: Const, bits: u32) -> Option<Const> {
    use Const::{Bits, Global};
    match (opcode, a, b) {
        (Opcode::LLVMAdd, Bits(a), Bits(b)) => Some(Bits(a.wrapping_add(b) & mask(bits))),
        (Opcode::LLVMSub, Bits(a), Bits(b)) => Some(Bits(a.wrapping_sub(b) & mask(bits))),
        (Opcode::LLVMMul, Bits(a), Bits(b)) => Some(Bits(a.wrapping_mul(b) & mask(bits))),
        (Opcode::LLVMXor, Bits(a), Bits(b)) => Some(Bits(a ^ b)),
        (Opcode::LLVMAdd, Global(g, at), Bits(n)) | (Opcode::LLVMAdd, Bits(n), Global(g, at)) => {
            Some(Global(g, at.wrapping_add(sign_extend(n, bits))))
        }
        (Opcode::LLVMSub, Global(g, at), Bits(n)) => Some(Global(g, at.wrapping_sub(sign_extend(n, bits)))),
        (Opcode::LLVMSub, Global(g, a), Global(h, b)) if g == h => {
            Some(Bits(a.wrapping_sub(b) as u64 & mask(bits)))
        }
        _ => None,
    }
}

fn sign_extend(word: u64, bits: u32) -> i64 {
    let shift = 64 - bits.clamp(1, 64);
    (word << shift) as i64 >> shift
}
