//go:build amd64 && !purego

#include "textflag.h"

// As the trampolines of the package image, with the frame painted before and copied afterwards.

// func single(call *image.Call, stack *[Size]byte) uint32
TEXT ·single(SB), 0, $131072-20
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
	CALL phalanx·example∕phalanx∕internal∕image·image(SB)
	MOVQ BX, SP
	MOVL AX, ret+16(FP)
	MOVQ SP, SI
	MOVQ stack+8(FP), DI
	MOVQ $131072, CX
	CLD
	REP; MOVSB
	RET

// func rows(call *image.Call, stack *[Size]byte) uint32
TEXT ·rows(SB), 0, $131072-20
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
	CALL phalanx·example∕phalanx∕internal∕image·image+16(SB)
	MOVQ BX, SP
	MOVL AX, ret+16(FP)
	MOVQ SP, SI
	MOVQ stack+8(FP), DI
	MOVQ $131072, CX
	CLD
	REP; MOVSB
	RET
