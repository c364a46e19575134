//! `table` and `rtable` of P2, figures 5 to 7: which states were explored with which locksets, and which operations
//! followed from them.

use std::rc::Rc;

use machine::footprint::{Class, Key};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::rules::Snapshot;

/// Which operations can still follow from a state: bits, one for each key, class and thread ([`Uses`]).
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Future(Vec<u64>);

impl Future {
    /// Adds one.
    pub fn insert(&mut self, bit: u32) {
        let at = bit as usize / 64;
        if self.0.len() <= at {
            self.0.resize(at + 1, 0);
        }
        self.0[at] |= 1 << (bit % 64);
    }

    /// Adds all of another.
    pub fn add(&mut self, other: &Future) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a |= b;
        }
    }

    /// Those that are there.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        let words = self.0.iter().enumerate();
        words.flat_map(|(i, &w)| (0..64).filter(move |b| w >> b & 1 != 0).map(move |b| i as u32 * 64 + b))
    }
}

/// Numbers for uses of keys by threads.
#[derive(Debug, Default)]
pub struct Uses {
    numbers: FxHashMap<(Key, Class, u32), u32>,
    list: Vec<(Key, Class, u32)>,
}

impl Uses {
    /// The number of a use.
    pub fn number(&mut self, key: Key, class: Class, thread: usize) -> u32 {
        let what = (key, class, thread as u32);
        *self.numbers.entry(what).or_insert_with(|| {
            self.list.push(what);
            self.list.len() as u32 - 1
        })
    }

    /// The use with a number.
    pub fn get(&self, number: u32) -> (Key, Class, u32) {
        self.list[number as usize]
    }
}

/// How far the exploration from a state has come.
#[derive(Debug, Clone)]
pub enum Status {
    /// It is on the stack, at that height.
    OnStack(u32),
    /// It is done but for what follows from a state on the stack that it leads back to: see [`Table::finish`].
    Open(u32),
    /// All that follows is known.
    Done(Rc<Future>),
}

#[derive(Debug)]
struct Stored {
    locksets: Rc<Snapshot>,
    status: Status,
}

/// Names an exploration from a state.
#[derive(Debug, Clone, Copy)]
pub struct Id {
    state: u128,
    slot: u32,
}

/// States seen.
#[derive(Debug, Default)]
pub struct Table {
    states: FxHashMap<u128, SmallVec<[Stored; 1]>>,
    snapshots: FxHashMap<u128, Rc<Snapshot>>,
    futures: FxHashMap<Rc<Future>, ()>,
    /// Explorations with the status [`Status::Open`], in the order in which they were left.
    open: Vec<Id>,
    len: usize,
    bytes: usize,
}

impl Table {
    /// How many explorations there are.
    #[allow(clippy::len_without_is_empty, reason = "a table is counted, never asked whether it is empty")]
    pub fn len(&self) -> usize {
        self.len
    }

    /// About how many bytes they take.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// An earlier exploration from the state, with locksets from which at least as many races follow.
    pub fn find(&self, state: u128, locksets: &Snapshot) -> Option<&Status> {
        let stored = self.states.get(&state)?;
        stored.iter().find(|s| s.locksets.is_within(locksets)).map(|s| &s.status)
    }

    /// Begins an exploration.
    pub fn insert(&mut self, state: u128, locksets: Snapshot, height: u32) -> Id {
        let hash = locksets.hash();
        let bytes = &mut self.bytes;
        let locksets = self.snapshots.entry(hash).or_insert_with(|| {
            *bytes += locksets.bytes();
            Rc::new(locksets)
        });
        let stored = self.states.entry(state).or_default();
        stored.push(Stored { locksets: Rc::clone(locksets), status: Status::OnStack(height) });
        self.len += 1;
        self.bytes += 80;
        Id { state, slot: stored.len() as u32 - 1 }
    }

    /// How many explorations are open.
    pub fn open(&self) -> usize {
        self.open.len()
    }

    /// The exploration leaves the stack, but leads back to a state on it.
    pub fn leave_open(&mut self, id: Id) {
        let at = self.open.len() as u32;
        self.open.push(id);
        self.set(id, Status::Open(at));
    }

    /// The exploration is complete, and so are those that were left open since there were `open` of them.
    pub fn finish(&mut self, id: Id, open: usize, future: Future) {
        let future = match self.futures.get_key_value(&future) {
            Some((known, ())) => Rc::clone(known),
            None => {
                let new = Rc::new(future);
                self.bytes += new.0.len() * 8 + 48;
                self.futures.insert(Rc::clone(&new), ());
                new
            }
        };
        for id in self.open.split_off(open) {
            self.set(id, Status::Done(Rc::clone(&future)));
        }
        self.set(id, Status::Done(future));
    }

    fn set(&mut self, id: Id, status: Status) {
        if let Some(stored) = self.states.get_mut(&id.state).and_then(|s| s.get_mut(id.slot as usize)) {
            stored.status = status;
        }
    }
}
