//! The C++ runtime's exception functions and `dynamic_cast` (Itanium C++ ABI). The rest of the library is models.

use base::DefectKind;
use base::reason::Subject;

use super::{Call, LocalFn, Native};
use crate::interp::unwind::{ADJUSTED, DESTRUCTOR, REFERENCES, TYPE_INFO};
use crate::stop::Stop;
use crate::thread::Caught;

pub(super) fn lookup(name: &str) -> Option<Native> {
    local(name).map(Native::Local)
}

fn local(name: &str) -> Option<LocalFn> {
    Some(match name {
        "__cxa_allocate_exception" => |c| {
            let size = c.arg(0)?;
            let object = c.machine.allocate_exception(c.t, c.th, size)?;
            c.give(object);
            Ok(())
        },
        "__cxa_free_exception" => |_| Ok(()),
        "__cxa_init_primary_exception" => |c| {
            let object = c.arg(0)?;
            prepare(c, object)?;
            c.machine.set_header(object, REFERENCES, 0);
            c.give(object);
            Ok(())
        },
        "__cxa_throw" => |c| {
            let object = c.arg(0)?;
            prepare(c, object)?;
            throw(c, object)
        },
        "__cxa_begin_catch" => begin_catch,
        "__cxa_end_catch" => end_catch,
        "__cxa_rethrow" => rethrow,
        "__cxa_get_exception_ptr" => |c| {
            let object = c.arg(0)?;
            let adjusted = c.machine.header(object, ADJUSTED);
            c.give(adjusted);
            Ok(())
        },
        "__cxa_current_exception_type" => |c| {
            let ty = c.th.caught.last().map_or(0, |e| c.machine.header(e.object, TYPE_INFO));
            c.give(ty);
            Ok(())
        },
        "__cxa_current_primary_exception" => |c| {
            let object = c.th.caught.last().map_or(0, |e| e.object);
            add_reference(c, object);
            c.give(object);
            Ok(())
        },
        "__cxa_rethrow_primary_exception" => |c| {
            let object = c.arg(0)?;
            if object == 0 {
                return Ok(());
            }
            add_reference(c, object);
            throw(c, object)
        },
        "__cxa_increment_exception_refcount" => |c| {
            let object = c.arg(0)?;
            add_reference(c, object);
            Ok(())
        },
        "__cxa_decrement_exception_refcount" => |c| {
            let object = c.arg(0)?;
            if object == 0 { Ok(()) } else { release(c, object) }
        },
        "_ZSt19uncaught_exceptionsv" | "_ZSt18uncaught_exceptionv" | "__cxa_uncaught_exceptions" => |c| {
            let n = c.th.uncaught.into();
            c.give(n);
            Ok(())
        },
        "_ZSt17current_exceptionv" => current_exception,
        "_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE" => |c| {
            let at = c.arg(0)?;
            let object = read_pointer(c, at)?;
            add_reference(c, object);
            throw(c, object)
        },
        "_ZNSt15__exception_ptr13exception_ptr9_M_addrefEv" => |c| {
            let at = c.arg(0)?;
            let object = read_pointer(c, at)?;
            add_reference(c, object);
            Ok(())
        },
        "_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv" => |c| {
            let at = c.arg(0)?;
            let object = read_pointer(c, at)?;
            write_pointer(c, at, 0)?;
            release(c, object)
        },
        "_ZNSt15__exception_ptr13exception_ptrC1EPv" | "_ZNSt15__exception_ptr13exception_ptrC2EPv" => |c| {
            let (at, object) = (c.arg(0)?, c.arg(1)?);
            write_pointer(c, at, object)?;
            add_reference(c, object);
            Ok(())
        },
        "_ZNKSt15__exception_ptr13exception_ptr6_M_getEv" => |c| {
            let at = c.arg(0)?;
            let object = read_pointer(c, at)?;
            c.give(object);
            Ok(())
        },
        "__dynamic_cast" => |c| {
            let (part, wanted) = (c.arg(0)?, c.arg(2)?);
            if part != 0 {
                c.machine.see_pointer(part)?.known(c.machine, Subject::Class)?;
            }
            let result = if part == 0 { 0 } else { c.machine.dynamic_cast(part, wanted) };
            c.give(result);
            Ok(())
        },
        _ => return None,
    })
}

fn read_pointer(c: &mut Call, at: u64) -> Result<u64, Stop> {
    let access = c.access();
    let (pointer, _) = c.machine.load(c.t, c.th, at, ir::Scalar::Ptr, access)?;
    match pointer {
        (value, shadow) if shadow == 0 || !c.machine.mode.taint => Ok(value),
        open => Err(c.machine.open(Subject::ExceptionPointer, open)),
    }
}

fn write_pointer(c: &mut Call, at: u64, value: u64) -> Result<(), Stop> {
    let access = c.access();
    c.machine.store(c.t, c.th, at, ir::Scalar::Ptr, (value, 0), None, access)
}

fn add_reference(c: &mut Call, object: u64) {
    if object != 0 {
        let references = c.machine.header(object, REFERENCES);
        c.machine.set_header(object, REFERENCES, references + 1);
    }
}

fn prepare(c: &mut Call, object: u64) -> Result<(), Stop> {
    let (type_info, destructor) = (c.arg(1)?, c.arg(2)?);
    c.machine.set_header(object, TYPE_INFO, type_info);
    c.machine.set_header(object, DESTRUCTOR, destructor);
    c.machine.set_header(object, REFERENCES, 1);
    c.machine.set_header(object, ADJUSTED, object);
    Ok(())
}

fn throw(c: &mut Call, object: u64) -> Result<(), Stop> {
    c.th.uncaught += 1;
    c.moved = true;
    c.machine.unwind(c.t, c.th, object, false)
}

fn begin_catch(c: &mut Call) -> Result<(), Stop> {
    let object = c.arg(0)?;
    c.th.uncaught = c.th.uncaught.saturating_sub(1);
    match c.th.caught.iter_mut().find(|e| e.object == object) {
        Some(e) => {
            e.handlers += 1;
            e.rethrown = false;
        }
        None => c.th.caught.push(Caught { object, handlers: 1, rethrown: false }),
    }
    let adjusted = c.machine.header(object, ADJUSTED);
    c.give(adjusted);
    Ok(())
}

fn end_catch(c: &mut Call) -> Result<(), Stop> {
    let Some(e) = c.th.caught.last_mut() else { return Ok(()) };
    e.handlers = e.handlers.saturating_sub(1);
    let (object, last, rethrown) = (e.object, e.handlers == 0, e.rethrown);
    if !last {
        return Ok(());
    }
    c.th.caught.pop();
    if rethrown { Ok(()) } else { release(c, object) }
}

/// Gives up a reference to an exception; the last one destroys it.
fn release(c: &mut Call, object: u64) -> Result<(), Stop> {
    let references = c.machine.header(object, REFERENCES).saturating_sub(1);
    c.machine.set_header(object, REFERENCES, references);
    let destructor = c.machine.header(object, DESTRUCTOR);
    if references > 0 || destructor == 0 {
        return Ok(());
    }
    let Some(func) = c.machine.program.function_at(destructor) else { return Ok(()) };
    if c.machine.program.module.funcs[func.0 as usize].body.is_none() {
        return Ok(());
    }
    c.machine.finish_call(c.th, &[]);
    c.moved = true;
    c.machine.enter_with(c.t, c.th, func, &[object]);
    Ok(())
}

fn rethrow(c: &mut Call) -> Result<(), Stop> {
    let Some(e) = c.th.caught.last_mut() else {
        return c.defect(DefectKind::Abort, "an exception is thrown again where none is being handled");
    };
    e.rethrown = true;
    let object = e.object;
    throw(c, object)
}

fn current_exception(c: &mut Call) -> Result<(), Stop> {
    let out = c.arg(0)?;
    let object = c.th.caught.last().map_or(0, |e| e.object);
    add_reference(c, object);
    write_pointer(c, out, object)
}
