//! Which stack objects only their own function can ever reach.
//!
//! Accesses to such an object need not be recorded: nobody else can make a conflicting one. An object is private if its
//! address is used for nothing but loads, stores to it, copies, fills, and computing addresses inside it, within the
//! function that creates it. Slots are shared between values, so the answer errs on the side of "not private".

use ir::{Body, Inst, Opnd};
use rustc_hash::FxHashSet;

/// The instructions of a body that create private objects.
pub fn private_allocas(body: &Body) -> FxHashSet<u32> {
    let allocas = body.code.iter().enumerate().filter(|(_, i)| matches!(i, Inst::Alloca { .. }));
    allocas.filter(|&(_, inst)| is_private(body, inst)).map(|(pc, _)| pc as u32).collect()
}

fn is_private(body: &Body, alloca: &Inst) -> bool {
    let Inst::Alloca { dst, .. } = *alloca else { return false };
    let mut holders: FxHashSet<u32> = FxHashSet::default();
    holders.insert(dst.0);
    loop {
        let before = holders.len();
        for &(to, from) in &body.moves {
            flow(&mut holders, from, to.0);
        }
        for inst in &body.code {
            match *inst {
                Inst::Move { dst, src } => flow(&mut holders, src, dst.0),
                Inst::Index { dst, base, .. } | Inst::Offset { dst, base, .. } => {
                    flow(&mut holders, base, dst.0)
                }
                Inst::Select { dst, a, b, .. } => {
                    flow(&mut holders, a, dst.0);
                    flow(&mut holders, b, dst.0);
                }
                _ => {}
            }
        }
        if holders.len() == before {
            break;
        }
    }
    body.code.iter().all(|inst| harmless(body, inst, &holders))
}

fn flow(holders: &mut FxHashSet<u32>, from: Opnd, to: u32) {
    if !from.is_const() && holders.contains(&(from.index() as u32)) {
        holders.insert(to);
    }
}

/// Whether an instruction does nothing with the addresses in `holders` that could let them out.
fn harmless(body: &Body, inst: &Inst, holders: &FxHashSet<u32>) -> bool {
    let held = |o: Opnd, n: u32| !o.is_const() && (0..n).any(|i| holders.contains(&(o.index() as u32 + i)));
    match *inst {
        Inst::Move { .. }
        | Inst::Select { .. }
        | Inst::Offset { .. }
        | Inst::Load { .. }
        | Inst::AtomicLoad { .. }
        | Inst::IntCmp { .. }
        | Inst::Fill { .. }
        | Inst::Copy { .. }
        | Inst::LifetimeStart { .. }
        | Inst::LifetimeEnd { .. }
        | Inst::VaStart { .. }
        | Inst::VaEnd { .. }
        | Inst::VaCopy { .. }
        | Inst::VaArg { .. } => true,
        Inst::Index { index, .. } => !held(index, 1),
        Inst::Store { src, ty, .. } | Inst::AtomicStore { src, ty, .. } | Inst::AtomicRmw { src, ty, .. } => {
            !held(src, ty.slots())
        }
        _ => {
            let mut fine = true;
            inst.uses(body, &mut |o, n| fine &= !held(o, n));
            fine
        }
    }
}
