//! Functions without a body that the machine knows by name.
//!
//! *Local* functions act at once; *synchronisation* functions are scheduling points. Everything else without a body makes
//! the verdict `unknown` when it is called. To add a function: one line in a family's table, and a test program.

mod cxx;
mod decimal;
mod math;
mod omp;
mod omp_api;
mod pthread;
mod rp;
mod rp_float;

use base::DefectKind;
use base::reason::Subject;
use ir::AccessId;

use crate::interp::access::Value;
use crate::seen::SeenBytes;
use crate::state::Machine;
use crate::stop::Stop;
use crate::thread::Thread;

/// Operations that are scheduling points (or block).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum SyncOp {
    MutexLock,
    MutexTry,
    MutexTimed,
    MutexUnlock,
    SpinLock,
    SpinTry,
    SpinUnlock,
    ReadLock,
    ReadTry,
    ReadTimed,
    WriteLock,
    WriteTry,
    WriteTimed,
    RwUnlock,
    CondWait,
    CondTimedWait,
    CondSignal,
    CondBroadcast,
    BarrierWait,
    SemWait,
    SemTry,
    SemTimed,
    SemPost,
    SemGet,
    Join,
    OnceEnter,
    OnceLeave,
    OnceAbandon,
    AtomicBegin,
    AtomicEnd,
    SectionBegin,
    SectionEnd,
    FutexWait,
    FutexWake,
    OmpLock,
    OmpTest,
    OmpUnlock,
    Exit,
}

/// What a native function is.
#[derive(Clone, Copy)]
pub enum Native {
    /// Acts at once.
    Local(LocalFn),
    /// Is a scheduling point.
    Sync(SyncOp),
}

impl std::fmt::Debug for Native {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Native::Local(_) => write!(f, "Local"),
            Native::Sync(op) => write!(f, "Sync({op:?})"),
        }
    }
}

impl SyncOp {
    /// How many bytes the object has that it works on (the first argument), where pointers have so many.
    pub fn object_bytes(self, pointer: u64) -> u64 {
        use SyncOp as S;
        match self {
            S::MutexLock | S::MutexTry | S::MutexTimed | S::MutexUnlock => MUTEX.of(pointer),
            S::ReadLock | S::ReadTry | S::ReadTimed => RW_LOCK.of(pointer),
            S::WriteLock | S::WriteTry | S::WriteTimed | S::RwUnlock => RW_LOCK.of(pointer),
            S::CondWait | S::CondTimedWait | S::CondSignal | S::CondBroadcast => COND.of(pointer),
            S::BarrierWait => BARRIER.of(pointer),
            S::SemWait | S::SemTry | S::SemTimed | S::SemPost | S::SemGet => SEMAPHORE.of(pointer),
            S::SpinLock | S::SpinTry | S::SpinUnlock => SPIN_LOCK.of(pointer),
            S::OnceEnter | S::OnceLeave | S::OnceAbandon => ONCE.of(pointer),
            S::OmpLock | S::OmpTest | S::OmpUnlock => OMP_LOCK.of(pointer),
            S::AtomicBegin | S::AtomicEnd | S::SectionBegin | S::SectionEnd => 0,
            S::Join | S::Exit | S::FutexWait | S::FutexWake => 0,
        }
    }
}

/// The bytes of a synchronisation object of glibc's (or libomp's) on 64-bit and on 32-bit targets.
#[derive(Clone, Copy)]
pub(crate) struct Bytes(u64, u64);

impl Bytes {
    /// Where pointers have so many bytes.
    pub(crate) fn of(self, pointer: u64) -> u64 {
        if pointer == 8 { self.0 } else { self.1 }
    }
}

pub(crate) const MUTEX: Bytes = Bytes(40, 24);
pub(crate) const SPIN_LOCK: Bytes = Bytes(4, 4);
pub(crate) const RW_LOCK: Bytes = Bytes(56, 32);
pub(crate) const COND: Bytes = Bytes(48, 48);
pub(crate) const BARRIER: Bytes = Bytes(32, 20);
pub(crate) const SEMAPHORE: Bytes = Bytes(32, 16);
pub(crate) const ONCE: Bytes = Bytes(4, 4);
pub(crate) const OMP_LOCK: Bytes = Bytes(8, 4);

impl Native {
    /// Whether it can observe other threads' synchronisation without being ordered after it.
    pub fn is_weak(self) -> bool {
        use SyncOp as S;
        matches!(
            self,
            Native::Sync(
                S::MutexTry
                    | S::SpinTry
                    | S::MutexTimed
                    | S::ReadTry
                    | S::ReadTimed
                    | S::WriteTry
                    | S::WriteTimed
                    | S::SemTry
                    | S::SemTimed
                    | S::SemGet
                    | S::FutexWait
                    | S::SectionBegin
                    | S::SectionEnd
                    | S::OmpTest
            )
        )
    }
}

/// A function that acts at once.
pub type LocalFn = for<'a, 'b, 'p> fn(&'a mut Call<'b, 'p>) -> Result<(), Stop>;

/// A call of a local function.
pub struct Call<'b, 'p> {
    /// The machine.
    pub machine: &'b mut Machine<'p>,
    /// The calling thread, which is not in the machine meanwhile.
    pub th: &'b mut Thread,
    /// Its number.
    pub t: usize,
    /// The arguments, slot by slot.
    pub args: &'b [Value],
    /// The result, slot by slot.
    pub result: Vec<Value>,
    /// The function has set up by itself where the thread goes on.
    pub moved: bool,
}

impl Call<'_, '_> {
    /// An argument, whatever it is.
    pub fn raw(&self, i: usize) -> Value {
        self.args.get(i).copied().unwrap_or((0, u64::MAX))
    }

    /// An argument that must be known.
    pub fn arg(&self, i: usize) -> Result<u64, Stop> {
        match self.raw(i) {
            (v, s) if s == 0 || !self.machine.mode.taint => Ok(v),
            value => Err(self.machine.open(Subject::CallArgument, value)),
        }
    }

    /// An argument of 32 bits, sign-extended.
    pub fn int(&self, i: usize) -> Result<i32, Stop> {
        match self.raw(i) {
            (v, s) if s & 0xffff_ffff == 0 || !self.machine.mode.taint => Ok(v as u32 as i32),
            _ => self.arg(i).map(|v| v as i32),
        }
    }

    /// Returns a known value.
    pub fn give(&mut self, value: u64) {
        self.result = vec![(value, 0)];
    }

    /// A string of C, for messages.
    pub fn text(&self, address: u64) -> String {
        let mut bytes = Vec::new();
        for i in 0..4096 {
            match self.machine.see_bytes(address.wrapping_add(i), 1).map(SeenBytes::shown) {
                Ok(&[b]) if b != 0 => bytes.push(b),
                _ => break,
            }
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// The access that a native function makes on behalf of the user's code.
    pub fn access(&self) -> AccessId {
        self.machine.native_access(self.th)
    }

    /// Ends with a defect.
    pub fn defect(&self, kind: DefectKind, message: impl Into<String>) -> Result<(), Stop> {
        Err(Stop::defect(kind, message))
    }
}

/// Whether a function only computes a number from numbers.
pub(crate) fn is_math(name: &str) -> bool {
    math::lookup(name).is_some()
}

/// The native function of that name.
pub fn lookup(name: &str) -> Option<Native> {
    pthread::lookup(name)
        .or_else(|| rp::lookup(name))
        .or_else(|| math::lookup(name))
        .or_else(|| cxx::lookup(name))
        .or_else(|| omp::lookup(name))
}
