//! Extended keys as wallets write them: with SLIP-132's letters, origins, paths, and in descriptors.

use phalanx_bip32::{
    Chain, DerivationPath, Error, ExtendedSecretKey, HARDENED, KeyExpression, LockingScript, ScriptKind,
};

use crate::hostile::{bytes, text};

/// The account of BIP-84's example, and the same key as SLIP-132 writes it.
const XPUB: &str =
    "xpub6CatWdiZiodmUeTDp8LT5or8nmbKNcuyvz7WyksVFkKB4RHwCD3XyuvPEbvqAQY3rAPshWcMLoP2fMFMKHPJ4ZeZXYVUhLv1VMrjPC7PW6V";
const ZPUB: &str =
    "zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs";
/// The account m/49h/0h/0h of SLIP-132's example.
const YPUB: &str =
    "ypub6Ww3ibxVfGzLrAH1PNcjyAWenMTbbAosGNB6VvmSEgytSER9azLDWCxoJwW7Ke7icmizBMXrzBx9979FfaHxHcrArf3zbeJJJUZPf663zsP";
/// The key of Bitcoin Core's page on descriptors, and the descriptor there with its checksum.
const OF_CORE: &str =
    "xpub6ERApfZwUNrhLCkDtcHTcxd75RbzS1ed54G1LkBUHQVHQKqhMkhgbmJbZRkrgZw4koxb5JaHWkY4ALHY2grBGRjaDMzQLcgJvLJuZZvRcEL";

fn read(text: &str) -> Result<KeyExpression, Error> {
    text.parse()
}

/// The path of a text without an `m`.
fn steps(text: &str) -> DerivationPath {
    text.parse().unwrap()
}

/// The first address under a text and a path, of the kind that the text says.
fn first_address(text: &str, path: &str) -> Result<String, Error> {
    let expression = read(text)?;
    let kind = expression.kind().unwrap_or(ScriptKind::P2wpkh);
    let child = expression.parent(&steps(path), Some(kind))?.child(0)?;
    Ok(LockingScript::of_key(kind, child.public_key())?.address(child.chain()))
}

#[test]
fn every_form_of_a_key_gives_its_addresses() {
    let first = "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu";
    for alone in [XPUB, ZPUB] {
        for before in ["", "[d34db33f]", "[d34db33f/84h/0h/0h]", "[D34DB33F/84'/0'/0']", "[00000000/7]"] {
            let key = format!("{before}{alone}");
            assert_eq!(first_address(&key, "m/0").unwrap(), first, "{key}");
            assert_eq!(first_address(&format!(" {key}\r"), "0").unwrap(), first, "{key}");
            assert_eq!(first_address(&format!("{key}/0/*"), "m").unwrap(), first, "{key}");
            assert_eq!(first_address(&format!("wpkh({key}/0/*)"), "m").unwrap(), first, "{key}");
        }
    }
    // SLIP-132's example, by its letters and by a descriptor.
    assert_eq!(first_address(YPUB, "0").unwrap(), "37VucYSaXLCAsxYyAPfbSi9eh4iEcbShgf");
    assert_eq!(first_address(&format!("sh(wpkh({YPUB}/0/*))"), "m").unwrap(), "37VucYSaXLCAsxYyAPfbSi9eh4iEcbShgf");
    for (before, behind, kind) in [
        ("pkh(", ")", ScriptKind::P2pkh),
        ("wpkh(", ")", ScriptKind::P2wpkh),
        ("sh(wpkh(", "))", ScriptKind::P2shP2wpkh),
        ("tr(", ")", ScriptKind::P2tr),
    ] {
        let expression = read(&format!("{before}{XPUB}/1/2/*{behind}")).unwrap();
        assert_eq!((expression.kind(), expression.is_secret()), (Some(kind), false));
        let account = read(XPUB).unwrap().parent(&steps("1/2"), None).unwrap();
        assert_eq!(expression.parent(&steps("m"), Some(kind)), Ok(account));
        for other in ScriptKind::ALL.into_iter().filter(|other| *other != kind) {
            assert_eq!(expression.parent(&steps("m"), Some(other)), Err(Error::OtherKind(kind.name())));
        }
    }
}

#[test]
fn secret_keys_follow_hardened_steps() {
    let master = ExtendedSecretKey::from_seed(&[7; 32], Chain::Test).unwrap();
    let (text, path) = (master.to_text(), "84h/1h/0h/0");
    let expected = master.derive(&steps(path)).unwrap().to_public();
    for (expression, path) in [
        (text.to_string(), path),
        (format!("[{}]{}", "0011aabb", *text), path),
        (format!("{}/{path}/*", *text), "m"),
        (format!("wpkh({}/{path}/*)", *text), "m"),
    ] {
        let expression = read(&expression).unwrap();
        assert!(expression.is_secret() && format!("{expression:?}") == "KeyExpression(..)");
        assert_eq!(expression.parent(&steps(path), None).unwrap(), expected);
    }
    let public = master.to_public().to_string();
    assert_eq!(read(&format!("{public}/1h/*")).unwrap().parent(&steps("m"), None), Err(Error::HardenedChild));
}

#[test]
fn versions_of_slip_132_say_network_and_kind() {
    let one_key = [Some(ScriptKind::P2shP2wpkh), Some(ScriptKind::P2wpkh)];
    let master = ExtendedSecretKey::from_seed(&[9; 32], Chain::Main).unwrap();
    let (public, secret) = (bytes(&master.to_public().to_string()), bytes(&master.to_text()));
    for (name, versions, chain, kind) in [
        ("xp", [0x0488_b21eu32, 0x0488_ade4], Chain::Main, Ok(None)),
        ("tp", [0x0435_87cf, 0x0435_8394], Chain::Test, Ok(None)),
        ("yp", [0x049d_7cb2, 0x049d_7878], Chain::Main, Ok(one_key[0])),
        ("zp", [0x04b2_4746, 0x04b2_430c], Chain::Main, Ok(one_key[1])),
        ("up", [0x044a_5262, 0x044a_4e28], Chain::Test, Ok(one_key[0])),
        ("vp", [0x045f_1cf6, 0x045f_18bc], Chain::Test, Ok(one_key[1])),
        ("Yp", [0x0295_b43f, 0x0295_b005], Chain::Main, Err(Error::SeveralKeys)),
        ("Zp", [0x02aa_7ed3, 0x02aa_7a99], Chain::Main, Err(Error::SeveralKeys)),
        ("Up", [0x0242_89ef, 0x0242_85b5], Chain::Test, Err(Error::SeveralKeys)),
        ("Vp", [0x0257_5483, 0x0257_5048], Chain::Test, Err(Error::SeveralKeys)),
    ] {
        for (is_secret, (version, rest)) in versions.into_iter().zip([&public, &secret]).enumerate() {
            let text = text(&[&version.to_be_bytes()[..], &rest[4..]].concat());
            assert!(text.starts_with(&format!("{name}{}", ["ub", "rv"][is_secret])), "{text}");
            let read = read(&text);
            assert_eq!(read.as_ref().map(KeyExpression::kind).map_err(|error| *error), kind, "{text}");
            if let Ok(read) = read {
                assert_eq!(read.is_secret(), is_secret == 1, "{text}");
                let parent = read.parent(&steps("m"), None).unwrap();
                assert_eq!((parent.chain(), parent.public_key()), (chain, master.to_public().public_key()), "{text}");
            }
        }
    }
}

#[test]
fn the_checksum_of_a_descriptor_is_verified() {
    let descriptor = format!("pkh([d34db33f/44'/0'/0']{OF_CORE}/1/*)");
    assert!(read(&descriptor).is_ok() && read(&format!("{descriptor}#ml40v0wf")).is_ok());
    for checksum in ["ml40v0wq", "pl40v0wf", "ml40v0w", "ml40v0wff", "", "ML40V0WF", "ml40v0w\u{e9}"] {
        assert_eq!(read(&format!("{descriptor}#{checksum}")).unwrap_err(), Error::BadDescriptorChecksum, "{checksum}");
    }
    // The same with another mark of hardened steps is another text.
    let other = descriptor.replace('\'', "h");
    assert_eq!(read(&format!("{other}#ml40v0wf")).unwrap_err(), Error::BadDescriptorChecksum);
}

#[test]
fn what_stands_for_no_range_says_what_it_is() {
    let in_a = |form: &str| read(&form.replace("KEY", XPUB)).map(|_| ()).unwrap_err();
    for (form, expected) in [
        ("wpkh(KEY)", Error::NoWildcard),
        ("wpkh(KEY/0)", Error::NoWildcard),
        ("KEY/0", Error::NoWildcard),
        ("KEY/0/*h", Error::HardenedWildcard),
        ("wpkh(KEY/0/*')", Error::HardenedWildcard),
        ("wpkh(KEY/<0;1>/*)", Error::SeveralPaths),
        ("KEY/<0;1>/*", Error::SeveralPaths),
        ("wsh(multi(1,KEY/0/*,KEY/1/*))", Error::OtherDescriptor),
        ("wsh(pk(KEY/0/*))", Error::OtherDescriptor),
        ("sh(pkh(KEY/0/*))", Error::OtherDescriptor),
        ("tr(KEY/0/*,pk(KEY/1/*))", Error::OtherDescriptor),
        ("tr(musig(KEY,KEY)/0/*)", Error::OtherDescriptor),
        ("combo(KEY/0/*)", Error::OtherDescriptor),
        ("rawtr(KEY/0/*)", Error::OtherDescriptor),
        ("wpkh(KEY/0/*", Error::OtherDescriptor),
        ("[d34db33f/84h/0h/0hKEY", Error::BadOrigin),
        ("[d34db33]KEY", Error::BadOrigin),
        ("[d34db33g]KEY", Error::BadOrigin),
        ("[d34db33f/]KEY", Error::BadOrigin),
        ("[d34db33f/m/1]KEY", Error::BadOrigin),
        ("[]KEY", Error::BadOrigin),
        ("KEY/*/0", Error::NoWildcard),
        ("KEY*", Error::BadText),
        ("KEY/x/*", Error::BadPath),
        ("KEY//*", Error::BadPath),
        ("KEY/m/*", Error::BadPath),
        ("KEY/m/1/*", Error::BadPath),
        ("KEY/2147483648/*", Error::BadPath),
        ("(KEY)", Error::BadText),
        ("KEY KEY", Error::BadText),
        ("wpkh( KEY/0/*)", Error::BadText),
        ("wpkh()", Error::BadText),
        ("", Error::BadText),
    ] {
        assert_eq!(in_a(form), expected, "{form}");
        assert!(!expected.to_string().contains(&XPUB[4..]), "{form}");
    }
    assert_eq!(read(&format!("pkh({ZPUB}/0/*)")).unwrap_err(), Error::OtherKind("p2wpkh"));
    let expression = read(&format!("{XPUB}/0/*")).unwrap();
    assert_eq!(expression.parent(&steps("0"), None), Err(Error::SecondPath));
    // A step beyond the deepest key.
    assert_eq!(read(&format!("{XPUB}/{}*", "0/".repeat(256))).unwrap_err(), Error::BadPath);
    let deep = read(&format!("{XPUB}/{}*", "0/".repeat(255))).unwrap();
    assert_eq!(deep.parent(&steps("m"), None), Err(Error::TooDeep));
    assert_eq!(read(&format!("{XPUB}/{}/*", HARDENED - 1)).map(|_| ()), Ok(()));
}
