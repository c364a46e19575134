//! Floating-point arithmetic: `float` and `double` by the host (IEEE 754, round to nearest), x87 `long double` in software.
//!
//! Values are passed as slots: one for `float` (bits in the low half) and `double`, two for `long double`.

use std::cmp::Ordering;

use ir::{CastOp, FloatCmp, FloatFn, FloatOp, Scalar};
use rustc_apfloat::ieee::{Double, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round};

use super::int::{mask128, sext128};

/// A value of one or two slots.
pub type Wide = u128;

fn f32_of(v: Wide) -> f32 {
    f32::from_bits(v as u32)
}

fn f64_of(v: Wide) -> f64 {
    f64::from_bits(v as u64)
}

/// `long double` from its two slots.
pub fn f80_of(v: Wide) -> X87DoubleExtended {
    X87DoubleExtended::from_bits(v & mask128(80))
}

fn bits32(v: f32) -> Wide {
    v.to_bits().into()
}

fn bits64(v: f64) -> Wide {
    v.to_bits().into()
}

/// Two operands.
pub fn binary(op: FloatOp, ty: Scalar, a: Wide, b: Wide) -> Wide {
    match ty {
        Scalar::F32 => bits32(match op {
            FloatOp::Add => f32_of(a) + f32_of(b),
            FloatOp::Sub => f32_of(a) - f32_of(b),
            FloatOp::Mul => f32_of(a) * f32_of(b),
            FloatOp::Div => f32_of(a) / f32_of(b),
            FloatOp::Rem => f32_of(a) % f32_of(b),
        }),
        Scalar::F80 => {
            let (a, b) = (f80_of(a), f80_of(b));
            match op {
                FloatOp::Add => (a + b).value,
                FloatOp::Sub => (a - b).value,
                FloatOp::Mul => (a * b).value,
                FloatOp::Div => (a / b).value,
                FloatOp::Rem => a.c_fmod(b).value,
            }
            .to_bits()
        }
        _ => bits64(match op {
            FloatOp::Add => f64_of(a) + f64_of(b),
            FloatOp::Sub => f64_of(a) - f64_of(b),
            FloatOp::Mul => f64_of(a) * f64_of(b),
            FloatOp::Div => f64_of(a) / f64_of(b),
            FloatOp::Rem => f64_of(a) % f64_of(b),
        }),
    }
}

/// Changes the sign.
pub fn negate(ty: Scalar, a: Wide) -> Wide {
    match ty {
        Scalar::F32 => a ^ (1 << 31),
        Scalar::F80 => a ^ (1 << 79),
        _ => a ^ (1 << 63),
    }
}

/// Compares.
pub fn compare(cmp: FloatCmp, ty: Scalar, a: Wide, b: Wide) -> bool {
    let order = match ty {
        Scalar::F32 => f32_of(a).partial_cmp(&f32_of(b)),
        Scalar::F80 => f80_of(a).partial_cmp(&f80_of(b)),
        _ => f64_of(a).partial_cmp(&f64_of(b)),
    };
    let outcome = match order {
        Some(Ordering::Less) => FloatCmp::LESS,
        Some(Ordering::Equal) => FloatCmp::EQUAL,
        Some(Ordering::Greater) => FloatCmp::GREATER,
        None => FloatCmp::UNORDERED,
    };
    cmp.0 & outcome != 0
}

fn int_bits(ty: Scalar) -> u8 {
    match ty {
        Scalar::Int(bits) => bits,
        _ => 64,
    }
}

/// Converts between scalars; pointers convert as 64-bit integers.
pub fn cast(op: CastOp, from: Scalar, to: Scalar, v: Wide) -> Wide {
    match op {
        CastOp::Trunc | CastOp::ZExt => v & mask128(int_bits(to)),
        CastOp::SExt => sext128(v, int_bits(from)) as u128 & mask128(int_bits(to)),
        CastOp::FpToUi => to_int(from, v, int_bits(to), false),
        CastOp::FpToSi => to_int(from, v, int_bits(to), true),
        CastOp::UiToFp => from_int(to, v, None),
        CastOp::SiToFp => from_int(to, v, Some(int_bits(from))),
        CastOp::FpToFp => convert(from, to, v),
    }
}

fn to_int(from: Scalar, v: Wide, bits: u8, signed: bool) -> Wide {
    let r = match (from, signed) {
        (Scalar::F32, true) => f32_of(v) as i128 as u128,
        (Scalar::F32, false) => f32_of(v) as u128,
        (Scalar::F80, true) => f80_of(v).to_i128_r(128, Round::TowardZero, &mut false).value as u128,
        (Scalar::F80, false) => f80_of(v).to_u128_r(128, Round::TowardZero, &mut false).value,
        (_, true) => f64_of(v) as i128 as u128,
        (_, false) => f64_of(v) as u128,
    };
    r & mask128(bits)
}

fn from_int(to: Scalar, v: Wide, signed: Option<u8>) -> Wide {
    let s = signed.map(|bits| sext128(v, bits));
    match to {
        Scalar::F32 => bits32(s.map_or(v as f32, |s| s as f32)),
        Scalar::F80 => match s {
            Some(s) => X87DoubleExtended::from_i128_r(s, Round::NearestTiesToEven).value.to_bits(),
            None => X87DoubleExtended::from_u128_r(v, Round::NearestTiesToEven).value.to_bits(),
        },
        _ => bits64(s.map_or(v as f64, |s| s as f64)),
    }
}

/// Converts between floating-point types.
pub fn convert(from: Scalar, to: Scalar, v: Wide) -> Wide {
    let lossy = &mut false;
    match (from, to) {
        (Scalar::F32, Scalar::F64) => bits64(f32_of(v).into()),
        (Scalar::F64, Scalar::F32) => bits32(f64_of(v) as f32),
        (Scalar::F32, Scalar::F80) => {
            let x: X87DoubleExtended = Single::from_bits(v).convert(lossy).value;
            x.to_bits()
        }
        (Scalar::F64, Scalar::F80) => f80_from_f64(f64_of(v)),
        (Scalar::F80, Scalar::F32) => {
            let x: Single = f80_of(v).convert(lossy).value;
            x.to_bits()
        }
        (Scalar::F80, Scalar::F64) => bits64(f64_from_f80(v)),
        _ => v,
    }
}

/// The nearest `double`.
pub fn f64_from_f80(v: Wide) -> f64 {
    let x: Double = f80_of(v).convert(&mut false).value;
    f64_of(x.to_bits())
}

/// A `double` as `long double`.
pub fn f80_from_f64(v: f64) -> Wide {
    let x: X87DoubleExtended = Double::from_bits(v.to_bits().into()).convert(&mut false).value;
    x.to_bits()
}

/// A pure function. `None` for a `long double` function that is not supported.
pub fn function(f: FloatFn, ty: Scalar, a: Wide, b: Wide, c: Wide) -> Option<Wide> {
    match ty {
        Scalar::F32 => Some(bits32(function32(f, f32_of(a), b, c))),
        Scalar::F80 => function80(f, a, b, c),
        _ => Some(bits64(function64(f, f64_of(a), b, c))),
    }
}

fn function64(f: FloatFn, x: f64, b: Wide, c: Wide) -> f64 {
    let y = f64_of(b);
    match f {
        FloatFn::Fabs => x.abs(),
        FloatFn::Sqrt => x.sqrt(),
        FloatFn::Floor => x.floor(),
        FloatFn::Ceil => x.ceil(),
        FloatFn::Trunc => x.trunc(),
        FloatFn::Rint | FloatFn::NearbyInt | FloatFn::RoundEven => x.round_ties_even(),
        FloatFn::Round => x.round(),
        FloatFn::CopySign => x.copysign(y),
        FloatFn::MinNum => x.min(y),
        FloatFn::MaxNum => x.max(y),
        FloatFn::Greater => pick(x < y, y, x),
        FloatFn::Lesser => pick(y < x, y, x),
        FloatFn::Fma => x.mul_add(y, f64_of(c)),
        FloatFn::Sin => x.sin(),
        FloatFn::Cos => x.cos(),
        FloatFn::Tan => x.tan(),
        FloatFn::Exp => x.exp(),
        FloatFn::Exp2 => x.exp2(),
        FloatFn::Log => x.ln(),
        FloatFn::Log2 => x.log2(),
        FloatFn::Log10 => x.log10(),
        FloatFn::Pow => x.powf(y),
        FloatFn::PowI => x.powi(b as u32 as i32),
    }
}

fn pick<T>(condition: bool, yes: T, no: T) -> T {
    if condition { yes } else { no }
}

fn function32(f: FloatFn, x: f32, b: Wide, c: Wide) -> f32 {
    let y = f32_of(b);
    match f {
        FloatFn::Fabs => x.abs(),
        FloatFn::Sqrt => x.sqrt(),
        FloatFn::Floor => x.floor(),
        FloatFn::Ceil => x.ceil(),
        FloatFn::Trunc => x.trunc(),
        FloatFn::Rint | FloatFn::NearbyInt | FloatFn::RoundEven => x.round_ties_even(),
        FloatFn::Round => x.round(),
        FloatFn::CopySign => x.copysign(y),
        FloatFn::MinNum => x.min(y),
        FloatFn::MaxNum => x.max(y),
        FloatFn::Greater => pick(x < y, y, x),
        FloatFn::Lesser => pick(y < x, y, x),
        FloatFn::Fma => x.mul_add(y, f32_of(c)),
        FloatFn::Sin => x.sin(),
        FloatFn::Cos => x.cos(),
        FloatFn::Tan => x.tan(),
        FloatFn::Exp => x.exp(),
        FloatFn::Exp2 => x.exp2(),
        FloatFn::Log => x.ln(),
        FloatFn::Log2 => x.log2(),
        FloatFn::Log10 => x.log10(),
        FloatFn::Pow => x.powf(y),
        FloatFn::PowI => x.powi(b as u32 as i32),
    }
}

fn function80(f: FloatFn, a: Wide, b: Wide, c: Wide) -> Option<Wide> {
    let (x, y) = (f80_of(a), f80_of(b));
    let round = |how| x.round_to_integral(how).value.to_bits();
    Some(match f {
        FloatFn::Fabs => a & !(1 << 79),
        FloatFn::CopySign => (a & !(1 << 79)) | (b & (1 << 79)),
        FloatFn::Floor => round(Round::TowardNegative),
        FloatFn::Ceil => round(Round::TowardPositive),
        FloatFn::Trunc => round(Round::TowardZero),
        FloatFn::Rint | FloatFn::NearbyInt | FloatFn::RoundEven => round(Round::NearestTiesToEven),
        FloatFn::Round => round(Round::NearestTiesToAway),
        FloatFn::MinNum => x.min(y).to_bits(),
        FloatFn::MaxNum => x.max(y).to_bits(),
        FloatFn::Greater => pick(x < y, b, a),
        FloatFn::Lesser => pick(y < x, b, a),
        FloatFn::Fma => x.mul_add(y, f80_of(c)).value.to_bits(),
        _ => return super::long_double::function(f, a),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_double_keeps_what_a_double_cannot() {
        let one = from_int(Scalar::F80, 1, None);
        let tiny = f80_from_f64(2f64.powi(-60));
        let sum = binary(FloatOp::Add, Scalar::F80, one, tiny);
        assert!(compare(FloatCmp(FloatCmp::GREATER), Scalar::F80, sum, one));
        assert_eq!(f64_from_f80(sum), 1.0);
        assert_eq!(binary(FloatOp::Sub, Scalar::F80, sum, one), tiny);
    }

    #[test]
    fn casts() {
        let v = bits64(-3.7);
        assert_eq!(cast(CastOp::FpToSi, Scalar::F64, Scalar::Int(32), v), 0xffff_fffd);
        assert_eq!(cast(CastOp::SiToFp, Scalar::Int(16), Scalar::F32, 0xffff), bits32(-1.0));
        assert_eq!(
            cast(CastOp::UiToFp, Scalar::Int(64), Scalar::F64, u64::MAX.into()),
            bits64(u64::MAX as f64)
        );
        assert_eq!(cast(CastOp::SExt, Scalar::Int(1), Scalar::Int(8), 1), 0xff);
    }

    #[test]
    fn nan_is_unordered() {
        let nan = bits64(f64::NAN);
        assert!(compare(FloatCmp(FloatCmp::UNORDERED), Scalar::F64, nan, nan));
        assert!(!compare(
            FloatCmp(FloatCmp::EQUAL | FloatCmp::LESS | FloatCmp::GREATER),
            Scalar::F64,
            nan,
            nan
        ));
    }
}
