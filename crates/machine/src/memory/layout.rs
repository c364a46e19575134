//! Where objects lie in the address space.
//!
//! Addresses are canonical: they depend on the region (globals, functions, or one thread's heap, stack or thread-local
//! storage) and on how many objects that region has got before, never on the interleaving. So equal states look equal.
//!
//! On 64-bit targets an address is *region | object | offset*, and every object has a gigabyte of address space around
//! it: stray indices do not land in a neighbour. On 32-bit targets regions are 32 MiB each and objects lie one after
//! the other with a red zone between them.

/// The index of a region.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RegionId(pub u32);

impl RegionId {
    /// Globals and string literals.
    pub const GLOBALS: RegionId = RegionId(1);
    /// Functions and labels.
    pub const FUNCTIONS: RegionId = RegionId(2);

    /// Heap objects that the thread allocated.
    pub fn heap(thread: usize) -> RegionId {
        RegionId(3 + 3 * thread as u32)
    }

    /// The thread's stack.
    pub fn stack(thread: usize) -> RegionId {
        RegionId(4 + 3 * thread as u32)
    }

    /// The thread's instances of thread-local variables.
    pub fn tls(thread: usize) -> RegionId {
        RegionId(5 + 3 * thread as u32)
    }

    /// The first of the regions that hold pages of very large objects. No address leads there.
    pub const FIRST_BACKING: RegionId = RegionId(3 + 3 * WIDE_THREADS as u32);

    fn is_of_thread(self) -> bool {
        self.0 >= 3 && self.0 < RegionId::FIRST_BACKING.0
    }

    /// Whether this is some thread's stack.
    pub fn is_stack(self) -> bool {
        self.is_of_thread() && self.0 % 3 == 1
    }

    /// Whether this is some thread's heap.
    pub fn is_heap(self) -> bool {
        self.is_of_thread() && self.0.is_multiple_of(3)
    }
}

/// How addresses are split.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// 64-bit addresses.
    Wide,
    /// 32-bit addresses.
    Narrow,
}

/// Bits of an offset in wide addresses.
const OFFSET_BITS: u32 = 30;
/// How many threads have regions in wide addresses.
const WIDE_THREADS: usize = 600;
/// What no process can get: the address space of x86-64 has 47 bits.
const TOO_LARGE: u64 = 1 << 47;
/// Bits of an object's index in wide addresses.
const OBJECT_BITS: u32 = 22;
/// How far into its gigabyte a wide object begins, so that small negative offsets are seen as such.
const WIDE_START: u64 = 1 << 16;
/// Bits of an offset in narrow regions.
const NARROW_REGION_BITS: u32 = 25;
/// Bytes between narrow objects.
const RED_ZONE: u64 = 32;

impl Layout {
    /// The layout for pointers of that many bytes.
    pub fn new(pointer_bytes: u8) -> Layout {
        if pointer_bytes == 4 { Layout::Narrow } else { Layout::Wide }
    }

    /// The largest object that fits.
    pub fn max_size(self) -> u64 {
        match self {
            Layout::Wide => (1 << OFFSET_BITS) - 2 * WIDE_START,
            Layout::Narrow => (1 << NARROW_REGION_BITS) - 4 * RED_ZONE,
        }
    }

    /// Whether no implementation could allocate that many bytes.
    pub fn is_impossible(self, size: u64) -> bool {
        self == Layout::Wide && size >= TOO_LARGE
    }

    /// Where an object of any size lies, given its index in its region, and how many slots it takes.
    pub fn place_wide(region: RegionId, index: usize, size: u64, align: u64) -> Option<(u64, usize)> {
        let start = WIDE_START.max(align);
        let slots = (start + size + WIDE_START).div_ceil(1 << OFFSET_BITS) as usize;
        if index + slots > 1 << OBJECT_BITS || size >= TOO_LARGE {
            return None;
        }
        let slot = (u64::from(region.0) << (OFFSET_BITS + OBJECT_BITS)) | ((index as u64) << OFFSET_BITS);
        Some((slot + start, slots))
    }

    /// How many threads have regions.
    pub fn max_threads(self) -> usize {
        match self {
            Layout::Wide => WIDE_THREADS,
            Layout::Narrow => 41,
        }
    }

    /// The region that an address belongs to.
    #[inline]
    pub fn region(self, address: u64) -> RegionId {
        match self {
            Layout::Wide => RegionId((address >> (OFFSET_BITS + OBJECT_BITS)) as u32),
            Layout::Narrow => RegionId((address >> NARROW_REGION_BITS) as u32),
        }
    }

    /// For wide addresses, the object's index within its region.
    #[inline]
    pub fn wide_index(address: u64) -> usize {
        (address >> OFFSET_BITS) as usize & ((1 << OBJECT_BITS) - 1)
    }

    /// Where the next object of a region begins, given its index, the end of the one before, and its alignment.
    /// `None` if the region is full.
    pub fn place(
        self,
        region: RegionId,
        index: usize,
        previous_end: u64,
        size: u64,
        align: u64,
    ) -> Option<u64> {
        if size > self.max_size() {
            return None;
        }
        match self {
            Layout::Wide => {
                if index >= 1 << OBJECT_BITS {
                    return None;
                }
                let base =
                    (u64::from(region.0) << (OFFSET_BITS + OBJECT_BITS)) | ((index as u64) << OFFSET_BITS);
                Some(base + WIDE_START.max(align))
            }
            Layout::Narrow => {
                let start = u64::from(region.0) << NARROW_REGION_BITS;
                let from = if index == 0 { start + RED_ZONE } else { previous_end + RED_ZONE };
                let align = align.max(16);
                let base = from.div_ceil(align) * align;
                (base + size + RED_ZONE <= start + (1 << NARROW_REGION_BITS)).then_some(base)
            }
        }
    }
}
