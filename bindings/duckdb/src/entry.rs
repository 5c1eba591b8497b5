//! What DuckDB calls when it loads the extension.
#![allow(unsafe_code)]

use crate::callbacks::{bind, scan_keys, scan_prefixes};
use crate::lists::FIELDS;
use crate::owned::Owned;
use crate::table::{
    Access, BIGINT, BLOB, Connection, ExtensionInfo, FunctionSet, Functions, LogicalType, Scan, VARCHAR, VERSION, keep,
};
use std::ffi::CStr;
use std::ptr;

const NAME: &CStr = c"phalanx_scan";

/// What is said where DuckDB gives no reason.
const REFUSED: &CStr = c"DuckDB has refused the function phalanx_scan";

/// Registers `phalanx_scan`. DuckDB finds this function by its name, which begins with that of the extension's file.
///
/// # Safety
/// DuckDB calls it, with these arguments.
#[unsafe(no_mangle)]
#[allow(unreachable_pub, reason = "DuckDB reaches it")]
pub unsafe extern "C-unwind" fn phalanx_init_c_api(info: *mut ExtensionInfo, access: *const Access) -> bool {
    // SAFETY: as the caller promises.
    let Some(access) = (unsafe { access.as_ref() }) else { return false };
    // SAFETY: as the caller promises.
    match unsafe { load(info, access) } {
        Ok(loaded) => loaded,
        Err(why) => {
            if let Some(set_error) = access.set_error {
                // SAFETY: DuckDB loads, and copies the text.
                unsafe { set_error(info, why.as_ptr()) };
            }
            false
        }
    }
}

/// Whether it has registered. Where it has not, and this is no error, DuckDB knows why.
///
/// # Safety
/// DuckDB has given these arguments, and is loading.
unsafe fn load(info: *mut ExtensionInfo, access: &Access) -> Result<bool, &'static CStr> {
    let (Some(get_api), Some(get_database)) = (access.get_api, access.get_database) else { return Err(REFUSED) };
    // SAFETY: DuckDB loads. Its table is of the version that was asked for, or of a later one.
    unsafe {
        let table = get_api(info, VERSION.as_ptr());
        if table.is_null() {
            return Ok(false);
        }
        let functions = keep(table)?;
        let database = get_database(info);
        if database.is_null() {
            return Ok(false);
        }
        let mut connection = ptr::null_mut();
        if (functions.connect)(*database, &mut connection) != 0 {
            return Err(c"DuckDB has refused a connection");
        }
        let connection = Owned::new(connection, functions.disconnect).ok_or(REFUSED)?;
        register(functions, &connection).ok_or(REFUSED)?;
    }
    Ok(true)
}

/// None where DuckDB refuses.
fn register(functions: &'static Functions, connection: &Owned<Connection>) -> Option<()> {
    // SAFETY: the set is ours to destroy.
    let set = unsafe {
        let set = (functions.create_scalar_function_set)(NAME.as_ptr());
        Owned::new(set, functions.destroy_scalar_function_set)?
    };
    for (outputs, scan) in [(BIGINT, scan_prefixes as Scan), (BLOB, scan_keys)] {
        for labels in [false, true] {
            add(functions, &set, outputs, scan, labels)?;
        }
    }
    // SAFETY: both are there.
    (unsafe { (functions.register_scalar_function_set)(connection.pointer(), set.pointer()) } == 0).then_some(())
}

/// Adds a function of these outputs, with labels or without.
fn add(functions: &'static Functions, set: &Owned<FunctionSet>, outputs: u32, scan: Scan, labels: bool) -> Option<()> {
    let types = Types(functions);
    let mut parameters = vec![types.plain(BLOB)?, types.list(outputs)?, types.plain(VARCHAR)?, types.plain(VARCHAR)?];
    if labels {
        parameters.push(types.list(BIGINT)?);
    }
    let answer = types.answer()?;
    // SAFETY: the function is ours to destroy. What is called is for these parameters and this answer.
    unsafe {
        let function = Owned::new((functions.create_scalar_function)(), functions.destroy_scalar_function)?;
        (functions.scalar_function_set_name)(function.pointer(), NAME.as_ptr());
        for parameter in &parameters {
            (functions.scalar_function_add_parameter)(function.pointer(), parameter.pointer());
        }
        (functions.scalar_function_set_return_type)(function.pointer(), answer.pointer());
        // Otherwise a NULL among the constants would be an answer of NULL for all rows.
        (functions.scalar_function_set_special_handling)(function.pointer());
        (functions.scalar_function_set_bind)(function.pointer(), bind);
        (functions.scalar_function_set_function)(function.pointer(), scan);
        ((functions.add_scalar_function_to_set)(set.pointer(), function.pointer()) == 0).then_some(())
    }
}

/// Types of columns.
struct Types(&'static Functions);

impl Types {
    fn owned(&self, pointer: *mut LogicalType) -> Option<Owned<LogicalType>> {
        // SAFETY: DuckDB's functions that make a type leave it to the caller.
        unsafe { Owned::new(pointer, self.0.destroy_logical_type) }
    }

    fn plain(&self, number: u32) -> Option<Owned<LogicalType>> {
        // SAFETY: any number may be given.
        self.owned(unsafe { (self.0.create_logical_type)(number) })
    }

    fn list_of(&self, item: &Owned<LogicalType>) -> Option<Owned<LogicalType>> {
        // SAFETY: the type is there, and DuckDB copies it.
        self.owned(unsafe { (self.0.create_list_type)(item.pointer()) })
    }

    fn list(&self, number: u32) -> Option<Owned<LogicalType>> {
        self.list_of(&self.plain(number)?)
    }

    /// Lists of items with the fields of the answer.
    fn answer(&self) -> Option<Owned<LogicalType>> {
        let types: Vec<_> = FIELDS.iter().map(|(_, number)| self.plain(*number)).collect::<Option<_>>()?;
        let types_of_fields: Vec<_> = types.iter().map(Owned::pointer).collect();
        let names = FIELDS.map(|(name, _)| name.as_ptr());
        // SAFETY: as many types as names are there, and DuckDB copies both.
        let item =
            unsafe { (self.0.create_struct_type)(types_of_fields.as_ptr(), names.as_ptr(), FIELDS.len() as u64) };
        self.list_of(&self.owned(item)?)
    }
}
