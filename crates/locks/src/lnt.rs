//! The model in LNT, the language of CADP, after P5's tables 1 and 2.
//!
//! A program whose order is series-parallel becomes nested `par` (table 1); a unit alone under a lock becomes PROTECTED_WU, a lock a process
//! LOCK that runs beside the rest (table 2). Other programs become one sequence for each strand; an edge between strands is a process
//! of its own, EDGE, that remembers that its source is done.

use std::collections::BTreeMap;

use crate::actl::System;
use crate::graph::{Graph, Kind};
use crate::model::{Model, Use, identifier};
use crate::term::Term;

const LOCK: &str = "  process LOCK [INIT, DESTROY: none,
    ACQUIRE, RELEASE: LOCK_CHANNEL] is
    var FREE: Bool, TID: Nat in
      INIT;
      FREE := true; -- initially the lock is free
      TID := 0; -- to be initialised
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
        let mut strands: BTreeMap<u32, Vec<String>> = BTreeMap::new();
        let mut edges = Vec::new();
        let mut gates = Vec::new();
        let after = self.graph.successors();
        for (n, node) in self.graph.nodes.iter().enumerate() {
            let mut here = Vec::new();
            for &p in &node.after {
                if self.graph.nodes[p as usize].strand != node.strand {
                    here.push(format!("GO_{p}_{n}"));
                    edges.push(format!("EDGE [DONE_{p}_{n}, GO_{p}_{n}]"));
                    gates.extend([format!("DONE_{p}_{n}"), format!("GO_{p}_{n}")]);
                }
            }
            if node.kind.is_action() {
                here.push(offer(self.label(n as u32)));
            }
            for &s in &after[n] {
                if self.graph.nodes[s as usize].strand != node.strand {
                    here.push(format!("DONE_{n}_{s}"));
                }
            }
            strands.entry(node.strand).or_default().extend(here);
        }
        strands.retain(|_, steps| !steps.is_empty());
        let sequences: Vec<String> = strands.values().map(|steps| steps.join(";\n")).collect();
        let program = par("", &sequences);
        let mut begin: Vec<String> =
            (0..self.model.locks.len() as u32).map(|l| self.gate("INIT", l)).collect();
        let end: Vec<String> = (0..self.model.locks.len() as u32).map(|l| self.gate("DESTROY", l)).collect();
        let program = if edges.is_empty() {
            program
        } else {
            let both = par(&gates.join(", "), &[program, par("", &edges)]);
            format!("hide {}: none in\n{}\nend hide", gates.join(", "), indent(&both, 2))
        };
        begin.push(program);
        begin.extend(end);
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
            all.extend(ends.iter().chain(&offers).cloned());
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

fn par(gates: &str, parts: &[String]) -> String {
    if let [one] = parts {
        return one.clone();
    }
    let head = if gates.is_empty() { "par".to_owned() } else { format!("par {gates} in") };
    let parts: Vec<String> = parts.iter().map(|p| indent(p, 2)).collect();
    format!("{head}\n{}\nend par", parts.join("\n||\n"))
}
