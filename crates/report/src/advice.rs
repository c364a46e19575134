//! What a person can do about an `unknown` verdict.
//!
//! Reasons are sentences of the engine; the advice goes by the words that name what stopped it. A reason that is not
//! recognised gets no advice rather than a wrong one.

/// What to try, given the reason of an `unknown` verdict.
pub fn for_reason(reason: &str) -> Option<&'static str> {
    let reason = reason.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| reason.contains(word));
    if has(&["time limit"]) {
        Some(
            "raise --time-limit, or check a smaller case: fewer threads (--threads), smaller inputs (--arg, --define)",
        )
    } else if has(&["memory limit", "out of memory"]) {
        Some(
            "raise --memory-limit, or check a smaller case: fewer threads (--threads), smaller inputs (--arg, --define)",
        )
    } else if has(&["state limit", "max-states", "--max-states"]) {
        Some(
            "raise --max-states, or check a smaller case: fewer threads (--threads), smaller inputs (--arg, --define)",
        )
    } else if has(&["depth limit", "max-depth", "--max-depth"]) {
        Some(
            "raise --max-depth, or check a smaller case: fewer threads (--threads), smaller inputs (--arg, --define)",
        )
    } else if has(&["external function", "undefined function", "unknown function", "no definition"]) {
        Some(
            "give the file that defines the function as another FILE, or a small definition of it for checking",
        )
    } else if has(&["assembly", "asm", "setjmp", "longjmp"]) {
        Some(
            "give a version without this construct for checking, for example behind a macro: --define RACEPROOF",
        )
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_names_the_option_that_helps() {
        assert!(for_reason("the time limit of 10 s was reached").unwrap().contains("--time-limit"));
        assert!(for_reason("the memory limit was reached").unwrap().contains("--memory-limit"));
        assert!(for_reason("external function `frob` has no definition").unwrap().contains("FILE"));
        assert!(for_reason("something else").is_none());
    }
}
