// Package banderwagon commits in the group of Ethereum's Verkle trees (EIP-6800).
//
// A [Tables] has multiples of the elements of a [Basis], computed once, and commits by them: to vectors of scalars, dense or
// sparse, one or many; it updates commitments by differences, and computes the keys of a tree.
//
//	tables, err := banderwagon.NewVerkleTables(ctx)
//	commitment, err := tables.Commit([]banderwagon.Scalar{banderwagon.NewScalar(1), banderwagon.NewScalar(2)})
//	commitment, err = tables.Update(commitment, []banderwagon.Change{{Position: 1, Old: two, New: three}})
//
// On amd64 and arm64 the Rust library Phalanx computes, which the package carries as code; see the package phalanx above. It
// is apart from that one's, so that a program has only what it uses. The variable PHALANX_BACKEND names what vector code is
// used, as there. On other architectures, and with the build tag purego, plain Go computes: it is some hundred times slower
// and keeps small tables only.
//
// # Time
//
// Commitments take a time that depends on the scalars: they are for public ones, as the data of a tree is.
// [Element.Mul] alone takes the same time for all scalars, where the image computes. What it leaves of them on the stack is
// not overwritten.
package banderwagon
