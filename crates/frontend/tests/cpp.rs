//! C++: the standard library's templates, exceptions, thread-local objects, virtual functions.

mod support;

use ir::{Clause, Inst};
use support::{compile, function, try_compile, unsupported};

#[test]
fn the_standard_library_compiles() {
    let text = "#include <condition_variable>
        #include <functional>
        #include <future>
        #include <iostream>
        #include <map>
        #include <memory>
        #include <mutex>
        #include <shared_mutex>
        #include <sstream>
        #include <string>
        #include <thread>
        #include <unordered_map>
        #include <vector>
        #include <algorithm>
        #include <deque>
        #include <optional>
        std::mutex m; std::map<std::string, int> counts; std::unordered_map<int, std::string> names; std::shared_mutex sm;
        void work(int id) { std::lock_guard<std::mutex> g(m); counts[\"k\" + std::to_string(id)]++; names[id] = \"x\"; }
        int main() {
          std::vector<std::thread> ts; for (int i = 0; i < 2; i++) ts.emplace_back(work, i);
          for (auto &t : ts) t.join();
          std::ostringstream o; o << counts.size() << ' ' << 2.5 << std::hex << 255; std::cout << o.str() << std::endl;
          std::condition_variable cv; std::unique_lock<std::mutex> l(m); cv.wait(l, [] { return true; });
          auto f = std::async(std::launch::async, [] { return 3; }); std::shared_lock<std::shared_mutex> sl(sm);
          std::deque<int> d{3, 1, 2}; std::sort(d.begin(), d.end()); std::optional<int> op = d[0]; std::function<int()> fn = [&] { return *op; };
          auto p = std::make_shared<std::string>(\"s\"); return f.get() + fn() + (int)p->size();
        }";
    for flags in [&["-std=c++17"][..], &["-std=c++20"], &["-m32"]] {
        let program = try_compile(&[("a.cpp", text)], flags).unwrap_or_else(|e| panic!("{flags:?}: {e}"));
        assert_eq!(unsupported(&program.module), Vec::<String>::new());
        // The bodies that libstdc++ keeps in its library are here.
        let m = &program.module;
        let create = m
            .funcs
            .iter()
            .find(|f| f.display.contains("basic_string<char") && f.display.ends_with("::_M_create"));
        assert!(create.is_some_and(|f| f.body.is_some()));
    }
}

#[test]
fn exceptions() {
    let m = compile(
        "a.cpp",
        "struct E { int v; }; struct Guard { ~Guard(); }; int seen; Guard::~Guard() { seen++; } void thrower(int x) { if (x) throw E{x}; }
         int catcher(int x) { try { Guard g; thrower(x); return 0; } catch (const E &e) { return e.v; } catch (int) { return 2; } catch (...) { throw; } }
         int main() { return catcher(3); }",
    );
    let body = function(&m, "catcher").body.as_ref().expect("a body");
    let invokes = body.code.iter().filter(|i| matches!(i, Inst::Invoke { .. })).count();
    assert!(invokes >= 1);
    assert!(body.code.iter().any(|i| matches!(i, Inst::TypeIdFor { .. })));
    let pad = body.pads.iter().find(|p| p.clauses.len() == 3).expect("a pad with three clauses");
    assert!(matches!(pad.clauses[..], [Clause::Catch(Some(_)), Clause::Catch(Some(_)), Clause::Catch(None)]));
    let Clause::Catch(Some(info)) = pad.clauses[0] else { panic!("a type") };
    let ir::Const::Global(id, 0) = body.consts[info.index()] else { panic!("a global") };
    assert_eq!(m.globals[id.0 as usize].name, "_ZTI1E");
}

#[test]
fn cleanup_resumes() {
    let m = compile(
        "a.cpp",
        "struct G { ~G(); }; int n; G::~G() { n++; } void may(); void f() { G g; may(); } int main() { f(); }",
    );
    let body = function(&m, "f").body.as_ref().expect("a body");
    assert!(body.code.iter().any(|i| matches!(i, Inst::Resume { .. })));
    assert!(body.pads.iter().all(|p| p.cleanup && p.clauses.is_empty()));
}

#[test]
fn thread_local_objects() {
    let m = compile(
        "a.cpp",
        "struct S { int n; S(); ~S(); }; S::S() : n(1) {} S::~S() { n = 0; }
         extern thread_local int far; thread_local S name; thread_local int plain = 3;
         int main() { plain++; far++; return name.n; }",
    );
    assert_eq!(unsupported(&m), Vec::<String>::new());
    let locals: Vec<_> = m.globals.iter().filter(|g| g.thread_local).map(|g| g.name.as_str()).collect();
    assert!(locals.contains(&"plain") && locals.contains(&"name"), "{locals:?}");
    assert!(m.funcs.iter().any(|f| f.name == "_ZTW4name" && f.body.is_some()));
}

#[test]
fn virtual_tables_point_to_functions() {
    let m = compile(
        "a.cpp",
        "struct A { virtual int f() { return 1; } virtual ~A() {} }; struct B : A { int f() override { return 2; } };
         int call(A *a) { return a->f(); } int main() { B b; return call(&b); }",
    );
    let table = m.globals.iter().find(|g| g.name == "_ZTV1B").expect("a table");
    let ir::Init::Bytes(_, relocs) = &table.init else { panic!("contents") };
    let targets: Vec<_> = relocs
        .iter()
        .filter_map(|r| match r.target {
            ir::Const::Func(f) => Some(m.funcs[f.0 as usize].display.as_str()),
            _ => None,
        })
        .collect();
    assert!(targets.contains(&"B::f") && targets.contains(&"B::~B"), "{targets:?}");
    let body = function(&m, "call").body.as_ref().expect("a body");
    assert!(body.calls.iter().any(|c| matches!(c.callee, ir::Callee::Indirect(_))));
}
