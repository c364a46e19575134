//! Accesses by number, and sets of them: the pasts that happens-before is made of.
//!
//! A *past* is the set of accesses that happen before a certain point; an access that is executed again takes the place of its
//! earlier execution, which loses nothing: what races with the earlier one, and comes after both, races with the
//! later one too, and has the same lines.

use rustc_hash::FxHashMap;

use super::code::Kind;

/// A set of accesses, by number.
pub type Past = u128;

/// The lane of a `simd` loop that an access belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Lane {
    /// Which execution of a `simd` loop by the thread.
    pub number: u8,
    /// The iteration.
    pub at: u8,
    /// Iterations nearer than that may be executed at the same time.
    pub safelen: u8,
}

/// One access.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Access {
    /// The thread that makes it.
    pub thread: u8,
    /// The object.
    pub object: u16,
    /// Its first byte.
    pub offset: u16,
    /// How many bytes.
    pub size: u8,
    /// Whether it writes.
    pub write: bool,
    /// How.
    pub kind: Kind,
    /// The lane that it is made in.
    pub lane: Option<Lane>,
    /// The line of the printed program.
    pub line: u32,
}

impl Access {
    fn overlaps(&self, other: &Access) -> bool {
        self.object == other.object
            && self.offset < other.offset + u16::from(other.size)
            && other.offset < self.offset + u16::from(self.size)
    }

    /// Whether nothing orders the two although one thread makes them.
    fn together(&self, other: &Access) -> bool {
        match (self.lane, other.lane) {
            (Some(a), Some(b)) => a.number == b.number && a.at != b.at && a.at.abs_diff(b.at) < a.safelen,
            _ => false,
        }
    }

    /// Whether the two race, the past of the later one being `past` and the earlier one's number `number`.
    fn races(&self, earlier: &Access, number: usize, past: Past) -> bool {
        let both = |kind| self.kind == kind && earlier.kind == kind;
        let unordered =
            if self.thread == earlier.thread { self.together(earlier) } else { past >> number & 1 == 0 };
        unordered
            && self.overlaps(earlier)
            && (self.write || earlier.write)
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

    /// The lines of the accesses out of `executed` that race with `access`.
    pub fn racing(&self, executed: Past, past: Past, access: &Access) -> Vec<u32> {
        let candidates = (0..self.list.len()).filter(|&n| executed >> n & 1 != 0);
        candidates.filter(|&n| access.races(&self.list[n], n, past)).map(|n| self.list[n].line).collect()
    }
}
