//! Safe handles on LLVM's C interface: modules, types and values.
//!
//! This module and its children hold all `unsafe` code of the front end. The rules that make it sound:
//! - a [`Module`] owns its LLVM context; handles borrow the module (`'m`), so none outlives it, and nothing here frees
//!   a value, type or metadata node while a module lives (passes that do so take `&mut self`);
//! - LLVM trusts its callers to pass a value of the right kind; accessors that need one check it with
//!   [`Value::opcode`] or [`Value::kind`] and panic otherwise, which is an error of this crate, not of its input;
//! - contexts are not shared between threads: [`Module`] is neither `Send` nor `Sync` (it holds raw pointers).

mod edit;
mod flow;
pub mod meta;
mod value;

use std::ffi::{CStr, CString, c_char, c_void};
use std::marker::PhantomData;
use std::ptr;

use llvm_sys::core::*;
use llvm_sys::prelude::*;
use llvm_sys::target::*;
pub use llvm_sys::{
    LLVMAtomicOrdering as Ordering, LLVMAtomicRMWBinOp as RmwBinOp, LLVMIntPredicate as IntPredicate,
    LLVMLinkage as Linkage, LLVMOpcode as Opcode, LLVMRealPredicate as RealPredicate,
    LLVMTypeKind as TypeKind, LLVMValueKind as ValueKind,
};
pub use value::Value;

/// How serious a message of LLVM is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// The operation failed.
    Error,
    /// Worth telling the user.
    Warning,
}

/// An LLVM module, the context that it lives in, and what LLVM said about it.
pub struct Module {
    context: LLVMContextRef,
    module: LLVMModuleRef,
    builder: LLVMBuilderRef,
    layout: LLVMTargetDataRef,
    /// Owned by the module; LLVM adds to it while reading and linking, so it is known by its address only.
    messages: *mut Messages,
}

/// What LLVM said.
#[derive(Default)]
struct Messages(Vec<(Severity, String)>);

impl Drop for Module {
    fn drop(&mut self) {
        // SAFETY: all are live and owned by `self`; the builder and module are disposed of before their context, and the
        // messages, which the context knows, after it.
        unsafe {
            LLVMDisposeBuilder(self.builder);
            if !self.module.is_null() {
                LLVMDisposeModule(self.module);
            }
            LLVMContextDispose(self.context);
            drop(Box::from_raw(self.messages));
        }
    }
}

extern "C" fn on_message(info: LLVMDiagnosticInfoRef, sink: *mut c_void) {
    // SAFETY: LLVM calls this with a live diagnostic and the pointer given to it in `Module::new`, which points to the
    // boxed vector of the module whose method is running.
    unsafe {
        let text = LLVMGetDiagInfoDescription(info);
        let severity = match LLVMGetDiagInfoSeverity(info) {
            llvm_sys::LLVMDiagnosticSeverity::LLVMDSError => Severity::Error,
            llvm_sys::LLVMDiagnosticSeverity::LLVMDSWarning => Severity::Warning,
            _ => {
                LLVMDisposeMessage(text);
                return;
            }
        };
        let sink = &mut *(sink as *mut Messages);
        sink.0.push((severity, take_message(text)));
    }
}

/// Copies and frees a message that LLVM allocated.
///
/// # Safety
/// `text` is a NUL-terminated string from LLVM that the caller owns, or null.
unsafe fn take_message(text: *mut c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: see above.
    unsafe {
        let message = CStr::from_ptr(text).to_string_lossy().into_owned();
        LLVMDisposeMessage(text);
        message
    }
}

/// Copies a string that LLVM keeps.
///
/// # Safety
/// `text` points to `len` readable bytes, or is null.
unsafe fn copy_text(text: *const c_char, len: usize) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: see above.
    let bytes = unsafe { std::slice::from_raw_parts(text.cast::<u8>(), len) };
    String::from_utf8_lossy(bytes).into_owned()
}

impl Module {
    /// Reads bitcode or textual IR.
    pub fn read(bytes: &[u8], name: &str) -> Result<Module, String> {
        // SAFETY: a new context and its builder have no preconditions; the messages outlive the context (see `Drop`).
        let (context, builder, messages) = unsafe {
            let context = LLVMContextCreate();
            let messages = Box::into_raw(Box::<Messages>::default());
            LLVMContextSetDiagnosticHandler(context, Some(on_message), messages.cast());
            (context, LLVMCreateBuilderInContext(context), messages)
        };
        let mut module =
            Module { context, module: ptr::null_mut(), builder, layout: ptr::null_mut(), messages };
        module.module = module.parse(bytes, name)?;
        // SAFETY: the module was just read.
        module.layout = unsafe { LLVMGetModuleDataLayout(module.module) };
        Ok(module)
    }

    fn parse(&mut self, bytes: &[u8], name: &str) -> Result<LLVMModuleRef, String> {
        let name = CString::new(name.replace('\0', "")).unwrap_or_default();
        let mut module = ptr::null_mut();
        let mut message = ptr::null_mut();
        // SAFETY: the buffer copies `bytes`; LLVMParseIRInContext takes the buffer over, whether it succeeds or not.
        let failed = unsafe {
            let buffer =
                LLVMCreateMemoryBufferWithMemoryRangeCopy(bytes.as_ptr().cast(), bytes.len(), name.as_ptr());
            llvm_sys::ir_reader::LLVMParseIRInContext(self.context, buffer, &mut module, &mut message)
        };
        if failed != 0 {
            // SAFETY: on failure LLVM hands over a message, or null.
            let text = unsafe { take_message(message) };
            let errors = self.take_messages().into_iter().map(|(_, text)| text);
            return Err(errors.chain([text]).filter(|t| !t.is_empty()).collect::<Vec<_>>().join("\n"));
        }
        Ok(module)
    }

    /// Reads another module and links it into this one.
    pub fn link(&mut self, bytes: &[u8], name: &str) -> Result<(), String> {
        let other = self.parse(bytes, name)?;
        // SAFETY: both modules live in this context; LLVM takes `other` over.
        let failed = unsafe { llvm_sys::linker::LLVMLinkModules2(self.module, other) };
        if failed == 0 {
            return Ok(());
        }
        let errors = self.take_messages().into_iter().filter(|(severity, _)| *severity == Severity::Error);
        Err(errors.map(|(_, text)| text).collect::<Vec<_>>().join("\n"))
    }

    /// What LLVM said since the last call.
    pub fn take_messages(&mut self) -> Vec<(Severity, String)> {
        // SAFETY: owned by `self`, and LLVM is not running.
        unsafe { std::mem::take(&mut (*self.messages).0) }
    }

    /// Runs passes, named as for `opt -passes=`.
    pub fn run_passes(&mut self, passes: &str) -> Result<(), String> {
        use llvm_sys::error::LLVMGetErrorMessage;
        use llvm_sys::transforms::pass_builder::*;
        let passes = CString::new(passes).map_err(|e| e.to_string())?;
        // SAFETY: `&mut self` rules out handles into the module; the options and the error are freed as LLVM asks.
        unsafe {
            let options = LLVMCreatePassBuilderOptions();
            let error = LLVMRunPasses(self.module, passes.as_ptr(), ptr::null_mut(), options);
            LLVMDisposePassBuilderOptions(options);
            if error.is_null() {
                return Ok(());
            }
            let text = LLVMGetErrorMessage(error);
            let message = CStr::from_ptr(text).to_string_lossy().into_owned();
            llvm_sys::error::LLVMDisposeErrorMessage(text);
            Err(message)
        }
    }

    /// Runs LLVM's verifier.
    pub fn verify(&self) -> Result<(), String> {
        use llvm_sys::analysis::*;
        let mut message = ptr::null_mut();
        // SAFETY: the module is live, and LLVM hands the message over.
        unsafe {
            let action = LLVMVerifierFailureAction::LLVMReturnStatusAction;
            let failed = LLVMVerifyModule(self.module, action, &mut message);
            let text = take_message(message);
            if failed == 0 { Ok(()) } else { Err(text) }
        }
    }

    /// Represents variables' places by calls of `llvm.dbg.*` instead of records, which the C interface cannot read.
    pub fn use_debug_intrinsics(&mut self) {
        // SAFETY: the module is live; no handles are affected.
        unsafe { LLVMSetIsNewDbgInfoFormat(self.module, 0) }
    }

    /// Makes every definition internal whose name `keep` does not ask for, so that unused ones can be removed.
    pub fn internalize(&mut self, keep: impl Fn(&str) -> bool) {
        let all =
            self.functions().chain(self.globals()).chain(self.aliases()).map(|v| v.raw).collect::<Vec<_>>();
        for raw in all {
            let value = Value::new(raw);
            let name = value.name();
            // LLVM's own lists are not internal by definition. "used" lists only matter to object files.
            if value.is_declaration() || keep(&name) || name.starts_with("llvm.") {
                continue;
            }
            // SAFETY: a live global value; a comdat is for symbols that are visible to a linker.
            unsafe {
                if !value.is_a(LLVMIsAGlobalObject) {
                    LLVMSetLinkage(raw, Linkage::LLVMInternalLinkage);
                } else {
                    llvm_sys::comdat::LLVMSetComdat(raw, ptr::null_mut());
                    LLVMSetLinkage(raw, Linkage::LLVMInternalLinkage);
                }
            }
        }
        for name in [c"llvm.used", c"llvm.compiler.used"] {
            // SAFETY: looks a global up by name and deletes it; nothing may refer to these two.
            unsafe {
                let list = LLVMGetNamedGlobal(self.module, name.as_ptr());
                if !list.is_null() {
                    LLVMDeleteGlobal(list);
                }
            }
        }
    }

    /// The functions, in order.
    pub fn functions(&self) -> impl Iterator<Item = Value<'_>> {
        // SAFETY: walks the live module's list.
        chain(unsafe { LLVMGetFirstFunction(self.module) }, |f| unsafe { LLVMGetNextFunction(f) })
    }

    /// The global variables, in order.
    pub fn globals(&self) -> impl Iterator<Item = Value<'_>> {
        // SAFETY: walks the live module's list.
        chain(unsafe { LLVMGetFirstGlobal(self.module) }, |g| unsafe { LLVMGetNextGlobal(g) })
    }

    /// The aliases, in order.
    pub fn aliases(&self) -> impl Iterator<Item = Value<'_>> {
        // SAFETY: walks the live module's list.
        chain(unsafe { LLVMGetFirstGlobalAlias(self.module) }, |a| unsafe { LLVMGetNextGlobalAlias(a) })
    }

    /// The names of functions and variables that are used but not defined.
    pub fn undefined(&self) -> impl Iterator<Item = String> {
        self.functions().chain(self.globals()).filter(|v| v.is_declaration()).map(|v| v.name())
    }

    /// A global variable by name.
    pub fn global(&self, name: &str) -> Option<Value<'_>> {
        let name = CString::new(name).ok()?;
        // SAFETY: the module is live and the name NUL-terminated.
        Value::opt(unsafe { LLVMGetNamedGlobal(self.module, name.as_ptr()) })
    }

    /// A function by name.
    pub fn function(&self, name: &str) -> Option<Value<'_>> {
        let name = CString::new(name).ok()?;
        // SAFETY: the module is live and the name NUL-terminated.
        Value::opt(unsafe { LLVMGetNamedFunction(self.module, name.as_ptr()) })
    }

    /// Assembly at module level.
    pub fn inline_assembly(&self) -> String {
        let mut len = 0;
        // SAFETY: LLVM keeps the text, of the length it reports.
        unsafe {
            let text = LLVMGetModuleInlineAsm(self.module, &mut len);
            copy_text(text, len)
        }
    }

    /// The target triple.
    pub fn triple(&self) -> String {
        // SAFETY: LLVM keeps the NUL-terminated text.
        unsafe { CStr::from_ptr(LLVMGetTarget(self.module)).to_string_lossy().into_owned() }
    }

    /// The description of the target's sizes and alignments.
    pub fn data_layout(&self) -> String {
        // SAFETY: LLVM keeps the NUL-terminated text.
        unsafe { CStr::from_ptr(LLVMGetDataLayoutStr(self.module)).to_string_lossy().into_owned() }
    }

    /// The size of a pointer in bytes.
    pub fn pointer_bytes(&self) -> u32 {
        // SAFETY: the layout belongs to the live module.
        unsafe { LLVMPointerSize(self.layout) }
    }

    /// A struct type by its name.
    pub fn named_type(&self, name: &str) -> Option<Type<'_>> {
        let name = CString::new(name).ok()?;
        // SAFETY: a live context and a string that ends; types live as long as the context.
        let ty = unsafe { LLVMGetTypeByName2(self.context, name.as_ptr()) };
        (!ty.is_null()).then(|| Type::new(ty))
    }

    /// The bytes that a type takes in an array.
    pub fn size_of(&self, ty: Type<'_>) -> u64 {
        // SAFETY: live layout and type.
        unsafe { if LLVMTypeIsSized(ty.raw) == 0 { 0 } else { LLVMABISizeOfType(self.layout, ty.raw) } }
    }

    /// The alignment of a type in bytes.
    pub fn align_of(&self, ty: Type<'_>) -> u32 {
        // SAFETY: live layout and type.
        unsafe { if LLVMTypeIsSized(ty.raw) == 0 { 1 } else { LLVMABIAlignmentOfType(self.layout, ty.raw) } }
    }

    /// The offset of a struct's member in bytes.
    pub fn offset_of(&self, ty: Type<'_>, member: u32) -> u64 {
        assert!(ty.kind() == TypeKind::LLVMStructTypeKind);
        // SAFETY: live layout and struct type.
        unsafe { LLVMOffsetOfElement(self.layout, ty.raw, member) }
    }

    /// The 128 low bits of an integer or floating-point constant, or `None` if LLVM does not fold it.
    pub fn constant_bits(&self, value: Value<'_>) -> Option<u128> {
        let ty = value.ty();
        let bits = match ty.kind() {
            TypeKind::LLVMIntegerTypeKind => ty.int_bits(),
            TypeKind::LLVMFloatTypeKind => 32,
            TypeKind::LLVMDoubleTypeKind => 64,
            TypeKind::LLVMX86_FP80TypeKind => 80,
            _ => return None,
        };
        // SAFETY: value and types live in this context; building casts and shifts of constants folds them without an
        // insertion point.
        unsafe {
            let as_int = match ty.kind() {
                TypeKind::LLVMIntegerTypeKind => value.raw,
                _ => LLVMConstBitCast(value.raw, LLVMIntTypeInContext(self.context, bits)),
            };
            if LLVMIsAConstantInt(as_int).is_null() {
                return None;
            }
            if bits <= 64 {
                return Some(LLVMConstIntGetZExtValue(as_int).into());
            }
            let word = LLVMInt64TypeInContext(self.context);
            let low = LLVMConstTrunc(as_int, word);
            let by = LLVMConstInt(LLVMTypeOf(as_int), 64, 0);
            let shifted = LLVMBuildLShr(self.builder, as_int, by, c"".as_ptr());
            let high = LLVMConstTrunc(shifted, LLVMIntTypeInContext(self.context, (bits - 64).min(64)));
            if LLVMIsAConstantInt(low).is_null() || LLVMIsAConstantInt(high).is_null() {
                return None;
            }
            let (low, high) = (LLVMConstIntGetZExtValue(low), LLVMConstIntGetZExtValue(high));
            Some(u128::from(low) | u128::from(high) << 64)
        }
    }
}

fn chain<'m>(
    first: LLVMValueRef,
    next: impl Fn(LLVMValueRef) -> LLVMValueRef,
) -> impl Iterator<Item = Value<'m>> {
    std::iter::successors(Value::opt(first), move |v| Value::opt(next(v.raw)))
}

/// A type.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Type<'m> {
    raw: LLVMTypeRef,
    life: PhantomData<&'m Module>,
}

impl<'m> Type<'m> {
    fn new(raw: LLVMTypeRef) -> Type<'m> {
        assert!(!raw.is_null());
        Type { raw, life: PhantomData }
    }

    /// What sort of type it is.
    pub fn kind(self) -> TypeKind {
        // SAFETY: a live type.
        unsafe { LLVMGetTypeKind(self.raw) }
    }

    /// The width of an integer type.
    pub fn int_bits(self) -> u32 {
        assert!(self.kind() == TypeKind::LLVMIntegerTypeKind);
        // SAFETY: an integer type.
        unsafe { LLVMGetIntTypeWidth(self.raw) }
    }

    /// The address space of a pointer type.
    pub fn address_space(self) -> u32 {
        assert!(self.kind() == TypeKind::LLVMPointerTypeKind);
        // SAFETY: a pointer type.
        unsafe { LLVMGetPointerAddressSpace(self.raw) }
    }

    /// The element type of an array or vector.
    pub fn element(self) -> Type<'m> {
        assert!(matches!(self.kind(), TypeKind::LLVMArrayTypeKind | TypeKind::LLVMVectorTypeKind));
        // SAFETY: an array or vector type.
        Type::new(unsafe { LLVMGetElementType(self.raw) })
    }

    /// How many elements an array or vector, or members a struct, has.
    pub fn len(self) -> u64 {
        // SAFETY: the kind is checked for each call.
        unsafe {
            match self.kind() {
                TypeKind::LLVMArrayTypeKind => LLVMGetArrayLength2(self.raw),
                TypeKind::LLVMVectorTypeKind => LLVMGetVectorSize(self.raw).into(),
                TypeKind::LLVMStructTypeKind => LLVMCountStructElementTypes(self.raw).into(),
                _ => 0,
            }
        }
    }

    /// A struct's member type.
    pub fn member(self, index: u32) -> Type<'m> {
        assert!(self.kind() == TypeKind::LLVMStructTypeKind && u64::from(index) < self.len());
        // SAFETY: a struct type and an index in range.
        Type::new(unsafe { LLVMStructGetTypeAtIndex(self.raw, index) })
    }

    /// Whether a struct type has no known members.
    pub fn is_opaque(self) -> bool {
        // SAFETY: a struct type.
        self.kind() == TypeKind::LLVMStructTypeKind && unsafe { LLVMIsOpaqueStruct(self.raw) != 0 }
    }

    /// The parameter types of a function type.
    pub fn params(self) -> Vec<Type<'m>> {
        assert!(self.kind() == TypeKind::LLVMFunctionTypeKind);
        // SAFETY: a function type; LLVM writes as many types as it counts.
        unsafe {
            let count = LLVMCountParamTypes(self.raw) as usize;
            let mut params = vec![ptr::null_mut(); count];
            LLVMGetParamTypes(self.raw, params.as_mut_ptr());
            params.into_iter().map(Type::new).collect()
        }
    }

    /// The result type of a function type.
    pub fn result(self) -> Type<'m> {
        assert!(self.kind() == TypeKind::LLVMFunctionTypeKind);
        // SAFETY: a function type.
        Type::new(unsafe { LLVMGetReturnType(self.raw) })
    }

    /// Whether a function type has variable arguments.
    pub fn is_variadic(self) -> bool {
        assert!(self.kind() == TypeKind::LLVMFunctionTypeKind);
        // SAFETY: a function type.
        unsafe { LLVMIsFunctionVarArg(self.raw) != 0 }
    }

    /// The name of a struct type that has one.
    pub fn struct_name(self) -> Option<String> {
        if self.kind() != TypeKind::LLVMStructTypeKind {
            return None;
        }
        // SAFETY: a live struct type, whose name ends and lives as long.
        unsafe {
            let name = LLVMGetStructName(self.raw);
            (!name.is_null()).then(|| CStr::from_ptr(name).to_string_lossy().into_owned())
        }
    }

    /// The type as LLVM prints it.
    pub fn text(self) -> String {
        // SAFETY: a live type; the text is ours to free.
        unsafe { take_message(LLVMPrintTypeToString(self.raw)) }
    }
}

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Block<'m> {
    raw: LLVMBasicBlockRef,
    life: PhantomData<&'m Module>,
}

impl<'m> Block<'m> {
    fn new(raw: LLVMBasicBlockRef) -> Block<'m> {
        assert!(!raw.is_null());
        Block { raw, life: PhantomData }
    }

    /// The instructions, in order.
    pub fn instructions(self) -> impl Iterator<Item = Value<'m>> {
        // SAFETY: walks the live block's list.
        chain(unsafe { LLVMGetFirstInstruction(self.raw) }, |i| unsafe { LLVMGetNextInstruction(i) })
    }

    /// The last instruction.
    pub fn terminator(self) -> Option<Value<'m>> {
        // SAFETY: a live block.
        Value::opt(unsafe { LLVMGetBasicBlockTerminator(self.raw) })
    }

    /// The blocks that the terminator can go to.
    pub fn successors(self) -> Vec<Block<'m>> {
        let Some(last) = self.terminator() else { return Vec::new() };
        // SAFETY: a terminator, and indices below its count of successors.
        unsafe {
            let count = LLVMGetNumSuccessors(last.raw);
            (0..count).map(|i| Block::new(LLVMGetSuccessor(last.raw, i))).collect()
        }
    }

    /// The function that it belongs to.
    pub fn function(self) -> Value<'m> {
        // SAFETY: a live block; all blocks here belong to functions.
        Value::new(unsafe { LLVMGetBasicBlockParent(self.raw) })
    }

    /// Its name; empty if it has none.
    pub fn name(self) -> String {
        // SAFETY: a live block; LLVM keeps the NUL-terminated text.
        unsafe { CStr::from_ptr(LLVMGetBasicBlockName(self.raw)).to_string_lossy().into_owned() }
    }

    /// The blocks that control can come from, once each.
    pub fn predecessors(self) -> Vec<Block<'m>> {
        // SAFETY: a live block; its users are terminators and block addresses, of which the first stand in blocks.
        let value: Value<'m> = Value::new(unsafe { LLVMBasicBlockAsValue(self.raw) });
        let mut found = Vec::new();
        for user in value.users().filter(|u| u.kind() == ValueKind::LLVMInstructionValueKind) {
            if !found.contains(&user.parent()) {
                found.push(user.parent());
            }
        }
        found
    }

    /// Whether a `blockaddress` constant refers to it.
    pub fn address_taken(self) -> bool {
        // SAFETY: a live block; walks its uses.
        let value = Value::new(unsafe { LLVMBasicBlockAsValue(self.raw) });
        value.users().any(|user| user.kind() == ValueKind::LLVMBlockAddressValueKind)
    }
}
