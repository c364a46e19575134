//! The way to a job's state: back to where it leaves the present one, and on from there.

use machine::{Machine, Stop};

use super::{FUEL, Place, Search};
use crate::parallel::Job;
use judge::schedule::{self, Alternative, Point};

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

    /// Goes back to the last node of the job before that is on the path as well; gives the rest of the path.
    pub(super) fn go_back<'j>(&mut self, path: &'j [u32]) -> std::slice::Iter<'j, u32> {
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
    pub(super) fn stay(&mut self) {
        let (mark, path) = (self.machine.mark(), self.path.len());
        self.trail.push(Place { mark, path, depth: self.depth, moves: self.moves });
    }

    pub(super) fn follow(&mut self, choice: u32) {
        self.path.push(choice);
        self.depth += 1;
    }

    /// Performs an operation on the way to the node of a job; false if the path does not say how.
    pub(super) fn redo(&mut self, way: Alternative, rest: &mut std::slice::Iter<'_, u32>) -> bool {
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
}
