//go:build !purego

#include "textflag.h"

// phalanx_forget overwrites what an image left in the registers that are its caller's to lose, all but the answer in AX. The
// call is in DI, whose machine says which registers there are and may have been used. Registers hold secrets after an
// operation on them, and Go writes registers to memory where it preempts a goroutine.
//
// The name has no package, so that the images' packages call it whatever the module's path is.
TEXT phalanx_forget(SB), NOSPLIT|NOFRAME, $0-0
	MOVL 4(DI), DI
	CMPL DI, $2
	JEQ  ifma
	CMPL DI, $1
	JEQ  fma
	XORPS X0, X0
	XORPS X1, X1
	XORPS X2, X2
	XORPS X3, X3
	XORPS X4, X4
	XORPS X5, X5
	XORPS X6, X6
	XORPS X7, X7
	XORPS X8, X8
	XORPS X9, X9
	XORPS X10, X10
	XORPS X11, X11
	XORPS X12, X12
	XORPS X13, X13
	XORPS X14, X14
	XORPS X15, X15
	JMP  general
ifma:
	VPXORQ Z16, Z16, Z16
	VPXORQ Z17, Z17, Z17
	VPXORQ Z18, Z18, Z18
	VPXORQ Z19, Z19, Z19
	VPXORQ Z20, Z20, Z20
	VPXORQ Z21, Z21, Z21
	VPXORQ Z22, Z22, Z22
	VPXORQ Z23, Z23, Z23
	VPXORQ Z24, Z24, Z24
	VPXORQ Z25, Z25, Z25
	VPXORQ Z26, Z26, Z26
	VPXORQ Z27, Z27, Z27
	VPXORQ Z28, Z28, Z28
	VPXORQ Z29, Z29, Z29
	VPXORQ Z30, Z30, Z30
	VPXORQ Z31, Z31, Z31
	KXORQ K0, K0, K0
	KXORQ K1, K1, K1
	KXORQ K2, K2, K2
	KXORQ K3, K3, K3
	KXORQ K4, K4, K4
	KXORQ K5, K5, K5
	KXORQ K6, K6, K6
	KXORQ K7, K7, K7
fma:
	VZEROALL
general:
	XORL CX, CX
	XORL DX, DX
	XORL SI, SI
	XORL DI, DI
	XORL R8, R8
	XORL R9, R9
	XORL R10, R10
	XORL R11, R11
	RET
