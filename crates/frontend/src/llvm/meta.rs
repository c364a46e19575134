//! Safe handles on LLVM's metadata: debug information and notes on instructions.
//!
//! The C interface has accessors for a few fields only; the others are read as operands of the node, whose order is
//! that of LLVM 19's `DebugInfoMetadata.h`.

use std::ffi::c_uint;
use std::marker::PhantomData;
use std::ptr;

use llvm_sys::core::*;
use llvm_sys::debuginfo::*;
use llvm_sys::prelude::*;

use super::{Module, Opcode, Value, ValueKind, copy_text};
pub use llvm_sys::debuginfo::LLVMMetadataKind;

/// The kinds of metadata nodes that the front end tells apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MetaKind {
    /// A basic type, as `int`.
    BasicType,
    /// A type made of another, as a pointer; also a member.
    DerivedType,
    /// A record, array or enumeration.
    CompositeType,
    /// A function's type.
    SubroutineType,
    /// A file.
    File,
    /// A function.
    Subprogram,
    /// A scope inside a function.
    LexicalBlock,
    /// A line and column in a scope.
    Location,
    /// A local variable.
    LocalVariable,
    /// A global variable.
    GlobalVariable,
    /// A global variable and an expression.
    GlobalVariableExpression,
    /// An array's bounds.
    Subrange,
    /// A list.
    Tuple,
    /// A string.
    Text,
    /// A value.
    Value,
    /// Something else.
    Other,
}

/// A metadata node.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Meta<'m> {
    raw: LLVMMetadataRef,
    life: PhantomData<&'m Module>,
}

/// A line and column in a scope.
#[derive(Clone, Copy)]
pub struct Location<'m> {
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1; 0 if not known.
    pub column: u32,
    /// The scope, which knows the file.
    pub scope: Meta<'m>,
    /// Where the code was inlined.
    pub inlined_at: Option<Meta<'m>>,
}

/// What an `llvm.dbg.declare` or `llvm.dbg.value` says.
pub struct VariableNote<'m> {
    /// The value or address; `None` if there is none or more than one.
    pub value: Option<Value<'m>>,
    /// The variable.
    pub variable: Meta<'m>,
    /// How value and variable relate.
    pub relation: Relation,
    /// Whether `value` is the variable's address.
    pub declare: bool,
}

/// What a debug expression does to the value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// Nothing.
    Direct,
    /// Loads from it.
    Deref,
    /// Something else, or it is a part of the variable.
    Other,
}

/// The debug expressions that [`Relation`] tells apart; LLVM makes equal ones only once.
pub struct Expressions<'m> {
    empty: Meta<'m>,
    deref: Meta<'m>,
}

impl Module {
    /// The expressions to compare with.
    pub fn expressions(&self) -> Expressions<'_> {
        const DW_OP_DEREF: u64 = 6;
        // SAFETY: the builder is disposed of at once; expressions belong to the context.
        unsafe {
            let builder = LLVMCreateDIBuilder(self.module);
            let empty = LLVMDIBuilderCreateExpression(builder, ptr::null_mut(), 0);
            let mut deref = [DW_OP_DEREF];
            let deref = LLVMDIBuilderCreateExpression(builder, deref.as_mut_ptr(), deref.len());
            LLVMDisposeDIBuilder(builder);
            Expressions { empty: Meta::new(empty), deref: Meta::new(deref) }
        }
    }

    /// The number of a kind of notes on instructions.
    pub fn note_kind(&self, name: &str) -> NoteKind {
        // SAFETY: a live context and a string of the given length.
        NoteKind(unsafe {
            LLVMGetMDKindIDInContext(self.context, name.as_ptr().cast(), name.len() as c_uint)
        })
    }

    /// Puts a text on an instruction.
    pub fn set_note(&self, on: Value<'_>, kind: NoteKind, text: &str) {
        assert!(on.kind() == ValueKind::LLVMInstructionValueKind);
        // SAFETY: a live instruction of this context; the node is made in the same context. No handle is invalidated.
        unsafe {
            let text = LLVMMDStringInContext2(self.context, text.as_ptr().cast(), text.len());
            let mut operands = [text];
            let node = LLVMMDNodeInContext2(self.context, operands.as_mut_ptr(), operands.len());
            LLVMSetMetadata(on.raw, kind.0, LLVMMetadataAsValue(self.context, node));
        }
    }

    /// The node of a kind that is attached to an instruction.
    pub fn attachment<'m>(&'m self, to: Value<'m>, kind: &str) -> Option<Meta<'m>> {
        assert!(to.kind() == ValueKind::LLVMInstructionValueKind);
        let kind = self.note_kind(kind);
        // SAFETY: a live instruction; the node comes as metadata wrapped as a value.
        unsafe {
            let node = Value::<'m>::opt(LLVMGetMetadata(to.raw, kind.0))?;
            Meta::opt(LLVMValueAsMetadata(node.raw))
        }
    }

    /// A local variable's name.
    pub fn variable_name<'m>(&'m self, variable: Meta<'m>) -> Option<String> {
        if variable.kind() != MetaKind::LocalVariable {
            return None;
        }
        self.operands(variable).get(1)?.clone()?.text()
    }

    /// The scope that a variable or block stands in.
    pub fn scope_of<'m>(&'m self, node: Meta<'m>) -> Option<Meta<'m>> {
        let index = match node.kind() {
            MetaKind::LocalVariable => 0,
            MetaKind::LexicalBlock => 1,
            _ => return None,
        };
        self.operands(node).get(index)?.clone()?.meta()
    }

    /// The operands of a node; empty for what is no node.
    pub fn operands<'m>(&'m self, node: Meta<'m>) -> Vec<Option<Operand<'m>>> {
        if matches!(node.kind(), MetaKind::Text | MetaKind::Value) || node.is_arg_list() {
            return Vec::new();
        }
        // SAFETY: a live node; LLVM writes as many operands as it counts.
        unsafe {
            let value = LLVMMetadataAsValue(self.context, node.raw);
            let mut operands = vec![ptr::null_mut(); LLVMGetMDNodeNumOperands(value) as usize];
            LLVMGetMDNodeOperands(value, operands.as_mut_ptr());
            operands.into_iter().map(|o| Value::opt(o).map(Operand::new)).collect()
        }
    }

    /// What a call of `llvm.dbg.declare` or `llvm.dbg.value` says.
    pub fn variable_note<'m>(&'m self, call: Value<'m>, known: &Expressions<'m>) -> Option<VariableNote<'m>> {
        if call.opcode() != Some(Opcode::LLVMCall) || call.callee().kind() != ValueKind::LLVMFunctionValueKind
        {
            return None;
        }
        let name = call.callee().name();
        let declare = match name.as_str() {
            "llvm.dbg.declare" => true,
            "llvm.dbg.value" => false,
            _ => return None,
        };
        let meta = |i| Operand::new(call.operand(i)).meta();
        let of = meta(0)?;
        let value = match of.kind() {
            // SAFETY: metadata that wraps one value.
            MetaKind::Value => unsafe {
                let mut value = ptr::null_mut();
                LLVMGetMDNodeOperands(LLVMMetadataAsValue(self.context, of.raw), &mut value);
                Value::opt(value)
            },
            _ => None,
        };
        let expression = meta(2)?;
        let relation = if expression == known.empty {
            Relation::Direct
        } else if expression == known.deref {
            Relation::Deref
        } else {
            Relation::Other
        };
        Some(VariableNote { value, variable: meta(1)?, relation, declare })
    }
}

/// A kind of notes on instructions.
#[derive(Clone, Copy)]
pub struct NoteKind(c_uint);

/// An operand of a metadata node.
#[derive(Clone)]
pub enum Operand<'m> {
    /// Another node.
    Meta(Meta<'m>),
    /// A string.
    Text(String),
    /// A constant.
    Value(Value<'m>),
}

impl<'m> Operand<'m> {
    fn new(value: Value<'m>) -> Operand<'m> {
        if value.kind() != ValueKind::LLVMMetadataAsValueValueKind {
            return Operand::Value(value);
        }
        // SAFETY: metadata wrapped as a value; LLVM keeps the text of a string, of the length it reports.
        unsafe {
            let meta = Meta::new(LLVMValueAsMetadata(value.raw));
            if meta.kind() != MetaKind::Text {
                return Operand::Meta(meta);
            }
            let mut len = 0;
            let text = LLVMGetMDString(value.raw, &mut len);
            Operand::Text(copy_text(text, len as usize))
        }
    }

    /// The string, if it is one.
    pub fn text(self) -> Option<String> {
        match self {
            Operand::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The node, if it is one.
    pub fn meta(self) -> Option<Meta<'m>> {
        match self {
            Operand::Meta(meta) => Some(meta),
            _ => None,
        }
    }
}

impl<'m> Value<'m> {
    /// The text that [`Module::set_note`] put on an instruction.
    pub fn note(self, kind: NoteKind) -> Option<String> {
        assert!(self.kind() == ValueKind::LLVMInstructionValueKind);
        // SAFETY: a live instruction; a note is a node with one string.
        unsafe {
            let node = Value::opt(LLVMGetMetadata(self.raw, kind.0))?;
            let mut text = ptr::null_mut();
            if LLVMGetMDNodeNumOperands(node.raw) != 1 {
                return None;
            }
            LLVMGetMDNodeOperands(node.raw, &mut text);
            Operand::new(Value::opt(text)?).text()
        }
    }

    /// Whether it is metadata in an argument's place.
    pub fn is_metadata(self) -> bool {
        self.kind() == ValueKind::LLVMMetadataAsValueValueKind
    }

    /// The string that is an argument of a call.
    pub fn metadata_text(self, index: u32) -> Option<String> {
        Operand::new(self.operand(index)).text()
    }

    /// An instruction's place.
    pub fn location(self) -> Option<Location<'m>> {
        assert!(self.kind() == ValueKind::LLVMInstructionValueKind);
        // SAFETY: a live instruction.
        Meta::opt(unsafe { LLVMInstructionGetDebugLoc(self.raw) })?.location()
    }

    /// A function's debug entry.
    pub fn subprogram(self) -> Option<Meta<'m>> {
        assert!(self.kind() == ValueKind::LLVMFunctionValueKind);
        // SAFETY: a live function.
        Meta::opt(unsafe { LLVMGetSubprogram(self.raw) })
    }

    /// A global's debug entry, a `GlobalVariable` node.
    pub fn global_debug(self) -> Option<Meta<'m>> {
        assert!(self.kind() == ValueKind::LLVMGlobalVariableValueKind);
        // SAFETY: a live global; the list is freed after it was read.
        unsafe {
            let mut count = 0;
            let list = LLVMGlobalCopyAllMetadata(self.raw, &mut count);
            let found = (0..count as c_uint)
                .map(|i| Meta::new(LLVMValueMetadataEntriesGetMetadata(list, i)))
                .find(|m| m.kind() == MetaKind::GlobalVariableExpression)
                .map(|m| Meta::new(LLVMDIGlobalVariableExpressionGetVariable(m.raw)));
            LLVMDisposeValueMetadataEntries(list);
            found
        }
    }
}

impl<'m> Meta<'m> {
    fn new(raw: LLVMMetadataRef) -> Meta<'m> {
        assert!(!raw.is_null());
        Meta { raw, life: PhantomData }
    }

    fn opt(raw: LLVMMetadataRef) -> Option<Meta<'m>> {
        (!raw.is_null()).then(|| Meta::new(raw))
    }

    fn raw_kind(self) -> LLVMMetadataKind {
        // SAFETY: a live node.
        unsafe { LLVMGetMetadataKind(self.raw) }
    }

    fn is_arg_list(self) -> bool {
        matches!(self.raw_kind(), LLVMMetadataKind::LLVMDIArgListMetadataKind)
    }

    /// What sort of node it is.
    pub fn kind(self) -> MetaKind {
        use LLVMMetadataKind::*;
        match self.raw_kind() {
            LLVMDIBasicTypeMetadataKind => MetaKind::BasicType,
            LLVMDIDerivedTypeMetadataKind => MetaKind::DerivedType,
            LLVMDICompositeTypeMetadataKind => MetaKind::CompositeType,
            LLVMDISubroutineTypeMetadataKind => MetaKind::SubroutineType,
            LLVMDIFileMetadataKind => MetaKind::File,
            LLVMDISubprogramMetadataKind => MetaKind::Subprogram,
            LLVMDILexicalBlockMetadataKind | LLVMDILexicalBlockFileMetadataKind => MetaKind::LexicalBlock,
            LLVMDILocationMetadataKind => MetaKind::Location,
            LLVMDILocalVariableMetadataKind => MetaKind::LocalVariable,
            LLVMDIGlobalVariableMetadataKind => MetaKind::GlobalVariable,
            LLVMDIGlobalVariableExpressionMetadataKind => MetaKind::GlobalVariableExpression,
            LLVMDISubrangeMetadataKind => MetaKind::Subrange,
            LLVMMDTupleMetadataKind => MetaKind::Tuple,
            LLVMMDStringMetadataKind => MetaKind::Text,
            LLVMConstantAsMetadataMetadataKind | LLVMLocalAsMetadataMetadataKind => MetaKind::Value,
            _ => MetaKind::Other,
        }
    }

    fn is_type(self) -> bool {
        use MetaKind::*;
        matches!(self.kind(), BasicType | DerivedType | CompositeType | SubroutineType)
    }

    /// A location's parts.
    pub fn location(self) -> Option<Location<'m>> {
        if self.kind() != MetaKind::Location {
            return None;
        }
        // SAFETY: a location node; the scope of one is never null.
        unsafe {
            Some(Location {
                line: LLVMDILocationGetLine(self.raw),
                column: LLVMDILocationGetColumn(self.raw),
                scope: Meta::new(LLVMDILocationGetScope(self.raw)),
                inlined_at: Meta::opt(LLVMDILocationGetInlinedAt(self.raw)),
            })
        }
    }

    /// The file of a scope (function, block, type) or variable.
    pub fn file(self) -> Option<Meta<'m>> {
        use MetaKind::*;
        // SAFETY: the kind decides which query is allowed.
        unsafe {
            match self.kind() {
                File => Some(self),
                Subprogram | LexicalBlock | BasicType | DerivedType | CompositeType | SubroutineType => {
                    Meta::opt(LLVMDIScopeGetFile(self.raw))
                }
                LocalVariable | GlobalVariable => Meta::opt(LLVMDIVariableGetFile(self.raw)),
                _ => None,
            }
        }
    }

    /// The directory and name of a file.
    pub fn file_name(self) -> Option<(String, String)> {
        if self.kind() != MetaKind::File {
            return None;
        }
        let (mut directory_len, mut name_len) = (0, 0);
        // SAFETY: a file node; LLVM keeps the texts, of the lengths it reports.
        unsafe {
            let directory = LLVMDIFileGetDirectory(self.raw, &mut directory_len);
            let name = LLVMDIFileGetFilename(self.raw, &mut name_len);
            Some((copy_text(directory, directory_len as usize), copy_text(name, name_len as usize)))
        }
    }

    /// The line of a function or variable; 0 if not known.
    pub fn line(self) -> u32 {
        // SAFETY: the kind decides which query is allowed.
        unsafe {
            match self.kind() {
                MetaKind::Subprogram => LLVMDISubprogramGetLine(self.raw),
                MetaKind::LocalVariable | MetaKind::GlobalVariable => LLVMDIVariableGetLine(self.raw),
                _ => 0,
            }
        }
    }

    /// The DWARF tag of a type or member; 0 for other nodes.
    pub fn tag(self) -> u16 {
        // SAFETY: a type is a DWARF node.
        if self.is_type() { unsafe { LLVMGetDINodeTag(self.raw) } } else { 0 }
    }

    /// The name of a type or member.
    pub fn type_name(self) -> String {
        assert!(self.is_type());
        let mut len = 0;
        // SAFETY: a type; LLVM keeps the text, of the length it reports.
        unsafe {
            let text = LLVMDITypeGetName(self.raw, &mut len);
            copy_text(text, len)
        }
    }

    /// The size of a type or member in bits.
    pub fn size_in_bits(self) -> u64 {
        assert!(self.is_type());
        // SAFETY: a type.
        unsafe { LLVMDITypeGetSizeInBits(self.raw) }
    }

    /// The offset of a member in bits.
    pub fn offset_in_bits(self) -> u64 {
        assert!(self.is_type());
        // SAFETY: a type.
        unsafe { LLVMDITypeGetOffsetInBits(self.raw) }
    }

    /// Whether a member is static, that is, no part of the record.
    pub fn is_static_member(self) -> bool {
        assert!(self.is_type());
        // SAFETY: a type.
        unsafe { LLVMDITypeGetFlags(self.raw) & LLVMDIFlagStaticMember != 0 }
    }

    /// Whether a type is that of a `this` pointer.
    pub fn is_object_pointer(self) -> bool {
        assert!(self.is_type());
        // SAFETY: a type.
        unsafe { LLVMDITypeGetFlags(self.raw) & LLVMDIFlagObjectPointer != 0 }
    }

    /// Whether a type is declared only.
    pub fn is_forward_declaration(self) -> bool {
        assert!(self.is_type());
        // SAFETY: a type.
        unsafe { LLVMDITypeGetFlags(self.raw) & LLVMDIFlagFwdDecl != 0 }
    }
}
