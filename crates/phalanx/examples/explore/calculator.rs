//! Expressions: recursive descent over a line of tokens.
//!
//! ```text
//! line     = [name "="] equation ["mod" ("n" | "p")]
//! equation = sum ["==" sum]
//! sum      = product {("+" | "-") product}
//! product  = power {("*" | "/") power}
//! power    = "-" power | atom ["^" number]
//! atom     = number | name | "(" equation ")" | function ["-"] atom
//! ```

use crate::value::{Answer, Modulus, Value};
use phalanx::{FieldElement, Point};
use std::collections::BTreeMap;

/// Expressions nested deeper than this are refused, before they exhaust the stack.
const DEEPEST: usize = 200;

/// The names that have been given values.
#[derive(Debug)]
pub(crate) struct Calculator {
    names: BTreeMap<String, Value>,
}

impl Default for Calculator {
    fn default() -> Self {
        let names = [
            ("G", Value::Point(Point::GENERATOR)),
            ("O", Value::Point(Point::IDENTITY)),
            ("lambda", Value::Scalar(Point::LAMBDA)),
            ("beta", Value::Field(Point::BETA)),
        ];
        Calculator { names: names.into_iter().map(|(name, value)| (name.to_owned(), value)).collect() }
    }
}

impl Calculator {
    /// Computes one line.
    pub(crate) fn answer(&mut self, line: &str) -> Result<String, String> {
        let tokens = tokens(line)?;
        let mut tokens = tokens.as_slice();
        let mut modulus = Modulus::N;
        if let [front @ .., "mod", name] = tokens {
            modulus = match *name {
                "n" => Modulus::N,
                "p" => Modulus::P,
                other => return Err(format!("mod {other}: numbers are modulo n or p")),
            };
            tokens = front;
        }
        let mut target = None;
        if let [name, "=", rest @ ..] = tokens {
            if !is_name(name) || Value::FUNCTIONS.contains(name) || *name == "mod" {
                return Err(format!("{name} cannot be given a value"));
            }
            (target, tokens) = (Some(*name), rest);
        }
        let mut parser = Parser { tokens, names: &self.names, modulus, depth: 0 };
        let value = parser.equation()?;
        if let [unexpected, ..] = parser.tokens {
            return Err(format!("unexpected {unexpected}"));
        }
        let Some(name) = target else { return Ok(value.to_string()) };
        let indent = format!("\n{}", " ".repeat(name.len() + 3));
        let shown = format!("{name} = {}", value.to_string().replace('\n', &indent));
        self.names.insert(name.to_owned(), value);
        Ok(shown)
    }
}

struct Parser<'a> {
    tokens: &'a [&'a str],
    names: &'a BTreeMap<String, Value>,
    modulus: Modulus,
    depth: usize,
}

impl<'a> Parser<'a> {
    /// Takes the next token if it is one of these.
    fn take(&mut self, wanted: &[&str]) -> Option<&'a str> {
        let (first, rest) = self.tokens.split_first()?;
        wanted.contains(first).then(|| {
            self.tokens = rest;
            *first
        })
    }

    fn equation(&mut self) -> Answer {
        let left = self.sum()?;
        if self.take(&["=="]).is_none() {
            return Ok(left);
        }
        left.equals(&self.sum()?)
    }

    fn sum(&mut self) -> Answer {
        let mut value = self.product()?;
        while let Some(operator) = self.take(&["+", "-"]) {
            value = value.combine(if operator == "+" { '+' } else { '-' }, self.product()?)?;
        }
        Ok(value)
    }

    fn product(&mut self) -> Answer {
        let mut value = self.power()?;
        while let Some(operator) = self.take(&["*", "/"]) {
            value = value.combine(if operator == "*" { '*' } else { '/' }, self.power()?)?;
        }
        Ok(value)
    }

    fn power(&mut self) -> Answer {
        if self.take(&["-"]).is_some() {
            return self.deeper(Self::power)?.negate();
        }
        let base = self.atom()?;
        if self.take(&["^"]).is_none() {
            return Ok(base);
        }
        let (exponent, rest) = self.tokens.split_first().ok_or("an exponent is missing")?;
        let exponent: FieldElement =
            exponent.parse().map_err(|_| format!("{exponent}: an exponent is a whole number below p"))?;
        self.tokens = rest;
        base.power(exponent.limbs())
    }

    /// What a function is applied to.
    fn argument(&mut self) -> Answer {
        if self.take(&["-"]).is_some() { self.atom()?.negate() } else { self.atom() }
    }

    /// Parses a part, unless it lies too deep.
    fn deeper(&mut self, part: fn(&mut Self) -> Answer) -> Answer {
        if self.depth == DEEPEST {
            return Err("nested too deeply".to_owned());
        }
        self.depth += 1;
        let value = part(self);
        self.depth -= 1;
        value
    }

    fn atom(&mut self) -> Answer {
        let (first, rest) = self.tokens.split_first().ok_or("something is missing at the end")?;
        self.tokens = rest;
        match *first {
            "(" => {
                let value = self.deeper(Self::equation)?;
                self.take(&[")"]).map(|_| value).ok_or_else(|| "a parenthesis is not closed".to_owned())
            }
            number if number.starts_with(|first: char| first.is_ascii_digit()) => Value::number(number, self.modulus),
            function if Value::FUNCTIONS.contains(&function) => self.deeper(Self::argument)?.apply(function),
            name if is_name(name) => self.names.get(name).cloned().ok_or_else(|| format!("{name} has no value yet")),
            other => Err(format!("unexpected {other}")),
        }
    }
}

fn is_name(token: &str) -> bool {
    token.starts_with(|first: char| first.is_alphabetic() || first == '_')
}

/// Words, numbers and signs; blanks separate and mean nothing else.
fn tokens(line: &str) -> Result<Vec<&str>, String> {
    let mut tokens = Vec::new();
    let mut rest = line.trim_start();
    while let Some(first) = rest.chars().next() {
        let word = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let length = if word > 0 {
            word
        } else if rest.starts_with("==") {
            2
        } else if "+-*/^()=".contains(first) {
            1
        } else {
            return Err(format!("{first} backend_and_threads nothing here"));
        };
        let (token, after) = rest.split_at(length);
        tokens.push(token);
        rest = after.trim_start();
    }
    Ok(tokens)
}
