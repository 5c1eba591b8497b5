#include "textflag.h"
#include "frames.h"

// The image is called by the convention of System V: the argument in DI, the answer in AX. It keeps BX, BP and R12 to
// R15, and everything else is the caller's to lose, as in Go's assembly. Each frame is as large as what runs in it may
// need, and is declared as such, so that the stack has grown before. The image's own stack begins at the frame's top.

// func callSmall(call *Call) uint32
TEXT ·callSmall(SB), 0, $FRAME_SMALL-12
	MOVQ call+0(FP), DI
	MOVQ SP, BX
	LEAQ FRAME_SMALL(SP), AX
	ANDQ $~63, AX
	MOVQ AX, SP
	CALL ·image(SB)
	MOVQ BX, SP
	MOVL AX, ret+8(FP)
	RET

// func callLarge(call *Call) uint32
TEXT ·callLarge(SB), 0, $FRAME_LARGE-12
	MOVQ call+0(FP), DI
	MOVQ SP, BX
	LEAQ FRAME_LARGE(SP), AX
	ANDQ $~63, AX
	MOVQ AX, SP
	CALL ·image(SB)
	MOVQ BX, SP
	MOVL AX, ret+8(FP)
	RET
