//! Creating, ending, joining and detaching threads.

use base::DefectKind;
use base::reason::{Beyond, Reason, Role, Used};
use ir::FuncId;

use crate::observe::{Edge, Work};
use crate::state::Machine;
use crate::stop::Stop;
use crate::symmetry::ENOUGH;
use crate::thread::Thread;

impl<'p> Machine<'p> {
    /// Creates a thread that runs `start(arg)`; gives its number.
    pub(crate) fn spawn(
        &mut self,
        t: usize,
        th: &mut Thread,
        start: u64,
        arg: (u64, u64),
        detached: bool,
    ) -> Result<usize, Stop> {
        let Some(func) = self.program.function_at(start) else {
            return Err(Stop::defect(
                DefectKind::InvalidCall,
                "a thread is to run something that is no function",
            ));
        };
        if self.threads.len() >= self.memory.layout().max_threads() {
            return Err(Stop::unknown(Beyond::Threads));
        }
        self.publish(arg.0, None);
        let u = self.threads.len();
        let group = self.group_of_new(t, th, u, (start, arg, detached));
        let mut clock = th.clock.clone();
        clock.set(u, 1);
        let mut child = Thread::new(clock, self.user_place(th), Some(func));
        child.detached = detached;
        child.group = group;
        self.enter_thread(u, &mut child, func, start, arg)?;
        self.add_thread(child);
        self.observe(t, th, Edge::Fork(u));
        self.next_epoch(t, th);
        self.note_spawned(t, th, (start, arg, detached));
        Ok(u)
    }

    fn enter_thread(
        &mut self,
        u: usize,
        child: &mut Thread,
        func: FuncId,
        start: u64,
        arg: (u64, u64),
    ) -> Result<(), Stop> {
        match self.program.thread_main {
            Some(main) => self.enter_with(u, child, main, &[start, arg.0]),
            None if self.program.module.funcs[func.0 as usize].body.is_some() => {
                self.enter_with(u, child, func, &[arg.0]);
            }
            None => {
                let function = self.program.module.funcs[func.0 as usize].display.clone();
                return Err(Stop::unknown(Reason::NoModel { function, role: Role::Thread }));
            }
        }
        // The argument is the last parameter in both cases.
        let at = if self.program.thread_main.is_some() { 1 } else { 0 };
        if let Some(shadow) = child.shadows.get_mut(at) {
            *shadow = arg.1;
        }
        Ok(())
    }

    /// The thread that a `pthread_t` names: its number plus one.
    fn thread_of(&self, handle: u64) -> Option<usize> {
        (handle as usize).checked_sub(1).filter(|&u| u < self.threads.len())
    }

    /// Whether joining would not block. Joining nobody is a defect and does not block either.
    pub(crate) fn join_ready(&self, handle: u64) -> bool {
        self.thread_of(handle)
            .is_none_or(|u| self.threads[u].ended() || self.threads[u].joined || self.looks_past(u))
    }

    pub(crate) fn join(&mut self, t: usize, th: &mut Thread, handle: u64, out: u64) -> Result<(), Stop> {
        let misuse = |what: &str| Err(Stop::defect(DefectKind::Misuse, format!("pthread_join of {what}")));
        let Some(u) = self.thread_of(handle) else { return misuse("something that is no thread") };
        if u == t {
            self.done(th, super::errno::EDEADLK);
            return Ok(());
        }
        if self.threads[u].joined {
            return misuse("a thread that was joined before");
        }
        if self.threads[u].detached {
            return misuse("a detached thread");
        }
        self.observe(t, th, Edge::Join(u));
        self.save_thread(u);
        self.threads[u].joined = true;
        let (clock, result) = (self.threads[u].clock.clone(), self.threads[u].result);
        self.learn(t, th, &clock);
        if out != 0 {
            let access = self.native_access(th);
            self.store(t, th, out, ir::Scalar::Ptr, result, None, access)?;
        }
        self.done(th, 0);
        if self.looked_enough(t) { Err(ENOUGH) } else { Ok(()) }
    }

    pub(crate) fn detach(&mut self, th: &mut Thread, t: usize, handle: u64) -> Result<u64, Stop> {
        let Some(u) = self.thread_of(handle) else {
            return Err(Stop::defect(DefectKind::Misuse, "pthread_detach of something that is no thread"));
        };
        self.notice_detach(t, th, u);
        if u != t {
            // Whether somebody joins it before or after is up to the schedule.
            self.tell(t, th, &Work::Steered(Used::Detaching));
        }
        let other = if u == t {
            th
        } else {
            self.save_thread(u);
            &mut self.threads[u]
        };
        // POSIX leaves it undefined: the id of a thread that was joined or detached names nothing any more.
        let before = match (other.joined, other.detached) {
            (true, _) => "joined",
            (_, true) => "detached",
            _ => {
                other.detached = true;
                return Ok(0);
            }
        };
        let message = format!("pthread_detach of a thread that was {before} before");
        Err(Stop::defect(DefectKind::Misuse, message))
    }
}
