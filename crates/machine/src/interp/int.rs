//! Integer arithmetic on values of 1 to 128 bits, and what it does to unconstrained bits.
//!
//! Values are zero-extended. Shadows follow the rule that a result bit is unconstrained if changing unconstrained bits of
//! the operands could change it; where that is costly to decide, all bits are.

use ir::{IntCmp, IntFn, IntOp, OverflowOp};

/// All ones in the low `bits`.
#[inline]
pub fn mask(bits: u8) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}

/// All ones in the low `bits`, for up to 128.
#[inline]
pub fn mask128(bits: u8) -> u128 {
    if bits >= 128 { u128::MAX } else { (1 << bits) - 1 }
}

/// Sign-extends from `bits`.
#[inline]
pub fn sext(value: u64, bits: u8) -> i64 {
    let shift = 64 - u32::from(bits.min(64));
    ((value << shift) as i64) >> shift
}

/// Sign-extends from `bits`, for up to 128.
#[inline]
pub fn sext128(value: u128, bits: u8) -> i128 {
    let shift = 128 - u32::from(bits);
    ((value << shift) as i128) >> shift
}

/// A division by zero, or one whose result does not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DivisionFault;

/// An operation on up to 64 bits. A shift by the width or more gives zero here; its shadow says that it means nothing.
#[inline]
pub fn binary(op: IntOp, bits: u8, a: u64, b: u64) -> Result<u64, DivisionFault> {
    let r = match op {
        IntOp::Add => a.wrapping_add(b),
        IntOp::Sub => a.wrapping_sub(b),
        IntOp::Mul => a.wrapping_mul(b),
        IntOp::And => a & b,
        IntOp::Or => a | b,
        IntOp::Xor => a ^ b,
        IntOp::Shl => a.checked_shl(shift(b, bits)).unwrap_or(0),
        IntOp::LShr => a.checked_shr(shift(b, bits)).unwrap_or(0),
        IntOp::AShr => (sext(a, bits) >> shift(b, bits).min(63)) as u64,
        _ => return divide(op, bits, a, b),
    };
    Ok(r & mask(bits))
}

#[inline]
fn shift(b: u64, bits: u8) -> u32 {
    if b >= u64::from(bits) { 64 } else { b as u32 }
}

fn divide(op: IntOp, bits: u8, a: u64, b: u64) -> Result<u64, DivisionFault> {
    if b == 0 {
        return Err(DivisionFault);
    }
    let (sa, sb) = (sext(a, bits), sext(b, bits));
    if matches!(op, IntOp::SDiv | IntOp::SRem) && sb == -1 && sa == sext(1 << (bits - 1), bits) {
        return Err(DivisionFault);
    }
    let r = match op {
        IntOp::UDiv => a / b,
        IntOp::URem => a % b,
        IntOp::SDiv => (sa / sb) as u64,
        _ => (sa % sb) as u64,
    };
    Ok(r & mask(bits))
}

/// An operation on 65 to 128 bits.
pub fn binary128(op: IntOp, bits: u8, a: u128, b: u128) -> Result<u128, DivisionFault> {
    let shift = if b >= u128::from(bits) { 128 } else { b as u32 };
    let (sa, sb) = (sext128(a, bits), sext128(b, bits));
    let r = match op {
        IntOp::Add => a.wrapping_add(b),
        IntOp::Sub => a.wrapping_sub(b),
        IntOp::Mul => a.wrapping_mul(b),
        IntOp::And => a & b,
        IntOp::Or => a | b,
        IntOp::Xor => a ^ b,
        IntOp::Shl => a.checked_shl(shift).unwrap_or(0),
        IntOp::LShr => a.checked_shr(shift).unwrap_or(0),
        IntOp::AShr => (sa >> shift.min(127)) as u128,
        IntOp::UDiv | IntOp::URem | IntOp::SDiv | IntOp::SRem if b == 0 => return Err(DivisionFault),
        IntOp::UDiv => a / b,
        IntOp::URem => a % b,
        IntOp::SDiv => sa.checked_div(sb).ok_or(DivisionFault)? as u128,
        IntOp::SRem => sa.checked_rem(sb).ok_or(DivisionFault)? as u128,
    };
    Ok(r & mask128(bits))
}

/// The shadow of a result, given values and shadows of the operands, at least one of which is not zero
/// (or a shift that is too wide).
pub fn binary_shadow(op: IntOp, bits: u8, (a, sa): (u64, u64), (b, sb): (u64, u64)) -> u64 {
    let all = mask(bits);
    let either = sa | sb;
    let shadow = match op {
        IntOp::Add | IntOp::Sub | IntOp::Mul => match either {
            0 => 0,
            s => u64::MAX << s.trailing_zeros(),
        },
        IntOp::And => (sa & sb) | (sa & b) | (sb & a),
        IntOp::Or => (sa & sb) | (sa & !b) | (sb & !a),
        IntOp::Xor => either,
        IntOp::Shl | IntOp::LShr | IntOp::AShr if sb != 0 || b >= u64::from(bits) => all,
        IntOp::Shl => sa << b,
        IntOp::LShr => sa >> b,
        IntOp::AShr => (sext(sa, bits) >> b) as u64,
        IntOp::URem if sb == 0 && b.is_power_of_two() => sa & (b - 1),
        _ => {
            if either == 0 {
                0
            } else {
                all
            }
        }
    };
    shadow & all
}

/// A comparison of zero-extended values.
#[inline]
pub fn compare(cmp: IntCmp, bits: u8, a: u64, b: u64) -> bool {
    match cmp {
        IntCmp::Eq => a == b,
        IntCmp::Ne => a != b,
        IntCmp::Ult => a < b,
        IntCmp::Ule => a <= b,
        IntCmp::Ugt => a > b,
        IntCmp::Uge => a >= b,
        IntCmp::Slt => sext(a, bits) < sext(b, bits),
        IntCmp::Sle => sext(a, bits) <= sext(b, bits),
        IntCmp::Sgt => sext(a, bits) > sext(b, bits),
        IntCmp::Sge => sext(a, bits) >= sext(b, bits),
    }
}

/// A comparison on 65 to 128 bits.
pub fn compare128(cmp: IntCmp, bits: u8, a: u128, b: u128) -> bool {
    let (sa, sb) = (sext128(a, bits), sext128(b, bits));
    match cmp {
        IntCmp::Eq => a == b,
        IntCmp::Ne => a != b,
        IntCmp::Ult => a < b,
        IntCmp::Ule => a <= b,
        IntCmp::Ugt => a > b,
        IntCmp::Uge => a >= b,
        IntCmp::Slt => sa < sb,
        IntCmp::Sle => sa <= sb,
        IntCmp::Sgt => sa > sb,
        IntCmp::Sge => sa >= sb,
    }
}

/// Whether a comparison with unconstrained bits in its operands can still come out either way.
pub fn compare_open(cmp: IntCmp, bits: u8, (a, sa): (u64, u64), (b, sb): (u64, u64)) -> bool {
    let signed = matches!(cmp, IntCmp::Slt | IntCmp::Sle | IntCmp::Sgt | IntCmp::Sge);
    // With the sign bit flipped, signed order is unsigned order; the unconstrained sign bit stays unconstrained.
    let flip = if signed { 1 << (bits - 1) } else { 0 };
    let (a, b) = ((a ^ flip) & mask(bits), (b ^ flip) & mask(bits));
    let (min_a, max_a) = (a & !sa, a | sa);
    let (min_b, max_b) = (b & !sb, b | sb);
    match cmp {
        IntCmp::Eq | IntCmp::Ne => (a ^ b) & !(sa | sb) == 0,
        IntCmp::Ult | IntCmp::Slt | IntCmp::Uge | IntCmp::Sge => !(max_a < min_b || min_a >= max_b),
        IntCmp::Ule | IntCmp::Sle | IntCmp::Ugt | IntCmp::Sgt => !(max_a <= min_b || min_a > max_b),
    }
}

/// An intrinsic on up to 128 bits.
pub fn function(f: IntFn, bits: u8, a: u128, b: u128, c: u128) -> u128 {
    let w = u32::from(bits);
    let (sa, sb) = (sext128(a, bits), sext128(b, bits));
    let (max, min) = (sext128(mask128(bits) >> 1, bits), sext128(1 << (bits - 1), bits));
    let unused = 128 - w;
    let r = match f {
        IntFn::Ctpop => u128::from(a.count_ones()),
        IntFn::Ctlz => u128::from(a.leading_zeros() - unused),
        IntFn::Cttz => u128::from(a.trailing_zeros().min(w)),
        IntFn::Bswap => a.swap_bytes() >> unused,
        IntFn::Bitreverse => a.reverse_bits() >> unused,
        IntFn::Abs => sa.unsigned_abs(),
        IntFn::Smin => sa.min(sb) as u128,
        IntFn::Smax => sa.max(sb) as u128,
        IntFn::Umin => a.min(b),
        IntFn::Umax => a.max(b),
        IntFn::Fshl | IntFn::Fshr => {
            let s = (c % u128::from(bits)) as u32;
            match (f, s) {
                (IntFn::Fshl, 0) => a,
                (IntFn::Fshr, 0) => b,
                (IntFn::Fshl, s) => (a << s) | (b >> (w - s)),
                (_, s) => (a << (w - s)) | (b >> s),
            }
        }
        IntFn::UaddSat => a.checked_add(b).map_or(mask128(bits), |r| r.min(mask128(bits))),
        IntFn::UsubSat => a.saturating_sub(b),
        IntFn::SaddSat => sa.saturating_add(sb).clamp(min, max) as u128,
        IntFn::SsubSat => sa.saturating_sub(sb).clamp(min, max) as u128,
    };
    r & mask128(bits)
}

/// Arithmetic with overflow, on up to 128 bits.
pub fn overflow(op: OverflowOp, signed: bool, bits: u8, a: u128, b: u128) -> (u128, bool) {
    let m = mask128(bits);
    if signed {
        let (sa, sb) = (sext128(a, bits), sext128(b, bits));
        let (r, over) = match op {
            OverflowOp::Add => sa.overflowing_add(sb),
            OverflowOp::Sub => sa.overflowing_sub(sb),
            OverflowOp::Mul => sa.overflowing_mul(sb),
        };
        (r as u128 & m, over || sext128(r as u128 & m, bits) != r)
    } else {
        let (r, over) = match op {
            OverflowOp::Add => a.overflowing_add(b),
            OverflowOp::Sub => a.overflowing_sub(b),
            OverflowOp::Mul => a.overflowing_mul(b),
        };
        (r & m, over || r & m != r)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_wraps_at_its_width() {
        assert_eq!(binary(IntOp::Add, 8, 250, 10), Ok(4));
        assert_eq!(binary(IntOp::AShr, 8, 0x80, 3), Ok(0xf0));
        assert_eq!(binary(IntOp::SDiv, 32, 0xffff_fff9, 2), Ok(0xffff_fffd));
        assert_eq!(binary(IntOp::SRem, 16, 0xfff9, 4), Ok(0xfffd));
        assert_eq!(binary(IntOp::SDiv, 32, 0x8000_0000, 0xffff_ffff), Err(DivisionFault));
        assert_eq!(binary(IntOp::URem, 32, 1, 0), Err(DivisionFault));
    }

    #[test]
    fn overflow_at_every_width() {
        assert_eq!(overflow(OverflowOp::Add, true, 8, 127, 1), (128, true));
        assert_eq!(overflow(OverflowOp::Mul, false, 32, 1 << 20, 1 << 20), (0, true));
        assert_eq!(overflow(OverflowOp::Sub, false, 64, 1, 2), (u64::MAX.into(), true));
        assert_eq!(overflow(OverflowOp::Add, true, 64, 5, (-3i64) as u64 as u128), (2, false));
    }

    #[test]
    fn functions() {
        assert_eq!(function(IntFn::Ctlz, 32, 1, 0, 0), 31);
        assert_eq!(function(IntFn::Cttz, 16, 0, 0, 0), 16);
        assert_eq!(function(IntFn::Bswap, 32, 0x1122_3344, 0, 0), 0x4433_2211);
        assert_eq!(function(IntFn::Fshl, 32, 0x8000_0001, 0x8000_0001, 1), 3);
        assert_eq!(function(IntFn::SaddSat, 8, 100, 100, 0), 127);
        assert_eq!(function(IntFn::Abs, 8, 0x80, 0, 0), 0x80);
    }

    /// The shadow of a result must cover every bit that some choice of the unconstrained bits can change.
    #[test]
    fn shadows_cover_all_choices() {
        let ops =
            [IntOp::Add, IntOp::Sub, IntOp::Mul, IntOp::And, IntOp::Or, IntOp::Xor, IntOp::Shl, IntOp::LShr];
        let mut seed = 1u64;
        let mut next = || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            seed >> 60
        };
        for round in 0..3000 {
            let op = ops[round % ops.len()];
            let (a, sa, b, sb) = (next(), next(), next(), if round % 3 == 0 { next() } else { 0 });
            let shadow = binary_shadow(op, 4, (a, sa), (b, sb));
            let Ok(first) = binary(op, 4, a, b) else { continue };
            for x in 0..16 {
                for y in 0..16 {
                    let (a2, b2) = ((a & !sa) | (x & sa), (b & !sb) | (y & sb));
                    let other = binary(op, 4, a2, b2).unwrap();
                    assert_eq!((first ^ other) & !shadow, 0, "{op:?} {a} {sa} {b} {sb}");
                }
            }
        }
    }

    #[test]
    fn comparisons_with_unconstrained_bits() {
        let cmps = [IntCmp::Eq, IntCmp::Ult, IntCmp::Ule, IntCmp::Ugt, IntCmp::Uge, IntCmp::Slt, IntCmp::Sge];
        for a in 0..16 {
            for sa in 0..16 {
                for b in 0..16 {
                    for cmp in cmps {
                        let open = compare_open(cmp, 4, (a, sa), (b, 0));
                        let mut seen = [false; 2];
                        for x in 0..16 {
                            seen[usize::from(compare(cmp, 4, (a & !sa) | (x & sa), b))] = true;
                        }
                        assert!(open || !(seen[0] && seen[1]), "{cmp:?} {a} {sa} {b}");
                    }
                }
            }
        }
    }
}
