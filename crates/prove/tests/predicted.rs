//! Races that the trace of one run predicts, confirmed on the machine.

use std::path::Path;

use machine::{Inputs, Program};

fn predicted(file: &str) -> usize {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs").join(file);
    let options = frontend::Options { files: vec![path], ..Default::default() };
    let module = frontend::compile(&options).unwrap_or_else(|e| panic!("{file}: {e}")).module;
    let inputs = Inputs { args: vec!["program".into()], threads: 2 };
    let program = Program::load(&module, &inputs).expect("it loads");
    prove::predicted::races(&program, base::Budget::default()).len()
}

#[test]
fn races_are_predicted_from_one_fair_run() {
    for file in [
        "predicted/work_queue_statistics_race.c",
        "basics/counter_race.c",
        "cond/data_changed_after_handover_race.c",
        "mutex/unlocked_too_early_race.c",
        "barrier/missing_second_barrier_race.c",
    ] {
        assert!(predicted(file) > 0, "{file}");
    }
}

#[test]
fn nothing_is_predicted_where_there_is_no_race() {
    for file in [
        "cond/data_used_after_unlock.c",
        "cond/ping_pong.c",
        "mutex/flag_under_lock_orders_data.c",
        "atomics/message_passing.c",
        "loops/endless_polling_under_lock.c",
    ] {
        assert_eq!(predicted(file), 0, "{file}");
    }
}
