//! Calls and exceptions.

use ir::{
    Arg, ArgKind, CallSite, Callee, Clause, FuncId, Function, Inst, LandingPad, Lane, PlaceId, Scalar, Slot,
};

use super::Unsupported;
use super::func::Func;
use crate::llvm::{Block, TypeKind, Value, ValueKind};
use crate::omp::{carried, flush, library, nowait};

impl<'m> Func<'_, 'm> {
    pub fn call(&mut self, instruction: Value<'m>) -> Result<(), Unsupported> {
        let callee = resolve(instruction.callee());
        if let Some((text, constraints)) = callee.assembly() {
            return self.assembly(instruction, &text, &constraints);
        }
        if callee.kind() == ValueKind::LLVMFunctionValueKind {
            let name = callee.name();
            if let Some(intrinsic) = name.strip_prefix("llvm.") {
                return self.intrinsic(instruction, intrinsic);
            }
            if let Some(operation) = name.strip_prefix(library::PREFIX) {
                return self.extremum(instruction, operation);
            }
            if carried::is_mark(&name) || nowait::is_mark(&name) || flush::is_mark(&name) {
                return Ok(());
            }
            if let Some(why) = instruction.note(self.m.unsupported) {
                return Err(why);
            }
        }
        let site = self.site(instruction, callee)?;
        self.note_block(instruction);
        self.emit(Inst::Call { site });
        Ok(())
    }

    /// Notes what the block is called that the call allocates.
    fn note_block(&mut self, call: Value<'m>) {
        let Some(at) = call.location() else { return };
        let function = self.m.out.funcs[self.id.0 as usize].name.clone();
        let at = (function, at.line, at.column);
        if let Some((name, ty)) = self.m.copies.blocks.name(&at, &mut self.m.out) {
            self.m.out.blocks.push(ir::Block { place: self.place, name, ty });
        }
    }

    pub fn invoke(&mut self, from: Block<'m>, instruction: Value<'m>) -> Result<(), Unsupported> {
        let callee = resolve(instruction.callee());
        let (normal, unwind) = instruction.invoke_targets();
        let intrinsic =
            callee.kind() == ValueKind::LLVMFunctionValueKind && callee.name().starts_with("llvm.");
        if intrinsic || callee.assembly().is_some() {
            // Intrinsics do not throw.
            self.call(instruction)?;
            let edge = self.edge(from, normal)?;
            self.emit(Inst::Jump { edge });
            return Ok(());
        }
        let site = self.site(instruction, callee)?;
        self.note_block(instruction);
        let normal = self.edge(from, normal)?;
        let unwind = self.edge(from, unwind)?;
        self.emit(Inst::Invoke { site, normal, unwind });
        Ok(())
    }

    /// The operands of a call.
    fn site(&mut self, instruction: Value<'m>, callee: Value<'m>) -> Result<u32, Unsupported> {
        let callee = match callee.kind() {
            ValueKind::LLVMFunctionValueKind if self.asks_for_the_time(&callee.name()) => {
                Callee::Direct(self.before_deadline())
            }
            ValueKind::LLVMFunctionValueKind => Callee::Direct(self.m.func(callee)),
            _ => Callee::Indirect(self.opnd(callee)?),
        };
        let mut args = Vec::new();
        for index in 0..instruction.arg_count() {
            let argument = instruction.operand(index);
            if let Some(kind) = self.m.by_value(instruction, index) {
                args.push(Arg { value: self.opnd(argument)?, kind, lane: None });
                continue;
            }
            let layout = self.layout(argument.ty())?;
            let slots = self.opnds(argument)?;
            let size = self.m.llvm.size_of(argument.ty()) as u32;
            args.extend(layout.leaves.iter().map(|leaf| Arg {
                value: slots[leaf.slot as usize],
                kind: ArgKind::Scalar(leaf.scalar),
                lane: (layout.leaves.len() > 1).then_some(Lane { offset: leaf.offset as u32, size }),
            }));
        }
        self.add_site(instruction, callee, &args)
    }

    /// Whether the call compares a clock with a deadline inside libstdc++'s timed waits. There the answer is all that the
    /// program sees of the clock, and both answers are possible at any time: a wait may wake up early without a reason
    /// and late with any. So the comparison is a choice, while clocks that the program reads itself stay unconstrained.
    fn asks_for_the_time(&self, callee: &str) -> bool {
        const WAITS: [&str; 3] = [
            "_ZNSt18condition_variable17__wait_until_impl",
            "_ZNSt18condition_variable10wait_until",
            "_ZNSt11this_thread11sleep_until",
        ];
        callee.starts_with("_ZNSt6chronolt") && {
            let caller = &self.m.out.funcs[self.id.0 as usize].name;
            WAITS.iter().any(|wait| caller.starts_with(wait))
        }
    }

    /// The machine's function that answers such a comparison.
    fn before_deadline(&mut self) -> FuncId {
        const NAME: &str = "__rp_before_deadline";
        if let Some(known) = self.m.out.func(NAME) {
            return known;
        }
        self.m.out.funcs.push(Function {
            name: NAME.to_string(),
            display: NAME.to_string(),
            params: vec![ArgKind::Scalar(Scalar::Ptr); 2],
            variadic: false,
            result: vec![Scalar::Int(1)],
            body: None,
            place: PlaceId::NONE,
            system: true,
        });
        FuncId(self.m.out.funcs.len() as u32 - 1)
    }

    /// A call site with these arguments, whose result is that of `instruction`.
    pub fn add_site(
        &mut self,
        instruction: Value<'m>,
        callee: Callee,
        args: &[Arg],
    ) -> Result<u32, Unsupported> {
        let slots = self.layout(instruction.ty())?.slots;
        let result_slots = if instruction.is_used() { slots } else { 0 };
        let result = if result_slots == 0 { Slot(0) } else { self.def(instruction)? };
        let first = self.body.args.len() as u32;
        self.body.args.extend_from_slice(args);
        let site = self.body.calls.len() as u32;
        let arg_count = args.len() as u32;
        self.body.calls.push(CallSite { callee, args: first, arg_count, result, result_slots });
        Ok(site)
    }

    fn assembly(&mut self, instruction: Value<'m>, text: &str, constraints: &str) -> Result<(), Unsupported> {
        // An empty text whose constraints are clobbers only keeps the compiler from moving accesses.
        let only_clobbers = constraints.split(',').all(|c| c.is_empty() || c.starts_with('~'));
        if text.trim().is_empty() && only_clobbers && instruction.ty().kind() == TypeKind::LLVMVoidTypeKind {
            self.emit(Inst::Nop);
            return Ok(());
        }
        let text: Vec<_> = text.split_whitespace().collect();
        Err(format!("inline assembly `{}`", text.join(" ")))
    }

    pub fn landing_pad(&mut self, instruction: Value<'m>) -> Result<(), Unsupported> {
        let (llvm_clauses, cleanup) = instruction.landing_pad();
        let mut clauses = Vec::new();
        for clause in llvm_clauses {
            if clause.ty().kind() == TypeKind::LLVMArrayTypeKind {
                clauses.push(Clause::Filter(self.opnds(clause)?));
            } else if clause.is_null() {
                clauses.push(Clause::Catch(None));
            } else {
                clauses.push(Clause::Catch(Some(self.opnd(clause)?)));
            }
        }
        let result = self.def(instruction)?;
        let pad = self.body.pads.len() as u32;
        self.body.pads.push(LandingPad { result, cleanup, clauses });
        self.emit(Inst::LandingPad { pad });
        Ok(())
    }
}

/// What an alias stands for.
fn resolve(mut callee: Value<'_>) -> Value<'_> {
    while callee.kind() == ValueKind::LLVMGlobalAliasValueKind {
        callee = callee.aliasee();
    }
    callee
}
