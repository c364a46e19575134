//! Formatting floating-point numbers as C's `printf` does (C11 7.21.6.1).

use rustc_apfloat::Float;

use crate::interp::float::{f64_from_f80, f80_of};

const ALTERNATE: i32 = 1;
const PLUS: i32 = 2;
const SPACE: i32 = 4;

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
    let magnitude = f64_from_f80(bits & !(1 << 79));
    let body = if value.is_nan() {
        "nan".to_string()
    } else if value.is_infinite() {
        "inf".to_string()
    } else {
        let alternate = flags & ALTERNATE != 0;
        let digits = if precision < 0 { 6 } else { precision as usize };
        match conversion.to_ascii_lowercase() {
            'e' => exponential(magnitude, digits, alternate),
            'g' => general(magnitude, digits, alternate),
            'a' => hexadecimal(magnitude, precision, alternate),
            _ => fixed(magnitude, digits, alternate),
        }
    };
    let text = format!("{sign}{body}");
    if upper { text.to_ascii_uppercase() } else { text }
}

fn fixed(v: f64, digits: usize, alternate: bool) -> String {
    let mut s = format!("{v:.digits$}");
    if digits == 0 && alternate {
        s.push('.');
    }
    s
}

fn exponential(v: f64, digits: usize, alternate: bool) -> String {
    let s = format!("{v:.digits$e}");
    let (mantissa, exponent) = s.split_once('e').unwrap_or((&s, "0"));
    let (sign, exponent) = match exponent.strip_prefix('-') {
        Some(e) => ('-', e),
        None => ('+', exponent),
    };
    let point = if digits == 0 && alternate { "." } else { "" };
    format!("{mantissa}{point}e{sign}{exponent:0>2}")
}

fn general(v: f64, precision: usize, alternate: bool) -> String {
    let p = precision.max(1);
    let rounded = format!("{v:.*e}", p - 1);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interp::float::f80_from_f64;

    fn f(v: f64, conversion: char, flags: i32, precision: i32) -> String {
        format(f80_from_f64(v), conversion, flags, precision)
    }

    #[test]
    fn as_c_prints_them() {
        assert_eq!(f(3.14159, 'f', 0, 2), "3.14");
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
