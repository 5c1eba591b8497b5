package phalanx

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"math/big"
	"slices"

	"phalanx.example/phalanx/internal/tagged"
)

// MuSigSession is what all signers of a message share in the second round. All of it is public. Make a new one for each
// message. The methods of the zero value fail with [ErrPublicKey], as [NewMuSigSession] does for the zero value of keys.
type MuSigSession struct {
	keys    *MuSigKeys
	message []byte
	// nonceCoefficient is what each second half of a nonce is multiplied by, and challenge that of BIP-340: the BIP's b and e.
	nonceCoefficient, challenge *big.Int
	// r is the x of the signature's nonce. Where its y is odd, all nonces are negated.
	r       [32]byte
	negated bool
}

// NewMuSigSession is the session of a message, from the sum of the nonces that the signers made for it. The error is
// [ErrMuSigNonce] for what is no sum of nonces: the fault of who made it; and [ErrPublicKey] for the zero value of keys.
// Variable time.
func NewMuSigSession(keys *MuSigKeys, aggregateNonce [66]byte, message []byte) (*MuSigSession, error) {
	if len(keys.keys) == 0 {
		return nil, ErrPublicKey
	}
	x := keys.xOnly()
	s := &MuSigSession{keys: keys, message: slices.Clone(message)}
	s.nonceCoefficient = reduced(tagged.Hash("MuSig/noncecoef", aggregateNonce[:], x[:], message))
	scalars := [][32]byte{one, scalarOf(s.nonceCoefficient)}
	sum, err := new(Bulk).SumOfProducts(context.Background(), ColumnOf(scalars), Column{aggregateNonce[:], 33, 33}, 2)
	if err != nil {
		return nil, ErrMuSigNonce
	}
	// Somebody cheats where the sum is infinity; with the generator in its place the session can go on and name who it is.
	if sum == ([33]byte{}) {
		sum = [33]byte(generator)
	}
	s.r, s.negated = [32]byte(sum[1:]), sum[0] == 3
	s.challenge = reduced(tagged.Hash("BIP0340/challenge", s.r[:], x[:], message))
	return s, nil
}

// factor is what a signer's key is multiplied by: the challenge times the coefficient, with the sign that the aggregate's
// parity and the tweaks give it.
func (s *MuSigSession) factor(signer int) *big.Int {
	return product(s.challenge, s.keys.coefficients[signer], s.keys.isOdd() != s.keys.negated)
}

// Sign is a signer's partial signature. It uses the nonce up, and wipes it, also where it fails. Constant time in secrets. The
// errors are [ErrUsedNonce], and [ErrSecretKey] for a key that is none, that is no signer's, or that the nonce was not made
// for.
func (s *MuSigSession) Sign(nonce MuSigSecretNonce, key SecretKey) ([32]byte, error) {
	numbers := nonce.take()
	if numbers == nil {
		return [32]byte{}, ErrUsedNonce
	}
	defer wipe(numbers.k[:])
	if s.keys == nil {
		return [32]byte{}, ErrPublicKey
	}
	public := key.PublicKey()
	signer := slices.Index(s.keys.keys, public)
	if signer < 0 || public != numbers.key {
		return [32]byte{}, ErrSecretKey
	}
	coefficient, factor := scalarOf(s.nonceCoefficient), scalarOf(s.factor(signer))
	var partial [32]byte
	err := musigSign(&numbers.k, key.bytes(), &coefficient, &factor, s.negated, &partial).Err()
	return partial, err
}

// Verify verifies the partial signature of one signer, by number in the order of the keys. The error is a [MuSigError] with
// this number, or [ErrRows] if there are not so many signers. Variable time.
func (s *MuSigSession) Verify(signer int, nonce [66]byte, partial [32]byte) error {
	if s.keys == nil {
		return ErrPublicKey
	}
	if signer < 0 || signer >= len(s.keys.keys) {
		return ErrRows
	}
	equations, err := s.equations(signer, [][66]byte{nonce}, [][32]byte{partial})
	if err == nil {
		err = equations.search()
	}
	if wrong, ok := err.(*MuSigError); ok {
		wrong.Signers[0] = signer
	}
	return err
}

// Aggregate makes the signature of the partial signatures of all signers, and verifies it. Where it does not hold, the error is
// a [MuSigError] with all signers whose values are malformed, else with all whose partial signatures do not hold. It is
// [ErrMuSigNonce] if all partial signatures hold, but the session's aggregate nonce is not the sum of these nonces, or that sum
// is infinity. [ErrRows] says that there is not one nonce and one partial signature for each key. Variable time.
func (s *MuSigSession) Aggregate(nonces [][66]byte, partials [][32]byte) (SchnorrSignature, error) {
	if s.keys == nil {
		return SchnorrSignature{}, ErrPublicKey
	}
	count := len(s.keys.keys)
	if len(nonces) != count || len(partials) != count {
		return SchnorrSignature{}, ErrRows
	}
	if err := inRange(partials); err != nil {
		return SchnorrSignature{}, err
	}
	sum := product(s.challenge, s.keys.tweak, s.keys.isOdd())
	for _, partial := range partials {
		sum.Add(sum, new(big.Int).SetBytes(partial[:]))
	}
	scalar := scalarOf(sum.Mod(sum, groupOrder))
	signature := SchnorrSignature{[64]byte(slices.Concat(s.r[:], scalar[:]))}
	key, _ := s.keys.key.XOnly()
	if VerifySchnorr(s.message, signature, key) == nil {
		return signature, nil
	}
	equations, err := s.equations(0, nonces, partials)
	if err == nil {
		err = equations.search()
	}
	if err == nil {
		err = ErrMuSigNonce
	}
	return SchnorrSignature{}, err
}

// inRange says whose partial signatures are not below the group order.
func inRange(partials [][32]byte) error {
	return blamed(ErrOutOfRange, len(partials), func(signer int) bool {
		return new(big.Int).SetBytes(partials[signer][:]).Cmp(groupOrder) < 0
	})
}

// equations are those of some signers' partial signatures. That of a signer is s G = R1 + b R2 + e a P, where a negated nonce
// has the other sign. Each is multiplied by a number of 128 bits that depends on all of them, and all are added: if one does
// not hold, the sum vanishes with a probability of 2^-128 (Bellare, Garay and Rabin, 1998).
type equations struct {
	session  *MuSigSession
	first    int
	points   []PublicKey
	partials [][32]byte
	seed     [32]byte
}

// equations are those of the signers from this number on.
func (s *MuSigSession) equations(first int, nonces [][66]byte, partials [][32]byte) (*equations, error) {
	points, err := noncePoints(nonces)
	if err != nil {
		return nil, err
	}
	if err := inRange(partials); err != nil {
		return nil, err
	}
	coefficient, challenge := scalarOf(s.nonceCoefficient), scalarOf(s.challenge)
	hash := sha256.New()
	hash.Write(coefficient[:])
	hash.Write(challenge[:])
	hash.Write(s.r[:])
	for i := range nonces {
		factor := scalarOf(s.factor(first + i))
		hash.Write(s.keys.keys[first+i].encoded[:])
		hash.Write(factor[:])
		hash.Write(nonces[i][:])
		hash.Write(partials[i][:])
	}
	seed := tagged.Hash("Phalanx/MuSig/partials", hash.Sum(nil))
	return &equations{s, first, points, partials, seed}, nil
}

// search finds those that do not hold.
func (e *equations) search() error {
	var wrong []int
	e.searchIn(0, len(e.partials), &wrong)
	if wrong == nil {
		return nil
	}
	return &MuSigError{wrong, ErrInvalidSignature}
}

// searchIn notes those of a range.
func (e *equations) searchIn(from, to int, wrong *[]int) {
	if from == to || e.hold(from, to) {
		return
	}
	if to-from == 1 {
		*wrong = append(*wrong, from)
		return
	}
	middle := from + (to-from)/2
	e.searchIn(from, middle, wrong)
	e.searchIn(middle, to, wrong)
}

// hold says whether those of a range hold, each multiplied by its number.
func (e *equations) hold(from, to int) bool {
	s := e.session
	count := 3*(to-from) + 1
	scalars, points := make([][32]byte, 0, count), make([]PublicKey, 0, count)
	total := new(big.Int)
	for i := from; i < to; i++ {
		number := big.NewInt(1)
		if to-from > 1 {
			hash := sha256.Sum256(binary.LittleEndian.AppendUint64(e.seed[:], uint64(i)))
			number.SetBytes(hash[:16])
		}
		total.Add(total, product(number, new(big.Int).SetBytes(e.partials[i][:]), false))
		nonce := product(number, big.NewInt(1), !s.negated)
		key := product(number, s.factor(e.first+i), true)
		scalars = append(scalars, scalarOf(nonce), scalarOf(product(nonce, s.nonceCoefficient, false)), scalarOf(key))
		points = append(points, e.points[2*i], e.points[2*i+1], s.keys.keys[e.first+i])
	}
	scalars = append(scalars, scalarOf(total.Mod(total, groupOrder)))
	base, _ := ParsePublicKey(generator)
	points = append(points, base)
	sum, err := new(Bulk).SumOfProducts(context.Background(), ColumnOf(scalars), ColumnOf(points), count)
	return err == nil && sum == [33]byte{}
}
