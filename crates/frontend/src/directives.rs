//! Reads the OpenMP directives of a source into the table of constructs, from the source's preprocessed text.
//!
//! There macros are expanded, `_Pragma` has become `#pragma`, and line markers tell the file and line that the compiler gives
//! to a construct. Attributes (`[[omp::directive(...)]]`, `[[omp::sequence(...)]]`) are directives too, and a `metadirective` is as
//! many as it has variants. This is the only place where directives are read.

use ir::Directives;
use ir::directives::{Clause, Directive, Extent, Language};
use text::{Code, Token, TokenKind, tokens};

/// Names that may follow each other in the name of a combined construct.
const COMBINED: [&str; 10] =
    ["parallel", "for", "sections", "simd", "teams", "distribute", "loop", "master", "masked", "taskloop"];

/// Directives that have no statement.
const ALONE: [&str; 19] = [
    "allocate",
    "assumes",
    "barrier",
    "begin",
    "cancel",
    "cancellation",
    "declare",
    "depobj",
    "end",
    "error",
    "flush",
    "groupprivate",
    "interop",
    "nothing",
    "requires",
    "scan",
    "taskwait",
    "taskyield",
    "threadprivate",
];

/// The directives of a preprocessed source, whose name is `file` where no marker says otherwise.
pub fn read(text: &str, file: &str, language: Language) -> Directives {
    let all = tokens(text);
    let (kept, places, files) = placed(text, &all, file);
    let code = Code { text, tokens: &kept };
    let found = Reader { code, places: &places, files: &files, language }.rows();
    Directives::new(file, found)
}

/// Where a token stands: the number of its file, and the line there.
type At = (usize, u32);

/// The tokens without preprocessor lines and foreign pragmas; where each stands, by the line markers; the names of the files.
fn placed(text: &str, all: &[Token], file: &str) -> (Vec<Token>, Vec<At>, Vec<String>) {
    let (mut kept, mut places, mut files) = (Vec::new(), Vec::new(), vec![file.to_string()]);
    // The line `there` of the file is the line `here` of the text.
    let (mut current, mut here, mut there) = (0, 1, 1);
    for token in all {
        let line = &text[token.from..token.to];
        match token.kind {
            TokenKind::Directive => {
                let Some((number, name)) = marker(line) else { continue };
                (here, there) = (token.line + 1, number);
                if let Some(name) = name {
                    current = files.iter().position(|f| *f == name).unwrap_or(files.len());
                    if current == files.len() {
                        files.push(name);
                    }
                }
            }
            TokenKind::Pragma if pragma(line).is_none() => {}
            _ => {
                kept.push(*token);
                places.push((current, (there + token.line).saturating_sub(here)));
            }
        }
    }
    (kept, places, files)
}

/// What follows `#pragma omp`.
fn pragma(line: &str) -> Option<&str> {
    let rest = line.strip_prefix('#')?.trim_start().strip_prefix("pragma")?;
    let rest = rest.trim_start().strip_prefix("omp")?;
    (rest.is_empty() || rest.starts_with([' ', '\t', '\\', '/', '\r'])).then_some(rest)
}

/// `# 12 "file" 1` or `#line 12 "file"`.
pub fn marker(line: &str) -> Option<(u32, Option<String>)> {
    let rest = line.strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("line").unwrap_or(rest).trim_start();
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let number = rest[..digits].parse().ok()?;
    let Some(quoted) = rest[digits..].trim_start().strip_prefix('"') else { return Some((number, None)) };
    let mut name = Vec::new();
    let mut bytes = quoted.bytes().peekable();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => break,
            // Bytes that are no letters of ASCII are three octal digits.
            b'\\' if bytes.peek().is_some_and(|b| matches!(b, b'0'..=b'3')) => {
                let digits = bytes.by_ref().take(3);
                name.push(digits.fold(0u8, |n, d| n.wrapping_shl(3) | (d.wrapping_sub(b'0') & 7)));
            }
            b'\\' => name.extend(bytes.next()),
            byte => name.push(byte),
        }
    }
    Some((number, Some(String::from_utf8_lossy(&name).into_owned())))
}

/// A preprocessed source.
struct Reader<'a> {
    code: Code<'a>,
    places: &'a [At],
    files: &'a [String],
    language: Language,
}

/// A directive without its place: its name with the argument, and its clauses.
struct Said {
    words: Vec<String>,
    argument: Option<String>,
    clauses: Vec<Clause>,
    variant: bool,
}

impl Reader<'_> {
    /// All directives, in the order of the text.
    fn rows(&self) -> Vec<Directive> {
        let mut rows = Vec::new();
        let mut at = 0;
        while at < self.code.tokens.len() {
            if self.code.tokens[at].kind == TokenKind::Pragma {
                rows.extend(self.directive(self.places[at], self.pragma(at), at + 1));
            } else if self.is_attribute(at) {
                let end = self.code.close(at);
                rows.extend(self.attribute(at, end));
                at = end;
                continue;
            }
            at += 1;
        }
        rows
    }

    /// What the pragma at a token says.
    fn pragma(&self, token: usize) -> Vec<Said> {
        said(pragma(self.code.word(token)).unwrap_or_default())
    }

    /// Whether attributes of OpenMP begin at a token.
    fn is_attribute(&self, at: usize) -> bool {
        let word = |i: usize| self.code.word(i);
        if word(at) != "[" || word(at + 1) != "[" {
            return false;
        }
        word(at + 2) == "using" && word(at + 3) == "omp"
            || (at + 2..self.code.close(at)).any(|i| word(i) == "omp" && word(i + 1) == "::")
    }

    /// The directives of attributes, which stand at tokens `from..to`.
    fn attribute(&self, from: usize, to: usize) -> Vec<Directive> {
        let mut rows = Vec::new();
        let mut at = from;
        while at < to {
            let named = matches!(self.code.word(at), "directive" | "decl") && self.code.word(at + 1) == "(";
            if !named {
                at += 1;
                continue;
            }
            let end = self.code.close(at + 1);
            let inner = &self.code.text[self.code.tokens[at + 1].to..self.code.tokens[end - 1].from];
            // The compiler places it at its first word.
            rows.extend(self.directive(self.places[(at + 2).min(end - 1)], said(inner), to));
            at = end;
        }
        rows
    }

    /// The rows of a directive, before the statement that begins at a token.
    fn directive(&self, (file, line): At, said: Vec<Said>, behind: usize) -> Vec<Directive> {
        let row = |said: Said| Directive {
            body: (!stands_alone(&said)).then(|| self.body(behind)).flatten(),
            words: said.words,
            argument: said.argument,
            clauses: said.clauses,
            file: self.files[file].clone(),
            line,
            variant: said.variant,
            language: self.language,
        };
        said.into_iter().map(row).collect()
    }

    /// The lines of the statement that begins at a token, without what directives stand before it.
    fn body(&self, from: usize) -> Option<Extent> {
        let alone = |token: usize| self.pragma(token).iter().all(stands_alone);
        let end = self.code.statement_end(from, &alone);
        let mut begin = from;
        loop {
            if self.code.tokens.get(begin)?.kind == TokenKind::Pragma {
                begin += 1;
            } else if self.code.word(begin) == "[" && self.code.word(begin + 1) == "[" {
                begin = self.code.close(begin);
            } else {
                break;
            }
        }
        let (file, first) = *self.places.get(begin)?;
        let last = self.places.get(begin..end)?.iter().rev().find(|at| at.0 == file)?.1;
        Some(Extent { file: self.files[file].clone(), first, last: last.max(first) })
    }
}

/// Whether a directive has no statement.
fn stands_alone(said: &Said) -> bool {
    let word = |n: usize| said.words.get(n).map_or("", String::as_str);
    let has = |name: &str| said.clauses.iter().any(|c| c.name == name);
    match (word(0), word(1)) {
        ("ordered", _) => has("depend") || has("doacross"),
        ("target", "enter" | "exit" | "update") => true,
        (first, _) => ALONE.contains(&first),
    }
}

/// What a directive says; for a `metadirective`, which the compiler replaces by one of its variants, all of them. If it cannot know which
/// one the language takes, the directive itself comes first.
fn said(text: &str) -> Vec<Said> {
    let one = apart(text);
    let meta = one.words.last().is_some_and(|w| w == "metadirective");
    if !meta {
        return if one.words.is_empty() { Vec::new() } else { vec![one] };
    }
    let variant = |clause: &Clause| {
        let args = clause.args.as_deref()?;
        let text = match clause.name.as_str() {
            "when" => &args[behind_selector(args)?..],
            "default" | "otherwise" => args,
            _ => return None,
        };
        Some(Said { variant: true, ..apart(text) })
    };
    let variants = one.clauses.iter().filter_map(variant).filter(|said| !said.words.is_empty());
    let itself =
        one.clauses.iter().any(|c| c.name == "when" && !is_constant(c.args.as_deref().unwrap_or("")));
    let itself = itself.then(|| Said { clauses: Vec::new(), variant: true, ..apart(text) });
    itself.into_iter().chain(variants).collect()
}

/// Whether the selector of a `when` clause depends neither on the constructs around it nor on a value.
fn is_constant(args: &str) -> bool {
    let selector = &args[..behind_selector(args).unwrap_or(args.len())];
    let all = tokens(selector);
    let code = Code { text: selector, tokens: &all };
    (0..all.len()).all(|at| match code.word(at) {
        "construct" => false,
        "condition" if code.word(at + 1) == "(" => {
            let names = |i: usize| {
                all[i].kind == TokenKind::Word && !code.word(i).starts_with(|c: char| c.is_ascii_digit())
            };
            (at + 2..code.close(at + 1))
                .all(|i| !names(i) || matches!(code.word(i), "true" | "false" | "score"))
        }
        _ => true,
    })
}

/// Takes a directive apart into the words of its name and its clauses.
fn apart(text: &str) -> Said {
    let all = tokens(text);
    let code = Code { text, tokens: &all };
    let mut said = Said { words: Vec::new(), argument: None, clauses: Vec::new(), variant: false };
    let mut at = 0;
    while at < all.len() {
        if all[at].kind != TokenKind::Word {
            // Arguments without a clause, as in `depend(...)` of a removed macro, are passed over.
            at = if code.word(at) == "(" { code.close(at) } else { at + 1 };
            continue;
        }
        let name = code.word(at);
        at += 1;
        let mut args = None;
        if code.word(at) == "(" {
            let end = code.close(at);
            let inner = if code.word(end - 1) == ")" { end - 1 } else { end };
            args = Some(joined(code, at + 1, inner.max(at + 1)));
            at = end;
        }
        let in_name = said.clauses.is_empty() && said.argument.is_none() && goes_on(&said.words, name);
        if in_name {
            said.words.push(name.to_string());
            said.argument = args;
        } else {
            said.clauses.push(Clause { name: name.to_string(), args });
        }
    }
    said
}

/// Whether a directive's name goes on with a word.
fn goes_on(words: &[String], next: &str) -> bool {
    let Some(last) = words.last().map(String::as_str) else { return true };
    match last {
        "target" => COMBINED.contains(&next) || matches!(next, "data" | "enter" | "exit" | "update"),
        "enter" | "exit" => next == "data",
        "declare" => matches!(next, "reduction" | "mapper" | "simd" | "target" | "variant" | "induction"),
        "begin" | "end" => true,
        "cancellation" => next == "point",
        "cancel" | "point" => matches!(next, "parallel" | "for" | "sections" | "taskgroup"),
        _ => COMBINED.contains(&last) && COMBINED.contains(&next),
    }
}

/// The text of tokens, with blanks only between words and behind commas, so that it does not depend on how it was written.
fn joined(code: Code<'_>, from: usize, to: usize) -> String {
    let mut out = String::new();
    for i in from..to {
        let mark = |i: usize| code.tokens[i].kind == TokenKind::Mark;
        if i > from && (code.word(i - 1) == "," || !mark(i - 1) && !mark(i)) {
            out.push(' ');
        }
        out += code.word(i);
    }
    out
}

/// Where the variant of a `when` clause begins: behind the first colon outside of all brackets.
fn behind_selector(text: &str) -> Option<usize> {
    let mut depth = 0;
    for token in tokens(text) {
        match &text[token.from..token.to] {
            "(" | "{" | "[" => depth += 1,
            ")" | "}" | "]" => depth -= 1,
            ":" if depth == 0 => return Some(token.to),
            _ => {}
        }
    }
    None
}

/// A directive by its text.
#[cfg(test)]
pub fn one(text: &str) -> Directive {
    let all = read(&format!("#pragma omp {text}\n;"), "a.c", Language::C);
    all.iter().next().expect("a directive").clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn c(text: &str) -> Directives {
        read(text, "a.c", Language::C)
    }

    #[test]
    fn words_and_clauses() {
        let d = one("parallel for schedule (monotonic : static , 2) reduction(+:s) if((a)>(b)), nowait");
        assert_eq!(d.words, ["parallel", "for"]);
        assert!(d.has("for") && d.has("nowait") && !d.has("static"));
        assert_eq!(d.args("schedule"), Some("monotonic:static, 2"));
        assert_eq!(d.args("if"), Some("(a)>(b)"));
        assert_eq!(d.args("nowait"), None);
        assert_eq!(
            d.to_string(),
            "parallel for schedule(monotonic:static, 2) reduction(+:s) if((a)>(b)) nowait"
        );
    }

    #[test]
    fn names_and_their_arguments() {
        let words = |text: &str| one(text).words.join(" ");
        assert_eq!(words("for ordered"), "for");
        assert_eq!(words("ordered simd"), "ordered");
        assert_eq!(words("target update to(a)"), "target update");
        assert_eq!(words("target enter data map(to: a)"), "target enter data");
        assert_eq!(words("atomic update"), "atomic");
        assert_eq!(words("cancellation point for"), "cancellation point for");
        assert_eq!(
            words("target teams distribute parallel for simd"),
            "target teams distribute parallel for simd"
        );
        assert_eq!(one("critical (name) hint(1)").argument.as_deref(), Some("name"));
        assert_eq!(one("flush(a, b)").argument.as_deref(), Some("a, b"));
        assert!(one("single").argument.is_none() && one("flush seq_cst").argument.is_none());
    }

    #[test]
    fn variants_of_a_metadirective() {
        let all = c(
            "#pragma omp metadirective when(user={condition(score(2): 1)}: for nowait) otherwise(single)\n{\n}",
        );
        let [first, second] = all.at("a.c", 1) else { panic!("two variants") };
        assert!(first.has("nowait") && !first.has("single") && second.has("single") && second.variant);
        assert_eq!(first.body.as_ref().map(Extent::lines), Some(2..=3));
        let open = c(
            "#pragma omp metadirective when(user={condition(score(2): n)}: for nowait) otherwise(single)\n{\n}",
        );
        assert!(open.at("a.c", 1)[0].has("metadirective") && open.at("a.c", 1).len() == 3);
    }

    #[test]
    fn lines_follow_markers() {
        let text = "# 1 \"a \\\"b.c\"\n\n#pragma omp for\n# 40 \"x.h\" 1\n # pragma omp sections\nint x;\n#pragma omp ompx\n";
        let all = c(text);
        assert!(all.at("a \"b.c", 2)[0].has("for"));
        assert!(all.at("x.h", 40)[0].has("sections"));
        assert!(all.at("a.c", 2).is_empty() && all.knows("a.c"));
        let unmarked = c("#pragma omp for \\\n schedule(static)\nx;\n#pragma omp single");
        assert!(unmarked.at("a.c", 1)[0].has("schedule") && unmarked.at("a.c", 4)[0].has("single"));
        assert!(c("#pragma ompx for").at("a.c", 1).is_empty());
    }

    #[test]
    fn extents_are_those_of_the_statement() {
        let text = "void f() {\n#pragma omp parallel\n#pragma omp single\n{\n#pragma omp task\n g();\n#pragma omp barrier\n}\nh();\n}\n";
        let all = c(text);
        let lines = |line| all.at("a.c", line)[0].body.as_ref().map(Extent::lines);
        assert_eq!((lines(2), lines(3)), (Some(4..=8), Some(4..=8)));
        assert_eq!((lines(5), lines(7)), (Some(6..=6), None));
        let around: Vec<_> = all.around("a.c", 6).map(Directive::first).collect();
        assert_eq!(around, ["task", "single", "parallel"]);
    }

    #[test]
    fn attributes_are_directives() {
        let text = "[[omp::directive(for schedule(static))]]\nfor (;;)\n  ;\n[[omp::sequence(directive(barrier),\n   directive(\n for))]]\nfor (;;) ;\n[[using omp: directive(critical(x))]] y;";
        let all = c(text);
        assert!(all.at("a.c", 1)[0].has("schedule"));
        assert_eq!(all.at("a.c", 1)[0].body.as_ref().map(Extent::lines), Some(2..=3));
        assert!(all.at("a.c", 4)[0].has("barrier") && all.at("a.c", 6)[0].has("for"));
        assert_eq!(all.at("a.c", 8)[0].argument.as_deref(), Some("x"));
        assert!(c("int directive(int for_); [[maybe_unused]] int x;").at("a.c", 1).is_empty());
    }
}
