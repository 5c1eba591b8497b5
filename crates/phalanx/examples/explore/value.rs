//! What the calculator computes with.

use phalanx::{FieldElement, Point, Scalar};
use std::fmt;

/// Modulo what the numbers of a line are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Modulus {
    /// The order of the group.
    N,
    /// The prime of the coordinates.
    P,
}

#[derive(Debug, Clone)]
pub(crate) enum Value {
    Scalar(Scalar),
    Field(FieldElement),
    Point(Point),
    /// An answer to be read only.
    Text(String),
}

pub(crate) type Answer = Result<Value, String>;

impl Value {
    pub(crate) fn number(text: &str, modulus: Modulus) -> Answer {
        let number = match modulus {
            Modulus::N => text.parse().map(Value::Scalar),
            Modulus::P => text.parse().map(Value::Field),
        };
        number.map_err(|error| format!("{text}: {error}"))
    }

    fn kind(&self) -> &'static str {
        match self {
            Value::Scalar(_) => "a number mod n",
            Value::Field(_) => "a number mod p",
            Value::Point(_) => "a point",
            Value::Text(_) => "a text",
        }
    }

    pub(crate) fn negate(self) -> Answer {
        match self {
            Value::Scalar(x) => Ok(Value::Scalar(-x)),
            Value::Field(x) => Ok(Value::Field(-x)),
            Value::Point(p) => Ok(Value::Point(-p)),
            text => Err(format!("{} has no negative", text.kind())),
        }
    }

    pub(crate) fn combine(self, operator: char, other: Value) -> Answer {
        use Value::{Field, Point, Scalar};
        match (self, operator, other) {
            (Scalar(a), '+', Scalar(b)) => Ok(Scalar(a + b)),
            (Scalar(a), '-', Scalar(b)) => Ok(Scalar(a - b)),
            (Scalar(a), '*', Scalar(b)) => Ok(Scalar(a * b)),
            (Field(a), '+', Field(b)) => Ok(Field(a + b)),
            (Field(a), '-', Field(b)) => Ok(Field(a - b)),
            (Field(a), '*', Field(b)) => Ok(Field(a * b)),
            (Point(a), '+', Point(b)) => Ok(Point(a + b)),
            (Point(a), '-', Point(b)) => Ok(Point(a - b)),
            (Point(p), '*', Scalar(k)) | (Scalar(k), '*', Point(p)) => Ok(Point(p * k)),
            (left @ (Scalar(_) | Field(_) | Point(_)), '/', right @ (Scalar(_) | Field(_))) => {
                left.combine('*', right.apply("inv")?)
            }
            (left, operator, right) => Err(format!("{} {operator} {}: not defined", left.kind(), right.kind())),
        }
    }

    pub(crate) fn equals(&self, other: &Value) -> Answer {
        let equal = match (self, other) {
            (Value::Scalar(a), Value::Scalar(b)) => a == b,
            (Value::Field(a), Value::Field(b)) => a == b,
            (Value::Point(a), Value::Point(b)) => a == b,
            _ => return Err(format!("{} is never {}", self.kind(), other.kind())),
        };
        Ok(Value::Text(if equal { "yes" } else { "no" }.to_owned()))
    }

    pub(crate) fn power(self, exponent: [u64; 4]) -> Answer {
        match self {
            Value::Scalar(x) => Ok(Value::Scalar(x.pow(exponent))),
            Value::Field(x) => Ok(Value::Field(x.pow(exponent))),
            other => Err(format!("{} has no powers", other.kind())),
        }
    }

    /// The functions by name.
    pub(crate) const FUNCTIONS: [&'static str; 9] =
        ["inv", "sqrt", "limbs", "hex", "halves", "xcoord", "ycoord", "endo", "lift"];

    pub(crate) fn apply(self, function: &str) -> Answer {
        let none = |why: &str| why.to_owned();
        match (function, self) {
            ("inv", Value::Scalar(x)) => x.invert_vartime().map(Value::Scalar).ok_or(none("0 has no inverse")),
            ("inv", Value::Field(x)) => x.invert_vartime().map(Value::Field).ok_or(none("0 has no inverse")),
            ("sqrt", Value::Field(x)) => Option::from(x.sqrt()).map(Value::Field).ok_or(none("not a square mod p")),
            ("limbs", Value::Scalar(x)) => Ok(Value::Text(format!("{:016x?}, least significant first", x.limbs()))),
            ("limbs", Value::Field(x)) => Ok(Value::Text(format!(
                "{:016x?} of 64 bits\n{:013x?} of 52 bits, least significant first",
                x.limbs(),
                x.limbs52()
            ))),
            ("hex", Value::Scalar(x)) => Ok(Value::Text(format!("{x:#x}"))),
            ("hex", Value::Field(x)) => Ok(Value::Text(format!("{x:#x}"))),
            ("hex", Value::Point(p)) => Ok(Value::Text(p.to_string())),
            ("halves", Value::Scalar(k)) => {
                let [k1, k2] = Point::endomorphism_halves(&k);
                Ok(Value::Text(format!("{} + {} lambda", Value::signed(&k1), Value::signed(&k2))))
            }
            ("xcoord", Value::Point(p)) => Value::coordinate(p.to_affine().map(|(x, _)| x)),
            ("ycoord", Value::Point(p)) => Value::coordinate(p.to_affine().map(|(_, y)| y)),
            ("endo", Value::Point(p)) => Ok(Value::Point(p.endomorphism())),
            ("lift", Value::Field(x)) => {
                Option::from(Point::from_x(&x, 0.into())).map(Value::Point).ok_or(none("no point has this x"))
            }
            ("sqrt" | "lift", Value::Scalar(_)) => Err(none("this needs a number mod p: end the line with `mod p`")),
            (function, value) => Err(format!("{function} of {}: not defined", value.kind())),
        }
    }

    fn coordinate(coordinate: Option<FieldElement>) -> Answer {
        coordinate.map(Value::Field).ok_or_else(|| "infinity has no coordinates".to_owned())
    }

    /// The representative nearest to zero.
    fn signed(k: &Scalar) -> String {
        if k.is_high().into() { format!("-{}", -k) } else { k.to_string() }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Scalar(x) => x.fmt(f),
            Value::Field(x) => x.fmt(f),
            Value::Point(p) => match p.to_affine() {
                Some((x, y)) => write!(f, "({x:#x},\n {y:#x})"),
                None => f.write_str("O"),
            },
            Value::Text(text) => f.write_str(text),
        }
    }
}
