//! What synchronises but is not judged, and why: nothing is passed over in silence.

use std::collections::{BTreeMap, BTreeSet};

use base::Place;
use ir::Directive;
use serde::Serialize;
use text::TokenKind;

use super::Source;
use super::constructs::{Construct, Told, synchronises};

/// Synchronisation of one kind that is not judged.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct NotJudged {
    /// What it is.
    pub what: String,
    /// Why it is not judged.
    pub why: &'static str,
    /// Where it is.
    pub places: Vec<Place>,
}

const TYPE: &str = "the type makes every access atomic, so that no single access can be taken out";
const WAITS: &str = "waiting for an event is how the program goes on, not protection that could be left out";
const UNWRITTEN: &str =
    "it is written as `_Pragma`, as an attribute or in a macro, and is not taken out of the text";
const MEMORY_ORDER: &str =
    "it is about the order in which memory is seen, and the check is sequentially consistent";

/// Calls and names, with what they are and why they are not judged.
const NAMES: [(&str, &str, &str); 30] = [
    ("pthread_cond_wait", "condition variable", WAITS),
    ("pthread_cond_timedwait", "condition variable", WAITS),
    ("pthread_cond_signal", "condition variable", WAITS),
    ("pthread_cond_broadcast", "condition variable", WAITS),
    ("cnd_wait", "condition variable", WAITS),
    ("cnd_signal", "condition variable", WAITS),
    ("condition_variable", "condition variable", WAITS),
    ("condition_variable_any", "condition variable", WAITS),
    ("sem_wait", "semaphore", WAITS),
    ("sem_post", "semaphore", WAITS),
    ("sem_trywait", "semaphore", WAITS),
    ("counting_semaphore", "semaphore", WAITS),
    ("binary_semaphore", "semaphore", WAITS),
    ("latch", "latch", WAITS),
    ("pthread_once", "one-time initialisation", WAITS),
    ("call_once", "one-time initialisation", WAITS),
    ("pthread_mutex_trylock", "attempt to take a lock", TRY),
    ("pthread_rwlock_tryrdlock", "attempt to take a lock", TRY),
    ("pthread_rwlock_trywrlock", "attempt to take a lock", TRY),
    ("pthread_spin_trylock", "attempt to take a lock", TRY),
    ("pthread_mutex_timedlock", "attempt to take a lock", TRY),
    ("omp_test_lock", "attempt to take a lock", TRY),
    ("omp_test_nest_lock", "attempt to take a lock", TRY),
    ("mtx_trylock", "attempt to take a lock", TRY),
    ("atomic_thread_fence", "fence", MEMORY_ORDER),
    ("__atomic_thread_fence", "fence", MEMORY_ORDER),
    ("__sync_synchronize", "fence", MEMORY_ORDER),
    ("__VERIFIER_atomic_begin", "atomic section", TRY),
    ("atomic_flag", "atomic object", TYPE),
    ("barrier", "std::barrier", "the arrival and the wait of one barrier cannot be told apart from the text"),
];
const TRY: &str = "what follows depends on whether it succeeds";

/// Types whose objects are atomic.
fn atomic_type(word: &str) -> bool {
    word == "_Atomic"
        || word == "atomic"
        || word.strip_prefix("atomic_").is_some_and(|t| {
            let plain = ["bool", "char", "schar", "uchar", "short", "ushort", "int", "uint", "long", "ulong"];
            let more = ["llong", "ullong", "size_t", "intptr_t", "uintptr_t", "ptrdiff_t", "intmax_t"];
            plain.contains(&t) || more.contains(&t) || (t.ends_with("_t") && t.contains("int"))
        })
}

/// Built-in atomic operations on ordinary objects.
fn atomic_builtin(word: &str) -> bool {
    (word.starts_with("__atomic_") || word.starts_with("__sync_"))
        && !word.ends_with("fence")
        && word != "__sync_synchronize"
}

/// Everything that is not judged, by kind.
pub fn find(sources: &[Source], constructs: &[Construct], told: &Told) -> Vec<NotJudged> {
    let mut found: BTreeMap<(String, &'static str), BTreeSet<Place>> = BTreeMap::new();
    for source in sources {
        for token in 0..source.tokens.len() {
            if let Some((what, why)) = one(source, token) {
                found.entry((what, why)).or_default().insert(place(source, token));
            }
        }
        for directive in &source.unwritten {
            let sync = synchronises(directive).map(|(_, what)| (what, UNWRITTEN));
            if let Some((what, why)) = sync.or_else(|| ordering(directive)) {
                let file = directive.file.clone();
                found.entry((what, why)).or_default().insert(Place { file, line: directive.line, column: 0 });
            }
        }
    }
    // Locks that the run took where the text has no call that was understood.
    for (from, _) in told.sections {
        let known = sources.iter().enumerate().find(|(_, s)| s.path.to_string_lossy() == from.file);
        let Some((file, source)) = known else { continue };
        let covered = |c: &&Construct| {
            let last = c.body.map_or(c.line, |b| source.line_of(b.to.saturating_sub(1)));
            c.file == file && ((c.line..=last).contains(&from.line) || c.lines.contains(&from.line))
        };
        let directive = (0..source.tokens.len()).any(|t| {
            // The runtime's locks of reductions and of worksharing are not in the text at all.
            source.is_pragma(t) && {
                let end = source.line(source.tokens[t].to);
                (source.line_of(t)..=end + 1).contains(&from.line)
            }
        });
        let tries = (0..source.tokens.len())
            .any(|t| source.line_of(t) == from.line && NAMES.iter().any(|n| n.0 == source.word(t)));
        if constructs.iter().any(|c| covered(&c)) || directive || tries {
            continue;
        }
        let why = "the lock is taken inside a macro, a library function or an expression, and cannot be taken out of the text alone";
        found.entry(("lock".into(), why)).or_default().insert(from.clone());
    }
    found
        .into_iter()
        .map(|((what, why), places)| NotJudged { what, why, places: places.into_iter().collect() })
        .collect()
}

fn place(source: &Source, token: usize) -> Place {
    let file = source.path.to_string_lossy().into_owned();
    Place { file, line: source.line_of(token), column: source.column(token) }
}

/// Directives that order and are never judged.
fn ordering(directive: &Directive) -> Option<(String, &'static str)> {
    let has = |name: &str| directive.clause(name).is_some();
    match directive.first() {
        "flush" => Some(("flush".into(), MEMORY_ORDER)),
        "ordered" if has("depend") || has("doacross") => Some((
            "`ordered` with dependences".into(),
            "the iterations wait for each other one by one: that is the order of the loop",
        )),
        "task" | "target" | "taskwait" if has("depend") => {
            Some(("`depend` clause".into(), "dependences are the order of the tasks"))
        }
        "cancel" | "cancellation" => {
            Some(("cancellation".into(), "what follows depends on whether it succeeds"))
        }
        _ => None,
    }
}

fn one(source: &Source, token: usize) -> Option<(String, &'static str)> {
    match source.tokens[token].kind {
        TokenKind::Pragma => ordering(source.directive(token)?),
        TokenKind::Word => {
            let word = source.word(token);
            if atomic_type(word) {
                // A use of the name of the type's library, not the type: `<atomic>` is no token.
                return declared(source, token).map(|name| (format!("atomic object `{name}`"), TYPE));
            }
            if atomic_builtin(word) && source.word(token + 1) == "(" {
                return Some((
                    "built-in atomic operation".into(),
                    "an expression, which cannot be made an ordinary one without knowing what its value is used for",
                ));
            }
            let &(_, what, why) = NAMES.iter().find(|n| n.0 == word)?;
            let type_name = matches!(
                word,
                "condition_variable"
                    | "condition_variable_any"
                    | "counting_semaphore"
                    | "binary_semaphore"
                    | "latch"
                    | "barrier"
            );
            // Of types, those of the standard library; of functions, calls.
            let fits = if type_name {
                token >= 2 && source.word(token - 1) == "::" && source.word(token - 2) == "std"
            } else {
                source.word(token + 1) == "("
            };
            fits.then(|| (what.to_owned(), why))
        }
        _ => None,
    }
}

/// The name that is declared with the type at a token.
fn declared(source: &Source, token: usize) -> Option<String> {
    let mut at = token + 1;
    while matches!(source.word(at), "(" | "<") {
        // `_Atomic(int)`, `std::atomic<int>`.
        let open = source.word(at);
        let close = if open == "(" { ")" } else { ">" };
        let mut depth = 0;
        while at < source.tokens.len() {
            if source.word(at) == open {
                depth += 1;
            } else if source.word(at) == close {
                depth -= 1;
            } else if source.word(at) == ">>" && close == ">" {
                depth -= 2;
            }
            at += 1;
            if depth <= 0 {
                break;
            }
        }
    }
    let types = [
        "int", "long", "short", "char", "unsigned", "signed", "bool", "_Bool", "const", "static", "*", "&",
        "struct", "volatile",
    ];
    while types.contains(&source.word(at)) || source.word(at).ends_with("_t") {
        at += 1;
    }
    let name = source.word(at);
    let plain = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    // A parameter or a cast declares nothing that is new.
    let ends = matches!(source.word(at + 1), ";" | "=" | "," | "[" | "{" | "(");
    (plain && ends).then(|| name.to_owned())
}
