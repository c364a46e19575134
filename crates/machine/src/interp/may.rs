//! Branches that are taken both ways.
//!
//! Where a value that the schedule decides steers a small branch (a hammock, [`ir::hammock`]), one run can still tell
//! what every schedule does: either side, and then what follows the join.
//! - A branch on an unconstrained value ([`May::both`]) is taken both ways, one after the other. What either side stores
//!   becomes unconstrained, and so do the slots in which the sides differ at the join.
//! - At a branch of which that is known ([`May::sites`]) but whose condition is known in this run, the side that is not
//!   taken is executed without effect, so that observers are told of its accesses. Where these cannot be executed (a
//!   null pointer that the condition guards), the rest of that side is left out: in this run the condition is clear.
//!   Not so for a branch whose condition another schedule could change although nothing marks it ([`May::strict`]): what goes
//!   wrong there goes wrong.
//!
//! Accesses of both sides are told with [`Thread::maybe`] set: in another schedule they may not happen.

use base::reason::{Gap, Subject};
use ir::{EdgeId, Inst};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::state::Machine;
use crate::stop::Stop;
use crate::thread::Thread;

/// A branch: function and program counter.
pub type Site = (u32, u32);

/// Which branches are taken both ways.
#[derive(Debug, Clone, Default)]
pub struct May {
    /// Whether hammocks on unconstrained values are, instead of ending the run.
    pub both: bool,
    /// Branches of which both sides are always told.
    pub sites: FxHashSet<Site>,
    /// Those of them that may be taken either way whatever their condition is in this run.
    pub strict: FxHashSet<Site>,
    /// Branches on unconstrained values that were met.
    pub met: FxHashSet<Site>,
    joins: FxHashMap<Site, Option<u32>>,
}

/// What the stores of a side do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Effect {
    /// They store.
    Real,
    /// They store what this run stores, and make it unconstrained.
    Kept,
    /// They make what is there unconstrained.
    Open,
    /// Nothing.
    None,
}

impl<'p> Machine<'p> {
    fn join_of(&mut self, site: Site) -> Option<u32> {
        let module = self.program.module;
        *self.may.joins.entry(site).or_insert_with(|| {
            let body = module.funcs[site.0 as usize].body.as_ref()?;
            ir::hammock::join(body, site.1)
        })
    }

    /// The thread stands before a branch whose condition is unconstrained: goes both ways, to the join.
    #[cold]
    pub(super) fn both_ways<const T: bool>(&mut self, t: usize, th: &mut Thread) -> Result<(), Stop> {
        self.both::<T>(t, th, Effect::Kept)
    }

    /// Goes both ways; the one that this run takes comes last, so that its values are those of this run.
    fn both<const T: bool>(&mut self, t: usize, th: &mut Thread, effect: Effect) -> Result<(), Stop> {
        let (site, [then, otherwise]) = self.branch(th);
        let Some(join) = self.join_of(site) else { return Err(self.open(Subject::Branch, (0, 0))) };
        let Inst::Branch { cond, .. } = self.instruction(th) else { unreachable!("a branch") };
        let taken = self.operand(th, cond).0 & 1 != 0;
        let (real, other) = if taken { (then, otherwise) } else { (otherwise, then) };
        self.may.met.insert(site);
        let before = kept(th);
        let outer = (std::mem::replace(&mut th.maybe, true), std::mem::replace(&mut th.aside, true));
        let result = self.side::<T>(t, th, other, join, Effect::Open).and_then(|()| {
            let first = kept(th);
            restore(th, &before);
            self.side::<T>(t, th, real, join, effect)?;
            blend(th, &first);
            Ok(())
        });
        (th.maybe, th.aside) = outer;
        result
    }

    /// The thread stands before one of [`May::sites`]: tells the side that is not taken, and takes the other.
    #[cold]
    pub(super) fn either_way<const T: bool>(&mut self, t: usize, th: &mut Thread) -> Result<(), Stop> {
        let outer = std::mem::replace(&mut th.maybe, true);
        let result = self.taken_last::<T>(t, th, Effect::Real);
        th.maybe = outer;
        result
    }

    /// Executes both sides of a branch whose condition is known, the one that is taken last.
    fn taken_last<const T: bool>(&mut self, t: usize, th: &mut Thread, effect: Effect) -> Result<(), Stop> {
        let (site, [then, otherwise]) = self.branch(th);
        let Some(join) = self.join_of(site) else {
            return Err(Stop::unknown(Gap::BranchWays));
        };
        let Inst::Branch { cond, .. } = self.instruction(th) else { unreachable!("a branch") };
        let taken = self.operand(th, cond).0 & 1 != 0;
        let (real, other) = if taken { (then, otherwise) } else { (otherwise, then) };
        let before = kept(th);
        let strict = self.may.strict.contains(&site);
        let outer = th.aside;
        th.aside |= !strict;
        let result = self.sides::<T>(t, th, (real, other), join, effect, &before, strict);
        th.aside = outer;
        result
    }

    /// The sides of a branch whose condition is known: the one that is not taken, then the other.
    #[allow(clippy::too_many_arguments)]
    fn sides<const T: bool>(
        &mut self,
        t: usize,
        th: &mut Thread,
        (real, other): (EdgeId, EdgeId),
        join: u32,
        effect: Effect,
        before: &Kept,
        strict: bool,
    ) -> Result<(), Stop> {
        let aside = if effect == Effect::Real { Effect::None } else { effect };
        let outer = th.told;
        th.told |= aside == Effect::None;
        let result = self.side::<T>(t, th, other, join, aside);
        th.told = outer;
        match result {
            // What goes wrong there does not happen.
            Err(_) if aside == Effect::None && !strict => {}
            result => result?,
        }
        restore(th, before);
        self.side::<T>(t, th, real, join, effect)
    }

    fn branch(&self, th: &Thread) -> (Site, [EdgeId; 2]) {
        let frame = th.frames.last().expect("a frame");
        match self.instruction(th) {
            Inst::Branch { then, otherwise, .. } => ((frame.func.0, frame.pc), [then, otherwise]),
            other => unreachable!("{other:?} is not a branch"),
        }
    }

    fn instruction(&self, th: &Thread) -> Inst {
        let frame = th.frames.last().expect("a frame");
        let body = self.program.module.funcs[frame.func.0 as usize].body.as_ref().expect("a body");
        body.code[frame.pc as usize]
    }

    /// Executes one side of a branch up to the join.
    fn side<const T: bool>(
        &mut self,
        t: usize,
        th: &mut Thread,
        edge: EdgeId,
        join: u32,
        effect: Effect,
    ) -> Result<(), Stop> {
        self.follow(th, edge);
        loop {
            if th.frames.last().expect("a frame").pc == join {
                return Ok(());
            }
            match self.instruction(th) {
                Inst::Store { .. } if effect != Effect::Real => {
                    self.store_aside::<T>(t, th, effect)?;
                    th.frames.last_mut().expect("a frame").pc += 1;
                }
                Inst::Jump { edge } => self.follow(th, edge),
                Inst::Branch { cond, then, otherwise } => {
                    let (value, open) = self.operand(th, cond);
                    let (site, _) = self.branch(th);
                    if T && open & 1 != 0 {
                        match effect {
                            _ if !self.may.both => return Err(self.open(Subject::Branch, (0, 0))),
                            Effect::None => self.taken_last::<T>(t, th, effect)?,
                            Effect::Open => self.both::<T>(t, th, Effect::Open)?,
                            Effect::Real | Effect::Kept => self.both::<T>(t, th, Effect::Kept)?,
                        }
                    } else if self.may.sites.contains(&site) {
                        self.taken_last::<T>(t, th, effect)?;
                    } else {
                        self.follow(th, if value & 1 != 0 { then } else { otherwise });
                    }
                }
                _ => match self.execute::<T>(t, th, &mut 1) {
                    Stop::Fuel => {}
                    stop => return Err(stop),
                },
            }
        }
    }

    /// A store that is told but does not store.
    fn store_aside<const T: bool>(&mut self, t: usize, th: &mut Thread, effect: Effect) -> Result<(), Stop> {
        let Inst::Store { addr, src, ty, access } = self.instruction(th) else { unreachable!("a store") };
        let (address, open) = self.operand(th, addr);
        if T && open != 0 {
            return Err(self.open_address((address, open)));
        }
        let len = self.bytes_of(ty);
        match effect {
            Effect::Open | Effect::Kept => {
                let kept = match (effect, self.memory.resolve(address, len, false)) {
                    (Effect::Kept, _) => {
                        (self.operand(th, src), (ty.slots() == 2).then(|| self.operand(th, src.second())))
                    }
                    (_, Ok(spot)) => self.peek(spot, ty),
                    _ => ((0, 0), None),
                };
                let second = (ty.slots() == 2).then(|| (kept.1.map_or(0, |v| v.0), u64::MAX));
                // Reported as any store is; what it leaves is unconstrained.
                self.store(t, th, address, ty, (kept.0.0, u64::MAX), second, access)
            }
            _ => {
                let Ok(spot) = self.memory.resolve(address, len, true) else { return Err(Stop::Infeasible) };
                if self.visible(spot) {
                    self.record(t, th, address, len, true, access);
                }
                Ok(())
            }
        }
    }
}

/// The slots of the innermost frame with their shadows, and where it stands.
type Kept = (Vec<u64>, Vec<u64>, u32);

fn kept(th: &Thread) -> Kept {
    let frame = th.frames.last().expect("a frame");
    (th.slots[frame.base..].to_vec(), th.shadows[frame.base..].to_vec(), frame.pc)
}

fn restore(th: &mut Thread, (slots, shadows, pc): &Kept) {
    let frame = th.frames.last_mut().expect("a frame");
    frame.pc = *pc;
    let base = frame.base;
    th.slots[base..].copy_from_slice(slots);
    th.shadows[base..].copy_from_slice(shadows);
}

/// Makes the slots unconstrained in which the frame differs from what the other side left.
fn blend(th: &mut Thread, (slots, shadows, _): &Kept) {
    let base = th.frames.last().expect("a frame").base;
    for (i, (&value, &shadow)) in slots.iter().zip(shadows).enumerate() {
        let at = base + i;
        th.shadows[at] |= shadow | (value ^ th.slots[at]);
    }
}
