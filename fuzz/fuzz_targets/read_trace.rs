//! Any bytes as a trace: the readers refuse them with words, or give a trace that keeps the rules of a run and survives
//! being written and read in every form.

#![no_main]

use libfuzzer_sys::fuzz_target;
use trace::read::read_all;
use trace::write::write_trace;
use trace::{Compression, Format};

fuzz_target!(|bytes: &[u8]| {
    let trace = match read_all(bytes) {
        Ok(trace) => trace,
        Err(error) => {
            assert!(!error.to_string().is_empty() && error.to_string().len() < 10_000);
            return;
        }
    };
    trace::check::well_formed(&trace).expect("what is read keeps the rules");
    for format in [Format::Std, Format::Csv, Format::Binary] {
        let written = write_trace(&trace, Vec::new(), format, Compression::None).expect("memory takes it");
        let again = read_all(&written).expect("what is written can be read");
        assert_eq!(again.len(), trace.len());
    }
});
