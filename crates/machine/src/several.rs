//! Several runs at a time.
//!
//! A run is made inside one thread; what it has shown comes back in the order of the runs, so that nothing depends on who was faster.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Does pieces of work with the numbers `0..n`, up to `jobs` at a time; the results by number.
pub fn map<R: Send>(jobs: usize, n: usize, work: impl Fn(usize) -> R + Sync) -> Vec<R> {
    if jobs.min(n) <= 1 {
        return (0..n).map(work).collect();
    }
    let next = AtomicUsize::new(0);
    let done: Vec<Mutex<Option<R>>> = (0..n).map(|_| Mutex::new(None)).collect();
    let share = || loop {
        let i = next.fetch_add(1, Ordering::Relaxed);
        let Some(place) = done.get(i) else { return };
        let result = work(i);
        *place.lock().expect("nobody else is here") = Some(result);
    };
    std::thread::scope(|scope| {
        (1..jobs.min(n)).for_each(|_| drop(scope.spawn(share)));
        share();
    });
    let all = done.into_iter().map(|place| place.into_inner().ok().flatten());
    all.map(|result| result.expect("all were done")).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn results_come_in_order_whoever_was_faster() {
        for jobs in 1..5 {
            let slow = |i: usize| {
                std::thread::sleep(std::time::Duration::from_millis(if i.is_multiple_of(2) { 3 } else { 0 }));
                i * i
            };
            assert_eq!(super::map(jobs, 7, slow), [0, 1, 4, 9, 16, 25, 36]);
        }
        assert!(super::map(4, 0, |i| i).is_empty());
    }
}
