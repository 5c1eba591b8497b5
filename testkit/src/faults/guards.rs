//! Guards: each place in a crate's source that gives an error or returns early, and what makes a program skip it.
//!
//! A guard whose condition can be switched off does not fire in the program that is told so. Where there would be no
//! value to go on with, as behind `let ... else`, the guard panics instead when it fires. Both show a test that reaches
//! it; the first also shows that its answer matters.

use super::edit::Insertion;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{
    Arm, Attribute, BinOp, Block, Expr, ExprIf, ExprMethodCall, ImplItemFn, Item, ItemFn, ItemImpl, ItemMod, Meta,
};
use syn::{Pat, Stmt, TraitItemFn, Type};

/// A guard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guard {
    /// From the root of the repository.
    pub file: String,
    /// The function that it stands in, and its condition or expression on one line.
    pub place: String,
    /// What is put around which bytes of the file. `{}` stands for the number of the guard.
    around: Vec<(Range<usize>, &'static str, &'static str)>,
}

impl Guard {
    /// What is put into the file to plant it by this number.
    pub fn insertions(&self, number: u32) -> impl Iterator<Item = Insertion> {
        let text = move |text: &str| text.replace("{}", &number.to_string());
        self.around.iter().map(move |(at, before, behind)| Insertion {
            at: at.clone(),
            before: text(before),
            behind: text(behind),
        })
    }
}

/// The guards of a crate, in the order of its modules. Tests, and what is compiled for fuzzing only, have none.
///
/// # Errors
/// A file that cannot be read, or is not Rust.
pub fn of_crate(repository: &Path, folder: &str) -> Result<Vec<Guard>, String> {
    let (mut guards, mut waiting) = (Vec::new(), vec![PathBuf::from(folder).join("src/lib.rs")]);
    while let Some(name) = waiting.pop() {
        let file = name.to_str().ok_or("the name of a file is not text")?;
        let source = std::fs::read_to_string(repository.join(&name)).map_err(|error| format!("{file}: {error}"))?;
        let (mut found, modules) = of_source(file, &source)?;
        guards.append(&mut found);
        let parent = name.parent().unwrap_or(Path::new(""));
        let own = matches!(name.file_stem().and_then(|stem| stem.to_str()), Some("lib" | "mod"));
        let below = if own { parent.to_owned() } else { name.with_extension("") };
        let places = modules.iter().map(|module| {
            let places = [below.join(format!("{module}.rs")), below.join(module).join("mod.rs")];
            let found = places.into_iter().find(|place| repository.join(place).is_file());
            found.ok_or_else(|| format!("{file}: the module {module} has no file"))
        });
        // They are taken from the end.
        waiting.extend(places.collect::<Result<Vec<_>, _>>()?.into_iter().rev());
    }
    Ok(guards)
}

/// The guards of a file, and the modules that lie in files of their own.
///
/// # Errors
/// The file is not Rust.
pub fn of_source(file: &str, source: &str) -> Result<(Vec<Guard>, Vec<String>), String> {
    let syntax = syn::parse_file(source).map_err(|error| format!("{file}: {error}"))?;
    let mut finder =
        Finder { file, source, function: Vec::new(), guards: Vec::new(), covered: Vec::new(), modules: Vec::new() };
    finder.visit_file(&syntax);
    let mut times = BTreeMap::new();
    for guard in &mut finder.guards {
        let count = times.entry(guard.place.clone()).and_modify(|count| *count += 1).or_insert(1);
        if *count > 1 {
            guard.place = format!("{} (number {count})", guard.place);
        }
    }
    Ok((finder.guards, finder.modules))
}

/// It does not fire.
const OFF: (&str, &str) = ("(", ") && !crate::planted::off({})");
/// The same behind `let`, which no parentheses may hold.
const OFF_LET: (&str, &str) = ("", " && !crate::planted::off({})");
/// The same where the condition is that of going on.
const ON: (&str, &str) = ("((", ") || crate::planted::off({}))");
/// The arm is not taken, and a later one is.
const NO_ARM: (&str, &str) = ("", " if !crate::planted::off({})");
/// A statement that can only fail is left out.
const LEFT_OUT: (&str, &str) = ("if !crate::planted::off({}) { ", " }");
/// It panics when it fires.
const FIRES: (&str, &str) = ("({ crate::planted::fires({}); ", " })");
/// It panics where there is no value.
const NONE: (&str, &str) = ("crate::planted::some({}, ", ")");
/// It panics where there is an error.
const WRONG: (&str, &str) = ("crate::planted::right({}, ", ")");

struct Finder<'s> {
    file: &'s str,
    source: &'s str,
    /// The path of the function around.
    function: Vec<String>,
    guards: Vec<Guard>,
    /// Errors and returns that belong to a guard already.
    covered: Vec<Range<usize>>,
    modules: Vec<String>,
}

impl Finder<'_> {
    fn add(&mut self, shown: Range<usize>, at: Range<usize>, (before, behind): (&'static str, &'static str)) {
        let text = self.source[shown].split_whitespace().collect::<Vec<_>>().join(" ");
        let text = if text.chars().count() > 90 { text.chars().take(90).collect::<String>() + "..." } else { text };
        let place = format!("{}: {text}", self.function.join("::"));
        self.guards.push(Guard { file: self.file.to_owned(), place, around: vec![(at, before, behind)] });
    }

    fn within(&mut self, name: String, visit: impl FnOnce(&mut Self)) {
        self.function.push(name);
        visit(self);
        self.function.pop();
    }

    /// The last expression of a block, if it is an error or returns. It then needs no guard of its own.
    fn diverts(&mut self, block: &Block) -> bool {
        let Some(Stmt::Expr(last, _)) = block.stmts.last() else { return false };
        self.gives_up(last)
    }

    fn gives_up(&mut self, expression: &Expr) -> bool {
        match expression {
            Expr::Block(block) => self.diverts(&block.block),
            Expr::Return(_) => {
                self.covered.push(bytes(expression));
                true
            }
            _ if is_error(expression) => {
                self.covered.push(bytes(expression));
                true
            }
            _ => false,
        }
    }

    fn choice(&mut self, choice: &ExprIf) {
        if self.diverts(&choice.then_branch) {
            self.condition(&choice.cond);
        } else if !has_let(&choice.cond)
            && let Some((_, other)) = &choice.else_branch
            && self.gives_up(other)
        {
            self.requirement(&choice.cond);
        }
    }

    /// A condition under which a guard fires: each part of `a || b` is one.
    fn condition(&mut self, condition: &Expr) {
        if let Expr::Binary(operation) = condition
            && matches!(operation.op, BinOp::Or(_))
        {
            self.condition(&operation.left);
            self.condition(&operation.right);
        } else {
            let off = if has_let(condition) { OFF_LET } else { OFF };
            self.add(bytes(condition), bytes(condition), off);
        }
    }

    /// A condition without which it fires: each part of `a && b` is one.
    fn requirement(&mut self, condition: &Expr) {
        if let Expr::Binary(operation) = condition
            && matches!(operation.op, BinOp::And(_))
        {
            self.requirement(&operation.left);
            self.requirement(&operation.right);
        } else {
            self.add(bytes(condition), bytes(condition), ON);
        }
    }

    fn arms(&mut self, arms: &[Arm]) {
        // A name in capitals is a constant or `None`.
        let binds = |name: &syn::Ident| name.to_string().starts_with(char::is_lowercase);
        let takes_all = |arm: &Arm| match &arm.pat {
            Pat::Wild(_) => true,
            Pat::Ident(name) => name.subpat.is_none() && binds(&name.ident),
            _ => false,
        };
        let falls_through = arms.last().is_some_and(takes_all);
        for (number, arm) in arms.iter().enumerate() {
            let shown = arm.pat.span().byte_range().start..bytes(&arm.body).end;
            match &arm.pat {
                Pat::Guard(guarded) if self.gives_up(&arm.body) => self.condition(&guarded.guard),
                pattern if falls_through && number + 1 < arms.len() && self.gives_up(&arm.body) => {
                    self.add(shown, bytes(pattern), NO_ARM);
                }
                _ => {}
            }
        }
    }

    /// What an option or a result is made an error by.
    fn method(&mut self, call: &ExprMethodCall) {
        let receiver = bytes(&call.receiver);
        match call.method.to_string().as_str() {
            "ok_or" | "ok_or_else" => {
                if let Expr::MethodCall(inner) = &*call.receiver
                    && let Some(condition) = refines(inner)
                {
                    self.requirement(condition);
                } else {
                    self.add(receiver.clone(), receiver, NONE);
                }
            }
            "map_err" => self.add(receiver.clone(), receiver, WRONG),
            _ => {}
        }
    }
}

/// The condition by which a call of `filter`, `then` or `then_some` leaves nothing.
fn refines(call: &ExprMethodCall) -> Option<&Expr> {
    match (call.method.to_string().as_str(), call.args.first()) {
        ("filter", Some(Expr::Closure(closure))) => Some(&closure.body),
        ("then" | "then_some", _) => Some(&call.receiver),
        _ => None,
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item_mod(&mut self, module: &'ast ItemMod) {
        if !module.attrs.iter().any(is_left_out) {
            match &module.content {
                Some(_) => self.within(module.ident.to_string(), |this| visit::visit_item_mod(this, module)),
                None => self.modules.push(module.ident.to_string()),
            }
        }
    }

    fn visit_item(&mut self, item: &'ast Item) {
        // Constants are computed before any program runs.
        if !matches!(item, Item::Const(_) | Item::Static(_) | Item::Macro(_)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_impl(&mut self, item: &'ast ItemImpl) {
        let name = match &*item.self_ty {
            Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default(),
            other => self.source[bytes(other)].to_owned(),
        };
        self.within(name, |this| visit::visit_item_impl(this, item));
    }

    fn visit_item_fn(&mut self, function: &'ast ItemFn) {
        if function.sig.constness.is_none() && !function.attrs.iter().any(is_left_out) {
            self.within(function.sig.ident.to_string(), |this| visit::visit_item_fn(this, function));
        }
    }

    fn visit_impl_item_fn(&mut self, function: &'ast ImplItemFn) {
        // What `fmt` passes on is the error of its writer.
        let passes_on = function.sig.ident == "fmt" || function.sig.constness.is_some();
        if !passes_on && !function.attrs.iter().any(is_left_out) {
            self.within(function.sig.ident.to_string(), |this| visit::visit_impl_item_fn(this, function));
        }
    }

    fn visit_trait_item_fn(&mut self, function: &'ast TraitItemFn) {
        self.within(function.sig.ident.to_string(), |this| visit::visit_trait_item_fn(this, function));
    }

    fn visit_stmt(&mut self, statement: &'ast Stmt) {
        if let Stmt::Expr(Expr::Try(call), Some(_)) = statement {
            self.add(bytes(call), bytes(statement), LEFT_OUT);
        }
        visit::visit_stmt(self, statement);
    }

    fn visit_expr(&mut self, expression: &'ast Expr) {
        match expression {
            Expr::Const(_) => return,
            Expr::If(choice) => self.choice(choice),
            Expr::Match(choice) => self.arms(&choice.arms),
            Expr::MethodCall(call) => self.method(call),
            _ if matches!(expression, Expr::Return(_)) || is_error(expression) => {
                let at = bytes(expression);
                if !self.covered.iter().any(|covered| covered.start <= at.start && at.end <= covered.end) {
                    self.covered.push(at.clone());
                    self.add(at.clone(), at, FIRES);
                }
            }
            _ => {}
        }
        visit::visit_expr(self, expression);
    }

    fn visit_attribute(&mut self, _: &'ast Attribute) {}
    fn visit_type(&mut self, _: &'ast Type) {}
}

/// A call of `Err`.
fn is_error(expression: &Expr) -> bool {
    matches!(expression, Expr::Call(call) if matches!(&*call.func, Expr::Path(path) if path.path.is_ident("Err")))
}

fn has_let(condition: &Expr) -> bool {
    match condition {
        Expr::Let(_) => true,
        Expr::Binary(operation) => has_let(&operation.left) || has_let(&operation.right),
        _ => false,
    }
}

/// `cfg(test)`, and what is compiled for fuzzing only.
fn is_left_out(attribute: &Attribute) -> bool {
    let Meta::List(list) = &attribute.meta else { return false };
    let tokens = list.tokens.to_string();
    list.path.is_ident("cfg") && (tokens == "test" || tokens == "feature = \"fuzzing\"")
}

fn bytes(syntax: &impl Spanned) -> Range<usize> {
    syntax.span().byte_range()
}
