//! Objects and the regions that hold them.

use ir::{FuncId, GlobalId, PlaceId, VarId};
use rustc_hash::FxHashMap;

/// Bytes per line: the unit in which changes are saved and hashed.
pub const LINE: usize = 64;

/// What an object is, for reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// A global.
    Global(GlobalId),
    /// A thread's instance of a thread-local global.
    ThreadLocal(GlobalId),
    /// A local variable.
    Local(VarId),
    /// A heap object, and where it was allocated.
    Heap(PlaceId),
    /// A function: no data.
    Function(FuncId),
    /// Something of the machine's: variable arguments, copies of arguments passed by value, `argv`.
    Internal,
}

/// Which family of functions an object came from, and so which may free it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// `malloc` and friends.
    Malloc,
    /// `operator new`.
    New,
    /// `operator new[]`.
    NewArray,
    /// Not from the heap.
    None,
}

/// Whether an object may be accessed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Life {
    /// It may.
    Alive,
    /// It was freed.
    Freed,
    /// Its scope has ended.
    Ended,
}

/// One object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Object {
    /// Its address.
    pub base: u64,
    /// Its size in bytes.
    pub size: u64,
    /// Where its bytes begin in the region's arena, in lines.
    pub line: u32,
    /// Whether it may be accessed.
    pub life: Life,
    /// Whether writing to it is a defect.
    pub constant: bool,
    /// Whether code outside its function can reach it: then accesses are recorded.
    pub escaped: bool,
    /// Whether its address is, or was, in memory that outlives it: then its address is not given to another object.
    pub published: bool,
    /// Whether another thread may have come to know it, by its own address or by that of a younger object: then its end
    /// is a write.
    pub handed: bool,
    /// Whether its bytes start out defined (and zero) or unconstrained.
    pub zeroed: bool,
    /// Who may free it.
    pub family: Family,
    /// What it is.
    pub origin: Origin,
    /// The region that holds its pages, if it is made of pages; else 0 (see [`super::sparse`]).
    pub backing: u32,
}

impl Object {
    /// An object that is nowhere yet.
    pub fn new(zeroed: bool, family: Family, origin: Origin, backing: u32) -> Object {
        Object {
            base: 0,
            size: 0,
            line: 0,
            life: Life::Alive,
            constant: false,
            escaped: true,
            published: false,
            handed: false,
            zeroed,
            family,
            origin,
            backing,
        }
    }

    /// How many lines its bytes take in its own region.
    pub fn lines(&self) -> usize {
        if self.backing == 0 { (self.size as usize).div_ceil(LINE) } else { 0 }
    }
}

/// A line's part of the memory's hash.
pub type Hash = u128;

/// A region: its objects, and the arena of their bytes.
#[derive(Debug, Clone, Default)]
pub struct Region {
    /// The objects, in order of creation and of address.
    pub objects: Vec<Object>,
    /// The bytes of all objects; each begins at a line.
    pub data: Vec<u8>,
    /// For every bit of `data`: is it unconstrained?
    pub shadow: Vec<u8>,
    /// For every line, the epoch in which it was saved last.
    pub epochs: Vec<u32>,
    /// For every line, its hash as it is part of the total.
    pub hashes: Vec<Hash>,
    /// For a region of pages: where in `objects` the page of a number is, as far as that is still so.
    pub pages: FxHashMap<u64, u32>,
    /// How many objects are part of the total hash.
    pub hashed: usize,
    /// The fewest objects that the region had since the last mark.
    pub low: usize,
}
