//! Global variables of a module with their types, from DWARF: what lies at an address, down to element and field.

use std::borrow::Cow;
use std::path::Path;

use gimli::{AttributeValue, DebuggingInformationEntry, Dwarf, Operation, Unit, UnitOffset, UnitRef};
use object::{Object, ObjectSection, ObjectSymbol};

/// Bytes of debug information that live as long as the reading.
type Slice<'a> = gimli::EndianSlice<'a, gimli::RunTimeEndian>;

/// How deep a name goes: `a[1].b[2].c`.
const DEEPEST: usize = 12;

/// What a type is made of, as far as names need it.
#[derive(Debug, Clone)]
enum Type {
    /// Nothing inside that has a name.
    Plain,
    /// Elements of this type and size; the counts of the dimensions.
    Array { element: usize, size: u64, counts: Vec<u64> },
    /// Fields: name (empty for a base class or an anonymous member), offset, type.
    Struct { fields: Vec<(String, u64, usize)> },
}

#[derive(Debug)]
struct Global {
    address: u64,
    size: u64,
    name: String,
    kind: Option<usize>,
}

/// The global variables of a module.
#[derive(Debug, Default)]
pub struct Globals {
    /// By address.
    globals: Vec<Global>,
    types: Vec<(Type, u64)>,
}

impl Globals {
    /// What lies at an address of the module as it is in its file.
    pub fn name(&self, address: u64) -> Option<String> {
        let index = self.globals.partition_point(|global| global.address <= address).checked_sub(1)?;
        let global = &self.globals[index];
        let offset = address - global.address;
        if offset >= global.size.max(1) {
            return None;
        }
        let mut name = global.name.clone();
        if let Some(kind) = global.kind {
            self.part(kind, offset, &mut name, 0);
        }
        Some(name)
    }

    fn part(&self, kind: usize, mut offset: u64, name: &mut String, depth: usize) {
        if depth > DEEPEST {
            return;
        }
        match &self.types[kind].0 {
            Type::Plain => {}
            Type::Array { element, size, counts } => {
                for i in 0..counts.len() {
                    let below: u64 = counts[i + 1..].iter().product::<u64>().saturating_mul(*size).max(1);
                    name.push_str(&format!("[{}]", offset / below));
                    offset %= below;
                }
                self.part(*element, offset, name, depth + 1);
            }
            Type::Struct { fields } => {
                let within = |(_, at, kind): &&(String, u64, usize)| {
                    *at <= offset && offset < at + self.types[*kind].1.max(1)
                };
                let Some((field, at, kind)) = fields.iter().rev().find(within) else { return };
                if !field.is_empty() {
                    name.push('.');
                    name.push_str(field);
                }
                self.part(*kind, offset - at, name, depth + 1);
            }
        }
    }
}

/// Reads the global variables of a module; those without debug information are known by their symbol.
pub fn read(path: &Path) -> Option<Globals> {
    let bytes = std::fs::read(path).ok()?;
    let file = object::File::parse(&*bytes).ok()?;
    let endian =
        if file.is_little_endian() { gimli::RunTimeEndian::Little } else { gimli::RunTimeEndian::Big };
    let load = |id: gimli::SectionId| -> Result<Cow<'_, [u8]>, gimli::Error> {
        let section = file.section_by_name(id.name());
        Ok(section.and_then(|section| section.uncompressed_data().ok()).unwrap_or_default())
    };
    let sections = gimli::DwarfSections::load(load).ok()?;
    let dwarf = sections.borrow(|section| gimli::EndianSlice::new(section, endian));
    let mut globals = Globals::default();
    let mut units = dwarf.units();
    while let Ok(Some(header)) = units.next() {
        if let Ok(unit) = dwarf.unit(header) {
            Reader { globals: &mut globals, known: Default::default(), unit: &unit, dwarf: &dwarf }.unit();
        }
    }
    for symbol in file.symbols().filter(|symbol| symbol.kind() == object::SymbolKind::Data) {
        let name = crate::symbols::demangled(symbol.name().unwrap_or_default());
        if symbol.size() > 0 && !globals.globals.iter().any(|global| global.address == symbol.address()) {
            globals.globals.push(Global { address: symbol.address(), size: symbol.size(), name, kind: None });
        }
    }
    globals.globals.sort_by_key(|global| global.address);
    Some(globals)
}

struct Reader<'r, 'a> {
    globals: &'r mut Globals,
    known: rustc_hash::FxHashMap<UnitOffset, usize>,
    unit: &'r Unit<Slice<'a>>,
    dwarf: &'r Dwarf<Slice<'a>>,
}

type Entry<'a> = DebuggingInformationEntry<Slice<'a>>;

impl<'r, 'a> Reader<'r, 'a> {
    fn unit_ref(&self) -> UnitRef<'r, Slice<'a>> {
        self.unit.unit_ref(self.dwarf)
    }

    fn unit(&mut self) {
        let mut entries = self.unit.entries();
        while let Ok(Some(entry)) = entries.next_dfs() {
            if entry.tag() == gimli::DW_TAG_variable {
                let entry = entry.clone();
                self.variable(&entry);
            }
        }
    }

    fn text(&self, entry: &Entry<'a>, attribute: gimli::DwAt) -> Option<String> {
        let value = entry.attr_value(attribute)?;
        let text = self.unit_ref().attr_string(value).ok()?;
        Some(text.to_string_lossy().into_owned())
    }

    fn number(&self, entry: &Entry<'a>, attribute: gimli::DwAt) -> Option<u64> {
        entry.attr_value(attribute)?.udata_value()
    }

    fn reference(&self, entry: &Entry<'a>, attribute: gimli::DwAt) -> Option<UnitOffset> {
        match entry.attr_value(attribute)? {
            AttributeValue::UnitRef(offset) => Some(offset),
            _ => None,
        }
    }

    /// A variable with a fixed address. What a declaration elsewhere says (members of classes) is looked up there.
    fn variable(&mut self, entry: &Entry<'a>) {
        let Some(address) = self.address(entry) else { return };
        let declared =
            self.reference(entry, gimli::DW_AT_specification).and_then(|offset| self.unit.entry(offset).ok());
        let either =
            |attribute| self.text(entry, attribute).or_else(|| self.text(declared.as_ref()?, attribute));
        let Some(name) = either(gimli::DW_AT_name) else { return };
        let of = |entry: &Entry<'a>| self.reference(entry, gimli::DW_AT_type);
        let kind = of(entry).or_else(|| of(declared.as_ref()?));
        let kind = kind.map(|offset| self.kind(offset, 0));
        let size = kind.map_or(1, |kind| self.globals.types[kind].1);
        self.globals.globals.push(Global { address, size, name, kind });
    }

    fn address(&self, entry: &Entry<'a>) -> Option<u64> {
        let AttributeValue::Exprloc(expression) = entry.attr_value(gimli::DW_AT_location)? else {
            return None;
        };
        let mut operations = expression.operations(self.unit.encoding());
        let address = match operations.next().ok()?? {
            Operation::Address { address } => address,
            Operation::AddressIndex { index } => self.unit_ref().address(index).ok()?,
            _ => return None,
        };
        operations.next().ok()?.is_none().then_some(address)
    }

    /// The number of a type.
    fn kind(&mut self, offset: UnitOffset, depth: usize) -> usize {
        if let Some(known) = self.known.get(&offset) {
            return *known;
        }
        let number = self.globals.types.len();
        self.globals.types.push((Type::Plain, 0));
        self.known.insert(offset, number);
        if depth < 64
            && let Ok(entry) = self.unit.entry(offset)
        {
            let found = self.describe(&entry, depth);
            self.globals.types[number] = found;
        }
        number
    }

    fn describe(&mut self, entry: &Entry<'a>, depth: usize) -> (Type, u64) {
        let size = self.number(entry, gimli::DW_AT_byte_size);
        let inner = self.reference(entry, gimli::DW_AT_type);
        match entry.tag() {
            gimli::DW_TAG_typedef
            | gimli::DW_TAG_const_type
            | gimli::DW_TAG_volatile_type
            | gimli::DW_TAG_atomic_type
            | gimli::DW_TAG_restrict_type => match inner {
                Some(inner) => {
                    let of = self.kind(inner, depth + 1);
                    self.globals.types[of].clone()
                }
                None => (Type::Plain, 0),
            },
            gimli::DW_TAG_array_type => self.array(entry, depth),
            gimli::DW_TAG_structure_type | gimli::DW_TAG_class_type => {
                let fields = self.fields(entry, depth);
                (Type::Struct { fields }, size.unwrap_or(0))
            }
            gimli::DW_TAG_pointer_type | gimli::DW_TAG_reference_type => (Type::Plain, size.unwrap_or(8)),
            _ => (Type::Plain, size.unwrap_or(0)),
        }
    }

    fn children(&self, entry: &Entry<'a>) -> Vec<Entry<'a>> {
        let mut found = Vec::new();
        let Ok(mut tree) = self.unit.entries_tree(Some(entry.offset())) else { return found };
        let Ok(root) = tree.root() else { return found };
        let mut children = root.children();
        while let Ok(Some(child)) = children.next() {
            found.push(child.entry().clone());
        }
        found
    }

    fn array(&mut self, entry: &Entry<'a>, depth: usize) -> (Type, u64) {
        let Some(inner) = self.reference(entry, gimli::DW_AT_type) else { return (Type::Plain, 0) };
        let element = self.kind(inner, depth + 1);
        let size = self.globals.types[element].1;
        let mut counts = Vec::new();
        for child in self.children(entry) {
            if child.tag() == gimli::DW_TAG_subrange_type {
                let count = self.number(&child, gimli::DW_AT_count);
                let bound =
                    self.number(&child, gimli::DW_AT_upper_bound).map(|bound| bound.saturating_add(1));
                counts.push(count.or(bound).unwrap_or(0));
            }
        }
        let all = counts.iter().product::<u64>().saturating_mul(size);
        (Type::Array { element, size, counts }, all)
    }

    fn fields(&mut self, entry: &Entry<'a>, depth: usize) -> Vec<(String, u64, usize)> {
        let mut fields = Vec::new();
        for child in self.children(entry) {
            if !matches!(child.tag(), gimli::DW_TAG_member | gimli::DW_TAG_inheritance) {
                continue;
            }
            let (Some(at), Some(inner)) = (
                self.number(&child, gimli::DW_AT_data_member_location),
                self.reference(&child, gimli::DW_AT_type),
            ) else {
                continue;
            };
            let name = self.text(&child, gimli::DW_AT_name).unwrap_or_default();
            fields.push((name, at, self.kind(inner, depth + 1)));
        }
        fields
    }
}
