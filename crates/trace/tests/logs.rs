//! Text of other tools: RoadRunner's events, and the reports of ThreadSanitizer and Go.

use trace::read::read_all;
use trace::{Format, Op, Trace, write};

/// The trace in STD, to compare.
fn std(text: &str) -> String {
    let trace: Trace = read_all(text.as_bytes()).expect("a trace");
    let mut bytes = Vec::new();
    write::write_trace(&trace, &mut bytes, Format::Std, trace::Compression::None).expect("written");
    String::from_utf8(bytes).expect("text")
}

#[test]
fn roadrunner_events_are_read() {
    let log = "[main: preparing]\n@     Start(0,1)\n[main: @   Acquire(0,@01)]\nWr(0,@02.Counter.n)[1 -> 2]\nEnter(0,Counter.add(I)V)\n\
               Release(0,@01)\nARd(1,@03[7])\nVWr(1,@02.Counter.flag)\nJoin(0,1)\n";
    let expected = "T0|fork(T1)|2\nT0|acq(@01)|3\nT0|w(@02.Counter.n)|4\nT0|rel(@01)|6\nT1|r(@03[7])|7\n\
                    T1|aw(@02.Counter.flag)|8\nT0|join(T1)|9\n";
    assert_eq!(std(log), expected);
}

#[test]
fn operands_with_parentheses_and_commas_stay_whole() {
    assert_eq!(std("Rd(3,@02.f(I,J)V)\n"), "T3|r(@02.f(I,J)V)|1\n");
}

#[test]
fn a_monitor_that_is_waited_on_is_not_guessed() {
    let log = "Acquire(0,@01)\nWait(0,@01)\nAcquire(1,@01)\n";
    let error = read_all(log.as_bytes()).expect_err("the lock is held");
    assert!(error.to_string().contains("@01"), "{error}");
}

#[test]
fn what_only_looks_like_roadrunner_is_not() {
    for text in ["T1|w(Rd(1,x))|3\n", "T1,T2\nw(x),\n"] {
        assert!(!std(text).contains("T1|r("), "{text}");
    }
    assert!(read_all(b"Rd(x)\nWr(1)\n").is_err());
}

const TSAN: &str = "==================\nWARNING: ThreadSanitizer: data race (pid=7)\n  Write of size 4 at 0x5581 by thread T1 (mutexes: write M0, read M1):\n    #0 \
                    work /src/count.c:9:5 (count+0x1234)\n    #1 start /src/count.c:30:1 (count+0x99)\n\n  Previous atomic read of size 4 at 0x5581 by main \
                    thread:\n    #0 __tsan_read <null> (count+0x1)\n    #1 main /src/count.c:20:7 (count+0x1300)\n\n  Location is global 'n' of size 4 at \
                    0x5581 (count+0x5581)\n\n  Thread T1 (tid=9, running) created by main thread at:\n    #0 pthread_create <null> \
                    (count+0x55)\n    #1 main /src/count.c:18:3 (count+0x77)\n\nSUMMARY: ThreadSanitizer: data race /src/count.c:9:5 in work\n";

#[test]
fn reports_of_threadsanitizer_are_read() {
    let expected = "main|ar(0x5581#1)|/src/count.c:20:7\nT1|acq(M0)|/src/count.c:9:5\nT1|acq(M1)|/src/count.c:9:5\n\
                    T1|w(0x5581#1)|/src/count.c:9:5\nT1|rel(M1)|/src/count.c:9:5\nT1|rel(M0)|/src/count.c:9:5\n";
    assert_eq!(std(TSAN), expected);
    // The same address in another report is another variable.
    let twice = read_all(TSAN.repeat(2).as_bytes()).expect("a trace");
    let written: Vec<_> =
        twice.events.iter().filter(|e| matches!(e.op, Op::Write(_))).map(|e| e.op).collect();
    assert_eq!(written.len(), 2);
    assert_ne!(written[0], written[1]);
}

#[test]
fn reports_of_go_are_read() {
    let log = "==================\nWARNING: DATA RACE\nWrite at 0x00c0000140a8 by goroutine 7:\n  main.main.func1()\n      /src/count.go:12 \
               +0x44\n\nPrevious read at 0x00c0000140a8 by main goroutine:\n  main.main()\n      /src/count.go:15 +0x9c\n\nGoroutine 7 (running) created \
               at:\n  main.main()\n      /src/count.go:11 +0x7a\n==================\nFound 1 data race(s)\n";
    assert_eq!(
        std(log),
        "main|r(0x00c0000140a8#1)|/src/count.go:15\n7|w(0x00c0000140a8#1)|/src/count.go:12\n"
    );
}

#[test]
fn a_torn_report_is_an_error() {
    let torn = &TSAN[..TSAN.find("  Previous").expect("the other side")];
    let error = read_all(torn.as_bytes()).expect_err("one side is missing");
    assert!(error.to_string().contains("a report of two accesses"), "{error}");
}
