//! Programs without `main`: a harness that calls functions of a library, each with any arguments.
//!
//! One function is called by the main thread; of several, each is called once by a thread of its own, all at the same time.
//! Arguments are numbers without bounds (`__VERIFIER_nondet_*`). A pointer could point to anything, and no object that
//! could be made up here stands for all of them: such a function is refused ([`Error::EntryParameter`]).

use crate::Error;
use crate::llvm::{Linkage, Module, Type, TypeKind, Value};

/// Adds a `main` that calls the functions; a `main` of the program is put aside.
pub fn add(llvm: &mut Module, entries: &[String]) -> Result<(), Error> {
    if entries.is_empty() {
        return Ok(());
    }
    let symbols = entries.iter().map(|name| find(llvm, name)).collect::<Result<Vec<_>, _>>()?;
    let mut text =
        format!("target datalayout = \"{}\"\ntarget triple = \"{}\"\n", llvm.data_layout(), llvm.triple());
    let mut declared = Vec::new();
    let mut callers = Vec::new();
    for (index, symbol) in symbols.iter().enumerate() {
        let function = llvm.function(symbol).ok_or_else(|| no_entry(&entries[index], Vec::new()))?;
        let (body, declarations) = call(function, symbol, &entries[index])?;
        for declaration in declarations {
            if !declared.contains(&declaration) {
                declared.push(declaration);
            }
        }
        let before = entries[..index].iter().filter(|e| **e == entries[index]).count();
        let which = if before == 0 { "a".to_string() } else { format!("{}.", before + 1) };
        callers.push(format!("{which} caller of {}", entries[index]));
        text += &format!(
            "define internal ptr @\"{}\"(ptr %unused) {{\n{body}  ret ptr null\n}}\n",
            callers[index]
        );
    }
    for declaration in declared {
        text += &declaration;
        text.push('\n');
    }
    text += &main(&callers, llvm.pointer_bytes() * 8);
    llvm.rename_function("main", "main of the program");
    llvm.link(text.as_bytes(), "<raceproof>/entry").map_err(Error::Internal)
}

/// `main`: one caller is just called, several run in threads.
fn main(callers: &[String], word: u32) -> String {
    if let [only] = callers {
        return format!("define i32 @main() {{\n  %1 = call ptr @\"{only}\"(ptr null)\n  ret i32 0\n}}\n");
    }
    let mut text = format!(
        "declare i32 @pthread_create(ptr, ptr, ptr, ptr)\ndeclare i32 @pthread_join(i{word}, ptr)\n\
         define i32 @main() {{\n"
    );
    for (i, caller) in callers.iter().enumerate() {
        text += &format!(
            "  %t{i} = alloca i{word}\n  %c{i} = call i32 @pthread_create(ptr %t{i}, ptr null, ptr @\"{caller}\", ptr null)\n"
        );
    }
    for i in 0..callers.len() {
        text += &format!(
            "  %v{i} = load i{word}, ptr %t{i}\n  %j{i} = call i32 @pthread_join(i{word} %v{i}, ptr null)\n"
        );
    }
    text + "  ret i32 0\n}\n"
}

/// The instructions that call a function with any arguments, and the declarations that they need.
fn call(function: Value<'_>, symbol: &str, name: &str) -> Result<(String, Vec<String>), Error> {
    let ty = function.value_type();
    let refused = |number: usize, what: &str| Error::EntryParameter {
        function: name.to_string(),
        number,
        what: what.to_string(),
    };
    if ty.is_variadic() {
        return Err(refused(ty.params().len() + 1, "what follows `...` is not known"));
    }
    let (mut body, mut declarations, mut arguments, mut types) =
        (String::new(), Vec::new(), Vec::new(), Vec::new());
    for (index, param) in ty.params().into_iter().enumerate() {
        let Some((kind, source)) = any_value(param) else {
            let what = match param.kind() {
                TypeKind::LLVMPointerTypeKind => "a pointer, and what it points to is not known",
                _ => "no number",
            };
            return Err(refused(index + 1, what));
        };
        body += &format!("  %a{index} = call {kind} @{source}()\n");
        declarations.push(format!("declare {kind} @{source}()"));
        arguments.push(format!("{kind} %a{index}"));
        types.push(kind);
    }
    let result = ty.result().text();
    let value = if result == "void" { "" } else { "%r = " };
    body += &format!("  {value}call {result} @\"{symbol}\"({})\n", arguments.join(", "));
    declarations.push(format!("declare {result} @\"{symbol}\"({})", types.join(", ")));
    Ok((body, declarations))
}

/// A type of a number, and the function of the models that makes any value of it.
fn any_value(ty: Type<'_>) -> Option<(&'static str, &'static str)> {
    match ty.kind() {
        TypeKind::LLVMIntegerTypeKind => match ty.int_bits() {
            1 => Some(("i1", "__VERIFIER_nondet_bool")),
            8 => Some(("i8", "__VERIFIER_nondet_s8")),
            16 => Some(("i16", "__VERIFIER_nondet_s16")),
            32 => Some(("i32", "__VERIFIER_nondet_s32")),
            64 => Some(("i64", "__VERIFIER_nondet_s64")),
            _ => None,
        },
        TypeKind::LLVMFloatTypeKind => Some(("float", "__VERIFIER_nondet_float")),
        TypeKind::LLVMDoubleTypeKind => Some(("double", "__VERIFIER_nondet_double")),
        _ => None,
    }
}

/// The symbol of a function by its name in the source, with or without the types of its parameters.
fn find(llvm: &Module, name: &str) -> Result<String, Error> {
    let defined = || llvm.functions().filter(|f| !f.is_declaration());
    let hidden =
        |f: &Value<'_>| matches!(f.linkage(), Linkage::LLVMInternalLinkage | Linkage::LLVMPrivateLinkage);
    if let Some(function) = defined().find(|f| f.name() == name) {
        if hidden(&function) {
            return Err(Error::EntryStatic { function: name.to_string() });
        }
        return Ok(name.to_string());
    }
    let mut found: Vec<(String, String)> = Vec::new();
    let mut others = Vec::new();
    for function in defined().filter(|f| !hidden(f)) {
        let symbol = function.name();
        let Some(whole) = demangled(&symbol) else {
            others.push(symbol);
            continue;
        };
        let bare = whole.split('(').next().unwrap_or(&whole).to_string();
        if whole == name || bare == name {
            found.push((symbol, whole));
        } else if !bare.starts_with("std::") && !bare.starts_with("__") {
            others.push(bare);
        }
    }
    match found.as_slice() {
        [] => Err(no_entry(name, others)),
        [(symbol, _)] => Ok(symbol.clone()),
        several => Err(Error::EntryAmbiguous {
            function: name.to_string(),
            candidates: several.iter().map(|(_, whole)| format!("`{whole}`")).collect::<Vec<_>>().join(", "),
        }),
    }
}

fn demangled(symbol: &str) -> Option<String> {
    if !symbol.starts_with("_Z") {
        return None;
    }
    cpp_demangle::Symbol::new(symbol).ok().map(|s| s.to_string())
}

/// The error, with those of the functions that look most like the name.
fn no_entry(name: &str, mut others: Vec<String>) -> Error {
    let distance = |other: &String| -> usize {
        let common = other.chars().zip(name.chars()).take_while(|(a, b)| a == b).count();
        usize::MAX - common
    };
    others.sort_by_key(|o| (distance(o), o.clone()));
    others.dedup();
    others.truncate(5);
    let list = others.iter().map(|o| format!("`{o}`")).collect::<Vec<_>>().join(", ");
    let hint = if list.is_empty() { "they define none".to_string() } else { format!("they define {list}") };
    Error::NoEntry { function: name.to_string(), hint }
}
