//! Superfluous synchronisation: for each construct, is the program as good without it?
//!
//! A construct is taken out of the text and the program is checked again, by proof or by search. If a race, a deadlock, a failed assertion or
//! another defect appears, the construct is needed, and that is why. If none does, two further things must hold. What the
//! construct ordered must still be ordered or not matter: no two accesses to a variable may have become unordered, even if locks or
//! atomics keep them apart (the program would read other values). And what a section kept together must stay together: if the
//! section has several steps that others could come between, and no other lock is held throughout, it is needed.
//!
//! *Together.* Constructs that are superfluous one by one need not be together (two locks of which one suffices). All are tried at once;
//! if that fails, they are added one after another, in the order of the text and against it, and the larger set is proposed; of few, larger
//! sets are tried too. So the whole patch is checked as a whole, and no further construct of those judged can be added to it (it is maximal; of few, the largest).

use std::collections::BTreeSet;

use serde::Serialize;

use crate::judge::{Court, Evidence, EvidenceKind, Verdict};
use crate::source::constructs::{Construct, ConstructKind};
use crate::source::edit::Edit;

/// What was found out about a construct.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "verdict", rename_all = "kebab-case")]
pub enum Judgement {
    /// Something goes wrong without it.
    Needed {
        /// What.
        evidence: Evidence,
    },
    /// Nothing does, and nothing does without all the others that are superfluous either: it is in the patch.
    Superfluous,
    /// Nothing goes wrong without it alone, but something does without those in the patch and it.
    Alternative {
        /// What goes wrong.
        evidence: Evidence,
    },
    /// Not decided.
    Undecided {
        /// Why.
        why: String,
    },
}

/// The judgement of all constructs, in their order, and which are in the patch.
pub struct Hunt {
    /// By construct.
    pub judgements: Vec<Judgement>,
    /// Those to take out.
    pub patch: Vec<usize>,
}

/// Judges all constructs.
pub fn hunt(court: &mut Court, constructs: &[Construct], tell: &mut dyn FnMut(usize)) -> Hunt {
    let mut judgements: Vec<Judgement> = Vec::new();
    let mut free: Vec<usize> = Vec::new();
    for (i, construct) in constructs.iter().enumerate() {
        tell(i);
        let judgement = alone(court, construct);
        if judgement == Judgement::Superfluous {
            free.push(i);
        }
        judgements.push(judgement);
    }
    let patch = together(court, constructs, &free);
    for &i in free.iter().filter(|i| !patch.contains(i)) {
        let with: Vec<usize> = patch.iter().copied().chain([i]).collect();
        judgements[i] = match without(court, constructs, &with) {
            Verdict::Wrong(evidence) => Judgement::Alternative { evidence },
            Verdict::Undecided(why) => {
                Judgement::Undecided { why: format!("together with the others: {why}") }
            }
            Verdict::Fine => Judgement::Superfluous,
        };
    }
    Hunt { judgements, patch }
}

fn edits(constructs: &[Construct], set: &[usize]) -> Vec<Edit> {
    set.iter().flat_map(|&i| constructs[i].edits.iter().cloned()).collect()
}

fn without(court: &mut Court, constructs: &[Construct], set: &[usize]) -> Verdict {
    court.verdict(&edits(constructs, set))
}

/// A construct by itself.
fn alone(court: &mut Court, construct: &Construct) -> Judgement {
    if !construct.reached {
        return Judgement::Undecided { why: "no run within the bounds comes there".into() };
    }
    if let Some(why) = &construct.unable {
        return Judgement::Undecided { why: why.clone() };
    }
    match court.verdict(&construct.edits) {
        Verdict::Wrong(evidence) => Judgement::Needed { evidence },
        Verdict::Undecided(why) => Judgement::Undecided { why },
        Verdict::Fine => match kept_together(court, construct) {
            Some(evidence) => Judgement::Needed { evidence },
            None => Judgement::Superfluous,
        },
    }
}

/// Steps that only this section keeps together.
fn kept_together(court: &Court, construct: &Construct) -> Option<Evidence> {
    if !matches!(construct.kind, ConstructKind::Critical | ConstructKind::Lock) {
        return None;
    }
    let source = &court.sources[construct.file];
    let path = source.path.to_string_lossy().into_owned();
    let locks = construct.calls.iter().filter(|c| c.1).map(|c| source.line_of(c.0)).chain([construct.line]);
    for line in locks {
        if let Some(steps) = court.base.atomic_steps.get(&(path.clone(), line)).and_then(|s| s.iter().next())
        {
            let lines: BTreeSet<u32> = steps.iter().map(|s| s.1).collect();
            let listed = lines.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
            return Some(Evidence {
                kind: EvidenceKind::Atomicity,
                text: format!(
                    "no race, but it keeps several steps together (line {listed}), and others could come between them"
                ),
                places: steps
                    .iter()
                    .map(|s| base::Place { file: s.0.clone(), line: s.1, column: 0 })
                    .collect(),
                variable: None,
                races: Vec::new(),
            });
        }
    }
    None
}

/// The largest set that we find of those that can go one by one.
fn together(court: &mut Court, constructs: &[Construct], free: &[usize]) -> Vec<usize> {
    if free.len() < 2 || without(court, constructs, free) == Verdict::Fine {
        return free.to_vec();
    }
    let mut best: Vec<usize> = Vec::new();
    let backwards: Vec<usize> = free.iter().rev().copied().collect();
    for order in [free.to_vec(), backwards] {
        let mut set: Vec<usize> = Vec::new();
        for i in order {
            set.push(i);
            if without(court, constructs, &set) != Verdict::Fine {
                set.pop();
            }
        }
        if set.len() > best.len() {
            best = set;
        }
    }
    if free.len() <= FEW {
        best = larger(court, constructs, free, best);
    }
    best.sort_unstable();
    best
}

/// Of so many, all sets are tried that are larger than the one found.
const FEW: usize = 5;

fn larger(court: &mut Court, constructs: &[Construct], free: &[usize], best: Vec<usize>) -> Vec<usize> {
    let mut sets: Vec<u32> = (0..1u32 << free.len())
        .filter(|set| set.count_ones() as usize > best.len() && (set.count_ones() as usize) < free.len())
        .collect();
    sets.sort_by_key(|set| (std::cmp::Reverse(set.count_ones()), *set));
    for set in sets {
        let chosen: Vec<usize> = (0..free.len()).filter(|i| set >> i & 1 != 0).map(|i| free[i]).collect();
        if without(court, constructs, &chosen) == Verdict::Fine {
            return chosen;
        }
    }
    best
}
