//go:build amd64 && !purego

#include "textflag.h"

// As the trampolines of the package commitments, with the frame painted before and copied afterwards.

// func element(call *ffi.Call, stack *[Size]byte) uint32
TEXT ·element(SB), 0, $131072-20
	MOVQ SP, DI
	MOVQ $131072, CX
	MOVQ $0xa5, AX
	CLD
	REP; STOSB
	MOVQ call+0(FP), DI
	MOVQ SP, BX
	LEAQ 131072(SP), AX
	ANDQ $~63, AX
	MOVQ AX, SP
	CALL phalanx·example∕phalanx∕internal∕commitments·image(SB)
	MOVQ BX, SP
	MOVL AX, ret+16(FP)
	MOVQ SP, SI
	MOVQ stack+8(FP), DI
	MOVQ $131072, CX
	CLD
	REP; MOVSB
	RET

// func commitments(call *ffi.Call, stack *[Size]byte) uint32
TEXT ·commitments(SB), 0, $131072-20
	MOVQ SP, DI
	MOVQ $131072, CX
	MOVQ $0xa5, AX
	CLD
	REP; STOSB
	MOVQ call+0(FP), DI
	MOVQ SP, BX
	LEAQ 131072(SP), AX
	ANDQ $~63, AX
	MOVQ AX, SP
	CALL phalanx·example∕phalanx∕internal∕commitments·image+16(SB)
	MOVQ BX, SP
	MOVL AX, ret+16(FP)
	MOVQ SP, SI
	MOVQ stack+8(FP), DI
	MOVQ $131072, CX
	CLD
	REP; MOVSB
	RET
