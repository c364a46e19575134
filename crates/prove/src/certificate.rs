//! Writes down what a proof rests on, for `certify`: [`certify::certificate`] says what that is.
//!
//! Facts are there already when a proof is complete; what is gathered on the way is which accesses the marks of pass 1 made open
//! ([`Claims`]), and why pairs of accesses do not meet ([`Reasons`]).

use certify::certificate::{self as written, Case, Cells, Family, Open, Owned, Pair, Reason, Written};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::cells::OFFSET;
use crate::commute::Class;
use crate::folds::{Families, Kind};
use crate::locks::{Context, Locks};
use crate::owners::Owners;
use crate::ranges::Ranges;
use crate::record::{At, Site};
use crate::runs::Runs;

/// Accesses of a class of positions: the class, the instruction, whether it writes.
type Claim = (u64, At, bool);

/// Accesses that are open because of the order of threads: by some write beside them, by one that does not commute.
#[derive(Debug, Default)]
pub struct Claims(FxHashMap<Claim, [Ranges; 2]>);

impl Claims {
    /// Adds one.
    pub fn add(&mut self, claim: Claim, (from, to): (u64, u64), bad: bool) {
        let [any, worse] = self.0.entry(claim).or_default();
        if bad { worse.add(from, to) } else { any.add(from, to) }
    }

    /// Adds those of another run.
    pub fn join(&mut self, others: Claims) {
        for (claim, sets) in others.0 {
            let known = self.0.entry(claim).or_default();
            for (known, new) in known.iter_mut().zip(sets) {
                new.list().iter().for_each(|&(from, to)| known.add(from, to));
            }
        }
    }
}

/// Why instructions do not meet that D does not order.
#[derive(Debug, Default)]
pub struct Reasons(FxHashMap<(At, At), FxHashSet<Reason>>);

impl Reasons {
    /// Two accesses do not race, or nothing else than what [`crate::together`] finds keeps them apart.
    pub fn add(&mut self, locks: &Locks, x: (&Site, Context), y: (&Site, Context), tasks: bool, race: bool) {
        let reason = if x.0.atomic && y.0.atomic {
            Reason::Atomic
        } else if let Some(lock) = locks.common_locks(x.1, y.1).next() {
            Reason::Lock(0, lock)
        } else if tasks {
            Reason::Tasks
        } else if race {
            Reason::Closure
        } else {
            Reason::Histories
        };
        self.0.entry((x.0.at.min(y.0.at), x.0.at.max(y.0.at))).or_default().insert(reason);
    }

    /// Adds those of a run that has ended.
    pub fn join(&mut self, others: Reasons) {
        for (pair, reasons) in others.0 {
            self.0.entry(pair).or_default().extend(reasons);
        }
    }
}

/// The names of cells.
struct Names(FxHashMap<u64, u64>);

impl Names {
    fn place(&self, key: u64) -> (u64, u64) {
        match self.0.get(&(key >> OFFSET)) {
            Some(&name) => (name, key & ((1 << OFFSET) - 1)),
            None => (0, key),
        }
    }

    fn cells(&self, ranges: &Ranges) -> Vec<Cells> {
        let mut sorted = ranges.clone();
        sorted.tidy_up();
        let named = sorted.list().iter().map(|&(from, to)| {
            let (object, place) = self.place(from);
            Cells(object, place, place + (to - from))
        });
        let mut cells: Vec<Cells> = named.collect();
        cells.sort_unstable();
        cells
    }

    fn reason(&self, reason: &Reason) -> Reason {
        match *reason {
            Reason::Lock(_, key) => {
                let (object, place) = self.place(key);
                Reason::Lock(object, place)
            }
            other => other,
        }
    }
}

/// Fills in what a case rests on.
pub(crate) fn fill(
    mut case: Case,
    runs: &Runs,
    owners: &Owners,
    families: &Families,
    claims: &Claims,
) -> Case {
    let names = Names(runs.table.names());
    let owned = owners.stages.iter().map(|(&stage, cells)| Owned { stage, cells: names.cells(cells) });
    case.owners = owned.collect();
    case.owners.sort_unstable_by_key(|o| o.stage);
    for (construct, all) in &owners.written {
        let (stage, nth, number) = *construct;
        let sole = owners.sole(construct);
        case.written.extend(all.iter().map(|(kind, cells)| {
            let kind = kind.map(kind_of);
            Written { stage, nth, number, kind, sole, cells: names.cells(cells) }
        }));
    }
    case.written
        .sort_by(|a, b| (a.stage, a.nth, a.number, &a.cells).cmp(&(b.stage, b.nth, b.number, &b.cells)));
    let mut places: FxHashMap<u32, (written::Stage, u64)> = FxHashMap::default();
    places.extend(families.of.iter().map(|(&(stage, nth, _), &id)| (id, (stage, nth))));
    for (id, (kind, cells)) in families.all.iter().enumerate() {
        if let Some(&(stage, nth)) = places.get(&(id as u32)) {
            let mut cells: Vec<_> = cells.iter().map(|&cell| names.place(cell)).collect();
            cells.sort_unstable();
            case.families.push(Family { stage, nth, kind: kind_of(*kind), cells });
        }
    }
    case.families.sort_by(|a, b| (a.stage, a.nth, &a.cells).cmp(&(b.stage, b.nth, &b.cells)));
    case.open.extend(claims.0.iter().map(|(&(class, at, write), [any, bad])| {
        let (any, bad) = (names.cells(any), names.cells(bad));
        Open { class, at, write, any, bad }
    }));
    case.open.sort_by_key(|o| (o.class, o.at, o.write));
    for (&(first, second), reasons) in &runs.reasons.0 {
        let mut reasons: Vec<Reason> = reasons.iter().map(|reason| names.reason(reason)).collect();
        reasons.sort_unstable();
        case.pairs.push(Pair { first, second, reasons });
    }
    case.pairs.sort_by_key(|p| (p.first, p.second));
    case
}

fn kind_of(kind: Kind) -> written::Kind {
    use written::Class as C;
    let class = match kind.class {
        Class::Add => C::Add,
        Class::Mul => C::Mul,
        Class::And => C::And,
        Class::Or => C::Or,
        Class::Xor => C::Xor,
        Class::LogicalAnd => C::LogicalAnd,
        Class::LogicalOr => C::LogicalOr,
        Class::Smin => C::Smin,
        Class::Smax => C::Smax,
        Class::Umin => C::Umin,
        Class::Umax => C::Umax,
        Class::FloatAdd => C::FloatAdd,
        Class::FloatMul => C::FloatMul,
        Class::FloatMin => C::FloatMin,
        Class::FloatMax => C::FloatMax,
    };
    written::Kind { class, grid: kind.grid }
}
