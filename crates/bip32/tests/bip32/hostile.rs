//! Keys at the edges, and text that is none.

use phalanx_bip32::{Chain, DerivationPath, Error, ExtendedPublicKey, ExtendedSecretKey, HARDENED};
use sha2::{Digest, Sha256};

/// The 78 bytes of an extended key.
pub(crate) fn bytes(text: &str) -> Vec<u8> {
    let mut all = bs58::decode(text).into_vec().unwrap();
    all.truncate(78);
    all
}

/// The text of bytes, with the checksum of them.
pub(crate) fn text(bytes: &[u8]) -> String {
    let checksum = Sha256::digest(Sha256::digest(bytes));
    bs58::encode([bytes, &checksum[..4]].concat()).into_string()
}

fn secret(seed: u8, chain: Chain) -> ExtendedSecretKey {
    ExtendedSecretKey::from_seed(&[seed; 32], chain).unwrap()
}

#[test]
fn text_is_read_and_written_for_each_network() {
    for chain in Chain::ALL {
        let (key, is_main) = (secret(1, chain).child(5).unwrap(), chain == Chain::Main);
        assert!(key.to_text().starts_with(if is_main { "xprv" } else { "tprv" }));
        let public = key.to_public().to_string();
        assert!(public.starts_with(if is_main { "xpub" } else { "tpub" }));
        let read: ExtendedPublicKey = public.parse().unwrap();
        assert_eq!(read.chain(), if is_main { Chain::Main } else { Chain::Test });
        assert_eq!((read.depth(), read.index(), read.to_string()), (1, 5, public.clone()));
        assert_eq!(text(&bytes(&public)), public);
        assert_eq!(public.parse::<ExtendedSecretKey>().unwrap_err(), Error::PublicKey);
        assert_eq!(key.to_text().parse::<ExtendedPublicKey>().unwrap_err(), Error::SecretKey);
    }
}

#[test]
fn text_that_is_no_key_is_refused() {
    let good = secret(2, Chain::Main).to_public().to_string();
    let read = |text: &str| text.parse::<ExtendedPublicKey>().map(|_| ());
    assert_eq!(read(&good), Ok(()));
    for bad in [
        "",
        "xpub",
        "0OIl",
        "\u{fc}ber",
        " ",
        &good[..110],
        &format!("{good}1"),
        &format!("1{good}"),
        &format!(" {good}"),
    ] {
        assert_eq!(read(bad), Err(Error::BadText), "{bad:?}");
    }
    // Long text is refused at once: to read it would take the square of its length.
    assert_eq!(read(&"z".repeat(10_000_000)), Err(Error::BadText));
    // Another digit anywhere is another number, whose checksum is wrong but for one in 2^32.
    for place in 0..good.len() {
        let digit = if good.as_bytes()[place] == b'2' { "3" } else { "2" };
        let changed = [&good[..place], digit, &good[place + 1..]].concat();
        assert!(matches!(read(&changed), Err(Error::BadChecksum | Error::BadText)), "{changed}");
    }
    // Every prefix of a key but the two.
    let mut key = bytes(&good);
    for prefix in 0..=255 {
        let own = key[45];
        key[45] = prefix;
        assert_eq!(read(&text(&key)), if prefix == 2 || prefix == 3 { Ok(()) } else { Err(Error::BadKey) });
        key[45] = own;
    }
}

#[test]
fn secret_keys_are_those_of_the_group() {
    const ORDER: [u8; 32] = hex_literal::hex!("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141");
    let good = bytes(&secret(3, Chain::Test).to_text());
    let with = |key: [u8; 32]| text(&[&good[..46], &key].concat()).parse::<ExtendedSecretKey>().map(|_| ());
    let mut below = ORDER;
    below[31] -= 1;
    assert_eq!(with(below), Ok(()));
    for bad in [[0; 32], ORDER, [0xff; 32]] {
        assert_eq!(with(bad), Err(Error::BadKey));
    }
}

#[test]
fn the_last_index_and_the_last_depth() {
    let (secret, last) = (secret(4, Chain::Main), HARDENED - 1);
    let public = secret.to_public();
    assert_eq!(secret.child(last).unwrap().to_public(), public.child(last).unwrap());
    assert!(secret.child(u32::MAX).is_ok());
    assert_eq!(public.child(HARDENED).unwrap_err(), Error::HardenedChild);
    assert_eq!(public.child(u32::MAX).unwrap_err(), Error::HardenedChild);
    assert_eq!(public.rows(0..HARDENED).unwrap().len(), HARDENED as usize);
    assert_eq!(public.rows(5..5).unwrap().len(), 0);
    assert_eq!(public.rows(0..HARDENED + 1).map(drop).unwrap_err(), Error::HardenedChild);

    let mut deep = bytes(&public.to_string());
    deep[4] = 254;
    let deep: ExtendedPublicKey = text(&deep).parse().unwrap();
    let deepest = deep.child(0).unwrap();
    assert_eq!(deepest.depth(), 255);
    assert_eq!(deepest.child(0).unwrap_err(), Error::TooDeep);
    assert_eq!(deepest.rows(0..1).map(drop).unwrap_err(), Error::TooDeep);
    let mut deep = bytes(&secret.to_text());
    deep[4] = 255;
    assert_eq!(text(&deep).parse::<ExtendedSecretKey>().unwrap().child(HARDENED).unwrap_err(), Error::TooDeep);
}

#[test]
fn paths() {
    let read = |text: &str| text.parse::<DerivationPath>().map(|path| path.indexes().to_vec());
    let hardened = HARDENED + 7;
    assert_eq!(read("m"), Ok(vec![]));
    for text in ["m/7'/0", "7h/0", "m/7H/0", "m/07'/00"] {
        assert_eq!(read(text), Ok(vec![hardened, 0]), "{text}");
    }
    assert_eq!(read("m/2147483647"), Ok(vec![HARDENED - 1]));
    for bad in [
        "",
        "/",
        "m/",
        "m//0",
        "m/0/",
        "M/0",
        "m0",
        "m/-1",
        "m/+1",
        "m/1''",
        "m/'",
        "m/h",
        "m/2147483648",
        "m/ 1",
        "m/99999999999999999999",
        "m/1h'",
        "m/\u{661}",
    ] {
        assert_eq!(read(bad), Err(Error::BadPath), "{bad:?}");
    }
    let path = |steps: usize| ["m"].into_iter().chain(std::iter::repeat_n("0", steps)).collect::<Vec<_>>().join("/");
    assert_eq!(read(&path(255)).map(|indexes| indexes.len()), Ok(255));
    assert_eq!(read(&path(256)), Err(Error::BadPath));
    assert_eq!(read(&path(1_000_000)), Err(Error::BadPath));
    for path in ["m", "m/0/1h/2147483647h"] {
        assert_eq!(path.parse::<DerivationPath>().unwrap().to_string(), path);
    }
}

#[test]
fn seeds() {
    for length in 0..=80 {
        let master = ExtendedSecretKey::from_seed(&vec![7; length], Chain::Main);
        assert_eq!(master.map(drop).err(), (!(16..=64).contains(&length)).then_some(Error::BadSeed));
    }
}

#[test]
fn nothing_secret_is_shown() {
    let key = secret(5, Chain::Main);
    let shown = format!("{key:?} {:?}", key.to_public());
    assert!(!shown.contains("xprv") && shown.contains("xpub"));
}
