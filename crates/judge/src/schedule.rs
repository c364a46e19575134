//! The scheduling rule of the race-detecting state graph (P1, definition 6), as search and replay share it.
//!
//! While some thread is at a local operation, only the lowest such thread moves. When none is, every way in which some
//! thread can perform its synchronisation operation is an alternative. A run is the list of the alternatives (and of the
//! values of choices) that were taken wherever there was more than one.

use machine::{Machine, Pending, Status, Stop};

/// One way to go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Alternative {
    /// The thread that moves.
    pub thread: u32,
    /// In which of its ways.
    pub way: u32,
}

/// Where a run stands when no thread is at a local operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Point {
    /// Every thread stands before a synchronisation operation or has ended.
    Node,
    /// A thread needs a value: one of that many.
    Choice(usize, u32),
    /// The program has ended as a whole.
    Exited,
    /// A thread is stuck from now on: it showed a defect, or came to something that is not supported. The others can go
    /// on as if it had not come that far yet; call again.
    Stopped(usize, Stop),
    /// The fuel is used up; call again.
    Paused,
}

/// Lets threads run until none is at a local operation.
pub fn settle(machine: &mut Machine, fuel: u64) -> Point {
    loop {
        if machine.exited.is_some() {
            return Point::Exited;
        }
        let Some(t) = (0..machine.threads.len()).find(|&t| machine.is_local(t)) else { return Point::Node };
        match machine.run(t, fuel) {
            Stop::AtSync | Stop::Ended => {}
            Stop::Fuel => return Point::Paused,
            Stop::Choose(n) => return Point::Choice(t, n),
            stop => return Point::Stopped(t, stop),
        }
    }
}

/// What can happen at a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// The alternatives, by thread.
    pub alternatives: Vec<Alternative>,
    /// Whether some thread has not ended, and none can go on other than by a spurious wake-up. (Where a thread is stuck
    /// with a defect, that is the finding.)
    pub deadlock: bool,
}

/// The alternatives at a node.
pub fn options(machine: &Machine) -> Options {
    let mut alternatives = Vec::new();
    let deadlock = add_options(machine, &mut alternatives);
    Options { alternatives, deadlock }
}

/// Adds the alternatives at a node to a list, by thread; gives [`Options::deadlock`].
pub fn add_options(machine: &Machine, alternatives: &mut Vec<Alternative>) -> bool {
    let mut proper = false;
    let (mut unfinished, mut stuck) = (false, false);
    for (t, thread) in machine.threads.iter().enumerate() {
        if thread.ended() {
            continue;
        }
        unfinished = true;
        stuck |= thread.status == Status::At(Pending::Stuck);
        let a = machine.alternatives(t);
        proper |= a.count > 0 && !a.spurious;
        alternatives.extend((0..a.count).map(|way| Alternative { thread: t as u32, way }));
    }
    unfinished && !proper && !stuck
}
