//go:build !purego

#include "textflag.h"

// White space and structural characters by their low four bits, once for each
// lane; where no byte can be equal stands a byte of other low bits.
DATA blanks<>+0(SB)/8, $0x0271641164646420
DATA blanks<>+8(SB)/8, $0x64640d64700a0964
DATA blanks<>+16(SB)/8, $0x0271641164646420
DATA blanks<>+24(SB)/8, $0x64640d64700a0964
GLOBL blanks<>(SB), RODATA|NOPTR, $32

DATA marks<>+0(SB)/8, $0x0000000000000000
DATA marks<>+8(SB)/8, $0x00007d2c7b3a0000
DATA marks<>+16(SB)/8, $0x0000000000000000
DATA marks<>+24(SB)/8, $0x00007d2c7b3a0000
GLOBL marks<>(SB), RODATA|NOPTR, $32

// The letters of escapes that a canonical form has too, by the halves of the
// byte: it is one if what the halves stand for has a bit in common.
DATA keptLow<>+0(SB)/8, $0x00040008000d0000
DATA keptLow<>+8(SB)/8, $0x0004000200000000
DATA keptLow<>+16(SB)/8, $0x00040008000d0000
DATA keptLow<>+24(SB)/8, $0x0004000200000000
GLOBL keptLow<>(SB), RODATA|NOPTR, $32

DATA keptHigh<>+0(SB)/8, $0x0804020000010000
DATA keptHigh<>+8(SB)/8, $0x0000000000000000
DATA keptHigh<>+16(SB)/8, $0x0804020000010000
DATA keptHigh<>+24(SB)/8, $0x0000000000000000
GLOBL keptHigh<>(SB), RODATA|NOPTR, $32

DATA nibbles<>+0(SB)/8, $0x0f0f0f0f0f0f0f0f
DATA nibbles<>+8(SB)/8, $0x0f0f0f0f0f0f0f0f
DATA nibbles<>+16(SB)/8, $0x0f0f0f0f0f0f0f0f
DATA nibbles<>+24(SB)/8, $0x0f0f0f0f0f0f0f0f
GLOBL nibbles<>(SB), RODATA|NOPTR, $32

// The positions in a block.
DATA places<>+0(SB)/8, $0x0706050403020100
DATA places<>+8(SB)/8, $0x0f0e0d0c0b0a0908
DATA places<>+16(SB)/8, $0x1716151413121110
DATA places<>+24(SB)/8, $0x1f1e1d1c1b1a1918
DATA places<>+32(SB)/8, $0x2726252423222120
DATA places<>+40(SB)/8, $0x2f2e2d2c2b2a2928
DATA places<>+48(SB)/8, $0x3736353433323130
DATA places<>+56(SB)/8, $0x3f3e3d3c3b3a3938
GLOBL places<>(SB), RODATA|NOPTR, $64

// BROADCAST sets every byte of Y to value; X is its lower half.
#define BROADCAST(value, X, Y) \
	MOVQ $value, AX \
	VMOVQ AX, X \
	VPBROADCASTB X, Y

// MASK gathers the compare results Y10 and Y11 of a block into one word.
#define MASK(R) \
	VPMOVMSKB Y10, AX \
	VPMOVMSKB Y11, R \
	SHLQ $32, R \
	ORQ AX, R

// ENTRY stores the position of the lowest bit of R8 and clears the bit.
#define ENTRY(offset, P) \
	TZCNTQ R8, AX \
	BLSRQ R8, R8 \
	ADDL BX, AX \
	MOVL AX, offset(P)

#define EIGHT(offset, P) \
	ENTRY(offset, P) \
	ENTRY(offset+4, P) \
	ENTRY(offset+8, P) \
	ENTRY(offset+12, P) \
	ENTRY(offset+16, P) \
	ENTRY(offset+20, P) \
	ENTRY(offset+24, P) \
	ENTRY(offset+28, P)

// ESCAPES sets R10 to the bytes that are escaped by the backslashes in R9, or
// by the last byte of the block before. A run of backslashes escapes every second
// byte from its beginning: the difference carries through runs, and the odd bits
// tell the parity.
#define ESCAPES \
	ANDNQ R9, R12, R8 \
	LEAQ (R8)(R8*1), R11 \
	MOVQ $0xAAAAAAAAAAAAAAAA, AX \
	ORQ AX, R11 \
	SUBQ R8, R11 \
	XORQ AX, R11 \
	MOVQ R9, R10 \
	ORQ R12, R10 \
	XORQ R11, R10 \
	ANDQ R11, R9 \
	MOVQ R9, R12 \
	SHRQ $63, R12

// RARE sets the bytes of TO for which those of FROM are no letter of an escape
// that the canonical form has too.
#define RARE(FROM, TO) \
	VPSHUFB FROM, Y13, TO \
	VPSRLW $4, FROM, Y12 \
	VPAND Y15, Y12, Y12 \
	VPSHUFB Y12, Y14, Y12 \
	VPAND Y12, TO, TO \
	VPXOR Y12, Y12, Y12 \
	VPCMPEQB Y12, TO, TO

// func indexAVX2(src, in *byte, size int, entries *uint32, at uint32, s *scan) int
//
// The copy of a last piece of less than a block is filled up with spaces.
TEXT ·indexAVX2(SB), NOSPLIT, $16-56
	MOVQ src+0(FP), SI
	MOVQ in+8(FP), DX
	MOVQ size+16(FP), CX
	MOVQ entries+24(FP), DI
	MOVL at+32(FP), BX
	MOVQ s+40(FP), R15

	BROADCAST(0x22, X0, Y0) // quotation mark
	BROADCAST(0x5C, X1, Y1) // backslash
	BROADCAST(0x1F, X2, Y2) // the last control character
	BROADCAST(0x20, X3, Y3) // makes a bracket a brace
	VMOVDQU blanks<>(SB), Y4
	VMOVDQU marks<>(SB), Y5
	VPCMPEQB Y6, Y6, Y6     // ones: their carry-less product is a running xor
	VPXOR Y7, Y7, Y7        // the greatest bytes

	MOVQ 0(R15), R12  // 1 if the first byte of the block is escaped
	MOVQ 8(R15), R13  // all ones inside a string
	MOVQ 16(R15), R14 // 1 if the byte before the block belongs to a scalar
	MOVQ $0, control-8(SP)
	MOVQ $0, backslash-16(SP)

block:
	CMPQ CX, $64
	JLT piece
	VMOVDQU (SI), Y8
	VMOVDQU 32(SI), Y9

loaded:
	VMOVDQU Y8, (DX)
	VMOVDQU Y9, 32(DX)
	VPMAXUB Y8, Y7, Y7
	VPMAXUB Y9, Y7, Y7

	// R10: escaped bytes. R9: those that the canonical form may not have.
	VPCMPEQB Y1, Y8, Y10
	VPCMPEQB Y1, Y9, Y11
	MASK(R9)
	MOVQ R12, R10
	ORQ R9, R10
	JNE escapes

quotes:
	// R8: quotation marks that are not escaped. R11: inside strings, the
	// opening mark among it. R9: rare escapes there.
	VPCMPEQB Y0, Y8, Y10
	VPCMPEQB Y0, Y9, Y11
	MASK(R8)
	ANDNQ R8, R10, R8
	VMOVQ R8, X12
	VPCLMULQDQ $0, X6, X12, X12
	VMOVQ X12, R11
	XORQ R13, R11
	MOVQ R11, R13
	SARQ $63, R13
	ANDQ R11, R9
	ORQ R8, R9

	// Control characters in strings.
	VPMINUB Y2, Y8, Y10
	VPMINUB Y2, Y9, Y11
	VPCMPEQB Y8, Y10, Y10
	VPCMPEQB Y9, Y11, Y11
	MASK(R10)
	ANDQ R11, R10
	ORQ R10, control-8(SP)

	// R10: structural characters. R15: these and white space.
	VPSHUFB Y8, Y5, Y10
	VPSHUFB Y9, Y5, Y11
	VPOR Y3, Y8, Y13
	VPOR Y3, Y9, Y14
	VPCMPEQB Y13, Y10, Y10
	VPCMPEQB Y14, Y11, Y11
	MASK(R10)
	VPSHUFB Y8, Y4, Y13
	VPSHUFB Y9, Y4, Y14
	VPCMPEQB Y8, Y13, Y13
	VPCMPEQB Y9, Y14, Y14
	VPOR Y13, Y10, Y10
	VPOR Y14, Y11, Y11
	MASK(R15)

	// R8: where a scalar goes on behind a byte that is no quotation mark.
	ORQ R15, R8
	NOTQ R8
	MOVQ R8, AX
	LEAQ (R14)(R8*2), R8
	SHRQ $63, AX
	MOVQ AX, R14
	// R8: structural characters and beginnings of scalars outside strings,
	// then quotation marks and rare escapes.
	ORQ R15, R8
	NOTQ R8
	ORQ R10, R8
	ANDNQ R8, R11, R8
	ORQ R9, R8

	POPCNTQ R8, R9
	EIGHT(0, DI)
	CMPQ R9, $8
	JLE stored
	EIGHT(32, DI)
	CMPQ R9, $16
	JLE stored
	LEAQ 64(DI), R10

more:
	EIGHT(0, R10)
	ADDQ $32, R10
	TESTQ R8, R8
	JNE more

stored:
	LEAQ (DI)(R9*4), DI
	ADDQ $64, SI
	ADDQ $64, DX
	ADDL $64, BX
	SUBQ $64, CX
	JG block

	MOVQ s+40(FP), R15
	MOVQ R12, 0(R15)
	MOVQ R13, 8(R15)
	MOVQ R14, 16(R15)
	MOVQ control-8(SP), AX
	ORQ AX, 24(R15)
	VPMOVMSKB Y7, AX // bytes from 0x80 on
	ORQ AX, 32(R15)
	MOVQ backslash-16(SP), AX
	ORQ AX, 40(R15)
	VZEROUPPER
	MOVQ entries+24(FP), AX
	SUBQ AX, DI
	SHRQ $2, DI
	MOVQ DI, ret+48(FP)
	RET

escapes:
	ESCAPES
	VMOVDQU keptLow<>(SB), Y13
	VMOVDQU keptHigh<>(SB), Y14
	VMOVDQU nibbles<>(SB), Y15
	RARE(Y8, Y10)
	RARE(Y9, Y11)
	MASK(R9)
	ANDQ R10, R9
	MOVQ $1, backslash-16(SP)
	JMP quotes

piece:
	// What is loaded beyond the text lies in a page of the text.
	MOVL SI, AX
	ANDL $4095, AX
	CMPL AX, $4032
	JHI crossing
	VMOVQ CX, X10
	VPBROADCASTB X10, Y10
	VMOVDQU places<>(SB), Y11
	VMOVDQU places<>+32(SB), Y12
	VPCMPGTB Y11, Y10, Y11
	VPCMPGTB Y12, Y10, Y12
	VPBLENDVB Y11, (SI), Y3, Y8
	VPBLENDVB Y12, 32(SI), Y3, Y9
	JMP loaded

crossing:
	VMOVDQU Y3, (DX)
	VMOVDQU Y3, 32(DX)
	XORL R8, R8

one:
	MOVBLZX (SI)(R8*1), AX
	MOVB AX, (DX)(R8*1)
	INCQ R8
	CMPQ R8, CX
	JLT one
	VMOVDQU (DX), Y8
	VMOVDQU 32(DX), Y9
	JMP loaded

// BROADCAST512 sets every byte of Z to value.
#define BROADCAST512(value, Z) \
	MOVQ $value, AX \
	VPBROADCASTB AX, Z

// func indexAVX512(src, in *byte, size int, entries *uint32, at uint32, s *scan) int
//
// It is indexAVX2 with registers of a whole block, in the same steps.
TEXT ·indexAVX512(SB), NOSPLIT, $16-56
	MOVQ src+0(FP), SI
	MOVQ in+8(FP), DX
	MOVQ size+16(FP), CX
	MOVQ entries+24(FP), DI
	MOVL at+32(FP), BX
	MOVQ s+40(FP), R15

	BROADCAST512(0x22, Z0)
	BROADCAST512(0x5C, Z1)
	BROADCAST512(0x1F, Z2)
	BROADCAST512(0x20, Z3)
	VBROADCASTI32X4 blanks<>(SB), Z4
	VBROADCASTI32X4 marks<>(SB), Z5
	VPTERNLOGD $0xFF, Z6, Z6, Z6
	VPXORD Z7, Z7, Z7
	VMOVDQU64 places<>(SB), Z16
	VPBROADCASTD BX, Z19
	MOVL $64, AX
	VPBROADCASTD AX, Z20

	MOVQ 0(R15), R12
	MOVQ 8(R15), R13
	MOVQ 16(R15), R14
	MOVQ $0, control-8(SP)
	MOVQ $0, backslash-16(SP)

block:
	CMPQ CX, $64
	JLT piece
	VMOVDQU64 (SI), Z8

loaded:
	VMOVDQU64 Z8, (DX)
	VPMAXUB Z8, Z7, Z7

	// R10: escaped bytes. R9: those that the canonical form may not have.
	VPCMPEQB Z1, Z8, K1
	KMOVQ K1, R9
	MOVQ R12, R10
	ORQ R9, R10
	JNE escapes

quotes:
	// R8: quotation marks. R11: inside strings. R9: rare escapes there.
	VPCMPEQB Z0, Z8, K1
	KMOVQ K1, R8
	ANDNQ R8, R10, R8
	VMOVQ R8, X12
	VPCLMULQDQ $0, X6, X12, X12
	VMOVQ X12, R11
	XORQ R13, R11
	MOVQ R11, R13
	SARQ $63, R13
	ANDQ R11, R9
	ORQ R8, R9

	// Control characters in strings.
	VPCMPUB $2, Z2, Z8, K1
	KMOVQ K1, R10
	ANDQ R11, R10
	ORQ R10, control-8(SP)

	// R10: structural characters. R15: these and white space.
	VPSHUFB Z8, Z5, Z10
	VPORD Z3, Z8, Z13
	VPCMPEQB Z13, Z10, K1
	KMOVQ K1, R10
	VPSHUFB Z8, Z4, Z14
	VPCMPEQB Z8, Z14, K2
	KORQ K1, K2, K2
	KMOVQ K2, R15

	// R8: entries.
	ORQ R15, R8
	NOTQ R8
	MOVQ R8, AX
	LEAQ (R14)(R8*2), R8
	SHRQ $63, AX
	MOVQ AX, R14
	ORQ R15, R8
	NOTQ R8
	ORQ R10, R8
	ANDNQ R8, R11, R8
	ORQ R9, R8

	KMOVQ R8, K1
	POPCNTQ R8, R9
	VPCOMPRESSB.Z Z16, K1, Z17
	VPMOVZXBD X17, Z18
	VPADDD Z19, Z18, Z18
	VMOVDQU32 Z18, (DI)
	CMPQ R9, $16
	JLE stored
	VEXTRACTI32X4 $1, Z17, X18
	VPMOVZXBD X18, Z18
	VPADDD Z19, Z18, Z18
	VMOVDQU32 Z18, 64(DI)
	CMPQ R9, $32
	JLE stored
	VEXTRACTI32X4 $2, Z17, X18
	VPMOVZXBD X18, Z18
	VPADDD Z19, Z18, Z18
	VMOVDQU32 Z18, 128(DI)
	VEXTRACTI32X4 $3, Z17, X18
	VPMOVZXBD X18, Z18
	VPADDD Z19, Z18, Z18
	VMOVDQU32 Z18, 192(DI)

stored:
	LEAQ (DI)(R9*4), DI
	ADDQ $64, SI
	ADDQ $64, DX
	VPADDD Z20, Z19, Z19
	SUBQ $64, CX
	JG block

	MOVQ s+40(FP), R15
	MOVQ R12, 0(R15)
	MOVQ R13, 8(R15)
	MOVQ R14, 16(R15)
	MOVQ control-8(SP), AX
	ORQ AX, 24(R15)
	VPMOVB2M Z7, K1 // bytes from 0x80 on
	KMOVQ K1, AX
	ORQ AX, 32(R15)
	MOVQ backslash-16(SP), AX
	ORQ AX, 40(R15)
	VZEROUPPER
	MOVQ entries+24(FP), AX
	SUBQ AX, DI
	SHRQ $2, DI
	MOVQ DI, ret+48(FP)
	RET

escapes:
	ESCAPES
	VBROADCASTI32X4 keptLow<>(SB), Z13
	VBROADCASTI32X4 keptHigh<>(SB), Z14
	VBROADCASTI32X4 nibbles<>(SB), Z15
	VPSHUFB Z8, Z13, Z10
	VPSRLW $4, Z8, Z11
	VPANDD Z15, Z11, Z11
	VPSHUFB Z11, Z14, Z11
	VPTESTNMB Z11, Z10, K1
	KMOVQ K1, R9
	ANDQ R10, R9
	MOVQ $1, backslash-16(SP)
	JMP quotes

piece:
	MOVL $1, AX
	SHLQ CX, AX
	DECQ AX
	KMOVQ AX, K1
	VMOVDQA64 Z3, Z8
	VMOVDQU8 (SI), K1, Z8 // touches nothing beyond the text
	JMP loaded

// The kinds of faults in UTF-8 that two bytes can show, by the high and low
// half of the first byte and the high half of the second: the lookup method
// of Keiser and Lemire, "Validating UTF-8 In Less Than One Instruction Per
// Byte".
DATA firstHigh<>+0(SB)/8, $0x0202020202020202
DATA firstHigh<>+8(SB)/8, $0x4915012180808080
DATA firstHigh<>+16(SB)/8, $0x0202020202020202
DATA firstHigh<>+24(SB)/8, $0x4915012180808080
GLOBL firstHigh<>(SB), RODATA|NOPTR, $32

DATA firstLow<>+0(SB)/8, $0xCBCBCB8B8383A3E7
DATA firstLow<>+8(SB)/8, $0xCBCBDBCBCBCBCBCB
DATA firstLow<>+16(SB)/8, $0xCBCBCB8B8383A3E7
DATA firstLow<>+24(SB)/8, $0xCBCBDBCBCBCBCBCB
GLOBL firstLow<>(SB), RODATA|NOPTR, $32

DATA secondHigh<>+0(SB)/8, $0x0101010101010101
DATA secondHigh<>+8(SB)/8, $0x01010101BABAAEE6
DATA secondHigh<>+16(SB)/8, $0x0101010101010101
DATA secondHigh<>+24(SB)/8, $0x01010101BABAAEE6
GLOBL secondHigh<>(SB), RODATA|NOPTR, $32

// The greatest last bytes that leave no sequence open.
DATA lastBytes<>+0(SB)/8, $0xFFFFFFFFFFFFFFFF
DATA lastBytes<>+8(SB)/8, $0xFFFFFFFFFFFFFFFF
DATA lastBytes<>+16(SB)/8, $0xFFFFFFFFFFFFFFFF
DATA lastBytes<>+24(SB)/8, $0xBFDFEFFFFFFFFFFF
GLOBL lastBytes<>(SB), RODATA|NOPTR, $32

// CHECK adds the faults of the 32 bytes in INPUT, which follow PREV, to Y7.
#define CHECK(INPUT, PREV) \
	VPERM2I128 $0x21, INPUT, PREV, Y13 \
	VPALIGNR $15, Y13, INPUT, Y14 \
	VPSRLW $4, Y14, Y15 \
	VPAND Y3, Y15, Y15 \
	VPSHUFB Y15, Y0, Y15 \
	VPAND Y3, Y14, Y14 \
	VPSHUFB Y14, Y1, Y14 \
	VPAND Y14, Y15, Y15 \
	VPSRLW $4, INPUT, Y14 \
	VPAND Y3, Y14, Y14 \
	VPSHUFB Y14, Y2, Y14 \
	VPAND Y14, Y15, Y15 \
	VPALIGNR $14, Y13, INPUT, Y14 \
	VPSUBUSB Y4, Y14, Y14 \
	VPALIGNR $13, Y13, INPUT, Y13 \
	VPSUBUSB Y5, Y13, Y13 \
	VPOR Y13, Y14, Y14 \
	VPAND Y6, Y14, Y14 \
	VPXOR Y15, Y14, Y14 \
	VPOR Y14, Y7, Y7

// func utf8AVX2(in *byte, blocks int) bool
TEXT ·utf8AVX2(SB), NOSPLIT, $0-17
	MOVQ in+0(FP), SI
	MOVQ blocks+8(FP), CX
	VMOVDQU firstHigh<>(SB), Y0
	VMOVDQU firstLow<>(SB), Y1
	VMOVDQU secondHigh<>(SB), Y2
	BROADCAST(0x0F, X3, Y3)
	BROADCAST(0x60, X4, Y4) // 0xE0 - 0x80: a third byte must follow
	BROADCAST(0x70, X5, Y5) // 0xF0 - 0x80: a fourth byte must follow
	BROADCAST(0x80, X6, Y6)
	VPXOR Y7, Y7, Y7        // faults
	VPXOR Y8, Y8, Y8        // the 32 bytes before
	VMOVDQU lastBytes<>(SB), Y9
	VPXOR Y10, Y10, Y10     // not zero if a sequence is open

next:
	VMOVDQU (SI), Y11
	VMOVDQU 32(SI), Y12
	VPOR Y11, Y12, Y13
	VPMOVMSKB Y13, AX
	TESTL AX, AX
	JNE wide
	VPOR Y10, Y7, Y7
	VPXOR Y10, Y10, Y10
	VMOVDQA Y12, Y8
	ADDQ $64, SI
	DECQ CX
	JNE next
	JMP done

wide:
	CHECK(Y11, Y8)
	CHECK(Y12, Y11)
	VPSUBUSB Y9, Y12, Y10
	VMOVDQA Y12, Y8
	ADDQ $64, SI
	DECQ CX
	JNE next

done:
	VPOR Y10, Y7, Y7
	VPTEST Y7, Y7
	SETEQ ret+16(FP)
	VZEROUPPER
	RET

// func cpuid(leaf, subleaf uint32) (a, b, c, d uint32)
TEXT ·cpuid(SB), NOSPLIT, $0-24
	MOVL leaf+0(FP), AX
	MOVL subleaf+4(FP), CX
	CPUID
	MOVL AX, a+8(FP)
	MOVL BX, b+12(FP)
	MOVL CX, c+16(FP)
	MOVL DX, d+20(FP)
	RET

// func xgetbv() (low uint32)
TEXT ·xgetbv(SB), NOSPLIT, $0-4
	XORL CX, CX
	XGETBV
	MOVL AX, low+0(FP)
	RET
