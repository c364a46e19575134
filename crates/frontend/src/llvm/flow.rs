//! Changes to the control flow of a function before it is lowered; see the parent module for the rules.

use std::ffi::{CStr, CString};

use llvm_sys::LLVMIntPredicate::LLVMIntNE;
use llvm_sys::core::*;
use llvm_sys::debuginfo::LLVMInstructionGetDebugLoc;
use llvm_sys::prelude::{LLVMBasicBlockRef, LLVMValueRef};

use super::{Block, Module, Opcode, Value};

impl Module {
    /// Splits a block behind an instruction that is no terminator; the first half goes on with the second, which is given
    /// back.
    pub fn split_behind<'m>(&'m self, last: Value<'m>, name: &CStr) -> Block<'m> {
        let block = last.parent();
        let first = last.next().expect("a terminator follows");
        assert!(first.opcode() != Some(Opcode::LLVMPHI));
        // SAFETY: the instructions from `first` on are moved in order to a new block of the same function, with their names and
        // locations (the builder has none to give them); the old one gets a terminator again. No handle is invalidated but
        // those on phi nodes of the successors, which are made anew.
        let tail = unsafe {
            let tail = LLVMAppendBasicBlockInContext(self.context, block.function().raw, name.as_ptr());
            LLVMMoveBasicBlockAfter(tail, block.raw);
            LLVMPositionBuilderAtEnd(self.builder, tail);
            LLVMSetCurrentDebugLocation2(self.builder, std::ptr::null_mut());
            let mut next = first.raw;
            while !next.is_null() {
                let moved = next;
                next = LLVMGetNextInstruction(moved);
                self.move_to_builder(moved);
            }
            LLVMPositionBuilderAtEnd(self.builder, block.raw);
            LLVMSetCurrentDebugLocation2(self.builder, LLVMInstructionGetDebugLoc(last.raw));
            LLVMBuildBr(self.builder, tail);
            LLVMClearInsertionPosition(self.builder);
            Block::new(tail)
        };
        let mut done = Vec::new();
        for next in tail.successors() {
            if !done.contains(&next) {
                self.rename_incoming(next, block.raw, tail.raw);
                done.push(next);
            }
        }
        tail
    }

    /// Moves an instruction to where the builder stands.
    ///
    /// # Safety
    /// A live instruction; the builder stands at the end of a block.
    unsafe fn move_to_builder(&self, instruction: LLVMValueRef) {
        // SAFETY: see above. The builder would take the name away.
        unsafe {
            let name = CString::new(Value::new(instruction).name()).unwrap_or_default();
            LLVMInstructionRemoveFromParent(instruction);
            LLVMInsertIntoBuilderWithName(self.builder, instruction, name.as_ptr());
        }
    }

    /// Makes the phi nodes of a block anew, with another block in place of one that they name.
    fn rename_incoming(&self, block: Block<'_>, from: LLVMBasicBlockRef, to: LLVMBasicBlockRef) {
        let phis: Vec<_> = block.instructions().take_while(|i| i.opcode() == Some(Opcode::LLVMPHI)).collect();
        for phi in phis.into_iter().filter(|p| p.incoming().iter().any(|(_, b)| b.raw == from)) {
            // SAFETY: the new phi has the type, name, location and values of the old one, which nothing uses any more when it
            // is erased.
            unsafe {
                LLVMPositionBuilderBefore(self.builder, phi.raw);
                LLVMSetCurrentDebugLocation2(self.builder, LLVMInstructionGetDebugLoc(phi.raw));
                let name = CString::new(phi.name()).unwrap_or_default();
                let new = LLVMBuildPhi(self.builder, LLVMTypeOf(phi.raw), name.as_ptr());
                for (value, block) in phi.incoming() {
                    let mut values = [if value == phi { new } else { value.raw }];
                    let mut blocks = [if block.raw == from { to } else { block.raw }];
                    LLVMAddIncoming(new, values.as_mut_ptr(), blocks.as_mut_ptr(), 1);
                }
                LLVMReplaceAllUsesWith(phi.raw, new);
                LLVMInstructionEraseFromParent(phi.raw);
                LLVMClearInsertionPosition(self.builder);
            }
        }
    }

    /// Replaces a call by one of another function with the same arguments that answers whether to go to `head`, which has no phi
    /// nodes; else the code goes on as before. Handles on the call must not be used any more.
    pub fn go_back_if<'m>(&'m self, call: Value<'m>, answer: &CStr, head: Block<'m>) {
        assert!(call.opcode() == Some(Opcode::LLVMCall) && !call.is_used());
        let tail = self.split_behind(call, c"rp.pieces.done");
        // SAFETY: the new call has the arguments of the old one, which nothing uses; the branch to `tail` that follows it is
        // replaced by one that tests the answer. The function is declared once with the type that its calls have.
        unsafe {
            let int = LLVMInt32TypeInContext(self.context);
            let mut args: Vec<_> = (0..call.arg_count()).map(|i| call.operand(i).raw).collect();
            let mut params: Vec<_> = args.iter().map(|a| LLVMTypeOf(*a)).collect();
            let ty = LLVMFunctionType(int, params.as_mut_ptr(), params.len() as u32, 0);
            let mut function = LLVMGetNamedFunction(self.module, answer.as_ptr());
            if function.is_null() {
                function = LLVMAddFunction(self.module, answer.as_ptr(), ty);
            }
            let jump = call.parent().terminator().expect("just put in");
            LLVMPositionBuilderBefore(self.builder, jump.raw);
            LLVMSetCurrentDebugLocation2(self.builder, LLVMInstructionGetDebugLoc(call.raw));
            let count = args.len() as u32;
            let again = LLVMBuildCall2(self.builder, ty, function, args.as_mut_ptr(), count, c"".as_ptr());
            let zero = LLVMConstInt(int, 0, 0);
            let test = LLVMBuildICmp(self.builder, LLVMIntNE, again, zero, c"".as_ptr());
            LLVMBuildCondBr(self.builder, test, head.raw, tail.raw);
            LLVMInstructionEraseFromParent(jump.raw);
            LLVMInstructionEraseFromParent(call.raw);
            LLVMClearInsertionPosition(self.builder);
        }
    }
}
