//! What each fork allows.

use crate::samples::{LATEST, authorization, fields, negated, secret, sender, with_high_s};
use phalanx::{Bulk, Error};
use phalanx_ethereum::{
    AuthorizationFields, Fork, Rules, SenderError, Signed, Transaction, TransactionFields, TransactionType, address,
    signers,
};

fn rules(fork: Fork) -> Rules {
    Rules { fork, chain_id: Some(5) }
}

#[test]
fn a_type_is_refused_before_its_fork() {
    let expected = Ok(address(&secret().public_key()));
    for kind in TransactionType::ALL {
        let raw = fields(kind).sign(&secret()).unwrap();
        for fork in Fork::ALL {
            // The chain id of the legacy transaction came with EIP-155.
            let expected = match kind {
                TransactionType::Legacy if fork < Fork::SpuriousDragon => Err(SenderError::BadV),
                kind if fork < kind.since() => Err(SenderError::TypeNotActive(kind as u8)),
                _ => expected,
            };
            assert_eq!(sender(&raw, rules(fork)), expected, "{kind:?} under {fork:?}");
        }
        let elsewhere = Rules { chain_id: Some(6), ..LATEST };
        assert_eq!(sender(&raw, elsewhere), Err(SenderError::OtherChain), "{kind:?}");
        assert_eq!(sender(&raw, LATEST), expected, "{kind:?}");
    }
}

#[test]
fn high_s_is_allowed_in_frontier_alone() {
    for kind in TransactionType::ALL {
        let chain_id = if kind == TransactionType::Legacy { None } else { Some(5) };
        let fields = TransactionFields { chain_id, ..fields(kind) };
        let raw = fields.sign(&secret()).unwrap();
        // v is a single byte in front of r's header, of zero the byte 0x80.
        let v = u128::from(raw[raw.len() - 67]) % 0x80;
        let other = if kind == TransactionType::Legacy { 27 + 28 - v } else { 1 - v };
        let other = TransactionFields { v: other, ..with_high_s(&raw, fields) };
        let other = other.encode();
        for fork in Fork::ALL.into_iter().filter(|fork| *fork >= kind.since()) {
            let expected = match fork {
                Fork::Frontier => Ok(address(&secret().public_key())),
                _ => Err(SenderError::Signature(Error::HighS)),
            };
            assert_eq!(sender(&other, rules(fork)), expected, "{kind:?} under {fork:?}");
        }
    }
}

#[test]
fn v_is_one_that_the_type_has() {
    for kind in TransactionType::ALL {
        let signed = |v| TransactionFields { v, r: [1; 32], s: [1; 32], ..fields(kind) }.encode();
        let good: &[u128] = if kind == TransactionType::Legacy { &[27, 28, 35, 36, 45, 46] } else { &[0, 1] };
        let largest = 36 + 2 * u128::from(u64::MAX);
        for v in (0..=60).chain([127, 128, 255, 256, 1 << 64, largest - 1, largest, largest + 1, u128::MAX]) {
            let allowed = good.contains(&v) || kind == TransactionType::Legacy && (35..=largest).contains(&v);
            let raw = signed(v);
            let row = Transaction::decode(&raw).unwrap().row(LATEST);
            assert_eq!(row.err(), (!allowed).then_some(SenderError::BadV), "{kind:?} with v = {v}");
            if let Ok(row) = row {
                let odd = if v < 35 { v == 28 || v == 1 } else { v % 2 == 0 };
                assert_eq!(row.odd_y, odd, "{kind:?} with v = {v}");
            }
        }
    }
}

#[test]
fn r_and_s_are_in_range() {
    let mut n = [0xff; 32];
    n[15] = 0xfe;
    n[16..].copy_from_slice(&hex_literal::hex!("baaedce6af48a03bbfd25e8cd0364141"));
    for kind in TransactionType::ALL {
        let v = if kind == TransactionType::Legacy { 27 } else { 0 };
        let signed = |r, s| TransactionFields { v, r, s, ..fields(kind) }.encode();
        for (r, s) in [([0; 32], [1; 32]), ([1; 32], [0; 32]), (n, [1; 32]), ([1; 32], n), ([0xff; 32], [0xff; 32])] {
            assert_eq!(sender(&signed(r, s), LATEST), Err(SenderError::Signature(Error::OutOfRange)), "{kind:?}");
        }
        // No point has this x.
        let mut five = [0; 32];
        five[31] = 5;
        assert_eq!(sender(&signed(five, [1; 32]), LATEST), Err(SenderError::Signature(Error::InvalidSignature)));
    }
}

/// The signers of a set-code transaction's authorizations.
fn authorities(list: Vec<AuthorizationFields>, rules: Rules) -> Vec<Result<[u8; 20], SenderError>> {
    let raw = TransactionFields { authorization_list: list, ..fields(TransactionType::SetCode) }.encode();
    let authorizations: Vec<_> = Transaction::decode(&raw).unwrap().authorizations().collect();
    signers(&Bulk::new(), &authorizations, rules)
}

#[test]
fn authorizations_have_the_rules_of_eip_7702() {
    let good = authorization(5, 3);
    let with = |change: fn(&mut AuthorizationFields)| {
        let mut changed = good.clone();
        change(&mut changed);
        changed
    };
    let authority = Ok(address(&secret().public_key()));
    let list = vec![
        good.clone(),
        authorization(0, 0),
        authorization(6, 0),
        authorization(5, u64::MAX),
        authorization(5, u64::MAX - 1),
        with(|changed| changed.y_parity = 2),
        with(|changed| changed.y_parity = 27),
        with(|changed| (changed.s, changed.y_parity) = (negated(changed.s), 1 - changed.y_parity)),
        with(|changed| changed.r = [0; 32]),
        with(|changed| changed.s = [0xff; 32]),
        with(|changed| changed.chain_id[0] = 1),
    ];
    let expected = [
        authority,
        authority,
        Err(SenderError::OtherChain),
        Err(SenderError::NonceTooLarge),
        authority,
        Err(SenderError::BadV),
        Err(SenderError::BadV),
        Err(SenderError::Signature(Error::HighS)),
        Err(SenderError::Signature(Error::OutOfRange)),
        Err(SenderError::Signature(Error::OutOfRange)),
        Err(SenderError::OtherChain),
    ];
    assert_eq!(authorities(list.clone(), rules(Fork::Prague)), expected);
    // Where any chain will do, the foreign one does.
    assert_eq!(authorities(vec![list[2].clone()], LATEST), [authority]);
    // Wrong authorizations do not make the transaction wrong.
    let raw = TransactionFields { authorization_list: list, ..fields(TransactionType::SetCode) }.sign(&secret());
    assert_eq!(sender(&raw.unwrap(), rules(Fork::Prague)), authority);
}

#[test]
fn blocks_of_the_main_chain() {
    let first = [0, 1_150_000, 2_675_000, 12_244_000, 12_965_000, 19_426_587, 22_431_084];
    for (place, block) in first.into_iter().enumerate() {
        assert_eq!(Fork::of_mainnet_block(block), Fork::ALL[place]);
        if let Some(before) = u64::checked_sub(block, 1) {
            assert_eq!(Fork::of_mainnet_block(before), Fork::ALL[place - 1]);
        }
    }
    assert_eq!(Rules::of_mainnet_block(u64::MAX), Rules { fork: Fork::Prague, chain_id: Some(1) });
}
