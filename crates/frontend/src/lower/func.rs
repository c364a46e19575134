//! One function: slots, operands, control flow, and the instruction dispatch.
//!
//! Every SSA value has slots of its own at first; [`super::compact`] lets them share places at the end. Since the copies of phi nodes are made on edges, all at once, a slot holds its
//! value wherever SSA allows a use; so a value that merely renames another (a bit cast, an `extractvalue`) shares the
//! other's slots.

use ir::{Body, Const, Edge, EdgeId, FuncId, Inst, Opnd, PlaceId, Slot, SwitchTable};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Lowering, Unsupported, compact, edges};
use crate::llvm::meta::{Expressions, Relation};
use crate::llvm::{Block, Opcode, Type, Value, ValueKind};
use crate::omp::update;

/// Where an edge leads, before blocks have positions.
#[derive(Clone, Copy)]
enum Target<'m> {
    Block(Block<'m>),
    Code(u32),
    /// To an `Unreachable` at the end.
    Nowhere,
}

/// A function being translated.
pub struct Func<'a, 'm> {
    pub m: &'a mut Lowering<'m>,
    pub id: FuncId,
    pub body: Body,
    /// The place of the instruction being translated.
    pub place: PlaceId,
    function: Value<'m>,
    /// How many slots the parameters take.
    params: u32,
    /// The first slot, or constant, of each value.
    values: FxHashMap<Value<'m>, Opnd>,
    const_runs: FxHashMap<Vec<Const>, u32>,
    /// Positions of blocks in the function and in the code.
    order: FxHashMap<Block<'m>, u32>,
    starts: FxHashMap<Block<'m>, u32>,
    targets: Vec<Target<'m>>,
    /// The block being translated, and its edges so far.
    block: u32,
    block_edges: FxHashMap<Block<'m>, EdgeId>,
    spare: Option<Slot>,
    /// Debug entries of the stack objects that have one.
    pub variables: FxHashMap<Value<'m>, crate::llvm::meta::Meta<'m>>,
    /// Accesses that are parts of updates.
    pub updates: FxHashMap<Value<'m>, ir::Update>,
}

/// Translates a function's body.
pub fn lower<'m>(m: &mut Lowering<'m>, function: Value<'m>, id: FuncId) -> Body {
    let mut func = Func {
        m,
        id,
        body: Body::default(),
        place: PlaceId::NONE,
        function,
        params: 0,
        values: FxHashMap::default(),
        const_runs: FxHashMap::default(),
        order: FxHashMap::default(),
        starts: FxHashMap::default(),
        targets: Vec::new(),
        block: 0,
        block_edges: FxHashMap::default(),
        spare: None,
        variables: FxHashMap::default(),
        updates: update::find(function),
    };
    func.place = func.m.out.funcs[id.0 as usize].place;
    match func.bind_params() {
        Ok(()) => func.blocks(),
        Err(what) => func.unsupported(&what),
    }
    func.finish()
}

impl<'m> Func<'_, 'm> {
    fn bind_params(&mut self) -> Result<(), Unsupported> {
        self.m.params(self.function)?;
        self.m.result(self.function.value_type().result())?;
        for (index, param) in self.function.params().into_iter().enumerate() {
            let slots = match self.m.by_value(self.function, index as u32) {
                Some(_) => 1,
                None => self.m.layouts.of(param.ty())?.slots,
            };
            let slot = self.fresh(slots);
            self.values.insert(param, Opnd::slot(slot));
        }
        self.params = self.body.slots;
        Ok(())
    }

    /// The blocks that can be reached, in the order of the function.
    fn live_blocks(&self) -> Vec<Block<'m>> {
        let mut seen = FxHashSet::default();
        let mut stack: Vec<_> = self.function.blocks().take(1).collect();
        while let Some(block) = stack.pop() {
            if seen.insert(block) {
                stack.extend(block.successors());
            }
        }
        self.function.blocks().filter(|b| seen.contains(b)).collect()
    }

    fn blocks(&mut self) {
        let blocks = self.live_blocks();
        self.order = blocks.iter().enumerate().map(|(i, b)| (*b, i as u32)).collect();
        let known = self.m.llvm.expressions();
        blocks.iter().for_each(|b| self.declared(*b, &known));
        for (index, block) in blocks.into_iter().enumerate() {
            self.block = index as u32;
            self.block_edges.clear();
            self.starts.insert(block, self.body.code.len() as u32);
            for instruction in block.instructions() {
                self.place = self.m.debug.instruction(&mut self.m.out, instruction);
                if let Err(what) = self.instruction(instruction) {
                    self.unsupported(&what);
                }
            }
        }
    }

    /// Notes which variables the block's `dbg.declare`s give to stack objects.
    fn declared(&mut self, block: Block<'m>, known: &Expressions<'m>) {
        for instruction in block.instructions() {
            if let Some(note) = self.m.llvm.variable_note(instruction, known)
                && let (true, Some(value)) = (note.declare, note.value)
                && note.relation != Relation::Deref
            {
                self.variables.entry(value).or_insert(note.variable);
            }
        }
    }

    fn finish(mut self) -> Body {
        let nowhere = self.targets.iter().any(|t| matches!(t, Target::Nowhere));
        let end = self.body.code.len() as u32;
        if nowhere || self.body.code.is_empty() {
            self.emit(Inst::Unreachable);
        }
        for (edge, target) in self.body.edges.iter_mut().zip(&self.targets) {
            edge.target = match target {
                Target::Block(block) => self.starts[block],
                Target::Code(at) => *at,
                Target::Nowhere => end,
            };
        }
        compact::compact(&mut self.body, self.params);
        self.body
    }

    // ---- slots and operands

    /// New slots.
    pub fn fresh(&mut self, count: u32) -> Slot {
        let slot = Slot(self.body.slots);
        self.body.slots += count;
        slot
    }

    /// Adds an instruction.
    pub fn emit(&mut self, inst: Inst) {
        self.body.code.push(inst);
        self.body.places.push(self.place);
    }

    /// Marks something that cannot be translated.
    pub fn unsupported(&mut self, what: &str) {
        let what = self.m.string(what);
        self.emit(Inst::Unsupported { what });
    }

    /// Consecutive constants.
    pub fn const_run(&mut self, run: &[Const]) -> Opnd {
        if let Some(at) = self.const_runs.get(run) {
            return Opnd::constant(*at);
        }
        let at = self.body.consts.len() as u32;
        self.body.consts.extend_from_slice(run);
        self.const_runs.insert(run.to_vec(), at);
        Opnd::constant(at)
    }

    /// A known word.
    pub fn word(&mut self, bits: u64) -> Opnd {
        self.const_run(&[Const::Bits(bits)])
    }

    /// The slots where an instruction's result goes.
    pub fn def(&mut self, value: Value<'m>) -> Result<Slot, Unsupported> {
        match self.values.get(&value) {
            Some(opnd) if !opnd.is_const() => Ok(Slot(opnd.0)),
            _ => {
                let slots = self.m.layouts.of(value.ty())?.slots;
                let slot = self.fresh(slots);
                self.values.insert(value, Opnd::slot(slot));
                Ok(slot)
            }
        }
    }

    /// Says that an instruction's result is what stands in these consecutive slots or constants.
    pub fn rename(&mut self, value: Value<'m>, to: Opnd) -> Result<(), Unsupported> {
        let Some(known) = self.values.get(&value).copied() else {
            self.values.insert(value, to);
            return Ok(());
        };
        // Something that comes earlier in the code has reserved slots for it.
        let slots = self.m.layouts.of(value.ty())?.slots;
        for i in 0..slots {
            self.emit(Inst::Move { dst: Slot(known.0 + i), src: Opnd(to.0 + i) });
        }
        Ok(())
    }

    /// The operand of a scalar, or the first of consecutive ones.
    pub fn opnd(&mut self, value: Value<'m>) -> Result<Opnd, Unsupported> {
        if let Some(known) = self.values.get(&value) {
            return Ok(*known);
        }
        if !value.is_constant() {
            return Ok(Opnd::slot(self.def(value)?));
        }
        match self.m.fold(value)? {
            Some(consts) => Ok(self.const_run(&consts)),
            None => self.materialize(value),
        }
    }

    /// The operands of each slot.
    pub fn opnds(&mut self, value: Value<'m>) -> Result<Vec<Opnd>, Unsupported> {
        let slots = self.m.layouts.of(value.ty())?.slots;
        if slots == 0 {
            return Ok(Vec::new());
        }
        let first = self.opnd(value)?;
        Ok((0..slots).map(|i| Opnd(first.0 + i)).collect())
    }

    /// Computes a constant that is known at run time only, at the place of its use.
    fn materialize(&mut self, value: Value<'m>) -> Result<Opnd, Unsupported> {
        match value.kind() {
            ValueKind::LLVMGlobalVariableValueKind => {
                let global = self.m.global(value);
                let dst = self.fresh(1);
                self.emit(Inst::ThreadLocal { dst, global });
                Ok(Opnd::slot(dst))
            }
            ValueKind::LLVMGlobalAliasValueKind => self.opnd(value.aliasee()),
            ValueKind::LLVMConstantExprValueKind => {
                let result = self.operation(value);
                // A constant has no place of its own: the next use, in another block perhaps, computes it again.
                let known = self.values.remove(&value);
                result?;
                known.ok_or_else(|| "constant expression".to_string())
            }
            _ => {
                let mut parts = Vec::new();
                for i in 0..value.operand_count() {
                    parts.extend(self.opnds(value.operand(i))?);
                }
                let dst = self.fresh(parts.len() as u32);
                for (i, src) in parts.into_iter().enumerate() {
                    self.emit(Inst::Move { dst: Slot(dst.0 + i as u32), src });
                }
                Ok(Opnd::slot(dst))
            }
        }
    }

    /// A new slot with the word at `base` moved by `offset` bytes.
    pub fn offset(&mut self, base: Opnd, offset: i64) -> Opnd {
        if offset == 0 {
            return base;
        }
        let dst = self.fresh(1);
        self.emit(Inst::Offset { dst, base, offset });
        Opnd::slot(dst)
    }

    // ---- control flow

    fn add_edge(&mut self, target: Target<'m>, moves: &[(Slot, Opnd)], back: bool) -> EdgeId {
        let spare = self.spare;
        let mut fresh = None;
        let next = Slot(self.body.slots);
        let sequence = edges::sequence(moves, || spare.unwrap_or_else(|| *fresh.insert(next)));
        if fresh.is_some() {
            self.spare = Some(self.fresh(1));
        }
        let id = EdgeId(self.body.edges.len() as u32);
        let (first, move_count) = (self.body.moves.len() as u32, sequence.len() as u32);
        self.body.edges.push(Edge { target: 0, moves: first, move_count, back });
        self.body.moves.extend(sequence);
        self.targets.push(target);
        id
    }

    /// The edge from the current block to another, with the copies for its phi nodes. Code that the copies need is
    /// added here, so this comes before the terminator.
    pub fn edge(&mut self, from: Block<'m>, to: Block<'m>) -> Result<EdgeId, Unsupported> {
        if let Some(edge) = self.block_edges.get(&to) {
            return Ok(*edge);
        }
        let edge = self.new_edge(from, to)?;
        self.block_edges.insert(to, edge);
        Ok(edge)
    }

    fn new_edge(&mut self, from: Block<'m>, to: Block<'m>) -> Result<EdgeId, Unsupported> {
        let mut moves = Vec::new();
        for phi in to.instructions().take_while(|i| i.opcode() == Some(Opcode::LLVMPHI)) {
            let Some((value, _)) = phi.incoming().into_iter().find(|(_, block)| *block == from) else {
                continue;
            };
            let dst = match self.def(phi) {
                Ok(dst) => dst,
                // The phi's own block says that it is unsupported.
                Err(_) => continue,
            };
            let sources = self.opnds(value)?;
            moves.extend(sources.into_iter().enumerate().map(|(i, src)| (Slot(dst.0 + i as u32), src)));
        }
        let back = self.order[&to] <= self.block;
        Ok(self.add_edge(Target::Block(to), &moves, back))
    }

    /// The block that an instruction stands in is the one whose terminator it is.
    pub fn terminator(&mut self, from: Block<'m>, instruction: Value<'m>) -> Result<(), Unsupported> {
        match instruction.opcode() {
            Some(Opcode::LLVMBr) => self.branch(from, instruction),
            Some(Opcode::LLVMSwitch) => self.switch(from, instruction),
            Some(Opcode::LLVMIndirectBr) => self.indirect(from, instruction),
            Some(Opcode::LLVMInvoke) => self.invoke(from, instruction),
            Some(Opcode::LLVMRet) => self.ret(instruction),
            Some(Opcode::LLVMUnreachable) => {
                self.emit(Inst::Unreachable);
                Ok(())
            }
            Some(Opcode::LLVMResume) => {
                let exception = self.opnd(instruction.operand(0))?;
                self.emit(Inst::Resume { exception });
                Ok(())
            }
            Some(Opcode::LLVMCallBr) => Err("`asm goto`".to_string()),
            other => Err(format!("instruction {}", opcode_name(other))),
        }
    }

    fn branch(&mut self, from: Block<'m>, instruction: Value<'m>) -> Result<(), Unsupported> {
        let targets = from.successors();
        match targets.as_slice() {
            [only] => {
                // To the block that comes next, without copies: fall through.
                let phis = only.instructions().next().is_some_and(|i| i.opcode() == Some(Opcode::LLVMPHI));
                if self.order[only] == self.block + 1 && !phis {
                    return Ok(());
                }
                let edge = self.edge(from, *only)?;
                self.emit(Inst::Jump { edge });
            }
            [first, second] => {
                let cond = self.opnd(instruction.operand(0))?;
                let then = self.edge(from, *first)?;
                let otherwise = self.edge(from, *second)?;
                self.emit(Inst::Branch { cond, then, otherwise });
            }
            _ => return Err("branch".to_string()),
        }
        Ok(())
    }

    fn switch(&mut self, from: Block<'m>, instruction: Value<'m>) -> Result<(), Unsupported> {
        let value = self.opnd(instruction.operand(0))?;
        let default = self.edge(from, instruction.operand(1).as_block())?;
        let mut cases = Vec::new();
        for i in (2..instruction.operand_count()).step_by(2) {
            let edge = self.edge(from, instruction.operand(i + 1).as_block())?;
            cases.push((instruction.operand(i), edge));
        }
        let bits = instruction.operand(0).ty().int_bits();
        if bits > 64 {
            return self.switch_by_comparing(bits as u8, value, &cases, default);
        }
        let mut table: Vec<(u64, EdgeId)> = Vec::new();
        for (case, edge) in cases {
            let word = self.m.llvm.constant_bits(case).ok_or("switch on an expression")?;
            table.push((word as u64, edge));
        }
        table.sort_by_key(|(word, _)| *word);
        let index = self.body.switches.len() as u32;
        self.body.switches.push(SwitchTable { cases: table, default });
        self.emit(Inst::Switch { value, table: index });
        Ok(())
    }

    fn switch_by_comparing(
        &mut self,
        bits: u8,
        value: Opnd,
        cases: &[(Value<'m>, EdgeId)],
        default: EdgeId,
    ) -> Result<(), Unsupported> {
        for (case, then) in cases {
            let case = self.opnd(*case)?;
            let dst = self.fresh(1);
            self.emit(Inst::IntCmp { cmp: ir::IntCmp::Eq, bits, dst, a: value, b: case });
            let next = self.body.code.len() as u32 + 1;
            let otherwise = self.add_edge(Target::Code(next), &[], false);
            self.emit(Inst::Branch { cond: Opnd::slot(dst), then: *then, otherwise });
        }
        self.emit(Inst::Jump { edge: default });
        Ok(())
    }

    fn indirect(&mut self, from: Block<'m>, instruction: Value<'m>) -> Result<(), Unsupported> {
        let addr = self.opnd(instruction.operand(0))?;
        let allowed = from.successors();
        let blocks = self.m.addressed(self.function).to_vec();
        let mut edges = Vec::new();
        for block in blocks {
            edges.push(if allowed.contains(&block) {
                self.new_edge(from, block)?
            } else {
                self.add_edge(Target::Nowhere, &[], false)
            });
        }
        let Some(first) = edges.first() else {
            self.emit(Inst::Unreachable);
            return Ok(());
        };
        self.emit(Inst::IndirectJump { addr, first: *first, count: edges.len() as u32 });
        Ok(())
    }

    fn ret(&mut self, instruction: Value<'m>) -> Result<(), Unsupported> {
        if instruction.operand_count() == 0 {
            let src = self.word(0);
            self.emit(Inst::Return { src, count: 0 });
            return Ok(());
        }
        let value = instruction.operand(0);
        let count = self.m.layouts.of(value.ty())?.slots;
        let src = if count == 0 { self.word(0) } else { self.opnd(value)? };
        self.emit(Inst::Return { src, count });
        Ok(())
    }

    // ---- dispatch

    fn instruction(&mut self, instruction: Value<'m>) -> Result<(), Unsupported> {
        use Opcode::*;
        match instruction.opcode() {
            Some(LLVMPHI) => self.m.layouts.of(instruction.ty()).map(|_| ()),
            Some(
                LLVMBr | LLVMSwitch | LLVMIndirectBr | LLVMInvoke | LLVMRet | LLVMUnreachable | LLVMResume
                | LLVMCallBr | LLVMCleanupRet | LLVMCatchRet | LLVMCatchSwitch,
            ) => {
                let from = instruction.parent();
                self.terminator(from, instruction)
            }
            Some(LLVMAlloca) => self.alloca(instruction),
            Some(LLVMLoad) => self.load(instruction),
            Some(LLVMStore) => self.store(instruction),
            Some(LLVMAtomicRMW) => self.rmw(instruction),
            Some(LLVMAtomicCmpXchg) => self.cmpxchg(instruction),
            Some(LLVMFence) => self.fence(instruction),
            Some(LLVMCall) => self.call(instruction),
            Some(LLVMLandingPad) => self.landing_pad(instruction),
            Some(LLVMVAArg) => {
                let list = self.opnd(instruction.operand(0))?;
                let ty = self.m.layouts.of(instruction.ty())?.single()?;
                let dst = self.def(instruction)?;
                self.emit(Inst::VaArg { dst, list, ty });
                Ok(())
            }
            _ => self.operation(instruction),
        }
    }

    /// Instructions and constant expressions that touch neither memory nor control.
    fn operation(&mut self, value: Value<'m>) -> Result<(), Unsupported> {
        use Opcode::*;
        let opcode = value.opcode().ok_or("constant")?;
        match opcode {
            LLVMAdd | LLVMSub | LLVMMul | LLVMUDiv | LLVMSDiv | LLVMURem | LLVMSRem | LLVMShl | LLVMLShr
            | LLVMAShr | LLVMAnd | LLVMOr | LLVMXor => self.int_binary(value, opcode),
            LLVMFAdd | LLVMFSub | LLVMFMul | LLVMFDiv | LLVMFRem => self.float_binary(value, opcode),
            LLVMFNeg => self.float_negate(value),
            LLVMICmp => self.int_compare(value),
            LLVMFCmp => self.float_compare(value),
            LLVMTrunc | LLVMZExt | LLVMSExt | LLVMFPToUI | LLVMFPToSI | LLVMUIToFP | LLVMSIToFP
            | LLVMFPTrunc | LLVMFPExt | LLVMPtrToInt | LLVMIntToPtr => self.cast(value, opcode),
            LLVMBitCast => self.bit_cast(value),
            LLVMAddrSpaceCast | LLVMFreeze => self.pass_through(value, value.operand(0)),
            LLVMGetElementPtr => self.gep(value),
            LLVMSelect => self.select(value),
            LLVMExtractValue => self.extract_value(value),
            LLVMInsertValue => self.insert_value(value),
            LLVMExtractElement => self.extract_element(value),
            LLVMInsertElement => self.insert_element(value),
            LLVMShuffleVector => self.shuffle(value),
            other => Err(format!("instruction {}", opcode_name(Some(other)))),
        }
    }

    /// The result is the operand.
    pub fn pass_through(&mut self, value: Value<'m>, operand: Value<'m>) -> Result<(), Unsupported> {
        if self.m.layouts.of(value.ty())?.slots == 0 {
            return Ok(());
        }
        let src = self.opnd(operand)?;
        self.rename(value, src)
    }

    /// The layout of a type.
    pub fn layout(&mut self, ty: Type<'m>) -> Result<std::rc::Rc<super::layout::Layout>, Unsupported> {
        self.m.layouts.of(ty)
    }
}

fn opcode_name(opcode: Option<Opcode>) -> String {
    let text = opcode.map(|o| format!("{o:?}")).unwrap_or_default();
    text.trim_start_matches("LLVM").to_lowercase()
}
