//! One bad row among good ones: at every place of two vectors of eight, and in batches of awkward lengths.

use phalanx::{Error, Keypair, LowS, PublicKey, PublicKeyRef, SecretKey, Verdict, XOnlyKeyRef, ecdsa, schnorr};
use phalanx_testkit::surface::{Verifier, surfaces, verifiers};
use phalanx_tiers::{is_large, number};

/// An emulator of another CPU takes a hundred times as long. `PHALANX_PLACES=n` keeps one place in n, so that many rows are
/// asked only in one call together, and of a long list of rows one in n.
pub(crate) fn thinner() -> usize {
    number("PHALANX_PLACES").map_or(1, |thinner| thinner.max(1) as usize)
}

/// Lengths around one and two vectors; a bad row stands at each place of each.
const LENGTHS: [usize; 7] = [1, 7, 8, 9, 15, 16, 17];

/// As many rows are a long list: most of its classes differ little, such as by a length.
const LONG: usize = 100;

/// A row as it came, and what must be said of it.
#[derive(Clone)]
pub(crate) struct Bad<R, V = Verdict> {
    pub(crate) class: String,
    pub(crate) row: R,
    pub(crate) verdict: V,
}

pub(crate) fn bad<R, V>(class: impl Into<String>, row: R, verdict: V) -> Bad<R, V> {
    Bad { class: class.into(), row, verdict }
}

/// A row that owns its values.
pub(crate) trait Claim: Clone {
    /// The same claim, wrong in one thing.
    fn with(&self, change: impl FnOnce(&mut Self)) -> Self {
        let mut row = self.clone();
        change(&mut row);
        row
    }
}

impl Claim for EcdsaRow {}
impl Claim for SchnorrRow {}

/// An ECDSA row that owns its values.
#[derive(Clone)]
pub(crate) struct EcdsaRow {
    pub(crate) digest: Vec<u8>,
    pub(crate) signature: Vec<u8>,
    pub(crate) form: Form,
    pub(crate) key: Vec<u8>,
    pub(crate) hybrid: bool,
}

/// How the signature is to be read.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Form {
    Compact,
    Der,
    DerLax,
}

impl EcdsaRow {
    pub(crate) fn row(&self) -> ecdsa::Row<'_> {
        let signature = match self.form {
            Form::Compact => ecdsa::SignatureRef::Compact(&self.signature),
            Form::Der => ecdsa::SignatureRef::Der(&self.signature),
            Form::DerLax => ecdsa::SignatureRef::DerLax(&self.signature),
        };
        let key = if self.hybrid { PublicKeyRef::EncodedHybrid(&self.key) } else { PublicKeyRef::Encoded(&self.key) };
        ecdsa::Row { digest: &self.digest, signature, public_key: key }
    }
}

/// A BIP-340 row that owns its values.
#[derive(Clone)]
pub(crate) struct SchnorrRow {
    pub(crate) message: Vec<u8>,
    pub(crate) signature: Vec<u8>,
    pub(crate) key: Vec<u8>,
}

impl SchnorrRow {
    pub(crate) fn row(&self) -> schnorr::Row<'_> {
        schnorr::Row { message: &self.message, signature: &self.signature, public_key: XOnlyKeyRef::Encoded(&self.key) }
    }
}

pub(crate) fn secret(number: u8) -> SecretKey {
    SecretKey::from_bytes(&[number; 32]).expect("0 < number < 0xff")
}

/// A valid row with a key of its own.
pub(crate) fn good_ecdsa(number: u8) -> EcdsaRow {
    let (secret, digest) = (secret(number), [number ^ 0x80; 32]);
    EcdsaRow {
        digest: digest.to_vec(),
        signature: ecdsa::sign(&digest, &secret).to_compact().to_vec(),
        form: Form::Compact,
        key: secret.public_key().to_bytes().to_vec(),
        hybrid: false,
    }
}

/// A valid row with a key of its own.
pub(crate) fn good_schnorr(number: u8) -> SchnorrRow {
    let pair = Keypair::from_secret(secret(number));
    let message = vec![number; usize::from(number)];
    SchnorrRow {
        signature: schnorr::sign(&message, &pair, &[0; 32]).to_bytes().to_vec(),
        message,
        key: pair.x_only().to_bytes().to_vec(),
    }
}

/// Each bad row alone, all of them together, and each at every place among good rows.
pub(crate) fn judge_ecdsa(bad: &[Bad<EcdsaRow>], low_s: LowS) {
    let good: Vec<_> = (1..=17).map(good_ecdsa).collect();
    let good: Vec<_> = good.iter().map(EcdsaRow::row).collect();
    let bad: Vec<_> = bad.iter().map(|one| self::bad(&one.class, one.row.row(), one.verdict)).collect();
    for surface in verifiers() {
        judge(&*surface, &good, Verdict::Valid, &bad, |rows| surface.verify_ecdsa(rows, low_s));
    }
}

/// As [`judge_ecdsa`].
pub(crate) fn judge_schnorr(bad: &[Bad<SchnorrRow>]) {
    let good: Vec<_> = (1..=17).map(good_schnorr).collect();
    let good: Vec<_> = good.iter().map(SchnorrRow::row).collect();
    let bad: Vec<_> = bad.iter().map(|one| self::bad(&one.class, one.row.row(), one.verdict)).collect();
    for surface in verifiers() {
        judge(&*surface, &good, Verdict::Valid, &bad, |rows| surface.verify_schnorr(rows));
    }
}

/// A row to recover, and why it gives no key.
pub(crate) type BadRecovery<'a> = Bad<ecdsa::RecoverRow<'a>, Result<PublicKey, Error>>;

/// As [`judge_ecdsa`], for rows to recover; the good ones give the key of [`secret`] 0x55.
pub(crate) fn judge_recovery(bad: &[BadRecovery<'_>]) {
    let (signature, id) = ecdsa::sign_recoverable(&[7; 32], &secret(0x55));
    let signature = ecdsa::SignatureRef::Parsed(&signature);
    let good = [ecdsa::RecoverRow { digest: &[7; 32], signature, recovery_id: id.to_u8() }; 17];
    let key = Ok(secret(0x55).public_key());
    for surface in surfaces() {
        judge(&*surface, &good, key, bad, |rows| surface.recover(rows));
    }
}

fn judge<R: Copy, V: PartialEq + Copy + std::fmt::Debug>(
    surface: &(impl Verifier + ?Sized),
    good: &[R],
    valid: V,
    bad: &[Bad<R, V>],
    ask: impl Fn(&[R]) -> Vec<V>,
) {
    let (share, surface) = (surface.share(), surface.name());
    assert_eq!(ask(&[]), []);
    let asked: Vec<usize> = share.of_cases(0..bad.len()).collect();
    let together = ask(&asked.iter().map(|index| bad[*index].row).collect::<Vec<_>>());
    assert_eq!(together.len(), asked.len());
    for (verdict, index) in together.iter().zip(&asked) {
        assert_eq!(*verdict, bad[*index].verdict, "{}, {surface}", bad[*index].class);
    }
    let places = share.places * thinner();
    // In the large tier every class at every place of every length. In the short one so of whole vectors, where a place
    // gets a fourth of a long list's classes, and of the other lengths one class after another.
    let places_of_eight = if is_large() || bad.len() <= LONG { places } else { share.places * thinner().max(4) };
    let mut rest = asked.iter().cycle();
    let mut turns = 0..;
    for length in LENGTHS {
        for place in 0..length {
            let chosen: Vec<usize> = if length == 8 || is_large() {
                asked.iter().copied().filter(|index| (index + place).is_multiple_of(places_of_eight)).collect()
            } else {
                let due = turns.next().is_some_and(|turn: usize| turn.is_multiple_of(places));
                rest.by_ref().copied().take(usize::from(due)).collect()
            };
            for index in chosen {
                let Bad { class, row, verdict } = &bad[index];
                let (mut rows, mut all) = (good[..length].to_vec(), vec![valid; length]);
                (rows[place], all[place]) = (*row, *verdict);
                assert_eq!(ask(&rows), all, "{class} at place {place} of {length}, {surface}");
            }
        }
    }
}
