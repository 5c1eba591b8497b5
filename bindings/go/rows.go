// Code generated from the library's source by a test of bindings/go-image. DO NOT EDIT.

package phalanx

import "context"

// VerifyECDSA verifies ECDSA signatures. Variable time. It reads digests (32 bytes), signatures (64 bytes), publicKeys
// (33 or 65 bytes).
func (b *Bulk) VerifyECDSA(ctx context.Context, digests, signatures, publicKeys Column, policy LowS, verdicts []Verdict) error {
	work := rowsWork{operation: rowsVerifyECDSA, allowHighS: policy == AllowHighS, verdicts: verdicts}
	work.inputs = [4]Column{digests, signatures, publicKeys}
	return b.run(ctx, &work)
}

// VerifySchnorr verifies Schnorr signatures of BIP-340. Variable time. It reads messages (any one width), signatures
// (64 bytes), publicKeys (32 bytes).
func (b *Bulk) VerifySchnorr(ctx context.Context, messages, signatures, publicKeys Column, verdicts []Verdict) error {
	work := rowsWork{operation: rowsVerifySchnorr, verdicts: verdicts}
	work.inputs = [4]Column{messages, signatures, publicKeys}
	return b.run(ctx, &work)
}

// Recover recovers the public keys of ECDSA signatures by recovery ids from 0 to 3. High s is accepted. Variable time.
// It reads digests (32 bytes), signatures (64 bytes), recoveryIds (1 byte). Where a row is not [Valid], its element of
// foundKeys is zero.
func (b *Bulk) Recover(ctx context.Context, digests, signatures, recoveryIds Column, foundKeys []PublicKey, verdicts []Verdict) error {
	clear(foundKeys)
	work := rowsWork{operation: rowsRecover, verdicts: verdicts}
	work.inputs = [4]Column{digests, signatures, recoveryIds}
	work.output = columnOfRows(foundKeys)
	return b.run(ctx, &work)
}

// PublicKeys computes the public keys of secret keys. Constant time. It reads secretKeys (32 bytes). Where a row is not
// [Valid], its element of publicKeys is zero.
func (b *Bulk) PublicKeys(ctx context.Context, secretKeys Column, publicKeys []PublicKey, verdicts []Verdict) error {
	clear(publicKeys)
	work := rowsWork{operation: rowsPublicKeys, verdicts: verdicts}
	work.inputs = [4]Column{secretKeys}
	work.output = columnOfRows(publicKeys)
	return b.run(ctx, &work)
}

// SignECDSA signs digests by secret keys: ECDSA with the nonces of RFC 6979 and low s. Constant time. It reads digests
// (32 bytes), secretKeys (32 bytes). Where a row is not [Valid], its element of signatures is zero.
func (b *Bulk) SignECDSA(ctx context.Context, digests, secretKeys Column, signatures []Signature, verdicts []Verdict) error {
	clear(signatures)
	work := rowsWork{operation: rowsSignECDSA, verdicts: verdicts}
	work.inputs = [4]Column{digests, secretKeys}
	work.output = columnOfRows(signatures)
	return b.run(ctx, &work)
}

// SignSchnorr signs messages by secret keys and auxiliary randomness, which may be zero: BIP-340. Constant time. It
// reads messages (any one width), secretKeys (32 bytes), randomness (32 bytes). Where a row is not [Valid], its element
// of signatures is zero.
func (b *Bulk) SignSchnorr(ctx context.Context, messages, secretKeys, randomness Column, signatures []SchnorrSignature, verdicts []Verdict) error {
	clear(signatures)
	work := rowsWork{operation: rowsSignSchnorr, verdicts: verdicts}
	work.inputs = [4]Column{messages, secretKeys, randomness}
	work.output = columnOfRows(signatures)
	return b.run(ctx, &work)
}

// SharedSecrets computes the shared secrets of public keys and secret keys: ECDH with the hash that libsecp256k1 takes
// by default, SHA-256 of the compressed point. Constant time in the secret keys. It reads publicKeys (33 or 65 bytes),
// secretKeys (32 bytes). Where a row is not [Valid], its element of sharedSecrets is zero.
func (b *Bulk) SharedSecrets(ctx context.Context, publicKeys, secretKeys Column, sharedSecrets [][32]byte, verdicts []Verdict) error {
	clear(sharedSecrets)
	work := rowsWork{operation: rowsSharedSecrets, verdicts: verdicts}
	work.inputs = [4]Column{publicKeys, secretKeys}
	work.output = columnOfRows(sharedSecrets)
	return b.run(ctx, &work)
}

// TweakAddPublic adds tweaks times the generator to public keys. Constant time in the tweaks, except that it tells
// whether a row has a result. It reads publicKeys (33 or 65 bytes), tweaks (32 bytes). Where a row is not [Valid], its
// element of tweakedKeys is zero.
func (b *Bulk) TweakAddPublic(ctx context.Context, publicKeys, tweaks Column, tweakedKeys []PublicKey, verdicts []Verdict) error {
	clear(tweakedKeys)
	work := rowsWork{operation: rowsTweakAddPublic, verdicts: verdicts}
	work.inputs = [4]Column{publicKeys, tweaks}
	work.output = columnOfRows(tweakedKeys)
	return b.run(ctx, &work)
}

// Decompress reads public keys, and writes them in another form. Variable time. It reads publicKeys (33 or 65 bytes).
// Where a row is not [Valid], its element of foundKeys is zero.
func (b *Bulk) Decompress(ctx context.Context, publicKeys Column, foundKeys []PublicKey, verdicts []Verdict) error {
	clear(foundKeys)
	work := rowsWork{operation: rowsDecompress, verdicts: verdicts}
	work.inputs = [4]Column{publicKeys}
	work.output = columnOfRows(foundKeys)
	return b.run(ctx, &work)
}

// DeriveChildren derives children of extended public keys (BIP-32), and what scripts hold of them. A parent is its key
// and its chain code, and is read once for rows that follow each other. An index of 2^31 or more is that of a hardened
// child, which no public key has, and makes a row malformed. Variable time. It reads parentKeys (33 or 65 bytes),
// chainCodes (32 bytes), indices (4 bytes). Where a row is not [Valid], its element of children is zero. The error is
// [ErrPayload] for an unknown kind of payload.
func (b *Bulk) DeriveChildren(ctx context.Context, parentKeys, chainCodes Column, indices []uint32, payload PayloadKind, children []Child, verdicts []Verdict) error {
	clear(children)
	if payload > TaprootKey {
		clear(verdicts)
		return ErrPayload
	}
	work := rowsWork{operation: rowsDeriveChildren, payload: payload, verdicts: verdicts}
	work.inputs = [4]Column{parentKeys, chainCodes, columnOfRows(indices)}
	work.output = columnOfRows(children)
	return b.run(ctx, &work)
}

// Senders finds the Ethereum addresses that made ECDSA signatures of signing hashes. The parity of a row is 0, or 1
// where the y of the nonce point is odd; any other is out of range. Variable time. It reads signingHashes (32 bytes),
// signatures (64 bytes), parities (1 byte). Where a row is not [Valid], its element of addresses is zero.
func (b *Bulk) Senders(ctx context.Context, signingHashes, signatures, parities Column, policy LowS, addresses [][20]byte, verdicts []Verdict) error {
	clear(addresses)
	work := rowsWork{operation: rowsSenders, allowHighS: policy == AllowHighS, verdicts: verdicts}
	work.inputs = [4]Column{signingHashes, signatures, parities}
	work.output = columnOfRows(addresses)
	return b.run(ctx, &work)
}

// BatchECDSA verifies ECDSA signatures by sums of products over many rows, which is faster where there are a hundred
// and more of them and nearly all are valid. A recovery id is a hint: a wrong one costs time and changes no verdict,
// and a value above 3 gives no hint. A wrong row is valid with probability below 2^-124. Variable time. It reads
// digests (32 bytes), signatures (64 bytes), publicKeys (33 or 65 bytes), recoveryIds (1 byte). Randomness comes from
// crypto/rand; the error is [ErrRandomness] where that fails.
func (b *Bulk) BatchECDSA(ctx context.Context, digests, signatures, publicKeys, recoveryIds Column, policy LowS, verdicts []Verdict) error {
	work := rowsWork{operation: rowsBatchECDSA, allowHighS: policy == AllowHighS, verdicts: verdicts}
	work.inputs = [4]Column{digests, signatures, publicKeys, recoveryIds}
	return b.runDrawing(ctx, &work)
}

// BatchSchnorr verifies Schnorr signatures of BIP-340 by sums of products over many rows, which is faster where there
// are a hundred and more of them and nearly all are valid. A wrong row is valid with probability below 2^-124. Variable
// time. It reads messages (any one width), signatures (64 bytes), publicKeys (32 bytes). Randomness comes from
// crypto/rand; the error is [ErrRandomness] where that fails.
func (b *Bulk) BatchSchnorr(ctx context.Context, messages, signatures, publicKeys Column, verdicts []Verdict) error {
	work := rowsWork{operation: rowsBatchSchnorr, verdicts: verdicts}
	work.inputs = [4]Column{messages, signatures, publicKeys}
	return b.runDrawing(ctx, &work)
}

type rowsOperation uint8

const (
	rowsVerifyECDSA rowsOperation = iota
	rowsVerifySchnorr
	rowsRecover
	rowsPublicKeys
	rowsSignECDSA
	rowsSignSchnorr
	rowsSharedSecrets
	rowsTweakAddPublic
	rowsDecompress
	rowsDeriveChildren
	rowsSenders
	rowsBatchECDSA
	rowsBatchSchnorr
)

// widths are those that the inputs of each operation may have; none where any will do, and nil where there is no input.
var widths = [...][4][]int{
	rowsVerifyECDSA:    {{32}, {64}, {33, 65}, nil},
	rowsVerifySchnorr:  {{}, {64}, {32}, nil},
	rowsRecover:        {{32}, {64}, {1}, nil},
	rowsPublicKeys:     {{32}, nil, nil, nil},
	rowsSignECDSA:      {{32}, {32}, nil, nil},
	rowsSignSchnorr:    {{}, {32}, {32}, nil},
	rowsSharedSecrets:  {{33, 65}, {32}, nil, nil},
	rowsTweakAddPublic: {{33, 65}, {32}, nil, nil},
	rowsDecompress:     {{33, 65}, nil, nil, nil},
	rowsDeriveChildren: {{33, 65}, {32}, {4}, nil},
	rowsSenders:        {{32}, {64}, {1}, nil},
	rowsBatchECDSA:     {{32}, {64}, {33, 65}, {1}},
	rowsBatchSchnorr:   {{}, {64}, {32}, nil},
}
