//! Aldebaran files (`.aut`), as CADP, mCRL2 and LTSmin read and write them.
//!
//! ```text
//! des (0, 2, 2)
//! (0, "WU0", 1)
//! (1, i, 0)
//! ```
//!
//! First line: initial state, number of transitions, number of states. Then a line for each transition. A label that is
//! not a plain word stands in quotes; quotes within are kept as they are (the label ends at the last quote before the
//! last comma), as CADP does.

use super::lts::Lts;
use rustc_hash::FxHashMap;

/// A file that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: expected {expected}, found `{found}`")]
pub struct AutError {
    /// From 1.
    pub line: usize,
    /// What should stand there.
    pub expected: String,
    /// What does.
    pub found: String,
}

/// The most states that a file may claim: each takes memory before a transition is read.
const MOST: u64 = 1 << 28;

/// Writes a system.
pub fn write(lts: &Lts) -> String {
    let mut text = format!("des ({}, {}, {})\n", lts.initial, lts.transitions(), lts.steps.len());
    for (from, steps) in lts.steps.iter().enumerate() {
        for &(label, to) in steps {
            let label = &lts.labels[label as usize];
            if super::lts::is_hidden(label) {
                text += &format!("({from}, {label}, {to})\n");
            } else {
                text += &format!("({from}, \"{label}\", {to})\n");
            }
        }
    }
    text
}

/// Reads a system.
///
/// # Errors
/// If the text is none, with the line.
pub fn read(text: &str) -> Result<Lts, AutError> {
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let wrong = |line: usize, expected: &str, found: &str| {
        let found: String = found.chars().take(60).collect();
        Err(AutError { line: line + 1, expected: expected.into(), found })
    };
    let header = "`des (initial state, transitions, states)`";
    let Some((at, first)) = lines.next() else { return wrong(0, header, "") };
    let numbers = first.trim().strip_prefix("des").and_then(|rest| {
        let inner = rest.trim().strip_prefix('(')?.strip_suffix(')')?;
        let numbers: Vec<u64> = inner.split(',').map(|n| n.trim().parse().ok()).collect::<Option<_>>()?;
        <[u64; 3]>::try_from(numbers).ok()
    });
    let Some([initial, transitions, states]) = numbers else { return wrong(at, header, first) };
    if initial >= states || states > MOST {
        return wrong(
            at,
            &format!("an initial state below the number of states, and at most {MOST} of these"),
            first,
        );
    }
    let mut lts =
        Lts { initial: initial as u32, labels: Vec::new(), steps: vec![Vec::new(); states as usize] };
    let mut labels: FxHashMap<String, u32> = FxHashMap::default();
    let mut count = 0;
    for (at, line) in lines {
        let Some((from, label, to)) = transition(line) else {
            return wrong(at, "`(from, \"label\", to)`", line);
        };
        if from >= states || to >= states {
            return wrong(at, &format!("states below {states}"), line);
        }
        let label = *labels.entry(label.to_owned()).or_insert_with(|| {
            lts.labels.push(label.to_owned());
            lts.labels.len() as u32 - 1
        });
        lts.steps[from as usize].push((label, to as u32));
        count += 1;
    }
    if count != transitions {
        return wrong(at, &format!("as many transitions as there are, {count}"), first);
    }
    Ok(lts)
}

fn transition(line: &str) -> Option<(u64, &str, u64)> {
    let inner = line.trim().strip_prefix('(')?.strip_suffix(')')?;
    let (from, rest) = inner.split_once(',')?;
    let (label, to) = rest.rsplit_once(',')?;
    let label = label.trim();
    let label = label.strip_prefix('"').and_then(|l| l.strip_suffix('"')).unwrap_or(label);
    Some((from.trim().parse().ok()?, label, to.trim().parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back() {
        let text = "des (1, 3, 2)\n(0, \"ACQUIRE !1, \"x\"\", 1)\n(0, \"WU\", 0)\n(1, i, 0)\n";
        let lts = read(text).unwrap();
        assert_eq!(lts.labels, ["ACQUIRE !1, \"x\"", "WU", "i"]);
        assert_eq!((lts.initial, lts.transitions()), (1, 3));
        assert_eq!(write(&lts), text);
        assert_eq!(read("des(0,1,1)\n(0,a b,0)").unwrap().labels, ["a b"]);
    }

    #[test]
    fn errors_say_the_line() {
        let error = |text: &str| read(text).unwrap_err().to_string();
        assert!(error("").starts_with("line 1: expected `des"));
        assert!(error("des (0, 1)").contains("line 1"));
        assert!(error("des (0, 1, 99999999999)").contains("at most"));
        assert!(error("des (0, 1, 1)\n\n(0, a, 7)").starts_with("line 3: expected states below 1"));
        assert!(error("des (0, 1, 1)\n(0, a)").contains("line 2: expected `(from"));
        assert!(error("des (0, 5, 1)\n(0, a, 0)").contains("as many transitions as there are, 1"));
    }
}
