//! The stages: what is asked, and what comes of each mutant.

use std::collections::{BTreeSet, HashMap};
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use anyhow::Context;
use base::mutant::{ACTIVE, SEEN, WATCH};
use certify::Certificate;
use prove::Proof;

use crate::Options;
use crate::ask::{self, Answer};
use crate::child;
use crate::forge;
use crate::programs::{self, Program};

/// What takes longer is not asked.
const LONG: Duration = Duration::from_millis(60);
/// How long a mutant is tried: by what it could get wrong, and by what it could lose.
const TIME: [Duration; 2] = [Duration::from_millis(400), Duration::from_millis(100)];
/// Wrong answers of a mutant that are looked at, until one is not caught.
const WRONG: usize = 4;
/// Changed certificates of each program.
const FORGED: usize = 8;
/// Files that find races, or only write down: mutants there come last.
const LATE: [&str; 3] = ["predicted.rs", "races.rs", "witness.rs"];

/// A mutant.
struct Mutant {
    id: u32,
    file: String,
    /// Line, function and what it is.
    rest: String,
}

/// What is asked.
enum Item {
    /// Is it proved?
    Prove,
    /// What does the race graph say?
    Search,
    /// Is this certificate accepted?
    Certificate(Box<Certificate>),
    /// Does what holds for two threads and for three hold for more?
    Team(Vec<Certificate>),
}

/// A question, with its answer without a mutant.
struct Test {
    program: usize,
    item: Item,
    clean: Answer,
    time: Duration,
    /// Mutants that could matter.
    seen: Vec<u64>,
    /// How often it has found something.
    kills: usize,
}

/// What is known while mutants are tried.
struct Campaign {
    stage: String,
    programs: Vec<Program>,
    tests: Vec<Test>,
    mutants: Vec<Mutant>,
    results: String,
    end: Instant,
    patience: u32,
}

/// Runs stages one after the other, each for so many minutes at most.
pub fn run(options: &Options) -> anyhow::Result<()> {
    let began = Instant::now();
    let only = &options.only;
    let mut programs = programs::all(&options.folders, only.is_empty())?;
    println!("{} programs after {:.0?}", programs.len(), began.elapsed());
    let list = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../mutants.tsv");
    let list = std::fs::read_to_string(list)?;
    for stage in options.stages.split(',') {
        let end = Instant::now() + Duration::from_secs(60 * options.minutes);
        let mut mutants = mutants(&list, &format!("crates/{stage}/"))?;
        mutants.retain(|m| only.is_empty() || only.contains(&m.id));
        let patience = if only.is_empty() { 1 } else { 20 };
        let (tests, results, of_stage) = (Vec::new(), options.results.clone(), stage.to_owned());
        let mut campaign = Campaign { stage: of_stage, programs, tests, mutants, results, end, patience };
        campaign.prepare()?;
        println!("{stage}: {} questions after {:.0?}", campaign.tests.len(), began.elapsed());
        campaign.all()?;
        programs = campaign.programs;
    }
    Ok(())
}

/// The time that this process has computed.
fn computed() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a local.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// The mutants of a part, in an order of no meaning, late ones last.
fn mutants(text: &str, part: &str) -> anyhow::Result<Vec<Mutant>> {
    let mut all = Vec::new();
    for line in text.lines() {
        let mut fields = line.splitn(3, '\t');
        let mut field = || fields.next().context("a field");
        let (id, file, rest) = (field()?.parse()?, field()?.to_owned(), field()?.to_owned());
        if file.starts_with(part) {
            all.push(Mutant { id, file, rest });
        }
    }
    let late = |m: &Mutant| LATE.iter().any(|l| m.file.ends_with(l));
    all.sort_by_key(|m| (late(m), (u64::from(m.id) ^ 0x5eed).wrapping_mul(0x9e37_79b9_7f4a_7c15)));
    Ok(all)
}

impl Campaign {
    /// Asks everything without a mutant, and finds out which mutants could matter.
    fn prepare(&mut self) -> anyhow::Result<()> {
        let mut items: Vec<(usize, Item)> = Vec::new();
        for p in 0..self.programs.len() {
            match self.stage.as_str() {
                "prove" => items.push((p, Item::Prove)),
                "machine" if !is_openmp(&self.programs[p]) => {}
                "machine" => items.extend([(p, Item::Prove), (p, Item::Search)]),
                _ => self.certificates(p, &mut items),
            }
        }
        if self.stage == "certify" {
            // Those of mutants come from all rules, too.
            if self.of_mutants(&mut items)? == 0 {
                self.without_rules(&mut items);
            }
        }
        let mut forged: HashMap<usize, usize> = HashMap::new();
        for (program, item) in items {
            let mut test =
                Test { program, item, clean: Answer::Open, time: LONG, seen: Vec::new(), kills: 0 };
            let began = computed();
            test.clean = self.ask(&test).0;
            test.time = computed() - began;
            let good = !self.programs[program].bad;
            if !good && test.clean == Answer::Free {
                self.tell_wrong(&test);
            }
            // Of changed certificates only those that are refused say something.
            if good && test.clean == Answer::Open && matches!(test.item, Item::Certificate(_)) {
                let count = forged.entry(program).or_default();
                *count += 1;
                if *count > FORGED {
                    continue;
                }
            }
            if test.time > LONG || test.clean == Answer::Crash {
                continue;
            }
            SEEN.iter().for_each(|word| word.store(0, Relaxed));
            ACTIVE.store(WATCH, Relaxed);
            self.ask(&test);
            ACTIVE.store(0, Relaxed);
            let words = self.range();
            test.seen = SEEN[words].iter().map(|word| word.load(Relaxed)).collect();
            self.tests.push(test);
        }
        Ok(())
    }

    /// Without any mutant something is wrong, unless it takes three threads: who else sees it.
    fn tell_wrong(&self, test: &Test) {
        let Program { module, name, .. } = &self.programs[test.program];
        match &test.item {
            Item::Prove => {
                let Some(proof) = ask::prove(module, 2).1 else { return };
                println!("{name}: proved, {}", self.caught(test.program, &proof, 0, 0));
            }
            Item::Certificate(c) => {
                let text = serde_json::to_string(c).unwrap_or_default();
                println!("{name}: certified, {} bytes of certificate", text.len());
            }
            Item::Search | Item::Team(_) => println!("{name}: answered wrongly"),
        }
    }

    /// The words of [`SEEN`] that this stage's mutants have.
    fn range(&self) -> std::ops::Range<usize> {
        let ids = || self.mutants.iter().map(|m| m.id as usize);
        ids().min().unwrap_or(0) / 64..ids().max().unwrap_or(0) / 64 + 1
    }

    /// The certificate of a proof, the same with changes, and with three threads.
    fn certificates(&self, p: usize, items: &mut Vec<(usize, Item)>) {
        let program = &self.programs[p];
        let proof = |threads| match ask::prove(&program.module, threads).1 {
            Some(Proof::Proved { certificate, .. }) => Some(certificate),
            _ => None,
        };
        let Some(two) = proof(2).filter(|_| !program.bad) else { return };
        let mut changed = forge::changes(&two);
        // Every program gives other changes first.
        let len = changed.len().max(1);
        changed.rotate_left(p * 7 % len);
        if let Some(three) = proof(3) {
            items.push((p, Item::Team(vec![(*two).clone(), *three])));
        }
        items.push((p, Item::Certificate(two)));
        items.extend(changed.into_iter().map(|c| (p, Item::Certificate(Box::new(c)))));
    }

    /// Certificates of wrong proofs: one rule is off.
    fn without_rules(&self, items: &mut Vec<(usize, Item)>) {
        for rule in prove::rules::Rule::ALL {
            let ended = child::run(120, |out| {
                prove::rules::switch_off(&format!("{rule:?}"));
                for (p, program) in self.programs.iter().enumerate().filter(|(_, p)| p.bad) {
                    if let Some(Proof::Proved { certificate, .. }) = ask::prove(&program.module, 2).1 {
                        let _ = serde_json::to_writer(&mut *out, &(p, certificate));
                        let _ = out.write_all(b"\n");
                    }
                }
            });
            for line in ended.text.split(|&b| b == b'\n') {
                if let Ok((p, certificate)) = serde_json::from_slice(line) {
                    items.push((p, Item::Certificate(Box::new(certificate))));
                }
            }
        }
        println!("{} certificates, with those of proofs without a rule", items.len());
    }

    /// Certificates of wrong proofs: those of mutants of the proof; how many.
    fn of_mutants(&self, items: &mut Vec<(usize, Item)>) -> anyhow::Result<usize> {
        let Ok(entries) = std::fs::read_dir(folder(&self.results)) else { return Ok(0) };
        let mut files: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
        files.sort();
        let mut known = BTreeSet::new();
        for file in files {
            let text = std::fs::read_to_string(file)?;
            let Ok((name, certificate)) = serde_json::from_str::<(String, Certificate)>(&text) else {
                continue;
            };
            if let Some(p) = self.programs.iter().position(|p| p.name == name)
                && known.insert(text)
            {
                items.push((p, Item::Certificate(Box::new(certificate))));
            }
        }
        println!("{} certificates of mutants", known.len());
        Ok(known.len())
    }

    fn ask(&self, test: &Test) -> (Answer, Option<Proof>) {
        let module = &self.programs[test.program].module;
        match &test.item {
            Item::Prove => ask::prove(module, 2),
            Item::Search => (ask::search(module), None),
            Item::Certificate(c) => (ask::certify(module, c, 2, &certify::Table::default()).0, None),
            Item::Team(both) => (ask::goes_on(module, both), None),
        }
    }

    /// Tries all mutants that have no result yet.
    fn all(&mut self) -> anyhow::Result<()> {
        let old = std::fs::read_to_string(&self.results).unwrap_or_default();
        let done = old.lines().filter_map(|l| l.split('\t').next()?.parse().ok());
        let done: BTreeSet<u32> = done.filter(|_| self.patience == 1).collect();
        std::fs::create_dir_all(folder(&self.results))?;
        let mut file = OpenOptions::new().create(true).append(true).open(&self.results)?;
        for m in 0..self.mutants.len() {
            let id = self.mutants[m].id;
            if done.contains(&id) {
                continue;
            }
            if Instant::now() > self.end {
                break;
            }
            let (class, caught, by) = self.one(id);
            let Mutant { file: source, rest, .. } = &self.mutants[m];
            writeln!(file, "{id}\t{class}\t{caught}\t{by}\t{source}\t{rest}")?;
        }
        Ok(())
    }

    /// What comes of a mutant, whether a wrong answer is caught, and by which program.
    fn one(&mut self, id: u32) -> (&'static str, String, String) {
        let (word, bit) = (id as usize / 64 - self.range().start, 1 << (id % 64));
        let able = |t: &usize| self.tests[*t].seen[word] & bit != 0;
        let mut able: Vec<usize> = (0..self.tests.len()).filter(able).collect();
        if able.is_empty() {
            return ("unseen", "-".into(), "-".into());
        }
        let could_lose = |t: &Test| t.clean == Answer::Free;
        let rank = |t: &Test| {
            let bad = self.programs[t.program].bad;
            (
                could_lose(t),
                std::cmp::Reverse(usize::from(bad) * (1 + t.kills)),
                std::cmp::Reverse(t.kills),
                t.time,
            )
        };
        able.sort_by_key(|&t| rank(&self.tests[t]));
        let (mut best, mut from) = ((0, "same", "-".to_owned(), "-".to_owned()), 0);
        // What ends the process is left out, and the rest is tried again.
        for _ in 0..3 {
            let ended = child::run(20 * self.patience, |out| self.child(id, &able[from..], out));
            let text = String::from_utf8_lossy(&ended.text).into_owned();
            let mut begun = 0;
            for line in text.lines() {
                let mut fields = line.split(' ');
                let number = fields.next().and_then(|n| n.parse().ok()).unwrap_or(0);
                begun = number + 1;
                let Some(answer) = fields.next() else { continue };
                let t = able[from + number];
                let (weight, class) = self.class(t, Answer::of(answer.as_bytes()[0]));
                let caught = fields.next().unwrap_or("-").to_owned();
                let escaped =
                    best.1 == "wrong" && class == "wrong" && caught == "uncaught" && best.2 != caught;
                if class == "wrong" || class == "forged" {
                    self.tests[t].kills += 1;
                }
                if weight > best.0 || escaped {
                    let name = self.programs[self.tests[t].program].name.clone();
                    best = (weight, class, caught, name.rsplit('/').next().unwrap_or("-").to_owned());
                }
            }
            if ended.whole || best.1 == "wrong" {
                break;
            }
            let class = if ended.late { (2, "stricter") } else { (3, "crash") };
            if class.0 > best.0 {
                best = (class.0, class.1, "-".into(), "-".into());
            }
            from += begun.max(1);
            if from >= able.len() {
                break;
            }
        }
        (best.1, best.2, best.3)
    }

    /// What an answer says of the mutant, and how much that counts.
    fn class(&self, t: usize, answer: Answer) -> (u32, &'static str) {
        let test = &self.tests[t];
        let bad = self.programs[test.program].bad;
        match (test.clean, answer) {
            (clean, answer) if clean == answer => (0, "same"),
            (_, Answer::Free) if bad => (7, "wrong"),
            (_, Answer::Free) if matches!(test.item, Item::Prove | Item::Search) => (5, "looser"),
            (_, Answer::Free) => (6, "forged"),
            (_, Answer::Crash) => (3, "crash"),
            (_, Answer::Found) if !bad => (4, "false"),
            _ => (2, "stricter"),
        }
    }

    /// In a process of its own: asks, and writes down what is answered.
    fn child(&self, id: u32, able: &[usize], out: &mut dyn Write) {
        let (mut began, mut second) = (computed(), false);
        let (mut wrong, mut differs) = (0, false);
        for (number, &t) in able.iter().enumerate() {
            let test = &self.tests[t];
            let (could_lose, bad) = (test.clean == Answer::Free, self.programs[test.program].bad);
            if could_lose && !second {
                (second, began) = (true, computed());
            }
            if computed() - began > TIME[usize::from(second)] * self.patience {
                if second {
                    return;
                }
                continue;
            }
            if second && differs {
                return;
            }
            let _ = write!(out, "{number}");
            ACTIVE.store(id, Relaxed);
            let (answer, proof) = self.ask(test);
            let _ = write!(out, " {}", answer.letter() as char);
            differs |= answer != test.clean;
            let is_wrong = answer == Answer::Free && !could_lose && (bad || self.stage == "certify");
            if is_wrong {
                wrong += 1;
                let caught = match &proof {
                    Some(proof) => self.caught(test.program, proof, id, wrong),
                    None => "uncaught",
                };
                let _ = writeln!(out, " {caught}");
                if wrong == WRONG || caught == "uncaught" {
                    return;
                }
                continue;
            }
            let _ = writeln!(out);
        }
    }

    /// Who catches a wrong proof; the certificate is kept.
    fn caught(&self, program: usize, proof: &Proof, id: u32, wrong: usize) -> &'static str {
        let Proof::Proved { certificate, .. } = proof else { return "uncaught" };
        let Program { module, name, .. } = &self.programs[program];
        let (certified, _) = ask::certify(module, certificate, 2, &certify::Table::default());
        if self.stage == "prove" && id != 0 {
            let file = folder(&self.results).join(format!("{id}-{wrong}.json"));
            let text = serde_json::to_string(&(name, certificate)).unwrap_or_default();
            let _ = std::fs::write(file, text);
        }
        let judged = ask::judge(module, proof);
        match (certified == Answer::Free, judged) {
            (false, true) => "by-both",
            (false, false) => "by-certify",
            (true, true) => "by-judge",
            (true, false) => "uncaught",
        }
    }
}

fn is_openmp(program: &Program) -> bool {
    program.module.funcs.iter().any(|f| f.name.starts_with("__kmpc"))
}

/// The folder of certificates beside the results.
fn folder(results: &str) -> PathBuf {
    PathBuf::from(format!("{results}.certificates"))
}
