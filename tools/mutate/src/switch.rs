//! The switch of the mutants: which one is on, and, if asked, which would have changed something.

use std::cmp::Ordering as Order;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

/// The mutant that is on; 0 for none, [`WATCH`] to find out which could matter.
pub static ACTIVE: AtomicU32 = AtomicU32::new(0);
/// No mutant is on, and those that would have changed a value are noted in [`SEEN`].
pub const WATCH: u32 = u32::MAX;
/// One bit for each mutant.
pub static SEEN: [AtomicU64; 1024] = [const { AtomicU64::new(0) }; 1024];

/// Whether a mutant is on; asked where it changes something.
#[inline(always)]
pub fn on(n: u32) -> bool {
    let active = ACTIVE.load(Relaxed);
    active == n || (active == WATCH && see(n))
}

#[cold]
fn see(n: u32) -> bool {
    SEEN[n as usize / 64].fetch_or(1 << (n % 64), Relaxed);
    false
}

/// The mutant forces the condition to hold.
#[inline(always)]
pub fn force(n: u32, c: bool) -> bool {
    c || on(n)
}

/// The mutant forces the condition not to hold.
#[inline(always)]
pub fn deny(n: u32, c: bool) -> bool {
    c && !on(n)
}

/// The mutant forces the condition to hold, the next one not to.
#[inline(always)]
pub fn both(n: u32, c: bool) -> bool {
    if c { !on(n + 1) } else { on(n) }
}

/// The mutant negates a constant.
#[inline(always)]
pub fn flip(n: u32, c: bool) -> bool {
    c != on(n)
}

macro_rules! compare {
    ($name:ident, $op:tt, $equal:expr) => {
        /// The comparison; the mutant answers the other way if both sides are equal.
        #[inline(always)]
        pub fn $name<T: PartialOrd + ?Sized>(n: u32, a: &T, b: &T) -> bool {
            match a.partial_cmp(b) {
                Some(Order::Equal) => $equal != on(n),
                _ => a $op b,
            }
        }
    };
}
compare!(lt, <, false);
compare!(le, <=, true);
compare!(gt, >, false);
compare!(ge, >=, true);

/// Numbers.
pub trait Number: Copy {
    /// The sum, whatever happens.
    fn plus(self, other: Self) -> Self;
    /// The difference, whatever happens.
    fn minus(self, other: Self) -> Self;
    /// Bitwise.
    fn both(self, other: Self) -> Self;
    /// Bitwise.
    fn either(self, other: Self) -> Self;
}
macro_rules! numbers {
    ($($t:ty)*) => {$(
        impl Number for $t {
            fn plus(self, other: Self) -> Self { self.wrapping_add(other) }
            fn minus(self, other: Self) -> Self { self.wrapping_sub(other) }
            fn both(self, other: Self) -> Self { self & other }
            fn either(self, other: Self) -> Self { self | other }
        }
    )*};
}
numbers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

/// A sum; of the mutant, a difference.
#[inline(always)]
pub fn add<T: Number>(n: u32, a: T, b: T) -> T {
    if on(n) { a.minus(b) } else { a.plus(b) }
}
/// A difference; of the mutant, a sum.
#[inline(always)]
pub fn sub<T: Number>(n: u32, a: T, b: T) -> T {
    if on(n) { a.plus(b) } else { a.minus(b) }
}
/// Bitwise and; of the mutant, or.
#[inline(always)]
pub fn and<T: Number>(n: u32, a: T, b: T) -> T {
    if on(n) { a.either(b) } else { a.both(b) }
}
/// Bitwise or; of the mutant, and.
#[inline(always)]
pub fn or<T: Number>(n: u32, a: T, b: T) -> T {
    if on(n) { a.both(b) } else { a.either(b) }
}
