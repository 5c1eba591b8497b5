//go:build !purego

package painted

// Area is room for what Registers writes, with tiles, on every CPU that there is.
const Area = 16384

// Registers writes down what the registers hold of which a call overwrites none: the general ones that are the caller's to
// lose, and all of vectors and masks, by an instruction that [cpu.X86.HasOSXSAVE] says is there.
//
//go:noescape
func Registers(area *[Area]byte)

// Keep leaves a value in registers of both kinds.
//
//go:noescape
func Keep(value *[32]byte)
