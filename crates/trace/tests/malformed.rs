//! Malformed input: each kind gives an error that says where, what was expected and what was found. Never a panic.

use std::io::Write;

use trace::check::RuleKind;
use trace::read::read_all;
use trace::{Compression, Error, Format, Position, Trace};

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut w = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    w.write_all(bytes).unwrap();
    w.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::stream::encode_all(bytes, 3).unwrap()
}

fn sample() -> Trace {
    let text = "A|acq(l)|1\nA|w(x)|2\nA|rel(l)|3\nA|fork(B)|4\nB|begin|5\nB|r(x)|6\nB|end|7\nA|join(B)|8\n";
    Trace::parse_std(text).unwrap()
}

fn binary() -> Vec<u8> {
    trace::write::write_trace(&sample(), Vec::new(), Format::Binary, Compression::None).unwrap()
}

/// A binary file with one block of this content.
fn block(content: &[u8], events: u64) -> Vec<u8> {
    block_of(1, content, events)
}

fn block_of(kind: u8, content: &[u8], events: u64) -> Vec<u8> {
    let mut out = trace::binary::MAGIC.to_vec();
    out.push(trace::binary::VERSION);
    let packed = zstd::bulk::compress(content, 3).unwrap();
    out.push(kind);
    for n in [content.len() as u32, packed.len() as u32, crc32fast::hash(&packed)] {
        out.extend_from_slice(&n.to_le_bytes());
    }
    out.extend_from_slice(&packed);
    out.push(2);
    out.extend_from_slice(&events.to_le_bytes());
    out.extend_from_slice(&crc32fast::hash(&events.to_le_bytes()).to_le_bytes());
    out
}

/// The error must mention all of these.
#[track_caller]
fn refused(bytes: impl AsRef<[u8]>, mentions: &[&str]) {
    match read_all(bytes.as_ref()) {
        Ok(trace) => panic!("accepted with {} events", trace.len()),
        Err(error) => {
            let text = error.to_string();
            assert!(text.len() < 400, "a short message: {text}");
            for m in mentions {
                assert!(text.contains(m), "`{text}` does not say `{m}`");
            }
        }
    }
}

#[test]
fn text_lines() {
    refused("", &["byte 0", "a trace", "empty input"]);
    refused("\n\n\n", &["an event", "the end of the input"]);
    refused("# only a comment\n", &["an event", "the end of the input"]);
    refused("T1|w(x)|1\nT1|w(x", &["line 2", "thread|operation(operand)|location", "`T1|w(x`"]);
    refused("T1|w(x)|1\nT1|w(x)|", &["line 2", "a location", "end of the line"]);
    refused("T1|w(x)|1\nT1\n", &["line 2", "thread|operation(operand)|location"]);
    refused("T1|w(x)|1|9\n", &["line 1", "three fields"]);
    refused("T1|jump(x)|1\n", &["line 1", "an operation (r, w, acq", "`jump`"]);
    refused("T1|W(x)|1\n", &["line 1", "an operation", "`W`"]);
    refused("T1||1\n", &["line 1", "an operation"]);
    refused("T1|w|1\n", &["line 1", "`(` and an operand", "`w`"]);
    refused("T1|w(x|1\n", &["line 1", "`)` after the operand", "`w(x`"]);
    refused("T1|w()|1\n", &["line 1", "a name", "nothing"]);
    refused("|w(x)|1\n", &["line 1", "a name", "nothing"]);
    refused("T1|begin(T2)|1\n", &["line 1", "no operand or the thread's own name", "`T2`"]);
    refused(b"T1|w(x)|1\nT1|w(\xff\xfe)|2\n", &["line 2", "UTF-8", "\\xff\\xfe"]);
    refused("T1|w(x)|1\n\u{feff}T2|w(x)|1\n", &["line 2", "does not start with a byte order mark"]);
    refused(b"T1|w(a\0b)|1\n", &["line 1", "without control characters", "\\x00"]);
    refused("\u{feff}T1|w(x)|1\nT1|w(x)|2\n".replace('|', ";"), &["line 1", "thread|operation"]);
    refused(format!("T1|w({})|1\n", "x".repeat(5000)), &["line 1", "at most 4096 bytes", "5000 bytes"]);
}

#[test]
fn long_lines() {
    refused(format!("T1|w(x)|1\nT1|w({})|1\n", "x".repeat(10 << 20)), &["line 2", "at most 1048576 bytes"]);
    refused("x".repeat(10 << 20), &["line 1", "at most 1048576 bytes"]);
    refused(vec![0u8; 10 << 20], &["line 1"]);
}

#[test]
fn csv_rows() {
    refused("A,B\nw(x)\n", &["line 2", "2 columns", "1"]);
    refused("A,B\nw(x),,\n", &["line 2", "2 columns", "3"]);
    refused("A,B\n,\n", &["line 2", "an event in one thread's column", "none"]);
    refused("A,B\nw(x),w(x)\n", &["line 2", "one thread's column", "columns 1 and 2"]);
    refused("A,A\nw(x),\n", &["line 1", "a column for each thread", "`A` twice"]);
    refused("A,\nw(x),\n", &["line 1", "a name", "nothing"]);
    refused("A,B\n\"w(x),\n", &["line 2", "closing", "end of the line"]);
    refused("A,B\n\"w(x)\"z,\n", &["line 2", "after a quoted field", "`z,`"]);
    refused("A,B\nfly(x),\n", &["line 2", "an operation", "`fly`"]);
    refused("A,B,location\nw(x),,\n", &["line 2", "a name", "nothing"]);
    refused("A,B\n", &["an event", "the end of the input"]);
}

#[test]
fn rules_of_a_run() {
    refused("A|rel(l)|1\n", &["line 1, event 1 (A)", "nobody holds `l`"]);
    refused("A|acq(l)|1\nB|acq(l)|2\n", &["line 2, event 2 (B)", "`l` is held by A since event 1"]);
    refused("A|acq(l)|1\nB|rel(l)|2\n", &["event 2 (B)", "A holds `l` since event 1"]);
    refused("A|acq(l)|1\nA|acq(l)|2\nA|rel(l)|3\nB|acq(l)|4\n", &["event 4 (B)", "held by A since event 1"]);
    refused("A|fork(B)|1\nB|w(x)|2\nA|join(B)|3\nB|w(x)|4\n", &["event 4 (B)", "after its join at event 3"]);
    refused("A|end|1\nA|w(x)|2\n", &["event 2 (A)", "after its end at event 1"]);
    refused("B|w(x)|1\nA|fork(B)|2\n", &["event 2 (A)", "B runs since event 1"]);
    refused("A|fork(B)|1\nA|fork(B)|2\n", &["event 2 (A)", "event 1 forks B too"]);
    refused("A|join(B)|1\nA|fork(B)|2\n", &["event 2 (A)", "event 1 has joined B"]);
    refused("A|fork(A)|1\n", &["event 1 (A)", "a fork of itself"]);
    refused("A|join(A)|1\n", &["event 1 (A)", "a join of itself"]);
    refused("A|w(x)|1\n# between\n\nA|begin|2\n", &["line 4, event 2 (A)", "runs since event 1"]);
}

#[test]
fn the_kind_of_a_rule_error_can_be_matched() {
    let Err(Error::Rule(error)) = Trace::parse_std("A|rel(l)|1\n") else { panic!("accepted") };
    assert_eq!(error.kind, RuleKind::NotHeld { lock: "l".into() });
}

#[test]
fn compressed_streams() {
    let text = "T1|w(x)|1\n".repeat(2000);
    let (gz, zs) = (gzip(text.as_bytes()), zstd(text.as_bytes()));
    assert_eq!(read_all(&gz).unwrap().len(), 2000);
    assert_eq!(read_all(&zs).unwrap().len(), 2000);
    refused(&gz[..gz.len() - 10], &["byte", "an intact gzip stream"]);
    refused(&gz[..5], &["an intact gzip stream"]);
    refused(&zs[..zs.len() - 3], &["an intact zstd stream"]);
    let mut corrupt = gz.clone();
    let middle = corrupt.len() / 2;
    corrupt[middle] ^= 0x55;
    refused(corrupt, &["byte", "an intact gzip stream"]);
    let mut corrupt = zs.clone();
    corrupt[6] ^= 0xff;
    assert!(read_all(&corrupt).is_err());
    refused(gzip(b""), &["empty input"]);
    refused(gzip(b"T1|w(x)|1\nT1|w"), &["line 2"]);
    refused((0..6).fold(b"T1|w(x)|1\n".to_vec(), |b, _| gzip(&b)), &["compressed more than four times"]);
    assert_eq!(read_all(&gzip(&zstd(b"T1|w(x)|1\n"))).unwrap().len(), 1);
}

#[test]
fn binary_files() {
    let good = binary();
    assert_eq!(read_all(&good).unwrap(), sample());
    // Every truncation is noticed.
    for n in 0..good.len() {
        assert!(read_all(&good[..n]).is_err(), "truncated to {n} bytes");
    }
    // Every changed byte is noticed.
    for i in 0..good.len() {
        let mut bad = good.clone();
        bad[i] ^= 0x10;
        assert!(read_all(&bad).is_err(), "byte {i} changed");
    }
    refused(&good[..6], &["byte 0", "the magic of the binary form", "truncated"]);
    refused(&good[..8], &["byte 8", "the version", "end of the file"]);
    let mut bad = good.clone();
    bad[8] = 9;
    refused(&bad, &["byte 8", "version 1", "version 9"]);
    let mut bad = good.clone();
    bad[9] = 7;
    refused(&bad, &["byte 9", "a data block (1)", "block kind 7"]);
    refused(&good[..good.len() - 13], &["a block", "truncated"]);
    refused([&good[..], b"x"].concat(), &["the end of the file", "more bytes"]);
    let mut bad = good.clone();
    bad[10..14].copy_from_slice(&u32::MAX.to_le_bytes());
    refused(&bad, &["byte 9", "at most 64 MiB"]);
}

#[test]
fn binary_contents() {
    // names: 1 thread "T", no lock, 1 variable "x", 1 location "1"; then events
    let names: &[u8] = &[1, 1, b'T', 0, 1, 1, b'x', 1, 1, b'1'];
    let with = |events: &[u8]| block(&[names, events].concat(), 1);
    assert_eq!(read_all(&with(&[1, 0x21, 0, 0])).unwrap().len(), 1);
    refused(with(&[1, 0x2f, 0, 0]), &["byte 9", "the tag of an event", "tag 47"]);
    refused(with(&[1, 0x21, 5, 0]), &["byte 9", "the number of a named thread"]);
    refused(with(&[1, 0x31, 0]), &["byte 9", "the number of a named thread"]);
    refused(with(&[1, 0x01, 0, 8, 0]), &["byte 9", "the number of a named operand", "4"]);
    refused(with(&[1, 0x01, 0, 1, 0]), &["byte 9", "a number of 32 bits"]);
    refused(with(&[1, 0x21, 0, 6]), &["byte 9", "the number of a named location", "3"]);
    refused(with(&[1, 0x21, 0]), &["byte 9", "more bytes", "the end of the content"]);
    refused(with(&[1, 0x21, 0, 0, 0]), &["byte 9", "the end of the content", "1 more bytes"]);
    refused(with(&[0xff; 12]), &["byte 9", "at most 63 bits"]);
    refused(with(&[0x80, 0x80, 0x80, 1]), &["byte 9", "at most 65536 events"]);
    refused(block(&[2, 1, b'T', 1, b'T', 0, 0, 0, 0], 0), &["byte 9", "a new name", "`T`"]);
    refused(block(&[1, 200, 1, b'T'], 0), &["byte 9", "a name of"]);
    refused(block(&[1, 1, 0xff, 0, 0, 0, 0], 0), &["byte 9", "UTF-8"]);
    refused(block(&[names, &[1, 0x21, 0, 0]].concat(), 7), &["7 events as the end block says", "1"]);
    refused(block(&[names, &[0]].concat(), 0), &["an event", "the end of the input"]);
}

#[test]
fn unreadable_source() {
    struct Broken;
    impl std::io::Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("disk on fire"))
        }
    }
    let error = trace::Reader::new(Broken).err().unwrap().to_string();
    assert!(error.contains("disk on fire"), "{error}");
    let error = trace::Reader::open(std::path::Path::new("/no/such/file")).err().unwrap().to_string();
    assert!(error.contains("/no/such/file"), "{error}");
    assert_eq!(Position::Line(3).to_string(), "line 3");
}

#[test]
fn origins() {
    let after = "\nA|r(x)|1\nA|r(x)|2\n";
    refused(format!("# raceproof run many{after}"), &["line 1", "the number of events", "run many"]);
    refused(format!("# raceproof run 2 3{after}"), &["line 1", "the number of events"]);
    refused(format!("# raceproof steers 1{after}"), &["line 1", "before `# raceproof steers`"]);
    refused(format!("# raceproof run 2\n# raceproof steers 3{after}"), &["line 2", "from 1 to 2", "`3`"]);
    refused(format!("# raceproof run 2\n# raceproof steers 2 1{after}"), &["line 2", "from 3 to 2", "`1`"]);
    refused(format!("# raceproof run 2\n# raceproof steers x{after}"), &["line 2", "an event number", "`x`"]);
    refused(block_of(3, &[2, 1, 3], 0), &["byte 9", "from 1 to 2", "3"]);
    refused(block_of(3, &[2, 1, 1, 1], 0), &["byte 9", "the end of the content"]);
    refused(block_of(3, &[2, 5], 0), &["byte 9", "more bytes"]);
    refused(block_of(3, &[2, 0], 0), &["an event", "the end of the input"]);
    refused(block_of(4, &[], 0), &["byte 9", "block kind 4"]);
    let mut late = block(&[0, 0, 0, 0, 0], 0);
    late.truncate(late.len() - 13);
    late.extend_from_slice(&block_of(3, &[2, 0], 0)[9..22]);
    refused(late, &["truncated"]);
}
