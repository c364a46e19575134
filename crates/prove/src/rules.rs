//! The rules of the proof by name, each with a switch.
//!
//! A rule that nothing notices the absence of is either superfluous or untested. So in builds with the feature `switches` every
//! rule can be switched off, and `oracle rules` looks for a program on which the proof is wrong without it. In all other
//! builds [`Rule::holds`] is a constant.

/// A rule, as `docs/soundness.md` has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Rule {
    /// R1: what is read beside an unordered write is open.
    Unordered,
    /// R1: updates commute only if they exclude each other.
    Indivisible,
    /// R1: updates commute only if they are of one class.
    OneClass,
    /// R1: updates commute only if they are of exactly the same bytes.
    SameBytes,
    /// R2: what open strands leave in a thread's cells is open for others.
    Left,
    /// R2: at a task scheduling point a strand's thread may execute others.
    Interrupted,
    /// R2: what tasks leave is not covered by the code around them.
    Unsettled,
    /// R3: a label with some shares is open.
    Complete,
    /// R3: open strands read open values from owned cells, not labels.
    Whole,
    /// R3: widening keeps a label only if nothing can overflow.
    Widened,
    /// R3: what another schedule may leave out hands on no share.
    Certain,
    /// R3: cells of a family are written by nothing but its updates.
    PureFamily,
    /// R4: copies that tasks reduce into are open.
    Copies,
    /// R5: an atomic operation that gives back shares gives back an open value.
    GivesBack,
    /// R5: which thread a barrier calls serial is open.
    Serial,
    /// R5: what atomics leave in an order that the schedule decides is open.
    Mixed,
    /// Stores of values that depend on the executing thread are open.
    OpenStores,
    /// Strands do the same in all rotations.
    Skeletons,
    /// What an update picks from is compared between the rotations.
    Picks,
    /// A cell that two threads touch is nobody's.
    OneOwner,
    /// Where others run beside a region, only what was made inside it can be owned.
    Inside,
    /// Where two threads stand for all, only what the code around the pieces on a thread made can be owned by it.
    Makers,
    /// Locks that the thread holds around an open strand do not count for it.
    OwnLocks,
    /// The turns that combiners take exclude nothing beside the values that they combine.
    Combiners,
    /// A combiner of open values settles nothing.
    Spoilt,
    /// Both sides of a branch that is taken both ways count.
    BothSides,
    /// An object that ends beside an access, whatever the locks, proves nothing.
    Ends,
    /// An open strand that ends what its thread owns proves nothing.
    OwnEnds,
    /// Open strands give back the locks that they take, and no others.
    Balanced,
    /// Locks that are nested in a cycle may deadlock.
    Cycles,
    /// Waiting for something else with a lock that others take may deadlock.
    Waits,
    /// Open strands that take locks while their thread holds some may deadlock.
    Guests,
    /// D: an open piece is not ordered with what its thread does beside it.
    OpenPieces,
    /// D: dependences and waits count only between tasks of one creator.
    Siblings,
    /// D: lanes are not ordered within `safelen`.
    Lanes,
    /// Tasks that ask for their thread are executed by every thread.
    Identity,
    /// Control variables that pieces set are open.
    Control,
    /// A proof counts only if its certificate is accepted. (Without it the others are seen by themselves.)
    Certified,
}

impl Rule {
    /// All of them.
    pub const ALL: [Rule; 38] = [
        Rule::Unordered,
        Rule::Indivisible,
        Rule::OneClass,
        Rule::SameBytes,
        Rule::Left,
        Rule::Interrupted,
        Rule::Unsettled,
        Rule::Complete,
        Rule::Whole,
        Rule::Widened,
        Rule::Certain,
        Rule::PureFamily,
        Rule::Copies,
        Rule::GivesBack,
        Rule::Serial,
        Rule::Mixed,
        Rule::OpenStores,
        Rule::Skeletons,
        Rule::Picks,
        Rule::OneOwner,
        Rule::Inside,
        Rule::Makers,
        Rule::OwnLocks,
        Rule::Combiners,
        Rule::Spoilt,
        Rule::BothSides,
        Rule::Ends,
        Rule::OwnEnds,
        Rule::Balanced,
        Rule::Cycles,
        Rule::Waits,
        Rule::Guests,
        Rule::OpenPieces,
        Rule::Siblings,
        Rule::Lanes,
        Rule::Identity,
        Rule::Control,
        Rule::Certified,
    ];

    /// Whether the rule is on.
    #[inline(always)]
    pub fn holds(self) -> bool {
        #[cfg(feature = "switches")]
        return OFF.load(std::sync::atomic::Ordering::Relaxed) & (1 << self as u64) == 0;
        #[cfg(not(feature = "switches"))]
        true
    }

    /// Whether the rule is off.
    #[inline(always)]
    pub fn is_off(self) -> bool {
        !self.holds()
    }
}

#[cfg(feature = "switches")]
static OFF: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);

/// Switches a rule off, by its name; whether there is such a rule.
#[cfg(feature = "switches")]
pub fn switch_off(name: &str) -> bool {
    let rule = Rule::ALL.iter().find(|rule| format!("{rule:?}") == name);
    if let Some(&rule) = rule {
        OFF.fetch_or(1 << rule as u64, std::sync::atomic::Ordering::Relaxed);
    }
    rule.is_some()
}
