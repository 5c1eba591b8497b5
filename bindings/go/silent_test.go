package phalanx

import (
	"bytes"
	"context"
	"slices"
	"testing"
	"unsafe"

	"phalanx.example/phalanx/internal/pure"
)

// obvious are the matches of a row for a receiver as BIP-352 words the scan, by pure Go.
func (r receiver) obvious(t *testing.T, row, scanner int, tx silentRow) (matches []SilentMatch) {
	scan := r.scan.Bytes()
	numbers := append([]uint32{0}, r.labels...)
	slices.Sort(numbers)
	left := map[int]bool{}
	for i := range tx.keys {
		left[i] = true
	}
	for k := uint32(0); ; k++ {
		var tweak [32]byte
		if pure.SilentTweak(tx.point, &scan, k, &tweak) != pure.Valid {
			t.Fatal("no tweak")
		}
		found := SilentMatch{Row: row, Scanner: scanner, Output: len(tx.keys), K: k}
		spend := r.spend.PublicKey().Uncompressed()
		for label := -1; label < len(numbers); label++ {
			whole, key := tweak, [65]byte{}
			if label >= 0 {
				var extra [32]byte
				if pure.SilentLabel(&scan, numbers[label], &extra) != pure.Valid || pure.TweakSecret(&tweak, &extra, &whole) != pure.Valid {
					t.Fatal("no label")
				}
			}
			if pure.TweakPublic(spend[:], &whole, &key) != pure.Valid {
				t.Fatal("no key")
			}
			for output, x := range tx.keys {
				if left[output] && x == [32]byte(key[1:33]) && output < found.Output {
					found.Output, found.Key, found.Tweak, found.HasLabel, found.Label = output, x, secretOf(whole), label >= 0, 0
					if label >= 0 {
						found.Label = numbers[label]
					}
				}
			}
		}
		if found.Output == len(tx.keys) {
			return matches
		}
		delete(left, found.Output)
		matches = append(matches, found)
	}
}

func sameMatch(a, b SilentMatch) bool {
	same := a.Tweak.Equal(b.Tweak)
	a.Tweak, b.Tweak = SecretKey{}, SecretKey{}
	return same && a == b
}

// TestScansAreTheObviousOnes has random transactions, in all forms, for several receivers.
func TestScansAreTheObviousOnes(t *testing.T) {
	draw := byte(0)
	next := func() [32]byte {
		draw++
		return sha256Of([]byte{draw, 0x52, byte(len(t.Name()))})
	}
	receivers := make([]receiver, 3)
	for i := range receivers {
		receivers[i].scan, receivers[i].spend = secretOf(next()), secretOf(next())
	}
	receivers[1].labels, receivers[2].labels = []uint32{7, 1, 4294967295}, []uint32{3}
	count := 150
	if testing.Short() {
		count = 40
	}
	var rows []silentRow
	expected, verdicts := []SilentMatch(nil), make([]Verdict, count)
	for i := range count {
		digest := sha256Of([]byte{byte(i), byte(i >> 8), 1})
		point := secretOf(digest).PublicKey().Compressed()
		row := silentRow{point: point[:]}
		for j := range i % 3 {
			row.keys = append(row.keys, sha256Of([]byte{byte(i), byte(j), 2}))
		}
		verdicts[i] = Valid
		if r := receivers[i%3]; i%2 == 0 {
			scan, spend := r.scan.Bytes(), r.spend.PublicKey()
			for k := range uint32(i % 5) {
				var tweak, extra [32]byte
				pure.SilentTweak(point[:], &scan, k, &tweak)
				key, _ := spend.TweakAdd(tweak)
				if len(r.labels) > 0 && (uint32(i)+k)%3 == 1 {
					pure.SilentLabel(&scan, r.labels[int(k)%len(r.labels)], &extra)
					key, _ = key.TweakAdd(extra)
				}
				x := [32]byte(key.encoded[1:33])
				row.keys = slices.Insert(row.keys, int(digest[k])%(len(row.keys)+1), x)
			}
		}
		if i%7 == 6 && len(row.keys) > 0 {
			row.keys[0][digest[9]%32] ^= 1 << (digest[8] % 8)
		}
		if i%10 == 9 {
			row.point, verdicts[i] = nil, BadPublicKey
		} else {
			for s, r := range receivers {
				expected = append(expected, r.obvious(t, i, s, row)...)
			}
		}
		rows = append(rows, row)
	}
	labelled := func(match SilentMatch) bool { return match.HasLabel && match.Label > 0 && match.K > 0 }
	if len(expected) < count/3 || !slices.ContainsFunc(expected, labelled) {
		t.Fatalf("%d matches", len(expected))
	}
	var scanners []*Scanner
	for _, r := range receivers {
		scanners = append(scanners, r.scanner(t))
	}
	for _, width := range []int{33, 64, 65} {
		for _, goroutines := range []int{1, 3} {
			found := make([]Verdict, count)
			bulk := Bulk{Goroutines: goroutines}
			matches, err := bulk.ScanSilentPayments(context.Background(), scanners, silentRowsOf(rows, width, true), found)
			if err != nil || !slices.Equal(found, verdicts) || !slices.EqualFunc(matches, expected, sameMatch) {
				t.Fatalf("width %d: %d matches, not %d: %v", width, len(matches), len(expected), err)
			}
			// By prefixes all of these are found too, and what differs behind the prefix.
			matches, err = bulk.ScanSilentPayments(context.Background(), scanners, silentRowsOf(rows, width, false), found)
			if err != nil || !slices.Equal(found, verdicts) {
				t.Fatalf("width %d, prefixes: %v", width, err)
			}
			for _, match := range expected {
				if !slices.ContainsFunc(matches, func(other SilentMatch) bool { return sameMatch(match, other) }) {
					t.Errorf("width %d, prefixes: row %d, output %d is not found", width, match.Row, match.Output)
				}
			}
		}
	}
}

func TestScannersThatCannotBe(t *testing.T) {
	secret := secretOf([32]byte{31: 5})
	key := secret.PublicKey()
	gives(t, ErrSecretKey)(NewScanner(SecretKey{}, key))
	gives(t, ErrPublicKey)(NewScanner(secret, PublicKey{}))
	gives(t, ErrLabel)(NewScanner(secret, key, make([]uint32, MaxLabels+1)...))
	scanner, err := NewScanner(secret, key, 3, 0, 3, 1)
	if err != nil || len(scanner.keys) != 4 {
		t.Error(scanner, err)
	}
	copied := scanner.scan.Bytes()
	if copied != secret.Bytes() || scanner.scan.number == secret.number {
		t.Error("the scanner has no copy of its own")
	}
	scanner.Wipe()
	if scanner.scan.Bytes() != [32]byte{} || scanner.labels[1].tweak.Bytes() != [32]byte{} || secret.Bytes() != copied {
		t.Error("the scanner is not wiped")
	}
}

// TestScansThatAreRefused has calls that cannot be: no row is decided, and nothing is found.
func TestScansThatAreRefused(t *testing.T) {
	const rows = 30
	ctx, cancel := context.WithCancel(context.Background())
	bulk, secret := new(Bulk), secretOf([32]byte{31: 5})
	scanner, err := NewScanner(secret, secret.PublicKey())
	wiped, _ := NewScanner(secret, secret.PublicKey())
	wiped.Wipe()
	if err != nil {
		t.Fatal(err)
	}
	point := secret.PublicKey().Compressed()
	good := SilentRows{Points: Column{bytes.Repeat(point[:], rows), 33, 33}, Keys: make([][32]byte, rows)}
	for i := range uint64(rows + 1) {
		good.Offsets = append(good.Offsets, i)
	}
	verdicts := make([]Verdict, rows)
	call := func(name string, expected error, decided Verdict, scanners []*Scanner, rows SilentRows, verdicts []Verdict) {
		t.Helper()
		for i := range verdicts {
			verdicts[i] = HighS
		}
		matches, err := bulk.ScanSilentPayments(ctx, scanners, rows, verdicts)
		if err != expected || len(matches) > 0 {
			t.Errorf("%s: %d matches, %v", name, len(matches), err)
		}
		for i, verdict := range verdicts {
			if verdict != decided {
				t.Fatalf("%s: row %d is %v", name, i, verdict)
			}
		}
	}
	one := []*Scanner{scanner}
	call("good", nil, Valid, one, good, verdicts)
	call("no rows", nil, Undecided, one, SilentRows{Points: Column{Width: 33}}, nil)
	call("no scanners", nil, Undecided, nil, good, verdicts)
	call("no outputs", nil, Valid, one, SilentRows{Points: good.Points, Offsets: make([]uint64, rows+1)}, verdicts)
	call("a scanner that is none", ErrSecretKey, Undecided, []*Scanner{scanner, nil}, good, verdicts)
	call("the zero value", ErrSecretKey, Undecided, []*Scanner{{}, scanner}, good, verdicts)
	for _, scanners := range [][]*Scanner{{wiped}, {wiped, scanner}, {scanner, wiped}} {
		call("wiped", ErrSecretKey, Undecided, scanners, good, verdicts)
	}
	with := func(change func(*SilentRows)) SilentRows {
		rows := good
		rows.Offsets = slices.Clone(rows.Offsets)
		change(&rows)
		return rows
	}
	for name, test := range map[string]struct {
		err    error
		change func(*SilentRows)
	}{
		"another width":    {ErrColumn, func(r *SilentRows) { r.Points.Width = 32 }},
		"short points":     {ErrRows, func(r *SilentRows) { r.Points.Data = r.Points.Data[1:] }},
		"both forms":       {ErrColumn, func(r *SilentRows) { r.Prefixes = make([]int64, 1) }},
		"no offsets":       {ErrRows, func(r *SilentRows) { r.Offsets = nil }},
		"an offset less":   {ErrRows, func(r *SilentRows) { r.Offsets = r.Offsets[1:] }},
		"an offset more":   {ErrRows, func(r *SilentRows) { r.Offsets = append(r.Offsets, rows) }},
		"falling offsets":  {ErrRows, func(r *SilentRows) { r.Offsets[5] = 3 }},
		"a large offset":   {ErrRows, func(r *SilentRows) { r.Offsets[rows] = rows + 1 }},
		"the last is huge": {ErrRows, func(r *SilentRows) { r.Offsets[rows] = 1<<64 - 1 }},
	} {
		call(name, test.err, Undecided, one, with(test.change), verdicts)
	}
	// Verdicts in the memory of each input, by one byte.
	for name, place := range map[string]func(*SilentRows) []byte{
		"points": func(r *SilentRows) []byte { return r.Points.Data },
		"keys":   func(r *SilentRows) []byte { return columnOfRows(r.Keys).Data },
		"offsets": func(r *SilentRows) []byte {
			return columnOfRows(r.Offsets).Data
		},
	} {
		rows := with(func(r *SilentRows) { r.Points.Data, r.Keys = slices.Clone(r.Points.Data), slices.Clone(r.Keys) })
		memory := place(&rows)
		inside := unsafe.Slice((*Verdict)(unsafe.Pointer(&memory[0])), len(verdicts))
		before := slices.Clone(memory[len(verdicts):])
		clear(inside)
		if _, err := bulk.ScanSilentPayments(ctx, one, rows, inside); err != ErrOverlap {
			t.Errorf("verdicts in %s: %v", name, err)
		}
		if !bytes.Equal(before, memory[len(verdicts):]) {
			t.Errorf("verdicts in %s: something else is written", name)
		}
	}
	cancel()
	call("cancelled", context.Canceled, Undecided, one, good, verdicts)
}
