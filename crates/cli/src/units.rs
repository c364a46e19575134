//! Numbers with units and ranges, as people type them.

use std::time::Duration;

use anyhow::{Context, Result, bail};

/// A memory size: `4G`, `512M`, `1.5GiB`, `1000000`. Units are powers of 1024.
pub fn size(text: &str) -> Result<u64> {
    let (number, unit) = split_unit(text);
    let shift = match unit.to_ascii_lowercase().trim_end_matches("ib").trim_end_matches('b') {
        "" => 0,
        "k" => 10,
        "m" => 20,
        "g" => 30,
        "t" => 40,
        _ => bail!("expected a size such as 512M or 4G, found `{text}`"),
    };
    let value: f64 =
        number.parse().ok().with_context(|| format!("expected a size such as 512M or 4G, found `{text}`"))?;
    let bytes = value * (1_u64 << shift) as f64;
    if !(1.0..9e18).contains(&bytes) {
        bail!("expected a size between 1 byte and 8 exabytes, found `{text}`");
    }
    Ok(bytes as u64)
}

/// A time: seconds as `90` or `0.5`, or `90s`, `5m`, `1h`.
pub fn time(text: &str) -> Result<Duration> {
    let expected = || format!("expected a time such as 90, 0.5, 90s, 5m or 1h, found `{text}`");
    let (number, unit) = split_unit(text);
    let factor = match unit {
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => bail!(expected()),
    };
    let value: f64 = number.parse().ok().with_context(expected)?;
    let seconds = value * factor;
    if !(seconds > 0.0 && seconds < 1e9) {
        bail!(expected());
    }
    Ok(Duration::from_secs_f64(seconds))
}

/// A count above zero: `1000`, `1_000_000`, `10M`.
pub fn count(text: &str) -> Result<u64> {
    let expected = || format!("expected a number above 0 such as 1000000 or 10M, found `{text}`");
    let (number, unit) = split_unit(text);
    let factor = match unit {
        "" => 1,
        "k" | "K" => 1_000,
        "M" => 1_000_000,
        "G" => 1_000_000_000,
        _ => bail!(expected()),
    };
    let value: u64 = number.replace('_', "").parse().ok().with_context(expected)?;
    value.checked_mul(factor).filter(|&count| count > 0).with_context(expected)
}

fn split_unit(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| c.is_alphabetic()).unwrap_or(text.len());
    text.split_at(end)
}

/// A range of whole numbers, both ends included, if the text has the shape of one: `1..4`, `-2..2`, `1..=4`.
pub fn range(text: &str) -> Option<Result<Range>> {
    let (low, high) = text.split_once("..")?;
    let high = high.strip_prefix('=').unwrap_or(high);
    let low: i64 = low.parse().ok()?;
    let high: i64 = high.parse().ok()?;
    if low > high {
        return Some(Err(anyhow::anyhow!(
            "expected a range from low to high, found `{text}`; did you mean `{high}..{low}`?"
        )));
    }
    Some(Ok(Range { low, high }))
}

/// A range of whole numbers, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    /// The first number.
    pub low: i64,
    /// The last number.
    pub high: i64,
}

impl Range {
    /// How many numbers the range has.
    pub fn len(self) -> u128 {
        (i128::from(self.high) - i128::from(self.low) + 1).unsigned_abs()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(size("4G").unwrap(), 4 << 30);
        assert_eq!(size("512M").unwrap(), 512 << 20);
        assert_eq!(size("1.5KiB").unwrap(), 1536);
        assert_eq!(size("100kb").unwrap(), 102_400);
        assert_eq!(size("123").unwrap(), 123);
        for wrong in ["", "G", "4X", "-1", "0", "nan", "1e30"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn times() {
        assert_eq!(time("90").unwrap(), Duration::from_secs(90));
        assert_eq!(time("0.5").unwrap(), Duration::from_millis(500));
        assert_eq!(time("5m").unwrap(), Duration::from_secs(300));
        for wrong in ["", "0", "-3", "5 years", "inf", "1d"] {
            assert!(time(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn counts() {
        assert_eq!(count("1_000").unwrap(), 1000);
        assert_eq!(count("10M").unwrap(), 10_000_000);
        for wrong in ["", "0", "1.5", "-1", "99999999999999999999", "100000000000G"] {
            assert!(count(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn ranges() {
        assert_eq!(range("1..4").unwrap().unwrap(), Range { low: 1, high: 4 });
        assert_eq!(range("-2..=2").unwrap().unwrap().len(), 5);
        assert!(range("4..1").unwrap().is_err());
        for text in ["", "4", "a..b", "..", "1..", "file..txt", "1..2..3"] {
            assert!(range(text).is_none(), "{text}");
        }
        assert_eq!(Range { low: i64::MIN, high: i64::MAX }.len(), 1 << 64);
    }
}
