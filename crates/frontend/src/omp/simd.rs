//! Lanes: the iterations of `simd` loops.
//!
//! clang marks such loops for the vectoriser (`llvm.loop.vectorize.enable` on the branch back to `omp.inner.for.cond`). Calls
//! are put in that tell the machine where the loop begins and within how many iterations lanes run at the same time
//! (`safelen`; 0: any), where each lane begins, and where the loop has ended. Around an `ordered simd` block, which clang
//! makes a function of, calls say that its lanes come one after another.
//!
//! `safelen` comes from the directive where that gives a number, else from the width that clang passes on (if it is not
//! that of `simdlen`). Variables whose scope is the construct are private to a lane; clang has one copy of each for the
//! whole loop. They are hidden from observers ([`ir::Sight::Hidden`]): only this lane can name them. Other variables that
//! a lane writes are shared by the lanes: they stay in memory and in sight, even if no other thread could know them.

use rustc_hash::FxHashSet;

use super::directives::Directives;
use super::schedule;
use super::{callee_name, carried};
use crate::llvm::meta::{Meta, NoteKind, Operand};
use crate::llvm::{Block, Module, Opcode, Value};

/// Notes on stack objects that are private to a lane.
pub fn note_kind(llvm: &Module) -> NoteKind {
    llvm.note_kind("raceproof.lane")
}

/// A `simd` loop.
struct Loop<'m> {
    cond: Block<'m>,
    latch: Block<'m>,
    body: Block<'m>,
    exit: Block<'m>,
    /// The stack object that counts the iterations.
    counter: Value<'m>,
    /// The vectoriser's width, if clang gives one.
    width: Option<i64>,
    /// Whether clang says that no accesses of two lanes depend on each other, so that there is no `safelen`.
    independent: bool,
}

/// Puts the calls in.
pub fn mark(llvm: &Module, directives: &Directives) {
    for function in llvm.functions() {
        let latches: Vec<_> =
            function.blocks().filter(|b| b.name().starts_with("omp.inner.for.inc")).collect();
        let loops: Vec<_> = latches.into_iter().filter_map(|b| find(llvm, b)).collect();
        for found in &loops {
            mark_loop(llvm, directives, found);
        }
        if !loops.is_empty() {
            hide_private(llvm, function, &loops);
            show_shared(llvm, function, &loops);
        }
    }
}

fn find<'m>(llvm: &'m Module, latch: Block<'m>) -> Option<Loop<'m>> {
    let back = latch.terminator()?;
    let node = llvm.attachment(back, "llvm.loop")?;
    let (mut enabled, mut width, mut independent) = (false, None, false);
    for property in llvm.operands(node).into_iter().flatten().filter_map(Operand::meta) {
        let parts = llvm.operands(property);
        let Some(Some(Operand::Text(name))) = parts.first().cloned() else { continue };
        let number = match parts.get(1) {
            Some(Some(Operand::Value(value))) => value.constant_int(),
            _ => None,
        };
        match name.as_str() {
            "llvm.loop.vectorize.enable" => enabled = number != Some(0),
            "llvm.loop.vectorize.width" => width = number,
            "llvm.loop.parallel_accesses" => independent = true,
            _ => {}
        }
    }
    let cond = *latch.successors().first()?;
    let [body, exit] = cond.successors().try_into().ok()?;
    let counters = cond.instructions().filter(|i| i.opcode() == Some(Opcode::LLVMLoad)).map(|i| i.operand(0));
    let counter = counters
        .into_iter()
        .find(|c| c.opcode() == Some(Opcode::LLVMAlloca) && c.name().starts_with(".omp.iv"))?;
    enabled.then_some(Loop { cond, latch, body, exit, counter, width, independent })
}

fn mark_loop<'m>(llvm: &'m Module, directives: &Directives, found: &Loop<'m>) {
    let before: Vec<_> = found.cond.predecessors().into_iter().filter(|b| *b != found.latch).collect();
    let safelen = safelen(directives, found);
    for block in before {
        let Some(last) = block.terminator() else { continue };
        let call = llvm.call_before(last, c"__rp_simd_begin", Some(safelen.unwrap_or(0)));
        if safelen.is_none() {
            let why = "`simd` loop: the value of its `safelen` clause is not known";
            llvm.set_note(call, schedule::note_kind(llvm), why);
        }
    }
    for block in inside(found) {
        let calls: Vec<_> =
            block.instructions().filter(|i| callee_name(*i).starts_with("__captured_stmt")).collect();
        for call in calls {
            llvm.call_before(call, c"__rp_simd_ordered", None);
            if let Some(next) = call.next() {
                llvm.call_before(next, c"__rp_simd_end_ordered", None);
            }
        }
    }
    let first = |block: Block<'m>| {
        let plain = |i: &Value<'m>| !matches!(i.opcode(), Some(Opcode::LLVMPHI | Opcode::LLVMLandingPad));
        block.instructions().find(plain)
    };
    if let Some(first) = first(found.body) {
        llvm.call_with_counter(first, c"__rp_simd_lane", found.counter);
    }
    if let Some(first) = first(found.exit) {
        llvm.call_before(first, c"__rp_simd_end", None);
    }
}

/// The blocks of a loop.
fn inside<'m>(found: &Loop<'m>) -> Vec<Block<'m>> {
    let mut seen = FxHashSet::default();
    let mut blocks = Vec::new();
    let mut stack = vec![found.body];
    while let Some(block) = stack.pop() {
        if block != found.cond && block != found.exit && seen.insert(block) {
            blocks.push(block);
            stack.extend(block.successors());
        }
    }
    blocks
}

/// Within how many iterations lanes run at the same time; 0 if all may. `None` if that cannot be told.
fn safelen(directives: &Directives, found: &Loop<'_>) -> Option<i64> {
    let at = found.latch.terminator().and_then(|b| b.location());
    let directive = at.and_then(|at| {
        let (directory, name) = at.scope.file()?.file_name()?;
        let full = format!("{directory}/{name}");
        let named = directives.at(&name, at.line);
        let all = if named.is_empty() { directives.at(&full, at.line) } else { named };
        all.iter().find(|d| d.has("simd")).cloned()
    });
    match directive {
        Some(directive) => match directive.args("safelen") {
            None => Some(0),
            Some(text) => {
                let number = text.parse().ok();
                number.or(found.width.filter(|_| !directive.has("simdlen")))
            }
        },
        // Without its source: clang drops the promise of independence where there is a `safelen`.
        None if found.independent || found.width.is_none() => Some(0),
        None => None,
    }
}

/// Hides what is private to the lanes.
fn hide_private<'m>(llvm: &'m Module, function: Value<'m>, loops: &[Loop<'m>]) {
    let known = llvm.expressions();
    let note = note_kind(llvm);
    let notes: Vec<_> = function
        .blocks()
        .flat_map(|b| b.instructions())
        .filter_map(|i| llvm.variable_note(i, &known))
        .filter(|n| n.declare && n.value.is_some_and(|v| v.opcode() == Some(Opcode::LLVMAlloca)))
        .collect();
    let scope = |of: Meta<'m>| llvm.scope_of(of);
    for found in loops {
        let counter = notes.iter().find(|n| n.value == Some(found.counter));
        let Some(construct) = counter.and_then(|n| scope(n.variable)) else { continue };
        for n in &notes {
            let within = std::iter::successors(scope(n.variable), |s| scope(*s)).any(|s| s == construct);
            if let (true, Some(alloca)) = (within, n.value) {
                llvm.set_note(alloca, note, "");
            }
        }
    }
}

/// Keeps variables of the source in sight that lanes share and write.
fn show_shared<'m>(llvm: &'m Module, function: Value<'m>, loops: &[Loop<'m>]) {
    let known = llvm.expressions();
    let private = note_kind(llvm);
    let blocks: FxHashSet<Block<'m>> = loops.iter().flat_map(inside).collect();
    let instructions = function.blocks().flat_map(|b| b.instructions());
    let variables = instructions.filter_map(|i| llvm.variable_note(i, &known)).filter(|n| n.declare);
    let allocas: Vec<_> = variables
        .filter_map(|n| n.value)
        .filter(|v| v.opcode() == Some(Opcode::LLVMAlloca) && v.note(private).is_none())
        .collect();
    for alloca in allocas {
        let stored = |u: Value<'m>| {
            u.opcode() == Some(Opcode::LLVMStore) && u.operand(1) == alloca && blocks.contains(&u.parent())
        };
        if !alloca.name().starts_with(".omp.") && alloca.users().any(stored) {
            carried::keep_in_sight(llvm, alloca);
        }
    }
}
