//! A small evaluator of the `ir`, for tests: one thread, flat memory, no checks.
//!
//! It shares no code with the machine. Programs call `void emit(unsigned long long)`; what they emit is compared with
//! what the same program emits when clang compiles it to machine code.

use std::collections::HashMap;

use ir::*;

/// Where memory, and where the addresses of functions begin.
const BASE: u64 = 0x10000;
const FUNCTIONS: u64 = 0x4000_0000;
const BLOCKS: u64 = 0x5000_0000;

/// Runs `main` and gives what it emitted.
pub fn run(module: &Module) -> Vec<u64> {
    let mut eval = Eval { module, memory: Vec::new(), globals: HashMap::new(), emitted: Vec::new() };
    for (id, global) in module.globals.iter().enumerate() {
        let at = eval.allocate(global.size.max(1), global.align.into());
        eval.globals.insert(id as u32, at);
    }
    for (id, global) in module.globals.iter().enumerate() {
        eval.initialize(eval.globals[&(id as u32)], &global.init);
    }
    for ctor in &module.ctors {
        eval.call(*ctor, &[], &[]);
    }
    eval.call(module.entry.expect("main"), &[], &[]);
    eval.emitted
}

struct Eval<'m> {
    module: &'m Module,
    memory: Vec<u8>,
    globals: HashMap<u32, u64>,
    emitted: Vec<u64>,
}

struct Frame<'m> {
    slots: Vec<u64>,
    body: &'m Body,
    variadic: u64,
}

impl Frame<'_> {
    fn set(&mut self, slot: Slot, bits: u32, value: u128) {
        let value = value & mask(bits);
        self.slots[slot.0 as usize] = value as u64;
        if bits > 64 {
            self.slots[slot.0 as usize + 1] = (value >> 64) as u64;
        }
    }
}

fn mask(bits: u32) -> u128 {
    if bits >= 128 { u128::MAX } else { (1 << bits) - 1 }
}

fn signed(value: u128, bits: u32) -> i128 {
    (value << (128 - bits)) as i128 >> (128 - bits)
}

impl<'m> Eval<'m> {
    fn allocate(&mut self, size: u64, align: u64) -> u64 {
        let at = (BASE + self.memory.len() as u64).next_multiple_of(align.max(16));
        self.memory.resize((at - BASE + size) as usize, 0);
        at
    }

    fn initialize(&mut self, at: u64, init: &Init) {
        let Init::Bytes(bytes, relocs) = init else { return };
        self.write(at, bytes);
        for reloc in relocs {
            let value = self.constant(reloc.target).to_le_bytes();
            self.write(at + reloc.offset, &value[..reloc.bytes as usize]);
        }
    }

    fn write(&mut self, at: u64, bytes: &[u8]) {
        let at = at.checked_sub(BASE).expect("an address") as usize;
        self.memory[at..at + bytes.len()].copy_from_slice(bytes);
    }

    fn read(&self, at: u64, count: usize) -> Vec<u8> {
        let at = at.checked_sub(BASE).expect("an address") as usize;
        self.memory[at..at + count].to_vec()
    }

    fn constant(&self, constant: Const) -> u64 {
        match constant {
            Const::Bits(bits) => bits,
            Const::Global(id, offset) => self.globals[&id.0].wrapping_add(offset as u64),
            Const::Func(id) => FUNCTIONS + u64::from(id.0) * 16,
            Const::Block(_, number) => BLOCKS + u64::from(number),
            Const::Undef => 0xdead,
        }
    }

    fn word(&self, frame: &Frame<'_>, opnd: Opnd) -> u64 {
        match opnd.is_const() {
            true => self.constant(frame.body.consts[opnd.index()]),
            false => frame.slots[opnd.index()],
        }
    }

    fn value(&self, frame: &Frame<'_>, opnd: Opnd, bits: u32) -> u128 {
        let low = self.word(frame, opnd).into();
        let value = if bits > 64 { low | u128::from(self.word(frame, opnd.second())) << 64 } else { low };
        assert!(value <= mask(bits) || bits == 64, "a slot is not zero-extended: {value:x} as {bits} bits");
        value
    }

    fn bits(&self, ty: Scalar) -> u32 {
        match ty {
            Scalar::Int(bits) => bits.into(),
            Scalar::Ptr => u32::from(self.module.pointer_bytes) * 8,
            Scalar::F32 => 32,
            Scalar::F64 => 64,
            Scalar::F80 => 80,
        }
    }

    fn float(&self, frame: &Frame<'_>, opnd: Opnd, ty: Scalar) -> f64 {
        let word = self.word(frame, opnd);
        match ty {
            Scalar::F32 => f32::from_bits(word as u32).into(),
            Scalar::F64 => f64::from_bits(word),
            other => panic!("{other:?} is not a number here"),
        }
    }

    fn set_float(&self, frame: &mut Frame<'_>, slot: Slot, ty: Scalar, value: f64) {
        frame.slots[slot.0 as usize] = match ty {
            Scalar::F32 => (value as f32).to_bits().into(),
            _ => value.to_bits(),
        };
    }

    fn call(&mut self, id: FuncId, args: &[u64], variadic: &[(u64, Scalar)]) -> Vec<u64> {
        let function = &self.module.funcs[id.0 as usize];
        let Some(body) = &function.body else { return self.external(&function.name, args) };
        let mut frame = Frame { slots: vec![0; body.slots as usize], body, variadic: 0 };
        frame.slots[..args.len()].copy_from_slice(args);
        if function.variadic {
            frame.variadic = self.allocate(16 * variadic.len() as u64 + 8, 16);
            for (i, (value, _)) in variadic.iter().enumerate() {
                self.write(frame.variadic + 8 * i as u64, &value.to_le_bytes());
            }
        }
        let mut at = 0;
        loop {
            match self.step(&mut frame, &body.code[at]) {
                Next::On => at += 1,
                Next::Edge(edge) => {
                    let edge = body.edges[edge.0 as usize];
                    for i in edge.moves..edge.moves + edge.move_count {
                        let (dst, src) = body.moves[i as usize];
                        frame.slots[dst.0 as usize] = self.word(&frame, src);
                    }
                    at = edge.target as usize;
                }
                Next::Return(values) => return values,
            }
        }
    }

    fn external(&mut self, name: &str, args: &[u64]) -> Vec<u64> {
        match name {
            "emit" => {
                self.emitted.push(args[0]);
                Vec::new()
            }
            "_Znwm" | "_Znam" | "__rp_alloc" => vec![self.allocate(args[0].max(1), 16)],
            "_ZdlPvm" | "_ZdlPv" | "_ZdaPv" | "__cxa_atexit" | "__rp_dealloc" => vec![0],
            "memchr" => {
                let found = self.read(args[0], args[2] as usize).iter().position(|b| *b == args[1] as u8);
                vec![found.map_or(0, |i| args[0] + i as u64)]
            }
            "strlen" => vec![(0..).take_while(|i| self.read(args[0] + i, 1)[0] != 0).count() as u64],
            "memcmp" => {
                let (a, b) = (self.read(args[0], args[2] as usize), self.read(args[1], args[2] as usize));
                vec![match a.cmp(&b) {
                    std::cmp::Ordering::Less => u32::MAX.into(),
                    std::cmp::Ordering::Equal => 0,
                    std::cmp::Ordering::Greater => 1,
                }]
            }
            "__rp_allocation_may_fail" => vec![0],
            other => panic!("call of {other}"),
        }
    }

    fn load(&self, frame: &mut Frame<'_>, dst: Slot, at: u64, ty: Scalar) {
        let bits = self.bits(ty);
        let mut bytes = [0; 16];
        let count = bits.div_ceil(8) as usize;
        bytes[..count].copy_from_slice(&self.read(at, count));
        frame.set(dst, bits, u128::from_le_bytes(bytes));
    }

    fn store(&mut self, at: u64, ty: Scalar, value: u128) {
        let count = self.bits(ty).div_ceil(8) as usize;
        self.write(at, &value.to_le_bytes()[..count]);
    }

    fn step(&mut self, frame: &mut Frame<'m>, inst: &Inst) -> Next {
        match *inst {
            Inst::Move { dst, src } => frame.slots[dst.0 as usize] = self.word(frame, src),
            Inst::Int { op, bits, dst, a, b } => {
                let bits = bits.into();
                let (a, b) = (self.value(frame, a, bits), self.value(frame, b, bits));
                frame.set(dst, bits, int(op, a, b, bits));
            }
            Inst::IntCmp { cmp, bits, dst, a, b } => {
                let bits = bits.into();
                let (a, b) = (self.value(frame, a, bits), self.value(frame, b, bits));
                frame.set(dst, 1, compare(cmp, a, b, bits).into());
            }
            Inst::Float { op, ty, dst, a, b } => {
                let (a, b) = (self.float(frame, a, ty), self.float(frame, b, ty));
                let value = match op {
                    FloatOp::Add => a + b,
                    FloatOp::Sub => a - b,
                    FloatOp::Mul => a * b,
                    FloatOp::Div => a / b,
                    FloatOp::Rem => a % b,
                };
                self.set_float(frame, dst, ty, value);
            }
            Inst::FloatNeg { ty, dst, a } => {
                let value = -self.float(frame, a, ty);
                self.set_float(frame, dst, ty, value);
            }
            Inst::FloatCmp { cmp, ty, dst, a, b } => {
                let (a, b) = (self.float(frame, a, ty), self.float(frame, b, ty));
                let outcome = match a.partial_cmp(&b) {
                    Some(std::cmp::Ordering::Less) => FloatCmp::LESS,
                    Some(std::cmp::Ordering::Equal) => FloatCmp::EQUAL,
                    Some(std::cmp::Ordering::Greater) => FloatCmp::GREATER,
                    None => FloatCmp::UNORDERED,
                };
                frame.set(dst, 1, (cmp.0 & outcome != 0).into());
            }
            Inst::Cast { op, from, to, dst, src } => self.cast(frame, op, from, to, dst, src),
            Inst::Select { dst, cond, a, b } => {
                let chosen = if self.value(frame, cond, 1) != 0 { a } else { b };
                frame.slots[dst.0 as usize] = self.word(frame, chosen);
            }
            Inst::IntFn { f, bits, dst, a, b, c } => {
                let bits = bits.into();
                let one = matches!(
                    f,
                    IntFn::Ctpop | IntFn::Ctlz | IntFn::Cttz | IntFn::Bswap | IntFn::Bitreverse | IntFn::Abs
                );
                let a = self.value(frame, a, bits);
                let b = if one { 0 } else { self.value(frame, b, bits) };
                let c = if matches!(f, IntFn::Fshl | IntFn::Fshr) { self.value(frame, c, bits) } else { 0 };
                frame.set(dst, bits, int_fn(f, a, b, c, bits));
            }
            Inst::FloatFn { f, ty, dst, a, b, .. } => {
                let x = self.float(frame, a, ty);
                let value = match f {
                    FloatFn::Fabs => x.abs(),
                    FloatFn::Sqrt => x.sqrt(),
                    FloatFn::Floor => x.floor(),
                    FloatFn::CopySign => x.copysign(self.float(frame, b, ty)),
                    other => panic!("{other:?}"),
                };
                self.set_float(frame, dst, ty, value);
            }
            Inst::Overflow { op, signed: is_signed, bits, dst, overflow, a, b } => {
                let bits: u32 = bits.into();
                let (a, b) = (self.value(frame, a, bits), self.value(frame, b, bits));
                let int_op = match op {
                    OverflowOp::Add => IntOp::Add,
                    OverflowOp::Sub => IntOp::Sub,
                    OverflowOp::Mul => IntOp::Mul,
                };
                assert!(bits <= 32, "the check below needs room");
                let result = int(int_op, a, b, bits) & mask(bits);
                let (x, y, r) = match is_signed {
                    true => (signed(a, bits), signed(b, bits), signed(result, bits)),
                    false => (a as i128, b as i128, result as i128),
                };
                let exact = match op {
                    OverflowOp::Add => x + y,
                    OverflowOp::Sub => x - y,
                    OverflowOp::Mul => x * y,
                };
                frame.set(dst, bits, result);
                frame.set(overflow, 1, (exact != r).into());
            }
            Inst::Index { dst, base, index, index_bits, scale } => {
                let bits = u32::from(self.module.pointer_bytes) * 8;
                let index = signed(self.value(frame, index, index_bits.into()), index_bits.into()) as i64;
                let at = self.word(frame, base).wrapping_add(index.wrapping_mul(scale) as u64);
                frame.set(dst, bits, at.into());
            }
            Inst::Offset { dst, base, offset } => {
                let bits = u32::from(self.module.pointer_bytes) * 8;
                let at = self.word(frame, base).wrapping_add(offset as u64);
                frame.set(dst, bits, at.into());
            }
            Inst::Load { dst, addr, ty, .. } | Inst::AtomicLoad { dst, addr, ty, .. } => {
                let at = self.word(frame, addr);
                self.load(frame, dst, at, ty);
            }
            Inst::Store { addr, src, ty, .. } | Inst::AtomicStore { addr, src, ty, .. } => {
                let value = self.value(frame, src, self.bits(ty));
                let at = self.word(frame, addr);
                self.store(at, ty, value);
            }
            Inst::AtomicRmw { op, dst, addr, src, ty, .. } => {
                let (at, bits) = (self.word(frame, addr), self.bits(ty));
                self.load(frame, dst, at, ty);
                let old = self.value(frame, Opnd::slot(dst), bits);
                let value = self.value(frame, src, bits);
                let new = match op {
                    RmwOp::Xchg => value,
                    RmwOp::Add => int(IntOp::Add, old, value, bits),
                    RmwOp::Sub => int(IntOp::Sub, old, value, bits),
                    RmwOp::Or => old | value,
                    RmwOp::And => old & value,
                    RmwOp::Xor => old ^ value,
                    other => panic!("{other:?}"),
                };
                self.store(at, ty, new & mask(bits));
            }
            Inst::CmpXchg { dst, ok, index } => {
                let x = frame.body.cmpxchgs[index as usize];
                let (at, bits) = (self.word(frame, x.addr), self.bits(x.ty));
                let expected = self.value(frame, x.expected, bits);
                let new = self.value(frame, x.new, bits);
                self.load(frame, dst, at, x.ty);
                let same = self.value(frame, Opnd::slot(dst), bits) == expected;
                if same {
                    self.store(at, x.ty, new);
                }
                frame.set(ok, 1, same.into());
            }
            Inst::Alloca { dst, count, size, align, .. } => {
                let size = self.word(frame, count) * size;
                frame.slots[dst.0 as usize] = self.allocate(size.max(1), align.into());
            }
            Inst::StackSave { dst } => frame.slots[dst.0 as usize] = 0,
            Inst::Copy { dst, src, len, .. } => {
                let bytes = self.read(self.word(frame, src), self.word(frame, len) as usize);
                self.write(self.word(frame, dst), &bytes);
            }
            Inst::Fill { dst, byte, len, .. } => {
                let bytes = vec![self.word(frame, byte) as u8; self.word(frame, len) as usize];
                self.write(self.word(frame, dst), &bytes);
            }
            Inst::ThreadLocal { dst, global } => frame.slots[dst.0 as usize] = self.globals[&global.0],
            Inst::VaStart { list } => {
                // The x86-64 ABI's list with all registers used up: every argument is on the stack.
                let at = self.word(frame, list);
                self.write(at, &48u32.to_le_bytes());
                self.write(at + 4, &176u32.to_le_bytes());
                self.write(at + 8, &frame.variadic.to_le_bytes());
            }
            Inst::VaCopy { dst, src } => {
                let bytes = self.read(self.word(frame, src), 24);
                self.write(self.word(frame, dst), &bytes);
            }
            Inst::Call { site } => {
                let results = self.site(frame, site);
                let site = frame.body.calls[site as usize];
                for i in 0..site.result_slots {
                    frame.slots[(site.result.0 + i) as usize] = results[i as usize];
                }
            }
            Inst::Invoke { site, normal, .. } => {
                self.step(frame, &Inst::Call { site });
                return Next::Edge(normal);
            }
            Inst::Jump { edge } => return Next::Edge(edge),
            Inst::Branch { cond, then, otherwise } => {
                return Next::Edge(if self.value(frame, cond, 1) != 0 { then } else { otherwise });
            }
            Inst::Switch { value, table } => {
                let table = &frame.body.switches[table as usize];
                let value = self.word(frame, value);
                let case = table.cases.binary_search_by_key(&value, |c| c.0);
                return Next::Edge(case.map_or(table.default, |i| table.cases[i].1));
            }
            Inst::IndirectJump { addr, first, count } => {
                let number = (self.word(frame, addr) - BLOCKS) as u32;
                assert!(number < count);
                return Next::Edge(EdgeId(first.0 + number));
            }
            Inst::Return { src, count } => {
                return Next::Return((0..count).map(|i| self.word(frame, Opnd(src.0 + i))).collect());
            }
            Inst::VaEnd { .. }
            | Inst::StackRestore { .. }
            | Inst::LifetimeStart { .. }
            | Inst::LifetimeEnd { .. }
            | Inst::Nop
            | Inst::Fence { .. } => {}
            ref other => panic!("{other:?}"),
        }
        Next::On
    }

    fn site(&mut self, frame: &Frame<'m>, site: u32) -> Vec<u64> {
        let site = frame.body.calls[site as usize];
        let callee = match site.callee {
            Callee::Direct(id) => id,
            Callee::Indirect(opnd) => FuncId(((self.word(frame, opnd) - FUNCTIONS) / 16) as u32),
        };
        let params = self.module.funcs[callee.0 as usize].params.len();
        let (mut fixed, mut variadic) = (Vec::new(), Vec::new());
        let args = &frame.body.args[site.args as usize..(site.args + site.arg_count) as usize];
        for (i, arg) in args.iter().enumerate() {
            match arg.kind {
                ArgKind::Scalar(ty) if i < params => {
                    fixed.extend((0..ty.slots()).map(|s| self.word(frame, Opnd(arg.value.0 + s))));
                }
                ArgKind::Scalar(ty) => variadic.push((self.word(frame, arg.value), ty)),
                ArgKind::ByVal { size, align } => {
                    let copy = self.allocate(size.into(), align.into());
                    let bytes = self.read(self.word(frame, arg.value), size as usize);
                    self.write(copy, &bytes);
                    fixed.push(copy);
                }
            }
        }
        self.call(callee, &fixed, &variadic)
    }

    fn cast(&self, frame: &mut Frame<'_>, op: CastOp, from: Scalar, to: Scalar, dst: Slot, src: Opnd) {
        let (from_bits, to_bits) = (self.bits(from), self.bits(to));
        match op {
            CastOp::Trunc | CastOp::ZExt => {
                let value = self.value(frame, src, from_bits);
                frame.set(dst, to_bits, value);
            }
            CastOp::SExt => {
                let value = signed(self.value(frame, src, from_bits), from_bits);
                frame.set(dst, to_bits, value as u128);
            }
            CastOp::FpToUi => frame.set(dst, to_bits, self.float(frame, src, from) as u128),
            CastOp::FpToSi => frame.set(dst, to_bits, self.float(frame, src, from) as i128 as u128),
            CastOp::UiToFp => {
                let value = self.value(frame, src, from_bits);
                let value = if to == Scalar::F32 { value as f32 as f64 } else { value as f64 };
                self.set_float(frame, dst, to, value);
            }
            CastOp::SiToFp => {
                let value = signed(self.value(frame, src, from_bits), from_bits);
                let value = if to == Scalar::F32 { value as f32 as f64 } else { value as f64 };
                self.set_float(frame, dst, to, value);
            }
            CastOp::FpToFp => {
                let value = self.float(frame, src, from);
                self.set_float(frame, dst, to, value);
            }
        }
    }
}

enum Next {
    On,
    Edge(EdgeId),
    Return(Vec<u64>),
}

fn int(op: IntOp, a: u128, b: u128, bits: u32) -> u128 {
    let (x, y) = (signed(a, bits), signed(b, bits));
    match op {
        IntOp::Add => a.wrapping_add(b),
        IntOp::Sub => a.wrapping_sub(b),
        IntOp::Mul => a.wrapping_mul(b),
        IntOp::UDiv => a / b,
        IntOp::SDiv => (x / y) as u128,
        IntOp::URem => a % b,
        IntOp::SRem => (x % y) as u128,
        IntOp::Shl => a << b,
        IntOp::LShr => a >> b,
        IntOp::AShr => (x >> b) as u128,
        IntOp::And => a & b,
        IntOp::Or => a | b,
        IntOp::Xor => a ^ b,
    }
}

fn compare(cmp: IntCmp, a: u128, b: u128, bits: u32) -> bool {
    let (x, y) = (signed(a, bits), signed(b, bits));
    match cmp {
        IntCmp::Eq => a == b,
        IntCmp::Ne => a != b,
        IntCmp::Ult => a < b,
        IntCmp::Ule => a <= b,
        IntCmp::Ugt => a > b,
        IntCmp::Uge => a >= b,
        IntCmp::Slt => x < y,
        IntCmp::Sle => x <= y,
        IntCmp::Sgt => x > y,
        IntCmp::Sge => x >= y,
    }
}

fn int_fn(f: IntFn, a: u128, b: u128, c: u128, bits: u32) -> u128 {
    let (x, y) = (signed(a, bits), signed(b, bits));
    match f {
        IntFn::Ctpop => a.count_ones().into(),
        IntFn::Ctlz => (a.leading_zeros() - (128 - bits)).into(),
        IntFn::Cttz => a.trailing_zeros().min(bits).into(),
        IntFn::Bswap => a.swap_bytes() >> (128 - bits),
        IntFn::Bitreverse => a.reverse_bits() >> (128 - bits),
        IntFn::Abs => x.unsigned_abs(),
        IntFn::Smin => x.min(y) as u128,
        IntFn::Smax => x.max(y) as u128,
        IntFn::Umin => a.min(b),
        IntFn::Umax => a.max(b),
        IntFn::Fshl => {
            let by = (c % u128::from(bits)) as u32;
            if by == 0 { a } else { a << by | b >> (bits - by) }
        }
        IntFn::Fshr => {
            let by = (c % u128::from(bits)) as u32;
            if by == 0 { b } else { a << (bits - by) | b >> by }
        }
        IntFn::UaddSat => (a + b).min(mask(bits)),
        other => panic!("{other:?}"),
    }
}
