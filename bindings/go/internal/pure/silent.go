package pure

import (
	"encoding/binary"
	"slices"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
)

// SilentLabel computes the tweak of a label of BIP-352.
func SilentLabel(scan *[32]byte, label uint32, tweak *[32]byte) Verdict {
	if _, ok := secretScalar(scan); !ok {
		return MalformedRow
	}
	hash := Tagged("BIP0352/Label", scan[:], binary.BigEndian.AppendUint32(nil, label))
	return tweakOf(&hash, tweak)
}

// SilentTweak computes the tweak of a receiver's output k in the transaction with this tweak point: 33 or 65 bytes of
// SEC 1, or 64 as libsecp256k1 keeps a point.
func SilentTweak(point []byte, scan *[32]byte, k uint32, tweak *[32]byte) Verdict {
	if len(point) == 64 {
		stored := slices.Clone(point)
		slices.Reverse(stored[:32])
		slices.Reverse(stored[32:])
		point = append([]byte{4}, stored...)
	}
	tweaked, ok := key(point)
	if !ok {
		return BadPublicKey
	}
	scalar, ok := secretScalar(scan)
	if !ok {
		return MalformedRow
	}
	var base, shared secp256k1.JacobianPoint
	tweaked.AsJacobian(&base)
	secp256k1.ScalarMultNonConst(&scalar, &base, &shared)
	scalar.Zero()
	shared.ToAffine()
	compressed := secp256k1.NewPublicKey(&shared.X, &shared.Y).SerializeCompressed()
	hash := Tagged("BIP0352/SharedSecret", compressed, binary.BigEndian.AppendUint32(nil, k))
	clear(compressed)
	return tweakOf(&hash, tweak)
}

// tweakOf takes a hash for a tweak, and clears it.
func tweakOf(hash, tweak *[32]byte) Verdict {
	defer clear(hash[:])
	if _, ok := secretScalar(hash); !ok {
		return MalformedRow
	}
	*tweak = *hash
	return Valid
}
