//! What is asked of a library, as a value and as text.
//!
//! The text form is one `key=value` a line, so that a peer in any language reads it with a few lines of code.

use crate::op::Op;
use core::fmt::Write;

/// Whether scheme inputs reach the timed part as bytes or as the library's own types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Inputs {
    /// Bytes, parsed in the timed part.
    Encoded,
    /// Parsed in the untimed part.
    Parsed,
}

impl Inputs {
    /// The name in requests and records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Encoded => "encoded",
            Self::Parsed => "parsed",
        }
    }
}

/// The order of dependence among arithmetic rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Every row by itself: throughput.
    Stream,
    /// `lanes` chains; chain `l` starts from row `l` and takes its further operands from rows `l, l + lanes, ...` in
    /// turn, each step from the one before: latency. The results are the `lanes` last values.
    Chain,
}

/// What becomes of tables of keys that a library makes for keys that repeat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tables {
    /// They stay from run to run, as the library keeps them.
    Kept,
    /// Every bulk call makes those it wants anew.
    Fresh,
    /// None are made.
    Without,
}

impl Tables {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Kept, Self::Fresh, Self::Without];

    /// The name in requests and records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Kept => "kept",
            Self::Fresh => "fresh",
            Self::Without => "without",
        }
    }

    /// The one of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tables| tables.name() == name)
    }
}

/// What a run is timed by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clock {
    /// Time as it passes.
    Wall,
    /// The time that the process had a CPU, all its threads together: with one thread at work the same as time that
    /// passes, less what other processes took on a busy machine.
    Cpu,
}

impl Clock {
    /// The name in requests and records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Wall => "wall",
            Self::Cpu => "cpu",
        }
    }
}

/// One job: `rows` rows of `op`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The operation.
    pub op: Op,
    /// Rows in the input block.
    pub rows: usize,
    /// Rows computed together: the `n` of a bulk call, a sum or a batch; 1 for one call at a time.
    pub group: usize,
    /// Threads to use.
    pub threads: usize,
    /// Lanes to use in arithmetic; a library without lanes computes them one after the other.
    pub lanes: usize,
    /// One call a row, through the library's call for single items.
    pub single: bool,
    /// The form of scheme inputs.
    pub inputs: Inputs,
    /// The order of dependence of arithmetic rows.
    pub shape: Shape,
    /// The clock of runs.
    pub clock: Clock,
    /// A backend by name, where the library has several and one is to be forced.
    pub backend: Option<String>,
    /// What becomes of tables of keys, where a library makes such.
    pub tables: Tables,
    /// A technique that is to be left out, by the library's name for it.
    pub without: Option<String>,
}

impl Request {
    /// A request for `rows` independent rows on one thread, everything else as it usually is.
    pub const fn new(op: Op, rows: usize) -> Self {
        Self {
            op,
            rows,
            group: 1,
            threads: 1,
            lanes: 1,
            single: false,
            inputs: Inputs::Encoded,
            shape: Shape::Stream,
            clock: Clock::Wall,
            backend: None,
            tables: Tables::Kept,
            without: None,
        }
    }

    /// The text form.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        let shape = if self.shape == Shape::Chain { "chain" } else { "stream" };
        let _ = write!(
            text,
            "op={}\nrows={}\ngroup={}\nthreads={}\nlanes={}\nsingle={}\ninputs={}\nshape={shape}\nclock={}\n",
            self.op.name(),
            self.rows,
            self.group,
            self.threads,
            self.lanes,
            u8::from(self.single),
            self.inputs.name(),
            self.clock.name(),
        );
        if let Some(backend) = &self.backend {
            let _ = writeln!(text, "backend={backend}");
        }
        if self.tables != Tables::Kept {
            let _ = writeln!(text, "tables={}", self.tables.name());
        }
        if let Some(technique) = &self.without {
            let _ = writeln!(text, "without={technique}");
        }
        text
    }

    /// Reads the text form; the error says which line is not understood.
    pub fn from_text(text: &str) -> Result<Self, String> {
        let mut request = Self::new(Op::VerifyEcdsa, 0);
        let mut op = None;
        for line in text.lines() {
            let bad = || format!("request line not understood: {line}");
            let (key, value) = line.split_once('=').ok_or_else(bad)?;
            let number = || value.parse::<usize>().map_err(|_| bad());
            match key {
                "op" => op = Some(Op::from_name(value).ok_or_else(|| format!("no operation named {value}"))?),
                "rows" => request.rows = number()?,
                "group" => request.group = number()?,
                "threads" => request.threads = number()?,
                "lanes" => request.lanes = number()?,
                "single" => request.single = number()? != 0,
                "inputs" => request.inputs = if value == "parsed" { Inputs::Parsed } else { Inputs::Encoded },
                "shape" => request.shape = if value == "chain" { Shape::Chain } else { Shape::Stream },
                "clock" => request.clock = if value == "cpu" { Clock::Cpu } else { Clock::Wall },
                "backend" => request.backend = Some(value.to_owned()),
                "without" => request.without = Some(value.to_owned()),
                "tables" => request.tables = Tables::from_name(value).ok_or_else(bad)?,
                _ => return Err(bad()),
            }
        }
        request.op = op.ok_or("the request names no operation")?;
        Ok(request)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_form_reads_back() {
        let request = Request {
            group: 64,
            inputs: Inputs::Parsed,
            shape: Shape::Chain,
            clock: Clock::Cpu,
            backend: Some("portable".into()),
            tables: Tables::Fresh,
            without: Some("endomorphism".into()),
            ..Request::new(Op::Msm, 4096)
        };
        assert_eq!(Request::from_text(&request.to_text()), Ok(request));
        assert!(Request::from_text("rows=1\n").is_err());
        assert!(Request::from_text("op=verify-ecdsa\nrow=1\n").is_err());
    }
}
