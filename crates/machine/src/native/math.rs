//! `math.h`: pure functions, computed by the host (`double`, `float`) or in software (`long double`).

use super::{Call, LocalFn, Native};
use crate::interp::float;
use crate::stop::Stop;
use ir::{FloatFn, Scalar};

/// One argument.
macro_rules! unary {
    ($f:expr) => {{
        fn call(c: &mut Call) -> Result<(), Stop> {
            let (v, s) = c.raw(0);
            let r: f64 = $f(f64::from_bits(v));
            c.result = vec![(r.to_bits(), if s == 0 { 0 } else { u64::MAX })];
            Ok(())
        }
        call
    }};
}

macro_rules! unary32 {
    ($f:expr) => {{
        fn call(c: &mut Call) -> Result<(), Stop> {
            let (v, s) = c.raw(0);
            let r: f32 = $f(f32::from_bits(v as u32));
            c.result = vec![(r.to_bits().into(), if s == 0 { 0 } else { 0xffff_ffff })];
            Ok(())
        }
        call
    }};
}

macro_rules! binary {
    ($f:expr) => {{
        fn call(c: &mut Call) -> Result<(), Stop> {
            let ((a, s), (b, u)) = (c.raw(0), c.raw(1));
            let r: f64 = $f(f64::from_bits(a), f64::from_bits(b));
            c.result = vec![(r.to_bits(), if s | u == 0 { 0 } else { u64::MAX })];
            Ok(())
        }
        call
    }};
}

macro_rules! binary32 {
    ($f:expr) => {{
        fn call(c: &mut Call) -> Result<(), Stop> {
            let ((a, s), (b, u)) = (c.raw(0), c.raw(1));
            let r: f32 = $f(f32::from_bits(a as u32), f32::from_bits(b as u32));
            c.result = vec![(r.to_bits().into(), if s | u == 0 { 0 } else { 0xffff_ffff })];
            Ok(())
        }
        call
    }};
}

/// A function of one `long double`.
macro_rules! unary80 {
    ($f:expr) => {{
        fn call(c: &mut Call) -> Result<(), Stop> {
            let ((lo, s), (hi, u)) = (c.raw(0), c.raw(1));
            let v = u128::from(hi) << 64 | u128::from(lo);
            let r = float::function($f, Scalar::F80, v, 0, 0).expect("a function of a long double");
            let open = if s | u == 0 { 0 } else { u64::MAX };
            c.result = vec![(r as u64, open), ((r >> 64) as u64, open & 0xffff)];
            Ok(())
        }
        call
    }};
}

/// An exact function of two `long double`s.
macro_rules! binary80 {
    ($f:expr) => {{
        fn call(c: &mut Call) -> Result<(), Stop> {
            let v = |i: usize| u128::from(c.raw(i + 1).0) << 64 | u128::from(c.raw(i).0);
            let r: u128 = $f(v(0), v(2));
            let open = if (0..4).all(|i| c.raw(i).1 == 0) { 0 } else { u64::MAX };
            c.result = vec![(r as u64, open), ((r >> 64) as u64, open & 0xffff)];
            Ok(())
        }
        call
    }};
}

/// From floating point to an integer of the result's width.
macro_rules! to_int {
    ($f:expr) => {{
        fn call(c: &mut Call) -> Result<(), Stop> {
            let (v, s) = c.raw(0);
            let r: i64 = $f(f64::from_bits(v));
            c.result = vec![(r as u64, if s == 0 { 0 } else { u64::MAX })];
            Ok(())
        }
        call
    }};
}

macro_rules! to_int32 {
    ($f:expr) => {{
        fn call(c: &mut Call) -> Result<(), Stop> {
            let (v, s) = c.raw(0);
            let r: i64 = $f(f32::from_bits(v as u32).into());
            c.result = vec![(r as u64, if s == 0 { 0 } else { u64::MAX })];
            Ok(())
        }
        call
    }};
}

pub(super) fn lookup(name: &str) -> Option<Native> {
    double(name)
        .or_else(|| single(name))
        .or_else(|| long_double(name))
        .or_else(|| mixed(name))
        .map(Native::Local)
}

fn double(name: &str) -> Option<LocalFn> {
    Some(match name {
        "sin" => unary!(f64::sin),
        "cos" => unary!(f64::cos),
        "tan" => unary!(f64::tan),
        "asin" => unary!(f64::asin),
        "acos" => unary!(f64::acos),
        "atan" => unary!(f64::atan),
        "sinh" => unary!(f64::sinh),
        "cosh" => unary!(f64::cosh),
        "tanh" => unary!(f64::tanh),
        "asinh" => unary!(f64::asinh),
        "acosh" => unary!(f64::acosh),
        "atanh" => unary!(f64::atanh),
        "exp" => unary!(f64::exp),
        "exp2" => unary!(f64::exp2),
        "exp10" => unary!(libm::exp10),
        "expm1" => unary!(f64::exp_m1),
        "log" => unary!(f64::ln),
        "log2" => unary!(f64::log2),
        "log10" => unary!(f64::log10),
        "log1p" => unary!(f64::ln_1p),
        "logb" => unary!(|x: f64| if x == 0.0 { f64::NEG_INFINITY } else { f64::from(libm::ilogb(x)) }),
        "sqrt" => unary!(f64::sqrt),
        "cbrt" => unary!(f64::cbrt),
        "fabs" => unary!(f64::abs),
        "floor" => unary!(f64::floor),
        "ceil" => unary!(f64::ceil),
        "trunc" => unary!(f64::trunc),
        "round" => unary!(f64::round),
        "rint" | "nearbyint" | "roundeven" => unary!(f64::round_ties_even),
        "erf" => unary!(libm::erf),
        "erfc" => unary!(libm::erfc),
        "tgamma" => unary!(libm::tgamma),
        "__rp_lgamma" => unary!(libm::lgamma),
        "j0" => unary!(libm::j0),
        "j1" => unary!(libm::j1),
        "y0" => unary!(libm::y0),
        "y1" => unary!(libm::y1),
        "pow" => binary!(f64::powf),
        "atan2" => binary!(f64::atan2),
        "hypot" => binary!(f64::hypot),
        "fmod" => binary!(|a: f64, b: f64| a % b),
        "remainder" | "drem" => binary!(libm::remainder),
        "fmin" => binary!(f64::min),
        "fmax" => binary!(f64::max),
        "fdim" => binary!(libm::fdim),
        "copysign" => binary!(f64::copysign),
        "nextafter" => binary!(libm::nextafter),
        "lround" | "llround" => to_int!(|x: f64| x.round() as i64),
        "lrint" | "llrint" => to_int!(|x: f64| x.round_ties_even() as i64),
        "ilogb" => to_int!(|x: f64| i64::from(libm::ilogb(x))),
        "__isnan" | "isnan" => to_int!(|x: f64| i64::from(x.is_nan())),
        "__isinf" | "isinf" => to_int!(|x: f64| i64::from(x.is_infinite()) * if x < 0.0 { -1 } else { 1 }),
        "__finite" | "finite" => to_int!(|x: f64| i64::from(x.is_finite())),
        "__signbit" => to_int!(|x: f64| i64::from(x.is_sign_negative())),
        "__fpclassify" => to_int!(classify),
        _ => return None,
    })
}

/// glibc's numbers: NaN 0, infinite 1, zero 2, subnormal 3, normal 4.
fn classify(x: f64) -> i64 {
    match x.classify() {
        std::num::FpCategory::Nan => 0,
        std::num::FpCategory::Infinite => 1,
        std::num::FpCategory::Zero => 2,
        std::num::FpCategory::Subnormal => 3,
        std::num::FpCategory::Normal => 4,
    }
}

fn single(name: &str) -> Option<LocalFn> {
    Some(match name {
        "sinf" => unary32!(f32::sin),
        "cosf" => unary32!(f32::cos),
        "tanf" => unary32!(f32::tan),
        "asinf" => unary32!(f32::asin),
        "acosf" => unary32!(f32::acos),
        "atanf" => unary32!(f32::atan),
        "sinhf" => unary32!(f32::sinh),
        "coshf" => unary32!(f32::cosh),
        "tanhf" => unary32!(f32::tanh),
        "asinhf" => unary32!(f32::asinh),
        "acoshf" => unary32!(f32::acosh),
        "atanhf" => unary32!(f32::atanh),
        "expf" => unary32!(f32::exp),
        "exp2f" => unary32!(f32::exp2),
        "expm1f" => unary32!(f32::exp_m1),
        "logf" => unary32!(f32::ln),
        "log2f" => unary32!(f32::log2),
        "log10f" => unary32!(f32::log10),
        "log1pf" => unary32!(f32::ln_1p),
        "sqrtf" => unary32!(f32::sqrt),
        "cbrtf" => unary32!(f32::cbrt),
        "fabsf" => unary32!(f32::abs),
        "floorf" => unary32!(f32::floor),
        "ceilf" => unary32!(f32::ceil),
        "truncf" => unary32!(f32::trunc),
        "roundf" => unary32!(f32::round),
        "rintf" | "nearbyintf" | "roundevenf" => unary32!(f32::round_ties_even),
        "erff" => unary32!(libm::erff),
        "erfcf" => unary32!(libm::erfcf),
        "tgammaf" => unary32!(libm::tgammaf),
        "__rp_lgammaf" => unary32!(libm::lgammaf),
        "powf" => binary32!(f32::powf),
        "atan2f" => binary32!(f32::atan2),
        "hypotf" => binary32!(f32::hypot),
        "fmodf" => binary32!(|a: f32, b: f32| a % b),
        "remainderf" => binary32!(libm::remainderf),
        "fminf" => binary32!(f32::min),
        "fmaxf" => binary32!(f32::max),
        "fdimf" => binary32!(libm::fdimf),
        "copysignf" => binary32!(f32::copysign),
        "nextafterf" => binary32!(libm::nextafterf),
        "lroundf" | "llroundf" => to_int32!(|x: f64| x.round() as i64),
        "lrintf" | "llrintf" => to_int32!(|x: f64| x.round_ties_even() as i64),
        "ilogbf" => to_int32!(|x: f64| i64::from(libm::ilogb(x))),
        "__isnanf" => to_int32!(|x: f64| i64::from(x.is_nan())),
        "__isinff" => to_int32!(|x: f64| i64::from(x.is_infinite()) * if x < 0.0 { -1 } else { 1 }),
        "__finitef" => to_int32!(|x: f64| i64::from(x.is_finite())),
        "__signbitf" => to_int32!(|x: f64| i64::from(x.is_sign_negative())),
        "__fpclassifyf" => {
            fn call(c: &mut Call) -> Result<(), Stop> {
                let (v, s) = c.raw(0);
                let x = f32::from_bits(v as u32);
                let r = if x.is_subnormal() { 3 } else { classify(x.into()) };
                c.result = vec![(r as u64, if s == 0 { 0 } else { u64::MAX })];
                Ok(())
            }
            call
        }
        _ => return None,
    })
}

fn long_double(name: &str) -> Option<LocalFn> {
    Some(match name {
        "fabsl" => unary80!(FloatFn::Fabs),
        "sqrtl" => unary80!(FloatFn::Sqrt),
        "logl" => unary80!(FloatFn::Log),
        "log2l" => unary80!(FloatFn::Log2),
        "log10l" => unary80!(FloatFn::Log10),
        "floorl" => unary80!(FloatFn::Floor),
        "ceill" => unary80!(FloatFn::Ceil),
        "truncl" => unary80!(FloatFn::Trunc),
        "roundl" => unary80!(FloatFn::Round),
        "rintl" | "nearbyintl" => unary80!(FloatFn::Rint),
        "fmodl" => binary80!(|a, b| float::binary(ir::FloatOp::Rem, Scalar::F80, a, b)),
        "fminl" => binary80!(|a, b| float::function(FloatFn::MinNum, Scalar::F80, a, b, 0).expect("exact")),
        "fmaxl" => binary80!(|a, b| float::function(FloatFn::MaxNum, Scalar::F80, a, b, 0).expect("exact")),
        "copysignl" => {
            binary80!(|a, b| float::function(FloatFn::CopySign, Scalar::F80, a, b, 0).expect("exact"))
        }
        "__isnanl" => |c: &mut Call| classify_long(c, |x| i64::from(x.is_nan())),
        "__isinfl" => |c: &mut Call| classify_long(c, |x| i64::from(x.is_infinite())),
        "__finitel" => |c: &mut Call| classify_long(c, |x| i64::from(x.is_finite())),
        "__signbitl" => |c: &mut Call| classify_long(c, |x| i64::from(x.is_sign_negative())),
        _ => return None,
    })
}

fn classify_long(c: &mut Call, f: impl Fn(f64) -> i64) -> Result<(), Stop> {
    let v = u128::from(c.raw(1).0) << 64 | u128::from(c.raw(0).0);
    let open = if c.raw(0).1 | c.raw(1).1 == 0 { 0 } else { u64::MAX };
    // Classification survives the conversion except for values outside the range of a double, which stay finite here.
    let wide = float::f80_of(v);
    let x = if rustc_apfloat::Float::is_finite(wide) {
        1f64.copysign(float::f64_from_f80(v))
    } else {
        float::f64_from_f80(v)
    };
    c.result = vec![(f(x) as u64, open)];
    Ok(())
}

/// Functions with other kinds of arguments.
fn mixed(name: &str) -> Option<LocalFn> {
    Some(match name {
        "fma" => |c: &mut Call| {
            let v = |i: usize| f64::from_bits(c.raw(i).0);
            let open = if (0..3).all(|i| c.raw(i).1 == 0) { 0 } else { u64::MAX };
            c.result = vec![(v(0).mul_add(v(1), v(2)).to_bits(), open)];
            Ok(())
        },
        "fmaf" => |c: &mut Call| {
            let v = |i: usize| f32::from_bits(c.raw(i).0 as u32);
            let open = if (0..3).all(|i| c.raw(i).1 == 0) { 0 } else { u64::MAX };
            c.result = vec![(v(0).mul_add(v(1), v(2)).to_bits().into(), open)];
            Ok(())
        },
        "ldexp" | "scalbn" | "scalbln" => |c: &mut Call| {
            let (v, s) = c.raw(0);
            let (n, u) = c.raw(1);
            let r = libm::scalbn(f64::from_bits(v), n as u32 as i32);
            c.result = vec![(r.to_bits(), if s | u == 0 { 0 } else { u64::MAX })];
            Ok(())
        },
        "ldexpf" | "scalbnf" => |c: &mut Call| {
            let (v, s) = c.raw(0);
            let (n, u) = c.raw(1);
            let r = libm::scalbnf(f32::from_bits(v as u32), n as u32 as i32);
            c.result = vec![(r.to_bits().into(), if s | u == 0 { 0 } else { 0xffff_ffff })];
            Ok(())
        },
        "frexp" => |c: &mut Call| {
            let (v, s) = c.raw(0);
            let out = c.arg(1)?;
            let (m, e) = libm::frexp(f64::from_bits(v));
            let open = if s == 0 { 0 } else { u64::MAX };
            put(c, out, Scalar::Int(32), (e as u32).into(), open & 0xffff_ffff)?;
            c.result = vec![(m.to_bits(), open)];
            Ok(())
        },
        "modf" => |c: &mut Call| {
            let (v, s) = c.raw(0);
            let out = c.arg(1)?;
            let x = f64::from_bits(v);
            let whole = x.trunc();
            let open = if s == 0 { 0 } else { u64::MAX };
            put(c, out, Scalar::F64, whole.to_bits(), open)?;
            let rest = if x.is_infinite() { 0f64.copysign(x) } else { (x - whole).copysign(x) };
            c.result = vec![(rest.to_bits(), open)];
            Ok(())
        },
        _ => return None,
    })
}

fn put(c: &mut Call, out: u64, ty: Scalar, value: u64, shadow: u64) -> Result<(), Stop> {
    let access = c.access();
    c.machine.store(c.t, c.th, out, ty, (value, shadow), None, access)
}
