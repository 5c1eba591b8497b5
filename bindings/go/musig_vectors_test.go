package phalanx

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"unsafe"
)

// Some rows of BIP-327's files, which stand here so that they are checked everywhere.
func TestRowsOfBIP327(t *testing.T) {
	encoded := []string{
		"02F9308A019258C31049344F85F89D5229B531C845836F99B08601F113BCE036F9",
		"03DFF1D77F2A671C5F36183726DB2341BE58FEAE1DA2DECED843240F7B502BA659",
		"023590A94E768F8E1815C2F24B4D80A8E3149316C3518CE7B7AD338368D038CA66",
	}
	for expected, indices := range map[string][]int{
		"90539EEDE565F5D054F32CC0C220126889ED1E5D193BAF15AEF344FE59D4610C": {0, 1, 2},
		"6204DE8B083426DC6EAF9502D27024D53FC826BF7D2012148A0575435DF54B2B": {2, 1, 0},
		"B436E3BAD62B8CD409969A224731C193D051162D8C5AE8B109306127DA3AA935": {0, 0, 0},
		"69BC22BFA5D106306E48A20679DE1D7389386124D07571D0D872686028C26A3E": {0, 0, 1, 1},
	} {
		var keys []PublicKey
		for _, index := range indices {
			key, _ := ParsePublicKey(must(t, encoded[index]))
			keys = append(keys, key)
		}
		if found, err := NewMuSigKeys(keys); err != nil || !bytes.Equal(found.key.encoded[1:33], must(t, expected)) {
			t.Errorf("%v: %v, %v", indices, found, err)
		}
	}
}

// bip327Case is a case of any of the files.
type bip327Case struct {
	KeyIndices   []int  `json:"key_indices"`
	NonceIndices []int  `json:"nonce_indices"`
	PnonceIndex  []int  `json:"pnonce_indices"`
	PsigIndices  []int  `json:"psig_indices"`
	TweakIndices []int  `json:"tweak_indices"`
	IsXOnly      []bool `json:"is_xonly"`
	Aggnonce     string
	AggnonceAt   *int `json:"aggnonce_index"`
	MessageAt    int  `json:"msg_index"`
	SecnonceAt   int  `json:"secnonce_index"`
	Signer       int  `json:"signer_index"`
	Expected     string
	Sig, Comment string
	Error        struct {
		Type, Contrib, Message string
		Signer                 *int
	}
	Rand               string `json:"rand_"`
	Sk, Pk, Aggpk, Msg *string
	ExtraIn            *string `json:"extra_in"`
	ExpectedSecret     string  `json:"expected_secnonce"`
	ExpectedPublic     string  `json:"expected_pubnonce"`
}

// bip327File is any of the files.
type bip327File struct {
	Sk, Aggnonce, Msg, Secnonce                                 string
	Pubkeys, Tweaks, Pnonces, Psigs, Aggnonces, Msgs, Secnonces []string
	Cases                                                       []bip327Case `json:"test_cases"`
	Valid                                                       []bip327Case `json:"valid_test_cases"`
	Errors                                                      []bip327Case `json:"error_test_cases"`
	SignErrors                                                  []bip327Case `json:"sign_error_test_cases"`
	VerifyFails                                                 []bip327Case `json:"verify_fail_test_cases"`
	VerifyErrors                                                []bip327Case `json:"verify_error_test_cases"`
}

func bip327(t *testing.T, name string) (file bip327File) {
	t.Helper()
	text, err := os.ReadFile("../../../shared/vectors/bip327/" + name + "_vectors.json")
	if err != nil {
		skipped(t, name+" of BIP-327", "it is not in ../shared/vectors")
		return file
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	cases := slices.Concat(file.Cases, file.Valid, file.Errors, file.SignErrors, file.VerifyFails, file.VerifyErrors)
	expected := map[string]int{"key_agg": 9, "nonce_gen": 4, "nonce_agg": 5, "sign_verify": 17, "tweak": 6, "sig_agg": 5}
	if len(cases) != expected[name] {
		t.Fatalf("%s: %d cases", name, len(cases))
	}
	return file
}

// keys are those of a case, with its tweaks.
func (f *bip327File) keys(t *testing.T, c bip327Case) (*MuSigKeys, error) {
	var keys []PublicKey
	for _, index := range c.KeyIndices {
		// What is no key is the zero value, as in a program that passes over errors.
		key, _ := ParsePublicKey(must(t, f.Pubkeys[index]))
		keys = append(keys, key)
	}
	found, err := NewMuSigKeys(keys)
	for i, index := range c.TweakIndices {
		if err != nil {
			break
		}
		tweak := found.TweakAdd
		if c.IsXOnly[i] {
			tweak = found.TweakAddXOnly
		}
		found, err = tweak([32]byte(must(t, f.Tweaks[index])))
	}
	return found, err
}

// nonces are those of some indices.
func (f *bip327File) nonces(t *testing.T, indices []int) (nonces [][66]byte) {
	for _, index := range indices {
		nonces = append(nonces, [66]byte(must(t, f.Pnonces[index])))
	}
	return nonces
}

// is checks that an error is what the case says.
func (c bip327Case) is(t *testing.T, err error) {
	t.Helper()
	expected := map[string]error{"pubkey": ErrPublicKey, "pubnonce": ErrMuSigNonce, "psig": ErrOutOfRange}[c.Error.Contrib]
	switch {
	case c.Error.Signer != nil:
		blames(t, err, expected, *c.Error.Signer)
	case c.Error.Contrib == "aggnonce":
		gives(t, ErrMuSigNonce)(nil, err)
	case strings.Contains(c.Error.Message, "tweak"):
		gives(t, ErrTweak)(nil, err)
	case strings.Contains(c.Error.Message, "must be included"):
		gives(t, ErrSecretKey)(nil, err)
	default:
		t.Errorf("%v: %v", c.Error, err)
	}
}

// secretNonce is one that a file writes down.
func secretNonce(t *testing.T, text string) MuSigSecretNonce {
	bytes := must(t, text)
	key, err := ParsePublicKey(bytes[64:])
	if err != nil {
		t.Fatal(err)
	}
	return MuSigSecretNonce{unsafe.Pointer(&nonceNumbers{k: [64]byte(bytes[:64]), key: key})}
}

func TestKeysAndNoncesOfBIP327(t *testing.T) {
	file := bip327(t, "key_agg")
	for _, c := range file.Valid {
		keys, err := file.keys(t, c)
		if err != nil || !bytes.Equal(keys.key.encoded[1:33], must(t, c.Expected)) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	for _, c := range file.Errors {
		_, err := file.keys(t, c)
		c.is(t, err)
	}
	file = bip327(t, "nonce_gen")
	for _, c := range file.Cases {
		optional := func(text *string) []byte {
			if text == nil {
				return nil
			}
			// No bytes are not nil.
			return append([]byte{}, must(t, *text)...)
		}
		key, _ := ParsePublicKey(optional(c.Pk))
		var secret SecretKey
		if c.Sk != nil {
			secret = secretOf([32]byte(optional(c.Sk)))
		}
		rest := restOf(key, optional(c.Aggpk), optional(c.Msg), optional(c.ExtraIn))
		nonce, public, err := nonceOf(key, secret, rest, bytes.NewReader(must(t, c.Rand)))
		if err != nil || !bytes.Equal(public[:], must(t, c.ExpectedPublic)) ||
			((*nonceNumbers)(nonce.numbers)).k != [64]byte(must(t, c.ExpectedSecret)) {
			t.Errorf("%+v: %x, %v", c, public, err)
		}
	}
	file = bip327(t, "nonce_agg")
	for _, c := range file.Valid {
		sum, err := AggregateMuSigNonces(file.nonces(t, c.PnonceIndex))
		if err != nil || !bytes.Equal(sum[:], must(t, c.Expected)) {
			t.Errorf("%+v: %x, %v", c, sum, err)
		}
	}
	for _, c := range file.Errors {
		_, err := AggregateMuSigNonces(file.nonces(t, c.PnonceIndex))
		c.is(t, err)
	}
}

func TestPartialSignaturesOfBIP327(t *testing.T) {
	file := bip327(t, "sign_verify")
	session := func(c bip327Case) (*MuSigSession, error) {
		keys, err := file.keys(t, c)
		if err != nil {
			return nil, err
		}
		var aggregate [66]byte
		if c.AggnonceAt != nil {
			aggregate = [66]byte(must(t, file.Aggnonces[*c.AggnonceAt]))
		} else if aggregate, err = AggregateMuSigNonces(file.nonces(t, c.NonceIndices)); err != nil {
			return nil, err
		}
		return NewMuSigSession(keys, aggregate, must(t, file.Msgs[c.MessageAt]))
	}
	for _, c := range file.Valid {
		session, err := session(c)
		if err != nil {
			t.Fatal(err)
		}
		partial, err := session.Sign(secretNonce(t, file.Secnonces[0]), secretOf([32]byte(must(t, file.Sk))))
		if err != nil || !bytes.Equal(partial[:], must(t, c.Expected)) {
			t.Errorf("%+v: %x, %v", c, partial, err)
		}
		if err := session.Verify(c.Signer, file.nonces(t, c.NonceIndices)[c.Signer], partial); err != nil {
			t.Errorf("%+v: %v", c, err)
		}
	}
	for _, c := range file.SignErrors {
		// A nonce that has signed is known by a flag here, and not by its numbers.
		if strings.Contains(c.Error.Message, "secnonce") {
			continue
		}
		session, err := session(c)
		if err == nil {
			_, err = session.Sign(secretNonce(t, file.Secnonces[c.SecnonceAt]), secretOf([32]byte(must(t, file.Sk))))
		}
		c.is(t, err)
	}
	for _, c := range slices.Concat(file.VerifyFails, file.VerifyErrors) {
		session, err := session(c)
		if err == nil {
			err = session.Verify(c.Signer, file.nonces(t, c.NonceIndices)[c.Signer], [32]byte(must(t, c.Sig)))
		}
		switch {
		case c.Error.Type != "":
			c.is(t, err)
		case strings.Contains(c.Comment, "exceeds"):
			blames(t, err, ErrOutOfRange, c.Signer)
		default:
			blames(t, err, ErrInvalidSignature, c.Signer)
		}
	}
}

func TestSignaturesOfBIP327(t *testing.T) {
	file := bip327(t, "tweak")
	for _, c := range file.Valid {
		keys, err := file.keys(t, c)
		if err != nil {
			t.Fatal(err)
		}
		session, err := NewMuSigSession(keys, [66]byte(must(t, file.Aggnonce)), must(t, file.Msg))
		if err != nil {
			t.Fatal(err)
		}
		partial, err := session.Sign(secretNonce(t, file.Secnonce), secretOf([32]byte(must(t, file.Sk))))
		if err != nil || !bytes.Equal(partial[:], must(t, c.Expected)) {
			t.Errorf("%+v: %x, %v", c, partial, err)
		}
	}
	for _, c := range file.Errors {
		_, err := file.keys(t, c)
		c.is(t, err)
	}
	file = bip327(t, "sig_agg")
	for _, c := range slices.Concat(file.Valid, file.Errors) {
		keys, err := file.keys(t, c)
		if err != nil {
			t.Fatal(err)
		}
		session, err := NewMuSigSession(keys, [66]byte(must(t, c.Aggnonce)), must(t, file.Msg))
		if err != nil {
			t.Fatal(err)
		}
		var partials [][32]byte
		for _, index := range c.PsigIndices {
			partials = append(partials, [32]byte(must(t, file.Psigs[index])))
		}
		signature, err := session.Aggregate(file.nonces(t, c.NonceIndices), partials)
		if c.Error.Type != "" {
			c.is(t, err)
		} else if err != nil || !bytes.Equal(signature.bytes[:], must(t, c.Expected)) {
			t.Errorf("%+v: %x, %v", c, signature, err)
		}
	}
}
