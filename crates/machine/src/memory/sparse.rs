//! Very large objects, of which only the pages that are used take memory.
//!
//! Such an object has no bytes in its own region. Its pages are objects of a region of their own, the *backing*, made when
//! somebody first writes to them (or when an access to them is recorded, so that freeing the object can be compared with it).
//! A page that nobody has touched reads as the backing's first object, the template, which nobody ever writes. Marks and hashes
//! see pages as they see any object. An access lies in one page; copying and filling go page by page.
//!
//! In the address space the object takes as many slots of a gigabyte as it needs: one entry for each stands in its region,
//! all alike, and the first is the one that counts.

use super::layout::{Layout, RegionId};
use super::object::{Family, LINE, Life, Object, Origin};
use super::{Memory, NEVER, Spot};

/// Bytes of a page.
pub const PAGE: u64 = 1 << 16;

/// Objects larger than this are made of pages.
const DENSE: u64 = 1 << 26;

/// The mark in [`Spot::object`] of a page that nobody has touched; the rest is the page's number.
const UNTOUCHED: usize = 1 << 63;

impl Spot {
    /// Whether it lies in a page that nobody has touched.
    #[inline]
    pub(crate) fn is_untouched(self) -> bool {
        self.object & UNTOUCHED != 0
    }
}

impl Memory {
    /// Whether there may be an object that is made of pages.
    #[inline]
    pub(crate) fn has_pages(&self) -> bool {
        self.regions.len() > RegionId::FIRST_BACKING.0 as usize
    }

    /// Whether an object of that size is made of pages.
    pub(super) fn is_sparse(&self, region: RegionId, size: u64) -> bool {
        let kept = region == RegionId::GLOBALS || region.is_heap();
        size > DENSE && kept && self.layout == Layout::Wide
    }

    /// Creates an object that is made of pages.
    pub(super) fn create_sparse(
        &mut self,
        region: RegionId,
        size: u64,
        align: u64,
        zeroed: bool,
        family: Family,
        origin: Origin,
    ) -> Option<u64> {
        let index = self.height(region);
        let (base, slots) = Layout::place_wide(region, index, size, align)?;
        let backing = self.free_backing();
        let r = self.region_mut(region);
        let line = (r.data.len() / LINE) as u32;
        let object = Object { base, size, line, ..Object::new(zeroed, family, origin, backing.0) };
        r.objects.extend(std::iter::repeat_n(object, slots));
        let template = Object { base, life: Life::Ended, ..Object::new(zeroed, Family::None, origin, 0) };
        self.push_page(backing, template);
        self.grown = true;
        Some(base)
    }

    /// A region for the pages of one object.
    fn free_backing(&self) -> RegionId {
        let mut id = RegionId::FIRST_BACKING;
        while !self.objects(id).is_empty() {
            id.0 += 1;
        }
        id
    }

    fn push_page(&mut self, backing: RegionId, page: Object) -> usize {
        let r = self.region_mut(backing);
        let line = (r.data.len() / LINE) as u32;
        r.objects.push(Object { size: PAGE, line, ..page });
        let bytes = r.data.len() + PAGE as usize;
        r.data.resize(bytes, 0);
        r.shadow.resize(bytes, if page.zeroed { 0 } else { 0xff });
        r.epochs.resize(bytes / LINE, NEVER);
        r.hashes.resize(bytes / LINE, 0);
        r.objects.len() - 1
    }

    /// Where the page of an object lies in its backing, if somebody has touched it.
    fn page(&self, backing: usize, page: u64) -> Option<usize> {
        let r = self.regions.get(backing)?;
        let index = *r.pages.get(&page)? as usize;
        let base = r.objects[0].base + page * PAGE;
        // What the table says may be of a time to which there was no going back.
        r.objects.get(index).is_some_and(|o| o.base == base && index > 0).then_some(index)
    }

    /// The place of an access inside an object that is made of pages; `None` if it crosses pages.
    #[cold]
    pub(super) fn page_spot(&self, object: &Object, offset: u64, len: u64) -> Option<Spot> {
        let (page, inside) = (offset / PAGE, offset % PAGE);
        let region = RegionId(object.backing);
        if inside + len > PAGE {
            return None;
        }
        Some(match self.page(object.backing as usize, page) {
            Some(index) => {
                let line = self.regions[object.backing as usize].objects[index].line as usize;
                Spot { region, object: index, at: line * LINE + inside as usize }
            }
            None => Spot { region, object: UNTOUCHED | page as usize, at: inside as usize },
        })
    }

    /// The same place in memory that can be written.
    #[inline]
    pub(crate) fn own(&mut self, spot: Spot) -> Spot {
        if spot.is_untouched() { self.touch_page(spot) } else { spot }
    }

    #[cold]
    fn touch_page(&mut self, spot: Spot) -> Spot {
        let (backing, page) = (spot.region.0 as usize, (spot.object & !UNTOUCHED) as u64);
        let index = self.page(backing, page).unwrap_or_else(|| {
            let template = self.regions[backing].objects[0];
            let base = template.base + page * PAGE;
            let index = self.push_page(spot.region, Object { base, life: Life::Alive, ..template });
            self.regions[backing].pages.insert(page, index as u32);
            self.grown = true;
            index
        });
        let line = self.regions[backing].objects[index].line as usize;
        Spot { object: index, at: line * LINE + spot.at, ..spot }
    }

    /// The index of a spot's object in its region.
    #[inline]
    pub(super) fn index_of(spot: Spot) -> usize {
        if spot.is_untouched() { 0 } else { spot.object }
    }

    /// How many of the bytes from an address on lie in one piece.
    pub fn together(&self, address: u64, len: u64) -> u64 {
        match self.find(address) {
            Some((_, _, o)) if o.backing != 0 => len.min(PAGE - address.wrapping_sub(o.base) % PAGE),
            _ => len,
        }
    }

    /// Whether an address lies in a page that nobody has touched, and how its bytes start out.
    pub(crate) fn untouched(&self, address: u64) -> Option<bool> {
        let (spot, object) = self.access(address, 1, false)?;
        spot.is_untouched().then_some(object.zeroed)
    }

    /// Says that an access to an address is remembered: its page can be told from those that nobody has touched.
    pub(crate) fn remember_page(&mut self, address: u64) {
        if let Some((spot, object)) = self.access(address, 1, false)
            && object.backing != 0
        {
            self.own(spot);
        }
    }

    /// The parts of an object that somebody may have touched: all of it, or some pages.
    pub(crate) fn touched(&self, object: &Object) -> Vec<(u64, u64)> {
        if object.backing == 0 {
            return vec![(object.base, object.size.max(1))];
        }
        let end = object.base + object.size;
        let pages = self.objects(RegionId(object.backing)).iter().skip(1);
        // The first byte stands for all that nobody has touched: see `home`.
        let first = std::iter::once((object.base, 1));
        first.chain(pages.map(|page| (page.base, PAGE.min(end - page.base)))).collect()
    }

    /// With which byte an access to an object that is gone is compared: its own, or the first of a very large object, of which
    /// the free has not recorded every page.
    pub(crate) fn home(&self, address: u64) -> u64 {
        match self.find(address) {
            Some((_, _, object)) if object.backing != 0 => object.base,
            _ => address,
        }
    }
}
