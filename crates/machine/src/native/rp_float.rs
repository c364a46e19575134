//! Formatting floating-point numbers as C's `printf` does (C11 7.21.6.1).

use rustc_apfloat::Float;

use super::decimal::Decimal;
use crate::interp::float::{f64_from_f80, f80_from_f64, f80_of};

const ALTERNATE: i32 = 1;
const PLUS: i32 = 2;
const SPACE: i32 = 4;
const LONG: i32 = 8;

/// A magnitude, as far as its decimal digits go.
enum Magnitude {
    Double(f64),
    /// What only a `long double` holds.
    Extended(Decimal),
}

impl Magnitude {
    fn new(bits: u128) -> Magnitude {
        let double = f64_from_f80(bits);
        if f80_from_f64(double) == bits {
            return Magnitude::Double(double);
        }
        let exponent = (bits >> 64) as i32 & 0x7fff;
        Magnitude::Extended(Decimal::new(bits as u64, exponent.max(1) - 16383 - 63))
    }

    fn fixed(&self, digits: usize) -> String {
        match self {
            Magnitude::Double(v) => format!("{v:.digits$}"),
            Magnitude::Extended(v) => v.fixed(digits),
        }
    }

    fn exponential(&self, digits: usize) -> String {
        match self {
            Magnitude::Double(v) => format!("{v:.digits$e}"),
            Magnitude::Extended(v) => v.exponential(digits),
        }
    }
}

/// Formats a `long double`, without padding to a width.
pub(crate) fn format(bits: u128, conversion: char, flags: i32, precision: i32) -> String {
    let value = f80_of(bits);
    let upper = conversion.is_ascii_uppercase();
    let sign = match (value.is_negative(), flags) {
        (true, _) => "-",
        (_, f) if f & PLUS != 0 => "+",
        (_, f) if f & SPACE != 0 => " ",
        _ => "",
    };
    let body = if value.is_nan() {
        "nan".to_string()
    } else if value.is_infinite() {
        "inf".to_string()
    } else {
        let alternate = flags & ALTERNATE != 0;
        let digits = if precision < 0 { 6 } else { precision as usize };
        let bits = bits & ((1 << 79) - 1);
        match conversion.to_ascii_lowercase() {
            'e' => exponential(&Magnitude::new(bits), digits, alternate),
            'g' => general(&Magnitude::new(bits), digits, alternate),
            'a' if flags & LONG != 0 => hexadecimal_long(bits, precision, alternate),
            'a' => hexadecimal(f64_from_f80(bits), precision, alternate),
            _ => fixed(&Magnitude::new(bits), digits, alternate),
        }
    };
    let text = format!("{sign}{body}");
    if upper { text.to_ascii_uppercase() } else { text }
}

fn fixed(v: &Magnitude, digits: usize, alternate: bool) -> String {
    let mut s = v.fixed(digits);
    if digits == 0 && alternate {
        s.push('.');
    }
    s
}

fn exponential(v: &Magnitude, digits: usize, alternate: bool) -> String {
    let s = v.exponential(digits);
    let (mantissa, exponent) = s.split_once('e').unwrap_or((&s, "0"));
    let (sign, exponent) = match exponent.strip_prefix('-') {
        Some(e) => ('-', e),
        None => ('+', exponent),
    };
    let point = if digits == 0 && alternate { "." } else { "" };
    format!("{mantissa}{point}e{sign}{exponent:0>2}")
}

fn general(v: &Magnitude, precision: usize, alternate: bool) -> String {
    let p = precision.max(1);
    let rounded = v.exponential(p - 1);
    let exponent: i32 = rounded.split_once('e').and_then(|(_, e)| e.parse().ok()).unwrap_or(0);
    let mut s = if exponent < -4 || exponent >= p as i32 {
        exponential(v, p - 1, alternate)
    } else {
        fixed(v, (p as i32 - 1 - exponent) as usize, alternate)
    };
    if !alternate {
        let (mantissa, tail) = match s.find('e') {
            Some(at) => (s[..at].to_string(), s[at..].to_string()),
            None => (s.clone(), String::new()),
        };
        if mantissa.contains('.') {
            s = format!("{}{tail}", mantissa.trim_end_matches('0').trim_end_matches('.'));
        }
    }
    s
}

fn hexadecimal(v: f64, precision: i32, alternate: bool) -> String {
    let bits = v.to_bits();
    let mut exponent = ((bits >> 52) & 0x7ff) as i32 - 1023;
    let mut mantissa = bits & ((1 << 52) - 1);
    let mut lead = 1;
    if exponent == -1023 {
        if mantissa == 0 {
            exponent = 0;
        } else {
            exponent = -1022;
        }
        lead = 0;
    }
    if (0..13).contains(&precision) {
        let drop = 4 * (13 - precision as u32);
        let full = u64::from(lead as u8) << 52 | mantissa;
        let half = 1u64 << (drop - 1);
        let mut kept = full >> drop;
        let rest = full & ((1 << drop) - 1);
        if rest > half || (rest == half && kept & 1 == 1) {
            kept += 1;
        }
        let full = kept << drop;
        lead = (full >> 52) as i32;
        mantissa = full & ((1 << 52) - 1);
    }
    let mut digits = format!("{mantissa:013x}");
    if precision < 0 {
        digits.truncate(digits.trim_end_matches('0').len());
    } else {
        let p = precision as usize;
        while digits.len() < p {
            digits.push('0');
        }
        digits.truncate(p);
    }
    let point = if digits.is_empty() && !alternate { "" } else { "." };
    format!("0x{lead}{point}{digits}p{exponent:+}")
}

/// A `long double` as glibc prints it on x86: the leading digit holds the first four bits of the significand.
fn hexadecimal_long(bits: u128, precision: i32, alternate: bool) -> String {
    let mut significand = bits as u64;
    let mut exponent = ((bits >> 64) as i32 & 0x7fff).max(1) - 16383 - 3;
    if significand == 0 {
        exponent = 0;
    }
    if (0..15).contains(&precision) {
        let drop = 4 * (15 - precision as u32);
        let (half, rest) = (1u64 << (drop - 1), significand & ((1 << drop) - 1));
        significand -= rest;
        if rest > half || (rest == half && significand >> drop & 1 == 1) {
            let (sum, carried) = significand.overflowing_add(1 << drop);
            significand = if carried { 1 << 63 } else { sum };
            exponent += i32::from(carried);
        }
    }
    let mut digits = format!("{:015x}", significand & (u64::MAX >> 4));
    if precision < 0 {
        digits.truncate(digits.trim_end_matches('0').len());
    } else {
        digits = format!("{digits:0<width$}", width = precision as usize);
        digits.truncate(precision as usize);
    }
    let point = if digits.is_empty() && !alternate { "" } else { "." };
    format!("0x{:x}{point}{digits}p{exponent:+}", significand >> 60)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interp::float::f80_from_f64;

    fn f(v: f64, conversion: char, flags: i32, precision: i32) -> String {
        format(f80_from_f64(v), conversion, flags, precision)
    }

    #[test]
    fn as_c_prints_them() {
        assert_eq!(f(3.14259, 'f', 0, 2), "3.14");
        assert_eq!(f(-0.5, 'f', 0, 0), "-0");
        assert_eq!(f(1e10, 'e', 0, -1), "1.000000e+10");
        assert_eq!(f(1e-5, 'g', 0, -1), "1e-05");
        assert_eq!(f(100000.0, 'g', 0, -1), "100000");
        assert_eq!(f(1e6, 'g', 0, -1), "1e+06");
        assert_eq!(f(0.1, 'G', ALTERNATE, 3), "0.100");
        assert_eq!(f(2.0, 'f', PLUS, 1), "+2.0");
        assert_eq!(f(f64::INFINITY, 'F', 0, -1), "INF");
        assert_eq!(f(1.0, 'a', 0, -1), "0x1p+0");
        assert_eq!(f(0.5, 'a', 0, 2), "0x1.00p-1");
        assert_eq!(f(3.0, 'a', 0, -1), "0x1.8p+1");
    }
}
