//! Inputs with a signature that holds, of every hash type, with code separators and annexes. What is signed is asked of
//! ours: if that is wrong, the kernel finds that the signature does not hold.

use crate::{
    draw::Draw,
    kernel,
    scripts::{ANNEX, OP_1, commitment, push},
    spending::Spending,
};
use phalanx::{Keypair, SecretKey, ecdsa, hash::sha256, schnorr};
use phalanx_bitcoin::{Check, CheckRow, Transaction, Verifier};

const OP_CHECKSIG: u8 = 0xac;
const OP_CODESEPARATOR: u8 = 0xab;

/// The default of Taproot; all, none and one output; with this input alone; types that only old rules take.
const HASH_TYPES: [u8; 9] = [0x00, 0x01, 0x02, 0x03, 0x81, 0x82, 0x83, 0x41, 0xff];

/// Where the key stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// In the output, as it is.
    Legacy,
    /// In the script of a witness of version 0.
    Witness,
    /// It is Taproot's output key.
    OutputKey,
    /// In a tapscript.
    Tapscript,
}

/// An input with room for a signature.
struct Form {
    place: Place,
    spent: Vec<u8>,
    /// What follows the signature in the witness.
    rest: Vec<Vec<u8>>,
}

impl Form {
    /// One with this key.
    fn new(key: &[u8; 33], draw: &mut Draw) -> Self {
        let place = draw.of(&[Place::Legacy, Place::Witness, Place::OutputKey, Place::Tapscript]);
        let key = if place == Place::Tapscript { &key[1..] } else { &key[..] };
        let separators = [draw.below(2), draw.below(2)].map(|count| vec![OP_CODESEPARATOR; count]);
        let script = [&separators[0][..], &push(key), &[OP_CHECKSIG], &separators[1]].concat();
        let (spent, mut rest) = match place {
            Place::Legacy => (script, Vec::new()),
            Place::Witness => ([&[0, 32][..], &sha256(&script)].concat(), vec![script]),
            Place::OutputKey => ([&[OP_1, 32][..], &key[1..]].concat(), Vec::new()),
            Place::Tapscript => {
                let (output_key, control) = commitment(&script, draw);
                ([&[OP_1, 32][..], &output_key].concat(), vec![script, control])
            }
        };
        if matches!(place, Place::OutputKey | Place::Tapscript) && draw.below(2) == 0 {
            let count = draw.below(300);
            rest.push([&[ANNEX][..], &draw.bytes(count)].concat());
        }
        Self { place, spent, rest }
    }

    /// Puts the signature into the input.
    fn fill(&self, spending: &mut Spending, input: usize, signature: Vec<u8>) {
        let own = &mut spending.inputs[input];
        (own.script, own.witness) = match self.place {
            Place::Legacy => (push(&signature), Vec::new()),
            _ => (Vec::new(), [vec![signature], self.rest.clone()].concat()),
        };
        spending.spent[input].script = self.spent.clone().into();
    }

    /// A signature of a digest with its hash type.
    fn sign(&self, digest: &[u8; 32], secret: &SecretKey, hash_type: u8) -> Vec<u8> {
        match self.place {
            Place::Legacy | Place::Witness => [&ecdsa::sign(digest, secret).to_der()[..], &[hash_type]].concat(),
            Place::OutputKey | Place::Tapscript => {
                let pair = Keypair::from_secret(secret.clone());
                let mut signature = schnorr::sign(digest, &pair, &[0; 32]).to_bytes().to_vec();
                signature.extend((hash_type != 0).then_some(hash_type));
                signature
            }
        }
    }
}

/// Gives an input a signature that holds, if there is something to sign.
pub(crate) fn replace(spending: &mut Spending, input: usize, verifier: &Verifier, draw: &mut Draw) {
    let secret = SecretKey::from_bytes(&[9; 32]).expect("in range");
    let form = Form::new(&secret.public_key().to_bytes(), draw);
    let hash_type = draw.of(&HASH_TYPES);
    form.fill(spending, input, form.sign(&[1; 32], &secret, hash_type));
    if let Some(digest) = asked(spending, input, verifier) {
        form.fill(spending, input, form.sign(&digest, &secret, hash_type));
    }
}

/// The digest of the last signature that the input's scripts ask for.
pub(crate) fn asked(spending: &Spending, input: usize, verifier: &Verifier) -> Option<[u8; 32]> {
    let mut asked = None;
    let each = |row: CheckRow<'_>| match row.check {
        Check::Ecdsa { digest, .. } | Check::Schnorr { digest, .. } if row.input == input => asked = Some(*digest),
        _ => {}
    };
    let bytes = spending.encoded();
    let transaction = Transaction::decode(&bytes).ok()?;
    verifier.verify_transaction(&transaction, &spending.spent, kernel::today(), each).ok()?;
    asked
}
