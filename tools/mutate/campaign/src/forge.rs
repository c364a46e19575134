//! Certificates with one claim changed.

use certify::Certificate;
use certify::certificate::{Case, Cells, Class, Reason};

/// All that are tried.
pub fn changes(certificate: &Certificate) -> Vec<Certificate> {
    let mut all = Vec::new();
    let mut add = |change: &dyn Fn(&mut Certificate)| {
        let mut changed = certificate.clone();
        change(&mut changed);
        if changed != *certificate && !all.contains(&changed) {
            all.push(changed);
        }
    };
    add(&|c| c.floats = false);
    add(&|c| c.combiners = false);
    for n in 0..certificate.cases.len() {
        add(&|c| drop(c.cases.remove(n)));
        of_case(&certificate.cases[n], &mut |change| add(&|c| change(&mut c.cases[n])));
    }
    all
}

/// Of lists, the first and the last entry are changed.
fn ends(len: usize) -> impl Iterator<Item = usize> {
    (0..len).filter(move |&i| i == 0 || i + 1 == len)
}

fn of_case(case: &Case, add: &mut dyn FnMut(&dyn Fn(&mut Case))) {
    add(&|c| c.tasks = !c.tasks);
    add(&|c| c.branches.clear());
    ends(case.open_stores.len()).for_each(|i| add(&|c| drop(c.open_stores.remove(i))));
    for i in ends(case.open.len()) {
        add(&|c| drop(c.open.remove(i)));
        add(&|c| c.open[i].bad.clear());
        add(&|c| {
            let open = &mut c.open[i];
            open.any.append(&mut open.bad);
        });
        add(&|c| c.open[i].write = !c.open[i].write);
    }
    for i in ends(case.owners.len()) {
        add(&|c| drop(c.owners.remove(i)));
        add(&|c| c.owners[i].stage.1 += 1);
        add(&|c| drop(c.owners[i].cells.pop()));
        add(&|c| c.owners[i].cells.iter_mut().for_each(|cells| cells.2 += 8));
        add(&|c| c.owners[i].cells.push(Cells(0, 0x1000, 0x4000_0000)));
    }
    for i in ends(case.written.len()) {
        add(&|c| drop(c.written.remove(i)));
        add(&|c| c.written[i].kind = None);
        add(&|c| c.written[i].sole = Some(c.written[i].sole.unwrap_or(7) + 1));
        add(&|c| c.written[i].number ^= 1);
        add(&|c| c.written[i].nth += 1);
        add(&|c| drop(c.written[i].cells.pop()));
        add(&|c| {
            c.written[i].kind.iter_mut().for_each(|k| k.class = other(k.class));
        });
    }
    for i in ends(case.families.len()) {
        add(&|c| drop(c.families.remove(i)));
        add(&|c| drop(c.families[i].cells.pop()));
        add(&|c| c.families[i].kind.class = other(c.families[i].kind.class));
        add(&|c| c.families[i].kind.grid += 1 << 16);
        add(&|c| c.families[i].kind.grid /= 2);
        add(&|c| c.families[i].nth += 1);
        add(&|c| c.families[i].stage.1 += 1);
        add(&|c| {
            let twice = c.families[i].clone();
            c.families.push(twice);
        });
        add(&|c| {
            // Each cell a family of its own.
            let family = c.families.remove(i);
            c.families.extend(
                family
                    .cells
                    .iter()
                    .map(|&cell| certify::certificate::Family { cells: vec![cell], ..family.clone() }),
            );
        });
        add(&|c| {
            if c.families.len() > i + 1 {
                let mut next = c.families.remove(i + 1);
                c.families[i].cells.append(&mut next.cells);
            }
        });
    }
    for i in ends(case.pairs.len()) {
        add(&|c| drop(c.pairs.remove(i)));
        let others =
            [Reason::Atomic, Reason::Histories, Reason::Tasks, Reason::Closure, Reason::Lock(0, 0x1000)];
        others.iter().for_each(|&reason| add(&|c| c.pairs[i].reasons = vec![reason]));
    }
}

fn other(class: Class) -> Class {
    if class == Class::Add { Class::Smax } else { Class::Add }
}
