//! Whether the source fixes which thread executes which iteration.
//!
//! clang lowers a loop without `schedule` clause exactly like `schedule(static)`, and sections like a static loop; the
//! language leaves both open. The construct that a call of the runtime stands for is known by the `ident_t` that it
//! passes, which holds the file and line of the directive. Where the directive has no clause that fixes the mapping,
//! [`OPEN`] is added to the schedule that the call asks for. Where the directive cannot be found (bitcode without its
//! source) or is not clear, reaching the call makes the verdict `unknown`.
//!
//! The chunks of the outer half of a `distribute parallel for` ([`HALF`]) are executed by whole teams: two iterations may be in two
//! teams, or in one chunk and so on two threads of one team. The machine looks at both.

use ir::{Directive, Directives};

use super::places::{Place, tell_apart};
use super::{callee_name, pieces};
use crate::llvm::meta::NoteKind;
use crate::llvm::{Module, Value};

/// The bit that says that the mapping is open.
pub const OPEN: i64 = 1 << 24;
/// The bit that says, beside it, that who executes a chunk is fixed, but not in which order: `nonmonotonic: static, c`.
const DEALT: i64 = 1 << 25;
/// The bit that says, beside it, that all loops of the region that are alike have one mapping, whichever it is.
const ALIKE: i64 = 1 << 26;
/// The same bit for `loop` directives: they are not like `for`.
const ALIKE_LOOP: i64 = 1 << 27;
/// The bit that says, beside it, that iterations of one thread may run at the same time (see [`super::simd`]).
const LANES: i64 = 1 << 28;
/// The bit that says, beside it, that the pieces are shared out once more, among the threads of a team.
const HALF: i64 = 1 << 31;
/// The modifier `nonmonotonic`, as clang passes it.
const NONMONOTONIC: i64 = 1 << 30;

/// Kinds of schedules, as the runtime numbers them.
const STATIC_CHUNKED: i64 = 33;
const STATIC: i64 = 34;
/// `simd: static, c`: the chunks are as large as the implementation likes.
const SIMD_STATIC: i64 = 45;
const ORDERED_STATIC: i64 = 66;
const DISTRIBUTE_STATIC: i64 = 92;

/// The bits that hold the kind.
const KIND: i64 = 0xffff;

/// The flag in an `ident_t` for `sections`.
const SECTIONS: i64 = 0x400;

/// The flag in an `ident_t` for a barrier that the source asks for by a directive of its own.
pub const EXPLICIT: i64 = 0x20;

/// Why a construct is not translated whose clauses are not known.
pub const UNREAD: &str = "OpenMP construct whose directive is not found in a source";

/// Why a call is not translated.
pub fn note_kind(llvm: &Module) -> NoteKind {
    llvm.note_kind("raceproof.unsupported")
}

/// What the `ident_t` of a call says.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Ident {
    /// The file, as the compiler names it.
    pub file: String,
    /// The function in the source.
    pub function: String,
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
    /// What sort of construct it is.
    pub flags: i64,
}

impl Ident {
    /// Reads `;file;function;line;column;;`.
    fn parse(text: &str, flags: i64) -> Option<Ident> {
        let mut parts = text.strip_prefix(';')?.strip_suffix(";;")?.rsplitn(4, ';');
        let column = parts.next()?.parse().ok()?;
        let line = parts.next()?.parse().ok()?;
        let function = parts.next()?.to_string();
        let file = parts.next()?.to_string();
        Some(Ident { file, function, line, column, flags })
    }
}

impl Ident {
    /// The place of a call, in the function with that number.
    pub fn place(&self, function: usize, call: Value<'_>) -> Place {
        let Ident { line, column, .. } = *self;
        let inlined = call.location().is_some_and(|l| l.inlined_at.is_some());
        Place { file: self.file.clone(), line, column, function, inlined }
    }
}

/// What the first argument of a runtime call says.
pub fn ident(call: Value<'_>) -> Option<Ident> {
    if call.arg_count() == 0 {
        return None;
    }
    let record = call.operand(0).as_global()?.initializer()?;
    if record.operand_count() != 5 {
        return None;
    }
    let flags = record.operand(1).constant_int()?;
    let text = record.operand(4).as_global()?.initializer()?.data_string()?;
    Ident::parse(std::str::from_utf8(&text).ok()?.trim_end_matches('\0'), flags)
}

/// Whether a call begins a loop or sections, whose third argument is a schedule.
pub fn begins_loop(name: &str) -> bool {
    name.starts_with("__kmpc_for_static_init_") || name.starts_with("__kmpc_dispatch_init_")
}

/// Where a call stands in a loop whose mapping is open.
pub enum Bound {
    /// Behind it the first piece begins.
    Begin,
    /// It ends a piece.
    End,
}

/// What a call is to the open loops that the runtime hands out piece by piece.
pub fn bound(call: Value<'_>) -> Option<Bound> {
    let name = callee_name(call);
    if name.starts_with("__kmpc_for_static_fini") || pieces::is_next(&name) {
        return Some(Bound::End);
    }
    let open = || call.operand(2).constant_int().is_some_and(|kind| kind & OPEN != 0);
    (name.starts_with("__kmpc_for_static_init_") && call.arg_count() > 2 && open()).then_some(Bound::Begin)
}

/// The constructs of a program that share work out: the calls that begin them, and the directives that each may stand for.
pub struct Shares<'m, 'd>(Vec<(Value<'m>, Option<Ident>, Vec<&'d Directive>)>);

impl<'m, 'd> Shares<'m, 'd> {
    /// Finds them.
    pub fn new(llvm: &'m Module, directives: &'d Directives) -> Shares<'m, 'd> {
        let (mut calls, mut places) = (Vec::new(), Vec::new());
        for (function, value) in llvm.functions().enumerate() {
            for call in value.blocks().flat_map(|b| b.instructions()) {
                if !begins_loop(&callee_name(call)) || call.arg_count() < 3 {
                    continue;
                }
                let ident = ident(call);
                places.push(ident.as_ref().map_or_else(Place::unknown, |i| i.place(function, call)));
                calls.push((call, ident));
            }
        }
        let found = tell_apart(directives, &places, Directive::shares_work);
        Shares(calls.into_iter().zip(found).map(|((call, ident), d)| (call, ident, d)).collect())
    }

    /// The directives that the construct may stand for that a call begins.
    pub fn of(&self, call: Value<'m>) -> &[&'d Directive] {
        self.0.iter().find(|(c, ..)| *c == call).map_or(&[], |(_, _, d)| d)
    }
}

/// Marks the loops whose mapping is open.
pub fn mark(llvm: &Module, directives: &Directives, shares: &Shares<'_, '_>) {
    let note = note_kind(llvm);
    for (call, ident, may_be) in &shares.0 {
        let scan = ident
            .as_ref()
            .is_some_and(|i| directives.at(&i.file, i.line).iter().any(Directive::is_uncombined_scan));
        if may_be.is_empty() && ident.is_some() {
            llvm.set_note(*call, note, UNREAD);
            continue;
        }
        if scan {
            // Every thread has a buffer of its own in that code, and all of them write the variable.
            let what = "OpenMP scan outside of a combined `parallel for`, which clang 19 translates wrongly";
            llvm.set_note(*call, note, what);
            continue;
        }
        if may_be.iter().any(|d| combines_lanes(d)) && !is_outer_half(*call, may_be) {
            // Their iterations are only compared with those of other threads.
            llvm.call_before(*call, c"__rp_omp_not_alone", None);
        }
        let inside = |d: &&Directive| !d.has("parallel") && !d.has("teams");
        if may_be.iter().any(|d| combines_lanes(d) && inside(d)) {
            // They are not compared with each other in the variables that the region declares, which are a thread's own.
            let what = "OpenMP order(concurrent), or loop, with a reduction and not combined with `parallel` or `teams`";
            llvm.set_note(*call, note, what);
            continue;
        }
        let chunked = |d: &&Directive| d.args("schedule").is_some_and(|args| args.contains(','));
        if may_be.iter().any(|d| d.has("order") && chunked(d)) {
            // The iterations of a chunk are executed one after another here.
            let what = "OpenMP order(concurrent) on a loop whose schedule has chunks";
            llvm.set_note(*call, note, what);
            continue;
        }
        let Some(kind) = call.operand(2).constant_int() else { continue };
        let inits = callee_name(*call).starts_with("__kmpc_for_static_init_");
        if inits && kind & KIND == STATIC_CHUNKED && kind & NONMONOTONIC != 0 {
            open(llvm, *call, kind | DEALT);
            continue;
        }
        // clang gives the iterations of a doacross nest without `schedule` out in turn.
        let dealt = inits && kind & KIND == STATIC_CHUNKED && !may_be.iter().any(|d| d.has("schedule"));
        if !dealt && !matches!(kind & KIND, STATIC | SIMD_STATIC | ORDERED_STATIC | DISTRIBUTE_STATIC) {
            if may_be.iter().any(|d| d.shares_out_lanes() || d.is_concurrent()) {
                llvm.set_int_argument(*call, 2, kind | LANES);
            }
            continue;
        }
        match ident {
            None => llvm.set_note(*call, note, "OpenMP loop of which the source is not known"),
            Some(ident) if ident.flags & SECTIONS != 0 => open(llvm, *call, kind),
            Some(_) => decide(llvm, *call, kind, may_be),
        }
    }
}

/// Whether iterations that one thread executes may run at the same time and combine values, so that [`super::simd`] makes no lanes
/// of them.
fn combines_lanes(directive: &Directive) -> bool {
    directive.is_concurrent() && directive.has("reduction") && !directive.has("simd")
}

/// Whether a call begins the outer half of a composite construct, whose chunks are executed by whole teams.
fn is_outer_half(call: Value<'_>, may_be: &[&Directive]) -> bool {
    let distributes = call.operand(2).constant_int().is_some_and(|kind| kind & KIND == DISTRIBUTE_STATIC);
    distributes && may_be.iter().any(|d| d.has("parallel"))
}

/// Decides for a call that begins one of these constructs.
fn decide(llvm: &Module, call: Value<'_>, kind: i64, may_be: &[&Directive]) {
    let fixed: Vec<bool> = may_be.iter().map(|d| is_fixed(d, kind & KIND)).collect();
    match fixed.first() {
        Some(first) if fixed.iter().all(|f| f == first) => {
            if !first {
                let half = is_outer_half(call, may_be);
                let lanes = if !half && may_be.iter().any(|d| d.has_lanes()) { LANES } else { 0 };
                if may_be.iter().any(|d| d.variant && d.has_lanes() != may_be[0].has_lanes()) {
                    let why = "OpenMP metadirective: whether iterations of one thread may run at the same time depends on its variant";
                    llvm.set_note(call, note_kind(llvm), why);
                }
                open(llvm, call, kind | alike(may_be) | lanes | if half { HALF } else { 0 });
            }
        }
        _ => llvm.set_note(
            call,
            note_kind(llvm),
            "OpenMP loop: its source does not tell whether the schedule is fixed by a clause",
        ),
    }
}

fn is_fixed(directive: &Directive, kind: i64) -> bool {
    if kind != DISTRIBUTE_STATIC {
        // `order(concurrent)` lets even iterations of one thread run at the same time. The sizes of the blocks of a static
        // loop are not told, only that loops of one shape have the same, and loops with `simd` are excepted.
        return directive.has("schedule") && !directive.has("order") && !directive.has("simd");
    }
    directive.has("dist_schedule") || directive.has("teams") && directive.has("loop")
}

/// The bit for loops with a reproducible schedule (OpenMP 5.2, 10.3): with `order(concurrent)`, unless the modifier
/// `unconstrained` says otherwise. Two such loops have the same mapping if they have the same directive, binding region,
/// schedule and iteration space (4.4.5). Of a `loop` directive the modifier `reproducible` is wanted. The shape of a
/// collapsed nest is not known here, and lanes are no threads: such loops have a mapping of their own.
fn alike(directives: &[&Directive]) -> i64 {
    let bit = |d: &&Directive| {
        let order = d.args("order").unwrap_or_default();
        let (looping, apart) = (d.has("loop"), d.has("collapse") || d.has("simd") || d.has("parallel"));
        match order.split_once(':').map(|(modifier, _)| modifier.trim()) {
            _ if apart || d.args("order").is_none() => 0,
            Some("reproducible") if looping => ALIKE | ALIKE_LOOP,
            Some("reproducible") | None if !looping => ALIKE,
            _ => 0,
        }
    };
    let mut bits = directives.iter().map(bit);
    let first = bits.next().unwrap_or(0);
    if bits.all(|b| b == first) { first } else { 0 }
}

fn open(llvm: &Module, call: Value<'_>, kind: i64) {
    llvm.set_int_argument(call, 2, kind | OPEN);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn idents() {
        let ident = Ident::parse(";a;b.c;main;12;3;;", 514).expect("an ident");
        assert_eq!((ident.file.as_str(), ident.function.as_str()), ("a;b.c", "main"));
        assert_eq!((ident.line, ident.column), (12, 3));
        assert_eq!(Ident::parse(";unknown;unknown;0;0;;", 2).map(|i| i.line), Some(0));
    }
}
