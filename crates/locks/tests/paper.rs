//! P5's example (figures 1 to 5, tables 1 and 2, section 3.3), from the program to the results.

use std::path::Path;

use locks::actl::{Checker, Lts, parse};
use locks::analysis::{Analysis, Need, Schedules, analyse};
use locks::graph::Kind;
use locks::lnt;

fn program(name: &str) -> Analysis {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/locks/paper").join(name);
    let options = frontend::Options { files: vec![file], ..frontend::Options::default() };
    let program = frontend::compile(&options).expect("the program compiles");
    analyse(&program.module, &["figure".into()], 5, Schedules::Alike(Vec::new())).expect("the program runs")
}

/// The edges between actions, through what is silent, without those that others imply.
fn edges(analysis: &Analysis) -> Vec<(String, String)> {
    let graph = &analysis.graph;
    let name = |n: u32| {
        let node = &analysis.nodes[n as usize];
        if node.kind == "work unit" { node.name.clone() } else { node.kind.to_owned() }
    };
    let actions: Vec<u32> =
        (0..graph.nodes.len() as u32).filter(|&n| graph.nodes[n as usize].kind.is_action()).collect();
    let mut edges = Vec::new();
    for &b in &actions {
        for &a in actions.iter().filter(|&&a| graph.before(a, b)) {
            if !actions.iter().any(|&c| c != a && c != b && graph.before(a, c) && graph.before(c, b)) {
                edges.push((name(a), name(b)));
            }
        }
    }
    edges
}

fn variable<'a>(analysis: &'a Analysis, name: &str) -> &'a locks::analysis::VariableInfo {
    analysis.variables.iter().find(|v| v.name == name).unwrap_or_else(|| panic!("{:?}", analysis.variables))
}

fn pairs(edges: &[(&str, &str)]) -> Vec<(String, String)> {
    edges.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect()
}

fn holds(analysis: &Analysis, text: &str) -> bool {
    Checker::new(&analysis.model, 100_000).check(&parse(text).unwrap()).unwrap()
}

#[test]
fn figure_3_is_the_graph_of_figure_1() {
    let analysis = program("figure1.c");
    assert_eq!(analysis.cut, None);
    let mut expected: Vec<(String, String)> = (1..=5).map(|i| ("WU0".to_owned(), format!("WU{i}"))).collect();
    expected.extend((1..=5).map(|i| (format!("WU{i}"), "WU6".to_owned())));
    assert_eq!(edges(&analysis), expected);
    assert!(!analysis.graph.nodes.iter().any(|n| matches!(n.kind, Kind::Lock { .. })));
    // All units access sum; a[4] is read and written by WU5 and read by WU6 (3.2).
    let units: Vec<_> = analysis.nodes.iter().filter(|n| n.kind == "work unit").collect();
    assert!(units.iter().all(|u| u.writes.contains(&"sum".to_owned())));
    let touching: Vec<&str> = units
        .iter()
        .filter(|u| u.reads.iter().chain(&u.writes).any(|v| v == "a[4]"))
        .map(|u| u.name.as_str())
        .collect();
    assert_eq!(touching, ["WU5", "WU6"]);
    assert!(units[5].writes.contains(&"a[4]".to_owned()) && !units[6].writes.contains(&"a[4]".to_owned()));
}

#[test]
fn suv_before_and_the_refined_answer() {
    let analysis = program("figure1.c");
    let names: Vec<&str> = analysis.variables.iter().map(|v| v.name.as_str()).collect();
    assert_eq!(names.len(), 2, "a[4] and sum are shared: {names:?}");
    let (a, sum) = (variable(&analysis, "a[4]"), variable(&analysis, "sum"));
    assert!(a.unprotected && sum.unprotected, "SUV is both");
    assert_eq!((a.need, a.why.as_str()), (Need::SafeWithout, "ordered by a barrier"));
    assert_eq!(sum.need, Need::NeedsProtection);
    assert!(sum.meetings.iter().all(|m| m.first_place.line == 11 && m.second_place.line == 11));
}

#[test]
fn the_formulas_of_section_3_3() {
    let analysis = program("figure1.c");
    for i in 1..=5 {
        for (a, b) in [(0, i), (i, 6)] {
            assert!(holds(&analysis, &format!("not EF_true (EX_WU{a} true and EX_WU{b} true)")));
        }
        for j in (1..=5).filter(|&j| j != i) {
            assert!(!holds(&analysis, &format!("not EF_true (EX_WU{i} true and EX_WU{j} true)")));
        }
    }
    // And the same on the slices that the analysis uses.
    assert_eq!(analysis.pairs.len(), 21, "all pairs share sum");
    for pair in &analysis.pairs {
        let inner = |name: &str| name != "WU0" && name != "WU6";
        assert_eq!(pair.holds, Some(!(inner(&pair.first) && inner(&pair.second))), "{pair:?}");
        assert_eq!(holds(&analysis, &pair.formula), pair.holds.unwrap());
    }
    // Table 1 has WU0, five in parallel, WU6: 1 + 2^5 + 1 states.
    assert_eq!(Lts::of(&analysis.model, 1000).unwrap().steps.len(), 34);
}

#[test]
fn figure_5_is_the_graph_of_figure_4() {
    let analysis = program("figure4.c");
    let mut edges = edges(&analysis);
    let mut expected = Vec::new();
    for i in 1..=5 {
        expected.extend(pairs(&[("WU0", "lock"), ("unlock", "WU6")]));
        expected.push(("lock".into(), format!("WU{i}")));
        expected.push((format!("WU{i}"), "unlock".into()));
    }
    edges.sort();
    expected.sort();
    assert_eq!(edges, expected);
}

#[test]
fn suv_after_and_no_further_lock() {
    let analysis = program("figure4.c");
    let (a, sum) = (variable(&analysis, "a[4]"), variable(&analysis, "sum"));
    // "the accesses to a and sum in work unit 6 are still not protected by a lock, but ... without the need of adding any".
    assert!(a.unprotected && sum.unprotected);
    assert_eq!(a.need, Need::SafeWithout);
    assert_eq!((sum.need, sum.why.as_str()), (Need::Protected, "critical section without a name"));
    for pair in &analysis.pairs {
        assert_eq!(pair.holds, Some(true), "under the lock no two units are about to run at once: {pair:?}");
    }
    assert!(holds(&analysis, "AG not (EX{\"RELEASE !1\"} true and EX{\"RELEASE !2\"} true)"));
    assert!(holds(&analysis, "A[not EX_WU1 true U {INIT} true]"));
    assert!(holds(&analysis, "AF EX_WU6 true"), "no deadlock on the way");
}

/// Words without layout and comments.
fn words(text: &str) -> Vec<String> {
    let code = text.lines().map(|l| l.split("--").next().unwrap_or(l)).collect::<Vec<_>>().join("\n");
    code.split_whitespace().map(str::to_owned).collect()
}

const TABLE_1: &str = "
module OMP is
  process MAIN [WU0, WU1, WU2, WU3, WU4, WU5, WU6: none] is
    WU0;
    par
      WU1
    || WU2
    || WU3
    || WU4
    || WU5
    end par;
    WU6
  end process
end module";

const TABLE_2: &str = "
module OMP2 is
  channel LOCK_CHANNEL is (Nat) end channel
  process LOCK [INIT, DESTROY: none,
    ACQUIRE, RELEASE: LOCK_CHANNEL] is
    var FREE: Bool, TID: Nat in
      INIT;
      FREE := true; -- initially the lock is free
      TID := 1; -- to make LNT2LOTOS happy
      loop L in
        select
          only if FREE then ACQUIRE (?TID) end if
          []
          only if not (FREE) then RELEASE (TID) end if
          []
          DESTROY; break L
        end select;
        FREE := not (FREE)
      end loop
    end var
  end process
  process PROTECTED_WU [WU: none,
    ACQUIRE, RELEASE: LOCK_CHANNEL]
    (id: Nat) is
    ACQUIRE (id); -- acquire the lock
    WU; -- work
    RELEASE (id) -- release the lock
  end process
  process MAIN [WU0, WU1, WU2, WU3, WU4, WU5, WU6,
    INIT, DESTROY: none,
    ACQUIRE, RELEASE: LOCK_CHANNEL] is
  par INIT, ACQUIRE, RELEASE, DESTROY in
    WU0;
    INIT;
    par
      PROTECTED_WU [WU1, ACQUIRE, RELEASE] (1)
      || PROTECTED_WU [WU2, ACQUIRE, RELEASE] (2)
      || PROTECTED_WU [WU3, ACQUIRE, RELEASE] (3)
      || PROTECTED_WU [WU4, ACQUIRE, RELEASE] (4)
      || PROTECTED_WU [WU5, ACQUIRE, RELEASE] (5)
    end par;
    DESTROY;
    WU6
  ||
  LOCK [INIT, DESTROY, ACQUIRE, RELEASE]
  end par
end process
end module";

#[test]
fn tables_1_and_2() {
    let before = program("figure1.c");
    assert_eq!(words(&lnt::write("OMP", &before.graph, &before.model)), words(TABLE_1));
    let after = program("figure4.c");
    assert_eq!(words(&lnt::write("OMP2", &after.graph, &after.model)), words(TABLE_2));
}
