//! Shows the graph of a program.
fn main() {
    let options = frontend::Options {
        files: vec![std::env::args().nth(1).unwrap().into()],
        flags: vec![],
        defines: vec![],
        clang: None,
    };
    let program = frontend::compile(&options).expect("the program compiles");
    let a = locks::analysis::analyse(&program.module, &["p".into()], 2).unwrap();
    for (i, n) in a.nodes.iter().enumerate() {
        println!(
            "{i} {} {} after {:?} at {:?} {} lines {:?} r {:?} w {:?} locks {:?}",
            n.kind,
            n.name,
            n.after,
            n.place.as_ref().map(|p| (p.line, p.column)),
            n.strand,
            n.lines,
            n.reads,
            n.writes,
            n.locks
        );
    }
    for v in &a.variables {
        println!("{} {:?} {} suv {} c {:?}", v.name, v.need, v.why, v.unprotected, v.candidates);
    }
    println!(
        "sections {:?}\nrounds {:?}\nunordered {:?}\natomic {:?}\nkept {:?} cut {:?} steered {:?}",
        a.sections, a.rounds, a.unordered, a.atomic_steps, a.kept, a.cut, a.steered
    );
}
