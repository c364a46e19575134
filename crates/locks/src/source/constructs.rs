//! Finds what synchronises in the text of a program, and how to take it out.
//!
//! Critical sections, atomic constructs, barriers, worksharing constructs that end with a barrier, `ordered` blocks, calls that lock and
//! unlock, guards of C++, barriers of POSIX threads. Lock and unlock calls belong together if the recorded run says so; an
//! unlock that the run did not come to belongs to the nearest lock of the same object before it in its function. Barrier calls that met in one
//! round belong together.

use std::collections::BTreeMap;

use base::Place;
use ir::Directive;
use text::TokenKind;

use super::Source;
use super::edit::Edit;
use super::tree::Span;

/// What a construct is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ConstructKind {
    /// `#pragma omp critical`.
    Critical,
    /// Lock and unlock calls that belong together, or a guard.
    Lock,
    /// `#pragma omp atomic`.
    Atomic,
    /// `#pragma omp barrier`, or calls of `pthread_barrier_wait` that meet.
    Barrier,
    /// The barrier at the end of a worksharing construct: `nowait` takes it away.
    ImpliedBarrier,
    /// `#pragma omp ordered`.
    Ordered,
    /// `#pragma omp taskwait`.
    Taskwait,
    /// `#pragma omp taskgroup`.
    Taskgroup,
}

impl ConstructKind {
    /// Whether it orders rather than excludes.
    pub fn orders(self) -> bool {
        !matches!(self, ConstructKind::Critical | ConstructKind::Lock | ConstructKind::Atomic)
    }
}

/// A construct.
#[derive(Debug, Clone)]
pub struct Construct {
    /// What it is.
    pub kind: ConstructKind,
    /// The file, as an index.
    pub file: usize,
    /// Its first line.
    pub line: u32,
    /// The other lines that belong to it: of unlock calls, or of the end of its block.
    pub lines: Vec<u32>,
    /// In words: ``critical section `sum` ``.
    pub what: String,
    /// What takes it out.
    pub edits: Vec<Edit>,
    /// The token at which it begins.
    pub token: usize,
    /// The statement that it is about: a critical section's block, an atomic's update.
    pub body: Option<Span>,
    /// The lock calls (tokens) and unlock calls of a pair.
    pub calls: Vec<(usize, bool)>,
    /// The name of the critical section, or the lock's argument.
    pub name: String,
    /// Whether the recorded run came there.
    pub reached: bool,
    /// Why it cannot be taken out of the text, if it cannot.
    pub unable: Option<String>,
}

/// Calls that lock, with those that unlock.
const LOCKS: [(&str, &str); 9] = [
    ("pthread_mutex_lock", "pthread_mutex_unlock"),
    ("pthread_spin_lock", "pthread_spin_unlock"),
    ("pthread_rwlock_rdlock", "pthread_rwlock_unlock"),
    ("pthread_rwlock_wrlock", "pthread_rwlock_unlock"),
    ("omp_set_lock", "omp_unset_lock"),
    ("omp_set_nest_lock", "omp_unset_nest_lock"),
    ("mtx_lock", "mtx_unlock"),
    ("lock", "unlock"),
    ("lock_shared", "unlock_shared"),
];

/// Types whose objects hold a lock while they exist.
const GUARDS: [&str; 4] = ["lock_guard", "unique_lock", "scoped_lock", "shared_lock"];

/// What a run tells.
pub struct Told<'a> {
    /// Lock and unlock calls that belong together.
    pub sections: &'a [(Place, Place)],
    /// Barrier calls that met.
    pub rounds: &'a [Vec<Place>],
    /// Files that the program includes, for the macros that they define.
    pub headers: &'a [Source],
    /// Whether the run came to a line of a file.
    pub reached: &'a dyn Fn(&str, u32) -> bool,
}

/// All constructs, in the order of files and lines.
pub fn find(sources: &[Source], told: &Told) -> Vec<Construct> {
    let mut found = Vec::new();
    let mut calls = Vec::new();
    let macros = macros(sources.iter().chain(told.headers));
    for (file, source) in sources.iter().enumerate() {
        for token in 0..source.tokens.len() {
            match source.tokens[token].kind {
                TokenKind::Pragma => found.extend(directive(file, source, token)),
                TokenKind::Word => calls.extend(call(file, source, token, &macros)),
                _ => {}
            }
        }
    }
    // What a lock object does belongs to it.
    let of_guards: Vec<Edit> =
        calls.iter().filter(|c: &&Call| c.does == Does::Guard).flat_map(|c| c.edits[1..].to_vec()).collect();
    calls.retain(|c| c.does == Does::Guard || !of_guards.contains(&c.edits[0]));
    found.extend(pair(sources, &calls, told));
    for construct in &mut found {
        let source = &sources[construct.file];
        let path = source.path.to_string_lossy();
        let last = construct.body.map_or(construct.line, |b| source.line_of(b.to.saturating_sub(1)));
        let mut lines = construct.line..=last;
        if construct.kind == ConstructKind::Taskwait
            && let Some(block) = source.block_around(construct.token)
        {
            // Where no task is left, nothing happens there.
            lines = source.line_of(block)..=source.line_of(source.close(block).saturating_sub(1));
        }
        construct.reached |= lines.into_iter().any(|line| (told.reached)(&path, line));
    }
    found.sort_by_key(|c| (c.file, c.line, c.token, c.kind));
    found
}

/// The line at which a statement ends.
fn last_line(source: &Source, body: Span) -> u32 {
    source.line_of(body.to.saturating_sub(1))
}

/// What a directive is, if it synchronises, and in words.
pub fn synchronises(directive: &Directive) -> Option<(ConstructKind, String)> {
    let has = |name: &str| directive.clause(name).is_some();
    match directive.first() {
        "critical" => {
            let name = directive.argument.as_ref().map_or(String::new(), |name| format!(" `{name}`"));
            Some((ConstructKind::Critical, format!("critical section{name}")))
        }
        "atomic" => Some((ConstructKind::Atomic, "atomic".into())),
        "barrier" => Some((ConstructKind::Barrier, "barrier".into())),
        "taskwait" if !has("depend") => Some((ConstructKind::Taskwait, "`taskwait`".into())),
        "taskgroup" if !has("task_reduction") => Some((ConstructKind::Taskgroup, "`taskgroup`".into())),
        "ordered" if !has("depend") && !has("doacross") => {
            Some((ConstructKind::Ordered, "`ordered` block".into()))
        }
        _ => {
            let what = format!("barrier at the end of `{}`", implied(directive)?);
            Some((ConstructKind::ImpliedBarrier, what))
        }
    }
}

fn directive(file: usize, source: &Source, token: usize) -> Option<Construct> {
    let directive = source.directive(token)?;
    let (kind, what) = synchronises(directive)?;
    let at = source.tokens[token];
    let statement = || Span { from: token + 1, to: source.statement(token + 1).to };
    let remove = || vec![Edit::remove(file, source, at.from, at.to)];
    let (edits, body) = match kind {
        ConstructKind::Barrier | ConstructKind::Taskwait => (remove_alone(file, source, token), None),
        ConstructKind::ImpliedBarrier => (vec![Edit::insert(file, at.to, " nowait")], None),
        ConstructKind::Ordered => {
            let mut edits = remove();
            edits.extend(ordered_clause(file, source, token));
            (edits, Some(statement()))
        }
        _ => (remove(), Some(statement())),
    };
    Some(Construct {
        kind,
        file,
        line: at.line,
        lines: body.map(|b| last_line(source, b)).into_iter().collect(),
        what,
        edits,
        token,
        body,
        calls: Vec::new(),
        name: directive.argument.clone().unwrap_or_default(),
        reached: false,
        unable: None,
    })
}

/// A barrier may be all that a branch has: then an empty statement stays.
fn remove_alone(file: usize, source: &Source, token: usize) -> Vec<Edit> {
    let at = source.tokens[token];
    let mut edits = vec![Edit::remove(file, source, at.from, at.to)];
    if !source.in_block(token) && token > 0 && source.tokens[token - 1].kind != TokenKind::Pragma {
        edits[0].with = format!("{};\n", source.indent(at.from));
    }
    edits
}

/// The worksharing construct that ends with a barrier which `nowait` could take away.
fn implied(directive: &Directive) -> Option<String> {
    let shares = ["for", "sections", "single", "loop", "scope"];
    let combined = ["parallel", "teams", "distribute", "target", "taskloop"];
    let fits = shares.contains(&directive.first()) && !combined.iter().any(|w| directive.is(w));
    let free = directive.clause("nowait").is_none() && directive.clause("copyprivate").is_none();
    (fits && free).then(|| directive.words.join(" "))
}

/// Without its only `ordered` block a loop needs no `ordered` clause.
fn ordered_clause(file: usize, source: &Source, block: usize) -> Option<Edit> {
    let has_clause = |i: usize| source.directive(i).is_some_and(|d| d.clause("ordered").is_some());
    let around = |&i: &usize| has_clause(i) && source.statement(i + 1).to > block;
    let of_loop = (0..block).rev().find(around)?;
    let is_block = |&i: &usize| source.directive(i).is_some_and(|d| d.first() == "ordered");
    if (of_loop + 1..source.statement(of_loop + 1).to).filter(is_block).count() != 1 {
        return None;
    }
    source.clause(of_loop, "ordered").map(|clause| without_clause(file, source, clause))
}

/// Takes a clause out, with the blanks before it.
pub fn without_clause(file: usize, source: &Source, (mut from, to): (usize, usize)) -> Edit {
    while source.text[..from].ends_with([' ', ',']) {
        from -= 1;
    }
    Edit { file, from, to, with: String::new() }
}

/// What a call does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Does {
    Lock,
    Unlock,
    Guard,
    Barrier,
}

#[derive(Debug, Clone)]
struct Call {
    file: usize,
    /// The callee.
    token: usize,
    does: Does,
    /// Which kinds belong together.
    family: &'static str,
    object: String,
    edits: Vec<Edit>,
    unable: Option<String>,
}

/// Macros that stand for nothing but a call that locks or unlocks, with the name of the function.
fn macros<'s>(sources: impl Iterator<Item = &'s Source>) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for source in sources {
        for token in source.tokens.iter().filter(|t| t.kind == TokenKind::Directive) {
            let text = &source.text[token.from + 1..token.to].replace("\\\n", " ").replace("\\\r\n", " ");
            let words = text::tokens(text);
            let word = |i: usize| words.get(i).map_or("", |t| &text[t.from..t.to]);
            if word(0) != "define" {
                continue;
            }
            // The parameters follow the name at once.
            let takes = word(2) == "(" && words[2].from == words[1].to;
            let body =
                if takes { (2..words.len()).find(|&i| word(i) == ")").map_or(2, |i| i + 1) } else { 2 };
            let calls =
                |i: &usize| LOCKS.iter().any(|l| l.0 == word(*i) || l.1 == word(*i)) && word(i + 1) == "(";
            let called: Vec<usize> = (body..words.len()).filter(calls).collect();
            let allowed = ["do", "while", "void", "if"];
            let other = (body..words.len()).any(|i| {
                let call = word(i + 1) == "(" && words[i].kind == TokenKind::Word;
                call && !called.contains(&i) && !allowed.contains(&word(i))
                    || word(i).ends_with('=')
                    || matches!(word(i), "++" | "--")
            });
            if let ([only], false) = (&called[..], other) {
                found.insert(word(1).to_owned(), word(*only).to_owned());
            }
        }
    }
    found
}

fn call(file: usize, source: &Source, token: usize, macros: &BTreeMap<String, String>) -> Option<Call> {
    let written = source.word(token);
    if GUARDS.contains(&written) {
        return guard(file, source, token);
    }
    let expanded = macros.get(written).map(String::as_str);
    let word = expanded.unwrap_or(written);
    if source.word(token + 1) != "(" {
        // A macro without parameters.
        let (does, family) = locks_or_unlocks(expanded?)?;
        source.function_around(token)?;
        let edits = vec![without(file, source, token, token + 1)];
        return Some(Call { file, token, does, family, object: written.to_owned(), edits, unable: None });
    }
    let member = token > 0 && matches!(source.word(token - 1), "." | "->");
    let (does, family) = if word == "pthread_barrier_wait" {
        (Does::Barrier, "barrier")
    } else {
        let needs_member = |w: &str| matches!(w, "lock" | "unlock" | "lock_shared" | "unlock_shared");
        if needs_member(word) != member {
            return None;
        }
        locks_or_unlocks(word)?
    };
    let close = source.close(token + 1);
    // The first token of the call: for `a.b.lock()`, that of `a`.
    let mut begin = token;
    while begin >= 2 && matches!(source.word(begin - 1), "." | "->" | "::") {
        begin -= 2;
    }
    let object = if member {
        source.text[source.tokens[begin].from..source.tokens[token - 1].from].to_owned()
    } else {
        let (open, last) = (source.tokens[token + 1], source.tokens[close - 1]);
        source.text[open.to..last.from].split_whitespace().collect::<Vec<_>>().join(" ")
    };
    // A declaration or definition of a function of this name is no call.
    source.function_around(token)?;
    let edits = vec![without(file, source, begin, close)];
    Some(Call { file, token, does, family, object, edits, unable: None })
}

/// What a function of this name does, and which others belong to it.
fn locks_or_unlocks(name: &str) -> Option<(Does, &'static str)> {
    let locks = LOCKS.iter().find(|l| l.0 == name).map(|l| (Does::Lock, l.1));
    locks.or_else(|| LOCKS.iter().find(|l| l.1 == name).map(|l| (Does::Unlock, l.1)))
}

/// Takes a call out: the statement if it is one, else its value becomes 0.
fn without(file: usize, source: &Source, begin: usize, close: usize) -> Edit {
    let (from, to) = (source.tokens[begin].from, source.tokens[close - 1].to);
    let statement = source.word(close) == ";";
    if statement && source.in_block(begin) {
        return Edit::remove(file, source, from, source.tokens[close].to);
    }
    let before = begin.checked_sub(1).map_or("", |b| source.word(b));
    let with = if statement && matches!(before, ")" | "else" | "do" | ":") { "" } else { "0" };
    Edit { file, from, to, with: with.into() }
}

/// `std::lock_guard<std::mutex> guard(m);`, with `guard.unlock();` and the like.
fn guard(file: usize, source: &Source, token: usize) -> Option<Call> {
    let span = source.statement_around(token)?;
    let open = (token..span.to).find(|&i| matches!(source.word(i), "(" | "{"))?;
    let inner = &source.text[source.tokens[open].to..source.tokens[source.close(open) - 1].from];
    let mut edits =
        vec![Edit::remove(file, source, source.tokens[span.from].from, source.tokens[span.to - 1].to)];
    let object = inner.split(',').next().unwrap_or(inner).trim().to_owned();
    let mut unable = None;
    let name = source.word(open - 1).to_owned();
    let block = source.block_around(token)?;
    for i in (span.to..source.close(block)).filter(|&i| source.word(i) == name) {
        let does = if source.word(i + 1) == "." { source.word(i + 2) } else { "" };
        let alone = matches!(does, "lock" | "unlock") && source.word(source.close(i + 3)) == ";";
        if alone && source.in_block(i) {
            edits.push(without(file, source, i, source.close(i + 3)));
        } else if !matches!(source.word(i - 1), "." | "->" | "::") {
            let line = source.line_of(i);
            unable.get_or_insert(format!("`{name}` is used in another way at line {line}"));
        }
    }
    Some(Call { file, token, does: Does::Guard, family: "guard", object, edits, unable })
}

/// Puts calls together.
fn pair(sources: &[Source], calls: &[Call], told: &Told) -> Vec<Construct> {
    let mut group: Vec<usize> = (0..calls.len()).collect();
    let at = |place: &Place, does: &[Does]| -> Option<usize> {
        let fits = |c: &&Call| {
            let source = &sources[c.file];
            does.contains(&c.does)
                && source.path.to_string_lossy() == place.file
                && source.line_of(c.token) == place.line
        };
        let near = |c: &&Call| sources[c.file].column(c.token).abs_diff(place.column);
        let best = calls.iter().filter(fits).min_by_key(near)?;
        calls.iter().position(|c| (c.file, c.token) == (best.file, best.token))
    };
    let mut reached = vec![false; calls.len()];
    let join = |group: &mut Vec<usize>, a: usize, b: usize| {
        let (from, to) = (group[a].max(group[b]), group[a].min(group[b]));
        group.iter_mut().filter(|g| **g == from).for_each(|g| *g = to);
    };
    for (from, to) in told.sections {
        let (lock, unlock) = (at(from, &[Does::Lock, Does::Guard]), at(to, &[Does::Unlock]));
        if let Some(lock) = lock {
            reached[lock] = true;
            if let Some(unlock) = unlock.filter(|_| calls[lock].does == Does::Lock) {
                reached[unlock] = true;
                join(&mut group, lock, unlock);
            }
        }
    }
    for round in told.rounds {
        let met: Vec<usize> = round.iter().filter_map(|p| at(p, &[Does::Barrier])).collect();
        for pair in met.windows(2) {
            join(&mut group, pair[0], pair[1]);
        }
        met.iter().for_each(|&m| reached[m] = true);
    }
    // What the run did not come to.
    for (i, call) in calls.iter().enumerate().filter(|(i, c)| !reached[*i] && c.does == Does::Unlock) {
        let function = sources[call.file].function_around(call.token);
        let fits = |&j: &usize| {
            let c = &calls[j];
            c.does == Does::Lock
                && (c.file, c.family, &c.object) == (call.file, call.family, &call.object)
                && c.token < call.token
                && sources[c.file].function_around(c.token) == function
        };
        if let Some(lock) = (0..calls.len()).filter(fits).max_by_key(|&j| calls[j].token) {
            join(&mut group, i, lock);
        }
    }
    let mut found = Vec::new();
    for of in 0..calls.len() {
        let members: Vec<usize> = (0..calls.len()).filter(|&i| group[i] == of).collect();
        let Some(&first) = members.iter().find(|&&i| calls[i].does != Does::Unlock) else { continue };
        let (file, token) = (calls[first].file, calls[first].token);
        let source = &sources[file];
        let (kind, what) = match calls[first].does {
            Does::Barrier => (ConstructKind::Barrier, format!("barrier `{}`", bare(&calls[first].object))),
            _ => (ConstructKind::Lock, format!("lock of `{}`", bare(&calls[first].object))),
        };
        found.push(Construct {
            kind,
            file,
            line: source.line_of(token),
            lines: members
                .iter()
                .filter(|&&m| m != first)
                .map(|&m| sources[calls[m].file].line_of(calls[m].token))
                .collect(),
            what,
            edits: members.iter().flat_map(|&m| calls[m].edits.iter().cloned()).collect(),
            token,
            body: None,
            calls: members
                .iter()
                .filter(|&&m| calls[m].file == file)
                .map(|&m| (calls[m].token, calls[m].does != Does::Unlock))
                .collect(),
            name: calls[first].object.clone(),
            reached: members.iter().any(|&m| reached[m]),
            unable: members.iter().find_map(|&m| calls[m].unable.clone()),
        });
    }
    found
}

fn bare(object: &str) -> &str {
    object.trim_start_matches('&').trim()
}
