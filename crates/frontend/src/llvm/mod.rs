//! Safe handles on LLVM's C interface: modules, types and values.
//!
//! This module and its child [`meta`] hold all `unsafe` code of the front end. The rules that make it sound:
//! - a [`Module`] owns its LLVM context; handles borrow the module (`'m`), so none outlives it, and nothing here frees
//!   a value, type or metadata node while a module lives (passes that do so take `&mut self`);
//! - LLVM trusts its callers to pass a value of the right kind; accessors that need one check it with
//!   [`Value::opcode`] or [`Value::kind`] and panic otherwise, which is an error of this crate, not of its input;
//! - contexts are not shared between threads: [`Module`] is neither `Send` nor `Sync` (it holds raw pointers).

pub mod meta;

use std::ffi::{CStr, CString, c_char, c_uint, c_void};
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
    /// Filled by LLVM through a raw pointer while linking or reading; boxed so that the pointer stays valid.
    messages: Box<Vec<(Severity, String)>>,
}

impl Drop for Module {
    fn drop(&mut self) {
        // SAFETY: the three are live and owned by `self`; the builder and module are disposed of before their context.
        unsafe {
            LLVMDisposeBuilder(self.builder);
            if !self.module.is_null() {
                LLVMDisposeModule(self.module);
            }
            LLVMContextDispose(self.context);
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
        let sink = &mut *(sink as *mut Vec<(Severity, String)>);
        sink.push((severity, take_message(text)));
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
        // SAFETY: a new context and its builder have no preconditions; the sink outlives the context (see `Drop`).
        let (context, builder, messages) = unsafe {
            let context = LLVMContextCreate();
            let messages: Box<Vec<(Severity, String)>> = Box::default();
            let sink = ptr::from_ref::<Vec<_>>(&messages).cast_mut().cast();
            LLVMContextSetDiagnosticHandler(context, Some(on_message), sink);
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
        let errors = self.messages.extract_if(.., |(severity, _)| *severity == Severity::Error);
        Err(errors.map(|(_, text)| text).collect::<Vec<_>>().join("\n"))
    }

    /// What LLVM said since the last call.
    pub fn take_messages(&mut self) -> Vec<(Severity, String)> {
        std::mem::take(&mut *self.messages)
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

    /// The size of a pointer in bytes.
    pub fn pointer_bytes(&self) -> u32 {
        // SAFETY: the layout belongs to the live module.
        unsafe { LLVMPointerSize(self.layout) }
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

    /// Whether a `blockaddress` constant refers to it.
    pub fn address_taken(self) -> bool {
        // SAFETY: a live block; walks its uses.
        let value = Value::new(unsafe { LLVMBasicBlockAsValue(self.raw) });
        value.users().any(|user| user.kind() == ValueKind::LLVMBlockAddressValueKind)
    }
}

/// A value: constant, argument, instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Value<'m> {
    raw: LLVMValueRef,
    life: PhantomData<&'m Module>,
}

impl<'m> Value<'m> {
    fn new(raw: LLVMValueRef) -> Value<'m> {
        assert!(!raw.is_null());
        Value { raw, life: PhantomData }
    }

    fn opt(raw: LLVMValueRef) -> Option<Value<'m>> {
        (!raw.is_null()).then(|| Value::new(raw))
    }

    fn is_a(self, test: unsafe extern "C" fn(LLVMValueRef) -> LLVMValueRef) -> bool {
        // SAFETY: the `LLVMIsA...` tests accept any live value.
        unsafe { !test(self.raw).is_null() }
    }

    /// What sort of value it is.
    pub fn kind(self) -> ValueKind {
        // SAFETY: a live value.
        unsafe { LLVMGetValueKind(self.raw) }
    }

    /// Its type.
    pub fn ty(self) -> Type<'m> {
        // SAFETY: a live value.
        Type::new(unsafe { LLVMTypeOf(self.raw) })
    }

    /// Its name; empty if it has none.
    pub fn name(self) -> String {
        let mut len = 0;
        // SAFETY: LLVM keeps the text, of the length it reports.
        unsafe {
            let text = LLVMGetValueName2(self.raw, &mut len);
            copy_text(text, len)
        }
    }

    /// The value as LLVM prints it. Slow for large modules.
    pub fn text(self) -> String {
        // SAFETY: a live value; the text is ours to free.
        unsafe { take_message(LLVMPrintValueToString(self.raw)) }
    }

    /// Whether it is a constant (globals included).
    pub fn is_constant(self) -> bool {
        // SAFETY: a live value.
        unsafe { LLVMIsConstant(self.raw) != 0 }
    }

    /// Whether it is the zero of its type.
    pub fn is_null(self) -> bool {
        // SAFETY: a live value.
        unsafe { LLVMIsNull(self.raw) != 0 }
    }

    /// Whether anything uses it.
    pub fn is_used(self) -> bool {
        // SAFETY: a live value.
        unsafe { !LLVMGetFirstUse(self.raw).is_null() }
    }

    /// Who uses it, once per use.
    pub fn users(self) -> impl Iterator<Item = Value<'m>> {
        let live = |u: LLVMUseRef| (!u.is_null()).then_some(u);
        // SAFETY: walks the live value's uses.
        let first = live(unsafe { LLVMGetFirstUse(self.raw) });
        std::iter::successors(first, move |u| live(unsafe { LLVMGetNextUse(*u) }))
            .map(|u| Value::new(unsafe { LLVMGetUser(u) }))
    }

    /// The operation of an instruction or constant expression.
    pub fn opcode(self) -> Option<Opcode> {
        // SAFETY: the kind decides which query is allowed.
        unsafe {
            match self.kind() {
                ValueKind::LLVMInstructionValueKind => Some(LLVMGetInstructionOpcode(self.raw)),
                ValueKind::LLVMConstantExprValueKind => Some(LLVMGetConstOpcode(self.raw)),
                _ => None,
            }
        }
    }

    fn must_be(self, opcodes: &[Opcode]) {
        let found = self.opcode();
        assert!(found.is_some_and(|o| opcodes.contains(&o)), "{opcodes:?} expected, {found:?} found");
    }

    /// How many operands a user (instruction, constant) has.
    pub fn operand_count(self) -> u32 {
        if !self.is_a(LLVMIsAUser) {
            return 0;
        }
        // SAFETY: a user.
        unsafe { LLVMGetNumOperands(self.raw) as u32 }
    }

    /// An operand.
    pub fn operand(self, index: u32) -> Value<'m> {
        assert!(index < self.operand_count());
        // SAFETY: a user, and an index in range.
        Value::new(unsafe { LLVMGetOperand(self.raw, index) })
    }

    /// The block that a value stands for (operands of terminators).
    pub fn as_block(self) -> Block<'m> {
        // SAFETY: any value may be asked; only blocks are converted.
        unsafe {
            assert!(LLVMValueIsBasicBlock(self.raw) != 0);
            Block::new(LLVMValueAsBasicBlock(self.raw))
        }
    }

    // ---- globals

    /// Whether a function, global or alias is declared only.
    pub fn is_declaration(self) -> bool {
        assert!(self.is_a(LLVMIsAGlobalValue));
        // SAFETY: a global value.
        unsafe { LLVMIsDeclaration(self.raw) != 0 }
    }

    /// The linkage of a function, global or alias.
    pub fn linkage(self) -> Linkage {
        assert!(self.is_a(LLVMIsAGlobalValue));
        // SAFETY: a global value.
        unsafe { LLVMGetLinkage(self.raw) }
    }

    /// The type of what a global holds, or a function's type.
    pub fn value_type(self) -> Type<'m> {
        assert!(self.is_a(LLVMIsAGlobalValue));
        // SAFETY: a global value.
        Type::new(unsafe { LLVMGlobalGetValueType(self.raw) })
    }

    /// Whether a global variable is thread-local.
    pub fn is_thread_local(self) -> bool {
        // SAFETY: a global variable.
        self.kind() == ValueKind::LLVMGlobalVariableValueKind && unsafe { LLVMIsThreadLocal(self.raw) != 0 }
    }

    /// Whether a global variable is never written.
    pub fn is_global_constant(self) -> bool {
        // SAFETY: a global variable.
        self.kind() == ValueKind::LLVMGlobalVariableValueKind
            && unsafe { LLVMIsGlobalConstant(self.raw) != 0 }
    }

    /// A global variable's initialiser.
    pub fn initializer(self) -> Option<Value<'m>> {
        assert!(self.kind() == ValueKind::LLVMGlobalVariableValueKind);
        // SAFETY: a global variable.
        Value::opt(unsafe { LLVMGetInitializer(self.raw) })
    }

    /// What an alias stands for.
    pub fn aliasee(self) -> Value<'m> {
        assert!(self.kind() == ValueKind::LLVMGlobalAliasValueKind);
        // SAFETY: an alias.
        Value::new(unsafe { LLVMAliasGetAliasee(self.raw) })
    }

    /// The alignment of a global, alloca, load or store in bytes; 0 if none is given.
    pub fn alignment(self) -> u32 {
        use Opcode::*;
        if self.kind() == ValueKind::LLVMInstructionValueKind {
            self.must_be(&[LLVMAlloca, LLVMLoad, LLVMStore]);
        } else {
            assert!(self.is_a(LLVMIsAGlobalObject));
        }
        // SAFETY: one of the values that have an alignment.
        unsafe { LLVMGetAlignment(self.raw) }
    }

    /// An element of a `ConstantDataArray` or `ConstantDataVector`.
    pub fn data_element(self, index: u32) -> Value<'m> {
        use ValueKind::*;
        assert!(matches!(self.kind(), LLVMConstantDataArrayValueKind | LLVMConstantDataVectorValueKind));
        assert!(u64::from(index) < self.ty().len());
        // SAFETY: sequential constant data, and an index in range.
        Value::new(unsafe { LLVMGetAggregateElement(self.raw, index) })
    }

    /// The bytes of a constant array of 8-bit integers.
    pub fn data_string(self) -> Option<Vec<u8>> {
        if self.kind() != ValueKind::LLVMConstantDataArrayValueKind {
            return None;
        }
        // SAFETY: constant data of 8-bit integers; LLVM keeps the bytes, of the length it reports.
        unsafe {
            if LLVMIsConstantString(self.raw) == 0 {
                return None;
            }
            let mut len = 0;
            let text = LLVMGetAsString(self.raw, &mut len);
            Some(std::slice::from_raw_parts(text.cast::<u8>(), len).to_vec())
        }
    }

    /// The value of an integer constant of up to 64 bits, sign-extended.
    pub fn constant_int(self) -> Option<i64> {
        if self.kind() != ValueKind::LLVMConstantIntValueKind || self.ty().int_bits() > 64 {
            return None;
        }
        // SAFETY: an integer constant of at most 64 bits.
        Some(unsafe { LLVMConstIntGetSExtValue(self.raw) })
    }

    /// The function and block of a `blockaddress`.
    pub fn block_address(self) -> (Value<'m>, Block<'m>) {
        assert!(self.kind() == ValueKind::LLVMBlockAddressValueKind);
        // SAFETY: a block address.
        unsafe {
            (
                Value::new(LLVMGetBlockAddressFunction(self.raw)),
                Block::new(LLVMGetBlockAddressBasicBlock(self.raw)),
            )
        }
    }

    // ---- functions

    /// A function's parameters.
    pub fn params(self) -> Vec<Value<'m>> {
        assert!(self.kind() == ValueKind::LLVMFunctionValueKind);
        // SAFETY: a function, and indices below its count of parameters.
        unsafe { (0..LLVMCountParams(self.raw)).map(|i| Value::new(LLVMGetParam(self.raw, i))).collect() }
    }

    /// A function's blocks, in order.
    pub fn blocks(self) -> impl Iterator<Item = Block<'m>> {
        assert!(self.kind() == ValueKind::LLVMFunctionValueKind);
        let live = |b: LLVMBasicBlockRef| (!b.is_null()).then(|| Block::new(b));
        // SAFETY: walks the live function's list.
        let first = live(unsafe { LLVMGetFirstBasicBlock(self.raw) });
        std::iter::successors(first, move |b| live(unsafe { LLVMGetNextBasicBlock(b.raw) }))
    }

    /// The type and alignment of a `byval` parameter, of a function or a call.
    pub fn by_value(self, param: u32) -> Option<(Type<'m>, Option<u32>)> {
        let get = |kind: &str| {
            // SAFETY: the kind's name is a string of the given length; `self` is a function or a call, as checked.
            unsafe {
                let kind = LLVMGetEnumAttributeKindForName(kind.as_ptr().cast(), kind.len());
                let attribute = if self.kind() == ValueKind::LLVMFunctionValueKind {
                    LLVMGetEnumAttributeAtIndex(self.raw, param + 1, kind)
                } else {
                    self.must_be(&[Opcode::LLVMCall, Opcode::LLVMInvoke]);
                    LLVMGetCallSiteEnumAttribute(self.raw, param + 1, kind)
                };
                (!attribute.is_null()).then_some(attribute)
            }
        };
        let ty = get("byval")?;
        // SAFETY: `byval` is a type attribute, `align` one with a number.
        unsafe {
            let align = get("align").map(|a| LLVMGetEnumAttributeValue(a) as u32);
            Some((Type::new(LLVMGetTypeAttributeValue(ty)), align))
        }
    }

    // ---- instructions

    /// The block that an instruction stands in.
    pub fn parent(self) -> Block<'m> {
        assert!(self.kind() == ValueKind::LLVMInstructionValueKind);
        // SAFETY: an instruction; all instructions here stand in blocks.
        Block::new(unsafe { LLVMGetInstructionParent(self.raw) })
    }

    /// The callee of a call or invoke.
    pub fn callee(self) -> Value<'m> {
        self.must_be(&[Opcode::LLVMCall, Opcode::LLVMInvoke, Opcode::LLVMCallBr]);
        // SAFETY: a call.
        Value::new(unsafe { LLVMGetCalledValue(self.raw) })
    }

    /// How many arguments a call or invoke has.
    pub fn arg_count(self) -> u32 {
        self.must_be(&[Opcode::LLVMCall, Opcode::LLVMInvoke, Opcode::LLVMCallBr]);
        // SAFETY: a call.
        unsafe { LLVMGetNumArgOperands(self.raw) }
    }

    /// The text and the constraints of inline assembly.
    pub fn assembly(self) -> Option<(String, String)> {
        if self.kind() != ValueKind::LLVMInlineAsmValueKind {
            return None;
        }
        let (mut text_len, mut constraints_len) = (0, 0);
        // SAFETY: inline assembly; LLVM keeps the texts, of the lengths it reports.
        unsafe {
            let text = LLVMGetInlineAsmAsmString(self.raw, &mut text_len);
            let constraints = LLVMGetInlineAsmConstraintString(self.raw, &mut constraints_len);
            Some((copy_text(text, text_len), copy_text(constraints, constraints_len)))
        }
    }

    /// Where an invoke goes on: normally, and with an exception.
    pub fn invoke_targets(self) -> (Block<'m>, Block<'m>) {
        self.must_be(&[Opcode::LLVMInvoke]);
        // SAFETY: an invoke.
        unsafe { (Block::new(LLVMGetNormalDest(self.raw)), Block::new(LLVMGetUnwindDest(self.raw))) }
    }

    /// The values of a phi node with the blocks they come from.
    pub fn incoming(self) -> Vec<(Value<'m>, Block<'m>)> {
        self.must_be(&[Opcode::LLVMPHI]);
        // SAFETY: a phi node, and indices below its count.
        unsafe {
            (0..LLVMCountIncoming(self.raw))
                .map(|i| {
                    (
                        Value::new(LLVMGetIncomingValue(self.raw, i)),
                        Block::new(LLVMGetIncomingBlock(self.raw, i)),
                    )
                })
                .collect()
        }
    }

    /// The type that an alloca makes.
    pub fn allocated_type(self) -> Type<'m> {
        self.must_be(&[Opcode::LLVMAlloca]);
        // SAFETY: an alloca.
        Type::new(unsafe { LLVMGetAllocatedType(self.raw) })
    }

    /// The type that a GEP steps through.
    pub fn gep_type(self) -> Type<'m> {
        self.must_be(&[Opcode::LLVMGetElementPtr]);
        // SAFETY: a GEP instruction or constant expression.
        Type::new(unsafe { LLVMGetGEPSourceElementType(self.raw) })
    }

    /// The indices of `extractvalue` and `insertvalue`.
    pub fn indices(self) -> Vec<u32> {
        self.must_be(&[Opcode::LLVMExtractValue, Opcode::LLVMInsertValue]);
        // SAFETY: LLVM keeps as many indices as it counts.
        unsafe {
            let count = LLVMGetNumIndices(self.raw) as usize;
            std::slice::from_raw_parts(LLVMGetIndices(self.raw), count).to_vec()
        }
    }

    /// The mask of `shufflevector`; `None` is an undefined lane.
    pub fn shuffle_mask(self) -> Vec<Option<u32>> {
        self.must_be(&[Opcode::LLVMShuffleVector]);
        // SAFETY: a shuffle, and indices below its count.
        unsafe {
            let count: c_uint = LLVMGetNumMaskElements(self.raw);
            (0..count).map(|i| u32::try_from(LLVMGetMaskValue(self.raw, i)).ok()).collect()
        }
    }

    /// The predicate of an integer comparison.
    pub fn int_predicate(self) -> IntPredicate {
        self.must_be(&[Opcode::LLVMICmp]);
        // SAFETY: an integer comparison.
        unsafe { LLVMGetICmpPredicate(self.raw) }
    }

    /// The predicate of a floating-point comparison.
    pub fn real_predicate(self) -> RealPredicate {
        self.must_be(&[Opcode::LLVMFCmp]);
        // SAFETY: a floating-point comparison.
        unsafe { LLVMGetFCmpPredicate(self.raw) }
    }

    /// Whether a memory access is volatile.
    pub fn is_volatile(self) -> bool {
        use Opcode::*;
        self.must_be(&[LLVMLoad, LLVMStore, LLVMAtomicRMW, LLVMAtomicCmpXchg]);
        // SAFETY: one of the instructions that have the flag.
        unsafe { LLVMGetVolatile(self.raw) != 0 }
    }

    /// The order of a load, store, fence or read-modify-write.
    pub fn ordering(self) -> Ordering {
        use Opcode::*;
        self.must_be(&[LLVMLoad, LLVMStore, LLVMAtomicRMW, LLVMFence]);
        // SAFETY: one of the instructions that have one order.
        unsafe { LLVMGetOrdering(self.raw) }
    }

    /// The orders of a compare and exchange on success and failure, and whether it is weak.
    pub fn cmpxchg(self) -> (Ordering, Ordering, bool) {
        self.must_be(&[Opcode::LLVMAtomicCmpXchg]);
        // SAFETY: a compare and exchange.
        unsafe {
            (
                LLVMGetCmpXchgSuccessOrdering(self.raw),
                LLVMGetCmpXchgFailureOrdering(self.raw),
                LLVMGetWeak(self.raw) != 0,
            )
        }
    }

    /// What a read-modify-write does.
    pub fn rmw_operation(self) -> RmwBinOp {
        self.must_be(&[Opcode::LLVMAtomicRMW]);
        // SAFETY: a read-modify-write.
        unsafe { LLVMGetAtomicRMWBinOp(self.raw) }
    }

    /// The clauses of a landing pad, and whether it is entered for clean-up.
    pub fn landing_pad(self) -> (Vec<Value<'m>>, bool) {
        self.must_be(&[Opcode::LLVMLandingPad]);
        // SAFETY: a landing pad, and indices below its count.
        unsafe {
            let count = LLVMGetNumClauses(self.raw);
            let clauses = (0..count).map(|i| Value::new(LLVMGetClause(self.raw, i))).collect();
            (clauses, LLVMIsCleanup(self.raw) != 0)
        }
    }
}
