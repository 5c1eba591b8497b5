//! The test vectors of BIP-32, typed in; and those of the file itself, where `../shared` is there.

use std::path::Path;

use phalanx_bip32::{Chain, DerivationPath, Error, ExtendedPublicKey, ExtendedSecretKey, HARDENED};

/// Paths with the extended public key and the extended secret key.
type Keys = &'static [[&'static str; 3]];

/// The seeds of the test vectors 1 to 4, with their keys.
const VECTORS: [(&str, Keys); 4] = [
    (
        "000102030405060708090a0b0c0d0e0f",
        &[
            [
                "m",
                "xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8",
                "xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi",
            ],
            [
                "m/0h",
                "xpub68Gmy5EdvgibQVfPdqkBBCHxA5htiqg55crXYuXoQRKfDBFA1WEjWgP6LHhwBZeNK1VTsfTFUHCdrfp1bgwQ9xv5ski8PX9rL2dZXvgGDnw",
                "xprv9uHRZZhk6KAJC1avXpDAp4MDc3sQKNxDiPvvkX8Br5ngLNv1TxvUxt4cV1rGL5hj6KCesnDYUhd7oWgT11eZG7XnxHrnYeSvkzY7d2bhkJ7",
            ],
            [
                "m/0h/1",
                "xpub6ASuArnXKPbfEwhqN6e3mwBcDTgzisQN1wXN9BJcM47sSikHjJf3UFHKkNAWbWMiGj7Wf5uMash7SyYq527Hqck2AxYysAA7xmALppuCkwQ",
                "xprv9wTYmMFdV23N2TdNG573QoEsfRrWKQgWeibmLntzniatZvR9BmLnvSxqu53Kw1UmYPxLgboyZQaXwTCg8MSY3H2EU4pWcQDnRnrVA1xe8fs",
            ],
            [
                "m/0h/1/2h",
                "xpub6D4BDPcP2GT577Vvch3R8wDkScZWzQzMMUm3PWbmWvVJrZwQY4VUNgqFJPMM3No2dFDFGTsxxpG5uJh7n7epu4trkrX7x7DogT5Uv6fcLW5",
                "xprv9z4pot5VBttmtdRTWfWQmoH1taj2axGVzFqSb8C9xaxKymcFzXBDptWmT7FwuEzG3ryjH4ktypQSAewRiNMjANTtpgP4mLTj34bhnZX7UiM",
            ],
            [
                "m/0h/1/2h/2",
                "xpub6FHa3pjLCk84BayeJxFW2SP4XRrFd1JYnxeLeU8EqN3vDfZmbqBqaGJAyiLjTAwm6ZLRQUMv1ZACTj37sR62cfN7fe5JnJ7dh8zL4fiyLHV",
                "xprvA2JDeKCSNNZky6uBCviVfJSKyQ1mDYahRjijr5idH2WwLsEd4Hsb2Tyh8RfQMuPh7f7RtyzTtdrbdqqsunu5Mm3wDvUAKRHSC34sJ7in334",
            ],
            [
                "m/0h/1/2h/2/1000000000",
                "xpub6H1LXWLaKsWFhvm6RVpEL9P4KfRZSW7abD2ttkWP3SSQvnyA8FSVqNTEcYFgJS2UaFcxupHiYkro49S8yGasTvXEYBVPamhGW6cFJodrTHy",
                "xprvA41z7zogVVwxVSgdKUHDy1SKmdb533PjDz7J6N6mV6uS3ze1ai8FHa8kmHScGpWmj4WggLyQjgPie1rFSruoUihUZREPSL39UNdE3BBDu76",
            ],
        ],
    ),
    (
        "fffcf9f6f3f0edeae7e4e1dedbd8d5d2cfccc9c6c3c0bdbab7b4b1aeaba8a5a29f9c999693908d8a8784817e7b7875726f6c696663605d5a5754514e4b484542",
        &[
            [
                "m",
                "xpub661MyMwAqRbcFW31YEwpkMuc5THy2PSt5bDMsktWQcFF8syAmRUapSCGu8ED9W6oDMSgv6Zz8idoc4a6mr8BDzTJY47LJhkJ8UB7WEGuduB",
                "xprv9s21ZrQH143K31xYSDQpPDxsXRTUcvj2iNHm5NUtrGiGG5e2DtALGdso3pGz6ssrdK4PFmM8NSpSBHNqPqm55Qn3LqFtT2emdEXVYsCzC2U",
            ],
            [
                "m/0",
                "xpub69H7F5d8KSRgmmdJg2KhpAK8SR3DjMwAdkxj3ZuxV27CprR9LgpeyGmXUbC6wb7ERfvrnKZjXoUmmDznezpbZb7ap6r1D3tgFxHmwMkQTPH",
                "xprv9vHkqa6EV4sPZHYqZznhT2NPtPCjKuDKGY38FBWLvgaDx45zo9WQRUT3dKYnjwih2yJD9mkrocEZXo1ex8G81dwSM1fwqWpWkeS3v86pgKt",
            ],
            [
                "m/0/2147483647h",
                "xpub6ASAVgeehLbnwdqV6UKMHVzgqAG8Gr6riv3Fxxpj8ksbH9ebxaEyBLZ85ySDhKiLDBrQSARLq1uNRts8RuJiHjaDMBU4Zn9h8LZNnBC5y4a",
                "xprv9wSp6B7kry3Vj9m1zSnLvN3xH8RdsPP1Mh7fAaR7aRLcQMKTR2vidYEeEg2mUCTAwCd6vnxVrcjfy2kRgVsFawNzmjuHc2YmYRmagcEPdU9",
            ],
            [
                "m/0/2147483647h/1",
                "xpub6DF8uhdarytz3FWdA8TvFSvvAh8dP3283MY7p2V4SeE2wyWmG5mg5EwVvmdMVCQcoNJxGoWaU9DCWh89LojfZ537wTfunKau47EL2dhHKon",
                "xprv9zFnWC6h2cLgpmSA46vutJzBcfJ8yaJGg8cX1e5StJh45BBciYTRXSd25UEPVuesF9yog62tGAQtHjXajPPdbRCHuWS6T8XA2ECKADdw4Ef",
            ],
            [
                "m/0/2147483647h/1/2147483646h",
                "xpub6ERApfZwUNrhLCkDtcHTcxd75RbzS1ed54G1LkBUHQVHQKqhMkhgbmJbZRkrgZw4koxb5JaHWkY4ALHY2grBGRjaDMzQLcgJvLJuZZvRcEL",
                "xprvA1RpRA33e1JQ7ifknakTFpgNXPmW2YvmhqLQYMmrj4xJXXWYpDPS3xz7iAxn8L39njGVyuoseXzU6rcxFLJ8HFsTjSyQbLYnMpCqE2VbFWc",
            ],
            [
                "m/0/2147483647h/1/2147483646h/2",
                "xpub6FnCn6nSzZAw5Tw7cgR9bi15UV96gLZhjDstkXXxvCLsUXBGXPdSnLFbdpq8p9HmGsApME5hQTZ3emM2rnY5agb9rXpVGyy3bdW6EEgAtqt",
                "xprvA2nrNbFZABcdryreWet9Ea4LvTJcGsqrMzxHx98MMrotbir7yrKCEXw7nadnHM8Dq38EGfSh6dqA9QWTyefMLEcBYJUuekgW4BYPJcr9E7j",
            ],
        ],
    ),
    (
        "4b381541583be4423346c643850da4b320e46a87ae3d2a4e6da11eba819cd4acba45d239319ac14f863b8d5ab5a0d0c64d2e8a1e7d1457df2e5a3c51c73235be",
        &[
            [
                "m",
                "xpub661MyMwAqRbcEZVB4dScxMAdx6d4nFc9nvyvH3v4gJL378CSRZiYmhRoP7mBy6gSPSCYk6SzXPTf3ND1cZAceL7SfJ1Z3GC8vBgp2epUt13",
                "xprv9s21ZrQH143K25QhxbucbDDuQ4naNntJRi4KUfWT7xo4EKsHt2QJDu7KXp1A3u7Bi1j8ph3EGsZ9Xvz9dGuVrtHHs7pXeTzjuxBrCmmhgC6",
            ],
            [
                "m/0h",
                "xpub68NZiKmJWnxxS6aaHmn81bvJeTESw724CRDs6HbuccFQN9Ku14VQrADWgqbhhTHBaohPX4CjNLf9fq9MYo6oDaPPLPxSb7gwQN3ih19Zm4Y",
                "xprv9uPDJpEQgRQfDcW7BkF7eTya6RPxXeJCqCJGHuCJ4GiRVLzkTXBAJMu2qaMWPrS7AANYqdq6vcBcBUdJCVVFceUvJFjaPdGZ2y9WACViL4L",
            ],
        ],
    ),
    (
        "3ddd5602285899a946114506157c7997e5444528f3003f6134712147db19b678",
        &[
            [
                "m",
                "xpub661MyMwAqRbcGczjuMoRm6dXaLDEhW1u34gKenbeYqAix21mdUKJyuyu5F1rzYGVxyL6tmgBUAEPrEz92mBXjByMRiJdba9wpnN37RLLAXa",
                "xprv9s21ZrQH143K48vGoLGRPxgo2JNkJ3J3fqkirQC2zVdk5Dgd5w14S7fRDyHH4dWNHUgkvsvNDCkvAwcSHNAQwhwgNMgZhLtQC63zxwhQmRv",
            ],
            [
                "m/0h",
                "xpub69AUMk3qDBi3uW1sXgjCmVjJ2G6WQoYSnNHyzkmdCHEhSZ4tBok37xfFEqHd2AddP56Tqp4o56AePAgCjYdvpW2PU2jbUPFKsav5ut6Ch1m",
                "xprv9vB7xEWwNp9kh1wQRfCCQMnZUEG21LpbR9NPCNN1dwhiZkjjeGRnaALmPXCX7SgjFTiCTT6bXes17boXtjq3xLpcDjzEuGLQBM5ohqkao9G",
            ],
            [
                "m/0h/1h",
                "xpub6BJA1jSqiukeaesWfxe6sNK9CCGaujFFSJLomWHprUL9DePQ4JDkM5d88n49sMGJxrhpjazuXYWdMf17C9T5XnxkopaeS7jGk1GyyVziaMt",
                "xprv9xJocDuwtYCMNAo3Zw76WENQeAS6WGXQ55RCy7tDJ8oALr4FWkuVoHJeHVAcAqiZLE7Je3vZJHxspZdFHfnBEjHqU5hG1Jaj32dVoS6XLT1",
            ],
        ],
    ),
];

/// Test vector 5: texts that are no extended keys, and what is wrong with them.
const INVALID: [(&str, Error); 16] = [
    // Pubkey version / prvkey mismatch.
    (
        "xpub661MyMwAqRbcEYS8w7XLSVeEsBXy79zSzH1J8vCdxAZningWLdN3zgtU6LBpB85b3D2yc8sfvZU521AAwdZafEz7mnzBBsz4wKY5fTtTQBm",
        Error::BadKey,
    ),
    // Prvkey version / pubkey mismatch.
    (
        "xprv9s21ZrQH143K24Mfq5zL5MhWK9hUhhGbd45hLXo2Pq2oqzMMo63oStZzFGTQQD3dC4H2D5GBj7vWvSQaaBv5cxi9gafk7NF3pnBju6dwKvH",
        Error::BadKey,
    ),
    // Invalid pubkey prefix 04.
    (
        "xpub661MyMwAqRbcEYS8w7XLSVeEsBXy79zSzH1J8vCdxAZningWLdN3zgtU6Txnt3siSujt9RCVYsx4qHZGc62TG4McvMGcAUjeuwZdduYEvFn",
        Error::BadKey,
    ),
    // Invalid prvkey prefix 04.
    (
        "xprv9s21ZrQH143K24Mfq5zL5MhWK9hUhhGbd45hLXo2Pq2oqzMMo63oStZzFGpWnsj83BHtEy5Zt8CcDr1UiRXuWCmTQLxEK9vbz5gPstX92JQ",
        Error::BadKey,
    ),
    // Invalid pubkey prefix 01.
    (
        "xpub661MyMwAqRbcEYS8w7XLSVeEsBXy79zSzH1J8vCdxAZningWLdN3zgtU6N8ZMMXctdiCjxTNq964yKkwrkBJJwpzZS4HS2fxvyYUA4q2Xe4",
        Error::BadKey,
    ),
    // Invalid prvkey prefix 01.
    (
        "xprv9s21ZrQH143K24Mfq5zL5MhWK9hUhhGbd45hLXo2Pq2oqzMMo63oStZzFAzHGBP2UuGCqWLTAPLcMtD9y5gkZ6Eq3Rjuahrv17fEQ3Qen6J",
        Error::BadKey,
    ),
    // Zero depth with non-zero parent fingerprint.
    (
        "xprv9s2SPatNQ9Vc6GTbVMFPFo7jsaZySyzk7L8n2uqKXJen3KUmvQNTuLh3fhZMBoG3G4ZW1N2kZuHEPY53qmbZzCHshoQnNf4GvELZfqTUrcv",
        Error::BadMaster,
    ),
    // Zero depth with non-zero parent fingerprint.
    (
        "xpub661no6RGEX3uJkY4bNnPcw4URcQTrSibUZ4NqJEw5eBkv7ovTwgiT91XX27VbEXGENhYRCf7hyEbWrR3FewATdCEebj6znwMfQkhRYHRLpJ",
        Error::BadMaster,
    ),
    // Zero depth with non-zero index.
    (
        "xprv9s21ZrQH4r4TsiLvyLXqM9P7k1K3EYhA1kkD6xuquB5i39AU8KF42acDyL3qsDbU9NmZn6MsGSUYZEsuoePmjzsB3eFKSUEh3Gu1N3cqVUN",
        Error::BadMaster,
    ),
    // Zero depth with non-zero index.
    (
        "xpub661MyMwAuDcm6CRQ5N4qiHKrJ39Xe1R1NyfouMKTTWcguwVcfrZJaNvhpebzGerh7gucBvzEQWRugZDuDXjNDRmXzSZe4c7mnTK97pTvGS8",
        Error::BadMaster,
    ),
    // Unknown extended key version.
    (
        "DMwo58pR1QLEFihHiXPVykYB6fJmsTeHvyTp7hRThAtCX8CvYzgPcn8XnmdfHGMQzT7ayAmfo4z3gY5KfbrZWZ6St24UVf2Qgo6oujFktLHdHY4",
        Error::UnknownVersion,
    ),
    // Unknown extended key version.
    (
        "DMwo58pR1QLEFihHiXPVykYB6fJmsTeHvyTp7hRThAtCX8CvYzgPcn8XnmdfHPmHJiEDXkTiJTVV9rHEBUem2mwVbbNfvT2MTcAqj3nesx8uBf9",
        Error::UnknownVersion,
    ),
    // Private key 0 not in 1..n-1.
    (
        "xprv9s21ZrQH143K24Mfq5zL5MhWK9hUhhGbd45hLXo2Pq2oqzMMo63oStZzF93Y5wvzdUayhgkkFoicQZcP3y52uPPxFnfoLZB21Teqt1VvEHx",
        Error::BadKey,
    ),
    // Private key n not in 1..n-1.
    (
        "xprv9s21ZrQH143K24Mfq5zL5MhWK9hUhhGbd45hLXo2Pq2oqzMMo63oStZzFAzHGBP2UuGCqWLTAPLcMtD5SDKr24z3aiUvKr9bJpdrcLg1y3G",
        Error::BadKey,
    ),
    // Invalid pubkey 020000000000000000000000000000000000000000000000000000000000000007.
    (
        "xpub661MyMwAqRbcEYS8w7XLSVeEsBXy79zSzH1J8vCdxAZningWLdN3zgtU6Q5JXayek4PRsn35jii4veMimro1xefsM58PgBMrvdYre8QyULY",
        Error::BadKey,
    ),
    // Invalid checksum.
    (
        "xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHL",
        Error::BadChecksum,
    ),
];

/// Holds a seed's descendant to its texts.
fn check(seed: &str, [path, public, secret]: [&str; 3]) {
    let master = ExtendedSecretKey::from_seed(&const_hex::decode(seed).unwrap(), Chain::Main).unwrap();
    let path: DerivationPath = path.parse().unwrap();
    let found = master.derive(&path).unwrap();
    assert_eq!((&**found.to_text(), &*found.to_public().to_string()), (secret, public), "{path}");
    assert_eq!(secret.parse::<ExtendedSecretKey>().unwrap().to_text(), found.to_text());
    let parsed: ExtendedPublicKey = public.parse().unwrap();
    assert_eq!(parsed, found.to_public());
    assert_eq!((usize::from(parsed.depth()), parsed.chain()), (path.indexes().len(), Chain::Main));
    assert_eq!(parsed.index(), path.indexes().last().copied().unwrap_or(0));
    // The last step from the public parent.
    if let Some((last, before)) = path.indexes().split_last() {
        let parent = before.iter().fold(master, |key, index| key.child(*index).unwrap()).to_public();
        assert_eq!(parent.fingerprint(), parsed.parent_fingerprint());
        match parent.child(*last) {
            Ok(child) => assert_eq!(child, parsed),
            Err(error) => assert!(error == Error::HardenedChild && *last >= HARDENED, "{path}"),
        }
    }
}

/// Holds a text that is no extended key to its error, as a key of either kind.
fn check_invalid(text: &str, error: Error) {
    let (public, secret) = (text.parse::<ExtendedPublicKey>(), text.parse::<ExtendedSecretKey>());
    let (public, secret) = (public.unwrap_err(), secret.unwrap_err());
    let wrong_kind = if text.starts_with("xprv") { public } else { secret };
    assert!([Error::SecretKey, Error::PublicKey, error].contains(&wrong_kind), "{text}");
    assert_eq!(if text.starts_with("xprv") { secret } else { public }, error, "{text}");
}

#[test]
fn keys_are_those_of_the_test_vectors() {
    for (seed, keys) in VECTORS {
        keys.iter().for_each(|key| check(seed, *key));
    }
    for (text, error) in INVALID {
        check_invalid(text, error);
    }
}

#[test]
fn the_file_of_the_bip_holds_nothing_else() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/vectors/bip32/bip-0032.mediawiki");
    let Ok(text) = std::fs::read_to_string(path) else {
        return phalanx_tiers::skipped(
            "bip-0032.mediawiki is not in ../shared",
            "its test vectors, which are typed in",
        );
    };
    let (mut seed, mut path, mut public) = ("", String::new(), "");
    let (mut keys, mut invalid) = (0, 0);
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("Seed (hex): ") {
            seed = rest;
        } else if let Some(rest) = line.strip_prefix("* Chain ") {
            path = rest.replace("<sub>H</sub>", "h");
        } else if let Some(rest) = line.strip_prefix("** ext pub: ") {
            public = rest;
        } else if let Some(secret) = line.strip_prefix("** ext prv: ") {
            check(seed, [&path, public, secret]);
            keys += 1;
        } else if let Some((text, _)) = line.strip_prefix("* ").and_then(|rest| rest.split_once(" ("))
            && let Some((_, error)) = INVALID.iter().find(|(known, _)| *known == text)
        {
            check_invalid(text, *error);
            invalid += 1;
        }
    }
    let typed: usize = VECTORS.iter().map(|(_, keys)| keys.len()).sum();
    assert_eq!((keys, invalid), (typed, INVALID.len()));
}
