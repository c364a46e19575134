//! The order in which a thread executes its pieces of a worksharing construct.
//!
//! *Language.* OpenMP 5.2, 11.5.3: without `monotonic`, `ordered` or `static`, chunks come to a thread in any order; sections,
//! open `distribute` and `loop` have no order at all. Such a construct is *loose* ([`Share::loose`]).
//!
//! *Algorithm.* With [`crate::Mode::piece_orders`], a thread that wants another piece of a loose construct is told which
//! pieces are its own ([`Question::Owner`], for all of them at once) and asks which of the remaining comes next
//! ([`Question::Order`]); `guided` asks how its iterations are split as well ([`Question::Chunks`]). Every assignment and every
//! order is so one list of answers. Without it, pieces come in the order of the loop, and `guided` is split as finely as any legal
//! split ([`Split::Guided`]).
//!
//! *Reduction.* A search begins without, and looks whether pieces could notice each other ([`Machine::order_matters`]):
//! - a piece synchronises, creates tasks, forks, or changes a control variable;
//! - two pieces that one thread executes touch the same bytes, and one of them writes.
//!
//! If neither happens in any execution with ascending orders, orders do not matter: such pieces do not synchronise, so all
//! accesses of a thread to the construct lie in one segment of its history, in whatever order. Take an execution with other
//! orders, and in it the first access of a piece that differs from what the piece does in the ascending execution with the same
//! assignment. What differs was read before from bytes that another piece has written: one of the same thread, then the second
//! condition holds in the ascending execution, in which both pieces have come as far; or one of another thread, then
//! that is a race there, because nothing in the construct orders the two. So there is no such access, and both
//! executions have the same accesses, races and memory. Bytes that are not in sight of the machine's histories belong to one piece
//! (see the front end's `carried`). With `guided`, the pieces looked at are parts of the chunks of all legal splits, and two of
//! them fall into different chunks of some split (see [`Split::Guided`]), so that the same argument holds.
//! If one of them happens, the search begins again and asks; see `explore::check`. What was found is kept,
//! unless it rests on a split that is too fine ([`Machine::split_finely`]).
//!
//! In a team of one all pieces are one thread's, and there are no races: the second condition is the one that counts.
//!
//! *Deviations.* Addresses of heap objects depend on how many the thread
//! has allocated before, and are not regarded as noticing.
//!
//! *Variables that the last iteration writes back* keep the values that the last iteration gave them, though the thread may
//! execute other pieces behind it: when it has ended, the objects of its frame are remembered ([`super::Seat::kept`]), and
//! `__rp_last_restore` takes a variable back to that ([`Machine::restore_last`]). An object that is copied by a function has more than
//! its bytes: there the answer is `unknown` ([`Machine::restore_object`]).

use base::reason::Openmp;
use std::collections::VecDeque;
use std::sync::Arc;

use base::reason::Used;
use ir::AccessId;

use super::sched::{Guided, Split};
use super::{Put, Share};
use crate::history::{AccessSet, Touch, granules};
use crate::memory::layout::RegionId;
use crate::observe::{Question, Work};
use crate::state::Machine;
use crate::stop::Stop;
use crate::thread::Thread;

/// What the pieces of a loose construct touch that one thread executes.
#[derive(Debug, Clone, Default)]
pub struct Touched {
    /// Whether the thread executes a piece.
    inside: bool,
    /// The pieces that have ended.
    before: AccessSet,
    /// The one that it executes.
    now: AccessSet,
    /// Where pieces may run at the same time: how many objects there were on the thread's stack when the function began that has the
    /// loop. What lies above is looked at by the front end (variables of that function), or is gone with the piece.
    lanes: Option<usize>,
    /// Whether two such pieces have met.
    met: bool,
}

/// The objects of a frame as the last iteration has left them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Kept {
    /// Address, bytes, shadows.
    objects: Vec<(u64, Vec<u8>, Vec<u8>)>,
    /// Whether the thread has begun another piece since.
    pub(super) followed: bool,
}

impl Kept {
    pub(super) fn put(&self, put: Put) {
        put(self.followed.into());
        for (address, bytes, shadows) in &self.objects {
            put(*address);
            for part in [bytes, shadows] {
                put(part.len() as u64);
                put(xxhash_rust::xxh3::xxh3_64(part));
            }
        }
    }
}

impl Machine<'_> {
    // ---- whether the order matters ----

    /// Whether what the thread touches is looked at.
    #[inline]
    pub(crate) fn watches_piece(&self, th: &Thread) -> bool {
        let inside = th.omp.touched.as_ref().filter(|t| t.inside);
        inside.is_some_and(|t| t.lanes.is_some() || self.watches_order && !self.order_matters)
    }

    /// The thread does something that its other pieces, or others, could notice to be in another order.
    #[inline]
    pub(crate) fn notice_order(&mut self, th: &Thread) {
        if self.watches_order && th.omp.touched.as_ref().is_some_and(|touched| touched.inside) {
            self.order_matters = true;
        }
    }

    /// The thread touches memory that is in sight.
    pub(crate) fn notice_piece_access(
        &mut self,
        t: usize,
        th: &mut Thread,
        address: u64,
        len: u64,
        write: bool,
    ) {
        let Some(touched) = th.omp.touched.as_deref_mut().filter(|t| t.inside) else { return };
        if touched.lanes.is_none() && self.order_matters {
            return;
        }
        let mut conflicts = false;
        granules(address, len, |granule, mask| {
            let touch = Touch { granule, mask, write, atomic: false, access: AccessId(0) };
            touched.before.conflicting(&touch, |_| conflicts = true);
            touched.now.insert(touch);
        });
        self.order_matters |= conflicts && self.watches_order;
        if let (true, false, Some(height)) = (conflicts, touched.met, touched.lanes) {
            let found = self.memory.find(address);
            touched.met = found.is_none_or(|(region, n, _)| region != RegionId::stack(t) || n < height);
        }
    }

    /// A piece begins of a construct whose pieces may run at the same time on one thread. Distributions let two of them meet on two
    /// threads; what belongs to a thread is the same memory for two pieces of that thread alone.
    pub(super) fn watch_lane(&mut self, th: &mut Thread) {
        let height = th.frames.last().map_or(0, |frame| frame.height);
        let touched = th.omp.touched.get_or_insert_default();
        (touched.inside, touched.lanes) = (true, Some(height));
    }

    /// Such a piece forks: what the threads of the region do is not looked at.
    pub(super) fn fork_in_lane(&mut self, t: usize, th: &Thread) {
        if th.omp.touched.as_ref().is_some_and(|touched| touched.inside && touched.lanes.is_some()) {
            self.tell(t, th, &Work::Steered(Used::Lanes));
        }
    }

    /// Such a piece ends: says whether it has met one before it.
    pub(super) fn end_lane(&mut self, t: usize, th: &mut Thread) {
        self.end_watch(th);
        let met = th.omp.touched.as_deref_mut().is_some_and(|touched| std::mem::take(&mut touched.met));
        if met {
            self.tell(t, th, &Work::Steered(Used::Lanes));
        }
    }

    /// A piece begins.
    pub(super) fn watch_piece(&mut self, th: &mut Thread, share: &Share) {
        let matters = share.loose || matches!(share.split, Split::Guided { .. });
        self.split_finely |= matches!(share.split, Split::Guided { .. });
        if self.watches_order && matters && share.split.pieces() > 1 {
            th.omp.touched.get_or_insert_default().inside = true;
        }
    }

    /// A piece ends.
    pub(super) fn end_watch(&mut self, th: &mut Thread) {
        if let Some(touched) = &mut th.omp.touched {
            touched.inside = false;
            let now = std::mem::take(&mut touched.now);
            now.touches_from(0).for_each(|&touch| {
                touched.before.insert(touch);
            });
        }
    }

    // ---- asking ----

    /// The thread's next piece of a loose construct; asks for what is not decided yet.
    pub(super) fn any_piece(
        &mut self,
        t: usize,
        th: &mut Thread,
        home: u64,
        number: u64,
    ) -> Result<Option<u64>, Stop> {
        if self.doing(t, th).left_over.is_none() {
            let own = self.own_pieces(t, th, home, number)?;
            self.doing(t, th).left_over = Some(own);
        }
        let left = self.doing(t, th).left_over.as_ref().map_or(0, VecDeque::len);
        let chosen = match (left, th.choice) {
            (0, _) => return Ok(None),
            (1, _) => 0,
            (_, Some(answer)) => {
                th.choice = None;
                answer as usize
            }
            (n, None) => {
                let share = self.region(home).share(number).expect("being executed");
                self.question = Question::Order { share: share.serial, kind: share.kind, left: n as u64 };
                return Err(Stop::Choose(n as u32));
            }
        };
        Ok(self.doing(t, th).left_over.as_mut().and_then(|left| left.remove(chosen)))
    }

    /// The pieces of a construct that are the thread's; asks for owners that are not decided yet.
    fn own_pieces(
        &mut self,
        t: usize,
        th: &mut Thread,
        home: u64,
        number: u64,
    ) -> Result<VecDeque<u64>, Stop> {
        let me = self.seat(t, th).number;
        let pieces = self.region(home).share(number).expect("being executed").split.pieces();
        for piece in self.region(home).owners_known(number)..pieces {
            self.owner(th, home, number, piece)?;
        }
        let mut own = VecDeque::new();
        for piece in 0..pieces {
            if self.owner(th, home, number, piece)? == me {
                own.push_back(piece);
            }
        }
        Ok(own)
    }

    /// How a `guided` loop is split that the thread comes to; asks for it if nobody has come to it before.
    pub(super) fn guided(
        &mut self,
        t: usize,
        th: &mut Thread,
        trips: u64,
        least: u64,
    ) -> Result<Split, Stop> {
        let seat = self.seat(t, th);
        let home = seat.home;
        let number = seat.shares - u64::from(seat.announced);
        if !self.mode.piece_orders {
            return Ok(Split::Guided { trips, least });
        }
        if let Some(share) =
            self.region(home).share(number).filter(|s| matches!(s.split, Split::Shrinking(_)))
        {
            return Ok(share.split);
        }
        let ways = Guided::ways(trips, least);
        let way = match th.choice.take() {
            Some(answer) => answer.into(),
            None if ways > 2 => {
                self.question = Question::Chunks { trips };
                return Err(Stop::Choose(u32::try_from(ways).unwrap_or(u32::MAX)));
            }
            None => 0,
        };
        Ok(Split::Shrinking(Guided::way(trips, least, way)))
    }

    // ---- what the last iteration leaves ----

    /// The thread has executed the last iteration and goes on with another piece: remembers its frame.
    pub(super) fn keep_last(&mut self, t: usize, th: &mut Thread) {
        let region = RegionId::stack(t);
        let from = th.frames.last().map_or(0, |frame| frame.height);
        let objects = self.memory.objects(region)[from..].iter().map(|o| (o.base, o.size));
        let objects: Vec<_> = objects
            .filter_map(|(address, size)| {
                let spot = self.memory.resolve(address, size, false).ok()?;
                let (bytes, shadows) = self.memory.copy_of(spot, size as usize);
                Some((address, bytes, shadows))
            })
            .collect();
        self.seat(t, th).kept = Some(Arc::new(Kept { objects, followed: false }));
    }

    /// Takes a variable back to what the last iteration has left, if the thread has executed others behind it.
    pub(crate) fn restore_last(&mut self, t: usize, th: &mut Thread, address: u64) {
        let Some(kept) = self.seat(t, th).kept.clone() else { return };
        let Some((_, bytes, shadows)) = kept.objects.iter().find(|k| k.0 == address) else { return };
        if let Ok(spot) = self.memory.resolve(address, bytes.len() as u64, true) {
            let (to, shadow) = self.memory.edit(spot, bytes.len());
            to.copy_from_slice(bytes);
            shadow.copy_from_slice(shadows);
        }
    }

    /// The same for an object that has more than its bytes: what it points to may have been changed or freed since.
    pub(crate) fn restore_object(&mut self, t: usize, th: &mut Thread, address: u64) -> Result<(), Stop> {
        if self.seat(t, th).kept.as_ref().is_some_and(|kept| kept.followed) {
            return Err(Stop::unknown(Openmp::LastprivateObject));
        }
        self.restore_last(t, th, address);
        Ok(())
    }
}
