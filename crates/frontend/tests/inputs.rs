//! Kinds of input, several files, targets, errors, and what is not supported.

mod support;

use std::process::Command;

use frontend::{Error, Options, compile};
use ir::{Inst, Order};
use support::{accesses, code, eval, files, function, try_compile, unsupported};

fn clang(args: &[&str], input: &std::path::Path, output: &std::path::Path) {
    let status =
        Command::new("clang-19").args(args).arg(input).arg("-o").arg(output).status().expect("clang-19");
    assert!(status.success());
}

#[test]
fn several_files_are_one_program() {
    let a =
        "void emit(unsigned long long); extern int shared; int twice(int); static int own(void) { return 1; }
             int main(void) { emit(twice(shared)); emit(own()); }";
    let b = "int shared = 21; static int own(void) { return 2; } int twice(int x) { return own() * x; }";
    let program = try_compile(&[("a.c", a), ("b.c", b)], &[]).expect("a program");
    assert_eq!(eval::run(&program.module), [42, 1]);
}

#[test]
fn c_and_cpp_together() {
    let a = "extern \"C\" int one(void); void emit(unsigned long long) asm(\"emit\"); template <class T> T inc(T x) { return x + 1; }
             int main() { emit(inc(one())); }";
    let program = try_compile(&[("a.cc", a), ("b.c", "int one(void) { return 1; }")], &["-std=c++20"])
        .expect("a program");
    assert_eq!(eval::run(&program.module), [2]);
}

#[test]
fn every_kind_of_file() {
    let text = "#define N 3\nvoid emit(unsigned long long);\nint main(void) { int s = 0; for (int i = 0; i < N; i++) s += i; emit(s); }\n";
    let (directory, paths) = files(&[("a.c", text)]);
    for (args, name) in [
        (&["-E"][..], "a.i"),
        (&["-g", "-S", "-emit-llvm"], "a.ll"),
        (&["-c", "-emit-llvm"], "a.bc"),
        (&["-O2", "-g", "-c", "-emit-llvm"], "optimised.bc"),
        (&["-E", "-x", "c"], "a.ii"),
    ] {
        let file = directory.path().join(name);
        clang(args, &paths[0], &file);
        let result = compile(&Options { files: vec![file], ..Options::default() });
        let program = result.unwrap_or_else(|e| panic!("{name}: {e}"));
        if name != "a.ii" {
            assert_eq!(eval::run(&program.module), [3], "{name}");
        }
    }
}

#[test]
fn defines_and_flags() {
    let (_directory, paths) =
        files(&[("a.c", "void emit(unsigned long long); int main(void) { emit(N + M); }")]);
    let options = Options {
        files: paths,
        flags: ["-DM=2", "-O3", "-g0", "-o", "nowhere"].map(String::from).to_vec(),
        defines: vec!["N=40".to_string()],
        ..Options::default()
    };
    let program = compile(&options).expect("a program");
    assert_eq!(eval::run(&program.module), [42]);
    assert!(function(&program.module, "main").place != ir::PlaceId::NONE, "-g0 must not win");
}

#[test]
fn thirty_two_bits() {
    let text = "void emit(unsigned long long); struct { char c; long l; void *p; double d; } s; long v[4], *q = &v[2];
                int main(void) { v[2] = 5; emit(sizeof s); emit(*q); emit((unsigned long)(q - v)); emit(sizeof(long double)); long long big = 1LL << 40; emit(big); }";
    let program = try_compile(&[("a.c", text)], &["-m32"]).expect("a program");
    let m = &program.module;
    assert_eq!(m.pointer_bytes, 4);
    assert_eq!(m.globals.iter().find(|g| g.name == "q").map(|g| g.size), Some(4));
    assert_eq!(eval::run(m), [20, 5, 2, 12, 1 << 40]);
}

#[test]
fn clang_errors_are_verbatim() {
    match try_compile(&[("bad.c", "int main(void) { return y; }\n"), ("good.c", "int x;\n")], &[]) {
        Err(Error::Compile { output }) => {
            assert!(output.contains("bad.c:1:25: error: use of undeclared identifier 'y'"), "{output}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn errors_say_what_to_do() {
    let text =
        |result: Result<frontend::Program, Error>| result.err().map(|e| e.to_string()).unwrap_or_default();
    assert!(text(compile(&Options::default())).contains("no source file"));
    assert!(text(try_compile(&[("a.txt", "")], &[])).contains("expected one of the extensions"));
    assert!(text(try_compile(&[("a.c", "int x;")], &[])).contains("`main`"));
    assert!(text(try_compile(&[("a.ll", "define i32 @main(")], &[])).contains("LLVM 19"));
    assert!(text(try_compile(&[("a.bc", "nonsense")], &[])).contains("LLVM 19"));
    let twice = [("a.c", "int x = 1; int main(void) {}"), ("b.c", "int x = 2;")];
    assert!(text(try_compile(&twice, &[])).contains("x"));
    assert!(
        text(try_compile(&[("a.c", "int main(void) {}")], &["--target=aarch64-linux-gnu"]))
            .contains("not supported")
    );
    let missing = Options { files: vec!["/nowhere/a.c".into()], ..Options::default() };
    assert!(text(compile(&missing)).contains("/nowhere/a.c"));
    let (_directory, paths) = files(&[("a.c", "int main(void) {}")]);
    let other = Options { files: paths, clang: Some("/nowhere/clang".into()), ..Options::default() };
    assert!(text(compile(&other)).contains("install clang 19"));
}

#[test]
fn broken_ir_is_refused() {
    let text = "define i32 @main() {\n  ret i32 %x\n}\n";
    assert!(matches!(try_compile(&[("a.ll", text)], &[]), Err(Error::Bitcode { .. })));
    // Reads well, but no value dominates its use.
    let text = "define i32 @main() {\nentry:\n  br label %b\nb:\n  %y = add i32 %x, 1\n  %x = add i32 %y, 1\n  ret i32 %x\n}\n";
    assert!(matches!(try_compile(&[("a.ll", text)], &[]), Err(Error::Bitcode { .. })));
}

#[test]
fn unsupported_constructs_are_named() {
    let text = "_Float16 h; __float128 q; int main(int c, char **v) { int r = c; __asm__ volatile(\"\" ::: \"memory\");
                if (c > 5) __asm__(\"bsf %1, %0\" : \"=r\"(r) : \"r\"(c)); if (c > 6) h = h + 1; if (c > 7) q = q * q;
                if (c > 8) r = *(int __attribute__((address_space(256))) *)8; return r; }";
    let program = try_compile(&[("a.c", text)], &[]).expect("a program");
    let found = unsupported(&program.module);
    let has = |part: &str| assert!(found.iter().any(|f| f.contains(part)), "{part} in {found:?}");
    has("inline assembly `bsf $1, $0`");
    has("half");
    has("fp128");
    has("address space 256");
    assert!(!found.iter().any(|f| f == "inline assembly ``"));
}

#[test]
fn atomics_keep_their_orders() {
    let text = "#include <stdatomic.h>
        _Atomic int a; _Atomic(int *) p; atomic_flag f; int main(void) {
          atomic_store_explicit(&a, 1, memory_order_release); int x = atomic_load_explicit(&a, memory_order_acquire);
          atomic_fetch_sub_explicit(&a, 1, memory_order_relaxed); atomic_thread_fence(memory_order_acq_rel);
          atomic_signal_fence(memory_order_seq_cst); atomic_exchange(&p, &x);
          atomic_compare_exchange_weak_explicit(&a, &x, 2, memory_order_acq_rel, memory_order_relaxed); }";
    let program = try_compile(&[("a.c", text)], &[]).expect("a program");
    let m = &program.module;
    let code = code(m, "main");
    let has = |test: &dyn Fn(&Inst) -> bool| assert_eq!(code.iter().filter(|i| test(i)).count(), 1);
    has(&|i| matches!(i, Inst::AtomicStore { order: Order::Release, .. }));
    has(&|i| matches!(i, Inst::AtomicLoad { order: Order::Acquire, .. }));
    has(&|i| matches!(i, Inst::AtomicRmw { order: Order::Relaxed, op: ir::RmwOp::Sub, .. }));
    has(&|i| matches!(i, Inst::Fence { order: Order::AcqRel }));
    has(&|i| matches!(i, Inst::AtomicRmw { order: Order::SeqCst, op: ir::RmwOp::Xchg, .. }));
    let body = function(m, "main").body.as_ref().expect("a body");
    let x = body.cmpxchgs[0];
    assert!((x.success, x.failure, x.weak) == (Order::AcqRel, Order::Relaxed, true));
    assert!(accesses(m, "main").contains(&"u a".to_string()));
}

#[test]
fn weak_references() {
    let text = "void emit(unsigned long long); extern int nowhere(void) __attribute__((weak)); extern int gone __attribute__((weak));
                extern int __pthread_key_create(void) __attribute__((weak)); int other(void) __attribute__((alias(\"real\")));
                int real(void) { return 7; } int main(void) { emit(nowhere != 0); emit(&gone != 0); emit(__pthread_key_create != 0); emit(other()); }";
    let program = try_compile(&[("a.c", text)], &[]).expect("a program");
    assert_eq!(eval::run(&program.module), [0, 0, 1, 7]);
}

#[test]
fn constructors_by_priority() {
    let text = "int n; __attribute__((constructor)) void last(void) { n = 3; } __attribute__((constructor(200))) void second(void) { n = 2; }
                __attribute__((constructor(150))) void first(void) { n = 1; } __attribute__((destructor)) void end(void) { n = 0; } int main(void) {}";
    let program = try_compile(&[("a.c", text)], &[]).expect("a program");
    let m = &program.module;
    let names =
        |list: &[ir::FuncId]| list.iter().map(|f| m.funcs[f.0 as usize].name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&m.ctors), ["first", "second", "last"]);
    assert_eq!(names(&m.dtors), ["end"]);
}

#[test]
fn only_what_is_reached() {
    let text = "static int unused(void) { return 1; } int used(void) { return 2; } int dead(void) { return unused(); }
                int (*volatile table)(void) = used; int main(void) { return table(); }";
    let program = try_compile(&[("a.c", text)], &[]).expect("a program");
    let names: Vec<_> = program.module.funcs.iter().map(|f| f.name.as_str()).collect();
    assert!(names.contains(&"used") && !names.contains(&"dead") && !names.contains(&"unused"), "{names:?}");
}

#[test]
fn output_is_deterministic() {
    let text = "#include <stdio.h>\n#include <pthread.h>\nint g[3]; void *w(void *p) { return p; }
                int main(void) { pthread_t t; pthread_create(&t, 0, w, g); pthread_join(t, 0); printf(\"%d\", g[1]); }";
    let (_directory, files) = files(&[("a.c", text)]);
    let options = Options { files, ..Options::default() };
    let (a, b) = (compile(&options).expect("a program"), compile(&options).expect("a program"));
    assert!(a.module == b.module);
}
