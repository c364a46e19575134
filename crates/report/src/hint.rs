//! What a person could do about a race, from what the report knows.
//!
//! A hint never says more than the report supports: which locks were held, which side was atomic, who created whom,
//! and what the source says at the places in question. Where it cannot know what was meant (should the reader wait
//! for the writer, or should both be guarded?) it names the possibilities.

use base::{Access, AccessKind, Race};

use crate::hint_openmp;
use crate::layout::and;
use crate::objects;
use crate::said;
use crate::source::{SourceProvider, line};
use crate::span::underline;

/// The hint for a race, if something useful can be said.
pub fn derive(race: &Race, sources: &dyn SourceProvider) -> Option<String> {
    freed(race, sources)
        .or_else(|| hint_openmp::derive(race, sources))
        .or_else(|| atomic_and_plain(race))
        .or_else(|| passed_by_address(race, sources))
        .or_else(|| locks(race))
        .or_else(|| no_locks(race))
        .map(|hint| objects::brief(&hint))
}

/// Where an access is, within the sentence of a hint: the file only if the sides lie in different files.
pub(crate) fn at(race: &Race, access: &Access) -> String {
    let place = &access.place;
    match place.line {
        0 => place.file.clone(),
        line if race.first.place.file == race.second.place.file => format!("line {line}"),
        line => format!("{}:{line}", place.file),
    }
}

fn same_place(race: &Race) -> bool {
    race.first.place == race.second.place
}

pub(crate) fn sides(race: &Race) -> [(&Access, &Access); 2] {
    [(&race.first, &race.second), (&race.second, &race.first)]
}

/// One side gives the object back while the other still uses it.
fn freed(race: &Race, sources: &dyn SourceProvider) -> Option<String> {
    let (free, other) = sides(race).into_iter().find(|(side, _)| frees(side, sources))?;
    if frees(other, sources) {
        return None;
    }
    Some(format!(
        "the memory is freed at {} while {} may still use it: free it only after every user is done \
         (join the thread first, or count the references)",
        at(race, free),
        said::who(&other.thread.name),
    ))
}

fn frees(access: &Access, sources: &dyn SourceProvider) -> bool {
    const FREEING: [&str; 4] = ["free", "delete", "operator delete", "realloc"];
    let by_stack = access.stack.first().is_some_and(|frame| FREEING.contains(&frame.function.as_str()));
    let by_text = || {
        let text = sources.text(&access.place.file)?;
        let range = underline(&text, &access.place)?;
        Some(["free", "delete", "realloc"].contains(&&text[range]))
    };
    access.access == AccessKind::Write && (by_stack || by_text().unwrap_or(false))
}

fn atomic_and_plain(race: &Race) -> Option<String> {
    let (atomic, plain) = sides(race).into_iter().find(|(side, other)| side.atomic && !other.atomic)?;
    let verb = match plain.access {
        AccessKind::Read => "read",
        AccessKind::Write => "write",
    };
    Some(format!(
        "`{}` is atomic at {} but not at {}: make that {verb} atomic as well",
        race.variable,
        at(race, atomic),
        at(race, plain),
    ))
}

/// `pthread_create(..., &i)` with `i` still changing: the thread that runs reads what its creator has moved on from.
fn passed_by_address(race: &Race, sources: &dyn SourceProvider) -> Option<String> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let plain_variable = !race.variable.is_empty() && race.variable.chars().all(is_name);
    let (_, user) = sides(race).into_iter().find(|(creator, user)| {
        creator.access == AccessKind::Write
            && creator.thread.id < user.thread.id
            && user.thread.created.is_some()
    })?;
    let created = user.thread.created.as_ref().filter(|_| plain_variable)?;
    let text = line(sources, &created.file, created.line)?;
    let address = format!("&{}", race.variable);
    let passes = text.match_indices(&address).any(|(start, found)| {
        !text[start + found.len()..].starts_with(is_name) && !text[..start].ends_with('&')
    });
    passes.then(|| {
        format!(
            "the address of `{}` is given to {} where it is created (line {}), and `{0}` changes afterwards: \
             give each thread its own copy",
            race.variable,
            said::who(&user.thread.name),
            created.line,
        )
    })
}

fn locks(race: &Race) -> Option<String> {
    let (first, second) = (&race.first, &race.second);
    let quoted = |locks: &[String]| and(&locks.iter().map(|lock| format!("`{lock}`")).collect::<Vec<_>>());
    match (first.locks.is_empty(), second.locks.is_empty()) {
        (true, true) => None,
        (false, false) => {
            let common: Vec<String> =
                first.locks.iter().filter(|lock| second.locks.contains(lock)).cloned().collect();
            if common.is_empty() {
                return Some(format!(
                    "the two sides hold different locks ({} and {}): guard `{}` by one lock on both sides",
                    quoted(&first.locks),
                    quoted(&second.locks),
                    race.variable,
                ));
            }
            Some(format!(
                "both sides hold {}, which does not keep them apart: either it is held for reading only, or these \
                 are different locks under one name",
                quoted(&common),
            ))
        }
        (first_bare, _) => {
            let (locked, bare) = if first_bare { (second, first) } else { (first, second) };
            let what = if locked.locks.len() == 1 { "that lock" } else { "one of these locks" };
            if same_place(race) {
                return Some(format!(
                    "{} comes here without the lock that {} holds ({}): take {what} on every way here",
                    said::who(&bare.thread.name),
                    said::who(&locked.thread.name),
                    quoted(&locked.locks),
                ));
            }
            Some(format!(
                "{} holds {}, {} holds nothing: take {what} there too",
                at(race, locked),
                quoted(&locked.locks),
                at(race, bare),
            ))
        }
    }
}

fn no_locks(race: &Race) -> Option<String> {
    if race.first.atomic && race.second.atomic {
        return None;
    }
    let guard = format!("guard `{}` by one mutex on both sides, or make it atomic", race.variable);
    let creator = sides(race).into_iter().find(|(creator, created)| {
        creator.thread.id == 0 && created.thread.id != 0 && created.thread.created.is_some()
    });
    match creator {
        Some((main, created)) => Some(format!(
            "no lock is held on either side, and {} may still be running when {} comes to {}: join it before, if \
             it is meant to have ended; otherwise {guard}",
            said::who(&created.thread.name),
            said::who(&main.thread.name),
            at(race, main),
        )),
        None => Some(format!("no lock is held on either side: {guard}")),
    }
}

#[cfg(test)]
mod tests {
    use base::{Frame, Place, ThreadLabel, Witness};

    use super::*;
    use crate::MemorySources;

    fn place(line: u32, column: u32) -> Place {
        Place { file: "a.c".into(), line, column }
    }

    fn access(thread: u32, line: u32, access: AccessKind, locks: &[&str]) -> Access {
        let name = if thread == 0 { "main".to_owned() } else { format!("thread {thread}") };
        let created = (thread > 0).then(|| place(20, 5));
        Access {
            place: place(line, 5),
            access,
            atomic: false,
            thread: ThreadLabel { id: thread, name: name.into(), created },
            locks: locks.iter().map(|lock| lock.to_string()).collect(),
            stack: vec![Frame { function: "f".into(), place: place(line, 5) }],
            strand: None,
            constructs: Vec::new(),
        }
    }

    fn race(first: Access, second: Access) -> Race {
        Race { variable: "x".into(), first, second, hint: None, witness: Witness::default() }
    }

    fn hint(race: &Race) -> String {
        derive(race, &MemorySources::default()).expect("a hint")
    }

    use AccessKind::{Read, Write};

    #[test]
    fn locks_are_compared() {
        let one = race(access(1, 3, Write, &["m"]), access(2, 9, Read, &[]));
        assert_eq!(hint(&one), "line 3 holds `m`, line 9 holds nothing: take that lock there too");
        let different = race(access(1, 3, Write, &["m"]), access(2, 9, Read, &["n"]));
        assert!(hint(&different).starts_with("the two sides hold different locks (`m` and `n`)"));
        let same = race(access(1, 3, Write, &["rw"]), access(2, 9, Read, &["rw"]));
        assert!(hint(&same).contains("held for reading only"));
        let none = race(access(1, 3, Write, &[]), access(2, 9, Read, &[]));
        assert!(hint(&none).starts_with("no lock is held on either side: guard `x`"));
    }

    #[test]
    fn the_main_thread_may_have_to_join() {
        let early = race(access(1, 3, Write, &[]), access(0, 22, Read, &[]));
        assert!(hint(&early).contains("thread 1 may still be running when main comes to line 22: join it"));
    }

    #[test]
    fn atomic_against_plain() {
        let mut mixed = race(access(1, 3, Write, &[]), access(2, 9, Read, &[]));
        mixed.first.atomic = true;
        assert_eq!(hint(&mixed), "`x` is atomic at line 3 but not at line 9: make that read atomic as well");
    }

    #[test]
    fn a_loop_counter_passed_by_address() {
        let text = format!("{}    pthread_create(&t[x], 0, f, &x);\n", "\n".repeat(19));
        let sources = MemorySources::default().with("a.c", &text);
        let counter = race(access(0, 19, Write, &[]), access(1, 3, Read, &[]));
        let hint = derive(&counter, &sources).unwrap();
        assert!(
            hint.starts_with("the address of `x` is given to thread 1 where it is created (line 20)"),
            "{hint}"
        );
        let other = MemorySources::default().with("a.c", &text.replace("&x)", "&xs)"));
        assert!(!derive(&counter, &other).unwrap().contains("address"));
    }

    #[test]
    fn freed_while_in_use() {
        let mut use_and_free = race(access(1, 3, Read, &[]), access(0, 9, Write, &[]));
        use_and_free.second.stack[0].function = "free".into();
        assert!(
            hint(&use_and_free).starts_with("the memory is freed at line 9 while thread 1 may still use it")
        );
        let sources = MemorySources::default().with("a.c", "\n\n\n\n\n\n\n\n    free(x);\n");
        use_and_free.second.stack[0].function = "f".into();
        assert!(derive(&use_and_free, &sources).unwrap().starts_with("the memory is freed at line 9"));
    }

    #[test]
    fn two_atomic_sides_say_nothing() {
        let mut atomics = race(access(1, 3, Write, &[]), access(2, 9, Read, &[]));
        atomics.first.atomic = true;
        atomics.second.atomic = true;
        assert_eq!(derive(&atomics, &MemorySources::default()), None);
    }
}
