//! Simultaneous assignments (phi nodes) as a sequence of copies.

use ir::{Opnd, Slot};

/// Orders the copies so that making them one after another gives what making them at once would. `temporary` gives a
/// slot that is in use nowhere else; it is asked for at most once, since every cycle is done with before the next.
pub fn sequence(copies: &[(Slot, Opnd)], mut temporary: impl FnMut() -> Slot) -> Vec<(Slot, Opnd)> {
    let mut pending: Vec<_> = copies.iter().copied().filter(|(d, s)| Opnd::slot(*d) != *s).collect();
    let mut out = Vec::with_capacity(pending.len());
    let mut spare = None;
    while !pending.is_empty() {
        let free =
            pending.iter().position(|(dst, _)| pending.iter().all(|(_, src)| *src != Opnd::slot(*dst)));
        match free {
            Some(index) => out.push(pending.remove(index)),
            None => {
                // Every destination is still to be read: save one, and read the saved copy instead.
                let spare = *spare.get_or_insert_with(&mut temporary);
                let (saved, _) = pending[0];
                out.push((spare, Opnd::slot(saved)));
                for (_, src) in &mut pending {
                    if *src == Opnd::slot(saved) {
                        *src = Opnd::slot(spare);
                    }
                }
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All assignments of 4 slots from slots or a constant: the sequence must equal the simultaneous assignment.
    #[test]
    fn equals_the_simultaneous_assignment() {
        for code in 0..6u32.pow(4) {
            let copies: Vec<_> = (0..4)
                .map(|slot| (slot, code / 6u32.pow(slot) % 6))
                .filter(|(_, source)| *source != 5)
                .map(|(slot, source)| match source {
                    4 => (Slot(slot), Opnd::constant(0)),
                    other => (Slot(slot), Opnd::slot(Slot(other))),
                })
                .collect();
            let mut asked = 0;
            let sequence = sequence(&copies, || {
                asked += 1;
                Slot(4)
            });
            assert!(asked <= 1);
            let start = [10, 11, 12, 13, 0];
            let read = |frame: &[i32; 5], o: Opnd| if o.is_const() { 99 } else { frame[o.index()] };
            let (mut expected, mut found) = (start, start);
            copies.iter().for_each(|(d, s)| expected[d.0 as usize] = read(&start, *s));
            sequence.iter().for_each(|(d, s)| found[d.0 as usize] = read(&found, *s));
            assert_eq!(expected[..4], found[..4], "{copies:?}");
        }
    }
}
