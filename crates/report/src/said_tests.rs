//! Every kind of thing that findings tell by types has words of its own, and survives being written and read.

use base::said::LoopVariable;
use base::{Place, ThreadLabel};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::*;

/// As many as there are; a kind that is new fails to compile where it is put into words, and here if it is not listed.
fn operations() -> Vec<Operation> {
    use Operation as O;
    vec![
        O::Locks,
        O::TriesToLock,
        O::LocksInTime,
        O::Unlocks,
        O::LocksForReading,
        O::TriesToLockForReading,
        O::LocksForReadingInTime,
        O::WaitsOn,
        O::Signals,
        O::WakesAll,
        O::IsWokenBy,
        O::ArrivesAtBarrier,
        O::WaitsAtBarrier,
        O::PassesBarrier,
        O::WaitsOnSemaphore,
        O::TriesSemaphore,
        O::WaitsOnSemaphoreInTime,
        O::PostsSemaphore,
        O::AsksSemaphore,
        O::EntersOnce,
        O::LeavesOnce,
        O::Enters,
        O::Leaves,
        O::Sets,
        O::TriesToSet,
        O::Unsets,
    ]
}

fn waits() -> Vec<RuntimeWait> {
    use RuntimeWait as W;
    vec![
        W::Barrier,
        W::Join,
        W::Ordered,
        W::Entries,
        W::Sink,
        W::Children,
        W::Group,
        W::Task,
        W::Yield,
        W::Created,
        W::Undeferred,
        W::Team,
        W::Serial,
        W::Program,
    ]
}

fn thread(number: u32, function: Option<&str>) -> Who {
    Who::Thread { number, function: function.map(str::to_owned) }
}

fn actions() -> Vec<Action> {
    use AtomicOperation as A;
    let name = |text: &str| text.to_owned();
    let lock = || Action::On(Operation::Locks, name("m"));
    let mut all = vec![
        Action::Runs,
        Action::HasEnded,
        Action::AwaitsRegion,
        Action::SpinsAgain,
        Action::EndsProgram,
        Action::CannotGoOn,
        Action::Ends(name("x")),
        Action::Atomic(None),
        Action::AwaitsAtomic,
        Action::WakesAtomic,
        Action::Waits { condition: name("c"), mutex: name("m") },
        Action::WakesUp { condition: name("c"), mutex: name("m") },
        Action::Creates(Said::Typed(thread(1, None))),
        Action::Joins(Said::Words(name("T1"))),
        Action::BeginsAtomicSection,
        Action::EndsAtomicSection,
        Action::ReadsInput(name("-3")),
        Action::Chooses(2),
        Action::FormsTeams(1),
        Action::FormsTeams(2),
        Action::FormsTeam(1),
        Action::FormsTeam(2),
        Action::SharesOut,
        Action::ForksTeam(3),
        Action::TakesTask(7),
        Action::WaitsFor { lock: name("m"), holder: Said::Words(name("T2")) },
        Action::Blocked(Box::new(lock()), Holder::Writer),
        Action::Blocked(Box::new(lock()), Holder::Itself),
        Action::Blocked(Box::new(lock()), Holder::Ended(1)),
        Action::Blocked(Box::new(lock()), Holder::Thread(1)),
    ];
    let atomics = [A::Reads, A::Writes, A::Updates, A::CompareExchanges];
    all.extend(atomics.map(|operation| Action::Atomic(Some((operation, name("x"))))));
    let accesses = [AccessKind::Read, AccessKind::Write];
    all.extend(accesses.map(|access| Action::Accesses { access, variable: name("x") }));
    all.extend(operations().into_iter().map(|operation| Action::On(operation, name("m"))));
    all.extend(waits().into_iter().map(Action::InRuntime));
    all
}

/// No two have the same words, and none is lost when a report is kept in a file.
fn told_apart<T>(all: Vec<T>, words: fn(&Said<T>) -> String)
where
    T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug,
{
    let mut seen: Vec<String> = Vec::new();
    for typed in all {
        let said = Said::Typed(typed);
        let text = words(&said);
        assert!(!text.is_empty() && !seen.contains(&text), "{text}");
        let json = serde_json::to_string(&said).unwrap();
        assert_eq!(serde_json::from_str::<Said<T>>(&json).unwrap(), said, "{json}");
        let read: Said<T> = serde_json::from_str(&serde_json::to_string(&text).unwrap()).unwrap();
        assert_eq!(words(&read), text);
        seen.push(text);
    }
}

fn piece(kind: StrandKind) -> Strand {
    let place = Place { file: "a.c".into(), line: 12, column: 3 };
    Strand {
        kind,
        place,
        number: Some(3),
        count: None,
        every: None,
        variable: Some("i".into()),
        value: Some(3),
    }
}

#[test]
fn every_action_has_words_of_its_own() {
    told_apart(actions(), action);
}

#[test]
fn every_strand_has_words_of_its_own() {
    use StrandKind as K;
    let mut all = vec![
        Who::Main,
        thread(2, None),
        thread(2, Some("worker")),
        Who::Member { numbers: vec![1] },
        Who::Member { numbers: vec![0, 1] },
        Who::Member { numbers: vec![2, 0, 1] },
        Who::MemberOf { number: 1, line: 8 },
        Who::Piece { strand: Strand { count: Some(4), ..piece(K::Iteration) } },
    ];
    let kinds = [K::Iteration, K::Section, K::Single, K::Lane, K::Task];
    all.extend(kinds.map(|kind| Who::Piece { strand: piece(kind) }));
    told_apart(all, who);
    assert_eq!(
        who(&Said::Typed(Who::Member { numbers: vec![2, 0, 1] })),
        "thread 1 of the inner team of thread 0 of the team of thread 2"
    );
}

#[test]
fn every_message_has_words_of_its_own() {
    let alone = |behind_writer| Message::Alone {
        thread: 1,
        action: Said::Typed(Action::Blocked(
            Box::new(Action::On(Operation::Locks, "m".into())),
            Holder::Itself,
        )),
        behind_writer,
    };
    let late = |access| Message::LateUse { variable: "x".into(), access, ends: Said::Typed(Who::Main) };
    let all = vec![
        Message::Circle { threads: 2 },
        Message::Several { threads: 2, behind_writer: false },
        Message::Several { threads: 2, behind_writer: true },
        alone(false),
        alone(true),
        late(AccessKind::Read),
        late(AccessKind::Write),
    ];
    told_apart(all, |said| words(said, of_message));
    assert_eq!(of_message(&alone(false)), "thread 1 can never go on: it locks m, which it holds itself");
}

#[test]
fn strands_read_well() {
    let strand = piece(StrandKind::Iteration);
    assert_eq!(super::strand(&strand), "iteration i=3 of the loop at line 12");
    let chunks = Strand { count: Some(2), every: Some(8), ..strand.clone() };
    let words = "one of 2 iterations from i=3 and then every 8 of the loop at line 12";
    assert_eq!(super::strand(&chunks), words);
    let unnamed = Strand { variable: None, value: None, ..strand };
    assert_eq!(super::strand(&unnamed), "iteration 4 of the loop at line 12");
    let section = Strand { kind: StrandKind::Section, number: Some(1), ..unnamed.clone() };
    assert_eq!(super::strand(&section), "section 2 at line 12");
    let task = Strand { kind: StrandKind::Task, ..unnamed };
    assert_eq!(super::strand(&task), "the task created at line 12");
}

#[test]
fn ranges_read_well() {
    let of = |kind, variable: Option<(&str, i64, i64)>, ranges: &[(u64, u64)], ascending| SharedOut {
        kind,
        line: 8,
        variable: variable.map(|(name, lower, step)| LoopVariable { name: name.into(), lower, step }),
        owners: vec![Owner { member: 1, ranges: ranges.to_vec(), ascending }],
    };
    let loops = |variable, ranges: &[(u64, u64)]| {
        let said = of_shared(&of(SharedKind::Loop, variable, ranges, true));
        said.strip_prefix("loop at line 8: thread 1 runs ").map(str::to_owned).expect(&said)
    };
    assert_eq!(loops(Some(("i", 0, 1)), &[(0, 49)]), "iterations i=0..49");
    assert_eq!(loops(Some(("i", 10, -2)), &[(0, 2), (4, 4)]), "iterations i=10..6, 2");
    let many: Vec<(u64, u64)> = (0..9).map(|n| (2 * n, 2 * n)).collect();
    assert_eq!(loops(None, &many), "iterations 1, 3, 5, 7, ...");
    let all = vec![
        of(SharedKind::Loop, None, &[(0, 3)], true),
        of(SharedKind::Loop, None, &[(0, 3)], false),
        of(SharedKind::Sections, None, &[(0, 0)], true),
        of(SharedKind::Single, None, &[(0, 0)], true),
    ];
    assert_eq!(of_shared(&all[2]), "sections at line 8: thread 1 runs section 1");
    told_apart(all, shared_out);
}

#[test]
fn files_have_the_words() {
    let mut defect = Defect {
        kind: base::DefectKind::Deadlock,
        message: Said::Typed(Message::Circle { threads: 2 }),
        location: Place::default(),
        thread: ThreadLabel { id: 0, name: Said::Typed(Who::Main), created: None },
        stack: Vec::new(),
        waiting: vec![base::Step {
            thread: 0,
            place: Place::default(),
            action: Said::Typed(Action::CannotGoOn),
        }],
        witness: Witness::default(),
    };
    say(&mut [], std::slice::from_mut(&mut defect));
    let json = serde_json::to_value(&defect).unwrap();
    assert_eq!(json["message"], "2 threads wait for each other");
    assert_eq!(json["thread"]["name"], "main");
    assert_eq!(json["waiting"][0]["action"], "cannot go on");
}
