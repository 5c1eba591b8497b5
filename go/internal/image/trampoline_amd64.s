//go:build amd64 && !purego

#include "textflag.h"
#include "frames.h"

// The image is called by the convention of System V: the argument is in DI, the answer in AX. It keeps BX, BP and R12 to
// R15; everything else is the caller's to lose, as in Go's assembly. Each frame is declared as large as what runs in it
// may need, so that Go's stack has grown before. The image's own stack begins at the frame's top.

// func single(call *Call) uint32
TEXT ·single(SB), 0, $FRAME_SINGLE-12
	MOVQ call+0(FP), DI
	MOVQ SP, BX
	LEAQ FRAME_SINGLE(SP), AX
	ANDQ $~63, AX
	MOVQ AX, SP
	CALL ·image(SB)
	MOVQ BX, SP
	MOVL AX, ret+8(FP)
	RET

// func rows(call *Call) uint32
TEXT ·rows(SB), 0, $FRAME_ROWS-12
	MOVQ call+0(FP), DI
	MOVQ SP, BX
	LEAQ FRAME_ROWS(SP), AX
	ANDQ $~63, AX
	MOVQ AX, SP
	CALL ·image+16(SB)
	MOVQ BX, SP
	MOVL AX, ret+8(FP)
	RET
