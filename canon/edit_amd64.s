//go:build !purego

#include "textflag.h"
#include "index_amd64.h"

// func packAVX2(to, in *byte, size int) (read, packed int)
//
// It copies bytes without zeros, as long as there is a block of them, and stores
// up to a block more.
TEXT ·packAVX2(SB), NOSPLIT, $0-40
	MOVQ to+0(FP), DX
	MOVQ in+8(FP), SI
	MOVQ size+16(FP), R12
	LEAQ ·packs(SB), R8
	MOVQ DX, R9
	MOVQ SI, CX
	LEAQ -64(SI)(R12*1), R12 // the last place of a block
	VPXOR Y7, Y7, Y7

block:
	VMOVDQU (SI), Y8
	VMOVDQU 32(SI), Y9
	VPCMPEQB Y7, Y8, Y10
	VPCMPEQB Y7, Y9, Y11
	MASK(R10)
	TESTQ R10, R10
	JNE holes
	VMOVDQU Y8, (DX)
	VMOVDQU Y9, 32(DX)
	ADDQ $64, DX
	ADDQ $64, SI

next:
	CMPQ SI, R12
	JLE block
	VZEROUPPER
	SUBQ R9, DX
	SUBQ CX, SI
	MOVQ SI, read+24(FP)
	MOVQ DX, packed+32(FP)
	RET

holes:
	LEAQ (R10)(R10*1), R11
	ANDNQ R10, R11, R11 // where they begin
	BLSRQ R11, R11
	JNE pack

	// It is one: the next block begins behind it.
	VMOVDQU Y8, (DX)
	VMOVDQU Y9, 32(DX)
	TZCNTQ R10, AX
	ADDQ AX, DX
	BLSIQ R10, R11
	ADDQ R10, R11
	TZCNTQ R11, R11
	ADDQ R11, SI
	JMP next

pack:
	NOTQ R10
	PACK(0)
	PACK(8)
	PACK(16)
	PACK(24)
	PACK(32)
	PACK(40)
	PACK(48)
	PACK(56)
	ADDQ $64, SI
	JMP next

// func packAVX512(to, in *byte, size int) (read, packed int)
//
// It is packAVX2.
TEXT ·packAVX512(SB), NOSPLIT, $0-40
	MOVQ to+0(FP), DX
	MOVQ in+8(FP), SI
	MOVQ size+16(FP), R12
	MOVQ DX, R9
	MOVQ SI, CX
	LEAQ -64(SI)(R12*1), R12

block:
	VMOVDQU64 (SI), Z8
	VPTESTMB Z8, Z8, K1
	VPCOMPRESSB.Z Z8, K1, Z9
	VMOVDQU64 Z9, (DX)
	KMOVQ K1, AX
	POPCNTQ AX, AX
	ADDQ AX, DX
	ADDQ $64, SI
	CMPQ SI, R12
	JLE block
	VZEROUPPER
	SUBQ R9, DX
	SUBQ CX, SI
	MOVQ SI, read+24(FP)
	MOVQ DX, packed+32(FP)
	RET
