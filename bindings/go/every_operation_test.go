package phalanx

import "testing"

// The image, or pure Go, has every operation that rows.go names.
func TestEveryOperationIsComputed(t *testing.T) {
	for i := range widths {
		operation := rowsOperation(i)
		work := rowsWork{operation: operation, verdicts: make([]Verdict, 1), output: ColumnOf(make([][65]byte, 1))}
		work.secret = new([32]byte)
		if operation == rowsSenders {
			work.output = columnOfRows(make([][20]byte, 1))
		}
		if operation == rowsDeriveChildren {
			work.output = columnOfRows(make([]Child, 1))
		}
		for i, allowed := range widths[operation] {
			if allowed != nil {
				width := append(allowed, 32)[0]
				work.inputs[i] = Column{make([]byte, width), width, width}
			}
		}
		func() {
			defer func() {
				if wrong := recover(); wrong != nil {
					t.Errorf("operation %d of rows.go: %v. Renew the image: docs/use/go.md",
						operation, wrong)
				}
			}()
			work.piece(0, 1, new(workspace))
		}()
	}
}
