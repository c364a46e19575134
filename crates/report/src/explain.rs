//! What each kind of finding means: a code, a sentence, why it matters, what to do, a bad and a good program.
//!
//! One table for `raceproof explain`, for the rules of SARIF and for anybody else who names a kind of finding. The
//! programs lie in `docs/explain`, where tests check each: the bad one has exactly this finding, the good one has none.

use base::DefectKind;

/// The explanation of one kind of finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Explanation {
    /// The code, as JSON names the kind: `race`, `use-after-free`.
    pub code: &'static str,
    /// A few words: `data race`.
    pub name: &'static str,
    /// What was found, in a sentence.
    pub what: &'static str,
    /// Why it matters, and when it happens.
    pub why: &'static str,
    /// What to do about it.
    pub fix: &'static str,
    /// A program that has it.
    pub bad: &'static str,
    /// The same program without it.
    pub good: &'static str,
}

/// The table's rows: code, name and texts; the programs come from the files of that code.
macro_rules! explanations {
    ($($code:literal, $name:literal, $what:literal, $why:literal, $fix:literal;)*) => {
        &[$(Explanation {
            code: $code,
            name: $name,
            what: $what,
            why: $why,
            fix: $fix,
            bad: include_str!(concat!("../../../docs/explain/", $code, "_bad.c")),
            good: include_str!(concat!("../../../docs/explain/", $code, "_good.c")),
        },)*]
    };
}

/// All explanations, races first, then the defects in the order of [`DefectKind`].
pub const ALL: &[Explanation] = explanations![
    "race", "data race",
    "Two threads (or iterations, sections, tasks) access the same memory, at least one of them writes, not both are atomic, and nothing orders the accesses.",
    "The language gives such a program no meaning at all: the compiler and the processor may assume that it does not happen, so updates get lost, half-written values are read, and loops that wait for a variable never end.",
    "Guard both accesses by the same lock, make both atomic, order them by a join, a barrier or a condition variable, or give each thread a variable of its own (in OpenMP: private, reduction, atomic, critical).";
    "deadlock", "deadlock",
    "Threads wait for each other, or for something that will never come, and none of them can go on.",
    "The program hangs, though perhaps only once in a million runs. The usual causes: locks taken in different orders, a signal sent before anybody waits for it, a barrier that one thread never reaches, a lock that is never released.",
    "Take locks in one order everywhere; wait for conditions in a loop that tests a variable under the lock; release locks on every path.";
    "assertion", "failed assertion",
    "Some schedule makes a condition false that the program asserts.",
    "What the program's author took for granted does not hold in every schedule. The schedule that breaks it is part of the report.",
    "Step through the schedule to see where another thread comes between two steps that belong together, and make them one: under one lock, or by one atomic operation.";
    "abort", "abnormal end",
    "The program calls abort, leaves an exception uncaught, or traps.",
    "Some schedule leads to a place where the program gives up.",
    "Handle the case, or wait for what was not ready yet.";
    "out-of-bounds", "out-of-bounds access",
    "An access lies outside of the object that its pointer points into.",
    "It reads or overwrites whatever lies there, often another thread's data.",
    "Test the index before the access, and count loops up to, not including, the length.";
    "use-after-free", "use after free",
    "An access to an object whose lifetime has ended: freed memory, or a local variable of a function that has returned.",
    "With threads it is mostly a question of who is faster: the owner frees or returns while another thread still uses the object.",
    "Let the owner wait (join) for all users, or give the object to the last user, for example by counting references atomically.";
    "double-free", "double free",
    "An object is freed twice.",
    "The allocator's own data are damaged, and what follows can be anything.",
    "Give each object one owner, and set the pointer to null when it has been freed.";
    "invalid-free", "invalid free",
    "Something is freed that is not the start of an object from the heap.",
    "free takes exactly what malloc and its relatives return: no pointer into the middle, no local or global variable.",
    "Keep the pointer that malloc returned, and move a copy of it.";
    "null-pointer", "null pointer access",
    "An access through a null pointer.",
    "With threads: often a pointer that another thread sets, read before it was set.",
    "Test the pointer, or wait until it has been set.";
    "invalid-pointer", "invalid pointer access",
    "An access through a pointer that points to no object of the program, such as a number made into a pointer.",
    "It ends the program or hits memory by chance.",
    "Make pointers only from objects. Addresses of devices cannot be checked: put a variable in their place.";
    "uninitialised-pointer", "uninitialised pointer access",
    "An access through a pointer that was never given a value.",
    "The value is whatever lay there before.",
    "Initialise the pointer where it is declared; take zeroed memory (calloc) for structures with pointers.";
    "write-to-constant", "write to a constant",
    "A write to an object that is constant: a string literal, or a variable declared const.",
    "Most systems end the program there.",
    "Write to a copy: an array that is initialised from the literal.";
    "lock-misuse", "lock misuse",
    "A lock is used against its rules: unlocked by a thread that does not hold it, destroyed while it is held, used before its initialisation, and the like.",
    "What a lock does after that is undefined; it may protect nothing any more.",
    "Pair each lock with one unlock on every path of the same thread, and destroy a lock only when all its users have ended.";
    "division-by-zero", "division by zero",
    "An integer is divided by zero, or the quotient does not fit (the smallest number divided by -1).",
    "Most systems end the program there.",
    "Test the divisor; if another thread counts it up, read it once and use what was read.";
    "invalid-call", "invalid call",
    "A call through something that is no function, or of a function with other parameters than the call gives.",
    "What happens depends on the calling convention, and is mostly a crash.",
    "Call functions through pointers of their own type.";
    "stack-overflow", "stack overflow",
    "A thread's stack grew over its limit.",
    "A recursion does not end, or is too deep for the stack.",
    "Give the recursion an end, or make it a loop with memory from the heap.";
    "unreachable", "unreachable code reached",
    "The program reaches a place that it promises never to reach: __builtin_unreachable, or the end of a function that must return a value.",
    "The compiler uses the promise; when it is broken, anything can follow.",
    "Handle the case that is missing.";
    "misuse", "library misuse",
    "A function of a library is used against its contract: overlapping memcpy, a thread joined twice, a barrier for no threads, and the like.",
    "The contract says that anything can follow.",
    "Read the function's manual page; where memory overlaps, take memmove.";
];

/// The explanation of a code.
pub fn find(code: &str) -> Option<&'static Explanation> {
    ALL.iter().find(|explanation| explanation.code == code)
}

/// The code of a kind of defect, as JSON names it.
pub fn code(kind: DefectKind) -> &'static str {
    match kind {
        DefectKind::Deadlock => "deadlock",
        DefectKind::Assertion => "assertion",
        DefectKind::Abort => "abort",
        DefectKind::OutOfBounds => "out-of-bounds",
        DefectKind::UseAfterFree => "use-after-free",
        DefectKind::DoubleFree => "double-free",
        DefectKind::InvalidFree => "invalid-free",
        DefectKind::NullPointer => "null-pointer",
        DefectKind::InvalidPointer => "invalid-pointer",
        DefectKind::UninitialisedPointer => "uninitialised-pointer",
        DefectKind::WriteToConstant => "write-to-constant",
        DefectKind::LockMisuse => "lock-misuse",
        DefectKind::DivisionByZero => "division-by-zero",
        DefectKind::InvalidCall => "invalid-call",
        DefectKind::StackOverflow => "stack-overflow",
        DefectKind::Unreachable => "unreachable",
        DefectKind::Misuse => "misuse",
    }
}

impl Explanation {
    /// The explanation as text for a terminal of this width. Ends with a newline.
    pub fn text(&self, width: usize) -> String {
        let paragraph = |text: &str| textwrap::fill(text, width.max(30)) + "\n\n";
        let program = |text: &str| {
            text.lines().map(|line| format!("    {line}").trim_end().to_owned() + "\n").collect::<String>()
        };
        let mut out = format!("{}: {}\n\n", self.code, self.name);
        out += &paragraph(self.what);
        out += &paragraph(self.why);
        out += &paragraph(&format!("What to do: {}", self.fix));
        out += &format!("Bad:\n\n{}\nGood:\n\n{}", program(self.bad), program(self.good));
        out
    }

    /// The explanation as Markdown.
    pub fn markdown(&self) -> String {
        format!(
            "{}\n\n{}\n\n**What to do:** {}\n\nBad:\n\n```c\n{}```\n\nGood:\n\n```c\n{}```\n",
            self.what, self.why, self.fix, self.bad, self.good
        )
    }
}

/// The list of codes with their names, a line each.
pub fn overview() -> String {
    ALL.iter().map(|explanation| format!("{:<22} {}\n", explanation.code, explanation.name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Deserialising from the code proves that code and JSON agree; the match in `code` makes the compiler ask for new kinds.
    #[test]
    fn every_kind_is_explained_under_its_name_in_json() {
        for explanation in &ALL[1..] {
            let json = format!("\"{}\"", explanation.code);
            let kind: DefectKind = serde_json::from_str(&json).expect("the code of a kind");
            assert_eq!(code(kind), explanation.code);
            assert_eq!(crate::terminal::kind(kind), explanation.name);
        }
        let unknown = serde_json::from_str::<DefectKind>("\"no-such-kind\"").unwrap_err().to_string();
        let kinds = unknown.matches('`').count() / 2 - 1;
        assert_eq!(kinds, ALL.len() - 1, "{unknown}");
    }

    #[test]
    fn text_fits_the_width() {
        for explanation in ALL {
            let text = explanation.text(72);
            let prose = text.split("Bad:").next().unwrap_or_default();
            assert!(prose.lines().all(|line| line.chars().count() <= 72), "{text}");
        }
        assert!(find("race").is_some() && find("rust").is_none());
    }
}
