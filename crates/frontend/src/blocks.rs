//! Names of heap blocks: the variable that the allocating call's result is stored to, and what it points to.
//!
//! They are found with the other names ([`crate::names`]), before promotion removes the stores, and in types of their
//! own; lowering asks for them call by call and takes over the types.

use ir::{Type, TypeId};
use rustc_hash::FxHashMap;

/// Whether a function returns a new block of memory.
pub fn allocates(function: &str) -> bool {
    const ALLOCATORS: [&str; 7] =
        ["malloc", "calloc", "realloc", "aligned_alloc", "memalign", "valloc", "omp_alloc"];
    // `operator new` and `operator new[]`, with and without alignment and `nothrow`.
    ALLOCATORS.contains(&function) || function.starts_with("_Znw") || function.starts_with("_Zna")
}

/// The function, line and column of a call.
type At = (String, u32, u32);

/// The names of the blocks of a program.
#[derive(Default)]
pub struct Blocks {
    names: FxHashMap<At, (String, TypeId)>,
    types: ir::Module,
}

impl Blocks {
    /// Adds the name of what a call allocates, and its type.
    pub fn add(&mut self, at: At, name: String, ty: TypeId) {
        self.names.entry(at).or_insert((name, ty));
    }

    /// Keeps the types that the names were found with.
    pub fn keep_types(&mut self, types: ir::Module) {
        self.types = types;
    }

    /// The name of what a call allocates; its type is made one of `out`.
    pub fn name(&self, at: &At, out: &mut ir::Module) -> Option<(String, TypeId)> {
        let (name, ty) = self.names.get(at)?;
        Some((name.clone(), import(&self.types, *ty, out, &mut FxHashMap::default())))
    }
}

/// Makes a type of one module a type of another.
fn import(
    from: &ir::Module,
    ty: TypeId,
    to: &mut ir::Module,
    known: &mut FxHashMap<TypeId, TypeId>,
) -> TypeId {
    if let Some(known) = known.get(&ty) {
        return *known;
    }
    let new = TypeId(to.types.len() as u32);
    known.insert(ty, new);
    let mut copy = from.types[ty.0 as usize].clone();
    // A type may contain itself behind a pointer: its place is taken before its parts are copied.
    to.types.push(Type::Scalar { name: String::new(), size: 0 });
    match &mut copy {
        Type::Scalar { .. } => {}
        // Names do not look behind pointers.
        Type::Pointer { to, .. } => *to = None,
        Type::Array { elem, .. } => *elem = import(from, *elem, to, known),
        Type::Record { fields, .. } => {
            for field in fields {
                field.ty = import(from, field.ty, to, known);
            }
        }
    }
    to.types[new.0 as usize] = copy;
    new
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_copied_with_their_parts() {
        let mut from = ir::Module::default();
        from.types.push(Type::Scalar { name: "int".into(), size: 4 });
        from.types.push(Type::Array { elem: TypeId(0), count: 3 });
        let mut blocks = Blocks::default();
        blocks.add(("main".into(), 3, 5), "a".into(), TypeId(1));
        blocks.keep_types(from);
        let mut out = ir::Module::default();
        out.types.push(Type::Scalar { name: "char".into(), size: 1 });
        let (name, ty) = blocks.name(&("main".into(), 3, 5), &mut out).unwrap();
        assert_eq!((name.as_str(), out.part_name(ty, 8, 4).as_str()), ("a", "[2]"));
        assert!(blocks.name(&("main".into(), 4, 5), &mut out).is_none());
    }
}
