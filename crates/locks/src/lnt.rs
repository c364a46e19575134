//! The model in LNT, the language of CADP, after P5's tables 1 and 2.
//!
//! A program whose order is series-parallel becomes nested `par` (table 1); a unit alone under a lock becomes PROTECTED_WU, a lock a process
//! LOCK that runs beside the rest (table 2). Other programs become one sequence for each strand; an edge between strands is a process
//! of its own, EDGE, that remembers that its source is done. Where a strand branches, its ways stand in a `select`, as P5 (3.2) says; such a
//! program has no DESTROY, since there is no one end before it.

use std::collections::BTreeMap;

use crate::actl::System;
use crate::graph::{Graph, Kind};
use crate::model::{Model, Use, identifier};
use crate::record::NONE;
use crate::term::Term;

const LOCK: &str = "  process LOCK [INIT, DESTROY: none,
    ACQUIRE, RELEASE: LOCK_CHANNEL] is
    var FREE: Bool, TID: Nat in
      INIT;
      FREE := true; -- initially the lock is free
      TID := 1; -- to make LNT2LOTOS happy
      loop L in
        select
          only if FREE then ACQUIRE (?TID) end if
          []
          only if not (FREE) then RELEASE (TID) end if
          []
          DESTROY; break L
        end select;
        FREE := not (FREE)
      end loop
    end var
  end process
";

const RWLOCK: &str = "  process RWLOCK [INIT, DESTROY: none,
    ACQUIRE, SHARE, RELEASE: LOCK_CHANNEL] is
    var WRITER: Bool, READERS: Nat, TID: Nat in
      INIT;
      WRITER := false;
      READERS := 0;
      loop L in
        select
          only if not (WRITER) and (READERS == 0) then ACQUIRE (?TID); WRITER := true end if
          []
          only if not (WRITER) then SHARE (?TID); READERS := READERS + 1 end if
          []
          only if WRITER then RELEASE (?TID); WRITER := false end if
          []
          only if not (WRITER) and (READERS > 0) then RELEASE (?TID); READERS := READERS - 1 end if
          []
          DESTROY; break L
        end select
      end loop
    end var
  end process
";

const PROTECTED: &str = "  process PROTECTED_WU [WU: none,
    ACQUIRE, RELEASE: LOCK_CHANNEL]
    (id: Nat) is
    ACQUIRE (id); -- acquire the lock
    WU; -- work
    RELEASE (id) -- release the lock
  end process
";

const EDGE: &str = "  process EDGE [DONE, GO: none] is
    DONE; GO
  end process
";

/// Writes the model of a graph as a module of this name.
pub fn write(name: &str, graph: &Graph, model: &Model) -> String {
    let writer = Writer { graph, model, shared: shared(model) };
    let mut out = format!("module {} is\n", module_name(name));
    if !model.locks.is_empty() {
        out += "  channel LOCK_CHANNEL is (Nat) end channel\n";
        if (0..model.locks.len()).any(|l| !writer.shared[l]) {
            out += LOCK;
        }
        if writer.shared.contains(&true) {
            out += RWLOCK;
        }
    }
    let body = match &model.term {
        Some(term) => {
            if writer.has_protected(term) {
                out += PROTECTED;
            }
            writer.of_term(term)
        }
        None => {
            out += EDGE;
            writer.of_strands()
        }
    };
    out += &writer.main(&body);
    out + "end module\n"
}

fn module_name(name: &str) -> String {
    let name = identifier(name);
    if name.starts_with(|c: char| c.is_ascii_alphabetic()) { name } else { format!("OMP_{name}") }
}

/// By lock: whether it is ever shared.
fn shared(model: &Model) -> Vec<bool> {
    let mut shared = vec![false; model.locks.len()];
    for node in &model.nodes {
        if let Some((lock, Use::Share)) = node.lock {
            shared[lock as usize] = true;
        }
    }
    shared
}

struct Writer<'g> {
    graph: &'g Graph,
    model: &'g Model,
    shared: Vec<bool>,
}

/// `ACQUIRE !3` as LNT writes it: `ACQUIRE (3)`.
fn offer(label: &str) -> String {
    match label.split_once(" !") {
        Some((gate, id)) => format!("{gate} ({id})"),
        None => label.to_owned(),
    }
}

fn indent(text: &str, by: usize) -> String {
    text.lines().map(|line| format!("{}{line}", " ".repeat(by))).collect::<Vec<_>>().join("\n")
}

impl Writer<'_> {
    fn gate(&self, what: &str, lock: u32) -> String {
        match self.model.locks[lock as usize].as_str() {
            "" => what.to_owned(),
            name => format!("{what}_{name}"),
        }
    }

    fn label(&self, n: u32) -> &str {
        let node = self.model.nodes.iter().find(|node| node.of == Some(n));
        node.and_then(|node| node.label).map_or("", |l| self.model.labels()[l as usize].as_str())
    }

    /// A lock, a unit, and the unlock: PROTECTED_WU.
    fn protected(&self, parts: &[Term]) -> Option<String> {
        let [Term::Node(a), Term::Node(b), Term::Node(c)] = parts else { return None };
        let kind = |n: &u32| self.graph.nodes[*n as usize].kind;
        match (kind(a), kind(b), kind(c)) {
            (Kind::Lock { lock, shared: false }, Kind::Unit, Kind::Unlock { lock: same }) if lock == same => {
                let (acquire, id) = self.label(*a).split_once(" !")?;
                let release = self.label(*c).split_once(" !")?.0;
                Some(format!("PROTECTED_WU [{}, {acquire}, {release}] ({id})", self.label(*b)))
            }
            _ => None,
        }
    }

    fn has_protected(&self, term: &Term) -> bool {
        match term {
            Term::Seq(parts) => {
                self.protected(parts).is_some() || parts.iter().any(|p| self.has_protected(p))
            }
            Term::Par(parts) => parts.iter().any(|p| self.has_protected(p)),
            _ => false,
        }
    }

    fn of_term(&self, term: &Term) -> String {
        match term {
            Term::Node(n) => offer(self.label(*n)),
            Term::Init(lock) => self.gate("INIT", *lock),
            Term::Destroy(lock) => self.gate("DESTROY", *lock),
            Term::Seq(parts) => match self.protected(parts) {
                Some(call) => call,
                None => parts.iter().map(|p| self.of_term(p)).collect::<Vec<_>>().join(";\n"),
            },
            Term::Par(parts) => par("", &parts.iter().map(|p| self.of_term(p)).collect::<Vec<_>>()),
        }
    }

    /// One sequence for each strand; edges between strands are processes.
    fn of_strands(&self) -> String {
        let after = self.graph.successors();
        let (mut edges, mut gates) = (Vec::new(), Vec::new());
        let mut members: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (n, node) in self.graph.nodes.iter().enumerate() {
            members.entry(node.strand).or_default().push(n as u32);
            for &p in node.after.iter().filter(|&&p| self.graph.nodes[p as usize].strand != node.strand) {
                edges.push(format!("EDGE [DONE_{p}_{n}, GO_{p}_{n}]"));
                gates.extend([format!("DONE_{p}_{n}"), format!("GO_{p}_{n}")]);
            }
        }
        let strands = members.values().map(|nodes| Strand::new(self, &after, nodes).text());
        let sequences: Vec<String> = strands.filter(|s| !s.is_empty()).collect();
        let program = par("", &sequences);
        let locks = 0..self.model.locks.len() as u32;
        let mut begin: Vec<String> = locks.clone().map(|l| self.gate("INIT", l)).collect();
        let program = if edges.is_empty() {
            program
        } else {
            let both = par(&gates.join(", "), &[program, par("", &edges)]);
            format!("hide {}: none in\n{}\nend hide", gates.join(", "), indent(&both, 2))
        };
        begin.push(program);
        if self.model.branches.is_empty() {
            begin.extend(locks.map(|l| self.gate("DESTROY", l)));
        }
        begin.join(";\n")
    }

    /// Process MAIN: the program beside its locks.
    fn main(&self, body: &str) -> String {
        let locks = 0..self.model.locks.len() as u32;
        let mut plain: Vec<String> = self.graph.units().iter().map(|&n| self.label(n).to_owned()).collect();
        let mut channels = Vec::new();
        let (mut all, mut processes) = (Vec::new(), Vec::new());
        for lock in locks {
            let gates = |names: &[&str]| names.iter().map(|n| self.gate(n, lock)).collect::<Vec<_>>();
            let (process, offers) = if self.shared[lock as usize] {
                ("RWLOCK", gates(&["ACQUIRE", "SHARE", "RELEASE"]))
            } else {
                ("LOCK", gates(&["ACQUIRE", "RELEASE"]))
            };
            let ends = gates(&["INIT", "DESTROY"]);
            processes.push(format!("{process} [{}, {}]", ends.join(", "), offers.join(", ")));
            all.extend([&ends[..1], &offers, &ends[1..]].into_iter().flatten().cloned());
            plain.extend(ends);
            channels.extend(offers);
        }
        let mut gates = format!("{}: none", plain.join(", "));
        if !channels.is_empty() {
            gates += &format!(",\n    {}: LOCK_CHANNEL", channels.join(", "));
        }
        let body = if processes.is_empty() {
            body.to_owned()
        } else {
            let locks = if processes.len() == 1 { processes.remove(0) } else { par("", &processes) };
            par(&all.join(", "), &[body.to_owned(), locks])
        };
        format!("  process MAIN [{gates}] is\n{}\n  end process\n", indent(&body, 4))
    }
}

/// A strand as a sequence that can branch.
struct Strand<'w, 'g> {
    writer: &'w Writer<'g>,
    /// By node: who waits for it.
    after: &'w [Vec<u32>],
    /// By node of the strand: those of the strand that come right after it. (None: the first.)
    children: BTreeMap<Option<u32>, Vec<u32>>,
}

impl<'w, 'g> Strand<'w, 'g> {
    fn new(writer: &'w Writer<'g>, after: &'w [Vec<u32>], nodes: &[u32]) -> Strand<'w, 'g> {
        let mut children: BTreeMap<Option<u32>, Vec<u32>> = BTreeMap::new();
        for (i, &n) in nodes.iter().enumerate() {
            let mut earlier = nodes[..i].iter().rev().copied();
            let parent = if writer.model.branches.is_empty() {
                earlier.next()
            } else {
                earlier.find(|&p| writer.graph.before(p, n))
            };
            children.entry(parent).or_default().push(n);
        }
        Strand { writer, after, children }
    }

    fn text(&self) -> String {
        let roots = self.children.get(&None).map_or(&[][..], Vec::as_slice);
        select(roots.iter().map(|&n| self.from(n)).collect())
    }

    fn choices(&self, n: u32) -> &[u32] {
        &self.writer.graph.nodes[n as usize].choices
    }

    /// A node and all that follows, up to the next branch and beyond it.
    fn from(&self, mut n: u32) -> String {
        let mut steps: Vec<String> = Vec::new();
        loop {
            let branches = self.step(n, &mut steps);
            match branches[..] {
                // The usual case, without recursion.
                [(None, next)] => n = next,
                _ => {
                    let way = |&(first, next): &(Option<u32>, u32)| {
                        let done = first.map(|w| format!("DONE_{n}_{w}"));
                        let then = (next != NONE).then(|| self.from(next));
                        done.into_iter().chain(then).collect::<Vec<_>>().join(";\n")
                    };
                    let then = select(branches.iter().map(way).collect());
                    steps.extend((!then.is_empty()).then_some(then));
                    return steps.join(";\n");
                }
            }
        }
    }

    /// The steps of a node, and the ways to go on: who of another strand is told first, and the next node of this one.
    fn step(&self, n: u32, steps: &mut Vec<String>) -> Vec<(Option<u32>, u32)> {
        let graph = self.writer.graph;
        let node = &graph.nodes[n as usize];
        let elsewhere = |m: &&u32| graph.nodes[**m as usize].strand != node.strand;
        for &p in node.after.iter().filter(elsewhere) {
            steps.push(format!("GO_{p}_{n}"));
        }
        if node.kind.is_action() {
            steps.push(offer(self.writer.label(n)));
        } else if !node.choices.is_empty() {
            steps.push("i".into());
        }
        let mut children = self.children.get(&Some(n)).cloned().unwrap_or_default();
        // Those of other strands that wait for this are ways of a branch if they exclude each other, or what follows here.
        let excludes = |a: u32, b: u32| a != b && self.choices(a).iter().any(|c| self.choices(b).contains(c));
        let waiting: Vec<u32> = self.after[n as usize].iter().filter(elsewhere).copied().collect();
        let (ways, others): (Vec<u32>, Vec<u32>) =
            waiting.iter().partition(|&&w| waiting.iter().chain(&children).any(|&other| excludes(w, other)));
        steps.extend(others.iter().map(|s| format!("DONE_{n}_{s}")));
        let mut branches: Vec<(Option<u32>, u32)> = Vec::new();
        for way in ways {
            let (mine, rest): (Vec<u32>, Vec<u32>) =
                children.into_iter().partition(|&c| self.writer.graph.before(way, c));
            children = rest;
            branches.extend(mine.iter().map(|&c| (Some(way), c)));
            if mine.is_empty() {
                branches.push((Some(way), NONE));
            }
        }
        branches.extend(children.into_iter().map(|c| (None, c)));
        branches
    }
}

/// The ways of a branch.
fn select(mut ways: Vec<String>) -> String {
    ways.retain(|w| !w.is_empty());
    match ways.len() {
        0 => String::new(),
        1 => ways.remove(0),
        _ => {
            let ways: Vec<String> = ways.iter().map(|w| indent(w, 2)).collect();
            format!("select\n{}\nend select", ways.join("\n[]\n"))
        }
    }
}

fn par(gates: &str, parts: &[String]) -> String {
    if let [one] = parts {
        return one.clone();
    }
    let head = if gates.is_empty() { "par".to_owned() } else { format!("par {gates} in") };
    let parts: Vec<String> = parts.iter().map(|p| indent(p, 2)).collect();
    format!("{head}\n{}\nend par", parts.join("\n||\n"))
}
