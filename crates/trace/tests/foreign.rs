//! Traces as other tools write them: small liberties with blanks, line ends and what is recorded, which must simply work.

use trace::read::read_all;
use trace::{Error, Op, Trace};

fn read(text: &str) -> Trace {
    read_all(text.as_bytes()).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// As `thread operation location`, one event a word group.
fn shown(trace: &Trace) -> Vec<String> {
    let names = &trace.names;
    let show = |e: &trace::Event| {
        let mut operation = Vec::new();
        trace::write::operation(&mut operation, e.op, names);
        let operation = String::from_utf8(operation).expect("UTF-8");
        format!("{} {operation} {}", names.thread(e.thread), names.location(e.location))
    };
    trace.events.iter().map(show).collect()
}

const PLAIN: &str = "T0|fork(T1)|1\nT0|w(V7)|2\nT1|acq(L0)|3\nT1|r(V7)|4\nT1|rel(L0)|5\nT0|join(T1)|6\n";

#[test]
fn line_ends_and_the_last_line() {
    let plain = shown(&read(PLAIN));
    assert_eq!(plain.len(), 6);
    assert_eq!(shown(&read(PLAIN.trim_end())), plain, "no newline at the end");
    assert_eq!(shown(&read(&PLAIN.replace('\n', "\r\n"))), plain, "CR LF");
    assert_eq!(shown(&read(PLAIN.replace('\n', "\r\n").trim_end())), plain, "CR LF, none at the end");
    assert_eq!(shown(&read(&format!("\u{feff}{PLAIN}"))), plain, "a byte order mark");
    assert_eq!(shown(&read(&format!("\n  \n\t\n{PLAIN}\n\n \n"))), plain, "blank lines around");
    assert_eq!(shown(&read(&PLAIN.replace('\n', "\n\n"))), plain, "blank lines between");
    assert_eq!(shown(&read(&format!("# from a tool\n{PLAIN}  # end\n"))), plain, "comments");
}

#[test]
fn blanks_around_fields() {
    let plain = shown(&read(PLAIN));
    assert_eq!(shown(&read(&PLAIN.replace('|', " | "))), plain);
    assert_eq!(shown(&read(&PLAIN.replace('|', "\t|\t"))), plain);
    assert_eq!(shown(&read(&PLAIN.replace('(', "( ").replace(')', " )"))), plain);
    assert_eq!(shown(&read(&PLAIN.replace('(', " ("))), plain);
    assert_eq!(shown(&read(&PLAIN.replace('\n', "  \n  "))), plain);
    let csv = "T0 , T1 , location\n w(x) ,, 1 \n, r( x ) ,2\n";
    assert_eq!(shown(&read(csv)), ["T0 w(x) 1", "T1 r(x) 2"]);
}

/// Java fields, array elements, generics, lambdas, spaces inside: all of it is a name.
#[test]
fn names_of_all_kinds() {
    let names = [
        "com.example.Account$Inner.balance",
        "V12.0[3]",
        "a[i][j]",
        "java.util.List<String>.size",
        "this$0.lambda$main$1",
        "p->next",
        "std::vector<int, alloc>::operator[](5)",
        "my var",
        "x@0x7ffe12",
        "42",
        "größe",
        "-",
        "a,b;c",
        "\"quoted\"",
        "%d{}^~`'",
    ];
    for name in names {
        let text = format!("Thread-1|w({name})|A.java:3\nmain|acq({name})|<init>:9\nmain|r({name})|7\n");
        let trace = read(&text);
        assert_eq!(
            shown(&trace),
            [
                format!("Thread-1 w({name}) A.java:3"),
                format!("main acq({name}) <init>:9"),
                format!("main r({name}) 7")
            ]
        );
        assert_eq!((trace.names.variables.len(), trace.names.locks.len()), (1, 1), "{name}");
    }
}

/// What a tool that attaches late, or stops early, leaves out.
#[test]
fn recorded_only_in_part() {
    // No fork of T1 and T2, no begin, a lock still held at the end, a join of a thread without events.
    let trace = read("T1|acq(L)|1\nT1|w(V)|2\nT1|rel(L)|3\nT2|acq(L)|4\nT2|w(V)|5\nT1|join(T9)|6\n");
    assert_eq!(trace.counts().threads, 3);
    // Only some threads have begin and end; begin and end with parentheses or the thread's name.
    let text = "T0|begin|0\nT0|fork(T1)|1\nT1|begin()|2\nT1|end(T1)|3\nT2|w(x)|4\nT0|join(T1)|5\nT0|end|6\n";
    assert_eq!(read(text).len(), 7);
    // Joined twice, and a thread that is forked but never runs.
    assert_eq!(read("A|fork(B)|1\nA|fork(C)|2\nB|w(x)|3\nA|join(B)|4\nA|join(B)|5\n").len(), 5);
    // Numbers as names of everything.
    assert_eq!(shown(&read("0|w(1)|2\n1|r(1)|2\n")), ["0 w(1) 2", "1 r(1) 2"]);
}

#[test]
fn re_entrant_locks() {
    let text = "T0|acq(L)|1\nT0|acq(L)|2\nT0|acq(L)|3\nT0|rel(L)|4\nT0|rel(L)|5\nT0|w(x)|6\nT0|rel(L)|7\nT1|acq(L)|8\n";
    let trace = read(text);
    let inner = |op| matches!(op, Op::AcquireAgain(_) | Op::ReleaseInner(_));
    let inner: Vec<bool> = trace.events.iter().map(|e| inner(e.op)).collect();
    assert_eq!(inner, [false, true, true, true, true, false, false, false]);
    // A release more than acquires is still an error.
    let error = read_all(format!("{text}T0|rel(L)|9\n").as_bytes()).unwrap_err();
    assert!(matches!(error, Error::Rule(_)), "{error}");
}

/// Many at a time and one by one give the same events and the same errors, in every form.
#[test]
fn batches_and_single_events_agree() {
    use trace::{Compression, Format, Reader};
    let trace = read(PLAIN);
    for format in [Format::Std, Format::Csv, Format::Binary] {
        let bytes = trace::write::write_trace(&trace, Vec::new(), format, Compression::None).expect("memory");
        let mut single = Reader::new(&bytes[..]).expect("a trace");
        let mut one_by_one = Vec::new();
        while let Some(e) = single.next_event().expect("well-formed") {
            one_by_one.push(e);
        }
        for size in [1, 2, 4, 5, 6, 7, 100] {
            let mut reader = Reader::new(&bytes[..]).expect("a trace");
            let mut batches = Vec::new();
            while reader.next_batch(&mut batches, size).expect("well-formed") > 0 {}
            assert_eq!(batches, one_by_one, "{format:?} in batches of {size}");
            assert_eq!(reader.count(), 6);
            assert_eq!(reader.next_batch(&mut batches, size).expect("the end"), 0);
        }
    }
    // The events before a broken rule are in the batch.
    let mut broken = read("A|w(x)|1\nA|w(x)|2\nA|acq(l)|3\nA|rel(l)|4\n");
    broken.events.push(broken.events[3]);
    let bytes =
        trace::write::write_trace(&broken, Vec::new(), Format::Binary, Compression::None).expect("memory");
    let mut reader = Reader::new(&bytes[..]).expect("a trace");
    let mut batch = Vec::new();
    let error = reader.next_batch(&mut batch, 100).unwrap_err();
    assert!(error.to_string().contains("event 5 (A)"), "{error}");
    assert_eq!(batch.len(), 4);
}
