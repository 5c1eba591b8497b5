//! How parts of silent payments are drawn: consistent ones, and hostile ones.

use crate::{
    callbacks::{self, address},
    kinds::Kind,
    parameters::Draw,
    payment::{OUTPUTS, recipient},
    pool::Of,
    values::hostile_number,
};

impl Draw<'_> {
    /// An array of pointers to structures, or none.
    pub(crate) fn optional<const N: usize>(&mut self, of: Of, values: &[[u8; N]]) {
        if self.random.once_in(3) {
            self.word(0);
            let count = usize::from(self.random.once_in(12));
            return self.word(count);
        }
        let mut pointers = Vec::new();
        for _ in 0..self.random.below(4) + usize::from(!self.random.once_in(8)) {
            pointers.push(match self.pool {
                _ if self.random.once_in(60) => 0,
                Some(pool) => pool.any(of, self.random),
                None => {
                    let bytes = if self.random.once_in(15) { self.other(of) } else { self.random.one_of(values) };
                    self.arena.put(&bytes, N, 0)
                }
            });
        }
        self.array(of, &pointers);
    }

    /// Another structure of a key, or of a secret key.
    fn other<const N: usize>(&mut self, of: Of) -> [u8; N] {
        let mut bytes = [0; N];
        match of.key() {
            Some(key) => bytes[key..key + 64].copy_from_slice(&self.other_key()),
            None => bytes[..32].copy_from_slice(&hostile_number(self.random)),
        }
        bytes
    }

    /// Arrays of pointers to outputs and to recipients, and their number.
    pub(crate) fn recipients(&mut self) {
        let (mut outputs, mut recipients) = (Vec::new(), Vec::new());
        let payment = &self.scenario.payment;
        let scans = [self.scenario.pubkey, payment.spend, self.scenario.tweaked];
        for number in 0..self.random.below(6) + usize::from(!self.random.once_in(10)) {
            let scan = if self.random.once_in(25) { self.other_key() } else { self.random.one_of(&scans) };
            let spends = [payment.spend, payment.labeled];
            let spend = if self.random.once_in(25) { self.other_key() } else { self.random.one_of(&spends) };
            let index = if self.random.once_in(60) { self.random.below(6) } else { number };
            let [output, place] = [self.random.once_in(60), self.random.once_in(60)];
            outputs.push(if output { 0 } else { self.arena.put(&[], 64, 0) });
            let address = self.arena.put(&recipient(&scan, &spend, index), 136, 0);
            self.drawn.elements.extend([(Of::Pubkey, address), (Of::Pubkey, address + 64)]);
            recipients.push(if place { 0 } else { address });
        }
        self.pointers(&outputs);
        self.pointers(&recipients);
        self.word(recipients.len());
    }

    /// Places for what is found and for its number, and the outputs of a transaction.
    pub(crate) fn outputs(&mut self) {
        let (mut found, mut outputs) = (Vec::new(), Vec::new());
        // Then one count may have two outputs, with a label and without, in either order.
        let has_exchanged = self.random.once_in(2);
        for number in 0..self.random.one_of(&[0, 1, 3, 4, 4, 4, 7, 8, 9, 12]) {
            let [place, output] = [self.random.once_in(120), self.random.once_in(120)];
            found.push(if place { 0 } else { self.arena.put(&[], 168, 0) });
            // The outputs of the payment in any order, among others.
            let mut key = match self.random.below(3) {
                0 => self.scenario.xonly,
                1 if has_exchanged => self.random.one_of(&self.scenario.payment.exchanged),
                _ => self.scenario.payment.outputs[(number + self.random.below(2)) % OUTPUTS],
            };
            if self.random.once_in(40) {
                key = self.other_key();
            }
            let address = self.arena.put(&key, 64, 0);
            self.drawn.elements.push((Of::Xonly, address));
            outputs.push(if output { 0 } else { address });
        }
        self.pointers(&found);
        self.draw(Kind::Output(Of::Number), [0; 2]);
        self.pointers(&outputs);
        self.word(outputs.len());
    }

    /// A function that knows the label of the payment, mostly; or none.
    pub(crate) fn lookup(&mut self) {
        let custom = address(callbacks::lookup as unsafe extern "C" fn(_, _) -> _);
        let mut table = [0; 65];
        table[..33].copy_from_slice(&self.scenario.payment.encoded_label);
        let tweak = self.scenario.payment.label_tweak;
        table[33..].copy_from_slice(&if self.random.once_in(20) { hostile_number(self.random) } else { tweak });
        let data = self.arena.put(&table, 65, 0);
        let known = (custom, data);
        let (function, data) = self.random.one_of(&[(0, 0), (0, data), (custom, 0), known, known, known, known]);
        self.word(function);
        self.word(data);
    }

    /// The label in compressed form, or what is no point.
    pub(crate) fn encoded_point(&mut self) {
        let mut bytes = self.scenario.payment.encoded_label;
        match self.random.below(5) {
            0 => bytes[0] = self.random.below(9) as u8,
            1 => bytes[1..].copy_from_slice(&hostile_number(self.random)),
            2 => bytes[1 + self.random.below(32)] ^= 1,
            _ => {}
        }
        self.bytes(Kind::EncodedPoint, &bytes, 33);
    }

    /// The array of pointers, now and then null.
    pub(crate) fn pointers(&mut self, pointers: &[usize]) {
        let bytes: Vec<u8> = pointers.iter().flat_map(|pointer| pointer.to_le_bytes()).collect();
        let array = self.arena.put(&bytes, bytes.len(), 0);
        let array = if self.random.once_in(60) { 0 } else { array };
        self.word(array);
    }
}
