//go:build arm64 && !purego

#include "textflag.h"

// The image is called by the procedure call standard of arm64: the argument is in R0, the answer too. It keeps R19 to
// R29, and leaves R18 and R28 alone, of which the one may be the system's and the other is Go's. Each frame is declared
// as large as what runs in it may need, so that Go's stack has grown before. The image's own stack begins at the
// frame's top.

// func element(call *ffi.Call) uint32
TEXT ·element(SB), 0, $49152-12
	MOVD call+0(FP), R0
	MOVD RSP, R19
	MOVD $49152, R1
	ADD R19, R1, R1
	AND $~63, R1, R1
	MOVD R1, RSP
	CALL ·image(SB)
	MOVD R19, RSP
	CALL phalanx_forget(SB)
	MOVW R0, ret+8(FP)
	RET

// func commitments(call *ffi.Call) uint32
TEXT ·commitments(SB), 0, $131072-12
	MOVD call+0(FP), R0
	MOVD RSP, R19
	MOVD $131072, R1
	ADD R19, R1, R1
	AND $~63, R1, R1
	MOVD R1, RSP
	CALL ·image+16(SB)
	MOVD R19, RSP
	CALL phalanx_forget(SB)
	MOVW R0, ret+8(FP)
	RET
