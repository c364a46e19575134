//! LLVM's intrinsics that are not arithmetic; those that are stand in [`super::math`].

use ir::{Const, Inst, Opnd};

use super::Unsupported;
use super::func::Func;
use crate::llvm::{Opcode, Value};

impl<'m> Func<'_, 'm> {
    /// A call of `llvm.<name>`.
    pub fn intrinsic(&mut self, call: Value<'m>, name: &str) -> Result<(), Unsupported> {
        let base = without_types(name);
        match base {
            // What only informs the optimiser or the debugger.
            "dbg.declare"
            | "dbg.value"
            | "dbg.label"
            | "dbg.assign"
            | "assume"
            | "prefetch"
            | "donothing"
            | "sideeffect"
            | "pseudoprobe"
            | "var.annotation"
            | "invariant.end"
            | "experimental.noalias.scope.decl"
            | "x86.sse2.pause" => Ok(()),
            "expect"
            | "expect.with.probability"
            | "launder.invariant.group"
            | "strip.invariant.group"
            | "annotation"
            | "ptr.annotation"
            | "ssa.copy"
            | "arithmetic.fence" => self.pass_through(call, call.operand(0)),
            "threadlocal.address" => {
                let address = self.opnd(call.operand(0))?;
                self.rename(call, address)
            }
            "invariant.start" | "returnaddress" | "frameaddress" | "addressofreturnaddress" | "sponentry" => {
                self.known(call, Const::Bits(0))
            }
            "is.constant" => {
                let known = self.is_number(call.operand(0));
                self.known(call, Const::Bits(known.into()))
            }
            "type.test" | "public.type.test" | "allow.runtime.check" | "allow.ubsan.check" => {
                self.known(call, Const::Bits(1))
            }
            "objectsize" => {
                let minimum = call.operand(1).constant_int().is_some_and(|m| m != 0);
                let bits = call.ty().int_bits();
                let unknown = if bits >= 64 { u64::MAX } else { (1 << bits) - 1 };
                self.known(call, Const::Bits(if minimum { 0 } else { unknown }))
            }
            "get.rounding" => self.known(call, Const::Bits(1)),
            "trap" | "debugtrap" | "ubsantrap" => {
                self.emit(Inst::Trap);
                Ok(())
            }
            "memcpy" | "memcpy.inline" | "memmove" | "memset" | "memset.inline" => {
                self.block_memory(call, base)
            }
            "lifetime.start" | "lifetime.end" => self.lifetime(call, base == "lifetime.start"),
            "stacksave" => {
                let dst = self.def(call)?;
                self.emit(Inst::StackSave { dst });
                Ok(())
            }
            "stackrestore" => {
                let saved = self.opnd(call.operand(0))?;
                self.emit(Inst::StackRestore { saved });
                Ok(())
            }
            "va_start" | "va_end" | "va_copy" => self.variable_arguments(call, base),
            "eh.typeid.for" => {
                let type_info = self.opnd(call.operand(0))?;
                let dst = self.def(call)?;
                self.emit(Inst::TypeIdFor { dst, type_info });
                Ok(())
            }
            "x86.sse2.mfence" => {
                self.emit(Inst::Fence { order: ir::Order::SeqCst });
                Ok(())
            }
            _ => match base.strip_prefix("experimental.constrained.") {
                Some(plain) => self.constrained(call, plain),
                None => self.math(call, base),
            },
        }
    }

    /// A number: a constant that involves no address.
    fn is_number(&mut self, value: Value<'m>) -> bool {
        value.is_constant()
            && matches!(self.m.fold(value), Ok(Some(c)) if c.iter().all(|c| matches!(c, Const::Bits(_))))
    }

    /// The result is a constant.
    pub fn known(&mut self, call: Value<'m>, value: Const) -> Result<(), Unsupported> {
        let slots = self.layout(call.ty())?.slots as usize;
        let run = self.const_run(&vec![value; slots]);
        self.rename(call, run)
    }

    fn block_memory(&mut self, call: Value<'m>, base: &str) -> Result<(), Unsupported> {
        let dst = self.opnd(call.operand(0))?;
        let second = self.opnd(call.operand(1))?;
        let len = self.opnd(call.operand(2))?;
        let len_bits = call.operand(2).ty().int_bits().min(64) as u8;
        let volatile = call.operand(3).constant_int().is_some_and(|v| v != 0);
        let access = self.access(call, volatile);
        self.emit(if base.starts_with("memset") {
            Inst::Fill { dst, byte: second, len, len_bits, access }
        } else {
            Inst::Copy { dst, src: second, len, len_bits, overlap: base == "memmove", access }
        });
        Ok(())
    }

    fn lifetime(&mut self, call: Value<'m>, start: bool) -> Result<(), Unsupported> {
        let object = call.operand(1);
        if object.opcode() != Some(Opcode::LLVMAlloca) {
            return Ok(());
        }
        let addr: Opnd = self.opnd(object)?;
        self.emit(if start { Inst::LifetimeStart { addr } } else { Inst::LifetimeEnd { addr } });
        Ok(())
    }

    fn variable_arguments(&mut self, call: Value<'m>, base: &str) -> Result<(), Unsupported> {
        let list = self.opnd(call.operand(0))?;
        let inst = match base {
            "va_start" => Inst::VaStart { list },
            "va_end" => Inst::VaEnd { list },
            _ => Inst::VaCopy { dst: list, src: self.opnd(call.operand(1))? },
        };
        self.emit(inst);
        Ok(())
    }
}

/// The name without the types that LLVM appends to overloaded intrinsics: `sadd.with.overflow.i32`.
fn without_types(name: &str) -> &str {
    let mut base = name;
    while let Some((rest, last)) = base.rsplit_once('.') {
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        let is_type = ["p", "i", "f", "bf"].iter().any(|p| last.strip_prefix(p).is_some_and(digits))
            || last.strip_prefix('v').is_some_and(|r| r.starts_with(|c: char| c.is_ascii_digit()))
            || last.starts_with("nxv")
            || last.starts_with("sl_")
            || last == "ppcf128";
        if !is_type {
            break;
        }
        base = rest;
    }
    base
}

#[cfg(test)]
mod tests {
    use super::without_types;

    #[test]
    fn types_are_cut_off() {
        assert_eq!(without_types("memcpy.inline.p0.p0.i64"), "memcpy.inline");
        assert_eq!(without_types("sadd.with.overflow.i32"), "sadd.with.overflow");
        assert_eq!(without_types("vector.reduce.add.v4i32"), "vector.reduce.add");
        assert_eq!(without_types("x86.sse2.pause"), "x86.sse2.pause");
        assert_eq!(without_types("fabs.ppcf128"), "fabs");
        assert_eq!(without_types("va_start.p0"), "va_start");
    }
}
