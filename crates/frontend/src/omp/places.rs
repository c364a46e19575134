//! Which directive a construct of the bitcode stands for: the table of constructs is asked by the place that the compiler gives.

use ir::{Directive, Directives};
use rustc_hash::FxHashMap;

/// Where the compiler places a construct.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The file, by one of the names that the compiler has for it.
    pub file: String,
    /// The line of the directive.
    pub line: u32,
    /// The column; that of the macro's use if a macro has brought the directive.
    pub column: u32,
    /// A number for the function that contains the construct.
    pub function: usize,
    /// Whether it came into the function by inlining: then there may be several of one directive.
    pub inlined: bool,
}

impl Place {
    /// That of a construct of which the source is not known.
    pub fn unknown() -> Place {
        Place { file: String::new(), line: 0, column: 0, function: 0, inlined: false }
    }
}

/// The directives that each of a program's constructs may stand for: one where that is clear, none where the source is not
/// known. The places are all those of constructs that such directives (`is`) bring about, and within a function in the
/// order of the source.
///
/// A line may have several directives, by `_Pragma` and macros. They are told apart by their columns if there are as many,
/// else by their order if a function of the source has as many constructs of that line. Variants of a `metadirective` are not told apart.
pub fn tell_apart<'d>(
    directives: &'d Directives,
    places: &[Place],
    is: impl Fn(&Directive) -> bool,
) -> Vec<Vec<&'d Directive>> {
    let mut lines: FxHashMap<(&str, u32), Vec<usize>> = FxHashMap::default();
    for (index, place) in places.iter().enumerate() {
        lines.entry((&place.file, place.line)).or_default().push(index);
    }
    let mut found = vec![Vec::new(); places.len()];
    for ((file, line), here) in lines {
        let all: Vec<_> = directives.at(file, line).iter().filter(|d| is(d)).collect();
        let variants = all.iter().any(|d| d.variant);
        let mut columns: Vec<u32> = here.iter().map(|i| places[*i].column).collect();
        columns.sort_unstable();
        columns.dedup();
        for &index in &here {
            let place = &places[index];
            let same = here.iter().filter(|i| places[**i].function == place.function);
            let same: Vec<usize> = same.copied().collect();
            let nth = if variants {
                None
            } else if columns.len() == all.len() {
                columns.binary_search(&place.column).ok()
            } else {
                let ordered = same.len() == all.len() && !same.iter().any(|i| places[*i].inlined);
                same.iter().position(|i| *i == index).filter(|_| ordered)
            };
            found[index] = nth.map_or_else(|| all.clone(), |n| vec![all[n]]);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::directives::read;

    fn at(column: u32, function: usize) -> Place {
        Place { file: "a.c".into(), line: 1, column, function, inlined: false }
    }

    #[test]
    fn variants_are_not_told_apart() {
        let text = "#pragma omp metadirective when(user={condition(1)}: for nowait) otherwise(single)\n{}";
        let all = read(text, "a.c", ir::directives::Language::C);
        assert_eq!(tell_apart(&all, &[at(1, 0), at(2, 0)], |_| true)[0].len(), 2);
    }

    #[test]
    fn several_directives_in_a_line() {
        let text = "#pragma omp simd safelen(2)\n# 1\n#pragma omp barrier\n# 1\n#pragma omp simd safelen(8)";
        let all = read(text, "a.c", ir::directives::Language::C);
        let found = |places: &[Place]| -> Vec<Vec<String>> {
            let of = |d: &&Directive| d.args("safelen").unwrap_or("none").to_string();
            let found = tell_apart(&all, places, Directive::has_lanes);
            found.iter().map(|of_place| of_place.iter().map(of).collect()).collect()
        };
        assert_eq!(found(&[at(40, 0), at(3, 1)]), [["8"], ["2"]]);
        assert_eq!(found(&[at(3, 0), at(3, 1), at(3, 0)])[..1], [["2"]]);
        assert_eq!(found(&[at(3, 0), at(3, 1), at(3, 0)])[1], ["2", "8"]);
        assert_eq!(found(&[at(3, 0), at(3, 0), at(3, 1), at(3, 1)]), [["2"], ["8"], ["2"], ["8"]]);
        assert_eq!(found(&[at(3, 0)]), [["2", "8"]]);
        let copy = || Place { inlined: true, ..at(3, 0) };
        assert_eq!(found(&[copy(), copy()]), [["2", "8"], ["2", "8"]]);
    }
}
