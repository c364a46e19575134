//! The machine: all of a program's state, its journal, and its fingerprint.

use std::cell::Cell;

use base::DefectKind;
use ir::{AccessId, FuncId, PlaceId};
use xxhash_rust::xxh3::xxh3_128;

use crate::clock::Clock;
use crate::history::{Touch, granules};
use crate::interp::may::May;
use crate::memory::layout::RegionId;
use crate::memory::{self, Memory};
use crate::observe::{Edge, Observer, Question, Work};
use crate::omp::Omp;
use crate::program::Program;
use crate::stop::Stop;
use crate::symbol::{Ranges, Symbols};
use crate::symmetry::{Notice, Watch};
use crate::sync::table::{Entry, Table, sequence_of};
use crate::thread::{Pending, Status, Thread};

/// Marks accesses that are known by their place instead of an entry of the module's table.
const NATIVE: u32 = 1 << 31;

/// The place of an access, and its entry in the module's table if it has one.
pub fn place_of_access(module: &ir::Module, access: AccessId) -> (PlaceId, Option<&ir::AccessInfo>) {
    if access.0 & NATIVE != 0 {
        return (PlaceId(access.0 & !NATIVE), None);
    }
    let info = &module.accesses[access.0 as usize];
    (info.place, Some(info))
}

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

/// What can be undone outside the memory.
#[derive(Debug)]
enum Undo {
    Thread(usize, Box<Thread>),
    Created,
    Sync(u64, Option<Entry>),
    Exited(Option<i32>),
    Holder(Option<u32>),
    Omp(Box<Omp>),
    Symbols(Box<Symbols>),
}

/// A point in time to go back to.
#[derive(Debug)]
pub struct Mark {
    memory: memory::Mark,
    undo: usize,
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

    // ---- journal ----

    /// Remembers this point in time. Call [`Machine::fingerprint`] before.
    pub fn mark(&mut self) -> Mark {
        self.marks += 1;
        self.epoch += 1;
        Mark { memory: self.memory.mark(), undo: self.undo.len() }
    }

    /// Goes back to a mark.
    pub fn rollback(&mut self, mark: &Mark) {
        self.memory.rollback(&mark.memory);
        while self.undo.len() > mark.undo {
            match self.undo.pop().expect("the journal is longer than the mark") {
                Undo::Thread(t, mut thread) => {
                    std::mem::swap(&mut self.threads[t], &mut *thread);
                    // Its segments must not count as shared.
                    thread.history.clear();
                    self.spare.push(thread);
                }
                Undo::Created => {
                    self.threads.pop();
                }
                Undo::Sync(address, entry) => {
                    self.sync.replace(address, entry);
                }
                Undo::Exited(code) => self.exited = code,
                Undo::Holder(holder) => self.holder = holder,
                Undo::Omp(omp) => self.omp = *omp,
                Undo::Symbols(symbols) => self.symbols = *symbols,
            }
        }
        self.epoch += 1;
        self.update_recording();
    }

    /// Forgets the newest mark, right after a rollback to it.
    pub fn discard(&mut self, mark: &Mark) {
        self.marks -= 1;
        self.memory.discard(&mark.memory, self.marks == 0);
        if self.marks == 0 {
            self.undo.clear();
        }
    }

    fn saving(&self) -> bool {
        self.marks > 0
    }

    /// Saves a thread before it changes. Call before taking a thread's fields for writing.
    pub(crate) fn save_thread(&mut self, t: usize) {
        let epoch = self.epoch;
        if self.saving() && self.threads[t].saved != epoch {
            let mut copy = self.spare.pop().unwrap_or_default();
            copy_thread(&mut copy, &self.threads[t]);
            self.undo.push(Undo::Thread(t, copy));
        }
        self.threads[t].saved = epoch;
        self.threads[t].hash = None;
    }

    /// Adds a thread.
    pub(crate) fn add_thread(&mut self, thread: Thread) -> usize {
        if self.saving() {
            self.undo.push(Undo::Created);
        }
        self.threads.push(thread);
        self.update_recording();
        self.threads.len() - 1
    }

    /// Changes a synchronisation object.
    pub(crate) fn set_sync(&mut self, address: u64, entry: Option<Entry>) {
        if entry.is_none() && self.program.stores_continue() {
            for t in 0..self.threads.len() {
                let sequence = sequence_of(address, t);
                if self.sync.get(sequence).is_some() {
                    self.replace_sync(sequence, None);
                }
            }
        }
        self.replace_sync(address, entry);
    }

    fn replace_sync(&mut self, address: u64, entry: Option<Entry>) {
        let old = self.sync.replace(address, entry);
        if self.saving() {
            self.undo.push(Undo::Sync(address, old));
        }
    }

    pub(crate) fn set_exited(&mut self, code: i32) {
        if self.saving() {
            self.undo.push(Undo::Exited(self.exited));
        }
        self.exited = Some(code);
    }

    pub(crate) fn set_holder(&mut self, holder: Option<u32>) {
        if self.saving() {
            self.undo.push(Undo::Holder(self.holder));
        }
        self.holder = holder;
    }

    /// The OpenMP runtime's state, to be changed.
    pub(crate) fn omp_mut(&mut self) -> &mut Omp {
        if self.saving() && self.omp.saved != self.epoch {
            self.undo.push(Undo::Omp(Box::new(self.omp.clone())));
        }
        self.omp.saved = self.epoch;
        &mut self.omp
    }

    /// The table of inputs that are not fixed, to be changed.
    pub(crate) fn symbols_mut(&mut self) -> &mut Symbols {
        if self.saving() && self.symbols.saved != self.epoch {
            self.undo.push(Undo::Symbols(Box::new(self.symbols.clone())));
        }
        self.symbols.saved = self.epoch;
        &mut self.symbols
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

    /// Tells the observer that an object has ended.
    pub(crate) fn tell_gone(&mut self, t: usize, th: &Thread, address: u64, len: u64) {
        if let Some(observer) = &mut self.observer {
            observer.gone(t, th, address, len);
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

    // ---- accesses ----

    /// The access that a native function, or code of models and system headers, makes on behalf of the user's code: it is
    /// known by its place. See [`place_of_access`].
    pub(crate) fn native_access(&self, th: &Thread) -> AccessId {
        AccessId(NATIVE | self.user_place(th).0)
    }

    /// Accesses by models and system headers are the user's: attributed to the line that called them.
    #[inline]
    fn attribute(&self, th: &Thread, access: AccessId) -> AccessId {
        match th.frames.last() {
            Some(frame) if self.program.module.funcs[frame.func.0 as usize].system => self.native_access(th),
            _ => access,
        }
    }

    /// Whether the access is one to a standard stream by a formatted or unformatted input or output function, which
    /// several threads may call at once (C++20 29.4.2): that conflicts only with what changes the stream otherwise.
    fn transfers(&self, th: &Thread, address: u64) -> bool {
        let of_library = |f: &&crate::thread::Frame| self.program.module.funcs[f.func.0 as usize].system;
        let mut frames = th.frames.iter().rev().take_while(of_library);
        frames.any(|f| self.program.is_transfer(f.func))
            && match self.memory.find(address).map(|(_, _, o)| o.origin) {
                Some(memory::object::Origin::Global(id)) => self.program.streams.contains(&id),
                _ => false,
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

    /// Records an access by a native function, if the object can be known to others.
    pub(crate) fn record_visible(
        &mut self,
        t: usize,
        th: &mut Thread,
        address: u64,
        len: u64,
        write: bool,
        access: AccessId,
    ) {
        if self.memory.find(address).is_some_and(|(_, _, o)| o.escaped)
            && self.record(t, th, address, len, write, access)
            && let Ok(spot) = self.memory.resolve(address, len, false)
        {
            self.memory.edit(spot, len as usize).1.fill(0xff);
        }
    }

    /// Records an access and tells the observer; whether its value is to count as unconstrained.
    #[inline]
    pub(crate) fn record(
        &mut self,
        t: usize,
        th: &mut Thread,
        address: u64,
        len: u64,
        write: bool,
        access: AccessId,
    ) -> bool {
        let atomic = !self.program.streams.is_empty() && self.transfers(th, address);
        if self.memory.has_pages() {
            self.memory.remember_page(address);
        }
        let access = self.attribute(th, access);
        let open = match &mut self.observer {
            Some(observer) => {
                let (open, pauses) = observer.told(t, th, address, len, write, atomic, access, &self.memory);
                self.paused |= pauses;
                open
            }
            None => false,
        };
        if th.omp.combining.is_some() {
            self.access_in_combiner(t, th, (address, len), (write, atomic), access);
        }
        if th.omp.touched.is_some() {
            self.notice_piece_access(t, th, address, len, write);
        }
        if self.recording && atomic {
            granules(address, len, |granule, mask| {
                th.history.record(Touch { granule, mask, write, atomic, access }, th.epoch, &th.clock);
            });
        } else if self.recording {
            th.history.record_range(address, len, write, access, th.epoch, &th.clock);
        }
        open && self.mode.taint
    }

    /// Compares an access with the others' histories at once: the thread will not arrive anywhere with it.
    pub(crate) fn record_last(
        &mut self,
        t: usize,
        th: &mut Thread,
        address: u64,
        len: u64,
        write: bool,
        access: AccessId,
    ) {
        self.record(t, th, address, len, write, access);
        if self.recording {
            let access = self.attribute(th, access);
            let (threads, races) = (&self.threads, &mut self.races);
            granules(address, len, |granule, mask| {
                let touch = Touch { granule, mask, write, atomic: false, access };
                compare(threads, races, t, &th.clock, th.epoch, &touch);
            });
        }
    }

    /// Compares an atomic access with the other threads' histories, and keeps it where it can matter later; whether its
    /// value is to count as unconstrained.
    pub(crate) fn record_atomic(
        &mut self,
        t: usize,
        th: &mut Thread,
        address: u64,
        len: u64,
        write: bool,
        access: AccessId,
    ) -> bool {
        if self.memory.has_pages() {
            self.memory.remember_page(address);
        }
        let access = self.attribute(th, access);
        let open = match &mut self.observer {
            Some(observer) => {
                let (open, pauses) = observer.told(t, th, address, len, write, true, access, &self.memory);
                self.paused |= pauses;
                open
            }
            None => false,
        };
        let open = open && self.mode.taint;
        self.notice_order(th);
        if th.omp.combining.is_some() {
            self.access_in_combiner(t, th, (address, len), (write, true), access);
        }
        if !self.recording {
            return open;
        }
        granules(address, len, |granule, mask| {
            let touch = Touch { granule, mask, write, atomic: true, access };
            if self.program.weak {
                th.history.record(touch, th.epoch, &th.clock);
            }
            compare(&self.threads, &mut self.races, t, &th.clock, th.epoch, &touch);
            self.notice_atomic(t, &touch);
        });
        open
    }

    /// Whether an atomic access of thread `t` would race with what the others remember.
    pub(crate) fn races_with_history(&self, t: usize, address: u64, len: u64, write: bool) -> bool {
        if !self.recording {
            return false;
        }
        let th = &self.threads[t];
        let mut races = Vec::new();
        granules(address, len, |granule, mask| {
            let touch = Touch { granule, mask, write, atomic: true, access: AccessId(0) };
            compare(&self.threads, &mut races, t, &th.clock, th.epoch, &touch);
        });
        !races.is_empty()
    }

    /// Compares what thread `t` did since it last arrived at a scheduling point with the others' histories. P1,
    /// definition 7: call it when the thread arrives at a synchronisation operation or has ended.
    pub fn compare_arrival(&mut self, t: usize) {
        if !self.recording {
            return;
        }
        // Nobody else looks at this thread's history meanwhile.
        let mut history = std::mem::take(&mut self.threads[t].history);
        let notice = self.notices(t);
        let (threads, races) = (&self.threads, &mut self.races);
        match &mut self.watch {
            Some(watch) if notice != Notice::Nothing => history.drain_new(|segment, touch| {
                compare(threads, races, t, &segment.clock, segment.epoch, touch);
                watch.note(notice, touch);
            }),
            _ => history
                .drain_new(|segment, touch| compare(threads, races, t, &segment.clock, segment.epoch, touch)),
        }
        self.threads[t].history = history;
    }

    /// Forgets segments that every thread that still runs is ordered after: nobody can race with them any more.
    pub fn forget_known(&mut self) {
        if !self.recording {
            return;
        }
        for t in 0..self.threads.len() {
            if self.threads[t].history.segments().is_empty() {
                continue;
            }
            let known = {
                let others = self.threads.iter().enumerate().filter(|&(u, o)| u != t && !o.ended());
                others.map(|(_, o)| o.clock.get(t)).min().unwrap_or(u32::MAX)
            };
            if self.threads[t].history.segments().iter().any(|s| s.epoch <= known) {
                self.save_thread(t);
                self.threads[t].history.forget(|s| s.epoch <= known);
            }
        }
    }

    /// Joins segments that no clock tells apart, so that a thread that goes round a loop comes back to the same state.
    fn merge_segments(&mut self) {
        for t in 0..self.threads.len() {
            if self.threads[t].history.segments().len() < 2 {
                continue;
            }
            let mut known: Vec<u32> = Vec::new();
            for (u, th) in self.threads.iter().enumerate() {
                if u != t {
                    known.push(th.clock.get(t));
                }
                known.extend([th.seen.get(t), th.fenced.get(t)]);
            }
            known.extend(self.sync.clocks().flat_map(|(_, e)| [e.clock.get(t), e.second.get(t)]));
            let between = |a, b| known.iter().any(|&k| a <= k && k < b);
            if self.threads[t].history.can_merge(between) {
                self.save_thread(t);
                self.threads[t].history.merge(between);
            }
        }
    }

    // ---- fingerprint ----

    /// A 128-bit hash of everything that decides how the program can go on and which races can still be found.
    pub fn fingerprint(&mut self) -> u128 {
        for t in 0..self.threads.len() {
            self.compare_arrival(t);
        }
        self.forget_known();
        if self.recording {
            self.merge_segments();
        }
        let mut hash = self.memory.hash();
        let mut scratch = std::mem::take(&mut self.scratch);
        for t in 0..self.threads.len() {
            let thread_hash = match self.threads[t].hash {
                Some(h) => h,
                None => {
                    let h = self.thread_hash(t, &mut scratch);
                    self.threads[t].hash = Some(h);
                    h
                }
            };
            hash = hash.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835).wrapping_add(thread_hash);
        }
        hash ^= self.sync.hash().rotate_left(17);
        hash ^= self.omp.hash(&mut scratch).rotate_left(29);
        let mut relevant = std::mem::take(&mut self.relevant);
        hash = hash.wrapping_add(self.knowledge_hash(&mut scratch, &mut relevant));
        if !self.symbols.is_empty() {
            hash ^= self.symbol_hash(&mut scratch);
        }
        (self.scratch, self.relevant) = (scratch, relevant);
        let tail = [self.holder.map_or(0, |h| h + 1), self.exited.map_or(0, |c| c as u32 | 1 << 31)];
        if tail != [0, 0] {
            hash ^= xxh3_128(&[tail[0].to_le_bytes(), tail[1].to_le_bytes()].concat());
        }
        hash
    }

    /// The hash of a thread's own state. What is hashed is written down in `scratch` so that different states have
    /// different texts: every list is preceded by its length, or its length follows from what precedes it.
    fn thread_hash(&self, t: usize, scratch: &mut Vec<u8>) -> u128 {
        let th = &self.threads[t];
        scratch.clear();
        let mut put = |word: u64| scratch.extend_from_slice(&word.to_le_bytes());
        put(t as u64 | (th.frames.len() as u64) << 32);
        for (i, frame) in th.frames.iter().enumerate() {
            put(u64::from(frame.func.0) | u64::from(frame.pc) << 32);
            put(frame.height as u64);
            let live = self.program.live(frame.func);
            // A frame that did not call the one above it goes on where it stands.
            let stands = th.frames.get(i + 1).is_none_or(|above| above.silent);
            let slots = if stands { live.before(frame.pc) } else { live.across(frame.pc) };
            let mut open = 0;
            for &slot in slots {
                let at = frame.base + slot as usize;
                let shadow = th.shadows[at];
                open += u64::from(shadow != 0);
                put(th.slots[at] & !shadow);
            }
            put(open);
            if open > 0 {
                slots.iter().for_each(|&slot| put(th.shadows[frame.base + slot as usize]));
            }
        }
        put_status(&th.status, &mut put);
        th.omp.put(&self.omp.regions, &mut put);
        put(u64::from(th.joined)
            | u64::from(th.detached) << 1
            | u64::from(th.stage) << 8
            | u64::from(th.uncaught) << 32
            | u64::from(th.nested) << 56);
        put(th.locks.len() as u64 | (th.caught.len() as u64) << 32);
        for held in &th.locks {
            put(held.lock);
        }
        for address in &th.tls {
            put(*address);
        }
        for caught in &th.caught {
            put(caught.object);
            put(caught.handlers.into());
        }
        if th.ended() && !th.joined && !th.detached {
            put(th.result.0);
        }
        for segment in th.history.segments() {
            let hash = segment.accesses.hash();
            put(hash as u64);
            put((hash >> 64) as u64);
        }
        xxh3_128(scratch)
    }

    /// The part of the clocks that matters: for each clock, how many of the remembered segments of each thread it knows.
    /// Only segments other than a thread's newest can be known to others, so mostly there is nothing to hash.
    fn knowledge_hash(&self, scratch: &mut Vec<u8>, relevant: &mut Vec<usize>) -> u128 {
        if !self.recording {
            return 0;
        }
        let remembered = |th: &Thread| th.history.segments().iter().any(|s| s.epoch < th.epoch || th.ended());
        relevant.clear();
        relevant.extend((0..self.threads.len()).filter(|&t| remembered(&self.threads[t])));
        if relevant.is_empty() {
            return 0;
        }
        let mut sum = 0u128;
        let mut add = |tag: u64, clock: &Clock| {
            if clock.is_empty() {
                return;
            }
            let mut something = false;
            scratch.clear();
            for &t in relevant.iter() {
                let segments = self.threads[t].history.segments();
                let known = segments.iter().filter(|s| s.epoch <= clock.get(t)).count();
                something |= known > 0;
                scratch.extend_from_slice(&(known as u32).to_le_bytes());
            }
            if something {
                scratch.extend_from_slice(&tag.to_le_bytes());
                sum = sum.wrapping_add(xxh3_128(scratch));
            }
        };
        for (u, th) in self.threads.iter().enumerate() {
            add(u as u64 * 4, &th.clock);
            add(u as u64 * 4 + 1, &th.seen);
            add(u as u64 * 4 + 2, &th.fenced);
        }
        for (address, entry) in self.sync.clocks() {
            // Which bytes an atomic location's clock belongs to matters as well.
            let tag = address << 1 ^ u64::from(entry.len) << 56;
            add(tag, &entry.clock);
            add(tag | 1, &entry.second);
        }
        sum
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

/// Writes down what a thread is doing.
fn put_status(status: &Status, put: &mut impl FnMut(u64)) {
    let mut words = |words: &[u64]| words.iter().for_each(|&word| put(word));
    match status {
        Status::Ready => words(&[1]),
        Status::Ended => words(&[2]),
        Status::Parked => words(&[11]),
        Status::At(pending) => match *pending {
            Pending::Atomic => words(&[3]),
            Pending::Sync(op, args) => words(&[4 | (op as u64) << 8, args[0], args[1], args[2], args[3]]),
            Pending::Wake { cond, mutex, count, timed, signalled } => {
                words(&[5, cond, mutex, count.into(), u64::from(timed) | u64::from(signalled) << 1]);
            }
            Pending::AtBarrier(address) => words(&[6, address]),
            Pending::Futex { address, woken } => words(&[7, address, woken.into()]),
            Pending::Spin => words(&[8]),
            Pending::Exit(code) => words(&[9, code as u64]),
            Pending::Stuck => words(&[10]),
            Pending::Omp(wait) => {
                let (tag, word) = wait.words();
                words(&[12 | tag << 8, word]);
            }
        },
    }
}

/// Compares one access of thread `t` with all that the others remember.
pub(crate) fn compare(
    threads: &[Thread],
    races: &mut Vec<RawRace>,
    t: usize,
    clock: &Clock,
    epoch: u32,
    touch: &Touch,
) {
    for (u, other) in threads.iter().enumerate() {
        if u == t {
            continue;
        }
        for segment in other.history.segments() {
            if clock.get(u) >= segment.epoch || segment.clock.get(t) >= epoch {
                continue;
            }
            segment.accesses.conflicting(touch, |theirs| {
                races.push(RawRace { first: (u as u32, *theirs), second: (t as u32, *touch) });
            });
        }
    }
}

/// Makes one thread a copy of another, in the room that it has: the search does this for every transition.
fn copy_thread(to: &mut Thread, from: &Thread) {
    let Thread {
        frames,
        slots,
        shadows,
        status,
        clock,
        epoch,
        history,
        seen,
        fenced,
        locks,
        result,
        joined,
        detached,
        created,
        start,
        caught,
        uncaught,
        nested,
        stage,
        tls,
        choice,
        omp,
        hash,
        saved,
        maybe,
        aside,
        told,
        group,
        touched,
        spawned,
    } = from;
    let copy_clock = |to: &mut Clock, from: &Clock| {
        to.clear();
        to.join(from);
    };
    to.frames.clone_from(frames);
    to.slots.clone_from(slots);
    to.shadows.clone_from(shadows);
    to.status = *status;
    copy_clock(&mut to.clock, clock);
    to.epoch = *epoch;
    to.history.copy_from(history);
    copy_clock(&mut to.seen, seen);
    copy_clock(&mut to.fenced, fenced);
    to.locks.clone_from(locks);
    to.result = *result;
    to.joined = *joined;
    to.detached = *detached;
    to.created = *created;
    to.start = *start;
    to.caught.clone_from(caught);
    to.uncaught = *uncaught;
    to.nested = *nested;
    to.stage = *stage;
    to.tls.clone_from(tls);
    to.choice = *choice;
    to.omp.clone_from(omp);
    to.hash = *hash;
    to.saved = *saved;
    to.maybe = *maybe;
    to.aside = *aside;
    to.told = *told;
    to.group = *group;
    to.touched = *touched;
    to.spawned.clone_from(spawned);
}
