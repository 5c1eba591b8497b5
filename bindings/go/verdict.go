package phalanx

import "errors"

// Verdict is the answer for one row of a bulk call. Checks run in the order of the constants, and the first that fails
// is the verdict. The zero value says that nothing has been decided; only [Valid] is valid.
type Verdict uint8

const (
	// Undecided is the verdict of a row that has not been computed, because a call was cancelled or refused.
	Undecided Verdict = iota
	// Valid is the verdict of a valid signature, or of a row whose answer has been computed.
	Valid
	// MalformedRow: a value has the wrong length, or is no secret key.
	MalformedRow
	// BadPublicKey: the length, the prefix or x is wrong, or no such point is on the curve.
	BadPublicKey
	// BadSignatureEncoding: the length is wrong, or the bytes are not DER.
	BadSignatureEncoding
	// OutOfRange: r or s is zero or not below the order, for BIP-340 r not below p; or a recovery id above 3.
	OutOfRange
	// HighS: s is above half the order, and the call wants low s.
	HighS
	// InvalidSignature: the equation does not hold, or recovery has no result.
	InvalidSignature
)

var reasons = [...]string{"undecided", "valid", "malformed_row", "bad_public_key", "bad_signature_encoding",
	"out_of_range", "high_s", "invalid_signature"}

// String is the verdict's name as files and reports spell it.
func (v Verdict) String() string {
	if int(v) < len(reasons) {
		return reasons[v]
	}
	return "unknown_verdict"
}

// IsValid says whether the verdict is [Valid].
func (v Verdict) IsValid() bool { return v == Valid }

// Err is nil for [Valid], and the error of the same name for every other verdict.
func (v Verdict) Err() error {
	if int(v) < len(failures) {
		return failures[v]
	}
	return ErrUndecided
}

var failures = [...]error{ErrUndecided, nil, ErrMalformed, ErrPublicKey, ErrSignatureEncoding, ErrOutOfRange, ErrHighS,
	ErrInvalidSignature}

// What can be wrong with a value. They never carry secrets.
var (
	ErrMalformed         = errors.New("phalanx: a value has the wrong length or kind")
	ErrSecretKey         = errors.New("phalanx: secret key is not 32 bytes, is zero, or is not below the group order")
	ErrPublicKey         = errors.New("phalanx: public key is not the encoding of a point on the curve")
	ErrSignatureEncoding = errors.New("phalanx: signature has the wrong length or is not DER")
	ErrOutOfRange        = errors.New("phalanx: a number in the signature is out of range")
	ErrHighS             = errors.New("phalanx: s is above half the group order, which the policy refuses")
	ErrInvalidSignature  = errors.New("phalanx: signature does not match")
	ErrTweak             = errors.New("phalanx: tweak is not below the group order, or its result is zero")
	ErrScalar            = errors.New("phalanx: a scalar is not below the group order")
	ErrMuSigNonce        = errors.New("phalanx: a nonce of MuSig2 is not the encoding of two points, or is not the sum of the others")
	ErrUsedNonce         = errors.New("phalanx: a nonce has been used up")
	ErrUndecided         = errors.New("phalanx: nothing has been decided")
)

// What can be wrong with a call.
var (
	ErrColumn      = errors.New("phalanx: a column has a width or a stride that the call does not take, or too few bytes")
	ErrRows        = errors.New("phalanx: slices that must pair up row by row differ in length")
	ErrOverlap     = errors.New("phalanx: an output overlaps another value of the call")
	ErrTables      = errors.New("phalanx: tables have 1 to 65,536 points, windows of 1 to 16 bits, and fewer than 2^26 entries")
	ErrPosition    = errors.New("phalanx: no point has this position")
	ErrPayload     = errors.New("phalanx: no payload has this kind")
	ErrLabel       = errors.New("phalanx: a scanner has at most 100,000 labels, or this one has no key")
	ErrBackend     = errors.New("phalanx: this build or this CPU does not have the backend")
	ErrDigest      = errors.New("phalanx: a digest must have 32 bytes")
	ErrRandomness  = errors.New("phalanx: no randomness could be read")
	errUnreachable = "phalanx: the image refused a call that had been checked: is it older than the list of operations?"
)

// LowS says what to do with an ECDSA signature whose s is above half the group order. For every valid (r, s) the pair
// (r, n - s) is valid too. Bitcoin's relay rules and Ethereum accept the smaller s only.
type LowS uint8

const (
	// RequireLowS refuses high s by [HighS], as does every value but AllowHighS.
	RequireLowS LowS = iota
	// AllowHighS accepts both halves.
	AllowHighS
)
