//! Small conditional parts of a function: where the two ways of a branch meet again.
//!
//! A *hammock* is a branch whose ways both lead to one instruction, the *join*, through nothing but arithmetic, plain loads and
//! stores and further branches: no call, no synchronisation, no loop. Both ways can then be looked at without
//! deciding for one: `if (v > max) max = v;` either stores or does not, and goes on behind it in any case.

use crate::code::{Body, Inst};

/// How many instructions both ways together may have, each counted as often as a path leads to it.
const MAX_STEPS: u32 = 256;

/// The join of the branch at `pc`, if it has one.
pub fn join(body: &Body, pc: u32) -> Option<u32> {
    let Inst::Branch { then, otherwise, .. } = body.code[pc as usize] else { return None };
    let edges = [then, otherwise].map(|e| body.edges[e.0 as usize]);
    if edges.iter().any(|e| e.back) {
        return None;
    }
    let starts = edges.map(|e| e.target);
    let mut candidates = starts.to_vec();
    targets(body, starts[0], &mut candidates);
    targets(body, starts[1], &mut candidates);
    candidates.into_iter().find(|&join| {
        let mut left = MAX_STEPS;
        starts.iter().all(|&start| reaches(body, start, join, &mut left))
    })
}

/// Adds the places that jumps lead to, in the order in which they are met from `from`.
fn targets(body: &Body, from: u32, out: &mut Vec<u32>) {
    let mut pc = from;
    for _ in 0..MAX_STEPS {
        match body.code[pc as usize] {
            Inst::Jump { edge } | Inst::Branch { otherwise: edge, .. } => {
                let edge = body.edges[edge.0 as usize];
                if edge.back {
                    return;
                }
                pc = edge.target;
                out.push(pc);
            }
            inst if is_simple(&inst) => pc += 1,
            _ => return,
        }
    }
}

/// Whether every path from `from` comes to `join` through simple instructions.
fn reaches(body: &Body, from: u32, join: u32, left: &mut u32) -> bool {
    let mut pc = from;
    while pc != join {
        if *left == 0 {
            return false;
        }
        *left -= 1;
        match body.code[pc as usize] {
            Inst::Jump { edge } => {
                let edge = body.edges[edge.0 as usize];
                if edge.back {
                    return false;
                }
                pc = edge.target;
            }
            Inst::Branch { then, otherwise, .. } => {
                let edges = [then, otherwise].map(|e| body.edges[e.0 as usize]);
                return edges.iter().all(|e| !e.back && reaches(body, e.target, join, left));
            }
            inst if is_simple(&inst) => pc += 1,
            _ => return false,
        }
    }
    true
}

/// Instructions that compute, load or store, and go on with the next one.
fn is_simple(inst: &Inst) -> bool {
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
            | Inst::Overflow { .. }
            | Inst::Index { .. }
            | Inst::Offset { .. }
            | Inst::Load { .. }
            | Inst::Store { .. }
            | Inst::Nop
    )
}
