package pure

import (
	"encoding/binary"
	"math/big"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
)

var (
	prime = secp256k1.Params().P
	// rootOfMinus3 is the c of BIP-324.
	rootOfMinus3, _ = new(big.Int).SetString("0a2d2ba93507f1df233770c2a797962cc61f6d15da14ecd47d8d27ae1cd5f852", 16)
	one, two, three = big.NewInt(1), big.NewInt(2), big.NewInt(3)
)

// modP brings a number to its place between 0 and p - 1.
func modP(a *big.Int) *big.Int { return a.Mod(a, prime) }

func add(a, b *big.Int) *big.Int    { return modP(new(big.Int).Add(a, b)) }
func sub(a, b *big.Int) *big.Int    { return modP(new(big.Int).Sub(a, b)) }
func times(a, b *big.Int) *big.Int  { return modP(new(big.Int).Mul(a, b)) }
func divide(a, b *big.Int) *big.Int { return times(a, new(big.Int).ModInverse(b, prime)) }

// root is the root that (p + 1) / 4 gives, or nil where there is none.
func root(a *big.Int) *big.Int {
	exponent := new(big.Int).Rsh(new(big.Int).Add(prime, one), 2)
	found := new(big.Int).Exp(a, exponent, prime)
	if times(found, found).Cmp(a) != 0 {
		return nil
	}
	return found
}

// curveSide is x^3 + 7.
func curveSide(x *big.Int) *big.Int { return add(times(times(x, x), x), big.NewInt(7)) }

func isX(x *big.Int) bool { return big.Jacobi(curveSide(x), prime) >= 0 }

// swiftX is the x that a pair stands for: XSwiftEC of BIP-324.
func swiftX(u, t *big.Int) *big.Int {
	if u.Sign() == 0 {
		u = one
	}
	if t.Sign() == 0 {
		t = one
	}
	if add(curveSide(u), times(t, t)).Sign() == 0 {
		t = add(t, t)
	}
	x := divide(sub(curveSide(u), times(t, t)), add(t, t))
	y := divide(add(x, t), times(rootOfMinus3, u))
	quotient := divide(x, y)
	for _, found := range []*big.Int{
		add(u, times(big.NewInt(4), times(y, y))),
		divide(sub(sub(new(big.Int), quotient), u), two),
		divide(sub(quotient, u), two),
	} {
		if isX(found) {
			return found
		}
	}
	panic("phalanx: one of three numbers is an x")
}

// swiftT is a t that makes the pair (u, t) stand for x, by one of eight ways, or nil: XSwiftECInv of BIP-324.
func swiftT(x, u *big.Int, way byte) *big.Int {
	if u.Sign() == 0 {
		return nil
	}
	var v, s *big.Int
	if way&2 == 0 {
		if isX(sub(sub(new(big.Int), x), u)) {
			return nil
		}
		v = x
		below := add(times(u, u), times(v, add(u, v)))
		s = sub(new(big.Int), divide(curveSide(u), below))
	} else {
		if s = sub(x, u); s.Sign() == 0 {
			return nil
		}
		square := times(s, add(times(big.NewInt(4), curveSide(u)), times(three, times(s, times(u, u)))))
		r := root(sub(new(big.Int), square))
		if r == nil || way&1 == 1 && r.Sign() == 0 {
			return nil
		}
		v = divide(sub(divide(r, s), u), two)
	}
	w := root(s)
	if w == nil {
		return nil
	}
	// The ways of BIP-324: w (u (1 - c) / 2 + v) and w (u (1 + c) / 2 + v), one of them negated.
	half := divide(sub(one, rootOfMinus3), two)
	if way&1 == 1 {
		half = divide(add(one, rootOfMinus3), two)
	}
	t := times(w, add(times(u, half), v))
	if (way&1 == 0) != (way&4 != 0) {
		t = sub(new(big.Int), t)
	}
	return t
}

func numberOf(bytes []byte) *big.Int { return modP(new(big.Int).SetBytes(bytes)) }

// swiftEncode is an encoding by the hashes of a prefix and 0, 1, 2, ...
func swiftEncode(key *secp256k1.PublicKey, draw func(count uint32) [32]byte, encoding *[64]byte) {
	var ways [32]byte
	x, isOdd := key.X(), key.Y().Bit(0)
	for count, left := uint32(0), 0; ; left-- {
		if left == 0 {
			ways, left = draw(count), 64
			count++
		}
		way := ways[(left-1)/2] >> (4 * ((left - 1) % 2)) & 7
		first := draw(count)
		count++
		if t := swiftT(x, numberOf(first[:]), way); t != nil {
			if t.Bit(0) != isOdd {
				t = sub(new(big.Int), t)
			}
			copy(encoding[:], first[:])
			t.FillBytes(encoding[32:])
			return
		}
	}
}

// EllswiftCreate encodes the public key of a secret key.
func EllswiftCreate(secret, auxiliary *[32]byte, encoding *[64]byte) Verdict {
	scalar, ok := secretScalar(secret)
	if !ok {
		return MalformedRow
	}
	swiftEncode(secp256k1.NewPrivateKey(&scalar).PubKey(), func(count uint32) [32]byte {
		number := binary.LittleEndian.AppendUint32(nil, count)
		return Tagged("secp256k1_ellswift_create", secret[:], make([]byte, 32), auxiliary[:], number)
	}, encoding)
	return Valid
}

// EllswiftEncode encodes a public key.
func EllswiftEncode(encoded []byte, randomness *[32]byte, encoding *[64]byte) Verdict {
	key, ok := key(encoded)
	if !ok {
		return BadPublicKey
	}
	swiftEncode(key, func(count uint32) [32]byte {
		block := make([]byte, 64)
		copy(block, key.SerializeCompressed())
		return Tagged("secp256k1_ellswift_encode", block, randomness[:], binary.LittleEndian.AppendUint32(nil, count))
	}, encoding)
	return Valid
}

// EllswiftDecode is the public key of an encoding.
func EllswiftDecode(encoding *[64]byte, out *[65]byte) Verdict {
	t := numberOf(encoding[32:])
	x := swiftX(numberOf(encoding[:32]), t)
	compressed := make([]byte, 33)
	compressed[0] = 2 | byte(t.Bit(0))
	x.FillBytes(compressed[1:])
	return ReadPublicKey(compressed, out)
}

// EllswiftSecret is the secret of BIP-324.
func EllswiftSecret(initiator, responder *[64]byte, secret *[32]byte, responds bool, out *[32]byte) Verdict {
	scalar, ok := secretScalar(secret)
	if !ok {
		return MalformedRow
	}
	theirs := responder
	if responds {
		theirs = initiator
	}
	var encoded [65]byte
	EllswiftDecode(theirs, &encoded)
	key, _ := key(encoded[:])
	var point, shared secp256k1.JacobianPoint
	key.AsJacobian(&point)
	secp256k1.ScalarMultNonConst(&scalar, &point, &shared)
	shared.ToAffine()
	*out = Tagged("bip324_ellswift_xonly_ecdh", initiator[:], responder[:], shared.X.Bytes()[:])
	return Valid
}
