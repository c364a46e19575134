//! Pieces of work spread over the threads of a team, in a construct of some kind.

use super::super::program::{Capture, Expr, Stmt, Type, Var};
use super::draft::{Draft, bin, int, var, when};
use crate::memory::program::Bin;

/// A construct with `n` pieces that `piece` makes from their numbers. Tasks get the locals `shared` in place.
pub fn spread(
    d: &mut Draft<'_>,
    n: u8,
    shared: &[Var],
    mut piece: impl FnMut(&mut Draft<'_>, &Expr) -> Vec<Stmt>,
) -> Stmt {
    match d.rng.weighted(&[12, 3, 1, 3]) {
        0 => {
            let head = d.head(n);
            let i = var(head.iter);
            let body = piece(d, &i);
            Stmt::For { head, body }
        }
        1 => {
            let blocks = (0..n).map(|k| piece(d, &int(k.into()))).collect();
            Stmt::Sections { blocks, nowait: d.rng.chance(10) }
        }
        2 => {
            let body = piece(d, &int(0));
            Stmt::Single { nowait: d.rng.chance(20), body }
        }
        _ => {
            let capture = Capture { shared: shared.to_vec(), ..Capture::default() };
            let mut body = Vec::new();
            for k in 0..n.min(2) {
                let piece = piece(d, &int(k.into()));
                body.push(Stmt::Task { capture: capture.clone(), body: piece });
            }
            Stmt::Single { nowait: false, body }
        }
    }
}

/// `body` in a function that is called with `arg`, whose parameter it gets.
pub fn call(
    d: &mut Draft<'_>,
    ty: Type,
    arg: Expr,
    body: impl FnOnce(&mut Draft<'_>, Var) -> Vec<Stmt>,
) -> Stmt {
    let param = d.local(ty);
    let body = body(d, param);
    Stmt::Call { param, arg, body }
}

/// The statements only for some of the pieces, mostly such that a run that gives them out in turn has one thread execute them.
pub fn sometimes(d: &mut Draft<'_>, i: &Expr, n: u8, body: Vec<Stmt>) -> Vec<Stmt> {
    let is = |k: i64| bin(Bin::Eq, i.clone(), int(k));
    match d.rng.weighted(&[4, 2, if n > 2 { 5 } else { 0 }]) {
        0 => body,
        1 => vec![when(is(d.rng.below(n.into()) as i64), body)],
        _ => vec![when(Expr::Or(Box::new(is(0)), Box::new(is(2))), body)],
    }
}
