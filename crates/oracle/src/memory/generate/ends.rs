//! Ends of objects, and locks that are objects: pieces that free, set, unset and destroy what belongs to their thread or to nobody else.

use super::super::program::{Bin, Expr, Place, Stmt, Storage, Type, Var};
use super::draft::{Draft, add, assign, at, bin, elem, int, load, var, when};
use super::spread::{call, sometimes, spread};

/// Blocks of threads that pieces free, replace and use, in one construct or two.
pub fn freed(d: &mut Draft<'_>) {
    d.threads = 2;
    let out = d.global(Type::Ints(3));
    let table = d.global(Type::Pointers(2));
    let mut body = Vec::new();
    // The block of the thread that executes a piece, and the locals that name it.
    let (block, shared): (Place, Vec<Var>) = match d.rng.weighted(&[6, 2, 2, 2]) {
        0 => (elem(table, Expr::ThreadNum), Vec::new()),
        1 => {
            let me = d.thread_number(&mut body);
            (elem(table, me), d.me.into_iter().collect())
        }
        2 => {
            let p = d.local(Type::Pointer);
            body.push(Stmt::Declare { var: p, init: Expr::Alloc(1) });
            (Place::Var(p), vec![p])
        }
        _ => {
            let storage = d.rng.pick(&[Storage::Threadprivate, Storage::ThreadLocal]);
            let p = d.program.var(Type::Pointer, storage);
            body.push(assign(Place::Var(p), Expr::Alloc(1)));
            (Place::Var(p), Vec::new())
        }
    };
    if block.var() == Some(table) {
        d.program.main.extend((0..2).map(|k| assign(elem(table, int(k)), Expr::Alloc(1))));
    }
    let phases = 1 + usize::from(d.rng.chance(50));
    for phase in 0..phases {
        let n = if phases == 1 || d.rng.chance(60) { 2 } else { 1 };
        body.push(spread(d, n, &shared, |d, i| {
            // What belongs to a piece whoever executes it is nobody's mistake.
            let fixed = block.var() == Some(table) && d.rng.chance(12);
            let block = if fixed { elem(table, i.clone()) } else { block.clone() };
            let body = block_use(d, &block, out, i, phase);
            if n > 1 && d.rng.chance(30) { sometimes(d, i, n, body) } else { body }
        }));
    }
    if d.rng.chance(25) {
        body.push(block_use(d, &block, out, &int(2), 1).remove(0));
    }
    d.program.main.push(Stmt::Parallel { threads: Some(2), reduction: None, body });
}

/// What a piece does with a block.
fn block_use(d: &mut Draft<'_>, block: &Place, out: Var, i: &Expr, phase: usize) -> Vec<Stmt> {
    let pointer = || load(block);
    let held = || at(load(block), 0);
    match d.rng.weighted(&[if phase == 0 { 7 } else { 4 }, 3, 3, 2, 2, 2, 2]) {
        0 => vec![Stmt::Free(pointer())],
        1 => vec![assign(held(), int(1))],
        2 => vec![assign(elem(out, i.clone()), load(&held()))],
        3 => vec![assign(block.clone(), Expr::Realloc(Box::new(pointer()), 1))],
        4 => vec![Stmt::Free(pointer()), assign(block.clone(), Expr::Alloc(1))],
        5 => vec![Stmt::Free(pointer()), assign(block.clone(), int(0))],
        _ => vec![call(d, Type::Pointer, pointer(), |d, p| {
            if d.rng.chance(60) { vec![Stmt::Free(var(p))] } else { vec![add(at(var(p), 0), int(1))] }
        })],
    }
}

/// Which lock a piece uses.
#[derive(Clone, Copy, PartialEq)]
enum Which {
    /// One of the program.
    Shared,
    /// That of the thread out of a static array.
    OfThread,
    /// That of the piece out of a static array.
    OfPiece,
    /// A local of the region.
    OfRegion,
    /// A local of the piece.
    Local,
}

/// Pieces that update something under a lock of some kind, and do not always set it and unset it.
pub fn locks(d: &mut Draft<'_>) {
    d.threads = 2;
    let x = d.global(Type::Int);
    let which = match d.rng.weighted(&[3, 5, 1, 2, 6]) {
        0 => Which::Shared,
        1 => Which::OfThread,
        2 => Which::OfPiece,
        3 => Which::OfRegion,
        _ => Which::Local,
    };
    let array = d.global(Type::Locks(3));
    let one = d.global(Type::Lock);
    let region = d.local(Type::Lock);
    let mut body = Vec::new();
    let lock = |i: &Expr| match which {
        Which::Shared => Place::Var(one),
        Which::OfThread => elem(array, Expr::ThreadNum),
        Which::OfPiece => elem(array, i.clone()),
        Which::OfRegion | Which::Local => Place::Var(region),
    };
    let mut shared = Vec::new();
    if which == Which::OfRegion {
        body.push(Stmt::Declare { var: region, init: int(0) });
        shared.push(region);
    }
    // Mostly the updates are right, so that it is the lock that matters.
    let form = d.rng.weighted(&[10, 3, 3, 3]);
    let of_thread = matches!(which, Which::OfThread | Which::OfRegion);
    let around = form == 2 && of_thread;
    if around {
        body.push(Stmt::SetLock(lock(&int(0))));
    }
    let n = 2 + u8::from(d.rng.chance(50));
    body.push(spread(d, n, &shared, |d, i| {
        let body = match which {
            Which::Local => local(d, x, form),
            _ => used(d, &lock(i), x, form, (of_thread, around)),
        };
        sometimes(d, i, n, body)
    }));
    if form == 3 && of_thread && d.rng.chance(50) {
        body.push(Stmt::DestroyLock(lock(&int(0))));
    }
    d.program.main.push(Stmt::Parallel { threads: Some(2), reduction: None, body });
    if d.rng.chance(6) {
        d.program.main.push(Stmt::Assert(bin(Bin::Lt, var(x), int(1 + d.rng.below(3) as i64))));
    }
}

/// Something that races unless it is excluded, or that does not race.
fn update(d: &mut Draft<'_>, x: Var) -> Stmt {
    match d.rng.weighted(&[7, 2, 1]) {
        0 => add(Place::Var(x), int(1)),
        1 => Stmt::AtomicAdd { place: Place::Var(x), value: int(1) },
        _ => when(bin(Bin::Eq, var(x), int(0)), vec![assign(Place::Var(x), int(1))]),
    }
}

/// An update under a lock that the piece knows: as it should be, without the end, only the end, or with the lock's end.
fn used(d: &mut Draft<'_>, lock: &Place, x: Var, form: usize, (own, around): (bool, bool)) -> Vec<Stmt> {
    let (set, unset) = (Stmt::SetLock(lock.clone()), Stmt::UnsetLock(lock.clone()));
    let update = if form == 0 || d.rng.chance(40) {
        update(d, x)
    } else {
        Stmt::AtomicAdd { place: Place::Var(x), value: int(1) }
    };
    match form {
        1 if d.rng.chance(80) => vec![set, update],
        2 if around => vec![update, unset],
        // Of a lock that others use too, the end would be a race as well.
        3 if own && d.rng.chance(70) => vec![update, Stmt::DestroyLock(lock.clone())],
        _ => vec![set, update, unset],
    }
}

/// An update under a lock that the piece, or a function that it calls, declares.
fn local(d: &mut Draft<'_>, x: Var, form: usize) -> Vec<Stmt> {
    let inner = |d: &mut Draft<'_>| {
        let l = d.local(Type::Lock);
        let mut body = vec![Stmt::Declare { var: l, init: int(0) }];
        let lock = Place::Var(l);
        let outer = form == 2 && d.rng.chance(60);
        let step = vec![Stmt::SetLock(lock.clone()), update(d, x), Stmt::UnsetLock(lock.clone())];
        if outer {
            body.push(Stmt::Critical { name: None, body: step });
        } else {
            body.extend(step);
        }
        if form != 1 {
            body.push(Stmt::DestroyLock(lock));
        }
        body
    };
    if d.rng.chance(50) {
        return inner(d);
    }
    vec![call(d, Type::Int, int(1), |d, _| inner(d))]
}
