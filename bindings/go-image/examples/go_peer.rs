//! Today's library as a peer of the Go module, whose image may be older.
//!
//! ```text
//! go_peer corpus N   writes N random rows of every operation, right and wrong, with the library's verdicts and outputs
//! ```

use phalanx::{
    Error, Keypair, LowS, PublicKey, PublicKeyRef, SecretKey, Verdict, XOnlyKeyRef,
    bindings::{CacheLine, Column, OneThread, payments as silent},
    children::{Child, Parent, PayloadKind},
    ecdh,
    ecdsa::{self, RecoverRow, Row, SignatureRef},
    hash::sha256,
    schnorr,
};
use phalanx_ethereum::senders_in_columns;
use std::{fmt::Write as _, io::Write as _, slice::from_ref};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["corpus", rows] => corpus(rows.parse().expect("a number of rows")),
        _ => panic!("go_peer corpus N"),
    }
}

/// Numbers that a seed gives again.
struct Draws([u8; 32]);

impl Draws {
    fn word(&mut self) -> [u8; 32] {
        self.0 = sha256(&self.0);
        let mut word = sha256(&[&self.0[..], b"word"].concat());
        // Half of the words are near an edge: zero, the order, the prime, 2^256.
        const EDGES: [[u128; 2]; 4] = [
            [0, 0],
            [0xffff_ffff_ffff_ffff_ffff_ffff_ffff_fffe, 0xbaae_dce6_af48_a03b_bfd2_5e8c_d036_4141],
            [u128::MAX, 0xffff_ffff_ffff_ffff_ffff_fffe_ffff_fc2f],
            [u128::MAX, u128::MAX],
        ];
        if self.0[0] & 1 == 0 {
            let [high, low] = EDGES[usize::from(self.0[1] & 3)];
            word[..16].copy_from_slice(&high.to_be_bytes());
            word[16..].copy_from_slice(&low.wrapping_add(u128::from(self.0[2] & 3)).wrapping_sub(1).to_be_bytes());
        }
        word
    }

    fn below(&mut self, bound: u8) -> u8 {
        self.0 = sha256(&self.0);
        self.0[3] % bound
    }

    fn secret(&mut self) -> SecretKey {
        loop {
            if let Ok(secret) = SecretKey::from_bytes(&self.word()) {
                return secret;
            }
        }
    }

    /// The bytes with something wrong, or nothing.
    fn changed(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut bytes = bytes.to_vec();
        match self.below(6) {
            0 => {
                let at = usize::from(self.below(255)) % bytes.len();
                bytes[at] ^= 1 << self.below(8);
            }
            1 => {
                let word = self.word();
                let at = bytes.len() - 32;
                bytes[at..].copy_from_slice(&word);
            }
            2 => bytes[0] = self.below(9),
            _ => {}
        }
        bytes
    }
}

/// A line: the operation, its inputs, the verdict, the output.
fn line(operation: &str, inputs: &[&[u8]], verdict: Verdict, output: &[u8]) -> String {
    let mut line = operation.to_owned();
    let mut push = |bytes: &[u8]| {
        line.push(' ');
        bytes.iter().for_each(|byte| write!(line, "{byte:02x}").expect("text"));
        if bytes.is_empty() {
            line.push('-');
        }
    };
    inputs.iter().for_each(|bytes| push(bytes));
    push(output);
    format!("{line} {verdict}")
}

fn answer<T>(found: Result<T, Error>, bytes: impl Fn(&T) -> Vec<u8>) -> (Verdict, Vec<u8>) {
    match found {
        Ok(value) => (Verdict::Valid, bytes(&value)),
        Err(error) => (Verdict::from(error), Vec::new()),
    }
}

/// The verdict of a row, and its sender's address.
fn sender(signing_hash: &[u8; 32], signature: &[u8; 64], parity: [u8; 1], low_s: LowS) -> (Verdict, Vec<u8>) {
    let columns = [Column::of(from_ref(signing_hash)), Column::of(from_ref(signature)), Column::of(from_ref(&parity))];
    let mut memory = vec![CacheLine([0; 8]); OneThread::PORTABLE.workspace_lines()];
    let (mut verdict, mut found) = ([Verdict::InvalidSignature], Vec::new());
    let answer = |_, address: &[u8; 20]| found = address.to_vec();
    senders_in_columns(OneThread::PORTABLE, &columns, low_s, &mut verdict, &mut memory, answer).expect("columns");
    (verdict[0], found)
}

fn corpus(rows: usize) {
    let mut draws = Draws(sha256(b"go_peer"));
    let mut out = std::io::stdout().lock();
    for _ in 0..rows {
        let (secret, digest) = (draws.secret(), draws.word());
        let pair = Keypair::from_secret(secret.clone());
        let (signed, id) = ecdsa::sign_recoverable(&digest, &secret);
        let key = pair.public_key();
        let other = if draws.below(4) == 0 { draws.word() } else { digest };
        let signature = draws.changed(&signed.to_compact());
        let (compressed, uncompressed) = (key.to_bytes(), key.to_bytes_uncompressed());
        let whole = if draws.below(2) == 0 { &compressed[..] } else { &uncompressed[..] };
        let encoded = draws.changed(whole);
        let mut put = |operation: &str, inputs: &[&[u8]], (verdict, output): (Verdict, Vec<u8>)| {
            writeln!(out, "{}", line(operation, inputs, verdict, &output)).expect("a reader");
        };
        for (name, low_s) in [("verify_low", LowS::Require), ("verify", LowS::Allow)] {
            let row = Row {
                digest: &other,
                signature: SignatureRef::Compact(&signature),
                public_key: PublicKeyRef::Encoded(&encoded),
            };
            put(name, &[&other, &signature, &encoded], (ecdsa::verify_row(&row, low_s), Vec::new()));
        }
        let recovery_id = id.to_u8() ^ (draws.below(8) / 2);
        let row = RecoverRow { digest: &other, signature: SignatureRef::Compact(&signature), recovery_id };
        let found = answer(ecdsa::recover_row(&row), |key| key.to_bytes().to_vec());
        put("recover", &[&other, &signature, &[recovery_id]], found);
        for (name, low_s) in [("senders_low", LowS::Require), ("senders", LowS::Allow)] {
            let compact = signature[..].try_into().expect("64 bytes");
            put(name, &[&other, &signature, &[recovery_id]], sender(&other, compact, [recovery_id], low_s));
        }
        let message = &sha256(&digest)[..usize::from(draws.below(33))];
        let made = draws.changed(&schnorr::sign(message, &pair, &digest).to_bytes());
        let x = draws.changed(&key.to_bytes()[1..]);
        let row = schnorr::Row { message, signature: &made, public_key: XOnlyKeyRef::Encoded(&x) };
        put("schnorr", &[message, &made, &x], (schnorr::verify_row(&row), Vec::new()));
        let number = draws.word();
        let any = SecretKey::from_bytes(&number);
        let found = answer(any.clone(), |secret| ecdsa::sign(&digest, secret).to_compact().to_vec());
        put("sign", &[&digest, &number], found);
        let found = answer(any.clone(), |secret| {
            schnorr::sign(message, &Keypair::from_secret(secret.clone()), &digest).to_bytes().to_vec()
        });
        put("schnorr_sign", &[message, &number, &digest], found);
        let found = answer(any, |secret| ecdh::shared_secret(&key, secret).to_vec());
        put("ecdh", &[&key.to_bytes(), &number], found);
        let (code, index) = (sha256(&other), u32::from_be_bytes([draws.below(200), 1, draws.below(255), 7]));
        let whole_child = |child: &Child| {
            let payload = child.payload.as_bytes();
            let zeros = &[0; 32][payload.len()..];
            [&child.public_key.to_bytes_uncompressed()[..], &child.chain_code, payload, zeros].concat()
        };
        for (number, kind) in (0..).zip(PayloadKind::ALL) {
            let child =
                PublicKey::from_bytes(&encoded).and_then(|parent| Parent::new(parent, &code).child(index, kind));
            put("child", &[&encoded, &code, &index.to_be_bytes(), &[number]], answer(child, whole_child));
        }
        let tweak = |tweak: &SecretKey| tweak.to_bytes().to_vec();
        let scan = SecretKey::from_bytes(&number);
        let found = scan.clone().and_then(|scan| silent::label_tweak(&scan, index));
        put("silent_label", &[&number, &index.to_be_bytes()], answer(found, tweak));
        let row = silent::Row { tweak_point: &encoded, outputs: silent::Outputs::Keys(&[]) };
        let shared =
            |point: PublicKey, scan: SecretKey| point.tweak_mul(&scan.to_bytes()).map(|point| point.to_bytes());
        let found = row.point().and_then(|point| shared(point, scan?)).and_then(|it| silent::output_tweak(&it, index));
        put("silent_tweak", &[&encoded, &number, &index.to_be_bytes()], answer(found, tweak));
        let der = draws.changed(&signed.to_der());
        let compact = |signature: &ecdsa::Signature| signature.to_compact().to_vec();
        put("der", &[&der], answer(ecdsa::Signature::from_der(&der), compact));
        put("der_lax", &[&der], answer(ecdsa::Signature::from_der_lax(&der), compact));
        put("key", &[&encoded], answer(PublicKey::from_bytes(&encoded), |key| key.to_bytes().to_vec()));
    }
}
