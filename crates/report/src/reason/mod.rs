//! Why something is not known, in words, and what a person can do about it.
//!
//! [`words`] names what stopped raceproof; [`help`] says what to try. Both hang on the type of the reason alone.

mod help;
mod names;

use base::reason::{
    Beyond, Executions, Input, Internal, Left, Library, Limit, ProgramEnd, Reason, Role, Subject, Used,
};
use base::{AccessKind, CheckReport, DefectKind, SiteKind, Undecided};

pub use help::help;

/// A reason in words: a phrase or a sentence without its full stop.
pub fn words(reason: &Reason) -> String {
    match reason {
        Reason::Untold => "no reason was given".into(),
        Reason::Limit { limit, left } => limited(*limit, *left),
        Reason::DeepInputs { states } => format!(
            "runs in which more depends on inputs were not explored; {states} states were explored, for all values of \
             inputs without bounds"
        ),
        Reason::NoModel { function, role: Role::Called } => {
            format!("the external function `{function}`, which has no model")
        }
        Reason::NoModel { function, role: Role::Thread } => {
            format!("a thread that runs the external function `{function}`")
        }
        Reason::NoModel { function, role: Role::Team } => format!("a team that runs `{function}`"),
        Reason::NotDefined { variable } => {
            format!("the external variable `{variable}`, which is not defined")
        }
        Reason::NotTranslated { what } | Reason::NotModelled(Library::Use(what)) => what.clone(),
        Reason::NotModelled(Library::Function(name)) => format!("`{name}`, which is not modelled"),
        Reason::Openmp(of) => names::openmp(*of).into(),
        Reason::Beyond(of) => beyond(of),
        Reason::Open { what, input: None } => {
            format!("{} depends on an uninitialised value", subject(*what))
        }
        Reason::Open { what, input: Some(input) } => format!(
            "{} depends on an input without bounds (from {}) or on an uninitialised value; bound inputs with \
             raceproof_range, --arg or --define",
            subject(*what),
            source(input)
        ),
        Reason::Scheduled { what, variable: Some(variable) } => format!(
            "{} depends on `{variable}`, whose value here depends on the order of threads",
            subject(*what)
        ),
        Reason::Scheduled { what, variable: None } => {
            format!("{} depends on a value that the schedule decides", subject(*what))
        }
        Reason::Used(of) => format!("{} is used, whose order the schedule decides", used(*of)),
        Reason::Fork(of) => format!("{}: the schedule decides how it goes", names::fork(*of)),
        Reason::Structure(of) => names::structure(*of).into(),
        Reason::LockDoubt(of) => names::lock_doubt(*of).into(),
        Reason::RunEnd(of) => names::run_end(*of).into(),
        Reason::RunDefect { message } => format!("the run shows a defect: {message}"),
        Reason::Gap(of) => names::gap(*of).into(),
        Reason::Uncertified(of) => names::uncertified(*of).into(),
        Reason::CertificateVersion { found, wanted } => {
            format!("the certificate has version {found}, not {wanted}")
        }
        Reason::NotCertified { why, contradicts: true } => {
            format!(
                "internal error: what the proof rests on does not hold: {}; please report this",
                words(why)
            )
        }
        Reason::NotCertified { why, contradicts: false } => {
            format!("what the proof rests on is not certified: {}", words(why))
        }
        Reason::Unexplored(of) => names::unexplored(*of).into(),
        Reason::Doubt { defect, inputs, more } => format!(
            "{} is possible here for some values of the inputs without bounds ({}), as far as raceproof follows them, but \
             no values were found that show it; bound inputs with raceproof_range, --arg or --define",
            possible(*defect),
            sources(inputs, *more)
        ),
        Reason::Internal(of) => internal(of),
        Reason::NothingReached { end, printed, site, line } => {
            nothing_reached(end, printed.as_deref(), *site, *line)
        }
        Reason::Entry { function, number, what } => format!(
            "--entry: parameter {number} of `{function}` is {what}; write a `main` that calls it as its users do"
        ),
        Reason::Recorded => {
            "no race in this run or in the other orders of it that were looked at; other inputs and other \
                             paths were not"
                .into()
        }
        Reason::Executions(of) => executions(*of),
        Reason::Both { search, one_run } => {
            format!("{}; one run does not decide: {}", words(search), words(one_run))
        }
    }
}

/// Why the verdict of a report is `unknown`, in words; those of the file, where it was written by an older version.
pub fn of_report(report: &CheckReport) -> Option<String> {
    report.reason.as_ref().map(words).or_else(|| report.reason_words.clone())
}

/// Why something is not decided, in words.
pub fn of_undecided(open: &Undecided) -> String {
    let old = open.reason == Reason::Untold && !open.reason_words.is_empty();
    if old { open.reason_words.clone() } else { words(&open.reason) }
}

/// What is used, in words.
pub fn used(of: Used) -> &'static str {
    names::used(of)
}

fn subject(what: Subject) -> &'static str {
    names::subject(what)
}

/// The limit, with the option that sets it.
fn limit(limit: Limit) -> &'static str {
    match limit {
        Limit::Time => "the time limit (--time-limit) was reached",
        Limit::Memory => "the memory limit (--memory-limit) was reached",
        Limit::Instructions => "the instruction limit (--max-instructions) was reached",
        Limit::States => "the state limit (--max-states) was reached",
        Limit::Depth => "the depth limit (--max-depth) was reached",
        Limit::Interrupted => "the check was interrupted",
        Limit::Further => "there may be further findings, the search for them was ended",
    }
}

fn limited(of: Limit, left: Left) -> String {
    let what = limit(of);
    let unexplored = if of == Limit::Further { "" } else { " before all schedules were explored" };
    match left {
        Left::Schedules(states) => format!("{what}{unexplored}; {states} states were explored"),
        Left::Inputs(states) => {
            format!(
                "{what}{unexplored}; {states} states were explored, for all values of inputs without bounds"
            )
        }
        Left::All => format!("{what} before this was looked at"),
        Left::Some => format!("{what} before everything was checked"),
        Left::Compiling => format!("{what} while the program was compiled"),
    }
}

fn beyond(of: &Beyond) -> String {
    match of {
        Beyond::Threads => "more threads than the machine has room for".into(),
        Beyond::Tasks => "more tasks than the machine has room for".into(),
        Beyond::Team(threads) => format!("a team of {threads} threads"),
        Beyond::ThreadLocals => "too many thread-local variables".into(),
        Beyond::Allocation(bytes) => format!("an allocation of {bytes} bytes is beyond the machine's memory"),
        Beyond::Range(values) => format!("a range of {values} values is too large to explore one by one"),
        Beyond::Returned => "a function that returns more than eight scalars".into(),
        Beyond::Copy => "a copy inside a very large object".into(),
        Beyond::Pages { access, bytes } => {
            let what = if *access == AccessKind::Write { "a write" } else { "a read" };
            let s = if *bytes == 1 { "" } else { "s" };
            format!("{what} of {bytes} byte{s} that crosses pages of a very large object")
        }
        Beyond::Semaphore => "a semaphore is posted that has its largest value (SEM_VALUE_MAX)".into(),
        Beyond::LongDouble(function) => format!("`{function}` of a long double"),
    }
}

fn source(input: &Input) -> String {
    match input.line {
        0 => format!("`{}`", input.function),
        line => format!("`{}` in line {line}", input.function),
    }
}

fn sources(inputs: &[Input], more: usize) -> String {
    if inputs.is_empty() {
        return "uninitialised values".into();
    }
    let text = inputs.iter().map(source).collect::<Vec<_>>().join(", ");
    if more > 0 { format!("{text} and {more} more") } else { text }
}

fn possible(defect: Option<DefectKind>) -> &'static str {
    match defect {
        None => "a race",
        Some(DefectKind::Deadlock) => "a deadlock",
        Some(DefectKind::Assertion) => "a failed assertion",
        Some(DefectKind::Abort) => "an abort",
        Some(DefectKind::OutOfBounds) => "an access out of bounds",
        Some(DefectKind::DivisionByZero) => "a division by zero",
        Some(DefectKind::LockMisuse) => "a misuse of a lock",
        Some(_) => "a defect",
    }
}

fn internal(of: &Internal) -> String {
    match of {
        Internal::Race => {
            "internal error: a possible race here was not confirmed by its replay; please report this".into()
        }
        Internal::Defect { kind, ended } => format!(
            "internal error: a {kind:?} was not confirmed by its replay, which ended as {ended}; please report this"
        ),
        Internal::OpenStore => "internal error: an open store is compared; please report this".into(),
        Internal::Contradicted { what, file } => {
            let file = match file {
                Ok(path) => format!("{path} reproduces it"),
                Err(why) => format!("what reproduces it could not be written: {why}"),
            };
            format!(
                "internal error: a random execution contradicts the verdict race-free: {what}; {file}; please report this"
            )
        }
    }
}

/// `the program ended with status 1 after printing "usage: ..."; it never came to ...`.
fn nothing_reached(end: &ProgramEnd, printed: Option<&str>, site: SiteKind, line: u32) -> String {
    let end = match end {
        ProgramEnd::Status(status) => format!("ended with status {status}"),
        ProgramEnd::Defect(what) => format!("ended with a defect ({what})"),
        ProgramEnd::Waits => "waits for ever".into(),
        ProgramEnd::NotFollowed => "was not followed to its end".into(),
    };
    let printed = printed.map_or(String::new(), |text| format!(" after printing `{text}`"));
    let site = match site {
        SiteKind::Region => "the parallel region",
        SiteKind::Thread => "the creation of a thread",
        SiteKind::Task => "the task",
        SiteKind::Lock => "the lock",
    };
    format!("the program {end}{printed}; it never came to {site} in line {line}")
}

fn executions(of: Executions) -> String {
    match of {
        Executions::Late => "there was no time for all of them".into(),
        Executions::States(most) => format!("there are more than {most} states"),
        Executions::Long => "some executions are too long".into(),
        Executions::Nodes(most) => format!("the run has more than {most} work units and synchronisations"),
        Executions::Kinds { recorded, all, locksets } => {
            let locksets = if locksets { "; the locksets are those of all" } else { "" };
            format!("{recorded} of {all} kinds were recorded{locksets}")
        }
    }
}

#[cfg(test)]
mod tests {
    use base::reason::{Fork, Gap, LockDoubt, Openmp, RunEnd, Structure, Uncertified, Unexplored};

    use super::*;

    /// The number of a reason's kind: a new kind has to be added here, and to [`every`].
    fn kind(reason: &Reason) -> usize {
        match reason {
            Reason::Untold => 0,
            Reason::Limit { .. } => 1,
            Reason::DeepInputs { .. } => 2,
            Reason::NoModel { .. } => 3,
            Reason::NotDefined { .. } => 4,
            Reason::NotTranslated { .. } => 5,
            Reason::NotModelled(_) => 6,
            Reason::Openmp(_) => 7,
            Reason::Beyond(_) => 8,
            Reason::Open { .. } => 9,
            Reason::Scheduled { .. } => 10,
            Reason::Used(_) => 11,
            Reason::Fork(_) => 12,
            Reason::Structure(_) => 13,
            Reason::LockDoubt(_) => 14,
            Reason::RunEnd(_) => 15,
            Reason::RunDefect { .. } => 16,
            Reason::Gap(_) => 17,
            Reason::Uncertified(_) => 18,
            Reason::CertificateVersion { .. } => 19,
            Reason::NotCertified { .. } => 20,
            Reason::Unexplored(_) => 21,
            Reason::Doubt { .. } => 22,
            Reason::Internal(_) => 23,
            Reason::NothingReached { .. } => 24,
            Reason::Entry { .. } => 25,
            Reason::Recorded => 26,
            Reason::Executions(_) => 27,
            Reason::Both { .. } => 28,
        }
    }
    const KINDS: usize = 29;

    fn all<T: Copy + Into<Reason>>(list: &[T]) -> impl Iterator<Item = Reason> {
        list.iter().map(|&of| of.into())
    }

    /// One of each that there is.
    fn every() -> Vec<Reason> {
        let input = Input { function: "read".into(), line: 3 };
        let mut every: Vec<Reason> = vec![
            Reason::Untold,
            Reason::DeepInputs { states: 7 },
            Reason::NotDefined { variable: "v".into() },
            Reason::NotTranslated { what: "inline assembly".into() },
            Reason::NotModelled(Library::Function("tmpfile".into())),
            Reason::NotModelled(Library::Use("mmap of a file".into())),
            Reason::RunDefect { message: "a division by zero".into() },
            Reason::CertificateVersion { found: 1, wanted: 2 },
            Reason::Doubt { defect: Some(DefectKind::Abort), inputs: vec![input.clone()], more: 2 },
            Reason::Doubt { defect: None, inputs: Vec::new(), more: 0 },
            Reason::Entry { function: "f".into(), number: 1, what: "a pointer".into() },
            Reason::Recorded,
        ];
        let lefts = [Left::Schedules(1), Left::Inputs(2), Left::All, Left::Some, Left::Compiling];
        for limit in Limit::ALL {
            every.extend(lefts.map(|left| Reason::Limit { limit, left }));
        }
        for role in [Role::Called, Role::Thread, Role::Team] {
            every.push(Reason::NoModel { function: "frob".into(), role });
        }
        for &what in Subject::ALL {
            every.extend([None, Some(input.clone())].map(|input| Reason::Open { what, input }));
            every.extend([None, Some("x".into())].map(|variable| Reason::Scheduled { what, variable }));
        }
        every.extend(all(Openmp::ALL).chain(all(Used::ALL)).chain(all(Fork::ALL)).chain(all(Structure::ALL)));
        every.extend(all(LockDoubt::ALL).chain(all(RunEnd::ALL)).chain(all(Gap::ALL)));
        every.extend(all(Uncertified::ALL).chain(all(Unexplored::ALL)));
        let sizes = [
            Beyond::Threads,
            Beyond::Tasks,
            Beyond::Team(70_000),
            Beyond::ThreadLocals,
            Beyond::Allocation(1 << 40),
            Beyond::Range(1 << 33),
            Beyond::Returned,
            Beyond::Copy,
            Beyond::Pages { access: AccessKind::Read, bytes: 1 },
            Beyond::Semaphore,
            Beyond::LongDouble("Sin".into()),
        ];
        every.extend(sizes.map(Reason::Beyond));
        let errors = [
            Internal::Race,
            Internal::Defect { kind: DefectKind::Abort, ended: "Open".into() },
            Internal::OpenStore,
            Internal::Contradicted { what: "a race".into(), file: Ok("f.json".into()) },
            Internal::Contradicted { what: "a race".into(), file: Err("no room".into()) },
        ];
        every.extend(errors.map(Reason::Internal));
        let ends = [
            ProgramEnd::Status(1),
            ProgramEnd::Defect("an abort".into()),
            ProgramEnd::Waits,
            ProgramEnd::NotFollowed,
        ];
        let sites = [SiteKind::Region, SiteKind::Thread, SiteKind::Task, SiteKind::Lock];
        for (end, site) in ends.into_iter().zip(sites) {
            every.push(Reason::NothingReached { end, printed: Some("usage".into()), site, line: 4 });
        }
        let executions = [
            Executions::Late,
            Executions::States(5),
            Executions::Long,
            Executions::Nodes(6),
            Executions::Kinds { recorded: 1, all: 2, locksets: true },
        ];
        every.extend(executions.map(Reason::Executions));
        for contradicts in [false, true] {
            every.push(Reason::NotCertified { why: Box::new(Gap::Late.into()), contradicts });
        }
        let [search, one_run] = [Openmp::Cancel.into(), Gap::Late.into()].map(Box::new);
        every.push(Reason::Both { search, one_run });
        every
    }

    /// Every reason has its words, which are not a bare name, and what helps; and what a file says of it is read again.
    #[test]
    fn every_reason_has_words_and_help() {
        let every = every();
        let kinds: std::collections::BTreeSet<usize> = every.iter().map(kind).collect();
        assert_eq!(kinds, (0..KINDS).collect());
        for reason in &every {
            let words = words(reason);
            assert!(words.split_whitespace().count() > 1, "{reason:?}: {words}");
            assert!(!words.ends_with('.') && !words.contains("  "), "{reason:?}: {words}");
            assert!(help(reason).split_whitespace().count() > 2, "{reason:?}");
            let text = serde_json::to_string(reason).unwrap();
            assert_eq!(serde_json::from_str::<Reason>(&text).unwrap(), *reason, "{text}");
        }
    }

    /// What helps is an option that exists, or a change of the program.
    #[test]
    fn help_names_what_helps() {
        let limit = |limit| help(&Reason::Limit { limit, left: Left::All });
        assert!(limit(Limit::Time).contains("--time-limit"));
        assert!(limit(Limit::Memory).contains("--memory-limit"));
        assert!(limit(Limit::States).contains("--max-states"));
        let unknown = Reason::NoModel { function: "frob".into(), role: Role::Called };
        assert!(help(&unknown).contains("another FILE"));
        assert!(help(&Openmp::StrayedTask.into()).contains("tied"));
    }

    /// A report by an older version has words alone.
    #[test]
    fn older_reports_keep_their_words() {
        let old = r#"{"bound": {"threads": 2, "args": [], "defines": []}, "about": [], "reason": "as it was said"}"#;
        let open: Undecided = serde_json::from_str(old).unwrap();
        assert_eq!(of_undecided(&open), "as it was said");
    }
}
