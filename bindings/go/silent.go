package phalanx

import (
	"context"
	"encoding/binary"
	"slices"
)

// Scanner is the keys of a receiver of silent payments (BIP-352) who scans: scan secret, spend key, labels. It takes the scan
// secret to find payments, and spends none. Goroutines may share one. [NewScanner] makes it; the zero value is none.
type Scanner struct {
	scan SecretKey
	// keys are the spend key, and that of each label.
	keys   []PublicKey
	labels []scanLabel
}

// scanLabel is a label, and what it adds to the spend key.
type scanLabel struct {
	number uint32
	tweak  SecretKey
}

// MaxLabels is how many labels a [Scanner] has at most.
const MaxLabels = 100_000

// maxSilentOutputs is how many outputs of a transaction may be a receiver's (BIP-352: K_max).
const maxSilentOutputs = 2323

// NewScanner makes the keys of a receiver. Label 0, by which change comes back, is always among the labels. Each label takes
// an addition for each row of a scan. The scanner has a copy of the scan secret, which [Scanner.Wipe] overwrites.
//
// It returns [ErrSecretKey], [ErrPublicKey], and [ErrLabel] for more than MaxLabels, label 0 among them.
func NewScanner(scan SecretKey, spend PublicKey, labels ...uint32) (*Scanner, error) {
	if len(labels) > MaxLabels {
		return nil, ErrLabel
	}
	numbers := append([]uint32{0}, labels...)
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	if len(numbers) > MaxLabels {
		return nil, ErrLabel
	}
	own, place := newSecretKey()
	*place = *scan.bytes()
	s := &Scanner{scan: own, keys: []PublicKey{spend}}
	for _, number := range numbers {
		tweak, place := newSecretKey()
		s.labels = append(s.labels, scanLabel{number, tweak})
		if silentLabel(own.bytes(), number, place) != Valid {
			s.Wipe()
			return nil, ErrSecretKey
		}
		var key PublicKey
		switch tweakPublic(&spend.encoded, place, &key.encoded) {
		case Valid:
			s.keys = append(s.keys, key)
		case BadPublicKey:
			s.Wipe()
			return nil, ErrPublicKey
		default:
			s.Wipe()
			return nil, ErrLabel
		}
	}
	return s, nil
}

// Wipe overwrites the scan secret and the tweaks of labels. Scans with it fail afterwards.
func (s *Scanner) Wipe() {
	s.scan.Wipe()
	for _, label := range s.labels {
		label.tweak.Wipe()
	}
}

// SilentRows are transactions as an index holds them.
type SilentRows struct {
	// Points are the tweak points: 33 or 65 bytes of SEC 1, or 64 bytes as libsecp256k1 keeps a point (x, then y, least
	// significant byte first).
	Points Column
	// Keys are the taproot outputs of all rows, one behind the other; or Prefixes are the first eight bytes of each, as
	// big-endian numbers. One of them is empty.
	Keys     [][32]byte
	Prefixes []int64
	// Offsets are one more than there are rows. The outputs of row i are those from Offsets[i] up to Offsets[i+1].
	Offsets []uint64
}

// SilentMatch is an output that is a receiver's.
type SilentMatch struct {
	// Row, Scanner and Output are the numbers of the row, of the receiver, and of the output in the row.
	Row, Scanner, Output int
	// K is which of the receiver's outputs in the transaction it is, from 0.
	K uint32
	// Label is the label that was paid to, if HasLabel says that there is one. Label 0 is change.
	Label    uint32
	HasLabel bool
	// Key is the x of the output's key.
	Key [32]byte
	// Tweak is what spends the output, added to the spend secret by [SecretKey.TweakAdd].
	Tweak SecretKey
}

// ScanSilentPayments finds the outputs of receivers in transactions (BIP-352), ordered by row, receiver and k. A tweak point
// that is none makes its row [BadPublicKey]; other rows are [Valid], whether they pay or not. Without scanners no row is read,
// and all are [Undecided]. By prefixes a match is as sure as eight bytes. Where the call fails, there are no matches and no
// verdicts: [ErrColumn], [ErrRows], [ErrOverlap], [ErrSecretKey] for a scanner that is none or was wiped, or the context's.
//
// Constant time in scan secrets, shared points and tweaks; time may tell which rows pay.
func (b *Bulk) ScanSilentPayments(ctx context.Context, scanners []*Scanner, rows SilentRows, verdicts []Verdict) ([]SilentMatch, error) {
	clear(verdicts)
	if err := rows.check(verdicts); err != nil {
		return nil, err
	}
	for _, scanner := range scanners {
		if scanner == nil || len(scanner.keys) == 0 {
			return nil, ErrSecretKey
		}
	}
	if len(scanners) == 0 {
		return nil, nil
	}
	step := rowsPerPiece(rowsSharedSecrets)
	found := make([][]SilentMatch, (len(verdicts)+step-1)/step)
	err := b.pieces(ctx, len(found), func(piece int, memory *workspace) {
		first := piece * step
		count := min(step, len(verdicts)-first)
		found[piece] = rows.piece(scanners, first, verdicts[first:first+count], memory)
	})
	if err == nil && slices.Contains(verdicts, MalformedRow) {
		err = ErrSecretKey
	}
	if err != nil {
		clear(verdicts)
		wipeMatches(slices.Concat(found...))
		return nil, err
	}
	return slices.Concat(found...), nil
}

// wipeMatches overwrites the tweaks of matches that nobody gets.
func wipeMatches(found []SilentMatch) {
	for _, match := range found {
		match.Tweak.Wipe()
	}
}

// check says what is wrong with the rows, of which there are as many as verdicts.
func (r *SilentRows) check(verdicts []Verdict) error {
	rows := len(verdicts)
	if err := r.Points.check(rows, []int{33, 64, 65}); err != nil {
		return err
	}
	if len(r.Keys) > 0 && len(r.Prefixes) > 0 {
		return ErrColumn
	}
	if len(r.Offsets) != rows+1 && rows > 0 {
		return ErrRows
	}
	last := uint64(0)
	for _, offset := range r.Offsets {
		if offset < last || offset > uint64(len(r.Keys)+len(r.Prefixes)) {
			return ErrRows
		}
		last = offset
	}
	written := bytesOfVerdicts(verdicts)
	for _, read := range [][]byte{r.Points.used(rows), columnOfRows(r.Keys).Data, columnOfRows(r.Prefixes).Data,
		columnOfRows(r.Offsets).Data} {
		if overlap(written, read) {
			return ErrOverlap
		}
	}
	return nil
}

// piece computes some of the rows for all scanners.
func (r *SilentRows) piece(scanners []*Scanner, first int, verdicts []Verdict, memory *workspace) (found []SilentMatch) {
	pays := make([]bool, len(verdicts))
	for number, scanner := range scanners {
		r.find(scanner, first, pays, verdicts, memory)
		// A scanner that was wiped, which the next one must not hide.
		if slices.Contains(verdicts, MalformedRow) {
			wipeMatches(found)
			return nil
		}
		for i, paid := range pays {
			if paid {
				found = r.outputsOf(scanner, SilentMatch{Row: first + i, Scanner: number}, found, memory)
			}
		}
	}
	slices.SortStableFunc(found, func(a, b SilentMatch) int { return a.Row - b.Row })
	return found
}

// outputsOf appends the scanner's outputs in a row. At each k it is the first output in the transaction's order that is left
// and that one of the scanner's keys makes.
func (r *SilentRows) outputsOf(scanner *Scanner, match SilentMatch, found []SilentMatch, memory *workspace) []SilentMatch {
	left := r.left(match.Row)
	sums, verdicts := make([]PublicKey, len(scanner.keys)), make([]Verdict, len(scanner.keys))
	for ; match.K < maxSilentOutputs; match.K++ {
		tweak, place := newSecretKey()
		if silentTweak(r.Points.row(match.Row), scanner.scan.bytes(), match.K, place) != Valid {
			return found
		}
		work := rowsWork{operation: rowsTweakAddPublic, output: columnOfRows(sums), verdicts: verdicts}
		work.inputs = [4]Column{ColumnOf(scanner.keys), Repeat(place[:])}
		for first, step := 0, rowsPerPiece(rowsTweakAddPublic); first < len(sums); first += step {
			work.piece(first, min(step, len(sums)-first), memory)
		}
		best := -1
		for i := range sums {
			if verdicts[i] != Valid {
				continue
			}
			if output, ok := left.first((*[32]byte)(sums[i].encoded[1:33])); ok && (best < 0 || output < match.Output) {
				match.Output, best = output, i
			}
		}
		if best < 0 {
			tweak.Wipe()
			return found
		}
		match.Key = [32]byte(sums[best].encoded[1:33])
		left.remove(&match.Key, match.Output)
		match.Tweak, match.Label, match.HasLabel = tweak, 0, false
		if best > 0 {
			label := scanner.labels[best-1]
			whole, sum := newSecretKey()
			verdict := tweakSecret(place, label.tweak.bytes(), sum)
			tweak.Wipe()
			// Nobody knows a label whose tweak is the negative of a hash.
			if verdict != Valid {
				return found
			}
			match.Tweak, match.Label, match.HasLabel = whole, label.number, true
		}
		found = append(found, match)
	}
	return found
}

// outputsLeft are the outputs of a row that have not been found yet, by their first eight bytes.
type outputsLeft struct {
	// keys are those of the row, where there are keys.
	keys     [][32]byte
	byPrefix map[uint64][]int
}

func (r *SilentRows) left(row int) outputsLeft {
	start, end := r.Offsets[row], r.Offsets[row+1]
	left := outputsLeft{byPrefix: make(map[uint64][]int, end-start)}
	if len(r.Keys) > 0 {
		left.keys = r.Keys[start:end]
	}
	for i := range int(end - start) {
		prefix := r.prefix(int(start) + i)
		left.byPrefix[prefix] = append(left.byPrefix[prefix], i)
	}
	return left
}

// prefix is the first eight bytes of an output.
func (r *SilentRows) prefix(output int) uint64 {
	if len(r.Keys) > 0 {
		return binary.BigEndian.Uint64(r.Keys[output][:8])
	}
	return uint64(r.Prefixes[output])
}

// first is the first output with this x.
func (l outputsLeft) first(x *[32]byte) (output int, ok bool) {
	for _, output := range l.byPrefix[binary.BigEndian.Uint64(x[:8])] {
		if l.keys == nil || l.keys[output] == *x {
			return output, true
		}
	}
	return 0, false
}

func (l outputsLeft) remove(x *[32]byte, output int) {
	prefix := binary.BigEndian.Uint64(x[:8])
	alike := l.byPrefix[prefix]
	if i := slices.Index(alike, output); i >= 0 {
		l.byPrefix[prefix] = slices.Delete(alike, i, i+1)
	}
}
