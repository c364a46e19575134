//! Loop variables: which value a variable of the source has in the n-th iteration of a worksharing or `simd` loop.
//!
//! clang counts the iterations of such a loop in `.omp.iv`, and computes the loop variable from it at the beginning of
//! `omp.inner.for.body`: `i = lower + step * .omp.iv`. Where both are constants, reports can name the iteration by the
//! variable's value. A nest of collapsed loops has no such form.

use rustc_hash::FxHashMap;

use crate::llvm::{Block, Module, Opcode, Value};

/// A loop variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoopVariable {
    /// Its name.
    pub name: String,
    /// Its value in iteration 0.
    pub lower: i64,
    /// By how much it grows.
    pub step: i64,
}

/// The loop variables of a program, by function (its linkage name) and the line of the directive.
#[derive(Debug, Default)]
pub struct Loops(pub FxHashMap<String, Vec<(u32, LoopVariable)>>);

/// Finds them, before locals are promoted.
pub fn find(llvm: &Module) -> Loops {
    let mut all = Loops::default();
    for function in llvm.functions() {
        let bodies: Vec<_> =
            function.blocks().filter(|b| b.name().starts_with("omp.inner.for.body")).collect();
        if bodies.is_empty() {
            continue;
        }
        let names = names(llvm, function);
        let found: Vec<_> = bodies.into_iter().filter_map(|b| loop_variable(llvm, b, &names)).collect();
        all.0.insert(function.name(), found);
    }
    all
}

/// What the source calls the stack objects of a function.
fn names<'m>(llvm: &'m Module, function: Value<'m>) -> FxHashMap<Value<'m>, String> {
    let known = llvm.expressions();
    let notes =
        function.blocks().flat_map(|b| b.instructions()).filter_map(|i| llvm.variable_note(i, &known));
    let named = notes.filter(|n| n.declare).filter_map(|n| Some((n.value?, llvm.variable_name(n.variable)?)));
    named.collect()
}

fn loop_variable(
    llvm: &Module,
    body: Block<'_>,
    names: &FxHashMap<Value<'_>, String>,
) -> Option<(u32, LoopVariable)> {
    let cond = *body.predecessors().first()?;
    // The way back belongs to the directive, the test to the `for`.
    let mut ways = cond.predecessors().into_iter().filter_map(|b| b.terminator());
    let back = ways.find(|way| llvm.attachment(*way, "llvm.loop").is_some())?;
    let line = back.location()?.line;
    let store = body.instructions().find(|i| i.opcode() == Some(Opcode::LLVMStore))?;
    let name = names.get(&store.operand(1)).filter(|n| !n.starts_with('.'))?.clone();
    let value = store.operand(0);
    let (lower, step) = match value.opcode()? {
        Opcode::LLVMAdd => (value.operand(0).constant_int()?, scaled(value.operand(1))?),
        Opcode::LLVMSub => (value.operand(0).constant_int()?, scaled(value.operand(1))?.checked_neg()?),
        _ => return None,
    };
    Some((line, LoopVariable { name, lower, step }))
}

/// The factor by which the counter is multiplied.
fn scaled(value: Value<'_>) -> Option<i64> {
    let counts =
        |v: Value<'_>| v.opcode() == Some(Opcode::LLVMLoad) && v.operand(0).name().starts_with(".omp.iv");
    match value.opcode()? {
        Opcode::LLVMMul if counts(value.operand(0)) => value.operand(1).constant_int(),
        _ => counts(value).then_some(1),
    }
}
