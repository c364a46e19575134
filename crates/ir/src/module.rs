//! Modules: functions, globals, debug types, source places.

use crate::code::{ArgKind, Body, Scalar};

/// The index of a [`Function`] in [`Module::funcs`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FuncId(pub u32);

/// The index of a [`Global`] in [`Module::globals`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GlobalId(pub u32);

/// The index of a [`Place`] in [`Module::places`]. [`PlaceId::NONE`] is "not known".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PlaceId(pub u32);

impl PlaceId {
    /// No place is known; index 0 of [`Module::places`] is reserved for it.
    pub const NONE: PlaceId = PlaceId(0);
}

/// The index of a string in [`Module::strings`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StrId(pub u32);

/// The index of a [`Type`] in [`Module::types`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(pub u32);

/// A line and column of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Place {
    /// Index into [`Module::files`].
    pub file: u32,
    /// From 1; 0 if not known.
    pub line: u32,
    /// From 1; 0 if not known.
    pub column: u32,
}

/// A source file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// The path as the compiler names it, joined with its directory if relative to another than the working one.
    pub path: String,
    /// Whether it belongs to raceproof's own models or to the system's headers: reports then show the caller's place.
    pub system: bool,
}

/// An entry of a constant pool, or a pointer inside a global's initialiser.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Const {
    /// Known bits.
    Bits(u64),
    /// The address of a global, plus an offset. For a thread-local global, that of the *main* thread's instance.
    Global(GlobalId, i64),
    /// The address of a function.
    Func(FuncId),
    /// The address of a basic block of a function, for computed `goto`: its number among the blocks of the function
    /// whose address is taken.
    Block(FuncId, u32),
    /// An undefined or poison value: unconstrained.
    Undef,
}

/// A pointer (or an integer made of one) inside an initialiser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reloc {
    /// Where in the global.
    pub offset: u64,
    /// How many bytes the value takes.
    pub bytes: u8,
    /// What is stored there.
    pub target: Const,
}

/// What a global holds at the start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Init {
    /// All zero.
    Zero,
    /// These bytes (as many as the global's size), with pointers laid over them.
    Bytes(Vec<u8>, Vec<Reloc>),
    /// Declared but defined nowhere: using it makes the verdict `unknown`, except where the machine knows the name.
    Extern,
}

/// A variable at file scope, a string literal, a static local.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Global {
    /// The linkage name.
    pub name: String,
    /// Size in bytes.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u32,
    /// Whether writing to it is a defect.
    pub constant: bool,
    /// Whether each thread has its own.
    pub thread_local: bool,
    /// The initial contents.
    pub init: Init,
    /// What the source calls it.
    pub var: Option<Variable>,
}

/// A variable as the source calls it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its debug type, if known.
    pub ty: Option<TypeId>,
    /// Where it is declared.
    pub place: PlaceId,
}

/// A debug type, for naming the parts of objects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Type {
    /// A type without named parts.
    Scalar {
        /// Its name in the source.
        name: String,
        /// Its size in bytes.
        size: u64,
    },
    /// A pointer.
    Pointer {
        /// What it points to, if known.
        to: Option<TypeId>,
        /// Its size in bytes.
        size: u64,
    },
    /// A struct, class or union.
    Record {
        /// Its name; empty if it has none.
        name: String,
        /// Its size in bytes.
        size: u64,
        /// Its members in order of declaration; base classes are members with an empty name.
        fields: Vec<Field>,
        /// Whether it is a union.
        union: bool,
    },
    /// An array.
    Array {
        /// The element's type.
        elem: TypeId,
        /// How many elements; 0 if not known.
        count: u64,
    },
}

/// A member of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Where it starts, in bits from the record's start.
    pub bit_offset: u64,
    /// How many bits it takes.
    pub bit_size: u64,
    /// Its type.
    pub ty: TypeId,
}

/// A function.
#[derive(Debug, Clone, PartialEq)]
pub struct Function {
    /// The linkage name.
    pub name: String,
    /// What people call it: the source's name, demangled for C++.
    pub display: String,
    /// How each parameter is passed; their slots are laid out in this order from slot 0 (a `ByVal` parameter takes one
    /// slot, the copy's address).
    pub params: Vec<ArgKind>,
    /// Whether it takes variable arguments.
    pub variadic: bool,
    /// The scalars of its result, one per leaf; empty for `void`.
    pub result: Vec<Scalar>,
    /// Its code; `None` if it is defined nowhere, or is a model's that the machine implements.
    pub body: Option<Body>,
    /// Where it is defined or declared.
    pub place: PlaceId,
    /// Whether it belongs to raceproof's own models or a system header: left out of call stacks.
    pub system: bool,
}

/// The variable of an OpenMP loop: its value in the n-th iteration is `lower + n * step`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoopVariable {
    /// The function that the loop stands in.
    pub func: FuncId,
    /// The line of the directive.
    pub line: u32,
    /// What the source calls it.
    pub name: String,
    /// Its value in iteration 0.
    pub lower: i64,
    /// By how much it grows.
    pub step: i64,
}

/// What the blocks that one call allocates are called: the variable that the call's result is stored to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// Where the call is.
    pub place: PlaceId,
    /// The pointer variable, as the source writes it.
    pub name: String,
    /// What it points to.
    pub ty: TypeId,
}

/// A whole program.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Module {
    /// 8, or 4 for 32-bit targets.
    pub pointer_bytes: u8,
    /// The functions that can be reached.
    pub funcs: Vec<Function>,
    /// The globals.
    pub globals: Vec<Global>,
    /// Names of stack objects.
    pub variables: Vec<Variable>,
    /// Debug types.
    pub types: Vec<Type>,
    /// What reports say of accesses.
    pub accesses: Vec<crate::code::AccessInfo>,
    /// Source places; entry 0 is "not known".
    pub places: Vec<Place>,
    /// Source files.
    pub files: Vec<File>,
    /// Interned texts.
    pub strings: Vec<String>,
    /// `main`.
    pub entry: Option<FuncId>,
    /// Functions to run before `main`, in order (`llvm.global_ctors`).
    pub ctors: Vec<FuncId>,
    /// Functions to run after `main` (`llvm.global_dtors`).
    pub dtors: Vec<FuncId>,
    /// The table of OpenMP constructs; files are named as in reports.
    pub directives: crate::directives::Directives,
    /// The variables of worksharing and `simd` loops, for people.
    pub loops: Vec<LoopVariable>,
    /// Names of heap blocks, by place.
    pub blocks: Vec<Block>,
    /// Constructs anywhere in the module that matter for assumptions, such as module-level assembly.
    pub remarks: Vec<String>,
    /// Only one distribution of OpenMP's work is of interest: that which a runtime is likely to choose.
    pub default_distribution: bool,
    /// Whether memory allocation can fail.
    pub allocation_may_fail: bool,
    /// A store of the thread that heads a release sequence continues it even if it is relaxed: in C, and in C++ before
    /// C++20.
    pub stores_continue: bool,
    /// The environment variables that the program gets, as `NAME=VALUE`.
    pub env: Vec<String>,
    /// What executions came to; see [`Module::coverage`].
    pub sites: crate::coverage::Sites,
}

impl Module {
    /// The function of that linkage name.
    pub fn func(&self, name: &str) -> Option<FuncId> {
        self.funcs.iter().position(|f| f.name == name).map(|i| FuncId(i as u32))
    }

    /// The variable of the OpenMP loop whose directive stands in this line of a function, or nearest before it.
    pub fn loop_variable(&self, func: FuncId, line: u32) -> Option<&LoopVariable> {
        self.loops.iter().filter(|l| l.func == func && l.line <= line).max_by_key(|l| l.line)
    }

    /// An interned text.
    pub fn str(&self, id: StrId) -> &str {
        &self.strings[id.0 as usize]
    }

    /// A place as reports show it; `None` if it is not known.
    pub fn place(&self, id: PlaceId) -> Option<base::Place> {
        if id == PlaceId::NONE {
            return None;
        }
        let place = self.places.get(id.0 as usize)?;
        let file = self.files.get(place.file as usize)?;
        Some(base::Place { file: file.path.clone(), line: place.line, column: place.column })
    }
}
