//! Inputs that nobody has fixed yet, told apart: what is known of their values, and what was computed from them.
//!
//! A *root* is an input (or a value that comes from inputs in a way that is not followed) with the set of values that it
//! can still have. A *term* is a function of one root, given piece by piece: on each range of the root's values it is
//! constant, or the root plus or minus a constant. So sums with constants, casts and comparisons are exact, and taking a
//! branch narrows the root's set exactly.
//!
//! *Tokens.* A term is named by the bits of a value whose shadow says that they are unconstrained, and which therefore
//! mean nothing else: byte `j` holds `j << 5 | id`. Copying bytes copies the name; bytes that were mixed, moved to another
//! position or cut off are no token of anything. Unconstrained bits that are no token are zero.

/// How many terms there can be at a time; their numbers begin with 1.
pub const TERMS: usize = 31;
/// A root's set has at most so many ranges; beyond, the nearest are joined (so the set grows, which is safe).
const RANGES: usize = 24;
/// A term has at most so many pieces.
const PIECES: usize = 24;

/// A set of numbers: ranges with both ends, in order, with gaps between them.
#[derive(Debug, Clone, PartialEq, Eq, Default, Hash)]
pub struct Ranges(Vec<(u64, u64)>);

impl Ranges {
    /// All numbers of that many bits.
    pub fn full(bits: u8) -> Ranges {
        Ranges(vec![(0, mask(bits))])
    }

    /// The numbers from one to another.
    pub fn between(lo: u64, hi: u64) -> Ranges {
        Ranges(vec![(lo, hi)])
    }

    /// The set of all numbers in some ranges, in any order.
    pub fn of(mut ranges: Vec<(u64, u64)>) -> Ranges {
        ranges.sort_unstable();
        let mut joined: Vec<(u64, u64)> = Vec::with_capacity(ranges.len());
        for (lo, hi) in ranges {
            match joined.last_mut() {
                Some(last) if last.1 == u64::MAX || lo <= last.1 + 1 => last.1 = last.1.max(hi),
                _ => joined.push((lo, hi)),
            }
        }
        while joined.len() > RANGES {
            let gap = |i: &usize| joined[*i].0 - joined[i - 1].1;
            let at = (1..joined.len()).min_by_key(gap).expect("several ranges");
            joined[at - 1].1 = joined.remove(at).1;
        }
        Ranges(joined)
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The ranges, in order.
    pub fn ranges(&self) -> &[(u64, u64)] {
        &self.0
    }

    /// How many numbers there are.
    pub fn count(&self) -> u128 {
        self.0.iter().map(|(lo, hi)| u128::from(hi - lo) + 1).sum()
    }

    /// Whether it has a number.
    pub fn contains(&self, value: u64) -> bool {
        self.0.iter().any(|&(lo, hi)| lo <= value && value <= hi)
    }

    /// What both have.
    pub fn intersect(&self, other: &Ranges) -> Ranges {
        let mut ranges = Vec::new();
        for &(a, b) in &self.0 {
            for &(c, d) in &other.0 {
                if a.max(c) <= b.min(d) {
                    ranges.push((a.max(c), b.min(d)));
                }
            }
        }
        Ranges::of(ranges)
    }
}

/// A term on one range of its root's values: `at` for the first of them, and then constant, rising or falling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Piece {
    /// The first value of the root.
    pub lo: u64,
    /// The last value of the root.
    pub hi: u64,
    /// 0, 1 or -1.
    pub slope: i8,
    /// The term's value at `lo`. Within a piece values do not wrap.
    pub at: u64,
}

impl Piece {
    fn value(&self, root: u64) -> u64 {
        match self.slope {
            0 => self.at,
            1 => self.at.wrapping_add(root - self.lo),
            _ => self.at.wrapping_sub(root - self.lo),
        }
    }

    /// The least and the greatest value.
    fn span(&self) -> (u64, u64) {
        let (a, b) = (self.at, self.value(self.hi));
        (a.min(b), a.max(b))
    }

    fn part(&self, lo: u64, hi: u64) -> Option<Piece> {
        (lo <= hi && self.lo <= lo && hi <= self.hi).then(|| Piece {
            lo,
            hi,
            slope: self.slope,
            at: self.value(lo),
        })
    }

    /// The parts with values below `cut`, and from there on.
    fn split(&self, cut: u64) -> [Option<Piece>; 2] {
        let (least, most) = self.span();
        if most < cut {
            return [Some(*self), None];
        }
        if least >= cut {
            return [None, Some(*self)];
        }
        if self.slope > 0 {
            let first = self.lo + (cut - self.at);
            [self.part(self.lo, first - 1), self.part(first, self.hi)]
        } else {
            let last = self.lo + (self.at - cut);
            [self.part(last + 1, self.hi), self.part(self.lo, last)]
        }
    }
}

/// A function of a root.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Term {
    /// How many bits its values have: 1, 8, 16, 32 or 64.
    pub bits: u8,
    /// The root's number.
    pub root: u8,
    /// Its pieces, in order of the root's values.
    pub pieces: Vec<Piece>,
}

impl Term {
    /// The root itself.
    fn identity(bits: u8, root: u8, set: &Ranges) -> Term {
        let piece = |&(lo, hi): &(u64, u64)| Piece { lo, hi, slope: 1, at: lo };
        Term { bits, root, pieces: set.ranges().iter().map(piece).collect() }
    }

    /// The same function for the values that the root can still have.
    pub fn within(&self, set: &Ranges) -> Term {
        let mut pieces = Vec::new();
        for piece in &self.pieces {
            for &(lo, hi) in set.ranges() {
                pieces.extend(piece.part(lo.max(piece.lo), hi.min(piece.hi)));
            }
        }
        Term { bits: self.bits, root: self.root, pieces }
    }

    /// Cuts the pieces at values, and makes another piece of each.
    fn map(&self, bits: u8, cuts: &[u64], make: impl Fn(Piece) -> Piece) -> Option<Term> {
        let mut parts = self.pieces.clone();
        for &cut in cuts {
            parts = parts.iter().flat_map(|p| p.split(cut)).flatten().collect();
            if parts.len() > 4 * PIECES {
                return None;
            }
        }
        parts.sort_unstable_by_key(|p| p.lo);
        let mut pieces: Vec<Piece> = Vec::with_capacity(parts.len());
        for piece in parts.into_iter().map(make) {
            match pieces.last_mut() {
                Some(last)
                    if last.slope == piece.slope
                        && last.hi.checked_add(1) == Some(piece.lo)
                        && last.value(last.hi).checked_add_signed(last.slope.into()) == Some(piece.at) =>
                {
                    last.hi = piece.hi;
                }
                _ => pieces.push(piece),
            }
        }
        (pieces.len() <= PIECES).then_some(Term { bits, root: self.root, pieces })
    }

    /// Plus a constant.
    pub fn add(&self, bits: u8, k: u64) -> Option<Term> {
        let m = mask(bits);
        let k = k & m;
        let cut = (m - k).wrapping_add(1) & m;
        let cuts = if k == 0 { &[][..] } else { &[cut][..] };
        self.map(bits, cuts, |p| Piece { at: p.at.wrapping_add(k) & m, ..p })
    }

    /// A constant minus it.
    pub fn subtract_from(&self, bits: u8, k: u64) -> Option<Term> {
        let m = mask(bits);
        let cuts = if k == m { vec![] } else { vec![k + 1] };
        self.map(bits, &cuts, |p| Piece { at: k.wrapping_sub(p.at) & m, slope: -p.slope, ..p })
    }

    /// Sign-extended.
    pub fn sign_extend(&self, from: u8, to: u8) -> Option<Term> {
        let sign = 1u64 << (from - 1);
        let high = mask(to) & !mask(from);
        self.map(to, &[sign], |p| if p.at & sign != 0 { Piece { at: p.at | high, ..p } } else { p })
    }

    /// With other numbers of bits, of which no value needs more.
    pub fn widen(&self, to: u8) -> Term {
        Term { bits: to, ..self.clone() }
    }

    /// Modulo a constant.
    pub fn modulo(&self, bits: u8, m: u128) -> Option<Term> {
        let mut cuts = Vec::new();
        for piece in &self.pieces {
            let (least, most) = piece.span();
            let (first, last) = (u128::from(least) / m, u128::from(most) / m);
            if last - first > PIECES as u128 {
                return None;
            }
            cuts.extend((first + 1..=last).map(|block| (block * m) as u64));
        }
        self.map(bits, &cuts, |p| {
            // The value at `lo` decides for the piece, which lies in one block.
            Piece { at: (u128::from(p.at) % m) as u64, ..p }
        })
    }

    /// A function of which only the places matter at which it changes: true or false.
    pub fn test(&self, cuts: &[u64], holds: impl Fn(u64) -> bool) -> Option<Term> {
        self.map(1, cuts, |p| Piece { slope: 0, at: holds(p.at).into(), ..p })
    }

    /// Any function of a term with constant pieces.
    pub fn apply(&self, bits: u8, f: impl Fn(u64) -> u64) -> Option<Term> {
        if self.pieces.iter().any(|p| p.slope != 0 && p.lo != p.hi) {
            return None;
        }
        self.map(bits, &[], |p| Piece { slope: 0, at: f(p.at), ..p })
    }

    /// A function of two terms of one root with constant pieces.
    pub fn combine(&self, other: &Term, bits: u8, f: impl Fn(u64, u64) -> u64) -> Option<Term> {
        let mut pieces = Vec::new();
        for a in &self.pieces {
            for b in &other.pieces {
                let (lo, hi) = (a.lo.max(b.lo), a.hi.min(b.hi));
                if lo > hi {
                    continue;
                }
                if (a.slope != 0 || b.slope != 0) && lo != hi {
                    return None;
                }
                pieces.push(Piece { lo, hi, slope: 0, at: f(a.value(lo), b.value(lo)) });
            }
        }
        Term { bits, root: self.root, pieces }.map(bits, &[], |p| p)
    }

    /// The root's values for which the term's lowest bits (one bit, or any) are zero, and for which they are not; `None`
    /// if that takes too many pieces.
    pub fn zero_or_not(&self) -> Option<[Ranges; 2]> {
        let test = self.test(&[1], |v| if self.bits == 1 { v & 1 != 0 } else { v != 0 })?;
        let of = |value| {
            let hits = test.pieces.iter().filter(|p| p.at == value).map(|p| (p.lo, p.hi));
            Ranges::of(hits.collect())
        };
        Some([of(0), of(1)])
    }

    /// The root's values for which the term has a value.
    pub fn equal_to(&self, value: u64) -> Ranges {
        let hits = self.pieces.iter().filter_map(|p| {
            let (least, most) = p.span();
            match p.slope {
                _ if value < least || value > most => None,
                0 => Some((p.lo, p.hi)),
                1 => Some((p.lo + (value - p.at), p.lo + (value - p.at))),
                _ => Some((p.lo + (p.at - value), p.lo + (p.at - value))),
            }
        });
        Ranges::of(hits.collect())
    }

    /// Its values, if they are no more than so many.
    pub fn values(&self, most: usize) -> Option<Vec<u64>> {
        let mut values = Vec::new();
        for piece in &self.pieces {
            let (a, b) = piece.span();
            if b - a >= most as u64 {
                return None;
            }
            values.extend(a..=b);
            if values.len() > most * PIECES {
                return None;
            }
        }
        values.sort_unstable();
        values.dedup();
        (values.len() <= most).then_some(values)
    }

    /// The least and the greatest value.
    pub fn span(&self) -> (u64, u64) {
        let spans = self.pieces.iter().map(Piece::span);
        spans.fold((u64::MAX, 0), |(a, b), (c, d)| (a.min(c), b.max(d)))
    }
}

/// An input, or a value that is not followed further back.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Root {
    /// How many bits it has.
    pub bits: u8,
    /// The values that it can have.
    pub set: Ranges,
    /// Which of the run's inputs it is or comes from, and whether it is that input itself.
    pub read: Option<(u32, bool)>,
}

/// All roots and terms.
#[derive(Debug, Clone, Default)]
pub struct Symbols {
    terms: Vec<Option<Term>>,
    roots: Vec<Option<Root>>,
    /// The epoch of the machine's journal in which this was saved last.
    pub saved: u32,
}

impl Symbols {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.terms.iter().all(Option::is_none)
    }

    /// Whether there is room for another term.
    pub fn has_room(&self) -> bool {
        self.terms.len() < TERMS || self.terms.iter().any(Option::is_none)
    }

    /// Whether there is a root of that number.
    pub fn has_root(&self, root: u8) -> bool {
        self.roots.get(root as usize).is_some_and(Option::is_some)
    }

    /// A root.
    pub fn root(&self, root: u8) -> &Root {
        self.roots[root as usize].as_ref().expect("terms have roots")
    }

    /// A term by its number, if there is one of that number.
    pub fn term(&self, id: u8) -> Option<&Term> {
        self.terms.get(usize::from(id).checked_sub(1)?)?.as_ref()
    }

    /// Adds a root with its term; there is room.
    pub fn add_root(&mut self, root: Root) -> u8 {
        let at = free(&mut self.roots);
        let term = Term::identity(root.bits, at as u8, &root.set);
        self.roots[at] = Some(root);
        self.add_term(term)
    }

    /// Adds a term, or finds it; there is room.
    pub fn add_term(&mut self, term: Term) -> u8 {
        if let Some(at) = self.terms.iter().position(|t| t.as_ref() == Some(&term)) {
            return at as u8 + 1;
        }
        let at = free(&mut self.terms);
        self.terms[at] = Some(term);
        at as u8 + 1
    }

    /// Sets what is known of a root; gives the terms that have only one value now, with it.
    pub fn narrow(&mut self, root: u8, set: Ranges) -> Vec<(u8, u64)> {
        let fixed = self.terms.iter().enumerate().filter_map(|(at, term)| {
            let term = term.as_ref().filter(|t| t.root == root)?.within(&set);
            let (least, most) = term.span();
            (least == most).then_some((at as u8 + 1, least))
        });
        let fixed = fixed.collect();
        self.roots[root as usize].as_mut().expect("terms have roots").set = set;
        fixed
    }

    /// Forgets the terms that are not among these (bit `id`), and roots without terms.
    pub fn retain(&mut self, used: u32) {
        for (at, term) in self.terms.iter_mut().enumerate() {
            if used >> (at + 1) & 1 == 0 {
                *term = None;
            }
        }
        for (at, root) in self.roots.iter_mut().enumerate() {
            if root.is_some() && !self.terms.iter().flatten().any(|t| usize::from(t.root) == at) {
                *root = None;
            }
        }
    }

    /// Whether [`Symbols::retain`] would forget something.
    pub fn has_others(&self, used: u32) -> bool {
        self.terms.iter().enumerate().any(|(at, t)| t.is_some() && used >> (at + 1) & 1 == 0)
    }

    /// Writes everything down that tells two tables apart.
    pub fn put(&self, put: &mut impl FnMut(u64)) {
        for (at, term) in self.terms.iter().enumerate() {
            let Some(term) = term else { continue };
            put(at as u64 | u64::from(term.bits) << 8 | u64::from(term.root) << 16 | 1 << 32);
            put(term.pieces.len() as u64);
            for p in &term.pieces {
                put(p.lo);
                put(p.hi);
                put(p.at);
                put(p.slope as i64 as u64);
            }
        }
        for (at, root) in self.roots.iter().enumerate() {
            let Some(root) = root else { continue };
            put(at as u64 | u64::from(root.bits) << 8 | 2 << 32);
            put(root.set.ranges().len() as u64);
            for &(lo, hi) in root.set.ranges() {
                put(lo);
                put(hi);
            }
        }
    }
}

fn free<T>(list: &mut Vec<Option<T>>) -> usize {
    list.iter().position(Option::is_none).unwrap_or_else(|| {
        list.push(None);
        list.len() - 1
    })
}

/// How many bytes the token of a term of that many bits takes.
pub fn token_bytes(bits: u8) -> u32 {
    if bits == 1 { 8 } else { u32::from(bits) / 8 }
}

/// The token of a term.
pub fn token(id: u8, bits: u8) -> u64 {
    (0..token_bytes(bits)).fold(0, |v, j| v | u64::from(j << 5 | u32::from(id)) << (8 * j))
}

/// The number in a token with its shadow; whether it really is one is to be checked against the term.
pub fn id_in(value: u64, shadow: u64) -> Option<(u8, u32)> {
    let bytes = match shadow {
        0xff => 1,
        0xffff => 2,
        0xffff_ffff => 4,
        u64::MAX => 8,
        _ => return None,
    };
    let id = (value & 31) as u8;
    let whole = (0..bytes).all(|j| value >> (8 * j) & 0xff == u64::from(j << 5 | u32::from(id)));
    (id != 0 && whole).then_some((id, bytes))
}

fn mask(bits: u8) -> u64 {
    crate::interp::int::mask(bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(term: &Term, set: &Ranges, f: impl Fn(u64) -> u64) {
        for x in 0..256 {
            let hit: Vec<_> = term.pieces.iter().filter(|p| p.lo <= x && x <= p.hi).collect();
            assert_eq!(hit.len(), usize::from(set.contains(x)), "{x} {term:?}");
            if let [piece] = hit[..] {
                assert_eq!(piece.value(x), f(x), "{x} {term:?}");
                assert!(term.equal_to(f(x)).contains(x));
            }
        }
    }

    #[test]
    fn terms_are_the_functions_that_they_stand_for() {
        let set = Ranges::of(vec![(3, 9), (100, 200), (250, 255)]);
        let x = Term::identity(8, 0, &set);
        for k in [0u64, 1, 5, 127, 128, 200, 255] {
            check(&x.add(8, k).unwrap(), &set, |v| v.wrapping_add(k) & 0xff);
            check(&x.subtract_from(8, k).unwrap(), &set, |v| k.wrapping_sub(v) & 0xff);
            let twice = x.subtract_from(8, k).unwrap().add(8, 77).unwrap();
            check(&twice, &set, |v| k.wrapping_sub(v).wrapping_add(77) & 0xff);
            let wide = twice.sign_extend(8, 32).unwrap().add(32, k).unwrap();
            let sext = |v: u64| v as u8 as i8 as i32 as u32 as u64;
            check(&wide, &set, |v| (sext(k.wrapping_sub(v).wrapping_add(77)) + k) & 0xffff_ffff);
            let less =
                twice.test(&[k, k.saturating_add(1), 128], |v| (v as u8 as i8) < (k as u8 as i8)).unwrap();
            check(&less, &set, |v| {
                u64::from((k.wrapping_sub(v).wrapping_add(77) as u8 as i8) < (k as u8 as i8))
            });
            check(&twice.modulo(8, 64).unwrap(), &set, |v| k.wrapping_sub(v).wrapping_add(77) & 0x3f);
        }
    }

    #[test]
    fn narrowing_finds_what_is_fixed() {
        let mut symbols = Symbols::default();
        let x = symbols.add_root(Root { bits: 32, set: Ranges::full(32), read: None });
        let term = symbols.term(x).unwrap().clone();
        let test = term.test(&[4], |v| v < 4).unwrap();
        let [_, below] = test.zero_or_not().unwrap();
        assert_eq!(below.ranges(), [(0, 3)]);
        let id = symbols.add_term(test);
        assert_eq!(symbols.narrow(term.root, below), [(id, 1)]);
        assert_eq!(symbols.term(x).unwrap().within(&symbols.root(0).set).values(8), Some(vec![0, 1, 2, 3]));
        assert_eq!(symbols.narrow(term.root, Ranges::between(2, 2)), [(x, 2), (id, 1)]);
    }

    #[test]
    fn tokens_are_not_made_by_moving_bytes() {
        for bits in [8u8, 16, 32, 64] {
            let shadow = mask(bits);
            for id in 1..=TERMS as u8 {
                let v = token(id, bits);
                assert_eq!(id_in(v, shadow), Some((id, u32::from(bits) / 8)));
                for other in 1..=TERMS as u8 {
                    // An access that lies across two tokens.
                    for shift in (8..bits).step_by(8) {
                        let mixed = (v >> shift | token(other, bits) << (bits - shift)) & shadow;
                        assert_eq!(id_in(mixed, shadow), None);
                    }
                }
            }
        }
    }
}
