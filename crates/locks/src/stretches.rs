//! Straight stretches of code: where a branch ends a work unit (P5 3.2).
//!
//! A *stretch* is what is executed between two places where control can go more than one way or can come from more than one place. Blocks
//! that merely follow each other belong to one stretch. A call does not end the caller's stretch; the callee has stretches of its own.

use ir::{Body, FuncId, Inst, Module};
use machine::Thread;
use rustc_hash::FxHashMap;

/// A stretch of a program: the function, and the first instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Stretch(u64);

/// The stretches of a program, found when they are asked for.
pub struct Stretches<'m> {
    module: &'m Module,
    /// By function and instruction: where its stretch begins.
    known: FxHashMap<u32, Vec<u32>>,
}

impl<'m> Stretches<'m> {
    /// Of a module.
    pub fn new(module: &'m Module) -> Stretches<'m> {
        Stretches { module, known: FxHashMap::default() }
    }

    /// The stretch that an instruction belongs to.
    pub fn of(&mut self, func: FuncId, pc: u32) -> Stretch {
        let module = self.module;
        let begins = self.known.entry(func.0).or_insert_with(|| {
            module.funcs[func.0 as usize].body.as_ref().map(stretches).unwrap_or_default()
        });
        Stretch(u64::from(func.0) << 32 | u64::from(begins.get(pc as usize).copied().unwrap_or(0)))
    }

    /// The stretch of the user's code that a thread executes: of the innermost function that is not a library's.
    pub fn at(&mut self, th: &Thread) -> Stretch {
        let user = th.frames.iter().rev().find(|f| !self.module.funcs[f.func.0 as usize].system);
        user.map_or(Stretch(u64::MAX), |f| self.of(f.func, f.pc))
    }
}

/// Where an instruction can go, and whether it chooses.
fn targets(body: &Body, inst: &Inst) -> (Vec<u32>, bool) {
    let edge = |e: ir::EdgeId| body.edges[e.0 as usize].target;
    match *inst {
        Inst::Jump { edge: e } => (vec![edge(e)], false),
        Inst::Branch { then, otherwise, .. } => (vec![edge(then), edge(otherwise)], true),
        // Exceptions are branches only where they are caught.
        Inst::Invoke { normal, unwind, .. } => (vec![edge(normal), edge(unwind)], false),
        Inst::Switch { table, .. } => {
            let table = &body.switches[table as usize];
            (table.cases.iter().map(|c| edge(c.1)).chain([edge(table.default)]).collect(), true)
        }
        Inst::IndirectJump { first, count, .. } => {
            ((first.0..first.0 + count).map(|e| edge(ir::EdgeId(e))).collect(), true)
        }
        _ => (Vec::new(), false),
    }
}

/// For each instruction the first one of its stretch.
fn stretches(body: &Body) -> Vec<u32> {
    let n = body.code.len();
    // By instruction: the only jump that leads there, if it does not choose. Two: none.
    let mut from: Vec<Option<u32>> = vec![None; n];
    let mut begins = vec![false; n];
    let mut leads = vec![0u32; n];
    for (pc, inst) in body.code.iter().enumerate() {
        let (to, chooses) = targets(body, inst);
        for (i, &t) in to.iter().enumerate() {
            let unwinds = matches!(inst, Inst::Invoke { .. }) && i == 1;
            begins[t as usize] = true;
            leads[t as usize] += if chooses || unwinds { 2 } else { 1 };
            from[t as usize] = Some(pc as u32);
        }
    }
    let mut block = vec![0u32; n];
    let mut current = 0;
    for pc in 0..n {
        if begins[pc] {
            current = pc as u32;
        }
        block[pc] = current;
    }
    // A block that only one jump leads to goes on with the stretch of that jump.
    let root = |start: u32| {
        let mut at = start;
        for _ in 0..n {
            match from[at as usize] {
                Some(jump) if leads[at as usize] == 1 && block[jump as usize] != at => {
                    at = block[jump as usize];
                }
                _ => break,
            }
        }
        at
    };
    let mut roots: FxHashMap<u32, u32> = FxHashMap::default();
    block.iter().map(|&b| *roots.entry(b).or_insert_with(|| root(b))).collect()
}
