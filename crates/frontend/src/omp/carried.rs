//! Private state that one piece of a loop could leave to the next.
//!
//! Where the distribution of a loop is open, the pieces that a thread executes one after another may come from any
//! place of the loop, so a private variable that lives across pieces makes the program depend on the distribution. Such a
//! variable must not become a register: the machine goes back to the beginning of the loop for every piece, without the
//! copies that a phi node would need, and observers must see who reads what another piece has left.
//!
//! A stack object is kept if some piece may write it (between the runtime's `__kmpc_for_static_init_*` and
//! `__kmpc_for_static_fini`, or on a way from `__kmpc_dispatch_next_*` back to it) and it may be read behind the call that
//! hands out pieces before it is written as a whole. Objects whose address leaves the function stay in memory, and in
//! sight, anyway.

use rustc_hash::{FxHashMap, FxHashSet};

use super::callee_name;
use super::schedule::{self, Bound};
use crate::llvm::meta::NoteKind;
use crate::llvm::{Block, Module, Opcode, Value};

/// The function that kept objects seem to escape to.
const MARK: &std::ffi::CStr = c"__rp_carried";

/// Whether calls of the function are marks, not code.
pub fn is_mark(name: &str) -> bool {
    MARK.to_bytes() == name.as_bytes()
}

/// Who is told of the accesses to a stack object.
pub fn sight(alloca: Value<'_>, lane: NoteKind) -> ir::Sight {
    if alloca.note(lane).is_some() {
        return ir::Sight::Hidden;
    }
    if alloca.users().any(|u| is_mark(&callee_name(u))) {
        return ir::Sight::Visible;
    }
    let name = alloca.name();
    let bounds = name.starts_with(".omp.") && !name.starts_with(".omp.reduction");
    let ours = |user: Value<'_>| match user.opcode() {
        Some(Opcode::LLVMLoad) => true,
        Some(Opcode::LLVMStore) => user.operand(1) == alloca,
        Some(Opcode::LLVMCall) => {
            let callee = callee_name(user);
            callee.starts_with("__kmpc_") || callee.starts_with("llvm.dbg.")
        }
        _ => false,
    };
    if bounds && alloca.users().all(ours) { ir::Sight::Hidden } else { ir::Sight::Auto }
}

/// Keeps a stack object in memory and in sight.
pub fn keep_in_sight(llvm: &Module, alloca: Value<'_>) {
    llvm.let_escape(alloca, MARK);
}

/// Marks what must stay in memory.
pub fn keep(llvm: &Module) {
    for function in llvm.functions() {
        let heads: Vec<_> = function.blocks().flat_map(|b| b.instructions()).filter_map(head).collect();
        if heads.is_empty() {
            continue;
        }
        let regions: Vec<_> = heads.iter().map(|(call, kind)| Region::new(function, *call, *kind)).collect();
        let allocas = function.blocks().flat_map(|b| b.instructions());
        let allocas: Vec<_> = allocas.filter(|i| i.opcode() == Some(Opcode::LLVMAlloca)).collect();
        for alloca in allocas {
            let Some(uses) = Uses::of(llvm, alloca) else { continue };
            if regions.iter().any(|r| r.writes(&uses) && r.reads_first(&uses)) {
                keep_in_sight(llvm, alloca);
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Head {
    Static,
    Dispatch,
}

/// A call behind which pieces begin.
fn head(call: Value<'_>) -> Option<(Value<'_>, Head)> {
    if matches!(schedule::bound(call), Some(Bound::Begin)) {
        return Some((call, Head::Static));
    }
    callee_name(call).starts_with("__kmpc_dispatch_next_").then_some((call, Head::Dispatch))
}

/// What an instruction does to a stack object.
#[derive(Clone, Copy, Default)]
struct Effect {
    reads: bool,
    writes: bool,
    /// It overwrites the whole object.
    kills: bool,
}

/// What the instructions of a function do to a stack object.
struct Uses<'m>(FxHashMap<Value<'m>, Effect>);

impl<'m> Uses<'m> {
    /// `None` if the object's address leaves the function.
    fn of(llvm: &Module, alloca: Value<'m>) -> Option<Uses<'m>> {
        let whole = llvm.size_of(alloca.allocated_type());
        let mut uses: FxHashMap<Value<'m>, Effect> = FxHashMap::default();
        let mut seen = FxHashSet::default();
        let mut pointers = vec![alloca];
        while let Some(pointer) = pointers.pop() {
            if !seen.insert(pointer) {
                continue;
            }
            for user in pointer.users() {
                use Opcode::*;
                let effect = match user.opcode()? {
                    LLVMGetElementPtr | LLVMBitCast | LLVMAddrSpaceCast | LLVMPHI | LLVMSelect
                    | LLVMFreeze => {
                        pointers.push(user);
                        continue;
                    }
                    LLVMICmp => continue,
                    LLVMLoad => Effect { reads: true, ..Effect::default() },
                    LLVMStore if user.operand(0) == pointer => return None,
                    LLVMStore => {
                        let kills = pointer == alloca && llvm.size_of(user.operand(0).ty()) >= whole;
                        Effect { reads: false, writes: true, kills }
                    }
                    LLVMCall => match call_effect(user, pointer, pointer == alloca, whole)? {
                        Some(effect) => effect,
                        None => continue,
                    },
                    _ => return None,
                };
                let known = uses.entry(user).or_default();
                known.reads |= effect.reads;
                known.writes |= effect.writes;
                known.kills |= effect.kills;
            }
        }
        Some(Uses(uses))
    }

    fn at(&self, instruction: Value<'m>) -> Effect {
        self.0.get(&instruction).copied().unwrap_or_default()
    }
}

/// What a call does to an object that it is given: `None` if the address escapes, `Some(None)` if nothing.
fn call_effect<'m>(call: Value<'m>, pointer: Value<'m>, whole: bool, size: u64) -> Option<Option<Effect>> {
    let name = callee_name(call);
    if name.starts_with("llvm.dbg.") || name.starts_with("llvm.lifetime.") {
        return Some(None);
    }
    let copies = name.starts_with("llvm.memcpy.") || name.starts_with("llvm.memmove.");
    if !copies && !name.starts_with("llvm.memset.") {
        return None;
    }
    let writes = call.operand(0) == pointer;
    let reads = copies && call.operand(1) == pointer;
    let full = call.operand(2).constant_int().is_some_and(|n| n as u64 >= size);
    Some(Some(Effect { reads, writes, kills: writes && whole && full && !reads }))
}

/// The code that executes pieces.
struct Region<'m> {
    /// The call that hands them out.
    head: Value<'m>,
    /// The instructions of the pieces.
    inside: FxHashSet<Value<'m>>,
}

impl<'m> Region<'m> {
    fn new(function: Value<'m>, head: Value<'m>, kind: Head) -> Region<'m> {
        let ends = |i: Value<'m>| match kind {
            Head::Static => matches!(schedule::bound(i), Some(Bound::End)),
            Head::Dispatch => i == head,
        };
        let mut inside = FxHashSet::default();
        let mut seen = FxHashSet::default();
        let mut stack = vec![(head.parent(), Some(head))];
        while let Some((block, after)) = stack.pop() {
            if after.is_none() && !seen.insert(block) {
                continue;
            }
            let mut ended = false;
            for instruction in rest(block, after) {
                ended = ends(instruction);
                if ended {
                    break;
                }
                inside.insert(instruction);
            }
            if !ended {
                stack.extend(block.successors().into_iter().map(|b| (b, None)));
            }
        }
        if kind == Head::Dispatch {
            let back = reaching(function, head.parent());
            inside.retain(|i: &Value<'m>| back.contains(&i.parent()));
        }
        Region { head, inside }
    }

    fn writes(&self, uses: &Uses<'m>) -> bool {
        uses.0.iter().any(|(i, effect)| effect.writes && self.inside.contains(i))
    }

    /// Whether, behind the head, the object may be read before it is written as a whole.
    fn reads_first(&self, uses: &Uses<'m>) -> bool {
        let mut seen = FxHashSet::default();
        let mut stack = vec![(self.head.parent(), Some(self.head))];
        while let Some((block, after)) = stack.pop() {
            if after.is_none() && !seen.insert(block) {
                continue;
            }
            let mut killed = false;
            for instruction in rest(block, after) {
                let effect = uses.at(instruction);
                if effect.reads {
                    return true;
                }
                killed = effect.kills;
                if killed {
                    break;
                }
            }
            if !killed {
                stack.extend(block.successors().into_iter().map(|b| (b, None)));
            }
        }
        false
    }
}

/// The instructions of a block, or those behind one of them.
fn rest<'m>(block: Block<'m>, after: Option<Value<'m>>) -> impl Iterator<Item = Value<'m>> {
    let mut waiting = after;
    block.instructions().filter(move |i| match waiting {
        Some(last) => {
            if *i == last {
                waiting = None;
            }
            false
        }
        None => true,
    })
}

/// The blocks from which control can come to a block.
fn reaching<'m>(function: Value<'m>, to: Block<'m>) -> FxHashSet<Block<'m>> {
    let mut before: FxHashMap<Block<'m>, Vec<Block<'m>>> = FxHashMap::default();
    for block in function.blocks() {
        for next in block.successors() {
            before.entry(next).or_default().push(block);
        }
    }
    let mut found = FxHashSet::default();
    let mut stack = vec![to];
    while let Some(block) = stack.pop() {
        if found.insert(block) {
            stack.extend(before.get(&block).into_iter().flatten().copied());
        }
    }
    found
}
