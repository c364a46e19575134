//! Findings with the paths to them, replayed and described for people.

use base::said::{Action, Holder, Message, Who};
use base::{AccessKind, Defect, DefectKind, Race, Rule, Said, Step, Witness};
use ir::{AccessId, PlaceId};
use machine::memory::object::Origin;
use machine::{InputMode, Machine, Mode, Program, RawRace};

use crate::names;
use crate::replay::{Ending, Pair, Replay, Seen, Told, What, replay};

/// A race and the path to it.
#[derive(Debug, Clone)]
pub struct FoundRace {
    /// The two accesses.
    pub race: RawRace,
    /// What makes it different from others: the two source accesses, and the variable.
    pub key: (AccessId, AccessId, u64),
    /// The choices that lead there.
    pub path: Vec<u32>,
    /// How many operations threads have performed on the way.
    pub moves: u64,
}

impl FoundRace {
    /// A race that a machine shows at the end of a path.
    pub fn new(machine: &Machine, race: RawRace, path: Vec<u32>, moves: u64) -> FoundRace {
        let (a, b) = (race.first.1.access, race.second.1.access);
        let key = (a.min(b), a.max(b), object_key(machine, race.second.1.granule << 3));
        FoundRace { race, key, path, moves }
    }
}

/// A defect and the path to it.
#[derive(Debug, Clone)]
pub struct FoundDefect {
    /// Its kind.
    pub kind: DefectKind,
    /// Where it shows.
    pub place: PlaceId,
    /// One sentence.
    pub message: String,
    /// The thread that shows it.
    pub thread: usize,
    /// The choices that lead there.
    pub path: Vec<u32>,
    /// How many operations threads have performed on the way.
    pub moves: u64,
    /// The use of an object and its end, if they are on the path but may come the other way round.
    pub late: Option<Box<RawRace>>,
}

impl FoundDefect {
    /// The defect that two accesses are of which one is the end of the object; nothing if they are a race.
    pub fn late(module: &ir::Module, race: RawRace, path: &[u32], moves: u64) -> Option<FoundDefect> {
        let [(thread, used), _] = race.use_and_end()?;
        Some(FoundDefect {
            kind: DefectKind::UseAfterFree,
            place: machine::place_of_access(module, used.access).0,
            message: String::new(),
            thread: thread as usize,
            path: path.to_vec(),
            moves,
            late: Some(Box::new(race)),
        })
    }
}

/// The rules of a run, for its witness.
fn rules(mode: Mode) -> Vec<Rule> {
    let rules = [
        (mode.branch_barriers, Rule::BarriersBranch),
        (!mode.shortcuts, Rule::NoShortcuts),
        (mode.piece_orders, Rule::PieceOrders),
    ];
    rules.into_iter().filter_map(|(holds, rule)| holds.then_some(rule)).collect()
}

/// The values of inputs, where they are given.
fn given(program: &Program, mode: Mode) -> Option<Vec<i64>> {
    (mode.inputs == InputMode::Given).then(|| program.values.iter().map(|&v| v as i64).collect())
}

/// Replays a race and describes it; nothing if the replay does not confirm it.
pub fn describe_race(program: &Program, mode: Mode, found: &FoundRace) -> Option<Race> {
    let run = replay(program, mode, &found.path, found.moves, Some(Pair::found(&found.race)));
    let witness = Witness {
        choices: found.path.clone(),
        moves: Some(found.moves),
        rules: rules(mode),
        inputs: given(program, mode),
        ..Witness::default()
    };
    race_of(&run, witness)
}

/// The race that a replay has confirmed, described; its witness gets its steps.
pub fn race_of(run: &Replay, witness: Witness) -> Option<Race> {
    let (first, second) = run.race.clone()?;
    let machine = &run.machine;
    let module = machine.program.module;
    let label = |seen: &Seen| {
        let mut label = names::thread(module, seen.thread, &machine.threads[seen.thread]);
        if !seen.member.is_empty() && machine.threads[seen.thread].omp.worker {
            label.name = Said::Typed(Who::Member { numbers: seen.member.clone() });
        }
        label
    };
    // The bytes that both touch.
    let from = first.address.max(second.address);
    let to = (first.address + first.len).min(second.address + second.len);
    let (small, accesses) = if first.len <= second.len {
        (&first, [first.access, second.access])
    } else {
        (&second, [second.access, first.access])
    };
    let (at, len) = if small.len <= 16 { (small.address, small.len) } else { (from, to - from) };
    let variable = names::variable_in(module, small.object, (at, len), &accesses);
    let scheduled: Vec<&Told> = told(run).collect();
    let mut steps: Vec<Step> = scheduled.iter().map(|told| told.step.clone()).collect();
    for seen in [&second, &first] {
        let access = if seen.write { AccessKind::Write } else { AccessKind::Read };
        let action = match seen.is_end() {
            true => Action::Ends(variable.clone()),
            false => Action::Accesses { access, variable: variable.clone() },
        };
        let place = seen.stack.first().map_or_else(names::nowhere, |f| f.place.clone());
        let step = Step { thread: seen.thread as u32, place, action: Said::Typed(action) };
        steps.insert(seen_position(&scheduled, seen).min(steps.len()), step);
    }
    Some(Race {
        variable,
        first: first.describe(machine, label(&first)),
        second: second.describe(machine, label(&second)),
        hint: None,
        witness: Witness { steps, distribution: run.distribution.clone(), address: Some(from), ..witness },
    })
}

/// The steps that reports show.
fn told<'r>(run: &'r Replay) -> impl Iterator<Item = &'r Told> {
    run.steps.iter().filter(|told| told.what != What::SharesOut)
}

/// Where among the steps an access belongs: after the scheduled steps, creations and joins that came before it.
fn seen_position(steps: &[&Told], seen: &Seen) -> usize {
    let (mut scheduled, mut forks) = (0, 0);
    for (i, step) in steps.iter().enumerate() {
        if scheduled >= seen.step && forks >= seen.forks {
            return i;
        }
        if step.is_woven() {
            forks += 1;
        } else {
            scheduled += 1;
        }
    }
    steps.len()
}

/// Replays a defect and describes it.
///
/// # Errors
/// How the replay ended, if it does not confirm the defect.
pub fn describe_defect(program: &Program, mode: Mode, found: &FoundDefect) -> Result<Defect, Ending> {
    let pair = found.late.as_deref().map(Pair::found);
    let run = replay(program, mode, &found.path, found.moves, pair);
    let witness = Witness {
        choices: found.path.clone(),
        moves: Some(found.moves),
        rules: rules(mode),
        inputs: given(program, mode),
        ..Witness::default()
    };
    let shown = match found.late {
        Some(_) => late_use(&run, witness),
        None => defect_of(&run, (found.kind, found.thread), witness),
    };
    shown.ok_or(run.ending)
}

/// The use of an object that may come behind its end, which a replay has confirmed; its witness gets its steps.
pub fn late_use(run: &Replay, witness: Witness) -> Option<Defect> {
    let Race { variable, first, second, witness, .. } = race_of(run, witness)?;
    let (seen, _) = run.race.as_ref()?;
    let (used, end) = if seen.is_end() { (second, first) } else { (first, second) };
    let message = Message::LateUse { variable: variable.clone(), access: used.access, ends: end.thread.name };
    let action = Said::Typed(Action::Ends(variable));
    let end = Step { thread: end.thread.id, place: end.place, action };
    Some(Defect {
        kind: DefectKind::UseAfterFree,
        message: Said::Typed(message),
        location: used.place,
        thread: used.thread,
        stack: used.stack,
        waiting: Vec::new(),
        witness: Witness { end: Some(end), ..witness },
    })
}

/// The defect of this kind that a replay shows in this thread, described; its witness gets its steps.
pub fn defect_of(run: &Replay, (kind, thread): (DefectKind, usize), witness: Witness) -> Option<Defect> {
    let shown = run.stops.iter().find_map(|(t, stop)| match stop {
        machine::Stop::Defect(found, message) if *found == kind && *t == thread => Some(message.clone()),
        _ => None,
    });
    let mut message = match (shown, &run.ending) {
        (Some(message), _) => Said::Words(message),
        (None, Ending::Deadlock) if kind == DefectKind::Deadlock => Said::Words(String::new()),
        _ => return None,
    };
    let machine = &run.machine;
    let module = machine.program.module;
    let mut waiting = Vec::new();
    if kind == DefectKind::Deadlock {
        for (t, th) in machine.threads.iter().enumerate().filter(|(_, th)| !th.ended()) {
            let place = names::place(module, machine.user_place(th));
            waiting.push(Step { thread: t as u32, place, action: Said::Typed(blocked_action(machine, t)) });
        }
        let behind_writer = (0..machine.threads.len()).any(|t| waits_behind_writer(machine, t));
        message = Said::Typed(match &waiting[..] {
            [one] => Message::Alone { thread: one.thread, action: one.action.clone(), behind_writer },
            _ => Message::Several { threads: waiting.len() as u32, behind_writer },
        });
    }
    let th = machine.threads.get(thread)?;
    let steps = told(run).map(|told| told.step.clone()).collect();
    Some(Defect {
        kind,
        message,
        location: names::place(module, machine.user_place(th)),
        thread: names::thread(module, thread, th),
        stack: names::stack(module, th),
        waiting,
        witness: Witness { steps, distribution: run.distribution.clone(), ..witness },
    })
}

/// Whether a thread could lock for reading if it may overtake a waiting writer, and waits if it may not.
fn waits_behind_writer(machine: &machine::Machine, t: usize) -> bool {
    let reads = matches!(
        machine.threads[t].status,
        machine::Status::At(machine::Pending::Sync(machine::native::SyncOp::ReadLock, _))
    );
    reads && machine.alternatives(t).spurious
}

/// What a blocked thread waits for, and who holds it.
fn blocked_action(machine: &machine::Machine, t: usize) -> Action {
    use machine::sync::table::Kind;
    use machine::{Pending, Status};
    let action = names::action(machine, t);
    let lock = match machine.threads[t].status {
        Status::At(Pending::Sync(_, args)) => args[0],
        Status::At(Pending::Wake { mutex, signalled: true, .. }) => mutex,
        _ => return action,
    };
    let holder = match machine.sync.get(lock).map(|e| &e.kind) {
        Some(Kind::Mutex { owner, .. }) => *owner,
        Some(Kind::RwLock { writer, readers }) => writer.or_else(|| readers.first().copied()),
        _ => None,
    };
    let holder = match holder {
        Some(_) if waits_behind_writer(machine, t) => Holder::Writer,
        Some(h) if h as usize == t => Holder::Itself,
        Some(h) if machine.threads[h as usize].ended() => Holder::Ended(h),
        Some(h) => Holder::Thread(h),
        None => return action,
    };
    Action::Blocked(Box::new(action), holder)
}

/// Tells variables apart, but not the objects that one line of the program allocates.
pub fn object_key(machine: &Machine, address: u64) -> u64 {
    // The granule may begin before its object.
    let at = [address, address + 7].into_iter().find_map(|a| machine.memory.find(a));
    match at.map(|(_, _, o)| o.origin) {
        Some(Origin::Global(id) | Origin::ThreadLocal(id)) => u64::from(id.0) << 2,
        Some(Origin::Local(var)) => u64::from(var.0) << 2 | 1,
        Some(Origin::Heap(place)) => u64::from(place.0) << 2 | 2,
        _ => 3,
    }
}
