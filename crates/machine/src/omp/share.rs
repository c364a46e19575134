//! Worksharing: loops, sections, `single`, and who executes which piece.

use base::reason::{Openmp, Subject, Used};
use std::sync::Arc;

use super::sched::{self, Rounding, Split, kind};
use super::team::share_object;
use super::{Alike, Doing, OmpWait, Resume, Share};
use crate::native::Call;
use crate::observe::{Question, ShareKind, Work};
use crate::state::Machine;
use crate::stop::Stop;
use crate::thread::{Pending, Status, Thread};

/// Flags of clang's `ident_t`.
const SECTIONS: u32 = 0x400;
const DISTRIBUTE: u32 = 0x800;

/// A loop as the runtime is told of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Loop {
    /// The schedule, with modifiers.
    pub schedule: u32,
    /// The first value of the loop variable.
    pub lower: i128,
    /// The last.
    pub upper: i128,
    /// The step.
    pub step: i128,
    /// The chunk size of the clause.
    pub chunk: i64,
}

/// What is known of a construct when a thread comes to it.
#[derive(Debug, Clone, Copy)]
struct Shape {
    kind: ShareKind,
    split: Split,
    open: bool,
    loose: bool,
    /// Whether iterations of one thread may run at the same time although they are pieces of their own.
    lanes: bool,
}

impl Machine<'_> {
    // ---- constructs ----

    /// The thread comes to its next worksharing construct; gives the construct's number in the region.
    fn enter_share(&mut self, t: usize, th: &mut Thread, shape: Shape) -> u64 {
        let Shape { kind, split, open, loose, lanes } = shape;
        th.omp.touched = None;
        let seat = self.seat(t, th);
        let home = seat.home;
        let announced = std::mem::take(&mut seat.announced);
        (seat.last, seat.kept) = (None, None);
        if !announced {
            seat.shares += 1;
        }
        let number = seat.shares - 1;
        let (several, initial) = (seat.size > 1, Self::is_initial(seat));
        let free = !self.program.module.default_distribution;
        // What was announced has a clause `ordered`.
        let (open, loose) = (open && free && several, loose && free && !announced);
        if several && !open {
            // Who executes what depends on the size of the team.
            self.program.note_number();
        }
        if initial && loose && split.pieces() > 1 && self.observer.is_some() && !self.watches_order {
            (self.watches_order, self.order_matters) = (true, false);
        }
        if several || (loose && !initial) {
            self.tell(t, th, &Work::Enter { nth: number });
        }
        let region = self.region(home);
        match region.share(number) {
            None => {
                let omp = self.omp_mut();
                let serial = omp.next_share;
                omp.next_share += 1;
                let share = Share { loose, lanes, ..Share::new(serial, kind, split, open) };
                self.region_mut(home).shares.push_back(Arc::new(share));
            }
            // A doacross nest was announced before its loop was known.
            Some(share) if share.split != split || share.kind != kind || share.open != open => {
                if announced && share.owners.is_empty() && share.left == 0 {
                    let share = self.region_mut(home).share_mut(number).expect("just found");
                    (share.kind, share.split, share.open) = (kind, split, open);
                    share.loose = loose;
                }
            }
            Some(_) => {}
        }
        number
    }

    /// The construct has the mapping of those of the region that are like it.
    fn share_mapping(&mut self, home: u64, number: u64, alike: Alike) {
        let region = self.region_mut(home);
        let known = region.mappings.iter().position(|(other, _)| *other == alike);
        let at = known.unwrap_or_else(|| {
            region.mappings.push((alike, Vec::new()));
            region.mappings.len() - 1
        });
        if let Some(share) = region.share_mut(number) {
            share.mapping = Some(at);
        }
    }

    /// The thread is done with a construct; it is forgotten when all are.
    fn leave_share(&mut self, home: u64, number: u64) {
        let everybody = self.region(home).members.len() as u32;
        let region = self.region_mut(home);
        if let Some(share) = region.share_mut(number) {
            share.left += 1;
        }
        let mut gone = Vec::new();
        while region.shares.front().is_some_and(|s| s.left == everybody) {
            region.shares.pop_front();
            gone.push(region.first_share);
            region.first_share += 1;
        }
        for number in gone {
            let object = share_object(home, number);
            if self.sync.get(object).is_some() {
                self.set_sync(object, None);
            }
        }
    }

    /// Who executes a piece of a construct; asks if that is not decided yet.
    pub(super) fn owner(&mut self, th: &mut Thread, home: u64, number: u64, piece: u64) -> Result<u32, Stop> {
        let region = self.region(home);
        let everybody = region.members.len() as u64;
        let share = region.share(number).expect("the construct is being executed");
        if !share.open {
            return Ok((piece % everybody) as u32);
        }
        let (mapping, owners) = match share.mapping {
            Some(at) => (Some(at), &region.mappings[at].1),
            None => (None, &share.owners),
        };
        if let Some(&owner) = owners.get(piece as usize) {
            return Ok(owner.into());
        }
        debug_assert_eq!(owners.len() as u64, piece);
        let Some(answer) = th.choice.take() else {
            let (share, kind, pieces) = (share.serial, share.kind, share.split.pieces());
            self.question = Question::Owner { share, kind, piece, pieces };
            return Err(Stop::Choose(everybody as u32));
        };
        let region = self.region_mut(home);
        match mapping {
            Some(at) => region.mappings[at].1.push(answer as u16),
            None => region.share_mut(number).expect("just found").owners.push(answer as u16),
        }
        Ok(answer)
    }

    /// Ends the piece that the thread executes, if there is one, and begins its next one, if there is one.
    fn next_piece(&mut self, t: usize, th: &mut Thread) -> Result<Option<(u64, u64)>, Stop> {
        self.end_piece(t, th);
        let seat = self.seat(t, th);
        let (home, me) = (seat.home, seat.number);
        let doing = seat.doing.as_ref().expect("a construct is being executed");
        let (number, mut piece) = (doing.share, doing.cursor);
        let share = self.region(home).share(number).expect("a construct is being executed");
        let split = share.split;
        if share.loose && self.mode.piece_orders {
            let Some(piece) = self.any_piece(t, th, home, number)? else { return Ok(None) };
            self.doing(t, th).cursor = piece + 1;
            let (first, count) = split.piece(piece);
            self.begin_piece(t, th, (first, count), None);
            return Ok(Some((first, count)));
        }
        while piece < split.pieces() && self.owner(th, home, number, piece)? != me {
            piece += 1;
            self.doing(t, th).cursor = piece;
        }
        if piece >= split.pieces() {
            return Ok(None);
        }
        let (first, count) = split.piece(piece);
        self.doing(t, th).cursor = piece + 1;
        self.begin_piece(t, th, (first, count), None);
        Ok(Some((first, count)))
    }

    pub(super) fn doing<'t>(&mut self, t: usize, th: &'t mut Thread) -> &'t mut Doing {
        self.seat(t, th).doing.as_mut().expect("a construct is being executed")
    }

    fn begin_piece(
        &mut self,
        t: usize,
        th: &mut Thread,
        (first, count): (u64, u64),
        again: Option<(u64, u64)>,
    ) {
        let doing = self.doing(t, th);
        doing.piece = Some((first, count));
        doing.finished = 0;
        let number = doing.share;
        let seat = self.seat(t, th);
        if let Some(kept) = &mut seat.kept {
            Arc::make_mut(kept).followed = true;
        }
        let (home, size) = (seat.home, seat.size);
        let share = Arc::clone(self.region(home).share(number).expect("a construct is being executed"));
        if share.lanes && self.observer.is_some() {
            self.watch_lane(th);
        }
        if size > 1 || share.loose {
            self.watch_piece(th, &share);
            let last = first + count == share.split.trips();
            // Pieces in any order are, to observers, pieces that could be anywhere.
            let (kind, open, mapping) =
                (share.kind, share.open || share.loose, share.mapping.map(|m| m as u32));
            let (share, nth, number) = (share.serial, number, first);
            let begin = Work::Begin { share, nth, kind, number, count, open, again, mapping };
            self.tell(t, th, &begin);
            if last && open && self.observer.is_some() {
                self.seat(t, th).last = Some(begin);
            }
        }
    }

    fn end_piece(&mut self, t: usize, th: &mut Thread) {
        let seat = self.seat(t, th);
        let (home, size) = (seat.home, seat.size);
        let Some(doing) = &mut seat.doing else { return };
        let number = doing.share;
        let Some((first, count)) = doing.piece.take() else { return };
        let share = self.region(home).share(number).expect("a construct is being executed");
        let (lanes, silent) = (share.lanes, size == 1 && !share.loose);
        if lanes {
            self.end_lane(t, th);
        }
        if silent {
            return;
        }
        let share = self.region(home).share(number).expect("a construct is being executed");
        let (serial, trips) = (share.serial, share.split.trips());
        let restores = ["__rp_last_restore", "__rp_last_restore_object"];
        let writes_back = || restores.iter().any(|f| self.program.module.func(f).is_some());
        if share.loose && self.mode.piece_orders && first + count == trips && writes_back() {
            self.keep_last(t, th);
        }
        self.end_watch(th);
        self.tell(t, th, &Work::End { share: serial });
    }

    /// Ends the construct for this thread.
    fn finish_share(&mut self, t: usize, th: &mut Thread) {
        self.end_piece(t, th);
        self.end_watch_alone(t, th);
        let seat = self.seat(t, th);
        let home = seat.home;
        if let Some(doing) = &mut seat.doing
            && !std::mem::replace(&mut doing.left, true)
        {
            let number = doing.share;
            self.leave_share(home, number);
        }
    }

    /// A construct outside of all regions ends: says whether the order of its pieces matters.
    fn end_watch_alone(&mut self, t: usize, th: &mut Thread) {
        if self.observer.is_some() && self.watches_order && Self::is_initial(self.seat(t, th)) {
            self.watches_order = false;
            if std::mem::take(&mut self.order_matters) {
                self.tell(t, th, &Work::Steered(Used::OuterPieces));
            }
        }
    }

    // ---- loops that clang lowers to `__kmpc_for_static_init_*` ----

    /// `__kmpc_for_static_init_*`: the bounds are in memory, and are replaced by those of the thread.
    pub(crate) fn static_init(c: &mut Call, bytes: u8, signed: bool) -> Result<(), Stop> {
        let at = [c.arg(3)?, c.arg(4)?, c.arg(5)?, c.arg(6)?];
        let step = extend(c.arg(7)?, bytes, true);
        let chunk = extend(c.arg(8)?, bytes, true) as i64;
        let schedule = c.int(2)? as u32;
        let lower = extend(c.variable(at[1], bytes)?, bytes, signed);
        let upper = extend(c.variable(at[2], bytes)?, bytes, signed);
        let flags = c.ident_flags();
        let line = Loop { schedule, lower, upper, step, chunk };
        let kind = share_kind(flags, schedule);
        c.machine.begin_static(c.t, c.th, line, kind, (at, bytes))
    }

    fn begin_static(
        &mut self,
        t: usize,
        th: &mut Thread,
        line: Loop,
        kind: ShareKind,
        (at, bytes): ([u64; 4], u8),
    ) -> Result<(), Stop> {
        if self.seat(t, th).doing.as_ref().is_some_and(|d| !d.left && d.resume.is_some()) {
            // Asked again, after an answer: the construct was entered already.
            return self.begin_open(t, th, at, bytes);
        }
        let trips = sched::trips(line.lower, line.upper, line.step);
        self.refuse_in_league(t, th, kind)?;
        let seat = self.seat(t, th);
        let (size, me) = (u64::from(seat.size), u64::from(seat.number));
        let marked = line.schedule & sched::OPEN != 0;
        let together = size == 1 && line.schedule & sched::LANES != 0;
        let stepwise = marked && !together && !self.program.module.default_distribution;
        let open = stepwise && line.schedule & sched::DEALT == 0;
        let chunked = sched::plain(line.schedule) == kind::STATIC_CHUNKED
            || sched::plain(line.schedule) == kind::DISTRIBUTE_CHUNKED;
        let chunk = match open && line.schedule & sched::HALF != 0 {
            true if self.is_whole(t, th, trips)? => trips.max(1),
            _ if chunked => line.chunk.max(1) as u64,
            _ => 1,
        };
        let rounding = match (stepwise, chunked, kind) {
            (false, false, ShareKind::Loop) => self.rounding(th, trips, size)?,
            _ => Rounding::FirstLarger,
        };
        let split = match (open, chunked) {
            (true, _) | (false, true) => Split::Chunks { trips, chunk },
            (false, false) => Split::Blocks { trips, blocks: size, rounding },
        };
        let loose = stepwise && sched::is_loose(line.schedule);
        let lanes = stepwise && line.schedule & sched::LANES != 0;
        let number = self.enter_share(t, th, Shape { kind, split, open, loose, lanes });
        if open && size > 1 && line.schedule & sched::ALIKE != 0 {
            let home = self.seat(t, th).home;
            self.share_mapping(home, number, Alike { kind, schedule: line.schedule, split });
        }
        let mut doing = Doing { share: number, ..Doing::default() };
        if stepwise {
            let [last, lower, upper, _] = at;
            let ends = (line.lower, line.step);
            doing.resume = Some(Resume { at: [last, lower, upper], bytes, line: ends });
            self.seat(t, th).doing = Some(doing);
            self.set_variable(at[0], 4, 0)?;
            self.set_variable(at[3], bytes, (line.step * trips.max(1) as i128) as u64)?;
            return self.begin_open(t, th, at, bytes);
        }
        self.seat(t, th).doing = Some(doing);
        let given = Static::new(&line, split, size, me);
        self.set_variable(at[0], 4, given.last.into())?;
        self.set_variable(at[1], bytes, given.lower as u64)?;
        self.set_variable(at[2], bytes, given.upper as u64)?;
        self.set_variable(at[3], bytes, given.stride as u64)?;
        if given.count > 0 {
            // Of its chunks the first is told, and how the others follow.
            let again = chunked.then_some((chunk * size, trips)).filter(|_| given.count > chunk);
            let count = if again.is_some() { chunk } else { given.count };
            self.begin_piece(t, th, (given.first, count), again);
        }
        Ok(())
    }

    /// How a static loop without chunks is split; asks where that matters for the first time.
    fn rounding(&mut self, th: &mut Thread, trips: u64, size: u64) -> Result<Rounding, Stop> {
        if !Rounding::matters(trips, size) || self.program.module.default_distribution {
            return Ok(Rounding::FirstLarger);
        }
        if let Some(&known) = self.omp.blocks.get(&size) {
            return Ok(known);
        }
        let ways = Rounding::ways(size);
        let Some(answer) = th.choice.take() else {
            self.question = Question::Chunks { trips };
            return Err(Stop::Choose(ways.len() as u32));
        };
        let rounding = ways[answer as usize];
        self.omp_mut().blocks.insert(size, rounding);
        Ok(rounding)
    }

    /// Whether a loop that is shared out twice goes to one team as a whole, so that any two iterations meet on two threads of a team, or
    /// in single iterations, so that any two meet in two teams; the first team that comes to the loop asks.
    fn is_whole(&mut self, t: usize, th: &mut Thread, trips: u64) -> Result<bool, Stop> {
        let seat = self.seat(t, th);
        let (home, number, teams) = (seat.home, seat.shares, seat.size);
        if trips < 2 || teams < 2 {
            return Ok(true);
        }
        if let Some(share) = self.region(home).share(number) {
            return Ok(matches!(share.split, Split::Chunks { chunk, .. } if chunk > 1));
        }
        let Some(answer) = th.choice.take() else {
            self.question = Question::Chunks { trips };
            return Err(Stop::Choose(2));
        };
        Ok(answer == 0)
    }

    /// A worksharing construct of a team that has not forked is not shared with the other teams of the league.
    fn refuse_in_league(&mut self, t: usize, th: &mut Thread, kind: ShareKind) -> Result<(), Stop> {
        let seat = self.seat(t, th);
        let (home, size) = (seat.home, seat.size);
        if size > 1 && kind != ShareKind::Distribute && self.region(home).league {
            return Err(Stop::unknown(Openmp::LoopOfLeague));
        }
        Ok(())
    }

    /// Gives the thread the first of its pieces.
    fn begin_open(&mut self, t: usize, th: &mut Thread, at: [u64; 4], bytes: u8) -> Result<(), Stop> {
        if self.give_piece(t, th)? {
            return Ok(());
        }
        // None: bounds that are empty whatever clang compares them with.
        let (lower, step) = self.doing(t, th).resume.as_ref().expect("an open loop").line;
        self.set_variable(at[1], bytes, (lower + step) as u64)?;
        self.set_variable(at[2], bytes, lower as u64)
    }

    /// Sets the bounds for the thread's next piece; whether there is one.
    fn give_piece(&mut self, t: usize, th: &mut Thread) -> Result<bool, Stop> {
        let Some((first, count)) = self.next_piece(t, th)? else { return Ok(false) };
        let seat = self.seat(t, th);
        let home = seat.home;
        let doing = seat.doing.as_ref().expect("just begun");
        let resume = doing.resume.as_ref().expect("an open loop");
        let ((lower, step), at, bytes, number) = (resume.line, resume.at, resume.bytes, doing.share);
        let trips = self.region(home).share(number).expect("being executed").split.trips();
        if first + count == trips {
            self.set_variable(at[0], 4, 1)?;
        }
        self.set_variable(at[1], bytes, (lower + step * i128::from(first)) as u64)?;
        self.set_variable(at[2], bytes, (lower + step * i128::from(first + count - 1)) as u64)?;
        Ok(true)
    }

    /// `__kmpc_for_static_fini`: ends the construct.
    pub(crate) fn static_fini(c: &mut Call) -> Result<(), Stop> {
        if c.machine.seat(c.t, c.th).doing.is_some() {
            c.machine.finish_share(c.t, c.th);
            c.machine.seat(c.t, c.th).doing = None;
        }
        Ok(())
    }

    /// `__rp_next_piece`, which the front end puts in its place where the mapping is open: 1 and the bounds of the thread's next
    /// piece, or 0 at the end.
    pub(crate) fn static_next(c: &mut Call) -> Result<(), Stop> {
        let (t, th) = (c.t, &mut *c.th);
        let doing = c.machine.seat(t, th).doing.as_ref();
        let open = doing.is_some_and(|d| d.resume.is_some() && d.cursor > 0);
        let again = open && c.machine.give_piece(t, th)?;
        c.give(again.into());
        if again { Ok(()) } else { Machine::static_fini(c) }
    }

    // ---- loops that clang lowers to `__kmpc_dispatch_*` ----

    /// `__kmpc_dispatch_init_*`.
    pub(crate) fn dispatch_init(c: &mut Call, bytes: u8, signed: bool) -> Result<(), Stop> {
        let number = |i: usize, signed| c.arg(i).map(|v| extend(v, bytes, signed));
        let line = Loop {
            schedule: c.int(2)? as u32,
            lower: number(3, signed)?,
            upper: number(4, signed)?,
            step: number(5, true)?,
            chunk: number(6, true)? as i64,
        };
        c.machine.begin_dispatch(c.t, c.th, line, bytes)
    }

    fn begin_dispatch(&mut self, t: usize, th: &mut Thread, line: Loop, bytes: u8) -> Result<(), Stop> {
        let trips = sched::trips(line.lower, line.upper, line.step);
        self.refuse_in_league(t, th, ShareKind::Loop)?;
        let size = u64::from(self.seat(t, th).size);
        let (mut plain, mut chunk) = (sched::plain(line.schedule), line.chunk.max(1) as u64);
        let mut fixed = line.schedule & sched::OPEN == 0;
        let mut loose = sched::is_loose(line.schedule);
        if plain == kind::RUNTIME || plain == 47 {
            self.tell(t, th, &Work::Control { write: false });
            (plain, chunk) = match self.icv_of(th).schedule {
                Some((set, n)) => {
                    loose &= set & RUNTIME_MONOTONIC == 0;
                    (runtime_kind(set, n), n.max(1) as u64)
                }
                None => (kind::AUTO, 1),
            };
        }
        if plain == kind::AUTO {
            chunk = 1;
            if self.program.module.default_distribution {
                (plain, fixed) = (kind::STATIC, true);
            }
        }
        fixed &= plain == kind::STATIC || plain == kind::STATIC_CHUNKED;
        let split = if plain == kind::STATIC && fixed {
            Split::Blocks { trips, blocks: size, rounding: self.rounding(th, trips, size)? }
        } else if plain == kind::GUIDED && !self.program.module.default_distribution {
            self.guided(t, th, trips, chunk)?
        } else {
            Split::Chunks { trips, chunk }
        };
        let lanes = line.schedule & sched::LANES != 0;
        let shape = Shape { kind: ShareKind::Loop, split, open: !fixed, loose: !fixed && loose, lanes };
        let share = self.enter_share(t, th, shape);
        let line = (line.lower, line.step);
        let resume = Some(Resume { line, bytes, ..Resume::default() });
        self.seat(t, th).doing = Some(Doing { share, resume, ..Doing::default() });
        Ok(())
    }

    /// `__kmpc_dispatch_next_*`: 1 and the bounds of the thread's next piece, or 0.
    pub(crate) fn dispatch_next(c: &mut Call, bytes: u8) -> Result<(), Stop> {
        let at = [c.arg(2)?, c.arg(3)?, c.arg(4)?, c.arg(5)?];
        let (t, th) = (c.t, &mut *c.th);
        let machine = &mut *c.machine;
        if machine.seat(t, th).doing.as_ref().is_none_or(|d| d.left) {
            return Err(Stop::unknown(Openmp::LoopNotBegun));
        }
        let Some((first, count)) = machine.next_piece(t, th)? else {
            machine.finish_share(t, th);
            c.give(0);
            return Ok(());
        };
        let seat = machine.seat(t, th);
        let home = seat.home;
        let doing = seat.doing.as_ref().expect("just begun");
        let (lower, step) = doing.resume.as_ref().expect("a dispatched loop").line;
        let number = doing.share;
        let trips = machine.region(home).share(number).expect("being executed").split.trips();
        if at[0] != 0 {
            let last = first + count == trips || machine.seat(t, th).kept.is_some();
            machine.set_variable(at[0], 4, last.into())?;
        }
        machine.set_variable(at[1], bytes, (lower + step * i128::from(first)) as u64)?;
        machine.set_variable(at[2], bytes, (lower + step * i128::from(first + count - 1)) as u64)?;
        if at[3] != 0 {
            machine.set_variable(at[3], bytes, step as u64)?;
        }
        c.give(1);
        Ok(())
    }

    /// `__kmpc_dispatch_fini_*`: an iteration of an ordered loop has ended.
    pub(crate) fn dispatch_fini(&mut self, t: usize, th: &mut Thread) {
        let seat = self.seat(t, th);
        let home = seat.home;
        let Some(doing) = &mut seat.doing else { return };
        let Some((first, _)) = doing.piece else { return };
        let iteration = first + doing.finished;
        doing.finished += 1;
        let number = doing.share;
        self.pass_turn(home, number, iteration);
    }

    // ---- variables that the last iteration writes back ----

    /// The thread goes on with the last iteration, which it has executed, behind the loop.
    pub(crate) fn begin_last(&mut self, t: usize, th: &mut Thread) {
        let seat = self.seat(t, th);
        if !seat.running.is_empty() {
            return;
        }
        if let Some(begin) = seat.last.clone() {
            seat.writes_back = true;
            self.tell(t, th, &begin);
        }
    }

    /// The variables are written back (or it was not this thread's to do).
    pub(crate) fn end_last(&mut self, t: usize, th: &mut Thread) {
        let seat = self.seat(t, th);
        if std::mem::take(&mut seat.writes_back)
            && let Some(Work::Begin { share, .. }) = seat.last
        {
            self.tell(t, th, &Work::End { share });
        }
    }

    // ---- ordered ----

    fn iteration(&self, th: &Thread) -> Option<(u64, u64, u64)> {
        let seat = th.omp.seats.last()?;
        let doing = seat.doing.as_ref()?;
        Some((seat.home, doing.share, doing.piece?.0 + doing.finished))
    }

    /// Whether it is the turn of the thread's iteration.
    pub(crate) fn has_turn(&self, th: &Thread) -> bool {
        let Some((home, number, iteration)) = self.iteration(th) else { return true };
        self.region(home).share(number).is_none_or(|s| s.turn >= iteration)
    }

    /// `__kmpc_ordered`: waits for its turn.
    pub(crate) fn ordered(c: &mut Call) -> Result<(), Stop> {
        c.th.status = Status::At(Pending::Omp(OmpWait::Ordered));
        c.moved = true;
        if c.machine.has_turn(c.th) {
            return c.machine.complete_local_as(c.t, c.th);
        }
        Err(Stop::AtSync)
    }

    /// The thread's turn has come.
    pub(crate) fn take_turn(&mut self, t: usize, th: &mut Thread) {
        if let Some((home, number, _)) = self.iteration(th) {
            if self.seat(t, th).size > 1 {
                self.acquire(t, th, share_object(home, number));
                let share = self.region(home).share(number).expect("being executed").serial;
                self.tell(t, th, &Work::OrderedBegin { share });
            }
            self.doing(t, th).ordered = true;
        }
        self.done(th, 0);
    }

    /// `__kmpc_end_ordered`.
    pub(crate) fn end_ordered(&mut self, t: usize, th: &mut Thread) {
        let Some((home, number, iteration)) = self.iteration(th) else { return };
        self.doing(t, th).ordered = false;
        if self.seat(t, th).size > 1 {
            self.pass_on(t, th, &[share_object(home, number)]);
            let share = self.region(home).share(number).expect("being executed").serial;
            self.tell(t, th, &Work::OrderedEnd { share });
        }
        self.pass_turn(home, number, iteration);
    }

    fn pass_turn(&mut self, home: u64, number: u64, iteration: u64) {
        if let Some(share) = self.region_mut(home).share_mut(number)
            && iteration >= share.turn
        {
            share.skipped.insert(iteration);
            while share.skipped.remove(&share.turn) {
                share.turn += 1;
            }
        }
    }

    // ---- single ----

    /// `__kmpc_single`: whether this thread executes the block.
    pub(crate) fn single(&mut self, t: usize, th: &mut Thread) -> Result<bool, Stop> {
        let split = Split::Chunks { trips: 1, chunk: 1 };
        if self.seat(t, th).doing.as_ref().is_none_or(|d| d.left) {
            let shape = Shape { kind: ShareKind::Single, split, open: true, loose: false, lanes: false };
            let share = self.enter_share(t, th, shape);
            self.seat(t, th).doing = Some(Doing { share, ..Doing::default() });
        }
        if self.next_piece(t, th)?.is_some() {
            return Ok(true);
        }
        self.finish_share(t, th);
        self.seat(t, th).doing = None;
        Ok(false)
    }

    /// `__kmpc_end_single`.
    pub(crate) fn end_single(&mut self, t: usize, th: &mut Thread) {
        self.finish_share(t, th);
        self.seat(t, th).doing = None;
    }

    /// `__kmpc_dispatch_deinit`: the thread leaves a dispatched loop.
    pub(crate) fn dispatch_deinit(&mut self, t: usize, th: &mut Thread) {
        self.finish_share(t, th);
        self.seat(t, th).doing = None;
    }

    /// Sets a variable of the runtime's caller.
    pub(crate) fn set_variable(&mut self, address: u64, bytes: u8, value: u64) -> Result<(), Stop> {
        let len = u64::from(bytes);
        let spot = self.memory.resolve(address, len, true).map_err(|f| self.fault(f, address, len, true))?;
        self.memory.store(spot, len as usize, value, 0);
        Ok(())
    }
}

impl Call<'_, '_> {
    /// A variable that the caller passes by address, and that must be known.
    pub(crate) fn variable(&self, address: u64, bytes: u8) -> Result<u64, Stop> {
        self.machine.see(address, bytes.into())?.known(self.machine, Subject::LoopBound)
    }

    /// The flags in clang's description of the construct, which is the first argument.
    pub(crate) fn ident_flags(&self) -> u32 {
        let at = self.raw(0).0.wrapping_add(4);
        // Clang's own constant: nothing in it is unconstrained.
        self.machine.see(at, 4).map_or(0, |seen| seen.parts().0 as u32)
    }
}

impl Share {
    /// A construct that nobody has begun.
    pub fn new(serial: u32, kind: ShareKind, split: Split, open: bool) -> Share {
        Share {
            serial,
            kind,
            split,
            open,
            loose: false,
            lanes: false,
            owners: Vec::new(),
            mapping: None,
            left: 0,
            turn: 0,
            skipped: Default::default(),
            nest: Vec::new(),
            posted: Default::default(),
        }
    }
}

/// What a thread gets of a loop whose distribution the source fixes.
#[derive(Debug)]
struct Static {
    lower: i128,
    upper: i128,
    stride: i128,
    last: bool,
    first: u64,
    count: u64,
}

impl Static {
    fn new(line: &Loop, split: Split, size: u64, me: u64) -> Static {
        let trips = split.trips();
        let at = |i: u64| line.lower + line.step * i128::from(i);
        if trips == 0 {
            let Loop { lower, upper, step, .. } = *line;
            return Static { lower, upper, stride: step, last: false, first: 0, count: 0 };
        }
        let Split::Chunks { chunk, .. } = split else {
            let (first, count) = if me < split.pieces() { split.piece(me) } else { (0, 0) };
            let stride = line.step * i128::from(trips);
            if count == 0 {
                // Empty, whatever clang compares the bounds with.
                let (lower, upper) = (line.upper + line.step, line.upper);
                return Static { lower, upper, stride, last: false, first: 0, count };
            }
            let last = first + count == trips;
            return Static { lower: at(first), upper: at(first + count - 1), stride, last, first, count };
        };
        let (first, pieces) = (me * chunk, trips.div_ceil(chunk));
        let count = (me..pieces).step_by(size as usize).map(|p| chunk.min(trips - p * chunk)).sum();
        Static {
            lower: at(first),
            upper: at(first + chunk - 1),
            stride: line.step * i128::from(chunk * size),
            last: (pieces - 1) % size == me,
            first,
            count,
        }
    }
}

fn share_kind(flags: u32, schedule: u32) -> ShareKind {
    let plain = sched::plain(schedule);
    if flags & SECTIONS != 0 {
        ShareKind::Sections
    } else if flags & DISTRIBUTE != 0 || plain == kind::DISTRIBUTE || plain == kind::DISTRIBUTE_CHUNKED {
        ShareKind::Distribute
    } else {
        ShareKind::Loop
    }
}

/// The modifier `omp_sched_monotonic`.
const RUNTIME_MONOTONIC: u32 = 1 << 31;

/// The schedule that `omp_set_schedule` asked for: 1 static, 2 dynamic, 3 guided, 4 auto.
fn runtime_kind(set: u32, chunk: i32) -> u32 {
    match set & 0x7fff_ffff {
        1 if chunk > 0 => kind::STATIC_CHUNKED,
        1 => kind::STATIC,
        2 => kind::DYNAMIC,
        3 => kind::GUIDED,
        _ => kind::AUTO,
    }
}

/// A number of that many bytes.
pub(crate) fn extend(value: u64, bytes: u8, signed: bool) -> i128 {
    match (bytes, signed) {
        (4, true) => (value as u32 as i32).into(),
        (4, false) => (value as u32).into(),
        (_, true) => (value as i64).into(),
        (_, false) => value.into(),
    }
}
