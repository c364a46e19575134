//! The machine: all of a program's state, and what is told of it to others.

mod accesses;
mod fingerprint;
mod journal;

use std::cell::Cell;

use base::DefectKind;
use ir::{FuncId, PlaceId};

use crate::clock::Clock;
use crate::history::Touch;
use crate::interp::may::May;
use crate::memory::layout::RegionId;
use crate::memory::{self, Memory};
use crate::observe::{Edge, Observer, Question, Work};
use crate::omp::Omp;
use crate::program::Program;
use crate::stop::Stop;
use crate::symbol::{Ranges, Symbols};
use crate::symmetry::Watch;
use crate::sync::table::Table;
use crate::thread::{Status, Thread};

pub(crate) use accesses::compare;
pub use accesses::{is_end, place_of_access};
pub use journal::Mark;
use journal::Undo;

/// What an input without bounds is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum InputMode {
    /// Anything; when control depends on it, the machine stops with [`Stop::Unknown`].
    #[default]
    Open,
    /// Anything; when control depends on it, both ways are a choice, and what it says about the input is remembered (see
    /// [`crate::symbol`]).
    Symbolic,
    /// A choice among [`Program::candidates`].
    Candidates,
    /// The next of [`Program::values`].
    Given,
}

/// An input that a run has read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Read {
    /// How many bits it has.
    pub bits: u8,
    /// The values that it can have had: all of them lead along this run, as far as the machine knows.
    pub set: Ranges,
    /// Whether it is what a clock shows, which does not go backwards.
    pub clock: bool,
}

/// How a machine runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mode {
    /// Whether unconstrained values are tracked. Without it, they are whatever is there.
    pub taint: bool,
    /// Whether accesses are recorded in histories and compared.
    pub histories: bool,
    /// Whether arrivals at barriers are scheduling points.
    pub branch_barriers: bool,
    /// Whether a thread performs its synchronisation operations at once when all others have ended.
    pub shortcuts: bool,
    /// How many frames a thread may have.
    pub max_frames: usize,
    /// What inputs without bounds are.
    pub inputs: InputMode,
    /// Whether a thread asks in which order it executes its pieces of a worksharing construct, where the language leaves that
    /// open ([`crate::omp::order`]). Without it, they come in the order of the loop.
    pub piece_orders: bool,
}

impl Default for Mode {
    fn default() -> Mode {
        Mode {
            taint: true,
            histories: true,
            branch_barriers: false,
            shortcuts: true,
            max_frames: 10_000,
            inputs: InputMode::Open,
            piece_orders: false,
        }
    }
}

/// Two conflicting accesses that are not ordered, as found on a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RawRace {
    /// The thread and access that came first on the path.
    pub first: (u32, Touch),
    /// The thread and access that came second.
    pub second: (u32, Touch),
}

/// A program in execution.
pub struct Machine<'p> {
    /// The program.
    pub program: &'p Program<'p>,
    /// How it runs.
    pub mode: Mode,
    /// Memory.
    pub memory: Memory,
    /// The threads, in order of creation.
    pub threads: Vec<Thread>,
    /// Synchronisation objects.
    pub sync: Table,
    /// The exit code, once the program has ended as a whole.
    pub exited: Option<i32>,
    /// The OpenMP runtime.
    pub omp: Omp,
    /// Who is inside an atomic section (`__VERIFIER_atomic_begin`).
    pub holder: Option<u32>,
    /// Races found since they were last taken.
    pub races: Vec<RawRace>,
    /// Instructions executed.
    pub instructions: u64,
    /// The first unconstrained input that was made: by which function, called where.
    pub inputs: Option<(FuncId, PlaceId)>,
    /// All of them, each once. Going back does not forget any.
    pub sources: Vec<(FuncId, PlaceId)>,
    /// Inputs that are not fixed yet ([`InputMode::Symbolic`]).
    pub(crate) symbols: Symbols,
    /// How many inputs were given ([`InputMode::Given`]; going back does not change it).
    pub(crate) given: usize,
    /// The inputs that the run has read, if they are to be noted. Going back does not change it.
    pub reads: Option<Vec<Read>>,
    /// Whether the machine has stopped somewhere since something depends on a value that nobody fixed.
    pub opened: Cell<bool>,
    /// What the last [`Stop::Choose`] asked for.
    pub question: Question,
    /// Whether it was what an input is, or which way control goes that depends on one.
    pub asks_input: bool,
    /// Branches that are taken both ways.
    pub may: May,
    /// Whether every task has copies of its own of the variables that its task group reduces, not every thread: as good
    /// an implementation, in which nothing depends on who executes what.
    pub task_copies: bool,
    /// Whether every iteration of a `taskloop` that can be split in several ways is a task of its own: more is unordered
    /// then than in any of these ways.
    pub finest: bool,
    /// Whether a task of such a loop has changed its private variables: how it is split may show then. Going back does not
    /// forget it.
    pub split_matters: bool,
    /// Whether an answer relies on combiners of user-defined reductions taking turns ([`crate::omp::combine`]).
    pub takes_turns: bool,
    /// Whether the symmetry of identical threads is watched, and what was noticed.
    pub watch: Option<Box<Watch>>,
    /// Whether pieces that a thread executes in the order of the loop could notice another order; looked at only where
    /// [`Machine::watches_order`] says so. Going back does not forget it.
    pub order_matters: bool,
    /// Whether that is looked at.
    pub watches_order: bool,
    /// Whether some construct was split into smaller pieces than the language allows, which makes no difference as long as pieces
    /// do not notice each other. Going back does not forget it.
    pub split_finely: bool,
    /// Whether a run pauses ([`Stop::Fuel`]) where a phase of an OpenMP region ends.
    pub pauses: bool,
    pub(crate) paused: bool,
    /// Who is told of events, if anybody.
    pub observer: Option<Box<dyn Observer + 'p>>,
    undo: Vec<Undo>,
    /// Threads that were saved once, for their room.
    #[allow(clippy::vec_box, reason = "the boxes go to and from the journal")]
    spare: Vec<Box<Thread>>,
    /// Room for what is to be hashed.
    scratch: Vec<u8>,
    /// Room for the threads of which something is remembered.
    relevant: Vec<usize>,
    marks: usize,
    epoch: u32,
    pub(crate) recording: bool,
}

impl<'p> Machine<'p> {
    /// A machine about to execute the program's first instruction.
    pub fn new(program: &'p Program<'p>, mode: Mode) -> Machine<'p> {
        let mut clock = Clock::new();
        clock.set(0, 1);
        let mut main = Thread::new(clock, PlaceId::NONE, program.module.entry);
        main.tls = program.tls.iter().map(|g| program.globals[g.0 as usize]).collect();
        Machine {
            program,
            mode,
            memory: program.memory.clone(),
            threads: vec![main],
            sync: Table::new(program.memory.layout()),
            exited: None,
            omp: Omp::default(),
            holder: None,
            races: Vec::new(),
            instructions: 0,
            inputs: None,
            sources: Vec::new(),
            symbols: Symbols::default(),
            given: 0,
            reads: None,
            opened: Cell::new(false),
            question: Question::Value,
            asks_input: false,
            may: May::default(),
            task_copies: false,
            finest: false,
            split_matters: false,
            takes_turns: false,
            watch: None,
            order_matters: false,
            watches_order: false,
            split_finely: false,
            pauses: false,
            paused: false,
            observer: None,
            undo: Vec::new(),
            spare: Vec::new(),
            scratch: Vec::new(),
            relevant: Vec::new(),
            marks: 0,
            epoch: 1,
            recording: false,
        }
    }

    /// Accesses are recorded only while there is somebody to race with.
    pub(crate) fn update_recording(&mut self) {
        let parked = self.threads.iter().filter(|th| th.status == Status::Parked).count();
        self.recording = self.mode.histories && self.threads.len() - parked > 1;
    }

    // ---- happens-before ----

    /// The thread learns what the clock knows.
    pub(crate) fn learn(&mut self, t: usize, th: &mut Thread, clock: &Clock) {
        let _ = t;
        self.notice_order(th);
        th.clock.join(clock);
    }

    /// Begins a new epoch of the thread, after its clock was passed on.
    pub(crate) fn next_epoch(&mut self, t: usize, th: &mut Thread) {
        self.notice_order(th);
        th.epoch += 1;
        th.clock.set(t, th.epoch);
    }

    pub(crate) fn observe(&mut self, t: usize, th: &Thread, edge: Edge) {
        if let Some(observer) = &mut self.observer {
            observer.edge(t, th, edge);
        }
    }

    /// Tells the observer about the structure of the work.
    pub(crate) fn tell(&mut self, t: usize, th: &Thread, work: &Work) {
        self.paused |= self.pauses && matches!(work, Work::Phase { .. } | Work::Join { .. });
        let quiet = matches!(
            work,
            Work::Enter { .. }
                | Work::Begin { .. }
                | Work::End { .. }
                | Work::Identity
                | Work::Control { write: false }
        );
        if !quiet {
            self.notice_order(th);
        }
        if let Some(observer) = &mut self.observer {
            observer.work(t, th, work);
        }
    }

    /// Tells the observer that an object has ended; with the access that its end is, unless that was told before.
    pub(crate) fn tell_gone(
        &mut self,
        t: usize,
        th: &Thread,
        range: (u64, u64),
        access: Option<ir::AccessId>,
    ) {
        if let Some(observer) = &mut self.observer {
            observer.gone(t, th, range, access, &self.memory);
        }
    }

    /// Tells the observer that a synchronisation object was destroyed.
    pub(crate) fn tell_destroyed(&mut self, t: usize, th: &Thread, address: u64) {
        if let Some(observer) = &mut self.observer {
            observer.destroyed(t, th, address);
        }
    }

    /// Tells the observer that an object was made.
    #[inline]
    pub(crate) fn tell_made(&mut self, t: usize, address: u64) {
        if let Some(observer) = &mut self.observer {
            observer.made(t, address);
        }
    }

    /// Remembers where unconstrained inputs come from: the function of the library that the user's code called.
    pub(crate) fn note_input(&mut self, th: &Thread) {
        let system = |f: &&crate::thread::Frame| self.program.module.funcs[f.func.0 as usize].system;
        let called = th.frames.iter().rev().take_while(system).last();
        if let Some(frame) = called {
            let source = (frame.func, self.user_place(th));
            self.inputs = self.inputs.or(Some(source));
            if !self.sources.contains(&source) {
                self.sources.push(source);
            }
        }
    }

    // ---- small helpers ----

    /// The place of the user's code in which a thread stands: the innermost frame outside models and system headers.
    pub fn user_place(&self, th: &Thread) -> PlaceId {
        let mut fallback = PlaceId::NONE;
        for frame in th.frames.iter().rev() {
            let function = &self.program.module.funcs[frame.func.0 as usize];
            let place = function.body.as_ref().map_or(PlaceId::NONE, |b| b.places[frame.pc as usize]);
            if !function.system && place != PlaceId::NONE {
                return place;
            }
            if fallback == PlaceId::NONE {
                fallback = place;
            }
        }
        fallback
    }

    /// Creates an object on a thread's heap.
    pub(crate) fn allocate(
        &mut self,
        t: usize,
        th: &Thread,
        size: u64,
        align: u64,
        zeroed: bool,
        family: memory::object::Family,
    ) -> Result<u64, Stop> {
        let origin = memory::object::Origin::Heap(self.user_place(th));
        let made = self.memory.create(RegionId::heap(t), size, align, zeroed, family, origin);
        let address = made.ok_or_else(|| Stop::unknown(base::reason::Beyond::Allocation(size)))?;
        self.tell_made(t, address);
        Ok(address)
    }

    /// Whether thread `t` can go on without a scheduling decision.
    pub fn is_local(&self, t: usize) -> bool {
        match self.threads[t].status {
            Status::Ready => true,
            Status::Ended | Status::Parked => false,
            Status::At(pending) => self.is_local_operation(t, &pending),
        }
    }

    /// The answer to the choice that a thread asked for with [`Stop::Choose`].
    pub fn answer(&mut self, t: usize, choice: u32) {
        self.save_thread(t);
        self.threads[t].choice = Some(choice);
        let mut th = std::mem::take(&mut self.threads[t]);
        self.notice_operation(t, &mut th);
        self.threads[t] = th;
    }

    /// The function that a thread was created with.
    pub fn start_of(&self, t: usize) -> Option<FuncId> {
        self.threads[t].start
    }

    /// A stack overflow, as a defect.
    pub(crate) fn stack_overflow(&self) -> Stop {
        Stop::defect(DefectKind::StackOverflow, format!("more than {} calls deep", self.mode.max_frames))
    }
}
