//! Checks the invariants that the machine relies on, so that it need not check them at every step.

use crate::code::*;
use crate::module::*;

/// Checks every body of the module; the error names the function, the instruction and what is wrong with it.
pub fn verify(module: &Module) -> Result<(), String> {
    for function in &module.funcs {
        if let Some(body) = &function.body {
            verify_body(module, function, body).map_err(|(at, why)| {
                format!("{} at instruction {at} ({:?}): {why}", function.name, body.code.get(at))
            })?;
        }
    }
    Ok(())
}

type Bad = (usize, &'static str);

fn verify_body(module: &Module, function: &Function, body: &Body) -> Result<(), Bad> {
    let params: u32 = function
        .params
        .iter()
        .map(|p| match p {
            ArgKind::Scalar(s) => s.slots(),
            ArgKind::ByVal { .. } => 1,
        })
        .sum();
    if params > body.slots {
        return Err((0, "fewer slots than the parameters take"));
    }
    if body.places.len() != body.code.len() {
        return Err((0, "not one place per instruction"));
    }
    if body.edges.iter().any(|e| e.target as usize >= body.code.len()) {
        return Err((0, "an edge leads nowhere"));
    }
    for edge in &body.edges {
        let range = edge.moves as usize..edge.moves as usize + edge.move_count as usize;
        let moves = body.moves.get(range).ok_or((0, "an edge's moves are out of range"))?;
        if moves.iter().any(|(d, s)| !slot_ok(body, *d, 1) || !opnd_ok(body, *s, 1)) {
            return Err((0, "an edge's move is out of range"));
        }
    }
    for site in &body.calls {
        let range = site.args as usize..site.args as usize + site.arg_count as usize;
        let args = body.args.get(range).ok_or((0, "a call's arguments are out of range"))?;
        for arg in args {
            let slots = match arg.kind {
                ArgKind::Scalar(s) => s.slots(),
                ArgKind::ByVal { .. } => 1,
            };
            if !opnd_ok(body, arg.value, slots) {
                return Err((0, "a call's argument is out of range"));
            }
        }
        if site.result_slots > 0 && !slot_ok(body, site.result, site.result_slots) {
            return Err((0, "a call's result is out of range"));
        }
    }
    for (at, inst) in body.code.iter().enumerate() {
        verify_inst(module, body, inst).map_err(|why| (at, why))?;
    }
    match body.code.last() {
        Some(last) if ends(last) => Ok(()),
        _ => Err((body.code.len().saturating_sub(1), "the last instruction falls through")),
    }
}

fn ends(inst: &Inst) -> bool {
    matches!(
        inst,
        Inst::Jump { .. }
            | Inst::Branch { .. }
            | Inst::Switch { .. }
            | Inst::IndirectJump { .. }
            | Inst::Return { .. }
            | Inst::Unreachable
            | Inst::Trap
            | Inst::Unsupported { .. }
            | Inst::Invoke { .. }
            | Inst::Resume { .. }
    )
}

fn slot_ok(body: &Body, slot: Slot, count: u32) -> bool {
    slot.0.checked_add(count).is_some_and(|end| end <= body.slots)
}

fn opnd_ok(body: &Body, opnd: Opnd, count: u32) -> bool {
    let limit = if opnd.is_const() { body.consts.len() } else { body.slots as usize };
    opnd.index() + count as usize <= limit
}

fn verify_inst(module: &Module, body: &Body, inst: &Inst) -> Result<(), &'static str> {
    let int = |bits: u8| Scalar::Int(bits).slots();
    let s = |slot: Slot, n: u32| if slot_ok(body, slot, n) { Ok(()) } else { Err("slot out of range") };
    let o = |opnd: Opnd, n: u32| if opnd_ok(body, opnd, n) { Ok(()) } else { Err("operand out of range") };
    let edge = |e: EdgeId| if (e.0 as usize) < body.edges.len() { Ok(()) } else { Err("edge out of range") };
    let access = |a: AccessId| {
        if (a.0 as usize) < module.accesses.len() { Ok(()) } else { Err("access out of range") }
    };
    match *inst {
        Inst::Move { dst, src } => s(dst, 1).and(o(src, 1)),
        Inst::Int { bits, dst, a, b, .. } => s(dst, int(bits)).and(o(a, int(bits))).and(o(b, int(bits))),
        Inst::IntCmp { bits, dst, a, b, .. } => s(dst, 1).and(o(a, int(bits))).and(o(b, int(bits))),
        Inst::Float { ty, dst, a, b, .. } => s(dst, ty.slots()).and(o(a, ty.slots())).and(o(b, ty.slots())),
        Inst::FloatNeg { ty, dst, a } => s(dst, ty.slots()).and(o(a, ty.slots())),
        Inst::FloatCmp { ty, dst, a, b, .. } => s(dst, 1).and(o(a, ty.slots())).and(o(b, ty.slots())),
        Inst::Cast { from, to, dst, src, .. } => s(dst, to.slots()).and(o(src, from.slots())),
        Inst::Select { dst, cond, a, b } => s(dst, 1).and(o(cond, 1)).and(o(a, 1)).and(o(b, 1)),
        Inst::IntFn { bits, dst, a, b, c, .. } => {
            let n = int(bits);
            s(dst, n).and(o(a, n)).and(o(b, 1)).and(o(c, 1))
        }
        Inst::FloatFn { ty, dst, a, b, c, .. } => {
            s(dst, ty.slots()).and(o(a, ty.slots())).and(o(b, 1)).and(o(c, 1))
        }
        Inst::Overflow { bits, dst, overflow, a, b, .. } => {
            let n = int(bits);
            s(dst, n).and(s(overflow, 1)).and(o(a, n)).and(o(b, n))
        }
        Inst::Index { dst, base, index, .. } => s(dst, 1).and(o(base, 1)).and(o(index, 1)),
        Inst::Offset { dst, base, .. } => s(dst, 1).and(o(base, 1)),
        Inst::Load { dst, addr, ty, access: a } | Inst::AtomicLoad { dst, addr, ty, access: a, .. } => {
            s(dst, ty.slots()).and(o(addr, 1)).and(access(a))
        }
        Inst::Store { addr, src, ty, access: a } | Inst::AtomicStore { addr, src, ty, access: a, .. } => {
            o(addr, 1).and(o(src, ty.slots())).and(access(a))
        }
        Inst::AtomicRmw { dst, addr, src, ty, access: a, .. } => {
            s(dst, ty.slots()).and(o(addr, 1)).and(o(src, ty.slots())).and(access(a))
        }
        Inst::CmpXchg { dst, ok, index } => {
            let x = body.cmpxchgs.get(index as usize).ok_or("cmpxchg out of range")?;
            let n = x.ty.slots();
            s(dst, n)
                .and(s(ok, 1))
                .and(o(x.addr, 1))
                .and(o(x.expected, n))
                .and(o(x.new, n))
                .and(access(x.access))
        }
        Inst::Alloca { dst, count, var, .. } => {
            if var.0 as usize >= module.variables.len() {
                return Err("variable out of range");
            }
            s(dst, 1).and(o(count, 1))
        }
        Inst::StackSave { dst } => s(dst, 1),
        Inst::StackRestore { saved } => o(saved, 1),
        Inst::LifetimeStart { addr } | Inst::LifetimeEnd { addr } => o(addr, 1),
        Inst::Copy { dst, src, len, access: a, .. } => o(dst, 1).and(o(src, 1)).and(o(len, 1)).and(access(a)),
        Inst::Fill { dst, byte, len, access: a, .. } => {
            o(dst, 1).and(o(byte, 1)).and(o(len, 1)).and(access(a))
        }
        Inst::ThreadLocal { dst, global } => {
            if global.0 as usize >= module.globals.len() {
                return Err("global out of range");
            }
            s(dst, 1)
        }
        Inst::VaStart { list } | Inst::VaEnd { list } => o(list, 1),
        Inst::VaCopy { dst, src } => o(dst, 1).and(o(src, 1)),
        Inst::VaArg { dst, list, ty } => s(dst, ty.slots()).and(o(list, 1)),
        Inst::Call { site } => body.calls.get(site as usize).map(|_| ()).ok_or("call out of range"),
        Inst::Invoke { site, normal, unwind } => {
            body.calls.get(site as usize).ok_or("call out of range")?;
            edge(normal).and(edge(unwind))?;
            let pad = body.code[body.edges[unwind.0 as usize].target as usize];
            if matches!(pad, Inst::LandingPad { .. } | Inst::Unsupported { .. }) {
                Ok(())
            } else {
                Err("unwinds to no landing pad")
            }
        }
        Inst::LandingPad { pad } => {
            let pad = body.pads.get(pad as usize).ok_or("landing pad out of range")?;
            s(pad.result, 2)
        }
        Inst::Resume { exception } => o(exception, 1),
        Inst::TypeIdFor { dst, type_info } => s(dst, 1).and(o(type_info, 1)),
        Inst::Jump { edge: e } => edge(e),
        Inst::Branch { cond, then, otherwise } => o(cond, 1).and(edge(then)).and(edge(otherwise)),
        Inst::Switch { value, table } => {
            let table = body.switches.get(table as usize).ok_or("switch out of range")?;
            if !table.cases.is_sorted_by(|a, b| a.0 < b.0) {
                return Err("switch cases are not sorted");
            }
            table.cases.iter().try_for_each(|(_, e)| edge(*e)).and(edge(table.default)).and(o(value, 1))
        }
        Inst::IndirectJump { addr, first, count } => {
            o(addr, 1)?;
            if (first.0 + count) as usize <= body.edges.len() { Ok(()) } else { Err("edges out of range") }
        }
        Inst::Return { src, count } => {
            if count == 0 {
                Ok(())
            } else {
                o(src, count)
            }
        }
        Inst::Unsupported { what } => {
            if (what.0 as usize) < module.strings.len() {
                Ok(())
            } else {
                Err("text out of range")
            }
        }
        Inst::Fence { .. } | Inst::Unreachable | Inst::Trap | Inst::Nop => Ok(()),
    }
}
