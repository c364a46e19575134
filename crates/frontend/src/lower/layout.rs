//! How LLVM's types lie in slots and in memory.

use std::rc::Rc;

use ir::Scalar;
use rustc_hash::FxHashMap;

use super::Unsupported;
use crate::llvm::{Module, Type, TypeKind};

/// A scalar inside a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Leaf {
    /// What it is.
    pub scalar: Scalar,
    /// Its first slot, from the value's first.
    pub slot: u32,
    /// Its offset in memory.
    pub offset: u64,
}

/// The scalars of a type, in order.
#[derive(Debug, Default)]
pub struct Layout {
    /// The scalars.
    pub leaves: Vec<Leaf>,
    /// How many slots they take together.
    pub slots: u32,
    /// Whether memory holds the value in another way than leaf by leaf (vectors of bits).
    pub packed_bits: bool,
}

/// More leaves than this are no value that a program computes with.
const MAX_LEAVES: u64 = 4096;

/// The layouts found so far.
pub struct Layouts<'m> {
    llvm: &'m Module,
    known: FxHashMap<Type<'m>, Result<Rc<Layout>, Unsupported>>,
}

impl<'m> Layouts<'m> {
    /// None yet.
    pub fn new(llvm: &'m Module) -> Layouts<'m> {
        Layouts { llvm, known: FxHashMap::default() }
    }

    /// The layout of a type, or why values of it cannot be translated.
    pub fn of(&mut self, ty: Type<'m>) -> Result<Rc<Layout>, Unsupported> {
        if let Some(known) = self.known.get(&ty) {
            return known.clone();
        }
        let mut layout = Layout::default();
        let result = self.add(ty, 0, &mut layout).map(|()| Rc::new(layout));
        self.known.insert(ty, result.clone());
        result
    }

    fn add(&self, ty: Type<'m>, offset: u64, layout: &mut Layout) -> Result<(), Unsupported> {
        match ty.kind() {
            TypeKind::LLVMVoidTypeKind => Ok(()),
            TypeKind::LLVMStructTypeKind => {
                if ty.is_opaque() {
                    return Err(format!("value of type {}", ty.text()));
                }
                (0..ty.len() as u32)
                    .try_for_each(|i| self.add(ty.member(i), offset + self.llvm.offset_of(ty, i), layout))
            }
            TypeKind::LLVMArrayTypeKind => {
                let step = self.llvm.size_of(ty.element());
                if ty.len() > MAX_LEAVES {
                    return Err(format!("value of type {}", ty.text()));
                }
                (0..ty.len()).try_for_each(|i| self.add(ty.element(), offset + i * step, layout))
            }
            TypeKind::LLVMVectorTypeKind => {
                let scalar = scalar(ty.element())?;
                let bits = match scalar {
                    Scalar::Ptr => self.llvm.pointer_bytes() as u64 * 8,
                    other => u64::from(width(other)),
                };
                layout.packed_bits |= bits % 8 != 0;
                (0..ty.len()).for_each(|i| layout.push(scalar, offset + i * bits / 8));
                Ok(())
            }
            _ => {
                layout.push(scalar(ty)?, offset);
                Ok(())
            }
        }
    }
}

impl Layout {
    fn push(&mut self, scalar: Scalar, offset: u64) {
        self.leaves.push(Leaf { scalar, slot: self.slots, offset });
        self.slots += scalar.slots();
    }

    /// The only leaf of a scalar type.
    pub fn single(&self) -> Result<Scalar, Unsupported> {
        match self.leaves.as_slice() {
            [leaf] => Ok(leaf.scalar),
            _ => Err("operation on an aggregate".to_string()),
        }
    }
}

/// The width of a scalar in bits; pointers count as 64.
pub fn width(scalar: Scalar) -> u8 {
    match scalar {
        Scalar::Int(bits) => bits,
        Scalar::Ptr | Scalar::F64 => 64,
        Scalar::F32 => 32,
        Scalar::F80 => 80,
    }
}

/// The scalar that an LLVM type is.
pub fn scalar(ty: Type<'_>) -> Result<Scalar, Unsupported> {
    match ty.kind() {
        TypeKind::LLVMIntegerTypeKind if ty.int_bits() <= 128 => Ok(Scalar::Int(ty.int_bits() as u8)),
        TypeKind::LLVMIntegerTypeKind => Err(format!("integer of {} bits", ty.int_bits())),
        TypeKind::LLVMPointerTypeKind if ty.address_space() == 0 => Ok(Scalar::Ptr),
        TypeKind::LLVMPointerTypeKind => Err(format!("pointer into address space {}", ty.address_space())),
        TypeKind::LLVMFloatTypeKind => Ok(Scalar::F32),
        TypeKind::LLVMDoubleTypeKind => Ok(Scalar::F64),
        TypeKind::LLVMX86_FP80TypeKind => Ok(Scalar::F80),
        TypeKind::LLVMScalableVectorTypeKind => Err("scalable vector".to_string()),
        _ => Err(format!("value of type {}", ty.text())),
    }
}
