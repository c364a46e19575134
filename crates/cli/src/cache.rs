//! Answers of earlier checks, so that an unchanged program is not checked again.
//!
//! An answer is kept under a key, a SHA-256 hash over all that decides it: this raceproof itself, the bitcode of every file
//! with every set of macros, the OpenMP directives, the bounds, the engine, the limits of states and depth, and the names
//! under which the files are shown. Kept are answers that a limit of time or memory had no part in: a proof, and findings
//! whose search ended by itself. Entries are single files, written whole and then renamed; one that cannot be read is none.
//! The oldest are removed when they become too many.

use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use base::{CheckReport, Verdict};
use serde::{Deserialize, Serialize};

/// The largest size of all entries together.
const LARGEST: u64 = 64 << 20;
/// How many entries there are at most.
const MOST: usize = 2000;
/// What an entry says it is.
const FORMAT: &str = "raceproof-cache-1";

/// One answer.
#[derive(Serialize, Deserialize)]
struct Entry {
    format: String,
    key: String,
    checked: String,
    report: CheckReport,
}

/// A folder of answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cache(PathBuf);

impl Cache {
    /// The user's: `$XDG_CACHE_HOME/raceproof`, or `~/.cache/raceproof`.
    pub fn of_user() -> Option<Cache> {
        let absolute =
            |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let folder = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")))?;
        Some(Cache(folder.join("raceproof")))
    }

    fn file(&self, key: &str) -> PathBuf {
        self.0.join(format!("{key}.json"))
    }

    /// The answer to a question, if it is known.
    pub fn get(&self, key: &str) -> Option<CheckReport> {
        let text = std::fs::read_to_string(self.file(key)).ok()?;
        let entry: Entry = serde_json::from_str(&text).ok()?;
        if entry.format != FORMAT || entry.key != key || entry.report.version != base::SCHEMA_VERSION {
            return None;
        }
        Some(CheckReport { cached: Some(entry.checked), ..entry.report })
    }

    /// Keeps an answer that limits of time and memory had no part in, if it is one to keep: not `unknown`. A cache that
    /// cannot be written is no reason to complain.
    pub fn put(&self, key: &str, report: &CheckReport) {
        if report.verdict == Verdict::Unknown {
            return;
        }
        let entry = Entry {
            format: FORMAT.into(),
            key: key.into(),
            checked: date(SystemTime::now()),
            report: report.clone(),
        };
        let Ok(text) = serde_json::to_string(&entry) else { return };
        if text.len() as u64 > LARGEST / 4 || std::fs::create_dir_all(&self.0).is_err() {
            return;
        }
        let temporary = self.0.join(format!("{key}.{}", std::process::id()));
        let written =
            std::fs::write(&temporary, text).and_then(|()| std::fs::rename(&temporary, self.file(key)));
        if written.is_err() {
            let _ = std::fs::remove_file(&temporary);
        }
        self.trim(LARGEST, MOST);
    }

    /// Removes the oldest entries until the rest fits.
    fn trim(&self, largest: u64, most: usize) {
        let Ok(entries) = std::fs::read_dir(&self.0) else { return };
        let mut files: Vec<(SystemTime, PathBuf, u64)> = entries
            .flatten()
            .filter_map(|entry| {
                let metadata = entry.metadata().ok()?;
                Some((metadata.modified().ok()?, entry.path(), metadata.len()))
            })
            .collect();
        files.sort();
        let mut total: u64 = files.iter().map(|(_, _, size)| size).sum();
        let mut count = files.len();
        for (_, file, size) in files {
            if total <= largest && count <= most {
                return;
            }
            let _ = std::fs::remove_file(file);
            total -= size;
            count -= 1;
        }
    }
}

/// What identifies this raceproof: its version, and its program file.
pub fn this_raceproof() -> String {
    let file = std::env::current_exe().ok().and_then(|exe| std::fs::metadata(exe).ok());
    let built = file.as_ref().and_then(|file| file.modified().ok()?.duration_since(UNIX_EPOCH).ok());
    let size = file.map_or(0, |file| file.len());
    format!("{} {size} {}", env!("CARGO_PKG_VERSION"), built.map_or(0, |built| built.as_nanos()))
}

/// A time in UTC, as in `2026-01-31T12:00:00Z`.
fn date(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (days, rest) = ((seconds / 86_400) as i64, seconds % 86_400);
    // Days to a date of the Gregorian calendar, with years that begin in March.
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = era * 400 + year_of_era + i64::from(month <= 2);
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn report(verdict: Verdict, reason: Option<base::Reason>) -> CheckReport {
        CheckReport {
            version: base::SCHEMA_VERSION,
            verdict,
            reason_words: None,
            reason,
            reason_place: None,
            bounds: vec![],
            races: vec![],
            defects: vec![],
            assumptions: vec!["x".into()],
            stats: base::Stats { seconds: 0.1 + 0.2, compile_seconds: 1.0 / 3.0, ..base::Stats::default() },
            files: vec!["a.c".into()],
            flags: vec![],
            build: None,
            cached: None,
            ..CheckReport::default()
        }
    }

    #[test]
    fn answers_come_back_as_they_were() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache(folder.path().join("raceproof"));
        let kept = report(Verdict::RaceFree, None);
        assert_eq!(cache.get("k"), None);
        cache.put("k", &kept);
        let found = cache.get("k").unwrap();
        assert!(found.cached.as_ref().is_some_and(|date| date.len() == 20 && date.ends_with('Z')));
        assert_eq!(CheckReport { cached: None, ..found }, kept);
        assert_eq!(cache.get("other"), None);
        std::fs::copy(cache.file("k"), cache.file("other")).unwrap();
        assert_eq!(cache.get("other"), None, "an entry knows its key");
        let text = std::fs::read_to_string(cache.file("k")).unwrap();
        std::fs::write(cache.file("k"), &text[..text.len() / 2]).unwrap();
        assert_eq!(cache.get("k"), None);
    }

    #[test]
    fn what_is_unknown_is_not_kept() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache(folder.path().join("raceproof"));
        cache
            .put("k", &report(Verdict::Unknown, Some(base::Reason::NotTranslated { what: "setjmp".into() })));
        assert_eq!(cache.get("k"), None);
    }

    #[test]
    fn the_oldest_go_first() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache(folder.path().to_owned());
        for (index, name) in ["c", "a", "b"].iter().enumerate() {
            std::fs::write(cache.file(name), [0; 100]).unwrap();
            let file = std::fs::File::options().write(true).open(cache.file(name)).unwrap();
            file.set_modified(UNIX_EPOCH + Duration::from_secs(1000 + index as u64)).unwrap();
        }
        cache.trim(250, 10);
        assert!(!cache.file("c").exists() && cache.file("a").exists());
        cache.trim(250, 1);
        assert!(!cache.file("a").exists() && cache.file("b").exists());
    }

    #[test]
    fn dates() {
        let at = |seconds| date(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(at(0), "1970-01-01T00:00:00Z");
        assert_eq!(at(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(at(1_767_225_599), "2025-12-31T23:59:59Z");
        assert_eq!(at(1_794_816_000), "2026-11-16T08:00:00Z");
    }
}
