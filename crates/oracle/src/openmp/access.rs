//! Accesses by number, and sets of them: the pasts that happens-before is made of.
//!
//! As in [`crate::state`], a *past* is the set of accesses that happen before a certain point, and an access that is executed
//! again takes the place of its earlier execution. Here an access is a thread, a line, a place in memory and a
//! kind; it gets its number when it first happens.

use rustc_hash::FxHashMap;

/// A set of accesses, by number.
pub type Past = u128;

/// How an access treats memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A plain read or write.
    Plain,
    /// An atomic one.
    Atomic,
    /// The combination of a reduction: never in conflict with another one.
    Reduction,
}

/// One access.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Access {
    /// The thread that makes it.
    pub thread: u8,
    /// The place in memory.
    pub place: u16,
    /// Whether it writes.
    pub write: bool,
    /// How.
    pub kind: Kind,
    /// The line of the printed program.
    pub line: u32,
}

impl Access {
    /// Whether the two race if nothing orders them.
    pub fn conflicts(&self, other: &Access) -> bool {
        let both = |kind| self.kind == kind && other.kind == kind;
        self.place == other.place
            && self.thread != other.thread
            && (self.write || other.write)
            && !both(Kind::Atomic)
            && !both(Kind::Reduction)
    }
}

/// The numbers of all accesses seen so far.
#[derive(Debug, Default)]
pub struct Accesses {
    list: Vec<Access>,
    numbers: FxHashMap<Access, usize>,
    /// More accesses came than a [`Past`] can keep apart.
    pub overflow: bool,
}

impl Accesses {
    /// The number of an access.
    pub fn number(&mut self, access: Access) -> usize {
        let next = self.list.len();
        let number = *self.numbers.entry(access).or_insert(next);
        if number == next {
            if next == Past::BITS as usize {
                self.numbers.remove(&access);
                self.overflow = true;
                return 0;
            }
            self.list.push(access);
        }
        number
    }

    /// The access with a number.
    pub fn get(&self, number: usize) -> Access {
        self.list[number]
    }

    /// The accesses out of `set` that conflict with `access`.
    pub fn conflicting(&self, set: Past, access: &Access) -> impl Iterator<Item = usize> {
        (0..self.list.len()).filter(move |&n| set >> n & 1 != 0 && self.list[n].conflicts(access))
    }
}
