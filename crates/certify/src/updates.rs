//! Recognises updates, `x = x op v`, by the rule of docs/soundness.md ("Updates").
//!
//! A plain update is a load, one operation of a class on what was loaded (with moves, and conversions where these do not matter) and a
//! store to the same place, in one basic block, with nothing between them that stores, calls or synchronises; what was loaded and
//! what comes of it is used nowhere else and dead behind the store, and the other operand is still in its slot there. An atomic
//! read-modify-write is one by itself. Updates that a branch decides, and compare-and-exchange loops, the front end has recognised.

use ir::liveness::Liveness;
use ir::{
    Body, CastOp, FloatFn, FloatOp, Inst, IntFn, IntOp, Module, Opnd, RmwOp, Scalar, UpdateChoice, UpdatePart,
};
use rustc_hash::FxHashSet;

use crate::certificate::Class;

/// What an instruction is to an update.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Update {
    /// The operation.
    pub class: Class,
    /// Whether it is atomic.
    pub atomic: bool,
    /// Whether what was there goes nowhere else.
    pub silent: bool,
    /// Whether the instruction reads what goes into an update by a branch, and nowhere else.
    pub feeds: bool,
    /// What is combined into the place, at the store of a plain update.
    pub operand: Option<Opnd>,
    /// Whether a branch decides what is stored.
    pub choice: UpdateChoice,
    /// Which of these updates of its function it is.
    pub id: u32,
    /// The load that gives an atomic operation its operand, and nothing else.
    pub fed: Option<u32>,
}

/// The updates of a program, found function by function.
#[derive(Debug)]
pub struct Updates<'m> {
    module: &'m Module,
    funcs: Vec<Option<Vec<Option<Update>>>>,
    /// By function: whether some of these pick what they store.
    picks: Vec<bool>,
}

impl<'m> Updates<'m> {
    /// Of a module.
    pub fn new(module: &'m Module) -> Updates<'m> {
        Updates { module, funcs: vec![None; module.funcs.len()], picks: vec![false; module.funcs.len()] }
    }

    /// What the instruction is part of.
    #[inline]
    pub fn of(&mut self, at: u64) -> Option<Update> {
        let (func, pc) = ((at >> 32) as usize, at as u32 as usize);
        if self.funcs.get(func)?.is_none() {
            let body = self.module.funcs[func].body.as_ref();
            let all = body.map(|body| of_body(self.module, body)).unwrap_or_default();
            self.picks[func] = all.iter().flatten().any(|u| u.choice == UpdateChoice::Picks);
            self.funcs[func] = Some(all);
        }
        self.funcs[func].as_ref()?.get(pc).copied().flatten()
    }

    /// Whether a function has updates that pick what they store.
    #[inline]
    pub fn picks(&mut self, at: u64) -> bool {
        self.of(at);
        self.picks.get((at >> 32) as usize).copied().unwrap_or(false)
    }
}

fn plain(class: Class) -> Update {
    let choice = UpdateChoice::None;
    Update { class, atomic: false, silent: true, feeds: false, operand: None, choice, id: 0, fed: None }
}

/// The branches of a body that decide what updates store.
fn deciding<'m>(module: &'m Module, body: &'m Body) -> impl Iterator<Item = u32> + 'm {
    let chosen = |inst: &Inst| matches!(*inst, Inst::Load { access, .. } if choice(module, access) != UpdateChoice::None);
    let loads = (0..body.code.len()).filter(move |&pc| chosen(&body.code[pc]));
    let branch = |pc: usize| (pc..body.code.len()).find(|&pc| body.code[pc].is_terminator());
    loads.filter_map(branch).filter(|&pc| matches!(body.code[pc], Inst::Branch { .. })).map(|pc| pc as u32)
}

/// The branches of a module that decide what updates store, and whose ways meet again.
pub fn choices(module: &Module) -> FxHashSet<(u32, u32)> {
    let bodies =
        module.funcs.iter().enumerate().filter_map(|(f, func)| Some((f as u32, func.body.as_ref()?)));
    let meets = |body: &Body, pc: &u32| ir::hammock::join(body, *pc).is_some();
    bodies
        .flat_map(|(f, body)| deciding(module, body).filter(move |pc| meets(body, pc)).map(move |pc| (f, pc)))
        .collect()
}

fn choice(module: &Module, access: ir::AccessId) -> UpdateChoice {
    module.accesses.get(access.0 as usize).and_then(|a| a.update).map_or(UpdateChoice::None, |u| u.choice)
}

/// An update that the front end has recognised.
fn recognised(module: &Module, access: ir::AccessId) -> Option<Update> {
    use ir::UpdateOp as Op;
    let update = module.accesses.get(access.0 as usize)?.update?;
    let class = match update.op? {
        Op::Add => Class::Add,
        Op::Mul => Class::Mul,
        Op::And => Class::And,
        Op::Or => Class::Or,
        Op::Xor => Class::Xor,
        Op::LogicalAnd => Class::LogicalAnd,
        Op::LogicalOr => Class::LogicalOr,
        Op::Min => Class::Smin,
        Op::Max => Class::Smax,
        Op::UnsignedMin => Class::Umin,
        Op::UnsignedMax => Class::Umax,
        Op::FloatAdd => Class::FloatAdd,
        Op::FloatMul => Class::FloatMul,
        Op::FloatMin => Class::FloatMin,
        Op::FloatMax => Class::FloatMax,
    };
    let feeds = update.part == UpdatePart::Feeds;
    Some(Update { choice: update.choice, id: update.id, feeds, ..plain(class) })
}

fn of_body(module: &Module, body: &Body) -> Vec<Option<Update>> {
    let mut found = vec![None; body.code.len()];
    let mut targets = vec![false; body.code.len() + 1];
    body.edges.iter().for_each(|edge| targets[edge.target as usize] = true);
    let told = deciding(module, body).all(|pc| ir::hammock::join(body, pc).is_some());
    let (mut ends, mut feeds) = (Vec::new(), Vec::new());
    for (pc, inst) in body.code.iter().enumerate() {
        match *inst {
            Inst::AtomicRmw { op, src, .. } => {
                found[pc] = rmw(op).map(|class| Update { atomic: true, silent: false, ..plain(class) });
                // What is subtracted is no share of the sum.
                let sums = found[pc].is_some() && !matches!(op, RmwOp::Sub | RmwOp::FSub);
                feeds.extend(feed(body, &targets, pc, src).filter(|_| sums));
            }
            Inst::AtomicLoad { access, .. } => {
                found[pc] = recognised(module, access).map(|u| Update { atomic: true, ..plain(u.class) });
            }
            Inst::CmpXchg { index, .. } if body.cmpxchgs[index as usize].ends_update => {
                let update = recognised(module, body.cmpxchgs[index as usize].access);
                found[pc] = update.map(|u| Update { atomic: true, ..plain(u.class) });
            }
            Inst::Load { access, .. } if choice(module, access) != UpdateChoice::None => {
                found[pc] = recognised(module, access).filter(|_| told);
            }
            Inst::Store { access, src, .. } if choice(module, access) != UpdateChoice::None => {
                let operand = |u: &Update| (u.choice == UpdateChoice::Stores).then_some(src);
                found[pc] =
                    recognised(module, access).filter(|_| told).map(|u| Update { operand: operand(&u), ..u });
            }
            Inst::Load { .. } => ends.extend(follow(body, &targets, pc)),
            _ => {}
        }
    }
    // `x = x + x` is none: a store ends one update at most. And nothing of what was loaded is needed behind it.
    let once = |ends: &[Found], store: u32| ends.iter().filter(|e| e.store == store).count() == 1;
    let single: Vec<bool> = ends.iter().map(|e| once(&ends, e.store)).collect();
    if !(ends.is_empty() && feeds.is_empty()) {
        Liveness::new(body).for_each_after(body, &mut |pc, live| {
            for (e, _) in ends.iter().zip(&single).filter(|(e, single)| **single && e.store == pc) {
                if e.slots.iter().all(|&slot| !live.contains(slot)) {
                    let update = Some(Update { operand: Some(e.operand), ..plain(e.class) });
                    (found[e.load as usize], found[e.store as usize]) = (update, update);
                }
            }
            for &(load, _, rmw) in feeds.iter().filter(|f| f.2 == pc && !live.contains(f.1)) {
                if let (None, Some(update)) = (found[load as usize], found[rmw as usize]) {
                    found[rmw as usize] = Some(Update { fed: Some(load), ..update });
                    found[load as usize] = Some(Update { feeds: true, ..plain(update.class) });
                }
            }
        });
    }
    found
}

/// The load, in the same block, that gives an atomic operation its operand and that nothing else uses; its slot, and the operation.
fn feed(body: &Body, targets: &[bool], rmw: usize, src: Opnd) -> Option<(u32, u32, u32)> {
    let slot = (!src.is_const()).then(|| src.index() as u32)?;
    for pc in (0..rmw).rev() {
        if targets[pc + 1] || body.code[pc].is_terminator() {
            return None;
        }
        let (mut used, mut defined) = (false, false);
        body.code[pc].defs(body, &mut |s, n| defined |= (s.0..s.0 + n).contains(&slot));
        if defined {
            let is_load = matches!(body.code[pc], Inst::Load { ty, .. } if ty.slots() == 1);
            return is_load.then_some((pc as u32, slot, rmw as u32));
        }
        body.code[pc].uses(body, &mut |o, n| {
            used |= !o.is_const() && (o.index() as u32..o.index() as u32 + n).contains(&slot);
        });
        if used {
            return None;
        }
    }
    None
}

/// A load and the store that ends its update.
struct Found {
    load: u32,
    store: u32,
    class: Class,
    operand: Opnd,
    /// The slots that hold what was loaded, or what comes of it.
    slots: Vec<u32>,
}

fn follow(body: &Body, targets: &[bool], load: usize) -> Option<Found> {
    let Inst::Load { dst, addr, ty, .. } = body.code[load] else { return None };
    let slot = |o: Opnd| (!o.is_const()).then(|| o.index() as u32);
    let (mut now, mut slots, mut cast) = (dst.0, vec![dst.0], false);
    let mut operation: Option<(Class, Opnd)> = None;
    if ty.slots() != 1 || slot(addr) == Some(now) {
        return None;
    }
    for (pc, &inst) in body.code.iter().enumerate().skip(load + 1) {
        if targets[pc] {
            return None;
        }
        if let Inst::Store { addr: to, src, ty: as_ty, .. } = inst {
            let (class, operand) = operation.filter(|(class, _)| !cast || keeps(*class))?;
            let fits = slot(src) == Some(now) && to == addr && as_ty == ty;
            return fits.then_some(Found { load: load as u32, store: pc as u32, class, operand, slots });
        }
        let (mut used, mut used_old) = (false, false);
        inst.uses(body, &mut |o, n| {
            let range = slot(o).map(|s| s..s + n);
            used |= range.as_ref().is_some_and(|r| r.contains(&now));
            used_old |= range.is_some_and(|r| slots.iter().any(|s| *s != now && r.contains(s)));
        });
        if used_old || !is_quiet(&inst) {
            return None;
        }
        let mut next = None;
        if used {
            let is_now = |o: Opnd| slot(o) == Some(now);
            let (to, op) = step(&inst, is_now, operation.map(|o| o.0))?;
            if let Some((class, other)) = op {
                if operation.is_some() || is_now(other) {
                    return None;
                }
                operation = Some((class, other));
            }
            cast |= matches!(inst, Inst::Cast { .. });
            next = Some(to);
        }
        let mut lost = false;
        inst.defs(body, &mut |s, n| {
            let range = s.0..s.0 + n;
            let kept = [slot(addr), operation.and_then(|o| slot(o.1)), Some(now).filter(|_| next.is_none())];
            lost |= kept.into_iter().flatten().any(|s| range.contains(&s));
            slots.retain(|s| !range.contains(s));
        });
        if lost {
            return None;
        }
        if let Some(to) = next {
            now = to;
            slots.push(to);
        }
    }
    None
}

/// Where an instruction that uses the value leaves it, and the operation with its other operand, if it is one.
fn step(
    inst: &Inst,
    is_now: impl Fn(Opnd) -> bool,
    had: Option<Class>,
) -> Option<(u32, Option<(Class, Opnd)>)> {
    let ints = |a: Scalar, b: Scalar| [a, b].iter().all(|s| matches!(s, Scalar::Int(bits) if *bits <= 64));
    let floats = |a: Scalar, b: Scalar| [a, b].iter().all(|s| matches!(s, Scalar::F32 | Scalar::F64));
    let (class, dst, a, b) = match *inst {
        Inst::Move { dst, .. } => return Some((dst.0, None)),
        Inst::Cast { op, from, to, dst, .. } => {
            let fits = match op {
                CastOp::SExt | CastOp::ZExt => had.is_none() && ints(from, to),
                CastOp::Trunc => had.is_some() && ints(from, to),
                CastOp::FpToFp => floats(from, to) && had.is_none_or(Class::is_assumed),
                _ => false,
            };
            return fits.then_some((dst.0, None));
        }
        Inst::Int { op, bits, dst, a, b, .. } if bits <= 64 => (int_class(op, is_now(a))?, dst, a, b),
        Inst::IntFn { f, bits, dst, a, b, .. } if bits <= 64 => (int_fn_class(f)?, dst, a, b),
        Inst::Float { op, ty: Scalar::F32 | Scalar::F64, dst, a, b, .. } => {
            (float_class(op, is_now(a))?, dst, a, b)
        }
        Inst::FloatFn { f, ty: Scalar::F32 | Scalar::F64, dst, a, b, .. } => (float_fn_class(f)?, dst, a, b),
        _ => return None,
    };
    // The value is one operand, and one alone.
    (is_now(a) != is_now(b)).then(|| (dst.0, Some((class, if is_now(a) { b } else { a }))))
}

/// The class of an operation on integers; `first`: whether the gathered value is the first operand.
pub fn int_class(op: IntOp, first: bool) -> Option<Class> {
    Some(match op {
        IntOp::Add => Class::Add,
        IntOp::Sub if first => Class::Add,
        IntOp::Mul => Class::Mul,
        IntOp::And => Class::And,
        IntOp::Or => Class::Or,
        IntOp::Xor => Class::Xor,
        _ => return None,
    })
}

/// The class of a function of integers.
pub fn int_fn_class(f: IntFn) -> Option<Class> {
    Some(match f {
        IntFn::Smin => Class::Smin,
        IntFn::Smax => Class::Smax,
        IntFn::Umin => Class::Umin,
        IntFn::Umax => Class::Umax,
        _ => return None,
    })
}

/// The class of an operation on floating-point numbers.
pub fn float_class(op: FloatOp, first: bool) -> Option<Class> {
    Some(match op {
        FloatOp::Add => Class::FloatAdd,
        FloatOp::Sub if first => Class::FloatAdd,
        FloatOp::Mul => Class::FloatMul,
        _ => return None,
    })
}

/// The class of a function of floating-point numbers.
pub fn float_fn_class(f: FloatFn) -> Option<Class> {
    Some(match f {
        FloatFn::MinNum | FloatFn::Lesser => Class::FloatMin,
        FloatFn::MaxNum | FloatFn::Greater => Class::FloatMax,
        _ => return None,
    })
}

/// Whether conversions around the operation do not matter: truncation is a homomorphism.
fn keeps(class: Class) -> bool {
    use Class as C;
    matches!(class, C::Add | C::Mul | C::And | C::Or | C::Xor | C::FloatAdd | C::FloatMul)
}

/// Whether an instruction neither stores, synchronises, calls nor ends the block.
fn is_quiet(inst: &Inst) -> bool {
    use Inst as I;
    let computes =
        matches!(inst, I::Move { .. } | I::Int { .. } | I::IntCmp { .. } | I::Float { .. } | I::Cast { .. });
    let rarely = matches!(inst, I::FloatNeg { .. } | I::FloatCmp { .. } | I::Select { .. } | I::IntFn { .. });
    let others =
        matches!(inst, I::FloatFn { .. } | I::Index { .. } | I::Offset { .. } | I::ThreadLocal { .. });
    computes || rarely || others || matches!(inst, I::Load { .. } | I::Nop)
}

/// The class of an atomic read-modify-write.
pub fn rmw(op: RmwOp) -> Option<Class> {
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
