//! Regions and their phases, pieces of worksharing constructs, lanes, `ordered` and doacross.

use base::reason::Structure;
use std::sync::Arc;

use machine::ShareKind;

use crate::rules::Rule;

use super::{Frame, Kind, NOWHERE, Order, Region, Thread, id_of};

impl Order {
    pub(super) fn fork_team(&mut self, t: usize, region: u32, members: &[usize]) {
        let Some(chain) = self.current(t) else { return };
        // The region's part of the forking chain gets an index of its own.
        self.chains[chain as usize].index += 1;
        self.place(t);
        let parent = self.threads[t].pos;
        let depth = self.frames[self.positions[parent as usize].frame as usize].depth + 1;
        let number = self.states.len() as u32;
        self.states.push(Some((0, true)));
        let id = self.next_id(chain, 0);
        let roots = self.threads.iter().filter(|th| {
            th.stack.first().is_some_and(|&c| {
                let chain = &self.chains[c as usize];
                !chain.ended && chain.frame == 0
            })
        });
        // Workers that were just made count as threads of their own until they are claimed.
        let workers =
            members.iter().filter(|&&m| m != t && self.threads.get(m).is_some_and(|th| !th.stack.is_empty()));
        let beside = depth > 1 || roots.count() > 1 + workers.count();
        let alone = members.len() == 1;
        self.frames.push(Frame { region: number, id, phase: 0, depth, parent, beside, alone });
        let frame = self.frames.len() as u32 - 1;
        let mut chains = Vec::new();
        for (i, &member) in members.iter().enumerate() {
            while self.threads.len() <= member {
                self.threads.push(Thread { pos: NOWHERE, ..Thread::default() });
            }
            if member != t && self.threads[member].stack.len() == 1 {
                // The machine tells of workers as of threads when it makes them: they are the team's.
                let own = self.threads[member].stack.remove(0);
                self.chains[own as usize].ended = true;
                self.unclaimed.retain(|&u| u != member);
            }
            let chain = self.new_chain(Kind::Fixed, frame, id_of(id, i as u64), Arc::clone(&self.empty));
            self.chains[chain as usize].member = i as u32;
            chains.push(chain);
            self.threads[member].stack.push(chain);
            self.place(member);
        }
        let members = members.to_vec();
        self.regions.insert(region, Region { number, phase: 0, frame, members, chains });
    }

    pub(super) fn next_phase(&mut self, region: u32) {
        let Some(r) = self.regions.get_mut(&region) else {
            self.confused = Some(Structure::BarrierOutside);
            return;
        };
        r.phase += 1;
        let old = self.frames[r.frame as usize];
        self.frames.push(Frame { phase: r.phase, ..old });
        r.frame = self.frames.len() as u32 - 1;
        let (frame, chains, members) = (r.frame, r.chains.clone(), r.members.clone());
        self.states[r.number as usize] = Some((r.phase, true));
        for (&chain, &member) in chains.iter().zip(&members) {
            let c = &mut self.chains[chain as usize];
            c.frame = frame;
            c.index += 1;
            c.clock = Arc::clone(&self.empty);
            if self.threads[member].stack.last() == Some(&chain) {
                self.place(member);
            } else {
                self.confused = Some(Structure::BarrierInPiece);
            }
        }
    }

    pub(super) fn join_team(&mut self, t: usize, region: u32) {
        let Some(r) = self.regions.remove(&region) else {
            self.confused = Some(Structure::UnknownRegion);
            return;
        };
        self.states[r.number as usize] = Some((r.phase + 1, false));
        for (&chain, &member) in r.chains.iter().zip(&r.members) {
            self.chains[chain as usize].ended = true;
            if self.threads[member].stack.pop() != Some(chain) {
                self.confused = Some(Structure::RegionInPiece);
                return;
            }
        }
        let Some(chain) = self.current(t) else { return };
        self.chains[chain as usize].index += 1;
        self.place(t);
    }

    pub(super) fn begin(
        &mut self,
        t: usize,
        (share, nth): (u32, u64),
        kind: ShareKind,
        number: u64,
        (open, mapping): (bool, Option<u32>),
    ) {
        let Some(outer) = self.current(t) else { return };
        if kind == ShareKind::Simd {
            self.begin_lane(t, share, number, outer);
            return;
        }
        // Outside of all regions, one thread executes them all; that their order does not matter is the machine's to say.
        let outside = self.frames[self.chains[outer as usize].frame as usize].region == 0;
        let open = open && !outside && Rule::OpenPieces.holds();
        self.threads[t].pieces.push((share, open));
        if !open {
            // A piece whose thread is fixed: part of the chain, but `ordered` counts by its iterations.
            let c = &mut self.chains[outer as usize];
            c.piece = Some((share, number));
            if c.share != share {
                (c.share, c.passed) = (share, 0);
            }
            c.index += 1;
            self.place(t);
            return;
        }
        let (frame, member) = (self.chains[outer as usize].frame, self.chains[outer as usize].member);
        if let Some((s, n, chain)) = self.threads[t].ended
            && (s, n) == (share, number)
        {
            // The last iteration goes on behind its loop, to write variables back.
            let empty = Arc::clone(&self.empty);
            let c = &mut self.chains[chain as usize];
            (c.ended, c.index) = (false, c.index + 1);
            if c.frame != frame {
                // Behind a barrier.
                (c.frame, c.clock) = (frame, empty);
            }
            self.threads[t].stack.push(chain);
            self.place(t);
            return;
        }
        let id = id_of(id_of(self.frames[frame as usize].id, nth | 1 << 40), number);
        let chain = self.new_chain(Kind::Piece, frame, id, Arc::clone(&self.empty));
        if let Some(mapping) = mapping
            && let Some(earlier) = self.alike.insert((frame, mapping, number), chain)
        {
            let clock = self.release(earlier);
            self.learn(chain, &clock);
        }
        self.chains[chain as usize].piece = Some((share, number));
        self.chains[chain as usize].nth = nth;
        self.chains[chain as usize].member = member;
        self.threads[t].stack.push(chain);
        self.place(t);
    }

    pub(super) fn begin_lane(&mut self, t: usize, share: u32, number: u64, outer: u32) {
        let at = self.threads[t].pos;
        let (frame, _) = match self.lanes.get(&share) {
            Some(&(frame, pos)) if pos == at => (frame, pos),
            _ => {
                self.chains[outer as usize].index += 1;
                self.place(t);
                let parent = self.threads[t].pos;
                let depth = self.frames[self.positions[parent as usize].frame as usize].depth + 1;
                let id = self.next_id(outer, 2);
                let region = self.states.len() as u32;
                self.frames.push(Frame { region, id, phase: 0, depth, parent, beside: true, alone: false });
                self.states.push(None);
                let entry = (self.frames.len() as u32 - 1, parent);
                self.lanes.insert(share, entry);
                entry
            }
        };
        let (id, member) =
            (id_of(self.frames[frame as usize].id, number), self.chains[outer as usize].member);
        let chain = self.new_chain(Kind::Lane, frame, id, Arc::clone(&self.empty));
        self.chains[chain as usize].piece = Some((share, number));
        self.chains[chain as usize].member = member;
        self.threads[t].pieces.push((share, true));
        self.threads[t].stack.push(chain);
        self.place(t);
    }

    pub(super) fn end_piece(&mut self, t: usize, share: u32) {
        let Some(chain) = self.current(t) else { return };
        match self.threads[t].pieces.pop() {
            Some((s, true)) if s == share => {
                self.chains[chain as usize].ended = true;
                let lane = self.chains[chain as usize].kind == Kind::Lane;
                if let (false, Some((share, number))) = (lane, self.chains[chain as usize].piece) {
                    self.threads[t].ended = Some((share, number, chain));
                }
                self.threads[t].stack.pop();
                let Some(outer) = self.current(t) else { return };
                if lane {
                    // Back to the position that entered the loop, so that the next lane is beside this one.
                    if let Some(&(_, pos)) = self.lanes.get(&share) {
                        self.threads[t].pos = pos;
                        return;
                    }
                }
                self.chains[outer as usize].index += 1;
                self.place(t);
            }
            Some((s, false)) if s == share => {
                let c = &mut self.chains[chain as usize];
                c.piece = None;
                c.index += 1;
                self.place(t);
            }
            _ => self.confused = Some(Structure::PieceNotBegun),
        }
    }

    pub(super) fn ordered(&mut self, t: usize, share: u32, begins: bool) {
        let Some(chain) = self.current(t) else { return };
        let c = &mut self.chains[chain as usize];
        match c.piece {
            Some((s, number)) if s == share => {
                // The k-th block of a piece belongs at the earliest to its k-th iteration: with pieces of one iteration
                // that is exact; in larger ones an iteration without block would shift the numbers.
                let iteration = number.max(c.passed);
                if begins {
                    c.passed = iteration + 1;
                } else {
                    c.ordered.push((share, c.passed.saturating_sub(1)));
                }
                c.index += 1;
                self.place(t);
            }
            _ => self.confused = Some(Structure::OrderedOutside),
        }
    }

    pub(super) fn post(&mut self, t: usize, share: u32, vector: u64) {
        let Some(chain) = self.current(t) else { return };
        let clock = self.release(chain);
        self.entries += clock.len();
        self.posts.insert((share, vector), Arc::new(clock));
        self.place(t);
    }

    pub(super) fn sink(&mut self, t: usize, share: u32, vector: u64) {
        let Some(chain) = self.current(t) else { return };
        // An iteration outside of the loop's bounds is not waited for.
        if let Some(clock) = self.posts.get(&(share, vector)).cloned() {
            self.learn(chain, &clock);
            self.place(t);
        }
    }
}
