package main

import (
	"context"
	"slices"

	"phalanx.example/phalanx/banderwagon"
	"phalanx.lab/abi"
)

const basis = 256

// tables are made for the first job and serve all.
var tables *banderwagon.Tables

// commit makes the job of commitments over the Verkle basis, or of keys of a tree.
func commit(request abi.Request, input []byte) abi.Job {
	if tables == nil {
		tables = must(banderwagon.NewVerkleTables(context.Background()))
	}
	tables.Goroutines = request.Threads
	if request.Op == "tree-key" {
		return &treeKeys{request.Single, places(input), make([][32]byte, request.Rows)}
	}
	return &commitments{request.Single, vectors(input), make([]banderwagon.Element, request.Rows)}
}

// vectors reads the scalars of each row that are not zero.
func vectors(input []byte) [][]banderwagon.Term {
	var vectors [][]banderwagon.Term
	for row := range slices.Chunk(input, basis*32) {
		var terms []banderwagon.Term
		for i := range basis {
			bytes := [32]byte(row[i*32:])
			slices.Reverse(bytes[:])
			if scalar := must(banderwagon.ParseScalar(bytes)); scalar != (banderwagon.Scalar{}) {
				terms = append(terms, banderwagon.Term{Position: i, Scalar: scalar})
			}
		}
		vectors = append(vectors, terms)
	}
	return vectors
}

type commitments struct {
	single  bool
	vectors [][]banderwagon.Term
	results []banderwagon.Element
}

func (job *commitments) Run(first, count int) {
	end := first + count
	if !job.single {
		if err := tables.CommitMany(context.Background(), job.vectors[first:end], job.results[first:end]); err != nil {
			panic(err)
		}
		return
	}
	for i := first; i < end; i++ {
		job.results[i] = must(tables.CommitSparse(job.vectors[i]))
	}
}

func (job *commitments) Output() []byte {
	encoded := make([][32]byte, len(job.results))
	banderwagon.Encode(job.results, encoded)
	return flat(encoded)
}

// places reads the addresses and indices of a tree: of the first value there.
func places(input []byte) []banderwagon.Place {
	var places []banderwagon.Place
	for row := range slices.Chunk(input, 64) {
		places = append(places, banderwagon.Place{Address: [32]byte(row), TreeIndex: [32]byte(row[32:])})
	}
	return places
}

type treeKeys struct {
	single bool
	places []banderwagon.Place
	keys   [][32]byte
}

func (job *treeKeys) Run(first, count int) {
	end := first + count
	if !job.single {
		if err := tables.TreeKeys(context.Background(), job.places[first:end], job.keys[first:end]); err != nil {
			panic(err)
		}
		return
	}
	for i := first; i < end; i++ {
		job.keys[i] = must(tables.TreeKey(job.places[i]))
	}
}

func (job *treeKeys) Output() []byte {
	return flat(job.keys)
}

func flat(values [][32]byte) []byte {
	var out []byte
	for _, value := range values {
		out = append(out, value[:]...)
	}
	return out
}
