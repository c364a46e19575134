//! A list of bounds as a person would say it: `threads 1..4, argument 1 in 1..10`.

use base::Bound;

use crate::layout::{and, count};

/// One dimension of the bounds: what varies, and its distinct values in order of appearance.
struct Axis {
    name: String,
    values: Vec<String>,
}

/// All bounds in a few words.
pub(crate) fn describe(bounds: &[Bound]) -> String {
    let axes = axes(bounds);
    let parts: Vec<String> = axes.iter().map(describe_axis).collect();
    let mut text = match bounds {
        [] => return "none: nothing was run".to_owned(),
        _ => and(&parts),
    };
    let several = axes.iter().any(|axis| axis.values.len() > 1);
    if bounds.len() > 1 && several {
        text += &format!(" ({} combinations)", count(bounds.len() as u64));
    }
    if bounds.iter().any(|bound| !bound.distributions.are_all()) {
        text += "; the default distribution of OpenMP's work only";
    }
    if bounds.iter().any(|bound| !bound.allocation.succeeds()) {
        text += "; memory allocation may fail";
    }
    if let Some(bound) = bounds.iter().find(|bound| !bound.env.is_empty()) {
        text += &format!("; environment {}", bound.env.join(" "));
    }
    if bounds.iter().all(|bound| bound.args.is_empty()) {
        text += "; no arguments";
    }
    text
}

/// One bound in a few words.
pub(crate) fn describe_one(bound: &Bound) -> String {
    describe(std::slice::from_ref(bound))
}

fn axes(bounds: &[Bound]) -> Vec<Axis> {
    let least = bounds.iter().map(|bound| bound.threads).min().unwrap_or(0);
    let threads = |bound: &Bound| match bounds.iter().any(|other| other.is_beyond(bound)) {
        true => format!("{least} or more"),
        false => bound.threads.to_string(),
    };
    let mut axes = vec![axis("threads", bounds.iter().map(threads))];
    let arguments = bounds.iter().map(|bound| bound.args.len()).max().unwrap_or(0);
    for index in 0..arguments {
        let values = bounds.iter().filter_map(|bound| bound.args.get(index).cloned());
        axes.push(axis(&format!("argument {}", index + 1), values));
    }
    for name in define_names(bounds) {
        let values =
            bounds.iter().flat_map(|bound| &bound.defines).filter_map(|define| value_of(define, &name));
        axes.push(axis(&name, values));
    }
    axes
}

fn axis(name: &str, all: impl Iterator<Item = String>) -> Axis {
    let mut values: Vec<String> = Vec::new();
    for value in all {
        if !values.contains(&value) {
            values.push(value);
        }
    }
    Axis { name: name.to_owned(), values }
}

fn define_names(bounds: &[Bound]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for define in bounds.iter().flat_map(|bound| &bound.defines) {
        let name = define.split('=').next().unwrap_or(define).to_owned();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// The value of a definition of this name; a macro defined without one has none to show.
fn value_of(define: &str, name: &str) -> Option<String> {
    match define.split_once('=') {
        Some((of, value)) => (of == name).then(|| value.to_owned()),
        None => (define == name).then(|| "defined".to_owned()),
    }
}

/// `threads 2`, `argument 1 in 1..5`, `N = 4`, `FAST defined`.
fn describe_axis(axis: &Axis) -> String {
    let values = match axis.values.as_slice() {
        [threads] if axis.name == "threads" => threads.clone(),
        several => values(several),
    };
    let relation = match axis.values.as_slice() {
        _ if axis.name == "threads" => "",
        [value] if value == "defined" => "",
        [_] => "= ",
        _ => "in ",
    };
    format!("{} {relation}{values}", axis.name)
}

/// `1..4` for consecutive numbers, otherwise the first few values.
fn values(values: &[String]) -> String {
    const SHOWN: usize = 6;
    let numbers: Option<Vec<i64>> = values.iter().map(|value| value.parse().ok()).collect();
    let is_run = |numbers: &Vec<i64>| {
        numbers.len() > 1 && numbers.windows(2).all(|pair| pair[1] == pair[0].wrapping_add(1))
    };
    if let Some(numbers) = numbers.filter(is_run) {
        return format!("{}..{}", numbers[0], numbers[numbers.len() - 1]);
    }
    let shown: Vec<String> = values.iter().take(SHOWN).map(|value| quoted(value)).collect();
    let more = values.len().saturating_sub(SHOWN);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", shown.join(", "))
}

fn quoted(value: &str) -> String {
    let plain = !value.is_empty() && value.chars().all(|c| !c.is_whitespace() && c != ',');
    if plain { value.to_owned() } else { format!("{value:?}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bound(threads: u32, args: &[&str], defines: &[&str]) -> Bound {
        let owned = |texts: &[&str]| texts.iter().map(|text| text.to_string()).collect();
        Bound { threads, args: owned(args), defines: owned(defines), ..Bound::default() }
    }

    #[test]
    fn one_bound() {
        assert_eq!(describe(&[bound(2, &[], &[])]), "threads 2; no arguments");
        assert_eq!(
            describe(&[bound(2, &["a b", "3"], &[])]),
            "threads 2, argument 1 = \"a b\" and argument 2 = 3"
        );
    }

    #[test]
    fn any_number_of_threads() {
        let from_three = Bound { or_more: true, ..bound(3, &[], &[]) };
        assert_eq!(describe(&[bound(2, &[], &[]), from_three]), "threads 2 or more; no arguments");
    }

    #[test]
    fn ranges_and_lists() {
        let bounds: Vec<Bound> =
            (1..=3).flat_map(|n| [1, 2].map(|t| bound(t, &[], &[&format!("N={n}"), "FAST"]))).collect();
        assert_eq!(
            describe(&bounds),
            "threads 1..2, N in 1..3 and FAST defined (6 combinations); no arguments"
        );
        let gaps = [bound(1, &[], &[]), bound(4, &[], &[])];
        assert_eq!(describe(&gaps), "threads 1, 4 (2 combinations); no arguments");
    }
}
