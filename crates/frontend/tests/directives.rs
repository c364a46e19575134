//! The table of constructs: the same directives, however they are written, make the same rows.

mod support;

use ir::Directive;
use ir::directives::Language;
use support::{compile, try_compile};

/// A program with one directive of each sort; the first line is free.
const LINES: [&str; 14] = [
    "",
    "int a[8], s;",
    "void f(int n) {",
    "#pragma omp parallel num_threads(2)",
    "  {",
    "#pragma omp for schedule(static, 2) nowait",
    "    for (int i = 0; i < n; i++)",
    "      a[i] = i;",
    "#pragma omp critical(name)",
    "    s++;",
    "#pragma omp barrier",
    "  }",
    "}",
    "int main(void) { f(8); }",
];

/// The program with another first line and each directive written in another way.
fn written(first: &str, way: impl Fn(&str) -> String) -> String {
    let line = |line: &&str| line.strip_prefix("#pragma omp ").map_or_else(|| line.to_string(), &way);
    std::iter::once(first.to_string()).chain(LINES[1..].iter().map(line)).collect::<Vec<_>>().join("\n")
}

fn row(d: &Directive) -> String {
    let body = d.body.as_ref().map_or(String::new(), |b| format!(" [{}-{}]", b.first, b.last));
    format!("{}: {d}{body}{}", d.line, if d.variant { " ?" } else { "" })
}

fn rows(m: &ir::Module) -> Vec<String> {
    m.directives.iter().map(row).collect()
}

const EXPECTED: [&str; 4] = [
    "4: parallel num_threads(2) [5-12]",
    "6: for schedule(static, 2) nowait [7-8]",
    "9: critical(name) [10-10]",
    "11: barrier",
];

#[test]
fn every_way_gives_the_same_rows() {
    let plain = |text: &str| format!("#pragma omp {text}");
    let blanks = |text: &str| format!("  #\tpragma omp {} /* a */ // b", text.replace(", ", " , /* c */ "));
    let operator = |text: &str| format!("_Pragma(\"omp {text}\")");
    let attribute = |text: &str| {
        let end = if text == "barrier" { ";" } else { "" };
        format!("[[omp::directive({text})]]{end}")
    };
    let using = |text: &str| attribute(text).replace("omp::", "using omp: ");
    let clause =
        |text: &str| format!("#pragma omp {}", text.replace("static, 2", "S").replace("nowait", "N"));
    let ways = [
        ("program.c", written("", plain)),
        ("program.i", written("", plain)),
        ("program.c", written("", blanks)),
        ("program.c", written("", operator)),
        ("program.c", written("#define P(x) _Pragma(#x)", |text| format!("P(omp {text})"))),
        ("program.c", written("#define N nowait\n# 1\n#define S static, 2", clause)),
        ("program.cpp", written("", plain)),
        ("program.cpp", written("", attribute)),
        ("program.cpp", written("", using)),
        (
            "program.cpp",
            written("template <class T>", plain).replace("\nint a[8], s;", " void g(T);\nint a[8], s;"),
        ),
    ];
    for (name, text) in &ways {
        let m = compile(name, text);
        assert_eq!(rows(&m), EXPECTED, "{name}: {text}");
        let language = if name.ends_with("cpp") { Language::Cpp } else { Language::C };
        assert!(m.directives.iter().all(|d| d.language == language && d.file.ends_with(name)), "{name}");
    }
}

#[test]
fn headers_and_macros_of_other_files() {
    let header = written("#pragma once", |text| format!("P(omp {text})"));
    let (functions, main) = header.split_at(header.find("int main").expect("a main"));
    let source = format!("#define P(x) _Pragma(#x)\n#include \"f.h\"\n{main}");
    let (directory, files) = support::files(&[
        ("f.h", functions),
        ("a.c", &source),
        ("b.c", "#define P(x) _Pragma(#x)\n#define f g\n#define a b\n#define s t\n#include \"f.h\"\n"),
    ]);
    let options = frontend::Options { files: files[1..].to_vec(), ..Default::default() };
    let m = frontend::compile(&options).expect("a program").module;
    // Both sources include it: what they agree on is there once.
    assert_eq!(rows(&m), EXPECTED);
    let header = directory.path().join("f.h").to_string_lossy().into_owned();
    assert!(
        m.directives.iter().all(|d| d.file == header && d.body.as_ref().is_none_or(|b| b.file == header))
    );
}

#[test]
fn templates_have_one_row_for_all_instances() {
    let text = written("", |text| format!("#pragma omp {text}"))
        .replace("void f(int n)", "template <class T> void f(T n)")
        .replace("f(8);", "f(8); f(8L);");
    assert_eq!(rows(&compile("program.cpp", &text)), EXPECTED);
}

#[test]
fn continuations_nesting_and_sequences() {
    let m = compile(
        "program.cpp",
        "int x, y[9];
int main() {
#pragma omp parallel \\
    num_threads(2) \\
    /* more
       of it */ private(x)
#pragma omp single
  {
#pragma omp task firstprivate(x)
    if (x) {
      x = 1;
    } else
      x = 2;
#pragma omp taskwait
  }
  [[omp::sequence(directive(parallel),
                  directive(for))]]
  for (int i = 0; i < 9; i++)
#pragma omp atomic
    y[i]++;
}",
    );
    let expected = [
        "3: parallel num_threads(2) private(x) [8-15]",
        "7: single [8-15]",
        "9: task firstprivate(x) [10-13]",
        "14: taskwait",
        "16: parallel [18-20]",
        "17: for [18-20]",
        "19: atomic [20-20]",
    ];
    assert_eq!(rows(&m), expected);
    let around = m.directives.around(&m.directives.iter().next().expect("a row").file, 11);
    assert_eq!(around.map(Directive::first).collect::<Vec<_>>(), ["task", "single", "parallel"]);
}

#[test]
fn variants_of_a_metadirective_are_rows() {
    let m = compile(
        "program.c",
        "int y[9];
int main(void) {
#pragma omp metadirective when(user={condition(1)}: parallel for) otherwise(simd safelen(2))
  for (int i = 0; i < 9; i++)
    y[i]++;
}",
    );
    assert_eq!(rows(&m), ["3: parallel for [4-5] ?", "3: simd safelen(2) [4-5] ?"]);
}

#[test]
fn what_is_not_compiled_is_no_row() {
    let inactive =
        "#if 0\n#pragma omp barrier\n#endif\n/*\n#pragma omp barrier\n*/\nint main(void) { return 0; }\n";
    assert!(rows(&compile("program.c", inactive)).is_empty());
    let text = written("", |text| format!("#pragma omp {text}"));
    let ignored = try_compile(&[("a.c", &text)], &["-fno-openmp"]).expect("a program");
    assert!(rows(&ignored.module).is_empty());
}
