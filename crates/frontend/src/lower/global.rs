//! Global variables and the lists of constructors and destructors.

use ir::{Const, FuncId, Global, GlobalId, Init, Reloc, Scalar};

use super::{Lowering, Unsupported};
use crate::llvm::{TypeKind, Value, ValueKind};

impl<'m> Lowering<'m> {
    /// The number of a global variable.
    pub fn global(&mut self, value: Value<'m>) -> GlobalId {
        if let Some(id) = self.globals.get(&value) {
            return *id;
        }
        let id = GlobalId(self.out.globals.len() as u32);
        self.globals.insert(value, id);
        self.global_queue.push_back(value);
        let ty = value.value_type();
        let align = match value.alignment() {
            0 => self.llvm.align_of(ty),
            given => given,
        };
        let var = value.global_debug().and_then(|d| self.debug.variable(&mut self.out, d));
        self.out.globals.push(Global {
            name: value.name(),
            size: self.llvm.size_of(ty),
            align: align.max(1),
            constant: value.is_global_constant(),
            thread_local: value.is_thread_local(),
            init: Init::Extern,
            var,
        });
        id
    }

    /// What a global holds at the start.
    pub fn initial(&mut self, global: Value<'m>) -> Init {
        let Some(value) = global.initializer() else { return Init::Extern };
        if value.is_null() || matches!(value.kind(), ValueKind::LLVMUndefValueValueKind) {
            return Init::Zero;
        }
        let mut image = Image { bytes: vec![0; self.llvm.size_of(value.ty()) as usize], relocs: Vec::new() };
        if let Err(what) = self.write(&mut image, 0, value) {
            self.out
                .remarks
                .push(format!("the initial value of `{}` has an unsupported {what}", global.name()));
        }
        image.relocs.sort_by_key(|r| r.offset);
        if image.relocs.is_empty() && image.bytes.iter().all(|b| *b == 0) {
            return Init::Zero;
        }
        Init::Bytes(image.bytes, image.relocs)
    }

    fn write(&mut self, image: &mut Image, at: u64, value: Value<'m>) -> Result<(), Unsupported> {
        use ValueKind::*;
        let ty = value.ty();
        match (value.kind(), ty.kind()) {
            (LLVMUndefValueValueKind | LLVMPoisonValueKind | LLVMConstantAggregateZeroValueKind, _) => Ok(()),
            (LLVMConstantStructValueKind, _) => (0..value.operand_count())
                .try_for_each(|i| self.write(image, at + self.llvm.offset_of(ty, i), value.operand(i))),
            (LLVMConstantArrayValueKind, _) => {
                let step = self.llvm.size_of(ty.element());
                (0..value.operand_count())
                    .try_for_each(|i| self.write(image, at + u64::from(i) * step, value.operand(i)))
            }
            (LLVMConstantDataArrayValueKind, _) => {
                if let Some(bytes) = value.data_string() {
                    image.put(at, &bytes);
                    return Ok(());
                }
                let step = self.llvm.size_of(ty.element());
                (0..ty.len() as u32)
                    .try_for_each(|i| self.write(image, at + u64::from(i) * step, value.data_element(i)))
            }
            (LLVMConstantIntValueKind, TypeKind::LLVMIntegerTypeKind) if ty.int_bits() > 128 => {
                Err(format!("integer of {} bits", ty.int_bits()))
            }
            _ => self.write_leaves(image, at, value),
        }
    }

    fn write_leaves(&mut self, image: &mut Image, at: u64, value: Value<'m>) -> Result<(), Unsupported> {
        let layout = self.layouts.of(value.ty())?;
        if layout.packed_bits {
            return Err("vector of bits".to_string());
        }
        let Some(slots) = self.fold(value)? else { return Err("constant expression".to_string()) };
        for leaf in &layout.leaves {
            let at = at + leaf.offset;
            let bytes = match leaf.scalar {
                Scalar::Int(bits) => u64::from(bits).div_ceil(8),
                Scalar::Ptr => self.out.pointer_bytes.into(),
                Scalar::F32 => 4,
                Scalar::F64 => 8,
                Scalar::F80 => 10,
            };
            match slots[leaf.slot as usize] {
                Const::Bits(low) => {
                    let mut all = low.to_le_bytes().to_vec();
                    if let Some(Const::Bits(high)) = slots.get(leaf.slot as usize + 1)
                        && leaf.scalar.slots() == 2
                    {
                        all.extend(high.to_le_bytes());
                    }
                    image.put(at, &all[..bytes.min(all.len() as u64) as usize]);
                }
                Const::Undef => {}
                target => image.relocs.push(Reloc { offset: at, bytes: bytes as u8, target }),
            }
        }
        Ok(())
    }

    /// The functions of `llvm.global_ctors` or `llvm.global_dtors`, by priority.
    pub fn listed(&mut self, name: &str) -> Vec<FuncId> {
        let Some(list) = self.llvm.global(name).and_then(|g| g.initializer()) else { return Vec::new() };
        let mut entries: Vec<(i64, Value<'m>)> = (0..list.operand_count())
            .map(|i| list.operand(i))
            .filter(|entry| entry.operand_count() >= 2)
            .map(|entry| (entry.operand(0).constant_int().unwrap_or(65535), entry.operand(1)))
            .filter(|(_, function)| function.kind() == ValueKind::LLVMFunctionValueKind)
            .collect();
        entries.sort_by_key(|(priority, _)| *priority);
        entries.into_iter().map(|(_, function)| self.func(function)).collect()
    }
}

/// A global's initial contents while it is written.
struct Image {
    bytes: Vec<u8>,
    relocs: Vec<Reloc>,
}

impl Image {
    fn put(&mut self, at: u64, bytes: &[u8]) {
        let at = at as usize;
        if let Some(room) = self.bytes.get_mut(at..at + bytes.len()) {
            room.copy_from_slice(bytes);
        }
    }
}
