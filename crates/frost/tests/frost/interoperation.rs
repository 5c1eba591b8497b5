//! The same table with `frost-secp256k1-tr`: its shares and ours in one signature, and the same culprits.

use crate::{bulk, identifier};
use frost_core::{CheaterDetection, aggregate_custom};
use frost_secp256k1_tr as theirs;
use phalanx::{PublicKey, SecretKey};
use phalanx_frost::{
    Commitment, Error, Group, Identifier, KeyShare, NonceCommitments, Nonces, Session, Signature, SignatureShare,
    Suite,
    dkg::{self, Announcement, DealtShare},
};
use rand_core_06::OsRng;
use std::collections::BTreeMap;

fn ours(id: &theirs::Identifier) -> Identifier {
    Identifier::from_bytes(&id.serialize().try_into().expect("32 bytes")).expect("in range")
}

fn their_id(id: Identifier) -> theirs::Identifier {
    theirs::Identifier::deserialize(&id.to_bytes()).expect("in range")
}

fn point(bytes: Vec<u8>) -> PublicKey {
    PublicKey::from_bytes(&bytes).expect("a point")
}

/// Their group as ours.
fn group(package: &theirs::keys::PublicKeyPackage, threshold: usize) -> Group {
    let shares: Vec<_> = package
        .verifying_shares()
        .iter()
        .map(|(id, share)| (ours(id), point(share.serialize().expect("no infinity"))))
        .collect();
    let key = point(package.verifying_key().serialize().expect("no infinity"));
    Group::new(Suite::Taproot, threshold, key, &shares, &bulk()).expect("a group of one polynomial")
}

fn our_nonces(nonces: &theirs::round1::SigningCommitments) -> NonceCommitments {
    let (hiding, binding) = (nonces.hiding().serialize(), nonces.binding().serialize());
    let bytes = [hiding.expect("no infinity"), binding.expect("no infinity")].concat();
    NonceCommitments::from_bytes(&bytes).expect("points")
}

fn their_nonces(nonces: &NonceCommitments) -> theirs::round1::SigningCommitments {
    let bytes = nonces.to_bytes();
    let [hiding, binding] =
        [&bytes[..33], &bytes[33..]].map(|bytes| theirs::round1::NonceCommitment::deserialize(bytes).expect("a point"));
    theirs::round1::SigningCommitments::new(hiding, binding)
}

fn their_share(share: &SignatureShare) -> theirs::round2::SignatureShare {
    theirs::round2::SignatureShare::deserialize(&share.to_bytes()).expect("in range")
}

/// One signature to which signers of both libraries give shares, with some shares replaced by others.
struct Table {
    session: Session,
    group: Group,
    shares: Vec<(Identifier, SignatureShare)>,
    package: theirs::SigningPackage,
    their_group: theirs::keys::PublicKeyPackage,
}

impl Table {
    fn new(threshold: u16, participants: u16, tweak: Option<&[u8; 32]>) -> Table {
        let list = theirs::keys::IdentifierList::Default;
        let (secrets, their_group) =
            theirs::keys::generate_with_dealer(participants, threshold, list, OsRng).expect("a dealer");
        let keys: Vec<theirs::keys::KeyPackage> =
            secrets.into_values().map(|share| share.try_into().expect("an honest dealer")).collect();
        let mut group = group(&their_group, threshold.into());
        let secret = |key: &theirs::keys::KeyPackage| SecretKey::from_bytes(&key.signing_share().serialize());
        let mut our_keys: Vec<KeyShare> = keys
            .iter()
            .map(|key| KeyShare::new(&group, ours(key.identifier()), secret(key).expect("not zero")).expect("a share"))
            .collect();
        if let Some(root) = tweak {
            our_keys = our_keys.iter().map(|key| key.taproot(Some(root)).expect("a tweak")).collect();
            group = group.taproot(Some(root), &bulk()).expect("a tweak");
        }
        // Even places sign with our code.
        let mut nonces = Vec::new();
        let (mut published, mut their_published) = (Vec::new(), BTreeMap::new());
        for (place, (key, our_key)) in keys.iter().zip(&our_keys).take(threshold.into()).enumerate() {
            let (of_ours, of_theirs, commitments) = if place % 2 == 0 {
                let nonces = Nonces::generate(our_key);
                let commitments = nonces.commitments();
                (Some(nonces), None, commitments)
            } else {
                let (nonces, commitments) = theirs::round1::commit(key.signing_share(), &mut OsRng);
                (None, Some(nonces), our_nonces(&commitments))
            };
            published.push((our_key.identifier(), commitments));
            their_published.insert(*key.identifier(), their_nonces(&commitments));
            nonces.push((of_ours, of_theirs));
        }
        let message = b"both at one table";
        let session = Session::new(&group, &published, message, &bulk()).expect("signers of the group");
        let package = theirs::SigningPackage::new(their_published, message);
        let mut shares = Vec::new();
        for ((key, our_key), nonces) in keys.iter().zip(&our_keys).zip(nonces) {
            let share = match nonces {
                (Some(nonces), _) => session.sign(nonces, our_key).expect("a signer"),
                (_, nonces) => {
                    let nonces = nonces.expect("one of the two");
                    let share = match tweak {
                        Some(root) => theirs::round2::sign_with_tweak(&package, &nonces, key, Some(root)),
                        None => theirs::round2::sign(&package, &nonces, key),
                    };
                    SignatureShare::from_bytes(&share.expect("a signer").serialize()).expect("in range")
                }
            };
            shares.push((our_key.identifier(), share));
        }
        let their_group = match tweak {
            Some(root) => theirs::keys::Tweak::tweak(their_group, Some(root)),
            None => their_group,
        };
        Table { session, group, shares, package, their_group }
    }

    /// What they make of these shares: the signature, or the culprits.
    fn theirs(&self, shares: &[(Identifier, SignatureShare)]) -> Result<Vec<u8>, Vec<Identifier>> {
        let shares = shares.iter().map(|(id, share)| (their_id(*id), their_share(share))).collect();
        match aggregate_custom(&self.package, &shares, &self.their_group, CheaterDetection::AllCheaters) {
            Ok(signature) => Ok(signature.serialize().expect("64 bytes")),
            Err(theirs::Error::InvalidSignatureShare { culprits }) => Err(culprits.iter().map(ours).collect()),
            Err(error) => panic!("{error}"),
        }
    }

    fn ours(&self, shares: &[(Identifier, SignatureShare)]) -> Result<Vec<u8>, Vec<Identifier>> {
        match self.session.aggregate(shares, &bulk()) {
            Ok(signature) => Ok(signature.to_bytes()),
            Err(Error::BadSignatureShares(culprits)) => Err(culprits),
            Err(error) => panic!("{error}"),
        }
    }
}

#[test]
fn one_signature_of_both_libraries_and_the_same_culprits() {
    // Keys and nonces of either parity of y come up in some of the rounds.
    for round in 0..16 {
        let root = [7; 32];
        let table = Table::new(7, 9, (round % 2 == 1).then_some(&root));
        let signature = table.ours(&table.shares).expect("shares that hold");
        assert_eq!(table.theirs(&table.shares), Ok(signature.clone()));
        let signature = Signature::from_bytes(Suite::Taproot, &signature).expect("64 bytes");
        assert_eq!(signature.verify(b"both at one table", &table.group.key()), Ok(()));
        for wrong in [vec![0], vec![6], vec![3], vec![1, 2], vec![0, 3, 4, 6], (0..7).collect()] {
            let mut bad = table.shares.clone();
            for place in &wrong {
                bad[*place].1 = SignatureShare::from_bytes(&SecretKey::random().to_bytes()).expect("in range");
            }
            let named: Vec<Identifier> = wrong.iter().map(|place| bad[*place].0).collect();
            assert_eq!(table.ours(&bad), Err(named.clone()));
            assert_eq!(table.theirs(&bad), Err(named));
        }
    }
}

/// Three participants generate a key: one with our code and two with theirs.
#[test]
fn one_key_of_both_libraries() {
    let ids = [1, 2, 3].map(identifier);
    let begin = |id: Identifier| theirs::keys::dkg::part1(their_id(id), 3, 2, OsRng).expect("part 1");
    let (announced, mine) = dkg::begin(Suite::Taproot, ids[0], 2, &bulk()).expect("a threshold");
    let [(second, second_package), (third, third_package)] = [begin(ids[1]), begin(ids[2])];
    let to_ours = |package: &theirs::keys::dkg::round1::Package| {
        let commitment = package.commitment().serialize().expect("no infinity").concat();
        let proof = package.proof_of_knowledge().serialize().expect("no infinity");
        let bytes = [commitment, proof].concat();
        Announcement::from_bytes(Suite::Taproot, &bytes, &bulk()).expect("points")
    };
    let commitment = mine.commitment().to_bytes();
    let commitment = theirs::keys::VerifiableSecretSharingCommitment::deserialize(commitment.chunks(33));
    let proof = theirs::Signature::deserialize(&mine.proof().to_bytes()).expect("64 bytes");
    let first_package = theirs::keys::dkg::round1::Package::new(commitment.expect("points"), proof);
    assert_eq!(Commitment::from_bytes(&mine.commitment().to_bytes(), &bulk()).as_ref(), Ok(mine.commitment()));

    let packages = [first_package, second_package, third_package];
    let others = |me: usize| -> BTreeMap<theirs::Identifier, theirs::keys::dkg::round1::Package> {
        (0..3).filter(|other| *other != me).map(|other| (their_id(ids[other]), packages[other].clone())).collect()
    };
    let (dealt, from_first) = announced
        .deal(&[(ids[1], to_ours(&packages[1])), (ids[2], to_ours(&packages[2]))], &bulk())
        .expect("proofs that hold");
    let (second, from_second) = theirs::keys::dkg::part2(second, &others(1)).expect("proofs that hold");
    let (third, from_third) = theirs::keys::dkg::part2(third, &others(2)).expect("proofs that hold");

    let received = [(ids[1], &from_second), (ids[2], &from_third)].map(|(from, shares)| {
        let share = shares[&their_id(ids[0])].signing_share().serialize();
        (from, DealtShare::from_bytes(&share).expect("a scalar"))
    });
    let (key, group) = dealt.finish(&received, &bulk()).expect("shares that hold");

    let package = |share: &DealtShare| {
        let share = theirs::keys::SigningShare::deserialize(&share.to_bytes()).expect("a scalar");
        theirs::keys::dkg::round2::Package::new(share)
    };
    let of_first = |to: Identifier| package(&from_first.iter().find(|(id, _)| *id == to).expect("dealt to all").1);
    let for_second = BTreeMap::from([
        (their_id(ids[0]), of_first(ids[1])),
        (their_id(ids[2]), from_third[&their_id(ids[1])].clone()),
    ]);
    let for_third = BTreeMap::from([
        (their_id(ids[0]), of_first(ids[2])),
        (their_id(ids[1]), from_second[&their_id(ids[2])].clone()),
    ]);
    let (_, their_second) = theirs::keys::dkg::part3(&second, &others(1), &for_second).expect("shares that hold");
    let (_, their_third) = theirs::keys::dkg::part3(&third, &others(2), &for_third).expect("shares that hold");
    assert_eq!(their_second, their_third);
    assert_eq!(group, self::group(&their_second, 2));
    assert_eq!(key.verifying_share(), group.verifying_share(&ids[0]).expect("a participant"));
}
