//! 667 of 1,000.

use crate::{bulk, group, sign};
use phalanx_frost::{Error, Group, Identifier, SignatureShare, Suite};

#[test]
fn two_thirds_of_a_thousand_sign_and_cheaters_are_named() {
    let (made, keys) = group(Suite::Taproot, 667, 1000);
    assert_eq!(Group::new(Suite::Taproot, 667, made.key(), made.verifying_shares(), &bulk()).as_ref(), Ok(&made));
    let (session, mut shares) = sign(&made, &keys[333..], b"message");
    let signature = session.aggregate(&shares, &bulk()).expect("shares that hold");
    assert_eq!(signature.verify(b"message", &made.key()), Ok(()));
    let wrong = [0, 1, 111, 333, 500, 665, 666];
    for place in wrong {
        shares[place].1 = SignatureShare::from_bytes(&[7; 32]).expect("in range");
    }
    let named: Vec<Identifier> = wrong.iter().map(|place| shares[*place].0).collect();
    assert_eq!(session.aggregate(&shares, &bulk()), Err(Error::BadSignatureShares(named)));
}
