package phalanx

import (
	"context"
	"crypto/rand"
	"fmt"

	"phalanx.example/phalanx/internal/pieces"
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

// rowsWork is a call on rows. Its output is a column of a slice that the caller gave to be written.
type rowsWork struct {
	operation  rowsOperation
	allowHighS bool
	inputs     [4]Column
	output     Column
	verdicts   []Verdict
	// payload is what is wanted of children.
	payload PayloadKind
	// secret is 32 bytes that all rows share.
	secret *[32]byte
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

// runDrawing computes the rows by fresh randomness, which they share.
func (b *Bulk) runDrawing(ctx context.Context, work *rowsWork) error {
	clear(work.verdicts)
	work.secret = new([32]byte)
	defer wipe(work.secret[:])
	if _, err := rand.Read(work.secret[:]); err != nil {
		return ErrRandomness
	}
	return b.run(ctx, work)
}

// unavailable is the error of a backend's name that the environment gives.
func unavailable(name string) error { return fmt.Errorf("%w: PHALANX_BACKEND=%q", ErrBackend, name) }

// pieces deals pieces to the goroutines of b, unless the environment names a backend that is not there.
func (b *Bulk) pieces(ctx context.Context, count int, work func(piece int, memory *workspace)) error {
	if err := refused(); err != nil {
		return err
	}
	return pieces.Deal(ctx, b.Goroutines, count, &workspaces, work)
}
