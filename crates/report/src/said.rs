//! What findings tell by types, in words: threads and strands, steps of schedules, deadlocks, who got which pieces.

use base::said::{
    Action, AtomicOperation, Holder, Message, Operation, Owner, RuntimeWait, SharedKind, SharedOut, Who,
};
use base::{AccessKind, Defect, Race, Said, Strand, StrandKind, Witness};

/// The words: those that were read, or those for what is told.
fn words<T>(said: &Said<T>, of: impl FnOnce(&T) -> String) -> String {
    match said {
        Said::Words(words) => words.clone(),
        Said::Typed(typed) => of(typed),
    }
}

/// What executes something: `main`, `thread 2 (worker)`, `thread 1 of the inner team of thread 0`.
pub fn who(said: &Said<Who>) -> String {
    words(said, of_who)
}

/// What a step does: `locks m`.
pub fn action(said: &Said<Action>) -> String {
    words(said, of_action)
}

/// What a defect is, in a sentence without its full stop.
pub fn message(defect: &Defect) -> String {
    words(&defect.message, of_message)
}

/// Who has executed which pieces: `loop at line 8: thread 0 runs iterations i=0..3`.
pub fn shared_out(said: &Said<SharedOut>) -> String {
    words(said, of_shared)
}

/// Puts all that findings tell by types into words.
pub(crate) fn say(races: &mut [Race], defects: &mut [Defect]) {
    fn witness(witness: &mut Witness) {
        for step in witness.steps.iter_mut().chain(&mut witness.end) {
            step.action = Said::Words(action(&step.action));
        }
        for shared in &mut witness.distribution {
            *shared = Said::Words(shared_out(shared));
        }
    }
    for race in races {
        for side in [&mut race.first, &mut race.second] {
            side.thread.name = Said::Words(who(&side.thread.name));
        }
        witness(&mut race.witness);
    }
    for defect in defects {
        defect.message = Said::Words(message(defect));
        defect.thread.name = Said::Words(who(&defect.thread.name));
        for step in &mut defect.waiting {
            step.action = Said::Words(action(&step.action));
        }
        witness(&mut defect.witness);
    }
}

fn of_who(of: &Who) -> String {
    match of {
        Who::Main => "main".into(),
        Who::Thread { number, function: Some(function) } => format!("thread {number} ({function})"),
        Who::Thread { number, function: None } => format!("thread {number}"),
        Who::Member { numbers } => member(numbers),
        Who::MemberOf { number, line } => format!("thread {number} of the team of line {line}"),
        Who::Piece { strand } => whole(strand),
    }
}

/// A thread by its numbers in its teams, outermost first.
fn member(numbers: &[u32]) -> String {
    let Some((number, outer)) = numbers.split_last() else { return "a thread of a team".into() };
    if outer.is_empty() {
        return format!("thread {number} of the team");
    }
    let around: Vec<String> = outer.iter().rev().map(|n| format!("thread {n}")).collect();
    format!("thread {number} of the inner team of {}", around.join(" of the team of "))
}

/// The piece that an access belongs to: `iteration i=3 of the loop at line 12`. Without a known loop variable iterations are counted from 1.
pub fn strand(of: &Strand) -> String {
    let (line, which) = (of.place.line, which(of));
    let count = of.count.unwrap_or(1);
    let s = if count == 1 { "" } else { "s" };
    match (of.kind, of.every) {
        (StrandKind::Iteration | StrandKind::Distribute, Some(every)) => {
            format!(
                "one of {count} iteration{s} from {which} and then every {every} of the loop at line {line}"
            )
        }
        (StrandKind::Iteration | StrandKind::Distribute, None) if count > 1 => {
            format!("one of {count} iterations from {which} of the loop at line {line}")
        }
        _ => piece(of),
    }
}

/// A piece with all of its iterations.
fn whole(of: &Strand) -> String {
    match (of.kind, of.count) {
        (StrandKind::Iteration | StrandKind::Distribute, Some(count)) if count > 1 => {
            format!("{count} iterations from {} of the loop at line {}", which(of), of.place.line)
        }
        _ => piece(of),
    }
}

fn piece(of: &Strand) -> String {
    let (line, which) = (of.place.line, which(of));
    match of.kind {
        StrandKind::Iteration | StrandKind::Distribute => {
            format!("iteration {which} of the loop at line {line}")
        }
        StrandKind::Lane => format!("iteration {which} of the simd loop at line {line}"),
        StrandKind::Section => format!("section {} at line {line}", number(of)),
        StrandKind::Single => format!("the single block at line {line}"),
        StrandKind::Task => format!("the task created at line {line}"),
    }
}

/// The number of its iteration or section, from 1.
fn number(of: &Strand) -> u64 {
    of.number.map_or(0, |n| n.saturating_add(1))
}

/// Its first iteration.
fn which(of: &Strand) -> String {
    match (&of.variable, of.value) {
        (Some(variable), Some(value)) => format!("{variable}={value}"),
        _ => number(of).to_string(),
    }
}

fn of_action(of: &Action) -> String {
    let s = |n: &u32| if *n == 1 { "" } else { "s" };
    match of {
        Action::Runs => "runs".into(),
        Action::HasEnded => "has ended".into(),
        Action::AwaitsRegion => "waits for the next parallel region".into(),
        Action::SpinsAgain => "goes round its loop again".into(),
        Action::EndsProgram => "ends the program".into(),
        Action::CannotGoOn => "cannot go on".into(),
        Action::Accesses { access: AccessKind::Read, variable } => format!("reads {variable}"),
        Action::Accesses { access: AccessKind::Write, variable } => format!("writes {variable}"),
        Action::Ends(variable) => format!("ends {variable}"),
        Action::Atomic(Some((operation, variable))) => {
            format!("atomically {} {variable}", atomic(*operation))
        }
        Action::Atomic(None) => "performs an atomic operation".into(),
        Action::AwaitsAtomic => "waits on an atomic".into(),
        Action::WakesAtomic => "wakes those who wait on an atomic".into(),
        Action::On(operation, object) => on(*operation, object),
        Action::Waits { condition, mutex } => format!("waits on {condition} (with {mutex})"),
        Action::WakesUp { condition, mutex } => format!("wakes up from {condition} and locks {mutex}"),
        Action::Creates(thread) => format!("creates {}", who(thread)),
        Action::Joins(thread) => format!("joins {}", who(thread)),
        Action::BeginsAtomicSection => "begins an atomic section".into(),
        Action::EndsAtomicSection => "ends the atomic section".into(),
        Action::InRuntime(wait) => runtime(*wait).into(),
        Action::ReadsInput(value) => format!("reads the input {value}"),
        Action::Chooses(value) => format!("takes choice {value}"),
        Action::FormsTeams(n) => format!("forms {n} team{}", s(n)),
        Action::FormsTeam(n) => format!("forms a team of {n} thread{}", s(n)),
        Action::SharesOut => "shares out work".into(),
        Action::ForksTeam(n) => format!("forks a team of {n} threads"),
        Action::TakesTask(line) => format!("takes the task created at line {line}"),
        Action::Blocked(action, holder) => format!("{}, {}", of_action(action), of_holder(*holder)),
        Action::WaitsFor { lock, holder } => format!("waits for {lock}, held by {}", who(holder)),
    }
}

fn atomic(of: AtomicOperation) -> &'static str {
    match of {
        AtomicOperation::Reads => "reads",
        AtomicOperation::Writes => "writes",
        AtomicOperation::Updates => "updates",
        AtomicOperation::CompareExchanges => "compares and exchanges",
    }
}

fn on(of: Operation, object: &str) -> String {
    match of {
        Operation::Locks => format!("locks {object}"),
        Operation::TriesToLock => format!("tries to lock {object}"),
        Operation::LocksInTime => format!("locks {object} or gives up in time"),
        Operation::Unlocks => format!("unlocks {object}"),
        Operation::LocksForReading => format!("locks {object} for reading"),
        Operation::TriesToLockForReading => format!("tries to lock {object} for reading"),
        Operation::LocksForReadingInTime => format!("locks {object} for reading or gives up in time"),
        Operation::WaitsOn => format!("waits on {object}"),
        Operation::Signals => format!("signals {object}"),
        Operation::WakesAll => format!("wakes all who wait on {object}"),
        Operation::IsWokenBy => format!("is woken by {object}"),
        Operation::ArrivesAtBarrier => format!("arrives at barrier {object}"),
        Operation::WaitsAtBarrier => format!("waits at barrier {object}"),
        Operation::PassesBarrier => format!("passes the barrier {object}"),
        Operation::WaitsOnSemaphore => format!("waits on semaphore {object}"),
        Operation::TriesSemaphore => format!("tries semaphore {object}"),
        Operation::WaitsOnSemaphoreInTime => format!("waits on semaphore {object} for some time"),
        Operation::PostsSemaphore => format!("posts semaphore {object}"),
        Operation::AsksSemaphore => format!("asks semaphore {object} for its value"),
        Operation::EntersOnce => format!("enters the one-time initialisation {object}"),
        Operation::LeavesOnce => format!("leaves the one-time initialisation {object}"),
        Operation::Enters => format!("enters {object}"),
        Operation::Leaves => format!("leaves {object}"),
        Operation::Sets => format!("sets {object}"),
        Operation::TriesToSet => format!("tries to set {object}"),
        Operation::Unsets => format!("unsets {object}"),
    }
}

fn runtime(of: RuntimeWait) -> &'static str {
    match of {
        RuntimeWait::Barrier => "waits at a barrier for the other threads of its team",
        RuntimeWait::Join => "waits at the end of the parallel region for the other threads of its team",
        RuntimeWait::Ordered => "waits for its turn at an ordered block",
        RuntimeWait::Entries => {
            "waits for the others to have their copies before it writes the last value back"
        }
        RuntimeWait::Sink => "waits for an iteration that it depends on",
        RuntimeWait::Children => "waits for the tasks that it has created",
        RuntimeWait::Group => "waits for the tasks of its group",
        RuntimeWait::Task => "waits for the tasks that it depends on",
        RuntimeWait::Yield => "lets other tasks go first",
        RuntimeWait::Created => "has created a task",
        RuntimeWait::Undeferred => "creates a task that is not deferred",
        RuntimeWait::Team => "waits at a barrier",
        RuntimeWait::Serial => "waits at the end of the parallel region",
        RuntimeWait::Program => "waits at the end of the program",
    }
}

fn of_holder(of: Holder) -> String {
    match of {
        Holder::Writer => "behind a writer that waits for readers".into(),
        Holder::Itself => "which it holds itself".into(),
        Holder::Ended(thread) => format!("which thread {thread} held when it ended"),
        Holder::Thread(thread) => format!("which thread {thread} holds"),
    }
}

fn of_message(of: &Message) -> String {
    let open = |behind: bool| match behind {
        true => "; POSIX leaves open whether a read lock waits behind a waiting writer: here it does",
        false => "",
    };
    match of {
        Message::Circle { threads } => format!("{threads} threads wait for each other"),
        Message::Several { threads, behind_writer } => format!(
            "{threads} threads wait for each other or for something that never comes{}",
            open(*behind_writer)
        ),
        Message::Alone { thread, action: what, behind_writer } => {
            format!("thread {thread} can never go on: it {}{}", action(what), open(*behind_writer))
        }
        Message::LateUse { variable, access, ends } => {
            let what = if *access == AccessKind::Write { "written" } else { "read" };
            format!("`{variable}` may be {what} after its end: {} leaves its scope meanwhile", who(ends))
        }
    }
}

fn of_shared(of: &SharedOut) -> String {
    let what = match of.kind {
        SharedKind::Sections => "sections",
        SharedKind::Single => "single block",
        SharedKind::Loop => "loop",
    };
    let part = |owner: &Owner| {
        let what = match of.kind {
            SharedKind::Single => "it".to_string(),
            SharedKind::Sections => ranges("section", of, owner),
            SharedKind::Loop => ranges("iteration", of, owner),
        };
        format!("thread {} runs {what}{}", owner.member, if owner.ascending { "" } else { " in this order" })
    };
    let parts: Vec<String> = of.owners.iter().map(part).collect();
    format!("{what} at line {}: {}", of.line, parts.join(", "))
}

/// `iterations i=0..49`, `sections 1 and 3`; without a known variable, counted from 1.
fn ranges(what: &str, of: &SharedOut, owner: &Owner) -> String {
    let value = |n: u64| match &of.variable {
        Some(v) => {
            i64::try_from(n).ok().and_then(|n| v.lower.checked_add(v.step.checked_mul(n)?)).unwrap_or(v.lower)
        }
        None => i64::try_from(n).map_or(i64::MAX, |n| n.saturating_add(1)),
    };
    let range = |&(from, to): &(u64, u64)| match to - from {
        0 => value(from).to_string(),
        1 => format!("{}, {}", value(from), value(to)),
        _ => format!("{}..{}", value(from), value(to)),
    };
    let ranges = &owner.ranges;
    let mut text: Vec<String> = ranges.iter().take(SharedOut::SHOWN).map(range).collect();
    if ranges.len() > SharedOut::SHOWN {
        text.push("...".to_string());
    }
    let several = ranges.len() > 1 || ranges.first().is_some_and(|(from, to)| from != to);
    let variable = of.variable.as_ref().map_or(String::new(), |v| format!("{}=", v.name));
    format!("{what}{} {variable}{}", if several { "s" } else { "" }, text.join(", "))
}

#[cfg(test)]
#[path = "said_tests.rs"]
mod tests;
