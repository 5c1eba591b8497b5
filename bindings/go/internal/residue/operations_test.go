//go:build linux && (amd64 || arm64) && !purego && !race

package residue

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"unsafe"

	"phalanx.example/phalanx"
)

// live is the inputs in the clear, each where the package can take it from, and the outputs that are secret.
type live struct {
	*input
	keys, tweaks [][32]byte
	secrets      []phalanx.SecretKey
	others       []phalanx.PublicKey
	// shared are outputs; made are keys that came out.
	shared [][32]byte
	made   []phalanx.SecretKey
	nonces []phalanx.MuSigSecretNonce
	failed error
}

func newLive(in *input) *live {
	l := &live{input: in}
	count := len(in.Rows)
	l.keys, l.tweaks, l.shared = make([][32]byte, count), make([][32]byte, count), make([][32]byte, count)
	l.others = make([]phalanx.PublicKey, count)
	for i := range in.Rows {
		in.Rows[i].Key.unmask(&l.keys[i])
		in.Rows[i].Tweak.unmask(&l.tweaks[i])
		l.must(l.others[i].UnmarshalBinary(in.Rows[i].Other[:]))
	}
	return l
}

func (l *live) must(err error) { l.failed = errors.Join(l.failed, err) }

// parse makes the keys, before operations on them: parsing is an operation too.
func (l *live) parse() {
	l.secrets = make([]phalanx.SecretKey, len(l.keys))
	for i := range l.keys {
		l.must(l.secrets[i].UnmarshalBinary(l.keys[i][:]))
	}
}

// spans are where secrets may stand.
func (l *live) spans() []span {
	spans := []span{spanOf(l.keys), spanOf(l.tweaks), spanOf(l.shared)}
	for _, keys := range [][]phalanx.SecretKey{l.secrets, l.made} {
		for i := range keys {
			// A key is the address of its number.
			spans = append(spans, spanOf((*(**[1][32]byte)(unsafe.Pointer(&keys[i])))[:]))
		}
	}
	for i := range l.nonces {
		// So is a nonce.
		spans = append(spans, spanOf((*(**[2][32]byte)(unsafe.Pointer(&l.nonces[i])))[:]))
	}
	return spans
}

// wipe overwrites all that the program has.
func (l *live) wipe() {
	clear(l.keys)
	clear(l.tweaks)
	clear(l.shared)
	for _, keys := range [][]phalanx.SecretKey{l.secrets, l.made} {
		for _, key := range keys {
			key.Wipe()
		}
	}
	for _, nonce := range l.nonces {
		nonce.Wipe()
	}
}

// operation is one as a program calls it; rows is how many it takes.
type operation struct {
	rows int
	run  func(*live)
}

// bulkRows are more than the 64 whose keys the image keeps on its stack at a time, and two pieces on portable and fma.
const bulkRows = 70

var operations = map[string]operation{
	"parse": {1, (*live).parse},
	"generate": {1, func(l *live) {
		key, err := phalanx.GenerateSecretKey(bytes.NewReader(l.keys[0][:]))
		l.must(err)
		l.made = append(l.made, key)
	}},
	"public key": {1, func(l *live) {
		if l.secrets[0].PublicKey() == (phalanx.PublicKey{}) {
			l.must(errors.New("no key"))
		}
	}},
	"sign": {1, func(l *live) { l.done(l.secrets[0].SignDigest(l.Rows[0].Digest)) }},
	"sign recoverable": {1, func(l *live) {
		_, _, err := l.secrets[0].SignRecoverable(l.Rows[0].Digest)
		l.must(err)
	}},
	"sign as a crypto.Signer": {1, func(l *live) { l.done(l.secrets[0].Sign(nil, l.Rows[0].Digest[:], nil)) }},
	"sign by BIP-340":         {1, func(l *live) { l.done(l.secrets[0].SignSchnorr(l.Rows[0].Digest[:], l.Rows[0].Aux)) }},
	"negate": {1, func(l *live) {
		key, err := l.secrets[0].Negate()
		l.must(err)
		l.made = append(l.made, key)
	}},
	"tweak":                    {1, func(l *live) { l.tweak(phalanx.SecretKey.TweakAdd) }},
	"tweak a public key":       {1, func(l *live) { l.tweakPublic(phalanx.PublicKey.TweakAdd) }},
	"share":                    {1, func(l *live) { l.share(phalanx.SecretKey.SharedSecret) }},
	"encode by ElligatorSwift": {1, func(l *live) { l.done(l.secrets[0].ElligatorSwift(l.Rows[0].Aux)) }},
	"share by BIP-324":         {1, func(l *live) { l.shareByEncodings(phalanx.SecretKey.SharedSecretBIP324) }},
	"make a nonce of MuSig2":   {1, func(l *live) { l.nonce() }},
	"sign by MuSig2": {1, func(l *live) {
		nonce, public := l.nonce()
		session, err := sessionOf(l.secrets[0].PublicKey(), l.others[0], public, l.Rows[0].Digest[:])
		l.must(err)
		l.done(session.Sign(nonce, l.secrets[0]))
	}},
	"compare and print": {1, func(l *live) {
		if !l.secrets[0].Equal(l.secrets[0]) || fmt.Sprintf("%x %+v", l.secrets[0], []any{l.secrets[0]}) == "" {
			l.must(errors.New("not equal"))
		}
	}},
	"scan for silent payments": {1, (*live).scan},
	"bulk public keys": bulk(func(l *live, bulk *phalanx.Bulk, verdicts []phalanx.Verdict) error {
		return bulk.PublicKeys(context.Background(), phalanx.ColumnOf(l.keys), make([]phalanx.PublicKey, bulkRows), verdicts)
	}),
	"bulk sign": bulk(func(l *live, bulk *phalanx.Bulk, verdicts []phalanx.Verdict) error {
		return bulk.SignECDSA(context.Background(), l.digests(), phalanx.ColumnOf(l.keys),
			make([]phalanx.Signature, bulkRows), verdicts)
	}),
	"bulk sign by BIP-340": bulk(func(l *live, bulk *phalanx.Bulk, verdicts []phalanx.Verdict) error {
		aux := l.digests()
		aux.Data = unsafe.Slice(&l.Rows[0].Aux[0], len(aux.Data))
		return bulk.SignSchnorr(context.Background(), l.digests(), phalanx.ColumnOf(l.keys), aux,
			make([]phalanx.SchnorrSignature, bulkRows), verdicts)
	}),
	"bulk share": bulk(func(l *live, bulk *phalanx.Bulk, verdicts []phalanx.Verdict) error {
		return bulk.SharedSecrets(context.Background(), phalanx.ColumnOf(l.others), phalanx.ColumnOf(l.keys), l.shared, verdicts)
	}),
	"bulk tweak": bulk(func(l *live, bulk *phalanx.Bulk, verdicts []phalanx.Verdict) error {
		return bulk.TweakAddPublic(context.Background(), phalanx.ColumnOf(l.others), phalanx.ColumnOf(l.tweaks),
			make([]phalanx.PublicKey, bulkRows), verdicts)
	}),
}

// nonce is made of the tweak as randomness.
func (l *live) nonce() (phalanx.MuSigSecretNonce, [66]byte) {
	nonce, public, err := phalanx.NewMuSigNonce(l.secrets[0].PublicKey(), phalanx.MuSigNonceInputs{
		SecretKey: l.secrets[0], Message: l.Rows[0].Digest[:], Random: bytes.NewReader(l.tweaks[0][:]),
	})
	l.must(err)
	l.nonces = append(l.nonces, nonce)
	return nonce, public
}

// sessionOf is that of a message, with another signer who sends his key as both halves of a nonce.
func sessionOf(ours, theirs phalanx.PublicKey, nonce [66]byte, message []byte) (*phalanx.MuSigSession, error) {
	keys, err := phalanx.NewMuSigKeys([]phalanx.PublicKey{ours, theirs})
	if err != nil {
		return nil, err
	}
	key := theirs.Compressed()
	aggregate, err := phalanx.AggregateMuSigNonces([][66]byte{nonce, [66]byte(append(key[:], key[:]...))})
	if err != nil {
		return nil, err
	}
	return phalanx.NewMuSigSession(keys, aggregate, message)
}

func (l *live) done(_ any, err error) { l.must(err) }

// digests are those of the rows, where they lie.
func (l *live) digests() phalanx.Column {
	const stride = int(unsafe.Sizeof(maskedRow{}))
	return phalanx.Column{Data: unsafe.Slice(&l.Rows[0].Digest[0], stride*(len(l.Rows)-1)+32), Stride: stride, Width: 32}
}

// bulk is a call on rows, which are all valid.
func bulk(call func(*live, *phalanx.Bulk, []phalanx.Verdict) error) operation {
	return operation{bulkRows, func(l *live) {
		verdicts := make([]phalanx.Verdict, bulkRows)
		l.must(call(l, &phalanx.Bulk{Goroutines: 3}, verdicts))
		for _, verdict := range verdicts {
			l.must(verdict.Err())
		}
	}}
}

// scan has a receiver for whom all rows compute the same, and the last one pays.
func (l *live) scan() {
	scanner, err := phalanx.NewScanner(l.secrets[0], l.others[0])
	l.must(err)
	rows := phalanx.SilentRows{Points: phalanx.Repeat(l.Rows[0].Other[:]), Keys: [][32]byte{l.Rows[0].Paid}}
	rows.Offsets = make([]uint64, bulkRows+1)
	rows.Offsets[bulkRows] = 1
	bulk, scanners := phalanx.Bulk{Goroutines: 3}, []*phalanx.Scanner{scanner}
	matches, err := bulk.ScanSilentPayments(context.Background(), scanners, rows, make([]phalanx.Verdict, bulkRows))
	l.must(err)
	if len(matches) != 1 || matches[0].Row != bulkRows-1 {
		l.must(errors.New("no payment is found"))
	}
	for _, match := range matches {
		l.made = append(l.made, match.Tweak)
	}
	scanner.Wipe()
}

// share calls twice from one place, the second time a function that has the same frame and leaves zeros: an array that is
// returned lies in the caller's frame, which only the caller can overwrite.
func (l *live) share(call func(phalanx.SecretKey, phalanx.PublicKey) ([32]byte, error)) {
	nothing := func(phalanx.SecretKey, phalanx.PublicKey) ([32]byte, error) { return [32]byte{}, nil }
	places := []*[32]byte{&l.shared[0], new([32]byte)}
	for i, call := range []func(phalanx.SecretKey, phalanx.PublicKey) ([32]byte, error){call, nothing} {
		shared, err := call(l.secrets[0], l.others[0])
		*places[i] = shared
		l.must(err)
	}
}

// shareByEncodings is the same for BIP-324.
func (l *live) shareByEncodings(call func(_ phalanx.SecretKey, ours, theirs phalanx.ElligatorSwift, initiator bool) ([32]byte, error)) {
	ours, err := l.secrets[0].ElligatorSwift(l.Rows[0].Aux)
	l.must(err)
	theirs, err := l.others[0].ElligatorSwift(l.Rows[0].Aux)
	l.must(err)
	nothing := func(phalanx.SecretKey, phalanx.ElligatorSwift, phalanx.ElligatorSwift, bool) ([32]byte, error) {
		return [32]byte{}, nil
	}
	for i, place := range []*[32]byte{&l.shared[0], new([32]byte)} {
		if i == 1 {
			call = nothing
		}
		shared, err := call(l.secrets[0], ours, theirs, true)
		*place = shared
		l.must(err)
	}
}

// tweak wipes the variable that it passes on, as a program would.
//
//go:noinline
func (l *live) tweak(call func(phalanx.SecretKey, [32]byte) (phalanx.SecretKey, error)) {
	grow()
	var tweak [32]byte
	copy(tweak[:], l.tweaks[0][:])
	key, err := call(l.secrets[0], tweak)
	wipe(&tweak)
	l.must(err)
	l.made = append(l.made, key)
}

//go:noinline
func (l *live) tweakPublic(call func(phalanx.PublicKey, [32]byte) (phalanx.PublicKey, error)) {
	grow()
	var tweak [32]byte
	copy(tweak[:], l.tweaks[0][:])
	_, err := call(l.others[0], tweak)
	wipe(&tweak)
	l.must(err)
}

//go:noinline
func wipe(bytes *[32]byte) { *bytes = [32]byte{} }

// grow makes the stack as large as a call needs, before a tweak lies on it: where Go moves a stack, it leaves the old one as
// it is.
//
//go:noinline
func grow() {
	var room [100 << 10]byte
	touch(&room)
}

//go:noinline
func touch(room *[100 << 10]byte) { room[0] = 1 }
