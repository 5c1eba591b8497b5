//go:build amd64 && !purego

#include "textflag.h"

// The image is called by the convention of System V: the argument is in DI, the answer in AX. It keeps BX, BP and R12 to
// R15; everything else is the caller's to lose, as in Go's assembly. Each frame is declared as large as what runs in it
// may need, so that Go's stack has grown before. The image's own stack begins at the frame's top.

// func element(call *ffi.Call) uint32
TEXT ·element(SB), 0, $49152-12
	MOVQ call+0(FP), DI
	MOVQ SP, BX
	LEAQ 49152(SP), AX
	ANDQ $~63, AX
	MOVQ AX, SP
	CALL ·image(SB)
	MOVQ BX, SP
	MOVQ call+0(FP), DI
	CALL phalanx_forget(SB)
	MOVL AX, ret+8(FP)
	RET

// func commitments(call *ffi.Call) uint32
TEXT ·commitments(SB), 0, $131072-12
	MOVQ call+0(FP), DI
	MOVQ SP, BX
	LEAQ 131072(SP), AX
	ANDQ $~63, AX
	MOVQ AX, SP
	CALL ·image+16(SB)
	MOVQ BX, SP
	MOVQ call+0(FP), DI
	CALL phalanx_forget(SB)
	MOVL AX, ret+8(FP)
	RET
