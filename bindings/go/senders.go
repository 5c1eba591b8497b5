package phalanx

import "context"

// Senders finds the Ethereum addresses that made ECDSA signatures of signing hashes. The parity of a row is 0, or 1
// where the y of the nonce point is odd; any other makes it [OutOfRange]. Variable time. It reads signingHashes (32
// bytes), signatures (64 bytes), parities (1 byte). Where a row is not [Valid], its element of addresses is zero.
func (b *Bulk) Senders(ctx context.Context, signingHashes, signatures, parities Column, policy LowS, addresses [][20]byte, verdicts []Verdict) error {
	clear(addresses)
	work := rowsWork{operation: rowsSenders, allowHighS: policy == AllowHighS, verdicts: verdicts}
	work.inputs = [4]Column{signingHashes, signatures, parities}
	work.output = columnOfRows(addresses)
	return b.run(ctx, &work)
}
