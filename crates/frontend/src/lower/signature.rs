//! Functions: numbers, names, parameters, results.

use ir::{ArgKind, FuncId, Function, PlaceId, Scalar};

use super::{Lowering, Unsupported};
use crate::llvm::{Opcode, Type, Value};
use crate::omp::{callee_name, schedule};

impl<'m> Lowering<'m> {
    /// The number of a function.
    pub fn func(&mut self, value: Value<'m>) -> FuncId {
        if let Some(id) = self.funcs.get(&value) {
            return *id;
        }
        let id = FuncId(self.out.funcs.len() as u32);
        self.funcs.insert(value, id);
        let defined = !value.is_declaration();
        if defined {
            self.func_queue.push_back(value);
        }
        let subprogram = value.subprogram();
        let place = match subprogram {
            Some(subprogram) => self.debug.function(&mut self.out, subprogram),
            None => PlaceId::NONE,
        };
        let name = value.name();
        let construct = outlined(value, 3);
        let display =
            construct.unwrap_or_else(|| display(&name, subprogram.and_then(|s| self.debug.function_name(s))));
        let system = match self.out.places.get(place.0 as usize) {
            Some(at) if place != PlaceId::NONE => self.out.files[at.file as usize].system,
            _ => !defined || is_runtime(&name),
        } || is_wrapper(value, &name);
        let ty = value.value_type();
        let params = self.params(value).unwrap_or_default();
        let result = self.result(ty.result()).unwrap_or_default();
        let variadic = ty.is_variadic();
        self.out.funcs.push(Function { name, display, params, variadic, result, body: None, place, system });
        id
    }

    /// How a function's parameters are passed.
    pub fn params(&mut self, function: Value<'m>) -> Result<Vec<ArgKind>, Unsupported> {
        let mut kinds = Vec::new();
        for (index, ty) in function.value_type().params().into_iter().enumerate() {
            match self.by_value(function, index as u32) {
                Some(kind) => kinds.push(kind),
                None => {
                    let layout = self.layouts.of(ty)?;
                    kinds.extend(layout.leaves.iter().map(|leaf| ArgKind::Scalar(leaf.scalar)));
                }
            }
        }
        Ok(kinds)
    }

    /// How a `byval` parameter of a function or call is passed.
    pub fn by_value(&self, of: Value<'m>, index: u32) -> Option<ArgKind> {
        let (ty, align) = of.by_value(index)?;
        let align = align.unwrap_or_else(|| self.llvm.align_of(ty));
        Some(ArgKind::ByVal { size: self.llvm.size_of(ty) as u32, align })
    }

    /// The scalars of a result type.
    pub fn result(&mut self, ty: Type<'m>) -> Result<Vec<Scalar>, Unsupported> {
        Ok(self.layouts.of(ty)?.leaves.iter().map(|leaf| leaf.scalar).collect())
    }
}

/// What people call a function that clang made of an OpenMP construct: by the call of the runtime that is given it, or
/// is given the wrapper that calls it.
fn outlined(function: Value<'_>, depth: u32) -> Option<String> {
    let name = function.name();
    if depth == 0
        || ![".omp_outlined", ".omp_task_entry", "__omp_offloading_"].iter().any(|p| name.contains(p))
    {
        return None;
    }
    for user in function.users() {
        let callee = callee_name(user);
        let construct = match callee.as_str() {
            "__kmpc_fork_call" | "__kmpc_fork_call_if" => "parallel region",
            "__kmpc_fork_teams" => "teams region",
            "__kmpc_omp_task_alloc" | "__kmpc_omp_task_alloc_mergeable" => "task",
            "__kmpc_omp_target_task_alloc" => "target task",
            _ => continue,
        };
        let Some(ident) = schedule::ident(user) else { continue };
        return Some(format!("{construct} at line {} in {}", ident.line, ident.function));
    }
    if let Some(rest) = name.strip_prefix("__omp_offloading_").filter(|n| !n.contains(".omp_")) {
        // `__omp_offloading_<device>_<file>_<function>_l<line>`
        let (_, rest) = rest.split_once('_')?.1.split_once('_')?;
        let (of, line) = rest.trim_end_matches("_debug__").rsplit_once("_l")?;
        return Some(format!("target region at line {line} in {}", display(of, None)));
    }
    let calls = function.users().filter(|u| u.opcode() == Some(Opcode::LLVMCall) && u.callee() == function);
    calls.into_iter().find_map(|call| outlined(call.parent().function(), depth - 1))
}

/// Whether clang made the function without a place in the source.
fn is_runtime(name: &str) -> bool {
    ["_GLOBAL__sub_I_", "__cxx_global_", "__clang_call_terminate", "_ZTW", "_ZTH", "__tls_init", ".omp"]
        .iter()
        .any(|prefix| name.starts_with(prefix))
}

/// Whether a function only passes an OpenMP region's variables on to the function that holds the region.
fn is_wrapper(function: Value<'_>, name: &str) -> bool {
    const BODY: &str = "_debug__";
    name.contains(".omp_outlined") && !name.contains(BODY) && {
        let mut instructions = function.blocks().flat_map(|b| b.instructions());
        instructions.any(|i| i.opcode() == Some(Opcode::LLVMCall) && i.callee().name().contains(BODY))
    }
}

/// What people call a function: demangled, without types of arguments and result.
fn display(linkage: &str, source: Option<String>) -> String {
    let outlined = |name: &str| name.find(".omp_outlined").or(name.find(".omp_task")).is_some();
    if linkage.starts_with("_Z") && !outlined(linkage) {
        let options = cpp_demangle::DemangleOptions::new().no_params().no_return_type();
        if let Ok(symbol) = cpp_demangle::Symbol::new(linkage)
            && let Ok(text) = symbol.demangle(&options)
        {
            return tidy(&text);
        }
    }
    if linkage.starts_with(".omp_task") {
        return "(task)".to_string();
    }
    if let Some(at) = linkage.find(".omp_outlined").filter(|at| *at > 0) {
        let outer = display(&linkage[..at], None);
        let part = if linkage.contains(".reduction") { "reduction" } else { "parallel region" };
        return format!("{outer} ({part})");
    }
    if linkage.starts_with(".omp_") {
        return linkage.trim_start_matches('.').trim_end_matches('.').to_string();
    }
    source.filter(|s| !s.is_empty()).unwrap_or_else(|| linkage.to_string())
}

/// Lambdas are numbered by the compiler, and `const` says nothing in a call stack.
fn tidy(name: &str) -> String {
    let mut out = String::new();
    let mut rest = name.strip_suffix(" const").unwrap_or(name);
    while let Some(at) = rest.find("$_") {
        out.push_str(&rest[..at]);
        out.push_str("{lambda}");
        rest = rest[at + 2..].trim_start_matches(|c: char| c.is_ascii_digit());
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_for_people() {
        assert_eq!(display("main", Some("main".into())), "main");
        assert_eq!(display("_ZN5Queue4pushEi", Some("push".into())), "Queue::push");
        assert_eq!(display("_ZZ4mainENK3$_0clEi", None), "main::{lambda}::operator()");
        assert_eq!(display("main.omp_outlined", None), "main (parallel region)");
        assert_eq!(display("_Z3runv.omp_outlined_debug__", None), "run (parallel region)");
    }
}
