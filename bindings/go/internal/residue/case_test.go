//go:build linux && (amd64 || arm64) && !purego && !race

package residue

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"math/big"
	"slices"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"

	"phalanx.example/phalanx/internal/pure"
)

// masked is a secret of a child: in the clear it is the exclusive or of both.
type masked struct{ Value, Mask [32]byte }

// unmask writes the secret where it is to be, and nowhere else.
func (m *masked) unmask(place *[32]byte) {
	for i := range place {
		place[i] = m.Value[i] ^ m.Mask[i]
	}
}

func mask(secret [32]byte) masked {
	m := masked{Mask: drawn()}
	for i := range secret {
		m.Value[i] = secret[i] ^ m.Mask[i]
	}
	return m
}

func drawn() (bytes [32]byte) {
	if _, err := rand.Read(bytes[:]); err != nil {
		panic(err)
	}
	return bytes
}

// row is the inputs of an operation. Key and tweak are secret.
type row struct{ key, tweak, digest, aux, other [32]byte }

// maskedRow is a row as a child gets it.
type maskedRow struct {
	Key, Tweak  masked
	Digest, Aux [32]byte
	Other       [33]byte
	// Paid is the x of the first output of silent payments for the receiver who scans by the key and has Other for a spend
	// key, in a transaction whose tweak point is Other too.
	Paid [32]byte
}

// input is what a child gets.
type input struct {
	Operation string
	Rows      []maskedRow
	// Words are needles, each multiplied by the factor, which is odd; Inverse is the factor's.
	Factor, Inverse uint64
	Words           []uint64
}

func newRow() row { return row{drawn(), drawn(), drawn(), drawn(), drawn()} }

func (r row) masked() maskedRow {
	other := secp256k1.PrivKeyFromBytes(r.other[:]).PubKey()
	paid := new(big.Int).Add(numberOf(r.other[:]), numberOf(r.silentTweak(0)))
	x := [32]byte(multiple(paid.Mod(paid, order))[1:33])
	return maskedRow{mask(r.key), mask(r.tweak), r.digest, r.aux, [33]byte(other.SerializeCompressed()), x}
}

// newInput is the case of an operation on these rows, and the needles in the clear.
func newInput(operation string, rows []row) (input, *needles) {
	random, found := drawn(), new(needles)
	in := input{Operation: operation, Factor: binary.NativeEndian.Uint64(random[:]) | 1}
	in.Inverse = in.Factor
	for range 5 {
		// Each step doubles the bits that are right, of which there are three at first.
		in.Inverse *= 2 - in.Factor*in.Inverse
	}
	for _, row := range rows {
		in.Rows = append(in.Rows, row.masked())
		row.secrets(found)
		if len(rows) == 1 {
			row.encoded(found)
			row.musig(found)
		}
	}
	for _, word := range found.words {
		in.Words = append(in.Words, word*in.Factor)
	}
	return in, found
}

func numberOf(bytes []byte) *big.Int { return new(big.Int).SetBytes(bytes) }

// secrets adds all that goes into any operation on the row, comes up in it or comes out of it, computed by decred's
// secp256k1: keys, tweaks, their sums, nonces of ECDSA and of BIP-340 and their inverses, and what two sides share.
func (r row) secrets(n *needles) {
	d, t := numberOf(r.key[:]), numberOf(r.tweak[:])
	n.scalar("key", d)
	n.scalar("tweak", t)
	sum := new(big.Int).Add(d, t)
	n.scalar("key plus tweak", sum.Mod(sum, order))

	nonce := secp256k1.NonceRFC6979(r.key[:], r.digest[:], nil, nil, 0).Bytes()
	k := numberOf(nonce[:])
	n.scalar("nonce", k)
	n.scalar("inverse of the nonce", new(big.Int).ModInverse(k, order))
	product := new(big.Int).Mul(numberOf(multiple(k)[1:33]), d)
	n.wide("r d", product)
	n.wide("z + r d", product.Add(product, numberOf(r.digest[:])))

	even := d
	if multiple(d)[64]&1 == 1 {
		even = new(big.Int).Sub(order, d)
	}
	n.scalar("even key", even)
	auxiliary := pure.Tagged("BIP0340/aux", r.aux[:])
	cover := even.FillBytes(make([]byte, 32))
	for i := range cover {
		cover[i] ^= auxiliary[i]
	}
	n.bytes("masked key", cover)
	drawn := pure.Tagged("BIP0340/nonce", cover, multiple(d)[1:33], r.digest[:])
	n.bytes("hash of the nonce of BIP-340", drawn[:])
	schnorr := numberOf(drawn[:])
	n.scalar("nonce of BIP-340", schnorr.Mod(schnorr, order))

	shared := productOfBoth(d, r.other[:])
	n.number("shared x", numberOf(shared[1:33]))
	n.number("shared y", numberOf(shared[33:]))
	hash := sharedSecretOf(shared)
	n.bytes("shared secret", hash[:])
	n.scalar("tweak of a silent payment", numberOf(r.silentTweak(0)))
	n.scalar("the next one", numberOf(r.silentTweak(1)))
	label := pure.Tagged("BIP0352/Label", r.key[:], make([]byte, 4))
	n.scalar("tweak of label 0", numberOf(label[:]))
}

// silentTweak is that of output k.
func (r row) silentTweak(k byte) []byte {
	shared := productOfBoth(numberOf(r.key[:]), r.other[:])
	hash := pure.Tagged("BIP0352/SharedSecret", append([]byte{2 | shared[64]&1}, shared[1:33]...), []byte{0, 0, 0, k})
	return hash[:]
}

// encoded adds the secret of BIP-324.
func (r row) encoded(n *needles) {
	var ours, theirs [64]byte
	other := multiple(numberOf(r.other[:]))
	if pure.EllswiftCreate(&r.key, &r.aux, &ours)|pure.EllswiftEncode(other, &r.aux, &theirs) != pure.Valid {
		panic("a key is none")
	}
	var shared [32]byte
	pure.EllswiftSecret(&ours, &theirs, &r.key, false, &shared)
	n.bytes("shared secret of BIP-324", shared[:])
}

// musig adds what a nonce of MuSig2 is made of, and a partial signature of the session of sessionOf.
func (r row) musig(n *needles) {
	d, key := numberOf(r.key[:]), compressedOf(multiple(numberOf(r.key[:])))
	mask := pure.Tagged("MuSig/aux", r.tweak[:])
	n.bytes("mask of MuSig2", mask[:])
	for i := range mask {
		mask[i] ^= r.key[i]
	}
	n.bytes("masked key of MuSig2", mask[:])
	rest := slices.Concat([]byte{33}, key, []byte{0, 1}, make([]byte, 7), []byte{32}, r.digest[:], make([]byte, 4))
	var k [2]*big.Int
	var nonce [66]byte
	for i := range k {
		hash := pure.Tagged("MuSig/nonce", mask[:], rest, []byte{byte(i)})
		n.bytes("hash of a nonce of MuSig2", hash[:])
		k[i] = numberOf(hash[:])
		n.scalar("nonce of MuSig2", k[i].Mod(k[i], order))
		copy(nonce[33*i:], compressedOf(multiple(k[i])))
	}

	// The sum of the nonces, R, and the numbers of the session, all public.
	other := compressedOf(multiple(numberOf(r.other[:])))
	sum := func(scalars []*big.Int, points ...[]byte) []byte {
		var sum pure.Sum
		for i, point := range points {
			sum.Add((*[32]byte)(scalars[i].FillBytes(make([]byte, 32))), point)
		}
		bytes := sum.Bytes()
		return bytes[:]
	}
	hashed := func(tag string, parts ...[]byte) *big.Int {
		hash := pure.Tagged(tag, parts...)
		return new(big.Int).Mod(numberOf(hash[:]), order)
	}
	one := big.NewInt(1)
	list := pure.Tagged("KeyAgg list", key, other)
	coefficient := hashed("KeyAgg coefficient", list[:], key)
	aggregate := sum([]*big.Int{coefficient, one}, key, other)
	halves := [][]byte{sum([]*big.Int{one, one}, nonce[:33], other), sum([]*big.Int{one, one}, nonce[33:], other)}
	b := hashed("MuSig/noncecoef", halves[0], halves[1], aggregate[1:], r.digest[:])
	point := sum([]*big.Int{one, b}, halves...)
	factor := new(big.Int).Mul(coefficient, hashed("BIP0340/challenge", point[1:], aggregate[1:], r.digest[:]))
	if aggregate[0] == 3 {
		factor.Neg(factor)
	}
	factor.Mod(factor, order)

	second := new(big.Int).Mul(b, k[1])
	n.wide("second nonce with its coefficient", second)
	second.Add(second, k[0])
	n.scalar("nonce of the session", second.Mod(second, order))
	product := new(big.Int).Mul(factor, d)
	n.wide("key with its factor", product)
	n.scalar("key with its factor", product.Mod(product, order))
}

// compressedOf is the compressed form of a point.
func compressedOf(point []byte) []byte { return append([]byte{2 | point[64]&1}, point[1:33]...) }

// multiple is a multiple of the generator, uncompressed.
func multiple(k *big.Int) []byte {
	return secp256k1.PrivKeyFromBytes(k.FillBytes(make([]byte, 32))).PubKey().SerializeUncompressed()
}

// productOfBoth is the generator times two scalars, uncompressed.
func productOfBoth(k *big.Int, other []byte) []byte {
	both := new(big.Int).Mul(k, numberOf(other))
	return multiple(both.Mod(both, order))
}

// sharedSecretOf is the SHA-256 of the point's compressed form.
func sharedSecretOf(point []byte) [32]byte {
	return sha256.Sum256(compressedOf(point))
}
