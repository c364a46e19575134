//! Instructions.

use crate::module::{FuncId, GlobalId, PlaceId, StrId};

/// A slot of the current frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slot(pub u32);

/// An operand: a slot, or (with the top bit set) an entry of the function's constant pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Opnd(pub u32);

impl Opnd {
    const CONST: u32 = 1 << 31;

    /// The operand that reads a slot.
    pub fn slot(slot: Slot) -> Opnd {
        debug_assert!(slot.0 < Self::CONST);
        Opnd(slot.0)
    }

    /// The operand that reads entry `index` of the constant pool.
    pub fn constant(index: u32) -> Opnd {
        Opnd(index | Self::CONST)
    }

    /// Whether the operand is a constant.
    #[inline]
    pub fn is_const(self) -> bool {
        self.0 & Self::CONST != 0
    }

    /// The slot or pool index.
    #[inline]
    pub fn index(self) -> usize {
        (self.0 & !Self::CONST) as usize
    }

    /// The operand's second slot, for two-slot values.
    #[inline]
    pub fn second(self) -> Opnd {
        Opnd(self.0 + 1)
    }
}

/// A scalar type, as far as the machine needs to know it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scalar {
    /// An integer of 1 to 64 bits: one slot. 65 to 128 bits: two slots.
    Int(u8),
    /// A pointer: one slot, as wide as [`crate::Module::pointer_bytes`].
    Ptr,
    /// `float`.
    F32,
    /// `double`.
    F64,
    /// x87 `long double`: two slots, the 64-bit significand and the 16 bits of sign and exponent.
    F80,
}

impl Scalar {
    /// How many slots a value of this type takes.
    pub fn slots(self) -> u32 {
        match self {
            Scalar::Int(bits) if bits > 64 => 2,
            Scalar::F80 => 2,
            _ => 1,
        }
    }
}

/// Integer operations with two operands and a result of the same width; they wrap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum IntOp {
    /// Addition.
    Add,
    /// Subtraction.
    Sub,
    /// Multiplication.
    Mul,
    /// Unsigned division; by zero is a defect.
    UDiv,
    /// Signed division; by zero, or of the least value by -1, is a defect.
    SDiv,
    /// Unsigned remainder.
    URem,
    /// Signed remainder.
    SRem,
    /// Shift left. A shift by the width or more gives an unconstrained value.
    Shl,
    /// Logical shift right.
    LShr,
    /// Arithmetic shift right.
    AShr,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
}

/// Integer comparisons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum IntCmp {
    Eq,
    Ne,
    Ult,
    Ule,
    Ugt,
    Uge,
    Slt,
    Sle,
    Sgt,
    Sge,
}

/// Floating-point operations with two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum FloatOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
}

/// Floating-point comparisons, by what they are true for.
///
/// An LLVM predicate is the set of outcomes (less, equal, greater, unordered) for which it holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FloatCmp(pub u8);

impl FloatCmp {
    /// Holds if the operands are equal.
    pub const EQUAL: u8 = 1;
    /// Holds if the first is greater.
    pub const GREATER: u8 = 2;
    /// Holds if the first is less.
    pub const LESS: u8 = 4;
    /// Holds if one is not a number.
    pub const UNORDERED: u8 = 8;
}

/// Conversions between scalars. Pointer casts and bit casts of one size are [`Inst::Move`]; a pointer to or from an
/// integer of another size is `Trunc` or `ZExt`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum CastOp {
    Trunc,
    ZExt,
    SExt,
    FpToUi,
    FpToSi,
    UiToFp,
    SiToFp,
    /// Between floating-point types, either way.
    FpToFp,
}

/// Integer intrinsics of LLVM. Unused operands are any valid operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum IntFn {
    Ctpop,
    Ctlz,
    Cttz,
    Bswap,
    Bitreverse,
    Abs,
    Smin,
    Smax,
    Umin,
    Umax,
    /// Funnel shift left of (a, b) by c.
    Fshl,
    /// Funnel shift right of (a, b) by c.
    Fshr,
    UaddSat,
    SaddSat,
    UsubSat,
    SsubSat,
}

/// Floating-point intrinsics of LLVM and C's `math.h` that are pure functions of their operands.
/// `Call`s of C's functions by name stay calls; the machine knows them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum FloatFn {
    Fabs,
    Sqrt,
    Floor,
    Ceil,
    Trunc,
    Rint,
    NearbyInt,
    Round,
    RoundEven,
    CopySign,
    MinNum,
    MaxNum,
    /// `a < b ? b : a`, as `std::max` has it.
    Greater,
    /// `b < a ? b : a`, as `std::min` has it.
    Lesser,
    Fma,
    Sin,
    Cos,
    Tan,
    Exp,
    Exp2,
    Log,
    Log2,
    Log10,
    Pow,
    /// The second operand is an `Int(32)`.
    PowI,
}

/// Arithmetic that also tells whether it overflowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum OverflowOp {
    Add,
    Sub,
    Mul,
}

/// What an atomic read-modify-write does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum RmwOp {
    Xchg,
    Add,
    Sub,
    And,
    Nand,
    Or,
    Xor,
    Max,
    Min,
    UMax,
    UMin,
    FAdd,
    FSub,
    FMax,
    FMin,
    UIncWrap,
    UDecWrap,
}

/// Memory orders, weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Order {
    Relaxed,
    Acquire,
    Release,
    AcqRel,
    SeqCst,
}

impl Order {
    /// Whether an operation of this order synchronises with an earlier release.
    pub fn acquires(self) -> bool {
        matches!(self, Order::Acquire | Order::AcqRel | Order::SeqCst)
    }

    /// Whether a later acquire can synchronise with an operation of this order.
    pub fn releases(self) -> bool {
        matches!(self, Order::Release | Order::AcqRel | Order::SeqCst)
    }
}

/// The index of an [`Edge`] in [`Body::edges`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct EdgeId(pub u32);

/// A control-flow edge: copies to make (the target's phi nodes), then the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    /// The instruction to go to.
    pub target: u32,
    /// First of the copies in [`Body::moves`]. They are made one after another; the front end has ordered them (with
    /// temporary slots where needed) so that this equals the simultaneous assignment of phi nodes.
    pub moves: u32,
    /// How many copies.
    pub move_count: u32,
    /// Whether the edge closes a loop: its target block dominates its source (or simply comes no later in the body).
    /// Every cycle of the body must contain such an edge.
    pub back: bool,
}

/// How an argument is passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArgKind {
    /// By value, of a scalar type.
    Scalar(Scalar),
    /// The operand points to an object of `size` bytes of which the callee gets its own copy, and a pointer to it
    /// (LLVM's `byval`).
    ByVal {
        /// The object's size.
        size: u32,
        /// The copy's alignment.
        align: u32,
    },
}

/// One argument of a call. Two-slot scalars count once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arg {
    /// The value.
    pub value: Opnd,
    /// How it is passed.
    pub kind: ArgKind,
    /// The part that it is of an argument that consists of several scalars, such as a vector. Among variable arguments
    /// those lie together as they do in memory.
    pub lane: Option<Lane>,
}

/// A scalar's place in an argument of several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lane {
    /// How many bytes behind the argument's beginning it lies.
    pub offset: u32,
    /// How many bytes the argument has.
    pub size: u32,
}

/// Who is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Callee {
    /// A function known by name, with or without a body.
    Direct(FuncId),
    /// The function that the operand points to.
    Indirect(Opnd),
}

/// A call; the operands of [`Inst::Call`] and [`Inst::Invoke`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallSite {
    /// Who is called.
    pub callee: Callee,
    /// First argument in [`Body::args`].
    pub args: u32,
    /// How many arguments.
    pub arg_count: u32,
    /// Where the result's slots begin.
    pub result: Slot,
    /// How many slots the caller expects as the result (0: none, or not used).
    pub result_slots: u32,
}

/// A `landingpad`: what the frame catches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LandingPad {
    /// The slots of the result: exception pointer, selector (32 bits).
    pub result: Slot,
    /// Whether the pad is entered for clean-up even if no clause matches.
    pub cleanup: bool,
    /// The clauses, in order.
    pub clauses: Vec<Clause>,
}

/// One clause of a landing pad.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Clause {
    /// Catches exceptions of this type; `None` is `catch (...)`. The operand is a constant: the type info's address.
    Catch(Option<Opnd>),
    /// Catches what is not among these types (an exception specification).
    Filter(Vec<Opnd>),
}

/// A `switch`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwitchTable {
    /// Value and edge, sorted by value.
    pub cases: Vec<(u64, EdgeId)>,
    /// Where to go when no case matches.
    pub default: EdgeId,
}

/// One instruction.
///
/// `bits` is an integer width from 1 to 128; up to 64 the values are single slots, above that pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Inst {
    /// Copies one slot.
    Move { dst: Slot, src: Opnd },
    /// `dst = a op b`.
    Int { op: IntOp, bits: u8, dst: Slot, a: Opnd, b: Opnd },
    /// `dst = a cmp b` (1 bit). Pointers compare as integers.
    IntCmp { cmp: IntCmp, bits: u8, dst: Slot, a: Opnd, b: Opnd },
    /// `dst = a op b` on `ty` (a floating-point type).
    Float { op: FloatOp, ty: Scalar, dst: Slot, a: Opnd, b: Opnd },
    /// `dst = -a`.
    FloatNeg { ty: Scalar, dst: Slot, a: Opnd },
    /// `dst = a cmp b` (1 bit).
    FloatCmp { cmp: FloatCmp, ty: Scalar, dst: Slot, a: Opnd, b: Opnd },
    /// Converts.
    Cast { op: CastOp, from: Scalar, to: Scalar, dst: Slot, src: Opnd },
    /// `dst = if cond { a } else { b }`, one slot.
    Select { dst: Slot, cond: Opnd, a: Opnd, b: Opnd },
    /// `dst = f(a, b, c)`.
    IntFn { f: IntFn, bits: u8, dst: Slot, a: Opnd, b: Opnd, c: Opnd },
    /// `dst = f(a, b, c)`.
    FloatFn { f: FloatFn, ty: Scalar, dst: Slot, a: Opnd, b: Opnd, c: Opnd },
    /// `dst = a op b`, `overflow` = did it overflow (1 bit). `overflow` is a slot of its own.
    Overflow { op: OverflowOp, signed: bool, bits: u8, dst: Slot, overflow: Slot, a: Opnd, b: Opnd },
    /// `dst = base + sext(index from `index_bits`) * scale`, wrapped to the pointer's width.
    Index { dst: Slot, base: Opnd, index: Opnd, index_bits: u8, scale: i64 },
    /// `dst = base + offset`, wrapped to the pointer's width.
    Offset { dst: Slot, base: Opnd, offset: i64 },
    /// Loads a scalar; an integer of `n` bits occupies `ceil(n / 8)` bytes, `F80` ten.
    Load { dst: Slot, addr: Opnd, ty: Scalar, access: AccessId },
    /// Stores a scalar.
    Store { addr: Opnd, src: Opnd, ty: Scalar, access: AccessId },
    /// Loads atomically.
    AtomicLoad { dst: Slot, addr: Opnd, ty: Scalar, order: Order, access: AccessId },
    /// Stores atomically.
    AtomicStore { addr: Opnd, src: Opnd, ty: Scalar, order: Order, access: AccessId },
    /// `dst = *addr; *addr = dst op src`, atomically.
    AtomicRmw { op: RmwOp, dst: Slot, addr: Opnd, src: Opnd, ty: Scalar, order: Order, access: AccessId },
    /// Compare and exchange: `dst` = old value, the slot after it (`ok`) = success (1 bit). See [`CmpXchg`].
    CmpXchg { dst: Slot, ok: Slot, index: u32 },
    /// A fence between threads. Fences for signal handlers only are dropped by the front end.
    Fence { order: Order },
    /// Creates a stack object of `count * size` bytes; `dst` = its address. It ends with the frame or a
    /// [`Inst::StackRestore`]. Its contents are unconstrained.
    Alloca { dst: Slot, count: Opnd, count_bits: u8, size: u64, align: u32, var: VarId, sight: Sight },
    /// Remembers the stack's height.
    StackSave { dst: Slot },
    /// Ends all stack objects of this frame made since the matching save.
    StackRestore { saved: Opnd },
    /// The object's lifetime begins (its contents become unconstrained).
    LifetimeStart { addr: Opnd },
    /// The object's lifetime ends (accesses are defects until it starts again).
    LifetimeEnd { addr: Opnd },
    /// `memcpy`/`memmove`: `overlap` says whether the areas may overlap.
    Copy { dst: Opnd, src: Opnd, len: Opnd, len_bits: u8, overlap: bool, access: AccessId },
    /// `memset` with the low byte of `byte`.
    Fill { dst: Opnd, byte: Opnd, len: Opnd, len_bits: u8, access: AccessId },
    /// The calling thread's instance of a thread-local variable.
    ThreadLocal { dst: Slot, global: GlobalId },
    /// Starts a walk over the variable arguments; `list` points to the `va_list`.
    VaStart { list: Opnd },
    /// Copies a `va_list`.
    VaCopy { dst: Opnd, src: Opnd },
    /// Ends a walk.
    VaEnd { list: Opnd },
    /// Reads the next variable argument from the `va_list` that `list` points to (LLVM's `va_arg` instruction).
    VaArg { dst: Slot, list: Opnd, ty: Scalar },
    /// Calls; `site` indexes [`Body::calls`].
    Call { site: u32 },
    /// Calls, and goes on at `normal`, or at `unwind` (whose first instruction is a [`Inst::LandingPad`]) when an
    /// exception comes out.
    Invoke { site: u32, normal: EdgeId, unwind: EdgeId },
    /// The beginning of an exception handler; indexes [`Body::pads`].
    LandingPad { pad: u32 },
    /// Goes on unwinding with the exception in `exception` (the landing pad's first slot).
    Resume { exception: Opnd },
    /// `dst` = the selector value of a type info (LLVM's `eh.typeid.for`).
    TypeIdFor { dst: Slot, type_info: Opnd },
    /// Goes to `edge`.
    Jump { edge: EdgeId },
    /// Goes to `then` if `cond` (1 bit) holds, else to `otherwise`.
    Branch { cond: Opnd, then: EdgeId, otherwise: EdgeId },
    /// Multi-way branch on a value of up to 64 bits; indexes [`Body::switches`].
    Switch { value: Opnd, table: u32 },
    /// Computed `goto`: `addr` is a block address; the possible targets are `edges[first..first + count]`, in the order
    /// of the block numbers that [`crate::Const::Block`] gives.
    IndirectJump { addr: Opnd, first: EdgeId, count: u32 },
    /// Returns `count` slots, which begin at `src` (a slot, or consecutive constants).
    Return { src: Opnd, count: u32 },
    /// Undefined behaviour if reached.
    Unreachable,
    /// A trap (`__builtin_trap`, a failed built-in check).
    Trap,
    /// Something that the front end cannot translate; reaching it makes the verdict `unknown`. The text names the
    /// construct.
    Unsupported { what: StrId },
    /// Does nothing.
    Nop,
}

/// The operands of a compare and exchange that do not fit into [`Inst`]; in [`Body::cmpxchgs`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CmpXchg {
    /// Where.
    pub addr: Opnd,
    /// The expected value.
    pub expected: Opnd,
    /// The new value.
    pub new: Opnd,
    /// The type compared (an integer or a pointer).
    pub ty: Scalar,
    /// The order on success.
    pub success: Order,
    /// The order on failure.
    pub failure: Order,
    /// Whether it may fail spuriously.
    pub weak: bool,
    /// Whether it ends an indivisible update that an [`Inst::AtomicLoad`] began: it always succeeds. See [`Update`].
    pub ends_update: bool,
    /// The access, for reports.
    pub access: AccessId,
}

/// Whether observers are told of the accesses to a stack object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Sight {
    /// As soon as its address can have left its function.
    Auto,
    /// From birth: private state that one piece of an OpenMP loop whose distribution is open could leave to the next. A
    /// piece that reads what another left there depends on the distribution.
    Visible,
    /// Never: bounds of a loop that the OpenMP runtime fills in. They belong to the runtime, not to the program.
    Hidden,
}

/// The index of an [`AccessInfo`] in [`crate::Module::accesses`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AccessId(pub u32);

/// What a report can say of an instruction that touches memory. Several instructions that stand for one access of the
/// source (a struct copied leaf by leaf) share one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct AccessInfo {
    /// Where in the source.
    pub place: PlaceId,
    /// The function it stands in.
    pub func: FuncId,
    /// The expression accessed, as far as it can be told from names and debug types: `p->next`, `buf[i].len`,
    /// `count`. `None` when nothing better than an address is known.
    pub expr: Option<StrId>,
    /// The access is declared `volatile` in the source (it races like any other).
    pub volatile: bool,
    /// The access is (a part of) an update: reading a location, computing, and writing it back.
    pub update: Option<Update>,
}

/// An update of one location.
///
/// *Indivisible updates*: if an [`Inst::AtomicLoad`] begins one, the [`Inst::CmpXchg`] of the same location that ends it
/// ([`CmpXchg::ends_update`]) follows on every way, with nothing between them that another thread could notice. The machine
/// executes the two without letting others in between, so that the exchange succeeds.
///
/// *Commutative updates*: where `op` is there, the old value goes into that operation alone, and its result into the location
/// alone. Two such updates of one location with the same `op` have the same result in either order (for the operations
/// on floating-point numbers: up to rounding), provided that neither comes between the other's reading and writing: both are
/// atomic, or excluded by a common lock. The two parts of a plain update stand in one basic block, with no call and no
/// other write between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Update {
    /// The operation, if updates by it commute. Subtraction counts as addition.
    pub op: Option<UpdateOp>,
    /// Which part the access is.
    pub part: UpdatePart,
    /// Whether a branch between the parts decides what is stored.
    pub choice: UpdateChoice,
    /// For these: which of them in its function it is, so that their parts are known to belong together.
    pub id: u32,
}

/// How a branch takes part in an update by minimum or maximum.
///
/// In both forms the old value goes into the branch's condition, and into what is stored, and nowhere else, and nothing else
/// depends on which way the branch goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum UpdateChoice {
    /// There is none.
    #[default]
    None,
    /// `if (v > x) x = v;`: it decides whether anything is stored.
    Stores,
    /// `x = v > x ? v : x;`: it decides which value is stored. The new one was loaded for that alone, or is a constant.
    Picks,
}

/// Which part of an update an access is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UpdatePart {
    /// It reads the old value.
    Begins,
    /// It writes the new value.
    Ends,
    /// Both: an [`Inst::AtomicRmw`].
    Whole,
    /// Neither: it reads what goes into an update by a branch as its operand, and nowhere else.
    Feeds,
}

/// Operations by which updates commute with others by the same operation, but not with those by another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum UpdateOp {
    Add,
    Mul,
    And,
    Or,
    Xor,
    /// `x = x && v`: zero where one of them is.
    LogicalAnd,
    /// `x = x || v`: one where one of them is not zero.
    LogicalOr,
    Min,
    Max,
    UnsignedMin,
    UnsignedMax,
    FloatAdd,
    FloatMul,
    FloatMin,
    FloatMax,
}

impl UpdateOp {
    /// Whether the results of two orders are equal only up to rounding.
    pub fn rounds(self) -> bool {
        matches!(self, UpdateOp::FloatAdd | UpdateOp::FloatMul)
    }
}

/// The index of a [`crate::Variable`] in [`crate::Module::variables`]: what a stack object is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct VarId(pub u32);

/// The code of a function.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Body {
    /// How many slots a frame has. The parameters' slots come first, in order.
    pub slots: u32,
    /// The instructions.
    pub code: Vec<Inst>,
    /// For each instruction its place in the source.
    pub places: Vec<PlaceId>,
    /// The constant pool.
    pub consts: Vec<crate::module::Const>,
    /// Control-flow edges.
    pub edges: Vec<Edge>,
    /// Copies that edges make.
    pub moves: Vec<(Slot, Opnd)>,
    /// Call sites.
    pub calls: Vec<CallSite>,
    /// Arguments of call sites.
    pub args: Vec<Arg>,
    /// Landing pads.
    pub pads: Vec<LandingPad>,
    /// Switches.
    pub switches: Vec<SwitchTable>,
    /// Compare-and-exchange operands.
    pub cmpxchgs: Vec<CmpXchg>,
}
