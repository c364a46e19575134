//! Hints for races between the threads of an OpenMP team, in the words of OpenMP.
//!
//! What a race shows decides which clause or construct is missing, together with the text of the two lines and the constructs
//! that the accesses are made in. The rules are tried in order, the most specific first; where the source does not
//! say what was meant, a hint names the possibilities.

use base::{Access, AccessKind, Construct, Race, Strand, StrandKind};

use crate::hint::{at, sides};
use crate::source::{SourceProvider, line};
use crate::terminal::whole;

/// How reports call the locks of critical sections.
const CRITICAL: &str = "critical section";

/// The hint for a race in an OpenMP program, if it is one.
pub fn derive(race: &Race, sources: &dyn SourceProvider) -> Option<String> {
    if !in_region(&race.first) || !in_region(&race.second) {
        return None;
    }
    atomic(race)
        .or_else(|| criticals(race))
        .or_else(|| nowait(race))
        .or_else(|| tasks(race))
        .or_else(|| master(race))
        .or_else(|| reduction(race, sources))
        .or_else(|| private(race, sources))
        .or_else(|| elements(race, sources))
        .or_else(|| iterations(race))
        .or_else(|| sections(race))
        .or_else(|| barrier(race))
}

/// A variable without its subscripts: a hint is about all elements.
fn base_name(race: &Race) -> String {
    whole(&race.variable).replace("[]", "")
}

/// What is shared, for a sentence about where two pieces of work meet: `x`, or `the same element of a`.
fn common(race: &Race) -> String {
    match race.variable.contains('[') {
        true => format!("the same element of `{}`", base_name(race)),
        false => format!("`{}`", race.variable),
    }
}

/// The parallel region that an access is made in, by its line.
fn region_line(access: &Access) -> Option<u32> {
    let name = access.stack.iter().find_map(|f| f.function.strip_prefix("parallel region at line "))?;
    name.split(' ').next()?.parse().ok()
}

/// The block of a `master` or `masked` races with what comes behind it: it has no barrier.
fn master(race: &Race) -> Option<String> {
    let (writer, other) = sides(race).into_iter().find(|(a, _)| a.access == AccessKind::Write)?;
    let word = |c: &Construct| ["master", "masked"].into_iter().find(|w| has_word(&c.name, w));
    // That both are in one is a race for another reason.
    let apart = |c: &&Construct| !other.constructs.contains(c);
    let (construct, word) =
        writer.constructs.iter().filter(apart).find_map(|c| word(c).map(|word| (c, word)))?;
    if race.first.strand.is_some() || race.second.strand.is_some() || !writer.locks.is_empty() {
        return None;
    }
    Some(format!(
        "`{word}` at line {} has no barrier at its end: put `#pragma omp barrier` behind it, or use `single`, which has one",
        construct.line
    ))
}

/// Elements of an array that several iterations update.
fn elements(race: &Race, sources: &dyn SourceProvider) -> Option<String> {
    let (found, name) = (same_loop(race)?, base_name(race));
    let bare = race.first.locks.is_empty() && race.second.locks.is_empty();
    if found.kind == StrandKind::Lane || !race.variable.contains('[') || !bare {
        return None;
    }
    if race.first.place.line != race.second.place.line {
        return None;
    }
    let text = line(sources, &race.first.place.file, race.first.place.line)?;
    let compact: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let after = compact.strip_prefix("++").or(compact.strip_prefix("--")).unwrap_or(&compact);
    let rest = after.strip_prefix(&name)?;
    let updates = after.len() < compact.len()
        || ["]++", "]--", "]+=", "]-=", "]*=", "]|=", "]&=", "]^="].iter().any(|o| rest.contains(o));
    let first = rest.split(['=', '+', '-', '*', '|', '&', '^']).next().unwrap_or_default();
    // `a[i] += a[i - 1]`: the element is one of its own, the other is read.
    let others = compact.matches(&format!("{name}[")).count() > 1;
    (updates && rest.starts_with('[') && !others && !first.is_empty()).then(|| {
        format!(
            "iterations of the loop at line {} update the same element of `{name}`: put `#pragma omp atomic` before it, or \
             give each thread an array of its own with `reduction(+:{name}[:n])`",
            found.place.line
        )
    })
}

/// Two sections of one construct.
fn sections(race: &Race) -> Option<String> {
    let (first, second) = (race.first.strand.as_ref()?, race.second.strand.as_ref()?);
    let bare = race.first.locks.is_empty() && race.second.locks.is_empty();
    (first.kind == StrandKind::Section && same_construct(first, second) && bare).then(|| {
        format!(
            "sections run at the same time: put both parts into one section if one is meant to come first, or guard `{}` by \
             `critical` or `atomic`",
            base_name(race)
        )
    })
}

/// Whether an access is made inside a parallel region, a task or the like.
fn in_region(access: &Access) -> bool {
    let construct = |name: &str| {
        ["parallel region at ", "task at ", "teams region at ", "target region at "]
            .iter()
            .any(|p| name.starts_with(p))
    };
    access.strand.is_some() || access.stack.iter().any(|f| construct(&f.function))
}

fn is_loop(strand: &Strand) -> bool {
    matches!(strand.kind, StrandKind::Iteration | StrandKind::Lane | StrandKind::Distribute)
}

/// The loop that both accesses belong to.
fn same_loop(race: &Race) -> Option<&Strand> {
    let (first, second) = (race.first.strand.as_ref()?, race.second.strand.as_ref()?);
    (is_loop(first) && is_loop(second) && same_construct(first, second)).then_some(first)
}

/// Whether two strands are pieces of one construct. (Columns are those of its beginning or its end.)
fn same_construct(one: &Strand, two: &Strand) -> bool {
    one.kind == two.kind && one.place.file == two.place.file && one.place.line == two.place.line
}

/// A variable as a whole, not an element, a member or what a pointer points to.
fn is_plain(variable: &str) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    !variable.is_empty() && variable.chars().all(is_name)
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|w| w == word)
}

fn atomic(race: &Race) -> Option<String> {
    let (atomic, plain) = sides(race).into_iter().find(|(side, other)| side.atomic && !other.atomic)?;
    let clause = match plain.access {
        AccessKind::Read => "atomic read",
        AccessKind::Write => "atomic",
    };
    Some(format!(
        "`{}` is atomic at {} but not at {}: use `#pragma omp {clause}` there as well",
        race.variable,
        at(race, atomic),
        at(race, plain),
    ))
}

fn criticals(race: &Race) -> Option<String> {
    let critical = |a: &Access| a.locks.iter().find(|l| l.starts_with(CRITICAL)).cloned();
    let quoted = |lock: &str| match lock.strip_prefix(CRITICAL).map(str::trim) {
        Some("without a name") | None => "`critical` without a name".to_string(),
        Some(name) => format!("`critical` named `{name}`"),
    };
    match (critical(&race.first), critical(&race.second)) {
        (Some(one), Some(two)) if one != two => Some(format!(
            "the two sides are in critical sections of different names ({} and {}), which do not exclude each other: \
             give both the same name",
            quoted(&one),
            quoted(&two),
        )),
        (Some(name), None) | (None, Some(name)) => {
            let (bare, _) = sides(race).into_iter().find(|(a, _)| critical(a).is_none())?;
            if !bare.locks.is_empty() {
                return None;
            }
            Some(format!(
                "the other side is in a {}, {} is not: put it into one of the same name",
                quoted(&name),
                at(race, bare)
            ))
        }
        _ => None,
    }
}

/// Work of one construct races with what follows it: is it that nobody waits?
fn nowait(race: &Race) -> Option<String> {
    let same = match (&race.first.strand, &race.second.strand) {
        (Some(one), Some(two)) => same_construct(one, two),
        _ => false,
    };
    if same {
        return None;
    }
    let sides = [&race.first, &race.second];
    let found = sides.into_iter().filter_map(goes_on).min_by_key(|s| s.place.line)?;
    Some(format!(
        "`nowait` at line {} lets threads go on while others still work there: drop it, or put a barrier before `{}` \
         is used again",
        found.place.line,
        base_name(race),
    ))
}

/// The strand of an access, if the construct that it is a piece of has `nowait`.
fn goes_on(access: &Access) -> Option<&Strand> {
    let strand = access.strand.as_ref().filter(|s| s.kind != StrandKind::Task)?;
    let of = |c: &&Construct| (&c.file, c.line) == (&strand.place.file, strand.place.line);
    let has = |c: &Construct| c.clauses.iter().any(|clause| clause == "nowait");
    access.constructs.iter().filter(of).any(has).then_some(strand)
}

fn tasks(race: &Race) -> Option<String> {
    let task = |a: &Access| a.strand.as_ref().filter(|s| s.kind == StrandKind::Task).map(|s| s.place.line);
    match (task(&race.first), task(&race.second)) {
        (Some(one), Some(two)) => Some(format!(
            "nothing orders the tasks created at {}: give both a `depend` clause on {}, put a `taskwait` between \
             them, or guard it by `critical` or `atomic`",
            if one == two { format!("line {one}") } else { format!("lines {one} and {two}") },
            common(race),
        )),
        (Some(line), None) | (None, Some(line)) => {
            let (other, _) = sides(race).into_iter().find(|(a, _)| task(a).is_none())?;
            Some(format!(
                "the task created at line {line} may still be running: put a `taskwait` (or a `depend` clause and a task) \
                 before {}",
                at(race, other),
            ))
        }
        (None, None) => None,
    }
}

/// The operator of an update in a line: `s += x`, `s++`, `s = s * x`, `s = fmax(s, x)`.
fn update(text: &str, variable: &str) -> Option<&'static str> {
    const OPERATORS: [(&str, &str); 6] =
        [("+", "+"), ("-", "+"), ("*", "*"), ("&", "&"), ("|", "|"), ("^", "^")];
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let compact: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let begins = |at: usize| !compact[..at].ends_with(|c: char| is_name(c) || c == '.' || c == '>');
    for (at, _) in compact.match_indices(variable).filter(|(at, _)| begins(*at)) {
        let rest = &compact[at + variable.len()..];
        if rest.starts_with("++") || rest.starts_with("--") || compact[..at].ends_with("++") {
            return Some("+");
        }
        for (symbol, clause) in OPERATORS {
            if rest.starts_with(&format!("{symbol}=")) || rest.starts_with(&format!("={variable}{symbol}")) {
                return Some(clause);
            }
        }
        let call = |name: &str| rest.starts_with(&format!("={name}({variable},"));
        if ["fmax", "fmaxf", "std::max", "max"].iter().any(|n| call(n)) {
            return Some("max");
        }
        if ["fmin", "fminf", "std::min", "min"].iter().any(|n| call(n)) {
            return Some("min");
        }
    }
    None
}

fn reduction(race: &Race, sources: &dyn SourceProvider) -> Option<String> {
    if !is_plain(&race.variable) || !race.first.locks.is_empty() || !race.second.locks.is_empty() {
        return None;
    }
    let of = |a: &Access| update(&line(sources, &a.place.file, a.place.line)?, &race.variable);
    let (one, two) = (of(&race.first)?, of(&race.second)?);
    if one != two {
        return None;
    }
    let place = match same_loop(race) {
        Some(found) => format!("the loop at line {}", found.place.line),
        None => region_line(&race.first)
            .map_or("the construct".to_string(), |line| format!("the parallel region at line {line}")),
    };
    Some(format!(
        "every thread adds to `{0}`: put `reduction({one}:{0})` on {place}, or update it under `atomic` or `critical`",
        race.variable
    ))
}

/// A scratch variable that each iteration first writes and then reads.
fn private(race: &Race, sources: &dyn SourceProvider) -> Option<String> {
    if !is_plain(&race.variable) {
        return None;
    }
    let assigns = |a: &Access| {
        let text = line(sources, &a.place.file, a.place.line)?;
        let compact: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        let assignment = format!("{}=", race.variable);
        let (before, rest) = compact.split_once(&assignment)?;
        let own = !before.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '.' || c == '>');
        let value = rest.split(';').next().unwrap_or(rest);
        Some(own && !rest.starts_with('=') && !has_word(value, &race.variable))
    };
    let writes = [&race.first, &race.second]
        .into_iter()
        .any(|a| a.access == AccessKind::Write && assigns(a).unwrap_or(false));
    if !writes {
        return None;
    }
    let (what, place) = match same_loop(race) {
        Some(found) => ("iteration", format!("the loop at line {}", found.place.line)),
        None if race.first.strand.is_none() && race.second.strand.is_none() => {
            ("thread", "the parallel region".to_string())
        }
        None => return None,
    };
    Some(format!(
        "all threads share `{0}`: if each {what} is meant to have its own, put `private({0})` on {place} or declare it \
         inside; otherwise guard it by `critical`",
        race.variable
    ))
}

/// Iterations of one loop that are not independent.
fn iterations(race: &Race) -> Option<String> {
    let found = same_loop(race)?;
    if !race.first.locks.is_empty() || !race.second.locks.is_empty() {
        return None;
    }
    let lanes = found.kind == StrandKind::Lane;
    let remedy = if lanes {
        "limit how many run at the same time with `safelen`, or leave `simd` out"
    } else {
        "let it read from a copy, order the blocks with `ordered`, or guard it by `critical` or `atomic`"
    };
    Some(format!(
        "iterations of the loop at line {} use {}, so they may not run at the same time: {remedy}",
        found.place.line,
        common(race)
    ))
}

fn barrier(race: &Race) -> Option<String> {
    if !race.first.locks.is_empty() || !race.second.locks.is_empty() {
        return None;
    }
    let single = |a: &Access| a.strand.as_ref().is_some_and(|s| s.kind == StrandKind::Single);
    let what = if single(&race.first) || single(&race.second) {
        "put a barrier between them if one is meant to come first"
    } else {
        "put `#pragma omp barrier` between them if one is meant to come first"
    };
    Some(format!(
        "nothing orders the two sides: {what}; otherwise guard `{}` by `critical` or `atomic`",
        base_name(race)
    ))
}

#[cfg(test)]
mod tests {
    use base::{Frame, Place, ThreadLabel, Witness};

    use super::*;
    use crate::MemorySources;

    fn place(line: u32) -> Place {
        Place { file: "a.c".into(), line, column: 5 }
    }

    fn access(thread: u32, line: u32, access: AccessKind, strand: Option<(StrandKind, u32)>) -> Access {
        let strand = strand.map(|(kind, line)| Strand {
            kind,
            place: place(line),
            number: Some(u64::from(thread)),
            count: Some(1),
            every: None,
            variable: Some("i".into()),
            value: Some(i64::from(thread)),
        });
        let region = Frame { function: "parallel region at line 1 in main".into(), place: place(line) };
        Access {
            place: place(line),
            access,
            atomic: false,
            thread: ThreadLabel {
                id: thread,
                name: format!("thread {thread} of the team").into(),
                created: None,
            },
            locks: Vec::new(),
            stack: vec![region],
            strand,
            constructs: Vec::new(),
        }
    }

    fn construct(name: &str, clauses: &[&str], line: u32) -> Construct {
        let clauses = clauses.iter().map(|c| c.to_string()).collect();
        Construct { name: name.into(), clauses, file: "a.c".into(), line }
    }

    fn hint(variable: &str, source: &str, first: Access, second: Access) -> String {
        let race = Race { variable: variable.into(), first, second, hint: None, witness: Witness::default() };
        derive(&race, &MemorySources::default().with("a.c", source)).expect("a hint")
    }

    use AccessKind::{Read, Write};
    use StrandKind::{Iteration, Lane, Task};

    #[test]
    fn reductions_are_recognised() {
        for (text, clause) in [
            ("s += x;", "+"),
            ("  s++;", "+"),
            ("s = s * 2;", "*"),
            ("s -= 1;", "+"),
            ("s = fmax(s, x);", "max"),
        ] {
            let side = |t| access(t, 1, Write, Some((Iteration, 1)));
            let found = hint("s", text, side(0), side(1));
            assert!(found.contains(&format!("reduction({clause}:s)")), "{text}: {found}");
        }
        assert_eq!(update("ss += x", "s"), None);
        assert_eq!(update("a->s = 3", "s"), None);
    }

    #[test]
    fn scratch_variables_are_private() {
        let source = "t = a[i];\nb[i] = t;";
        let loop_at = Some((Iteration, 1));
        let found = hint("t", source, access(0, 1, Write, loop_at), access(1, 2, Read, loop_at));
        assert!(found.contains("private(t)"), "{found}");
    }

    #[test]
    fn different_critical_names() {
        let (mut one, mut two) = (access(0, 1, Write, None), access(1, 1, Write, None));
        one.locks = vec!["critical section a".into()];
        two.locks = vec!["critical section without a name".into()];
        let found = hint("x", "x++;", one.clone(), two.clone());
        assert!(found.contains("different names") && found.contains("`a`"), "{found}");
        two.locks.clear();
        let found = hint("x", "x++;", one, two);
        assert!(found.contains("same name"), "{found}");
    }

    #[test]
    fn nowait_is_named() {
        let mut write = access(0, 3, Write, Some((Iteration, 1)));
        write.constructs = vec![construct("for", &["schedule", "nowait"], 1)];
        let mut read = access(1, 5, Read, Some((Iteration, 4)));
        read.constructs = vec![construct("for", &[], 4)];
        let found = hint("a[1]", "", write, read);
        assert!(found.contains("`nowait` at line 1"), "{found}");
    }

    #[test]
    fn tasks_want_depend_or_taskwait() {
        let found = hint("x", "", access(0, 3, Write, Some((Task, 2))), access(1, 5, Read, Some((Task, 4))));
        assert!(found.contains("depend") && found.contains("lines 2 and 4"), "{found}");
        let found = hint("x", "", access(0, 3, Write, Some((Task, 2))), access(1, 5, Read, None));
        assert!(found.contains("taskwait") && found.contains("line 5"), "{found}");
    }

    #[test]
    fn dependent_iterations_and_barriers() {
        let source = "a[i] = a[i - 1];";
        let side = |t, kind| access(t, 1, Write, Some((kind, 1)));
        assert!(hint("a[3]", source, side(0, Iteration), side(1, Iteration)).contains("loop at line 1"));
        assert!(hint("a[3]", source, side(0, Lane), side(1, Lane)).contains("safelen"));
        let found = hint("x", "", access(0, 1, Write, None), access(1, 2, Read, None));
        assert!(found.contains("barrier"), "{found}");
    }

    #[test]
    fn what_master_sections_and_histograms_need() {
        let mut write = access(0, 2, Write, None);
        write.constructs = vec![construct("parallel master", &[], 1)];
        let found = hint("x", "", write, access(1, 3, Read, None));
        assert!(found.contains("`master` at line 1 has no barrier"), "{found}");
        let side = |t| access(t, 1, Write, Some((StrandKind::Section, 1)));
        assert!(hint("x", "x = 1;", side(0), side(1)).contains("one section"));
        let side = |t| access(t, 1, Write, Some((Iteration, 1)));
        let found = hint("bin[3]", "bin[pixel[i] / 16]++;", side(0), side(1));
        assert!(found.contains("reduction(+:bin[:n])"), "{found}");
        let found = hint("a[3]", "a[i] += a[i - 1];", side(0), side(1));
        assert!(found.contains("the same element of `a`") && !found.contains("reduction"), "{found}");
    }
}
