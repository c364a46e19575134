//! Runs analyses over a trace while it is being read, each on a thread of its own.
//!
//! The calling thread reads; batches of events go to the analyses through short queues, so memory stays bounded and with
//! two cores an analysis costs no more wall-clock time than the slower of it and the reading. Only if an analysis needs
//! the whole trace are the events kept.

use std::sync::Arc;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::time::Instant;

use trace::{Counts, Event, EventId, Names, Reader, Trace};

use crate::{Answer, Entry, Kind, Options};

/// Events of one batch.
const BATCH: usize = 1 << 14;
/// Batches that may wait for an analysis.
const QUEUE: usize = 4;

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

/// A batch and the number of its first event.
type Batch = (EventId, Arc<Vec<Event>>);

/// Reads the trace to its end (or the time limit) and runs the analyses. An unreadable trace is an error, whatever the
/// analyses have found by then.
pub fn run(mut reader: Reader<'_>, entries: &[Entry], options: &Options) -> Result<Streamed, trace::Error> {
    let keep = entries.iter().any(|e| matches!(e.kind, Kind::Whole(_)));
    let mut kept = Vec::new();
    let mut counts = Counts::default();
    let mut stopped = false;
    let mut answers = std::thread::scope(|scope| {
        let mut queues: Vec<SyncSender<Batch>> = Vec::new();
        let mut workers = Vec::new();
        for entry in entries {
            let Kind::Streaming(start) = entry.kind else {
                workers.push(None);
                continue;
            };
            let (send, receive) = sync_channel::<Batch>(QUEUE);
            queues.push(send);
            workers.push(Some(scope.spawn(move || {
                let mut analysis = start(options);
                for (first, events) in receive {
                    analysis.events(first, &events);
                }
                analysis.finish()
            })));
        }
        let began = Instant::now();
        loop {
            if options.time_limit.is_some_and(|limit| began.elapsed() >= limit) {
                stopped = true;
                break;
            }
            let first = EventId(reader.count() as u32);
            let mut batch = Vec::with_capacity(BATCH);
            if reader.next_batch(&mut batch, BATCH)? == 0 {
                break;
            }
            batch.iter().for_each(|e| counts.add(e));
            if keep {
                kept.extend_from_slice(&batch);
            }
            let batch = Arc::new(batch);
            // A queue is closed only by a worker that has panicked; joining it below passes that on.
            queues.retain(|queue| queue.send((first, Arc::clone(&batch))).is_ok());
        }
        drop(queues);
        let join = |worker: std::thread::ScopedJoinHandle<'_, Answer>| {
            worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        Ok::<_, trace::Error>(workers.into_iter().map(|w| w.map(join)).collect::<Vec<Option<Answer>>>())
    })?;
    let events = reader.count();
    let names = reader.into_names();
    let trace = keep.then(|| Trace { events: kept, names: names.clone() });
    if let Some(trace) = &trace {
        for (answer, entry) in answers.iter_mut().zip(entries) {
            if let Kind::Whole(analyse) = entry.kind {
                *answer = Some(analyse(trace, options));
            }
        }
    }
    let finished = answers.into_iter().flatten().map(|a| Answer { stopped: a.stopped || stopped, ..a });
    Ok(Streamed { answers: finished.collect(), names, events, counts, trace })
}
