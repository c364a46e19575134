//! Roots and logarithms of `long double`, computed with the 113 bits of IEEE 754's quadruple precision and rounded once.
//!
//! A square root is that of the nearest `double`, refined by Newton's method. A logarithm is e ln 2 + ln m for x = m 2^e with m
//! near 1, and ln m = 2 artanh((m - 1) / (m + 1)) by its series. The results are the nearest `long double` but for cases
//! within about 2^-45 of the middle between two, where the neighbour may be given.

use ir::FloatFn;
use rustc_apfloat::ieee::{Quad, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert};

use super::float::{f64_from_f80, f80_from_f64, f80_of};

/// Terms of the series: the argument is below 0.172, so that each gives five bits.
const TERMS: u32 = 26;

/// The function of a `long double`; `None` if it is none of these.
pub(super) fn function(f: FloatFn, bits: u128) -> Option<u128> {
    let x = f80_of(bits);
    let result = match f {
        FloatFn::Sqrt => special(x).unwrap_or_else(|| narrow(root(bits, wide(x)))),
        FloatFn::Log | FloatFn::Log2 | FloatFn::Log10 if x.is_zero() => -X87DoubleExtended::INFINITY,
        FloatFn::Log => special(x).unwrap_or_else(|| narrow(log(x, number(LN_2), number("1")))),
        FloatFn::Log2 => special(x).unwrap_or_else(|| narrow(log(x, number("1"), number(LN_2)))),
        FloatFn::Log10 => special(x).unwrap_or_else(|| {
            let ten = number(LN_10);
            narrow((log(x, number(LN_2), number("1")) / ten).value)
        }),
        _ => return None,
    };
    Some(result.to_bits())
}

const LN_2: &str = "0.69314718055994530941723212145817656807550013436025525412068";
const LN_10: &str = "2.30258509299404568401799145468436420760110148862877297603333";

/// The result where it is the argument itself, or no number.
fn special(x: X87DoubleExtended) -> Option<X87DoubleExtended> {
    if x.is_nan() || x.is_zero() || x.is_infinite() && !x.is_negative() {
        Some(x)
    } else {
        x.is_negative().then_some(X87DoubleExtended::NAN)
    }
}

fn wide(x: X87DoubleExtended) -> Quad {
    x.convert(&mut false).value
}

fn narrow(x: Quad) -> X87DoubleExtended {
    x.convert(&mut false).value
}

fn number(text: &str) -> Quad {
    text.parse().unwrap_or(Quad::NAN)
}

fn root(bits: u128, x: Quad) -> Quad {
    // The exponent is made small and even, so that a double can hold the first guess.
    let exponent = x.ilogb() & !1;
    let scaled = f80_of(bits).scalbn(-exponent);
    let guess = f64_from_f80(scaled.to_bits()).sqrt();
    let x = wide(scaled);
    let mut y = wide(f80_of(f80_from_f64(guess)));
    for _ in 0..2 {
        y = (y + (x / y).value).value.scalbn(-1);
    }
    y.scalbn(exponent / 2)
}

/// `x = m 2^e`: e `unit` + ln m / `divisor`.
fn log(x: X87DoubleExtended, unit: Quad, divisor: Quad) -> Quad {
    let one = number("1");
    let mut exponent = x.ilogb();
    let mut m = wide(x.scalbn(-exponent));
    if m > number("1.41421356") {
        m = m.scalbn(-1);
        exponent += 1;
    }
    let z = ((m - one).value / (m + one).value).value;
    let square = (z * z).value;
    let mut sum = number("0");
    for k in (0..TERMS).rev() {
        let odd = Quad::from_u128(u128::from(2 * k + 1)).value;
        sum = ((sum * square).value + (one / odd).value).value;
    }
    let small = ((z * sum).value.scalbn(1) / divisor).value;
    ((Quad::from_i128(i128::from(exponent)).value * unit).value + small).value
}

#[cfg(test)]
mod tests {
    use super::super::float::f80_from_f64;
    use super::*;

    fn of(f: FloatFn, x: f64) -> f64 {
        f64_from_f80(function(f, f80_from_f64(x)).unwrap())
    }

    #[test]
    fn as_the_host_has_them() {
        for x in [1e-300, 0.1, 0.71, 1.0, 1.5, 2.0, 3.0, 10.0, 12345.678, 4294967296.0, 1e300] {
            assert_eq!(of(FloatFn::Sqrt, x), x.sqrt());
            let near = |a: f64, b: f64| (a - b).abs() <= b.abs() * 4e-16;
            assert!(near(of(FloatFn::Log, x), x.ln()), "{x}");
            assert!(near(of(FloatFn::Log2, x), x.log2()), "{x}");
            assert!(near(of(FloatFn::Log10, x), x.log10()), "{x}");
        }
    }

    #[test]
    fn exact_where_the_result_is() {
        assert_eq!(of(FloatFn::Log2, 4294967296.0), 32.0);
        assert_eq!(of(FloatFn::Sqrt, 144.0), 12.0);
        // What libstdc++ computes to learn how many bits a generator gives.
        let bits = |x: f64| f80_of(function(FloatFn::Log, f80_from_f64(x)).unwrap());
        let ratio = (bits(4294967296.0) / bits(2.0)).value;
        assert_eq!(f64_from_f80(ratio.to_bits()), 32.0);
        assert!(ratio.to_u128(32).value == 32);
    }

    #[test]
    fn special_values() {
        assert_eq!(of(FloatFn::Log, 0.0), f64::NEG_INFINITY);
        assert!(of(FloatFn::Log, -1.0).is_nan());
        assert!(of(FloatFn::Sqrt, -1.0).is_nan());
        assert_eq!(of(FloatFn::Log, f64::INFINITY), f64::INFINITY);
        assert_eq!(of(FloatFn::Sqrt, 0.0), 0.0);
    }
}
