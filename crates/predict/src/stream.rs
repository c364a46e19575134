//! Runs analyses over a trace while it is being read, each on a thread of its own.
//!
//! The calling thread reads; batches of events go to the analyses through short queues, so memory stays bounded and with
//! two cores an analysis costs no more wall-clock time than the slower of it and the reading. Only if an analysis needs
//! the whole trace are the events kept.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use trace::{Counts, Event, EventId, Names, Origin, Reader, Trace};

use crate::m2::causal::{Preparation, Prepared};
use crate::pace::{Feeder, is_over};
use crate::{Answer, Entry, Kind, Options, Streaming, run_prepared};

/// Events of one batch.
const BATCH: usize = 1 << 14;
/// Batches that may wait for an analysis.
const QUEUE: usize = 4;

/// For so many events room is made beforehand.
const MOST_EXPECTED: u64 = 200_000_000;

/// What came of a run.
#[derive(Debug)]
pub struct Streamed {
    /// The answers, in the order of the analyses asked for.
    pub answers: Vec<Answer>,
    /// The names of everything in the trace.
    pub names: Names,
    /// How many events were read.
    pub events: u64,
    /// Threads, locks, variables and locations.
    pub counts: Counts,
    /// The trace, if an analysis needed it in memory.
    pub trace: Option<Trace>,
}

/// What came of reading, with the analyses that run beside it.
#[derive(Debug)]
pub struct Reading {
    /// The answers of the streaming analyses with the time that each was busy, in the order of the analyses asked for;
    /// `None` for those that need the whole trace.
    pub answers: Vec<Option<(Answer, Duration)>>,
    /// The trace: its names, and its events if an analysis needs them in memory.
    pub trace: Trace,
    /// What the file says of its making, if that can be true of the trace in memory.
    pub origin: Option<Origin>,
    /// What a first pass beside the reading has found out, for the analyses that begin with it.
    pub prepared: Option<Prepared>,
    /// How many events were read.
    pub events: u64,
    /// Threads, locks, variables and locations.
    pub counts: Counts,
    /// Whether the time limit ended the reading.
    pub stopped: bool,
}

/// A batch and the number of its first event.
type Batch = (EventId, Arc<Vec<Event>>);

/// Runs one streaming analysis over the batches that come, until the deadline; also says how long it was busy with them.
fn work(
    start: fn(&Options) -> Box<dyn Streaming>,
    options: &Options,
    batches: Receiver<Batch>,
    deadline: Option<Instant>,
) -> (Answer, Duration) {
    let began = Instant::now();
    let mut analysis = start(options);
    let mut feeder = Feeder::new(deadline);
    let mut busy = began.elapsed();
    let mut stopped = false;
    for (first, events) in batches {
        let began = Instant::now();
        stopped = !feeder.feed(&mut *analysis, first, &events);
        busy += began.elapsed();
        if stopped {
            break;
        }
    }
    let began = Instant::now();
    let answer = analysis.finish();
    (Answer { stopped, ..answer }, busy + began.elapsed())
}

/// The first pass of the analyses that need the whole trace.
fn prepare(batches: Receiver<Batch>) -> Option<Prepared> {
    let mut preparation = Preparation::default();
    for (_, events) in batches {
        preparation.events(&events);
    }
    preparation.finish()
}

/// What a thread came to; if it has panicked, so does this one.
fn join<T>(worker: std::thread::ScopedJoinHandle<'_, T>) -> T {
    worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// Reads the trace to its end (or the time limit) and runs the streaming analyses among these beside it; `progress` gets
/// the number of events now and then. An unreadable trace is an error, whatever the analyses have found by then.
pub fn read(
    mut reader: Reader<'_>,
    entries: &[Entry],
    options: &Options,
    progress: &mut dyn FnMut(u64),
) -> Result<Reading, trace::Error> {
    let keep = entries.iter().any(|e| e.kind.needs_trace());
    let prepares = entries.iter().any(|e| matches!(e.kind, Kind::Prepared(_)));
    let mut kept: Vec<Event> = Vec::new();
    if keep {
        // Growing would copy them again and again. Memory that is not used costs nothing.
        let _ = kept.try_reserve(reader.expected_events().min(MOST_EXPECTED) as usize);
    }
    let mut stopped = false;
    let deadline = options.deadline();
    let (mut answers, prepared) = std::thread::scope(|scope| {
        let mut queues: Vec<SyncSender<Batch>> = Vec::new();
        let preparer = prepares.then(|| {
            let (send, receive) = sync_channel::<Batch>(QUEUE);
            queues.push(send);
            scope.spawn(move || prepare(receive))
        });
        let mut workers = Vec::new();
        for entry in entries {
            let Kind::Streaming(start) = entry.kind else {
                workers.push(None);
                continue;
            };
            let (send, receive) = sync_channel::<Batch>(QUEUE);
            queues.push(send);
            workers.push(Some(scope.spawn(move || work(start, options, receive, deadline))));
        }
        while !stopped {
            let first = EventId(reader.count() as u32);
            let mut batch = Vec::with_capacity(BATCH);
            let read = reader.next_batch(&mut batch, BATCH);
            stopped = is_over(deadline);
            match read {
                Ok(0) => {
                    stopped = false;
                    break;
                }
                Ok(_) => {}
                // A source that waits for its input gives up at the deadline.
                Err(trace::Error::Read(error)) if error.is_timeout() => stopped = true,
                Err(error) => return Err(error),
            }
            if keep {
                kept.extend_from_slice(&batch);
            }
            let batch = Arc::new(batch);
            // A queue is closed by a worker that has reached the deadline, or has panicked: joining it below passes that
            // on.
            queues.retain(|queue| queue.send((first, Arc::clone(&batch))).is_ok());
            progress(reader.count());
        }
        drop(queues);
        let answers: Vec<_> = workers.into_iter().map(|worker| worker.map(join)).collect();
        Ok::<_, trace::Error>((answers, preparer.and_then(join)))
    })?;
    for (answer, _) in answers.iter_mut().flatten() {
        answer.stopped |= stopped;
    }
    let events = reader.count();
    let origin = reader.origin().cloned();
    let names = reader.into_names();
    let counts = Counts {
        threads: names.threads.len(),
        locks: names.locks.len(),
        variables: names.variables.len(),
        locations: names.locations.len(),
    };
    let trace = Trace { events: kept, names };
    let origin = origin.filter(|origin| origin.holds(&trace));
    Ok(Reading { answers, trace, origin, prepared, events, counts, stopped })
}

/// Reads the trace to its end (or the time limit) and runs the analyses: the streaming ones beside the reading, the
/// others after it.
pub fn run(reader: Reader<'_>, entries: &[Entry], options: &Options) -> Result<Streamed, trace::Error> {
    let reading = read(reader, entries, options, &mut |_| {})?;
    let mut answers = Vec::with_capacity(entries.len());
    for (answer, entry) in reading.answers.into_iter().zip(entries) {
        answers.push(match (answer, entry.kind) {
            (None, kind) if kind.needs_trace() => {
                let answer = run_prepared(entry, &reading.trace, reading.prepared.as_ref(), options);
                Answer { stopped: answer.stopped || reading.stopped, ..answer }
            }
            (answer, _) => answer.map(|(answer, _)| answer).unwrap_or_default(),
        });
    }
    let keep = entries.iter().any(|e| e.kind.needs_trace());
    let names = reading.trace.names.clone();
    let trace = keep.then_some(reading.trace);
    Ok(Streamed { answers, names, events: reading.events, counts: reading.counts, trace })
}
