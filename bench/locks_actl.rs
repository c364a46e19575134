//! ACTL on a system with a million states and more, made on the fly: `n` strands of `k` steps each that share a lock
//! (every strand's middle step is under it), and P5's formulas about them. Run: cargo run --release --example bench_actl -p raceproof-locks
use std::time::Instant;

use locks::actl::{Checker, System, parse};

struct Strands {
    n: usize,
    k: u8,
    labels: Vec<String>,
}

impl System for Strands {
    type State = u64;

    fn initial(&self) -> u64 {
        0
    }

    fn labels(&self) -> &[String] {
        &self.labels
    }

    /// Four bits a strand: its next step. Step 1 takes the lock, step 3 gives it back.
    fn steps(&self, state: &u64, out: &mut Vec<(u32, u64)>) {
        let at = |i: usize| (state >> (4 * i) & 15) as u8;
        let held = (0..self.n).any(|i| at(i) == 2 || at(i) == 3);
        for i in 0..self.n {
            let here = at(i);
            if here < self.k && !(here == 1 && held) {
                out.push(((i * self.k as usize + here as usize) as u32, state + (1 << (4 * i))));
            }
        }
    }
}

fn main() {
    for (n, k) in [(6, 6), (8, 6)] {
        let labels = (0..n).flat_map(|i| (0..k).map(move |j| format!("S{i}_{j}"))).collect();
        let system = Strands { n, k, labels };
        for text in [
            "not EF (EX_S0_2 true and EX_S1_2 true)",
            "AF not EX true",
            "AG (EX_S0_2 true implies not EX_S1_1 true)",
            "AG EF EX_S0_5 true or EG true",
        ] {
            let formula = parse(text).expect("a formula");
            let began = Instant::now();
            let mut checker = Checker::new(&system, 50_000_000);
            let holds = checker.check(&formula);
            println!(
                "{n} strands of {k}: {text}: {holds:?}, {} states, {} transitions, {:.2} s",
                checker.states(),
                checker.transitions(),
                began.elapsed().as_secs_f64()
            );
        }
    }
}
