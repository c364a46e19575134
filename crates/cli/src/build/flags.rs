//! What the command line of a compiler means: its sources, what it makes of them, and the flags that decide what they mean.

use std::path::Path;

/// What a compiler is asked to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mode {
    /// Programs or shared libraries.
    Link,
    /// Objects (`-c`).
    Compile,
    /// Anything that leaves nothing to check: `-E`, `-S`, `-M`, `-fsyntax-only`, `--version`, ...
    Other,
}

/// One source on the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The file, as typed.
    pub file: String,
    /// The language that `-x`, or the compiler's name, says.
    pub language: Option<String>,
}

/// A command line, understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandLine {
    /// What it makes.
    pub mode: Mode,
    /// The C and C++ sources.
    pub sources: Vec<Source>,
    /// Sources in other languages: assembly, Fortran, ...
    pub others: Vec<String>,
    /// What `-o` says.
    pub output: Option<String>,
    /// The flags that decide what a source means: macros, folders of headers, the standard, the target, OpenMP.
    pub flags: Vec<String>,
    /// Whether objects are LLVM's and no machine code (`-flto`).
    pub lto: bool,
}

impl CommandLine {
    /// All flags of one of its sources.
    pub fn flags_of(&self, source: &Source) -> Vec<String> {
        let mut flags = self.flags.clone();
        if let Some(language) = &source.language {
            flags.extend(["-x".to_owned(), language.clone()]);
        }
        flags
    }
}

/// Programs that run the compiler which follows them.
const LAUNCHERS: [&str; 5] = ["ccache", "sccache", "distcc", "icecc", "env"];

/// Options whose value is the next word, if it is not part of the same one. Those marked are kept with it.
const WITH_VALUE: [(&str, bool); 39] = [
    ("-D", true),
    ("-U", true),
    ("-I", true),
    ("-include", true),
    ("-imacros", true),
    ("-isystem", true),
    ("-iquote", true),
    ("-idirafter", true),
    ("-iprefix", true),
    ("-iwithprefix", true),
    ("-iwithprefixbefore", true),
    ("-isysroot", true),
    ("--sysroot", true),
    ("-target", true),
    ("--target", true),
    ("-ivfsoverlay", true),
    ("-Xclang", true),
    ("-Xpreprocessor", true),
    ("-cxx-isystem", true),
    ("-gcc-toolchain", true),
    ("-mllvm", false),
    ("-MF", false),
    ("-MT", false),
    ("-MQ", false),
    ("-MJ", false),
    ("-Xlinker", false),
    ("-Xassembler", false),
    ("-Xanalyzer", false),
    ("-L", false),
    ("-l", false),
    ("-T", false),
    ("-u", false),
    ("-z", false),
    ("-e", false),
    ("-B", false),
    ("--param", false),
    ("-aux-info", false),
    ("-arch", false),
    ("-framework", false),
];

/// Flags beginning with `-f` that change what a program means; the others are about optimisation, code and messages, and
/// clang refuses many of GCC's.
const MEANING: [&str; 38] = [
    "openmp",
    "exceptions",
    "cxx-exceptions",
    "rtti",
    "signed-char",
    "unsigned-char",
    "short-enums",
    "short-wchar",
    "wrapv",
    "trapv",
    "ms-extensions",
    "ms-compatibility",
    "pack-struct",
    "builtin",
    "freestanding",
    "hosted",
    "char8_t",
    "coroutines",
    "common",
    "gnu89-inline",
    "input-charset",
    "exec-charset",
    "wide-exec-charset",
    "PIC",
    "pic",
    "PIE",
    "pie",
    "blocks",
    "gnu-keywords",
    "asm",
    "permissive",
    "delayed-template-parsing",
    "sized-deallocation",
    "aligned-allocation",
    "new-alignment",
    "threadsafe-statics",
    "strict-enums",
    "signed-bitfields",
];

/// Understands the words after the compiler's name; `cplusplus` if that is a C++ compiler.
pub fn parse(words: &[String], cplusplus: bool) -> CommandLine {
    let mut line = CommandLine {
        mode: Mode::Link,
        sources: Vec::new(),
        others: Vec::new(),
        output: None,
        flags: Vec::new(),
        lto: false,
    };
    let mut language: Option<String> = None;
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--" => {
                for file in words.by_ref() {
                    line.input(file, language.as_deref(), cplusplus);
                }
            }
            "-o" | "--output" => line.output = words.next().cloned(),
            "-x" => language = words.next().cloned(),
            "-c" => line.mode = line.mode.max(Mode::Compile),
            "-" => line.mode = Mode::Other,
            flag if flag.starts_with('-') => {
                if let Some(said) = flag.strip_prefix("-x").filter(|said| !said.is_empty()) {
                    language = Some(said.to_owned());
                } else if let Some(&(_, kept)) = WITH_VALUE.iter().find(|(name, _)| *name == flag) {
                    let value = words.next();
                    if let (true, Some(value)) = (kept, value) {
                        line.flags.extend([word.clone(), value.clone()]);
                    }
                } else {
                    line.flag(flag);
                }
            }
            file => line.input(file, language.as_deref(), cplusplus),
        }
    }
    line
}

impl CommandLine {
    /// A flag that is one word.
    fn flag(&mut self, flag: &str) {
        let ends =
            ["-E", "-S", "-M", "-MM", "-fsyntax-only", "-###", "--version", "-dumpversion", "-dumpmachine"];
        if ends.contains(&flag)
            || flag.starts_with("-print-")
            || flag.starts_with("--print-")
            || flag == "-cc1"
        {
            self.mode = Mode::Other;
        } else if let Some(output) = flag.strip_prefix("-o").filter(|_| !flag.starts_with("-obj")) {
            self.output = Some(output.to_owned());
        } else if let Some(parts) = flag.strip_prefix("-Wp,") {
            let kept = parts.split(',').filter(|part| ["-D", "-U", "-I"].iter().any(|k| part.starts_with(k)));
            self.flags.extend(kept.map(str::to_owned));
        } else if flag.starts_with("-flto") {
            self.lto = true;
        } else if flag == "-fno-lto" {
            self.lto = false;
        } else if decides_meaning(flag) {
            self.flags.push(flag.to_owned());
        }
    }

    fn input(&mut self, file: &str, language: Option<&str>, cplusplus: bool) {
        let extension = Path::new(file).extension().and_then(|e| e.to_str()).unwrap_or("");
        let said = language.filter(|said| *said != "none");
        let source =
            |language: Option<&str>| Source { file: file.to_owned(), language: language.map(str::to_owned) };
        match (said, extension) {
            (Some("c" | "c++" | "cpp-output" | "c++-cpp-output"), _) => self.sources.push(source(said)),
            (Some(_), _) => self.others.push(file.to_owned()),
            (None, "c" | "i") if cplusplus => {
                self.sources.push(source(Some(if extension == "c" { "c++" } else { "c++-cpp-output" })));
            }
            (None, "c" | "i" | "cc" | "cp" | "cpp" | "cxx" | "c++" | "C" | "CPP" | "ii") => {
                self.sources.push(source(None));
            }
            (None, "s" | "S" | "sx" | "f" | "f90" | "F" | "F90" | "m" | "mm" | "cu" | "d" | "go") => {
                self.others.push(file.to_owned());
            }
            (None, _) => {}
        }
    }
}

/// Whether a flag changes what a source means, rather than code, messages and files.
fn decides_meaning(flag: &str) -> bool {
    if let Some(name) = flag.strip_prefix("-f") {
        let name = name.strip_prefix("no-").unwrap_or(name);
        let word = name.split('=').next().unwrap_or(name);
        return MEANING.contains(&word) || word.starts_with("openmp") || word.starts_with("builtin-");
    }
    let whole = [
        "-ansi",
        "-trigraphs",
        "-undef",
        "-nostdinc",
        "-nostdinc++",
        "-pthread",
        "-nostdlibinc",
        "-nobuiltininc",
    ];
    let begins = [
        "-D",
        "-U",
        "-I",
        "-isystem",
        "-iquote",
        "-idirafter",
        "-include",
        "-imacros",
        "-isysroot",
        "-std=",
        "--std=",
        "-stdlib=",
        "-m",
        "--sysroot=",
        "--target=",
        "--gcc-toolchain=",
        "-Wno-",
    ];
    whole.contains(&flag) || begins.iter().any(|begin| flag.starts_with(begin))
}

/// The compiler of a command line and the words after it, without what only starts it (`ccache gcc ...`).
pub fn compiler(words: &[String]) -> Option<(&str, &[String])> {
    let name = |word: &str| {
        Path::new(word).file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default()
    };
    let mut rest = words;
    loop {
        let (first, after) = rest.split_first()?;
        let starts_another =
            LAUNCHERS.contains(&name(first).as_str()) || (first.contains('=') && !first.contains('/'));
        if !starts_another || after.is_empty() {
            return Some((first, after));
        }
        rest = after;
    }
}

/// Whether a compiler takes C to be C++: `g++`, `clang++-19`, `c++`.
pub fn is_cplusplus(compiler: &str) -> bool {
    Path::new(compiler).file_name().is_some_and(|name| name.to_string_lossy().contains("++"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> CommandLine {
        let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
        parse(&words, false)
    }

    #[test]
    fn what_decides_the_meaning_is_kept() {
        let line = of(
            "-Iinclude -I other -DN=2 -D M -UX -std=c11 -fopenmp -O3 -g -Wall -Werror -Wno-foo -MD -MF a.d -MT a.o \
             -fPIC -fno-strict-aliasing -march=native -m32 -include config.h -isystem sys -pthread -c -o out/a.o a.c",
        );
        let expected = "-Iinclude -I other -DN=2 -D M -UX -std=c11 -fopenmp -Wno-foo -fPIC -march=native -m32 -include config.h \
             -isystem sys -pthread";
        assert_eq!(line.flags.join(" "), expected);
        assert_eq!((line.mode, line.output.as_deref()), (Mode::Compile, Some("out/a.o")));
        assert_eq!(line.sources, [Source { file: "a.c".into(), language: None }]);
        assert_eq!(
            of("-Wp,-MD,x.d,-DA=1 -fno-builtin-malloc -fstack-protector").flags,
            ["-DA=1", "-fno-builtin-malloc"]
        );
    }

    #[test]
    fn modes() {
        for other in [
            "-E a.c",
            "-S a.c",
            "-M a.c",
            "-MM -c a.c",
            "--version",
            "-fsyntax-only a.c",
            "-E -",
            "-print-search-dirs",
        ] {
            assert_eq!(of(other).mode, Mode::Other, "{other}");
        }
        assert_eq!(of("a.c b.o -lm -o x -L lib").mode, Mode::Link);
        assert_eq!(of("a.c b.o -l m -o x").sources.len(), 1);
        assert_eq!(of("-oout a.c").output.as_deref(), Some("out"));
        assert!(of("-c -flto=thin a.c").lto);
        assert_eq!(of("-c a.S b.c").others, ["a.S"]);
        assert_eq!(of("-c -- -a.c").sources[0].file, "-a.c");
    }

    #[test]
    fn languages() {
        let line = of("-x c++ a.inc -x none b.c");
        assert_eq!(line.sources[0].language.as_deref(), Some("c++"));
        assert_eq!(line.sources[1].language, None);
        assert_eq!(line.flags_of(&line.sources[0]), ["-x", "c++"]);
        let cplusplus = parse(&["a.c".to_owned(), "b.cc".to_owned()], true);
        assert_eq!(cplusplus.sources[0].language.as_deref(), Some("c++"));
        assert_eq!(cplusplus.sources[1].language, None);
        assert!(is_cplusplus("/usr/bin/clang++-19") && !is_cplusplus("/opt/c++tools/gcc"));
    }

    #[test]
    fn launchers_are_skipped() {
        let words: Vec<String> =
            "ccache CCACHE_DIR=x /usr/bin/gcc -c a.c".split(' ').map(str::to_owned).collect();
        assert_eq!(compiler(&words).map(|(c, rest)| (c, rest.len())), Some(("/usr/bin/gcc", 2)));
        assert_eq!(compiler(&[]), None);
    }
}
