//! Circles that must be found, and what is none.

use super::graph::{Circle, circles, needs};
use crate::source::Source;

/// The members of each circle in a crate of one text.
fn found(text: &str) -> Vec<String> {
    circles(&needs(&Source::of_text(text))).iter().map(Circle::names).collect()
}

#[test]
fn circles_are_found() {
    for (text, members) in [
        ("mod a { use crate::b::B; pub struct A; } mod b { use crate::a::A; pub struct B; }", "a b"),
        ("mod a { use super::b::B; pub struct A; } mod b { fn f() { super::a::A; } pub struct B; }", "a b"),
        // By a name that the root hands on, and by one that it imports for itself.
        ("pub use a::A; mod a { use crate::b::B; pub struct A; } mod b { use crate::A; pub struct B; }", "a b"),
        ("use a::A; mod a { use crate::b::B; pub struct A; } mod b { use super::A; pub struct B; }", "a b"),
        // By another name.
        ("pub use a::A as C; mod a { use crate::b::B; pub struct A; } mod b { use super::C; pub struct B; }", "a b"),
        // By a module's name, a glob, a group, and within a function, a macro and a bound.
        ("mod a { use crate::b; fn f() { b::g() } } mod b { use crate::a; pub fn g() { a::f() } }", "a b"),
        ("mod a { use crate::b::{self, B as C}; pub struct A; } mod b { use crate::a::A; pub struct B; }", "a b"),
        ("mod a { use crate::b::*; fn f() { g() } } mod b { use crate::a::*; pub fn g() { f() } }", "a b"),
        ("mod a { fn f() { use crate::{b::{B}}; } } mod b { pub struct B; fn g() { crate::a::f() } }", "a b"),
        ("mod a { fn f() { assert!(crate::b::g()) } } mod b { pub fn g() { m!(crate::a::f) } }", "a b"),
        ("mod a { macro_rules! m { () => { $crate::b::g() } } fn f() {} } mod b { fn g() { crate::a::f() } }", "a b"),
        ("mod a { pub trait A {} impl<B: crate::b::B> A for B {} } mod b { pub trait B: super::a::A {} }", "a b"),
        ("#[cfg(unix)] mod a { use crate::b::B; pub struct A; } mod b { use crate::a::A; pub struct B; }", "a b"),
        // A name that is handed on and used.
        ("mod a { pub use crate::b::B; pub struct A(B); } mod b { use crate::a::A; pub struct B; }", "a b"),
        // Of three, beside one that they need and one that needs them.
        (
            "mod a { use crate::{b::B, low::L}; pub struct A; } mod b { use crate::c::C; pub struct B; }
             mod c { use crate::a::A; pub struct C; } mod low { pub struct L; } mod high { use crate::a::A; }",
            "a b c",
        ),
        // Deep, and between files of two folders of which no two need each other.
        ("mod a { mod b { use super::c::C; pub struct B; } mod c { use super::b::B; pub struct C; } }", "a::b a::c"),
        (
            "mod a { mod low { pub struct L; } mod high { use crate::b::low::L; } }
             mod b { mod low { pub struct L; } mod high { use crate::a::low::L; } }",
            "a b",
        ),
        // By way of what a parent hands on of its children.
        (
            "mod a { pub use deep::D; mod deep { use crate::b::B; pub struct D; } }
             mod b { use crate::a::D; pub struct B; }",
            "a b",
        ),
    ] {
        assert_eq!(found(text), [members], "{text}");
    }
}

#[test]
fn what_is_no_circle_is_not_reported() {
    for text in [
        "mod a { pub struct A; } mod b { use crate::a::A; } mod c { use crate::{a::A, b}; }",
        // Parents and children.
        "mod a { pub use deep::D; mod deep { use super::A; pub struct D; } pub struct A; fn f() { deep::g() } }",
        // A name that is handed on is not used.
        "mod a { pub use crate::b::B; pub struct A; } mod b { use crate::a::A; pub struct B; }",
        // Tests may look anywhere.
        "mod a { #[cfg(test)] mod tests { use crate::b::B; } pub struct A; } mod b { use crate::a::A; pub struct B; }",
        "mod a { #[cfg(test)] use crate::b::B; pub struct A; } mod b { use crate::a::A; pub struct B; }",
        "mod a { #[test] fn f() { crate::b::g() } pub struct A; } mod b { use crate::a::A; pub fn g() {} }",
        // Other crates, comments, and how far a name is seen.
        "mod a { use b::B; use ::b::C; pub struct A; } mod b { use crate::a::A; pub struct B; pub struct C; }",
        "mod a { /// As [`crate::b::B`].\npub struct A; } mod b { use crate::a::A; pub struct B; }",
        "mod b { pub(in super) struct B; mod a { pub(in crate::b) struct A; } }",
        // What stands for itself ends.
        "mod a { use a::a; use x::*; use a::b as a; fn f() { a::f(); x() } }
         use b::*; mod b { use super::*; pub use c::*; mod c {} }",
    ] {
        assert_eq!(found(text), [""; 0], "{text}");
    }
}
