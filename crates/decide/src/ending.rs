//! How a program ends that never comes to its code for several threads.

use std::cell::RefCell;
use std::rc::Rc;

use base::reason::{ProgramEnd, Reason};
use base::{Coverage, SiteKind};
use explore::Config;
use judge::schedule::{self, Point};
use machine::observe::{Edge, Observer};
use machine::{Inputs, LoadError, Machine, Mode, Program, Stop, Thread};

/// Instructions at a time, and how often.
const FUEL: (u64, usize) = (5_000_000, 20);
/// So much of what it prints is shown.
const SHOWN: usize = 60;

/// Why nothing is known where no execution came to anything for several threads; nothing if one did, or if there is no such code.
pub(crate) fn nothing_reached(
    module: &ir::Module,
    config: &Config,
    coverage: &Coverage,
) -> Result<Option<Reason>, LoadError> {
    let parallel = |kind: SiteKind| kind.is_parallel();
    let Some(first) = coverage.unreached.iter().find(|site| parallel(site.kind)) else { return Ok(None) };
    if coverage.parallel > 0 {
        return Ok(None);
    }
    let (end, printed) = ended(module, config)?;
    Ok(Some(Reason::NothingReached { end, printed, site: first.kind, line: first.place.line }))
}

/// How the program ends, and the beginning of what it prints.
fn ended(module: &ir::Module, config: &Config) -> Result<(ProgramEnd, Option<String>), LoadError> {
    let inputs = Inputs { args: config.args.clone(), threads: config.threads };
    let program = Program::load(module, &inputs)?;
    let mut machine = Machine::new(&program, Mode { histories: false, ..Mode::default() });
    let printed = Rc::new(RefCell::new(Vec::new()));
    machine.observer = Some(Box::new(Printed(Rc::clone(&printed))));
    let mut refills = 0;
    let end = loop {
        match schedule::settle(&mut machine, FUEL.0) {
            Point::Exited => break ProgramEnd::Status(machine.exited.unwrap_or(0)),
            Point::Paused if refills < FUEL.1 && !config.budget.is_over() => refills += 1,
            Point::Choice(t, _) => machine.answer(t, 0),
            Point::Stopped(_, Stop::Defect(_, what)) => break ProgramEnd::Defect(what),
            Point::Node => {
                let ways = schedule::options(&machine).alternatives;
                let Some(way) = ways.first() else { break ProgramEnd::Waits };
                if machine.perform(way.thread as usize, way.way).is_err() {
                    break ProgramEnd::NotFollowed;
                }
            }
            Point::Paused | Point::Stopped(..) => break ProgramEnd::NotFollowed,
        }
    };
    let printed = String::from_utf8_lossy(&printed.borrow()).into_owned();
    let line = printed.lines().find(|line| !line.trim().is_empty()).unwrap_or("").trim().to_owned();
    if line.is_empty() {
        return Ok((end, None));
    }
    let more = if line.chars().count() > SHOWN || printed.trim().lines().count() > 1 { " ..." } else { "" };
    let line: String = line.chars().take(SHOWN).collect();
    Ok((end, Some(format!("{line}{more}"))))
}

/// Keeps the beginning of what a program prints.
struct Printed(Rc<RefCell<Vec<u8>>>);

impl Observer for Printed {
    fn access(
        &mut self,
        _thread: usize,
        _state: &Thread,
        _address: u64,
        _len: u64,
        _write: bool,
        _atomic: bool,
        _access: ir::AccessId,
    ) -> bool {
        false
    }

    fn edge(&mut self, _thread: usize, _state: &Thread, _edge: Edge) {}

    fn output(&mut self, _thread: usize, _fd: i32, bytes: &[u8]) {
        let mut kept = self.0.borrow_mut();
        let room = (4 * SHOWN).saturating_sub(kept.len());
        kept.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }
}
