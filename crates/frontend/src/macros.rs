//! Macros that are given: those that the sources define anew, and those that they never use.
//!
//! Clang has written down which files of the user a source is made of (`-MMD`). Where one of them may define a macro that is given, the
//! preprocessor tells what it really does (`-dD`): warnings of the compiler depend on flags and pragmas.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use text::{TokenKind, tokens};

use crate::directives::marker;
use crate::{Error, Options};

/// A macro that is given.
pub struct Macro {
    /// Its name.
    name: String,
    /// The option that gives it.
    option: &'static str,
    /// Whether some text of the user has its name.
    used: AtomicBool,
}

impl Macro {
    fn new(define: &str, option: &'static str) -> Macro {
        let name = define.split(['=', '(']).next().unwrap_or(define);
        Macro { name: name.to_owned(), option, used: AtomicBool::new(false) }
    }
}

/// The macros that whoever asks gives; flags of a build are the build's affair.
pub fn given(options: &Options) -> Vec<Macro> {
    let mut all: Vec<Macro> = options.defines.iter().map(|define| Macro::new(define, "--define")).collect();
    let mut flags = options.flags.iter();
    while let Some(flag) = flags.next() {
        let define = if flag == "-D" { flags.next().map(String::as_str) } else { flag.strip_prefix("-D") };
        let new = define.map(|define| Macro::new(define, "-D"));
        all.extend(new.filter(|new| all.iter().all(|old| old.name != new.name)));
    }
    all
}

/// The files that a source is made of, the system's headers apart; a file that cannot be read is nothing.
pub fn texts(listed: &Path, folder: &Path) -> Vec<Option<Vec<u8>>> {
    let listed = std::fs::read_to_string(listed).unwrap_or_default();
    let names = listed.split_once(": ").map_or("", |(_, files)| files).replace("\\\n", " ");
    names.split_whitespace().map(|file| std::fs::read(folder.join(file)).ok()).collect()
}

/// Notes which macros these texts have, and says whether one of them may define or undefine some.
pub fn look(macros: &[Macro], texts: &[Option<Vec<u8>>]) -> bool {
    let mut defined = false;
    for text in texts {
        for one in macros {
            // What cannot be looked at may use it.
            let has = text.as_ref().is_none_or(|text| has_word(text, one.name.as_bytes()));
            one.used.fetch_or(has, Ordering::Relaxed);
            defined |= has && text.as_ref().is_none_or(|text| defines(text, one.name.as_bytes()));
        }
    }
    defined
}

/// Whether a text has this name as a word.
fn has_word(text: &[u8], name: &[u8]) -> bool {
    !name.is_empty() && words(text).any(|word| word == name)
}

/// Names, numbers and keywords.
fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|b| !b.is_ascii_alphanumeric() && *b != b'_').filter(|word| !word.is_empty())
}

/// Whether the name follows `define` or `undef` somewhere.
fn defines(text: &[u8], name: &[u8]) -> bool {
    let mut before: &[u8] = b"";
    words(text).any(|word| {
        let found = word == name && matches!(before, b"define" | b"undef");
        before = word;
        found
    })
}

/// A macro that is given and that the source defines anew says something else than the user thinks: an error, and a note where the
/// source undefines it first. The text is what the preprocessor makes of the source and its macros.
pub fn redefined(macros: &[Macro], preprocessed: &str) -> Result<Vec<String>, Error> {
    let mut notes = Vec::new();
    let (mut file, mut system, mut here, mut there) = (String::new(), false, 1, 1);
    let mut bodies: BTreeMap<&str, &str> = BTreeMap::new();
    for token in tokens(preprocessed).iter().filter(|token| token.kind == TokenKind::Directive) {
        let line = &preprocessed[token.from..token.to];
        if let Some((number, name)) = marker(line) {
            (here, there) = (token.line + 1, number);
            system = line.rsplit('"').next().is_some_and(|flags| flags.split(' ').any(|flag| flag == "3"));
            file = name.unwrap_or(file);
            continue;
        }
        let Some((defines, name, body)) = definition(line) else { continue };
        let Some(one) = macros.iter().find(|one| one.name == name) else { continue };
        let place = || format!("{file}:{}", (there + token.line).saturating_sub(here));
        let users = !system && !file.starts_with('<');
        let before = if defines { bodies.insert(name, body) } else { bodies.remove(name) };
        let Some(before) = before.filter(|_| users) else { continue };
        if defines && before != body {
            return Err(Error::Redefined { option: one.option, name: name.to_owned(), place: place() });
        }
        if !defines {
            notes.push(format!(
                "{} {name}: {} undefines `{name}`, so that the value that is given counts only before that line",
                one.option,
                place()
            ));
        }
    }
    Ok(notes)
}

/// `#define NAME BODY` or `#undef NAME`: whether it defines, the name, and the body with the parameters.
fn definition(line: &str) -> Option<(bool, &str, &str)> {
    let rest = line.strip_prefix('#')?;
    let (defines, rest) = match rest.strip_prefix("define ") {
        Some(rest) => (true, rest),
        None => (false, rest.strip_prefix("undef ")?),
    };
    let end = rest.find(|c: char| c == '(' || c.is_whitespace()).unwrap_or(rest.len());
    Some((defines, &rest[..end], rest[end..].trim()))
}

/// Macros that no text of the user has; those of the system's headers have names of their own.
pub fn unused(macros: &[Macro]) -> Vec<String> {
    let theirs = |one: &&Macro| !one.name.starts_with('_') && one.name != "NDEBUG";
    let unused = macros.iter().filter(|one| !one.used.load(Ordering::Relaxed)).filter(theirs);
    unused
        .map(|Macro { name, option, .. }| {
            format!("{option} {name}: the program never uses the macro `{name}`")
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(flags: &[&str], defines: &[&str]) -> Vec<Macro> {
        let own = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        given(&Options { flags: own(flags), defines: own(defines), ..Options::default() })
    }

    #[test]
    fn macros_are_given_by_options_and_flags() {
        let all = all(&["-DN=4", "-D", "F(x)=x", "-Wall", "-DM"], &["M=3"]);
        let names: Vec<_> = all.iter().map(|one| (one.option, one.name.as_str())).collect();
        assert_eq!(names, [("--define", "M"), ("-D", "N"), ("-D", "F")]);
    }

    #[test]
    fn names_are_looked_for_as_words() {
        let all = all(&["-DN", "-DM"], &[]);
        assert!(!look(&all, &[Some(b"int NM = N + 1; // define".to_vec())]));
        assert_eq!(unused(&all), ["-D M: the program never uses the macro `M`"]);
        assert!(look(&all, &[Some(b"# define \\\n M 3".to_vec())]) && unused(&all).is_empty());
        assert!(look(&all, &[None]));
    }

    #[test]
    fn what_the_source_defines_anew_is_found() {
        let given = "# 1 \"<command line>\" 1\n#define N 40\n";
        let of = |text: &str| redefined(&all(&[], &["N=40"]), &format!("{given}{text}"));
        let place = |text: &str| match of(text) {
            Err(Error::Redefined { place, .. }) => place,
            other => format!("{other:?}"),
        };
        assert_eq!(place("# 7 \"a.c\"\n\n#define N 200\n"), "a.c:8");
        assert_eq!(place("# 7 \"a.c\"\n#define N(x) x\n"), "a.c:7");
        assert_eq!(place("# 1 \"a.c\"\n#define N 40\n# 3 \"/usr/x.h\" 1 3\n#define N 2\n"), "Ok([])");
        assert_eq!(place("# 1 \"a.c\"\nR\"(\n#define N 3\n)\";\n"), "Ok([])");
        let notes = of("# 1 \"a.c\"\n#undef N\n#define N 200\n").unwrap_or_default();
        assert_eq!(notes.len(), 1);
        assert!(notes[0].contains("a.c:1 undefines `N`"));
    }
}
