//! Who has executed which pieces of a worksharing construct, in words: for the witness of a race.

use std::collections::BTreeMap;

use ir::{FuncId, Module};
use machine::{ShareKind, Thread, Work};
use rustc_hash::FxHashMap;

use crate::names;

/// More ranges than this are not kept of a thread's pieces, and more than [`SHOWN`] not shown.
const KEPT: usize = 4096;
const SHOWN: usize = 4;

/// One instance of a construct.
#[derive(Debug)]
struct Share {
    kind: ShareKind,
    line: u32,
    func: Option<FuncId>,
    /// By number in the team: the pieces begun, as ranges from first to last iteration.
    owners: BTreeMap<u32, Vec<(u64, u64)>>,
}

/// The constructs of a run.
#[derive(Debug, Default)]
pub struct Distribution {
    shares: FxHashMap<u32, Share>,
    /// What each thread executes, innermost last.
    current: Vec<Vec<u32>>,
}

impl Distribution {
    /// Takes note of what a thread does.
    pub fn work(&mut self, module: &Module, t: usize, th: &Thread, work: &Work) {
        if self.current.len() <= t {
            self.current.resize_with(t + 1, Vec::new);
        }
        match *work {
            Work::Begin { share, kind, number, count, again, .. } => {
                self.current[t].push(share);
                // Teams and lanes are no threads of the team.
                if matches!(kind, ShareKind::Distribute | ShareKind::Simd) {
                    return;
                }
                let Some(member) = th.omp.seats.last().map(|s| s.number) else { return };
                let share = self.shares.entry(share).or_insert_with(|| {
                    let (func, line) = user(module, th);
                    Share { kind, line, func, owners: BTreeMap::new() }
                });
                let ranges = share.owners.entry(member).or_default();
                let (every, trips) = again.unwrap_or((u64::MAX, u64::MAX));
                for from in (number..trips).step_by(usize::try_from(every).unwrap_or(usize::MAX)) {
                    let to = from.saturating_add(count.max(1) - 1).min(trips - 1);
                    let room = ranges.len() < KEPT;
                    match ranges.last_mut() {
                        Some(last) if last.1 + 1 == from => last.1 = to,
                        _ if room => ranges.push((from, to)),
                        _ => break,
                    }
                    if again.is_none() {
                        break;
                    }
                }
            }
            Work::End { share } => {
                if let Some(at) = self.current[t].iter().rposition(|s| *s == share) {
                    self.current[t].truncate(at);
                }
            }
            _ => {}
        }
    }

    /// The constructs that these threads are in the midst of: who has executed what of each until now.
    pub fn describe(&self, module: &Module, threads: [usize; 2]) -> Vec<String> {
        let mut shares: Vec<u32> =
            threads.iter().flat_map(|&t| self.current.get(t).into_iter().flatten().copied()).collect();
        shares.sort_unstable();
        shares.dedup();
        shares.iter().filter_map(|share| Some(self.shares.get(share)?.describe(module))).collect()
    }
}

/// The innermost function of the user's code, and the line that it has come to.
fn user(module: &Module, th: &Thread) -> (Option<FuncId>, u32) {
    let frame = th.frames.iter().rev().find(|f| !module.funcs[f.func.0 as usize].system);
    let place = frame.and_then(|f| {
        let body = module.funcs[f.func.0 as usize].body.as_ref()?;
        Some(names::place(module, *body.places.get(f.pc as usize)?))
    });
    (frame.map(|f| f.func), place.map_or(0, |p| p.line))
}

impl Share {
    fn describe(&self, module: &Module) -> String {
        let known = self.func.and_then(|func| module.loop_variable(func, self.line));
        let known =
            known.filter(|_| self.kind == ShareKind::Loop).map(|l| (l.name.as_str(), l.lower, l.step));
        let what = match self.kind {
            ShareKind::Sections => "sections",
            ShareKind::Single => "single block",
            _ => "loop",
        };
        let parts: Vec<String> = self
            .owners
            .iter()
            .map(|(member, ranges)| {
                let what = match self.kind {
                    ShareKind::Single => "it".to_string(),
                    ShareKind::Sections => list("section", None, ranges),
                    _ => list("iteration", known, ranges),
                };
                let ascending = ranges.is_sorted();
                format!("thread {member} runs {what}{}", if ascending { "" } else { " in this order" })
            })
            .collect();
        format!("{what} at line {}: {}", self.line, parts.join(", "))
    }
}

/// `iterations i=0..49`, `sections 1 and 3`; without a known variable, counted from 1.
fn list(what: &str, known: Option<(&str, i64, i64)>, ranges: &[(u64, u64)]) -> String {
    let value = |n: u64| match known {
        Some((_, lower, step)) => {
            i64::try_from(n).ok().and_then(|n| lower.checked_add(step.checked_mul(n)?)).unwrap_or(lower)
        }
        None => i64::try_from(n).map_or(i64::MAX, |n| n.saturating_add(1)),
    };
    let range = |&(from, to): &(u64, u64)| match to - from {
        0 => value(from).to_string(),
        1 => format!("{}, {}", value(from), value(to)),
        _ => format!("{}..{}", value(from), value(to)),
    };
    let mut text: Vec<String> = ranges.iter().take(SHOWN).map(range).collect();
    if ranges.len() > SHOWN {
        text.push("...".to_string());
    }
    let several = ranges.len() > 1 || ranges.first().is_some_and(|(from, to)| from != to);
    let variable = known.map_or(String::new(), |(name, ..)| format!("{name}="));
    format!("{what}{} {variable}{}", if several { "s" } else { "" }, text.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_read_well() {
        assert_eq!(list("iteration", Some(("i", 0, 1)), &[(0, 49)]), "iterations i=0..49");
        assert_eq!(list("iteration", Some(("i", 10, -2)), &[(0, 2), (4, 4)]), "iterations i=10..6, 2");
        assert_eq!(list("section", None, &[(0, 0)]), "section 1");
        let many: Vec<(u64, u64)> = (0..9).map(|n| (2 * n, 2 * n)).collect();
        assert_eq!(list("iteration", None, &many), "iterations 1, 3, 5, 7, ...");
    }
}
