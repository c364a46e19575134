//! What a certificate claims for one assignment of values, made ready; and checks lemma 2 (owners) and what families are.
//!
//! *Owners.* A cell that is claimed to be owned in a phase must, in all runs, have been touched there by the thread of one number, and
//! by nobody of whom it is open who executes him. Where other strands may run beside the region, it must be of an object that was made
//! inside; where two threads stand for all, by the code around the pieces of the thread itself. What open strands write there must be as the certificate says.
//!
//! *Families.* Every cell of a family is owned, and the strands of the construct write it by updates of one kind alone; the code around
//! tasks does not write it at all.

use base::reason::Uncertified;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Refused;
use crate::certificate::{Case, Cells, Kind, Reason, Stage, TASKS};
use crate::meet::Site;
use crate::objects::{Objects, Table};
use crate::order::Level;
use crate::ranges::Ranges;

/// What open strands write in one way: how, the one strand if it is one, and where.
pub type Write = (Option<Kind>, Option<u64>, Ranges);

/// The claims.
#[derive(Debug, Default)]
pub struct Facts {
    table: Table,
    owned: FxHashMap<Stage, Ranges>,
    /// All of that lies between these keys.
    extent: (u64, u64),
    written: FxHashMap<(Stage, u64, u32), Vec<Write>>,
    /// By phase: what tasks write.
    tasks: FxHashMap<Stage, Ranges>,
    /// How they are updated, how many cells they have, and the first of these.
    families: Vec<(Kind, usize, u64)>,
    family: FxHashMap<(Stage, u64, u64), u32>,
    /// The cells of families of tasks, by phase.
    gathered: FxHashMap<Stage, Ranges>,
    /// Stores whose value depends on the thread.
    pub open_stores: FxHashSet<u64>,
    claims: FxHashMap<(u64, u64, bool), [Ranges; 2]>,
    /// Why accesses do not meet.
    pub pairs: FxHashMap<(u64, u64), Vec<Reason>>,
    /// Whether two threads stand for all.
    two: bool,
}

impl Facts {
    /// Of a certificate.
    pub fn new(case: &Case, table: &Table) -> Result<Facts, Refused> {
        let mut facts = Facts { table: table.clone(), two: case.two, ..Facts::default() };
        for owned in &case.owners {
            let cells = facts.ranges(&owned.cells)?;
            for &(from, to) in cells.list() {
                let (least, most) = facts.extent;
                facts.extent = if most == 0 { (from, to) } else { (least.min(from), most.max(to)) };
            }
            facts.owned.insert(owned.stage, cells);
        }
        for w in &case.written {
            let cells = facts.ranges(&w.cells)?;
            if w.nth == TASKS {
                let tasks = facts.tasks.entry(w.stage).or_default();
                tasks.add_all(&cells);
                tasks.tidy_up();
            }
            facts.written.entry((w.stage, w.nth, w.number)).or_default().push((w.kind, w.sole, cells));
        }
        for open in &case.open {
            let sets = [facts.ranges(&open.any)?, facts.ranges(&open.bad)?];
            facts.claims.insert((open.class, open.at, open.write), sets);
        }
        facts.open_stores = case.open_stores.iter().copied().collect();
        facts.pairs = case.pairs.iter().map(|p| ((p.first, p.second), p.reasons.clone())).collect();
        case.families.iter().try_for_each(|f| facts.add_family(f))?;
        Ok(facts)
    }

    fn ranges(&self, cells: &[Cells]) -> Result<Ranges, Refused> {
        let mut ranges = Ranges::default();
        for &Cells(object, from, to) in cells {
            match (self.key(object, from), self.key(object, to)) {
                (Some(from), Some(to)) if from < to => ranges.add(from, to),
                _ => return Err(Refused::new(Uncertified::Cells)),
            }
        }
        ranges.tidy_up();
        Ok(ranges)
    }

    fn add_family(&mut self, family: &crate::certificate::Family) -> Result<(), Refused> {
        let (stage, nth, kind) = (family.stage, family.nth, family.kind);
        let (id, bytes) = (self.families.len() as u32, kind.bytes());
        let wrong = || Err(Refused::new(Uncertified::Family));
        let mut first = u64::MAX;
        for &(object, place) in &family.cells {
            let Some(cell) = self.key(object, place) else { return wrong() };
            first = first.min(cell);
            let fits = bytes > 0 && bytes <= 16 && cell % bytes == u64::from(kind.grid >> 16);
            let of_construct = self.written.iter().filter(|(of, _)| (of.0, of.1) == (stage, nth));
            let there = |w: &&Write| w.2.touches(cell, cell + bytes);
            let (mut threads, mut others) = (0, false);
            for (_, writes) in of_construct {
                others |= writes.iter().filter(there).any(|w| w.0 != Some(kind));
                threads += usize::from(writes.iter().any(|w| there(&w)));
            }
            // A share is put where its thread comes to the construct: once.
            others |= threads > 1;
            let known = self.family.insert((stage, nth, cell), id).is_some();
            if !fits || others || known || !self.owns(stage, cell, cell + bytes) {
                return wrong();
            }
            if nth == TASKS {
                let gathered = self.gathered.entry(stage).or_default();
                gathered.add(cell, cell + bytes);
                gathered.tidy_up();
            }
        }
        self.families.push((kind, family.cells.len(), first));
        Ok(())
    }

    /// The key of a place in an object.
    pub fn key(&self, object: u64, place: u64) -> Option<u64> {
        self.table.key(object, place)
    }

    /// Whether all cells of a range are owned in a phase.
    #[inline]
    pub fn owns(&self, stage: Stage, from: u64, to: u64) -> bool {
        self.may_own(from, to) && self.owned.get(&stage).is_some_and(|cells| cells.covers(from, to))
    }

    /// Whether a range could be owned by somebody, at first glance.
    #[inline]
    pub fn may_own(&self, from: u64, to: u64) -> bool {
        self.extent.0 <= from && to <= self.extent.1
    }

    /// Whether some cell of a range is owned in a phase.
    pub fn owns_some(&self, stage: Stage, from: u64, to: u64) -> bool {
        self.owned.get(&stage).is_some_and(|cells| cells.touches(from, to))
    }

    /// Whether nobody owns anything.
    pub fn is_empty(&self) -> bool {
        self.owned.is_empty()
    }

    /// Whether tasks write some of a range in a phase, at any time.
    pub fn tasks_write(&self, stage: Stage, from: u64, to: u64) -> bool {
        self.tasks.get(&stage).is_some_and(|cells| cells.touches(from, to))
    }

    /// What the open strands of a construct write of a thread's cells.
    pub fn written(&self, construct: &(Stage, u64, u32)) -> &[Write] {
        self.written.get(construct).map_or(&[], |w| w)
    }

    /// The family of a cell in a construct.
    pub fn family(&self, stage: Stage, nth: u64, cell: u64) -> Option<(u32, Kind)> {
        let id = *self.family.get(&(stage, nth, cell))?;
        Some((id, self.families[id as usize].0))
    }

    /// How many cells a family has.
    pub fn cells_of(&self, family: u32) -> usize {
        self.families[family as usize].1
    }

    /// What a family is called in every team that has its first cell.
    pub fn name_of(&self, family: u32) -> u64 {
        self.families[family as usize].2
    }

    /// Whether the order of threads decides what is given back, and what is read or left.
    #[inline]
    pub fn claims(&self, class: u64, at: u64, write: bool, from: u64, to: u64) -> [bool; 2] {
        if self.claims.is_empty() {
            return [false; 2];
        }
        let sets = self.claims.get(&(class, at, write));
        sets.map_or([false; 2], |[any, bad]| {
            [any.touches(from, to) || bad.touches(from, to), bad.touches(from, to)]
        })
    }
}

/// Who has touched what is owned, in all runs: by phase and number.
#[derive(Debug, Default)]
pub struct Touched(FxHashMap<Stage, FxHashMap<u32, Ranges>>);

impl Touched {
    /// A strand has touched cells, in a region around it.
    pub fn add(
        &mut self,
        facts: &Facts,
        objects: &Objects,
        (level, beside): (&Level, bool),
        site: &Site,
        ranges: &Ranges,
    ) -> Result<(), Refused> {
        let Some(owned) = facts.owned.get(&level.stage) else { return Ok(()) };
        let refuse = |why| Err(Refused::wrong(why, Some(site.at)));
        for (from, to) in ranges.list().iter().flat_map(|&(from, to)| owned.within(from, to)) {
            let Some(number) = level.number else {
                return refuse(Uncertified::OwnedByOpen);
            };
            if beside && !objects.is_made_inside(from, level.stage.0) {
                return refuse(Uncertified::OwnedBeside);
            }
            if facts.two && objects.relative(from, level).is_none() {
                return refuse(Uncertified::OwnedInCommon);
            }
            self.0.entry(level.stage).or_default().entry(number).or_default().add(from, to);
            if !site.write {
                continue;
            }
            if !level.open {
                if facts.gathered.get(&level.stage).is_some_and(|cells| cells.touches(from, to)) {
                    return refuse(Uncertified::GatheredAround);
                }
                continue;
            }
            let nth = if level.task { TASKS } else { level.nth };
            let kind = site.kind().filter(|_| !facts.open_stores.contains(&site.at));
            let covers = |w: &Write| {
                let alone = w.1.is_none_or(|sole| sole == level.id);
                alone && (w.0.is_none() || w.0 == kind) && w.2.covers(from, to)
            };
            // Of several ways in which a cell may be written each stands for itself.
            let whole = facts.written(&(level.stage, nth, number)).iter().any(covers);
            if !whole && !self.in_parts(facts, &(level.stage, nth, number), kind, level.id, (from, to)) {
                return refuse(Uncertified::OpenWrite);
            }
        }
        Ok(())
    }

    /// Whether the parts of a range are covered one by one.
    fn in_parts(
        &self,
        facts: &Facts,
        construct: &(Stage, u64, u32),
        kind: Option<Kind>,
        strand: u64,
        (from, to): (u64, u64),
    ) -> bool {
        let mut left = Ranges::default();
        left.add(from, to);
        let fit = facts
            .written(construct)
            .iter()
            .filter(|w| (w.0.is_none() || w.0 == kind) && w.1.is_none_or(|s| s == strand));
        fit.for_each(|w| {
            w.2.within(from, to).collect::<Vec<_>>().into_iter().for_each(|(a, b)| left.remove(a, b))
        });
        left.is_empty()
    }

    /// Adds what another run has touched.
    pub fn join(&mut self, other: Touched) {
        if self.0.is_empty() {
            *self = other;
            return;
        }
        for (stage, numbers) in other.0 {
            let known = self.0.entry(stage).or_default();
            for (number, ranges) in numbers {
                known.entry(number).or_default().add_all(&ranges);
            }
        }
    }

    /// All runs are over: every cell has one owner.
    pub fn finish(self) -> Result<(), Refused> {
        for (_, numbers) in self.0 {
            let mut all: Vec<(u64, u64)> = Vec::new();
            for (_, mut ranges) in numbers {
                ranges.tidy_up();
                all.extend(ranges.list());
            }
            all.sort_unstable();
            if all.windows(2).any(|w| w[1].0 < w[0].1) {
                return Err(Refused::wrong(Uncertified::OwnedByTwo, None));
            }
        }
        Ok(())
    }
}
