//! From units of bitcode to one module of the `ir`: link, add the models, remove what is not used, promote, lower.

use rustc_hash::FxHashSet;

use crate::debug::Paths;
use crate::llvm::Module;
use crate::{Error, Unit, conventions, entry, lower, names, omp, padding, scopes};

/// A file of the C library's model.
struct Model {
    /// The file's name.
    name: &'static str,
    /// The symbols that it defines.
    defines: &'static [&'static str],
    /// The compiled file.
    bitcode: &'static [u8],
}

include!(concat!(env!("OUT_DIR"), "/models.rs"));

/// Model functions that the machine calls, though the program may not.
const ROOTS: [&str; 4] = ["main", "__rp_thread_main", "exit", "__rp_thread_exit_hooks"];

/// Those that it calls only where the program has them: in C++.
const KEPT: [&str; 1] = ["_ZSt9terminatev"];

/// Such functions by the beginning of their names.
const ROOT_PREFIX: &str = "__rp_root_";

/// Whether a function is kept even if nothing refers to it.
pub fn is_root(name: &str) -> bool {
    ROOTS.contains(&name) || KEPT.contains(&name) || name.starts_with(ROOT_PREFIX)
}

/// Links the units and translates them.
pub fn build(mut units: Vec<Unit>, entries: &[String]) -> Result<ir::Module, Error> {
    let mut llvm = link(&units)?;
    let triple = llvm.triple();
    let x86 = ["x86_64", "i386", "i486", "i586", "i686"].iter().any(|cpu| triple.starts_with(cpu));
    if !x86 && !triple.is_empty() {
        return Err(Error::Target { triple });
    }
    entry::add(&mut llvm, entries)?;
    if !llvm.functions().any(|f| f.name() == "main" && !f.is_declaration()) {
        return Err(Error::NoMain);
    }
    padding::leave_out(&mut llvm);
    scopes::keep_known(&mut llvm);
    omp::update::sections(&llvm);
    omp::library::by_value(&llvm);
    omp::first::read_late(&llvm);
    conventions::mark(&llvm);
    let remark = add_models(&mut llvm)?;
    llvm.internalize(is_root);
    llvm.run_passes("globaldce").map_err(Error::Internal)?;
    llvm.use_debug_intrinsics();
    let paths = Paths::new(units.iter().map(|u| u.file.as_path()));
    let copies = names::annotate(&llvm, &paths);
    let loops = omp::loops::find(&llvm);
    let (directives, shown) = tables(&mut units, &paths);
    let shares = omp::schedule::Shares::new(&llvm, &directives);
    omp::schedule::mark(&llvm, &directives, &shares);
    omp::nowait::drop_barriers(&llvm, &shares);
    omp::last::mark(&llvm, &shares);
    let untranslated = omp::untranslated::mark(&llvm, &directives);
    omp::taskloop::mark(&llvm, &directives);
    omp::points::mark(&llvm, &directives);
    omp::flush::sort_out(&llvm, &directives);
    omp::original::mark(&llvm);
    if omp::pieces::has_registers(&llvm) {
        llvm.run_passes("function(reg2mem)").map_err(Error::Internal)?;
    }
    omp::pieces::ways_back(&llvm);
    omp::carried::keep(&llvm);
    omp::last::restore(&llvm);
    omp::simd::mark(&llvm, &directives, &omp::schedule::Shares::new(&llvm, &directives));
    omp::simd::promote(&mut llvm, "function(sroa<preserve-cfg>,mem2reg)").map_err(Error::Internal)?;
    omp::pieces::check(&llvm);
    let mut module = lower::lower(&llvm, &paths, &copies, &loops);
    module.directives = shown;
    module.stores_continue = !units.iter().any(|u| u.cpp20);
    module.remarks.extend(remark.into_iter().chain(untranslated));
    ir::verify::verify(&module).map_err(Error::Internal)?;
    Ok(module)
}

/// The tables of constructs of all units together: with the compiler's names of files, and with those of reports.
fn tables(units: &mut [Unit], paths: &Paths) -> (ir::Directives, ir::Directives) {
    let (mut named, mut shown) = (ir::Directives::default(), ir::Directives::default());
    for unit in units {
        let directory = unit.directory.to_string_lossy();
        let table = std::mem::take(&mut unit.directives);
        shown.merge(table.clone().renamed(|name| paths.show(&directory, name)));
        named.merge(table);
    }
    (named, shown)
}

fn link(units: &[Unit]) -> Result<Module, Error> {
    let (first, rest) = units.split_first().ok_or(Error::NoFiles)?;
    let unreadable = |unit: &Unit, message| Error::Bitcode { file: unit.file.clone(), message };
    let name = |unit: &Unit| unit.file.to_string_lossy().into_owned();
    let mut llvm = Module::read(&first.bytes, &name(first)).map_err(|m| unreadable(first, m))?;
    for unit in rest {
        llvm.link(&unit.bytes, &name(unit)).map_err(|message| Error::Link { message })?;
    }
    // IR written by hand or another compiler may break LLVM's rules, on which everything after this relies.
    llvm.verify().map_err(|message| unreadable(first, message))?;
    Ok(llvm)
}

/// Links the models for the program's target; a remark if there are none.
fn add_models(llvm: &mut Module) -> Result<Option<String>, Error> {
    let models = if llvm.pointer_bytes() == 4 { MODELS_32 } else { MODELS_64 };
    let Some(models) = models else {
        return Ok(Some(
            "raceproof was built without 32-bit headers: there are no models of the C library for -m32"
                .to_string(),
        ));
    };
    // As a linker takes files from an archive: those that define what is still missing, until nothing is.
    let mut rest: Vec<&Model> = models.iter().collect();
    loop {
        let missing: FxHashSet<String> = llvm.undefined().collect();
        let always = |d: &str| d != "main" && is_root(d) && !KEPT.contains(&d);
        let is_needed = |m: &&Model| m.defines.iter().any(|d| missing.contains(*d) || always(d));
        let (needed, others): (Vec<_>, Vec<_>) = rest.into_iter().partition(is_needed);
        if needed.is_empty() {
            return Ok(None);
        }
        for model in needed {
            let failed = |message| Error::Internal(format!("models/{}: {message}", model.name));
            llvm.link(model.bitcode, model.name).map_err(failed)?;
        }
        rest = others;
    }
}
