//! For the reports of `check` and `predict`: in which order their races are best repaired.

use crate::Style;
use crate::layout::{and, counted, labelled};

/// A race's place in the triage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Placed {
    /// Its group, from 0.
    pub group: u32,
    /// Whether the group is to be fixed first.
    pub first: bool,
    /// How many other reports the group may explain.
    pub may_explain: usize,
}

/// Races of one group, in the order of the report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Together {
    /// Whether they are to be fixed first.
    pub first: bool,
    /// How many other reports they may explain.
    pub may_explain: usize,
    /// What the report calls the races.
    pub races: Vec<usize>,
}

/// The order of a report's races.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Order {
    /// By group and number.
    known: Vec<(Placed, usize)>,
    /// How many races the triage does not know: the run that was triaged does not show them.
    pub without: usize,
    /// The ordering graph as SVG; may be empty.
    pub picture: String,
}

impl Order {
    /// The order, given for each race what the report calls it and its place.
    pub fn new(numbers: &[(usize, Option<Placed>)]) -> Order {
        let mut known: Vec<(Placed, usize)> =
            numbers.iter().filter_map(|&(number, place)| Some((place?, number))).collect();
        known.sort_unstable_by_key(|(place, number)| (place.group, *number));
        if numbers.len() < 2 || known.is_empty() {
            return Order::default();
        }
        Order { without: numbers.len() - known.len(), known, picture: String::new() }
    }

    /// Whether there is nothing to say.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// The races by group, in the order to fix.
    pub fn groups(&self) -> Vec<Together> {
        let mut groups: Vec<(u32, Together)> = Vec::new();
        for &(Placed { group, first, may_explain }, number) in &self.known {
            match groups.last_mut() {
                Some((last, together)) if *last == group => together.races.push(number),
                _ => groups.push((group, Together { first, may_explain, races: vec![number] })),
            }
        }
        groups.into_iter().map(|(_, together)| together).collect()
    }

    /// The place of a race, by what the report calls it.
    pub fn place(&self, number: usize) -> Option<Placed> {
        self.known.iter().find(|(_, of)| *of == number).map(|(place, _)| *place)
    }

    /// For a person at a terminal, a paragraph; empty if there is nothing to say.
    pub fn lines(&self, style: &Style) -> String {
        if self.is_empty() {
            return String::new();
        }
        let list = |wanted: bool| -> Vec<usize> {
            let these = self.known.iter().filter(|(place, _)| place.first == wanted);
            these.map(|(_, number)| *number).collect()
        };
        let (first, later) = (list(true), list(false));
        let mut text = String::new();
        if !first.is_empty() {
            text += &format!("{} first", named(&first));
        }
        if later.is_empty() {
            text += "; none of them looks like an artifact of another";
        } else {
            let lead = if text.is_empty() { "" } else { "; " };
            let what = if later.len() == 1 { "an artifact" } else { "artifacts" };
            text += &format!("{lead}{} may be {what} of earlier ones", named(&later));
        }
        if self.without > 0 {
            text += &format!("; {} not in the run that was triaged", counted(self.without as u64, "race"));
        }
        labelled(style, "fix order", &text)
    }
}

/// `races 2 to 5 and 7`, at most so many.
pub(crate) fn named(numbers: &[usize]) -> String {
    const MOST: usize = 12;
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for &number in numbers {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => runs.push((number, number)),
        }
    }
    let parts = runs.iter().take(MOST).flat_map(|&(first, last)| match last - first {
        0 => vec![first.to_string()],
        1 => vec![first.to_string(), last.to_string()],
        _ => vec![format!("{first} to {last}")],
    });
    let parts: Vec<String> = parts.collect();
    let noun = if numbers.len() == 1 { "race" } else { "races" };
    match runs.iter().skip(MOST).map(|(first, last)| last - first + 1).sum::<usize>() {
        0 => format!("{noun} {}", and(&parts)),
        more => format!("{noun} {} and {more} more", parts.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placed(group: u32, first: bool) -> Option<Placed> {
        Some(Placed { group, first, may_explain: 2 * usize::from(first) })
    }

    #[test]
    fn groups_come_in_the_order_to_fix() {
        let order =
            Order::new(&[(1, placed(1, false)), (2, placed(0, true)), (3, None), (4, placed(0, true))]);
        let groups: Vec<(bool, Vec<usize>)> =
            order.groups().into_iter().map(|g| (g.first, g.races)).collect();
        assert_eq!(groups, [(true, vec![2, 4]), (false, vec![1])]);
        assert_eq!(
            order.lines(&Style::default()),
            "fix order    races 2 and 4 first; race 1 may be an artifact of earlier ones; 1 race not in the run\n\
             \u{20}            that was triaged\n"
        );
        assert!(Order::new(&[(1, placed(0, true))]).is_empty(), "one race needs no order");
        assert!(Order::new(&[(1, None), (2, None)]).lines(&Style::default()).is_empty());
    }
}
