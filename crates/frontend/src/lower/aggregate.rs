//! Aggregates and vectors: extracting, inserting, shuffling, reinterpreting.

use ir::{Const, Inst, IntCmp, IntOp, Opnd, Scalar, Slot};

use super::Unsupported;
use super::func::Func;
use super::layout::{Layout, width};
use crate::llvm::{Type, TypeKind, Value};

impl<'m> Func<'_, 'm> {
    /// The slots of the part that indices name: first slot and count.
    fn part(&mut self, mut ty: Type<'m>, indices: &[u32]) -> Result<(u32, u32), Unsupported> {
        let mut first = 0;
        for index in indices {
            match ty.kind() {
                TypeKind::LLVMStructTypeKind => {
                    for i in 0..*index {
                        first += self.layout(ty.member(i))?.slots;
                    }
                    ty = ty.member(*index);
                }
                TypeKind::LLVMArrayTypeKind => {
                    ty = ty.element();
                    first += index * self.layout(ty)?.slots;
                }
                _ => return Err("part of a scalar".to_string()),
            }
        }
        Ok((first, self.layout(ty)?.slots))
    }

    pub fn extract_value(&mut self, value: Value<'m>) -> Result<(), Unsupported> {
        let whole = value.operand(0);
        let (first, count) = self.part(whole.ty(), &value.indices())?;
        if count == 0 {
            return Ok(());
        }
        let base = self.opnd(whole)?;
        self.rename(value, Opnd(base.0 + first))
    }

    pub fn insert_value(&mut self, value: Value<'m>) -> Result<(), Unsupported> {
        let (first, count) = self.part(value.ty(), &value.indices())?;
        let whole = self.opnds(value.operand(0))?;
        let part = self.opnds(value.operand(1))?;
        let dst = self.def(value)?;
        for i in 0..whole.len() as u32 {
            let inserted = i >= first && i < first + count;
            let src = if inserted { part[(i - first) as usize] } else { whole[i as usize] };
            self.emit(Inst::Move { dst: Slot(dst.0 + i), src });
        }
        Ok(())
    }

    pub fn extract_element(&mut self, value: Value<'m>) -> Result<(), Unsupported> {
        let vector = value.operand(0);
        let layout = self.layout(vector.ty())?;
        let step = layout.leaves.first().map_or(1, |l| l.scalar.slots());
        let lanes = layout.leaves.len() as u32;
        if let Some(index) = value.operand(1).constant_int() {
            if index < 0 || index >= i64::from(lanes) {
                let undef = self.const_run(&vec![Const::Undef; step as usize]);
                return self.rename(value, undef);
            }
            let base = self.opnd(vector)?;
            return self.rename(value, Opnd(base.0 + index as u32 * step));
        }
        let (all, index) = (self.opnds(vector)?, self.opnd(value.operand(1))?);
        let bits = value.operand(1).ty().int_bits() as u8;
        let dst = self.def(value)?;
        for i in 0..step {
            self.emit(Inst::Move { dst: Slot(dst.0 + i), src: all[i as usize] });
        }
        for lane in 1..lanes {
            let cond = self.is_lane(index, bits, lane);
            for i in 0..step {
                let (a, b) = (all[(lane * step + i) as usize], Opnd(dst.0 + i));
                self.emit(Inst::Select { dst: Slot(dst.0 + i), cond, a, b });
            }
        }
        Ok(())
    }

    pub fn insert_element(&mut self, value: Value<'m>) -> Result<(), Unsupported> {
        let layout = self.layout(value.ty())?;
        let step = layout.leaves.first().map_or(1, |l| l.scalar.slots());
        let (all, new) = (self.opnds(value.operand(0))?, self.opnds(value.operand(1))?);
        let constant = value.operand(2).constant_int();
        let index = self.opnd(value.operand(2))?;
        let bits = value.operand(2).ty().int_bits() as u8;
        let dst = self.def(value)?;
        for lane in 0..layout.leaves.len() as u32 {
            let cond = match constant {
                Some(_) => None,
                None => Some(self.is_lane(index, bits, lane)),
            };
            for i in 0..step {
                let at = lane * step + i;
                let (dst, old, new) = (Slot(dst.0 + at), all[at as usize], new[i as usize]);
                self.emit(match cond {
                    Some(cond) => Inst::Select { dst, cond, a: new, b: old },
                    None if constant == Some(lane.into()) => Inst::Move { dst, src: new },
                    None => Inst::Move { dst, src: old },
                });
            }
        }
        Ok(())
    }

    fn is_lane(&mut self, index: Opnd, bits: u8, lane: u32) -> Opnd {
        let dst = self.fresh(1);
        let b = self.const_run(&[Const::Bits(lane.into()), Const::Bits(0)]);
        self.emit(Inst::IntCmp { cmp: IntCmp::Eq, bits, dst, a: index, b });
        Opnd::slot(dst)
    }

    pub fn shuffle(&mut self, value: Value<'m>) -> Result<(), Unsupported> {
        let lanes = value.operand(0).ty().len() as u32;
        let step = self.layout(value.ty())?.leaves.first().map_or(1, |l| l.scalar.slots());
        let mut all = self.opnds(value.operand(0))?;
        debug_assert_eq!(all.len() as u32, lanes * step);
        all.extend(self.opnds(value.operand(1))?);
        let undef = self.const_run(&[Const::Undef]);
        let dst = self.def(value)?;
        for (lane, from) in value.shuffle_mask().into_iter().enumerate() {
            for i in 0..step {
                let src = from.and_then(|f| all.get((f * step + i) as usize).copied()).unwrap_or(undef);
                self.emit(Inst::Move { dst: Slot(dst.0 + lane as u32 * step + i), src });
            }
        }
        Ok(())
    }

    pub fn bit_cast(&mut self, value: Value<'m>) -> Result<(), Unsupported> {
        let (from, to) = (self.layout(value.operand(0).ty())?, self.layout(value.ty())?);
        let (from, to) = (self.words(&from), self.words(&to));
        if from == to {
            return self.pass_through(value, value.operand(0));
        }
        let src = self.opnds(value.operand(0))?;
        let dst = self.def(value)?;
        let mut at = 0;
        for (i, bits) in to.iter().enumerate() {
            self.gather(Slot(dst.0 + i as u32), at, *bits, &from, &src);
            at += u32::from(*bits);
        }
        Ok(())
    }

    /// How many bits each slot holds.
    fn words(&self, layout: &Layout) -> Vec<u8> {
        let mut words = Vec::new();
        for leaf in &layout.leaves {
            match leaf.scalar {
                Scalar::Ptr => words.push(self.m.out.pointer_bytes * 8),
                other if width(other) > 64 => words.extend([64, width(other) - 64]),
                other => words.push(width(other)),
            }
        }
        words
    }

    /// `dst` = `bits` bits from bit `at` of the words in `src`, the first word lowest.
    fn gather(&mut self, dst: Slot, at: u32, bits: u8, words: &[u8], src: &[Opnd]) {
        let (begin, end) = (at, at + u32::from(bits));
        let mut position = 0;
        let mut parts = Vec::new();
        for (word, src) in words.iter().zip(src) {
            let (low, high) = (position, position + u32::from(*word));
            position = high;
            let (from, to) = (begin.max(low), end.min(high));
            if from >= to {
                continue;
            }
            let mut part = *src;
            if from > low {
                part = self.int64(IntOp::LShr, part, u64::from(from - low));
            }
            if to < high && to - from < 64 {
                part = self.int64(IntOp::And, part, (1 << (to - from)) - 1);
            }
            if from > begin {
                part = self.int64(IntOp::Shl, part, u64::from(from - begin));
            }
            parts.push(part);
        }
        let zero = self.word(0);
        self.emit(Inst::Move { dst, src: parts.first().copied().unwrap_or(zero) });
        for part in parts.iter().skip(1) {
            self.emit(Inst::Int { op: IntOp::Or, bits: 64, dst, a: Opnd::slot(dst), b: *part });
        }
    }

    fn int64(&mut self, op: IntOp, a: Opnd, word: u64) -> Opnd {
        let b = self.word(word);
        let dst = self.fresh(1);
        self.emit(Inst::Int { op, bits: 64, dst, a, b });
        Opnd::slot(dst)
    }
}
