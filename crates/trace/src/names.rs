//! Numbering of names in order of first appearance, without an allocation for a name already known.

use std::hash::Hasher;

use hashbrown::HashTable;
use rustc_hash::FxHasher;

use crate::error::show;
use crate::event::Names;

/// Numbers the names of one kind (threads, locks, ...).
#[derive(Debug, Default)]
pub(crate) struct Interner {
    table: HashTable<u32>,
    /// The last name asked for: neighbouring events often repeat it.
    last: u32,
}

/// What is wrong with a name, in the words of an error: (expected, found).
pub(crate) type BadName = (&'static str, String);

/// The longest name, in bytes.
pub(crate) const LONGEST_NAME: usize = 4096;

#[inline]
fn hash(name: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(name);
    hasher.finish()
}

impl Interner {
    /// The number of this name in `names`, which gets it at the end if it is new.
    #[inline]
    pub(crate) fn intern(&mut self, name: &[u8], names: &mut Vec<String>) -> Result<u32, BadName> {
        if names.get(self.last as usize).is_some_and(|n| n.as_bytes() == name) {
            return Ok(self.last);
        }
        let h = hash(name);
        if let Some(&id) = self.table.find(h, |&id| names[id as usize].as_bytes() == name) {
            self.last = id;
            return Ok(id);
        }
        self.add(h, name, names)
    }

    #[cold]
    fn add(&mut self, h: u64, name: &[u8], names: &mut Vec<String>) -> Result<u32, BadName> {
        check_name(name)?;
        let text = std::str::from_utf8(name).map_err(|_| ("a name in UTF-8", show(name)))?;
        let id =
            u32::try_from(names.len()).map_err(|_| ("at most 4294967295 names", "one more".to_string()))?;
        names.push(text.to_string());
        self.table.insert_unique(h, id, |&id| hash(names[id as usize].as_bytes()));
        self.last = id;
        Ok(id)
    }
}

/// Whether a name can be written to every format and read back.
pub(crate) fn check_name(name: &[u8]) -> Result<(), BadName> {
    if name.is_empty() {
        return Err(("a name", "nothing".to_string()));
    }
    if name.len() > LONGEST_NAME {
        return Err(("a name of at most 4096 bytes", format!("{} bytes: {}", name.len(), show(name))));
    }
    if name.iter().any(|b| b.is_ascii_control()) {
        return Err(("a name without control characters", show(name)));
    }
    if name[0] == b'#' {
        return Err(("a name that does not start with `#`", show(name)));
    }
    if name.starts_with("\u{feff}".as_bytes()) {
        return Err(("a name that does not start with a byte order mark", show(name)));
    }
    if name.contains(&b'|') {
        return Err(("a name without `|`", show(name)));
    }
    if name[0] == b' ' || name[name.len() - 1] == b' ' {
        return Err(("a name without spaces around it", show(name)));
    }
    Ok(())
}

/// Numbers all names of a trace.
#[derive(Debug, Default)]
pub(crate) struct Interners {
    pub(crate) threads: Interner,
    pub(crate) locks: Interner,
    pub(crate) variables: Interner,
    pub(crate) locations: Interner,
    pub(crate) names: Names,
}
