package phalanx

import (
	"math"
	"unsafe"
)

// Column is values of one kind, one a row: that of row i is the Width bytes from Data[i*Stride] on. So a field of an
// array of records needs no copy, and a Stride of 0 gives all rows one value.
type Column struct {
	Data          []byte
	Stride, Width int
}

// ColumnOf is the column of the elements of a slice. It shares the slice's memory.
func ColumnOf[T [1]byte | [32]byte | [33]byte | [64]byte | [65]byte | PublicKey | Signature | SchnorrSignature | RecoveryID](values []T) Column {
	return columnOfRows(values)
}

// ColumnOfXOnly is the column of the 32 bytes of each key. It shares the slice's memory.
func ColumnOfXOnly(keys []XOnlyPublicKey) Column {
	const width = int(unsafe.Sizeof(XOnlyPublicKey{}))
	if len(keys) == 0 {
		return Column{Width: 32}
	}
	data := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(keys))), len(keys)*width)
	return Column{data[1:], width, 32}
}

// Repeat is the column that has the same value in every row.
func Repeat(value []byte) Column { return Column{value, 0, len(value)} }

// columnOfRows is the same for elements of any type that is bytes.
func columnOfRows[T any](values []T) Column {
	width := int(unsafe.Sizeof(*new(T)))
	return Column{unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), len(values)*width), width, width}
}

func bytesOfVerdicts(verdicts []Verdict) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(verdicts))), len(verdicts))
}

// extent is how many bytes so many rows take, or a negative number where no memory can hold them.
func (c Column) extent(rows int) int {
	if rows == 0 {
		return 0
	}
	const most = math.MaxInt / 2
	if c.Stride < 0 || c.Width < 0 || c.Width > most || c.Stride > 0 && rows-1 > (most-c.Width)/c.Stride {
		return -1
	}
	return (rows-1)*c.Stride + c.Width
}

// check says whether there is a value of one of these widths for each row.
func (c Column) check(rows int, widths []int) error {
	fits := len(widths) == 0
	for _, width := range widths {
		fits = fits || width == c.Width
	}
	extent := c.extent(rows)
	if !fits || extent < 0 {
		return ErrColumn
	}
	if extent > len(c.Data) {
		return ErrRows
	}
	return nil
}

// used are the bytes that so many rows lie in.
func (c Column) used(rows int) []byte {
	return c.Data[:max(0, min(c.extent(rows), len(c.Data)))]
}

// row is the value of a row.
func (c Column) row(i int) []byte { return c.Data[i*c.Stride:][:c.Width:c.Width] }

// overlap says whether two pieces of memory share a byte.
func overlap(a, b []byte) bool {
	if len(a) == 0 || len(b) == 0 {
		return false
	}
	first, other := uintptr(unsafe.Pointer(unsafe.SliceData(a))), uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	return first < other+uintptr(len(b)) && other < first+uintptr(len(a))
}
