package banderwagon_test

import (
	"context"
	"fmt"

	"phalanx.example/phalanx/banderwagon"
)

// Commitments by tables over a basis of one's own; over Ethereum's it is NewVerkleTables.
func ExampleTables() {
	basis := banderwagon.DrawBasis([]byte("a seed of this program"), 3)
	tables, err := banderwagon.NewTables(context.Background(), basis, 6)
	if err != nil {
		panic(err)
	}
	one, two, five := banderwagon.NewScalar(1), banderwagon.NewScalar(2), banderwagon.NewScalar(5)
	commitment, err := tables.Commit([]banderwagon.Scalar{one, two})
	if err != nil {
		panic(err)
	}
	elements := basis.Elements()
	fmt.Println(commitment.Equal(elements[0].Add(elements[1].Double())))

	// The scalar at position 1 becomes five.
	commitment, err = tables.Update(commitment, []banderwagon.Change{{Position: 1, Old: two, New: five}})
	if err != nil {
		panic(err)
	}
	fmt.Println(commitment.Equal(elements[0].Add(elements[1].MulPublic(five))))
	// Output:
	// true
	// true
}

// What is committed to is bytes, which anybody can read and check.
func ExampleParseElement() {
	encoded := banderwagon.Generator().Bytes()
	element, err := banderwagon.ParseElement(encoded[:])
	fmt.Println(element, err)
	_, err = banderwagon.ParseElement(make([]byte, 33))
	fmt.Println(err)
	// Output:
	// 4a2c7486fd924882bf02c6908de395122843e3e05264d7991e18e7985dad51e9 <nil>
	// banderwagon: an element is encoded in 32 bytes, or in 64 uncompressed
}
