package phalanx

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
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

// A column that is wrong is an error, whichever it is of a call, and no row is decided.
func TestColumnsThatCannotBe(t *testing.T) {
	const rows = 5
	ctx, bulk := context.Background(), new(Bulk)
	digests, signatures, keys := columnsOfGoodRows(rows)
	ids := Column{make([]byte, rows), 1, 1}
	for name, call := range map[string]struct {
		columns []Column
		run     func(columns []Column, verdicts []Verdict) error
	}{
		"rows": {[]Column{digests, signatures, keys}, func(columns []Column, verdicts []Verdict) error {
			return bulk.VerifyECDSA(ctx, columns[0], columns[1], columns[2], RequireLowS, verdicts)
		}},
		"batch": {[]Column{digests, signatures, keys, ids}, func(columns []Column, verdicts []Verdict) error {
			return bulk.BatchECDSA(ctx, columns[0], columns[1], columns[2], columns[3], RequireLowS, verdicts)
		}},
		"sum": {[]Column{digests, keys}, func(columns []Column, verdicts []Verdict) error {
			sum, err := bulk.SumOfProducts(ctx, columns[0], columns[1], rows)
			if err == nil {
				verdicts[0] = Valid
			} else if clear(verdicts); sum != ([33]byte{}) {
				t.Errorf("%x and %v", sum, err)
			}
			return err
		}},
	} {
		for what, test := range map[string]struct {
			change func(*Column)
			err    error
		}{
			"nothing changed":        {func(*Column) {}, nil},
			"nil":                    {func(c *Column) { c.Data = nil }, ErrRows},
			"no column":              {func(c *Column) { *c = Column{} }, ErrColumn},
			"short by a byte":        {func(c *Column) { c.Data = c.Data[1:] }, ErrRows},
			"long":                   {func(c *Column) { c.Data = append(c.Data, 1, 2, 3) }, nil},
			"another width":          {func(c *Column) { c.Width++ }, ErrColumn},
			"negative width":         {func(c *Column) { c.Width = -c.Width }, ErrColumn},
			"negative stride":        {func(c *Column) { c.Stride = -1 }, ErrColumn},
			"absurd stride":          {func(c *Column) { c.Stride = math.MaxInt }, ErrColumn},
			"stride beyond the data": {func(c *Column) { c.Stride = math.MaxInt / 64 }, ErrRows},
			"least stride":           {func(c *Column) { c.Stride = math.MinInt }, ErrColumn},
			"one value for all":      {func(c *Column) { *c = Repeat(c.Data[:c.Width]) }, nil},
			"odd addresses":          {func(c *Column) { c.Data = append([]byte{0}, c.Data...)[1:] }, nil},
		} {
			for i := range call.columns {
				columns, verdicts := slices.Clone(call.columns), []Verdict{Valid, Valid, Valid, Valid, Valid}
				test.change(&columns[i])
				if err := call.run(columns, verdicts); err != test.err {
					t.Errorf("%s, column %d, %s: %v, not %v", name, i, what, err, test.err)
				}
				expected := Undecided
				if test.err == nil {
					expected = Valid
				}
				for row, verdict := range verdicts {
					if verdict != expected {
						t.Errorf("%s, column %d, %s: row %d is %v", name, i, what, row, verdict)
					}
				}
			}
		}
	}
}

func TestNoRowsAndOutputsOfAnotherLength(t *testing.T) {
	ctx, bulk := context.Background(), new(Bulk)
	none := Column{Width: 32}
	gives(t, nil)(nil, bulk.VerifyECDSA(ctx, none, Column{Width: 64}, Column{Width: 33}, RequireLowS, nil))
	gives(t, nil)(nil, bulk.BatchSchnorr(ctx, none, Column{Width: 64}, none, nil))
	gives(t, nil)(nil, bulk.SignECDSA(ctx, none, none, nil, nil))
	secrets, digests := ColumnOf([][32]byte{{1}, {2}}), ColumnOf(make([][32]byte, 2))
	verdicts := make([]Verdict, 2)
	for _, signatures := range []int{0, 1, 3} {
		gives(t, ErrRows)(nil, bulk.SignECDSA(ctx, digests, secrets, make([]Signature, signatures), verdicts))
	}
	one := Column{secrets.Data[:32], 32, 32}
	gives(t, ErrRows)(nil, bulk.SignECDSA(ctx, digests, one, make([]Signature, 2), verdicts))
	gives(t, ErrRows)(nil, bulk.PublicKeys(ctx, secrets, nil, verdicts))
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
	signature, id, _ := secret.SignRecoverable(digest)
	compact := signature.Bytes()
	var number secp256k1.ModNScalar
	number.SetByteSlice(compact[32:])
	number.Negate().PutBytesUnchecked(compact[32:])
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
		verdicts := make([]Verdict, 3)
		ctx, signatures := context.Background(), Repeat(compact[:])
		if err := bulk.VerifyECDSA(ctx, Repeat(digest[:]), signatures, Repeat(key[:]), policy, verdicts[:1]); err != nil {
			t.Error(err)
		}
		if err := bulk.BatchECDSA(ctx, Repeat(digest[:]), signatures, Repeat(key[:]), Repeat([]byte{9}), policy, verdicts[1:2]); err != nil {
			t.Error(err)
		}
		parity, address := Repeat([]byte{1 - byte(id)}), make([][20]byte, 1)
		if err := bulk.Senders(ctx, Repeat(digest[:]), signatures, parity, policy, address, verdicts[2:]); err != nil {
			t.Error(err)
		}
		if verdicts[0] != expected || verdicts[1] != expected || verdicts[2] != expected {
			t.Errorf("policy %d: %v", policy, verdicts)
		}
	}
}

func TestOutputsThatOverlap(t *testing.T) {
	ctx, bulk := context.Background(), new(Bulk)
	const rows = 3
	digests, signatures, keys := columnsOfGoodRows(rows)
	memory := make([]Verdict, 200)
	inside := bytesOfVerdicts(memory)
	overlapping := Column{inside[:96], 32, 32}
	for first, expected := range map[int]error{95: ErrOverlap, 96: nil} {
		copy(inside, digests.Data)
		gives(t, expected)(nil, bulk.VerifyECDSA(ctx, overlapping, signatures, keys, RequireLowS, memory[first:first+rows]))
	}
	ids := Column{inside[:rows], 1, 1}
	gives(t, ErrOverlap)(nil, bulk.BatchECDSA(ctx, digests, signatures, keys, ids, RequireLowS, memory[2:2+rows]))
	found := make([]PublicKey, rows)
	column := ColumnOf(found)
	column.Width, column.Stride = 64, 65
	gives(t, ErrOverlap)(nil, bulk.Recover(ctx, digests, column, ids, found, make([]Verdict, rows)))
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
	gives(t, nil)(nil, Verify(digest, goodSignature, goodKey, RequireLowS))
	gives(t, ErrPublicKey)(nil, Verify(digest, goodSignature, key, RequireLowS))
	gives(t, ErrOutOfRange)(nil, Verify(digest, signature, goodKey, RequireLowS))
	gives(t, ErrPublicKey)(nil, VerifySchnorr(nil, SchnorrSignature{}, x))
	gives(t, ErrOutOfRange)(Recover(digest, goodSignature, 4))
	gives(t, ErrSecretKey)(secret.SignDigest(digest))
	gives(t, ErrSecretKey)(secret.SignSchnorr(nil, digest))
	gives(t, ErrSecretKey)(secret.SharedSecret(goodKey))
	gives(t, ErrPublicKey)(ParsePublicKey(nil))
	if secret.PublicKey() != key {
		t.Error("the zero secret has a key")
	}
	// right is the error of a value of a wrong length.
	right := func(is bool, err error) error {
		if is {
			return nil
		}
		return err
	}
	for length := range 70 {
		zeros := make([]byte, length)
		gives(t, right(length >= 65, ErrPublicKey))(ParsePublicKey(good[2][:min(length, 65)]))
		gives(t, ErrSecretKey)(ParseSecretKey(zeros))
		gives(t, right(length == 32, ErrPublicKey))(ParseXOnlyPublicKey(good[2][1:][:min(length, 64)]))
		gives(t, right(length >= 64, ErrSignatureEncoding))(ParseSignature(good[1][:min(length, 64)]))
		gives(t, right(length == 64, ErrSignatureEncoding))(ParseSchnorrSignature(zeros))
		if length != 32 {
			gives(t, ErrDigest)(secret.Sign(nil, zeros, nil))
		}
		gives(t, ErrSignatureEncoding)(ParseDER(zeros))
		gives(t, ErrSignatureEncoding)(ParseDERLax(zeros))
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
	gives(t, context.Canceled)(nil, bulk.VerifyECDSA(ctx, digests, signatures, keys, RequireLowS, verdicts))
	for i, verdict := range verdicts {
		if verdict != Undecided {
			t.Fatalf("row %d is %v", i, verdict)
		}
	}
	// A context that is cancelled when it has been asked a few times.
	asked := &countdown{Context: context.Background(), left: 10}
	gives(t, context.Canceled)(nil, bulk.VerifyECDSA(asked, digests, signatures, keys, RequireLowS, verdicts))
	count := map[Verdict]int{}
	for _, verdict := range verdicts {
		count[verdict]++
	}
	if count[Valid] == 0 || count[Undecided] == 0 || count[Valid]+count[Undecided] != rows {
		t.Error("cancelled on the way:", count)
	}
}
