//! The few changes that the front end makes to a module before it is lowered; see the parent module for the rules.

use llvm_sys::core::*;
use llvm_sys::debuginfo::LLVMInstructionGetDebugLoc;
use llvm_sys::prelude::LLVMValueRef;

use super::{Module, Opcode, Value};

impl Module {
    /// Makes an argument of a call an integer constant of the same type.
    pub fn set_int_argument(&self, call: Value<'_>, index: u32, value: i64) {
        assert!(matches!(call.opcode(), Some(Opcode::LLVMCall | Opcode::LLVMInvoke)));
        assert!(index < call.arg_count());
        // SAFETY: a live call and an argument of integer type; handles on the old constant stay valid, since constants
        // live as long as the context.
        unsafe {
            let ty = LLVMTypeOf(call.operand(index).raw);
            assert!(!LLVMIsAConstantInt(call.operand(index).raw).is_null());
            LLVMSetOperand(call.raw, index, LLVMConstInt(ty, value as u64, 0));
        }
    }

    /// Gives a function another name, if it is there.
    pub fn rename_function(&self, from: &str, to: &str) {
        let Some(function) = self.function(from) else { return };
        // SAFETY: a live function; LLVM copies the name, of the length given.
        unsafe { LLVMSetValueName2(function.raw, to.as_ptr().cast(), to.len()) };
    }

    /// Makes a call call another function of the same type.
    pub fn set_callee(&self, call: Value<'_>, to: &std::ffi::CStr) {
        assert!(call.opcode() == Some(Opcode::LLVMCall));
        // SAFETY: a live call, whose last operand is the callee; the function is declared with the type of the call.
        unsafe {
            let mut function = LLVMGetNamedFunction(self.module, to.as_ptr());
            if function.is_null() {
                function = LLVMAddFunction(self.module, to.as_ptr(), LLVMGetCalledFunctionType(call.raw));
            }
            LLVMSetOperand(call.raw, LLVMGetNumOperands(call.raw) as u32 - 1, function);
        }
    }

    /// Puts a call of a function without result in, with a 64-bit argument if one is given.
    pub fn call_before<'m>(
        &'m self,
        before: Value<'m>,
        name: &std::ffi::CStr,
        argument: Option<i64>,
    ) -> Value<'m> {
        // SAFETY: a constant of this context.
        let argument =
            argument.map(|a| unsafe { LLVMConstInt(LLVMInt64TypeInContext(self.context), a as u64, 0) });
        self.insert_call(before, name, argument)
    }

    /// Puts a call in whose only argument is the address of a stack object, which stays in memory therefore.
    pub fn call_with_address(&self, before: Value<'_>, name: &std::ffi::CStr, alloca: Value<'_>) {
        assert!(alloca.opcode() == Some(Opcode::LLVMAlloca));
        self.insert_call(before, name, Some(alloca.raw));
    }

    /// Puts a call in whose only argument is the integer that a stack object holds, extended to 64 bits.
    pub fn call_with_counter(&self, before: Value<'_>, name: &std::ffi::CStr, counter: Value<'_>) {
        let ty = counter.allocated_type();
        assert!(ty.kind() == super::TypeKind::LLVMIntegerTypeKind);
        // SAFETY: the load and the cast are inserted before a live instruction that the stack object dominates.
        let extended = unsafe {
            LLVMPositionBuilderBefore(self.builder, before.raw);
            LLVMSetCurrentDebugLocation2(self.builder, LLVMInstructionGetDebugLoc(before.raw));
            let value = LLVMBuildLoad2(self.builder, ty.raw, counter.raw, c"".as_ptr());
            LLVMBuildIntCast2(self.builder, value, LLVMInt64TypeInContext(self.context), 1, c"".as_ptr())
        };
        self.insert_call(before, name, Some(extended));
    }

    fn insert_call<'m>(
        &'m self,
        before: Value<'m>,
        name: &std::ffi::CStr,
        argument: Option<LLVMValueRef>,
    ) -> Value<'m> {
        assert!(before.kind() == super::ValueKind::LLVMInstructionValueKind);
        // SAFETY: the function is declared once with the type that its calls have; the call is inserted before a live
        // instruction. No handle is invalidated.
        unsafe {
            let mut args: Vec<_> = argument.into_iter().collect();
            let mut params: Vec<_> = args.iter().map(|a| LLVMTypeOf(*a)).collect();
            let void = LLVMVoidTypeInContext(self.context);
            let ty = LLVMFunctionType(void, params.as_mut_ptr(), params.len() as u32, 0);
            let mut function = LLVMGetNamedFunction(self.module, name.as_ptr());
            if function.is_null() {
                function = LLVMAddFunction(self.module, name.as_ptr(), ty);
            }
            LLVMPositionBuilderBefore(self.builder, before.raw);
            LLVMSetCurrentDebugLocation2(self.builder, LLVMInstructionGetDebugLoc(before.raw));
            let count = args.len() as u32;
            let call = LLVMBuildCall2(self.builder, ty, function, args.as_mut_ptr(), count, c"".as_ptr());
            LLVMClearInsertionPosition(self.builder);
            Value::new(call)
        }
    }

    /// Replaces a call (or invoke) that is given two addresses and gives one back, and the load of what is there, by a call of a
    /// function of two values of the load's type. Handles on the call and the load must not be used any more.
    pub fn replace_by_value(&self, call: Value<'_>, load: Value<'_>, name: &str) {
        assert!(matches!(call.opcode(), Some(Opcode::LLVMCall | Opcode::LLVMInvoke)));
        assert!(load.opcode() == Some(Opcode::LLVMLoad) && call.arg_count() == 2);
        let name = std::ffi::CString::new(name).expect("a name without zeros");
        // SAFETY: the arguments dominate the call and so the load, which is the only user of its result; the function is declared
        // once with the type that its calls have. An invoke becomes a jump to where it goes on.
        unsafe {
            let ty = LLVMTypeOf(load.raw);
            let mut params = [ty, ty];
            let signature = LLVMFunctionType(ty, params.as_mut_ptr(), 2, 0);
            let mut function = LLVMGetNamedFunction(self.module, name.as_ptr());
            if function.is_null() {
                function = LLVMAddFunction(self.module, name.as_ptr(), signature);
            }
            LLVMPositionBuilderBefore(self.builder, load.raw);
            LLVMSetCurrentDebugLocation2(self.builder, LLVMInstructionGetDebugLoc(call.raw));
            let mut args =
                [0, 1].map(|i| LLVMBuildLoad2(self.builder, ty, call.operand(i).raw, c"".as_ptr()));
            let result =
                LLVMBuildCall2(self.builder, signature, function, args.as_mut_ptr(), 2, c"".as_ptr());
            LLVMReplaceAllUsesWith(load.raw, result);
            LLVMInstructionEraseFromParent(load.raw);
            if call.opcode() == Some(Opcode::LLVMInvoke) {
                LLVMPositionBuilderBefore(self.builder, call.raw);
                LLVMBuildBr(self.builder, LLVMGetNormalDest(call.raw));
            }
            LLVMInstructionEraseFromParent(call.raw);
            LLVMClearInsertionPosition(self.builder);
        }
    }

    /// Makes an integer argument of a call the address of a variable.
    pub fn pass_address(&self, call: Value<'_>, index: u32, address: Value<'_>) {
        assert!(matches!(call.opcode(), Some(Opcode::LLVMCall | Opcode::LLVMInvoke)));
        assert!(index < call.arg_count());
        // SAFETY: a live call, which the address dominates, since it dominates the old argument. No handle is invalidated.
        unsafe {
            LLVMPositionBuilderBefore(self.builder, call.raw);
            LLVMSetCurrentDebugLocation2(self.builder, LLVMInstructionGetDebugLoc(call.raw));
            let ty = LLVMTypeOf(call.operand(index).raw);
            let number = LLVMBuildPtrToInt(self.builder, address.raw, ty, c"".as_ptr());
            LLVMSetOperand(call.raw, index, number);
            LLVMClearInsertionPosition(self.builder);
        }
    }

    /// Makes a function take an integer parameter as the address of a value of the type, at most as large, and read that when it begins.
    pub fn read_parameter(&self, function: Value<'_>, param: Value<'_>, ty: super::Type<'_>) {
        let Some(entry) = function.blocks().next() else { return };
        let code = || function.blocks().flat_map(|b| b.instructions());
        let Some(first) = entry.instructions().find(|i| i.opcode() != Some(Opcode::LLVMAlloca)) else {
            return;
        };
        let place = code().find(|i| i.location().is_some());
        // SAFETY: the new instructions stand before all that use the parameter; after the replacement only the first of them uses it.
        unsafe {
            LLVMPositionBuilderBefore(self.builder, first.raw);
            let place = place.map_or(std::ptr::null_mut(), |i| LLVMInstructionGetDebugLoc(i.raw));
            LLVMSetCurrentDebugLocation2(self.builder, place);
            let (none, integer) = (c"".as_ptr(), LLVMTypeOf(param.raw));
            let pointer = LLVMPointerTypeInContext(self.context, 0);
            let copy = LLVMBuildAlloca(self.builder, integer, c".omp.first".as_ptr());
            let address = LLVMBuildIntToPtr(self.builder, param.raw, pointer, none);
            let value = LLVMBuildLoad2(self.builder, ty.raw, address, none);
            LLVMBuildStore(self.builder, LLVMConstNull(integer), copy);
            LLVMBuildStore(self.builder, value, copy);
            let passed = LLVMBuildLoad2(self.builder, integer, copy, none);
            LLVMReplaceAllUsesWith(param.raw, passed);
            LLVMSetOperand(address, 0, param.raw);
            LLVMClearInsertionPosition(self.builder);
        }
    }

    /// Lets an alloca's address escape to a function of this name, right behind it, so that no pass makes registers of
    /// the object.
    pub fn let_escape(&self, alloca: Value<'_>, to: &std::ffi::CStr) {
        assert!(alloca.opcode() == Some(Opcode::LLVMAlloca));
        // SAFETY: the function is declared once with the type that the call has; an alloca is followed by another
        // instruction of its block, before which the call is inserted. No handle is invalidated.
        unsafe {
            let pointer = LLVMPointerTypeInContext(self.context, 0);
            let mut params = [pointer];
            let void = LLVMVoidTypeInContext(self.context);
            let ty = LLVMFunctionType(void, params.as_mut_ptr(), 1, 0);
            let mut function = LLVMGetNamedFunction(self.module, to.as_ptr());
            if function.is_null() {
                function = LLVMAddFunction(self.module, to.as_ptr(), ty);
            }
            let mut next = LLVMGetNextInstruction(alloca.raw);
            while !LLVMIsAAllocaInst(next).is_null() {
                next = LLVMGetNextInstruction(next);
            }
            LLVMPositionBuilderBefore(self.builder, next);
            let mut args = [alloca.raw];
            LLVMSetCurrentDebugLocation2(self.builder, std::ptr::null_mut());
            LLVMBuildCall2(self.builder, ty, function, args.as_mut_ptr(), 1, c"".as_ptr());
            LLVMClearInsertionPosition(self.builder);
        }
    }

    /// Makes copies of the calls of a function that is declared alone and copies like `memcpy`.
    pub fn copy_by_intrinsic(&mut self, name: &std::ffi::CStr) {
        // SAFETY: the users of a function that are calls of three arguments (addresses and an integer); the address that such a call
        // gives back is its first argument, and no handle outlives a borrow of the module.
        unsafe {
            let function = LLVMGetNamedFunction(self.module, name.as_ptr());
            if function.is_null() || LLVMIsDeclaration(function) == 0 {
                return;
            }
            let mut next = LLVMGetFirstUse(function);
            while !next.is_null() {
                let call = LLVMGetUser(next);
                next = LLVMGetNextUse(next);
                let is_call = !LLVMIsACallInst(call).is_null() && LLVMGetCalledValue(call) == function;
                if !is_call || LLVMGetNumArgOperands(call) != 3 {
                    continue;
                }
                let [to, from, len] = [0, 1, 2].map(|i| LLVMGetOperand(call, i));
                LLVMPositionBuilderBefore(self.builder, call);
                LLVMSetCurrentDebugLocation2(self.builder, LLVMInstructionGetDebugLoc(call));
                LLVMBuildMemCpy(self.builder, to, 1, from, 1, len);
                LLVMReplaceAllUsesWith(call, to);
                LLVMInstructionEraseFromParent(call);
            }
            LLVMClearInsertionPosition(self.builder);
        }
    }

    /// Removes those calls of a function without a result that a rule chooses.
    pub fn erase_calls(&mut self, of: &std::ffi::CStr, which: impl Fn(Value<'_>) -> bool) {
        // SAFETY: the users of a function without other uses than calls; nothing can use what they give, and no handle outlives a
        // borrow of the module but those that the rule is given, before the call goes.
        unsafe {
            let function = LLVMGetNamedFunction(self.module, of.as_ptr());
            if function.is_null() {
                return;
            }
            let mut next = LLVMGetFirstUse(function);
            while !next.is_null() {
                let call = LLVMGetUser(next);
                next = LLVMGetNextUse(next);
                assert!(!LLVMIsACallInst(call).is_null() && LLVMGetFirstUse(call).is_null());
                if which(Value::new(call)) {
                    LLVMInstructionEraseFromParent(call);
                }
            }
        }
    }
}
