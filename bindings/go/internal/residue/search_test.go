//go:build linux && (amd64 || arm64) && !purego && !race

package residue

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"unsafe"
)

// span is memory from one address up to another.
type span struct{ from, to uintptr }

func spanOf[T any](values []T) span {
	from := uintptr(unsafe.Pointer(unsafe.SliceData(values)))
	return span{from, from + uintptr(len(values))*unsafe.Sizeof(*new(T))}
}

func (s span) holds(address uintptr) bool { return s.from <= address && address < s.to }

// written are the mappings that this process can write: heap, stacks of all threads, data, and memory that was given back.
// What it cannot write has no secret.
func written() []span {
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		panic(err)
	}
	var spans []span
	for line := range strings.Lines(string(maps)) {
		fields := strings.Fields(line)
		if !strings.HasPrefix(fields[1], "rw") {
			continue
		}
		from, to, _ := strings.Cut(fields[0], "-")
		first, _ := strconv.ParseUint(from, 16, 64)
		last, _ := strconv.ParseUint(to, 16, 64)
		if count := len(spans); count > 0 && spans[count-1].to == uintptr(first) {
			spans[count-1].to = uintptr(last)
			continue
		}
		spans = append(spans, span{uintptr(first), uintptr(last)})
	}
	return spans
}

const (
	// piece is how many bytes are read at once, and reach how far a needle goes beyond its first byte.
	piece, reach = 1 << 20, 7
	// filterBits are those of a hash that says of most words that they are no needle.
	filterBits = 20
)

// searcher finds needles, which stay masked, each multiplied by an odd number: a word of memory is masked in a register before
// it is compared. Masked twice it is still masked, so that a search that meets the needles computes none of them.
type searcher struct {
	memory int
	buffer []byte
	factor uint64
	// places has the numbers of the needles with a masked word.
	places map[uint64][]int
	filter []uint64
}

func newSearcher(masked []uint64, factor uint64) *searcher {
	memory, err := syscall.Open("/proc/self/mem", syscall.O_RDONLY, 0)
	if err != nil {
		panic(err)
	}
	s := &searcher{memory, make([]byte, piece+reach), factor, map[uint64][]int{}, make([]uint64, 1<<filterBits/64)}
	for number, word := range masked {
		s.places[word] = append(s.places[word], number)
		s.filter[hash(word)/64] |= 1 << (hash(word) % 64)
	}
	return s
}

func hash(word uint64) uint64 { return word * 0x9e37_79b9_7f4a_7c15 >> (64 - filterBits) }

// hit is a needle at an address.
type hit struct {
	needle  int
	address uintptr
}

// search finds the needles that stand somewhere now.
func (s *searcher) search() []hit {
	var hits []hit
	for _, mapping := range written() {
		for from := mapping.from; from < mapping.to; from += piece {
			length := min(mapping.to-from, piece+reach)
			// A page that no file backs and nobody has touched may be refused; what can be read is read.
			if read, err := syscall.Pread(s.memory, s.buffer[:length], int64(from)); err == nil {
				hits = s.inBuffer(hits, read, from)
			}
		}
	}
	own := spanOf(s.buffer)
	return slices.DeleteFunc(hits, func(hit hit) bool { return own.holds(hit.address) })
}

// inBuffer adds what is in the first bytes of the buffer, which were read from an address.
func (s *searcher) inBuffer(hits []hit, length int, from uintptr) []hit {
	start := unsafe.Pointer(unsafe.SliceData(s.buffer))
	for at := 0; at+8 <= length; at++ {
		word := *(*uint64)(unsafe.Add(start, at))
		if word == 0 && at+16 <= length && *(*uint64)(unsafe.Add(start, at+8)) == 0 {
			// All words that begin in the next eight bytes are zero, and no needle is.
			at += 7
			continue
		}
		word *= s.factor
		if bit := hash(word); s.filter[bit/64]>>(bit%64)&1 == 0 {
			continue
		}
		for _, needle := range s.places[word] {
			hits = append(hits, hit{needle, from + uintptr(at)})
		}
	}
	return hits
}
