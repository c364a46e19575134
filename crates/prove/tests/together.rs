//! Whether two accesses can meet, by locks, fork and join alone.

use std::path::PathBuf;

use ir::AccessId;
use machine::{Inputs, Program};
use prove::together::{Meeting, Run};

/// Two threads, and `main` that holds the lock while it waits for the first: their writes cannot meet.
const KEPT_APART: &str = "
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void *first(void *p) {
  x = 1; // here
  return p;
}
static void *second(void *p) {
  BEFORE
  x = 2; // and here
  BEHIND
  return p;
}
int main(void) {
  pthread_t s, t;
  pthread_mutex_lock(&a);
  pthread_create(&t, 0, second, 0);
  pthread_create(&s, 0, first, 0);
  pthread_join(s, 0);
  pthread_mutex_unlock(&a);
  pthread_join(t, 0);
  return 0;
}
";

fn meeting(before: &str, behind: &str) -> String {
    let text = KEPT_APART.replace("BEFORE", before).replace("BEHIND", behind);
    let folder = tempfile::tempdir().expect("a folder");
    let file: PathBuf = folder.path().join("program.c");
    std::fs::write(&file, &text).expect("a file");
    let options = frontend::Options { files: vec![file], ..frontend::Options::default() };
    let module = frontend::compile(&options).expect("it compiles").module;
    let program =
        Program::load(&module, &Inputs { args: vec!["program".into()], threads: 2 }).expect("it loads");
    let run = Run::new(&program, base::Budget::default()).expect("it runs");
    let at = |mark: &str| {
        let line = 1 + text.lines().position(|l| l.contains(mark)).expect("a mark") as u32;
        let on = |a: &ir::AccessInfo| module.place(a.place).is_some_and(|p| p.line == line);
        AccessId(module.accesses.iter().position(on).expect("an access") as u32)
    };
    match run.meet(at("// here"), at("// and here")) {
        Meeting::Race(_) => "race".into(),
        Meeting::Excluded => "excluded".into(),
        Meeting::Open => "open".into(),
    }
}

#[test]
fn a_lock_held_over_a_join_keeps_accesses_apart() {
    let (lock, unlock) = ("pthread_mutex_lock(&a);", "pthread_mutex_unlock(&a);");
    assert_eq!(meeting(lock, unlock), "excluded", "under the lock");
    assert_eq!(meeting(&format!("{lock} {unlock}"), ""), "excluded", "behind the lock");
    assert_eq!(meeting("", &format!("{lock} {unlock}")), "race", "before the lock");
    assert_eq!(meeting("", ""), "race", "without it");
}
