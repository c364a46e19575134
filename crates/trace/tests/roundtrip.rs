//! Whatever is written is read back equal, in every form and compression; the generator, slices and figures agree.

use trace::generate::{Generator, Parameters};
use trace::read::{read_all, read_std};
use trace::slice::{Cut, Slicer};
use trace::write::write_trace;
use trace::{Compression, EventId, Format, Op, Origin, Reader, ThreadId, Trace, Writer, check};

const FORMS: [Format; 3] = [Format::Std, Format::Csv, Format::Binary];
const WRAPS: [Compression; 3] = [Compression::None, Compression::Gzip, Compression::Zstd];

fn generated(events: u64, seed: u64) -> Trace {
    let generator = Generator::new(Parameters { events, seed, ..Parameters::default() });
    let names = generator.names();
    let mut trace = Trace { events: generator.collect(), names };
    check::normalise(&mut trace).expect("the generator keeps the rules");
    trace
}

/// By names, since numbers follow the order of first appearance.
fn as_text(trace: &Trace) -> String {
    let bytes = write_trace(trace, Vec::new(), Format::Std, Compression::None).unwrap();
    String::from_utf8(bytes).unwrap()
}

#[test]
fn every_form_and_compression() {
    for (events, seed) in [(30, 1), (3000, 2), (200_000, 3)] {
        let trace = generated(events, seed);
        let text = as_text(&trace);
        for form in FORMS {
            for wrap in WRAPS {
                let bytes = write_trace(&trace, Vec::new(), form, wrap).unwrap();
                let back = read_all(&bytes).unwrap_or_else(|e| panic!("{form:?} {wrap:?}: {e}"));
                assert!(as_text(&back) == text, "{form:?} {wrap:?}");
            }
        }
    }
}

#[test]
fn all_operations_and_awkward_names() {
    let text = "main thread|fork(Ünïcode)|a.c:1,2\n\
                main thread|acq(m(int))|\"q\"\n\
                main thread|acq(m(int))|2\n\
                main thread|rel(m(int))|3\n\
                main thread|rel(m(int))|4\n\
                Ünïcode|begin|5\n\
                Ünïcode|ar(x[1,2])|6\n\
                Ünïcode|aw(x[1,2])|7\n\
                Ünïcode|notify(c)|8\n\
                main thread|wait(c)|9\n\
                Ünïcode|barrier(b)|10\n\
                main thread|barrier(b)|10\n\
                Ünïcode|end|11\n\
                main thread|join(Ünïcode)|12\n";
    let trace = read_std(text.as_bytes()).unwrap();
    assert_eq!(trace.events[2].op, Op::AcquireAgain(trace::LockId(0)));
    assert_eq!(trace.events[3].op, Op::ReleaseInner(trace::LockId(0)));
    assert_eq!(as_text(&trace), text);
    for form in FORMS {
        let bytes = write_trace(&trace, Vec::new(), form, Compression::None).unwrap();
        assert_eq!(as_text(&read_all(&bytes).unwrap()), text, "{form:?}");
    }
}

#[test]
fn text_may_come_in_any_dress() {
    let plain = "A|w(x)|1\nB|begin|2\nB|r(x)|3\n";
    let dressed = "# comment\r\n\r\nA|w(x)|1\r\nB|begin()|2\r\n# more\r\nB|r(x)|3";
    assert_eq!(read_all(plain.as_bytes()).unwrap(), read_all(dressed.as_bytes()).unwrap());
    assert_eq!(read_all(b"A\nw(x)\nr(x)\n").unwrap().len(), 2, "CSV of one thread");
    let csv = read_all(b"A,B,location\nw(x),,7\n,r(x)|9,\n").unwrap();
    assert_eq!(as_text(&csv), "A|w(x)|7\nB|r(x)|9\n");
    let lines = read_all(b"A,B\nw(x),\n,r(x)\n").unwrap();
    assert_eq!(as_text(&lines), "A|w(x)|2\nB|r(x)|3\n");
}

#[test]
fn slow_sources_make_no_difference() {
    struct Drops<'a>(&'a [u8], usize);
    impl std::io::Read for Drops<'_> {
        fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
            self.1 = self.1 % 7 + 1;
            let n = self.1.min(out.len()).min(self.0.len());
            out[..n].copy_from_slice(&self.0[..n]);
            self.0 = &self.0[n..];
            Ok(n)
        }
    }
    let trace = generated(3000, 5);
    for form in FORMS {
        let bytes = write_trace(&trace, Vec::new(), form, Compression::Gzip).unwrap();
        let back = trace::Reader::new(Drops(&bytes, 0)).unwrap().read_to_end().unwrap();
        let mut reader = trace::Reader::new(&bytes[..]).unwrap();
        let mut batch = Vec::new();
        while reader.next_batch(&mut batch, 100).unwrap() > 0 {}
        assert_eq!(batch, back.events, "in batches");
        assert_eq!(reader.next_event().unwrap(), None, "the end stays the end");
        assert_eq!(as_text(&back), as_text(&trace), "{form:?}");
    }
}

#[test]
fn the_generator_repeats_itself_and_has_what_was_asked_for() {
    let (a, b, c) = (generated(50_000, 7), generated(50_000, 7), generated(50_000, 8));
    assert_eq!(a, b);
    assert_ne!(a, c);
    let mut collect = trace::info::Collect::new();
    a.events.iter().for_each(|e| collect.event(e));
    let info = collect.finish();
    assert!(info.events >= 50_000 && info.events < 50_200, "{info:?}");
    assert_eq!((info.counts.threads, info.forks, info.joins), (8, 7, 7));
    assert!(info.acquires > 2000 && info.deepest == 2 && info.held_at_end == 0, "{info:?}");
    assert!(
        info.sections == info.acquires && info.mean_section() > 1.0 && info.longest_section < 100,
        "{info:?}"
    );
}

#[test]
fn slices_keep_the_rules() {
    let trace = generated(5000, 9);
    for (from, to) in [(0, 100), (100, 2000), (4000, 9000), (17, 17)] {
        for threads in [vec![], vec![ThreadId(1), ThreadId(3)]] {
            let cut = Cut { from: Some(EventId(from)), to: Some(EventId(to)), threads, variables: vec![] };
            let mut slicer = Slicer::new(cut);
            let kept = trace.iter().filter(|(id, e)| slicer.keeps(*id, e)).map(|(_, e)| *e).collect();
            let part = Trace { events: kept, names: trace.names.clone() };
            check::well_formed(&part).unwrap();
            assert!(part.len() <= (to - from + 1) as usize);
        }
    }
}

#[test]
fn repair_leaves_out_what_breaks_the_rules() {
    let text = "A|rel(l)|1\nA|acq(l)|2\nB|acq(l)|3\nB|w(x)|4\nA|rel(l)|5\n";
    let bad = trace::Reader::new(text.as_bytes()).unwrap().unchecked().read_to_end().unwrap();
    let (good, left_out) = check::repair(&bad);
    check::well_formed(&good).unwrap();
    assert_eq!(left_out.iter().map(|e| e.event.number()).collect::<Vec<_>>(), [1, 3]);
    assert_eq!(as_text(&good), "A|acq(l)|2\nB|w(x)|4\nA|rel(l)|5\n");
}

/// What a file says of its making is read back too, in every form; and not believed of a trace that was changed.
#[test]
fn origin() {
    let trace = generated(5000, 4);
    let reads = trace.iter().filter(|(id, e)| e.op.is_read() && id.0 % 3 == 0).map(|(id, _)| id);
    let origin = Origin { events: trace.len() as u64, steering: reads.collect() };
    assert!(origin.steering.len() > 100);
    for origin in [&origin, &Origin { steering: Vec::new(), ..origin }] {
        for form in FORMS {
            for wrap in WRAPS {
                let mut writer = Writer::new(Vec::new(), form, wrap, &trace.names.threads).unwrap();
                writer.origin(origin).unwrap();
                trace.events.iter().for_each(|e| writer.event(e, &trace.names).unwrap());
                let bytes = writer.finish(&trace.names).unwrap();
                let (back, read) = Reader::new(&bytes[..]).unwrap().read_whole().unwrap();
                assert_eq!(as_text(&back), as_text(&trace), "{form:?} {wrap:?}");
                assert_eq!(read.as_ref(), Some(origin), "{form:?} {wrap:?}");
            }
        }
    }
    let made = |text: &str| Reader::new(text.as_bytes()).unwrap().read_whole().unwrap().1;
    assert!(made("# raceproof run 2\n# raceproof steers 2\nA|w(x)|1\nB|r(x)|2\n").is_some());
    assert!(made("# raceproof run 2\n# raceproof steers 1\nA|w(x)|1\nB|r(x)|2\n").is_none());
    assert!(made("# raceproof run 3\nA|w(x)|1\nB|r(x)|2\n").is_none());
    assert!(made("A|w(x)|1\n# raceproof run 2\nB|r(x)|2\n").is_none());
    assert!(made("# raceproof makes traces\nA|w(x)|1\n").is_none());
}
