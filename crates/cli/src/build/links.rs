//! What a build links: which objects make up which program, from what CMake (`link.txt`, one for each target) and Ninja
//! (`build.ninja`) leave in the build folder.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::{normal, words};

/// Folders below the build folder deeper than this are not searched for `link.txt`.
const DEEPEST: usize = 12;

/// The files that each file is made of; all names absolute.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Links(BTreeMap<PathBuf, Vec<PathBuf>>);

impl Links {
    /// What the build folder tells; nothing if it tells nothing.
    pub fn read(build: &Path) -> Links {
        // Often the list is a link in the folder of the sources to the one in the folder of the build.
        let file = if build.is_dir() { build.join(super::database::NAME) } else { build.to_owned() };
        let folder = file.canonicalize().ok().and_then(|file| Some(file.parent()?.to_owned()));
        let folder = folder.unwrap_or_else(|| build.to_owned());
        let Ok(folder) = std::path::absolute(folder) else { return Links::default() };
        let folder = normal(&folder);
        let mut links = Links::default();
        if let Ok(text) = std::fs::read_to_string(folder.join("build.ninja")) {
            links.ninja(&text, &folder);
        }
        links.search(&folder, 0);
        links
    }

    /// The programs: what is linked and neither a library nor an object.
    pub fn programs(&self) -> Vec<&Path> {
        let library = |name: &str| {
            name.ends_with(".a") || name.ends_with(".so") || name.contains(".so.") || name.ends_with(".o")
        };
        let is_program =
            |path: &&PathBuf| path.file_name().is_some_and(|name| !library(&name.to_string_lossy()));
        self.0.keys().filter(is_program).map(PathBuf::as_path).collect()
    }

    /// The linked file with this name: a path, a file name, or the name of a library without `lib` and its ending.
    pub fn find(&self, name: &str, build: &Path) -> Option<&Path> {
        let path = normal(&std::path::absolute(build).unwrap_or_default().join(name));
        let short = |of: &Path| {
            let file = of.file_name().map(|f| f.to_string_lossy().into_owned()).unwrap_or_default();
            let stem = file.split('.').next().unwrap_or("").to_owned();
            file == name || stem == name || stem.strip_prefix("lib") == Some(name)
        };
        let exact = self.0.keys().find(|key| **key == path);
        exact.or_else(|| self.0.keys().find(|key| short(key))).map(PathBuf::as_path)
    }

    /// The objects that a linked file is made of, libraries opened.
    pub fn objects(&self, of: &Path) -> BTreeSet<PathBuf> {
        let mut objects = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut open = vec![of.to_owned()];
        while let Some(file) = open.pop() {
            match self.0.get(&file) {
                Some(parts) if seen.insert(file.clone()) => open.extend(parts.iter().cloned()),
                Some(_) => {}
                None => {
                    objects.insert(file);
                }
            }
        }
        objects
    }

    /// Looks for `CMakeFiles/NAME.dir/link.txt`.
    fn search(&mut self, folder: &Path, depth: usize) {
        let Ok(entries) = std::fs::read_dir(folder) else { return };
        let mut folders: Vec<PathBuf> = Vec::new();
        for entry in entries.flatten().filter(|e| e.file_type().is_ok_and(|t| t.is_dir())) {
            if !entry.file_name().as_encoded_bytes().starts_with(b".") {
                folders.push(entry.path());
            }
        }
        folders.sort();
        for inner in folders {
            let is_target = inner.extension().is_some_and(|e| e == "dir");
            if folder.file_name().is_some_and(|name| name == "CMakeFiles") {
                if let (true, Ok(text)) = (is_target, std::fs::read_to_string(inner.join("link.txt"))) {
                    self.link_text(&text, folder.parent().unwrap_or(folder));
                }
            } else if depth < DEEPEST {
                self.search(&inner, depth + 1);
            }
        }
    }

    /// A `link.txt`: the commands, one a line.
    fn link_text(&mut self, text: &str, folder: &Path) {
        for line in text.lines() {
            let Ok(found) = words::split(line) else { continue };
            let found = words::expand(&found, folder);
            let named = found.iter().position(|w| w == "-o").and_then(|at| found.get(at + 1));
            let archive = || found.iter().skip(1).find(|w| w.ends_with(".a"));
            let Some(output) = named.or_else(archive) else { continue };
            let parts: Vec<PathBuf> = found
                .iter()
                .filter(|w| *w != output && is_part(w))
                .map(|w| normal(&folder.join(w)))
                .collect();
            // `ranlib` names the archive as well, and no objects.
            if !parts.is_empty() {
                self.0.insert(normal(&folder.join(output)), parts);
            }
        }
    }

    /// The statements `build OUTPUT: RULE INPUTS` of a file for Ninja whose rules link.
    fn ninja(&mut self, text: &str, folder: &Path) {
        let text = text.replace("$\r\n", "").replace("$\n", "");
        for line in text.lines() {
            let Some(rest) = line.strip_prefix("build ") else { continue };
            let found = ninja_words(rest);
            let Some(colon) = found.iter().position(|w| w == ":") else { continue };
            let Some(rule) = found.get(colon + 1) else { continue };
            if !rule.to_ascii_uppercase().contains("LINKER") {
                continue;
            }
            let parts = found[colon + 2..].iter().take_while(|w| *w != "||").filter(|w| is_part(w));
            let parts: Vec<PathBuf> = parts.map(|w| normal(&folder.join(w))).collect();
            for output in found[..colon].iter().filter(|w| *w != "|") {
                self.0.insert(normal(&folder.join(output)), parts.clone());
            }
        }
    }
}

/// Whether a word names an object or a library.
fn is_part(word: &str) -> bool {
    let name = word.rsplit('/').next().unwrap_or(word);
    !word.starts_with('-')
        && ([".o", ".a", ".so", ".obj"].iter().any(|end| name.ends_with(end)) || name.contains(".so."))
}

/// The words of a build statement; the colon, `|` and `||` are words of their own.
fn ninja_words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '$' => word.extend(chars.next()),
            ' ' | ':' => {
                if !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
                if c == ':' {
                    words.push(":".to_owned());
                }
            }
            c => word.push(c),
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn make_files_of_cmake() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write(
            "CMakeFiles/app.dir/link.txt",
            "/usr/bin/cc -O2 CMakeFiles/app.dir/main.c.o -o app  lib/libq.a -lpthread\n",
        );
        write(
            "lib/CMakeFiles/q.dir/link.txt",
            "/usr/bin/ar qc libq.a CMakeFiles/q.dir/q.c.o \"CMakeFiles/q.dir/a b.c.o\"\n/usr/bin/ranlib libq.a\n",
        );
        let links = Links::read(folder.path());
        let root = normal(&std::path::absolute(folder.path()).unwrap());
        assert_eq!(links.programs(), [root.join("app")]);
        let objects: Vec<_> = links.objects(&root.join("app")).into_iter().collect();
        let expected =
            ["CMakeFiles/app.dir/main.c.o", "lib/CMakeFiles/q.dir/a b.c.o", "lib/CMakeFiles/q.dir/q.c.o"];
        assert_eq!(objects, expected.map(|o| root.join(o)));
        assert_eq!(links.find("q", folder.path()), Some(root.join("lib/libq.a").as_path()));
        assert_eq!(links.find("none", folder.path()), None);
    }

    #[test]
    fn files_for_ninja() {
        let mut links = Links::default();
        let text = "rule x\n  command = y\nbuild CMakeFiles/app.dir/m.c.o: C_COMPILER__app_ ../m.c || cmake\n\
            build app: C_EXECUTABLE_LINKER__app_Debug CMakeFiles/app.dir/m.c.o | libq.a $\n    /usr/lib/libm.so || libq.a\n  FLAGS = -g\n\
            build libq.a: C_STATIC_LIBRARY_LINKER__q_Debug CMakeFiles/q.dir/a$ b.c.o\n";
        links.ninja(text, Path::new("/b"));
        assert_eq!(links.programs(), [Path::new("/b/app")]);
        let objects: Vec<_> = links.objects(Path::new("/b/app")).into_iter().collect();
        assert_eq!(
            objects,
            ["/b/CMakeFiles/app.dir/m.c.o", "/b/CMakeFiles/q.dir/a b.c.o", "/usr/lib/libm.so"]
                .map(PathBuf::from)
        );
    }
}
