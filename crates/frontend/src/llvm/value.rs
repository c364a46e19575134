//! Safe handles on LLVM's values; see the parent module for the rules.

use std::ffi::c_uint;
use std::marker::PhantomData;

use llvm_sys::core::*;
use llvm_sys::prelude::*;

use super::{
    Block, IntPredicate, Linkage, Module, Opcode, Ordering, RealPredicate, RmwBinOp, Type, ValueKind,
    copy_text, take_message,
};

/// A value: constant, argument, instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Value<'m> {
    pub(super) raw: LLVMValueRef,
    life: PhantomData<&'m Module>,
}

impl<'m> Value<'m> {
    pub(super) fn new(raw: LLVMValueRef) -> Value<'m> {
        assert!(!raw.is_null());
        Value { raw, life: PhantomData }
    }

    pub(super) fn opt(raw: LLVMValueRef) -> Option<Value<'m>> {
        (!raw.is_null()).then(|| Value::new(raw))
    }

    pub(super) fn is_a(self, test: unsafe extern "C" fn(LLVMValueRef) -> LLVMValueRef) -> bool {
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

    /// The global variable that it is.
    pub fn as_global(self) -> Option<Value<'m>> {
        (self.kind() == ValueKind::LLVMGlobalVariableValueKind).then_some(self)
    }

    /// Whether a function, global or alias is declared only.
    pub fn is_declaration(self) -> bool {
        assert!(self.is_a(LLVMIsAGlobalValue));
        // SAFETY: a global value.
        unsafe { LLVMIsDeclaration(self.raw) != 0 }
    }

    /// Whether a function has an attribute of this name that is a text.
    pub fn has_text_attribute(self, name: &str) -> bool {
        assert!(self.is_a(LLVMIsAFunction));
        // SAFETY: a function; the name has the length given.
        unsafe {
            let (at, len) = (name.as_ptr().cast(), name.len() as u32);
            !LLVMGetStringAttributeAtIndex(self.raw, llvm_sys::LLVMAttributeFunctionIndex, at, len).is_null()
        }
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

    /// The instruction that follows in the block.
    pub fn next(self) -> Option<Value<'m>> {
        assert!(self.kind() == ValueKind::LLVMInstructionValueKind);
        // SAFETY: an instruction.
        Value::opt(unsafe { LLVMGetNextInstruction(self.raw) })
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
