package banderwagon

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math/big"
	"slices"
	"sync"

	"phalanx.example/phalanx/internal/bandersnatch"
)

// Basis is the elements that commitments are sums of. A commitment binds only where nobody knows a relation between them.
type Basis struct{ elements []Element }

// VerkleLength is the number of elements of the Verkle basis.
const VerkleLength = 256

// verkleDigest is the SHA-256 hash of the encodings of the Verkle basis, one after another.
const verkleDigest = "1fcaea10bf24f750200e06fa473c76ff0468007291fa548e2d99f09ba9256fdb"

// VerkleBasis is the basis of Ethereum's Verkle trees, 256 elements, drawn when it is first asked for and checked against its
// published hash.
var VerkleBasis = sync.OnceValue(func() *Basis {
	basis := DrawBasis([]byte("eth_verkle_oct_2021"), VerkleLength)
	encodings := make([][32]byte, VerkleLength)
	Encode(basis.elements, encodings)
	hash := sha256.New()
	for _, encoding := range encodings {
		hash.Write(encoding[:])
	}
	if hex.EncodeToString(hash.Sum(nil)) != verkleDigest {
		panic("banderwagon: the Verkle basis has another hash than the published one: this machine miscomputes")
	}
	return basis
})

// DrawBasis is the first elements that are encoded by SHA-256(seed || i) modulo p, for i = 0, 1, 2 and so on in eight
// big-endian bytes: nobody knows a relation between them.
func DrawBasis(seed []byte, length int) *Basis {
	basis, p := &Basis{}, bandersnatch.Big(bandersnatch.P)
	for i := uint64(0); len(basis.elements) < length; i++ {
		digest := sha256.Sum256(binary.BigEndian.AppendUint64(slices.Clone(seed), i))
		x := new(big.Int).SetBytes(digest[:])
		x.Mod(x, p).FillBytes(digest[:])
		if element, err := ParseElement(digest[:]); err == nil {
			basis.elements = append(basis.elements, element)
		}
	}
	return basis
}

// NewBasis is a basis of any elements.
func NewBasis(elements []Element) *Basis { return &Basis{slices.Clone(elements)} }

// Len is the number of elements; 0 where there is no basis.
func (b *Basis) Len() int {
	if b == nil {
		return 0
	}
	return len(b.elements)
}

// Elements are the elements.
func (b *Basis) Elements() []Element { return slices.Clone(b.elements) }
