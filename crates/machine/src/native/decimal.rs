//! Exact decimal digits of an extended-precision number, for those that no `double` holds.
//!
//! A finite number is m * 2^e. For e >= 0 its digits are those of the integer m * 2^e; otherwise those of m * 5^-e with the
//! point -e places from the right. Big integers are limbs of nine decimal digits, so no division is needed to print them.

/// Nine decimal digits a limb.
const BASE: u64 = 1_000_000_000;

/// A non-negative number: 0.d1d2d3... * 10^point, without trailing zeros; zero has no digits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Decimal {
    digits: Vec<u8>,
    point: i32,
}

impl Decimal {
    /// m * 2^e.
    pub fn new(m: u64, e: i32) -> Decimal {
        let mut limbs = vec![m % BASE, m / BASE % BASE, m / BASE / BASE];
        let (factor, step, mut left) = if e >= 0 { (2u64, 29, e) } else { (5, 12, -e) };
        while left > 0 {
            let n = left.min(step);
            multiply(&mut limbs, factor.pow(n as u32));
            left -= n;
        }
        let mut text: String = limbs.iter().rev().map(|l| format!("{l:09}")).collect();
        text = text.trim_start_matches('0').to_string();
        let point = text.len() as i32 - if e < 0 { -e } else { 0 };
        Decimal { digits: text.trim_end_matches('0').bytes().collect(), point }
    }

    /// Rounded to the first `keep` digits, half to even.
    fn rounded(&self, keep: i32) -> Decimal {
        if keep >= self.digits.len() as i32 {
            return self.clone();
        }
        if keep < 0 {
            return Decimal { digits: Vec::new(), point: self.point };
        }
        let (kept, rest) = self.digits.split_at(keep as usize);
        let odd = kept.last().is_some_and(|d| d % 2 == 1);
        let up = rest[0] > b'5' || (rest[0] == b'5' && (rest.len() > 1 || odd));
        let mut result = Decimal { digits: kept.to_vec(), point: self.point };
        if up {
            while let Some(b'9') = result.digits.last() {
                result.digits.pop();
            }
            match result.digits.last_mut() {
                Some(d) => *d += 1,
                None => {
                    result.digits.push(b'1');
                    result.point += 1;
                }
            }
        }
        result
    }

    fn digit(&self, i: i32) -> char {
        usize::try_from(i).ok().and_then(|i| self.digits.get(i)).map_or('0', |d| *d as char)
    }

    /// As `%.{places}f`.
    pub fn fixed(&self, places: usize) -> String {
        let r = self.rounded(self.point.saturating_add(places as i32));
        let whole: String = (0..r.point).map(|i| r.digit(i)).collect();
        let fraction: String = (0..places as i32).map(|i| r.digit(r.point + i)).collect();
        let whole = if whole.is_empty() { "0" } else { &whole };
        if places == 0 { whole.to_string() } else { format!("{whole}.{fraction}") }
    }

    /// As Rust's `{:.places$e}`.
    pub fn exponential(&self, places: usize) -> String {
        let r = self.rounded(places as i32 + 1);
        let exponent = if r.digits.is_empty() { 0 } else { r.point - 1 };
        let fraction: String = (1..=places as i32).map(|i| r.digit(i)).collect();
        let point = if places == 0 { "" } else { "." };
        format!("{}{point}{fraction}e{exponent}", r.digit(0))
    }
}

fn multiply(limbs: &mut Vec<u64>, factor: u64) {
    let mut carry = 0;
    for limb in limbs.iter_mut() {
        let v = *limb * factor + carry;
        *limb = v % BASE;
        carry = v / BASE;
    }
    while carry > 0 {
        limbs.push(carry % BASE);
        carry /= BASE;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_digits_as_doubles() {
        for v in [1.0f64, 0.1, 2.5, 1e300, 1e-300, 123456.789, 5e-324, 9.995, 0.5, 1.5, 99.5] {
            let bits = v.to_bits();
            let exponent = (bits >> 52) as i32;
            let fraction = bits & ((1 << 52) - 1);
            let (m, e) =
                if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) };
            let d = Decimal::new(m, e);
            for places in [0, 1, 2, 6, 20] {
                assert_eq!(d.fixed(places), format!("{v:.places$}"));
                assert_eq!(d.exponential(places), format!("{v:.places$e}"));
            }
        }
    }
}
