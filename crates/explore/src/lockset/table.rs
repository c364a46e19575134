//! Locksets, and the table that holds each of them once (P2, section 7).

use rustc_hash::FxHashMap;

/// What can be in a lockset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Token {
    /// A thread.
    Thread(u32),
    /// A lock, or whatever else passes on what threads have done.
    Object(u64),
    /// What a thread has seen with relaxed loads, until its next acquire fence.
    Seen(u32),
    /// What a thread's last release fence covers.
    Fenced(u32),
}

/// Numbers for tokens, given in order of appearance.
#[derive(Debug, Default)]
pub struct Tokens(FxHashMap<Token, u32>);

impl Tokens {
    /// The number of a token.
    pub fn number(&mut self, token: Token) -> u32 {
        let next = self.0.len() as u32;
        *self.0.entry(token).or_insert(next)
    }
}

/// A set of tokens, by number. Most programs have few, so that most sets are one machine word or two.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lockset {
    low: u128,
    /// Tokens from 128 on, without zeros at the end.
    high: Vec<u64>,
}

impl Lockset {
    /// The set of one token.
    pub fn of(token: u32) -> Lockset {
        let mut set = Lockset::default();
        set.insert(token);
        set
    }

    /// Whether the token is in the set.
    pub fn has(&self, token: u32) -> bool {
        match token.checked_sub(128) {
            None => self.low >> token & 1 != 0,
            Some(n) => self.high.get(n as usize / 64).is_some_and(|w| w >> (n % 64) & 1 != 0),
        }
    }

    /// Adds a token.
    pub fn insert(&mut self, token: u32) {
        match token.checked_sub(128) {
            None => self.low |= 1 << token,
            Some(n) => {
                let at = n as usize / 64;
                if self.high.len() <= at {
                    self.high.resize(at + 1, 0);
                }
                self.high[at] |= 1 << (n % 64);
            }
        }
    }

    /// Takes a token out.
    pub fn remove(&mut self, token: u32) {
        match token.checked_sub(128) {
            None => self.low &= !(1 << token),
            Some(n) => {
                if let Some(word) = self.high.get_mut(n as usize / 64) {
                    *word &= !(1 << (n % 64));
                }
                while self.high.last() == Some(&0) {
                    self.high.pop();
                }
            }
        }
    }

    /// Adds all tokens of another set.
    pub fn add(&mut self, other: &Lockset) {
        self.low |= other.low;
        if self.high.len() < other.high.len() {
            self.high.resize(other.high.len(), 0);
        }
        for (a, b) in self.high.iter_mut().zip(&other.high) {
            *a |= b;
        }
    }

    /// Takes all tokens of another set out.
    pub fn subtract(&mut self, other: &Lockset) {
        self.low &= !other.low;
        for (a, b) in self.high.iter_mut().zip(&other.high) {
            *a &= !b;
        }
        while self.high.last() == Some(&0) {
            self.high.pop();
        }
    }

    /// Whether every token of this set is in the other.
    pub fn is_within(&self, other: &Lockset) -> bool {
        let word = |i: usize| other.high.get(i).copied().unwrap_or(0);
        self.low & !other.low == 0 && self.high.iter().enumerate().all(|(i, w)| w & !word(i) == 0)
    }

    /// Writes the set down for hashing, so that different sets have different texts.
    pub fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.low.to_le_bytes());
        out.extend_from_slice(&(self.high.len() as u32).to_le_bytes());
        self.high.iter().for_each(|w| out.extend_from_slice(&w.to_le_bytes()));
    }
}

#[cfg(test)]
mod tests {
    use super::Lockset;

    #[test]
    fn sets_behave_on_both_sides_of_the_first_words() {
        for token in [0, 5, 127, 128, 191, 192, 1000] {
            let mut set = Lockset::of(token);
            assert!(set.has(token) && !set.has(token + 1));
            assert!(Lockset::default().is_within(&set) && !set.is_within(&Lockset::default()));
            let mut more = Lockset::of(3);
            more.add(&set);
            assert!(set.is_within(&more));
            more.subtract(&set);
            assert_eq!(more, if token == 3 { Lockset::default() } else { Lockset::of(3) });
            set.remove(token);
            assert_eq!(set, Lockset::default());
        }
    }
}
