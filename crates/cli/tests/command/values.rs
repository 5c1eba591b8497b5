//! Values as programs write them: what can be nothing else is read, and what cannot be read is described.

use crate::files::hex;
use crate::rows::{Recoverable, recoverable, row};
use crate::running::{Run, directory, phalanx, phalanx_on, place};
use crate::shared::case;

fn pairs(bytes: &[u8], between: &str) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(between)
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let bits = chunk.iter().fold(0, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for place in 0..4 {
            text.push(match place <= chunk.len() {
                true => char::from(DIGITS[(bits >> (18 - 6 * place) & 63) as usize]),
                false => '=',
            });
        }
    }
    text
}

fn base64url(bytes: &[u8]) -> String {
    base64(bytes).replace('+', "-").replace('/', "_").trim_end_matches('=').to_owned()
}

/// As DuckDB casts a blob to text.
fn blob(bytes: &[u8]) -> String {
    let character = |byte: &u8| match byte {
        b'\\' | b'\'' | b'"' => format!("\\x{byte:02X}"),
        b' '..=b'~' => char::from(*byte).to_string(),
        _ => format!("\\x{byte:02X}"),
    };
    bytes.iter().map(character).collect()
}

fn verify(text: &str, options: &[&str]) -> Run {
    phalanx_on(text.as_bytes(), ["verify", "--json", "--format", "jsonl", "-"].iter().chain(options))
}

type Write = fn(&[u8]) -> String;

#[test]
fn every_form_of_bytes_is_read_in_every_column() {
    let forms: [(&str, Write); 9] = [
        ("0X", |bytes| format!("0X{}", hex(bytes).to_uppercase())),
        ("bytea", |bytes| format!("\\x{}", hex(bytes))),
        ("spaces around", |bytes| format!(" {} ", hex(bytes))),
        ("colons", |bytes| pairs(bytes, ":")),
        ("hyphens", |bytes| pairs(bytes, "-").to_uppercase()),
        ("spaces", |bytes| pairs(bytes, " ")),
        ("Base64", base64),
        ("Base64 for URLs", |bytes| base64url(bytes) + "=".repeat(bytes.len() * 2 % 3).as_str()),
        ("blobs", blob),
    ];
    // Compact keys and whole ones, DER, 64 and 65 bytes, and Schnorr.
    let signed: Vec<_> = (0..48).map(row).collect();
    for (form, write) in forms {
        let line = |row: &crate::rows::Signed| {
            let [digest, key, signature] = [&row.digest, &row.key, &row.signature].map(|bytes| write(bytes));
            serde_json::json!({ "messageHash": digest, "publicKey": key, "signature": signature }).to_string() + "\n"
        };
        let text: String = signed.iter().map(line).collect();
        let run = verify(&text, &[]);
        assert_eq!(run.summary()["valid"], 48, "{form}: {}", run.stderr);
    }
}

/// The number of 32 bytes in decimal.
fn decimal(bytes: &[u8]) -> String {
    let mut digits = vec![0_u32];
    for byte in bytes {
        let mut carry = u32::from(*byte);
        for digit in &mut digits {
            let part = *digit * 256 + carry;
            (*digit, carry) = (part % 10, part / 10);
        }
        while carry > 0 {
            digits.push(carry % 10);
            carry /= 10;
        }
    }
    digits.iter().rev().map(u32::to_string).collect()
}

#[test]
fn r_and_s_may_be_numbers() {
    let rows: Vec<Recoverable> = (0..40).map(recoverable).collect();
    let line = |row: &Recoverable, quote: &str| {
        let [r, s] = [&row.signature[..32], &row.signature[32..]].map(decimal);
        let (digest, key, v) = (hex(&row.digest), hex(&row.key), row.id);
        format!(
            "{{\"msg_hash\":\"{digest}\",\"pubkey\":\"{key}\",\"r\":{quote}{r}{quote},\"s\":{quote}{s}{quote},\"v\":{v}}}\n"
        )
    };
    for quote in ["\"", ""] {
        let text: String = rows.iter().map(|row| line(row, quote)).collect();
        verify(&text, &[]).expect(0).counts([40, 40, 0, 0]);
        phalanx_on(text.as_bytes(), ["recover", "--json", "-"]).expect(0).counts([40, 40, 0, 0]);
    }
    // 64 digits stay hex, and a number that JSON has rounded is refused.
    let text = line(&rows[0], "").replace(&decimal(&rows[0].signature[..32]), "2.8e76");
    assert!(verify(&text, &[]).expect(3).stderr.contains("r: wrong type: 6 characters"), "a rounded number");
    let digits = "12".repeat(32);
    let text = line(&rows[0], "\"").replace(&decimal(&rows[0].signature[..32]), &digits);
    verify(&text, &[]).expect(1).counts([1, 0, 1, 0]);
}

#[test]
fn a_key_that_lacks_its_prefix_is_described() {
    let row = recoverable(0);
    let whole = phalanx::PublicKey::from_bytes(&row.key).unwrap().to_bytes_uncompressed();
    let (digest, key) = (hex(&row.digest), hex(&whole[1..]));
    let text = format!("msg_hash,pubkey,sig\n{digest},{key},{}\n", hex(&row.with_id()));
    let says = format!(
        "bad_public_key: pubkey: 64 bytes, expected 33 or 65, begins with {}: a key without its 04?",
        &key[..8]
    );
    for command in ["verify", "recover"] {
        let run = phalanx_on(text.as_bytes(), [command, "--json", "-"]).expect(1);
        assert!(run.stderr.contains(&says), "{}", run.stderr);
    }
}

/// What is said of a row with these values.
#[track_caller]
fn said(values: &[(&str, &str)], says: &str) {
    let row = row(0);
    let mut line =
        serde_json::json!({ "msg_hash": hex(&row.digest), "pubkey": hex(&row.key), "sig": hex(&row.signature) });
    for (name, value) in values {
        line[*name] = serde_json::Value::from(*value);
    }
    let run = verify(&line.to_string(), &[]);
    assert!(run.stderr.contains(says) && run.status != 0, "{says}: {}", run.stderr);
}

#[test]
fn a_value_that_cannot_be_read_is_described() {
    let row = row(0);
    let (digest, key, der) = (hex(&row.digest), hex(&row.key), hex(&row.signature));
    for (values, says) in [
        (
            ("msg_hash", &digest[..62]),
            format!("msg_hash: wrong length: 31 bytes, expected 32, begins with {}", &digest[..8]),
        ),
        (("msg_hash", &digest[..63]), "msg_hash: not hex: 63 characters".into()),
        (("msg_hash", &digest[..63]), "63 hex digits, an odd number".into()),
        (("msg_hash", &base64(&row.digest[..31])), "Base64, of 31 bytes?".into()),
        (("msg_hash", &blob(&row.digest[..30])), "DuckDB's text of a blob, of 30 bytes?".into()),
        (("msg_hash", &digest.replacen(&digest[20..21], "g", 1)), "is not a hex digit".into()),
        (("msg_hash", "[1,2,3]"), "begins with `[1,2,3]`: a list of numbers?".into()),
        (("pubkey", &key[2..]), "pubkey: 32 bytes, expected 33 or 65: an x-only key".into()),
        (
            ("pubkey", &key[..60]),
            format!("bad_public_key: pubkey: 30 bytes, expected 33 or 65, begins with {}", &key[..8]),
        ),
        (("pubkey", &format!("02{}", "ff".repeat(32))), "pubkey: not a point of the curve".into()),
        (
            ("sig", &format!("{der}01")),
            "sig: 1 extra byte, 01, after the DER: a sighash type? --der lax accepts it".into(),
        ),
        (("sig", &format!("{der}0102")), "sig: 2 extra bytes after the DER; --der lax accepts it".into()),
        (("sig", &der[..der.len() - 2]), "bytes of DER that breaks off".into()),
        (("sig", &hex(&[7; 39])), "sig: 39 bytes, expected 64, 65, or DER, begins with 07070707".into()),
        (("scheme", "rsa"), "scheme: unknown scheme: `rsa`".into()),
    ] {
        let values = if values.0 == "pubkey" && says.contains("x-only") {
            vec![values, ("scheme", "ecdsa")]
        } else {
            vec![values]
        };
        said(&values, &says);
    }
    let (zero, order) = ("00".repeat(32), "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141");
    let (above, x) = ("ff".repeat(32), &key[2..]);
    for (pubkey, signature, says) in [
        (&key[..], format!("{zero}{above}"), "out_of_range: sig: r is zero"),
        (&key, format!("{x}{order}"), "out_of_range: sig: s is not below the group order n"),
        (&key, format!("{above}{x}00"), "out_of_range: sig: r is not below the group order n"),
        (x, format!("{above}{zero}"), "out_of_range: sig: r is not below the prime p of the field"),
        (x, format!("{order}{above}"), "out_of_range: sig: s is not below the group order n"),
        (&above, format!("{x}{x}"), "bad_public_key: pubkey: no point of the curve has this x"),
    ] {
        said(&[("pubkey", pubkey), ("sig", &signature)], says);
    }
    let text = format!("msg_hash,pubkey,r,s\n{digest},{key},{x},{order}\n");
    let run = phalanx_on(text.as_bytes(), ["verify", "-"]).expect(1);
    assert!(run.stderr.contains("out_of_range: s: not below the group order n"), "{}", run.stderr);
    let text = format!("msg_hash,pubkey,r,s\n{digest},{key},{},{}\n", "12".repeat(39), "12".repeat(32));
    let run = phalanx_on(text.as_bytes(), ["verify", "-"]).expect(1);
    assert!(run.stderr.contains("bad_signature_encoding: r: 39 bytes, expected at most 32"), "{}", run.stderr);
}

#[test]
fn nothing_that_may_be_a_secret_is_shown() {
    let secret = "b1e8f7c2d9a04356b1e8f7c2d9a04356b1e8f7c2d9a04356b1e8f7c2d9a04356";
    let wif = "L1uyy5qTuGrVXrmrsvHWHgVzW9kKdrp27wBC7Vs6nZDTF2BRUVwy";
    let words = "legal winner thank year wave sausage worth useful legal winner thank yellow";
    let shown = |run: Run| {
        let told = run.stdout + &run.stderr;
        [&secret[..4], &secret[2..8], "L1uy", "legal", "xprv9s"].iter().any(|part| told.contains(part))
    };
    for value in
        [secret, &secret[..63], &secret.replace('7', "x"), wif, words, "xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk"]
    {
        for column in ["msg_hash", "pubkey", "sig", "r", "v", "scheme"] {
            let mut line = serde_json::json!({ "scheme": "ecdsa", "msg_hash": "00", "pubkey": "00", "s": "0x1" });
            line[column] = value.into();
            assert!(!shown(verify(&line.to_string(), &[])), "{column}: {value}");
        }
        // Scalars are public, but who knows; whatever their length.
        for length in [value.len(), 9] {
            let text = format!("scalar,point\n{},00\n", &value[..length.min(value.len())]);
            assert!(!shown(phalanx_on(text.as_bytes(), ["msm", "-"])), "{text}");
        }
    }
}

#[test]
fn a_verdict_never_comes_from_a_guess() {
    // Hex that Base64 or a decimal number could be too, and a message that every form would fit.
    let row = row(6);
    let (key, signature) = (hex(&row.key), hex(&row.signature));
    let line = |name: &str, value: &str| {
        serde_json::json!({ name: value, "pubkey": key, "sig": signature, "scheme": "schnorr" }).to_string()
    };
    for value in [hex(&row.digest)[..43].to_owned(), hex(&row.digest)[..44].to_owned(), "1".repeat(77)] {
        verify(&line("msg_hash", &value), &[]).expect(3);
    }
    for value in [base64(&row.digest), pairs(&row.digest, ":"), blob(&row.digest)] {
        verify(&line("msg_hash", &value), &[]).expect(0);
        verify(&line("message", &value), &[]).expect(3);
    }
}

#[test]
fn tables_of_text_are_read_as_lines_are() {
    use arrow_array::{ArrayRef, RecordBatch, StringArray};
    let signed: Vec<_> = (0..16).map(row).collect();
    let column = |bytes: fn(&crate::rows::Signed) -> &Vec<u8>| {
        std::sync::Arc::new(StringArray::from_iter_values(signed.iter().map(|row| base64(bytes(row))))) as ArrayRef
    };
    let table = RecordBatch::try_from_iter([
        ("msgHash", column(|row| &row.digest)),
        ("pubKey", column(|row| &row.key)),
        ("signature", column(|row| &row.signature)),
    ]);
    let directory = directory();
    let file = place(&directory, "rows.parquet", &crate::files::parquet(&table.unwrap(), 5));
    phalanx(["verify", "--json", &file]).expect(0).counts([16, 16, 0, 0]);
}

#[test]
fn the_shared_cases() {
    for name in ["0X-upper", "base64", "bytea", "colons"] {
        let Some(file) = case(&format!("not-hex-{name}.csv"), "forms of bytes") else { return };
        phalanx(["verify", "--json", &file]).expect(0).counts([6, 6, 0, 0]);
    }
    let file = case("decimal-r-s.csv", "numbers").unwrap();
    phalanx(["verify", "--json", &file]).expect(0).counts([6, 6, 0, 0]);
    let run = phalanx(["verify", &case("key-64-bytes.csv", "keys").unwrap()]).expect(1);
    assert!(run.stderr.contains("64 bytes, expected 33 or 65"), "{}", run.stderr);
    let file = case("der-with-sighash-type.csv", "DER").unwrap();
    let run = phalanx(["verify", "--json", &file]).expect(1).counts([6, 0, 6, 0]);
    assert!(run.stderr.contains("a sighash type? --der lax accepts it"), "{}", run.stderr);
    phalanx(["verify", "--json", "--der", "lax", &file]).expect(0).counts([6, 6, 0, 0]);
}
