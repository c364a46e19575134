//! Teams: fork, barrier, join, and regions of one thread.

use base::reason::{Beyond, Openmp, Reason, Role};
use std::sync::Arc;

use base::DefectKind;
use ir::{ArgKind, FuncId};

use super::contention::team_counts;
use super::icv::Icv;
use super::{OmpWait, Region, Seat};
use crate::interp::access::Value;
use crate::memory::layout::RegionId;
use crate::memory::object::{Family, Origin};
use crate::native::Call;
use crate::observe::{Edge, Question, Work};
use crate::state::Machine;
use crate::stop::Stop;
use crate::sync::table::{Entry, Kind};
use crate::thread::{Frame, Pending, Status, Thread};

/// Bytes of a region's home, which also holds the numbers that an outlined function gets pointers to.
const HOME: u64 = 64;
/// How much address space behind a home belongs to the region's synchronisation objects.
pub(super) const ESTATE: u64 = 1 << 29;

/// The home of the region that a thread is in before it forks any.
pub(crate) fn initial_home(t: usize) -> u64 {
    1 << 63 | 1 << 50 | (t as u64) << 30 | 8
}

/// Where a region's `ordered` and `doacross` loops pass on clocks.
pub(crate) fn share_object(home: u64, share: u64) -> u64 {
    estate(home) + (1 << 20) + (share % 4096) * 8
}

/// Where the synchronisation objects of a region are that have no memory of their own.
pub(crate) fn estate(home: u64) -> u64 {
    // A narrow address has no room behind it; none of this size is in use there.
    if home >> 32 == 0 { home << 30 } else { home }
}

impl<'p> Machine<'p> {
    // ---- where a thread is ----

    /// The thread's place in its innermost region. A thread outside all regions is a team of its own.
    pub(crate) fn seat<'t>(&mut self, t: usize, th: &'t mut Thread) -> &'t mut Seat {
        if th.omp.seats.is_empty() {
            let home = initial_home(t);
            let icv = self.icv_of(th);
            self.omp_mut()
                .regions
                .insert(home, Arc::new(Region { members: vec![t as u32], ..Region::default() }));
            th.omp.seats.push(Seat::new(home, 0, 1, icv));
        }
        th.omp.seats.last_mut().expect("just made sure")
    }

    /// The control variables of what the thread executes.
    pub(crate) fn icv_of(&self, th: &Thread) -> Icv {
        match th.omp.seats.last() {
            Some(seat) => {
                let task = seat.running.last().and_then(|r| self.omp.tasks.get(&r.task));
                task.map_or(seat.icv, |t| t.icv)
            }
            None => th.omp.icv.unwrap_or_else(|| Icv::new(&self.program.openmp)),
        }
    }

    /// The region at a home.
    pub(crate) fn region(&self, home: u64) -> &Region {
        self.omp.regions.get(&home).expect("a seat's region exists")
    }

    /// The region at a home, to be changed.
    pub(crate) fn region_mut(&mut self, home: u64) -> &mut Region {
        Arc::make_mut(self.omp_mut().regions.get_mut(&home).expect("a seat's region exists"))
    }

    /// Whether a place is that of a thread outside of all regions.
    pub(super) fn is_initial(seat: &Seat) -> bool {
        seat.home >> 63 != 0
    }

    /// Whether a thread belongs to a team of several.
    pub(crate) fn is_in_team(&self, th: &Thread) -> bool {
        th.omp.seats.iter().any(|s| !Self::is_initial(s) && s.size > 1)
    }

    /// Whether the thread is alone in its team. The teams of a league have one thread each until they fork.
    pub(crate) fn is_team_of_one(&mut self, t: usize, th: &mut Thread) -> bool {
        let seat = self.seat(t, th);
        let (home, size) = (seat.home, seat.size);
        size == 1 || self.region(home).league
    }

    // ---- fork ----

    /// How many threads the next team has: as many as asked for, or fewer if `dyn-var` is true (OpenMP 5.2, 10.1.1), which is asked for.
    pub(crate) fn team_size(&mut self, th: &mut Thread) -> Result<u32, Stop> {
        let icv = self.icv_of(th);
        let told = th.omp.threads.or(icv.threads);
        if told.is_some_and(|n| n > 1) {
            self.program.note_told();
        }
        let asked = told.unwrap_or_else(|| self.program.thread_count()).max(1);
        let active = th.omp.seats.last().map_or(0, |s| self.region(s.home).active);
        let most = if active >= icv.levels { 1 } else { asked.min(icv.limit) };
        let sizes = team_counts(most);
        let size = if !icv.dynamic || sizes.len() == 1 || self.program.module.default_distribution {
            most
        } else {
            self.program.note_dynamic(most);
            let Some(answer) = th.choice.take() else {
                self.question = Question::Threads { most };
                return Err(Stop::Choose(sizes.len() as u32));
            };
            sizes[answer as usize]
        };
        th.omp.threads = None;
        Ok(size)
    }

    /// Forks a team that executes an outlined function with the given arguments behind the two pointers to thread
    /// numbers; the calling thread stands at the call.
    pub(crate) fn fork(
        &mut self,
        t: usize,
        th: &mut Thread,
        outlined: u64,
        args: &[Value],
        size: u32,
        league: bool,
    ) -> Result<(), Stop> {
        let func = self.outlined(outlined, args.len())?;
        self.fork_in_lane(t, th);
        if size as usize > usize::from(u16::MAX) {
            return Err(Stop::unknown(Beyond::Team(size)));
        }
        if th.frames.len() >= self.mode.max_frames {
            return Err(self.stack_overflow());
        }
        let home = self.numbers(t, HOME)?;
        // The home outlives the outlined function.
        let height = self.memory.height(RegionId::stack(t));
        let mut members = vec![t as u32];
        let depth = th.omp.seats.iter().filter(|s| !Self::is_initial(s) && s.number == 0).count() as u32;
        for number in 1..size {
            members.push(self.worker(th, t, depth, number)? as u32);
        }
        let nested = self.is_in_team(th);
        if league || nested && size > 1 {
            self.program.note_number();
        }
        if size > 1 {
            self.program.note_team(size);
        }
        let dynamic = self.icv_of(th).dynamic;
        if league {
            self.end_persistence();
        }
        let policy = std::mem::take(&mut th.omp.policy);
        self.lose_locals(t, depth, &members, policy, nested || dynamic);
        self.open_region(t, th, home, members.clone(), league);
        let mut icv = self.icv_of(th);
        if league {
            let limit = if icv.teams_limit > 0 { icv.teams_limit } else { icv.limit };
            icv.limit = icv.limit.min(limit);
        }
        for (number, &u) in members.iter().enumerate().skip(1) {
            self.rouse(t, th, u as usize, home);
            let u = u as usize;
            let mut worker = std::mem::take(&mut self.threads[u]);
            let base_height = self.memory.height(RegionId::stack(u));
            let ids = self.numbers(u, 8)?;
            worker.omp.seats.push(Seat::new(home, number as u32, size, icv));
            self.enter_outlined(&mut worker, func, ids, base_height, args);
            self.threads[u] = worker;
        }
        if size > 1 {
            self.next_epoch(t, th);
            self.recording = self.mode.histories;
        }
        th.omp.seats.push(Seat::new(home, 0, size, icv));
        self.enter_outlined(th, func, home, height, args);
        Ok(())
    }

    /// Something that lets no `threadprivate` variable of a worker persist until the next team (OpenMP 5.2, 5.2): a `teams` construct, one
    /// with `order(concurrent)` outside of teams, `omp_pause_resource`.
    pub(crate) fn end_persistence(&mut self) {
        if self.omp.sizes.values().any(|last| last.0 != 0) {
            self.omp_mut().sizes.values_mut().for_each(|last| last.0 = 0);
        }
    }

    /// What threads have in `threadprivate` variables persists only between teams of the same size and affinity that are not nested,
    /// while `dyn-var` is false: otherwise (`loses`, or another team) nobody knows what they find there.
    fn lose_locals(&mut self, t: usize, depth: u32, members: &[u32], policy: u32, loses: bool) {
        let size = members.len() as u32;
        if size < 2 {
            return;
        }
        let last = self.omp_mut().sizes.insert((t as u32, depth), (size, policy));
        if last.is_none_or(|last| last == (size, policy) && !loses) {
            return;
        }
        for &u in &members[1..] {
            let tls = self.threads[u as usize].tls.clone();
            for (index, &address) in tls.iter().enumerate().filter(|(_, address)| **address != 0) {
                let global = &self.program.module.globals[self.program.tls[index].0 as usize];
                let len = global.size;
                // What the library keeps for a thread is the thread's.
                let users = !global.name.starts_with("__rp") && global.var.is_some();
                if users && let Ok(spot) = self.memory.resolve(address, len, true) {
                    self.memory.edit(spot, len as usize).1.fill(0xff);
                }
            }
        }
    }

    fn outlined(&self, address: u64, args: usize) -> Result<FuncId, Stop> {
        let Some(func) = self.program.function_at(address) else {
            return Err(Stop::defect(
                DefectKind::InvalidCall,
                "a team is to run something that is no function",
            ));
        };
        let function = &self.program.module.funcs[func.0 as usize];
        let scalar = |p: &ArgKind| matches!(p, ArgKind::Scalar(s) if s.slots() == 1);
        if function.body.is_none() || !function.params.iter().all(scalar) || function.params.len() > args + 2
        {
            return Err(Stop::unknown(Reason::NoModel {
                function: function.display.clone(),
                role: Role::Team,
            }));
        }
        Ok(func)
    }

    /// An internal object that holds the thread's number (for the outlined function).
    fn numbers(&mut self, t: usize, size: u64) -> Result<u64, Stop> {
        let region = RegionId::stack(t);
        let address = self
            .memory
            .create(region, size, 8, true, Family::None, Origin::Internal)
            .ok_or_else(|| self.stack_overflow())?;
        self.memory.make_private(region);
        let spot = self.memory.resolve(address, 4, true).expect("a fresh object");
        self.memory.store(spot, 4, t as u64, 0);
        Ok(address)
    }

    fn enter_outlined(&mut self, th: &mut Thread, func: FuncId, ids: u64, height: usize, args: &[Value]) {
        let values = [(ids, 0), (ids + 4, 0)].into_iter().chain(args.iter().copied());
        self.push_runtime(th, func, height, values);
    }

    /// Calls a function for the runtime, which goes on when it returns.
    pub(super) fn call_runtime(&mut self, t: usize, th: &mut Thread, func: FuncId, args: &[Value]) {
        let height = self.memory.height(RegionId::stack(t));
        self.push_runtime(th, func, height, args.iter().copied());
    }

    fn push_runtime(
        &mut self,
        th: &mut Thread,
        func: FuncId,
        height: usize,
        values: impl Iterator<Item = Value>,
    ) {
        let function = &self.program.module.funcs[func.0 as usize];
        let slots = function.body.as_ref().expect("checked").slots as usize;
        let base = th.slots.len();
        th.slots.resize(base + slots, 0);
        th.shadows.resize(base + slots, 0);
        for (i, (value, shadow)) in values.take(function.params.len()).enumerate() {
            th.slots[base + i] = value;
            th.shadows[base + i] = if self.mode.taint { shadow } else { 0 };
        }
        th.frames.push(Frame { func, pc: 0, base, height, varargs: 0, silent: false, runtime: true });
    }

    /// The thread that is worker `number` of the teams that thread `t` forks at that depth.
    fn worker(&mut self, th: &Thread, t: usize, depth: u32, number: u32) -> Result<usize, Stop> {
        let key = (t as u32, depth, number);
        if let Some(&u) = self.omp.pool.get(&key) {
            return Ok(u as usize);
        }
        if self.threads.len() >= self.memory.layout().max_threads() {
            return Err(Stop::unknown(Beyond::Threads));
        }
        let u = self.threads.len();
        let mut clock = th.clock.clone();
        clock.set(u, 1);
        let mut worker = Thread::new(clock, self.user_place(th), None);
        worker.status = Status::Parked;
        worker.detached = true;
        worker.omp.worker = true;
        self.add_thread(worker);
        self.omp_mut().pool.insert(key, u as u32);
        self.observe(t, th, Edge::Fork(u));
        Ok(u)
    }

    /// Begins a region.
    pub(crate) fn open_region(&mut self, t: usize, th: &Thread, home: u64, members: Vec<u32>, league: bool) {
        let (level, active) = th.omp.seats.last().map_or((0, 0), |s| {
            let outer = self.region(s.home);
            (outer.level, outer.active)
        });
        let more = u32::from(!league);
        let many = u32::from(!league && members.len() > 1);
        let omp = self.omp_mut();
        let serial = omp.next_region;
        omp.next_region += 1;
        let told = Work::Fork { region: serial, members: members.iter().map(|&m| m as usize).collect() };
        let region = Region {
            serial,
            members,
            league,
            level: level + more,
            active: active + many,
            ..Region::default()
        };
        omp.regions.insert(home, Arc::new(region));
        self.tell(t, th, &told);
    }

    /// Makes a parked worker ready; it is ordered after the thread that forks.
    fn rouse(&mut self, t: usize, th: &Thread, u: usize, home: u64) {
        self.save_thread(u);
        let created = self.user_place(th);
        self.observe(t, th, Edge::Release(home));
        let mut worker = std::mem::take(&mut self.threads[u]);
        self.observe(u, &worker, Edge::Acquire(home));
        worker.created = created;
        worker.clock.join(&th.clock);
        worker.status = Status::Ready;
        self.threads[u] = worker;
    }

    // ---- barriers and the end ----

    /// An outlined function has returned: its thread has come to the end of the region.
    pub(crate) fn implicit_task_ends(&mut self, t: usize, th: &mut Thread) -> Result<(), Stop> {
        self.arrive(t, th, OmpWait::Join)
    }

    /// The thread arrives at its team's barrier, or at the end of the region.
    pub(crate) fn arrive(&mut self, t: usize, th: &mut Thread, wait: OmpWait) -> Result<(), Stop> {
        let seat = self.seat(t, th);
        let (home, number) = (seat.home, seat.number);
        seat.doing = None;
        let region = self.region_mut(home);
        let list = if wait == OmpWait::Join { &mut region.ended } else { &mut region.arrived };
        list.insert(list.partition_point(|&n| n < number), number);
        self.pass_on(t, th, &[home]);
        th.status = Status::At(Pending::Omp(wait));
        self.meet(t, th, home);
        match th.status {
            Status::Ready => Ok(()),
            _ => Err(Stop::AtSync),
        }
    }

    /// What the thread has done is passed on through runtime objects.
    pub(crate) fn pass_on(&mut self, t: usize, th: &mut Thread, objects: &[u64]) {
        for &object in objects {
            let mut entry = self.sync.get(object).cloned().unwrap_or_else(|| Entry::new(Kind::Atomic));
            entry.clock.join(&th.clock);
            self.set_sync(object, Some(entry));
            self.observe(t, th, Edge::Release(object));
        }
        self.next_epoch(t, th);
    }

    /// Lets everybody go on if all threads of the region are at its barrier or its end, and its tasks are done.
    pub(crate) fn meet(&mut self, t: usize, th: &mut Thread, home: u64) {
        let region = self.region(home);
        let (serial, members) = (region.serial, region.members.clone());
        let everybody = members.len();
        if region.tasks > 0 {
            return;
        }
        if region.ended.len() == everybody {
            // The forking thread comes last: what it goes on with sees the workers parked.
            for &u in members.iter().rev() {
                self.with(t, th, u as usize, |m, u, th| m.leave_region(u, th, home, serial));
            }
        } else if region.arrived.len() == everybody {
            let region = self.region_mut(home);
            region.arrived.clear();
            region.beside.clear();
            self.tell(t, th, &Work::Phase { region: serial });
            for &u in &members {
                self.with(t, th, u as usize, |m, u, th| {
                    m.acquire(u, th, home);
                    m.done(th, 0);
                });
            }
        }
    }

    /// Does something with thread `u`, which may be the running one.
    pub(crate) fn with<R>(
        &mut self,
        t: usize,
        th: &mut Thread,
        u: usize,
        act: impl FnOnce(&mut Self, usize, &mut Thread) -> R,
    ) -> R {
        if u == t {
            return act(self, t, th);
        }
        self.save_thread(u);
        let mut other = std::mem::take(&mut self.threads[u]);
        let result = act(self, u, &mut other);
        self.threads[u] = other;
        result
    }

    fn leave_region(&mut self, u: usize, th: &mut Thread, home: u64, serial: u32) {
        let seat = th.omp.seats.pop().expect("the thread was in the region");
        if seat.number > 0 {
            self.park(u, th);
            return;
        }
        self.acquire(u, th, home);
        self.close_region(u, th, home);
        self.tell(u, th, &Work::Join { region: serial });
        self.done(th, 0);
        self.forget_if_alone(u, th);
    }

    /// Ends a region and its home.
    fn close_region(&mut self, t: usize, th: &mut Thread, home: u64) {
        let members = self.region(home).members.len();
        if self.region(home).league {
            self.forget_group_locks();
        }
        self.forget_tasks(home, members);
        self.disown_locks(home);
        self.omp_mut().regions.remove(&home);
        if let Some((region, index, _)) = self.memory.find(home)
            && self.memory.height(region) == index + 1
        {
            self.pop_stack(t, th, index);
        }
        self.set_sync(home, None);
        for object in self.sync.within(estate(home), ESTATE) {
            self.set_sync(object, None);
        }
    }

    fn park(&mut self, u: usize, th: &mut Thread) {
        th.status = Status::Parked;
        th.result = (0, 0);
        // Whoever wakes it knows all that it knows.
        th.clock.clear();
        th.clock.set(u, th.epoch);
        th.seen.clear();
        th.fenced.clear();
    }

    /// When only parked workers are left, nobody can race with the past any more.
    fn forget_if_alone(&mut self, t: usize, th: &mut Thread) {
        let parked = |(u, other): (usize, &Thread)| u == t || other.status == Status::Parked;
        if !self.recording || !self.threads.iter().enumerate().all(parked) {
            return;
        }
        // What was not compared yet must be, before it is forgotten.
        self.threads[t].history = std::mem::take(&mut th.history);
        for u in 0..self.threads.len() {
            self.compare_arrival(u);
        }
        for u in (0..self.threads.len()).filter(|&u| u != t) {
            self.save_thread(u);
            self.threads[u].history.clear();
        }
        self.threads[t].history.clear();
        self.recording = false;
    }

    // ---- regions of one thread ----

    /// `__kmpc_serialized_parallel`: a region of one thread, executed in place.
    pub(crate) fn begin_serial(&mut self, t: usize, th: &mut Thread) -> Result<(), Stop> {
        th.omp.threads = None;
        self.fork_in_lane(t, th);
        let home = self.numbers(t, HOME)?;
        let icv = self.icv_of(th);
        self.open_region(t, th, home, vec![t as u32], false);
        th.omp.seats.push(Seat::new(home, 0, 1, icv));
        Ok(())
    }

    /// `__kmpc_end_serialized_parallel`: waits for the tasks of the region, and ends it.
    pub(crate) fn serial_ends(c: &mut Call) -> Result<(), Stop> {
        match c.machine.team_has_tasks(c.th) {
            true => Self::stand(c, OmpWait::Serial),
            false => c.machine.end_serial(c.t, c.th),
        }
    }

    /// Ends the region of one thread that the thread is in.
    pub(crate) fn end_serial(&mut self, t: usize, th: &mut Thread) -> Result<(), Stop> {
        let Some(seat) = th.omp.seats.pop() else {
            return Err(Stop::unknown(Openmp::RegionEnd));
        };
        let serial = self.region(seat.home).serial;
        self.close_region(t, th, seat.home);
        self.tell(t, th, &Work::Join { region: serial });
        Ok(())
    }
}
