//! Spent outputs in JSON: an array of objects, each with `value` and `script_pubkey`, or with both in `txout`.

use std::borrow::Cow;
use std::fmt;

use phalanx_bitcoin::Output;
use serde::Deserialize;
use serde::de::{DeserializeSeed, Error, IgnoredAny, SeqAccess, Visitor};

/// An element of the array. Other members are passed over.
#[derive(Deserialize)]
struct SpentElement<'j> {
    #[serde(borrow)]
    txout: Option<SpentOutput<'j>>,
    value: Option<u64>,
    #[serde(borrow)]
    script_pubkey: Option<Cow<'j, str>>,
}

#[derive(Deserialize)]
struct SpentOutput<'j> {
    value: Option<u64>,
    #[serde(borrow)]
    script_pubkey: Option<Cow<'j, str>>,
}

/// Reads as many elements as are wanted, and fails at the next.
struct Elements {
    wanted: usize,
}

/// The outputs of a block with so many inputs that spend something. No more of them are kept.
pub(crate) fn outputs(text: &[u8], wanted: usize) -> Result<Vec<Output<'static>>, String> {
    let mut reader = serde_json::Deserializer::from_slice(text);
    let outputs = Elements { wanted }.deserialize(&mut reader).map_err(|error| error.to_string())?;
    reader.end().map_err(|error| error.to_string())?;
    Ok(outputs)
}

impl<'j> DeserializeSeed<'j> for Elements {
    type Value = Vec<Output<'static>>;

    fn deserialize<D: serde::Deserializer<'j>>(self, reader: D) -> Result<Self::Value, D::Error> {
        reader.deserialize_seq(self)
    }
}

impl<'j> Visitor<'j> for Elements {
    type Value = Vec<Output<'static>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of spent outputs")
    }

    fn visit_seq<A: SeqAccess<'j>>(self, mut elements: A) -> Result<Self::Value, A::Error> {
        let mut outputs = Vec::new();
        while outputs.len() < self.wanted {
            let Some(element) = elements.next_element::<SpentElement<'j>>()? else { return Ok(outputs) };
            let (value, script) = match element.txout {
                Some(output) => (output.value, output.script_pubkey),
                None => (element.value, element.script_pubkey),
            };
            let both = value.zip(script.and_then(|script| const_hex::decode(script.as_bytes()).ok()));
            let lacking =
                || A::Error::custom(format!("output {} has no value, or no script_pubkey in hex", outputs.len()));
            let (value, script) = both.ok_or_else(lacking)?;
            outputs.push(Output { value, script: script.into() });
        }
        match elements.next_element::<IgnoredAny>()? {
            Some(IgnoredAny) => Err(A::Error::custom(format!("there are more than {} spent outputs", self.wanted))),
            None => Ok(outputs),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_is_read_than_a_block_spends() {
        let one = r#"{"value":7,"script_pubkey":"51","height":[1,{}]}"#;
        let other = r#"{"txout":{"value":8,"script_pubkey":""},"value":"x"}"#;
        let text = format!("[{one},{}]", other.replace(r#","value":"x""#, ""));
        let read = |text: &str, wanted| outputs(text.as_bytes(), wanted);
        let found: Vec<_> =
            read(&text, 2).unwrap().into_iter().map(|output| (output.value, output.script.len())).collect();
        assert_eq!(found, [(7, 1), (8, 0)]);
        assert_eq!(read(&text, 3).unwrap().len(), 2);
        // What comes behind one too many is not looked at.
        let long = format!("[{one},{one},{one},{}", "no JSON".repeat(1000));
        assert!(read(&long, 2).unwrap_err().starts_with("there are more than 2 spent outputs"));
        for wrong in [&text[1..], "[{}]", "[7]", r#"[{"value":-1,"script_pubkey":""}]"#, "[] []", other] {
            assert!(read(wrong, 2).is_err(), "{wrong}");
        }
    }
}
