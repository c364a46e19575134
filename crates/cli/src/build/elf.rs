//! Sections of ELF files: finding one, adding one to an object, and an object that has nothing else; and the members of `ar`
//! archives. Little-endian, 32 and 64 bits; see the ELF specification (gABI), chapter 4.

/// How ELF files begin.
const ELF: &[u8] = b"\x7fELF";
/// How archives begin.
const ARCHIVE: &[u8] = b"!<arch>\n";
/// How archives begin that only name their members.
const THIN: &[u8] = b"!<thin>\n";

const SHT_PROGBITS: u64 = 1;
const SHT_STRTAB: u64 = 3;
const ET_REL: u64 = 1;
const EM_386: u64 = 3;
const EM_X86_64: u64 = 62;
/// Section numbers from here on are written elsewhere.
const SHN_LORESERVE: u64 = 0xff00;

/// Whether a file is an object, a program, a shared library or an archive, by its first bytes.
pub fn is_binary(bytes: &[u8]) -> bool {
    [ELF, ARCHIVE, THIN].iter().any(|magic| bytes.starts_with(magic))
}

/// Where the fields of the headers are: offset and size.
struct Form {
    /// The section table's place in the file.
    shoff: (usize, usize),
    /// The size of the file header, and of a section header.
    sizes: (usize, usize),
    /// The number of sections, at this place; the number of the section with their names follows.
    shnum: usize,
    /// In a section header: its place in the file, and its size.
    offset: (usize, usize),
    size: (usize, usize),
    /// In a section header: alignment.
    align: (usize, usize),
}

const FORM_32: Form =
    Form { shoff: (32, 4), sizes: (52, 40), shnum: 48, offset: (16, 4), size: (20, 4), align: (32, 4) };
const FORM_64: Form =
    Form { shoff: (40, 8), sizes: (64, 64), shnum: 60, offset: (24, 8), size: (32, 8), align: (48, 8) };

/// The form of a file; `None` if it is no ELF file of a kind that is known here.
fn form(bytes: &[u8]) -> Option<&'static Form> {
    if !bytes.starts_with(ELF) || bytes.get(5) != Some(&1) {
        return None;
    }
    match bytes.get(4) {
        Some(1) => Some(&FORM_32),
        Some(2) => Some(&FORM_64),
        _ => None,
    }
}

fn number(bytes: &[u8], (at, size): (usize, usize)) -> Option<u64> {
    let mut value = [0; 8];
    value[..size].copy_from_slice(bytes.get(at..at.checked_add(size)?)?);
    Some(u64::from_le_bytes(value))
}

fn put(bytes: &mut [u8], (at, size): (usize, usize), value: u64) {
    bytes[at..at + size].copy_from_slice(&value.to_le_bytes()[..size]);
}

/// The section table: its headers, and the number of the section with the names.
struct Table<'a> {
    form: &'static Form,
    bytes: &'a [u8],
    headers: Vec<&'a [u8]>,
    names: usize,
}

impl<'a> Table<'a> {
    fn read(bytes: &'a [u8]) -> Option<Table<'a>> {
        let form = form(bytes)?;
        let start = usize::try_from(number(bytes, form.shoff)?).ok()?;
        let count = number(bytes, (form.shnum, 2))?;
        let names = number(bytes, (form.shnum + 2, 2))?;
        if count == 0 || count >= SHN_LORESERVE - 1 || names >= count {
            return None;
        }
        let header = |index: usize| {
            let at = start.checked_add(index.checked_mul(form.sizes.1)?)?;
            bytes.get(at..at.checked_add(form.sizes.1)?)
        };
        let headers = (0..count as usize).map(header).collect::<Option<Vec<_>>>()?;
        Some(Table { form, bytes, headers, names: names as usize })
    }

    fn content(&self, index: usize) -> Option<&'a [u8]> {
        let header = self.headers.get(index)?;
        let start = usize::try_from(number(header, self.form.offset)?).ok()?;
        let size = usize::try_from(number(header, self.form.size)?).ok()?;
        self.bytes.get(start..start.checked_add(size)?)
    }

    fn name(&self, index: usize) -> Option<&'a [u8]> {
        let at = number(self.headers.get(index)?, (0, 4))? as usize;
        self.content(self.names)?.get(at..)?.split(|byte| *byte == 0).next()
    }
}

/// The contents of all sections of this name, in a file or in the members of an archive.
pub fn sections<'a>(bytes: &'a [u8], name: &str) -> Result<Vec<&'a [u8]>, String> {
    if bytes.starts_with(THIN) {
        return Err("it is a thin archive, which only names its members: make it without `T`".to_owned());
    }
    if bytes.starts_with(ARCHIVE) {
        let mut found = Vec::new();
        for member in members(bytes).ok_or("the archive is garbled")? {
            if let Some(table) = Table::read(member) {
                found.extend(of_table(&table, name));
            }
        }
        return Ok(found);
    }
    let table = Table::read(bytes).ok_or("it is no ELF file that can be read")?;
    Ok(of_table(&table, name))
}

fn of_table<'a>(table: &Table<'a>, name: &str) -> Vec<&'a [u8]> {
    let named = |index: &usize| table.name(*index) == Some(name.as_bytes());
    (0..table.headers.len()).filter(named).filter_map(|index| table.content(index)).collect()
}

/// The members of an archive.
fn members(bytes: &[u8]) -> Option<Vec<&[u8]>> {
    let mut members = Vec::new();
    let mut at = ARCHIVE.len();
    while at < bytes.len() {
        let header = bytes.get(at..at + 60)?;
        let size = std::str::from_utf8(&header[48..58]).ok()?.trim_end().parse::<usize>().ok()?;
        let start = at + 60;
        let member = bytes.get(start..start.checked_add(size)?)?;
        members.push(member);
        at = start + size + size % 2;
    }
    Some(members)
}

/// Adds a section that is no part of the program's memory. Nothing that is there moves, except for the names of sections and
/// the table, which are written anew at the end.
pub fn add_section(bytes: &[u8], name: &str, data: &[u8]) -> Option<Vec<u8>> {
    let table = Table::read(bytes)?;
    let form = table.form;
    let mut names = table.content(table.names)?.to_vec();
    let name_at = names.len() as u64;
    names.extend_from_slice(name.as_bytes());
    names.push(0);

    let mut headers: Vec<Vec<u8>> = table.headers.iter().map(|header| header.to_vec()).collect();
    let mut out = bytes.to_vec();
    let data_at = append(&mut out, data);
    let names_at = append(&mut out, &names);
    put(&mut headers[table.names], form.offset, names_at);
    put(&mut headers[table.names], form.size, names.len() as u64);
    headers.push(section_header(form, name_at, SHT_PROGBITS, data_at, data.len() as u64));
    let table_at = append(&mut out, &headers.concat());
    put(&mut out, form.shoff, table_at);
    put(&mut out, (form.shnum, 2), headers.len() as u64);
    Some(out)
}

/// Appends at a round place, which is the result.
fn append(out: &mut Vec<u8>, data: &[u8]) -> u64 {
    out.resize(out.len().next_multiple_of(8), 0);
    let at = out.len() as u64;
    out.extend_from_slice(data);
    at
}

fn section_header(form: &Form, name: u64, kind: u64, at: u64, size: u64) -> Vec<u8> {
    let mut header = vec![0; form.sizes.1];
    put(&mut header, (0, 4), name);
    put(&mut header, (4, 4), kind);
    put(&mut header, form.offset, at);
    put(&mut header, form.size, size);
    put(&mut header, form.align, 1);
    header
}

/// An object for x86 that has one section beside what linkers want to see.
pub fn object(name: &str, data: &[u8], bits: u32) -> Vec<u8> {
    let form = if bits == 32 { &FORM_32 } else { &FORM_64 };
    // Without this section linkers make stacks executable, and complain.
    let stack = ".note.GNU-stack";
    let mut names = vec![0];
    let mut place = |text: &str| {
        let at = names.len() as u64;
        names.extend_from_slice(text.as_bytes());
        names.push(0);
        at
    };
    let (name_at, stack_at, names_name) = (place(name), place(stack), place(".shstrtab"));

    let mut out = vec![0; form.sizes.0];
    out[..4].copy_from_slice(ELF);
    out[4..7].copy_from_slice(&[if bits == 32 { 1 } else { 2 }, 1, 1]);
    put(&mut out, (16, 2), ET_REL);
    put(&mut out, (18, 2), if bits == 32 { EM_386 } else { EM_X86_64 });
    put(&mut out, (20, 4), 1);
    let after = form.shoff.0 + form.shoff.1 + 4;
    put(&mut out, (after, 2), form.sizes.0 as u64);
    put(&mut out, (form.shnum - 2, 2), form.sizes.1 as u64);
    put(&mut out, (form.shnum, 2), 4);
    put(&mut out, (form.shnum + 2, 2), 3);
    let data_at = append(&mut out, data);
    let strings_at = append(&mut out, &names);
    let headers = [
        vec![0; form.sizes.1],
        section_header(form, name_at, SHT_PROGBITS, data_at, data.len() as u64),
        section_header(form, stack_at, SHT_PROGBITS, data_at, 0),
        section_header(form, names_name, SHT_STRTAB, strings_at, names.len() as u64),
    ];
    let table_at = append(&mut out, &headers.concat());
    put(&mut out, form.shoff, table_at);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_come_back() {
        for bits in [32, 64] {
            let object = object(".a", b"one", bits);
            assert!(is_binary(&object));
            assert_eq!(sections(&object, ".a").unwrap(), [b"one"]);
            let more = add_section(&object, ".b", b"two").unwrap();
            assert_eq!(sections(&more, ".b").unwrap(), [b"two"]);
            assert_eq!(sections(&more, ".a").unwrap(), [b"one"]);
            assert!(sections(&more, ".none").unwrap().is_empty());
        }
    }

    #[test]
    fn archives_have_members() {
        let object = object(".a", b"one", 64);
        let mut archive = ARCHIVE.to_vec();
        for _ in 0..2 {
            archive.extend(format!("{:<48}{:<10}`\n", "x.o/", object.len()).into_bytes());
            archive.extend(&object);
            archive.resize(archive.len().next_multiple_of(2), b'\n');
        }
        assert_eq!(sections(&archive, ".a").unwrap().len(), 2);
        assert!(sections(&archive[..archive.len() - 9], ".a").is_err());
        assert!(sections(THIN, ".a").unwrap_err().contains("thin"));
    }

    #[test]
    fn garbled_files_are_no_files() {
        let object = object(".a", b"one", 64);
        for cut in 0..object.len() {
            let _ = sections(&object[..cut], ".a");
            let _ = add_section(&object[..cut], ".b", b"x");
        }
        for at in 0..object.len() {
            let mut wrong = object.clone();
            wrong[at] ^= 0xff;
            let _ = sections(&wrong, ".a");
            let _ = add_section(&wrong, ".b", b"x");
        }
        assert!(sections(b"\x7fELF", ".a").is_err());
    }
}
