//! Shorter names for objects that have none of their own, where a person reads them.

/// How the engines begin the name of an object of the heap: `heap object from src/list.c:11:30 at offset 8`.
const HEAP: &str = "heap object from ";
const OFFSET: &str = " at offset ";
/// What the models of the library are called, whose lines say nothing to a user.
const MODELS: &str = "<raceproof>/";

/// A text in which such names are said shorter: `heap object of list.c:11 + 8`.
pub(crate) fn brief(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(HEAP) {
        out += &rest[..start];
        let (short, length) = said(&rest[start..]).unwrap_or((HEAP.to_owned(), HEAP.len()));
        out += &short;
        rest = &rest[start + length..];
    }
    out + rest
}

/// The short name at the beginning of the text, and how long the whole one is.
fn said(text: &str) -> Option<(String, usize)> {
    let (place, after) = text[HEAP.len()..].split_once(OFFSET)?;
    let digits = after.chars().take_while(char::is_ascii_digit).count();
    let (offset, _) = after.split_at(digits);
    let mut parts = place.rsplitn(3, ':');
    let (_column, line, file) = (parts.next()?, parts.next()?, parts.next()?);
    if digits == 0 || line.parse::<u32>().is_err() {
        return None;
    }
    let plus = if offset == "0" { String::new() } else { format!(" + {offset}") };
    let short = match file.starts_with(MODELS) {
        true => format!("heap object of the library{plus}"),
        false => format!("heap object of {}:{line}{plus}", file.rsplit('/').next().unwrap_or(file)),
    };
    Some((short, HEAP.len() + place.len() + OFFSET.len() + digits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_are_said_shorter() {
        assert_eq!(
            brief("writes heap object from a/b/c.cpp:11:30 at offset 0"),
            "writes heap object of c.cpp:11"
        );
        assert_eq!(
            brief("`heap object from x.c:1:2 at offset 16` and `heap object from x.c:3:4 at offset 0`"),
            "`heap object of x.c:1 + 16` and `heap object of x.c:3`"
        );
        assert_eq!(
            brief("heap object from <raceproof>/a.c:1:2 at offset 8"),
            "heap object of the library + 8"
        );
        for other in ["x", "heap object from nowhere", "heap object from a at offset b"] {
            assert_eq!(brief(other), other);
        }
    }
}
