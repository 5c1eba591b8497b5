//! No single operation allocates; bulk calls report what they do, with `--nocapture`.

use crate::counting::counted;
use phalanx::{
    Backend, Bulk, Keypair, LowS, PublicKey, PublicKeyRef, SecretKey, Verdict, XOnlyKeyRef, XOnlyPublicKey,
    bindings::{CacheLine, Column, ColumnOptions, EcdsaColumns, OneThread, Operation, SchnorrColumns},
    ecdh,
    ecdsa::{self, SignatureRef},
    hash, schnorr,
};
use std::{
    fmt::{self, Write},
    hint::black_box,
};

/// Allocations and bytes of one call, after a first one that may set up what is kept for good.
fn asked<T>(mut operation: impl FnMut() -> T) -> (usize, usize) {
    drop(black_box(operation()));
    counted(|| drop(black_box(operation()))).1
}

/// Text on the stack.
struct Page([u8; 256], usize);

impl Write for Page {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = self.1 + text.len();
        self.0.get_mut(self.1..end).ok_or(fmt::Error)?.copy_from_slice(text.as_bytes());
        self.1 = end;
        Ok(())
    }
}

fn printed(value: impl fmt::Display + fmt::Debug) -> (usize, usize) {
    asked(|| {
        let mut page = Page([0; 256], 0);
        write!(page, "{value}")?;
        let mut page = Page([0; 256], 0);
        write!(page, "{value:?}")
    })
}

#[test]
fn single_operations_do_not_allocate() {
    let digest = &[7; 32];
    let secret = &SecretKey::from_bytes(&[0x11; 32]).unwrap();
    let pair = &Keypair::from_secret(secret.clone());
    let (public, x_only) = (&pair.public_key(), &pair.x_only());
    let (signature, id) = &ecdsa::sign_recoverable(digest, secret);
    let (compact, der) = (signature.to_compact(), signature.to_der());
    let (short, long, narrow) = (public.to_bytes(), public.to_bytes_uncompressed(), x_only.to_bytes());
    let schnorr_signature = &schnorr::sign(digest, pair, digest);
    let schnorr_bytes = schnorr_signature.to_bytes();
    let (signature_ref, public_key) = (SignatureRef::Der(&der), PublicKeyRef::Encoded(&short));
    let row = ecdsa::Row { digest, signature: signature_ref, public_key };
    let recover_row = ecdsa::RecoverRow { digest, signature: signature_ref, recovery_id: id.to_u8() };
    let schnorr_row =
        schnorr::Row { message: digest, signature: &schnorr_bytes, public_key: XOnlyKeyRef::Encoded(&narrow) };
    let (public_text, secret_text) = (public.to_string(), "11".repeat(32));

    let figures = [
        ("SecretKey::from_bytes", asked(|| SecretKey::from_bytes(digest))),
        ("SecretKey::random", asked(SecretKey::random)),
        ("SecretKey::from_str", asked(|| secret_text.parse::<SecretKey>())),
        ("SecretKey::public_key", asked(|| secret.public_key())),
        ("SecretKey::tweak_add", asked(|| secret.tweak_add(digest))),
        ("SecretKey::tweak_mul", asked(|| secret.tweak_mul(digest))),
        ("PublicKey::from_bytes, 33 bytes", asked(|| PublicKey::from_bytes(&short))),
        ("PublicKey::from_bytes, 65 bytes", asked(|| PublicKey::from_bytes(&long))),
        ("PublicKey::from_str", asked(|| public_text.parse::<PublicKey>())),
        ("PublicKey::tweak_add", asked(|| public.tweak_add(digest))),
        ("PublicKey::tweak_mul", asked(|| public.tweak_mul(digest))),
        ("PublicKey::combine", asked(|| PublicKey::combine_keys(&[*public, *public]))),
        ("PublicKey, printed", printed(public)),
        ("XOnlyPublicKey::from_bytes", asked(|| XOnlyPublicKey::from_bytes(&narrow))),
        ("XOnlyPublicKey::taproot_tweak", asked(|| x_only.taproot_tweak(Some(digest)))),
        ("Keypair::from_secret", asked(|| Keypair::from_secret(secret.clone()))),
        ("Keypair::taproot_tweak", asked(|| pair.taproot_tweak(None))),
        ("ecdsa::sign", asked(|| ecdsa::sign(digest, secret))),
        ("ecdsa::sign_with_entropy", asked(|| ecdsa::sign_with_entropy(digest, secret, digest))),
        ("ecdsa::sign_recoverable", asked(|| ecdsa::sign_recoverable(digest, secret))),
        ("ecdsa::sign_checked", asked(|| ecdsa::sign_checked(digest, pair))),
        ("ecdsa::verify", asked(|| ecdsa::verify(digest, signature, public, LowS::Require))),
        ("ecdsa::verify_row", asked(|| ecdsa::verify_row(&row, LowS::Require))),
        ("ecdsa::recover", asked(|| ecdsa::recover(digest, signature, *id))),
        ("ecdsa::recover_row", asked(|| ecdsa::recover_row(&recover_row))),
        ("ecdsa::Signature::from_compact", asked(|| ecdsa::Signature::from_compact(&compact))),
        ("ecdsa::Signature::from_der", asked(|| ecdsa::Signature::from_der(&der))),
        ("ecdsa::Signature::from_der_lax", asked(|| ecdsa::Signature::from_der_lax(&der))),
        ("ecdsa::Signature::to_der", asked(|| signature.to_der())),
        ("ecdsa::Signature, printed", printed(signature)),
        ("schnorr::sign", asked(|| schnorr::sign(&[1; 100], pair, digest))),
        ("schnorr::sign_checked", asked(|| schnorr::sign_checked(digest, pair, digest))),
        ("schnorr::verify", asked(|| schnorr::verify(digest, schnorr_signature, x_only))),
        ("schnorr::verify_row", asked(|| schnorr::verify_row(&schnorr_row))),
        ("ecdh::shared_secret", asked(|| ecdh::shared_secret(public, secret))),
        ("ecdh::shared_x", asked(|| ecdh::shared_x(public, secret))),
        ("hash::TaggedHash::hash", asked(|| hash::TaggedHash::new(b"tag").hash(&[digest, &[1; 100]]))),
    ];
    println!("{:34} {:>11} {:>7}", "one operation", "allocations", "bytes");
    for (operation, (count, bytes)) in figures {
        println!("{operation:34} {count:>11} {bytes:>7}");
    }
    for (operation, figures) in figures {
        assert_eq!(figures, (0, 0), "{operation} allocates");
    }
}

/// Bulk calls in the caller's memory, and those whose memory a thread keeps.
#[test]
fn bulk_calls_allocate_their_answers_at_most() {
    const ROWS: usize = 300;
    let secrets: Vec<_> = (1..=ROWS).map(|i| SecretKey::from_bytes(&hash::sha256(&i.to_be_bytes())).unwrap()).collect();
    let pairs: Vec<_> = secrets.iter().cloned().map(Keypair::from_secret).collect();
    let digests = [[7; 32]; ROWS];
    let messages = digests.each_ref().map(|digest| &digest[..]);
    let publics: Vec<_> = secrets.iter().map(SecretKey::public_key).collect();
    let encoded: Vec<_> = publics.iter().map(PublicKey::to_bytes).collect();
    let recoverable: Vec<_> = secrets.iter().map(|secret| ecdsa::sign_recoverable(&[7; 32], secret)).collect();
    let (compact, ids): (Vec<_>, Vec<_>) =
        recoverable.iter().map(|(signature, id)| (signature.to_compact(), [id.to_u8()])).unzip();
    let schnorr_signatures: Vec<_> = pairs.iter().map(|pair| schnorr::sign(&[7; 32], pair, &[7; 32])).collect();
    let schnorr_bytes: Vec<_> = schnorr_signatures.iter().map(schnorr::Signature::to_bytes).collect();
    let x_only: Vec<_> = pairs.iter().map(|pair| pair.x_only().to_bytes()).collect();
    let columns = [Column::of(&digests), Column::of(&compact), Column::of(&encoded)];
    let columns = EcdsaColumns::new(columns[0], columns[1], columns[2]).unwrap();
    let schnorr_columns = [Column::of(&digests), Column::of(&schnorr_bytes), Column::of(&x_only)];
    let schnorr_columns = SchnorrColumns::new(schnorr_columns[0], schnorr_columns[1], schnorr_columns[2]).unwrap();
    let mut verdicts = [Verdict::Valid; ROWS];
    let secret_bytes: Vec<_> = secrets.iter().map(SecretKey::to_bytes).collect();
    let (digest_column, secret_column) = (Column::of(&digests), Column::of(&secret_bytes));
    for backend in Backend::available() {
        let one = OneThread::of(*backend).unwrap();
        let most = one.workspace_lines();
        let memory = &mut vec![CacheLine([0; 8]); most][..];
        let bulk = Bulk::builder().backend(*backend).threads(1).build().unwrap();
        for (operation, figures) in [
            ("Bulk::verify_ecdsa_into", asked(|| bulk.verify_ecdsa_into(columns, LowS::Require, &mut verdicts))),
            ("Bulk::verify_schnorr_into", asked(|| bulk.verify_schnorr_into(schnorr_columns, &mut verdicts))),
        ] {
            assert_eq!(figures, (0, 0), "{operation} allocates on {backend}");
        }
        println!("{:34} {:>11} {:>11}", format!("{ROWS} rows on {backend}"), "allocations", "bytes a row");
        for (operation, (count, bytes)) in [
            ("Bulk::public_keys", asked(|| bulk.public_keys(&secrets))),
            ("Bulk::sign_ecdsa", asked(|| bulk.sign_ecdsa(&digests, &secrets))),
            ("Bulk::sign_schnorr", asked(|| bulk.sign_schnorr(&messages, &pairs, &digests))),
            ("Bulk::shared_secrets", asked(|| bulk.shared_secrets(&publics, &secrets))),
        ] {
            println!("{operation:34} {count:>11} {:>11}", bytes / ROWS);
            assert!(count < ROWS / 8, "{operation} allocates row by row");
        }
        for (operation, columns) in [
            (Operation::VerifyEcdsa, &[digest_column, Column::of(&compact), Column::of(&encoded)][..]),
            (Operation::VerifySchnorr, &[digest_column, Column::of(&schnorr_bytes), Column::of(&x_only)]),
            (Operation::Recover, &[digest_column, Column::of(&compact), Column::of(&ids)]),
            (Operation::TweakAddPublic, &[Column::of(&encoded), secret_column]),
            (Operation::PublicKeys, &[secret_column]),
            (Operation::SignEcdsa, &[digest_column, secret_column]),
            (Operation::SignSchnorr, &[digest_column, secret_column, digest_column]),
            (Operation::SharedSecrets, &[Column::of(&encoded), secret_column]),
            (Operation::Decompress, &[Column::of(&encoded)]),
        ] {
            let options = ColumnOptions::default();
            let call = || one.in_columns(operation, columns, options, &mut verdicts, memory, |_, _, _| ());
            assert_eq!(asked(call), (0, 0), "{operation:?} in columns allocates on {backend}");
        }
        println!("{backend}: a workspace of {most} lines, {} KiB", most / 16);
    }
}
