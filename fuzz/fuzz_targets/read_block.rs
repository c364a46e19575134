//! Any bytes as the content of a block of the binary form, behind valid lengths and checksums, which random damage to a
//! file cannot get past.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|content: &[u8]| {
    let mut file = trace::binary::MAGIC.to_vec();
    file.push(trace::binary::VERSION);
    let packed = zstd::bulk::compress(content, 1).expect("memory takes it");
    file.push(1);
    for number in [content.len() as u32, packed.len() as u32, crc32fast::hash(&packed)] {
        file.extend_from_slice(&number.to_le_bytes());
    }
    file.extend_from_slice(&packed);
    if let Err(error) = trace::read::read_all(&file) {
        assert!(!error.to_string().is_empty());
    }
});
