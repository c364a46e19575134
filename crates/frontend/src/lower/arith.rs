//! Arithmetic, comparisons, conversions, selections, address computations; lane by lane for vectors.

use ir::{CastOp, Const, FloatCmp, FloatOp, Inst, IntCmp, IntOp, Opnd, Scalar, Slot};

use super::Unsupported;
use super::func::Func;
use super::layout::width;
use crate::llvm::{IntPredicate, Opcode, RealPredicate, TypeKind, Value, ValueKind};

impl<'m> Func<'_, 'm> {
    /// The width that machine instructions take for a scalar.
    pub fn bits(&self, scalar: Scalar) -> u8 {
        match scalar {
            Scalar::Ptr => self.m.out.pointer_bytes * 8,
            other => width(other),
        }
    }

    /// For every lane of a two-operand instruction: its type, destination, operands.
    fn lanes2(&mut self, value: Value<'m>) -> Result<Vec<(Scalar, Slot, Opnd, Opnd)>, Unsupported> {
        let operands = self.layout(value.operand(0).ty())?;
        let results = self.layout(value.ty())?;
        let (a, b) = (self.opnds(value.operand(0))?, self.opnds(value.operand(1))?);
        let dst = self.def(value)?;
        let lanes = operands.leaves.iter().zip(&results.leaves);
        Ok(lanes
            .map(|(from, to)| {
                let at = from.slot as usize;
                (from.scalar, Slot(dst.0 + to.slot), a[at], b[at])
            })
            .collect())
    }

    pub fn int_binary(&mut self, value: Value<'m>, opcode: Opcode) -> Result<(), Unsupported> {
        let op = match opcode {
            Opcode::LLVMAdd => IntOp::Add,
            Opcode::LLVMSub => IntOp::Sub,
            Opcode::LLVMMul => IntOp::Mul,
            Opcode::LLVMUDiv => IntOp::UDiv,
            Opcode::LLVMSDiv => IntOp::SDiv,
            Opcode::LLVMURem => IntOp::URem,
            Opcode::LLVMSRem => IntOp::SRem,
            Opcode::LLVMShl => IntOp::Shl,
            Opcode::LLVMLShr => IntOp::LShr,
            Opcode::LLVMAShr => IntOp::AShr,
            Opcode::LLVMAnd => IntOp::And,
            Opcode::LLVMOr => IntOp::Or,
            _ => IntOp::Xor,
        };
        // LLVM puts a wide integer together from parts by masking them into an undefined value. None of its bits
        // remain, but a machine that knows only whole values to be undefined would not see that.
        let assembling = value.name().contains(".insert.");
        for (scalar, dst, a, b) in self.lanes2(value)? {
            let a = if assembling && self.is_undef(a) { self.zero() } else { a };
            self.emit(Inst::Int { op, bits: self.bits(scalar), dst, a, b });
        }
        Ok(())
    }

    fn is_undef(&self, opnd: Opnd) -> bool {
        opnd.is_const() && self.body.consts[opnd.index()] == Const::Undef
    }

    fn zero(&mut self) -> Opnd {
        self.const_run(&[Const::Bits(0), Const::Bits(0)])
    }

    pub fn float_binary(&mut self, value: Value<'m>, opcode: Opcode) -> Result<(), Unsupported> {
        let op = match opcode {
            Opcode::LLVMFAdd => FloatOp::Add,
            Opcode::LLVMFSub => FloatOp::Sub,
            Opcode::LLVMFMul => FloatOp::Mul,
            Opcode::LLVMFDiv => FloatOp::Div,
            _ => FloatOp::Rem,
        };
        self.float_lanes(value, op)
    }

    /// A floating-point operation on operands 0 and 1.
    pub fn float_lanes(&mut self, value: Value<'m>, op: FloatOp) -> Result<(), Unsupported> {
        for (ty, dst, a, b) in self.lanes2(value)? {
            self.emit(Inst::Float { op, ty, dst, a, b });
        }
        Ok(())
    }

    pub fn float_negate(&mut self, value: Value<'m>) -> Result<(), Unsupported> {
        let layout = self.layout(value.ty())?;
        let a = self.opnds(value.operand(0))?;
        let dst = self.def(value)?;
        for leaf in &layout.leaves {
            let (dst, a) = (Slot(dst.0 + leaf.slot), a[leaf.slot as usize]);
            self.emit(Inst::FloatNeg { ty: leaf.scalar, dst, a });
        }
        Ok(())
    }

    pub fn int_compare(&mut self, value: Value<'m>) -> Result<(), Unsupported> {
        let cmp = match value.int_predicate() {
            IntPredicate::LLVMIntEQ => IntCmp::Eq,
            IntPredicate::LLVMIntNE => IntCmp::Ne,
            IntPredicate::LLVMIntUGT => IntCmp::Ugt,
            IntPredicate::LLVMIntUGE => IntCmp::Uge,
            IntPredicate::LLVMIntULT => IntCmp::Ult,
            IntPredicate::LLVMIntULE => IntCmp::Ule,
            IntPredicate::LLVMIntSGT => IntCmp::Sgt,
            IntPredicate::LLVMIntSGE => IntCmp::Sge,
            IntPredicate::LLVMIntSLT => IntCmp::Slt,
            IntPredicate::LLVMIntSLE => IntCmp::Sle,
        };
        for (scalar, dst, a, b) in self.lanes2(value)? {
            self.emit(Inst::IntCmp { cmp, bits: self.bits(scalar), dst, a, b });
        }
        Ok(())
    }

    pub fn float_compare(&mut self, value: Value<'m>) -> Result<(), Unsupported> {
        self.float_compare_as(value, float_predicate(value.real_predicate()))
    }

    /// A floating-point comparison of operands 0 and 1.
    pub fn float_compare_as(&mut self, value: Value<'m>, cmp: FloatCmp) -> Result<(), Unsupported> {
        for (ty, dst, a, b) in self.lanes2(value)? {
            self.emit(Inst::FloatCmp { cmp, ty, dst, a, b });
        }
        Ok(())
    }

    pub fn cast(&mut self, value: Value<'m>, opcode: Opcode) -> Result<(), Unsupported> {
        if index_source(value).is_some() {
            return Ok(());
        }
        let op = match opcode {
            Opcode::LLVMTrunc => CastOp::Trunc,
            Opcode::LLVMSExt => CastOp::SExt,
            Opcode::LLVMFPToUI => CastOp::FpToUi,
            Opcode::LLVMFPToSI => CastOp::FpToSi,
            Opcode::LLVMUIToFP => CastOp::UiToFp,
            Opcode::LLVMSIToFP => CastOp::SiToFp,
            Opcode::LLVMFPTrunc | Opcode::LLVMFPExt => CastOp::FpToFp,
            // Pointers to and from integers: which of the two depends on the widths.
            _ => CastOp::ZExt,
        };
        let between = matches!(opcode, Opcode::LLVMPtrToInt | Opcode::LLVMIntToPtr);
        self.cast_lanes(value, op, between)
    }

    /// Converts operand 0 lane by lane. `pointers`: between pointers and integers.
    pub fn cast_lanes(&mut self, value: Value<'m>, op: CastOp, pointers: bool) -> Result<(), Unsupported> {
        let (from, to) = (self.layout(value.operand(0).ty())?, self.layout(value.ty())?);
        if pointers
            && from.leaves.iter().zip(&to.leaves).all(|(f, t)| self.bits(f.scalar) == self.bits(t.scalar))
        {
            return self.pass_through(value, value.operand(0));
        }
        let src = self.opnds(value.operand(0))?;
        let dst = self.def(value)?;
        for (f, t) in from.leaves.iter().zip(&to.leaves) {
            let narrower = self.bits(t.scalar) < self.bits(f.scalar);
            let op = if pointers && narrower { CastOp::Trunc } else { op };
            let (dst, src) = (Slot(dst.0 + t.slot), src[f.slot as usize]);
            self.emit(Inst::Cast { op, from: f.scalar, to: t.scalar, dst, src });
        }
        Ok(())
    }

    pub fn select(&mut self, value: Value<'m>) -> Result<(), Unsupported> {
        let layout = self.layout(value.ty())?;
        let cond = self.opnds(value.operand(0))?;
        let (a, b) = (self.opnds(value.operand(1))?, self.opnds(value.operand(2))?);
        let dst = self.def(value)?;
        for (lane, leaf) in layout.leaves.iter().enumerate() {
            let cond = if cond.len() == 1 { cond[0] } else { cond[lane] };
            for i in leaf.slot..leaf.slot + leaf.scalar.slots() {
                let (a, b) = (a[i as usize], b[i as usize]);
                self.emit(Inst::Select { dst: Slot(dst.0 + i), cond, a, b });
            }
        }
        Ok(())
    }

    pub fn gep(&mut self, value: Value<'m>) -> Result<(), Unsupported> {
        if value.ty().kind() == TypeKind::LLVMVectorTypeKind {
            return self.vector_gep(value);
        }
        let base = self.opnd(value.operand(0))?;
        let mut indices = Vec::new();
        for i in 1..value.operand_count() {
            indices.push(match value.operand(i).constant_int() {
                Some(_) => None,
                None => {
                    let index = value.operand(i);
                    Some(self.opnd(index_source(index).unwrap_or(index))?)
                }
            });
        }
        let result = self.address(value, base, &indices)?;
        self.rename(value, result)
    }

    fn vector_gep(&mut self, value: Value<'m>) -> Result<(), Unsupported> {
        let lanes = self.layout(value.ty())?.slots;
        let mut operands = Vec::new();
        for i in 0..value.operand_count() {
            let operand = value.operand(i);
            let vector = operand.ty().kind() == TypeKind::LLVMVectorTypeKind;
            let all = self.opnds(operand)?;
            operands.push((vector, all, operand.constant_int().is_some()));
        }
        let dst = self.def(value)?;
        for lane in 0..lanes {
            let pick =
                |(vector, all, _): &(bool, Vec<Opnd>, bool)| all[if *vector { lane as usize } else { 0 }];
            let base = pick(&operands[0]);
            let indices: Vec<_> =
                operands[1..].iter().map(|o| if o.2 { None } else { Some(pick(o)) }).collect();
            let src = self.address(value, base, &indices)?;
            self.emit(Inst::Move { dst: Slot(dst.0 + lane), src });
        }
        Ok(())
    }

    /// The address that a GEP computes from `base`; an index of `None` is a constant.
    fn address(&mut self, gep: Value<'m>, base: Opnd, indices: &[Option<Opnd>]) -> Result<Opnd, Unsupported> {
        let mut at = base;
        let mut offset = 0i64;
        let mut ty = gep.gep_type();
        for (i, index) in indices.iter().enumerate() {
            let operand = gep.operand(i as u32 + 1);
            if i > 0 && ty.kind() == TypeKind::LLVMStructTypeKind {
                let member = struct_index(operand).filter(|m| u64::from(*m) < ty.len());
                let member = member.ok_or("address of a varying member")?;
                offset = offset.wrapping_add(self.m.llvm.offset_of(ty, member) as i64);
                ty = ty.member(member);
                continue;
            }
            if i > 0 {
                if !matches!(ty.kind(), TypeKind::LLVMArrayTypeKind | TypeKind::LLVMVectorTypeKind) {
                    return Err("address inside a scalar".to_string());
                }
                ty = ty.element();
            }
            let scale = self.m.llvm.size_of(ty) as i64;
            match (operand.constant_int(), index) {
                (Some(index), _) => offset = offset.wrapping_add(index.wrapping_mul(scale)),
                (None, Some(index)) => {
                    let operand = index_source(operand).unwrap_or(operand);
                    let index_ty = match operand.ty().kind() {
                        TypeKind::LLVMVectorTypeKind => operand.ty().element(),
                        _ => operand.ty(),
                    };
                    // Of an index wider than a pointer only the low bits count, and they come first.
                    let index_bits = index_ty.int_bits().min(64) as u8;
                    let dst = self.fresh(1);
                    self.emit(Inst::Index { dst, base: at, index: *index, index_bits, scale });
                    at = Opnd::slot(dst);
                }
                (None, None) => return Err("address computation".to_string()),
            }
        }
        Ok(self.offset(at, offset))
    }
}

/// What a sign extension that only serves as an index extends: [`Inst::Index`] does that itself.
fn index_source(value: Value<'_>) -> Option<Value<'_>> {
    let is_extension = value.kind() == ValueKind::LLVMInstructionValueKind
        && value.opcode() == Some(Opcode::LLVMSExt)
        && value.operand(0).ty().kind() == TypeKind::LLVMIntegerTypeKind
        && value.ty().int_bits() <= 64;
    let is_index = |user: Value<'_>| {
        user.opcode() == Some(Opcode::LLVMGetElementPtr) && user.ty().kind() == TypeKind::LLVMPointerTypeKind
    };
    (is_extension && value.users().all(is_index)).then(|| value.operand(0))
}

/// The member that a struct index names; a vector of equal numbers in GEPs on vectors.
fn struct_index(operand: Value<'_>) -> Option<u32> {
    if let Some(index) = operand.constant_int() {
        return u32::try_from(index).ok();
    }
    if operand.is_null() {
        return Some(0);
    }
    let first = match operand.kind() {
        ValueKind::LLVMConstantDataVectorValueKind => operand.data_element(0),
        _ => return None,
    };
    first.constant_int().and_then(|i| u32::try_from(i).ok())
}

/// The outcomes for which a predicate holds.
pub fn float_predicate(predicate: RealPredicate) -> FloatCmp {
    use RealPredicate::*;
    let (e, g, l, u) = (FloatCmp::EQUAL, FloatCmp::GREATER, FloatCmp::LESS, FloatCmp::UNORDERED);
    FloatCmp(match predicate {
        LLVMRealPredicateFalse => 0,
        LLVMRealOEQ => e,
        LLVMRealOGT => g,
        LLVMRealOGE => g | e,
        LLVMRealOLT => l,
        LLVMRealOLE => l | e,
        LLVMRealONE => l | g,
        LLVMRealORD => l | g | e,
        LLVMRealUNO => u,
        LLVMRealUEQ => u | e,
        LLVMRealUGT => u | g,
        LLVMRealUGE => u | g | e,
        LLVMRealULT => u | l,
        LLVMRealULE => u | l | e,
        LLVMRealUNE => u | l | g,
        LLVMRealPredicateTrue => u | l | g | e,
    })
}
