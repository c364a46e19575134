//! Less than a lock would do: sections that can shrink, and atomics in place of sections.
//!
//! *Shrink.* Statements at the beginning or the end of a section that touch nothing that others could touch at the same time are moved out, as many as
//! the check allows. *Atomic.* A section that holds a single update `x op= e` becomes an atomic update; where sections of the same lock touch the
//! same variable they are changed together. Every suggestion is checked.

use std::collections::BTreeSet;

use serde::Serialize;
use text::TokenKind;

use crate::hunt::Judgement;
use crate::judge::{Court, Verdict};
use crate::source::Source;
use crate::source::constructs::{Construct, ConstructKind};
use crate::source::edit::Edit;
use crate::source::tree::Span;

/// What is suggested.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SuggestionKind {
    /// Statements need not be inside.
    Shrink,
    /// An atomic update suffices.
    Atomic,
}

/// A change that makes a needed section cheaper.
#[derive(Debug, Clone)]
pub struct Suggestion {
    /// What.
    pub kind: SuggestionKind,
    /// Of which constructs.
    pub constructs: Vec<usize>,
    /// In words.
    pub text: String,
    /// The change.
    pub edits: Vec<Edit>,
}

/// Looks for suggestions for all sections that are needed.
pub fn suggest(court: &mut Court, constructs: &[Construct], judgements: &[Judgement]) -> Vec<Suggestion> {
    let mut found = Vec::new();
    let section = |c: &Construct| matches!(c.kind, ConstructKind::Critical | ConstructKind::Lock);
    let needed: Vec<usize> = (0..constructs.len())
        .filter(|&i| section(&constructs[i]) && matches!(judgements[i], Judgement::Needed { .. }))
        .collect();
    let mut done: BTreeSet<usize> = BTreeSet::new();
    for &i in &needed {
        if done.contains(&i) {
            continue;
        }
        if let Some(suggestion) = atomic(court, constructs, &needed, i) {
            done.extend(&suggestion.constructs);
            found.push(suggestion);
        } else if let Some(suggestion) = shrink(court, constructs, i) {
            found.push(suggestion);
        }
    }
    found
}

/// The inner statements of a section, and for a pair of calls their own statements.
struct Section {
    inner: Vec<Span>,
    calls: Option<(Span, Span)>,
}

fn section(source: &Source, construct: &Construct) -> Option<Section> {
    if construct.kind == ConstructKind::Critical {
        let body = construct.body?;
        let inner = if source.word(body.from) == "{" {
            source.statements(body.from)
        } else {
            vec![source.statement(body.from)]
        };
        return Some(Section { inner, calls: None });
    }
    let [(lock, true), (unlock, false)] = construct.calls[..] else { return None };
    let block = source.block_around(lock)?;
    if source.block_around(unlock) != Some(block) {
        return None;
    }
    let all = source.statements(block);
    let at = |token: usize| all.iter().position(|s| s.from <= token && token < s.to);
    let (from, to) = (at(lock)?, at(unlock)?);
    // The statement must be the call and nothing else.
    let call_alone = |s: Span, token: usize| {
        source.close(token + 1) + 1 == s.to
            && (s.from..token).all(|i| !matches!(source.word(i), "(" | "if" | "=" | "else"))
    };
    if !call_alone(all[from], lock) || !call_alone(all[to], unlock) {
        return None;
    }
    Some(Section { inner: all.get(from + 1..to)?.to_vec(), calls: Some((all[from], all[to])) })
}

/// Tokens that must not be moved across a lock.
fn movable(source: &Source, span: Span) -> bool {
    (span.from..span.to).all(|i| {
        source.tokens[i].kind != TokenKind::Directive
            && source.tokens[i].kind != TokenKind::Pragma
            && !matches!(source.word(i), "return" | "break" | "continue" | "goto" | "case" | "default")
            && !synchronises(source.word(i))
    })
}

/// Whether a call of this name is about synchronisation itself.
fn synchronises(name: &str) -> bool {
    let about = [
        "_lock",
        "_unlock",
        "rdlock",
        "wrlock",
        "barrier_wait",
        "pthread_cond_",
        "sem_",
        "omp_set_",
        "omp_unset_",
    ];
    about.iter().any(|part| name.contains(part))
        || matches!(name, "lock" | "unlock" | "wait" | "notify_one" | "notify_all")
}

fn shrink(court: &mut Court, constructs: &[Construct], i: usize) -> Option<Suggestion> {
    let construct = &constructs[i];
    let source = &court.sources[construct.file];
    let section = section(source, construct)?;
    if section.calls.is_none()
        && !(source.in_block(construct.token) && source.word(construct.body?.from) == "{")
    {
        return None;
    }
    let path = source.path.to_string_lossy().into_owned();
    let hot = court.base.kept.get(&(path.clone(), construct.line)).cloned().unwrap_or_default();
    let cold = |s: &Span| {
        let lines = source.line_of(s.from)..=source.line_of(s.to - 1);
        movable(source, *s) && !hot.iter().any(|(f, l)| *f == path && lines.contains(l))
    };
    let n = section.inner.len();
    let lead = section.inner.iter().take_while(|s| cold(s)).count();
    let trail = section.inner.iter().rev().take_while(|s| cold(s)).count().min(n.saturating_sub(lead + 1));
    let lead = lead.min(n.saturating_sub(1));
    let mut tries = vec![(lead, trail), (lead, 0), (0, trail), (1.min(lead), 0), (0, 1.min(trail))];
    // Declarations alone are not worth it.
    let does = |s: &Span| {
        (s.from..s.to)
            .any(|i| source.word(i) == "(" || source.word(i).ends_with('=') || source.word(i) == "++")
    };
    tries.retain(|&(lead, trail)| section.inner[..lead].iter().chain(&section.inner[n - trail..]).any(does));
    tries.dedup();
    for (lead, trail) in tries {
        let edits = moved(source, construct, &section, lead, trail);
        if court.verdict(&edits) == Verdict::Fine {
            let out: Vec<u32> = section.inner[..lead]
                .iter()
                .chain(&section.inner[n - trail..])
                .map(|s| source.line_of(s.from))
                .collect();
            let lines = out.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
            let noun = if out.len() == 1 { "line" } else { "lines" };
            let text = format!(
                "{noun} {lines} need not be inside the {} of line {}",
                construct.what, construct.line
            );
            return Some(Suggestion { kind: SuggestionKind::Shrink, constructs: vec![i], text, edits });
        }
    }
    None
}

fn text(source: &Source, span: Span) -> &str {
    &source.text[source.tokens[span.from].from..source.tokens[span.to - 1].to]
}

/// The section with some statements moved out.
fn moved(source: &Source, construct: &Construct, section: &Section, lead: usize, trail: usize) -> Vec<Edit> {
    let file = construct.file;
    let remove = |s: Span| Edit::remove(file, source, source.tokens[s.from].from, source.tokens[s.to - 1].to);
    let mut edits = Vec::new();
    let (first, last) = (&section.inner[..lead], &section.inner[section.inner.len() - trail..]);
    match section.calls {
        Some((lock, unlock)) => {
            if let Some(after) = first.last() {
                let at = source.line_end(source.tokens[after.to - 1].to);
                let indent = source.indent(source.tokens[lock.from].from);
                edits.push(remove(lock));
                edits.push(Edit::insert(file, at, format!("{indent}{}\n", text(source, lock))));
            }
            if let Some(before) = last.first() {
                let from = source.tokens[before.from].from;
                let indent = source.indent(from);
                edits.push(remove(unlock));
                edits.push(Edit::insert(
                    file,
                    source.line_start(from),
                    format!("{indent}{}\n", text(source, unlock)),
                ));
            }
        }
        None => {
            let outer = source.indent(source.tokens[construct.token].from);
            let listed = |spans: &[Span]| -> String {
                spans
                    .iter()
                    .map(|&s| format!("{outer}{}\n", text(source, s).replace("\n    ", "\n")))
                    .collect()
            };
            let body = construct.body.map_or(construct.token + 1, |b| b.to);
            edits.extend(first.iter().chain(last).map(|&s| remove(s)));
            if !first.is_empty() {
                let at = source.line_start(source.tokens[construct.token].from);
                edits.push(Edit::insert(file, at, listed(first)));
            }
            if !last.is_empty() {
                let at = source.line_end(source.tokens[body - 1].to);
                edits.push(Edit::insert(file, at, listed(last)));
            }
        }
    }
    edits
}

/// An update `x op= e` that one atomic operation can do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Update {
    /// `x`.
    pub target: String,
    /// `+`, `-`, `*`, `/`, `&`, `|`, `^`, `<<`, `>>`.
    pub op: String,
    /// `e`.
    pub operand: String,
}

/// The update that a statement is, if it is one.
pub fn update(source: &Source, span: Span) -> Option<Update> {
    let words: Vec<&str> = (span.from..span.to).map(|i| source.word(i)).collect();
    let [inner @ .., ";"] = words.as_slice() else { return None };
    let piece = |from: usize, to: usize| {
        let (a, b) = (source.tokens[span.from + from], source.tokens[span.from + to - 1]);
        source.text[a.from..b.to].to_owned()
    };
    let n = inner.len();
    let step = |op: &str, from: usize, to: usize| {
        lvalue(&inner[from..to]).then(|| Update {
            target: piece(from, to),
            op: op[..1].into(),
            operand: "1".into(),
        })
    };
    match inner {
        ["++" | "--", ..] => return step(inner[0], 1, n),
        [.., "++" | "--"] => return step(inner[n - 1], 0, n - 1),
        _ => {}
    }
    let depth_zero = |pick: &dyn Fn(&str) -> bool| -> Option<usize> {
        let mut depth = 0;
        inner.iter().position(|w| {
            match *w {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth -= 1,
                _ => {}
            }
            depth == 0 && pick(w)
        })
    };
    let compound = ["+=", "-=", "*=", "/=", "&=", "|=", "^=", "<<=", ">>="];
    if let Some(at) = depth_zero(&|w| compound.contains(&w)) {
        let op = inner[at].trim_end_matches('=').to_owned();
        return (lvalue(&inner[..at]) && at + 1 < n).then(|| Update {
            target: piece(0, at),
            op,
            operand: piece(at + 1, n),
        });
    }
    let at = depth_zero(&|w| w == "=")?;
    let (left, right) = (&inner[..at], &inner[at + 1..]);
    let ops = ["+", "-", "*", "/", "&", "|", "^", "<<", ">>"];
    if !lvalue(left) || right.len() < left.len() + 2 {
        return None;
    }
    if right.starts_with(left) && ops.contains(&right[left.len()]) {
        let operand = piece(at + 1 + left.len() + 1, n);
        return Some(Update { target: piece(0, at), op: right[left.len()].into(), operand });
    }
    None
}

/// A variable, element or member, without calls.
fn lvalue(words: &[&str]) -> bool {
    !words.is_empty()
        && !words.contains(&"(")
        && !words.contains(&"=")
        && words.iter().all(|w| !matches!(*w, "int" | "long" | "double" | "float"))
}

/// The section as an atomic update.
fn as_atomic(court: &Court, construct: &Construct) -> Option<Vec<Edit>> {
    let source = &court.sources[construct.file];
    let section = section(source, construct)?;
    let [only] = section.inner[..] else { return None };
    let update = update(source, only)?;
    let file = construct.file;
    if let Some((lock, unlock)) = section.calls {
        let name = match update.op.as_str() {
            "+" => "add",
            "-" => "sub",
            "&" => "and",
            "|" => "or",
            "^" => "xor",
            _ => return None,
        };
        let call =
            format!("__atomic_fetch_{name}(&{}, {}, __ATOMIC_SEQ_CST);", update.target, update.operand);
        let remove =
            |s: Span| Edit::remove(file, source, source.tokens[s.from].from, source.tokens[s.to - 1].to);
        let (from, to) = (source.tokens[only.from].from, source.tokens[only.to - 1].to);
        return Some(vec![remove(lock), Edit { file, from, to, with: call }, remove(unlock)]);
    }
    let pragma = source.tokens[construct.token];
    let body = construct.body?;
    let indent = source.indent(pragma.from);
    let with = format!("#pragma omp atomic\n{indent}{}", text(source, only));
    Some(vec![Edit { file, from: pragma.from, to: source.tokens[body.to - 1].to, with }])
}

fn atomic(court: &mut Court, constructs: &[Construct], needed: &[usize], i: usize) -> Option<Suggestion> {
    let alone = as_atomic(court, &constructs[i])?;
    let what = |n: usize| if n == 1 { "an atomic update suffices" } else { "atomic updates suffice" };
    let make = |set: Vec<usize>, edits: Vec<Edit>| {
        let lines = set.iter().map(|&j| constructs[j].line.to_string()).collect::<Vec<_>>().join(", ");
        let text = format!("{} in place of the {} of line {lines}", what(set.len()), constructs[i].what);
        Suggestion { kind: SuggestionKind::Atomic, constructs: set, text, edits }
    };
    if court.verdict(&alone) == Verdict::Fine {
        return Some(make(vec![i], alone));
    }
    let same =
        |j: &usize| (constructs[*j].kind, &constructs[*j].name) == (constructs[i].kind, &constructs[i].name);
    let set: Vec<usize> = needed.iter().copied().filter(same).collect();
    if set.len() < 2 {
        return None;
    }
    let mut edits = Vec::new();
    for &j in &set {
        edits.extend(as_atomic(court, &constructs[j])?);
    }
    (court.verdict(&edits) == Verdict::Fine).then(|| make(set, edits))
}
