//! Names for what accesses touch: `count`, `p->next`, `buf[i].len`.
//!
//! Names are found before locals are promoted to registers: at that stage every read of a variable is a load from its
//! stack object, which debug information names exactly. The address operand of an access is walked back to such
//! loads, through address computations, with the debug type at hand, so that offsets become members and elements. The
//! text is put on the instruction as a note, and the promotion keeps the notes of the accesses that remain.
//! Nothing is guessed: where a type is not known, or an offset fits no member, there is no name.

use ir::{Type, TypeId};
use rustc_hash::FxHashMap;

use crate::blocks::{self, Blocks};
use crate::debug::{Debug, Paths};
use crate::llvm::meta::{NoteKind, Relation};
use crate::llvm::{Module, Opcode, TypeKind, Value, ValueKind};

/// How far an address is followed.
const MAX_DEPTH: u32 = 12;

/// Longer texts help nobody.
const MAX_TEXT: usize = 80;

/// The kind of the notes that hold names.
pub fn note_kind(llvm: &Module) -> NoteKind {
    llvm.note_kind("raceproof.name")
}

/// The two sides of the struct copies of a program, by function, line and column. Promotion may turn a copy into
/// loads and stores, which then have no notes.
#[derive(Default)]
pub struct Copies {
    sides: FxHashMap<(String, u32, u32), (String, String)>,
    /// Names of heap blocks.
    pub blocks: Blocks,
}

impl Copies {
    /// What a load or store that has no note touches, if it stands for a copy.
    pub fn side(&self, function: &str, instruction: Value<'_>) -> Option<&str> {
        let location = instruction.location()?;
        let (to, from) = self.sides.get(&(function.to_string(), location.line, location.column))?;
        let side = if instruction.opcode() == Some(Opcode::LLVMStore) { to } else { from };
        Some(side.as_str()).filter(|s| !s.is_empty())
    }
}

/// Puts the accessed expression on every access that one can be found for.
pub fn annotate(llvm: &Module, paths: &Paths) -> Copies {
    let mut types = ir::Module { pointer_bytes: llvm.pointer_bytes() as u8, ..ir::Module::default() };
    let debug = Debug::new(llvm, paths, &mut types);
    let mut namer = Namer { llvm, debug, types, locals: FxHashMap::default(), globals: FxHashMap::default() };
    let kind = note_kind(llvm);
    let mut copies = Copies::default();
    for function in llvm.functions() {
        namer.collect(function);
        let function_name = function.name();
        for block in function.blocks() {
            for instruction in block.instructions() {
                if let Some((to, from)) = namer.copy(instruction) {
                    let name = match (&to, &from) {
                        (Some(to), Some(from)) => format!("{to} = {from}"),
                        (Some(one), None) | (None, Some(one)) => one.clone(),
                        (None, None) => continue,
                    };
                    llvm.set_note(instruction, kind, &name);
                    if let Some(at) = instruction.location() {
                        let sides = (to.unwrap_or_default(), from.unwrap_or_default());
                        copies.sides.entry((function_name.clone(), at.line, at.column)).or_insert(sides);
                    }
                } else if let Some(name) = namer.access(instruction) {
                    llvm.set_note(instruction, kind, &name);
                }
                if let Some((call, named, ty)) = namer.block(instruction)
                    && let Some(at) = call.location()
                {
                    copies.blocks.add((function_name.clone(), at.line, at.column), named, ty);
                }
            }
        }
    }
    copies.blocks.keep_types(namer.types);
    copies
}

/// What the source calls the object at an address, or a value.
#[derive(Clone)]
struct Named {
    text: String,
    ty: Option<TypeId>,
}

/// What an address refers to: the bytes at `offset` of an object.
#[derive(Clone)]
struct Place {
    /// The object; if `deref`, the pointer to it.
    text: String,
    deref: bool,
    /// The type of the object.
    ty: Option<TypeId>,
    offset: u64,
    /// The name that clang gave to the address, which is that of the member: tells bit-fields apart.
    hint: String,
    /// The bytes of the type that the address was computed for, if it was computed.
    size: Option<u64>,
}

/// A variable of a function.
struct Local {
    named: Named,
    relation: Relation,
    /// Whether it is known by its address, not its value.
    declare: bool,
    /// Whether it belongs to a function that was inlined, so that its name means nothing here.
    inlined: bool,
}

struct Namer<'m> {
    llvm: &'m Module,
    debug: Debug<'m>,
    types: ir::Module,
    /// The variables of the current function, by the address or value that stands for them.
    locals: FxHashMap<Value<'m>, Local>,
    globals: FxHashMap<Value<'m>, Option<Named>>,
}

impl<'m> Namer<'m> {
    fn collect(&mut self, function: Value<'m>) {
        self.locals.clear();
        let known = self.llvm.expressions();
        for instruction in function.blocks().flat_map(|b| b.instructions()) {
            let Some(note) = self.llvm.variable_note(instruction, &known) else { continue };
            let Some(value) = note.value.filter(|v| !v.is_constant()) else { continue };
            if note.relation == Relation::Other {
                continue;
            }
            if let Some(variable) = self.debug.variable(&mut self.types, note.variable) {
                let named = Named { text: variable.name, ty: variable.ty };
                let inlined = instruction.location().is_some_and(|l| l.inlined_at.is_some());
                let local = Local { named, relation: note.relation, declare: note.declare, inlined };
                self.locals.entry(value).or_insert(local);
            }
        }
    }

    fn access(&mut self, instruction: Value<'m>) -> Option<String> {
        let (address, size) = match instruction.opcode()? {
            Opcode::LLVMLoad => (instruction.operand(0), self.llvm.size_of(instruction.ty())),
            Opcode::LLVMStore => (instruction.operand(1), self.llvm.size_of(instruction.operand(0).ty())),
            Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg => {
                (instruction.operand(0), self.llvm.size_of(instruction.operand(1).ty()))
            }
            Opcode::LLVMCall if callee_name(instruction).starts_with("llvm.memset.") => {
                (instruction.operand(0), length(instruction.operand(2)))
            }
            _ => return None,
        };
        let scalar = instruction.opcode() != Some(Opcode::LLVMCall);
        self.object(address, size, scalar, MAX_DEPTH).map(|n| n.text).filter(|t| t.len() <= MAX_TEXT)
    }

    /// A call that allocates, whose result the instruction stores to a pointer of a known type: the call, the pointer's
    /// name, and what it points to.
    fn block(&mut self, instruction: Value<'m>) -> Option<(Value<'m>, String, TypeId)> {
        if instruction.opcode() != Some(Opcode::LLVMStore) {
            return None;
        }
        let call = instruction.operand(0);
        if !matches!(call.opcode(), Some(Opcode::LLVMCall | Opcode::LLVMInvoke))
            || !blocks::allocates(&callee_name(call))
        {
            return None;
        }
        let size = self.llvm.size_of(call.ty());
        let pointer = self.object(instruction.operand(1), size, true, MAX_DEPTH)?;
        let ty = self.pointee(pointer.ty?)?;
        Some((call, pointer.text, ty)).filter(|(_, text, _)| text.len() <= MAX_TEXT)
    }

    /// The two sides of `memcpy` and its like. A side may be a temporary without a name, but not an unknown object.
    fn copy(&mut self, call: Value<'m>) -> Option<(Option<String>, Option<String>)> {
        if call.opcode() != Some(Opcode::LLVMCall) {
            return None;
        }
        let name = callee_name(call);
        if !name.starts_with("llvm.memcpy.") && !name.starts_with("llvm.memmove.") {
            return None;
        }
        let size = length(call.operand(2));
        let mut side = |address: Value<'m>| {
            let text =
                self.object(address, size, false, MAX_DEPTH).map(|n| n.text).filter(|t| t.len() <= MAX_TEXT);
            (text.is_some() || address.opcode() == Some(Opcode::LLVMAlloca)).then_some(text)
        };
        Some((side(call.operand(0))?, side(call.operand(1))?))
    }

    /// The object of `size` bytes at an address; `scalar` if it is no record as a whole.
    fn object(&mut self, address: Value<'m>, size: u64, scalar: bool, depth: u32) -> Option<Named> {
        let place = self.place(address, depth)?;
        self.resolve(&place, size, scalar)
    }

    // ---- places

    fn place(&mut self, address: Value<'m>, depth: u32) -> Option<Place> {
        let depth = depth.checked_sub(1)?;
        let whole = |named: Named| Place {
            text: named.text,
            deref: false,
            ty: named.ty,
            offset: 0,
            hint: String::new(),
            size: None,
        };
        if let Some(local) = self.locals.get(&address)
            && local.relation == Relation::Direct
            && local.declare
        {
            return Some(whole(local.named.clone()));
        }
        if address.kind() == ValueKind::LLVMGlobalVariableValueKind {
            return self.global(address).map(whole);
        }
        match address.opcode() {
            Some(Opcode::LLVMGetElementPtr) => self.step(address, depth),
            Some(Opcode::LLVMBitCast | Opcode::LLVMAddrSpaceCast | Opcode::LLVMFreeze) => {
                self.place(address.operand(0), depth)
            }
            Some(Opcode::LLVMLoad) if self.is_indirect(address.operand(0)) => {
                self.locals.get(&address.operand(0)).map(|local| whole(local.named.clone()))
            }
            Some(Opcode::LLVMLoad) if self.passed(address.operand(0)).is_some() => {
                let argument = self.passed(address.operand(0))?;
                self.place(argument, depth)
            }
            Some(Opcode::LLVMCall) if callee_name(address).starts_with("llvm.threadlocal.address") => {
                self.place(address.operand(0), depth)
            }
            _ => {
                let pointer = self.value(address, depth)?;
                let reference = pointer.ty.is_some_and(|t| self.debug.is_reference(t));
                let ty = pointer.ty.and_then(|t| self.pointee(t));
                Some(Place {
                    text: pointer.text,
                    deref: !reference,
                    ty,
                    offset: 0,
                    hint: String::new(),
                    size: None,
                })
            }
        }
    }

    /// Whether a stack object holds the address of the variable (captured by an OpenMP region, passed indirectly).
    fn is_indirect(&self, address: Value<'m>) -> bool {
        self.locals.get(&address).is_some_and(|l| l.relation == Relation::Deref && l.declare)
    }

    /// What a parameter of an inlined function was given: the only value ever stored to it.
    fn passed(&self, parameter: Value<'m>) -> Option<Value<'m>> {
        if !self.locals.get(&parameter)?.inlined {
            return None;
        }
        let mut stores = parameter.users().filter(|u| {
            u.opcode() == Some(Opcode::LLVMStore) && u.operand(1) == parameter && u.operand(0) != parameter
        });
        let only = stores.next()?;
        stores.next().is_none().then(|| only.operand(0))
    }

    fn global(&mut self, global: Value<'m>) -> Option<Named> {
        if let Some(known) = self.globals.get(&global) {
            return known.clone();
        }
        let variable = global.global_debug().and_then(|d| self.debug.variable(&mut self.types, d));
        let named = variable.map(|v| Named { text: v.name, ty: v.ty });
        self.globals.insert(global, named.clone());
        named
    }

    fn pointee(&self, ty: TypeId) -> Option<TypeId> {
        match &self.types.types[ty.0 as usize] {
            Type::Pointer { to, .. } => *to,
            // A parameter of array type, as C++ lambdas capture them.
            Type::Array { elem, .. } => Some(*elem),
            _ => None,
        }
    }

    /// A GEP: constant parts add to the offset, varying ones choose elements.
    fn step(&mut self, gep: Value<'m>, depth: u32) -> Option<Place> {
        let mut place = self.place(gep.operand(0), depth)?;
        let mut ty = gep.gep_type();
        for i in 1..gep.operand_count() {
            let index = gep.operand(i);
            if i > 1 && ty.kind() == TypeKind::LLVMStructTypeKind {
                let member = u32::try_from(index.constant_int()?).ok()?;
                place.offset += self.llvm.offset_of(ty, member);
                ty = ty.member(member);
                continue;
            }
            if i > 1 {
                ty = ty.element();
            }
            let size = self.llvm.size_of(ty);
            match index.constant_int() {
                Some(0) => {}
                Some(n) if n > 0 => place.offset += n as u64 * size,
                Some(n) => place = self.element(&place, size, &n.to_string())?,
                None => {
                    let text = self.value(index, depth).map(|v| v.text);
                    let text = text.filter(|t| t.len() <= MAX_TEXT / 2).unwrap_or_else(|| "...".to_string());
                    place = self.element(&place, size, &text)?;
                }
            }
        }
        place.hint = gep.name();
        place.size = Some(self.llvm.size_of(ty));
        Some(place)
    }

    /// The element `index` of the array, or pointed-to array, whose elements take `size` bytes, at the place.
    fn element(&mut self, place: &Place, size: u64, index: &str) -> Option<Place> {
        let element =
            |text: String, ty| Place { text, deref: false, ty, offset: 0, hint: String::new(), size: None };
        let ty = place.ty?;
        if place.deref && place.offset == 0 && self.types.type_size(ty) == size {
            return Some(element(format!("{}[{index}]", primary(&place.text)), Some(ty)));
        }
        let mut inner = place.clone();
        loop {
            let ty = inner.ty?;
            if let Type::Array { elem, .. } = &self.types.types[ty.0 as usize]
                && self.types.type_size(*elem) == size
                && inner.offset == 0
            {
                let text = if inner.deref { format!("(*{})", inner.text) } else { primary(&inner.text) };
                return Some(element(format!("{text}[{index}]"), Some(*elem)));
            }
            // The first element of an array, stepped over: `*(a + i)`.
            if let Some(array) = inner.text.strip_suffix("[0]")
                && !inner.deref
                && inner.offset == 0
                && self.types.type_size(ty) == size
            {
                return Some(element(format!("{array}[{index}]"), Some(ty)));
            }
            inner = self.part_of(&inner, 1)?;
        }
    }

    /// Whether a record has a single member that is private to the standard library: `std::atomic`.
    fn wraps_private(&self, ty: TypeId) -> bool {
        let Type::Record { fields, .. } = &self.types.types[ty.0 as usize] else { return false };
        match fields.as_slice() {
            [only] if only.name.is_empty() => self.wraps_private(only.ty),
            [only] => only.name.starts_with("_M_"),
            _ => false,
        }
    }

    /// The text of the `size` bytes at a place; `scalar` if they are no record as a whole.
    fn resolve(&mut self, place: &Place, size: u64, scalar: bool) -> Option<Named> {
        let mut place = place.clone();
        loop {
            match place.ty {
                Some(ty) if place.offset > 0 || self.types.type_size(ty) > size || self.is_open(ty) => {}
                Some(ty) if scalar && self.types.type_size(ty) == size && !self.wraps_private(ty) => {}
                None if place.offset > 0 => return None,
                _ => break,
            }
            match self.part_of(&place, size) {
                Some(part) => place = part,
                None if place.offset == 0 => break,
                None => return None,
            }
        }
        let text = if place.deref { format!("*{}", place.text) } else { place.text };
        Some(Named { text, ty: place.ty })
    }

    /// An array whose length is not known: its elements are accessed, never the whole.
    fn is_open(&self, ty: TypeId) -> bool {
        matches!(self.types.types[ty.0 as usize], Type::Array { count: 0, .. })
    }

    /// The member or element of the place's object that holds the `size` bytes at its offset.
    fn part_of(&self, place: &Place, size: u64) -> Option<Place> {
        let ty = place.ty?;
        let mut part = place.clone();
        let whole = self.types.type_size(ty);
        if place.deref && whole > 0 && place.offset >= whole {
            part.text = format!("{}[{}]", primary(&place.text), place.offset / whole);
            part.deref = false;
            part.offset = place.offset % whole;
            return Some(part);
        }
        match &self.types.types[ty.0 as usize] {
            Type::Array { elem, count } => {
                let step = self.types.type_size(*elem);
                let index = place.offset.checked_div(step)?;
                if (*count != 0 && index >= *count) || place.offset % step + size > step {
                    return None;
                }
                let text = if place.deref { format!("(*{})", place.text) } else { place.text.clone() };
                part.text = format!("{text}[{index}]");
                part.deref = false;
                part.offset = place.offset % step;
                part.ty = Some(*elem);
                Some(part)
            }
            Type::Record { name, fields, union, .. } => {
                let holds = |f: &&ir::Field| {
                    let (from, to) = (f.bit_offset / 8, (f.bit_offset + f.bit_size).div_ceil(8));
                    let to = to.max(from + self.types.type_size(f.ty));
                    from <= place.offset && place.offset + size <= to && from < to
                };
                let hint = place.hint.trim_end_matches(|c: char| c.is_ascii_digit());
                let hinted = |f: &&ir::Field| !f.name.is_empty() && (f.name == place.hint || f.name == hint);
                let hinted = fields.iter().filter(holds).find(hinted);
                if *union && hinted.is_none() && fields.iter().filter(holds).count() > 1 {
                    return None;
                }
                // A base class may end in padding that a later member uses: the last to begin before the bytes.
                let later = |f: &&ir::Field, g: &&ir::Field| (g.bit_offset / 8).cmp(&(f.bit_offset / 8));
                let field = hinted.or_else(|| fields.iter().filter(holds).min_by(later))?;
                if !field.name.is_empty() {
                    let lambda = place.deref && place.text == "this" && name.is_empty();
                    let operator = if place.deref { "->" } else { "." };
                    part.text = match lambda {
                        true => field.name.clone(),
                        false => format!("{}{operator}{}", primary(&place.text), field.name),
                    };
                    part.deref = false;
                }
                part.offset = place.offset - field.bit_offset / 8;
                part.ty = Some(field.ty);
                Some(part)
            }
            Type::Scalar { .. } | Type::Pointer { .. } => None,
        }
    }

    // ---- values

    fn value(&mut self, value: Value<'m>, depth: u32) -> Option<Named> {
        let depth = depth.checked_sub(1)?;
        if let Some(number) = value.constant_int() {
            return Some(Named { text: number.to_string(), ty: None });
        }
        if let Some(local) = self.locals.get(&value)
            && local.relation == Relation::Direct
            && !local.declare
        {
            return Some(local.named.clone());
        }
        use Opcode::*;
        match value.opcode()? {
            LLVMLoad if self.passed(value.operand(0)).is_some() => {
                let argument = self.passed(value.operand(0))?;
                self.value(argument, depth)
            }
            LLVMLoad => {
                let size = self.llvm.size_of(value.ty());
                self.object(value.operand(0), size, true, depth)
            }
            LLVMSExt | LLVMZExt | LLVMTrunc | LLVMBitCast | LLVMFreeze | LLVMIntToPtr | LLVMPtrToInt => {
                self.value(value.operand(0), depth)
            }
            LLVMGetElementPtr => {
                // The address of something named, used as a pointer: `&a[i]` as in `(&a[i])->x` does not occur.
                let place = self.place(value, depth)?;
                let named = self.resolve(&place, 1, false)?;
                Some(Named { text: format!("&{}", named.text), ty: None })
            }
            opcode @ (LLVMAdd | LLVMSub | LLVMMul | LLVMSDiv | LLVMUDiv | LLVMSRem | LLVMURem) => {
                let operator = match opcode {
                    LLVMAdd => '+',
                    LLVMSub => '-',
                    LLVMMul => '*',
                    LLVMSDiv | LLVMUDiv => '/',
                    _ => '%',
                };
                let a = self.value(value.operand(0), depth)?;
                let b = self.value(value.operand(1), depth)?;
                Some(Named { text: binary(&a.text, operator, &b.text), ty: None })
            }
            LLVMCall | LLVMInvoke => self.call(value, depth),
            _ => None,
        }
    }

    /// The result of a call: `v[i]` and `*it` for C++ operators, otherwise `name(...)`.
    fn call(&mut self, call: Value<'m>, depth: u32) -> Option<Named> {
        let callee = call.callee();
        if callee.kind() != ValueKind::LLVMFunctionValueKind {
            return None;
        }
        let subprogram = callee.subprogram();
        let Some(subprogram) = subprogram else {
            let name = callee.name();
            let plain = !name.starts_with("llvm.") && !name.starts_with('_');
            let dots = if call.arg_count() == 0 { "" } else { "..." };
            return plain.then(|| Named { text: format!("{name}({dots})"), ty: None });
        };
        let name = self.debug.function_name(subprogram)?;
        let ty = self.debug.result_type(&mut self.types, subprogram);
        let is_method = self.debug.is_method(subprogram);
        let this = match is_method && call.arg_count() > 0 {
            true => {
                let place = self.place(call.operand(0), depth)?;
                let whole = place.size.or_else(|| place.ty.map(|t| self.types.type_size(t)));
                let whole = whole.unwrap_or(1).max(1);
                Some(self.resolve(&place, whole, false)?.text)
            }
            false => None,
        };
        let text = match (this, name.as_str(), call.arg_count()) {
            (Some(this), "operator[]", 2) => {
                let index = self.argument(call.operand(1), depth).unwrap_or_else(|| "...".to_string());
                format!("{}[{index}]", primary(&this))
            }
            (Some(this), "operator*", 1) => format!("*{this}"),
            (Some(this), "operator->" | "get", 1) => return Some(Named { text: primary(&this), ty }),
            (Some(this), method, 1) => member_call(&this, &format!("{method}()")),
            (Some(this), method, _) => member_call(&this, &format!("{method}(...)")),
            (None, function, 0) => format!("{function}()"),
            (None, function, _) => format!("{function}(...)"),
        };
        Some(Named { text, ty })
    }

    /// An argument: a value, or what a reference refers to.
    fn argument(&mut self, value: Value<'m>, depth: u32) -> Option<String> {
        let text = if value.ty().kind() == TypeKind::LLVMPointerTypeKind {
            let place = self.place(value, depth)?;
            self.resolve(&place, 1, false)?.text
        } else {
            self.value(value, depth)?.text
        };
        Some(text).filter(|t| t.len() <= MAX_TEXT / 2)
    }
}

/// A constant length; 1 if it is not constant.
fn length(of: Value<'_>) -> u64 {
    of.constant_int().map_or(1, |n| n.max(1) as u64)
}

fn callee_name(call: Value<'_>) -> String {
    let callee = call.callee();
    if callee.kind() == ValueKind::LLVMFunctionValueKind { callee.name() } else { String::new() }
}

/// An operand of a binary operator that needs no parentheses.
fn is_atom(text: &str) -> bool {
    !text.contains(' ')
}

fn primary(text: &str) -> String {
    if text.starts_with('*') || !is_atom(text) { format!("({text})") } else { text.to_string() }
}

/// `object.call`, with `->` if the object is what a pointer points to.
fn member_call(object: &str, call: &str) -> String {
    match object.strip_prefix('*') {
        Some(pointer) => format!("{}->{call}", primary(pointer)),
        None => format!("{object}.{call}"),
    }
}

fn binary(a: &str, operator: char, b: &str) -> String {
    if operator == '+'
        && let Some(positive) = b.strip_prefix('-')
        && is_atom(positive)
    {
        return binary(a, '-', positive);
    }
    let wrap = |text: &str| if is_atom(text) { text.to_string() } else { format!("({text})") };
    let left = if matches!(operator, '+' | '-') && !a.contains(['/', '%']) { a.to_string() } else { wrap(a) };
    format!("{left} {operator} {}", wrap(b))
}
