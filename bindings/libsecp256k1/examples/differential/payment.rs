//! A transaction of a silent payment, made by the original.

use crate::{
    library::Library,
    random::Random,
    values::{at, at_mut},
};

/// Outputs of a transaction.
pub(crate) const OUTPUTS: usize = 4;

/// What a recipient with the scan key of the scenario has.
pub(crate) struct Payment {
    pub(crate) outpoint: [u8; 36],
    pub(crate) spend: [u8; 64],
    pub(crate) labeled: [u8; 64],
    pub(crate) label: [u8; 68],
    pub(crate) encoded_label: [u8; 33],
    pub(crate) label_tweak: [u8; 32],
    pub(crate) summary: [u8; 101],
    /// Two to the spend key, one to that with the label, one to somebody else.
    pub(crate) outputs: [[u8; 64]; OUTPUTS],
    /// The same with the two spend keys exchanged: with a label where the output above is without, and the reverse.
    pub(crate) exchanged: [[u8; 64]; OUTPUTS],
}

impl Default for Payment {
    fn default() -> Payment {
        Payment {
            outpoint: [0; 36],
            spend: [0; 64],
            labeled: [0; 64],
            label: [0; 68],
            encoded_label: [0; 33],
            label_tweak: [0; 32],
            summary: [0; 101],
            outputs: [[0; 64]; OUTPUTS],
            exchanged: [[0; 64]; OUTPUTS],
        }
    }
}

/// The bytes of a recipient.
pub(crate) fn recipient(scan: &[u8; 64], spend: &[u8; 64], index: usize) -> [u8; 136] {
    let mut bytes = [0; 136];
    bytes[..64].copy_from_slice(scan);
    bytes[64..128].copy_from_slice(spend);
    bytes[128..].copy_from_slice(&index.to_le_bytes());
    bytes
}

impl Payment {
    pub(crate) fn new(
        original: &Library,
        context: usize,
        random: &mut Random,
        scan_key: &[u8; 32],
        scan: &[u8; 64],
    ) -> Payment {
        let mut it = Payment { outpoint: random.bytes(), ..Payment::default() };
        let make = |name: &str, arguments: &[usize]| assert_eq!(original.answer(name, arguments), 1, "{name}");
        let (secret, sender, mut sender_key) = (random.bytes::<32>(), random.bytes::<32>(), [0; 64]);
        make("secp256k1_ec_pubkey_create", &[context, at_mut(&mut it.spend), at(&secret)]);
        make("secp256k1_ec_pubkey_create", &[context, at_mut(&mut sender_key), at(&sender)]);
        let (label, tweak) = (at_mut(&mut it.label), at_mut(&mut it.label_tweak));
        let number = random.below(3);
        make("secp256k1_silentpayments_recipient_label_create", &[context, label, tweak, at(scan_key), number]);
        let encoded = at_mut(&mut it.encoded_label);
        make("secp256k1_silentpayments_recipient_label_serialize", &[context, encoded, at(&it.label)]);
        let arguments = [context, at_mut(&mut it.labeled), at(&it.spend), at(&it.label)];
        make("secp256k1_silentpayments_recipient_create_labeled_spend_pubkey", &arguments);
        let (list, keys) = (|list: &[usize]| list.as_ptr().expose_provenance(), [at(&sender)]);
        let spends = [it.spend, it.labeled];
        for (outputs, [one, other]) in [(&mut it.outputs, [0, 1]), (&mut it.exchanged, [1, 0])] {
            let payees = [(scan, one), (scan, other), (&sender_key, one), (scan, one)];
            let recipients: Vec<[u8; 136]> =
                (0..).zip(payees).map(|(index, (scan, spend))| recipient(scan, &spends[spend], index)).collect();
            let recipients: Vec<usize> = recipients.iter().map(at).collect();
            let outputs: Vec<usize> = outputs.iter_mut().map(at_mut).collect();
            let (outputs, recipients) = (list(&outputs), list(&recipients));
            let arguments = [context, outputs, recipients, OUTPUTS, at(&it.outpoint), 0, 0, list(&keys), 1];
            make("secp256k1_silentpayments_sender_create_outputs", &arguments);
        }
        let keys = [at(&sender_key)];
        let arguments = [context, at_mut(&mut it.summary), at(&it.outpoint), 0, 0, list(&keys), 1];
        make("secp256k1_silentpayments_recipient_prevouts_summary_create", &arguments);
        it
    }
}
