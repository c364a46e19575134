//! What accesses, variables, types, functions and places are called.

mod support;

use ir::{Inst, Module, TypeId};
use support::{accesses, code, compile, function};

fn global_type(m: &Module, name: &str) -> TypeId {
    let global = m.globals.iter().find(|g| g.name == name).unwrap_or_else(|| panic!("no global {name}"));
    global.var.as_ref().and_then(|v| v.ty).expect("a type")
}

#[test]
fn expressions_of_c() {
    let m = compile(
        "a.c",
        "#include <stdlib.h>
         struct node { int v; struct node *next; unsigned low : 3, high : 5; struct { int q[3]; } in[2]; };
         struct node list[4], *head; int count, grid[3][5]; volatile int flag; union { int i; float f; } both;
         void set(struct node *p, int i, int n, int *out, int **pp, void *raw) {
           count++; p->next->v = i; p->low = 1; p->high = 2; list[i].v = 3; grid[i][n - 1] = 4; out[i + 1] = 5; *out = 6;
           pp[i][2] = 7; head->in[1].q[i] = 8; *(out + n) = 9; flag = 1; both.i = 2; p[2].v = 3; (*pp)[1] = 4;
           struct node *mine = p->next; mine->v = 1; *(int *)raw = 2; out[rand() % 4] = 1; struct node copy = *p; list[0] = copy;
           int local[4]; local[n] = 1; out[local[i]] = 2; static int kept; kept = 3;
         }
         int main(void) { set(head, 0, 0, 0, 0, 0); }",
    );
    let found = accesses(&m, "set");
    let writes: Vec<&str> = found.iter().filter_map(|a| a.strip_prefix("w ")).collect();
    let expected = [
        "count",
        "p->next->v",
        "p->low",
        "p->high",
        "list[i].v",
        "grid[i][n - 1]",
        "out[i + 1]",
        "*out",
        "pp[i][2]",
        "head->in[1].q[i]",
        "out[n]",
        "flag",
        "both",
        "p[2].v",
        "(*pp)[1]",
        "mine->v",
        "*raw",
        "out[rand() % 4]",
        "local[n]",
        "out[local[i]]",
        "kept",
    ];
    assert_eq!(writes, expected);
    assert!(found.contains(&"r p->next".to_string()), "{found:?}");
    assert!(
        found.contains(&"c copy = *p".to_string()) && found.contains(&"c list[0] = copy".to_string()),
        "{found:?}"
    );
    let volatile = m.accesses.iter().filter(|a| a.volatile).count();
    assert_eq!(volatile, 1);
}

#[test]
fn no_guesses() {
    let m = compile(
        "a.c",
        "void put(void *p, long i) { ((int *)p)[i] = 1; *((char *)p + 5) = 2; }
         int main(void) { put(0, 0); }",
    );
    assert_eq!(accesses(&m, "put"), ["w ?", "w ?"]);
}

#[test]
fn expressions_of_cpp() {
    let m = compile(
        "a.cpp",
        "#include <atomic>
         #include <memory>
         #include <vector>
         struct P { int x, y; }; struct Base { int id; virtual void f() {} };
         struct D : Base { P p[3]; std::vector<int> v; void set(int i) { p[i].x = i; v[i] = 2; id = 3; this->p[1].y++; } };
         D g; std::vector<P> ps; std::atomic<int> hits; int &ref = g.id; namespace n { int deep; struct T { static int s; }; int T::s; }
         void use(P &p, const std::vector<int> &w, std::unique_ptr<P> &up) {
           p.x = w[1]; up->y = 3; (*up).x = 2; n::deep = 1; n::T::s = 2; ps[2].y = 3; hits.store(1); }
         int main() { g.set(1); P loc{}; std::unique_ptr<P> up; auto lam = [&loc](int k) { loc.x = k; }; lam(1); use(loc, g.v, up); }",
    );
    let set = ["w this->p[i].x", "w this->v[i]", "w this->id", "r this->p[1].y", "w this->p[1].y"];
    assert_eq!(accesses(&m, "D::set"), set);
    let used = accesses(&m, "use");
    for name in ["r w[1]", "w p.x", "w up->y", "w (*up).x", "w deep", "w s", "w ps[2].y", "w hits"] {
        assert!(used.contains(&name.to_string()), "{name} in {used:?}");
    }
    let lambda = accesses(&m, "main::{lambda}::operator()");
    assert!(lambda.contains(&"w loc.x".to_string()), "{lambda:?}");
}

#[test]
fn openmp_names_the_shared_variables() {
    let m = compile(
        "a.c",
        "int main(void) { int sum = 0; double a[100];
         #pragma omp parallel for
         for (int i = 0; i < 100; i++) { sum += i; a[i] = i; }
         return sum; }",
    );
    let bodies = m
        .funcs
        .iter()
        .filter(|f| {
            f.display.starts_with("parallel region at line ") && f.display.ends_with(" in main") && !f.system
        })
        .count();
    assert_eq!(bodies, 1);
    let body = m.funcs.iter().find(|f| f.name.contains("omp_outlined_debug__")).expect("the region");
    let found: Vec<_> = body
        .body
        .as_ref()
        .expect("a body")
        .code
        .iter()
        .filter_map(|i| match i {
            Inst::Store { access, .. } => m.accesses[access.0 as usize].expr.map(|e| m.str(e).to_string()),
            _ => None,
        })
        .collect();
    assert!(found.contains(&"sum".to_string()) && found.contains(&"a[i]".to_string()), "{found:?}");
}

#[test]
fn types_of_globals() {
    let m = compile(
        "a.c",
        "typedef const struct { int n; struct { short a[2][3]; } in; } record; typedef struct list { struct list *next; int v; } list;
         record r[2]; int matrix[4][8]; struct { unsigned a : 3; unsigned b : 7; int c; } bits; union { int i; char c[4]; } u; list *l;
         struct opaque *o; long double wide; volatile int vol;
         int main(void) { return matrix[0][0] + bits.a + u.i + !l + !o + (int)wide + vol + r[1].n; }",
    );
    let part = |name: &str, offset, len| m.part_name(global_type(&m, name), offset, len);
    assert_eq!(part("matrix", (3 * 8 + 7) * 4, 4), "[3][7]");
    assert_eq!(part("r", 16 + 4 + 6 + 2, 2), "[1].in.a[1][1]");
    assert_eq!(part("r", 16, 4), "[1].n");
    assert_eq!(part("bits", 4, 4), ".c");
    assert_eq!(part("bits", 0, 1), ".a");
    assert_eq!(part("u", 0, 4), "");
    assert_eq!(m.type_size(global_type(&m, "bits")), 8);
    let ir::Type::Record { fields, .. } = &m.types[global_type(&m, "bits").0 as usize] else {
        panic!("a record")
    };
    assert_eq!((fields[1].name.as_str(), fields[1].bit_offset, fields[1].bit_size), ("b", 3, 7));
    let ir::Type::Pointer { to: Some(to), .. } = &m.types[global_type(&m, "l").0 as usize] else {
        panic!("a pointer")
    };
    assert_eq!(m.part_name(*to, 0, 8), ".next");
    assert_eq!(m.part_name(*to, 8, 4), ".v");
}

#[test]
fn classes_have_bases_and_members() {
    let m = compile(
        "a.cpp",
        "struct A { int a; virtual ~A() {} }; struct B { int b; }; struct C : A, B { static int none; int c; };
         C c; int C::none; int main() { return c.c + c.b + c.a; }",
    );
    let ty = global_type(&m, "c");
    let at = |name: &str| {
        let size = m.type_size(ty);
        (0..size).find(|o| m.part_name(ty, *o, 4) == name).unwrap_or_else(|| panic!("no part {name}"))
    };
    assert!(at(".a") < at(".b") && at(".b") < at(".c"));
}

#[test]
fn places_of_instructions() {
    let text = "int x;\nvoid f(void) {\n  x =\n    1;\n}\nint main(void) { f(); }\n";
    let m = compile("place.c", text);
    let f = function(&m, "f");
    let place = m.place(f.place).expect("a place");
    assert!(place.file.ends_with("place.c"), "{}", place.file);
    assert_eq!(place.line, 2);
    let body = f.body.as_ref().expect("a body");
    let store = code(&m, "f").iter().position(|i| matches!(i, Inst::Store { .. })).expect("a store");
    let place = m.place(body.places[store]).expect("a place");
    assert_eq!((place.line, place.column), (3, 5));
    assert!(!f.system && !m.files.iter().any(|f| f.path.ends_with("place.c") && f.system));
}

#[test]
fn system_headers_are_marked() {
    let m = compile(
        "a.cpp",
        "#include <vector>\nint main() { std::vector<int> v; v.push_back(1); return v[0]; }",
    );
    let push = m.funcs.iter().find(|f| f.display.ends_with("::push_back")).expect("push_back");
    assert!(push.system && m.place(push.place).is_some_and(|p| p.file.starts_with("/usr/")));
    assert!(!function(&m, "main").system);
}

#[test]
fn stack_objects_have_variables() {
    let m = compile(
        "a.c",
        "void use(void *); struct s { int a, b; };
         int main(int argc, char **argv) { struct s local; int vla[argc]; use(&local); use(vla); use(&argc); }",
    );
    let names: Vec<_> = code(&m, "main")
        .iter()
        .filter_map(|i| match i {
            Inst::Alloca { var, .. } => Some(&m.variables[var.0 as usize]),
            _ => None,
        })
        .collect();
    let found: Vec<&str> = names.iter().map(|v| v.name.as_str()).collect();
    assert_eq!(found, ["argc", "local", "vla"]);
    assert_eq!(m.part_name(names[1].ty.expect("a type"), 4, 4), ".b");
}
