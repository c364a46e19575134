//! Any bytes as a trace: the readers refuse them with words, or give a trace that keeps the rules of a run and survives
//! being written and read in every form. Reading in batches, unchecked and with repairs agrees.

#![no_main]

use libfuzzer_sys::fuzz_target;
use trace::read::read_all;
use trace::write::write_trace;
use trace::{Compression, Format, Reader, check};

fuzz_target!(|bytes: &[u8]| {
    // Without the rules of a run only the form can be wrong, and the repair always gives a run.
    if let Ok(unchecked) = Reader::new(bytes).and_then(|reader| reader.unchecked().read_to_end()) {
        let (repaired, left_out) = check::repair(&unchecked);
        assert_eq!(repaired.len() + left_out.len(), unchecked.len());
        check::well_formed(&repaired).expect("what is repaired keeps the rules");
    }
    let trace = match read_all(bytes) {
        Ok(trace) => trace,
        Err(error) => {
            assert!(!error.to_string().is_empty() && error.to_string().len() < 10_000);
            return;
        }
    };
    check::well_formed(&trace).expect("what is read keeps the rules");
    let mut reader = Reader::new(bytes).expect("it was read before");
    let mut batches = Vec::new();
    while reader.next_batch(&mut batches, 3).expect("it was read before") > 0 {}
    assert_eq!(batches, trace.events);
    for format in [Format::Std, Format::Csv, Format::Binary] {
        let written = write_trace(&trace, Vec::new(), format, Compression::None).expect("memory takes it");
        let again = read_all(&written).expect("what is written can be read");
        assert_eq!(again.len(), trace.len());
        let text = |trace| write_trace(trace, Vec::new(), Format::Std, Compression::None).expect("memory takes it");
        assert_eq!(text(&again), text(&trace));
    }
});
