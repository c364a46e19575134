//! Which code for several threads executions came to: parallel regions, creations of threads, tasks, locks.
//!
//! The places are found by the functions that the user's code calls; every machine that runs the module notes when it makes one of these
//! calls. What no execution came to was not looked at, and a report says so.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use base::{SiteKind, Unreached};

use crate::code::{Callee, Inst};
use crate::module::{Module, PlaceId};

/// A call that begins something for several threads.
#[derive(Debug)]
struct Site {
    /// The function, and the number of the call in it.
    at: (u32, u32),
    kind: SiteKind,
    place: PlaceId,
    reached: AtomicBool,
}

/// The places of a module, sorted by where they are; found when they are asked for first.
///
/// What was reached is no part of what a module is: copies begin anew, and all are equal.
#[derive(Default)]
pub struct Sites(OnceLock<Vec<Site>>);

impl std::fmt::Debug for Sites {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Sites")
    }
}

impl Clone for Sites {
    fn clone(&self) -> Sites {
        Sites::default()
    }
}

impl PartialEq for Sites {
    fn eq(&self, _: &Sites) -> bool {
        true
    }
}

impl Module {
    /// What calling this function begins, if it is something for several threads.
    pub fn site_kind(&self, func: usize) -> Option<SiteKind> {
        let function = &self.funcs[func];
        kind(&function.name).or_else(|| function.system.then(|| kind_in_cpp(&function.display)).flatten())
    }

    fn sites(&self) -> &[Site] {
        self.sites.0.get_or_init(|| {
            let kinds: Vec<_> = (0..self.funcs.len()).map(|func| self.site_kind(func)).collect();
            let mut sites = Vec::new();
            for (number, function) in self.funcs.iter().enumerate().filter(|(_, f)| !f.system) {
                let Some(body) = &function.body else { continue };
                for (pc, inst) in body.code.iter().enumerate() {
                    let (Inst::Call { site } | Inst::Invoke { site, .. }) = inst else { continue };
                    let Callee::Direct(callee) = body.calls[*site as usize].callee else { continue };
                    if let Some(kind) = kinds[callee.0 as usize] {
                        let at = (number as u32, *site);
                        let reached = AtomicBool::new(false);
                        sites.push(Site { at, kind, place: body.places[pc], reached });
                    }
                }
            }
            sites.sort_by_key(|site| site.at);
            sites
        })
    }

    /// A machine makes this call of this function.
    pub fn reach(&self, func: u32, call: u32) {
        if let Ok(at) = self.sites().binary_search_by_key(&(func, call), |site| site.at) {
            self.sites()[at].reached.store(true, Ordering::Relaxed);
        }
    }

    /// Which of the places were reached, for [`Module::reached_before`].
    pub fn reached(&self) -> Vec<bool> {
        self.sites().iter().map(|site| site.reached.load(Ordering::Relaxed)).collect()
    }

    /// These places of the same module were reached earlier.
    pub fn reached_before(&self, reached: &[bool]) {
        for (site, _) in self.sites().iter().zip(reached).filter(|(_, reached)| **reached) {
            site.reached.store(true, Ordering::Relaxed);
        }
    }

    /// What was reached since the module was made, and what was not. One line of the source counts once, and is reached if one of
    /// its calls was.
    pub fn coverage(&self) -> Vec<(Unreached, bool)> {
        let mut all: Vec<(Unreached, bool)> = Vec::new();
        for site in self.sites() {
            let Some(place) = self.place(site.place) else { continue };
            let reached = site.reached.load(Ordering::Relaxed);
            let same = |(u, _): &&mut (Unreached, bool)| {
                (u.kind, &u.place.file, u.place.line) == (site.kind, &place.file, place.line)
            };
            match all.iter_mut().find(same) {
                Some((_, known)) => *known |= reached,
                None => all.push((Unreached { kind: site.kind, place }, reached)),
            }
        }
        all
    }
}

fn kind(name: &str) -> Option<SiteKind> {
    Some(match name {
        "__kmpc_fork_call" | "__kmpc_fork_call_if" | "__kmpc_fork_teams" | "__kmpc_serialized_parallel" => {
            SiteKind::Region
        }
        "pthread_create" | "thrd_create" => SiteKind::Thread,
        "__kmpc_omp_task"
        | "__kmpc_omp_task_with_deps"
        | "__kmpc_omp_task_begin_if0"
        | "__kmpc_taskloop"
        | "__kmpc_taskloop_5" => SiteKind::Task,
        "pthread_mutex_lock"
        | "pthread_mutex_trylock"
        | "pthread_mutex_timedlock"
        | "mtx_lock"
        | "mtx_trylock"
        | "pthread_rwlock_rdlock"
        | "pthread_rwlock_wrlock"
        | "pthread_spin_lock"
        | "__kmpc_critical"
        | "__kmpc_critical_with_hint"
        | "omp_set_lock"
        | "omp_set_nest_lock"
        | "omp_test_lock" => SiteKind::Lock,
        _ => return None,
    })
}

/// Of the standard library of C++, by the name that people know.
fn kind_in_cpp(display: &str) -> Option<SiteKind> {
    let starts = |names: &[&str]| names.iter().any(|name| display.starts_with(name));
    if starts(&["std::thread::thread<", "std::jthread::jthread<", "std::async<"]) {
        Some(SiteKind::Thread)
    } else if starts(&["std::mutex::lock(", "std::lock_guard<", "std::unique_lock<", "std::scoped_lock<"])
        && !display.contains('~')
    {
        Some(SiteKind::Lock)
    } else {
        None
    }
}
