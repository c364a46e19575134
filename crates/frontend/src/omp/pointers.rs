//! Which stack objects of a function an instruction may read and write, through whatever pointer.
//!
//! The analysis is Andersen's (L. O. Andersen, Program Analysis and Specialization for the C Programming Language, 1994) within
//! one function: without regard to the order of instructions and to the fields of objects. A value may hold the address
//! of an object if one of its operands may (integers included, so that an address may be taken apart and put together),
//! and what is loaded may hold what was stored to an object that the pointer may point to.
//!
//! What is not in the function is one object, *outside*: whatever is stored there or given to a call has escaped, and
//! may be read and written by every call and through every pointer that comes from outside.

use rustc_hash::{FxHashMap, FxHashSet};

use super::callee_name;
use crate::llvm::{Module, Opcode, Type, TypeKind, Value, ValueKind};

/// What an instruction does to a stack object.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Effect {
    /// It may read it.
    pub reads: bool,
    /// It may write it.
    pub writes: bool,
    /// It overwrites the whole object for sure, and does not read it.
    pub kills: bool,
}

/// What the instructions of a function do to a stack object; those that are not there do nothing.
pub type Uses<'m> = FxHashMap<Value<'m>, Effect>;

/// Objects that a value may hold addresses of: indices of allocas, or [`OUTSIDE`].
type Objects = FxHashSet<u32>;

/// All that the function does not make itself, and what has escaped from it.
const OUTSIDE: u32 = u32::MAX;

/// The stack objects of a function and who may point to them.
pub struct Pointers<'m> {
    /// The allocas.
    pub objects: Vec<Value<'m>>,
    /// How large they are; 0 if that is not known.
    sizes: Vec<u64>,
    /// What values may point to; nothing if they are not there.
    values: FxHashMap<Value<'m>, Objects>,
    /// What the objects may contain addresses of.
    contents: Vec<Objects>,
    escaped: Objects,
    changed: bool,
}

impl<'m> Pointers<'m> {
    /// Analyses a function.
    pub fn new(llvm: &'m Module, function: Value<'m>) -> Pointers<'m> {
        let code: Vec<_> = function.blocks().flat_map(|b| b.instructions()).collect();
        let objects: Vec<_> =
            code.iter().copied().filter(|i| i.opcode() == Some(Opcode::LLVMAlloca)).collect();
        let sizes = objects.iter().map(|o| size(llvm, *o)).collect();
        let contents = vec![Objects::default(); objects.len()];
        let values = FxHashMap::default();
        let mut all =
            Pointers { objects, sizes, values, contents, escaped: Objects::default(), changed: true };
        for (index, object) in all.objects.iter().enumerate() {
            all.values.insert(*object, Objects::from_iter([index as u32]));
        }
        while std::mem::take(&mut all.changed) {
            code.iter().for_each(|i| all.flow(*i));
        }
        all
    }

    /// What every instruction may do to each object.
    pub fn uses(&self, llvm: &'m Module, function: Value<'m>) -> Vec<Uses<'m>> {
        let mut uses = vec![Uses::default(); self.objects.len()];
        for instruction in function.blocks().flat_map(|b| b.instructions()) {
            self.effects(llvm, instruction, &mut |object, effect| {
                let known = uses[object as usize].entry(instruction).or_default();
                known.reads |= effect.reads;
                known.writes |= effect.writes;
                known.kills = effect.kills && !known.reads;
            });
        }
        uses
    }

    /// Whether the address of an object is known to anything but the instructions that name it.
    pub fn is_taken(&self, object: usize) -> bool {
        let index = object as u32;
        self.escaped.contains(&index) || self.contents.iter().any(|c| c.contains(&index))
    }

    // ---- flow of addresses

    /// The objects whose addresses a value may hold.
    fn of(&self, value: Value<'m>) -> Objects {
        match value.kind() {
            ValueKind::LLVMInstructionValueKind => self.values.get(&value).cloned().unwrap_or_default(),
            ValueKind::LLVMConstantIntValueKind
            | ValueKind::LLVMConstantFPValueKind
            | ValueKind::LLVMConstantPointerNullValueKind
            | ValueKind::LLVMUndefValueValueKind
            | ValueKind::LLVMPoisonValueKind
            | ValueKind::LLVMConstantAggregateZeroValueKind
            | ValueKind::LLVMMetadataAsValueValueKind => Objects::default(),
            _ => Objects::from_iter([OUTSIDE]),
        }
    }

    fn flow(&mut self, instruction: Value<'m>) {
        use Opcode::*;
        let Some(opcode) = instruction.opcode() else { return };
        match opcode {
            LLVMAlloca | LLVMICmp | LLVMFCmp | LLVMFence | LLVMBr | LLVMSwitch => {}
            LLVMLoad => self.load(instruction, instruction.operand(0)),
            LLVMStore => self.store(instruction.operand(1), instruction.operand(0)),
            LLVMAtomicRMW => {
                self.load(instruction, instruction.operand(0));
                self.store(instruction.operand(0), instruction.operand(1));
            }
            LLVMAtomicCmpXchg => {
                self.load(instruction, instruction.operand(0));
                self.store(instruction.operand(0), instruction.operand(2));
            }
            LLVMCall | LLVMInvoke | LLVMCallBr => self.call(instruction),
            LLVMRet | LLVMResume | LLVMVAArg | LLVMIndirectBr | LLVMLandingPad => {
                self.hold(instruction, &Objects::from_iter([OUTSIDE]));
                operands(instruction).into_iter().for_each(|v| self.escape(v));
            }
            // Addresses computed from addresses.
            _ => operands(instruction).into_iter().for_each(|v| {
                let held = self.of(v);
                self.hold(instruction, &held);
            }),
        }
    }

    fn call(&mut self, call: Value<'m>) {
        match Builtin::of(call) {
            Builtin::Nothing | Builtin::Fill => {}
            Builtin::Copy => {
                let copied = self.loaded(call.operand(1));
                self.put(call.operand(0), &copied);
            }
            Builtin::Unknown => {
                self.hold(call, &Objects::from_iter([OUTSIDE]));
                (0..call.arg_count()).for_each(|i| self.escape(call.operand(i)));
            }
        }
    }

    fn hold(&mut self, value: Value<'m>, objects: &Objects) {
        if !objects.is_empty() {
            let held = self.values.entry(value).or_default();
            let before = held.len();
            held.extend(objects);
            self.changed |= held.len() > before;
        }
    }

    fn load(&mut self, result: Value<'m>, pointer: Value<'m>) {
        let loaded = self.loaded(pointer);
        self.hold(result, &loaded);
    }

    /// What memory may hold where a pointer points to.
    fn loaded(&self, pointer: Value<'m>) -> Objects {
        let mut found = Objects::default();
        for object in self.of(pointer) {
            match self.contents.get(object as usize) {
                Some(contents) => found.extend(contents),
                None => found.extend([OUTSIDE]),
            }
        }
        found
    }

    fn store(&mut self, pointer: Value<'m>, value: Value<'m>) {
        let held = self.of(value);
        self.put(pointer, &held);
    }

    /// Memory where a pointer points to gets addresses.
    fn put(&mut self, pointer: Value<'m>, held: &Objects) {
        for object in self.of(pointer) {
            match self.contents.get_mut(object as usize) {
                Some(contents) => {
                    let before = contents.len();
                    contents.extend(held);
                    self.changed |= contents.len() > before;
                }
                None => self.escape_all(held),
            }
        }
        // What is stored to something that has escaped has escaped.
        if self.of(pointer).iter().any(|o| self.escaped.contains(o)) {
            self.escape_all(held);
        }
    }

    fn escape(&mut self, value: Value<'m>) {
        let held = self.of(value);
        self.escape_all(&held);
    }

    /// Objects become known outside, and so does what they contain.
    fn escape_all(&mut self, objects: &Objects) {
        let mut stack: Vec<u32> = objects.iter().copied().filter(|o| *o != OUTSIDE).collect();
        while let Some(object) = stack.pop() {
            if self.escaped.insert(object) {
                self.changed = true;
                let contents = &mut self.contents[object as usize];
                contents.insert(OUTSIDE);
            }
            let contents = &self.contents[object as usize];
            stack.extend(contents.iter().filter(|o| **o != OUTSIDE && !self.escaped.contains(o)));
        }
    }

    // ---- effects

    /// The objects that an access through a pointer may touch.
    fn targets(&self, pointer: Value<'m>) -> Objects {
        let mut found = self.of(pointer);
        if found.remove(&OUTSIDE) {
            found.extend(&self.escaped);
        }
        found
    }

    fn effects(&self, llvm: &Module, instruction: Value<'m>, tell: &mut impl FnMut(u32, Effect)) {
        use Opcode::*;
        let Some(opcode) = instruction.opcode() else { return };
        match opcode {
            LLVMLoad => self.reads(instruction.operand(0), tell),
            LLVMStore => {
                let bytes = llvm.size_of(instruction.operand(0).ty());
                self.writes(instruction.operand(1), bytes, tell);
            }
            LLVMAtomicRMW | LLVMAtomicCmpXchg | LLVMVAArg => {
                self.reads(instruction.operand(0), tell);
                self.writes(instruction.operand(0), 0, tell);
            }
            LLVMCall | LLVMInvoke | LLVMCallBr => match Builtin::of(instruction) {
                Builtin::Nothing => {}
                Builtin::Unknown => {
                    let both = Effect { reads: true, writes: true, kills: false };
                    self.escaped.iter().for_each(|o| tell(*o, both));
                }
                builtin => {
                    if builtin == Builtin::Copy {
                        self.reads(instruction.operand(1), tell);
                    }
                    let bytes = instruction.operand(2).constant_int().unwrap_or(0);
                    self.writes(instruction.operand(0), bytes as u64, tell);
                }
            },
            _ => {}
        }
    }

    fn reads(&self, pointer: Value<'m>, tell: &mut impl FnMut(u32, Effect)) {
        let effect = Effect { reads: true, ..Effect::default() };
        self.targets(pointer).into_iter().for_each(|o| tell(o, effect));
    }

    /// `bytes` are written for sure.
    fn writes(&self, pointer: Value<'m>, bytes: u64, tell: &mut impl FnMut(u32, Effect)) {
        for object in self.targets(pointer) {
            let size = self.sizes[object as usize];
            let kills = self.objects[object as usize] == pointer && size > 0 && bytes >= size;
            tell(object, Effect { reads: false, writes: true, kills });
        }
    }
}

/// What a call does to memory.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Builtin {
    /// It copies from its second to its first argument.
    Copy,
    /// It fills where its first argument points to.
    Fill,
    Nothing,
    Unknown,
}

impl Builtin {
    fn of(call: Value<'_>) -> Builtin {
        const NOTHING: [&str; 9] = [
            "llvm.dbg.",
            "llvm.lifetime.",
            "llvm.assume",
            "llvm.stacksave",
            "llvm.stackrestore",
            "__rp_carried",
            "__rp_last_",
            "__rp_next_piece",
            "__rp_simd_",
        ];
        let name = callee_name(call);
        if name.starts_with("llvm.memcpy.") || name.starts_with("llvm.memmove.") {
            Builtin::Copy
        } else if name.starts_with("llvm.memset.") {
            Builtin::Fill
        } else if NOTHING.iter().any(|n| name.starts_with(n)) {
            Builtin::Nothing
        } else {
            Builtin::Unknown
        }
    }
}

/// How large a stack object is; 0 if that is decided when it is made.
fn size(llvm: &Module, alloca: Value<'_>) -> u64 {
    let one = alloca.operand(0).constant_int() == Some(1);
    let ty: Type<'_> = alloca.allocated_type();
    if one && ty.kind() != TypeKind::LLVMScalableVectorTypeKind { llvm.size_of(ty) } else { 0 }
}

/// The operands of an instruction that hold values.
fn operands(instruction: Value<'_>) -> Vec<Value<'_>> {
    let all = (0..instruction.operand_count()).map(|i| instruction.operand(i));
    all.filter(|v| v.kind() != ValueKind::LLVMBasicBlockValueKind).collect()
}
