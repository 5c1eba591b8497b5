//! Spent outputs in JSON: an array with an object for each, or, as Bitcoin Core's REST gives them, with an array of
//! objects for each transaction.

use std::borrow::Cow;
use std::fmt;

use phalanx_bitcoin::Output;
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeSeed, Error, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::amount::satoshis;

/// The most characters of a value that are repeated.
const SHOWN: usize = 40;

/// An output: satoshis and `script_pubkey`, or, as Bitcoin Core writes it, bitcoins and `scriptPubKey`. Other members
/// are passed over.
#[derive(Deserialize)]
pub(super) struct OutputMembers<'j> {
    #[serde(borrow)]
    value: Option<&'j RawValue>,
    #[serde(borrow)]
    script_pubkey: Option<Cow<'j, str>>,
    #[serde(borrow, rename = "scriptPubKey")]
    script: Option<ScriptMembers<'j>>,
}

#[derive(Deserialize)]
struct ScriptMembers<'j> {
    #[serde(borrow)]
    hex: Option<Cow<'j, str>>,
}

/// An element of the array, which may have its output in a member.
#[derive(Deserialize)]
struct SpentElement<'j> {
    #[serde(borrow)]
    txout: Option<OutputMembers<'j>>,
    #[serde(borrow)]
    value: Option<&'j RawValue>,
    #[serde(borrow)]
    script_pubkey: Option<Cow<'j, str>>,
    #[serde(borrow, rename = "scriptPubKey")]
    script: Option<ScriptMembers<'j>>,
}

impl OutputMembers<'_> {
    /// The output, or what is wrong with it.
    pub(super) fn output(self) -> Result<Output<'static>, String> {
        let value = self.value.map(RawValue::get).ok_or("no value")?;
        let shown = || value.chars().take(SHOWN).collect::<String>();
        let (script, value) = match (self.script_pubkey, self.script) {
            (Some(_), Some(_)) => return Err("both script_pubkey and scriptPubKey".into()),
            (Some(script), None) => {
                let number =
                    value.parse().map_err(|_| format!("value {}: expected a whole number of satoshis", shown()))?;
                (script, number)
            }
            (None, Some(ScriptMembers { hex: Some(script) })) => {
                let number = satoshis(value.trim_matches('"'));
                (script, number.ok_or_else(|| format!("value {}: expected bitcoins with at most 8 decimals", shown()))?)
            }
            (None, _) => return Err("neither script_pubkey nor scriptPubKey.hex".into()),
        };
        let script = const_hex::decode(script.as_bytes()).map_err(|error| format!("script: {error}"))?;
        Ok(Output { value, script: script.into() })
    }
}

/// The outputs that a block spends. `inputs` counts the inputs of each transaction after the coinbase; no more outputs
/// than that are kept.
pub(crate) fn outputs(text: &[u8], inputs: &[usize]) -> Result<Vec<Output<'static>>, String> {
    let mut reader = serde_json::Deserializer::from_slice(text);
    let mut elements = Elements { inputs, outputs: Vec::new() };
    (&mut elements).deserialize(&mut reader).map_err(|error| error.to_string())?;
    reader.end().map_err(|error| error.to_string())?;
    Ok(elements.outputs)
}

/// Reads as many outputs as are wanted, and fails at the next.
struct Elements<'i> {
    /// Of each transaction but the coinbase.
    inputs: &'i [usize],
    outputs: Vec<Output<'static>>,
}

impl<'j> DeserializeSeed<'j> for &mut Elements<'_> {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'j>>(self, reader: D) -> Result<(), D::Error> {
        reader.deserialize_seq(self)
    }
}

impl<'j> Visitor<'j> for &mut Elements<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of spent outputs")
    }

    fn visit_seq<A: SeqAccess<'j>>(self, mut elements: A) -> Result<(), A::Error> {
        let (mut number, mut lists) = (0, 0);
        let most = self.inputs.iter().fold(0_usize, |sum, inputs| sum.saturating_add(*inputs));
        while let Some(list) =
            elements.next_element_seed(ElementOf { elements: &mut *self, most, list: Some(number) })?
        {
            number += 1;
            lists += usize::from(list);
        }
        let transactions = self.inputs.len() + 1;
        match lists {
            0 => Ok(()),
            _ if lists < number => Err(A::Error::custom("outputs stand beside lists of outputs")),
            _ if lists < transactions => {
                Err(A::Error::custom(format!("{lists} transactions, and the block has {transactions}")))
            }
            _ => Ok(()),
        }
    }
}

/// Reads an element: an output, or all that a transaction spends.
struct ElementOf<'e, 'i> {
    elements: &'e mut Elements<'i>,
    /// How many outputs there may be when it is read.
    most: usize,
    /// The number of the transaction whose outputs a list holds. `None` inside such a list.
    list: Option<usize>,
}

impl<'j> DeserializeSeed<'j> for ElementOf<'_, '_> {
    /// Whether it is a list.
    type Value = bool;

    fn deserialize<D: serde::Deserializer<'j>>(self, reader: D) -> Result<bool, D::Error> {
        reader.deserialize_any(self)
    }
}

impl<'j> Visitor<'j> for ElementOf<'_, '_> {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.list.is_some() { "a spent output, or an array of them" } else { "a spent output" })
    }

    fn visit_map<A: MapAccess<'j>>(self, members: A) -> Result<bool, A::Error> {
        let outputs = &mut self.elements.outputs;
        if outputs.len() >= self.most {
            let said = if self.list.is_some() { "spent outputs" } else { "outputs up to this transaction's" };
            return Err(A::Error::custom(format!("there are more than {} {said}", self.most)));
        }
        let SpentElement { txout, value, script_pubkey, script } =
            SpentElement::deserialize(MapAccessDeserializer::new(members))?;
        let members = txout.unwrap_or(OutputMembers { value, script_pubkey, script });
        let place = outputs.len();
        outputs.push(members.output().map_err(|fault| A::Error::custom(format!("output {place}: {fault}")))?);
        Ok(false)
    }

    fn visit_seq<A: SeqAccess<'j>>(self, mut outputs: A) -> Result<bool, A::Error> {
        let Some(number) = self.list else {
            return Err(A::Error::custom("an array where an output is expected"));
        };
        let (elements, inputs) = (self.elements, self.most);
        // The first list is that of the coinbase, which spends nothing.
        let wanted = match number.checked_sub(1) {
            None => Some(0),
            Some(place) => elements.inputs.get(place).copied(),
        };
        let all = elements.inputs.len() + 1;
        let wanted = wanted.ok_or_else(|| A::Error::custom(format!("there are more than {all} transactions")))?;
        let most = elements.outputs.len().saturating_add(wanted).min(inputs);
        while outputs.next_element_seed(ElementOf { elements: &mut *elements, most, list: None })?.is_some() {}
        match most - elements.outputs.len() {
            0 => Ok(true),
            lacking => Err(A::Error::custom(format!(
                "transaction {number} spends {} outputs, and the block's has {wanted} inputs",
                wanted - lacking
            ))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, inputs: &[usize]) -> Result<Vec<(u64, usize)>, String> {
        let outputs = outputs(text.as_bytes(), inputs)?;
        Ok(outputs.into_iter().map(|output| (output.value, output.script.len())).collect())
    }

    #[test]
    fn no_more_is_read_than_a_block_spends() {
        let one = r#"{"value":7,"script_pubkey":"51","height":[1,{}]}"#;
        let other = r#"{"txout":{"value":8,"script_pubkey":""},"other":"x"}"#;
        let text = format!("[{one},{other}]");
        assert_eq!(read(&text, &[2]).unwrap(), [(7, 1), (8, 0)]);
        assert_eq!(read(&text, &[1, 2]).unwrap().len(), 2);
        // What comes behind one too many is not looked at.
        let long = format!("[{one},{one},{one},{}", "no JSON".repeat(1000));
        assert!(read(&long, &[1, 1]).unwrap_err().starts_with("there are more than 2 spent outputs"));
        for wrong in [
            &text[1..],
            "[{}]",
            "[7]",
            r#"[{"value":-1,"script_pubkey":""}]"#,
            r#"[{"value":1.0,"script_pubkey":""}]"#,
            r#"[{"value":1,"script_pubkey":"5"}]"#,
            r#"[{"value":1,"script_pubkey":"","scriptPubKey":{"hex":""}}]"#,
            r#"[{"value":1,"value":1,"script_pubkey":""}]"#,
            "[] []",
            other,
        ] {
            assert!(read(wrong, &[2]).is_err(), "{wrong}");
        }
    }

    #[test]
    fn outputs_of_transactions_are_those_of_the_rest_interface() {
        let one = |value: &str| format!(r#"{{"value":{value},"scriptPubKey":{{"asm":"1","hex":"51","type":"x"}}}}"#);
        let text = format!("[[],[{},{}],[{}]]", one("0.29"), one("1e-08"), one("\"50.00000000\""));
        let found = [(29_000_000, 1), (1, 1), (5_000_000_000, 1)];
        assert_eq!(read(&text, &[2, 1]).unwrap(), found);
        let flat = format!("[{},{},{}]", one("0.29"), one("1e-08"), one("50"));
        assert_eq!(read(&flat, &[3]).unwrap(), found);
        assert_eq!(read("[[]]", &[]).unwrap(), []);
        for (inputs, said) in [
            (&[1, 2][..], "there are more than 1 outputs up to this transaction's"),
            (&[3, 1], "transaction 1 spends 2 outputs, and the block's has 3 inputs"),
            (&[2], "there are more than 2 transactions"),
            (&[2, 1, 1], "3 transactions, and the block has 4"),
        ] {
            let error = read(&text, inputs).unwrap_err();
            assert!(error.starts_with(said), "{error}");
        }
        for (wrong, said) in [
            (
                text.replace("0.29", "0.123456789"),
                "output 0: value 0.123456789: expected bitcoins with at most 8 decimals",
            ),
            (text.replace("[[],", "[[],7,"), "invalid type: integer `7`, expected a spent output, or an array"),
            (text.replace("[[],", "[[[]],"), "an array where an output is expected"),
            (text.replace("]]", &format!("],{}]", one("1"))), "there are more than 3 spent outputs"),
            (format!("[[],[{}],{}]", one("1"), one("2")), "outputs stand beside lists of outputs"),
            (text.replace("\"hex\"", "\"asm2\""), "output 0: neither script_pubkey nor scriptPubKey.hex"),
        ] {
            let inputs: &[usize] = if wrong.matches("value").count() == 2 { &[1, 1] } else { &[2, 1] };
            let error = read(&wrong, inputs).unwrap_err();
            assert!(error.starts_with(said), "{wrong}: {error}");
        }
    }
}
