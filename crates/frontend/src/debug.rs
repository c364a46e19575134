//! Source places, names and types from LLVM's debug information.

use std::path::{Component, Path, PathBuf};

use ir::{Field, File, Place, PlaceId, Type, TypeId, Variable};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::llvm::meta::{Location, Meta, MetaKind, Operand};
use crate::llvm::{Module, Value};

/// DWARF tags of types (DWARF 5, table 7.3).
mod tag {
    pub const ARRAY: u16 = 0x01;
    pub const CLASS: u16 = 0x02;
    pub const ENUMERATION: u16 = 0x04;
    pub const MEMBER: u16 = 0x0d;
    pub const POINTER: u16 = 0x0f;
    pub const REFERENCE: u16 = 0x10;
    pub const STRUCTURE: u16 = 0x13;
    pub const TYPEDEF: u16 = 0x16;
    pub const UNION: u16 = 0x17;
    pub const INHERITANCE: u16 = 0x1c;
    pub const CONST: u16 = 0x26;
    pub const VOLATILE: u16 = 0x35;
    pub const RESTRICT: u16 = 0x37;
    pub const RVALUE_REFERENCE: u16 = 0x42;
    pub const TEMPLATE_ALIAS: u16 = 0x43;
    pub const ATOMIC: u16 = 0x47;
}

/// Where raceproof's own models seem to lie.
pub const MODELS: &str = "<raceproof>";

/// The paths that the user typed, by their absolute form, and the working directory.
#[derive(Default)]
pub struct Paths {
    typed: FxHashMap<PathBuf, String>,
    here: PathBuf,
}

impl Paths {
    /// For these files, typed in the current directory.
    pub fn new<'a>(files: impl Iterator<Item = &'a Path>) -> Paths {
        let here = std::env::current_dir().unwrap_or_default();
        let typed = files.map(|f| (normal(&here.join(f)), f.to_string_lossy().into_owned())).collect();
        Paths { typed, here }
    }

    /// A file as reports show it; its name counts from a folder, or from the current one.
    pub fn show(&self, directory: &str, name: &str) -> String {
        if name.starts_with('<') {
            return name.to_string();
        }
        let full = normal(&self.here.join(directory).join(name));
        if let Some(typed) = self.typed.get(&full) {
            return typed.clone();
        }
        match full.strip_prefix(&self.here) {
            Ok(relative) => relative.to_string_lossy().into_owned(),
            Err(_) => full.to_string_lossy().into_owned(),
        }
    }
}

/// The path without `.` and `..`, as far as that can be told without the file system.
fn normal(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(out.components().next_back(), Some(Component::Normal(_))) => {
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}

fn is_system(path: &str) -> bool {
    path.starts_with(MODELS)
        || ["/usr/include/", "/usr/lib/", "/usr/local/include/", "/usr/bin/../"]
            .iter()
            .any(|p| path.starts_with(p))
        || path.contains("/lib/clang/")
}

/// Translates debug information; remembers what it has translated.
pub struct Debug<'m> {
    llvm: &'m Module,
    paths: &'m Paths,
    files: FxHashMap<Meta<'m>, u32>,
    file_names: FxHashMap<String, u32>,
    places: FxHashMap<(u32, u32, u32), PlaceId>,
    types: FxHashMap<Meta<'m>, TypeId>,
    /// Those of the types that are references of C++.
    references: FxHashSet<TypeId>,
    /// Complete records by name, for declarations of them elsewhere.
    records: FxHashMap<String, TypeId>,
}

impl<'m> Debug<'m> {
    /// An empty one; `out` gets its entry 0 of places.
    pub fn new(llvm: &'m Module, paths: &'m Paths, out: &mut ir::Module) -> Debug<'m> {
        out.places.push(Place { file: 0, line: 0, column: 0 });
        Debug {
            llvm,
            paths,
            files: FxHashMap::default(),
            file_names: FxHashMap::default(),
            places: FxHashMap::default(),
            types: FxHashMap::default(),
            references: FxHashSet::default(),
            records: FxHashMap::default(),
        }
    }

    fn file(&mut self, out: &mut ir::Module, scope: Meta<'m>) -> Option<u32> {
        let file = scope.file()?;
        if let Some(id) = self.files.get(&file) {
            return Some(*id);
        }
        let (directory, name) = file.file_name()?;
        let path = self.paths.show(&directory, &name);
        let id = *self.file_names.entry(path).or_insert_with_key(|path| {
            out.files.push(File { path: path.clone(), system: is_system(path) });
            out.files.len() as u32 - 1
        });
        self.files.insert(file, id);
        Some(id)
    }

    fn place(&mut self, out: &mut ir::Module, scope: Meta<'m>, line: u32, column: u32) -> PlaceId {
        let Some(file) = self.file(out, scope) else { return PlaceId::NONE };
        if line == 0 {
            return PlaceId::NONE;
        }
        *self.places.entry((file, line, column)).or_insert_with(|| {
            out.places.push(Place { file, line, column });
            PlaceId(out.places.len() as u32 - 1)
        })
    }

    /// The place of an instruction. For code inlined from a system header it is the place in the user's code.
    pub fn instruction(&mut self, out: &mut ir::Module, instruction: Value<'m>) -> PlaceId {
        match instruction.location() {
            Some(location) => self.location(out, location),
            None => PlaceId::NONE,
        }
    }

    fn location(&mut self, out: &mut ir::Module, mut location: Location<'m>) -> PlaceId {
        while let Some(outer) = location.inlined_at.and_then(Meta::location) {
            let file = self.file(out, location.scope);
            if location.line != 0 && file.is_some_and(|f| !out.files[f as usize].system) {
                break;
            }
            location = outer;
        }
        self.place(out, location.scope, location.line, location.column)
    }

    /// Where a function is defined.
    pub fn function(&mut self, out: &mut ir::Module, subprogram: Meta<'m>) -> PlaceId {
        self.place(out, subprogram, subprogram.line(), 0)
    }

    /// The name that the source gives to a function.
    pub fn function_name(&self, subprogram: Meta<'m>) -> Option<String> {
        self.text(subprogram, 2)
    }

    /// A local or global variable, unless it has no name.
    pub fn variable(&mut self, out: &mut ir::Module, variable: Meta<'m>) -> Option<Variable> {
        if !matches!(variable.kind(), MetaKind::LocalVariable | MetaKind::GlobalVariable) {
            return None;
        }
        let name = self.text(variable, 1).filter(|n| !n.is_empty())?;
        let ty = self.operand(variable, 3).and_then(|t| self.ty(out, t));
        let place = self.place(out, variable, variable.line(), 0);
        Some(Variable { name, ty, place })
    }

    /// Whether a type is a reference of C++.
    pub fn is_reference(&self, ty: TypeId) -> bool {
        self.references.contains(&ty)
    }

    /// The type of a function's result; `None` for `void`.
    pub fn result_type(&mut self, out: &mut ir::Module, subprogram: Meta<'m>) -> Option<TypeId> {
        let types = self.operand(subprogram, 4).and_then(|ty| self.operand(ty, 3))?;
        let result = self.operand(types, 0)?;
        self.ty(out, result)
    }

    /// Whether a function is a member that has a `this`.
    pub fn is_method(&mut self, subprogram: Meta<'m>) -> bool {
        let types = self.operand(subprogram, 4).and_then(|ty| self.operand(ty, 3));
        let first = types.and_then(|types| self.operand(types, 1));
        first.is_some_and(|t| t.tag() == tag::POINTER && t.is_object_pointer())
    }

    fn text(&self, node: Meta<'m>, index: usize) -> Option<String> {
        self.llvm.operands(node).get(index)?.clone()?.text()
    }

    fn operand(&self, node: Meta<'m>, index: usize) -> Option<Meta<'m>> {
        self.llvm.operands(node).get(index)?.clone()?.meta()
    }

    /// A type, without names of typedefs and qualifiers; `None` for `void`.
    pub fn ty(&mut self, out: &mut ir::Module, node: Meta<'m>) -> Option<TypeId> {
        if let Some(id) = self.types.get(&node) {
            return Some(*id);
        }
        let id = match (node.kind(), node.tag()) {
            (MetaKind::DerivedType, tag::TYPEDEF | tag::CONST | tag::VOLATILE | tag::RESTRICT)
            | (MetaKind::DerivedType, tag::ATOMIC | tag::TEMPLATE_ALIAS | tag::MEMBER) => {
                let base = self.operand(node, 3)?;
                self.ty(out, base)?
            }
            (MetaKind::DerivedType, tag::POINTER | tag::REFERENCE | tag::RVALUE_REFERENCE) => {
                let size = node.size_in_bits() / 8;
                let id = self.reserve(out, node);
                if node.tag() != tag::POINTER {
                    self.references.insert(id);
                }
                let to = self.operand(node, 3).and_then(|t| self.ty(out, t));
                out.types[id.0 as usize] = Type::Pointer { to, size };
                id
            }
            (MetaKind::CompositeType, tag::STRUCTURE | tag::CLASS | tag::UNION) => self.record(out, node),
            (MetaKind::CompositeType, tag::ARRAY) => self.array(out, node)?,
            (MetaKind::CompositeType, tag::ENUMERATION)
            | (MetaKind::BasicType | MetaKind::DerivedType, _) => {
                scalar(out, node.type_name(), node.size_in_bits() / 8)
            }
            (MetaKind::SubroutineType, _) => scalar(out, "function".into(), 0),
            (MetaKind::CompositeType, _) => scalar(out, node.type_name(), node.size_in_bits() / 8),
            _ => return None,
        };
        self.types.insert(node, id);
        Some(id)
    }

    /// An entry for a type that may contain itself; to be filled in.
    fn reserve(&mut self, out: &mut ir::Module, node: Meta<'m>) -> TypeId {
        let id = scalar(out, String::new(), 0);
        self.types.insert(node, id);
        id
    }

    fn record(&mut self, out: &mut ir::Module, node: Meta<'m>) -> TypeId {
        let name = node.type_name();
        if node.is_forward_declaration()
            && let Some(known) = self.records.get(&name)
        {
            return *known;
        }
        let id = self.reserve(out, node);
        let union = node.tag() == tag::UNION;
        let size = node.size_in_bits() / 8;
        if !name.is_empty() && !node.is_forward_declaration() {
            self.records.entry(name.clone()).or_insert(id);
        }
        let mut fields = Vec::new();
        let elements = self.operand(node, 4).map(|list| self.llvm.operands(list)).unwrap_or_default();
        for element in elements.into_iter().flatten().filter_map(Operand::meta) {
            let member = element.tag() == tag::MEMBER && !element.is_static_member();
            if !member && element.tag() != tag::INHERITANCE {
                continue;
            }
            let Some(ty) = self.operand(element, 3).and_then(|t| self.ty(out, t)) else { continue };
            let name = if member { element.type_name() } else { String::new() };
            let mut bit_size = element.size_in_bits();
            if !member {
                // An empty base takes no room of its own.
                if matches!(&out.types[ty.0 as usize], Type::Record { fields, .. } if fields.is_empty()) {
                    continue;
                }
                bit_size = out.type_size(ty) * 8;
            }
            fields.push(Field { name, bit_offset: element.offset_in_bits(), bit_size, ty });
        }
        out.types[id.0 as usize] = Type::Record { name, size, fields, union };
        id
    }

    fn array(&mut self, out: &mut ir::Module, node: Meta<'m>) -> Option<TypeId> {
        let mut ty = self.operand(node, 3).and_then(|t| self.ty(out, t))?;
        let bounds = self.operand(node, 4).map(|list| self.llvm.operands(list)).unwrap_or_default();
        for bound in bounds.into_iter().rev().flatten().filter_map(Operand::meta) {
            let count = match self.llvm.operands(bound).into_iter().next() {
                Some(Some(Operand::Value(count))) => count.constant_int().unwrap_or(0).max(0) as u64,
                _ => 0,
            };
            out.types.push(Type::Array { elem: ty, count });
            ty = TypeId(out.types.len() as u32 - 1);
        }
        Some(ty)
    }
}

fn scalar(out: &mut ir::Module, name: String, size: u64) -> TypeId {
    out.types.push(Type::Scalar { name, size });
    TypeId(out.types.len() as u32 - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_shown_as_typed() {
        let mut paths = Paths { typed: FxHashMap::default(), here: "/home/me/src".into() };
        paths.typed.insert("/home/me/other/a.c".into(), "../other/a.c".into());
        assert_eq!(paths.show("/home/me/src", "../other/a.c"), "../other/a.c");
        assert_eq!(paths.show("/home/me", "src/./sub/b.h"), "sub/b.h");
        assert_eq!(paths.show("/tmp", "/usr/include/stdio.h"), "/usr/include/stdio.h");
        assert_eq!(paths.show("/x", "<raceproof>/string.c"), "<raceproof>/string.c");
        assert!(is_system("/usr/include/stdio.h") && !is_system("a.c"));
    }
}
