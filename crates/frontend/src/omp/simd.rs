//! Lanes: the iterations of `simd` loops, and of others whose iterations may run at the same time on one thread: `loop`, and loops with
//! `order(concurrent)`.
//!
//! clang marks such loops for the vectoriser (`llvm.loop.vectorize.enable` on the branch back to the test). They are known by
//! that branch and by what the test reads, not by the names of blocks, of which inlining leaves nothing. A loop that is marked and has another
//! shape makes the verdict `unknown` where it is reached. Calls are put in that tell the machine where the loop begins and within how many iterations lanes run at the same time
//! (`safelen`; 0: any), where each lane begins, and where the loop has ended. Around an `ordered simd` block, which clang
//! makes a function of, calls say that its lanes come one after another.
//!
//! `safelen` comes from the directive where that gives a number, else from the width that clang passes on (if it is not
//! that of `simdlen`). Variables whose scope is the construct are private to a lane; clang has one copy of each for the
//! whole loop. They are hidden from observers ([`ir::Sight::Hidden`]): only this lane can name them. So are its temporaries.
//! What else a lane may write, through whatever pointer ([`super::pointers`]), is shared by the lanes: it stays in memory and in
//! sight, even if no other thread could know it. That no such variable becomes a register is checked ([`promote`]).

use rustc_hash::FxHashSet;

use ir::{Directive, Directives};

use super::places::{Place, tell_apart};
use super::pointers::{Pointers, Uses};
use super::schedule::{self, Shares, begins_loop};
use super::{callee_name, carried};
use crate::llvm::meta::{Meta, NoteKind, Operand};
use crate::llvm::{Block, Module, Opcode, Value};

/// Notes on stack objects that are private to a lane.
pub fn note_kind(llvm: &Module) -> NoteKind {
    llvm.note_kind("raceproof.lane")
}

/// A loop over iterations of a construct.
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
    /// Whether it is no `simd` loop, but one whose iterations may run at the same time.
    concurrent: bool,
    /// Where its directive stands.
    place: Place,
}

/// Puts the calls in.
pub fn mark<'m>(llvm: &'m Module, directives: &Directives, shares: &Shares<'m, '_>) {
    let (mut all, mut places) = (Vec::new(), Vec::new());
    for (number, function) in llvm.functions().enumerate() {
        let candidates: Vec<_> = function.blocks().filter_map(|b| candidate(llvm, directives, b)).collect();
        refuse_unseen(llvm, function, &candidates, shares);
        candidates.iter().filter(|l| forks_inside(directives, l)).for_each(|l| {
            if let Some(back) = l.latch.terminator() {
                let call = llvm.call_before(back, c"__rp_concurrent_begin", Some(0));
                refuse(llvm, &[call], FORKS);
            }
        });
        let loops: Vec<_> = candidates.into_iter().filter(|l| has_lanes(directives, l)).collect();
        if !loops.is_empty() {
            places.extend(loops.iter().map(|l| Place { function: number, ..l.place.clone() }));
            all.push((function, loops));
        }
    }
    let mut found = tell_apart(directives, &places, Directive::has_lanes).into_iter();
    for (function, loops) in all {
        let mut scattered = Vec::new();
        let constructs: Vec<_> = loops.iter().zip(&mut found).collect();
        for (a_loop, may_be) in &constructs {
            let begins = mark_loop(llvm, directives, may_be, a_loop);
            if may_be.iter().any(|d| d.has("taskloop") && (combines(d) || writes_copies(a_loop))) {
                let why = "`taskloop simd` loop: its iterations may run at the same time, and may write a copy that belongs to their task";
                begins.iter().for_each(|call| llvm.set_note(*call, schedule::note_kind(llvm), why));
            }
            if may_be.iter().any(|d| d.shares_out_lanes()) {
                scattered.push((*a_loop, begins));
            }
        }
        hide_private(llvm, function, &constructs);
        hide_temporaries(llvm, function, &loops);
        let shared = show_shared(llvm, function, &loops);
        for (a_loop, begins) in scattered {
            let blocks: FxHashSet<Block<'_>> = inside(a_loop).into_iter().collect();
            if shared.iter().any(|uses| writes(uses, &blocks)) || writes_arguments(function, &blocks) {
                refuse(llvm, &begins, SHARED_OUT);
            }
        }
    }
}

/// Where the iterations of a concurrent loop are shared out, but the loop was not found, its lanes would be overlooked.
fn refuse_unseen<'m>(llvm: &Module, function: Value<'m>, candidates: &[Loop<'m>], shares: &Shares<'m, '_>) {
    for call in function.blocks().flat_map(|b| b.instructions()).filter(|i| begins_loop(&callee_name(*i))) {
        let line = schedule::ident(call).map_or(0, |i| i.line);
        let concurrent = shares.of(call).iter().any(|d| d.is_concurrent());
        if concurrent && !candidates.iter().any(|l| l.place.line == line) {
            let why =
                format!("OpenMP loop in line {line} whose iterations may run at the same time: {SHAPE}");
            llvm.set_note(call, schedule::note_kind(llvm), &why);
        }
    }
}

/// Why lanes cannot be told apart.
const SHAPE: &str = "the code that the compiler made of it does not show where they begin";

/// Where the directive of a loop stands whose branch back is given.
fn place(directives: &Directives, back: Value<'_>) -> Place {
    let named = back.location().and_then(|at| {
        let (directory, name) = at.scope.file()?.file_name()?;
        let file = if directives.knows(&name) { name } else { format!("{directory}/{name}") };
        let inlined = at.inlined_at.is_some();
        Some(Place { file, line: at.line, column: at.column, function: 0, inlined })
    });
    named.unwrap_or_else(Place::unknown)
}

/// What clang tells the vectoriser of a loop.
#[derive(Default)]
struct Properties {
    /// Whether it is to be vectorised.
    enabled: bool,
    width: Option<i64>,
    independent: bool,
}

impl Properties {
    /// Those on a branch back.
    fn of(llvm: &Module, back: Value<'_>) -> Option<Properties> {
        let node = llvm.attachment(back, "llvm.loop")?;
        let mut all = Properties::default();
        for property in llvm.operands(node).into_iter().flatten().filter_map(Operand::meta) {
            let parts = llvm.operands(property);
            let Some(Some(Operand::Text(name))) = parts.first().cloned() else { continue };
            let number = match parts.get(1) {
                Some(Some(Operand::Value(value))) => value.constant_int(),
                _ => None,
            };
            match name.as_str() {
                "llvm.loop.vectorize.enable" => all.enabled = number != Some(0),
                "llvm.loop.vectorize.width" => all.width = number,
                "llvm.loop.parallel_accesses" => all.independent = true,
                _ => {}
            }
        }
        Some(all)
    }
}

/// The loop over iterations of a construct whose branch back a block ends with. One that is marked for the vectoriser and has another
/// shape is refused, unless its source shows that no directive has brought it.
fn candidate<'m>(llvm: &'m Module, directives: &Directives, latch: Block<'m>) -> Option<Loop<'m>> {
    let back = latch.terminator()?;
    let Properties { enabled, width, independent } = Properties::of(llvm, back)?;
    let place = place(directives, back);
    let Some((cond, body, exit, counter)) = shape(latch) else {
        let at = directives.at(&place.file, place.line);
        let other = directives.knows(&place.file) && !at.iter().any(Directive::has_lanes);
        if enabled && !other {
            let why = format!("`simd` loop in line {}: {SHAPE}", place.line);
            let call = llvm.call_before(back, c"__rp_simd_begin", Some(0));
            llvm.set_note(call, schedule::note_kind(llvm), &why);
        }
        return None;
    };
    Some(Loop { cond, latch, body, exit, counter, width, independent, concurrent: !enabled, place })
}

/// The test of a loop that clang makes of a construct, where it goes on and where it leaves, and its counter.
fn shape<'m>(latch: Block<'m>) -> Option<(Block<'m>, Block<'m>, Block<'m>, Value<'m>)> {
    let [cond] = latch.successors().try_into().ok()?;
    let [body, exit] = cond.successors().try_into().ok()?;
    let read = cond.instructions().filter(|i| i.opcode() == Some(Opcode::LLVMLoad)).map(|i| i.operand(0));
    let counts = |c: &Value<'m>| c.opcode() == Some(Opcode::LLVMAlloca) && c.name().starts_with(".omp.iv");
    let counter = read.into_iter().find(counts)?;
    Some((cond, body, exit, counter))
}

/// Whether the iterations of a loop are lanes: clang says so, or the directive does. (The outer half of a composite construct forks
/// teams: its inner half is the loop.) Concurrent loops with a reduction are left out: what their iterations combine is not told apart
/// from what they share.
fn has_lanes(directives: &Directives, found: &Loop<'_>) -> bool {
    let at = directives.at(&found.place.file, found.place.line);
    let says = match at {
        [] => found.independent,
        at => at.iter().any(|d| d.is_concurrent() && !d.has("reduction")),
    };
    !found.concurrent || (says && !forks(found))
}

fn forks(found: &Loop<'_>) -> bool {
    inside(found).iter().flat_map(|b| b.instructions()).any(|i| callee_name(i).starts_with("__kmpc_fork_"))
}

/// Whether a concurrent loop has a region inside, and not because it is the outer half of a composite construct.
fn forks_inside(directives: &Directives, found: &Loop<'_>) -> bool {
    let at = directives.at(&found.place.file, found.place.line);
    let alone = |d: &Directive| d.is_concurrent() && !d.has("parallel");
    found.concurrent && at.iter().any(alone) && forks(found)
}

/// Whether a struct may be written that the function was given by value: a variable of its own, but no stack object here.
fn writes_arguments<'m>(function: Value<'m>, blocks: &FxHashSet<Block<'m>>) -> bool {
    fn is_written<'m>(address: Value<'m>, blocks: &FxHashSet<Block<'m>>) -> bool {
        address.users().any(|user| match user.opcode() {
            Some(Opcode::LLVMLoad) => false,
            Some(Opcode::LLVMGetElementPtr | Opcode::LLVMBitCast) => is_written(user, blocks),
            // Where its address is stored, it may be written from there.
            Some(Opcode::LLVMStore) if user.operand(0) == address => true,
            _ => blocks.contains(&user.parent()),
        })
    }
    let params = function.params().into_iter().enumerate();
    let mut given = params.filter(|(n, _)| function.by_value(*n as u32).is_some());
    given.any(|(_, param)| is_written(param, blocks))
}

/// Whether a `taskloop` combines values in copies of its tasks.
fn combines(directive: &Directive) -> bool {
    directive.has("reduction") || directive.has("in_reduction")
}

/// Whether a lane may write a copy that belongs to its task. How many iterations a task has is open: a run with one each would not show
/// that two lanes use one copy. And clang gives the task one where the language gives every lane its own (`private`, `lastprivate`).
fn writes_copies(found: &Loop<'_>) -> bool {
    const COPIES: [&str; 3] = [".priv.ptr.addr", ".firstpriv.ptr.addr", ".lastpriv.ptr.addr"];
    let copy = |pointer: Value<'_>| {
        pointer.opcode() == Some(Opcode::LLVMLoad)
            && pointer.operand(0).opcode() == Some(Opcode::LLVMAlloca)
            && COPIES.iter().any(|name| pointer.operand(0).name().starts_with(name))
    };
    let reads = |i: &Value<'_>| i.opcode() == Some(Opcode::LLVMLoad);
    let code = inside(found).into_iter().flat_map(|b| b.instructions());
    code.filter(|i| !reads(i)).any(|i| (0..i.operand_count()).any(|n| copy(i.operand(n))))
}

/// Tells where a loop and its lanes begin and end; gives the calls that tell of its beginning.
fn mark_loop<'m>(
    llvm: &'m Module,
    directives: &Directives,
    may_be: &[&Directive],
    found: &Loop<'m>,
) -> Vec<Value<'m>> {
    let before: Vec<_> = found.cond.predecessors().into_iter().filter(|b| *b != found.latch).collect();
    let safelen = safelen(may_be, found);
    let mut begins = Vec::new();
    for block in before {
        let Some(last) = block.terminator() else { continue };
        let begin = if found.concurrent { c"__rp_concurrent_begin" } else { c"__rp_simd_begin" };
        let call = llvm.call_before(last, begin, Some(safelen.unwrap_or(0)));
        if safelen.is_none() {
            let why = "`simd` loop: the value of its `safelen` clause is not known";
            llvm.set_note(call, schedule::note_kind(llvm), why);
        }
        begins.push(call);
    }
    mark_ordered(llvm, directives, found);
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
    begins
}

/// Tells where lanes come one after another.
fn mark_ordered<'m>(llvm: &'m Module, directives: &Directives, found: &Loop<'m>) {
    let is_block = |i: &Value<'m>| callee_name(*i).starts_with("__captured_stmt");
    let calls: Vec<_> = inside(found).into_iter().flat_map(|b| b.instructions()).filter(is_block).collect();
    for call in calls {
        let begin = llvm.call_before(call, c"__rp_simd_ordered", None);
        let Place { file, line, .. } = place(directives, call);
        let both = |d: &Directive| d.first() == "ordered" && d.has("threads") && d.has("simd");
        if directives.at(&file, line).iter().any(both) {
            let why = "OpenMP `ordered threads simd`, of which clang 19 drops `threads`";
            llvm.set_note(begin, schedule::note_kind(llvm), why);
        }
        if let Some(next) = call.next() {
            llvm.call_before(next, c"__rp_simd_end_ordered", None);
        }
    }
}

/// Where a loop is shared out among threads, the machine executes its iterations one by one, so that the lanes of a thread do not
/// meet. What they share with each other, but with no other thread, would be overlooked.
const SHARED_OUT: &str = "loop with `simd`, `order(concurrent)` or `loop` that is shared out: its iterations may run at the same time, and may write a \
                          variable that belongs to their thread";

/// What threads of such a region do is not told apart by lanes.
const FORKS: &str = "loop with `order(concurrent)`, or `loop`, with a parallel region inside";

fn refuse(llvm: &Module, begins: &[Value<'_>], why: &str) {
    begins.iter().for_each(|call| llvm.set_note(*call, schedule::note_kind(llvm), why));
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
fn safelen(may_be: &[&Directive], found: &Loop<'_>) -> Option<i64> {
    let Some((first, others)) = may_be.split_first() else {
        // Without its source: clang drops the promise of independence where there is a `safelen`.
        return (found.independent || found.width.is_none()).then_some(0);
    };
    let of = |directive: &Directive| match directive.args("safelen") {
        None => Some(0),
        // A leading zero makes it octal.
        Some(text) if text.starts_with('0') => found.width.filter(|_| !directive.has("simdlen")),
        Some(text) => text.parse().ok().or(found.width.filter(|_| !directive.has("simdlen"))),
    };
    of(first).filter(|_| others.iter().all(|o| of(o) == of(first)))
}

/// Hides what is private to the lanes. A copy that `firstprivate` makes is the thread's.
fn hide_private<'m>(llvm: &'m Module, function: Value<'m>, constructs: &[(&Loop<'m>, Vec<&Directive>)]) {
    let known = llvm.expressions();
    let note = note_kind(llvm);
    let notes: Vec<_> = function
        .blocks()
        .flat_map(|b| b.instructions())
        .filter_map(|i| Some((i.parent(), llvm.variable_note(i, &known)?)))
        .filter(|(_, n)| n.declare && n.value.is_some_and(|v| v.opcode() == Some(Opcode::LLVMAlloca)))
        .collect();
    let scope = |of: Meta<'m>| llvm.scope_of(of);
    for (found, may_be) in constructs {
        let copies = |name: &str| {
            let named = |d: &&&Directive, clause| d.variables(clause).any(|v| v == name);
            let mut first = may_be.iter().filter(|d| named(d, "firstprivate"));
            first.any(|d| !named(&d, "lastprivate") && !named(&d, "linear"))
        };
        let counter = notes.iter().find(|(_, n)| n.value == Some(found.counter));
        let Some(construct) = counter.and_then(|(_, n)| scope(n.variable)) else { continue };
        let blocks: FxHashSet<Block<'_>> = inside(found).into_iter().collect();
        for (declared_in, n) in &notes {
            let within = std::iter::successors(scope(n.variable), |s| scope(*s)).any(|s| s == construct);
            // A variable of an inlined function has that function's scope, and its declaration in the loop.
            if let (true, Some(alloca)) = (within || blocks.contains(declared_in), n.value)
                && !llvm.variable_name(n.variable).is_some_and(|name| copies(&name))
            {
                llvm.set_note(alloca, note, "");
            }
        }
    }
}

/// Hides the stack objects without a name that only one loop knows: temporaries of its lanes.
fn hide_temporaries<'m>(llvm: &'m Module, function: Value<'m>, loops: &[Loop<'m>]) {
    let variables = variables(llvm, function);
    let note = note_kind(llvm);
    let known = |u: &Value<'m>| !callee_name(*u).starts_with("llvm.lifetime.");
    for found in loops {
        let blocks: FxHashSet<Block<'m>> = inside(found).into_iter().collect();
        for alloca in allocas(function).filter(|a| !variables.contains(a)) {
            let mut users = alloca.users().filter(known).peekable();
            if users.peek().is_some() && users.all(|u| blocks.contains(&u.parent())) {
                llvm.set_note(alloca, note, "");
            }
        }
    }
}

/// Keeps what lanes share and may write in sight: variables of the source, and temporaries that something else knows (one
/// that a reference has bound). Gives what may be done to them.
fn show_shared<'m>(llvm: &'m Module, function: Value<'m>, loops: &[Loop<'m>]) -> Vec<Uses<'m>> {
    let private = note_kind(llvm);
    let blocks: FxHashSet<Block<'m>> = loops.iter().flat_map(inside).collect();
    let variables = variables(llvm, function);
    let pointers = Pointers::new(llvm, function);
    let mut shared = Vec::new();
    for (index, uses) in pointers.uses(llvm, function).into_iter().enumerate() {
        let alloca = pointers.objects[index];
        let named = variables.contains(&alloca) || pointers.is_taken(index);
        let ours = alloca.note(private).is_some() || alloca.name().starts_with(".omp.");
        if named && !ours && writes(&uses, &blocks) {
            if !carried::is_passed(alloca) {
                carried::keep_in_sight(llvm, alloca);
            }
            shared.push(uses);
        }
    }
    shared
}

/// Whether an object may be written in one of the blocks.
fn writes<'m>(uses: &Uses<'m>, blocks: &FxHashSet<Block<'m>>) -> bool {
    uses.iter().any(|(i, effect)| effect.writes && blocks.contains(&i.parent()))
}

fn allocas<'m>(function: Value<'m>) -> impl Iterator<Item = Value<'m>> {
    function.blocks().flat_map(|b| b.instructions()).filter(|i| i.opcode() == Some(Opcode::LLVMAlloca))
}

/// The stack objects that are variables of the source.
fn variables<'m>(llvm: &'m Module, function: Value<'m>) -> FxHashSet<Value<'m>> {
    let known = llvm.expressions();
    let instructions = function.blocks().flat_map(|b| b.instructions());
    let notes = instructions.filter_map(|i| llvm.variable_note(i, &known)).filter(|n| n.declare);
    notes.filter_map(|n| n.value).filter(|v| v.opcode() == Some(Opcode::LLVMAlloca)).collect()
}

/// The function that stack objects seem to escape to while only shared ones may become registers.
const OWN: &std::ffi::CStr = c"__rp_simd_own";

/// Makes registers of what lanes do not share, but checks first that none of the others is carried by one from lane to lane.
pub fn promote(llvm: &mut Module, passes: &str) -> Result<(), String> {
    let lanes = |f: &Value<'_>| lane_calls(*f).next().is_some();
    if llvm.functions().any(|f| lanes(&f)) {
        let own = note_kind(llvm);
        for function in llvm.functions().filter(lanes) {
            let variables = variables(llvm, function);
            let shared = |a: &Value<'_>| variables.contains(a) && a.note(own).is_none();
            let hidden: Vec<_> = allocas(function).filter(|a| !shared(a)).collect();
            hidden.into_iter().for_each(|a| llvm.let_escape(a, OWN));
        }
        llvm.run_passes(passes)?;
        for call in llvm.functions().flat_map(lane_calls) {
            let heads = call.parent().predecessors();
            if heads.iter().flat_map(|b| b.instructions().next()).any(|i| i.opcode() == Some(Opcode::LLVMPHI))
            {
                let why =
                    "`simd` loop: a value that its lanes share is carried from one to the next, out of sight";
                llvm.set_note(call, schedule::note_kind(llvm), why);
            }
        }
        llvm.erase_calls(OWN, |_| true);
    }
    llvm.run_passes(passes)
}

/// The calls that begin lanes.
fn lane_calls<'m>(function: Value<'m>) -> impl Iterator<Item = Value<'m>> {
    function.blocks().flat_map(|b| b.instructions()).filter(|i| callee_name(*i) == "__rp_simd_lane")
}
