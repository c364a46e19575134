//! Who has executed which pieces of a worksharing construct: for the witness of a race.

use std::collections::BTreeMap;

use base::Said;
use base::said::{LoopVariable, Owner, SharedKind, SharedOut};
use ir::{FuncId, Module};
use machine::{ShareKind, Thread, Work};
use rustc_hash::FxHashMap;

use crate::names;

/// More ranges than this are not kept of a thread's pieces.
const KEPT: usize = 4096;

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
    pub fn describe(&self, module: &Module, threads: [usize; 2]) -> Vec<Said<SharedOut>> {
        let mut shares: Vec<u32> =
            threads.iter().flat_map(|&t| self.current.get(t).into_iter().flatten().copied()).collect();
        shares.sort_unstable();
        shares.dedup();
        shares
            .iter()
            .filter_map(|share| Some(Said::Typed(self.shares.get(share)?.describe(module))))
            .collect()
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
    fn describe(&self, module: &Module) -> SharedOut {
        let kind = match self.kind {
            ShareKind::Sections => SharedKind::Sections,
            ShareKind::Single => SharedKind::Single,
            _ => SharedKind::Loop,
        };
        let known = self.func.and_then(|func| module.loop_variable(func, self.line));
        let known = known.filter(|_| self.kind == ShareKind::Loop);
        let variable = known.map(|l| LoopVariable { name: l.name.to_string(), lower: l.lower, step: l.step });
        let owner = |(&member, ranges): (&u32, &Vec<(u64, u64)>)| Owner {
            member,
            ranges: ranges.iter().take(SharedOut::SHOWN + 1).copied().collect(),
            ascending: ranges.is_sorted(),
        };
        SharedOut { kind, line: self.line, variable, owners: self.owners.iter().map(owner).collect() }
    }
}
