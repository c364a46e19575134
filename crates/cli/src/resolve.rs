//! What the command line means: files that exist, ranges as lists of bounds, sizes as bytes.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use base::{Bound, Budget, Build, Property, budget};
use decide::{Judge, SearchLimits};

use crate::args::{self, Allocation, BoundArgs, BuildArgs, Distributions, Engine, LimitArgs};
use crate::build::{self, kept};
use crate::request::{CheckRequest, Limits};
use crate::settings::{self, Settings};
use crate::units;

/// The thread counts that a program sees when nothing else is said.
pub const DEFAULT_THREADS: &str = "2..4";
/// More combinations than this are refused: each is a search of its own.
const MOST_BOUNDS: u128 = 10_000;
/// How long a check takes at most unless the user says otherwise: nobody should wait for ever for "unknown".
const DEFAULT_TIME: &str = "5m";
/// Thread counts beyond this are a typing error.
const MOST_THREADS: i64 = 1024;

/// How many threads can work at a time here.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// What was asked for, by the command line and then by the settings: a program, its inputs, when to stop.
#[derive(Debug, Clone, Default)]
pub struct Asked {
    /// The files of the program.
    pub files: Vec<PathBuf>,
    /// Where it comes from otherwise.
    pub build: BuildArgs,
    /// Its inputs.
    pub bounds: BoundArgs,
    /// When to stop.
    pub limits: LimitArgs,
    /// Which distributions of OpenMP's work.
    pub distributions: Distributions,
    /// Whether memory allocation can fail.
    pub allocation: Option<Allocation>,
    /// What decides.
    pub engine: Option<Engine>,
    /// What an answer is demanded about.
    pub properties: Vec<args::Property>,
    /// How hard a verdict `race-free` is tried.
    pub judge: Judge,
    /// Flags for clang.
    pub flags: Vec<String>,
}

/// The request that the arguments of `check` mean, and what the user should know about it.
pub fn check(asked: &Asked, settings: &Settings) -> Result<(CheckRequest, Vec<String>)> {
    let mut asked = asked.clone();
    settings.program(&mut asked)?;
    let program = program(&asked)?;
    settings.fill(&mut asked, &program.inputs);
    let no_macros = program.inputs.iter().all(|file| is_llvm(file) || is_built(file));
    if !asked.bounds.defines.is_empty() && no_macros {
        bail!(
            "--define has no effect on what is compiled already (LLVM files, and what `raceproof cc` built): give the \
             sources instead"
        );
    }
    let limits = limits(&asked.limits)?;
    let threads = asked.bounds.threads.as_deref().unwrap_or(DEFAULT_THREADS);
    let mut bounds = bounds(threads, &asked.bounds.args, &asked.bounds.defines)?;
    for variable in &asked.bounds.env {
        environment(variable).context("--env")?;
    }
    bounds.iter_mut().for_each(|b| b.env.clone_from(&asked.bounds.env));
    if asked.distributions == Distributions::Default {
        bounds.iter_mut().for_each(|b| b.distributions = base::Distributions::Default);
    }
    if asked.allocation == Some(Allocation::MayFail) {
        bounds.iter_mut().for_each(|b| b.allocation = base::Allocation::MayFail);
    }
    let request = CheckRequest {
        inputs: program.inputs,
        build: program.build,
        flags: asked.flags,
        bounds,
        limits,
        engine: asked.engine.unwrap_or(Engine::Auto),
        properties: properties(&asked.properties),
        judge: asked.judge,
        threads_open: asked.bounds.threads.is_none(),
    };
    Ok((request, program.notes))
}

/// What an answer is demanded about: races always, if about anything.
fn properties(asked: &[args::Property]) -> Vec<Property> {
    let wanted = |property: &Property| {
        let one = match property {
            Property::Races => return true,
            Property::Deadlocks => args::Property::Deadlocks,
            Property::Assertions => args::Property::Assertions,
            Property::Memory => args::Property::Memory,
        };
        asked.contains(&one) || asked.contains(&args::Property::All)
    };
    if asked.is_empty() { Vec::new() } else { Property::ALL.into_iter().filter(wanted).collect() }
}

/// When to stop; the time begins now.
fn limits(asked: &LimitArgs) -> Result<Limits> {
    let time = asked.time_limit.as_deref().unwrap_or(DEFAULT_TIME);
    let memory = asked.memory_limit.as_deref().map(units::size).transpose().context("--memory-limit")?;
    let count = |text: &Option<String>, option| text.as_deref().map(units::count).transpose().context(option);
    let budget = budget::Limits {
        time: time_limit(time).context("--time-limit")?,
        memory: memory.or_else(default_memory_limit),
        instructions: count(&asked.max_instructions, "--max-instructions")?,
    };
    let search = SearchLimits {
        states: count(&asked.max_states, "--max-states")?,
        depth: count(&asked.max_depth, "--max-depth")?,
        jobs: asked.jobs.map_or_else(cores, usize::from),
    };
    Ok(Limits { budget: Budget::new(budget), search })
}

/// `NAME=VALUE`, a variable of the environment.
pub fn environment(variable: &str) -> Result<()> {
    base::environment::check(variable).map_err(anyhow::Error::msg)
}

/// A time, or `none`.
pub fn time_limit(text: &str) -> Result<Option<std::time::Duration>> {
    if text == "none" { Ok(None) } else { units::time(text).map(Some) }
}

/// Files that together are a program.
#[derive(Debug, Default)]
struct Program {
    inputs: Vec<PathBuf>,
    build: Build,
    notes: Vec<String>,
}

/// The program that was asked for.
fn program(asked: &Asked) -> Result<Program> {
    let entries = asked.build.entry.clone();
    if let Some(build) = &asked.build.build {
        let selected = build::select(build, &asked.files, asked.build.target.as_deref())?;
        let inputs = selected.units.iter().map(|unit| PathBuf::from(&unit.file)).collect();
        let build = Build { units: selected.units, entries };
        return Ok(Program { inputs, build, notes: selected.notes });
    }
    if let Some(target) = &asked.build.target {
        bail!("--target {target} chooses a program of a build: say which with --build DIR");
    }
    if asked.files.is_empty() {
        bail!(
            "no FILE is given: name the files of the program, its build (--build DIR), or put `files` or `build` into {}",
            settings::NAME
        );
    }
    let inputs = inputs(&asked.files)?;
    let mut notes = Vec::new();
    for file in inputs.iter().filter(|file| is_built(file)) {
        for source in kept::changed(&kept::read(file)?) {
            let (source, file) = (build::shown(Path::new(source)), file.display());
            notes.push(format!(
                "`{source}` has changed since `{file}` was built; the check is of what was built"
            ));
        }
    }
    Ok(Program { inputs, build: Build { units: Vec::new(), entries }, notes })
}

/// Whether a file is what a compiler made: an object, a program or a library.
pub fn is_built(file: &Path) -> bool {
    !is_source(file) && !is_llvm(file) && kept::is_built(file)
}

fn is_source(file: &Path) -> bool {
    SOURCES.contains(&extension(file))
}

const SOURCES: [&str; 8] = ["c", "cc", "cpp", "cxx", "c++", "C", "i", "ii"];
const LLVM: [&str; 2] = ["bc", "ll"];

fn extension(file: &Path) -> &str {
    file.extension().and_then(|extension| extension.to_str()).unwrap_or("")
}

fn is_llvm(file: &Path) -> bool {
    LLVM.contains(&extension(file))
}

/// Whether a file is of a program, by its name or its first bytes.
pub fn is_program(file: &Path) -> bool {
    is_source(file) || is_llvm(file) || is_built(file)
}

/// The inputs, each checked to be a file of a known kind.
pub fn inputs(files: &[PathBuf]) -> Result<Vec<PathBuf>> {
    for file in files {
        let shown = file.display();
        if file.to_str().is_none() {
            bail!("the name of `{shown}` is no UTF-8: rename the file");
        }
        let named = is_source(file) || is_llvm(file);
        if !named && !is_built(file) && (!extension(file).is_empty() || file.exists()) {
            bail!(
                "expected a C or C++ file (.c, .cc, .cpp, .cxx, .i, .ii), an LLVM file (.bc, .ll) or a program that \
                 `raceproof cc` built, found `{shown}`; flags for clang come after `--`"
            );
        }
        let metadata = std::fs::metadata(file).with_context(|| format!("cannot read `{shown}`"))?;
        if !metadata.is_file() {
            bail!("cannot read `{shown}`: it is no file");
        }
    }
    Ok(files.to_vec())
}

/// One dimension of the bounds: the values to go through.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Values {
    /// A text.
    One(String),
    /// Numbers.
    Range(units::Range),
}

impl Values {
    fn parse(text: &str) -> Result<Values> {
        match units::range(text) {
            Some(range) => Ok(Values::Range(range?)),
            None => Ok(Values::One(text.strip_prefix("text:").unwrap_or(text).to_owned())),
        }
    }

    fn len(&self) -> u128 {
        match self {
            Values::One(_) => 1,
            Values::Range(range) => range.len(),
        }
    }

    fn list(&self) -> Vec<String> {
        match self {
            Values::One(text) => vec![text.clone()],
            Values::Range(range) => (range.low..=range.high).map(|number| number.to_string()).collect(),
        }
    }
}

/// All combinations of all ranges: macros outermost, because each set of them is compiled once, then threads, then
/// arguments; small values first, because what they show is easier to read.
fn bounds(threads: &str, args: &[String], defines: &[String]) -> Result<Vec<Bound>> {
    let threads = thread_range(threads).context("--threads")?;
    let args: Vec<Values> =
        args.iter().map(|text| Values::parse(text).context("--arg")).collect::<Result<_>>()?;
    let defines: Vec<(String, Option<Values>)> =
        defines.iter().map(|text| definition(text).context("--define")).collect::<Result<_>>()?;

    let lengths =
        args.iter().chain(defines.iter().filter_map(|(_, values)| values.as_ref())).map(Values::len);
    let total = lengths.fold(threads.len(), u128::saturating_mul);
    if total > MOST_BOUNDS {
        bail!(
            "the ranges of --threads, --arg and --define make {total} combinations, and each is checked on its own: \
             at most {MOST_BOUNDS} are taken, so narrow a range"
        );
    }

    let mut bounds = Vec::new();
    for defines in combinations(&define_lists(&defines)) {
        for threads in threads.low..=threads.high {
            for args in combinations(&args.iter().map(Values::list).collect::<Vec<_>>()) {
                // `thread_range` keeps the numbers small.
                let (threads, defines) = (threads as u32, defines.clone());
                bounds.push(Bound { threads, args, defines, ..Bound::default() });
            }
        }
    }
    Ok(bounds)
}

/// One number of threads, or a range of them.
pub fn thread_range(text: &str) -> Result<units::Range> {
    let range = match units::range(text) {
        Some(range) => range?,
        None => {
            let one =
                text.parse().ok().with_context(|| format!("expected a number or LO..HI, found `{text}`"))?;
            units::Range { low: one, high: one }
        }
    };
    if range.low < 1 || range.high > MOST_THREADS {
        bail!("expected numbers of threads from 1 to {MOST_THREADS}, found `{text}`");
    }
    Ok(range)
}

/// `NAME`, `NAME=VALUE` or `NAME=LO..HI`.
pub fn definition(text: &str) -> Result<(String, Option<Values>)> {
    let (name, value) = match text.split_once('=') {
        Some((name, value)) => (name, Some(Values::parse(value)?)),
        None => (text, None),
    };
    let starts_well = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if !starts_well || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
        bail!("expected NAME, NAME=VALUE or NAME=LO..HI, found `{text}`");
    }
    Ok((name.to_owned(), value))
}

fn define_lists(defines: &[(String, Option<Values>)]) -> Vec<Vec<String>> {
    let list = |(name, values): &(String, Option<Values>)| match values {
        None => vec![name.clone()],
        Some(values) => values.list().into_iter().map(|value| format!("{name}={value}")).collect(),
    };
    defines.iter().map(list).collect()
}

/// Every way to take one value of each list, the last list varying fastest.
fn combinations(lists: &[Vec<String>]) -> Vec<Vec<String>> {
    let mut all: Vec<Vec<String>> = vec![Vec::new()];
    for list in lists {
        all = all
            .iter()
            .flat_map(|prefix| {
                list.iter().map(move |value| {
                    let mut next = prefix.clone();
                    next.push(value.clone());
                    next
                })
            })
            .collect();
    }
    all
}

/// Three quarters of the memory that is free, or of what the control group allows: a search that is told when to stop
/// ends with an answer, one that the system kills does not.
pub fn default_memory_limit() -> Option<u64> {
    let free = std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| meminfo(&text));
    let allowed = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"]
        .iter()
        .find_map(|file| std::fs::read_to_string(file).ok()?.trim().parse::<u64>().ok());
    let limit = match (free, allowed) {
        (Some(free), Some(allowed)) => free.min(allowed),
        (free, allowed) => free.or(allowed)?,
    };
    Some(limit / 4 * 3)
}

fn meminfo(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    kilobytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| text.to_string()).collect()
    }

    fn all(threads: &str, args: &[&str], defines: &[&str]) -> Result<Vec<Bound>> {
        bounds(threads, &texts(args), &texts(defines))
    }

    fn bound(threads: u32, args: &[&str], defines: &[&str]) -> Bound {
        Bound { threads, args: texts(args), defines: texts(defines), ..Bound::default() }
    }

    #[test]
    fn nothing_given_is_two_to_four_threads() {
        let expected = [2, 3, 4].map(|threads| bound(threads, &[], &[]));
        assert_eq!(all(DEFAULT_THREADS, &[], &[]).unwrap(), expected);
    }

    #[test]
    fn ranges_are_multiplied_out_with_macros_outermost() {
        let bounds = all("1..2", &["5", "1..2"], &["N=7..8", "FAST"]).unwrap();
        assert_eq!(bounds.len(), 8);
        assert_eq!(bounds[0], bound(1, &["5", "1"], &["N=7", "FAST"]));
        assert_eq!(bounds[1], bound(1, &["5", "2"], &["N=7", "FAST"]));
        assert_eq!(bounds[2], bound(2, &["5", "1"], &["N=7", "FAST"]));
        assert_eq!(bounds[7], bound(2, &["5", "2"], &["N=8", "FAST"]));
    }

    #[test]
    fn texts_are_taken_as_they_are() {
        assert_eq!(
            all("2", &["a..b", "text:1..3", "-x", ""], &[]).unwrap(),
            [bound(2, &["a..b", "1..3", "-x", ""], &[])]
        );
        assert_eq!(all("2", &[], &["S=\"a=b\""]).unwrap(), [bound(2, &[], &["S=\"a=b\""])]);
    }

    #[test]
    fn wrong_ranges_are_refused_with_what_was_expected() {
        let error = |result: Result<Vec<Bound>>| format!("{:#}", result.unwrap_err());
        assert!(error(all("0", &[], &[])).contains("from 1 to 1024"));
        assert!(error(all("x", &[], &[])).contains("expected a number or LO..HI, found `x`"));
        assert!(error(all("4..2", &[], &[])).contains("did you mean `2..4`"));
        assert!(error(all("2", &["9..1"], &[])).starts_with("--arg: "));
        assert!(error(all("2", &[], &["1N=3"])).contains("expected NAME"));
        assert!(error(all("2", &["1..1000", "1..1000"], &[])).contains("make 1000000 combinations"));
        let huge = format!("{}..{}", i64::MIN, i64::MAX);
        assert!(error(all("2", &[&huge, &huge, &huge], &[])).contains("combinations"));
    }

    #[test]
    fn free_memory_is_read_from_the_system() {
        assert_eq!(meminfo("MemTotal: 9 kB\nMemAvailable:    2048 kB\n"), Some(2 << 20));
        assert_eq!(meminfo("nothing"), None);
    }
}
