package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"

	"github.com/crate-crypto/go-ipa/bandersnatch/fr"
	theirs "github.com/crate-crypto/go-ipa/banderwagon"
	"github.com/crate-crypto/go-ipa/ipa"
	ours "phalanx.example/phalanx/banderwagon"
)

// vectors of a call on many.
const vectors = 256

// commitments are the contests with go-ipa over the Verkle basis: vectors of random scalars at the first positions, one
// at a time and many at once, and the keys of a tree. Both sides' results are compared first.
func commitments() []contest {
	tables := must(ours.NewVerkleTables(context.Background()))
	tables.Goroutines = 1
	peer := must(ipa.NewIPASettings())
	r := rand.NewChaCha8([32]byte{7})
	var contests []contest
	for _, n := range []int{1, 2, 4, 16, 64, 256} {
		mine, other := make([][]ours.Scalar, vectors), make([][]fr.Element, vectors)
		sparse := make([][]ours.Term, vectors)
		for i := range mine {
			for j := range n {
				var bytes [32]byte
				must(r.Read(bytes[:]))
				scalar := ours.ReduceScalar(bytes)
				mine[i] = append(mine[i], scalar)
				sparse[i] = append(sparse[i], ours.Term{Position: j, Scalar: scalar})
				other[i] = append(other[i], theirScalar(scalar))
			}
		}
		out := make([]ours.Element, vectors)
		check(tables.CommitMany(context.Background(), sparse, out) == nil)
		for i := range out {
			commitment := peer.Commit(other[i])
			check(out[i].Bytes() == commitment.Bytes() && must(tables.Commit(mine[i])).Equal(out[i]))
		}
		i := 0
		next := func() int {
			i = (i + 1) % vectors
			return i
		}
		them := contender{name: "go-ipa", rows: 1, call: func() { peer.Commit(other[next()]) }}
		one := contender{name: "phalanx", rows: 1, call: func() { must(tables.Commit(mine[next()])) }}
		many := contender{name: "phalanx", rows: vectors, call: func() {
			check(tables.CommitMany(context.Background(), sparse, out) == nil)
		}}
		contests = append(contests,
			contest{fmt.Sprintf("commit to %d", n), []contender{one, them}},
			contest{fmt.Sprintf("bulk commit to %d", n), []contender{many, them}})
	}
	return append(contests, treeKeys(tables, peer)...)
}

func theirScalar(scalar ours.Scalar) (element fr.Element) {
	bytes := scalar.Bytes()
	for i := range 16 {
		bytes[i], bytes[31-i] = bytes[31-i], bytes[i]
	}
	element.SetBytes(bytes[:])
	return element
}

// treeKeys are the keys of headers. go-ipa has no call for them; what its users write for that is here: the first term is
// computed once, the others are committed to.
func treeKeys(tables *ours.Tables, peer *ipa.IPAConfig) []contest {
	var marker fr.Element
	marker.SetUint64(2 + 256*64)
	first := peer.Commit([]fr.Element{marker})
	places, keys := make([]ours.Place, vectors), make([][32]byte, vectors)
	for i := range places {
		binary.BigEndian.PutUint64(places[i].Address[24:], uint64(i)*0x9e37_79b9_7f4a_7c15)
		binary.BigEndian.PutUint64(places[i].Address[16:], uint64(i)*0x2545_f491_4f6c_dd1d)
	}
	theirKey := func(place ours.Place) (key [32]byte) {
		var scalars [5]fr.Element
		for half := range 4 {
			bytes := append(append([]byte{}, place.Address[:]...), place.TreeIndex[:]...)[16*half : 16*half+16]
			var number [32]byte
			for i := range 16 {
				number[31-i] = bytes[i]
			}
			scalars[half+1].SetBytes(number[:])
		}
		sum := peer.Commit(scalars[:])
		sum.Add(&sum, &first)
		var hash fr.Element
		(*theirs.Element).MapToScalarField(&sum, &hash)
		key = hash.BytesLE()
		key[31] = place.SubIndex
		return key
	}
	check(tables.TreeKeys(context.Background(), places, keys) == nil)
	for i, place := range places {
		check(keys[i] == theirKey(place) && must(tables.TreeKey(place)) == keys[i])
	}
	i := 0
	next := func() ours.Place {
		i = (i + 1) % vectors
		return places[i]
	}
	them := contender{name: "go-ipa", rows: 1, call: func() { theirKey(next()) }}
	return []contest{
		{"tree key", []contender{{name: "phalanx", rows: 1, call: func() { must(tables.TreeKey(next())) }}, them}},
		{"bulk tree key", []contender{{name: "phalanx", rows: vectors, call: func() {
			check(tables.TreeKeys(context.Background(), places, keys) == nil)
		}}, them}},
	}
}
