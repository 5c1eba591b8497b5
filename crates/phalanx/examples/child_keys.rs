//! Child keys by tweaks, as wallets derive them: whoever has the public key alone derives the children's public keys,
//! and whoever has the secret key their secret keys.
//!
//! `cargo run --release --example child_keys`

use phalanx::{Bulk, Error, PublicKey, SecretKey, hash};

/// The tweak of a child: a hash of the parent's public key and the child's number.
fn tweak(parent: &PublicKey, child: u32) -> [u8; 32] {
    hash::TaggedHash::new(b"example/child").hash(&[&parent.to_bytes(), &child.to_le_bytes()])
}

fn main() -> Result<(), Error> {
    let parent = SecretKey::random();
    let public = parent.public_key();

    // One at a time, from either side.
    let child = parent.tweak_add(&tweak(&public, 7))?;
    assert_eq!(public.tweak_add(&tweak(&public, 7))?, child.public_key());

    // A thousand at once, as a watching wallet needs them. A tweak that gives no key, which happens to nobody, is an
    // error in its place.
    let tweaks: Vec<[u8; 32]> = (0..1000).map(|i| tweak(&public, i)).collect();
    let children = Bulk::new().tweak_add_public(&vec![public; 1000], &tweaks)?;
    assert_eq!(children[7], Ok(child.public_key()));
    println!("{} children of one key", children.len());
    Ok(())
}
