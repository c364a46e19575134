//! The fingerprint of a machine: a hash of everything that decides how the program can go on.

use xxhash_rust::xxh3::xxh3_128;

use crate::clock::Clock;
use crate::thread::{Pending, Status, Thread};

use super::Machine;

impl Machine<'_> {
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
