//! User-defined reductions: what their combiners store.
//!
//! The outcome of a combiner (`declare reduction`) is taken to be the same in every order and grouping, although it is computed
//! from partial results that depend on both. That is only of use if pass 2, in which these are unconstrained, computes what the
//! run really has: so what a combiner stores is remembered in pass 1 and compared ([`Outcomes`]).

use ir::{Const, Inst, Module};
use machine::Thread;
use machine::memory::Memory;
use rustc_hash::FxHashMap;

use crate::order::Pos;
use crate::record::At;

/// Which functions are combiners.
#[derive(Debug)]
pub struct Combiners(Vec<bool>);

impl Combiners {
    /// Those of a module.
    pub fn new(module: &Module) -> Combiners {
        let is = |f: &ir::Function| f.name.starts_with(".omp_combiner.");
        Combiners(match module.funcs.iter().any(is) {
            true => module.funcs.iter().map(is).collect(),
            false => Vec::new(),
        })
    }

    /// Whether a thread executes one.
    #[inline]
    pub fn run(&self, th: &Thread) -> bool {
        !self.0.is_empty() && th.frames.iter().any(|f| self.0[f.func.0 as usize])
    }
}

/// What a store is about to store.
#[derive(Debug, Clone, Copy)]
pub enum Coming {
    /// This.
    Value(u64),
    /// What so many bytes at this address hold.
    From(u64, u64),
}

impl Coming {
    /// Of the instruction at which a thread stands; `None` if that is not to be seen.
    pub fn of(module: &Module, th: &Thread, len: u64) -> Option<Coming> {
        let frame = th.frames.last()?;
        let body = module.funcs[frame.func.0 as usize].body.as_ref()?;
        let value = |o: ir::Opnd| match o.is_const() {
            false => Some(th.slots[frame.base + o.index()]),
            true => match body.consts.get(o.index()) {
                Some(Const::Bits(bits)) => Some(*bits),
                _ => None,
            },
        };
        match body.code[frame.pc as usize] {
            Inst::Store { src, ty, .. } if ty.slots() == 1 => value(src).map(Coming::Value),
            Inst::Copy { src, .. } => value(src).map(|at| Coming::From(at, len)),
            _ => None,
        }
    }

    /// A hash of it.
    pub fn hash(self, memory: &Memory) -> Option<u128> {
        let mut hash = 1u128;
        let mut mix = |word: u64| {
            hash = (hash ^ u128::from(word)).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
            hash ^= hash >> 61;
        };
        match self {
            Coming::Value(value) => mix(value),
            Coming::From(address, len) => {
                for at in (0..len).step_by(8) {
                    let n = (len - at).min(8);
                    let spot = memory.resolve(address + at, n, false).ok()?;
                    mix(memory.load(spot, n as usize).0);
                }
            }
        }
        Some(hash)
    }
}

/// Where a combiner stores: the position, the instruction and the address.
pub type Place = (Pos, At, u64);

/// What combiners store, by where; `None` if it is not always the same.
#[derive(Debug, Clone, Default)]
pub struct Outcomes(FxHashMap<Place, Option<u128>>);

impl Outcomes {
    /// Takes note of one.
    pub fn note(&mut self, place: Place, hash: Option<u128>) {
        let known = self.0.entry(place).or_insert(hash);
        if *known != hash {
            *known = None;
        }
    }

    /// Whether it is what was noted.
    pub fn has(&self, place: Place, hash: Option<u128>) -> bool {
        hash.is_some() && self.0.get(&place) == Some(&hash)
    }
}
