//! Running a program and storing what it does.
//!
//! The program writes into memory that it shares with this process ([`crate::layout`]), so whatever ends it, what it has
//! written is here. This process looks for full chunks, packs and stores them and gives them back, until the program is
//! gone; then it takes what is in the chunks that were not full, and in the caches of threads that have not ended.
//!
//! When the limit is reached, or the disk is full, the program goes on unrecorded. From then on some threads' records are
//! missing while others' may be there; the smallest global number that is missing goes into the file, and whoever reads it
//! stops there.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use memmap2::MmapMut;

use crate::file::{self, Contents, End, Piece, Start, Writer};
use crate::layout as at;
use crate::{Error, layout};

/// The variable that tells the runtime where to record to.
pub const VARIABLE: &str = "RACEPROOF_RECORD_TO";

/// What to record.
#[derive(Debug, Clone)]
pub struct Request {
    /// The program and its arguments.
    pub command: Vec<OsString>,
    /// The file to write.
    pub output: PathBuf,
    /// How large the file may become.
    pub limit: Option<u64>,
}

/// What came of it.
#[derive(Debug, Clone)]
pub struct Recorded {
    /// As in the file.
    pub end: End,
    /// Bytes of the file.
    pub bytes: u64,
    /// Bytes of records before they were packed.
    pub unpacked: u64,
    /// Whether any program wrote anything.
    pub attached: bool,
}

/// The memory that is shared with the program.
struct Shared {
    map: MmapMut,
}

impl Shared {
    fn new(memory: &File) -> Result<Shared, Error> {
        let failed = |error| Error::System("cannot make memory to share with the program", error);
        memory.set_len(at::BYTES as u64).map_err(failed)?;
        // SAFETY: the file has no name, is as long as the map, and is never shortened. The program writes to it at the
        // same time; everything here reads it through atomics, or after the program has given a chunk away.
        let map = unsafe { MmapMut::map_mut(memory) }.map_err(failed)?;
        Ok(Shared { map })
    }

    fn word32(&self, offset: usize) -> &AtomicU32 {
        assert!(offset.is_multiple_of(4) && offset + 4 <= self.map.len());
        // SAFETY: within the map, aligned, and atomics may be shared with the program.
        unsafe { &*self.map.as_ptr().add(offset).cast::<AtomicU32>() }
    }

    fn word64(&self, offset: usize) -> &AtomicU64 {
        assert!(offset.is_multiple_of(8) && offset + 8 <= self.map.len());
        // SAFETY: as above.
        unsafe { &*self.map.as_ptr().add(offset).cast::<AtomicU64>() }
    }

    fn words(&self, offset: usize, count: usize) -> Vec<u64> {
        assert!(offset.is_multiple_of(8) && offset + count * 8 <= self.map.len());
        // SAFETY: within the map and aligned; the program has given the memory away, or is gone, or changes single words.
        let from =
            unsafe { std::slice::from_raw_parts(self.map.as_ptr().add(offset).cast::<AtomicU64>(), count) };
        from.iter().map(|word| word.load(Ordering::Relaxed)).collect()
    }

    fn stop(&self) -> &AtomicU32 {
        self.word32(12)
    }

    fn pid(&self) -> u32 {
        self.word32(16).load(Ordering::Acquire)
    }

    fn info(chunk: usize) -> usize {
        at::CHUNK_INFO + chunk * at::INFO_BYTES
    }

    fn chunk_state(&self, chunk: usize) -> u32 {
        self.word32(Self::info(chunk)).load(Ordering::Acquire)
    }

    /// Whose chunk it is, which one of them, and its records.
    fn look(&self, chunk: usize) -> Piece {
        let thread = self.word32(Self::info(chunk) + 4).load(Ordering::Acquire);
        let index = self.word64(Self::info(chunk) + 8).load(Ordering::Acquire);
        let mut words = self.words(at::CHUNKS_AT + chunk * at::CHUNK_BYTES, at::CHUNK_BYTES / 8);
        words.truncate(layout::used(&words));
        Piece { thread, index, words }
    }

    /// The same; the chunk is empty afterwards.
    fn take(&self, chunk: usize) -> Piece {
        let piece = self.look(chunk);
        let from = at::CHUNKS_AT + chunk * at::CHUNK_BYTES;
        // Nothing is behind the used part but, at most, one record that was not finished.
        for i in 0..(piece.words.len() + 8).min(at::CHUNK_BYTES / 8) {
            self.word64(from + i * 8).store(0, Ordering::Relaxed);
        }
        piece
    }
}

/// A thread that had not ended: its number, how many chunks it had, what it has not written yet, what it has lost.
struct Left {
    thread: u32,
    chunks: u64,
    words: Vec<u64>,
    lost: Option<u64>,
}

impl Shared {
    /// The thread in this slot, if there is one.
    fn left(&self, slot: usize) -> Option<Left> {
        let base = at::THREADS_AT + slot * at::SLOT_BYTES;
        if self.word32(base).load(Ordering::Acquire) == 0 {
            return None;
        }
        let thread = self.word32(base + 4).load(Ordering::Acquire);
        let chunks = self.word64(base + 40).load(Ordering::Acquire);
        let is_lost = self.word32(base + 56).load(Ordering::Acquire) != 0;
        let lost_k = self.word32(base + 60).load(Ordering::Acquire);
        let lost = is_lost.then(|| self.word64(base + 48).load(Ordering::Acquire));
        let mut words = Vec::new();
        for entry in 0..at::CACHE {
            let from = base + 128 + entry * at::ENTRY_BYTES;
            let [_, key, _, step, base, counts, steps] =
                <[u64; 7]>::try_from(self.words(from, 7)).unwrap_or_default();
            let (site, count, k_step, k) = (key >> 32, counts as u32, steps as u32, (steps >> 32) as u32);
            if count == 0 || is_lost && k >= lost_k {
                continue;
            }
            let most = if is_lost { (lost_k - k).div_ceil(k_step.max(1)) } else { u32::MAX };
            words.extend([4 | site << 8 | u64::from(k) << 32, base]);
            words.extend([u64::from(count.min(most)) | u64::from(k_step) << 32, step]);
        }
        Some(Left { thread, chunks, words, lost })
    }
}

/// Where records go, and what has become of them.
struct Store {
    writer: Writer,
    limit: u64,
    /// Why nothing more is written.
    stopped: Option<String>,
    cut: Option<u64>,
    unpacked: u64,
    last: Option<u64>,
}

impl Store {
    fn lose(&mut self, number: Option<u64>) {
        self.cut = match (self.cut, number) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
    }

    fn piece(&mut self, shared: &Shared, Piece { thread, index, words }: Piece) {
        if words.is_empty() {
            return;
        }
        let number = layout::first_number(&words);
        if self.stopped.is_some() {
            return self.lose(number);
        }
        self.unpacked += words.len() as u64 * 8;
        match self.writer.piece(thread, index, &words) {
            Ok(()) if self.writer.size() > self.limit => {
                self.stopped = Some(format!("the file has reached its limit of {} bytes", self.limit));
            }
            Ok(()) => self.last = number,
            Err(error) => {
                self.stopped = Some(format!("the file could not be written: {error}"));
                self.lose(number);
                // The block before goes as well: it makes room for the end.
                let last = self.last;
                self.lose(last);
                let _ = self.writer.take_back();
            }
        }
        if self.stopped.is_some() {
            shared.stop().store(1, Ordering::Release);
        }
    }
}

/// Ctrl-C goes to the program, which may want to clean up; here it only ends the waiting for it.
fn survive_interrupts() {
    extern "C" fn ignore(_: libc::c_int) {}
    let handler = ignore as extern "C" fn(libc::c_int) as libc::sighandler_t;
    for signal in [libc::SIGINT, libc::SIGQUIT, libc::SIGTERM, libc::SIGHUP] {
        // SAFETY: the handler does nothing, so it may run at any time. It does not survive the `exec` of the program.
        unsafe { libc::signal(signal, handler) };
    }
}

fn lives(pid: u32) -> bool {
    let Some(pid) = i32::try_from(pid).ok().and_then(rustix::process::Pid::from_raw) else { return false };
    rustix::process::test_kill_process(pid).is_ok()
}

/// Somebody asks what was found so far.
static ASKED: AtomicBool = AtomicBool::new(false);

/// What a program has done so far, while it goes on.
#[derive(Debug)]
pub struct Snapshot {
    file: PathBuf,
    /// So many bytes of the file count.
    size: u64,
    /// What is not in the file yet.
    pieces: Vec<Piece>,
    end: End,
}

impl Snapshot {
    /// Reads it. The program and its recording go on meanwhile.
    pub fn contents(self) -> Result<Contents, Error> {
        use std::io::Read;
        let file = File::open(&self.file).map_err(|error| Error::File(self.file.clone(), error))?;
        let mut contents = file::read(io::BufReader::with_capacity(1 << 20, file.take(self.size)))?;
        contents.pieces.extend(self.pieces);
        contents.end = Some(self.end);
        Ok(contents)
    }
}

/// From now on SIGUSR1 asks for a [`Snapshot`].
pub fn answer_requests() {
    extern "C" fn asked(_: libc::c_int) {
        ASKED.store(true, Ordering::Release);
    }
    let handler = asked as extern "C" fn(libc::c_int) as libc::sighandler_t;
    // SAFETY: the handler sets a flag, which it may do at any time.
    unsafe { libc::signal(libc::SIGUSR1, handler) };
}

/// Whether all threads of a process stand still, after a moment.
fn stands_still(pid: u32) -> bool {
    let stopped = |task: &Path| {
        // The state is behind the name, which ends in the last parenthesis.
        let stat = std::fs::read_to_string(task.join("stat")).unwrap_or_default();
        stat.rsplit(')')
            .next()
            .is_none_or(|rest| rest.trim_start().starts_with(['T', 't', 'Z', 'X']) || rest.is_empty())
    };
    let all = || {
        let tasks = std::fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
        tasks.map(|task| task.path()).all(|task| stopped(&task))
    };
    (0..200).any(|_| {
        let still = all();
        if !still {
            std::thread::sleep(Duration::from_millis(2));
        }
        still
    })
}

/// What there is at this moment: the program is held for it. `None` if it cannot be held.
fn snapshot(shared: &Shared, store: &Store, file: &Path) -> Option<Snapshot> {
    use rustix::process::{Pid, Signal, kill_process};
    let pid = shared.pid();
    let process = i32::try_from(pid).ok().and_then(Pid::from_raw)?;
    kill_process(process, Signal::STOP).ok()?;
    let still = stands_still(pid);
    let mut pieces = Vec::new();
    let mut cut = store.cut;
    if still {
        let chunks = (0..at::CHUNKS).filter(|chunk| shared.chunk_state(*chunk) != at::CHUNK_FREE);
        pieces.extend(chunks.map(|chunk| shared.look(chunk)).filter(|piece| !piece.words.is_empty()));
        for left in (0..at::SLOTS).filter_map(|slot| shared.left(slot)) {
            cut = [cut, left.lost].into_iter().flatten().min();
            pieces.push(Piece { thread: left.thread, index: left.chunks, words: left.words });
        }
    }
    // If it is gone meanwhile, nobody needs to go on.
    let _ = kill_process(process, Signal::CONT);
    let end = End { ended: "it still runs".into(), code: None, cut, missing: missing(shared, store) };
    still.then(|| Snapshot { file: file.to_owned(), size: store.writer.size(), pieces, end })
}

/// Runs the program to its end, or the end of the process that records if that lives longer.
fn follow(
    child: &mut Child,
    shared: &Shared,
    store: &mut Store,
    mut asked: impl FnMut(&Store),
) -> io::Result<ExitStatus> {
    let mut ended = None;
    let mut idle = 0;
    loop {
        if ASKED.swap(false, Ordering::AcqRel) {
            asked(store);
        }
        let status = match ended {
            None => child.try_wait()?,
            some => some,
        };
        let mut found = 0;
        for chunk in 0..at::CHUNKS {
            if shared.chunk_state(chunk) == at::CHUNK_FULL {
                let piece = shared.take(chunk);
                shared.word32(Shared::info(chunk)).store(at::CHUNK_FREE, Ordering::Release);
                store.piece(shared, piece);
                found += 1;
            }
        }
        ended = status;
        if found == 0 {
            if let Some(status) = ended.filter(|_| !lives(shared.pid())) {
                return Ok(status);
            }
            idle = (idle + 1).min(20);
            std::thread::sleep(Duration::from_micros(100 * idle));
        } else {
            idle = 0;
        }
    }
}

/// What is in chunks that were not full, and in threads that have not ended.
fn collect(shared: &Shared, store: &mut Store) {
    for chunk in 0..at::CHUNKS {
        if shared.chunk_state(chunk) != at::CHUNK_FREE {
            store.piece(shared, shared.take(chunk));
        }
    }
    for left in (0..at::SLOTS).filter_map(|slot| shared.left(slot)) {
        if let Some(lost) = left.lost {
            store.lose(Some(lost));
        }
        store.piece(shared, Piece { thread: left.thread, index: left.chunks, words: left.words });
    }
    let without_slot = shared.word32(40).load(Ordering::Acquire);
    if without_slot > 0 {
        let number = shared.word64(48).load(Ordering::Acquire);
        store.lose(Some(number));
        let why = format!("{without_slot} threads came when {} others lived already", at::SLOTS);
        store.stopped.get_or_insert(why);
    }
}

fn missing(shared: &Shared, store: &Store) -> Vec<String> {
    let mut missing = Vec::new();
    if let Some(why) = &store.stopped {
        missing.push(format!("what happened after {why}"));
    }
    let others = shared.word32(20).load(Ordering::Acquire);
    if others > 0 {
        let s = if others == 1 { "" } else { "es" };
        missing.push(format!("{others} further process{s} that could be recorded: only the first one is"));
    }
    missing
}

fn said(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exit code {code}"),
        (None, Some(signal)) => format!("signal {signal}"),
        _ => "unknown".into(),
    }
}

/// Runs the command and records it. Whenever somebody asks ([`answer_requests`]), what there is is given away.
pub fn record(request: &Request, mut asked: impl FnMut(Snapshot)) -> Result<Recorded, Error> {
    let failed = |error: rustix::io::Errno| Error::System("cannot make memory to share", error.into());
    let memory = rustix::fs::memfd_create("raceproof", rustix::fs::MemfdFlags::CLOEXEC).map_err(failed)?;
    let memory = File::from(memory);
    let shared = Shared::new(&memory)?;
    shared.word64(0).store(at::MAGIC, Ordering::Release);
    shared.word32(8).store(std::process::id(), Ordering::Release);
    let text = |word: &OsString| word.to_string_lossy().into_owned();
    let start = Start {
        raceproof: env!("CARGO_PKG_VERSION").into(),
        command: request.command.iter().map(text).collect(),
        directory: std::env::current_dir().map(|d| d.to_string_lossy().into_owned()).unwrap_or_default(),
    };
    let cannot_write = |error| Error::File(request.output.clone(), error);
    let writer = Writer::create(&request.output, &start).map_err(cannot_write)?;
    let limit = request.limit.unwrap_or(u64::MAX);
    let mut store = Store { writer, limit, stopped: None, cut: None, unpacked: 0, last: None };
    let name = request.command.first().map(text).unwrap_or_default();
    survive_interrupts();
    let mut child = Command::new(&name)
        .args(&request.command[1..])
        .env(VARIABLE, format!("/proc/{}/fd/{}", std::process::id(), memory.as_raw_fd()))
        .spawn()
        .map_err(|error| Error::Start(name, error))?;
    let status = follow(&mut child, &shared, &mut store, |store| {
        snapshot(&shared, store, &request.output).into_iter().for_each(&mut asked);
    });
    let status = status.map_err(|error| Error::System("cannot wait for the program", error))?;
    collect(&shared, &mut store);
    let end =
        End { ended: said(status), code: status.code(), cut: store.cut, missing: missing(&shared, &store) };
    store.writer.end(&end).map_err(cannot_write)?;
    let (bytes, unpacked) = (store.writer.size(), store.unpacked);
    Ok(Recorded { end, bytes, unpacked, attached: shared.pid() != 0 })
}

/// Whether a program was built for recording: it has the runtime's mark.
pub fn is_recordable(program: &Path) -> bool {
    const MARK: &[u8] = VARIABLE.as_bytes();
    let Ok(file) = File::open(program) else { return false };
    // SAFETY: a program that somebody changes while it is looked at gives a wrong answer and nothing worse.
    let Ok(map) = (unsafe { memmap2::Mmap::map(&file) }) else { return false };
    map.windows(MARK.len()).any(|window| window == MARK)
}
