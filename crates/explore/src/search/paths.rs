//! Ways back to where a search, or another one, has been: the node of a job, and where a search stood that is resumed.

use judge::schedule::{self, Alternative, Point};
use machine::{Machine, Mark, Stop};

use super::{Branch, FUEL, GIFT_SHARE, Node, Search, is_in};
use crate::parallel::{Job, Work};
use crate::saved::{Knot, Trunk};
use crate::visited::Sleep;

/// A place on the way to the node of a job.
pub(super) struct Place {
    mark: Mark,
    path: usize,
    depth: u64,
    moves: u64,
}

/// What is left of a path, and of the nodes on it.
type Rest<'j> = std::slice::Iter<'j, u32>;

type Knots<'j> = std::iter::Peekable<std::slice::Iter<'j, Knot>>;

impl Search<'_, '_> {
    /// Goes to the node of a job and begins with what is to be done there; false if there is nothing.
    pub(super) fn begin(&mut self, job: &Job) -> bool {
        let mut rest = self.go_back(&job.path);
        self.look();
        while self.limit.is_none() {
            match schedule::settle(&mut self.machine, FUEL) {
                Point::Paused => self.look(),
                Point::Stopped(..) => {}
                Point::Exited => break,
                Point::Choice(t, _) => {
                    let Some(value) = rest.next() else { break };
                    self.follow(*value);
                    self.machine.answer(t, *value);
                }
                Point::Node => {
                    self.machine.fingerprint();
                    self.machine.races.clear();
                    let from = self.ways.len();
                    schedule::add_options(&self.machine, &mut self.ways);
                    let count = self.ways.len() - from;
                    let way = match count {
                        0 => break,
                        1 => self.ways[from],
                        _ => {
                            let Some(choice) = rest.next() else {
                                self.enter(from, count as u32, job.todo, job.sleep);
                                return self.next_way();
                            };
                            self.stay();
                            self.follow(*choice);
                            self.ways[from + *choice as usize]
                        }
                    };
                    self.ways.truncate(from);
                    if !self.redo(way, &mut rest) {
                        break;
                    }
                }
            }
        }
        // A limit was reached, or the way to the node is not there: nothing of the kind should happen, and nobody may
        // believe that the job was done.
        debug_assert!(self.limit.is_some(), "the path of a job leads to its node");
        self.lost = true;
        false
    }

    /// Writes down where it stands and what is left to do.
    pub(super) fn leave(&mut self, ended: bool) {
        let knot = |node: &Node| Knot {
            path: node.path,
            next: node.next,
            todo: node.todo,
            sleep: node.sleep,
            asked: node.asked,
        };
        let knots: Vec<Knot> = self.stack.iter().map(knot).collect();
        if ended && knots.is_empty() {
            return;
        }
        let (moves, sleep, threads, asked) = (self.moves, self.sleep, self.threads, self.asked);
        self.trunks.push(Trunk { path: self.path.clone(), moves, ended, sleep, threads, asked, knots });
    }

    /// Goes to where a search stood, with all nodes on the way; false if there is nothing left to do, or no way there.
    pub(super) fn take_up(&mut self, trunk: &Trunk) -> bool {
        let mut rest = self.go_back(&trunk.path);
        let mut knots = trunk.knots.iter().peekable();
        loop {
            let there = trunk.ended || rest.len() == 0 && self.moves == trunk.moves;
            if there && knots.peek().is_none() {
                break;
            }
            self.look_sometimes();
            if self.limit.is_some() || !self.climb(&mut rest, &mut knots) {
                // Nobody may believe that it was done.
                debug_assert!(self.limit.is_some(), "the path of a search leads to where it stood");
                self.lost = true;
                return false;
            }
        }
        (self.sleep, self.threads, self.asked) = (trunk.sleep, trunk.threads, trunk.asked);
        !trunk.ended || self.backtrack()
    }

    /// Follows the path of a trunk to the next operation; false if there is no way.
    fn climb(&mut self, rest: &mut Rest<'_>, knots: &mut Knots<'_>) -> bool {
        let point = schedule::settle(&mut self.machine, FUEL);
        self.take_races();
        // What the creator could tell apart there was noticed.
        let _ = point != Point::Paused && self.machine.takes_arrival();
        match point {
            Point::Paused | Point::Stopped(..) => true,
            Point::Exited => false,
            Point::Choice(t, n) => {
                self.machine.fingerprint();
                let step = crate::splits::step(&self.machine, self.config);
                let tied = self.tie(Branch::Value(t, n, step), knots);
                let Some(value) = rest.next() else { return tied };
                self.follow(*value);
                self.machine.answer(t, *value);
                true
            }
            Point::Node => {
                self.machine.fingerprint();
                self.take_races();
                let from = self.ways.len();
                schedule::add_options(&self.machine, &mut self.ways);
                let count = (self.ways.len() - from) as u32;
                let tied = count > 1 && self.tie(Branch::Schedule { from, count }, knots);
                let choice = if count > 1 { rest.next().copied() } else { Some(0) };
                // None of its ways was to be taken: the path ends there.
                let Some(choice) = choice else { return tied };
                let Some(&way) = self.ways.get(from + choice as usize) else { return false };
                if !tied {
                    self.ways.truncate(from);
                }
                if count > 1 {
                    self.follow(choice);
                }
                self.repeat(way, rest, knots)
            }
        }
    }

    /// Performs an operation on the path of a trunk.
    fn repeat(&mut self, way: Alternative, rest: &mut Rest<'_>, knots: &mut Knots<'_>) -> bool {
        self.moves += 1;
        let t = way.thread as usize;
        if let Err(Stop::Choose(n)) = self.machine.perform(t, way.way) {
            self.machine.fingerprint();
            let tied = self.tie(Branch::Value(t, n, 1), knots);
            let Some(value) = rest.next() else { return tied };
            self.follow(*value);
            self.machine.answer(t, *value);
            if !self.machine.is_local(t) {
                // What stops it now stopped it before.
                let _ = self.machine.perform(t, 0);
            }
        }
        true
    }

    /// Puts a node on the stack if it was there; whether it was.
    fn tie(&mut self, branch: Branch, knots: &mut Knots<'_>) -> bool {
        let here = self.path.len();
        let Some(knot) = knots.next_if(|knot| knot.path == here) else { return false };
        self.asked = knot.asked;
        self.push(branch, knot.todo, knot.sleep);
        if let Some(node) = self.stack.last_mut() {
            node.next = knot.next;
        }
        true
    }

    /// Goes back to the last node of the job before that is on the path as well; gives the rest of the path.
    fn go_back<'j>(&mut self, path: &'j [u32]) -> std::slice::Iter<'j, u32> {
        while let Some(node) = self.stack.pop() {
            self.machine.discard(&node.mark);
        }
        self.ways.clear();
        if self.trail.is_empty() {
            let machine = Machine::new(self.machine.program, self.machine.mode);
            let before = std::mem::replace(&mut self.machine, machine);
            // What was noticed before still counts.
            self.machine.instructions = before.instructions;
            self.machine.sources = before.sources;
            self.machine.watch = before.watch;
            self.machine.split_matters = before.split_matters;
            self.machine.takes_turns = true;
            self.machine.watches_order = before.watches_order;
            self.machine.order_matters = before.order_matters;
            self.machine.split_finely = before.split_finely;
            (self.path, self.depth, self.moves) = (Vec::new(), 0, 0);
            self.machine.fingerprint();
            self.stay();
        }
        let common = self.path.iter().zip(path).take_while(|(a, b)| a == b).count();
        while self.trail.len() > 1 && self.trail.last().is_some_and(|place| place.path > common) {
            let place = self.trail.pop().expect("there is one");
            self.machine.discard(&place.mark);
        }
        let place = self.trail.last().expect("the beginning stays");
        self.machine.rollback(&place.mark);
        self.path.truncate(place.path);
        (self.depth, self.moves) = (place.depth, place.moves);
        path[place.path..].iter()
    }

    /// Remembers where the search stands, to come back for another job.
    fn stay(&mut self) {
        let (mark, path) = (self.machine.mark(), self.path.len());
        self.trail.push(Place { mark, path, depth: self.depth, moves: self.moves });
    }

    fn follow(&mut self, choice: u32) {
        self.path.push(choice);
        self.depth += 1;
    }

    /// Performs an operation on the way to the node of a job; false if the path does not say how.
    fn redo(&mut self, way: Alternative, rest: &mut std::slice::Iter<'_, u32>) -> bool {
        self.moves += 1;
        let t = way.thread as usize;
        if let Err(Stop::Choose(_)) = self.machine.perform(t, way.way) {
            let Some(value) = rest.next() else { return false };
            self.machine.fingerprint();
            self.follow(*value);
            self.machine.answer(t, *value);
            if !self.machine.is_local(t) {
                // What stops it now stopped it for the giver as well.
                let _ = self.machine.perform(t, 0);
            }
        }
        true
    }

    /// Gives the last thread that is to be scheduled from the lowest possible node to somebody else.
    pub(super) fn give_away(&mut self) {
        let next_thread = |node: &Node, ways: &[Alternative]| match node.branch {
            Branch::Schedule { from, count } if node.next < count => {
                let at = from + node.next as usize;
                let begun = node.next > 0 && ways[at].thread == ways[at - 1].thread;
                Some((ways[at].thread, begun))
            }
            _ => None,
        };
        for node in &mut self.stack {
            let Some((next, begun)) = next_thread(node, &self.ways) else { continue };
            let Branch::Schedule { from, count } = node.branch else { continue };
            let threads =
                self.ways[from + node.next as usize..from + count as usize].iter().map(|w| w.thread);
            let last = threads.filter(|&t| t < Sleep::BITS && is_in(node.todo, t)).max();
            let Some(last) = last.filter(|&t| t != next || (!begun && node.next > 0)) else { continue };
            let bit = 1 << last;
            node.todo &= !bit;
            // Those before it are scheduled here.
            let before = self.ways[from..from + count as usize].iter().map(|w| w.thread);
            let mine: Sleep =
                before.filter(|&t| t < last && is_in(node.todo, t)).fold(0, |mask, t| mask | 1 << t);
            let job = Job { path: self.path[..node.path].to_vec(), todo: bit, sleep: node.sleep | mine };
            // Who takes it has to go there first: that should not be most of the work.
            self.next_gift =
                self.findings.found.stats.transitions + 64.max(job.path.len() as u64 / GIFT_SHARE);
            return self.shared.give(Work::Job(job));
        }
    }
}
