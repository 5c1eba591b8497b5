package phalanx

import (
	"context"
	"errors"
	"math"
	"testing"
)

// columnsOfGoodRows are columns of so many valid rows.
func columnsOfGoodRows(rows int) (digests, signatures, keys Column) {
	good := goodRow(33)
	var data [3][]byte
	for range rows {
		for i := range data {
			data[i] = append(data[i], good[i]...)
		}
	}
	return Column{data[0], 32, 32}, Column{data[1], 64, 64}, Column{data[2], 33, 33}
}

func TestColumnsThatCannotBe(t *testing.T) {
	const rows = 5
	ctx := context.Background()
	var bulk Bulk
	for name, test := range map[string]struct {
		change func(digests, signatures, keys *Column)
		err    error
	}{
		"nothing changed":        {func(_, _, _ *Column) {}, nil},
		"nil":                    {func(digests, _, _ *Column) { digests.Data = nil }, ErrRows},
		"no column":              {func(digests, _, _ *Column) { *digests = Column{} }, ErrColumn},
		"short by a byte":        {func(_, signatures, _ *Column) { signatures.Data = signatures.Data[1:] }, ErrRows},
		"long":                   {func(_, _, keys *Column) { keys.Data = append(keys.Data, 1, 2, 3) }, nil},
		"another width":          {func(_, _, keys *Column) { keys.Width = 34 }, ErrColumn},
		"negative width":         {func(_, _, keys *Column) { keys.Width = -33 }, ErrColumn},
		"negative stride":        {func(_, _, keys *Column) { keys.Stride = -1 }, ErrColumn},
		"absurd stride":          {func(_, _, keys *Column) { keys.Stride = math.MaxInt }, ErrColumn},
		"stride beyond the data": {func(_, _, keys *Column) { keys.Stride = math.MaxInt / 64 }, ErrRows},
		"least stride":           {func(_, _, keys *Column) { keys.Stride = math.MinInt }, ErrColumn},
		"one value for all":      {func(digests, _, _ *Column) { *digests = Repeat(digests.Data[:32]) }, nil},
		"odd addresses": {func(digests, signatures, keys *Column) {
			for _, column := range []*Column{digests, signatures, keys} {
				column.Data = append(make([]byte, 1, 1+len(column.Data)), column.Data...)[1:]
			}
		}, nil},
	} {
		digests, signatures, keys := columnsOfGoodRows(rows)
		test.change(&digests, &signatures, &keys)
		verdicts := make([]Verdict, rows)
		for i := range verdicts {
			verdicts[i] = Valid
		}
		err := bulk.VerifyECDSA(ctx, digests, signatures, keys, RequireLowS, verdicts)
		expected := Valid
		if test.err != nil {
			expected = Undecided
		}
		for i, verdict := range verdicts {
			if verdict != expected {
				t.Errorf("%s: row %d is %v", name, i, verdict)
			}
		}
		if err != test.err {
			t.Errorf("%s: %v, not %v", name, err, test.err)
		}
	}
}

func TestNoRowsAndOutputsOfAnotherLength(t *testing.T) {
	ctx := context.Background()
	var bulk Bulk
	none := Column{Width: 32}
	if err := bulk.VerifyECDSA(ctx, none, Column{Width: 64}, Column{Width: 33}, RequireLowS, nil); err != nil {
		t.Error("no rows:", err)
	}
	if err := bulk.SignECDSA(ctx, none, none, nil, nil); err != nil {
		t.Error("no rows:", err)
	}
	secrets := ColumnOf([][32]byte{{1}, {2}})
	digests := ColumnOf(make([][32]byte, 2))
	verdicts := make([]Verdict, 2)
	for _, signatures := range []int{0, 1, 3} {
		if err := bulk.SignECDSA(ctx, digests, secrets, make([]Signature, signatures), verdicts); err != ErrRows {
			t.Errorf("%d signatures for 2 rows: %v", signatures, err)
		}
	}
	if err := bulk.SignECDSA(ctx, digests, Column{secrets.Data[:32], 32, 32}, make([]Signature, 2), verdicts); err != ErrRows {
		t.Error("one secret key for 2 rows:", err)
	}
	if err := bulk.PublicKeys(ctx, secrets, nil, verdicts); err != ErrRows {
		t.Error("no keys for 2 rows:", err)
	}
}

// TestMessagesWithoutBytes has empty messages in many pieces, as a field of records that ends where they end.
func TestMessagesWithoutBytes(t *testing.T) {
	// More than a piece of every operation, on the portable backend alone where time is short.
	rows := 1100
	if testing.Short() {
		rows = 300
	}
	ctx := context.Background()
	secret := secretOf([32]byte{31: 5}).Bytes()
	x, _ := secretOf(secret).PublicKey().XOnly()
	key := x.Bytes()
	for _, stride := range []int{0, 129} {
		messages := Column{make([]byte, (rows-1)*stride), stride, 0}
		signatures, verdicts := make([]SchnorrSignature, rows), make([]Verdict, rows)
		bulk := Bulk{Goroutines: 2}
		if err := bulk.SignSchnorr(ctx, messages, Repeat(secret[:]), Repeat(secret[:]), signatures, verdicts); err != nil {
			t.Fatalf("stride %d: %v", stride, err)
		}
		if err := VerifySchnorr(nil, signatures[rows-1], x); err != nil {
			t.Errorf("stride %d: %v", stride, err)
		}
		for name, call := range map[string]func() error{
			"rows":  func() error { return bulk.VerifySchnorr(ctx, messages, ColumnOf(signatures), Repeat(key[:]), verdicts) },
			"batch": func() error { return bulk.BatchSchnorr(ctx, messages, ColumnOf(signatures), Repeat(key[:]), verdicts) },
		} {
			err := call()
			for i, verdict := range verdicts {
				if err != nil || verdict != Valid {
					t.Fatalf("%s, stride %d: row %d is %v, %v", name, stride, i, verdict, err)
				}
			}
		}
		messages.Data = messages.Data[:max(0, len(messages.Data)-1)]
		if err := bulk.VerifySchnorr(ctx, messages, ColumnOf(signatures), Repeat(key[:]), verdicts); stride > 0 && err != ErrRows {
			t.Errorf("short by a byte, stride %d: %v", stride, err)
		}
	}
}

// TestPoliciesThatAreNoneRefuseHighS has a policy that somebody computed wrongly.
func TestPoliciesThatAreNoneRefuseHighS(t *testing.T) {
	secret, digest := secretOf([32]byte{31: 5}), [32]byte{1}
	signature, _ := secret.SignDigest(digest)
	compact := signature.Bytes()
	borrow := 0
	for i := 31; i >= 0; i-- { // s becomes n - s
		order := orderLess(0)
		difference := int(order[i]) - int(compact[32+i]) - borrow
		borrow = difference >> 8 & 1
		compact[32+i] = byte(difference)
	}
	high, err := ParseSignature(compact[:])
	if err != nil {
		t.Fatal(err)
	}
	key := secret.PublicKey().Compressed()
	var bulk Bulk
	for policy, expected := range map[LowS]Verdict{RequireLowS: HighS, AllowHighS: Valid, 2: HighS, 255: HighS} {
		if err := Verify(digest, high, secret.PublicKey(), policy); err != expected.Err() {
			t.Errorf("policy %d: %v", policy, err)
		}
		verdicts := make([]Verdict, 2)
		ctx, signatures := context.Background(), Repeat(compact[:])
		if err := bulk.VerifyECDSA(ctx, Repeat(digest[:]), signatures, Repeat(key[:]), policy, verdicts[:1]); err != nil {
			t.Error(err)
		}
		if err := bulk.BatchECDSA(ctx, Repeat(digest[:]), signatures, Repeat(key[:]), Repeat([]byte{9}), policy, verdicts[1:]); err != nil {
			t.Error(err)
		}
		if verdicts[0] != expected || verdicts[1] != expected {
			t.Errorf("policy %d: %v", policy, verdicts)
		}
	}
}

func TestOutputsThatOverlap(t *testing.T) {
	ctx := context.Background()
	var bulk Bulk
	const rows = 3
	digests, signatures, keys := columnsOfGoodRows(rows)
	memory := make([]Verdict, 200)
	inside := bytesOfVerdicts(memory)
	copy(inside, digests.Data)
	overlapping := Column{inside[:96], 32, 32}
	if err := bulk.VerifyECDSA(ctx, overlapping, signatures, keys, RequireLowS, memory[95:98]); err != ErrOverlap {
		t.Error("verdicts over digests:", err)
	}
	copy(inside, digests.Data)
	if err := bulk.VerifyECDSA(ctx, overlapping, signatures, keys, RequireLowS, memory[96:99]); err != nil {
		t.Error("verdicts beside digests:", err)
	}
	found := make([]PublicKey, rows)
	column := ColumnOf(found)
	column.Width, column.Stride = 64, 65
	err := bulk.Recover(ctx, digests, column, Column{make([]byte, rows), 1, 1}, found, make([]Verdict, rows))
	if err != ErrOverlap {
		t.Error("keys over signatures:", err)
	}
}

func TestZeroValuesAndWrongLengths(t *testing.T) {
	var key PublicKey
	var x XOnlyPublicKey
	var secret SecretKey
	var signature Signature
	good := goodRow(65)
	goodKey, _ := ParsePublicKey(good[2])
	goodSignature, _ := ParseSignature(good[1])
	digest := [32]byte(good[0])
	if err := Verify(digest, goodSignature, goodKey, RequireLowS); err != nil {
		t.Error("a good row:", err)
	}
	if err := Verify(digest, goodSignature, key, RequireLowS); err != ErrPublicKey {
		t.Error("the zero key:", err)
	}
	if err := Verify(digest, signature, goodKey, RequireLowS); err != ErrOutOfRange {
		t.Error("the zero signature:", err)
	}
	if err := VerifySchnorr(nil, SchnorrSignature{}, x); err != ErrPublicKey {
		t.Error("the zero key:", err)
	}
	if _, err := Recover(digest, goodSignature, 4); err != ErrOutOfRange {
		t.Error("recovery id 4:", err)
	}
	if _, err := secret.SignDigest(digest); err != ErrSecretKey {
		t.Error("the zero secret:", err)
	}
	if _, err := secret.SignSchnorr(nil, digest); err != ErrSecretKey {
		t.Error("the zero secret:", err)
	}
	if _, err := secret.SharedSecret(goodKey); err != ErrSecretKey {
		t.Error("the zero secret:", err)
	}
	if secret.PublicKey() != key {
		t.Error("the zero secret has a key")
	}
	for length := range 70 {
		bytes := make([]byte, length)
		bytes = append(bytes[:0], good[2]...)[:min(length, 65)]
		if _, err := ParsePublicKey(bytes); (err == nil) != (len(bytes) == 65) {
			t.Errorf("a key of %d bytes: %v", length, err)
		}
		if _, err := ParseSecretKey(make([]byte, length)); err != ErrSecretKey {
			t.Errorf("a secret key of %d zeros: %v", length, err)
		}
		if _, err := ParseXOnlyPublicKey(good[2][1:][:min(length, 64)]); (err == nil) != (length == 32) {
			t.Errorf("an x of %d bytes: %v", length, err)
		}
		if _, err := ParseSignature(good[1][:min(length, 64)]); (err == nil) != (length >= 64) {
			t.Errorf("a signature of %d bytes: %v", length, err)
		}
		if _, err := ParseSchnorrSignature(make([]byte, length)); (err == nil) != (length == 64) {
			t.Errorf("a Schnorr signature of %d bytes: %v", length, err)
		}
		if _, err := secret.Sign(nil, make([]byte, length), nil); length != 32 && err != ErrDigest {
			t.Errorf("a digest of %d bytes: %v", length, err)
		}
		for _, read := range []func([]byte) (Signature, error){ParseDER, ParseDERLax} {
			if _, err := read(make([]byte, length)); err != ErrSignatureEncoding {
				t.Errorf("DER of %d zeros: %v", length, err)
			}
		}
	}
	if _, err := ParsePublicKey(nil); err != ErrPublicKey {
		t.Error("nil:", err)
	}
}

func TestAContextCancelsBetweenPieces(t *testing.T) {
	const rows = 20000
	digests, signatures, keys := columnsOfGoodRows(1)
	digests, signatures, keys = Repeat(digests.Data), Repeat(signatures.Data), Repeat(keys.Data)
	verdicts := make([]Verdict, rows)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	bulk := Bulk{Goroutines: 2}
	if err := bulk.VerifyECDSA(ctx, digests, signatures, keys, RequireLowS, verdicts); !errors.Is(err, context.Canceled) {
		t.Error("cancelled before:", err)
	}
	for i, verdict := range verdicts {
		if verdict != Undecided {
			t.Fatalf("row %d is %v", i, verdict)
		}
	}
	// A context that is cancelled when it has been asked a few times.
	asked := &countdown{Context: context.Background(), left: 10}
	if err := bulk.VerifyECDSA(asked, digests, signatures, keys, RequireLowS, verdicts); err != context.Canceled {
		t.Error("cancelled on the way:", err)
	}
	count := map[Verdict]int{}
	for _, verdict := range verdicts {
		count[verdict]++
	}
	if count[Valid] == 0 || count[Undecided] == 0 || count[Valid]+count[Undecided] != rows {
		t.Error("cancelled on the way:", count)
	}
}
