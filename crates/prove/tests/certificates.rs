//! Of the programs of `tests/programs` that the proof decides as race-free, `certify` accepts nearly all: every fifth is tried, or with
//! `RACEPROOF_ALL=1` all of them, which takes minutes. `RACEPROOF_ONLY=text` tries those whose path has the text.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use header::Header;
use prove::Proof;

fn programs(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|e| e.path()) {
        if path.is_dir() {
            programs(&path, found);
        } else if path.extension().is_some_and(|e| e == "c" || e == "cpp") {
            found.push(path);
        }
    }
    found.sort();
}

/// The module of a program, compiled as its header says; nothing if it is not to be checked as it stands.
fn compile(file: &Path) -> Option<ir::Module> {
    let header = Header::of(file);
    if !header.is_program() || !header.options.is_empty() {
        return None;
    }
    let (files, flags) = (header.all_files(file), header.flags_for(file));
    frontend::compile(&frontend::Options { files, flags, ..Default::default() }).ok().map(|c| c.module)
}

/// The certificate of a proof, if there is one, and how long that took.
fn certificate(module: &ir::Module) -> Option<(certify::Certificate, Duration)> {
    let budget = base::Budget::of_time(Duration::from_secs(20));
    let config = explore::Config { budget, ..explore::Config::default() };
    let began = Instant::now();
    match prove::check(module, &config, &mut |_| {}).expect("a program that loads") {
        Proof::Proved { certificate, .. } => Some((*certificate, began.elapsed())),
        _ => None,
    }
}

fn check(module: &ir::Module, certificate: &certify::Certificate) -> Result<certify::Checked, String> {
    let config = explore::Config::default();
    let inputs = machine::Inputs { args: config.args.clone(), threads: config.threads };
    let program = machine::Program::load(module, &inputs).expect("a program that loads");
    certify::check(&program, certificate, base::Budget::default(), 2, &certify::Table::default()).map_err(
        |refused| {
            let place = refused.place(module).and_then(|place| module.place(place));
            format!("{:?} (line {})", refused.reason, place.map_or(0, |place| place.line))
        },
    )
}

#[test]
fn nearly_all_proofs_are_certified() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs");
    let mut files = Vec::new();
    programs(&root, &mut files);
    let only = std::env::var("RACEPROOF_ONLY").unwrap_or_default();
    files.retain(|f| f.to_string_lossy().contains(&only));
    let all = std::env::var_os("RACEPROOF_ALL").is_some() || !only.is_empty();
    let (mut accepted, mut refused) = (0, Vec::new());
    let mut times = [Duration::ZERO; 2];
    for file in files.iter().step_by(if all { 1 } else { 5 }) {
        let Some(module) = compile(file) else { continue };
        let Some((certificate, proved)) = certificate(&module) else { continue };
        let began = Instant::now();
        let checked = check(&module, &certificate);
        times[0] += proved;
        times[1] += began.elapsed();
        match checked {
            Ok(_) => accepted += 1,
            Err(why) => {
                refused.push(format!("{}: {why}", file.strip_prefix(&root).unwrap_or(file).display()))
            }
        }
    }
    println!("{accepted} accepted, {} refused; {times:?}", refused.len());
    refused.iter().for_each(|r| println!("{r}"));
    assert!(!only.is_empty() || refused.len() * 50 <= accepted, "{}", refused.join("\n"));
}

/// What a proof says, apart from how long it took.
fn said(module: &ir::Module, jobs: usize) -> String {
    let budget = base::Budget::of_time(Duration::from_secs(20));
    let config = explore::Config { budget, jobs, ..explore::Config::default() };
    match prove::check(module, &config, &mut |_| {}).expect("a program that loads") {
        Proof::Proved { assumptions, branches, by_thread, certificate, stats, .. } => {
            let mut by_thread: Vec<u64> = by_thread.into_iter().collect();
            by_thread.sort_unstable();
            format!("{assumptions:?} {branches:?} {by_thread:?} {certificate:?} {}", stats.executions)
        }
        Proof::Race { outcome, complete } => format!("{:?} {complete}", outcome.races),
        Proof::Sensitive { place, reason } | Proof::Undecided { place, reason } => {
            format!("{place:?} {reason:?}")
        }
    }
}

/// Every thirtieth program, or with `RACEPROOF_ALL=1` all.
#[test]
fn how_many_runs_are_made_at_a_time_makes_no_difference() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs");
    let mut files = Vec::new();
    programs(&root, &mut files);
    let step = if std::env::var_os("RACEPROOF_ALL").is_some() { 1 } else { 30 };
    for file in files.iter().step_by(step) {
        let Some(module) = compile(file) else { continue };
        let (one, several) = (said(&module, 1), said(&module, 3));
        let late = |said: &str| said.contains("takes too long");
        assert!(one == several || late(&one) || late(&several), "{}: {one}\n{several}", file.display());
    }
}

// ---- certificates that claim what does not hold ----

use certify::Certificate;
use certify::certificate::{Case, Cells, Owned, Reason};

/// The module and certificate of a program in C.
fn proved(source: &str) -> (ir::Module, Certificate) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("main.c");
    std::fs::write(&file, source).expect("a file");
    let flags = vec!["-fopenmp".into(), "-pthread".into()];
    let options = frontend::Options { files: vec![file], flags, ..Default::default() };
    let module = frontend::compile(&options).unwrap_or_else(|e| panic!("{e:?}")).module;
    let (certificate, _) = certificate(&module).expect("a proof");
    assert_eq!(check(&module, &certificate).map(|_| ()), Ok(()), "{certificate:?}");
    (module, certificate)
}

/// The certificate with a change, which must be refused; why.
#[track_caller]
fn refused((module, certificate): &(ir::Module, Certificate), change: impl FnOnce(&mut Case)) -> String {
    let mut changed = certificate.clone();
    change(&mut changed.cases[0]);
    assert_ne!(changed, *certificate, "the change changes something");
    let why = check(module, &changed).expect_err("a certificate that does not hold");
    println!("{why}");
    why
}

const LOCKED: &str = "
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static int shared, *p;
static void *work(void *arg) {
    pthread_mutex_lock(&m);
    int old = shared;
    shared = old * 2 + 1;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&other);
    pthread_mutex_unlock(&other);
    return arg;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}";

#[test]
fn a_pair_without_its_reason_is_refused() {
    let proof = proved(LOCKED);
    assert!(proof.1.cases[0].pairs.iter().any(|p| matches!(p.reasons[..], [Reason::Lock(..)])));
    let why = refused(&proof, |case| case.pairs.clear());
    assert!(why.contains("NoReason"), "{why}");
    let why = refused(&proof, |case| {
        // The next lock in memory.
        for pair in &mut case.pairs {
            // The locks themselves are used by atomic operations.
            let Reason::Lock(object, place) = pair.reasons[0] else { continue };
            pair.reasons = vec![
                Reason::Lock(object, place + (1 << 30)),
                Reason::Histories,
                Reason::Tasks,
                Reason::Atomic,
            ];
        }
    });
    assert!(why.contains("WrongReason"), "{why}");
    let why = refused(&proof, |case| case.pairs.iter_mut().for_each(|p| p.reasons = vec![Reason::Closure]));
    assert!(why.contains("Closure"), "{why}");
}

#[test]
fn an_open_value_that_is_claimed_to_be_fixed_is_refused() {
    let proof = proved(LOCKED);
    let why = refused(&proof, |case| case.open.retain(|o| o.write));
    assert!(why.contains("FixedValue"), "{why}");
    let why = refused(&proof, |case| case.open.retain(|o| !o.write));
    assert!(why.contains("FixedValue"), "{why}");
    // Of cells beside it.
    refused(&proof, |case| {
        case.open
            .iter_mut()
            .flat_map(|o| &mut o.bad)
            .for_each(|cells| *cells = Cells(cells.0, cells.2, cells.2 + 4));
    });
    // Of one thread alone.
    refused(&proof, |case| case.open.truncate(case.open.len() - 2));
}

const BOTH_WAYS: &str = "
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int first, seen;
static void *work(void *arg) {
    pthread_mutex_lock(&m);
    if (first == 0) seen = 7;
    first = first + 3 * seen;
    pthread_mutex_unlock(&m);
    return arg;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}";

#[test]
fn a_branch_that_is_left_out_is_refused() {
    let proof = proved(BOTH_WAYS);
    let why = refused(&proof, |case| case.branches.clear());
    assert!(why.contains("OpenBranch"), "{why}");
}

const SUM: &str = "
#include <assert.h>
#include <omp.h>
static int part[3], total;
int main(void) {
    #pragma omp parallel num_threads(3)
    {
        #pragma omp for schedule(dynamic)
        for (int i = 0; i < 6; i++) part[omp_get_thread_num()] += i;
    }
    for (int i = 0; i < 3; i++) total += part[i];
    assert(total == 15);
    return 0;
}";

#[test]
fn a_family_without_a_cell_is_refused() {
    let proof = proved(SUM);
    assert_eq!(proof.1.cases[0].families.len(), 1, "{:?}", proof.1);
    refused(&proof, |case| _ = case.families[0].cells.pop());
    refused(&proof, |case| case.families.clear());
    // A share that is put twice would count twice.
    let why = refused(&proof, |case| {
        let mut again = case.written[0].clone();
        again.number = (again.number + 1) % 3;
        case.written.push(again);
    });
    assert!(why.contains("Famil"), "{why}");
    let why = refused(&proof, |case| case.families[0].kind.class = certify::certificate::Class::Smax);
    assert!(why.contains("Famil"), "{why}");
}

#[test]
fn a_cell_that_is_not_owned_is_refused() {
    let proof = proved(SUM);
    refused(&proof, |case| case.owners.clear());
    refused(&proof, |case| case.written.clear());
    refused(&proof, |case| case.written.iter_mut().for_each(|w| w.number = (w.number + 1) % 3));
}

const KEPT: &str = "
#include <assert.h>
static int kept;
#pragma omp threadprivate(kept)
int main(void) {
    int total = 0;
    #pragma omp parallel num_threads(3)
    {
        kept = 0;
        #pragma omp for schedule(dynamic)
        for (int i = 0; i < 6; i++) kept += i;
        #pragma omp critical
        total += kept;
    }
    assert(total == 15);
    return 0;
}";

#[test]
fn two_threads_stand_only_for_those_that_are_alike() {
    let proof = proved(SUM);
    let why = refused(&proof, |case| case.two = true);
    assert!(why.contains("Owned") || why.contains("NotAlike"), "{why}");
    let proof = proved(KEPT);
    let why = refused(&proof, |case| case.two = true);
    assert!(why.contains("OwnedInCommon"), "{why}");
    let proof = proved(
        &KEPT
            .replace("static int kept;", "")
            .replace("#pragma omp threadprivate(kept)", "")
            .replace("kept = 0;", "int kept = 0;"),
    );
    assert!(proof.1.cases[0].two);
    // The others are not told from the second, but there must be a second.
    refused(&proof, |case| case.written.retain(|w| w.number == 0));
}

const OWNED_BY_NONE: &str = "
static int a[4];
int main(void) {
    #pragma omp parallel num_threads(2)
    {
        #pragma omp for schedule(dynamic)
        for (int i = 0; i < 4; i++) {
            #pragma omp atomic
            a[i / 2] += 1;
        }
    }
    return 0;
}";

#[test]
fn a_cell_that_two_threads_touch_is_refused_as_owned() {
    let proof = proved(OWNED_BY_NONE);
    let why = refused(&proof, |case| {
        // The region is the first that main forks; `a` is global.
        let region = machine::names::id_of(1, 1);
        let cells = vec![Cells(0, 1 << 52, 2 << 52)];
        case.owners = vec![Owned { stage: (region, 0), cells }];
    });
    assert!(why.contains("Owned") || why.contains("OpenWrite"), "{why}");
}

const BY_THREAD: &str = "
#include <omp.h>
static int who[4], n;
int main(void) {
    #pragma omp parallel num_threads(2)
    {
        #pragma omp for schedule(dynamic)
        for (int i = 0; i < 4; i++) who[i] = omp_get_thread_num();
    }
    n = who[0] + who[3];
    return 0;
}";

#[test]
fn a_store_that_depends_on_the_thread_is_refused_as_fixed() {
    let proof = proved(BY_THREAD);
    let why = refused(&proof, |case| case.open_stores.clear());
    assert!(why.contains("ByThread"), "{why}");
}

const INPUT: &str = "
#include <pthread.h>
int raceproof_range(int lo, int hi);
static int x;
static void *work(void *arg) { return arg; }
int main(void) {
    x = raceproof_range(1, 3);
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
    return 0;
}";

#[test]
fn a_value_of_an_input_that_is_left_out_is_refused() {
    let (module, certificate) = proved(INPUT);
    assert_eq!(certificate.cases.len(), 3);
    for left_out in 0..3 {
        let mut fewer = certificate.clone();
        fewer.cases.remove(left_out);
        let why = check(&module, &fewer).expect_err("a value is missing");
        assert!(why.contains("Values"), "{why}");
    }
}

#[test]
fn what_is_assumed_must_be_said() {
    let (module, mut certificate) = proved(&SUM.replace("static int", "static double"));
    assert!(certificate.floats);
    certificate.floats = false;
    assert!(check(&module, &certificate).is_err());
    certificate.version += 1;
    assert!(check(&module, &certificate).expect_err("another version").contains("CertificateVersion"));
}
