//! Random damage to valid files: the readers return an error or a trace, and never panic or hang.
//!
//! A bounded stand-in for fuzzing: a fixed number of rounds, the same each time. `RACEPROOF_MUTATIONS` sets another number.

use trace::generate::{Generator, Parameters};
use trace::read::read_all;
use trace::write::write_trace;
use trace::{Compression, Format, Trace, check};

struct Rng(u64);

impl Rng {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n.max(1)
    }
}

fn damage(rng: &mut Rng, bytes: &mut Vec<u8>) {
    const MARKS: &[u8] = b"|(),\n\r\"#\0\xff\x80T1";
    for _ in 0..=rng.below(4) {
        let at = rng.below(bytes.len());
        match rng.below(6) {
            0 => bytes[at] ^= 1 << rng.below(8),
            1 => bytes[at] = MARKS[rng.below(MARKS.len())],
            2 => bytes.truncate(at.max(1)),
            3 => bytes.insert(at, MARKS[rng.below(MARKS.len())]),
            4 => {
                let to = (at + rng.below(40)).min(bytes.len());
                bytes.drain(at..to);
                if bytes.is_empty() {
                    bytes.push(0);
                }
            }
            _ => {
                let to = (at + rng.below(40)).min(bytes.len());
                let copy = bytes[at..to].to_vec();
                let into = rng.below(bytes.len());
                bytes.splice(into..into, copy);
            }
        }
    }
}

#[test]
fn damaged_files_never_panic() {
    let generator = Generator::new(Parameters { events: 150, ..Parameters::default() });
    let names = generator.names();
    let trace = Trace { events: generator.collect(), names };
    let rounds = std::env::var("RACEPROOF_MUTATIONS").ok().and_then(|n| n.parse().ok()).unwrap_or(5000);
    let mut rng = Rng(0x1234_5678_9abc_def1);
    let (mut accepted, mut refused) = (0, 0);
    for form in [Format::Std, Format::Csv, Format::Binary] {
        for wrap in [Compression::None, Compression::Gzip, Compression::Zstd] {
            let good = write_trace(&trace, Vec::new(), form, wrap).unwrap();
            for _ in 0..rounds / 9 {
                let mut bytes = good.clone();
                damage(&mut rng, &mut bytes);
                match read_all(&bytes) {
                    Ok(read) => {
                        check::well_formed(&read).unwrap();
                        accepted += 1;
                    }
                    Err(error) => {
                        assert!(!error.to_string().is_empty());
                        refused += 1;
                    }
                }
            }
        }
    }
    assert!(accepted > 0 && refused > 0, "{accepted} accepted, {refused} refused");
}

/// The content of binary blocks behind a valid checksum, which random damage to files cannot reach.
#[test]
fn damaged_block_contents_never_panic() {
    let mut rng = Rng(99);
    let content: Vec<u8> =
        [&[2, 1, b'T', 1, b'U', 1, 1, b'l', 2, 1, b'x', 1, b'y', 2, 1, b'1', 1, b'2', 6][..]]
            .concat()
            .into_iter()
            .chain([0x21, 0, 0, 0x04, 1, 0, 0x01, 0, 2, 2, 0x35, 0, 0x15, 2, 0x30, 1])
            .collect();
    for _ in 0..20_000 {
        let mut content = content.clone();
        damage(&mut rng, &mut content);
        let mut file = trace::binary::MAGIC.to_vec();
        file.push(trace::binary::VERSION);
        let packed = zstd::bulk::compress(&content, 1).unwrap();
        file.push(1);
        for n in [content.len() as u32, packed.len() as u32, crc32fast::hash(&packed)] {
            file.extend_from_slice(&n.to_le_bytes());
        }
        file.extend_from_slice(&packed);
        let _ = read_all(&file);
    }
}
