//! The one run: a canonical schedule, the same in every pass.
//!
//! A thread runs until it has to wait (or has performed [`BURST`] operations, so that polling loops end); then the next
//! one goes on. The end of the program comes when nobody else can move, so that every thread comes to its own end.
//! Values that the program asks for are given from a list; the pass that a barrier calls its serial one is the first, and with
//! `open_serial` that answer counts as unconstrained, because it could be any.

use base::Budget;
use base::reason::Fork;
use ir::{Inst, PlaceId};
use machine::native::SyncOp;
use machine::omp::GO_ON;
use machine::{Machine, Pending, Question, Status, Stop};

use crate::folds::follow::Planned;

/// Operations that a thread performs before another one's turn.
const BURST: u32 = 256;
/// Instructions at a time.
const FUEL: u64 = 400_000;
/// Steps between looks at the clock.
const LOOKS: u64 = 8;
/// Turns before the run is watched for coming back to where it was.
const PATIENCE: u64 = 2_000;
/// How often a polling loop may come back to the same state.
const MAX_SPINS: u32 = 3;

/// What the run is given.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    /// Answers to questions for values, in order; 0 beyond.
    pub answers: Vec<u32>,
    /// Who executes the pieces of worksharing constructs.
    pub distribution: Distribution,
    /// Whether tasks are assigned to threads, others in every rotation, so that every thread executes every task once. (If nobody
    /// else can go on, a thread executes another one's.)
    pub tasks: bool,
    /// Whether the first two threads stand for all: each of them executes all pieces in one run, and there are no others.
    pub two: bool,
    /// Whether a barrier's serial thread is unconstrained.
    pub open_serial: bool,
    /// When to give up.
    pub budget: Budget,
    /// The most instructions.
    pub max_instructions: u64,
    /// The most instructions once the run is known to be steered by the schedule.
    pub steered_instructions: u64,
}

/// Which thread of a team executes which piece of a construct.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Distribution {
    /// By how much pieces are rotated.
    pub rotation: u32,
    /// How many pieces in a row go to one thread, less one.
    pub row: u64,
    /// A construct that is rotated by one more.
    pub shifted: Option<u32>,
    /// By how much more pieces of nested regions are rotated.
    pub inner: u32,
    /// By how much more tasks are rotated, where they are assigned.
    pub shift: u32,
    /// Whether one thread executes all tasks, where they are assigned.
    pub heap: bool,
    /// Whether threads execute their pieces in descending order, where the language leaves that open and the machine asks
    /// ([`machine::Mode::piece_orders`]).
    pub descending: bool,
}

impl Distribution {
    /// One thread executes all pieces.
    pub const ONE: Distribution = Distribution {
        row: u64::MAX - 1,
        rotation: 0,
        shifted: None,
        inner: 0,
        shift: 0,
        heap: false,
        descending: false,
    };

    /// Which of `n` remaining pieces a thread executes next, in the order of the loop.
    pub fn next(&self, n: u32) -> u32 {
        if self.descending { n - 1 } else { 0 }
    }

    /// The number in a team of `n` of the thread that executes a piece, as thread `t` is asked.
    pub fn owner(&self, machine: &Machine, t: usize, (share, piece): (u32, u64), n: u32) -> u32 {
        // Who forked the region knows what is around it; a worker knows only the region.
        let home = machine.threads[t].omp.seats.last().and_then(|seat| machine.omp.regions.get(&seat.home));
        let first = home.and_then(|region| region.members.first()).map_or(t, |&first| first as usize);
        let nested = machine.threads[first].omp.seats.iter().filter(|s| s.size > 1).count() > 1;
        let more = u64::from(self.shifted == Some(share)) + u64::from(if nested { self.inner } else { 0 });
        ((piece / (self.row + 1) + u64::from(self.rotation) + more) % u64::from(n.max(1))) as u32
    }
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// Every thread came to its end.
    Complete,
    /// A thread showed a defect, or came to something that the machine cannot decide.
    Stopped(usize, Stop),
    /// A thread did something whose outcome the schedule decides.
    Steered(PlaceId, Fork),
    /// A barrier is used by more threads than it takes.
    BarrierOrder,
    /// Nobody can go on.
    Deadlock,
    /// Some thread still waits when the program ends.
    Unfinished(usize),
    /// It takes too long.
    TooLong,
}

/// A run that has ended.
#[derive(Debug, Clone)]
pub struct Ran {
    /// How.
    pub end: End,
    /// The values that were asked for: the answer, and how many there were.
    pub values: Vec<(u32, u32)>,
    /// The largest team whose pieces were distributed, or 0.
    pub team: u32,
    /// How many threads work for teams.
    pub regions: usize,
    /// Where the thread stands that the end speaks of.
    pub place: PlaceId,
}

/// What was asked so far.
#[derive(Debug, Default)]
struct Asked {
    values: Vec<(u32, u32)>,
    team: u32,
}

/// What a thread can do next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    Local,
    Perform,
    /// It could execute a task, but only such as are another thread's.
    Reluctant,
    Exit,
    Blocked,
    Ended,
}

/// In which of its ways a waiting thread goes on with a task of its own, or without one.
fn assigned(machine: &Machine, plan: &Plan, t: usize) -> Option<u32> {
    let seat = machine.threads[t].omp.seats.last()?;
    let turn = u64::from(plan.distribution.rotation) + u64::from(plan.distribution.shift);
    let first = |serial: u32| if plan.distribution.heap { 0 } else { u64::from(serial) };
    let owner = |serial: u32| (first(serial) + turn) % u64::from(seat.size.max(1));
    let (tasks, over) = machine.task_ways(t);
    let own = tasks.iter().position(|&serial| owner(serial) == u64::from(seat.number));
    own.or(over.then_some(tasks.len())).map(|way| way as u32)
}

fn next(machine: &Machine, plan: &Plan, t: usize) -> Next {
    match machine.threads[t].status {
        Status::Ended | Status::Parked => Next::Ended,
        Status::At(Pending::Exit(_) | Pending::Sync(SyncOp::Exit, _)) => Next::Exit,
        _ if machine.is_local(t) => Next::Local,
        _ => {
            let waits = matches!(machine.threads[t].status, Status::At(Pending::Omp(_)));
            match machine.can_go_on(t) {
                true if plan.tasks && waits && assigned(machine, plan, t).is_none() => Next::Reluctant,
                true => Next::Perform,
                false => Next::Blocked,
            }
        }
    }
}

/// Told what the run does beyond what observers see.
pub trait Watch {
    /// Thread `t` stands before joining thread `u`.
    fn waits(&mut self, t: usize, u: usize);
    /// Thread `t` has ended.
    fn ended(&mut self, t: usize);
    /// Whether the run is known to be steered by the schedule.
    fn steered(&self) -> bool;

    /// Whether every instruction of a thread is to be told.
    fn follows(&mut self, _machine: &Machine, _t: usize) -> bool {
        false
    }

    /// A thread is about to execute one instruction: what that will leave.
    fn before(&mut self, _machine: &Machine, _t: usize) -> Planned {
        Planned::default()
    }

    /// The thread has executed it.
    fn after(&mut self, _machine: &mut Machine, _t: usize, _planned: Planned) {}
}

/// Runs the machine by the plan.
pub fn run(machine: &mut Machine, plan: &Plan, watch: &mut dyn Watch) -> Ran {
    let mut asked = Asked::default();
    let (mut t, mut burst, mut spins, mut steps) = (0, 0, 0, 0);
    let mut forced = false;
    let mut rounds = Rounds::default();
    let end = loop {
        if machine.exited.is_some() {
            break End::Complete;
        }
        steps += 1;
        let late = || u64::is_multiple_of(steps, LOOKS) && plan.budget.is_over();
        if machine.instructions > plan.max_instructions || late() {
            break End::TooLong;
        }
        if machine.instructions > plan.steered_instructions && watch.steered() {
            break End::TooLong;
        }
        let step = match next(machine, plan, t) {
            Next::Reluctant if std::mem::take(&mut forced) => perform(machine, plan, t, &mut asked),
            Next::Local => local(machine, plan, t, &mut asked, watch),
            Next::Perform if burst < BURST => {
                burst += 1;
                if machine.threads[t].status == Status::At(Pending::Spin) {
                    spins += 1;
                }
                if spins > MAX_SPINS {
                    Some(spinning(machine, t))
                } else {
                    perform(machine, plan, t, &mut asked)
                }
            }
            _ => {
                burst = 0;
                match turn(machine, plan, t, &mut forced) {
                    Ok(next) if rounds.again(machine, next) => {
                        let place = machine.user_place(&machine.threads[next]);
                        Some(End::Steered(place, Fork::EndlessLoop))
                    }
                    Ok(next) => {
                        t = next;
                        None
                    }
                    Err(end) => Some(end),
                }
            }
        };
        if let Some(end) = step {
            break end;
        }
    };
    let regions = machine.threads.iter().filter(|th| th.omp.worker).count();
    let place = match end {
        End::Stopped(t, _) | End::Unfinished(t) => machine.user_place(&machine.threads[t]),
        _ => PlaceId::NONE,
    };
    Ran { end, values: asked.values, team: asked.team, regions, place }
}

/// Notices when a run comes back to a state (Brent's algorithm: later states are compared with that of a turn whose
/// number is a power of two).
#[derive(Debug, Default)]
struct Rounds {
    turns: u64,
    seen: Option<u128>,
}

impl Rounds {
    fn again(&mut self, machine: &mut Machine, next: usize) -> bool {
        self.turns += 1;
        if self.turns < PATIENCE {
            return false;
        }
        let state = machine.fingerprint() ^ next as u128;
        if self.seen == Some(state) {
            return true;
        }
        if self.turns.is_power_of_two() || self.seen.is_none() {
            self.seen = Some(state);
        }
        false
    }
}

/// Whose turn it is after `t`.
fn turn(machine: &mut Machine, plan: &Plan, t: usize, forced: &mut bool) -> Result<usize, End> {
    let n = machine.threads.len();
    let order = (1..=n).map(|i| (t + i) % n);
    let mut exits = None;
    let (mut waiting, mut reluctant) = (None, None);
    for u in order {
        match next(machine, plan, u) {
            Next::Local | Next::Perform => return Ok(u),
            Next::Reluctant => reluctant = reluctant.or(Some(u)),
            Next::Exit => exits = exits.or(Some(u)),
            Next::Blocked => waiting = waiting.or(Some(u)),
            Next::Ended => {}
        }
    }
    if let Some(u) = reluctant {
        *forced = true;
        return Ok(u);
    }
    match (exits, waiting) {
        (None, None) => Err(End::Complete),
        (None, Some(_)) => Err(End::Deadlock),
        (Some(_), Some(u)) => Err(End::Unfinished(u)),
        (Some(u), None) => match machine.perform(u, 0) {
            Ok(()) => Ok(u),
            Err(stop) => Err(End::Stopped(u, stop)),
        },
    }
}

fn spinning(machine: &Machine, t: usize) -> End {
    End::Steered(machine.user_place(&machine.threads[t]), Fork::WaitingLoop)
}

/// Runs a thread for a while, or one instruction of it if these are followed.
fn go(machine: &mut Machine, t: usize, watch: &mut dyn Watch) -> Stop {
    if !watch.follows(machine, t) {
        return machine.run(t, FUEL);
    }
    if machine.threads[t].status != Status::Ready {
        // It completes its operation first.
        return machine.run(t, 0);
    }
    let planned = watch.before(machine, t);
    let stop = machine.run(t, 1);
    watch.after(machine, t, planned);
    stop
}

/// Runs local instructions of a thread.
fn local(
    machine: &mut Machine,
    plan: &Plan,
    t: usize,
    asked: &mut Asked,
    watch: &mut dyn Watch,
) -> Option<End> {
    match go(machine, t, watch) {
        Stop::AtSync => {
            if let Status::At(Pending::Sync(SyncOp::Join, args)) = machine.threads[t].status
                && let Some(u) = (args[0] as usize).checked_sub(1).filter(|&u| u < machine.threads.len())
            {
                watch.waits(t, u);
            }
            None
        }
        Stop::Ended => {
            watch.ended(t);
            None
        }
        Stop::Fuel => None,
        Stop::Choose(n) => choose(machine, plan, t, n, asked),
        Stop::BarrierOrder => Some(End::BarrierOrder),
        stop => Some(End::Stopped(t, stop)),
    }
}

fn perform(machine: &mut Machine, plan: &Plan, t: usize, asked: &mut Asked) -> Option<End> {
    let mut way = 0;
    if matches!(machine.threads[t].status, Status::At(Pending::Omp(_))) {
        let size = machine.threads[t].omp.seats.last().map_or(0, |seat| seat.size);
        if machine.is_creation(t) {
            // Tasks are deferred: another one on top is told as `Work::Point`.
            way = GO_ON;
        } else if plan.tasks {
            asked.team = asked.team.max(size);
            way = assigned(machine, plan, t).unwrap_or(0);
            if !machine.is_tied_way(t, way) {
                let place = machine.user_place(&machine.threads[t]);
                return Some(End::Steered(place, Fork::UntiedTask));
            }
        } else {
            // Which task a thread takes does not matter; another one in every rotation.
            let other = plan.distribution.rotation;
            way = if machine.task_of_way(t, other).is_some() { other } else { 0 };
        }
    } else if machine.alternatives(t).count > 1 {
        let place = machine.user_place(&machine.threads[t]);
        return Some(End::Steered(place, Fork::Operation));
    }
    match machine.perform(t, way) {
        Ok(()) => None,
        Err(Stop::Choose(n)) => choose(machine, plan, t, n, asked),
        Err(Stop::BarrierOrder) => Some(End::BarrierOrder),
        Err(stop) => Some(End::Stopped(t, stop)),
    }
}

/// Answers a question and lets the thread go on.
fn choose(machine: &mut Machine, plan: &Plan, t: usize, n: u32, asked: &mut Asked) -> Option<End> {
    if let Status::At(Pending::Sync(SyncOp::BarrierWait, args)) = machine.threads[t].status {
        return serial(machine, plan, t, args[0]);
    }
    match machine.question {
        Question::Value | Question::Teams { .. } | Question::Threads { .. } | Question::Chunks { .. } => {
            let answer = plan.answers.get(asked.values.len()).copied().unwrap_or(0);
            asked.values.push((answer, n));
            machine.answer(t, answer);
            None
        }
        Question::Owner { share, piece, .. } => {
            asked.team = asked.team.max(n);
            let owner = plan.distribution.owner(machine, t, (share, piece), n);
            machine.answer(t, owner);
            None
        }
        Question::Order { .. } => {
            machine.answer(t, plan.distribution.next(n));
            None
        }
        Question::Defer { .. } | Question::Split { .. } => {
            machine.answer(t, 0);
            None
        }
    }
}

/// The last thread arrives at a barrier: the first is called serial. Where that counts as unconstrained, so are the
/// results of all who waited.
fn serial(machine: &mut Machine, plan: &Plan, t: usize, address: u64) -> Option<End> {
    let at = |u: usize| machine.threads[u].status == Status::At(Pending::AtBarrier(address));
    let there: Vec<usize> = (0..machine.threads.len()).filter(|&u| u == t || at(u)).collect();
    let results: Vec<_> = there.iter().map(|&u| (u, result_slot(machine, u))).collect();
    machine.answer(t, 0);
    let stop = if machine.is_local(t) {
        match machine.run(t, 0) {
            Stop::Fuel | Stop::AtSync => None,
            stop => Some(stop),
        }
    } else {
        machine.perform(t, 0).err()
    };
    if let Some(stop) = stop {
        return Some(End::Stopped(t, stop));
    }
    if plan.open_serial {
        for (u, slot) in results {
            match slot {
                Ok(None) => {}
                Ok(Some(at)) => machine.threads[u].shadows[at] = u32::MAX.into(),
                // Not understood: whoever waits there is steered.
                Err(()) => {
                    let place = machine.user_place(&machine.threads[u]);
                    return Some(End::Steered(place, Fork::BarrierResult));
                }
            }
        }
    }
    None
}

/// Where the result of the call goes at which a thread stands, if anybody wants it.
fn result_slot(machine: &Machine, u: usize) -> Result<Option<usize>, ()> {
    let frame = machine.threads[u].frames.last().ok_or(())?;
    let body = machine.program.module.funcs[frame.func.0 as usize].body.as_ref().ok_or(())?;
    match body.code[frame.pc as usize] {
        Inst::Call { site } => {
            let site = body.calls[site as usize];
            Ok((site.result_slots > 0).then_some(frame.base + site.result.0 as usize))
        }
        Inst::Invoke { site, .. } if body.calls[site as usize].result_slots == 0 => Ok(None),
        _ => Err(()),
    }
}
