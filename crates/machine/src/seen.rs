//! What library functions and the runtime read of the program's memory: never a value without its shadow.
//!
//! A model in C branches on what it reads, and a branch on an unconstrained bit is a sink. A function of the machine's own
//! decides in Rust, where nothing would notice. So `native`, `sync` and `omp` read memory through [`Machine::see`] alone,
//! and what they get cannot be turned into a number without saying what happens to its unconstrained bits: [`Seen::known`]
//! makes them a sink, [`Seen::parts`] hands them on. `tests/seen.rs` keeps the other ways of reading out of those folders.

use crate::interp::access::Value;
use crate::state::Machine;
use crate::stop::Stop;
use base::reason::Subject;

/// A number read from memory, with its unconstrained bits.
#[derive(Debug, Clone, Copy)]
#[must_use]
pub(crate) struct Seen {
    value: u64,
    shadow: u64,
}

impl Seen {
    /// Only these bits of it.
    pub fn bits(self, mask: u64) -> Seen {
        Seen { value: self.value & mask, shadow: self.shadow & mask }
    }

    /// The number, which is about to decide something: an unconstrained bit ends the run as a branch on it would.
    pub fn known(self, machine: &Machine, what: Subject) -> Result<u64, Stop> {
        match self.parts() {
            (value, shadow) if shadow == 0 || !machine.mode.taint => Ok(value),
            open => Err(machine.open(what, open)),
        }
    }

    /// The number and which of its bits are unconstrained, to be handed on together.
    pub fn parts(self) -> Value {
        (self.value, self.shadow)
    }
}

/// Bytes read from memory, with their unconstrained bits.
#[derive(Debug, Clone, Copy)]
#[must_use]
pub(crate) struct SeenBytes<'m> {
    data: &'m [u8],
    shadow: &'m [u8],
}

impl<'m> SeenBytes<'m> {
    /// Whether some bit is unconstrained.
    pub fn is_open(self) -> bool {
        self.shadow.iter().any(|&s| s != 0)
    }

    /// The bytes, which are about to decide something.
    pub fn known(self, machine: &Machine, what: Subject) -> Result<&'m [u8], Stop> {
        if machine.mode.taint && self.is_open() {
            return Err(machine.open(what, (0, 0)));
        }
        Ok(self.data)
    }

    /// The bytes for people to read: in messages and output, which steer nothing.
    pub fn shown(self) -> &'m [u8] {
        self.data
    }
}

impl<'p> Machine<'p> {
    /// Up to eight bytes of memory as a number. Reading what cannot be read is a defect. No access is recorded.
    pub(crate) fn see(&self, address: u64, len: u64) -> Result<Seen, Stop> {
        let spot =
            self.memory.resolve(address, len, false).map_err(|f| self.fault(f, address, len, false))?;
        let (value, shadow) = self.memory.load(spot, len as usize);
        Ok(Seen { value, shadow })
    }

    /// A pointer in memory.
    pub(crate) fn see_pointer(&self, address: u64) -> Result<Seen, Stop> {
        self.see(address, self.program.module.pointer_bytes.into())
    }

    /// Bytes of memory. Reading what cannot be read is a defect. No access is recorded.
    pub(crate) fn see_bytes(&self, address: u64, len: u64) -> Result<SeenBytes<'_>, Stop> {
        if len == 0 {
            return Ok(SeenBytes { data: &[], shadow: &[] });
        }
        let spot =
            self.memory.resolve(address, len, false).map_err(|f| self.fault(f, address, len, false))?;
        let len = len as usize;
        Ok(SeenBytes { data: self.memory.bytes(spot, len), shadow: self.memory.shadow(spot, len) })
    }
}
