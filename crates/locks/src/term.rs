//! A graph as a term of sequential and parallel composition, where it is one: the shape of P5's tables.
//!
//! The actions of the graph are partially ordered. If the graph of comparable pairs falls apart, the parts run in parallel; if the graph of
//! pairs that are not comparable does, its parts follow each other; if neither, the order is not series-parallel (it contains an N) and
//! there is no term. Nor is there one where there are branches.

use crate::graph::Graph;

/// Orders larger than this are not decomposed.
const MOST: usize = 1500;

/// Sequence and parallel composition of nodes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Term {
    /// A node of the graph.
    Node(u32),
    /// The lock of this index begins to exist.
    Init(u32),
    /// And ceases to.
    Destroy(u32),
    /// One after another.
    Seq(Vec<Term>),
    /// Beside each other.
    Par(Vec<Term>),
}

impl Term {
    /// Whether some node in it satisfies the condition.
    pub fn any(&self, is: &dyn Fn(u32) -> bool) -> bool {
        match self {
            Term::Node(n) => is(*n),
            Term::Init(_) | Term::Destroy(_) => false,
            Term::Seq(parts) | Term::Par(parts) => parts.iter().any(|p| p.any(is)),
        }
    }

    /// Puts INIT and DESTROY of a lock around the smallest part that has all the nodes that use it.
    pub fn guard(&mut self, lock: u32, uses: &dyn Fn(u32) -> bool) {
        match self {
            Term::Seq(parts) => {
                let with: Vec<usize> = (0..parts.len()).filter(|&i| parts[i].any(uses)).collect();
                match with[..] {
                    [] => {}
                    [one] => {
                        let flat = matches!(parts[one], Term::Par(_));
                        parts[one].guard(lock, uses);
                        // What was wrapped becomes a part of this sequence.
                        if flat && let Term::Seq(inner) = parts[one].clone() {
                            parts.splice(one..=one, inner);
                        }
                    }
                    [first, .., last] => {
                        parts.insert(last + 1, Term::Destroy(lock));
                        parts.insert(first, Term::Init(lock));
                    }
                }
            }
            Term::Par(parts) => {
                let with: Vec<usize> = (0..parts.len()).filter(|&i| parts[i].any(uses)).collect();
                match with[..] {
                    [] => {}
                    [one] => parts[one].guard(lock, uses),
                    _ => {
                        let all = Term::Par(std::mem::take(parts));
                        *self = Term::Seq(vec![Term::Init(lock), all, Term::Destroy(lock)]);
                    }
                }
            }
            Term::Node(_) | Term::Init(_) | Term::Destroy(_) => {}
        }
    }
}

/// The term of a graph's actions, if their order is series-parallel.
pub fn of(graph: &Graph) -> Option<Term> {
    let actions: Vec<u32> =
        (0..graph.nodes.len() as u32).filter(|&n| graph.nodes[n as usize].kind.is_action()).collect();
    let branches = graph.nodes.iter().any(|n| !n.choices.is_empty());
    if branches || actions.is_empty() || actions.len() > MOST || graph.nodes.len() > 4 * MOST {
        return None;
    }
    let order = Before::new(graph, &actions);
    decompose(&order, &(0..actions.len()).collect::<Vec<_>>()).map(|term| rename(term, &actions))
}

fn rename(term: Term, actions: &[u32]) -> Term {
    let all = |parts: Vec<Term>| parts.into_iter().map(|p| rename(p, actions)).collect();
    match term {
        Term::Node(n) => Term::Node(actions[n as usize]),
        Term::Seq(parts) => Term::Seq(all(parts)),
        Term::Par(parts) => Term::Par(all(parts)),
        other => other,
    }
}

/// Which action comes before which.
struct Before {
    words: usize,
    bits: Vec<u64>,
}

impl Before {
    fn new(graph: &Graph, actions: &[u32]) -> Before {
        let words = actions.len().div_ceil(64);
        let mut index = vec![usize::MAX; graph.nodes.len()];
        for (i, &n) in actions.iter().enumerate() {
            index[n as usize] = i;
        }
        // For all nodes: the actions before it.
        let mut all = vec![0u64; graph.nodes.len() * words];
        for (n, node) in graph.nodes.iter().enumerate() {
            for &p in &node.after {
                let p = p as usize;
                let (low, high) = all.split_at_mut(n * words);
                for w in 0..words {
                    high[w] |= low[p * words + w];
                }
                if index[p] != usize::MAX {
                    high[index[p] / 64] |= 1 << (index[p] % 64);
                }
            }
        }
        let mut bits = vec![0u64; actions.len() * words];
        for (i, &n) in actions.iter().enumerate() {
            bits[i * words..(i + 1) * words]
                .copy_from_slice(&all[n as usize * words..(n as usize + 1) * words]);
        }
        Before { words, bits }
    }

    fn is(&self, a: usize, b: usize) -> bool {
        self.bits[b * self.words + a / 64] >> (a % 64) & 1 != 0
    }

    fn comparable(&self, a: usize, b: usize) -> bool {
        self.is(a, b) || self.is(b, a)
    }
}

/// The connected components of a relation on a set, each in order.
fn components(set: &[usize], related: impl Fn(usize, usize) -> bool) -> Vec<Vec<usize>> {
    let mut left: Vec<usize> = set.to_vec();
    let mut found = Vec::new();
    while let Some(first) = left.first().copied() {
        left.remove(0);
        let (mut component, mut at) = (vec![first], 0);
        while at < component.len() {
            let from = component[at];
            at += 1;
            let (more, rest): (Vec<usize>, Vec<usize>) = left.iter().partition(|&&n| related(from, n));
            component.extend(more);
            left = rest;
        }
        component.sort_unstable();
        found.push(component);
    }
    found
}

fn decompose(order: &Before, set: &[usize]) -> Option<Term> {
    if let [one] = set {
        return Some(Term::Node(*one as u32));
    }
    let parallel = components(set, |a, b| order.comparable(a, b));
    if parallel.len() > 1 {
        return Some(Term::Par(parallel.iter().map(|c| decompose(order, c)).collect::<Option<_>>()?));
    }
    let mut series = components(set, |a, b| !order.comparable(a, b));
    if series.len() == 1 {
        return None;
    }
    series.sort_by(
        |a, b| if order.is(a[0], b[0]) { std::cmp::Ordering::Less } else { std::cmp::Ordering::Greater },
    );
    Some(Term::Seq(series.iter().map(|c| decompose(order, c)).collect::<Option<_>>()?))
}
