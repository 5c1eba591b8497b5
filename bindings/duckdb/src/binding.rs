//! The arguments of a call in SQL, while DuckDB binds it.
#![allow(unsafe_code)]

use crate::owned::Owned;
use crate::table::{BindInfo, ClientContext, Functions, Value};
use std::ffi::{CStr, c_char};
use std::ptr;

/// A call that is being bound.
pub(crate) struct Binding {
    functions: &'static Functions,
    info: *mut BindInfo,
    context: Owned<ClientContext>,
}

impl Binding {
    /// # Safety
    /// DuckDB has given `info` to the function that binds, which has not returned while the value is used.
    pub(crate) unsafe fn of(functions: &'static Functions, info: *mut BindInfo) -> Option<Binding> {
        let mut context = ptr::null_mut();
        // SAFETY: `info` is as the caller promises, and the context is ours to destroy.
        let context = unsafe {
            (functions.scalar_function_get_client_context)(info, &mut context);
            Owned::new(context, functions.destroy_client_context)
        };
        Some(Binding { functions, info, context: context? })
    }

    /// How many arguments there are.
    pub(crate) fn arguments(&self) -> u64 {
        // SAFETY: the call is being bound.
        unsafe { (self.functions.scalar_function_bind_get_argument_count)(self.info) }
    }

    /// The value of an argument. Fails where it is no constant.
    pub(crate) fn constant(&self, index: u64) -> Result<Constant, String> {
        // SAFETY: the call is being bound, and the expression is ours to destroy.
        let expression = unsafe {
            let expression = (self.functions.scalar_function_bind_get_argument)(self.info, index);
            Owned::new(expression, self.functions.destroy_expression)
        };
        // DuckDB gives no subquery.
        // SAFETY: where the expression is given, it is there.
        let constant = |expression: &Owned<_>| unsafe { (self.functions.expression_is_foldable)(expression.pointer()) };
        let expression = expression.filter(constant).ok_or("must be a constant")?;
        let mut value = ptr::null_mut();
        // SAFETY: context and expression are there. What comes back is ours to destroy: an error, or a value.
        let error = unsafe {
            let error = (self.functions.expression_fold)(self.context.pointer(), expression.pointer(), &mut value);
            Owned::new(error, self.functions.destroy_error_data)
        };
        if let Some(error) = error {
            // SAFETY: the error is there, and its text lives as long.
            let why = unsafe { text((self.functions.error_data_message)(error.pointer())) };
            return Err(format!("cannot be computed: {why}"));
        }
        self.owned(value).ok_or_else(|| "cannot be read".into())
    }

    /// The value of a setting of DuckDB, if there is one of this name.
    pub(crate) fn setting(&self, name: &CStr) -> Option<Constant> {
        let context = self.context.pointer();
        // SAFETY: context and name are there. Where the setting comes from need not be told.
        self.owned(unsafe {
            (self.functions.client_context_get_config_option)(context, name.as_ptr(), ptr::null_mut())
        })
    }

    fn owned(&self, value: *mut Value) -> Option<Constant> {
        let functions = self.functions;
        // SAFETY: DuckDB's functions that give a value leave it to the caller.
        Some(Constant { functions, value: unsafe { Owned::new(value, functions.destroy_value) }? })
    }
}

/// A value of SQL.
pub(crate) struct Constant {
    functions: &'static Functions,
    value: Owned<Value>,
}

impl Constant {
    pub(crate) fn is_null(&self) -> bool {
        // SAFETY: the value is there.
        unsafe { (self.functions.is_null_value)(self.value.pointer()) }
    }

    /// Whether it is true.
    pub(crate) fn is_true(&self) -> bool {
        // SAFETY: the value is there. One that is no truth value is false.
        unsafe { (self.functions.get_bool)(self.value.pointer()) }
    }

    /// As text, to its first NUL. None for NULL.
    pub(crate) fn text(&self) -> Option<String> {
        if self.is_null() {
            return None;
        }
        // SAFETY: the value is there. The text is ours to free, and ends with a NUL.
        unsafe {
            let copy = (self.functions.get_varchar)(self.value.pointer());
            let read = text(copy);
            (self.functions.free)(copy.cast());
            Some(read)
        }
    }

    /// As numbers: the values of a list. None where one is NULL, or the list is.
    pub(crate) fn numbers(&self) -> Option<Vec<i64>> {
        if self.is_null() {
            return None;
        }
        // SAFETY: the value is there. An item of it is ours to destroy.
        let item = |index| unsafe {
            let item = (self.functions.get_list_child)(self.value.pointer(), index);
            Owned::new(item, self.functions.destroy_value)
        };
        let number = |index| {
            let item = Constant { functions: self.functions, value: item(index)? };
            // SAFETY: the item is there, and SQL's types leave nothing but integers here.
            (!item.is_null()).then(|| unsafe { (self.functions.get_int64)(item.value.pointer()) })
        };
        // SAFETY: the value is there.
        (0..unsafe { (self.functions.get_list_size)(self.value.pointer()) }).map(number).collect()
    }
}

/// A copy of a text of C.
///
/// # Safety
/// The pointer is NULL, or that of bytes that end with a NUL.
unsafe fn text(pointer: *const c_char) -> String {
    if pointer.is_null() {
        return String::new();
    }
    // SAFETY: as the caller promises.
    unsafe { CStr::from_ptr(pointer) }.to_string_lossy().into_owned()
}
