//! The numbers of `runtime/layout.h`, which explains them, and records as they come out of chunks.

/// The first word of the shared memory.
pub const MAGIC: u64 = 0x3143_4552_5052_4352;
/// How many chunks there are.
pub const CHUNKS: usize = 2048;
/// Bytes of a chunk.
pub const CHUNK_BYTES: usize = 65536;
/// Threads at a time.
pub const SLOTS: usize = 2048;
/// Entries of a thread's cache.
pub const CACHE: usize = 1024;
/// Bytes of an entry of the cache.
pub const ENTRY_BYTES: usize = 64;
/// Bytes of a thread's state.
pub const SLOT_BYTES: usize = 128 + CACHE * ENTRY_BYTES;
/// Where the descriptions of chunks begin.
pub const CHUNK_INFO: usize = 4096;
/// Bytes of a description.
pub const INFO_BYTES: usize = 16;
/// Where the states of threads begin.
pub const THREADS_AT: usize = CHUNK_INFO + CHUNKS * INFO_BYTES;
/// Where the chunks begin.
pub const CHUNKS_AT: usize = THREADS_AT + SLOTS * SLOT_BYTES;
/// All of it.
pub const BYTES: usize = CHUNKS_AT + CHUNKS * CHUNK_BYTES;

/// A chunk that nobody has.
pub const CHUNK_FREE: u32 = 0;
/// A chunk that a thread writes to.
pub const CHUNK_TAKEN: u32 = 1;
/// A chunk to be stored.
pub const CHUNK_FULL: u32 = 2;

/// Kinds of sites: the access writes.
pub const KIND_WRITE: u16 = 1;
/// Kinds of sites: the access reads.
pub const KIND_READ: u16 = 2;

/// What a synchronisation record says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
#[allow(missing_docs, reason = "`runtime/layout.h` explains them")]
pub enum Op {
    Fork = 1,
    Begin,
    End,
    Join,
    Acquire,
    Release,
    AcquireShared,
    ReleaseShared,
    Notify,
    Wait,
    Barrier,
    BarrierLeft,
    Load,
    Store,
    Update,
    Fence,
    Alloc,
    Free,
    NotForked,
    ForkedProcess,
    ParallelBegin,
    ParallelEnd,
    Implicit,
    TaskCreate,
    TaskSchedule,
    Dependence,
    RegionBegin,
    RegionEnd,
    DeadStack,
    Single,
    Chunk,
    Asked,
    OwnMemory,
}

impl Op {
    const ALL: [Op; 33] = [
        Op::Fork,
        Op::Begin,
        Op::End,
        Op::Join,
        Op::Acquire,
        Op::Release,
        Op::AcquireShared,
        Op::ReleaseShared,
        Op::Notify,
        Op::Wait,
        Op::Barrier,
        Op::BarrierLeft,
        Op::Load,
        Op::Store,
        Op::Update,
        Op::Fence,
        Op::Alloc,
        Op::Free,
        Op::NotForked,
        Op::ForkedProcess,
        Op::ParallelBegin,
        Op::ParallelEnd,
        Op::Implicit,
        Op::TaskCreate,
        Op::TaskSchedule,
        Op::Dependence,
        Op::RegionBegin,
        Op::RegionEnd,
        Op::DeadStack,
        Op::Single,
        Op::Chunk,
        Op::Asked,
        Op::OwnMemory,
    ];

    fn from_code(code: u8) -> Option<Op> {
        Op::ALL.get(usize::from(code).checked_sub(1)?).copied()
    }
}

/// A record of a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "`runtime/layout.h` explains them")]
pub enum Record<'a> {
    Site {
        id: u32,
        pc: u64,
        kind: u16,
        context: u32,
    },
    Context {
        id: u32,
        parent: u32,
        pc: u64,
    },
    Accesses {
        site: u32,
        k: u32,
        address: u64,
        count: u32,
        k_step: u32,
        step: i64,
    },
    Range {
        site: u32,
        k: u32,
        address: u64,
        bytes: u64,
    },
    Sync {
        site: u32,
        k: u32,
        seq: u64,
        op: Op,
        object: u64,
        argument: u64,
        flag: u8,
    },
    Module {
        from: u64,
        to: u64,
        path: &'a [u64],
        bytes: usize,
    },
    /// The thread's count begins anew.
    Epoch,
}

const ADDRESS: u64 = 0xffff_ffff_ffff;

/// The first record of these words and how many words it takes; `None` at the end, or where a record was never finished.
pub fn first(words: &[u64]) -> Option<(Record<'_>, usize)> {
    let head = *words.first().filter(|word| **word != 0)?;
    let (site, k) = ((head >> 8) as u32 & 0xff_ffff, (head >> 32) as u32);
    let word = |i: usize| words.get(i).copied();
    Some(match head as u8 {
        1 => {
            let key = word(1)?;
            let (pc, kind) = (key & ADDRESS, (key >> 48) as u16);
            (Record::Site { id: site, pc, kind, context: word(2)? as u32 }, 3)
        }
        2 => (Record::Context { id: site, parent: word(1)? as u32, pc: word(2)? }, 3),
        3 => (Record::Accesses { site, k, address: word(1)?, count: 1, k_step: 1, step: 0 }, 2),
        4 => {
            let (counts, step) = (word(2)?, word(3)? as i64);
            let (count, k_step) = (counts as u32, (counts >> 32) as u32);
            (Record::Accesses { site, k, address: word(1)?, count, k_step, step }, 4)
        }
        5 => (Record::Range { site, k, address: word(1)?, bytes: word(2)? }, 3),
        6 => {
            let (seq, about, argument) = (word(1)?, word(2)?, word(3)?);
            let op = Op::from_code((about >> 48) as u8)?;
            (
                Record::Sync {
                    site,
                    k,
                    seq,
                    op,
                    object: about & ADDRESS,
                    argument,
                    flag: (about >> 56) as u8,
                },
                4,
            )
        }
        7 if site == 0 => (Record::Epoch, 3),
        7 => {
            let count = (site as usize).div_ceil(8);
            let path = words.get(3..3 + count)?;
            (Record::Module { from: word(1)?, to: word(2)?, path, bytes: site as usize }, 3 + count)
        }
        _ => return None,
    })
}

/// The records of these words.
pub fn records(mut words: &[u64]) -> impl Iterator<Item = Record<'_>> {
    std::iter::from_fn(move || {
        let (record, length) = first(words)?;
        words = words.get(length..)?;
        Some(record)
    })
}

/// How many of these words hold records.
pub fn used(words: &[u64]) -> usize {
    let mut at = 0;
    while let Some((_, length)) = words.get(at..).and_then(first) {
        at += length;
    }
    at.min(words.len())
}

/// The smallest global number among the records of these words.
pub fn first_number(words: &[u64]) -> Option<u64> {
    records(words)
        .filter_map(|record| match record {
            Record::Sync { seq, .. } => Some(seq),
            _ => None,
        })
        .min()
}
