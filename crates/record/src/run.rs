//! What a recording holds: for each thread its accesses and its synchronisation, and where in the program these are.
//!
//! Records of a thread come out of its pieces in the order of the file. An access may stand behind later ones (a cache holds
//! it back while its run goes on); the thread's clock `k` puts it back into the order of the program.
//!
//! If something is missing, everything from the first missing global number on is cut off ([`Run::cut`]): a thread's
//! synchronisation with that number or a later one, and its accesses after that.

use std::fs::File;
use std::path::Path;

use rustc_hash::FxHashMap;

use crate::Error;
use crate::file::{self, Contents, End, Piece, Start};
use crate::layout::{Op, Record, records};

/// Accesses of one thread at one place: equal steps of the address and of the clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Accesses {
    /// The thread's clock at the first one.
    pub k: u64,
    /// Address of the first one.
    pub address: u64,
    /// From one address to the next.
    pub step: i64,
    /// Where in the program.
    pub site: u32,
    /// How many.
    pub count: u32,
    /// From one clock to the next.
    pub k_step: u32,
    /// How many bytes each accesses.
    pub bytes: u32,
}

impl Accesses {
    /// The address of one of them.
    #[inline]
    pub fn address_of(&self, i: u32) -> u64 {
        self.address.wrapping_add_signed(self.step.wrapping_mul(i64::from(i)))
    }

    /// The clock of one of them.
    #[inline]
    pub fn clock_of(&self, i: u32) -> u64 {
        self.k + u64::from(i) * u64::from(self.k_step)
    }

    /// How many of them come before this clock.
    #[inline]
    pub fn before(&self, k: u64) -> u32 {
        match (k > self.k, self.k_step) {
            (false, _) => 0,
            (true, 0) => self.count,
            (true, step) => (k - self.k).div_ceil(u64::from(step)).min(u64::from(self.count)) as u32,
        }
    }
}

/// One synchronisation record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sync {
    /// The global number.
    pub seq: u64,
    /// The thread's clock.
    pub k: u64,
    /// What is synchronised with.
    pub object: u64,
    /// See the operation.
    pub argument: u64,
    /// Where in the program.
    pub site: u32,
    /// What is done.
    pub op: Op,
    /// See the operation.
    pub flag: u8,
}

/// What a thread did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Thread {
    /// Its accesses, by clock of the first one.
    pub accesses: Vec<Accesses>,
    /// Its synchronisation, in order.
    pub syncs: Vec<Sync>,
}

/// A place in the code, in a calling context.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Site {
    /// The code address after the call of the hook.
    pub pc: u64,
    /// Bits of `KIND_*`, and the logarithm of the size in bits 4 to 7.
    pub kind: u16,
    /// The context's number.
    pub context: u32,
}

impl Site {
    /// Whether the access writes.
    pub fn writes(&self) -> bool {
        self.kind & crate::layout::KIND_WRITE != 0
    }

    /// Whether the access reads.
    pub fn reads(&self) -> bool {
        self.kind & crate::layout::KIND_READ != 0
    }
}

/// A module of the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Module {
    /// Where it is loaded.
    pub from: u64,
    /// Where it ends.
    pub to: u64,
    /// Its file.
    pub path: String,
}

/// A recorded run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Run {
    /// What was known before it.
    pub start: Start,
    /// What was known after it, if it was recorded to its end.
    pub end: Option<End>,
    /// The threads by number.
    pub threads: Vec<Thread>,
    /// Sites by number.
    pub sites: FxHashMap<u32, Site>,
    /// Calling contexts by number: the parent's number and the code address of the call.
    pub contexts: FxHashMap<u32, (u32, u64)>,
    /// The modules, in the order in which they were loaded.
    pub modules: Vec<Module>,
    /// From this global number on everything is cut off.
    pub cut: Option<u64>,
    /// What is missing; sentences.
    pub missing: Vec<String>,
}

/// Reads a recording.
pub fn open(path: &Path) -> Result<Run, Error> {
    let file = File::open(path).map_err(|error| Error::File(path.to_owned(), error))?;
    Ok(Run::new(file::read(std::io::BufReader::with_capacity(1 << 20, file))?))
}

impl Run {
    /// Puts the pieces together.
    pub fn new(contents: Contents) -> Run {
        let Contents { start, end, mut pieces, torn } = contents;
        let mut run = Run { start, end, ..Run::default() };
        pieces.sort_by_key(|piece| (piece.thread, piece.index));
        let mut cut = run.end.as_ref().and_then(|end| end.cut);
        for of_thread in pieces.chunk_by(|a, b| a.thread == b.thread) {
            let missing = run.thread(of_thread);
            cut = [cut, missing].into_iter().flatten().min();
        }
        for thread in &mut run.threads {
            thread.accesses.sort_by_key(|accesses| accesses.k);
        }
        match &run.end {
            Some(end) => run.missing = end.missing.clone(),
            None => {
                let why = torn.unwrap_or_else(|| "it has no end".into());
                run.missing.push(format!("the end of the run: the file was cut off ({why})"));
                cut = [cut, Some(run.last_certain())].into_iter().flatten().min();
            }
        }
        if let Some(cut) = cut {
            run.cut_off(cut);
        }
        run
    }

    /// Takes over the records of a thread; the first global number that may be missing because a piece is.
    fn thread(&mut self, pieces: &[Piece]) -> Option<u64> {
        let number = pieces[0].thread as usize;
        if number >= self.threads.len() {
            self.threads.resize_with(number + 1, Thread::default);
        }
        let mut epoch = 0;
        for (expected, piece) in pieces.iter().enumerate() {
            if piece.index != expected as u64 {
                return Some(self.threads[number].syncs.last().map_or(0, |sync| sync.seq + 1));
            }
            for record in records(&piece.words) {
                self.record(number, record, &mut epoch);
            }
        }
        None
    }

    fn record(&mut self, number: usize, record: Record<'_>, epoch: &mut u64) {
        let thread = &mut self.threads[number];
        let clock = |k: u32| *epoch << 32 | u64::from(k);
        match record {
            Record::Site { id, pc, kind, context } => {
                self.sites.insert(id, Site { pc, kind, context });
            }
            Record::Context { id, parent, pc } => {
                self.contexts.insert(id, (parent, pc));
            }
            Record::Accesses { site, k, address, count, k_step, step } => {
                thread.accesses.push(Accesses { k: clock(k), address, step, site, count, k_step, bytes: 0 });
            }
            Record::Range { site, k, address, bytes } => {
                const MOST: u64 = 1 << 30;
                for from in (0..bytes).step_by(MOST as usize) {
                    let bytes = (bytes - from).min(MOST) as u32;
                    let address = address + from;
                    thread.accesses.push(Accesses {
                        k: clock(k),
                        address,
                        step: 0,
                        site,
                        count: 1,
                        k_step: 1,
                        bytes,
                    });
                }
            }
            Record::Sync { site, k, seq, op, object, argument, flag } => {
                thread.syncs.push(Sync { seq, k: clock(k), object, argument, site, op, flag });
            }
            Record::Module { from, to, path, bytes } => {
                let path: Vec<u8> = path.iter().flat_map(|word| word.to_le_bytes()).take(bytes).collect();
                let module = Module { from, to, path: String::from_utf8_lossy(&path).into_owned() };
                if !self.modules.contains(&module) {
                    self.modules.push(module);
                }
            }
            Record::Epoch => *epoch += 1,
        }
    }

    /// How many bytes an access has.
    #[inline]
    pub fn bytes_of(&self, accesses: &Accesses) -> u32 {
        match accesses.bytes {
            0 => 1 << (self.site(accesses.site).kind >> 4 & 15),
            bytes => bytes,
        }
    }

    /// A site; without its record it is nowhere.
    #[inline]
    pub fn site(&self, number: u32) -> Site {
        self.sites.get(&number).copied().unwrap_or_default()
    }

    /// The global number up to which a file without an end is certain to have everything.
    fn last_certain(&self) -> u64 {
        if self.threads.first().is_none_or(|first| first.syncs.is_empty()) {
            // Who created whom is not known.
            return 0;
        }
        let known = |number: u64| self.threads.get(number as usize).is_some_and(|t| !t.syncs.is_empty());
        let all = || self.threads.iter().flat_map(|thread| &thread.syncs);
        let without_child =
            all().filter(|sync| sync.op == Op::Fork && !known(sync.argument)).map(|sync| sync.seq + 1);
        let open = self.threads.iter().filter_map(|thread| thread.syncs.last());
        let open = open.filter(|last| last.op != Op::End).map(|last| last.seq + 1);
        open.chain(without_child).min().unwrap_or(u64::MAX)
    }

    fn cut_off(&mut self, cut: u64) {
        self.cut = Some(cut);
        for thread in &mut self.threads {
            let keep = thread.syncs.partition_point(|sync| sync.seq < cut);
            let Some(first_lost) = thread.syncs.get(keep).map(|sync| sync.k) else { continue };
            thread.syncs.truncate(keep);
            thread.accesses.retain_mut(|accesses| {
                accesses.count = accesses.before(first_lost);
                accesses.count > 0
            });
        }
    }

    /// How many accesses and synchronisation records there are.
    pub fn sizes(&self) -> (u64, u64) {
        let accesses = self.threads.iter().flat_map(|t| &t.accesses).map(|a| u64::from(a.count)).sum();
        (accesses, self.threads.iter().map(|t| t.syncs.len() as u64).sum())
    }
}
