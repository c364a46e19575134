//! LLVM's arithmetic intrinsics; lane by lane for vectors.

use ir::{
    Arg, ArgKind, CastOp, Const, FloatFn, FloatOp, FuncId, Function, Inst, IntCmp, IntFn, IntOp, Opnd,
    OverflowOp, PlaceId, Scalar, Slot, VarId, Variable,
};

use super::Unsupported;
use super::arith::float_predicate;
use super::func::Func;
use super::layout::width;
use crate::llvm::{RealPredicate, Value};

impl<'m> Func<'_, 'm> {
    /// A call of `llvm.<base>`, without the types in its name.
    pub fn math(&mut self, call: Value<'m>, base: &str) -> Result<(), Unsupported> {
        if let Some(f) = int_fn(base) {
            return self.int_function(call, f);
        }
        if let Some(f) = float_fn(base) {
            return self.float_function(call, f);
        }
        if let Some((op, signed)) = overflow_op(base) {
            return self.overflow(call, op, signed);
        }
        match base {
            // Clang's way to allow a fused operation; processors without one multiply and add.
            "fmuladd" => self.multiply_add(call),
            "ptrmask" => self.int_binary(call, crate::llvm::Opcode::LLVMAnd),
            "is.fpclass" => self.class_test(call),
            "frexp" => self.frexp(call),
            "ldexp" | "lround" | "llround" | "lrint" | "llrint" | "exp10" | "asin" | "acos" | "atan"
            | "sinh" | "cosh" | "tanh" | "atan2" | "fmod" => self.library(call, base),
            _ => match base.strip_prefix("vector.reduce.") {
                Some(op) => self.reduce(call, op),
                None => Err(format!("intrinsic `llvm.{base}`")),
            },
        }
    }

    /// `llvm.experimental.constrained.*`: like the plain operation; rounding stays to nearest.
    pub fn constrained(&mut self, call: Value<'m>, plain: &str) -> Result<(), Unsupported> {
        match plain {
            "fadd" => self.float_lanes(call, FloatOp::Add),
            "fsub" => self.float_lanes(call, FloatOp::Sub),
            "fmul" => self.float_lanes(call, FloatOp::Mul),
            "fdiv" => self.float_lanes(call, FloatOp::Div),
            "frem" => self.float_lanes(call, FloatOp::Rem),
            "fptosi" => self.cast_lanes(call, CastOp::FpToSi, false),
            "fptoui" => self.cast_lanes(call, CastOp::FpToUi, false),
            "sitofp" => self.cast_lanes(call, CastOp::SiToFp, false),
            "uitofp" => self.cast_lanes(call, CastOp::UiToFp, false),
            "fptrunc" | "fpext" => self.cast_lanes(call, CastOp::FpToFp, false),
            "fcmp" | "fcmps" => {
                let predicate = call.metadata_text(2).and_then(|t| predicate_named(&t));
                self.float_compare_as(call, float_predicate(predicate.ok_or("floating-point comparison")?))
            }
            other => self.math(call, other),
        }
    }

    fn int_function(&mut self, call: Value<'m>, f: IntFn) -> Result<(), Unsupported> {
        let layout = self.layout(call.ty())?;
        let inputs = match f {
            IntFn::Fshl | IntFn::Fshr => 3,
            // Their second operand says what zero, or the least number, gives; they are defined here.
            IntFn::Ctpop | IntFn::Bswap | IntFn::Bitreverse | IntFn::Ctlz | IntFn::Cttz | IntFn::Abs => 1,
            _ => 2,
        };
        let mut operands = Vec::new();
        for i in 0..inputs {
            operands.push(self.opnds(call.operand(i))?);
        }
        let dst = self.def(call)?;
        for leaf in &layout.leaves {
            let at = leaf.slot as usize;
            let pick = |i: usize| operands.get(i).unwrap_or(&operands[0])[at];
            let (dst, bits) = (Slot(dst.0 + leaf.slot), self.bits(leaf.scalar));
            self.emit(Inst::IntFn { f, bits, dst, a: pick(0), b: pick(1), c: pick(2) });
        }
        Ok(())
    }

    /// `std::max` or `std::min` of two numbers; see [`crate::omp::library`].
    pub fn extremum(&mut self, call: Value<'m>, operation: &str) -> Result<(), Unsupported> {
        match operation.split('.').next().unwrap_or_default() {
            "smax" => self.int_function(call, IntFn::Smax),
            "smin" => self.int_function(call, IntFn::Smin),
            "umax" => self.int_function(call, IntFn::Umax),
            "umin" => self.int_function(call, IntFn::Umin),
            "fmax" => self.float_function(call, FloatFn::Greater),
            "fmin" => self.float_function(call, FloatFn::Lesser),
            other => Err(format!("operation `{other}`")),
        }
    }

    fn float_function(&mut self, call: Value<'m>, f: FloatFn) -> Result<(), Unsupported> {
        let layout = self.layout(call.ty())?;
        let inputs = match f {
            FloatFn::Fma => 3,
            FloatFn::CopySign | FloatFn::MinNum | FloatFn::MaxNum | FloatFn::Pow | FloatFn::PowI => 2,
            FloatFn::Greater | FloatFn::Lesser => 2,
            _ => 1,
        };
        let mut operands = Vec::new();
        for i in 0..inputs {
            operands.push(self.opnds(call.operand(i))?);
        }
        let dst = self.def(call)?;
        for leaf in &layout.leaves {
            let at = leaf.slot as usize;
            // The exponent of `powi` is one for all lanes.
            let pick = |i: usize| {
                let of = operands.get(i).unwrap_or(&operands[0]);
                of.get(at).copied().unwrap_or(of[0])
            };
            let dst = Slot(dst.0 + leaf.slot);
            self.emit(Inst::FloatFn { f, ty: leaf.scalar, dst, a: pick(0), b: pick(1), c: pick(2) });
        }
        Ok(())
    }

    fn overflow(&mut self, call: Value<'m>, op: OverflowOp, signed: bool) -> Result<(), Unsupported> {
        let layout = self.layout(call.operand(0).ty())?;
        let (a, b) = (self.opnds(call.operand(0))?, self.opnds(call.operand(1))?);
        let first = self.def(call)?;
        for (lane, leaf) in layout.leaves.iter().enumerate() {
            let (a, b) = (a[leaf.slot as usize], b[leaf.slot as usize]);
            let dst = Slot(first.0 + leaf.slot);
            let overflow = Slot(first.0 + layout.slots + lane as u32);
            self.emit(Inst::Overflow { op, signed, bits: self.bits(leaf.scalar), dst, overflow, a, b });
        }
        Ok(())
    }

    fn multiply_add(&mut self, call: Value<'m>) -> Result<(), Unsupported> {
        let layout = self.layout(call.ty())?;
        let (a, b) = (self.opnds(call.operand(0))?, self.opnds(call.operand(1))?);
        let c = self.opnds(call.operand(2))?;
        let first = self.def(call)?;
        for leaf in &layout.leaves {
            let (at, ty) = (leaf.slot as usize, leaf.scalar);
            let product = self.fresh(ty.slots());
            self.emit(Inst::Float { op: FloatOp::Mul, ty, dst: product, a: a[at], b: b[at] });
            let dst = Slot(first.0 + leaf.slot);
            self.emit(Inst::Float { op: FloatOp::Add, ty, dst, a: Opnd::slot(product), b: c[at] });
        }
        Ok(())
    }

    fn reduce(&mut self, call: Value<'m>, name: &str) -> Result<(), Unsupported> {
        let ty = self.layout(call.ty())?.single()?;
        let ordered = matches!(name, "fadd" | "fmul");
        let vector = call.operand(u32::from(ordered));
        let layout = self.layout(vector.ty())?;
        let lanes = self.opnds(vector)?;
        let mut values: Vec<Opnd> = layout.leaves.iter().map(|l| lanes[l.slot as usize]).collect();
        if ordered {
            values.insert(0, self.opnd(call.operand(0))?);
        }
        let bits = self.bits(ty);
        let dst = self.def(call)?;
        for i in 0..ty.slots() {
            self.emit(Inst::Move { dst: Slot(dst.0 + i), src: Opnd(values[0].0 + i) });
        }
        for b in values.into_iter().skip(1) {
            let a = Opnd::slot(dst);
            let int = |op| Inst::Int { op, bits, dst, a, b };
            let int_fn = |f| Inst::IntFn { f, bits, dst, a, b, c: a };
            let float_fn = |f| Inst::FloatFn { f, ty, dst, a, b, c: a };
            let inst = match name {
                "add" => int(IntOp::Add),
                "mul" => int(IntOp::Mul),
                "and" => int(IntOp::And),
                "or" => int(IntOp::Or),
                "xor" => int(IntOp::Xor),
                "smax" => int_fn(IntFn::Smax),
                "smin" => int_fn(IntFn::Smin),
                "umax" => int_fn(IntFn::Umax),
                "umin" => int_fn(IntFn::Umin),
                "fmax" => float_fn(FloatFn::MaxNum),
                "fmin" => float_fn(FloatFn::MinNum),
                "fadd" => Inst::Float { op: FloatOp::Add, ty, dst, a, b },
                "fmul" => Inst::Float { op: FloatOp::Mul, ty, dst, a, b },
                other => return Err(format!("intrinsic `llvm.vector.reduce.{other}`")),
            };
            self.emit(inst);
        }
        Ok(())
    }

    /// `llvm.is.fpclass`: comparisons of the bits without sign.
    fn class_test(&mut self, call: Value<'m>) -> Result<(), Unsupported> {
        let ty = self.layout(call.operand(0).ty())?.single()?;
        let mask = call.operand(1).constant_int().ok_or("floating-point class test")? as u32;
        let value = self.opnd(call.operand(0))?;
        let format = Format::of(ty);
        let absolute = self.fresh(ty.slots());
        let keep = self.wide((1 << (format.bits - 1)) - 1);
        self.emit(Inst::Int { op: IntOp::And, bits: format.bits, dst: absolute, a: value, b: keep });
        let absolute = Opnd::slot(absolute);
        let dst = self.def(call)?;
        let zero = self.word(0);
        self.emit(Inst::Move { dst, src: zero });
        let sign = self.fresh(1);
        let none = self.wide(0);
        self.emit(Inst::IntCmp { cmp: IntCmp::Slt, bits: format.bits, dst: sign, a: value, b: none });
        // LLVM's bits: signalling, quiet; then infinite, normal, subnormal, zero, negative and positive.
        let tests = [(0, 0, Class::Signalling), (1, 1, Class::Quiet), (2, 9, Class::Infinite)];
        let tests =
            tests.into_iter().chain([(3, 8, Class::Normal), (4, 7, Class::Subnormal), (5, 6, Class::Zero)]);
        for (negative, positive, class) in tests {
            let (negative, positive) = (mask >> negative & 1 != 0, mask >> positive & 1 != 0);
            if !negative && !positive {
                continue;
            }
            let mut holds = self.in_class(&format, absolute, class);
            if negative != positive {
                let wanted = self.word(negative.into());
                let same = self.fresh(1);
                self.emit(Inst::IntCmp {
                    cmp: IntCmp::Eq,
                    bits: 1,
                    dst: same,
                    a: Opnd::slot(sign),
                    b: wanted,
                });
                holds = self.both(holds, Opnd::slot(same));
            }
            self.emit(Inst::Int { op: IntOp::Or, bits: 1, dst, a: Opnd::slot(dst), b: holds });
        }
        Ok(())
    }

    fn in_class(&mut self, format: &Format, absolute: Opnd, class: Class) -> Opnd {
        // Each class is the interval [low, high] of the bits without sign.
        let (low, high) = match class {
            Class::Signalling => (format.infinite + 1, format.quiet - 1),
            Class::Quiet => (format.quiet, u128::MAX >> (129 - u32::from(format.bits))),
            Class::Infinite => (format.infinite, format.infinite),
            Class::Normal => (format.normal, format.infinite - 1),
            Class::Subnormal => (1, format.normal - 1),
            Class::Zero => (0, 0),
        };
        let (low, high) = (self.wide(low), self.wide(high));
        let (from, to) = (self.fresh(1), self.fresh(1));
        self.emit(Inst::IntCmp { cmp: IntCmp::Uge, bits: format.bits, dst: from, a: absolute, b: low });
        self.emit(Inst::IntCmp { cmp: IntCmp::Ule, bits: format.bits, dst: to, a: absolute, b: high });
        self.both(Opnd::slot(from), Opnd::slot(to))
    }

    fn both(&mut self, a: Opnd, b: Opnd) -> Opnd {
        let dst = self.fresh(1);
        self.emit(Inst::Int { op: IntOp::And, bits: 1, dst, a, b });
        Opnd::slot(dst)
    }

    /// A constant of up to 128 bits.
    fn wide(&mut self, value: u128) -> Opnd {
        self.const_run(&[Const::Bits(value as u64), Const::Bits((value >> 64) as u64)])
    }

    /// A call of the C library's function of that name.
    fn library(&mut self, call: Value<'m>, base: &str) -> Result<(), Unsupported> {
        let mut args = Vec::new();
        for i in 0..call.arg_count() {
            let operand = call.operand(i);
            if operand.is_metadata() {
                continue;
            }
            let ty = self.layout(operand.ty())?.single()?;
            args.push(Arg { value: self.opnd(operand)?, kind: ArgKind::Scalar(ty), lane: None });
        }
        let result = self.layout(call.ty())?.single()?;
        let first = self.layout(call.operand(0).ty())?.single()?;
        let callee = self.external(base, first, args.iter().map(|a| a.kind).collect(), result);
        let site = self.add_site(call, ir::Callee::Direct(callee), &args)?;
        self.emit(Inst::Call { site });
        Ok(())
    }

    /// `llvm.frexp` gives a pair; the C function stores the exponent through a pointer.
    fn frexp(&mut self, call: Value<'m>) -> Result<(), Unsupported> {
        let ty = self.layout(call.operand(0).ty())?.single()?;
        let value = self.opnd(call.operand(0))?;
        let var = VarId(self.m.out.variables.len() as u32);
        let name = "<temporary>".to_string();
        self.m.out.variables.push(Variable { name, ty: None, place: self.place });
        let (pointer, count) = (self.fresh(1), self.word(1));
        let sight = ir::Sight::Auto;
        self.emit(Inst::Alloca { dst: pointer, count, count_bits: 64, size: 4, align: 4, var, sight });
        let pointer = Opnd::slot(pointer);
        let kinds = vec![ArgKind::Scalar(ty), ArgKind::Scalar(Scalar::Ptr)];
        let callee = self.external("frexp", ty, kinds.clone(), ty);
        let args =
            [(value, kinds[0]), (pointer, kinds[1])].map(|(value, kind)| Arg { value, kind, lane: None });
        let dst = self.def(call)?;
        let site = self.add_site(call, ir::Callee::Direct(callee), &args)?;
        self.body.calls[site as usize].result = dst;
        self.body.calls[site as usize].result_slots = ty.slots();
        self.emit(Inst::Call { site });
        let access = self.access(call, false);
        let dst = Slot(dst.0 + ty.slots());
        self.emit(Inst::Load { dst, addr: pointer, ty: Scalar::Int(32), access });
        Ok(())
    }

    /// The C library's function for a floating-point type: `sinf`, `sin`, `sinl`.
    fn external(&mut self, base: &str, ty: Scalar, params: Vec<ArgKind>, result: Scalar) -> FuncId {
        let name = match ty {
            Scalar::F32 => format!("{base}f"),
            Scalar::F80 => format!("{base}l"),
            _ => base.to_string(),
        };
        if let Some(known) = self.m.llvm.function(&name) {
            return self.m.func(known);
        }
        if let Some(known) = self.m.out.func(&name) {
            return known;
        }
        self.m.out.funcs.push(Function {
            display: name.clone(),
            name,
            params,
            variadic: false,
            result: vec![result],
            body: None,
            place: PlaceId::NONE,
            system: true,
        });
        FuncId(self.m.out.funcs.len() as u32 - 1)
    }
}

/// A floating-point format's bits without sign.
struct Format {
    bits: u8,
    infinite: u128,
    quiet: u128,
    normal: u128,
}

impl Format {
    fn of(ty: Scalar) -> Format {
        // The significand's stored bits; the exponent's lowest bit stands above them.
        let (significand, exponent, explicit) = match ty {
            Scalar::F32 => (23, 8, false),
            Scalar::F80 => (64, 15, true),
            _ => (52, 11, false),
        };
        let lead = if explicit { 1u128 << 63 } else { 0 };
        let infinite = (((1u128 << exponent) - 1) << significand) | lead;
        let quiet = infinite | 1 << (significand - 1 - u32::from(explicit));
        Format { bits: width(ty), infinite, quiet, normal: 1 << significand | lead }
    }
}

#[derive(Clone, Copy)]
enum Class {
    Signalling,
    Quiet,
    Infinite,
    Normal,
    Subnormal,
    Zero,
}

fn int_fn(base: &str) -> Option<IntFn> {
    Some(match base {
        "ctpop" => IntFn::Ctpop,
        "ctlz" => IntFn::Ctlz,
        "cttz" => IntFn::Cttz,
        "bswap" => IntFn::Bswap,
        "bitreverse" => IntFn::Bitreverse,
        "abs" => IntFn::Abs,
        "smin" => IntFn::Smin,
        "smax" => IntFn::Smax,
        "umin" => IntFn::Umin,
        "umax" => IntFn::Umax,
        "fshl" => IntFn::Fshl,
        "fshr" => IntFn::Fshr,
        "uadd.sat" => IntFn::UaddSat,
        "sadd.sat" => IntFn::SaddSat,
        "usub.sat" => IntFn::UsubSat,
        "ssub.sat" => IntFn::SsubSat,
        _ => return None,
    })
}

fn float_fn(base: &str) -> Option<FloatFn> {
    Some(match base {
        "fabs" => FloatFn::Fabs,
        "sqrt" => FloatFn::Sqrt,
        "floor" => FloatFn::Floor,
        "ceil" => FloatFn::Ceil,
        "trunc" => FloatFn::Trunc,
        "rint" => FloatFn::Rint,
        "nearbyint" => FloatFn::NearbyInt,
        "round" => FloatFn::Round,
        "roundeven" => FloatFn::RoundEven,
        "copysign" => FloatFn::CopySign,
        "minnum" => FloatFn::MinNum,
        "maxnum" => FloatFn::MaxNum,
        "fma" => FloatFn::Fma,
        "sin" => FloatFn::Sin,
        "cos" => FloatFn::Cos,
        "tan" => FloatFn::Tan,
        "exp" => FloatFn::Exp,
        "exp2" => FloatFn::Exp2,
        "log" => FloatFn::Log,
        "log2" => FloatFn::Log2,
        "log10" => FloatFn::Log10,
        "pow" => FloatFn::Pow,
        "powi" => FloatFn::PowI,
        _ => return None,
    })
}

fn overflow_op(base: &str) -> Option<(OverflowOp, bool)> {
    Some(match base {
        "sadd.with.overflow" => (OverflowOp::Add, true),
        "uadd.with.overflow" => (OverflowOp::Add, false),
        "ssub.with.overflow" => (OverflowOp::Sub, true),
        "usub.with.overflow" => (OverflowOp::Sub, false),
        "smul.with.overflow" => (OverflowOp::Mul, true),
        "umul.with.overflow" => (OverflowOp::Mul, false),
        _ => return None,
    })
}

fn predicate_named(name: &str) -> Option<RealPredicate> {
    use RealPredicate::*;
    Some(match name {
        "oeq" => LLVMRealOEQ,
        "ogt" => LLVMRealOGT,
        "oge" => LLVMRealOGE,
        "olt" => LLVMRealOLT,
        "ole" => LLVMRealOLE,
        "one" => LLVMRealONE,
        "ord" => LLVMRealORD,
        "uno" => LLVMRealUNO,
        "ueq" => LLVMRealUEQ,
        "ugt" => LLVMRealUGT,
        "uge" => LLVMRealUGE,
        "ult" => LLVMRealULT,
        "ule" => LLVMRealULE,
        "une" => LLVMRealUNE,
        _ => return None,
    })
}
