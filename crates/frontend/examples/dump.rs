//! Prints the `ir` of a program: `cargo run -p raceproof-frontend --example dump -- file.c [flags of clang]`.
//! `--time` prints only how long compiling took and how large the result is.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use ir::{Body, Callee, Const, Inst, Module, Opnd};

fn main() -> ExitCode {
    let (flags, files): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|a| a.starts_with('-'));
    let time_only = flags.iter().any(|f| f == "--time");
    let options = frontend::Options {
        files: files.into_iter().map(PathBuf::from).collect(),
        flags: flags.into_iter().filter(|f| f != "--time").collect(),
        ..frontend::Options::default()
    };
    match frontend::compile(&options) {
        Ok(program) => {
            let m = &program.module;
            if !time_only {
                print!("{}", dump(m));
            }
            let code: usize = m.funcs.iter().filter_map(|f| f.body.as_ref()).map(|b| b.code.len()).sum();
            eprintln!(
                "{:?}, {} functions, {} globals, {} types, {code} instructions, undefined: {}",
                program.compile_time,
                m.funcs.len(),
                m.globals.len(),
                m.types.len(),
                m.funcs
                    .iter()
                    .filter(|f| f.body.is_none())
                    .map(|f| f.name.as_str())
                    .collect::<Vec<_>>()
                    .join(" ")
            );
            let unsupported: BTreeSet<_> = m
                .funcs
                .iter()
                .filter_map(|f| f.body.as_ref())
                .flat_map(|b| &b.code)
                .filter_map(|i| if let Inst::Unsupported { what } = i { Some(m.str(*what)) } else { None })
                .collect();
            if !unsupported.is_empty() {
                eprintln!("unsupported: {unsupported:?}");
            }
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn dump(m: &Module) -> String {
    let mut out = String::new();
    for (i, g) in m.globals.iter().enumerate() {
        let init = match &g.init {
            ir::Init::Bytes(bytes, relocs) if bytes.len() <= 64 => format!("{bytes:?} {relocs:?}"),
            ir::Init::Bytes(bytes, relocs) => format!("{} bytes, {} pointers", bytes.len(), relocs.len()),
            other => format!("{other:?}"),
        };
        let kind = if g.constant { "constant" } else { "global" };
        let local = if g.thread_local { " thread_local" } else { "" };
        let var =
            g.var.as_ref().map(|v| format!(" `{}`: {}", v.name, show_type(m, v.ty))).unwrap_or_default();
        let _ =
            writeln!(out, "g{i} {kind}{local} {} size {} align {}{var} = {init}", g.name, g.size, g.align);
    }
    for (i, f) in m.funcs.iter().enumerate() {
        let place = m.place(f.place).map(|p| p.to_string()).unwrap_or_default();
        let system = if f.system { " system" } else { "" };
        let _ = writeln!(
            out,
            "\nf{i} {} `{}`{system} {place} params {:?}{} -> {:?}",
            f.name,
            f.display,
            f.params,
            if f.variadic { " ..." } else { "" },
            f.result
        );
        if let Some(body) = &f.body {
            dump_body(m, body, &mut out);
        }
    }
    let names = |list: &[ir::FuncId]| {
        list.iter().map(|f| m.funcs[f.0 as usize].name.clone()).collect::<Vec<_>>().join(", ")
    };
    let _ = writeln!(out, "\nctors: {}\ndtors: {}", names(&m.ctors), names(&m.dtors));
    for remark in &m.remarks {
        let _ = writeln!(out, "remark: {remark}");
    }
    out
}

fn show_type(m: &Module, ty: Option<ir::TypeId>) -> String {
    let Some(ty) = ty else { return "?".into() };
    match &m.types[ty.0 as usize] {
        ir::Type::Scalar { name, .. } => name.clone(),
        ir::Type::Pointer { to: Some(to), .. }
            if matches!(m.types[to.0 as usize], ir::Type::Record { .. }) =>
        {
            let ir::Type::Record { name, .. } = &m.types[to.0 as usize] else { return "*".into() };
            format!("{name}*")
        }
        ir::Type::Pointer { .. } => "*".into(),
        ir::Type::Record { name, fields, .. } => {
            format!("{name}{{{}}}", fields.iter().map(|f| f.name.as_str()).collect::<Vec<_>>().join(","))
        }
        ir::Type::Array { elem, count } => format!("{}[{count}]", show_type(m, Some(*elem))),
    }
}

fn opnd(m: &Module, body: &Body, o: Opnd) -> String {
    if !o.is_const() {
        return format!("%{}", o.index());
    }
    match body.consts.get(o.index()) {
        Some(Const::Bits(bits)) if *bits < 1 << 32 => format!("{bits}"),
        Some(Const::Bits(bits)) => format!("{bits:#x}"),
        Some(Const::Global(g, 0)) => format!("@{}", m.globals[g.0 as usize].name),
        Some(Const::Global(g, offset)) => format!("@{}{offset:+}", m.globals[g.0 as usize].name),
        Some(Const::Func(f)) => format!("@{}", m.funcs[f.0 as usize].name),
        Some(Const::Block(f, n)) => format!("@{}:{n}", m.funcs[f.0 as usize].name),
        Some(Const::Undef) => "undef".into(),
        None => "?".into(),
    }
}

fn edge(m: &Module, body: &Body, e: ir::EdgeId) -> String {
    let edge = body.edges[e.0 as usize];
    let moves = &body.moves[edge.moves as usize..(edge.moves + edge.move_count) as usize];
    let moves: Vec<_> = moves.iter().map(|(d, s)| format!("%{} = {}", d.0, opnd(m, body, *s))).collect();
    let moves = if moves.is_empty() { String::new() } else { format!(" [{}]", moves.join("; ")) };
    format!("->{}{}{moves}", edge.target, if edge.back { " back" } else { "" })
}

fn dump_body(m: &Module, body: &Body, out: &mut String) {
    let targets: BTreeSet<u32> = body.edges.iter().map(|e| e.target).collect();
    for (i, inst) in body.code.iter().enumerate() {
        if targets.contains(&(i as u32)) {
            let _ = writeln!(out, " .");
        }
        let place = m.place(body.places[i]).map(|p| format!("{}:{}", p.line, p.column)).unwrap_or_default();
        let _ = writeln!(out, "  {i:4} {:70} {place}", show(m, body, inst));
    }
}

fn show(m: &Module, body: &Body, inst: &Inst) -> String {
    let o = |x: Opnd| opnd(m, body, x);
    let access = |a: ir::AccessId| {
        let info = &m.accesses[a.0 as usize];
        let name = info.expr.map(|e| format!(" `{}`", m.str(e))).unwrap_or_default();
        format!("{name}{}", if info.volatile { " volatile" } else { "" })
    };
    let call = |site: u32| {
        let site = &body.calls[site as usize];
        let args = &body.args[site.args as usize..(site.args + site.arg_count) as usize];
        let args: Vec<_> = args
            .iter()
            .map(|a| match a.kind {
                ir::ArgKind::Scalar(_) => o(a.value),
                ir::ArgKind::ByVal { size, .. } => format!("byval {size} {}", o(a.value)),
            })
            .collect();
        let callee = match site.callee {
            Callee::Direct(f) => m.funcs[f.0 as usize].name.clone(),
            Callee::Indirect(p) => format!("*{}", o(p)),
        };
        let result = if site.result_slots > 0 { format!("%{} = ", site.result.0) } else { String::new() };
        format!("{result}{callee}({})", args.join(", "))
    };
    match *inst {
        Inst::Move { dst, src } => format!("%{} = {}", dst.0, o(src)),
        Inst::Int { op, bits, dst, a, b } => format!("%{} = {op:?}.{bits} {}, {}", dst.0, o(a), o(b)),
        Inst::IntCmp { cmp, bits, dst, a, b } => format!("%{} = {cmp:?}.{bits} {}, {}", dst.0, o(a), o(b)),
        Inst::Index { dst, base, index, index_bits, scale } => {
            format!("%{} = {} + sext{index_bits}({})*{scale}", dst.0, o(base), o(index))
        }
        Inst::Offset { dst, base, offset } => format!("%{} = {} + {offset}", dst.0, o(base)),
        Inst::Load { dst, addr, ty, access: a } => {
            format!("%{} = load {ty:?} {}{}", dst.0, o(addr), access(a))
        }
        Inst::Store { addr, src, ty, access: a } => {
            format!("store {ty:?} {} = {}{}", o(addr), o(src), access(a))
        }
        Inst::AtomicLoad { dst, addr, ty, order, access: a } => {
            format!("%{} = atomic load {ty:?} {order:?} {}{}", dst.0, o(addr), access(a))
        }
        Inst::AtomicStore { addr, src, ty, order, access: a } => {
            format!("atomic store {ty:?} {order:?} {} = {}{}", o(addr), o(src), access(a))
        }
        Inst::AtomicRmw { op, dst, addr, src, ty, order, access: a } => {
            format!("%{} = rmw {op:?} {ty:?} {order:?} {}, {}{}", dst.0, o(addr), o(src), access(a))
        }
        Inst::Select { dst, cond, a, b } => format!("%{} = {} ? {} : {}", dst.0, o(cond), o(a), o(b)),
        Inst::Cast { op, from, to, dst, src } => format!("%{} = {op:?} {from:?} {} to {to:?}", dst.0, o(src)),
        Inst::Alloca { dst, count, size, align, var, .. } => {
            let v = &m.variables[var.0 as usize];
            format!(
                "%{} = alloca {} * {size} align {align} `{}`: {}",
                dst.0,
                o(count),
                v.name,
                show_type(m, v.ty)
            )
        }
        Inst::Copy { dst, src, len, access: a, .. } => {
            format!("copy {}, {}, {}{}", o(dst), o(src), o(len), access(a))
        }
        Inst::Fill { dst, byte, len, access: a, .. } => {
            format!("fill {}, {}, {}{}", o(dst), o(byte), o(len), access(a))
        }
        Inst::Call { site } => format!("call {}", call(site)),
        Inst::Invoke { site, normal, unwind } => {
            format!("invoke {} {} unwind {}", call(site), edge(m, body, normal), edge(m, body, unwind))
        }
        Inst::LandingPad { pad } => format!("landing pad {:?}", body.pads[pad as usize]),
        Inst::Jump { edge: e } => format!("jump {}", edge(m, body, e)),
        Inst::Branch { cond, then, otherwise } => {
            format!("if {} {} else {}", o(cond), edge(m, body, then), edge(m, body, otherwise))
        }
        Inst::Switch { value, table } => {
            let table = &body.switches[table as usize];
            let cases: Vec<_> =
                table.cases.iter().map(|(v, e)| format!("{v} {}", edge(m, body, *e))).collect();
            format!("switch {} {} else {}", o(value), cases.join(", "), edge(m, body, table.default))
        }
        Inst::Return { src, count } => {
            let all: Vec<_> = (0..count).map(|i| o(Opnd(src.0 + i))).collect();
            format!("return {}", all.join(", "))
        }
        Inst::Unsupported { what } => format!("unsupported {}", m.str(what)),
        ref other => format!("{other:?}"),
    }
}
