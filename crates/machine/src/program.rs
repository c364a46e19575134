//! A module made ready to run: addresses given, constants resolved, initial memory laid out, native functions bound.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use base::environment::OpenMp;
use ir::liveness::Liveness;
use ir::{Body, Callee, Const, FuncId, GlobalId, Init, Inst, Module, Order, PlaceId};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::memory::Memory;
use crate::memory::layout::{Layout, RegionId};
use crate::memory::object::{Family, Origin};
use crate::native::{self, Native};

/// A function made ready.
#[derive(Debug)]
pub struct Loaded {
    /// The constant pool.
    pub consts: Vec<u64>,
    /// The pool's shadow: all ones for undefined values.
    pub shadows: Vec<u64>,
    /// Its address.
    pub address: u64,
    /// What the machine does when a function without body is called.
    pub native: Option<Native>,
    /// Whether calling it is a failed assertion, whatever its body does: `reach_error` and `__VERIFIER_error`.
    pub fails: bool,
    /// Whether it is the combiner of a user-defined reduction.
    pub combines: bool,
    /// Whether calling it begins something for several threads, which is noted ([`Module::coverage`]).
    pub watched: bool,
    live: OnceLock<Live>,
    private: OnceLock<FxHashSet<u32>>,
}

/// Why a module cannot be run at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LoadError {
    /// There is no `main`.
    NoMain,
    /// The globals do not fit into the address space.
    TooLarge,
}

impl std::fmt::Display for LoadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            LoadError::NoMain => write!(f, "the program has no function `main` to start from"),
            LoadError::TooLarge => {
                write!(f, "a global variable is larger than the machine's address space allows")
            }
        }
    }
}

impl std::error::Error for LoadError {}

/// Program inputs that are fixed for a run.
#[derive(Debug, Clone, Default)]
pub struct Inputs {
    /// `argv`, beginning with the program's name.
    pub args: Vec<String>,
    /// The answer to "how many threads should I use?".
    pub threads: u32,
}

/// A program, ready to run.
#[derive(Debug)]
pub struct Program<'m> {
    /// The code.
    pub module: &'m Module,
    /// Its functions, by [`FuncId`].
    pub funcs: Vec<Loaded>,
    /// Addresses of globals; for thread-local ones the main thread's instance.
    pub globals: Vec<u64>,
    /// Numbers of the thread-local globals among themselves.
    pub tls_index: Vec<Option<usize>>,
    /// The thread-local globals.
    pub tls: Vec<GlobalId>,
    /// Memory before the first instruction.
    pub memory: Memory,
    /// `argc`, and the addresses of `argv` and the environment.
    pub main_args: [u64; 3],
    /// The function that new threads run, if the models have it.
    pub thread_main: Option<FuncId>,
    /// The `exit` of the models.
    pub exit: Option<FuncId>,
    /// The answer to "how many threads should I use?": see [`Program::thread_count`].
    threads: u32,
    /// What the environment says to OpenMP.
    pub openmp: OpenMp,
    /// Whether some run has asked for it.
    asked: AtomicBool,
    /// Whether some run did something that depends on who executes it, or on how many there are, by more than being the first.
    numbered: AtomicBool,
    /// Whether one did something that depends on the size of its team alone.
    sized: AtomicBool,
    /// The size of the teams of several threads so far; `u32::MAX` if they have different ones.
    team: AtomicU32,
    /// Whether the program itself has said how many threads a team has.
    told: AtomicBool,
    /// The most teams of a construct that does not say how many, or 0.
    teams: AtomicU32,
    /// The most threads of a team that may be smaller than asked for, if there was one.
    dynamic: AtomicU32,
    /// Whether a task was executed that may be merged with its creator.
    merged: AtomicBool,
    /// Whether some run has executed the combiner of a user-defined reduction.
    pub(crate) combined: AtomicBool,
    /// Whether one has written beside the values that it combines.
    pub(crate) wrote_beside: AtomicBool,
    /// The standard streams.
    pub streams: Vec<GlobalId>,
    /// Which functions are input and output functions of streams, by [`FuncId`]; empty without standard streams.
    transfers: Vec<bool>,
    /// Whether some operation can observe another without being ordered after it: then histories are kept across
    /// releases (see [`crate::history`]).
    pub weak: bool,
    /// Whether it has OpenMP tasks.
    pub has_tasks: bool,
    /// Whether the program uses the functions of the software verification community (`__VERIFIER_*`).
    pub conventions: bool,
    /// What the program's inputs without bounds are, in the order in which it reads them, if they are given
    /// ([`crate::InputMode::Given`]); zero beyond the last.
    pub values: Vec<u64>,
    candidates: OnceLock<[Vec<u64>; 4]>,
    traits: OnceLock<Vec<u8>>,
}

impl<'m> Program<'m> {
    /// Makes a module ready.
    pub fn load(module: &'m Module, inputs: &Inputs) -> Result<Program<'m>, LoadError> {
        if module.entry.is_none() {
            return Err(LoadError::NoMain);
        }
        let mut memory = Memory::new(Layout::new(module.pointer_bytes));
        let addresses = place_functions(module, &mut memory)?;
        let (globals, tls, tls_index) = place_globals(module, &mut memory)?;
        let resolve = |c: &Const| -> u64 { resolve_const(module, &addresses, &globals, c) };
        fill_globals(module, &mut memory, &globals, resolve);
        let funcs = module
            .funcs
            .iter()
            .zip(&addresses)
            .enumerate()
            .map(|(number, (f, &address))| {
                let pool = f.body.as_ref().map_or(&[][..], |b| &b.consts);
                Loaded {
                    consts: pool.iter().map(resolve).collect(),
                    shadows: pool.iter().map(|c| if *c == Const::Undef { u64::MAX } else { 0 }).collect(),
                    address,
                    fails: is_error(&f.name) && !f.system,
                    combines: f.name.starts_with(".omp_combiner.") && f.params.len() == 2,
                    watched: module.site_kind(number).is_some(),
                    native: if f.body.is_none() { native::lookup(&f.name) } else { None },
                    live: OnceLock::new(),
                    private: OnceLock::new(),
                }
            })
            .collect();
        let main_args = place_args(module, &mut memory, &globals, &inputs.args)?;
        let mut program = Program {
            module,
            funcs,
            globals,
            tls_index,
            tls,
            memory,
            main_args,
            thread_main: with_body(module, "__rp_thread_main"),
            exit: with_body(module, "exit"),
            threads: inputs.threads,
            openmp: OpenMp::read(&module.env),
            asked: AtomicBool::new(false),
            numbered: AtomicBool::new(false),
            sized: AtomicBool::new(false),
            team: AtomicU32::new(0),
            told: AtomicBool::new(false),
            teams: AtomicU32::new(0),
            dynamic: AtomicU32::new(0),
            merged: AtomicBool::new(false),
            combined: AtomicBool::new(false),
            wrote_beside: AtomicBool::new(false),
            streams: streams(module),
            transfers: Vec::new(),
            weak: false,
            has_tasks: ["", "_mergeable"]
                .iter()
                .any(|kind| module.func(&format!("__kmpc_omp_task_alloc{kind}")).is_some()),
            conventions: uses_conventions(module),
            values: Vec::new(),
            candidates: OnceLock::new(),
            traits: OnceLock::new(),
        };
        program.weak = program.has_weak_observers();
        if !program.streams.is_empty() {
            program.transfers = module.funcs.iter().map(|f| f.system && transfers(&f.name)).collect();
        }
        Ok(program)
    }

    /// The answer to "how many threads should I use?".
    pub fn thread_count(&self) -> u32 {
        self.asked.store(true, Ordering::Relaxed);
        self.threads
    }

    /// Whether a function is a formatted or unformatted input or output function of streams.
    pub(crate) fn is_transfer(&self, func: FuncId) -> bool {
        self.transfers.get(func.0 as usize).is_some_and(|&is| is)
    }

    /// Whether stores of a thread continue the release sequences that it heads, and there may be one that does not release.
    pub(crate) fn stores_continue(&self) -> bool {
        self.weak && self.module.stores_continue
    }

    /// A run does something that depends on the number of its thread.
    pub(crate) fn note_number(&self) {
        self.numbered.store(true, Ordering::Relaxed);
    }

    /// A run does something that depends on the size of its team, the same for all of its threads.
    pub(crate) fn note_size(&self) {
        self.sized.store(true, Ordering::Relaxed);
    }

    /// A run has formed a team of several threads.
    pub(crate) fn note_team(&self, size: u32) {
        let before = self.team.compare_exchange(0, size, Ordering::Relaxed, Ordering::Relaxed);
        if before.is_err_and(|before| before != size) {
            self.team.store(u32::MAX, Ordering::Relaxed);
        }
    }

    /// A run has come to a team of which the program says how many threads it has.
    pub(crate) fn note_told(&self) {
        self.told.store(true, Ordering::Relaxed);
    }

    /// A run has come to a construct that forms at most so many teams.
    pub(crate) fn note_teams(&self, most: u32) {
        self.teams.fetch_max(most, Ordering::Relaxed);
    }

    /// A run has come to a team that may have fewer threads than these.
    pub(crate) fn note_dynamic(&self, most: u32) {
        self.dynamic.fetch_max(most, Ordering::Relaxed);
    }

    /// A run has executed a task that may be merged with its creator.
    pub(crate) fn note_merged(&self) {
        self.merged.store(true, Ordering::Relaxed);
    }

    /// What an answer rests on that only runs show.
    pub fn assumptions(&self) -> impl Iterator<Item = String> {
        let copies = "the tasks of a `reduction` with the modifier `task` contribute to copies of their own, as with clang's runtime, not to \
                      those of the implicit tasks";
        let modified = self.module.funcs.iter().any(|f| f.name == "__kmpc_taskred_modifier_init");
        let merged = "undeferred tasks with `mergeable` have variables of their own, as clang makes them, and do not use those of their \
                      creators";
        let merged = self.merged.load(Ordering::Relaxed).then(|| merged.to_owned());
        let reads =
            |name: &str| name.contains("scanf") || name.starts_with("_ZNSirs") || name.starts_with("_ZStrs");
        let reads = self.module.funcs.iter().any(|f| reads(&f.name));
        let reads =
            reads.then(|| "what is read has the form that is asked for: `scanf` and `>>` succeed".to_owned());
        let opens = ["fopen", "fopen64"].iter().any(|f| self.module.func(f).is_some());
        let opens = opens.then(|| "files can be opened and written".to_owned());
        let teams = self.teams_assumption().into_iter().chain(self.dynamic_assumption());
        teams.chain(reads).chain(opens).chain(merged).chain(modified.then(|| copies.to_owned()))
    }

    /// What an answer says of teams that may be smaller than asked for, if there were any.
    fn dynamic_assumption(&self) -> Option<String> {
        let text = "teams that may be smaller than asked for, because `dyn-var` is true, were looked at with so many threads:";
        Self::counts_assumption(self.dynamic.load(Ordering::Relaxed), text)
    }

    /// What an answer says of constructs whose number of teams no clause fixes, if there were any.
    fn teams_assumption(&self) -> Option<String> {
        let text = "`teams` constructs without `num_teams` were looked at with so many teams:";
        Self::counts_assumption(self.teams.load(Ordering::Relaxed), text)
    }

    fn counts_assumption(most: u32, text: &str) -> Option<String> {
        let mut counts = crate::omp::contention::team_counts(most);
        counts.reverse();
        let counts: Vec<String> = counts.iter().map(u32::to_string).collect();
        (most > 0).then(|| format!("{text} {}", counts.join(", ")))
    }

    /// Whether a run has executed the combiner of a user-defined reduction.
    pub fn combined(&self) -> bool {
        self.combined.load(Ordering::Relaxed)
    }

    /// Whether such a combiner has written beside the values that it combines.
    pub fn wrote_beside(&self) -> bool {
        self.wrote_beside.load(Ordering::Relaxed)
    }

    /// Whether a run has asked for [`Program::thread_count`]. If none has, its value made no difference.
    pub fn asked_thread_count(&self) -> bool {
        self.asked.load(Ordering::Relaxed)
    }

    /// Whether all that the runs did shows nothing of the size of teams but the number of their threads, which are alike but for the
    /// first: nobody asked for a number, no mapping depends on one, no team was inside another or of another size.
    pub fn threads_are_alike(&self) -> bool {
        let [numbered, sized, told, asked] =
            [&self.numbered, &self.sized, &self.told, &self.asked].map(|f| f.load(Ordering::Relaxed));
        let of_one_size =
            self.dynamic.load(Ordering::Relaxed) == 0 && self.teams.load(Ordering::Relaxed) == 0;
        !(numbered || sized || told && asked) && of_one_size
    }

    /// Whether the runs so far would have been the same with any two threads of each team exchanged but the first: nobody asked for a
    /// number, no mapping depends on one, no team was inside another or of another size.
    pub fn threads_are_exchangeable(&self) -> bool {
        !self.numbered.load(Ordering::Relaxed) && self.team.load(Ordering::Relaxed) != u32::MAX
    }

    /// Whether pieces of a construct may run at the same time on one thread, so that runs are wanted in which one thread executes all of
    /// them: what belongs to that thread is the same memory for two of them.
    pub fn has_shared_lanes(&self) -> bool {
        self.module.directives.iter().any(|d| d.has_lanes() && d.shares_work())
    }

    /// Values of that many bits that are worth trying for an input: small ones, the ends of the types, and those that the
    /// program's own code compares something with, and their neighbours.
    pub fn candidates(&self, bits: u8) -> &[u64] {
        let lists = self.candidates.get_or_init(|| [8, 16, 32, 64].map(|bits| candidates(self, bits)));
        &lists[match bits {
            0..=8 => 0,
            9..=16 => 1,
            17..=32 => 2,
            _ => 3,
        }]
    }

    /// The function at an address.
    pub fn function_at(&self, address: u64) -> Option<FuncId> {
        let (region, index, object) = self.memory.find(address)?;
        (region == RegionId::FUNCTIONS && address == object.base).then_some(FuncId(index as u32))
    }

    /// What the code of a task can do that begins at an address (see [`crate::omp`]'s traits); nothing without code.
    pub(crate) fn task_traits(&self, entry: u64) -> u8 {
        let all = self.traits.get_or_init(|| crate::omp::traits::all(self.module));
        self.function_at(entry).map_or(0, |f| all[f.0 as usize])
    }

    /// The block number that a label's address stands for in a function.
    pub fn block_at(&self, func: FuncId, address: u64) -> Option<u32> {
        let offset = address.checked_sub(self.funcs[func.0 as usize].address)?;
        (offset > 0 && offset < FUNCTION_SIZE).then(|| offset as u32 - 1)
    }

    /// Live slots of a function with a body.
    pub(crate) fn live(&self, func: FuncId) -> &Live {
        self.funcs[func.0 as usize].live.get_or_init(|| {
            self.module.funcs[func.0 as usize].body.as_ref().map(Live::new).unwrap_or_default()
        })
    }

    /// Whether the object that an instruction of a function creates can be reached by that function alone.
    pub fn is_private(&self, func: FuncId, pc: u32) -> bool {
        let private = self.funcs[func.0 as usize].private.get_or_init(|| {
            let body = self.module.funcs[func.0 as usize].body.as_ref();
            body.map(crate::escape::private_allocas).unwrap_or_default()
        });
        private.contains(&pc)
    }

    /// Where the function is defined.
    pub fn function_place(&self, func: FuncId) -> PlaceId {
        self.module.funcs[func.0 as usize].place
    }

    fn has_weak_observers(&self) -> bool {
        let module = self.module;
        module.funcs.iter().filter_map(|f| f.body.as_ref()).any(|body| {
            let reached = crate::omp::reachable(module, body);
            let reached = |at: usize| reached.as_ref().is_none_or(|r| r[at]);
            body.code.iter().enumerate().filter(|(at, _)| reached(*at)).any(|(_, inst)| match *inst {
                Inst::AtomicLoad { order, .. } => !order.acquires(),
                Inst::AtomicStore { order, .. } => !order.releases(),
                Inst::AtomicRmw { order, .. } => !(order.acquires() && order.releases()),
                Inst::CmpXchg { index, .. } => {
                    let x = &body.cmpxchgs[index as usize];
                    !(x.success.acquires() && x.success.releases() && x.failure.acquires())
                }
                Inst::Call { site } | Inst::Invoke { site, .. } => match body.calls[site as usize].callee {
                    Callee::Direct(func) => self.funcs[func.0 as usize].native.is_some_and(Native::is_weak),
                    Callee::Indirect(_) => false,
                },
                Inst::Fence { order } => order != Order::SeqCst,
                _ => false,
            })
        }) || self.address_taken_weak()
    }

    /// A weak native function whose address is in a constant can be called through a pointer.
    fn address_taken_weak(&self) -> bool {
        let weak = |c: &Const| matches!(c, Const::Func(f) if self.funcs[f.0 as usize].native.is_some_and(Native::is_weak));
        self.module.funcs.iter().filter_map(|f| f.body.as_ref()).any(|b| b.consts.iter().any(weak))
            || self.module.globals.iter().any(|g| match &g.init {
                Init::Bytes(_, relocs) => relocs.iter().any(|r| weak(&r.target)),
                _ => false,
            })
    }
}

/// Live slots of one function, kept for the instructions at which a frame can stand while a state is hashed: calls, what
/// follows them, atomic operations and the beginnings of blocks. A value that is never read again must not tell two
/// states apart.
#[derive(Debug, Default)]
pub(crate) struct Live {
    before: FxHashMap<u32, Box<[u32]>>,
    across: FxHashMap<u32, Box<[u32]>>,
    /// All slots: where a thread stands that seldom does, they count as live.
    all: Box<[u32]>,
}

impl Live {
    fn new(body: &Body) -> Live {
        let is_call = |inst: &Inst| matches!(inst, Inst::Call { .. } | Inst::Invoke { .. });
        let mut wanted = vec![false; body.code.len() + 1];
        body.edges.iter().for_each(|e| wanted[e.target as usize] = true);
        for (at, inst) in body.code.iter().enumerate() {
            let atomic = matches!(
                inst,
                Inst::AtomicLoad { .. }
                    | Inst::AtomicStore { .. }
                    | Inst::AtomicRmw { .. }
                    | Inst::CmpXchg { .. }
            );
            let open = matches!(inst, Inst::Branch { .. } | Inst::Switch { .. } | Inst::Index { .. });
            wanted[at] |= at == 0 || atomic || open || is_call(inst);
            wanted[at + 1] |= is_call(inst);
        }
        let mut live = Live { all: (0..body.slots).collect(), ..Live::default() };
        Liveness::new(body).for_each_after(body, &mut |pc, after| {
            if !wanted[pc as usize] {
                return;
            }
            let inst = &body.code[pc as usize];
            let mut set = after.clone();
            inst.defs(body, &mut |slot, n| (slot.0..slot.0 + n).for_each(|s| set.remove(s)));
            if is_call(inst) {
                live.across.insert(pc, set.iter().collect());
            }
            inst.uses(body, &mut |o, n| {
                if !o.is_const() {
                    (o.0..o.0 + n).for_each(|s| set.insert(s));
                }
            });
            live.before.insert(pc, set.iter().collect());
        });
        live
    }

    /// Slots that are live before instruction `pc`.
    pub fn before(&self, pc: u32) -> &[u32] {
        self.before.get(&pc).unwrap_or(&self.all)
    }

    /// Slots that are live while the call at `pc` runs: after it, without its result.
    pub fn across(&self, pc: u32) -> &[u32] {
        self.across.get(&pc).map_or(&[], |s| s)
    }
}

/// Address space of a function: its entry and its labels.
const FUNCTION_SIZE: u64 = 4096;

/// `std::cout` and the other standard streams, where the program has them.
fn streams(module: &Module) -> Vec<GlobalId> {
    const NAMES: [&str; 8] = [
        "_ZSt4cout",
        "_ZSt4cerr",
        "_ZSt4clog",
        "_ZSt3cin",
        "_ZSt5wcout",
        "_ZSt5wcerr",
        "_ZSt5wclog",
        "_ZSt4wcin",
    ];
    let globals = module.globals.iter().enumerate();
    globals.filter(|(_, g)| NAMES.contains(&g.name.as_str())).map(|(i, _)| GlobalId(i as u32)).collect()
}

/// Whether a symbol is that of a formatted or unformatted input or output function (C++20 29.7.4, 29.7.5), which several
/// threads may call for a standard stream at once. The operators that apply manipulators are none: what these change of the
/// stream is the caller's.
fn transfers(name: &str) -> bool {
    // Members of `basic_ostream` and the like, and `operator<<`, `operator>>`, `getline` and what they are made of.
    const BEGIN: [&str; 13] = [
        "_ZNSo",
        "_ZNSi",
        "_ZNSd",
        "_ZNSt13basic_ostream",
        "_ZNSt13basic_istream",
        "_ZNSt14basic_iostream",
        "_ZStls",
        "_ZStrs",
        "_ZSt7getline",
        "_ZSt2ws",
        "_ZSt16__ostream_insert",
        "_ZSt16__ostream_write",
        "_ZSt15__ostream_fill",
    ];
    const ENDS: [&str; 3] = ["_ZSt4endl", "_ZSt4ends", "_ZSt5flush"];
    // Pointers to functions as arguments, and what `std::setw` and its relatives give.
    const MANIPULATORS: [&str; 3] = ["EPFR", "_Set", "_Resetiosflags"];
    let begins = |list: &[&str]| list.iter().any(|b| name.starts_with(b));
    begins(&ENDS) || begins(&BEGIN) && !MANIPULATORS.iter().any(|m| name.contains(m))
}

fn with_body(module: &Module, name: &str) -> Option<FuncId> {
    module.func(name).filter(|f| module.funcs[f.0 as usize].body.is_some())
}

fn place_functions(module: &Module, memory: &mut Memory) -> Result<Vec<u64>, LoadError> {
    let narrow = memory.layout() == Layout::Narrow;
    (0..module.funcs.len())
        .map(|i| {
            let size = if narrow { 64 } else { FUNCTION_SIZE };
            let origin = Origin::Function(FuncId(i as u32));
            memory
                .create(RegionId::FUNCTIONS, size, 16, true, Family::None, origin)
                .ok_or(LoadError::TooLarge)
        })
        .collect()
}

type Placed = (Vec<u64>, Vec<GlobalId>, Vec<Option<usize>>);

fn place_globals(module: &Module, memory: &mut Memory) -> Result<Placed, LoadError> {
    let (mut addresses, mut tls, mut tls_index) = (Vec::new(), Vec::new(), Vec::new());
    for (i, global) in module.globals.iter().enumerate() {
        let id = GlobalId(i as u32);
        let (region, origin) = if global.thread_local {
            tls_index.push(Some(tls.len()));
            tls.push(id);
            (RegionId::tls(0), Origin::ThreadLocal(id))
        } else {
            tls_index.push(None);
            (RegionId::GLOBALS, Origin::Global(id))
        };
        // A variable that is defined nowhere has no bytes, so any access to it is noticed.
        let size = if global.init == Init::Extern { 0 } else { global.size };
        let address = memory
            .create(region, size, global.align.into(), true, Family::None, origin)
            .ok_or(LoadError::TooLarge)?;
        addresses.push(address);
    }
    Ok((addresses, tls, tls_index))
}

fn fill_globals(module: &Module, memory: &mut Memory, addresses: &[u64], resolve: impl Fn(&Const) -> u64) {
    for (global, &address) in module.globals.iter().zip(addresses) {
        initialise(memory, &global.init, address, &resolve);
        if global.constant {
            let (region, index, _) = memory.find(address).expect("a placed global");
            // Reads of what nobody can write need not be recorded.
            memory.update_object(region, index, |o| (o.constant, o.escaped) = (true, false));
        }
    }
}

/// Writes an initialiser to a fresh, zeroed object.
pub(crate) fn initialise(memory: &mut Memory, init: &Init, address: u64, resolve: impl Fn(&Const) -> u64) {
    let Init::Bytes(bytes, relocs) = init else { return };
    if bytes.is_empty() {
        return;
    }
    let spot = memory.resolve(address, bytes.len() as u64, true).expect("a fresh object");
    let (data, shadow) = memory.edit(spot, bytes.len());
    data.copy_from_slice(bytes);
    for reloc in relocs {
        let at = reloc.offset as usize..reloc.offset as usize + usize::from(reloc.bytes);
        data[at.clone()].copy_from_slice(&resolve(&reloc.target).to_le_bytes()[..usize::from(reloc.bytes)]);
        if reloc.target == Const::Undef {
            shadow[at].fill(0xff);
        }
    }
}

pub(crate) fn resolve_const(module: &Module, functions: &[u64], globals: &[u64], c: &Const) -> u64 {
    let address = match *c {
        Const::Bits(bits) => return bits,
        Const::Undef => return 0,
        Const::Global(id, offset) => globals[id.0 as usize].wrapping_add_signed(offset),
        Const::Func(id) => functions[id.0 as usize],
        Const::Block(id, block) => functions[id.0 as usize] + 1 + u64::from(block),
    };
    if module.pointer_bytes == 4 { address & 0xffff_ffff } else { address }
}

/// Lays out `argv` and an empty environment as internal objects of the main thread.
/// The arguments of `main`: how many arguments there are, where they are, and where the environment is.
fn place_args(
    module: &Module,
    memory: &mut Memory,
    globals: &[u64],
    args: &[String],
) -> Result<[u64; 3], LoadError> {
    let argv = place_texts(module, memory, args)?;
    let envp = place_texts(module, memory, &module.env)?;
    if !module.env.is_empty() {
        let bytes = u64::from(module.pointer_bytes);
        for (global, &address) in module.globals.iter().zip(globals) {
            if matches!(global.name.as_str(), "environ" | "__environ")
                && let Ok(spot) = memory.resolve(address, bytes, true)
            {
                memory.store(spot, bytes as usize, envp, 0);
            }
        }
    }
    Ok([args.len() as u64, argv, envp])
}

/// An array of pointers to texts, with a null pointer at the end.
fn place_texts(module: &Module, memory: &mut Memory, texts: &[String]) -> Result<u64, LoadError> {
    let bytes = u64::from(module.pointer_bytes);
    let mut object = |size: u64| {
        memory
            .create(RegionId::GLOBALS, size, 16, true, Family::None, Origin::Internal)
            .ok_or(LoadError::TooLarge)
    };
    let list = object((texts.len() as u64 + 1) * bytes)?;
    let places = texts.iter().map(|a| object(a.len() as u64 + 1)).collect::<Result<Vec<_>, _>>()?;
    for (i, (text, place)) in texts.iter().zip(places).enumerate() {
        let spot = memory.resolve(place, text.len() as u64, true).expect("a fresh object");
        memory.edit(spot, text.len()).0.copy_from_slice(text.as_bytes());
        let spot = memory.resolve(list + i as u64 * bytes, bytes, true).expect("a fresh object");
        memory.store(spot, bytes as usize, place, 0);
    }
    Ok(list)
}

/// More candidates than these are not tried.
const CANDIDATES: usize = 40;

fn candidates(program: &Program, bits: u8) -> Vec<u64> {
    let mask = crate::interp::int::mask(bits);
    let sign = 1u64 << (bits - 1);
    let mut list = vec![0, 1, 2, mask, 3];
    let mut add = |value: u64| {
        for near in [value, value.wrapping_add(1), value.wrapping_sub(1)].map(|v| v & mask) {
            if list.len() < CANDIDATES && !list.contains(&near) {
                list.push(near);
            }
        }
    };
    for (func, loaded) in program.module.funcs.iter().zip(&program.funcs).filter(|(f, _)| !f.system) {
        let Some(body) = &func.body else { continue };
        for inst in &body.code {
            match *inst {
                Inst::IntCmp { a, b, .. } | Inst::FloatCmp { a, b, .. } => {
                    for o in [a, b].into_iter().filter(|o| o.is_const()) {
                        add(loaded.consts[o.index()]);
                    }
                }
                Inst::Switch { table, .. } => {
                    body.switches[table as usize].cases.iter().for_each(|case| add(case.0));
                }
                _ => {}
            }
        }
    }
    add(sign);
    for extra in [4, 5, 7, 10, 100] {
        add(extra);
    }
    list
}

/// The names by which programs say that they must not come here.
fn is_error(name: &str) -> bool {
    name == "reach_error" || name == "__VERIFIER_error"
}

/// Whether the user's own code calls or defines functions of the verification community's convention.
fn uses_conventions(module: &Module) -> bool {
    let by_name = |name: &str| name.starts_with("__VERIFIER_") || is_error(name);
    module.funcs.iter().filter(|f| !f.system).any(|f| {
        let calls = f.body.iter().flat_map(|body| &body.calls);
        let called = |site: &ir::CallSite| match site.callee {
            Callee::Direct(func) => by_name(&module.funcs[func.0 as usize].name),
            Callee::Indirect(_) => false,
        };
        (f.body.is_some() && by_name(&f.name)) || calls.into_iter().any(called)
    })
}
