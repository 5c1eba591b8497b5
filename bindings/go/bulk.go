package phalanx

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// Bulk computes many rows at once, on goroutines of its own. The zero value is ready to use, and may be used by many
// goroutines at a time.
//
// Each call takes columns or slices of as many rows as there are verdicts, and writes a verdict for each row. It returns
// an error where the call itself is wrong ([ErrColumn], [ErrRows], [ErrOverlap]) or where the context has been cancelled.
// Rows that have not been computed then are [Undecided]. A row that is wrong is no error: it has its verdict, and no
// neighbour has another because of it.
//
// Work is cut into pieces of about half a millisecond. A goroutine cannot be preempted within a piece, and the context is
// asked between two pieces.
type Bulk struct {
	// Goroutines is how many may compute at a time; GOMAXPROCS where it is 0.
	Goroutines int
}

// VerifyECDSA verifies signatures: digests of 32 bytes, signatures of 64, public keys of 33 or 65. Variable time.
func (b *Bulk) VerifyECDSA(ctx context.Context, digests, signatures, keys Column, policy LowS, verdicts []Verdict) error {
	work := rowsWork{operation: rowsVerifyECDSA, allowHighS: policy == AllowHighS, verdicts: verdicts}
	work.inputs = [4]Column{digests, signatures, keys}
	return b.run(ctx, &work)
}

// VerifySchnorr verifies signatures of BIP-340: messages of any one width, signatures of 64 bytes, keys of 32. Variable
// time.
func (b *Bulk) VerifySchnorr(ctx context.Context, messages, signatures, keys Column, verdicts []Verdict) error {
	work := rowsWork{operation: rowsVerifySchnorr, verdicts: verdicts}
	work.inputs = [4]Column{messages, signatures, keys}
	return b.run(ctx, &work)
}

// Recover finds the public keys of signatures: digests of 32 bytes, signatures of 64, recovery ids of 1. The key of a
// row that is not [Valid] is the zero value. Variable time.
func (b *Bulk) Recover(ctx context.Context, digests, signatures, ids Column, keys []PublicKey, verdicts []Verdict) error {
	clear(keys)
	work := rowsWork{operation: rowsRecover, verdicts: verdicts}
	work.inputs = [4]Column{digests, signatures, ids}
	work.output = columnOfKeys(keys)
	return b.run(ctx, &work)
}

// PublicKeys computes the public keys of secret keys of 32 bytes. Constant time.
func (b *Bulk) PublicKeys(ctx context.Context, secrets Column, keys []PublicKey, verdicts []Verdict) error {
	clear(keys)
	work := rowsWork{operation: rowsPublicKeys, verdicts: verdicts}
	work.inputs[0] = secrets
	work.output = columnOfKeys(keys)
	return b.run(ctx, &work)
}

// SignECDSA signs digests of 32 bytes by secret keys of 32 bytes, as [SecretKey.SignDigest]. The signature of a row that is
// not [Valid] is the zero value. Constant time.
func (b *Bulk) SignECDSA(ctx context.Context, digests, secrets Column, signatures []Signature, verdicts []Verdict) error {
	clear(signatures)
	work := rowsWork{operation: rowsSignECDSA, verdicts: verdicts}
	work.inputs = [4]Column{digests, secrets}
	work.output = ColumnOf(signatures)
	return b.run(ctx, &work)
}

// SignSchnorr signs messages of any one width by secret keys of 32 bytes, as [SecretKey.SignSchnorr], with randomness of
// 32 bytes, which may be one value for all rows. Constant time.
func (b *Bulk) SignSchnorr(ctx context.Context, messages, secrets, randomness Column, signatures []SchnorrSignature, verdicts []Verdict) error {
	clear(signatures)
	work := rowsWork{operation: rowsSignSchnorr, verdicts: verdicts}
	work.inputs = [4]Column{messages, secrets, randomness}
	work.output = ColumnOf(signatures)
	return b.run(ctx, &work)
}

// SharedSecrets computes shared secrets, as [SecretKey.SharedSecret], of public keys of 33 or 65 bytes and
// secret keys of 32. Constant time in the secret keys.
func (b *Bulk) SharedSecrets(ctx context.Context, keys, secrets Column, shared [][32]byte, verdicts []Verdict) error {
	clear(shared)
	work := rowsWork{operation: rowsSharedSecrets, verdicts: verdicts}
	work.inputs = [4]Column{keys, secrets}
	work.output = ColumnOf(shared)
	return b.run(ctx, &work)
}

type rowsOperation uint8

const (
	rowsVerifyECDSA rowsOperation = iota
	rowsVerifySchnorr
	rowsRecover
	rowsPublicKeys
	rowsSignECDSA
	rowsSignSchnorr
	rowsSharedSecrets
	rowsBatchECDSA
	rowsBatchSchnorr
)

// rowsWork is a call on rows. Its output is a column of a slice that the caller gave to be written.
type rowsWork struct {
	operation  rowsOperation
	allowHighS bool
	inputs     [4]Column
	output     Column
	verdicts   []Verdict
	// randomness is what a batch draws its coefficients from.
	randomness *[32]byte
}

// widths are those that the inputs of each operation may have; none where any will do, and nil where there is no input.
var widths = [...][4][]int{
	rowsVerifyECDSA:   {{32}, {64}, {33, 65}, nil},
	rowsVerifySchnorr: {{}, {64}, {32}, nil},
	rowsRecover:       {{32}, {64}, {1}, nil},
	rowsPublicKeys:    {{32}, nil, nil, nil},
	rowsSignECDSA:     {{32}, {32}, nil, nil},
	rowsSignSchnorr:   {{}, {32}, {32}, nil},
	rowsSharedSecrets: {{33, 65}, {32}, nil, nil},
	rowsBatchECDSA:    {{32}, {64}, {33, 65}, {1}},
	rowsBatchSchnorr:  {{}, {64}, {32}, nil},
}

// check says what is wrong with the call, before anything is computed.
func (w *rowsWork) check() error {
	rows := len(w.verdicts)
	if w.output.Width > 0 && len(w.output.Data) != rows*w.output.Width {
		return ErrRows
	}
	for i, allowed := range widths[w.operation] {
		if allowed == nil {
			continue
		}
		if err := w.inputs[i].check(rows, allowed); err != nil {
			return err
		}
	}
	written := [][]byte{bytesOfVerdicts(w.verdicts), w.output.Data}
	for i, one := range written {
		if i > 0 && overlap(one, written[0]) {
			return ErrOverlap
		}
		for _, column := range w.inputs {
			if overlap(one, column.used(rows)) {
				return ErrOverlap
			}
		}
	}
	return nil
}

// run computes the rows, in pieces, on goroutines.
func (b *Bulk) run(ctx context.Context, work *rowsWork) error {
	clear(work.verdicts)
	if err := work.check(); err != nil {
		return err
	}
	rows, step := len(work.verdicts), rowsPerPiece(work.operation)
	return b.pieces(ctx, (rows+step-1)/step, func(piece int, memory *workspace) {
		first := piece * step
		work.piece(first, min(step, rows-first), memory)
	})
}

// pieces calls work with the number of each piece, on goroutines, and asks the context between two pieces.
func (b *Bulk) pieces(ctx context.Context, count int, work func(piece int, memory *workspace)) error {
	var next atomic.Int64
	compute := func() {
		memory := workspaces.Get().(*workspace)
		defer workspaces.Put(memory)
		for ctx.Err() == nil {
			piece := int(next.Add(1)) - 1
			if piece >= count {
				return
			}
			work(piece, memory)
		}
	}
	goroutines := b.Goroutines
	if goroutines <= 0 {
		goroutines = runtime.GOMAXPROCS(0)
	}
	var others sync.WaitGroup
	for range min(goroutines, count) - 1 {
		others.Add(1)
		go func() {
			defer others.Done()
			compute()
		}()
	}
	if count > 0 {
		compute()
	}
	others.Wait()
	return ctx.Err()
}
