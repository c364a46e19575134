//! OpenMP directives of a source, from its preprocessed text: macros are expanded there, `_Pragma` has become `#pragma`,
//! and line markers tell the file and line that the compiler gives to a construct.

use rustc_hash::FxHashMap;

/// One clause, or a word of the directive's name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clause {
    /// Its name.
    pub name: String,
    /// What stands in its parentheses.
    pub args: Option<String>,
}

/// One directive: its words and clauses, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Directive(pub Vec<Clause>);

/// The word that begins directives with variants. Behind the clauses of another it says that it is such a variant.
const META: &str = "metadirective";

impl Directive {
    /// Whether it is one of several that the compiler has chosen from.
    pub fn is_variant(&self) -> bool {
        self.0.last().is_some_and(|c| c.name == META)
    }

    /// The directives that a `metadirective` may stand for.
    fn variants(&self) -> Vec<Directive> {
        let variant = |clause: &Clause| {
            let args = clause.args.as_deref()?;
            let text = match clause.name.as_str() {
                "when" => &args[behind_selector(args)?..],
                "default" | "otherwise" => args,
                _ => return None,
            };
            let mut variant = clauses(text);
            variant.0.push(Clause { name: META.to_string(), args: None });
            Some(variant)
        };
        self.0.iter().filter_map(variant).collect()
    }

    /// Whether the word or clause is there.
    pub fn has(&self, name: &str) -> bool {
        self.0.iter().any(|c| c.name == name)
    }

    /// What stands in a clause's parentheses.
    pub fn args(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|c| c.name == name)?.args.as_deref()
    }

    /// Whether it has a scan reduction and is not combined with `parallel`.
    pub fn is_uncombined_scan(&self) -> bool {
        let scans =
            |c: &Clause| c.name == "reduction" && c.args.as_ref().is_some_and(|a| a.contains("inscan"));
        !self.has("parallel") && self.0.iter().any(scans)
    }

    /// Whether it has lanes: a loop with `simd`, which `declare simd` and `ordered simd` are not, or one whose iterations may run
    /// at the same time.
    pub fn has_lanes(&self) -> bool {
        let first = self.0.first().map_or("", |c| c.name.as_str());
        (self.has("simd") || self.is_concurrent()) && first != "declare" && first != "ordered"
    }

    /// Whether iterations of one thread may run at the same time, although they are no lanes of a vector: `loop`, or a loop with
    /// `order(concurrent)` (OpenMP 5.2, 10.3).
    pub fn is_concurrent(&self) -> bool {
        self.has("loop") || self.args("order").is_some_and(|args| args.contains("concurrent"))
    }

    /// Whether lanes of one thread may come from anywhere in the loop: it is shared out, in parts that the source does not tell.
    pub fn shares_out_lanes(&self) -> bool {
        let told = |args: &str| {
            let parts = args.contains("dynamic") || (args.contains("static") && args.contains(','));
            parts && !args.contains("simd")
        };
        let schedule = ["schedule", "dist_schedule"].iter().find_map(|c| self.args(c));
        self.has_lanes() && self.shares_work() && (self.is_concurrent() || !schedule.is_some_and(told))
    }

    /// Whether its iterations or sections are shared out among threads or teams.
    pub fn shares_work(&self) -> bool {
        ["for", "sections", "distribute", "loop"].iter().any(|w| self.has(w))
    }
}

/// The directives of a program, by file (as the compiler names it) and line.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Directives(FxHashMap<(String, u32), Vec<Directive>>);

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
}

impl Place {
    /// That of a construct of which the source is not known.
    pub fn unknown() -> Place {
        Place { file: String::new(), line: 0, column: 0, function: 0 }
    }
}

impl Directives {
    /// The directives that each of a program's constructs may stand for: one where that is clear, none where the source is not
    /// known. The places are all those of constructs that such directives (`is`) bring about, and within a function in the
    /// order of the source.
    ///
    /// A line may have several directives, by `_Pragma` and macros. They are told apart by their columns if there are as many,
    /// else by their order if a function has as many constructs of that line. Variants of a `metadirective` are not told apart.
    pub fn tell_apart<'d>(
        &'d self,
        places: &[Place],
        is: impl Fn(&Directive) -> bool,
    ) -> Vec<Vec<&'d Directive>> {
        let mut lines: FxHashMap<(&str, u32), Vec<usize>> = FxHashMap::default();
        for (index, place) in places.iter().enumerate() {
            lines.entry((&place.file, place.line)).or_default().push(index);
        }
        let mut found = vec![Vec::new(); places.len()];
        for ((file, line), here) in lines {
            let all: Vec<_> = self.at(file, line).iter().filter(|d| is(d)).collect();
            let variants = all.iter().any(|d| d.is_variant());
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
                    same.iter().position(|i| *i == index).filter(|_| same.len() == all.len())
                };
                found[index] = nth.map_or_else(|| all.clone(), |n| vec![all[n]]);
            }
        }
        found
    }

    /// Those of a preprocessed source whose name is `file` where no marker says otherwise.
    pub fn parse(text: &str, file: &str) -> Directives {
        let mut all = Directives::default();
        let (mut file, mut line) = (file.to_string(), 1);
        all.0.entry((file.clone(), 0)).or_default();
        let mut lines = text.lines();
        let mut attribute: Option<Attribute> = None;
        while let Some(first) = lines.next() {
            let mut whole = first.to_string();
            let mut taken = 1;
            while whole.ends_with('\\') && is_pragma(&whole) {
                whole.pop();
                whole.push_str(lines.next().unwrap_or_default());
                taken += 1;
            }
            if let Some((to, name)) = marker(&whole) {
                line = to;
                file = name.unwrap_or(file);
                continue;
            }
            if let Some(directive) = pragma(&whole) {
                all.add(&file, line, clauses(directive));
            } else if attribute.is_some() || whole.contains("directive") {
                attribute = all.attributes(attribute, &whole, &file, line);
            }
            line += taken;
        }
        all
    }

    /// As a text that [`Directives::parse`] reads: a line marker and a pragma for each.
    pub fn text(&self) -> String {
        let mut keys: Vec<_> = self.0.keys().collect();
        keys.sort();
        let mut text = String::new();
        for (file, line) in keys {
            for directive in self.at(file, *line) {
                let quoted = file.replace('\\', "\\\\").replace('"', "\\\"");
                text += &format!("# {line} \"{quoted}\"\n#pragma omp");
                for clause in &directive.0 {
                    text += &format!(" {}", clause.name);
                    if let Some(args) = &clause.args {
                        text += &format!("({args})");
                    }
                }
                text.push('\n');
            }
        }
        text
    }

    /// Adds a directive; for a `metadirective`, which the compiler replaces by one of its variants, all of them.
    fn add(&mut self, file: &str, line: u32, directive: Directive) {
        let word = |n: usize| directive.0.get(n).map_or("", |c| c.name.as_str());
        let here = self.0.entry((file.to_string(), line)).or_default();
        match (word(0), word(1)) {
            (META, _) | ("begin", META) => here.extend(directive.variants()),
            _ => here.push(directive),
        }
    }

    /// The directives of a line, in order.
    pub fn at(&self, file: &str, line: u32) -> &[Directive] {
        self.0.get(&(file.to_string(), line)).map_or(&[], |d| d)
    }

    /// All of them with their lines, in order.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &Directive)> {
        let mut keys: Vec<_> = self.0.keys().collect();
        keys.sort();
        keys.into_iter().flat_map(|key| self.0[key].iter().map(|directive| (key.1, directive)))
    }

    /// Whether a file is one that was read, or there is a directive in it.
    pub fn knows(&self, file: &str) -> bool {
        self.0.keys().any(|(of, _)| of == file)
    }

    /// Adds those of another file of the program. What both have (from a header) and agree on is kept once.
    pub fn merge(&mut self, other: Directives) {
        for (key, directives) in other.0 {
            let mine = self.0.entry(key).or_default();
            if *mine != directives {
                mine.extend(directives);
            }
        }
    }

    /// Finds `directive( ... )` of the attributes `[[omp::directive(...)]]` and `[[omp::sequence(...)]]`, which may go on
    /// over several lines.
    fn attributes(
        &mut self,
        open: Option<Attribute>,
        text: &str,
        file: &str,
        line: u32,
    ) -> Option<Attribute> {
        let mut open = open;
        let mut rest = text;
        loop {
            let Some(mut attribute) = open.take() else {
                let at = rest.find("directive")?;
                let after = rest[at + "directive".len()..].trim_start();
                let before = rest[..at].trim_end();
                // At the beginning of a line, it goes on with a sequence.
                let omp = before.is_empty() || ["::", "(", ","].iter().any(|end| before.ends_with(end));
                rest = match after.strip_prefix('(') {
                    Some(inner) if omp => {
                        open = Some(Attribute { text: String::new(), depth: 1, line: None });
                        inner
                    }
                    _ => after,
                };
                continue;
            };
            for (at, c) in rest.char_indices() {
                attribute.depth = match c {
                    '(' => attribute.depth + 1,
                    ')' => attribute.depth - 1,
                    _ => attribute.depth,
                };
                if attribute.depth == 0 {
                    self.add(file, attribute.line.unwrap_or(line), clauses(&attribute.text));
                    rest = &rest[at + 1..];
                    break;
                }
                if !c.is_whitespace() {
                    attribute.line.get_or_insert(line);
                }
                attribute.text.push(c);
            }
            if attribute.depth > 0 {
                attribute.text.push(' ');
                return Some(attribute);
            }
        }
    }
}

/// An attribute that is being read.
struct Attribute {
    text: String,
    depth: u32,
    /// The line of its first word, which is where the compiler places the construct.
    line: Option<u32>,
}

fn is_pragma(line: &str) -> bool {
    line.trim_start().strip_prefix('#').is_some_and(|r| r.trim_start().starts_with("pragma"))
}

/// What follows `#pragma omp`.
fn pragma(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("pragma")?;
    let rest = rest.trim_start().strip_prefix("omp")?;
    rest.is_empty().then_some(rest).or_else(|| rest.starts_with([' ', '\t']).then_some(rest))
}

/// `# 12 "file" 1` or `#line 12 "file"`.
fn marker(line: &str) -> Option<(u32, Option<String>)> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("line").unwrap_or(rest).trim_start();
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let number = rest[..digits].parse().ok()?;
    let Some(quoted) = rest[digits..].trim_start().strip_prefix('"') else { return Some((number, None)) };
    let mut name = String::new();
    let mut chars = quoted.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => break,
            '\\' => name.extend(chars.next()),
            c => name.push(c),
        }
    }
    Some((number, Some(name)))
}

/// Splits a directive into its words and clauses.
pub fn clauses(text: &str) -> Directive {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_alphabetic() || c == '_' || c == '(') {
        rest = &rest[start..];
        if rest.starts_with('(') {
            // Arguments without a clause, as in `depend(...)` of a removed macro: skipped.
            rest = &rest[1 + group(&rest[1..]).len()..];
            continue;
        }
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        let name = rest[..end].to_string();
        rest = rest[end..].trim_start();
        let mut args = None;
        if let Some(inner) = rest.strip_prefix('(') {
            let inner_text = group(inner);
            args = Some(inner_text.trim().to_string());
            rest = &inner[inner_text.len()..];
        }
        found.push(Clause { name, args });
    }
    Directive(found)
}

/// Where the variant of a `when` clause begins: behind the first colon outside of all brackets.
fn behind_selector(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' | '{' | '[' => depth += 1,
            ')' | '}' | ']' => depth -= 1,
            ':' if depth == 0 => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// The text up to the parenthesis that closes the one just opened.
fn group(text: &str) -> &str {
    let mut depth = 1;
    for (at, c) in text.char_indices() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        if depth == 0 {
            return &text[..at];
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_clauses() {
        let d = clauses(" parallel for schedule (monotonic : static) reduction(+:s) if((a)>(b)) nowait");
        assert!(d.has("for") && d.has("nowait") && !d.has("static"));
        assert_eq!(d.args("schedule"), Some("monotonic : static"));
        assert_eq!(d.args("if"), Some("(a)>(b)"));
        assert_eq!(d.args("nowait"), None);
    }

    #[test]
    fn variants_of_a_metadirective() {
        let text =
            "#pragma omp metadirective when(user={condition(score(2): n)}: for nowait) otherwise(single)\n";
        let all = Directives::parse(text, "a.c");
        let both = |all: &Directives| {
            let [first, second] = all.at("a.c", 1) else { return false };
            first.has("nowait") && !first.has("single") && second.has("single") && second.is_variant()
        };
        assert!(both(&all) && both(&Directives::parse(&all.text(), "a.c")));
        let at = |column| Place { file: "a.c".into(), line: 1, column, function: 0 };
        assert_eq!(all.tell_apart(&[at(1), at(2)], |_| true)[0].len(), 2);
    }

    #[test]
    fn lines_follow_markers() {
        let text = "# 1 \"a b.c\"\n\n#pragma omp for\n# 40 \"x.h\" 1\n # pragma omp sections\nint x;\n#pragma omp ompx\n";
        let all = Directives::parse(text, "main.c");
        assert!(all.at("a b.c", 2)[0].has("for"));
        assert!(all.at("x.h", 40)[0].has("sections"));
        assert!(all.at("main.c", 2).is_empty());
        let unmarked =
            Directives::parse("#pragma omp for \\\n schedule(static)\nx\n#pragma omp single", "m.i");
        assert!(unmarked.at("m.i", 1)[0].has("schedule") && unmarked.at("m.i", 4)[0].has("single"));
        assert!(Directives::parse("#pragma ompx for", "m.i").at("m.i", 1).is_empty());
    }

    #[test]
    fn several_directives_in_a_line() {
        let text = "#pragma omp simd safelen(2)\n# 1\n#pragma omp barrier\n# 1\n#pragma omp simd safelen(8)";
        let all = Directives::parse(text, "a.c");
        let at = |column, function| Place { file: "a.c".into(), line: 1, column, function };
        let found = |places: &[Place]| -> Vec<Vec<String>> {
            let of = |d: &&Directive| d.args("safelen").unwrap_or("none").to_string();
            let found = all.tell_apart(places, Directive::has_lanes);
            found.iter().map(|of_place| of_place.iter().map(of).collect()).collect()
        };
        assert_eq!(found(&[at(40, 0), at(3, 1)]), [["8"], ["2"]]);
        assert_eq!(found(&[at(3, 0), at(3, 1), at(3, 0)])[..1], [["2"]]);
        assert_eq!(found(&[at(3, 0), at(3, 1), at(3, 0)])[1], ["2", "8"]);
        assert_eq!(found(&[at(3, 0), at(3, 0), at(3, 1), at(3, 1)]), [["2"], ["8"], ["2"], ["8"]]);
        assert_eq!(found(&[at(3, 0)]), [["2", "8"]]);
    }

    #[test]
    fn text_says_the_same() {
        let text = "# 1 \"a \\\"b.c\"\n\n#pragma omp for schedule(static, f(\")\")) nowait\n#pragma omp barrier\n\
                    # 3 \"x.h\"\n#pragma omp for if((a)>(b))\n#pragma omp simd\n";
        let all = Directives::parse(text, "main.c");
        assert_eq!(all.0.values().filter(|here| !here.is_empty()).count(), 4);
        assert_eq!(Directives::parse(&all.text(), "main.c"), all);
    }

    #[test]
    fn attributes() {
        let text = "[[omp::directive(for schedule(static))]]\n[[omp::sequence(directive(barrier),\n   directive(\n for))]]";
        let all = Directives::parse(text, "a.cpp");
        assert!(all.at("a.cpp", 1)[0].has("schedule"));
        assert!(all.at("a.cpp", 2)[0].has("barrier") && all.at("a.cpp", 4)[0].has("for"));
        assert!(Directives::parse("int directive(int for_);", "a.cpp").at("a.cpp", 1).is_empty());
    }
}
