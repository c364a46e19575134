//! LLVM modules to `ir` modules.
//!
//! Functions and globals get their numbers when something first refers to them, beginning with the roots (`main`,
//! constructors, destructors, models that the machine calls), so only what can be reached is translated. A construct
//! that cannot be translated becomes [`ir::Inst::Unsupported`] where it stands.

mod access;
mod aggregate;
mod arith;
mod atomic;
mod call;
mod compact;
mod constant;
mod edges;
mod func;
mod global;
mod intrinsic;
mod layout;
mod math;
mod signature;

use std::collections::VecDeque;

use ir::{AccessId, AccessInfo, FuncId, GlobalId, LoopVariable, StrId};
use rustc_hash::FxHashMap;

use crate::debug::{Debug, Paths};
use crate::llvm::meta::NoteKind;
use crate::llvm::{Block, Module, Value};
use crate::names::{self, Copies};
use crate::omp::loops::Loops;
use crate::omp::{schedule, simd};
use crate::program;

use layout::Layouts;

/// Why an instruction cannot be translated: the construct's name.
pub type Unsupported = String;

/// The state of a translation.
pub struct Lowering<'m> {
    llvm: &'m Module,
    out: ir::Module,
    debug: Debug<'m>,
    layouts: Layouts<'m>,
    funcs: FxHashMap<Value<'m>, FuncId>,
    func_queue: VecDeque<Value<'m>>,
    globals: FxHashMap<Value<'m>, GlobalId>,
    global_queue: VecDeque<Value<'m>>,
    strings: FxHashMap<String, StrId>,
    accesses: FxHashMap<AccessInfo, AccessId>,
    /// The blocks of a function whose address is taken; their positions are the numbers of [`ir::Const::Block`].
    addressed: FxHashMap<Value<'m>, Vec<Block<'m>>>,
    names: NoteKind,
    /// Notes on calls that are not translated: why.
    unsupported: NoteKind,
    /// Notes on stack objects that are private to a lane of a `simd` loop.
    lane: NoteKind,
    copies: &'m Copies,
    loops: &'m Loops,
}

/// Translates what can be reached.
pub fn lower<'m>(llvm: &'m Module, paths: &'m Paths, copies: &'m Copies, loops: &'m Loops) -> ir::Module {
    let mut out = ir::Module { pointer_bytes: llvm.pointer_bytes() as u8, ..ir::Module::default() };
    let debug = Debug::new(llvm, paths, &mut out);
    let mut lowering = Lowering {
        llvm,
        out,
        debug,
        layouts: Layouts::new(llvm),
        funcs: FxHashMap::default(),
        func_queue: VecDeque::new(),
        globals: FxHashMap::default(),
        global_queue: VecDeque::new(),
        strings: FxHashMap::default(),
        accesses: FxHashMap::default(),
        addressed: FxHashMap::default(),
        names: names::note_kind(llvm),
        unsupported: schedule::note_kind(llvm),
        lane: simd::note_kind(llvm),
        copies,
        loops,
    };
    lowering.roots();
    lowering.reachable();
    lowering.out
}

impl<'m> Lowering<'m> {
    fn roots(&mut self) {
        let mut roots: Vec<_> =
            self.llvm.functions().filter(|f| !f.is_declaration()).map(|f| (f.name(), f)).collect();
        roots.retain(|(name, _)| program::is_root(name));
        roots.sort_by_key(|(name, _)| name != "main");
        for (name, function) in roots {
            let id = self.func(function);
            if name == "main" {
                self.out.entry = Some(id);
            }
        }
        self.out.ctors = self.listed("llvm.global_ctors");
        self.out.dtors = self.listed("llvm.global_dtors");
        self.out.dtors.reverse();
        if !self.llvm.inline_assembly().is_empty() {
            self.out.remarks.push("assembly at file scope is ignored".to_string());
        }
    }

    fn reachable(&mut self) {
        loop {
            if let Some(function) = self.func_queue.pop_front() {
                let id = self.funcs[&function];
                let body = func::lower(self, function, id);
                self.out.funcs[id.0 as usize].body = Some(body);
                for (line, found) in self.loops.0.get(&function.name()).into_iter().flatten() {
                    let (line, name) = (*line, found.name.clone());
                    let (lower, step) = (found.lower, found.step);
                    self.out.loops.push(LoopVariable { func: id, line, name, lower, step });
                }
            } else if let Some(global) = self.global_queue.pop_front() {
                let id = self.globals[&global];
                let init = self.initial(global);
                self.out.globals[id.0 as usize].init = init;
            } else {
                return;
            }
        }
    }

    fn string(&mut self, text: &str) -> StrId {
        if let Some(id) = self.strings.get(text) {
            return *id;
        }
        let id = StrId(self.out.strings.len() as u32);
        self.out.strings.push(text.to_string());
        self.strings.insert(text.to_string(), id);
        id
    }

    fn access(&mut self, info: AccessInfo) -> AccessId {
        if let Some(id) = self.accesses.get(&info) {
            return *id;
        }
        let id = AccessId(self.out.accesses.len() as u32);
        self.out.accesses.push(info.clone());
        self.accesses.insert(info, id);
        id
    }

    /// The blocks of a function whose address is taken, in order.
    fn addressed(&mut self, function: Value<'m>) -> &[Block<'m>] {
        self.addressed
            .entry(function)
            .or_insert_with(|| function.blocks().filter(|b| b.address_taken()).collect())
    }
}
