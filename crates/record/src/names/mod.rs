//! What things of a run are called: threads, locks, variables, places.
//!
//! A global variable has its name, element and field from the debug information. Other memory has no name of its own: it is
//! called as the source calls it where it is accessed first (the expression at that line and column), and what was
//! allocated says where.

pub mod expression;
pub mod types;

use rustc_hash::FxHashMap;

use crate::layout::Op;
use crate::reduce::{Reduced, Variable};
use crate::run::Run;
use crate::symbols::{Frame, Place, Symbols};
use expression::Sources;

/// Gives names.
pub struct Namer<'a> {
    run: &'a Run,
    symbols: Symbols,
    sources: Sources,
}

/// Files of the runtime and of libraries, which a person does not look at first.
fn is_foreign(file: &str) -> bool {
    file.is_empty() || file.starts_with("/usr/") || file.contains("/bits/")
}

impl<'a> Namer<'a> {
    /// For this run.
    pub fn new(run: &'a Run) -> Namer<'a> {
        Namer { run, symbols: Symbols::new(&run.modules), sources: Sources::default() }
    }

    /// Where a code address is, as a trace says it: the innermost place in the program's own files.
    pub fn location(&mut self, pc: u64) -> String {
        if pc == 0 {
            return "?".into();
        }
        match self.place(pc) {
            Some(place) if place.column > 0 => format!("{}:{}:{}", place.file, place.line, place.column),
            Some(place) => format!("{}:{}", place.file, place.line),
            None => self.symbols.function(pc).unwrap_or_else(|| format!("{pc:#x}")),
        }
    }

    /// The place of a code address.
    pub fn place(&mut self, pc: u64) -> Option<Place> {
        let frames = self.symbols.frames(pc);
        let own = frames.iter().find(|frame| !is_foreign(&frame.place.file));
        let found = own.or(frames.first())?;
        (found.place.line > 0).then(|| found.place.clone())
    }

    /// The call stack of a site, innermost first.
    pub fn stack(&mut self, site: u32) -> Vec<Frame> {
        let site = self.run.site(site);
        let mut frames = self.symbols.frames(site.pc);
        let mut context = site.context;
        let mut depth = 0;
        while let Some((parent, pc)) =
            self.run.contexts.get(&context).copied().filter(|_| context != 0 && depth < 100)
        {
            let outer = self.symbols.frames(pc);
            let known = outer.iter().any(|frame| frame.place.line > 0);
            frames.extend(outer.into_iter().filter(|_| known));
            context = parent;
            depth += 1;
        }
        frames
    }

    /// What a thread is called, and where it was created.
    pub fn thread(&mut self, number: u32) -> (String, Option<Place>) {
        if number == 0 {
            return ("main".into(), None);
        }
        let forks = self.run.threads.iter().flat_map(|thread| &thread.syncs);
        let fork =
            forks.clone().find(|sync| sync.op == Op::Fork && sync.argument == u64::from(number)).copied();
        let created = fork.and_then(|fork| self.created(fork.site));
        let function = fork.and_then(|fork| self.symbols.function(fork.object)).unwrap_or_default();
        match function.is_empty() || function.starts_with("std::") || function.starts_with("execute_native") {
            true => (format!("thread {number}"), created),
            false => (format!("thread {number} ({function})"), created),
        }
    }

    /// Where in the program's own files a call stack is.
    fn created(&mut self, site: u32) -> Option<Place> {
        let stack = self.stack(site);
        let own = stack.iter().find(|frame| frame.place.line > 0 && !is_foreign(&frame.place.file));
        own.map(|frame| frame.place.clone())
    }

    /// What a lock is called.
    pub fn lock(&mut self, object: u64) -> String {
        const ADDRESS: u64 = 0xffff_ffff_ffff;
        let address = object & ADDRESS;
        if address == 16 {
            return "pipes and sockets".into();
        }
        self.symbols.global(address).unwrap_or_else(|| format!("lock at {address:#x}"))
    }

    /// What a variable is called.
    pub fn variable(&mut self, variable: &Variable) -> String {
        if let Some(name) = self.symbols.global(variable.address) {
            return name;
        }
        let pc = self.run.site(variable.site).pc;
        let place = self.place(pc);
        let said = place.as_ref().and_then(|place| self.sources.expression(place));
        match (said, variable.object) {
            (Some(said), _) => said,
            (None, Some(object)) => {
                let offset = variable.address - object.address;
                let at = self
                    .created(object.site)
                    .map_or_else(String::new, |place| format!(" allocated at {}:{}", place.file, place.line));
                format!("byte {offset} of {}{at}", object.bytes)
            }
            (None, None) => format!("{:#x}", variable.address),
        }
    }

    /// Fills in the names of a trace, each once.
    pub fn fill(&mut self, reduced: &mut Reduced) {
        let counts = reduced.trace.counts();
        let threads = (0..counts.threads as u32).map(|number| self.thread(number).0);
        reduced.trace.names.threads = unique(threads.collect());
        let locks: Vec<String> = reduced.locks.clone().into_iter().map(|object| self.lock(object)).collect();
        reduced.trace.names.locks = unique(locks);
        let variables: Vec<Variable> = reduced.variables.clone();
        reduced.trace.names.variables = unique(variables.iter().map(|v| self.variable(v)).collect());
    }
}

/// The same names, with a number where one is there already.
fn unique(names: Vec<String>) -> Vec<String> {
    let mut seen: FxHashMap<String, u32> = FxHashMap::default();
    let mut taken = |name: String| {
        let count = seen.entry(name.clone()).or_default();
        *count += 1;
        if *count == 1 { name } else { format!("{name} #{count}") }
    };
    let clean = |name: String| name.replace(['|', '\n'], "_");
    names.into_iter().map(|name| taken(clean(name))).collect()
}
