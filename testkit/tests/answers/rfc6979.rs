//! RFC 6979's nonces. The RFC has no vectors for secp256k1; of its groups with an order of 256 bits, that is P-256
//! (appendix A.2.5) and a subgroup of DSA's (A.2.2), it gives nonces with HMAC-SHA-256, which the generator reproduces.

use phalanx::hash::{NonceGenerator, sha256};

struct Group {
    name: &'static str,
    order: &'static str,
    secret: &'static str,
    nonces: [(&'static str, &'static str); 2],
}

const GROUPS: [Group; 2] = [
    Group {
        name: "A.2.5, ECDSA on P-256 with SHA-256",
        order: "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551",
        secret: "c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721",
        nonces: [
            ("sample", "a6e3c57dd01abe90086538398355dd4c3b17aa873382b0f24d6129493d8aad60"),
            ("test", "d16b6ae827f17175e040871a1c7ec3500192c4c92677336ec2537acaee0008e0"),
        ],
    },
    Group {
        name: "A.2.2, DSA of 2048 bits with SHA-256",
        order: "f2c3119374ce76c9356990b465374a17f23f9ed35089bd969f61c6dde9998c1f",
        secret: "69c7548c21d0dfea6b9a51c9ead4e27c33d3b3f180316e5bcab92c933f0e4dbc",
        nonces: [
            ("sample", "8926a27c40484216f052f4427cfd5647338b7b3939bc6573af4333569d597c52"),
            ("test", "1d6ce6dda1c5d37307839cd03ab0a5cbb18e60d800937d67dfb4479aac8dead7"),
        ],
    },
];

fn word(text: &str) -> [u8; 32] {
    hex::decode_to_array(text).expect("64 digits")
}

#[test]
fn nonces_are_those_of_the_rfc() {
    for group in &GROUPS {
        for (message, nonce) in group.nonces {
            let mut drawn = [0; 32];
            NonceGenerator::new(&word(group.order), &word(group.secret), &sha256(message.as_bytes()), &[])
                .fill(&mut drawn);
            assert_eq!(drawn, word(nonce), "{}, message {message}", group.name);
        }
        println!("RFC 6979 {}: 2 of 2 nonces as published", group.name);
    }
}
