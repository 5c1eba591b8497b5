//go:build amd64 && !purego

#include "textflag.h"

// func Registers(area *[Area]byte)
TEXT ·Registers(SB), NOSPLIT, $0-8
	MOVQ area+0(FP), AX
	ADDQ $63, AX
	ANDQ $~63, AX
	MOVQ CX, 0(AX)
	MOVQ DX, 8(AX)
	MOVQ SI, 16(AX)
	MOVQ DI, 24(AX)
	MOVQ R8, 32(AX)
	MOVQ R9, 40(AX)
	MOVQ R10, 48(AX)
	MOVQ R11, 56(AX)
	LEAQ 64(AX), CX
	MOVL $-1, AX
	MOVL $-1, DX
	XSAVE64 (CX)
	RET

// func Keep(value *[32]byte)
TEXT ·Keep(SB), NOSPLIT, $0-8
	MOVQ value+0(FP), AX
	MOVOU 0(AX), X5
	MOVQ 16(AX), R10
	MOVQ 24(AX), R11
	RET
