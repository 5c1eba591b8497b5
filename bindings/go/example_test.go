package phalanx_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"phalanx.example/phalanx"
)

func Example() {
	secret, err := phalanx.GenerateSecretKey(nil)
	if err != nil {
		panic(err)
	}
	digest := sha256.Sum256([]byte("a message"))
	signature, err := secret.SignDigest(digest)
	if err != nil {
		panic(err)
	}
	fmt.Println(phalanx.Verify(digest, signature, secret.PublicKey(), phalanx.RequireLowS))
	digest[0] ^= 1
	fmt.Println(phalanx.Verify(digest, signature, secret.PublicKey(), phalanx.RequireLowS))
	// Output:
	// <nil>
	// phalanx: signature does not match
}

func ExampleMuSigSession() {
	secrets, public := make([]phalanx.SecretKey, 3), make([]phalanx.PublicKey, 3)
	for i := range secrets {
		secrets[i], _ = phalanx.GenerateSecretKey(nil)
		public[i] = secrets[i].PublicKey()
	}
	keys, _ := phalanx.NewMuSigKeys(public)
	message := []byte("what all of them sign")

	// First round: each signer makes a nonce, keeps the secret half and sends the public one.
	secretNonces, nonces := make([]phalanx.MuSigSecretNonce, 3), make([][66]byte, 3)
	for i := range secrets {
		inputs := phalanx.MuSigNonceInputs{SecretKey: secrets[i], Keys: keys, Message: message}
		secretNonces[i], nonces[i], _ = phalanx.NewMuSigNonce(public[i], inputs)
	}
	aggregate, _ := phalanx.AggregateMuSigNonces(nonces)
	session, _ := phalanx.NewMuSigSession(keys, aggregate, message)

	// Second round: each signer signs, which uses the nonce up, and sends the partial signature.
	partials := make([][32]byte, 3)
	for i := range secrets {
		partials[i], _ = session.Sign(secretNonces[i], secrets[i])
	}
	signature, err := session.Aggregate(nonces, partials)
	key, _ := keys.PublicKey().XOnly()
	fmt.Println(err, phalanx.VerifySchnorr(message, signature, key))

	// The second signer cheats.
	partials[1][0] ^= 1
	_, err = session.Aggregate(nonces, partials)
	fmt.Println(err)
	// Output:
	// <nil> <nil>
	// phalanx: signature does not match: sent by signers [1]
}

func ExampleBulk_VerifyECDSA() {
	// Records as they came from somewhere: the columns are fields of them, and nothing is copied.
	type record struct {
		digest    [32]byte
		signature [64]byte
		key       [33]byte
	}
	const size = 32 + 64 + 33
	secret, _ := phalanx.ParseSecretKey([]byte("an example's secret, of 32 bytes"))
	var data []byte
	for i := range 1000 {
		digest := sha256.Sum256(fmt.Append(nil, "message ", i))
		signature, _ := secret.SignDigest(digest)
		r := record{digest, signature.Bytes(), secret.PublicKey().Compressed()}
		data = append(append(append(data, r.digest[:]...), r.signature[:]...), r.key[:]...)
	}
	data[3*size] ^= 1 // another digest than the one that was signed

	var bulk phalanx.Bulk
	verdicts := make([]phalanx.Verdict, 1000)
	err := bulk.VerifyECDSA(context.Background(),
		phalanx.Column{Data: data, Stride: size, Width: 32},
		phalanx.Column{Data: data[32:], Stride: size, Width: 64},
		phalanx.Column{Data: data[96:], Stride: size, Width: 33},
		phalanx.RequireLowS, verdicts)
	fmt.Println(err, verdicts[2], verdicts[3])
	// Output: <nil> valid invalid_signature
}

func ExampleBulk_Senders() {
	secret, _ := phalanx.ParseSecretKey(append(make([]byte, 31), 1))
	signingHashes, signatures := make([][32]byte, 1000), make([]phalanx.Signature, 1000)
	parities := make([]phalanx.RecoveryID, 1000)
	for i := range signingHashes {
		signingHashes[i] = sha256.Sum256(fmt.Append(nil, "transaction ", i))
		signatures[i], parities[i], _ = secret.SignRecoverable(signingHashes[i])
	}
	parities[3] = 27 // a v of old transactions, which is no parity

	var bulk phalanx.Bulk
	addresses, verdicts := make([][20]byte, 1000), make([]phalanx.Verdict, 1000)
	err := bulk.Senders(context.Background(), phalanx.ColumnOf(signingHashes), phalanx.ColumnOf(signatures),
		phalanx.ColumnOf(parities), phalanx.RequireLowS, addresses, verdicts)
	fmt.Println(err, verdicts[2], verdicts[3])
	fmt.Printf("%x %x\n", addresses[2], addresses[3])
	// Output:
	// <nil> valid out_of_range
	// 7e5f4552091a69125d5dfcb7b8c2659029395bdf 0000000000000000000000000000000000000000
}

func ExampleBulk_ScanSilentPayments() {
	// A receiver's keys, and an index of two transactions: their tweak points, and the outputs of both. These are numbers of
	// a published vector.
	scan, _ := phalanx.ParseSecretKey(unhex("0f694e068028a717f8af6b9411f9a133dd3565258714cc226594b34db90c1f2c"))
	spend, _ := phalanx.ParsePublicKey(unhex("025cc9856d6f8375350e123978daac200c260cb5b5ae83106cab90484dcd8fcf36"))
	points := append(unhex("0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"),
		unhex("024ac253c216532e961988e2a8ce266a447c894c781e52ef6cee902361db960004")...)
	rows := phalanx.SilentRows{
		Points:   phalanx.Column{Data: points, Stride: 33, Width: 33},
		Prefixes: []int64{-7, 1234567, 0x3e9fce73d4e77a48},
		Offsets:  []uint64{0, 1, 3},
	}

	scanner, err := phalanx.NewScanner(scan, spend, 1, 2)
	if err != nil {
		panic(err)
	}
	defer scanner.Wipe()
	var bulk phalanx.Bulk
	verdicts := make([]phalanx.Verdict, 2)
	matches, err := bulk.ScanSilentPayments(context.Background(), []*phalanx.Scanner{scanner}, rows, verdicts)
	fmt.Println(err, verdicts, len(matches))
	for _, match := range matches {
		// The spend key plus the tweak is the output's key.
		key, _ := spend.TweakAdd(match.Tweak.Bytes())
		x, _ := key.XOnly()
		fmt.Println("row", match.Row, "output", match.Output, x.Bytes() == match.Key, match.Tweak)
	}
	// Output:
	// <nil> [valid valid] 1
	// row 1 output 1 true phalanx.SecretKey(hidden)
}

func unhex(text string) []byte {
	bytes, err := hex.DecodeString(text)
	if err != nil {
		panic(err)
	}
	return bytes
}

func ExampleBulk_DeriveChildren() {
	// The account's external chain of BIP-84's example.
	parent := unhex("02360e9ef11126e1a27808ce81206c264de9326f8fa5a4d2c63bf20f235ecf650b")
	chainCode := unhex("5fb17f32471143583da296b3af79da1a98f63db12389a0150a67610620925a38")
	indices := []uint32{0, 1, 1 << 31}

	var bulk phalanx.Bulk
	children, verdicts := make([]phalanx.Child, 3), make([]phalanx.Verdict, 3)
	err := bulk.DeriveChildren(context.Background(), phalanx.Repeat(parent), phalanx.Repeat(chainCode), indices,
		phalanx.KeyHash, children, verdicts)
	fmt.Println(err, verdicts)
	fmt.Printf("%v %x\n", children[0].PublicKey, children[0].Payload[:20])
	// Output:
	// <nil> [valid valid malformed_row]
	// 0330d54fd0dd420a6e5f8d3624f5f3482cae350f79d5f0753bf5beef9c2d91af3c c0cebcd6c3d3ca8c75dc5ec62ebe55330ef910e2
}

func ExampleRecover() {
	secret, _ := phalanx.ParseSecretKey([]byte("an example's secret, of 32 bytes"))
	digest := sha256.Sum256([]byte("a transaction"))
	signature, id, _ := secret.SignRecoverable(digest)
	key, err := phalanx.Recover(digest, signature, id)
	fmt.Println(key == secret.PublicKey(), err)
	// Output: true <nil>
}

func ExampleSecretKey_SignSchnorr() {
	secret, _ := phalanx.ParseSecretKey([]byte("an example's secret, of 32 bytes"))
	key, _ := secret.PublicKey().XOnly()
	signature, err := secret.SignSchnorr([]byte("a message of any length"), [32]byte{})
	fmt.Println(err, phalanx.VerifySchnorr([]byte("a message of any length"), signature, key))
	// Output: <nil> <nil>
}

func ExampleSecretKey_SharedSecret() {
	ours, _ := phalanx.ParseSecretKey([]byte("an example's secret, of 32 bytes"))
	theirs, _ := phalanx.ParseSecretKey([]byte("another one's secret of 32 bytes"))
	a, _ := ours.SharedSecret(theirs.PublicKey())
	b, _ := theirs.SharedSecret(ours.PublicKey())
	fmt.Println(a == b, ours)
	// Output: true phalanx.SecretKey(hidden)
}

func ExampleBulk_BatchECDSA() {
	secret, _ := phalanx.ParseSecretKey([]byte("an example's secret, of 32 bytes"))
	digests, signatures, ids := make([][32]byte, 2000), make([]phalanx.Signature, 2000), make([]phalanx.RecoveryID, 2000)
	for i := range digests {
		digests[i] = sha256.Sum256(fmt.Append(nil, "transaction ", i))
		signatures[i], ids[i], _ = secret.SignRecoverable(digests[i])
	}
	digests[1234][0] ^= 1 // another digest than the one that was signed
	key := secret.PublicKey().Compressed()

	var bulk phalanx.Bulk
	verdicts := make([]phalanx.Verdict, 2000)
	err := bulk.BatchECDSA(context.Background(), phalanx.ColumnOf(digests), phalanx.ColumnOf(signatures),
		phalanx.Repeat(key[:]), phalanx.ColumnOf(ids), phalanx.RequireLowS, verdicts)
	fmt.Println(err, verdicts[1233], verdicts[1234])
	// Output: <nil> valid invalid_signature
}

func ExampleBulk_SumOfProducts() {
	one := [32]byte{31: 1}
	secret, _ := phalanx.ParseSecretKey(one[:])
	generator := secret.PublicKey().Compressed()
	scalars := [][32]byte{{31: 2}, {31: 3}, {31: 5}}

	var bulk phalanx.Bulk
	sum, err := bulk.SumOfProducts(context.Background(), phalanx.ColumnOf(scalars), phalanx.Repeat(generator[:]), len(scalars))
	ten, _ := phalanx.ParseSecretKey(append(make([]byte, 31), 10))
	fmt.Println(sum == ten.PublicKey().Compressed(), err)
	// Output: true <nil>
}

func ExampleFixedBase() {
	var points [][33]byte
	for i := range byte(3) {
		secret, _ := phalanx.ParseSecretKey(append(make([]byte, 31), i+1))
		points = append(points, secret.PublicKey().Compressed()) // G, 2 G, 3 G
	}
	base, err := phalanx.NewFixedBase(context.Background(), phalanx.ColumnOf(points), len(points), 8)
	if err != nil {
		panic(err)
	}
	all, _ := base.Sum([][32]byte{{31: 1}, {31: 2}, {31: 3}}) // 1 G + 2 (2 G) + 3 (3 G)
	some, _ := base.SumSparse([]phalanx.Term{{Position: 2, Scalar: [32]byte{31: 4}}, {Position: 1, Scalar: [32]byte{31: 1}}})
	fourteen, _ := phalanx.ParseSecretKey(append(make([]byte, 31), 14))
	fmt.Println(all == fourteen.PublicKey().Compressed(), some == all)
	// Output: true true
}
