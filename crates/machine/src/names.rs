//! Names that do not depend on the run: of strands, of objects, of the places where strands do something.
//!
//! Whoever compares runs of one program with each other, or says something about a program that somebody else checks in runs of
//! his own, names things by what made them:
//! - the first thread is 1; a thread `id_of(creator, 1 << 32 | n)`, the n-th that its creator made;
//! - a region `id_of(forker, n)` and a task `id_of(creator, n)`, the n-th region or task of that strand;
//! - an implicit task `id_of(region, number)`;
//! - a worksharing construct `id_of(region, 1 << 40 | nth)`, and a piece of it `id_of(construct, first iteration)`;
//! - a `simd` loop `id_of(strand, 2 << 32 | n)`, the n-th that the strand comes to, and a lane `id_of(loop, iteration)`.
//!
//! Numbers of things made begin with 1. These functions only mix bits; that nobody but chance gives two things one name is what all
//! who compare names rely on.

/// The id of something that is known by what made it and its number there.
pub fn id_of(maker: u64, number: u64) -> u64 {
    let mixed = (maker ^ number.rotate_left(32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ mixed >> 29 ^ number).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed ^ mixed >> 32
}

/// What a strand is called: its kind (0 a thread, 1 a piece or lane, 2 a task, 3 an implicit task), its id and the phase of its region.
pub type Strand = (u8, u64, u32);

/// The `count`-th object that a strand makes.
pub fn object((kind, id, phase): Strand, count: u32) -> u64 {
    id_of(id_of(id ^ u64::from(kind) << 56, phase.into()), u64::from(count) | 1 << 41)
}

/// The instance of a thread-local variable of a thread, which is known by its place among those that forked it.
pub fn local(path: u64, variable: u32) -> u64 {
    id_of(path, u64::from(variable) | 1 << 42)
}

/// Marks the names of locks under which the runtime combines reductions.
const TURN: u64 = 1 << 62;

/// The lock at this place of a region under which the runtime combines reductions. (Other locks are named by their cells.)
pub fn turn(region: u64, place: u64) -> u64 {
    TURN | id_of(region, place) >> 2
}

/// Whether a lock is one under which reductions are combined.
pub fn is_turn(lock: u64) -> bool {
    lock >> 62 == 1
}

/// Where a strand does something, for claims about all that do the same: a thread between two events that order it with others (by
/// their number, `index`), an implicit task or task in a phase, all pieces of a construct, all lanes of a loop. (`id`: the strand's, or
/// that of the construct or loop.)
pub fn class((kind, id, phase): Strand, index: u32) -> u64 {
    id_of(id_of(id ^ u64::from(kind) << 56, phase.into()), u64::from(index) | 1 << 43)
}
