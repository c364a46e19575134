//! Formulas of ACTL and of actions.

use std::fmt;

use super::lts::is_hidden;

/// A formula about one label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Every label, hidden ones too.
    True,
    /// No label.
    False,
    /// A hidden label.
    Tau,
    /// The label that is this text; `*` stands for any text.
    Label(String),
    /// Not so.
    Not(Box<Action>),
    /// Both.
    And(Box<Action>, Box<Action>),
    /// At least one.
    Or(Box<Action>, Box<Action>),
}

impl Action {
    /// Whether a label satisfies the formula.
    pub fn holds(&self, label: &str) -> bool {
        match self {
            Action::True => true,
            Action::False => false,
            Action::Tau => is_hidden(label),
            Action::Label(pattern) => matches(pattern, label),
            Action::Not(a) => !a.holds(label),
            Action::And(a, b) => a.holds(label) && b.holds(label),
            Action::Or(a, b) => a.holds(label) || b.holds(label),
        }
    }

    /// All label patterns in the formula.
    pub fn patterns(&self) -> Vec<&str> {
        match self {
            Action::True | Action::False | Action::Tau => Vec::new(),
            Action::Label(pattern) => vec![pattern],
            Action::Not(a) => a.patterns(),
            Action::And(a, b) | Action::Or(a, b) => [a.patterns(), b.patterns()].concat(),
        }
    }
}

/// Whether `text` is the pattern, in which `*` stands for any text.
pub fn matches(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or("");
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

/// Whether some path or every path is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paths {
    /// `E`.
    Some,
    /// `A`.
    All,
}

/// A formula about a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Formula {
    /// Always.
    True,
    /// Never.
    False,
    /// Not so.
    Not(Box<Formula>),
    /// Both.
    And(Box<Formula>, Box<Formula>),
    /// At least one.
    Or(Box<Formula>, Box<Formula>),
    /// `EX{a} f`, `AX{a} f`.
    Next(Paths, Action, Box<Formula>),
    /// `E[f {a} U g]`, `A[f {a} U {b} g]`.
    Until {
        /// E or A.
        paths: Paths,
        /// What holds before.
        before: Box<Formula>,
        /// The steps before.
        by: Action,
        /// The last step, if one is asked for.
        last: Option<Action>,
        /// What is come to.
        goal: Box<Formula>,
    },
}

impl Formula {
    /// `not f`.
    pub fn negate(self) -> Formula {
        Formula::Not(Box::new(self))
    }

    /// `f and g`.
    pub fn and(self, other: Formula) -> Formula {
        Formula::And(Box::new(self), Box::new(other))
    }

    /// `EX{label} true`.
    pub fn can(label: &str) -> Formula {
        Formula::Next(Paths::Some, Action::Label(label.into()), Box::new(Formula::True))
    }

    /// `EF{a} f` and `AF{a} f`.
    pub fn eventually(paths: Paths, by: Action, goal: Formula) -> Formula {
        Formula::Until { paths, before: Box::new(Formula::True), by, last: None, goal: Box::new(goal) }
    }

    /// `AG{a} f` (`All`) and `EG{a} f` (`Some`).
    pub fn always(paths: Paths, by: Action, kept: Formula) -> Formula {
        let other = if paths == Paths::All { Paths::Some } else { Paths::All };
        Formula::eventually(other, by, kept.negate()).negate()
    }

    /// P5 3.3: two work units are never both about to run: `not EF (EX_a true and EX_b true)`.
    pub fn sequential(a: &str, b: &str) -> Formula {
        Formula::eventually(Paths::Some, Action::True, Formula::can(a).and(Formula::can(b))).negate()
    }

    /// All label patterns in the formula.
    pub fn patterns(&self) -> Vec<&str> {
        match self {
            Formula::True | Formula::False => Vec::new(),
            Formula::Not(f) => f.patterns(),
            Formula::And(f, g) | Formula::Or(f, g) => [f.patterns(), g.patterns()].concat(),
            Formula::Next(_, a, f) => [a.patterns(), f.patterns()].concat(),
            Formula::Until { before, by, last, goal, .. } => {
                let last = last.as_ref().map(Action::patterns).unwrap_or_default();
                [before.patterns(), by.patterns(), last, goal.patterns()].concat()
            }
        }
    }
}

fn plain(name: &str) -> bool {
    let mut letters = name.chars();
    letters.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && letters.all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !super::parse::is_reserved(name)
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::True => write!(f, "true"),
            Action::False => write!(f, "false"),
            Action::Tau => write!(f, "tau"),
            Action::Label(name) if plain(name) => write!(f, "{name}"),
            Action::Label(name) => write!(f, "\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\"")),
            Action::Not(a) => write!(f, "not {}", Tight(a.as_ref())),
            Action::And(a, b) => write!(f, "{} and {}", Tight(a.as_ref()), Tight(b.as_ref())),
            Action::Or(a, b) => write!(f, "{} or {}", Tight(a.as_ref()), Tight(b.as_ref())),
        }
    }
}

/// In brackets where an operator could take a part of it.
struct Tight<'a, T>(&'a T);

impl fmt::Display for Tight<'_, Action> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Action::And(..) | Action::Or(..) => write!(f, "({})", self.0),
            a => write!(f, "{a}"),
        }
    }
}

impl fmt::Display for Tight<'_, Formula> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Formula::And(..) | Formula::Or(..) => write!(f, "({})", self.0),
            a => write!(f, "{a}"),
        }
    }
}

/// `{a}`, or nothing where that is meant without saying.
fn subscript(by: &Action) -> String {
    if *by == Action::True { String::new() } else { format!("{{{by}}}") }
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |paths: &Paths| if *paths == Paths::Some { 'E' } else { 'A' };
        match self {
            Formula::True => write!(f, "true"),
            Formula::False => write!(f, "false"),
            Formula::Not(g) => write!(f, "not {}", Tight(g.as_ref())),
            Formula::And(g, h) => write!(f, "{} and {}", Tight(g.as_ref()), Tight(h.as_ref())),
            Formula::Or(g, h) => write!(f, "{} or {}", Tight(g.as_ref()), Tight(h.as_ref())),
            Formula::Next(paths, Action::Label(name), g) if plain(name) => {
                write!(f, "{}X_{name} {}", letter(paths), Tight(g.as_ref()))
            }
            Formula::Next(paths, a, g) => {
                write!(f, "{}X{} {}", letter(paths), subscript(a), Tight(g.as_ref()))
            }
            Formula::Until { paths, before, by, last: None, goal } if **before == Formula::True => {
                write!(f, "{}F{} {}", letter(paths), subscript(by), Tight(goal.as_ref()))
            }
            Formula::Until { paths, before, by, last, goal } => {
                write!(f, "{}[{before} {{{by}}} U ", letter(paths))?;
                if let Some(last) = last {
                    write!(f, "{{{last}}} ")?;
                }
                write!(f, "{goal}]")
            }
        }
    }
}
