//! Computing with inputs that nobody has fixed, and fixing them where they must be known ([`InputMode::Symbolic`]).
//!
//! *What holds.* Take a run of the program with fixed inputs. There is a run of this machine that makes the same steps, in
//! which at any time each root's set has the value that the root has there, and every bit that is neither unconstrained nor
//! part of a token is equal: a comparison either comes out as it must for all values, or becomes a term; a branch on
//! a term asks which way, and narrows the root's set to just the values that go that way; a branch on anything else that is
//! unconstrained asks, too. Where a value must be known (an address, a size, an argument), its possible values are
//! a choice if they are few, and otherwise the machine stops with [`Stop::Unknown`].

use base::reason::Subject;
use ir::{CastOp, EdgeId, Inst, IntCmp, IntOp, Opnd, Scalar, Slot};
use xxhash_rust::xxh3::xxh3_128;

use super::access::Value;
use super::{division, int, is_division};
use crate::memory::object::LINE;
use crate::state::{InputMode, Machine, Read};
use crate::stop::Stop;
use crate::symbol::{Ranges, Root, Term, id_in, token, token_bytes};
use crate::thread::{Frame, Thread};

/// A value that must be known is enumerated if it has at most so many.
const ENUMERATED: usize = 32;

impl<'p> Machine<'p> {
    /// Whether inputs are told apart.
    #[inline]
    pub(crate) fn is_symbolic(&self) -> bool {
        self.mode.inputs == InputMode::Symbolic
    }

    /// Asks for one of that many answers about inputs.
    pub(crate) fn ask(&mut self, th: &mut Thread, n: u32) -> Result<u32, Stop> {
        if n <= 1 {
            return Ok(0);
        }
        th.choice.take().ok_or_else(|| {
            self.asks_input = true;
            Stop::Choose(n)
        })
    }

    /// The term that a value names.
    fn term_of(&self, (v, s): Value) -> Option<u8> {
        if v == 0 || s == 0 || !self.is_symbolic() {
            return None;
        }
        let (id, bytes) = id_in(v, s)?;
        (token_bytes(self.symbols.term(id)?.bits) == bytes).then_some(id)
    }

    /// The term, for the values that its root can still have.
    fn present(&self, id: u8) -> Term {
        let term = self.symbols.term(id).expect("a term");
        term.within(&self.symbols.root(term.root).set)
    }

    /// The term of a value, as far as it has few values.
    pub(crate) fn enumerable(&self, value: Value) -> Option<u8> {
        let id = self.term_of(value)?;
        self.present(id).values(ENUMERATED).map(|_| id)
    }

    /// Fixes a term: each of its values is a choice.
    pub(crate) fn enumerate(&mut self, t: usize, th: &mut Thread, id: u8) -> Result<(), Stop> {
        let term = self.present(id);
        let values = term.values(ENUMERATED).unwrap_or_default();
        let answer = self.ask(th, values.len() as u32)?;
        let Some(&value) = values.get(answer as usize) else { return Err(Stop::Infeasible) };
        self.narrow(t, th, term.root, term.equal_to(value));
        Ok(())
    }

    /// A root can only have these of its values from here on.
    fn narrow(&mut self, t: usize, th: &mut Thread, root: u8, set: Ranges) {
        let set = set.intersect(&self.symbols.root(root).set);
        if let (Some(reads), Some((read, same))) = (&mut self.reads, self.symbols.root(root).read)
            && let Some(read) = reads.get_mut(read as usize)
        {
            let narrowed = read.set.intersect(&set);
            // What was computed from the input only hints at it.
            if same || !narrowed.is_empty() {
                read.set = narrowed;
            }
        }
        let terms = self.symbols_mut().narrow(root, set);
        if terms.is_empty() {
            return;
        }
        let tokens: Vec<_> =
            terms.iter().map(|&(id, v)| (id, self.symbols.term(id).expect("a term").bits, v)).collect();
        for bytes in [1, 2, 4, 8] {
            let of = |(_, bits, _): &&(u8, u8, u64)| *bits > 1 && token_bytes(*bits) == bytes;
            let values: Vec<_> =
                tokens.iter().filter(of).map(|&(id, bits, v)| (token(id, bits), v)).collect();
            if !values.is_empty() {
                self.memory.replace_named(bytes as usize, &values);
            }
        }
        let replace = |th: &mut Thread| {
            for &(id, bits, value) in &tokens {
                let old = (token(id, bits), int::mask((8 * token_bytes(bits)) as u8));
                for (v, s) in th.slots.iter_mut().zip(&mut th.shadows) {
                    if (*v, *s) == old {
                        (*v, *s) = (value, 0);
                    }
                }
                if th.result == old {
                    th.result = (value, 0);
                }
            }
        };
        replace(th);
        for u in (0..self.threads.len()).filter(|&u| u != t) {
            self.save_thread(u);
            replace(&mut self.threads[u]);
        }
    }

    /// The value that names a term; one without a name if there is no room.
    fn name(&mut self, th: &Thread, term: Term) -> Value {
        let bits = term.bits;
        let (least, most) = term.span();
        if least == most {
            return (least, 0);
        }
        if !self.make_room(th) || !self.symbols.has_root(term.root) {
            return nameless(bits);
        }
        let id = self.symbols_mut().add_term(term);
        (token(id, bits), int::mask((8 * token_bytes(bits)) as u8))
    }

    /// A new root with its value.
    fn root(&mut self, th: &Thread, root: Root) -> Value {
        let bits = root.bits;
        if !self.make_room(th) {
            return nameless(bits);
        }
        let id = self.symbols_mut().add_root(root);
        (token(id, bits), int::mask((8 * token_bytes(bits)) as u8))
    }

    /// An input of the program.
    pub(crate) fn read_input(&mut self, th: &Thread, bits: u8) -> Value {
        let set = Ranges::full(bits);
        let mut read = None;
        let clock = self.looks_at_clock(th);
        if let Some(reads) = &mut self.reads {
            read = Some((reads.len() as u32, true));
            reads.push(Read { bits, set: set.clone(), clock });
        }
        self.root(th, Root { bits, set, read })
    }

    /// Whether the models that a thread executes are those of a clock.
    pub(crate) fn looks_at_clock(&self, th: &Thread) -> bool {
        // Of the C library, of OpenMP and of C++: what all models of clocks call for the time.
        const CLOCKS: [&str; 4] = ["any_seconds", "any_below", "__rp_hours", "omp_get_wtime"];
        let name = |f: &Frame| self.program.module.funcs[f.func.0 as usize].name.as_str();
        let is_clock = |name: &str| CLOCKS.contains(&name) || name.contains("any_nanoseconds");
        th.frames.iter().rev().take(4).any(|f| is_clock(name(f)))
    }

    /// The outcome of a comparison of which nothing is known.
    pub(super) fn fresh_test(&mut self, th: &Thread) -> Value {
        if !self.is_symbolic() {
            return (0, 1);
        }
        self.root(th, Root { bits: 1, set: Ranges::between(0, 1), read: None })
    }

    fn make_room(&mut self, th: &Thread) -> bool {
        if !self.symbols.has_room() {
            let used = self.used_names(Some(th), &mut |_| {});
            self.symbols_mut().retain(used);
        }
        self.symbols.has_room()
    }

    /// The numbers of terms (as bits) of which some byte is in memory or in a slot that is still needed. What names them is
    /// given to the function.
    fn used_names(&self, running: Option<&Thread>, put: &mut impl FnMut(u64)) -> u32 {
        let mut used = 0u32;
        self.memory.named_lines(|region, at, data, shadow| {
            put(u64::from(region.0) << 40 | at as u64);
            for word in 0..LINE / 8 {
                let mut names = 0u64;
                for i in 8 * word..8 * word + 8 {
                    if shadow[i] == 0xff {
                        used |= 1 << (data[i] & 31);
                        names |= u64::from(data[i]) << (8 * (i % 8));
                    }
                }
                put(names);
            }
        });
        let mut see = |at: u64, (v, s): Value| {
            put(at);
            put(v & s);
            for i in (0..64).step_by(8).filter(|i| s >> i & 0xff == 0xff) {
                used |= 1 << (v >> i & 31);
            }
        };
        for (u, th) in self.threads.iter().chain(running).enumerate() {
            for (i, frame) in th.frames.iter().enumerate() {
                let live = self.program.live(frame.func);
                let stands = th.frames.get(i + 1).is_none_or(|above| above.silent);
                let slots = if stands { live.before(frame.pc) } else { live.across(frame.pc) };
                for &slot in slots {
                    let at = frame.base + slot as usize;
                    if th.slots[at] & th.shadows[at] != 0 {
                        let place = (u as u64) << 48 | (i as u64) << 32 | u64::from(slot);
                        see(place, (th.slots[at], th.shadows[at]));
                    }
                }
            }
            if th.result.1 != 0 {
                see((u as u64) << 48 | 0xffff_ffff_ffff, th.result);
            }
        }
        used & !1
    }

    /// The part of the fingerprint that is about inputs: who is named where, and what is known of them. Names that are not
    /// needed any more are forgotten.
    pub(crate) fn symbol_hash(&mut self, scratch: &mut Vec<u8>) -> u128 {
        scratch.clear();
        let mut put = |word: u64| scratch.extend_from_slice(&word.to_le_bytes());
        let used = self.used_names(None, &mut put);
        if self.symbols.has_others(used) {
            self.symbols_mut().retain(used);
        }
        if self.symbols.is_empty() {
            return 0;
        }
        self.symbols.put(&mut put);
        xxh3_128(scratch)
    }

    /// Whether an open condition holds.
    pub(super) fn decide(
        &mut self,
        t: usize,
        th: &mut Thread,
        cond: Opnd,
        what: Subject,
    ) -> Result<bool, Stop> {
        let value = self.operand(th, cond);
        if value.1 & 1 == 0 {
            return Ok(value.0 & 1 != 0);
        }
        if !self.is_symbolic() {
            return Err(self.open(what, value));
        }
        let id = self.term_of(value).filter(|&id| self.symbols.term(id).is_some_and(|term| term.bits == 1));
        let sets = id.map(|id| self.present(id)).and_then(|term| Some((term.root, term.zero_or_not()?)));
        let Some((root, [no, yes])) = sets else { return Ok(self.ask(th, 2)? == 1) };
        if no.is_empty() || yes.is_empty() {
            return Ok(no.is_empty());
        }
        let holds = self.ask(th, 2)? == 1;
        self.narrow(t, th, root, if holds { yes } else { no });
        Ok(holds)
    }

    /// Goes on only where the value, of 32 bits, is not zero.
    pub(crate) fn assume(&mut self, t: usize, th: &mut Thread, value: Value) -> Result<(), Stop> {
        let term = self.term_of(value).map(|id| self.present(id));
        let Some((root, [_, yes])) = term.and_then(|term| Some((term.root, term.zero_or_not()?))) else {
            // Going on in any case only adds runs.
            return Ok(());
        };
        if yes.is_empty() {
            return Err(Stop::Infeasible);
        }
        self.narrow(t, th, root, yes);
        Ok(())
    }

    /// Which way an open switch goes.
    pub(super) fn open_switch(
        &mut self,
        t: usize,
        th: &mut Thread,
        value: Opnd,
        table: u32,
    ) -> Result<EdgeId, Stop> {
        let value = self.operand(th, value);
        if !self.is_symbolic() {
            return Err(self.open(Subject::Switch, value));
        }
        let func = th.frames.last().expect("a frame").func;
        let body = self.program.module.funcs[func.0 as usize].body.as_ref().expect("a body");
        let table = &body.switches[table as usize];
        let Some(term) = self.term_of(value).map(|id| self.present(id)) else {
            let possible = |case: &&(u64, EdgeId)| (case.0 ^ value.0) & !value.1 == 0;
            let edges: Vec<_> =
                table.cases.iter().filter(possible).map(|c| c.1).chain([table.default]).collect();
            let answer = self.ask(th, edges.len() as u32)?;
            return Ok(edges.get(answer as usize).copied().unwrap_or(table.default));
        };
        let mut ways = Vec::new();
        for &(key, edge) in &table.cases {
            let set = term.equal_to(key);
            if !set.is_empty() {
                ways.push((set, edge));
            }
        }
        let cuts: Vec<u64> = table.cases.iter().flat_map(|c| [c.0, c.0.wrapping_add(1)]).collect();
        let other = term.test(&cuts, |v| !table.cases.iter().any(|c| c.0 == v));
        let rest = match other.and_then(|test| test.zero_or_not()) {
            Some([_, rest]) => rest,
            // Too many pieces: the default is possible for any value.
            None => self.symbols.root(term.root).set.clone(),
        };
        if !rest.is_empty() {
            ways.push((rest, table.default));
        }
        let answer = self.ask(th, ways.len() as u32)?;
        let Some((set, edge)) = ways.into_iter().nth(answer as usize) else { return Err(Stop::Infeasible) };
        self.narrow(t, th, term.root, set);
        Ok(edge)
    }

    /// The address of an element whose index, or of an object whose address, is open.
    pub(super) fn open_index(&mut self, th: &mut Thread, dst: Slot, parts: &[Opnd]) -> Result<(), Stop> {
        let func = th.frames.last().expect("a frame").func;
        // The library computes places of digits from numbers that it prints; nothing is accessed there.
        let own = !self.program.module.funcs[func.0 as usize].system;
        for &part in parts.iter().filter(|_| own) {
            if let Some(id) = self.enumerable(self.operand(th, part)) {
                return Err(Stop::Needs(id));
            }
        }
        let all = if self.program.module.pointer_bytes == 4 { 0xffff_ffff } else { u64::MAX };
        self.set_slot(th, dst, (0, all));
        Ok(())
    }

    /// An operation of which an operand is open (or a shift that is too wide).
    pub(super) fn open_int(
        &mut self,
        t: usize,
        th: &mut Thread,
        op: IntOp,
        bits: u8,
        (a, b): (Value, Value),
    ) -> Result<Value, Stop> {
        if is_division(op) {
            self.open_divisor(t, th, op, bits, a, b)?;
        }
        let shadow = int::binary_shadow(op, bits, a, b);
        let (x, y) = (self.term_of(a), self.term_of(b));
        let term = match (x, y) {
            (Some(x), None) if b.1 == 0 => {
                let (x, k) = (self.present(x), b.0);
                match op {
                    IntOp::Add => x.add(bits, k),
                    IntOp::Sub => x.add(bits, k.wrapping_neg()),
                    IntOp::Xor if k == int::mask(bits) => x.subtract_from(bits, k),
                    IntOp::And if (k & k.wrapping_add(1)) == 0 => x.modulo(bits, u128::from(k) + 1),
                    IntOp::URem => x.modulo(bits, k.into()),
                    IntOp::SRem if int::sext(k, bits) > 0 && x.span().1 >> (bits - 1) == 0 => {
                        x.modulo(bits, k.into())
                    }
                    _ => None,
                }
                .or_else(|| x.apply(bits, |v| int::binary(op, bits, v, k).unwrap_or(0)))
            }
            (None, Some(y)) if a.1 == 0 => {
                let (y, k) = (self.present(y), a.0);
                match op {
                    IntOp::Add => y.add(bits, k),
                    IntOp::Sub => y.subtract_from(bits, k),
                    _ => None,
                }
                .or_else(|| y.apply(bits, |v| int::binary(op, bits, k, v).unwrap_or(0)))
            }
            (Some(x), Some(y)) => {
                let (x, y) = (self.present(x), self.present(y));
                let same = x.root == y.root;
                same.then(|| x.combine(&y, bits, |v, w| int::binary(op, bits, v, w).unwrap_or(0))).flatten()
            }
            _ => None,
        };
        let tracked = matches!(bits, 1 | 8 | 16 | 32 | 64);
        if let Some(term) = term.filter(|_| tracked) {
            return Ok(self.name(th, term.widen(bits)));
        }
        if (x.or(y)).is_some() && tracked && shadow == int::mask(bits) {
            let read = x.or(y).and_then(|id| self.symbols.root(self.symbols.term(id)?.root).read);
            let set = self.bounds_of(op, bits, x, b);
            return Ok(self.root(th, Root { bits, set, read: read.map(|(read, _)| (read, false)) }));
        }
        let value =
            int::binary(op, bits, a.0 & !a.1, if is_division(op) && b.1 != 0 { 1 } else { b.0 & !b.1 });
        Ok((value.unwrap_or(0) & !shadow, shadow))
    }

    /// The values that an operation with a known second operand can have.
    fn bounds_of(&self, op: IntOp, bits: u8, x: Option<u8>, (k, open): Value) -> Ranges {
        let all = int::mask(bits);
        if open != 0 || k == 0 || (super::is_shift(op) && k >= bits.into()) {
            return Ranges::full(bits);
        }
        let most = x.map_or(all, |x| self.present(x).span().1);
        let positive = most >> (bits - 1) == 0;
        match op {
            IntOp::URem => Ranges::between(0, k - 1),
            IntOp::And => Ranges::between(0, k),
            IntOp::UDiv => Ranges::between(0, most / k),
            IntOp::LShr => Ranges::between(0, most.checked_shr(k as u32).unwrap_or(0)),
            IntOp::SRem if int::sext(k, bits) != i64::MIN => {
                let limit = int::sext(k, bits).unsigned_abs() - 1;
                if positive {
                    Ranges::between(0, limit)
                } else {
                    Ranges::of(vec![(0, limit), (0u64.wrapping_sub(limit.max(1)) & all, all)])
                }
            }
            IntOp::SDiv if positive && int::sext(k, bits) > 0 => Ranges::between(0, most / k),
            _ => Ranges::full(bits),
        }
    }

    /// A divisor must not be zero: where it can be both, that is a choice. The quotient must fit.
    fn open_divisor(
        &mut self,
        t: usize,
        th: &mut Thread,
        op: IntOp,
        bits: u8,
        a: Value,
        b: Value,
    ) -> Result<(), Stop> {
        let minus_one = int::mask(bits);
        let mut may_overflow = b.1 == 0 && b.0 == minus_one;
        if b.1 == 0 && b.0 == 0 {
            return Err(division(0));
        }
        if b.1 != 0 {
            let Some(id) = self.term_of(b) else { return Err(self.open(Subject::Divisor, (0, 0))) };
            let term = self.present(id);
            let zero = term.equal_to(0);
            if !zero.is_empty() {
                let not_zero = term.zero_or_not().map(|[_, not_zero]| not_zero);
                let Some(not_zero) = not_zero else { return Err(self.open(Subject::Divisor, (0, 0))) };
                let is_zero = not_zero.is_empty() || self.ask(th, 2)? == 1;
                self.narrow(t, th, term.root, if is_zero { zero } else { not_zero });
                if is_zero {
                    return Err(division(0));
                }
            }
            may_overflow =
                self.symbols.term(id).is_none() || !self.present(id).equal_to(minus_one).is_empty();
        }
        if may_overflow && matches!(op, IntOp::SDiv | IntOp::SRem) {
            let least = 1u64 << (bits - 1);
            let can = match self.term_of(a) {
                Some(id) => !self.present(id).equal_to(least).is_empty(),
                None => a.1 != 0 || a.0 == least,
            };
            if can {
                return Err(self.open(Subject::Quotient, (0, 0)));
            }
        }
        Ok(())
    }

    /// A comparison of which an operand is open.
    pub(super) fn open_compare(
        &mut self,
        th: &Thread,
        cmp: IntCmp,
        bits: u8,
        (a, b): (Value, Value),
    ) -> Value {
        let (x, y) = (self.term_of(a), self.term_of(b));
        let sign = 1u64 << (bits - 1);
        let cuts = |k: u64| [k, k.saturating_add(1), sign];
        let term = match (x, y) {
            (Some(x), None) if b.1 == 0 => {
                self.present(x).test(&cuts(b.0), |v| int::compare(cmp, bits, v, b.0))
            }
            (None, Some(y)) if a.1 == 0 => {
                self.present(y).test(&cuts(a.0), |v| int::compare(cmp, bits, a.0, v))
            }
            (Some(x), Some(y)) if x == y && a == b => return (int::compare(cmp, bits, 0, 0).into(), 0),
            (Some(x), Some(y)) => {
                let (x, y) = (self.present(x), self.present(y));
                let same = x.root == y.root;
                same.then(|| x.combine(&y, 1, |v, w| int::compare(cmp, bits, v, w).into())).flatten()
            }
            _ => None,
        };
        match term {
            Some(term) => self.name(th, term),
            None if x.is_none() && y.is_none() && !int::compare_open(cmp, bits, a, b) => {
                (int::compare(cmp, bits, a.0 & !a.1, b.0 & !b.1).into(), 0)
            }
            None => self.fresh_test(th),
        }
    }

    /// Fixes what an atomic operation must know before others can come in between: its address, and what it compares.
    pub(super) fn settle_atomic(&self, th: &Thread) -> Result<(), Stop> {
        let frame = th.frames.last().expect("a frame");
        let body = self.program.module.funcs[frame.func.0 as usize].body.as_ref().expect("a body");
        let (addr, compared) = match body.code[frame.pc as usize] {
            Inst::AtomicLoad { addr, .. } | Inst::AtomicStore { addr, .. } | Inst::AtomicRmw { addr, .. } => {
                (addr, None)
            }
            Inst::CmpXchg { index, .. } => {
                let x = &body.cmpxchgs[index as usize];
                (x.addr, (!x.ends_update).then_some(x))
            }
            _ => return Ok(()),
        };
        let (address, open) = self.operand(th, addr);
        if open != 0 {
            return Err(self.open_address((address, open)));
        }
        let Some(x) = compared else { return Ok(()) };
        let spot = self.memory.resolve(address, self.bytes_of(x.ty), false);
        let old = spot.map_or((0, 0), |spot| self.peek(spot, x.ty).0);
        let few = [self.operand(th, x.expected), old].into_iter().find_map(|value| self.enumerable(value));
        few.map_or(Ok(()), |id| Err(Stop::Needs(id)))
    }

    /// A cast between integers of a value that has a name.
    pub(super) fn open_cast(
        &mut self,
        th: &Thread,
        op: CastOp,
        from: Scalar,
        to: Scalar,
        value: Value,
    ) -> Option<Value> {
        let (Scalar::Int(from), Scalar::Int(to)) = (from, to) else { return None };
        if from > 64 || !matches!(to, 1 | 8 | 16 | 32 | 64) {
            return None;
        }
        let term = self.present(self.term_of(value)?);
        let term = match op {
            // The name of one bit is not a number of one bit.
            CastOp::ZExt if from == 1 => Some(term.widen(to)),
            CastOp::ZExt => return Some(value),
            CastOp::SExt => term.sign_extend(from, to),
            CastOp::Trunc => term.modulo(to, 1 << to),
            _ => return None,
        };
        Some(match term {
            Some(term) => self.name(th, term.widen(to)),
            None => self.root(th, Root { bits: to, set: Ranges::full(to), read: None }),
        })
    }
}

/// A value of which nothing is known and that has no name.
fn nameless(bits: u8) -> Value {
    (0, int::mask(bits))
}
