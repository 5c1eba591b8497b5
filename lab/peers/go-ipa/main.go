// The Go module go-ipa: commitments over the Verkle basis by its precomputed tables of 334 MiB, in a loop. It has no call
// for tree keys; what its users write for that is here: the first term is computed once, the others are committed to.
package main

import (
	"fmt"
	"slices"

	"github.com/crate-crypto/go-ipa/bandersnatch/fr"
	"github.com/crate-crypto/go-ipa/banderwagon"
	"github.com/crate-crypto/go-ipa/ipa"
	"phalanx.lab/abi"
)

const basis = 256

// tables are made for the first job and serve all.
var tables *ipa.IPAConfig

func main() {
	abi.Serve("github.com/crate-crypto/go-ipa", prepare)
}

func prepare(request abi.Request, input []byte) (abi.Job, error) {
	if request.Op != "msm-fixed" && request.Op != "tree-key" && request.Op != "table-build" {
		return nil, abi.NotOffered(request)
	}
	if request.Threads > 1 {
		return nil, fmt.Errorf("commits on one thread")
	}
	if request.Op == "table-build" {
		return &builds{ipa.GenerateRandomPoints(basis), make([]*banderwagon.MSMPrecomp, request.Rows), vectors(input)}, nil
	}
	if tables == nil {
		made, err := ipa.NewIPASettings()
		if err != nil {
			return nil, err
		}
		tables = made
	}
	if request.Op == "tree-key" {
		return keys(request, input), nil
	}
	return &commitments{vectors(input), make([]banderwagon.Element, request.Rows)}, nil
}

// vectors reads the scalars of each row, without the zeros behind the last other one.
func vectors(input []byte) [][]fr.Element {
	var vectors [][]fr.Element
	for row := range slices.Chunk(input, basis*32) {
		scalars := make([]fr.Element, basis)
		end := 0
		for i := range scalars {
			scalars[i].SetBytes(row[i*32 : (i+1)*32])
			if !scalars[i].IsZero() {
				end = i + 1
			}
		}
		vectors = append(vectors, scalars[:end])
	}
	return vectors
}

// commitments, vector by vector.
type commitments struct {
	vectors [][]fr.Element
	results []banderwagon.Element
}

func (job *commitments) Run(first, count int) {
	for i := first; i < first+count; i++ {
		job.results[i] = tables.Commit(job.vectors[i])
	}
}

func (job *commitments) Output() []byte {
	out := make([]byte, 0, 32*len(job.results))
	for i := range job.results {
		bytes := job.results[i].Bytes()
		out = append(out, bytes[:]...)
	}
	return out
}

// builds of its tables over the basis, which its settings hold, for each vector anew.
type builds struct {
	points  []banderwagon.Element
	tables  []*banderwagon.MSMPrecomp
	vectors [][]fr.Element
}

func (job *builds) Run(first, count int) {
	for i := first; i < first+count; i++ {
		// The last ones go first, so that there are never two.
		job.tables[i] = nil
		made, err := banderwagon.NewPrecompMSM(job.points)
		if err != nil {
			panic(err)
		}
		job.tables[i] = &made
	}
}

func (job *builds) Output() []byte {
	out := make([]byte, 0, 32*len(job.tables))
	for i, tables := range job.tables {
		sum := tables.MSM(job.vectors[i])
		bytes := sum.Bytes()
		out = append(out, bytes[:]...)
	}
	return out
}

// keys of the first value of each place.
func keys(request abi.Request, input []byte) abi.Job {
	var marker fr.Element
	marker.SetUint64(2 + 256*64)
	first := tables.Commit([]fr.Element{marker})
	return abi.Each(32, func(row, out []byte) {
		var scalars [5]fr.Element
		for half := range 4 {
			var number [32]byte
			for i := range 16 {
				number[31-i] = row[half*16+i]
			}
			scalars[half+1].SetBytes(number[:])
		}
		sum := tables.Commit(scalars[:])
		sum.Add(&sum, &first)
		var hash fr.Element
		sum.MapToScalarField(&hash)
		bytes := hash.BytesLE()
		copy(out, bytes[:])
		out[31] = 0
	})(request, input)
}
