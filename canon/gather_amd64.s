//go:build !purego

#include "textflag.h"

// func moveAVX2(body, scratch *byte, members *member, ranks *byte, count, first, size int)
//
// It copies members, each with a comma behind it, to scratch, and back without
// the last comma; there 32 bytes more are stored that do not change.
TEXT ·moveAVX2(SB), NOSPLIT, $0-56
	MOVQ body+0(FP), SI
	MOVQ scratch+8(FP), DI
	MOVQ members+16(FP), R8
	MOVQ ranks+24(FP), R9
	MOVQ count+32(FP), CX
	MOVQ first+40(FP), R13
	MOVQ size+48(FP), R12
	MOVQ DI, DX
	ADDQ SI, R13       // where they begin

next:
	MOVBLZX (R9), AX
	INCQ R9
	SHLQ $4, AX
	MOVL 8(R8)(AX*1), R10
	MOVL 24(R8)(AX*1), R11
	SUBL R10, R11      // the size with the comma
	ADDQ SI, R10
	VMOVDQU (R10), Y0
	VMOVDQU 32(R10), Y1
	VMOVDQU Y0, (DI)
	VMOVDQU Y1, 32(DI)
	CMPQ R11, $64
	JHI long

moved:
	ADDQ R11, DI
	MOVB $0x2C, -1(DI)
	DECQ CX
	JNE next

	// What follows the members.
	VMOVDQU (R13)(R12*1), Y0
	VMOVDQU Y0, (DX)(R12*1)

back:
	VMOVDQU (DX), Y0
	VMOVDQU Y0, (R13)
	ADDQ $32, DX
	ADDQ $32, R13
	SUBQ $32, R12
	JG back
	VZEROUPPER
	RET

long:
	MOVL $64, AX

chunk:
	VMOVDQU (R10)(AX*1), Y0
	VMOVDQU 32(R10)(AX*1), Y1
	VMOVDQU Y0, (DI)(AX*1)
	VMOVDQU Y1, 32(DI)(AX*1)
	ADDQ $64, AX
	CMPQ AX, R11
	JLT chunk
	JMP moved
