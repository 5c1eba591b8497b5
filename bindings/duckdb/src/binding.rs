//! The arguments of a call in SQL, while DuckDB binds it.
#![allow(unsafe_code)]

use crate::file::File;
use crate::owned::Owned;
use crate::table::{BindInfo, ClientContext, Functions, Value};
use crate::text::{message, text};
use std::ffi::{CString, c_char};
use std::{io, ptr};

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
            message(self.functions, error)
        };
        if let Some(why) = error {
            return Err(format!("cannot be computed: {why}"));
        }
        // SAFETY: the value is ours to destroy.
        let value = unsafe { Owned::new(value, self.functions.destroy_value) };
        Ok(Constant { functions: self.functions, value: value.ok_or("cannot be read")? })
    }

    /// Opens a file to read it, where DuckDB's settings allow it.
    pub(crate) fn open(&self, path: &str) -> io::Result<File<'_>> {
        File::open(self.functions, &self.context, &CString::new(path)?)
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

    /// As text. Fails for NULL, and where the text has a character 0.
    pub(crate) fn text(&self) -> Result<String, &'static str> {
        if self.is_null() {
            return Err("NULL is none");
        }
        let read = self.written(self.functions.get_varchar);
        // DuckDB does not tell the length. It also gives the text in quotes, and a text of C ends at a character 0, so
        // the second quote is there only if all of the text is.
        let literal = self.written(self.functions.value_to_string);
        if literal != format!("'{}'", read.replace('\'', "''")) {
            return Err("chr(0) stands in the text");
        }
        Ok(read)
    }

    /// What a function of DuckDB writes of it, to the first character 0.
    fn written(&self, write: unsafe extern "C-unwind" fn(*mut Value) -> *mut c_char) -> String {
        // SAFETY: the value is there. What is written is ours to free, and ends with a NUL.
        unsafe {
            let copy = write(self.value.pointer());
            let read = text(copy);
            (self.functions.free)(copy.cast());
            read
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
