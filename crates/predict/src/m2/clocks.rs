//! Vector clocks that are stored only where they change.
//!
//! For each thread a list of rows. A row is a bound for every thread: all events of that thread below the bound are in
//! the past. It holds from some point of its own thread on, until the next row. A point is either *before* an event
//! (what must have happened for the event to be enabled: fork, join) or *after* it (what its observation adds).
//! Bounds are event numbers of the whole trace, so no event needs a number within its thread.
//!
//! Invariant: keys of a thread's rows increase, and so do the rows in every component.

use super::bits::Id;

/// The clocks of all threads.
#[derive(Debug, Clone, Default)]
pub struct Clocks {
    threads: usize,
    rows: Vec<Rows>,
    /// A row of zeros.
    zero: Vec<Id>,
}

/// One thread's clock over time.
#[derive(Debug, Clone, Default)]
struct Rows {
    /// Where each row begins to hold: [`before`] or [`after`] an event.
    keys: Vec<u64>,
    /// The rows one after the other.
    bounds: Vec<Id>,
}

/// No row: the clock of a thread that has seen nothing.
pub const NO_ROW: u32 = u32::MAX;

/// The point before an event.
pub fn before(event: Id) -> u64 {
    2 * u64::from(event)
}

/// The point after an event.
pub fn after(event: Id) -> u64 {
    before(event) + 1
}

impl Clocks {
    /// Empty clocks.
    pub fn new(threads: usize) -> Self {
        Clocks { threads, rows: vec![Rows::default(); threads], zero: vec![0; threads] }
    }

    /// There are so many threads from now on.
    pub fn make_room(&mut self, threads: usize) {
        for rows in self.rows.iter_mut().filter(|rows| !rows.bounds.is_empty()) {
            let mut bounds = Vec::with_capacity(rows.keys.len() * threads);
            for row in rows.bounds.chunks(self.threads.max(1)) {
                bounds.extend_from_slice(row);
                bounds.resize(bounds.len() + threads - row.len(), 0);
            }
            rows.bounds = bounds;
        }
        self.threads = threads;
        self.rows.resize(threads, Rows::default());
        self.zero.resize(threads, 0);
    }

    /// The number of threads.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// What an event's thread has seen when the event is about to happen: its own observation is not in it.
    #[inline]
    pub fn enabling(&self, thread: usize, event: Id) -> &[Id] {
        self.up_to(thread, before(event))
    }

    /// What a thread has seen when its events below `bound` have happened.
    #[inline]
    pub fn past(&self, thread: usize, bound: Id) -> &[Id] {
        self.row(thread, self.row_at(thread, bound))
    }

    /// The number of the row that [`Clocks::past`] gives.
    pub fn row_at(&self, thread: usize, bound: Id) -> u32 {
        let at = self.rows[thread].keys.partition_point(|&other| other < before(bound));
        (at as u32).wrapping_sub(1)
    }

    fn up_to(&self, thread: usize, key: u64) -> &[Id] {
        let at = self.rows[thread].keys.partition_point(|&other| other <= key);
        self.row(thread, (at as u32).wrapping_sub(1))
    }

    /// The number of the thread's last row.
    #[inline]
    pub fn last_row(&self, thread: usize) -> u32 {
        (self.rows[thread].keys.len() as u32).wrapping_sub(1)
    }

    /// A row by number, or zeros for [`NO_ROW`].
    #[inline]
    pub fn row(&self, thread: usize, number: u32) -> &[Id] {
        if number == NO_ROW {
            return &self.zero;
        }
        let start = number as usize * self.threads;
        &self.rows[thread].bounds[start..start + self.threads]
    }

    /// The thread's clock now.
    #[inline]
    pub fn now(&self, thread: usize) -> &[Id] {
        self.row(thread, self.last_row(thread))
    }

    /// From this point on the thread has seen what `source` had seen with row `number`, and `source`'s events below
    /// `bound`.
    pub fn join(&mut self, thread: usize, key: u64, source: usize, number: u32, bound: Id) {
        let mut row = self.now(thread).to_vec();
        for (mine, theirs) in row.iter_mut().zip(self.row(source, number)) {
            *mine = (*mine).max(*theirs);
        }
        row[source] = row[source].max(bound);
        let rows = &mut self.rows[thread];
        if rows.keys.last() == Some(&key) {
            let start = rows.bounds.len() - self.threads;
            rows.bounds[start..].copy_from_slice(&row);
        } else {
            rows.keys.push(key);
            rows.bounds.extend_from_slice(&row);
        }
    }

    /// Gives back the memory that growing lists have reserved.
    pub fn shrink(&mut self) {
        for rows in &mut self.rows {
            rows.keys.shrink_to_fit();
            rows.bounds.shrink_to_fit();
        }
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.rows.iter().map(|rows| rows.keys.len()).sum()
    }

    /// Whether no thread has seen another.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
