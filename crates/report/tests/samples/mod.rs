//! Sample programs and the reports that a check of them would give.
#![allow(dead_code, reason = "each test file uses some of them")]

pub mod analyses;

use base::reason::{Left, Limit, Reason, Role};
use base::{
    Access, AccessKind, Bound, CheckReport, Defect, DefectKind, DefectsVerdict, Frame, Place, Race,
    RacesVerdict, SCHEMA_VERSION, Stats, Step, ThreadLabel, Verdict, Witness,
};
use report::MemorySources;

pub const COUNTER: &str = r#"#include <pthread.h>
#include <stdio.h>

static long counter;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void bump(long by) {
    counter += by;
}

static void *worker(void *arg) {
    for (int i = 0; i < 2; i++)
        bump((long)arg);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, (void *)1L);
    pthread_create(&b, NULL, worker, (void *)2L);
    pthread_mutex_lock(&m);
    long seen = counter;
    pthread_mutex_unlock(&m);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%ld %ld\n", seen, counter);
    return 0;
}
"#;

pub const QUEUE: &str = "#include \"queue.h\"\n\nvoid put(struct queue *q, int v) {\n    q->items[q->tail] = v;\n    q->tail++;\n}\n";
pub const MAIN: &str = "#include \"queue.h\"\n\nint take(struct queue *q) {\n    pthread_mutex_lock(&q->m);\n    int v = q->items[q->head];\n    pthread_mutex_unlock(&q->m);\n    return v;\n}\n";

pub const DINING: &str = r#"pthread_mutex_t left, right;

void *one(void *p) {
    pthread_mutex_lock(&left);
    pthread_mutex_lock(&right);
    return p;
}

void *two(void *p) {
    pthread_mutex_lock(&right);
    pthread_mutex_lock(&left);
    return p;
}
"#;

pub fn sources() -> MemorySources {
    MemorySources::default()
        .with("counter.c", COUNTER)
        .with("src/queue.c", QUEUE)
        .with("src/main.c", MAIN)
        .with("dining.c", DINING)
}

pub fn place(file: &str, line: u32, column: u32) -> Place {
    Place { file: file.into(), line, column }
}

pub fn thread(id: u32, function: &str, created: Place) -> ThreadLabel {
    match id {
        0 => ThreadLabel { id, name: "main".into(), created: None },
        id => ThreadLabel { id, name: format!("thread {id} ({function})").into(), created: Some(created) },
    }
}

pub fn step(thread: u32, place: Place, action: &str) -> Step {
    Step { thread, place, action: action.into() }
}

pub fn frame(function: &str, place: Place) -> Frame {
    Frame { function: function.into(), place }
}

pub fn empty(verdict: Verdict, file: &str) -> CheckReport {
    CheckReport {
        version: SCHEMA_VERSION,
        verdict,
        races_verdict: match verdict {
            Verdict::Race => RacesVerdict::Race,
            Verdict::RaceFree => RacesVerdict::RaceFree,
            Verdict::Defect | Verdict::Unknown => RacesVerdict::Unknown,
        },
        defects_verdict: match verdict {
            Verdict::Defect => DefectsVerdict::Defect,
            Verdict::RaceFree => DefectsVerdict::None,
            Verdict::Race | Verdict::Unknown => DefectsVerdict::Unknown,
        },
        reason: None,
        reason_place: None,
        bounds: vec![Bound { threads: 2, ..Bound::default() }],
        races: vec![],
        defects: vec![],
        assumptions: vec!["memory allocation never fails".into()],
        stats: Stats {
            asked_threads: false,
            states: 1234,
            transitions: 4321,
            executions: 56,
            depth: 34,
            instructions: 123_456,
            certify_runs: 0,
            judge_runs: 0,
            seconds: 0.412,
            compile_seconds: 0.087,
            peak_memory_bytes: 48 * 1024 * 1024,
        },
        files: vec![file.into()],
        flags: vec![],
        build: None,
        cached: None,
        ..CheckReport::default()
    }
}

/// `counter += by` in two threads.
pub fn counter_race() -> Race {
    let side = |id: u32, access| Access {
        place: place("counter.c", 8, 13),
        access,
        atomic: false,
        thread: thread(id, "worker", place("counter.c", 18 + id, 5)),
        locks: vec![],
        stack: vec![frame("bump", place("counter.c", 8, 13)), frame("worker", place("counter.c", 13, 9))],
        strand: None,
        constructs: Vec::new(),
    };
    Race {
        variable: "counter".into(),
        first: side(1, AccessKind::Write),
        second: side(2, AccessKind::Write),
        hint: None,
        witness: Witness {
            choices: vec![0, 0, 1, 2],
            bound: 0,
            steps: vec![
                step(0, place("counter.c", 19, 5), "creates thread 1 (worker)"),
                step(0, place("counter.c", 20, 5), "creates thread 2 (worker)"),
                step(1, place("counter.c", 11, 1), "runs to line 8"),
                step(2, place("counter.c", 11, 1), "runs to line 8"),
            ],
            ..Witness::default()
        },
    }
}

/// The main thread reads with a lock that the worker does not take.
pub fn early_read_race() -> Race {
    let mut race = counter_race();
    race.second = Access {
        place: place("counter.c", 22, 17),
        access: AccessKind::Read,
        atomic: false,
        thread: thread(0, "", place("", 0, 0)),
        locks: vec!["m".into()],
        stack: vec![frame("main", place("counter.c", 22, 17))],
        strand: None,
        constructs: Vec::new(),
    };
    race.witness.steps.insert(2, step(0, place("counter.c", 21, 5), "locks m"));
    race.witness.steps.pop();
    race
}

pub fn race() -> CheckReport {
    let mut report = empty(Verdict::Race, "counter.c");
    report.races = vec![counter_race(), early_read_race()];
    report
}

pub fn two_files() -> CheckReport {
    let mut report = empty(Verdict::Race, "src/main.c");
    report.files.push("src/queue.c".into());
    report.bounds = (1..=4).map(|threads| Bound { threads, ..Bound::default() }).collect();
    let mut race = counter_race();
    race.variable = "q->items[0]".into();
    race.first.place = place("src/queue.c", 4, 23);
    race.first.stack = vec![frame("put", race.first.place.clone())];
    race.second.place = place("src/main.c", 5, 13);
    race.second.access = AccessKind::Read;
    race.second.locks = vec!["q->m".into()];
    race.second.stack = vec![frame("take", race.second.place.clone())];
    race.witness.bound = 1;
    race.witness.steps = (0..30)
        .map(|n| match n % 3 {
            0 => step(1, place("src/queue.c", 3, 6), "calls put"),
            1 => step(2, place("src/main.c", 4, 5), "locks q->m"),
            _ => step(2, place("src/main.c", 6, 5), "unlocks q->m"),
        })
        .collect();
    report.races = (0..12)
        .map(|n| Race { variable: format!("q->items[{n}]"), ..race.clone() })
        .chain([Race { variable: "q->tail".into(), ..race.clone() }])
        .collect();
    report
}

pub fn deadlock() -> CheckReport {
    let mut report = empty(Verdict::Defect, "dining.c");
    report.defects = vec![Defect {
        kind: DefectKind::Deadlock,
        message: "2 threads wait for each other".into(),
        location: place("dining.c", 5, 5),
        thread: thread(1, "one", place("dining.c", 17, 5)),
        stack: vec![frame("one", place("dining.c", 5, 5))],
        waiting: vec![
            step(1, place("dining.c", 5, 5), "waits for right, held by thread 2 (two)"),
            step(2, place("dining.c", 11, 5), "waits for left, held by thread 1 (one)"),
        ],
        witness: Witness {
            choices: vec![1, 2],
            bound: 0,
            steps: vec![
                step(1, place("dining.c", 4, 5), "locks left"),
                step(2, place("dining.c", 10, 5), "locks right"),
            ],
            ..Witness::default()
        },
    }];
    report
}

pub fn defect(kind: DefectKind, message: &str) -> CheckReport {
    let mut report = empty(Verdict::Defect, "counter.c");
    report.defects = vec![Defect {
        kind,
        message: message.into(),
        location: place("counter.c", 8, 13),
        thread: thread(1, "worker", place("counter.c", 19, 5)),
        stack: vec![frame("bump", place("counter.c", 8, 13)), frame("worker", place("counter.c", 13, 9))],
        waiting: vec![],
        witness: Witness { steps: counter_race().witness.steps, ..Witness::default() },
    }];
    report
}

pub fn race_free() -> CheckReport {
    let mut report = empty(Verdict::RaceFree, "counter.c");
    report.bounds = (1..=3)
        .flat_map(|threads| {
            (1..=5).map(move |n| Bound {
                threads,
                args: vec![n.to_string()],
                defines: vec!["N=4".into()],
                ..Bound::default()
            })
        })
        .collect();
    report.assumptions = vec![
        "memory allocation never fails".into(),
        "every atomic operation is sequentially consistent, so that race freedom under sequential consistency \
         carries over to real machines (SC-DRF)"
            .into(),
        "states are told apart by 128-bit hashes: chance of a collision below 1e-30".into(),
    ];
    report
}

pub fn unknown(reason: Reason, at: Option<Place>) -> CheckReport {
    let mut report = empty(Verdict::Unknown, "counter.c");
    report.reason = Some(reason);
    report.reason_place = at;
    report
}

/// The time limit was reached.
pub fn late() -> Reason {
    Reason::Limit { limit: Limit::Time, left: Left::Schedules(1234) }
}

/// A function that nobody defines.
pub fn no_model(function: &str) -> Reason {
    Reason::NoModel { function: function.into(), role: Role::Called }
}
