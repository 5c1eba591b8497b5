package phalanx

import (
	"bytes"
	"context"
	"math"
	"testing"
)

// batchOf are columns of rows that repeat, with right ids, some wrong and some that say nothing, and the verdicts of single
// calls; the rows of these numbers are changed in some way.
func batchOf(t *testing.T, rows int, wrong ...int) (digests, signatures, keys, ids Column, expected []Verdict) {
	t.Helper()
	const kinds = 16
	digests, signatures, keys, ids = Column{nil, 32, 32}, Column{nil, 64, 64}, Column{nil, 33, 33}, Column{nil, 1, 1}
	var signed [kinds]struct {
		signature Signature
		id        RecoveryID
		key       PublicKey
	}
	for i := range signed {
		secret := secretOf([32]byte{30: 1, 31: byte(i)})
		signed[i].signature, signed[i].id, _ = secret.SignRecoverable([32]byte{byte(i)})
		signed[i].key = secret.PublicKey()
	}
	for i := range rows {
		s := signed[i%kinds]
		compact, key, id := s.signature.Bytes(), s.key.Compressed(), byte(s.id)
		switch i % 5 {
		case 3:
			id = 9
		case 4:
			id ^= 1
		}
		for _, row := range wrong {
			if row == i {
				compact[40] ^= 1
			}
		}
		digests.Data = append(digests.Data, make([]byte, 32)...)
		digests.Data[32*i] = byte(i % kinds)
		signatures.Data, keys.Data, ids.Data = append(signatures.Data, compact[:]...), append(keys.Data, key[:]...), append(ids.Data, id)
	}
	expected = make([]Verdict, rows)
	var bulk Bulk
	if err := bulk.VerifyECDSA(context.Background(), digests, signatures, keys, RequireLowS, expected); err != nil {
		t.Fatal(err)
	}
	return digests, signatures, keys, ids, expected
}

func TestBatchesAreRows(t *testing.T) {
	ctx := context.Background()
	for _, rows := range []int{0, 1, 31, 33, 400, 1024, 1500} {
		for _, wrong := range [][]int{nil, {0}, {7, 8, 300}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20}} {
			digests, signatures, keys, ids, expected := batchOf(t, rows, wrong...)
			bulk := Bulk{Goroutines: 2}
			verdicts := make([]Verdict, rows)
			if err := bulk.BatchECDSA(ctx, digests, signatures, keys, ids, RequireLowS, verdicts); err != nil {
				t.Fatal(err)
			}
			if i := differs(verdicts, expected); i >= 0 {
				t.Fatalf("row %d of %d, wrong %v: %v, alone %v", i, rows, wrong, verdicts[i], expected[i])
			}
		}
	}
}

// differs is the first row whose verdicts differ, or -1.
func differs(a, b []Verdict) int {
	for i := range a {
		if a[i] != b[i] {
			return i
		}
	}
	return -1
}

func TestSchnorrBatchesAreRows(t *testing.T) {
	ctx := context.Background()
	var bulk Bulk
	for _, rows := range []int{1, 64, 1100} {
		messages, signatures := make([][32]byte, rows), make([]SchnorrSignature, rows)
		keys := make([]XOnlyPublicKey, rows)
		for i := range rows {
			secret := secretOf([32]byte{30: 2, 31: byte(i % 9)})
			messages[i] = [32]byte{byte(i % 9)}
			signatures[i], _ = secret.SignSchnorr(messages[i][:], [32]byte{})
			keys[i], _ = secret.PublicKey().XOnly()
		}
		messages[rows/2][5] ^= 1
		verdicts := make([]Verdict, rows)
		if err := bulk.BatchSchnorr(ctx, ColumnOf(messages), ColumnOf(signatures), ColumnOfXOnly(keys), verdicts); err != nil {
			t.Fatal(err)
		}
		for i, verdict := range verdicts {
			if verdict != map[bool]Verdict{false: Valid, true: InvalidSignature}[i == rows/2] {
				t.Fatalf("row %d of %d is %v", i, rows, verdict)
			}
		}
	}
}

// TestSumsOfProducts compares with 1 P + 2 P + ... + n P = n (n + 1) / 2 P, by a secret key.
func TestSumsOfProducts(t *testing.T) {
	ctx := context.Background()
	var bulk Bulk
	key := secretOf([32]byte{31: 3}).PublicKey()
	compressed, uncompressed := key.Compressed(), key.Uncompressed()
	for _, products := range []int{0, 1, 2, 3, 40, 700, 2048, 2049, 5000} {
		scalars := make([][32]byte, products)
		for i := range scalars {
			scalars[i][30], scalars[i][31] = byte((i+1)>>8), byte(i+1)
		}
		for _, point := range [][]byte{compressed[:], uncompressed[:]} {
			sum, err := bulk.SumOfProducts(ctx, ColumnOf(scalars), Repeat(point), products)
			var expected [33]byte
			if products > 0 {
				total := 3 * products * (products + 1) / 2
				expected = secretOf([32]byte{28: byte(total >> 24), 29: byte(total >> 16), 30: byte(total >> 8), 31: byte(total)}).PublicKey().Compressed()
			}
			if err != nil || sum != expected {
				t.Fatalf("%d products: %x, %v", products, sum, err)
			}
		}
	}
	// A point and its negative are infinity, and so are zeros.
	points := append(append(compressed[:], compressed[:]...), make([]byte, 33)...)
	points[33] ^= 1
	sum, err := bulk.SumOfProducts(ctx, Repeat(one[:]), Column{points, 33, 33}, 3)
	if err != nil || sum != [33]byte{} {
		t.Errorf("infinity: %x, %v", sum, err)
	}
}

// TestSumsInRounds has sums of more pieces than are summed at once, some of them infinity.
func TestSumsInRounds(t *testing.T) {
	const products = 5*productsPerPiece + 7
	var bulk Bulk
	key := secretOf([32]byte{31: 3}).PublicKey().Compressed()
	points, scalars := make([][33]byte, products), make([][32]byte, products)
	total := 0
	for i := range scalars {
		points[i], scalars[i][30], scalars[i][31] = key, byte(i>>8), byte(i)
		if piece := i / productsPerPiece; piece == 0 || piece == 3 {
			points[i] = [33]byte{}
		} else {
			total += 3 * i
		}
	}
	expected := secretOf([32]byte{28: byte(total >> 24), 29: byte(total >> 16), 30: byte(total >> 8), 31: byte(total)}).PublicKey().Compressed()
	rounds := []int{1, 2, 3, 5, 6, piecesPerRound}
	if testing.Short() {
		rounds = rounds[1:2]
	}
	for _, pieces := range rounds {
		sum, err := bulk.sumInRounds(context.Background(), ColumnOf(scalars), ColumnOf(points), products, pieces)
		if err != nil || sum != expected {
			t.Errorf("%d pieces a round: %x, %v", pieces, sum, err)
		}
	}
	// Columns of one value claim any number of products; the memory of a sum does not follow.
	for _, claimed := range []int{math.MaxInt / 5, math.MaxInt - 1, math.MaxInt} {
		ctx := &countdown{Context: context.Background(), left: 5}
		sum, err := bulk.SumOfProducts(ctx, Repeat(one[:]), Repeat(key[:]), claimed)
		if err != context.Canceled || sum != [33]byte{} {
			t.Errorf("%d products: %x, %v", claimed, sum, err)
		}
	}
	if _, err := bulk.sumInRounds(context.Background(), Repeat(bytes.Repeat([]byte{0xff}, 32)), ColumnOf(points), products, 2); err != ErrScalar {
		t.Error("too large:", err)
	}
}

func TestSumsThatCannotBe(t *testing.T) {
	ctx, bulk := context.Background(), new(Bulk)
	compressed := secretOf([32]byte{31: 3}).PublicKey().Compressed()
	points, scalars := bytes.Repeat(compressed[:], 5), make([]byte, 5*32)
	badPoint, badScalar := bytes.Clone(points), bytes.Clone(scalars)
	badPoint[66] = 9
	copy(badScalar[64:], bytes.Repeat([]byte{0xff}, 32))
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	pointColumn, scalarColumn := Column{points, 33, 33}, Column{scalars, 32, 32}
	gives(t, ErrRows)(bulk.SumOfProducts(ctx, scalarColumn, pointColumn, -1))
	gives(t, ErrColumn)(bulk.SumOfProducts(ctx, scalarColumn, pointColumn, math.MaxInt))
	gives(t, ErrPublicKey)(bulk.SumOfProducts(ctx, scalarColumn, Column{badPoint, 33, 33}, 5))
	gives(t, ErrScalar)(bulk.SumOfProducts(ctx, Column{badScalar, 32, 32}, pointColumn, 5))
	gives(t, context.Canceled)(bulk.SumOfProducts(cancelled, Repeat(scalars[:32]), Repeat(points[:33]), 5))
}

// BenchmarkTogether is what a row takes one by one and in a batch, and a product of a sum, on one goroutine.
func BenchmarkTogether(b *testing.B) {
	const rows = 1024
	ctx, bulk := context.Background(), Bulk{Goroutines: 1}
	digests, keys := make([][32]byte, rows), make([]PublicKey, rows)
	signatures, ids := make([]Signature, rows), make([]RecoveryID, rows)
	for i := range rows {
		secret := secretOf([32]byte{29: 1, 30: byte(i >> 8), 31: byte(i)})
		digests[i] = [32]byte{byte(i >> 8), byte(i), 7}
		signatures[i], ids[i], _ = secret.SignRecoverable(digests[i])
		keys[i] = secret.PublicKey()
	}
	verdicts := make([]Verdict, rows)
	for name, call := range map[string]func() error{
		"rows": func() error {
			return bulk.VerifyECDSA(ctx, ColumnOf(digests), ColumnOf(signatures), ColumnOf(keys), RequireLowS, verdicts)
		},
		"batch": func() error {
			return bulk.BatchECDSA(ctx, ColumnOf(digests), ColumnOf(signatures), ColumnOf(keys), ColumnOf(ids), RequireLowS, verdicts)
		},
		"sum": func() error {
			_, err := bulk.SumOfProducts(ctx, ColumnOf(digests), ColumnOf(keys), rows)
			return err
		},
	} {
		b.Run(name, func(b *testing.B) {
			for range b.N {
				if err := call(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/rows, "ns/row")
		})
	}
}
