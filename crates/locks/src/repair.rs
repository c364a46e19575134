//! The other way: for a racy program, a small change that makes it race-free (P5 3.4 and figure 2, made automatic).
//!
//! For each race, ways to repair it are tried in this order, each checked: a `reduction` where both accesses update a variable by
//! one operation in a loop; `private` where every iteration writes before it reads; the barrier that a `nowait` took away, or a
//! new one; the lock that the other access holds already; `atomic`; a new critical section or mutex. A way counts if the race is gone and no other
//! defect has come. That is repeated until the check finds nothing; then every step that turns out not to be needed is taken
//! back, so that the proposal is minimal: nothing can be left out of it.
//!
//! *Guarantee*: the proposed text was compiled and checked as a whole. That it computes what was meant, only its author can say.

use std::collections::BTreeSet;

use base::Place;
use ir::Directive;
use serde::Serialize;
use text::TokenKind;

use crate::judge::{Answer, Evidence, EvidenceKind, Judge, RaceInfo, original};
use crate::source::Source;
use crate::source::constructs::{Construct, ConstructKind, without_clause};
use crate::source::edit::{Edit, apply};
use crate::source::tree::Span;
use crate::suggest::update;

/// Rounds after which we give up.
const ROUNDS: usize = 16;

/// How a race is repaired.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Way {
    /// A `reduction` clause.
    Reduction,
    /// A `private` clause.
    Private,
    /// No `nowait`, or a barrier.
    Barrier,
    /// A lock that others hold already.
    ExistingLock,
    /// An atomic construct.
    Atomic,
    /// A new critical section or mutex.
    NewLock,
}

/// One step of a proposal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Step {
    /// How.
    pub way: Way,
    /// In words.
    pub text: String,
    /// The race that it was made for: the variable.
    pub variable: String,
    /// And its lines.
    pub lines: [u32; 2],
    /// The change.
    #[serde(skip)]
    pub edits: Vec<Edit>,
}

/// What came of it.
#[derive(Debug, Clone)]
pub enum Repair {
    /// The steps make the program race-free.
    Done(Vec<Step>),
    /// Not all races could be repaired: the steps that help, and what is left.
    Partly(Vec<Step>, String),
}

/// Looks for a proposal; `first` is what the check of the unchanged program said.
pub fn repair(
    sources: &[Source],
    constructs: &[Construct],
    judge: &mut dyn Judge,
    first: &Evidence,
) -> Repair {
    let mut mender = Mender { sources, constructs, judge };
    let mut steps: Vec<Step> = Vec::new();
    let mut wrong = first.clone();
    for _ in 0..ROUNDS {
        if wrong.races.is_empty() {
            return Repair::Partly(steps, wrong.text);
        }
        match mender.round(&steps, &wrong) {
            Some((step, None)) => {
                steps.push(step);
                return Repair::Done(mender.minimal(steps));
            }
            Some((step, Some(next))) => {
                steps.push(step);
                wrong = next;
            }
            None => return Repair::Partly(steps, wrong.text),
        }
    }
    Repair::Partly(steps, format!("not finished after {ROUNDS} steps"))
}

struct Mender<'a> {
    sources: &'a [Source],
    constructs: &'a [Construct],
    judge: &'a mut dyn Judge,
}

fn all_edits(steps: &[Step]) -> Vec<Edit> {
    let mut edits: Vec<Edit> = Vec::new();
    for edit in steps.iter().flat_map(|s| &s.edits) {
        if !edits.contains(edit) {
            edits.push(edit.clone());
        }
    }
    edits
}

/// A statement of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct At {
    file: usize,
    span: Span,
}

impl Mender<'_> {
    /// The first way that helps against some race, and what is wrong after it.
    fn round(&mut self, steps: &[Step], wrong: &Evidence) -> Option<(Step, Option<Evidence>)> {
        for race in &wrong.races {
            for step in self.ways(race) {
                let mut with = steps.to_vec();
                if step.edits.iter().all(|e| steps.iter().any(|s| s.edits.contains(e))) {
                    continue;
                }
                with.push(step.clone());
                let changed = apply(self.sources, &all_edits(&with));
                match self.judge.judge(&changed) {
                    Answer::Free(_) => return Some((step, None)),
                    Answer::Wrong(evidence) => {
                        let evidence = original(self.sources, &changed, evidence);
                        let lines = |r: &RaceInfo| {
                            let mut lines = [r.places[0].line, r.places[1].line];
                            lines.sort_unstable();
                            (stem(&r.variable), lines)
                        };
                        let gone = evidence.kind == EvidenceKind::Race
                            && !evidence.races.iter().any(|r| lines(r) == lines(race));
                        let known: BTreeSet<_> = wrong.races.iter().map(lines).collect();
                        let fewer = evidence.races.iter().filter(|r| known.contains(&lines(r))).count()
                            < wrong.races.len();
                        if gone && fewer {
                            return Some((step, Some(evidence)));
                        }
                    }
                    Answer::Unknown(_) | Answer::Broken(_) => {}
                }
            }
        }
        None
    }

    /// Takes back whatever is not needed.
    fn minimal(&mut self, mut steps: Vec<Step>) -> Vec<Step> {
        let mut at = 0;
        while steps.len() > 1 && at < steps.len() {
            let mut fewer = steps.clone();
            fewer.remove(at);
            let changed = apply(self.sources, &all_edits(&fewer));
            if matches!(self.judge.judge(&changed), Answer::Free(_)) {
                steps = fewer;
            } else {
                at += 1;
            }
        }
        steps
    }

    fn statement(&self, place: &Place) -> Option<At> {
        let file = self.sources.iter().position(|s| s.path.to_string_lossy() == place.file)?;
        let span = self.sources[file].simple_at(place.line, place.column)?;
        Some(At { file, span })
    }

    fn ways(&self, race: &RaceInfo) -> Vec<Step> {
        let ends: Vec<Option<At>> = race.places.iter().map(|p| self.statement(p)).collect();
        let (Some(a), Some(b)) = (ends[0], ends[1]) else { return Vec::new() };
        let openmp = self.sources.iter().any(Source::uses_openmp);
        let mut ways: Vec<(Way, String, Vec<Edit>)> = Vec::new();
        if openmp {
            ways.extend(self.reduction(race, a, b));
            ways.extend(self.private(race, a, b));
            ways.extend(self.no_nowait(a, b));
            ways.extend(self.barrier(a, b));
        }
        ways.extend(self.existing(race, [a, b]));
        if openmp {
            ways.extend(self.atomic(race, a, b));
        }
        ways.extend(self.new_lock(race, a, b, openmp));
        let step = |(way, text, edits)| Step {
            way,
            text,
            variable: race.variable.clone(),
            lines: [race.places[0].line, race.places[1].line],
            edits,
        };
        ways.into_iter().map(step).collect()
    }

    /// The directives around a statement, innermost first.
    fn around(&self, at: At) -> Vec<usize> {
        let source = &self.sources[at.file];
        let mut found: Vec<usize> = (0..at.span.from)
            .filter(|&i| {
                source.directive(i).is_some()
                    && source.statement(i).to > at.span.from
                    && source.statement(i).to > i + 1
            })
            .collect();
        found.reverse();
        found
    }

    fn reduction(&self, race: &RaceInfo, a: At, b: At) -> Option<(Way, String, Vec<Edit>)> {
        let source = &self.sources[a.file];
        let (x, y) = (update(source, a.span)?, update(&self.sources[b.file], b.span)?);
        let op = |op: &str| if op == "-" { "+".to_owned() } else { op.to_owned() };
        let plain = x.target.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let same = a.file == b.file && x.target == y.target && op(&x.op) == op(&y.op);
        if !plain
            || !same
            || !["+", "*", "&", "|", "^"].contains(&op(&x.op).as_str())
            || x.target != race.variable
        {
            return None;
        }
        if word_in(&x.operand, &x.target) || word_in(&y.operand, &y.target) {
            return None;
        }
        let both = self.around(b);
        let fits = |&i: &usize| {
            let takes = |d: &Directive| ["for", "sections", "parallel", "simd"].iter().any(|w| d.is(w));
            both.contains(&i) && source.directive(i).is_some_and(takes)
        };
        let pragma = self.around(a).into_iter().find(fits)?;
        let clause = format!(" reduction({}:{})", op(&x.op), x.target);
        let line = source.line_of(pragma);
        let text = format!("`{}` on the directive of line {line}", clause.trim());
        Some((Way::Reduction, text, vec![Edit::insert(a.file, source.tokens[pragma].to, clause)]))
    }

    fn private(&self, race: &RaceInfo, a: At, b: At) -> Option<(Way, String, Vec<Edit>)> {
        let name = &race.variable;
        let source = &self.sources[a.file];
        if a.file != b.file || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            return None;
        }
        let both = self.around(b);
        let fits = |&i: &usize| {
            let takes = |d: &Directive| ["for", "sections", "parallel"].iter().any(|w| d.is(w));
            both.contains(&i) && source.directive(i).is_some_and(takes)
        };
        let pragma = self.around(a).into_iter().find(fits)?;
        let body = Span { from: pragma + 1, to: source.statement(pragma + 1).to };
        // The first use inside must give it a value, and nobody may want that value afterwards.
        let first = (body.from..body.to).find(|&i| source.word(i) == *name)?;
        let gives = source.word(first + 1) == "="
            && matches!(source.word(first.wrapping_sub(1)), "{" | ";" | "(" | "}" | ")");
        let function = source.function_around(pragma)?;
        let later = (body.to..source.close(function)).any(|i| source.word(i) == *name);
        let global = !(function..pragma).any(|i| source.word(i) == *name);
        if !gives || later || global {
            return None;
        }
        let line = source.line_of(pragma);
        let text = format!("`private({name})` on the directive of line {line}");
        Some((
            Way::Private,
            text,
            vec![Edit::insert(a.file, source.tokens[pragma].to, format!(" private({name})"))],
        ))
    }

    fn no_nowait(&self, a: At, b: At) -> Vec<(Way, String, Vec<Edit>)> {
        let mut ways = Vec::new();
        for at in [a, b] {
            let source = &self.sources[at.file];
            for pragma in self.around(at) {
                if let Some(clause) = source.clause(pragma, "nowait") {
                    let text = format!("no `nowait` on the directive of line {}", source.line_of(pragma));
                    ways.push((Way::Barrier, text, vec![without_clause(at.file, source, clause)]));
                }
            }
        }
        ways.dedup();
        ways
    }

    /// A barrier between two statements of one parallel block.
    fn barrier(&self, a: At, b: At) -> Option<(Way, String, Vec<Edit>)> {
        if a.file != b.file {
            return None;
        }
        let source = &self.sources[a.file];
        let both = self.around(b);
        let regions: Vec<usize> = self.around(a).into_iter().filter(|i| both.contains(i)).collect();
        let first = *regions.first()?;
        if source.directive(first)?.words != ["parallel"] || source.word(first + 1) != "{" {
            return None;
        }
        let statements = source.statements(first + 1);
        let of = |at: At| statements.iter().position(|s| s.from <= at.span.from && at.span.from < s.to);
        let (x, y) = (of(a)?, of(b)?);
        if x == y {
            return None;
        }
        let from = source.tokens[statements[x.max(y)].from].from;
        let with = format!("{}#pragma omp barrier\n", source.indent(from));
        let text = format!("a barrier before line {}", source.line(from));
        Some((Way::Barrier, text, vec![Edit::insert(a.file, source.line_start(from), with)]))
    }

    /// The lock that one of the two holds, for the other.
    fn existing(&self, race: &RaceInfo, ends: [At; 2]) -> Vec<(Way, String, Vec<Edit>)> {
        let mut ways = Vec::new();
        for (holder, other) in [(0, 1), (1, 0)] {
            for lock in race.locks[holder].iter().filter(|l| !race.locks[other].contains(l)) {
                let Some(guard) = self.guard_of(lock) else { continue };
                if let Some(edits) = self.wrap(ends[other], &guard) {
                    let line = self.sources[ends[other].file].line_of(ends[other].span.from);
                    ways.push((Way::ExistingLock, format!("{} around line {line} too", guard.name()), edits));
                }
            }
        }
        ways
    }

    fn guard_of(&self, lock: &str) -> Option<Guard> {
        if let Some(name) = lock.strip_prefix("critical section ") {
            let name = if name == "without a name" { String::new() } else { name.to_owned() };
            return Some(Guard::Critical(name));
        }
        let fits =
            |c: &&Construct| c.kind == ConstructKind::Lock && c.name.trim_start_matches('&').trim() == lock;
        let construct = self.constructs.iter().find(fits)?;
        let source = &self.sources[construct.file];
        let callee = source.word(construct.token).to_owned();
        let unlock = match callee.as_str() {
            "pthread_mutex_lock" => "pthread_mutex_unlock",
            "omp_set_lock" => "omp_unset_lock",
            "pthread_spin_lock" => "pthread_spin_unlock",
            "mtx_lock" => "mtx_unlock",
            "lock_guard" | "unique_lock" | "scoped_lock" | "lock" => {
                return Some(Guard::Scoped(construct.name.clone()));
            }
            _ => return None,
        };
        Some(Guard::Calls { lock: callee, unlock: unlock.to_owned(), object: construct.name.clone() })
    }

    fn atomic(&self, race: &RaceInfo, a: At, b: At) -> Option<(Way, String, Vec<Edit>)> {
        let mut edits = Vec::new();
        let mut lines = BTreeSet::new();
        for at in BTreeSet::from([a, b]) {
            let source = &self.sources[at.file];
            let before = at.span.from.checked_sub(1)?;
            if source.directive(before).is_some_and(|d| d.first() == "atomic") {
                continue;
            }
            let kind = if update(source, at.span).is_some() {
                ""
            } else {
                plain_access(source, at.span, &stem(&race.variable))?
            };
            let from = source.tokens[at.span.from].from;
            // A directive needs a line of its own.
            let indent = source.indent(from);
            let inside = !source.text[source.line_start(from)..from].trim().is_empty();
            let (break_, indent) = if inside {
                (format!("\n{indent}    "), format!("{indent}    "))
            } else {
                (String::new(), indent.into())
            };
            let directive = format!("{break_}#pragma omp atomic{kind}\n{indent}");
            edits.push(Edit::insert(at.file, from, directive));
            lines.insert(source.line(from));
        }
        let listed = lines.iter().map(u32::to_string).collect::<Vec<_>>().join(" and ");
        (!edits.is_empty()).then(|| (Way::Atomic, format!("`atomic` at line {listed}"), edits))
    }

    fn new_lock(&self, race: &RaceInfo, a: At, b: At, openmp: bool) -> Option<(Way, String, Vec<Edit>)> {
        let name = format!("{}_lock", crate::model::identifier(&stem(&race.variable)).to_lowercase());
        let mut edits = Vec::new();
        let guard = if openmp {
            Guard::Critical(name.clone())
        } else {
            let file = a.file;
            if b.file != a.file {
                return None;
            }
            let source = &self.sources[file];
            let cpp = source.path.extension().is_some_and(|e| e != "c" && e != "i");
            let posix = source.text.contains("<pthread.h>");
            let at = first_function(source)?;
            if cpp && !posix {
                edits.push(Edit::insert(file, 0, "#include <mutex>\n"));
                edits.push(Edit::insert(file, at, format!("static std::mutex {name};\n\n")));
                Guard::Scoped(name.clone())
            } else {
                let declared = format!("static pthread_mutex_t {name} = PTHREAD_MUTEX_INITIALIZER;\n\n");
                edits.push(Edit::insert(file, at, declared));
                let (lock, unlock) = ("pthread_mutex_lock".into(), "pthread_mutex_unlock".into());
                Guard::Calls { lock, unlock, object: format!("&{name}") }
            }
        };
        let mut lines = BTreeSet::new();
        for at in BTreeSet::from([a, b]) {
            edits.extend(self.wrap(at, &guard)?);
            lines.insert(self.sources[at.file].line_of(at.span.from));
        }
        let listed = lines.iter().map(u32::to_string).collect::<Vec<_>>().join(" and ");
        Some((Way::NewLock, format!("a new {} around line {listed}", guard.name()), edits))
    }

    /// Puts a statement under a lock.
    fn wrap(&self, at: At, guard: &Guard) -> Option<Vec<Edit>> {
        let source = &self.sources[at.file];
        let first = source.word(at.span.from);
        let leaves = |i: usize| matches!(source.word(i), "return" | "break" | "continue" | "goto");
        if matches!(first, "while" | "for" | "do" | "switch" | "case" | "default" | "{")
            || first != "return" && (at.span.from..at.span.to).any(leaves)
        {
            return None;
        }
        let (from, to) = (source.tokens[at.span.from].from, source.tokens[at.span.to - 1].to);
        let indent = source.indent(from).to_owned();
        let text = &source.text[from..to];
        let mut before = String::new();
        let mut inner = text.to_owned();
        let mut after = String::new();
        if first == "return" {
            let value = text.strip_prefix("return")?.trim_end_matches(';').trim().to_owned();
            if value.is_empty() {
                return None;
            }
            before = format!("__typeof__({value}) result;\n{indent}");
            inner = format!("result = {value};");
            after = format!("\n{indent}return result;");
        } else if let Some((declared, assigned)) = declaration(source, at.span) {
            before = format!("{declared}\n{indent}");
            inner = assigned;
        }
        let braces = !source.in_block(at.span.from);
        let inside = !source.text[source.line_start(from)..from].trim().is_empty();
        let (open, close) = match (braces, inside) {
            (true, _) => (format!("{{\n{indent}"), format!("\n{indent}}}")),
            // A directive needs a line of its own.
            (false, true) => (format!("\n{indent}"), format!("\n{indent}")),
            (false, false) => Default::default(),
        };
        let with = format!("{open}{before}{}{after}{close}", guard.around(&inner, &indent));
        Some(vec![Edit { file: at.file, from, to, with }])
    }
}

/// What protects a statement.
enum Guard {
    Critical(String),
    Calls { lock: String, unlock: String, object: String },
    Scoped(String),
}

impl Guard {
    fn name(&self) -> String {
        match self {
            Guard::Critical(name) if name.is_empty() => "critical section".into(),
            Guard::Critical(name) => format!("critical section `{name}`"),
            Guard::Calls { object, .. } => format!("lock `{}`", object.trim_start_matches('&')),
            Guard::Scoped(object) => format!("lock `{object}`"),
        }
    }

    fn around(&self, text: &str, indent: &str) -> String {
        match self {
            Guard::Critical(name) if name.is_empty() => format!("#pragma omp critical\n{indent}{text}"),
            Guard::Critical(name) => format!("#pragma omp critical({name})\n{indent}{text}"),
            Guard::Calls { lock, unlock, object } => {
                format!("{lock}({object});\n{indent}{text}\n{indent}{unlock}({object});")
            }
            Guard::Scoped(object) => {
                format!(
                    "{{\n{indent}    std::lock_guard<std::mutex> guard({object});\n{indent}    {text}\n{indent}}}"
                )
            }
        }
    }
}

fn stem(name: &str) -> String {
    crate::analysis::stem(name.split("->").next().unwrap_or(name))
}

fn word_in(text: &str, word: &str) -> bool {
    text::tokens(text).iter().any(|t| &text[t.from..t.to] == word)
}

/// `v = x;` and `x = e;` as `atomic read` and `atomic write`.
fn plain_access(source: &Source, span: Span, variable: &str) -> Option<&'static str> {
    let words: Vec<&str> = (span.from..span.to).map(|i| source.word(i)).collect();
    let equals = words.iter().position(|w| *w == "=")?;
    let simple = |words: &[&str]| !words.is_empty() && !words.contains(&"(");
    let (left, right) = (&words[..equals], &words[equals + 1..words.len() - 1]);
    let reads = right.first() == Some(&variable) && simple(right) && (right.len() == 1 || right[1] == "[");
    if left.len() > 1 && left[1] != "[" {
        return None;
    }
    if left.first() == Some(&variable) && !right.contains(&variable) {
        Some(" write")
    } else if reads && left.first() != Some(&variable) {
        Some(" read")
    } else {
        None
    }
}

/// A declaration with a value, split: `int v = x;` is `int v;` and `v = x;`.
fn declaration(source: &Source, span: Span) -> Option<(String, String)> {
    let equals = (span.from..span.to).find(|&i| source.word(i) == "=")?;
    let words: Vec<&str> = (span.from..equals).map(|i| source.word(i)).collect();
    let name = words.last()?;
    let types = &words[..words.len() - 1];
    let word = |w: &&str| w.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if types.is_empty() || !types.iter().all(|w| word(w) || *w == "*") || !word(name) {
        return None;
    }
    if types.contains(&"const") || types.contains(&"auto") || types.contains(&"static") || types == ["*"] {
        return None;
    }
    let value = &source.text[source.tokens[equals].to..source.tokens[span.to - 1].from];
    let ty = &source.text[source.tokens[span.from].from..source.tokens[equals - 1].from];
    Some((format!("{}{name};", ty), format!("{name} = {};", value.trim())))
}

/// Where the first function of a file begins.
fn first_function(source: &Source) -> Option<usize> {
    let body = source.blocks().into_iter().find(|&b| b > 0 && source.word(b - 1) == ")")?;
    // Back to the end of whatever comes before.
    let mut at = body;
    while at > 0 {
        let before = source.tokens[at - 1];
        let ends = matches!(before.kind, TokenKind::Directive | TokenKind::Pragma)
            || matches!(source.word(at - 1), ";" | "}");
        if ends {
            break;
        }
        at -= 1;
    }
    Some(source.line_start(source.tokens[at].from))
}
