//! Sparse vector clocks: up to which index a chain knows which others, sorted by chain.

use std::sync::Arc;

/// What a chain knows of others.
pub(super) type Clock = Arc<Vec<(u32, u32)>>;

/// The clock learns of one chain.
pub(super) fn put(clock: &mut Vec<(u32, u32)>, chain: u32, index: u32) {
    match clock.binary_search_by_key(&chain, |e| e.0) {
        Ok(at) => clock[at].1 = clock[at].1.max(index),
        Err(at) => clock.insert(at, (chain, index)),
    }
}

/// What both know together.
pub(super) fn join(a: &[(u32, u32)], b: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let mut joined = Vec::with_capacity(a.len().max(b.len()));
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        match a[i].0.cmp(&b[j].0) {
            std::cmp::Ordering::Less => {
                joined.push(a[i]);
                i += 1;
            }
            std::cmp::Ordering::Greater => {
                joined.push(b[j]);
                j += 1;
            }
            std::cmp::Ordering::Equal => {
                joined.push((a[i].0, a[i].1.max(b[j].1)));
                i += 1;
                j += 1;
            }
        }
    }
    joined.extend_from_slice(&a[i..]);
    joined.extend_from_slice(&b[j..]);
    joined
}
