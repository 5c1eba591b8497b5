//! The expressions of a function that an edit can name, with the bytes where they stand.

use std::ops::Range;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, Block, Expr, FieldValue, Item, Local, Macro, Member, Pat, Stmt, Token, Type};

/// What an expression is named by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A call of a function, a method or a macro.
    Call,
    /// What a variable, a field or a constant is set to.
    Value,
    /// Of `if`, `while` or the guard of an arm.
    Condition,
    /// An operation on two operands, assignments included.
    Operation,
    Literal,
    /// The last expression of the function.
    Answer,
}

/// One of them. All ranges are of bytes of the file.
#[derive(Debug, Clone)]
pub(super) struct Node {
    pub(super) kind: Kind,
    /// The name, the operator or the literal; empty for what has none.
    pub(super) name: String,
    pub(super) name_at: Range<usize>,
    pub(super) at: Range<usize>,
    /// The expression around it that can be chosen when the program runs. It is larger than the node within the
    /// parameters of a type and within a macro.
    pub(super) choice: Range<usize>,
    /// The receiver (or the function's path) and the arguments of a call; the operands of an operation.
    pub(super) parts: Vec<Range<usize>>,
}

/// The nodes of a function's body, in the order in which their names stand in the source.
pub(super) fn of_function(block: &Block) -> Vec<Node> {
    let mut nodes = Collector::default();
    nodes.visit_block(block);
    if let Some(Stmt::Expr(answer, None)) = block.stmts.last() {
        nodes.whole(Kind::Answer, String::new(), answer);
    }
    nodes.sorted()
}

/// The nodes of a constant.
pub(super) fn of_constant(name: String, value: &Expr) -> Vec<Node> {
    let mut nodes = Collector::default();
    nodes.whole(Kind::Value, name, value);
    nodes.visit_expr(value);
    nodes.sorted()
}

#[derive(Default)]
struct Collector {
    nodes: Vec<Node>,
    /// The outermost call around, of which no part can be chosen when the program runs.
    around: Option<Range<usize>>,
}

impl Collector {
    fn sorted(mut self) -> Vec<Node> {
        self.nodes.sort_by_key(|node| node.name_at.start);
        self.nodes
    }

    fn add(&mut self, kind: Kind, name: String, name_at: Range<usize>, at: Range<usize>, parts: Vec<Range<usize>>) {
        let choice = self.around.clone().unwrap_or_else(|| at.clone());
        self.nodes.push(Node { kind, name, name_at, at, choice, parts });
    }

    /// A node whose name stands elsewhere or nowhere.
    fn whole(&mut self, kind: Kind, name: String, expression: &Expr) {
        let at = bytes(expression);
        self.add(kind, name, at.clone(), at, Vec::new());
    }

    /// What variables are set to: one, or those of a tuple by a tuple. What is taken apart sets none.
    fn set(&mut self, pattern: &Pat, value: &Expr) {
        match (pattern, value) {
            (Pat::Ident(name), _) => self.whole(Kind::Value, name.ident.to_string(), value),
            (Pat::Type(typed), _) => self.set(&typed.pat, value),
            (Pat::Tuple(names), Expr::Tuple(values)) => {
                names.elems.iter().zip(&values.elems).for_each(|(name, value)| self.set(name, value));
            }
            _ => {}
        }
    }

    /// The same for what is assigned to, of which the last name counts: `value` of `*self.value[0]`.
    fn assign(&mut self, target: &Expr, value: &Expr) {
        match (target, value) {
            (Expr::Path(path), _) => {
                let name = path.path.segments.last().map(|last| last.ident.to_string());
                self.whole(Kind::Value, name.unwrap_or_default(), value);
            }
            (Expr::Field(field), _) => match &field.member {
                Member::Named(name) => self.whole(Kind::Value, name.to_string(), value),
                Member::Unnamed(_) => self.assign(&field.base, value),
            },
            (Expr::Index(index), _) => self.assign(&index.expr, value),
            (Expr::Unary(unary), _) => self.assign(&unary.expr, value),
            (Expr::Tuple(names), Expr::Tuple(values)) => {
                names.elems.iter().zip(&values.elems).for_each(|(name, value)| self.assign(name, value));
            }
            _ => {}
        }
    }

    fn operation(&mut self, operator: &impl Spanned, whole: &Expr, [left, right]: [&Expr; 2]) {
        let name_at = bytes(operator);
        let name = operator.span().source_text().unwrap_or_default();
        self.add(Kind::Operation, name, name_at, bytes(whole), vec![bytes(left), bytes(right)]);
    }

    /// Visits what stands where no choice can: the call around it is chosen instead.
    fn inside(&mut self, call: Range<usize>, visit: impl FnOnce(&mut Self)) {
        let outer = self.around.clone();
        self.around.get_or_insert(call);
        visit(self);
        self.around = outer;
    }

    /// A macro, with its arguments if they are expressions.
    fn macro_call(&mut self, call: &Macro) {
        let Some(name) = call.path.segments.last() else { return };
        let arguments = call.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated).unwrap_or_default();
        let parts = [bytes(&call.path)].into_iter().chain(arguments.iter().map(bytes)).collect();
        self.add(Kind::Call, name.ident.to_string(), bytes(&name.ident), bytes(call), parts);
        self.inside(bytes(call), |this| arguments.iter().for_each(|argument| this.visit_expr(argument)));
    }
}

impl<'ast> Visit<'ast> for Collector {
    fn visit_expr(&mut self, expression: &'ast Expr) {
        let at = bytes(expression);
        match expression {
            Expr::Call(call) => {
                if let Expr::Path(path) = &*call.func
                    && let Some(name) = path.path.segments.last()
                {
                    let parts = [bytes(path)].into_iter().chain(call.args.iter().map(bytes)).collect();
                    self.add(Kind::Call, name.ident.to_string(), bytes(&name.ident), at.clone(), parts);
                }
                self.inside(at, |this| this.visit_expr(&call.func));
                return call.args.iter().for_each(|argument| self.visit_expr(argument));
            }
            Expr::MethodCall(call) => {
                let parts = [bytes(&call.receiver)].into_iter().chain(call.args.iter().map(bytes)).collect();
                self.add(Kind::Call, call.method.to_string(), bytes(&call.method), at.clone(), parts);
                if let Some(parameters) = &call.turbofish {
                    self.inside(at, |this| this.visit_angle_bracketed_generic_arguments(parameters));
                }
                self.visit_expr(&call.receiver);
                return call.args.iter().for_each(|argument| self.visit_expr(argument));
            }
            Expr::Binary(operation) => {
                self.operation(&operation.op, expression, [&operation.left, &operation.right]);
                if operation.op.span().source_text().is_some_and(|text| is_assignment(&text)) {
                    self.assign(&operation.left, &operation.right);
                }
            }
            Expr::Assign(assignment) => {
                self.operation(&assignment.eq_token, expression, [&assignment.left, &assignment.right]);
                self.assign(&assignment.left, &assignment.right);
            }
            Expr::Lit(literal) => {
                let text = literal.span().source_text().unwrap_or_default();
                self.whole(Kind::Literal, text, expression);
            }
            Expr::If(choice) => self.whole(Kind::Condition, String::new(), &choice.cond),
            Expr::While(turns) => self.whole(Kind::Condition, String::new(), &turns.cond),
            _ => {}
        }
        visit::visit_expr(self, expression);
    }

    fn visit_local(&mut self, local: &'ast Local) {
        if let Some(value) = &local.init {
            self.set(&local.pat, &value.expr);
        }
        visit::visit_local(self, local);
    }

    fn visit_field_value(&mut self, field: &'ast FieldValue) {
        if let (Member::Named(name), Some(_)) = (&field.member, &field.colon_token) {
            self.whole(Kind::Value, name.to_string(), &field.expr);
        }
        visit::visit_field_value(self, field);
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        self.macro_call(call);
    }

    // What holds no expression of the function is not visited, which is most of what there would be to compile.
    fn visit_attribute(&mut self, _: &'ast Attribute) {}
    fn visit_item(&mut self, _: &'ast Item) {}
    fn visit_type(&mut self, _: &'ast Type) {}

    /// Of a pattern only the guard is an expression.
    fn visit_pat(&mut self, pattern: &'ast Pat) {
        if let Pat::Guard(guarded) = pattern {
            self.whole(Kind::Condition, String::new(), &guarded.guard);
            self.visit_expr(&guarded.guard);
        }
    }
}

fn bytes(syntax: &impl Spanned) -> Range<usize> {
    syntax.span().byte_range()
}

fn is_assignment(operator: &str) -> bool {
    operator.ends_with('=') && !["==", "!=", "<=", ">="].contains(&operator)
}
