//! Code that a run never comes to, because the runtime always lets a reduction be combined under a lock.
//!
//! clang asks `__kmpc_reduce` how to combine: 1 by plain code under the runtime's lock, 2 by relaxed atomic operations.
//! The answer here is 1. Without knowing so, every program with a reduction would count as one with relaxed atomics.

use ir::{Body, Callee, Inst, Module};

/// The instructions that can be reached; `None` if there is no reduction, and all may be.
pub(crate) fn reachable(module: &Module, body: &Body) -> Option<Vec<bool>> {
    let answers: Vec<u32> = body
        .code
        .iter()
        .filter_map(|inst| match *inst {
            Inst::Call { site } | Inst::Invoke { site, .. } => Some(&body.calls[site as usize]),
            _ => None,
        })
        .filter(|site| match site.callee {
            Callee::Direct(f) => {
                let name = &module.funcs[f.0 as usize].name;
                name == "__kmpc_reduce" || name == "__kmpc_reduce_nowait"
            }
            Callee::Indirect(_) => false,
        })
        .map(|site| site.result.0)
        .collect();
    if answers.is_empty() {
        return None;
    }
    let mut seen = vec![false; body.code.len()];
    let mut open = vec![0u32];
    while let Some(at) = open.pop() {
        if at as usize >= seen.len() || std::mem::replace(&mut seen[at as usize], true) {
            continue;
        }
        let inst = &body.code[at as usize];
        let target = |edge: ir::EdgeId| body.edges[edge.0 as usize].target;
        if let Inst::Switch { value, table } = *inst
            && !value.is_const()
            && answers.contains(&(value.index() as u32))
        {
            let table = &body.switches[table as usize];
            open.push(target(table.default));
            open.extend(table.cases.iter().filter(|c| c.0 != 2).map(|c| target(c.1)));
            continue;
        }
        inst.edges(body, &mut |edge| open.push(target(edge)));
        if !inst.is_terminator() {
            open.push(at + 1);
        }
    }
    Some(seen)
}
