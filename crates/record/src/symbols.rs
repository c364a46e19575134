//! Where code addresses are in the source, and what lies at addresses of data, from the debug information of the modules.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;

use crate::names::types::{self, Globals};
use crate::run::Module;

/// So many bytes behind code without a place its place is looked for.
const NEAR: u64 = 96;

/// A place in the source; line and column count from 1, 0 is unknown.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Place {
    /// The file as the compiler named it, from its folder.
    pub file: String,
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

/// A function on a stack, innermost first in lists.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Frame {
    /// Its name, demangled; empty if unknown.
    pub function: String,
    /// Where in it.
    pub place: Place,
}

/// The name of a symbol as its language writes it. Names of C are left alone: `x` would be a type of C++.
pub fn demangled(name: &str) -> String {
    match name.starts_with("_Z") || name.starts_with("_R") {
        true => addr2line::demangle_auto(name.into(), None).into_owned(),
        false => name.to_owned(),
    }
}

/// A module with its debug information, read when it is asked for.
struct Loaded {
    from: u64,
    to: u64,
    path: PathBuf,
    loader: OnceCell<Option<addr2line::Loader>>,
    globals: OnceCell<Option<Globals>>,
}

/// The debug information of a run.
pub struct Symbols {
    modules: Vec<Loaded>,
    frames: FxHashMap<u64, Vec<Frame>>,
    /// Folder from which names of files are shown.
    here: PathBuf,
}

impl Symbols {
    /// Of these modules.
    pub fn new(modules: &[Module]) -> Symbols {
        let loaded = |module: &Module| Loaded {
            from: module.from,
            to: module.to,
            path: PathBuf::from(&module.path),
            loader: OnceCell::new(),
            globals: OnceCell::new(),
        };
        let here = std::env::current_dir().unwrap_or_default();
        Symbols { modules: modules.iter().map(loaded).collect(), frames: FxHashMap::default(), here }
    }

    fn module(&self, address: u64) -> Option<&Loaded> {
        self.modules.iter().rev().find(|module| (module.from..module.to).contains(&address))
    }

    /// The functions at a return address, inlined ones first. Empty if nothing is known.
    pub fn frames(&mut self, pc: u64) -> Vec<Frame> {
        if let Some(found) = self.frames.get(&pc) {
            return found.clone();
        }
        let found = self.find_frames(pc);
        self.frames.insert(pc, found.clone());
        found
    }

    fn find_frames(&self, pc: u64) -> Vec<Frame> {
        let Some(module) = self.module(pc) else { return Vec::new() };
        // The address is the one after the call.
        let probe = (pc - module.from).saturating_sub(1);
        let loader = module.loader.get_or_init(|| addr2line::Loader::new(&module.path).ok());
        let Some(loader) = loader else { return Vec::new() };
        let mut frames = self.frames_at(loader, probe);
        if frames.first().is_some_and(|frame| frame.place.line == 0) {
            // The optimiser has moved or merged it: the next code of the function with a place is what it is for.
            let function = |frames: &[Frame]| frames.last().map(|frame| frame.function.clone());
            let with_place = |found: &Vec<Frame>| {
                found.first().is_some_and(|frame| frame.place.line > 0)
                    && function(found) == function(&frames)
            };
            let near = (1..=NEAR).map(|further| self.frames_at(loader, probe + further)).find(with_place);
            frames = near.unwrap_or(frames);
        }
        if frames.is_empty() {
            let function = demangled(loader.find_symbol(probe).unwrap_or(""));
            frames.push(Frame { function, place: Place::default() });
        }
        frames
    }

    fn frames_at(&self, loader: &addr2line::Loader, probe: u64) -> Vec<Frame> {
        let mut frames = Vec::new();
        if let Ok(mut iterator) = loader.find_frames(probe) {
            while let Ok(Some(frame)) = iterator.next() {
                let name = frame.function.as_ref().and_then(|f| f.demangle().ok().map(|n| n.into_owned()));
                let place = frame.location.map_or_else(Place::default, |location| Place {
                    file: self.shown(location.file.unwrap_or("")),
                    line: location.line.unwrap_or(0),
                    column: location.column.unwrap_or(0),
                });
                frames.push(Frame { function: name.unwrap_or_default(), place });
            }
        }
        frames
    }

    /// A file as reports show it: from the current folder if it lies below it.
    fn shown(&self, file: &str) -> String {
        let mut normal = PathBuf::new();
        for part in Path::new(file).components() {
            match part {
                std::path::Component::CurDir => {}
                std::path::Component::ParentDir => {
                    normal.pop();
                }
                other => normal.push(other),
            }
        }
        normal.strip_prefix(&self.here).unwrap_or(&normal).to_string_lossy().into_owned()
    }

    /// The name of a function by its address.
    pub fn function(&self, address: u64) -> Option<String> {
        let module = self.module(address)?;
        let loader = module.loader.get_or_init(|| addr2line::Loader::new(&module.path).ok()).as_ref()?;
        let whole = demangled(loader.find_symbol(address - module.from)?);
        // Arguments and templates of C++ are too long for a label.
        let short = whole.split('(').next().unwrap_or(&whole);
        Some(short.to_owned())
    }

    /// The global variable at an address, with element and field.
    pub fn global(&self, address: u64) -> Option<String> {
        let module = self.module(address)?;
        let globals = module.globals.get_or_init(|| types::read(&module.path)).as_ref()?;
        globals.name(address - module.from)
    }
}
