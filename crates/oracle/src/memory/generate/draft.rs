//! A program being drawn: variables, common expressions, and memory that a thread owns.

use super::super::program::{Bin, Expr, Init, Loop, Place, Program, Schedule, Stmt, Storage, Type, Var};
use crate::rng::Rng;

/// A program being drawn.
pub struct Draft<'r> {
    pub rng: &'r mut Rng,
    pub program: Program,
    /// The size of teams.
    pub threads: u8,
    /// The variable with the thread's number, once there is one.
    pub me: Option<Var>,
}

/// Memory that a thread owns.
pub struct Cell {
    /// What a region does at its beginning to have it.
    pub setup: Vec<Stmt>,
    /// How it is named.
    pub place: Place,
    /// A pointer to it.
    pub pointer: Expr,
}

pub fn int(n: i64) -> Expr {
    Expr::Const(n)
}

pub fn load(place: &Place) -> Expr {
    Expr::Load(place.clone())
}

pub fn var(v: Var) -> Expr {
    Expr::Load(Place::Var(v))
}

pub fn bin(op: Bin, a: Expr, b: Expr) -> Expr {
    Expr::Bin(op, Box::new(a), Box::new(b))
}

pub fn elem(v: Var, index: Expr) -> Place {
    Place::Elem(v, Box::new(index))
}

pub fn at(pointer: Expr, k: u8) -> Place {
    Place::At(Box::new(pointer), k)
}

pub fn assign(place: Place, value: Expr) -> Stmt {
    Stmt::Assign { place, value }
}

pub fn add(place: Place, value: Expr) -> Stmt {
    Stmt::Add { place, value }
}

pub fn when(test: Expr, then: Vec<Stmt>) -> Stmt {
    Stmt::If { test, then, otherwise: Vec::new() }
}

impl<'r> Draft<'r> {
    pub fn new(rng: &'r mut Rng) -> Draft<'r> {
        let threads = if rng.chance(85) { 2 } else { 3 };
        Draft { rng, program: Program::default(), threads, me: None }
    }

    pub fn local(&mut self, ty: Type) -> Var {
        self.program.var(ty, Storage::Local)
    }

    pub fn global(&mut self, ty: Type) -> Var {
        self.program.var(ty, Storage::Static)
    }

    /// A static variable with first values.
    pub fn initialised(&mut self, ty: Type, init: Vec<Init>) -> Var {
        let v = self.global(ty);
        self.program.vars[v as usize].init = init;
        v
    }

    /// The number of the thread, in a variable that `setup` declares the first time.
    pub fn thread_number(&mut self, setup: &mut Vec<Stmt>) -> Expr {
        let me = match self.me {
            Some(me) => me,
            None => {
                let me = self.local(Type::Int);
                setup.push(Stmt::Declare { var: me, init: Expr::ThreadNum });
                self.me = Some(me);
                me
            }
        };
        var(me)
    }

    /// A loop head whose iterations any thread may get, mostly.
    pub fn head(&mut self, n: u8) -> Loop {
        let iter = self.local(Type::Int);
        let schedule = match self.rng.weighted(&[10, 2, 2, 1, 1, 2, 2]) {
            0 => Schedule::Dynamic,
            1 => Schedule::StaticChunk(1),
            2 => Schedule::None,
            3 => Schedule::Guided,
            4 => Schedule::Auto,
            5 => Schedule::Static,
            _ => Schedule::DynamicMonotonic,
        };
        Loop { iter, n, schedule, nowait: self.rng.chance(10) }
    }

    /// Some memory of a thread, an `int` of it.
    pub fn cell(&mut self) -> Cell {
        match self.rng.weighted(&[10, 14, 20, 12, 8, 8, 6, 6, 5, 5]) {
            0 => self.plain_local(),
            1 => self.pointed_local(),
            2 => self.allocated(),
            3 => self.of_thread(),
            4 => self.field(),
            5 => self.slot(),
            6 => self.part_of_long(),
            7 => self.pointer_of_thread(),
            8 => self.pair_slot(),
            _ => self.array(),
        }
    }

    fn named(setup: Vec<Stmt>, place: Place) -> Cell {
        let pointer = Expr::Addr(place.clone());
        Cell { setup, place, pointer }
    }

    /// The cell behind a pointer variable that holds `target`.
    fn pointed(&mut self, mut setup: Vec<Stmt>, target: Expr, k: u8) -> Cell {
        let p = self.local(Type::Pointer);
        setup.push(Stmt::Declare { var: p, init: target });
        Cell { setup, place: at(var(p), k), pointer: var(p) }
    }

    fn plain_local(&mut self) -> Cell {
        let m = self.local(Type::Int);
        Draft::named(vec![Stmt::Declare { var: m, init: int(0) }], Place::Var(m))
    }

    fn pointed_local(&mut self) -> Cell {
        let inner = match self.rng.below(4) {
            0 => self.field(),
            1 => self.of_thread(),
            2 => self.slot(),
            _ => self.plain_local(),
        };
        self.pointed(inner.setup, inner.pointer, 0)
    }

    fn allocated(&mut self) -> Cell {
        let n = 1 + self.rng.below(2) as u8;
        let k = self.rng.below(n as usize) as u8;
        self.pointed(Vec::new(), Expr::Alloc(n), k)
    }

    fn of_thread(&mut self) -> Cell {
        let storage = self.rng.pick(&[Storage::Threadprivate, Storage::ThreadLocal]);
        let t = self.program.var(Type::Int, storage);
        let mut setup = Vec::new();
        if self.rng.chance(60) {
            setup.push(assign(Place::Var(t), int(0)));
        }
        Draft::named(setup, Place::Var(t))
    }

    fn field(&mut self) -> Cell {
        let s = self.local(Type::Pair);
        let place = Place::Field(s, self.rng.below(2) as u8);
        Draft::named(vec![Stmt::Declare { var: s, init: int(0) }], place)
    }

    fn slot(&mut self) -> Cell {
        let mut setup = Vec::new();
        let a = self.global(Type::Ints(self.threads));
        let me = self.thread_number(&mut setup);
        Draft::named(setup, elem(a, me))
    }

    fn pair_slot(&mut self) -> Cell {
        let mut setup = Vec::new();
        let a = self.global(Type::Pairs(self.threads));
        let me = self.thread_number(&mut setup);
        let place = Place::ElemField(a, Box::new(me), self.rng.below(2) as u8);
        Draft::named(setup, place)
    }

    fn part_of_long(&mut self) -> Cell {
        let s = self.local(Type::Long);
        let half = Place::Half(s, self.rng.below(2) as u8);
        let setup = vec![Stmt::Declare { var: s, init: int(0) }];
        if self.rng.chance(40) {
            let place = Place::Byte(s, self.rng.below(5) as u8);
            return Cell { setup, place, pointer: Expr::Addr(half) };
        }
        Draft::named(setup, half)
    }

    fn pointer_of_thread(&mut self) -> Cell {
        let storage = self.rng.pick(&[Storage::Threadprivate, Storage::ThreadLocal]);
        let p = self.program.var(Type::Pointer, storage);
        let setup = vec![assign(Place::Var(p), Expr::Alloc(1))];
        Cell { setup, place: at(var(p), 0), pointer: var(p) }
    }

    fn array(&mut self) -> Cell {
        let a = self.local(Type::Ints(2));
        let place = elem(a, int(self.rng.below(2) as i64));
        Draft::named(vec![Stmt::Declare { var: a, init: int(0) }], place)
    }
}
