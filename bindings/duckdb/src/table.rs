//! DuckDB's C extension interface: the functions of its table that this crate calls.
//!
//! The table is a C structure of pointers to functions, to which versions append and of which none takes away. The
//! numbers of the functions in it, and their signatures, are those of `duckdb_extension.h` of version 1.5.6.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_char, c_void};
use std::sync::OnceLock;

/// The version of the interface, which DuckDB 1.5.6 and later have.
pub(crate) const VERSION: &CStr = c"v1.5.6";

/// Things of DuckDB of which only addresses are known here.
macro_rules! things {
    ($($name:ident)*) => {
        $(
            #[repr(C)]
            pub(crate) struct $name([u8; 0]);
        )*
    };
}

things! {
    BindInfo ClientContext Connection Database DataChunk ErrorData Expression ExtensionInfo FunctionInfo FunctionSet
    LogicalType ScalarFunction Value Vector FileHandle FileOpenOptions FileSystem
}

/// Zero where a call has succeeded.
pub(crate) type State = u32;

/// What types of columns are called.
pub(crate) const BIGINT: u32 = 5;
pub(crate) const UINTEGER: u32 = 8;
pub(crate) const UBIGINT: u32 = 9;
pub(crate) const VARCHAR: u32 = 17;
pub(crate) const BLOB: u32 = 18;

/// That a file is opened to be read.
pub(crate) const READ: u32 = 1;

/// What DuckDB gives an extension that it loads.
#[repr(C)]
pub(crate) struct Access {
    pub(crate) set_error: Option<unsafe extern "C-unwind" fn(*mut ExtensionInfo, *const c_char)>,
    pub(crate) get_database: Option<unsafe extern "C-unwind" fn(*mut ExtensionInfo) -> *mut *mut Database>,
    pub(crate) get_api: Option<unsafe extern "C-unwind" fn(*mut ExtensionInfo, *const c_char) -> *const c_void>,
}

/// The start and the length of a row's list, as DuckDB keeps them.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct ListEntry {
    pub(crate) offset: u64,
    pub(crate) length: u64,
}

/// What DuckDB calls: to bind, for a chunk, to free what it keeps for us, and to copy that.
pub(crate) type Bind = unsafe extern "C-unwind" fn(*mut BindInfo);
pub(crate) type Scan = unsafe extern "C-unwind" fn(*mut FunctionInfo, *mut DataChunk, *mut Vector);
pub(crate) type Free = unsafe extern "C-unwind" fn(*mut c_void);
pub(crate) type Copied = unsafe extern "C-unwind" fn(*mut c_void) -> *mut c_void;

macro_rules! functions {
    ($($number:literal $name:ident($($argument:ty),*) $(-> $result:ty)?;)*) => {
        /// The functions that are called, each under its name without `duckdb_`. In this order, in which a test finds
        /// them in memory.
        #[repr(C)]
        pub(crate) struct Functions {
            $(pub(crate) $name: unsafe extern "C-unwind" fn($($argument),*) $(-> $result)?,)*
        }

        impl Functions {
            /// Reads them from DuckDB's table. None if one is missing.
            ///
            /// # Safety
            /// It is the table of version 1.5.6 or of a later one.
            unsafe fn read(table: *const *const c_void) -> Option<Functions> {
                Some(Functions {
                    $($name: {
                        // SAFETY: the table of this version is longer, and consists of pointers to functions.
                        let function = unsafe { *table.add($number) };
                        if function.is_null() {
                            return None;
                        }
                        // SAFETY: at this number stands the function of this name, whose signature this is. A function
                        // of C that throws has the ABI `C-unwind`.
                        unsafe {
                            std::mem::transmute::<
                                *const c_void,
                                unsafe extern "C-unwind" fn($($argument),*) $(-> $result)?
                            >(function)
                        }
                    },)*
                })
            }

            /// Where the functions are.
            fn addresses(&self) -> Vec<usize> {
                vec![$(self.$name as usize),*]
            }
        }
    };
}

functions! {
    3 connect(*mut Database, *mut *mut Connection) -> State;
    6 disconnect(*mut *mut Connection);
    25 free(*mut c_void);

    92 destroy_value(*mut *mut Value);
    125 get_int64(*mut Value) -> i64;
    142 get_varchar(*mut Value) -> *mut c_char;
    149 is_null_value(*mut Value) -> bool;
    151 get_list_size(*mut Value) -> u64;
    152 get_list_child(*mut Value, u64) -> *mut Value;

    156 create_logical_type(u32) -> *mut LogicalType;
    159 create_list_type(*mut LogicalType) -> *mut LogicalType;
    163 create_struct_type(*const *mut LogicalType, *const *const c_char, u64) -> *mut LogicalType;
    184 destroy_logical_type(*mut *mut LogicalType);

    190 data_chunk_get_vector(*mut DataChunk, u64) -> *mut Vector;
    191 data_chunk_get_size(*mut DataChunk) -> u64;
    194 vector_get_data(*mut Vector) -> *mut c_void;
    195 vector_get_validity(*mut Vector) -> *mut u64;
    196 vector_ensure_validity_writable(*mut Vector);
    198 vector_assign_string_element_len(*mut Vector, u64, *const c_char, u64);
    199 list_vector_get_child(*mut Vector) -> *mut Vector;
    200 list_vector_get_size(*mut Vector) -> u64;
    201 list_vector_set_size(*mut Vector, u64) -> State;
    202 list_vector_reserve(*mut Vector, u64) -> State;
    203 struct_vector_get_child(*mut Vector, u64) -> *mut Vector;

    209 create_scalar_function() -> *mut ScalarFunction;
    210 destroy_scalar_function(*mut *mut ScalarFunction);
    211 scalar_function_set_name(*mut ScalarFunction, *const c_char);
    213 scalar_function_set_special_handling(*mut ScalarFunction);
    215 scalar_function_add_parameter(*mut ScalarFunction, *mut LogicalType);
    216 scalar_function_set_return_type(*mut ScalarFunction, *mut LogicalType);
    218 scalar_function_set_function(*mut ScalarFunction, Scan);
    221 scalar_function_set_error(*mut FunctionInfo, *const c_char);
    222 create_scalar_function_set(*const c_char) -> *mut FunctionSet;
    223 destroy_scalar_function_set(*mut *mut FunctionSet);
    224 add_scalar_function_to_set(*mut FunctionSet, *mut ScalarFunction) -> State;
    225 register_scalar_function_set(*mut Connection, *mut FunctionSet) -> State;

    469 destroy_error_data(*mut *mut ErrorData);
    471 error_data_message(*mut ErrorData) -> *const c_char;
    473 destroy_expression(*mut *mut Expression);
    475 expression_is_foldable(*mut Expression) -> bool;
    476 expression_fold(*mut ClientContext, *mut Expression, *mut *mut Value) -> *mut ErrorData;
    477 client_context_get_file_system(*mut ClientContext) -> *mut FileSystem;
    478 destroy_file_system(*mut *mut FileSystem);
    479 file_system_open(*mut FileSystem, *const c_char, *mut FileOpenOptions, *mut *mut FileHandle) -> State;
    480 file_system_error_data(*mut FileSystem) -> *mut ErrorData;
    481 create_file_open_options() -> *mut FileOpenOptions;
    482 file_open_options_set_flag(*mut FileOpenOptions, u32, bool) -> State;
    483 destroy_file_open_options(*mut *mut FileOpenOptions);
    484 destroy_file_handle(*mut *mut FileHandle);
    485 file_handle_error_data(*mut FileHandle) -> *mut ErrorData;
    487 file_handle_read(*mut FileHandle, *mut c_void, i64) -> i64;
    501 destroy_client_context(*mut *mut ClientContext);

    511 scalar_function_set_bind(*mut ScalarFunction, Bind);
    512 scalar_function_bind_set_error(*mut BindInfo, *const c_char);
    513 scalar_function_get_client_context(*mut BindInfo, *mut *mut ClientContext);
    514 scalar_function_set_bind_data(*mut BindInfo, *mut c_void, Free);
    515 scalar_function_get_bind_data(*mut FunctionInfo) -> *mut c_void;
    517 scalar_function_bind_get_argument_count(*mut BindInfo) -> u64;
    518 scalar_function_bind_get_argument(*mut BindInfo, u64) -> *mut Expression;
    519 scalar_function_set_bind_data_copy(*mut BindInfo, Copied);
    527 value_to_string(*mut Value) -> *mut c_char;
}

static FUNCTIONS: OnceLock<Functions> = OnceLock::new();

/// Keeps the functions of a table. An error says why they cannot be kept: one is missing, or a second DuckDB in this
/// process has others.
///
/// # Safety
/// It is the table of version 1.5.6 or of a later one.
pub(crate) unsafe fn keep(table: *const c_void) -> Result<&'static Functions, &'static CStr> {
    // SAFETY: as the caller promises.
    let functions = unsafe { Functions::read(table.cast()) }.ok_or(c"a function of DuckDB's interface is missing")?;
    let addresses = functions.addresses();
    let kept = FUNCTIONS.get_or_init(|| functions);
    if kept.addresses() == addresses {
        Ok(kept)
    } else {
        Err(c"another DuckDB in this process has loaded the extension from this file: load a copy of the file")
    }
}

/// The functions, which are there as soon as the extension is loaded.
pub(crate) fn functions() -> Option<&'static Functions> {
    FUNCTIONS.get()
}
