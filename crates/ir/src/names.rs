//! Names for parts of objects: from a debug type and an offset to `[3][7].next`.

use crate::module::{Module, PlaceId, Type, TypeId};

impl Module {
    /// The size of a debug type in bytes.
    pub fn type_size(&self, ty: TypeId) -> u64 {
        match &self.types[ty.0 as usize] {
            Type::Scalar { size, .. } | Type::Pointer { size, .. } | Type::Record { size, .. } => *size,
            Type::Array { elem, count } => self.type_size(*elem).saturating_mul(*count),
        }
    }

    /// The path from an object of type `ty` to the `len` bytes at `offset`: element indices and member names as C writes
    /// them, as deep as one part holds all the bytes. Empty if the bytes are the whole object or it has no parts.
    pub fn part_name(&self, ty: TypeId, offset: u64, len: u64) -> String {
        let mut name = String::new();
        let (mut ty, mut offset) = (ty, offset);
        loop {
            match &self.types[ty.0 as usize] {
                Type::Array { elem, count } => {
                    let size = self.type_size(*elem);
                    if size == 0 || offset % size + len > size || (*count != 0 && offset / size >= *count) {
                        return name;
                    }
                    name.push_str(&format!("[{}]", offset / size));
                    offset %= size;
                    ty = *elem;
                }
                Type::Record { fields, union, .. } => {
                    let holds = |f: &&crate::module::Field| {
                        let (from, to) = (f.bit_offset / 8, (f.bit_offset + f.bit_size).div_ceil(8));
                        from <= offset && offset + len <= to.max(from + self.type_size(f.ty))
                    };
                    // A base class may end in padding that a later member uses, so of the members that hold the bytes
                    // the last to begin is meant; of bit-fields in one byte, the first.
                    let later = |f: &&crate::module::Field, g: &&crate::module::Field| {
                        (g.bit_offset / 8).cmp(&(f.bit_offset / 8))
                    };
                    let Some(field) = fields.iter().filter(holds).min_by(later) else { return name };
                    if *union && fields.iter().filter(holds).count() > 1 {
                        return name;
                    }
                    if !field.name.is_empty() {
                        name.push('.');
                        name.push_str(&field.name);
                    }
                    offset -= field.bit_offset / 8;
                    ty = field.ty;
                }
                Type::Scalar { .. } | Type::Pointer { .. } => return name,
            }
        }
    }

    /// What the source calls the `len` bytes at `offset` of a block of `size` bytes that the call at `place` allocated.
    pub fn block_part_name(&self, place: PlaceId, size: u64, offset: u64, len: u64) -> Option<BlockName> {
        let block = self.blocks.iter().find(|b| b.place == place)?;
        let step = self.type_size(block.ty);
        if step == 0 || offset % step + len > step {
            return None;
        }
        let part = self.part_name(block.ty, offset % step, len);
        let full = match part.strip_prefix('.') {
            Some(member) if size == step => format!("{}->{member}", block.name),
            None if size == step && part.is_empty() => format!("*{}", block.name),
            _ => format!("{}[{}]{part}", block.name, offset / step),
        };
        Some(BlockName { pointer: block.name.clone(), full })
    }
}

/// A part of a heap block, named by the variable that was given the block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockName {
    /// The pointer.
    pub pointer: String,
    /// The part: `a[3]`, `p->next`, `*p`.
    pub full: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::module::Field;

    fn module() -> (Module, TypeId, TypeId) {
        let mut m = Module::default();
        m.types.push(Type::Scalar { name: "int".into(), size: 4 });
        m.types.push(Type::Array { elem: TypeId(0), count: 8 });
        m.types.push(Type::Array { elem: TypeId(1), count: 4 });
        let field = |name: &str, byte: u64, size: u64, ty| Field {
            name: name.into(),
            bit_offset: byte * 8,
            bit_size: size * 8,
            ty: TypeId(ty),
        };
        m.types.push(Type::Record {
            name: "s".into(),
            size: 132,
            fields: vec![field("n", 0, 4, 0), field("a", 4, 128, 2)],
            union: false,
        });
        (m, TypeId(2), TypeId(3))
    }

    #[test]
    fn elements_and_members() {
        let (m, matrix, record) = module();
        assert_eq!(m.part_name(matrix, (3 * 8 + 7) * 4, 4), "[3][7]");
        assert_eq!(m.part_name(matrix, 0, 8), "[0]");
        assert_eq!(m.part_name(matrix, 0, 128), "");
        assert_eq!(m.part_name(record, 0, 4), ".n");
        assert_eq!(m.part_name(record, 4 + 4, 4), ".a[0][1]");
        assert_eq!(m.part_name(record, 2, 4), "");
    }

    #[test]
    fn parts_of_blocks() {
        let (mut m, _, record) = module();
        let block = |place, name: &str, ty| crate::Block { place: PlaceId(place), name: name.into(), ty };
        m.blocks = vec![block(1, "a", TypeId(0)), block(2, "p", record)];
        let name =
            |place, size, offset, len| m.block_part_name(PlaceId(place), size, offset, len).map(|n| n.full);
        assert_eq!(name(1, 40, 12, 4).as_deref(), Some("a[3]"));
        assert_eq!(name(1, 4, 0, 4).as_deref(), Some("*a"));
        assert_eq!(name(1, 40, 14, 4), None);
        assert_eq!(name(2, 132, 0, 4).as_deref(), Some("p->n"));
        assert_eq!(name(2, 264, 132, 4).as_deref(), Some("p[1].n"));
        assert_eq!(name(3, 4, 0, 4), None);
    }
}
