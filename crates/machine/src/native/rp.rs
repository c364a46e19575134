//! The primitives that models in C and C++ are built on (`crates/frontend/models/rp.h`).

use base::DefectKind;
use base::reason::{Beyond, Library, Reason, Subject};
use rustc_apfloat::Float;

use super::{Call, LocalFn, Native, SyncOp};
use crate::interp::float;
use crate::memory::object::{Family, Life};
use crate::state::{InputMode, Read};
use crate::stop::Stop;
use crate::symbol::Ranges;
use crate::thread::{Pending, Status};

pub(super) fn lookup(name: &str) -> Option<Native> {
    use SyncOp as S;
    Some(Native::Sync(match name {
        "__rp_exit" => S::Exit,
        "__rp_once_enter" => S::OnceEnter,
        "__rp_once_leave" => S::OnceLeave,
        "__rp_once_abandon" => S::OnceAbandon,
        "__rp_atomic_begin" => S::AtomicBegin,
        "__rp_atomic_end" => S::AtomicEnd,
        "__rp_section_begin" => S::SectionBegin,
        "__rp_section_end" => S::SectionEnd,
        "__rp_futex_wait" => S::FutexWait,
        "__rp_futex_wake" => S::FutexWake,
        _ => return local(name).map(Native::Local),
    }))
}

fn local(name: &str) -> Option<LocalFn> {
    Some(match name {
        "__rp_alloc" => alloc,
        "__rp_dealloc" => dealloc,
        "__rp_usable_size" => usable_size,
        "__rp_copy_object" => copy_object,
        "__rp_output" => output,
        "__rp_defect" => defect,
        "__rp_unsupported" => |c| {
            let what = c.text(c.raw(0).0);
            Err(Stop::unknown(Reason::NotModelled(Library::Use(what))))
        },
        "__rp_not_modelled" => |c| {
            let function = c.text(c.raw(0).0);
            Err(Stop::unknown(Reason::NotModelled(Library::Function(function))))
        },
        "__rp_assume" => |c| {
            let (value, shadow) = c.raw(0);
            let value = (value & 0xffff_ffff, shadow & 0xffff_ffff);
            if value.1 != 0 && c.machine.is_symbolic() {
                return c.machine.assume(c.t, c.th, value);
            }
            if c.int(0)? != 0 { Ok(()) } else { Err(Stop::Infeasible) }
        },
        "__rp_choose" => choose,
        "__rp_before_deadline" => |c| match c.th.choice.take() {
            None => Err(Stop::Choose(2)),
            Some(answer) => {
                c.give(answer.into());
                Ok(())
            }
        },
        "__rp_havoc" => havoc,
        "__rp_format_float" => format_float,
        "__rp_parse_double" => |c| {
            let v: f64 = parse(&text_arg(c)?);
            c.give(v.to_bits());
            Ok(())
        },
        "__rp_parse_float" => |c| {
            let v: f32 = parse(&text_arg(c)?);
            c.give(v.to_bits().into());
            Ok(())
        },
        "__rp_parse_long_double" => parse_long_double,
        "__rp_thread_id" => |c| {
            super::omp::identity(c)?;
            let id = c.t as u64;
            c.give(id);
            Ok(())
        },
        "__rp_thread_create" => |c| {
            let (start, arg, detached) = (c.arg(0)?, c.raw(1), c.int(2)? != 0);
            // What it is called depends on how many there were before.
            if c.machine.threads.iter().any(|th| th.omp.worker) {
                c.machine.program.note_number();
            }
            let u = c.machine.spawn(c.t, c.th, start, arg, detached)?;
            c.give(u as u64);
            Ok(())
        },
        "__rp_thread_end" => |c| {
            c.th.result = c.raw(0);
            Err(c.machine.end_thread(c.t, c.th))
        },
        "__rp_next_thread" => |c| {
            let id = c.machine.threads.len() as u64;
            c.give(id);
            Ok(())
        },
        "__rp_unconstrained" => |c| {
            let (address, len) = (c.arg(0)?, c.arg(1)?);
            let m = &c.machine;
            let open = m.mode.taint && m.see_bytes(address, len).is_ok_and(|bytes| bytes.is_open());
            c.give(open.into());
            Ok(())
        },
        "__rp_destructor" => |c| {
            let i = c.int(0)? as usize;
            let program = c.machine.program;
            let address = program.module.dtors.get(i).map_or(0, |f| program.funcs[f.0 as usize].address);
            c.give(address);
            Ok(())
        },
        "__rp_skips_destructors" => |c| {
            let skips = c.machine.has_cleanups(c.th);
            c.give(skips.into());
            Ok(())
        },
        "__rp_yield" => |_| Ok(()),
        "__rp_thread_bound" => |c| {
            c.machine.program.note_number();
            let n = c.machine.program.thread_count().into();
            c.give(n);
            Ok(())
        },
        "__rp_allocation_may_fail" => |c| {
            let may = c.machine.program.module.allocation_may_fail;
            c.give(may.into());
            Ok(())
        },
        "__rp_sequential" => |c| {
            let alone = c.machine.alone(c.t);
            c.machine.notice_operation(c.t, c.th);
            c.give(alone.into());
            Ok(())
        },
        _ => return None,
    })
}

fn family(n: i32) -> Family {
    match n {
        1 => Family::New,
        2 => Family::NewArray,
        _ => Family::Malloc,
    }
}

fn alloc(c: &mut Call) -> Result<(), Stop> {
    let (size, align, zeroed, family) = (c.arg(0)?, c.arg(1)?, c.int(2)? != 0, family(c.int(3)?));
    if c.machine.memory.layout().is_impossible(size) {
        c.give(0);
        return Ok(());
    }
    let address = c.machine.allocate(c.t, c.th, size, align.max(1), zeroed, family)?;
    c.give(address);
    Ok(())
}

/// Frees an object: a write to all of it.
fn dealloc(c: &mut Call) -> Result<(), Stop> {
    let address = c.arg(0)?;
    let asked = family(c.int(1)?);
    let Some((region, index, &object)) = c.machine.memory.find(address) else {
        return c.defect(DefectKind::InvalidFree, "a free of a pointer that points to no object");
    };
    if object.family == Family::None || object.base != address {
        return c.defect(DefectKind::InvalidFree, "a free of a pointer that no allocation returned");
    }
    if object.life == Life::Freed {
        let access = c.access();
        for (part, len) in c.machine.memory.touched(&object) {
            c.machine.record_visible(c.t, c.th, part, len, true, access);
        }
        return c.defect(DefectKind::DoubleFree, "an object is freed a second time");
    }
    if object.family != asked {
        let name = |f| match f {
            Family::New => "new",
            Family::NewArray => "new[]",
            _ => "malloc",
        };
        let message = format!("an object from {} is freed as one from {}", name(object.family), name(asked));
        return c.defect(DefectKind::InvalidFree, message);
    }
    let access = c.access();
    for (part, len) in c.machine.memory.touched(&object) {
        c.machine.record_visible(c.t, c.th, part, len, true, access);
    }
    c.machine.memory.update_object(region, index, |o| o.life = Life::Freed);
    c.machine.tell_gone(c.t, c.th, (address, object.size.max(1)), None);
    for sync in c.machine.sync.within(address, object.size) {
        c.machine.set_sync(sync, None);
    }
    Ok(())
}

/// The beginning of an object that is freed next, so that what nobody has touched of it need not be read.
fn copy_object(c: &mut Call) -> Result<(), Stop> {
    let (to, from, len) = (c.arg(0)?, c.arg(1)?, c.arg(2)?);
    let Some((_, _, &object)) = c.machine.memory.find(from) else {
        return c.defect(DefectKind::InvalidPointer, "a copy of something that is no object");
    };
    let access = c.access();
    for (part, bytes) in c.machine.memory.touched(&object) {
        let offset = part - object.base;
        let bytes = bytes.min(len.saturating_sub(offset));
        c.machine.copy_bytes(c.t, c.th, to + offset, part, bytes, false, access)?;
    }
    Ok(())
}

fn usable_size(c: &mut Call) -> Result<(), Stop> {
    let address = c.arg(0)?;
    let size = match c.machine.memory.find(address) {
        Some((_, _, object)) if object.base == address && object.life == Life::Alive => object.size,
        Some((_, _, object)) if object.life == Life::Freed => {
            let access = c.access();
            c.machine.record_visible(c.t, c.th, address, 1, false, access);
            return c.defect(
                DefectKind::UseAfterFree,
                "an object that was freed is resized or asked for its size",
            );
        }
        _ => return c.defect(DefectKind::InvalidFree, "a pointer that no allocation returned"),
    };
    c.give(size);
    Ok(())
}

fn output(c: &mut Call) -> Result<(), Stop> {
    // How long the text of an unconstrained number is, is unconstrained too, and so is where its right-aligned digits
    // begin; printing it steers nothing.
    let (fd, address, len) = (c.int(0)?, c.raw(1).0, c.raw(2).0);
    if c.machine.is_symbolic() && (c.raw(1).1 | c.raw(2).1) != 0 {
        // Which bytes of the library's buffer these are is not known; nobody else has it.
        return Ok(());
    }
    let bytes = c.machine.see_bytes(address, len)?.shown().to_vec();
    let t = c.t;
    let access = c.access();
    c.machine.record_visible(t, c.th, address, len, false, access);
    if let Some(observer) = &mut c.machine.observer {
        observer.output(t, fd, &bytes);
    }
    Ok(())
}

fn defect(c: &mut Call) -> Result<(), Stop> {
    let kind = match c.int(0)? {
        1 => DefectKind::Assertion,
        2 => DefectKind::Abort,
        _ => DefectKind::Misuse,
    };
    let message = c.text(c.arg(1)?);
    // In programs that use the `__VERIFIER_*` convention, abort ends a run that is not of interest (assume_abort_if_not).
    if kind == DefectKind::Abort && message == "abort called" && c.machine.program.conventions {
        c.th.status = Status::At(Pending::Exit(134));
        return Err(Stop::AtSync);
    }
    c.defect(kind, message)
}

/// How many values a choice may have.
const MAX_CHOICES: i128 = 1 << 20;

fn choose(c: &mut Call) -> Result<(), Stop> {
    let (lo, hi) = (c.arg(0)? as i64, c.arg(1)? as i64);
    let count = i128::from(hi) - i128::from(lo) + 1;
    if count <= 0 {
        return Err(Stop::Infeasible);
    }
    if count > MAX_CHOICES {
        return Err(Stop::unknown(Beyond::Range(u64::try_from(count).unwrap_or(u64::MAX))));
    }
    match c.th.choice.take() {
        None if count > 1 => Err(Stop::Choose(count as u32)),
        choice => {
            c.give((lo + i64::from(choice.unwrap_or(0))) as u64);
            Ok(())
        }
    }
}

fn havoc(c: &mut Call) -> Result<(), Stop> {
    let (address, len) = (c.arg(0)?, c.arg(1)?);
    c.machine.note_input(c.th);
    let scalar = matches!(len, 1 | 2 | 4 | 8);
    let bits = if scalar { 8 * len as u8 } else { 8 };
    let access = c.access();
    let clock = c.machine.looks_at_clock(c.th);
    let value = match c.machine.mode.inputs {
        InputMode::Open => return c.machine.fill_bytes(c.t, c.th, address, (0, 0xff), len, access),
        InputMode::Symbolic => {
            c.machine.fill_bytes(c.t, c.th, address, (0, 0xff), len, access)?;
            if scalar {
                let (v, s) = c.machine.read_input(c.th, bits);
                if let Ok(spot) = c.machine.memory.resolve(address, len, true) {
                    c.machine.memory.store(spot, len as usize, v, s);
                }
            } else if let Some(reads) = &mut c.machine.reads {
                reads.push(Read { bits, set: Ranges::full(bits), clock });
            }
            return Ok(());
        }
        InputMode::Candidates => {
            let program = c.machine.program;
            let candidates = program.candidates(bits);
            let answer = c.machine.ask(c.th, candidates.len() as u32)?;
            candidates.get(answer as usize).copied().unwrap_or(0)
        }
        InputMode::Given => {
            let program = c.machine.program;
            c.machine.given += 1;
            program.values.get(c.machine.given - 1).copied().unwrap_or(0) & crate::interp::int::mask(bits)
        }
    };
    if let Some(reads) = &mut c.machine.reads {
        reads.push(Read { bits, set: Ranges::between(value, value), clock });
    }
    if let Some(observer) = &mut c.machine.observer {
        observer.input(c.t, c.th, value, bits);
    }
    c.machine.fill_bytes(c.t, c.th, address, (value as u8, 0), len, access)?;
    if scalar && let Ok(spot) = c.machine.memory.resolve(address, len, true) {
        c.machine.memory.store(spot, len as usize, value, 0);
    }
    Ok(())
}

fn text_arg(c: &Call) -> Result<String, Stop> {
    let (address, len) = (c.arg(0)?, c.arg(1)?);
    let bytes = c.machine.see_bytes(address, len)?.known(c.machine, Subject::NumberText)?;
    Ok(String::from_utf8_lossy(bytes).into_owned())
}

/// Parses what C's `strtod` accepts, which the model has delimited.
fn parse<T: std::str::FromStr + Default + std::ops::Neg<Output = T> + From<f32>>(text: &str) -> T {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let lower = digits.to_ascii_lowercase();
    let value: T = if let Some(hex) = lower.strip_prefix("0x") {
        parse_hex(hex)
    } else if lower.starts_with("nan") {
        f32::NAN.into()
    } else {
        lower.parse().unwrap_or_default()
    };
    if negative { -value } else { value }
}

/// A hexadecimal float; exact for up to 60 significant bits.
fn parse_hex<T: std::str::FromStr + Default>(text: &str) -> T {
    use rustc_apfloat::ieee::Double;
    let with_exponent = if text.contains('p') { format!("0x{text}") } else { format!("0x{text}p0") };
    match Double::from_str_r(&with_exponent, rustc_apfloat::Round::NearestTiesToEven) {
        Ok(v) => f64::from_bits(v.value.to_bits() as u64).to_string().parse().unwrap_or_default(),
        Err(_) => T::default(),
    }
}

fn parse_long_double(c: &mut Call) -> Result<(), Stop> {
    use rustc_apfloat::ieee::X87DoubleExtended;
    let (out, address, len) = (c.arg(0)?, c.arg(1)?, c.arg(2)?);
    let bytes = c.machine.see_bytes(address, len)?.known(c.machine, Subject::NumberText)?;
    let text = String::from_utf8_lossy(bytes).to_ascii_lowercase();
    let text = text.strip_prefix('+').unwrap_or(&text);
    let bits = match X87DoubleExtended::from_str_r(text, rustc_apfloat::Round::NearestTiesToEven) {
        Ok(v) => v.value.to_bits(),
        Err(_) => float::f80_from_f64(parse::<f64>(text)),
    };
    let machine = &mut *c.machine;
    let spot = machine.memory.resolve(out, 10, true).map_err(|f| machine.fault(f, out, 10, true))?;
    machine.poke(spot, ir::Scalar::F80, (bits as u64, 0), Some(((bits >> 64) as u64, 0)));
    Ok(())
}

fn format_float(c: &mut Call) -> Result<(), Stop> {
    let (out, cap, value) = (c.arg(0)?, c.arg(1)?, c.arg(2)?);
    let (conversion, flags, precision) = (c.int(3)? as u8 as char, c.int(4)?, c.int(5)?);
    let machine = &mut *c.machine;
    let (low, high) = (machine.see(value, 8)?.parts(), machine.see(value + 8, 2)?.parts());
    let known = !machine.mode.taint || low.1 | high.1 == 0;
    let bits = u128::from(low.0) | u128::from(high.0) << 64;
    let text = crate::native::rp_float::format(bits, conversion, flags, precision);
    let n = (text.len() as u64).min(cap);
    if n > 0 {
        let spot = machine.memory.resolve(out, n, true).map_err(|f| machine.fault(f, out, n, true))?;
        let (data, shadow) = machine.memory.edit(spot, n as usize);
        data.copy_from_slice(&text.as_bytes()[..n as usize]);
        shadow.fill(if known { 0 } else { 0xff });
    }
    c.result = vec![(text.len() as u64, if known { 0 } else { u64::MAX })];
    Ok(())
}
