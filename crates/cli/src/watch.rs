//! Limits and signals that hold whatever the work does.
//!
//! The work runs in a thread of its own, and asks its [`Budget`] whether to go on. Whoever started it looks at the budget as well, and at
//! the signals that came (SIGINT, SIGTERM: they use the budget up). If the work does not end soon after that, what is known so far
//! is told in its place, temporary folders are removed, and the process ends. A second signal ends it at once.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use base::Budget;
use base::budget::{Spent, resident};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// Time between two looks.
const LOOK: Duration = Duration::from_millis(10);
/// How long the work may take to end when its budget is used up: so long, or this part of the time that it had.
const GRACE: (Duration, u32) = (Duration::from_millis(500), 25);
/// Its stack; most of it is never touched.
const STACK: usize = 256 << 20;
/// What a shell adds to the number of a signal to make an exit code of it.
const SIGNALLED: u8 = 128;

/// Folders to remove if the process ends in the middle of the work.
static FOLDERS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A temporary folder is to be removed, whatever happens.
pub fn remember(folder: PathBuf) {
    if let Ok(mut folders) = FOLDERS.lock() {
        folders.push(folder);
    }
}

/// The exit code of a command that a signal ended; `otherwise` if none did.
pub fn exit_code(budget: Budget, otherwise: u8) -> u8 {
    match budget.spent() {
        Some(Spent::Interrupted(signal)) => SIGNALLED + signal as u8,
        _ => otherwise,
    }
}

/// What whoever watches is told by the work.
#[derive(Default)]
pub struct Stage {
    over: AtomicBool,
}

impl Stage {
    /// Everything is decided: what follows is told by the work itself.
    pub fn is_over(&self) {
        self.over.store(true, Ordering::SeqCst);
    }
}

/// Does the work under a budget. If it does not end when it should, `late` tells what is known and gives the exit code.
pub fn guarded<T: Send>(
    budget: Budget,
    work: impl FnOnce(&Stage) -> Result<T> + Send,
    late: impl FnOnce(Spent) -> u8,
) -> Result<T> {
    let signals = signals().context("cannot watch for signals")?;
    let stage = Stage::default();
    std::thread::scope(|scope| {
        let (done, ended) = mpsc::channel();
        let worker = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || {
            let _ended = Ended(done);
            work(&stage)
        });
        let worker = worker.context("cannot start a thread")?;
        let mut since: Option<(Spent, Instant)> = None;
        while ended.recv_timeout(LOOK) == Err(mpsc::RecvTimeoutError::Timeout) {
            let signal = signals.load(Ordering::Relaxed);
            if signal != 0 {
                budget.interrupt(signal as i32);
            }
            since = since.or_else(|| budget.spent().map(|spent| (spent, Instant::now())));
            let Some((spent, at)) = since else { continue };
            let much = budget.memory().is_some_and(|most| resident().is_some_and(|now| now > most / 20 * 21));
            let grace = GRACE.0.max((budget.elapsed() - at.elapsed()) / GRACE.1);
            if (at.elapsed() > grace || much) && !stage.over.load(Ordering::SeqCst) {
                let code = late(spent);
                remove_folders();
                std::process::exit(i32::from(exit_code(budget, code)));
            }
        }
        match worker.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// Says that the work has ended, however it did.
struct Ended(mpsc::Sender<()>);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = self.0.send(());
    }
}

fn remove_folders() {
    let folders = FOLDERS.lock().map(|mut all| std::mem::take(&mut *all)).unwrap_or_default();
    for folder in folders {
        let _ = std::fs::remove_dir_all(folder);
    }
}

/// The number of the signal that came; a second one ends the process.
fn signals() -> std::io::Result<Arc<AtomicUsize>> {
    let came = Arc::new(AtomicUsize::new(0));
    let again = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        flag::register_conditional_shutdown(signal, i32::from(SIGNALLED) + signal, Arc::clone(&again))?;
        flag::register(signal, Arc::clone(&again))?;
        flag::register_usize(signal, Arc::clone(&came), signal as usize)?;
    }
    Ok(came)
}
