//! Adding an engine: a toy that decides about programs without any code for several threads, and hands on all others.

use base::reason::Gap;
use std::path::PathBuf;

use base::{Bound, Budget, Build, DefectsVerdict, RacesVerdict, Verdict};
use decide::engine::{Engine, Knowledge, Task};
use decide::engines::{TURNS, Turn};
use decide::{Error, Judge, Programs, Request, SearchLimits, Watcher};
use explore::Outcome;
use machine::LoadError;

/// Where nothing is parallel there is no race; nothing is said about other defects.
struct Alone;

impl Engine for Alone {
    fn name(&self) -> &'static str {
        "alone"
    }

    fn phase(&self) -> &'static str {
        "a look at the code"
    }

    fn run(&self, task: &Task, known: &mut Knowledge) -> Result<(), LoadError> {
        if !task.module.coverage().is_empty() {
            known.leave_open(Gap::Meeting.into(), None);
            return Ok(());
        }
        let others = [base::Property::Deadlocks, base::Property::Assertions, base::Property::Memory];
        let open = |p| explore::Unknown::new(Gap::Late, None).about(p);
        known.settle(Outcome { unknown: others.map(open).to_vec(), ..Outcome::default() });
        Ok(())
    }
}

struct Compiled(ir::Module);

impl Programs for Compiled {
    fn module(&mut self, _defines: &[String]) -> Result<&mut ir::Module, Error> {
        Ok(&mut self.0)
    }
}

fn check(source: &str) -> base::CheckReport {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("p.c");
    std::fs::write(&file, source).expect("a file");
    let options = frontend::Options { files: vec![file], ..Default::default() };
    let module = frontend::compile(&options).expect("a program").module;
    let turns = [&[Turn::whole(&Alone)][..], &TURNS].concat();
    let request = Request {
        inputs: vec![PathBuf::from("p.c")],
        build: Build::default(),
        flags: Vec::new(),
        bounds: vec![Bound { threads: 2, ..Bound::default() }],
        budget: Budget::default(),
        limits: SearchLimits { jobs: 1, ..SearchLimits::default() },
        turns,
        judge: Judge::Off,
        threads_open: true,
        first_only: false,
        properties: Vec::new(),
    };
    decide::check(&request, &mut Compiled(module), &Watcher::NONE).expect("an answer").report
}

#[test]
fn a_new_engine_has_the_first_turn() {
    let report = check("int main(void) { return 0; }");
    assert_eq!((report.verdict, report.stats.executions), (Verdict::RaceFree, 0));
    let answers = (report.races_verdict, report.defects_verdict);
    assert_eq!(answers, (RacesVerdict::RaceFree, DefectsVerdict::Unknown));
    assert_eq!(report.undecided[0].reason, Gap::Late.into());
}

#[test]
fn what_it_does_not_decide_others_do() {
    let source = "#include <pthread.h>\nint x;\nvoid *f(void *p) { x++; return p; }\n\
                  int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); x++; pthread_join(t, 0); return 0; }";
    let report = check(source);
    assert_eq!((report.verdict, report.races.len()), (Verdict::Race, 1));
}
