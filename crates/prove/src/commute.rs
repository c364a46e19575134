//! Updates whose order does not matter: `x = x op v`, where what was read goes nowhere but into `x`.
//!
//! A plain update is a load, operations of one class on the loaded value (with conversions around them), and a store to the
//! same place, in one basic block, with nothing between them that could synchronise, call or store; no other instruction
//! uses the loaded value or what is computed from it. There is one operation, and its other operand is still in its slot at the
//! store. Two such updates of one class commute if each is indivisible,
//! which a common lock, held from the load to the store, makes them. An atomic read-modify-write is one by itself.
//!
//! Conversions: for integers, widening before the operations and truncation back after them keep sums, products and
//! bitwise operations correct (truncation is a homomorphism); minima and maxima are not recognised then. For
//! floating-point numbers neither addition nor multiplication is associative: that their results do not depend
//! on the order is an assumption, which the verdict states.

use ir::liveness::Liveness;
use ir::{
    AccessId, Body, CastOp, FloatFn, FloatOp, Inst, IntFn, IntOp, Module, Opnd, RmwOp, Scalar, Slot,
    UpdateChoice, UpdateOp, UpdatePart,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// Which operation updates have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Class {
    Add,
    Mul,
    And,
    Or,
    Xor,
    LogicalAnd,
    LogicalOr,
    Smin,
    Smax,
    Umin,
    Umax,
    /// Floating-point addition and subtraction.
    FloatAdd,
    FloatMul,
    FloatMin,
    FloatMax,
}

impl Class {
    /// Whether that the order does not matter is an assumption.
    pub fn is_assumed(self) -> bool {
        matches!(self, Class::FloatAdd | Class::FloatMul | Class::FloatMin | Class::FloatMax)
    }
}

/// What an instruction is to an update.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// The operation.
    pub class: Class,
    /// Whether the update is atomic.
    pub atomic: bool,
    /// Whether the old value goes nowhere else: not known of an atomic read-modify-write, which gives it back.
    pub silent: bool,
    /// Not a part of the update: it reads what goes into the update as its operand, and nowhere else.
    pub feeds: bool,
    /// The operand, as it still is at the store of a plain update.
    pub operand: Option<Opnd>,
    /// Whether a branch decides what is stored; see [`UpdateChoice`].
    pub choice: UpdateChoice,
    /// The load that gives the operand and nothing else, at the end of the update.
    pub fed: Option<u32>,
    /// Which of the updates of its function that a branch decides it belongs to.
    pub id: u32,
    /// Whether the operand is subtracted.
    pub minus: bool,
}

impl Part {
    fn plain(class: Class) -> Part {
        let choice = UpdateChoice::None;
        Part {
            class,
            atomic: false,
            silent: true,
            feeds: false,
            operand: None,
            choice,
            fed: None,
            id: 0,
            minus: false,
        }
    }
}

/// The updates of a program, found function by function when asked for.
#[derive(Debug)]
pub struct Updates<'m> {
    module: &'m Module,
    /// For each function, by instruction.
    funcs: Vec<Option<Vec<Option<Part>>>>,
    /// By function: whether some of these pick what they store.
    picks: Vec<bool>,
}

impl<'m> Updates<'m> {
    /// Of a module.
    pub fn new(module: &'m Module) -> Updates<'m> {
        Updates { module, funcs: vec![None; module.funcs.len()], picks: vec![false; module.funcs.len()] }
    }

    /// What the instruction at `pc` of a function is part of.
    #[inline]
    pub fn part(&mut self, func: u32, pc: u32) -> Option<Part> {
        match self.funcs.get(func as usize)? {
            Some(parts) => parts.get(pc as usize).copied().flatten(),
            None => self.load(func, pc),
        }
    }

    /// Whether a function has updates that pick what they store.
    #[inline]
    pub fn picks(&mut self, func: u32) -> bool {
        self.part(func, 0);
        self.picks.get(func as usize).copied().unwrap_or(false)
    }

    #[cold]
    fn load(&mut self, func: u32, pc: u32) -> Option<Part> {
        let body = self.module.funcs[func as usize].body.as_ref();
        let mut dense: Vec<Option<Part>> = vec![None; body.map_or(0, |b| b.code.len())];
        for (at, part) in body.map(|b| of_body(self.module, b)).unwrap_or_default() {
            dense[at as usize] = Some(part);
        }
        let part = dense.get(pc as usize).copied().flatten();
        self.picks[func as usize] = dense.iter().flatten().any(|p| p.choice == UpdateChoice::Picks);
        self.funcs[func as usize] = Some(dense);
        part
    }
}

/// The parts of updates in a body, by instruction.
pub fn of_body(module: &Module, body: &Body) -> FxHashMap<u32, Part> {
    let mut parts = FxHashMap::default();
    let mut targets = vec![false; body.code.len() + 1];
    for edge in &body.edges {
        targets[edge.target as usize] = true;
    }
    let (mut candidates, mut feeds) = (Vec::new(), Vec::new());
    let told = choices_are_told(module, body);
    for (pc, inst) in body.code.iter().enumerate() {
        match *inst {
            Inst::AtomicRmw { op, src, .. } => {
                if let Some(class) = rmw_class(op) {
                    let minus = matches!(op, RmwOp::Sub | RmwOp::FSub);
                    parts
                        .insert(pc as u32, Part { atomic: true, silent: false, minus, ..Part::plain(class) });
                    let slot = (!src.is_const()).then(|| src.index() as u32);
                    let feed = slot.and_then(|slot| feed(body, &targets, (usize::MAX, pc, pc), slot));
                    feeds.extend(feed.map(|feed| (pc as u32, feed)));
                }
            }
            // An update that clang lowers to a compare-and-exchange, and that the front end recognised.
            Inst::AtomicLoad { access, .. } => {
                if let Some(class) = indivisible(module, access) {
                    parts.insert(pc as u32, Part { atomic: true, ..Part::plain(class) });
                }
            }
            Inst::CmpXchg { index, .. } if body.cmpxchgs[index as usize].ends_update => {
                if let Some(class) = indivisible(module, body.cmpxchgs[index as usize].access) {
                    parts.insert(pc as u32, Part { atomic: true, ..Part::plain(class) });
                }
            }
            // A minimum or maximum that is kept by a branch.
            Inst::Load { access, .. } if choice_of(module, access) != UpdateChoice::None => {
                parts.extend(chosen(module, access, None).filter(|_| told).map(|part| (pc as u32, part)));
            }
            Inst::Store { access, src, .. } if choice_of(module, access) != UpdateChoice::None => {
                parts
                    .extend(chosen(module, access, Some(src)).filter(|_| told).map(|part| (pc as u32, part)));
            }
            Inst::Load { dst, addr, ty, .. } if ty.slots() == 1 => {
                candidates.extend(follow(body, &targets, pc, (dst, addr, ty)));
            }
            _ => {}
        }
    }
    if candidates.is_empty() && feeds.is_empty() {
        return parts;
    }
    // `x = x + x` is no update of the kind: a store ends one update at most.
    let mut stores: FxHashMap<u32, u32> = FxHashMap::default();
    candidates.iter().for_each(|c| *stores.entry(c.store).or_default() += 1);
    candidates.retain(|c| stores[&c.store] == 1);
    // What was computed from the loaded value must be dead behind the store.
    let liveness = Liveness::new(body);
    let mut dead_after: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
    for (i, c) in candidates.iter().enumerate() {
        dead_after.entry(c.store).or_default().push(i);
    }
    liveness.for_each_after(body, &mut |at, live| {
        for &i in dead_after.get(&at).into_iter().flatten() {
            let c = &candidates[i];
            if c.slots.iter().all(|&s| !live.contains(s)) {
                let part = Part { operand: Some(c.operand), minus: c.minus, ..Part::plain(c.class) };
                parts.insert(c.load, part);
                parts.insert(c.store, part);
                if let Some((pc, slot)) = c.feed
                    && !live.contains(slot)
                {
                    parts.entry(pc).or_insert(Part { feeds: true, ..part });
                    parts.insert(c.store, Part { fed: Some(pc), ..part });
                }
            }
        }
        for &(rmw, (pc, slot)) in feeds.iter().filter(|f| f.0 == at) {
            if !live.contains(slot)
                && let Some(part) = parts.get(&rmw).copied()
            {
                parts.entry(pc).or_insert(Part { feeds: true, atomic: false, ..Part::plain(part.class) });
                parts.insert(rmw, Part { fed: Some(pc), ..part });
            }
        }
    });
    parts
}

fn choice_of(module: &Module, access: AccessId) -> UpdateChoice {
    let update = module.accesses.get(access.0 as usize).and_then(|a| a.update);
    update.map_or(UpdateChoice::None, |u| u.choice)
}

fn chosen(module: &Module, access: AccessId, src: Option<Opnd>) -> Option<Part> {
    let class = indivisible(module, access)?;
    let choice = choice_of(module, access);
    // Which value is picked is not to be seen in what is stored; the new one was loaded, and is seen there.
    let operand = src.filter(|_| choice == UpdateChoice::Stores);
    let update = module.accesses[access.0 as usize].update?;
    let feeds = update.part == UpdatePart::Feeds;
    Some(Part { operand, choice, feeds, id: update.id, ..Part::plain(class) })
}

/// The branches that decide what such updates store, in a body. (Loads on a side of one are followed by no branch.)
fn branches<'m>(module: &'m Module, body: &'m Body) -> impl Iterator<Item = u32> + 'm {
    let loads = body.code.iter().enumerate().filter(|(_, inst)| {
        matches!(**inst, Inst::Load { access, .. } if choice_of(module, access) != UpdateChoice::None)
    });
    loads.filter_map(|(pc, _)| {
        let branch = (pc..body.code.len()).find(|pc| body.code[*pc].is_terminator())?;
        matches!(body.code[branch], Inst::Branch { .. }).then_some(branch as u32)
    })
}

/// Whether both sides of all these branches are told, so that every such update is seen as a whole.
fn choices_are_told(module: &Module, body: &Body) -> bool {
    branches(module, body).all(|branch| ir::hammock::join(body, branch).is_some())
}

/// The branches of a module that decide what such updates store.
pub fn choices(module: &Module) -> FxHashSet<(u32, u32)> {
    let bodies = module.funcs.iter().enumerate().filter_map(|(f, func)| Some((f, func.body.as_ref()?)));
    let sites = bodies.flat_map(|(f, body)| {
        let told = move |pc: &u32| ir::hammock::join(body, *pc).is_some();
        branches(module, body).filter(told).map(move |pc| (f as u32, pc))
    });
    sites.collect()
}

struct Candidate {
    load: u32,
    store: u32,
    class: Class,
    /// Slots that hold the loaded value or what comes of it.
    slots: Vec<u32>,
    /// The load of the operand, and its slot, if nothing else uses it.
    feed: Option<(u32, u32)>,
    operand: Opnd,
    /// Whether it is subtracted.
    minus: bool,
}

/// The operation of an indivisible update that the front end recognised.
fn indivisible(module: &Module, access: AccessId) -> Option<Class> {
    let op = module.accesses.get(access.0 as usize)?.update?.op?;
    Some(match op {
        UpdateOp::Add => Class::Add,
        UpdateOp::Mul => Class::Mul,
        UpdateOp::And => Class::And,
        UpdateOp::Or => Class::Or,
        UpdateOp::Xor => Class::Xor,
        UpdateOp::LogicalAnd => Class::LogicalAnd,
        UpdateOp::LogicalOr => Class::LogicalOr,
        UpdateOp::Min => Class::Smin,
        UpdateOp::Max => Class::Smax,
        UpdateOp::UnsignedMin => Class::Umin,
        UpdateOp::UnsignedMax => Class::Umax,
        UpdateOp::FloatAdd => Class::FloatAdd,
        UpdateOp::FloatMul => Class::FloatMul,
        UpdateOp::FloatMin => Class::FloatMin,
        UpdateOp::FloatMax => Class::FloatMax,
    })
}

/// Follows a loaded value to the store that ends the update, if it is one.
fn follow(
    body: &Body,
    targets: &[bool],
    load: usize,
    (dst, addr, ty): (Slot, Opnd, Scalar),
) -> Option<Candidate> {
    if !addr.is_const() && addr.index() as u32 == dst.0 {
        return None;
    }
    let mut now = dst;
    let mut slots = vec![dst.0];
    let mut class = None;
    let mut cast = false;
    let mut operand: Option<(usize, Opnd)> = None;
    for pc in load + 1..body.code.len() {
        if targets[pc] {
            return None;
        }
        let inst = body.code[pc];
        let is_now = |o: Opnd| !o.is_const() && o.index() as u32 == now.0;
        if let Inst::Store { addr: to, src, ty: as_ty, .. } = inst {
            let fits = is_now(src) && to == addr && as_ty == ty;
            let class = class.filter(|&c| fits && (!cast || survives_casts(c)))?;
            let (at, operand) = operand?;
            let slot = (!operand.is_const()).then(|| operand.index() as u32);
            let feed = slot.and_then(|slot| feed(body, targets, (load, at, pc), slot));
            let minus = matches!(
                body.code[at],
                Inst::Int { op: IntOp::Sub, .. } | Inst::Float { op: FloatOp::Sub, .. }
            );
            return Some(Candidate {
                load: load as u32,
                store: pc as u32,
                class,
                slots,
                feed,
                operand,
                minus,
            });
        }
        let mut uses = 0;
        let mut uses_old = false;
        inst.uses(body, &mut |o, n| {
            if !o.is_const() {
                let range = o.index() as u32..o.index() as u32 + n;
                uses += u32::from(range.contains(&now.0));
                uses_old |= slots.iter().any(|s| *s != now.0 && range.contains(s));
            }
        });
        if let Inst::IntFn { a, b, .. } | Inst::FloatFn { a, b, .. } = inst
            && step(&inst, now, &mut class.clone(), &mut cast.clone()).is_some()
        {
            // Functions of two operands name the first again as a third.
            uses = u32::from(is_now(a)) + u32::from(is_now(b));
        }
        if uses_old || uses > 1 || !is_quiet(&inst) {
            return None;
        }
        if uses == 1
            && let Inst::Int { a, b, .. }
            | Inst::Float { a, b, .. }
            | Inst::IntFn { a, b, .. }
            | Inst::FloatFn { a, b, .. } = inst
        {
            // One operation, whose operand is still there at the store: what is added must be known there.
            if operand.is_some() {
                return None;
            }
            operand = Some((pc, if is_now(a) { b } else { a }));
        }
        let next = if uses == 1 { Some(step(&inst, now, &mut class, &mut cast)?) } else { None };
        let mut lost = false;
        inst.defs(body, &mut |slot, n| {
            let range = slot.0..slot.0 + n;
            lost |= !addr.is_const() && range.contains(&(addr.index() as u32));
            lost |= next.is_none() && range.contains(&now.0);
            let holds = |(_, o): (usize, Opnd)| !o.is_const() && range.contains(&(o.index() as u32));
            lost |= operand.is_some_and(holds);
            slots.retain(|s| !range.contains(s));
        });
        if lost {
            return None;
        }
        if let Some(next) = next {
            now = next;
            slots.push(next.0);
        }
    }
    None
}

/// The load that gives an update its operand: in the same block, used by the operation at `at` alone.
fn feed(
    body: &Body,
    targets: &[bool],
    (load, at, store): (usize, usize, usize),
    slot: u32,
) -> Option<(u32, u32)> {
    let touches = |pc: usize, defs: bool| {
        let mut hit = false;
        let mut look = |from: u32, n: u32| hit |= (from..from + n).contains(&slot);
        if defs {
            body.code[pc].defs(body, &mut |s, n| look(s.0, n));
        } else {
            body.code[pc].uses(body, &mut |o, n| {
                if !o.is_const() {
                    look(o.index() as u32, n);
                }
            });
        }
        hit
    };
    let mut from = at;
    loop {
        from = from.checked_sub(1)?;
        if targets[from + 1] || body.code[from].is_terminator() {
            return None;
        }
        if touches(from, true) {
            break;
        }
    }
    let alone = (from + 1..=store).all(|pc| pc == at || !touches(pc, false));
    let is_load = matches!(body.code[from], Inst::Load { .. }) && from != load;
    (alone && is_load).then_some((from as u32, slot))
}

/// An instruction that uses the value: where its result is, if that is still an update of one class.
fn step(inst: &Inst, now: Slot, class: &mut Option<Class>, cast: &mut bool) -> Option<Slot> {
    let is_now = |o: Opnd| !o.is_const() && o.index() as u32 == now.0;
    let mut operate = |of: Class, dst: Slot| {
        let same = class.is_none_or(|c| c == of);
        *class = Some(of);
        same.then_some(dst)
    };
    match *inst {
        Inst::Move { dst, .. } => Some(dst),
        Inst::Int { op, bits, dst, a, .. } if bits <= 64 => match op {
            IntOp::Add => operate(Class::Add, dst),
            IntOp::Sub if is_now(a) => operate(Class::Add, dst),
            IntOp::Mul => operate(Class::Mul, dst),
            IntOp::And => operate(Class::And, dst),
            IntOp::Or => operate(Class::Or, dst),
            IntOp::Xor => operate(Class::Xor, dst),
            _ => None,
        },
        Inst::IntFn { f, bits, dst, .. } if bits <= 64 => match f {
            IntFn::Smin => operate(Class::Smin, dst),
            IntFn::Smax => operate(Class::Smax, dst),
            IntFn::Umin => operate(Class::Umin, dst),
            IntFn::Umax => operate(Class::Umax, dst),
            _ => None,
        },
        Inst::Float { op, ty: Scalar::F32 | Scalar::F64, dst, a, .. } => match op {
            FloatOp::Add => operate(Class::FloatAdd, dst),
            FloatOp::Sub if is_now(a) => operate(Class::FloatAdd, dst),
            FloatOp::Mul => operate(Class::FloatMul, dst),
            _ => None,
        },
        Inst::FloatFn { f, ty: Scalar::F32 | Scalar::F64, dst, .. } => match f {
            FloatFn::MinNum | FloatFn::Lesser => operate(Class::FloatMin, dst),
            FloatFn::MaxNum | FloatFn::Greater => operate(Class::FloatMax, dst),
            _ => None,
        },
        Inst::Cast { op, from, to, dst, .. } => {
            *cast = true;
            let fits = match op {
                CastOp::SExt | CastOp::ZExt => class.is_none() && both_int(from, to),
                CastOp::Trunc => class.is_some() && both_int(from, to),
                CastOp::FpToFp => {
                    let floats = [from, to].iter().all(|s| matches!(s, Scalar::F32 | Scalar::F64));
                    floats && class.is_none_or(Class::is_assumed)
                }
                _ => false,
            };
            fits.then_some(dst)
        }
        _ => None,
    }
}

fn both_int(a: Scalar, b: Scalar) -> bool {
    [a, b].iter().all(|s| matches!(s, Scalar::Int(bits) if *bits <= 64))
}

fn survives_casts(class: Class) -> bool {
    use Class as C;
    matches!(class, C::Add | C::Mul | C::And | C::Or | C::Xor | C::FloatAdd | C::FloatMul)
}

/// Whether an instruction neither stores, synchronises, calls nor ends the block.
fn is_quiet(inst: &Inst) -> bool {
    matches!(
        inst,
        Inst::Move { .. }
            | Inst::Int { .. }
            | Inst::IntCmp { .. }
            | Inst::Float { .. }
            | Inst::FloatNeg { .. }
            | Inst::FloatCmp { .. }
            | Inst::Cast { .. }
            | Inst::Select { .. }
            | Inst::IntFn { .. }
            | Inst::FloatFn { .. }
            | Inst::Index { .. }
            | Inst::Offset { .. }
            | Inst::Load { .. }
            | Inst::ThreadLocal { .. }
            | Inst::Nop
    )
}

fn rmw_class(op: RmwOp) -> Option<Class> {
    Some(match op {
        RmwOp::Add | RmwOp::Sub => Class::Add,
        RmwOp::And => Class::And,
        RmwOp::Or => Class::Or,
        RmwOp::Xor => Class::Xor,
        RmwOp::Max => Class::Smax,
        RmwOp::Min => Class::Smin,
        RmwOp::UMax => Class::Umax,
        RmwOp::UMin => Class::Umin,
        RmwOp::FAdd | RmwOp::FSub => Class::FloatAdd,
        RmwOp::FMax => Class::FloatMax,
        RmwOp::FMin => Class::FloatMin,
        RmwOp::Xchg | RmwOp::Nand | RmwOp::UIncWrap | RmwOp::UDecWrap => return None,
    })
}
