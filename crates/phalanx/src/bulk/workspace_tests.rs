//! The memory that a chunk takes is what `tuning` says: enough for every operation, and one line less is not.

use super::{
    key_tables::{KeyId, Keyed, KeyedOperation, TableRows, build},
    memory::Lines,
    operation::{OnRows, RowOperation},
    operations::{
        Decompress, DeriveChildren, FindSilentPayments, LiftX, PublicKeys, Recover, SharedSecrets, SignEcdsa,
        SignSchnorr, SilentOutputs, TweakAddPublic, TweakMulPublic, VerifyEcdsa, VerifySchnorr, in_rows,
    },
    rows::{gathered, sealed::Rows},
};
use crate::{
    Column, Keypair, LowS, PublicKey, SecretKey, children, ecdsa,
    hash::TaggedHash,
    keys::RowKey,
    lanes::Machine,
    mul::KeyTable,
    payments::{OutputRow, Outputs, Receiver, Row as SilentRow, SharedPoint, SortedOutputs},
    schnorr,
    tuning::{LINES_OF_EIGHT_LANES, LINES_OF_ONE_LANE, ROWS_PER_CHUNK_MAX as ROWS},
};
use alloc::{vec, vec::Vec};
use phalanx_engine::word::{CacheLine, Emulation, LANES};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Operations in eight lanes of a machine, or on one lane where there is none.
#[derive(Clone, Copy)]
struct On<M>(Option<M>);

impl<M: Machine> On<M> {
    fn run<O: RowOperation>(self, operation: O, rows: O::Rows<'_>, memory: &mut Lines) {
        let mut out = vec![O::NONE; ROWS];
        match self.0 {
            Some(machine) => operation.eight_lanes(machine, rows, &mut out, memory),
            None => operation.one_lane(rows, &mut out, memory),
        }
    }

    fn on_rows<R: Copy, O: OnRows<R>>(self, operation: O, rows: &dyn Rows<R>, memory: &mut Lines) {
        gathered(rows, 0..ROWS, memory, |rows, memory| self.run(operation, O::rows(rows), memory));
    }

    fn by_tables<R, O>(self, operation: O, row: R, table: &KeyTable, memory: &mut Lines)
    where
        R: Keyed,
        O: KeyedOperation<R>,
    {
        let tables = TableRows { rows: &[row; ROWS], tables: &[&table[..]; ROWS / LANES] };
        operation.by_tables(self.0.unwrap(), tables, &mut [O::NONE; ROWS], memory);
    }

    /// Computes a chunk by each operation, in memory of so many lines.
    fn every_operation(self, lines: usize) {
        let memory = &mut vec![CacheLine([0; 8]); lines][..];
        let pair = Keypair::from_secret(SecretKey::from_bytes(&[7; 32]).unwrap());
        let (signature, id) = ecdsa::sign_recoverable(&[1; 32], pair.secret_key());
        let (key, encoded) = (pair.public_key(), pair.public_key().to_bytes());
        let signed = schnorr::sign(&[1; 32], &pair, &[0; 32]).to_bytes();
        let (words, ids, compact, encodings) =
            ([[1; 32]; ROWS], [[id.to_u8()]; ROWS], [signature.to_compact(); ROWS], [encoded; ROWS]);
        let (x_only, schnorr_signatures) = ([pair.x_only().to_bytes(); ROWS], [signed; ROWS]);
        let [digests, signatures, keys] = [Column::of(&words), Column::of(&compact), Column::of(&encodings)];

        let rows = ecdsa::row::Columns::new(digests, signatures, keys).unwrap();
        let recovered = in_rows([digests, signatures, Column::of(&ids)]);
        let schnorr_rows =
            schnorr::row::Columns::new(digests, Column::of(&schnorr_signatures), Column::of(&x_only)).unwrap();
        self.on_rows(VerifyEcdsa(LowS::Require), &rows, memory);
        self.on_rows(VerifySchnorr, &schnorr_rows, memory);
        self.on_rows(Recover, &recovered, memory);
        // Keys whose x, zero, makes a denominator zero, so that every row is computed again.
        let (mut zero, zero_x) = ([[0; 33]; ROWS], [[0; 32]; ROWS]);
        zero.iter_mut().for_each(|key| key[0] = 2);
        let void = ecdsa::row::Columns::new(digests, signatures, Column::of(&zero));
        self.on_rows(VerifyEcdsa(LowS::Require), &void.unwrap(), memory);
        let void = schnorr::row::Columns::new(digests, Column::of(&schnorr_signatures), Column::of(&zero_x));
        self.on_rows(VerifySchnorr, &void.unwrap(), memory);

        let secrets: Vec<_> = (0..ROWS).map(|_| pair.secret_key().clone()).collect();
        let pairs: Vec<_> = (0..ROWS).map(|_| pair.clone()).collect();
        let (messages, publics) = (vec![&[1; 32][..]; ROWS], vec![key; ROWS]);
        self.run(PublicKeys, &secrets, memory);
        self.run(SignEcdsa, (&words, &secrets), memory);
        self.run(SignSchnorr, (&messages, &pairs, &words), memory);
        self.run(SharedSecrets, (&publics, &secrets), memory);
        self.run(TweakAddPublic, (&publics, &words), memory);
        self.run(TweakMulPublic, (&publics, &words), memory);
        // More spend keys than share an inversion, one of them the point of the rows' tweak, which has no chord.
        let (point, outputs) = (key.to_bytes(), Outputs::Prefixes(&[7]));
        let scanned = [SilentRow { tweak_point: &point, outputs }; ROWS];
        let shared = key.tweak_mul(&pair.secret_key().to_bytes()).unwrap();
        let tweak = TaggedHash::new(b"BIP0352/SharedSecret").hash(&[&shared.to_bytes(), &[0; 4]]);
        let receiver = Receiver::new(
            pair.secret_key(),
            &[[key; 5].as_slice(), &[PublicKey::GENERATOR.tweak_mul(&tweak).unwrap()]].concat(),
        );
        self.run(FindSilentPayments::<u64>::of(&[receiver.keys()]), &scanned, memory);
        let (shared, outputs) = (SharedPoint::new(&shared.coordinates()), SortedOutputs::new(outputs));
        let wanted = [OutputRow { shared: &shared, k: 0, outputs: &outputs }; ROWS];
        self.run(SilentOutputs(receiver.keys()), &wanted, memory);
        self.run(Decompress, &vec![&encoded[..]; ROWS], memory);
        let parent = children::Parent::new(key, &[9; 32]);
        let children: Vec<_> = (0..).take(ROWS).map(|index| children::ChildRow { parent: &parent, index }).collect();
        for payload in children::PayloadKind::ALL {
            self.run(DeriveChildren(payload), &children, memory);
        }
        self.run(LiftX, &vec![(key.x_words(), false); ROWS], memory);

        if let Some(machine) = self.0 {
            let mut tables = vec![None; ROWS];
            let keys = [KeyId::from(RowKey::Point(key)); ROWS];
            build::build_tables(machine, &keys, &mut tables, memory);
            let table = tables[0].as_ref().unwrap();
            self.by_tables(VerifyEcdsa(LowS::Require), rows.get(0), table, memory);
            self.by_tables(VerifySchnorr, schnorr_rows.get(0), table, memory);
        }
    }

    /// The fewest lines that are enough.
    fn fewest(self) -> usize {
        let enough = |lines: &usize| catch_unwind(AssertUnwindSafe(|| self.every_operation(*lines))).is_ok();
        let (mut less, mut enough_lines) = (0usize, 1 << 16);
        while enough_lines - less > 1 {
            let lines = less.midpoint(enough_lines);
            if enough(&lines) { enough_lines = lines } else { less = lines }
        }
        enough_lines
    }
}

#[test]
fn workspaces_are_enough_and_no_larger() {
    assert_eq!(On::<Emulation>(None).fewest(), LINES_OF_ONE_LANE, "lines of one lane");
    assert_eq!(On(Some(Emulation)).fewest(), LINES_OF_EIGHT_LANES, "lines of eight lanes");
}
