//go:build !purego

#include "textflag.h"
#include "index_amd64.h"

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

// Quotation mark, backslash, the last control character, and what makes a
// bracket a brace.
DATA bytes<>+0(SB)/4, $0x201f5c22
GLOBL bytes<>(SB), RODATA|NOPTR, $4

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

// ENTRY stores the place of the lowest bit of R9 in the copy, which has lost the
// white space in R15 before it, and clears the bit.
#define ENTRY(offset) \
	TZCNTQ R9, AX \
	BLSMSKQ R9, R10 \
	ANDQ R15, R10 \
	POPCNTQ R10, R10 \
	BLSRQ R9, R9 \
	ADDL BX, AX \
	SUBL R10, AX \
	MOVL AX, offset(R11)

// DENSE is ENTRY where there is no white space.
#define DENSE(offset) \
	TZCNTQ R9, AX \
	BLSRQ R9, R9 \
	ADDL BX, AX \
	MOVL AX, offset(R11)

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

// GAPS adds to fault-8(SP) where white space alone stands between two bytes of
// scalars: R8 are the bytes of scalars, R15 is the white space outside strings,
// R14 is 1 if such stood before the block, and what stood before it is found in
// the copy. A run of white space that follows a scalar carries into the byte
// behind it.
#define GAPS(first) \
	XORL AX, AX \
	CMPQ DX, copy-24(SP) \
	JEQ first \
	MOVBLZX -1(DX), AX \
	LEAQ ·scalars(SB), R10 \
	MOVBLZX (R10)(AX*1), AX \
first: \
	LEAQ (AX)(R8*2), R10 \
	ANDQ R15, R10 \
	ADDQ R15, R10 \
	ANDNQ R10, R15, R10 \
	ANDQ R14, AX \
	ORQ AX, R10 \
	ANDQ R8, R10 \
	ORQ R10, fault-8(SP) \
	MOVQ R15, R14 \
	SHRQ $63, R14

// START and FINISH take over what one window leaves to the next.
#define START \
	MOVQ src+0(FP), SI \
	MOVQ in+8(FP), DX \
	MOVQ size+16(FP), CX \
	MOVQ entries+24(FP), DI \
	MOVL at+32(FP), BX \
	MOVQ s+40(FP), R15 \
	MOVQ 0(R15), R12 \
	MOVQ 8(R15), R13 \
	MOVQ 16(R15), R14 \
	MOVQ DX, AX \
	SUBQ BX, AX \
	MOVQ AX, copy-24(SP) \
	MOVQ $0, fault-8(SP) \
	MOVQ $0, backslash-16(SP)

#define FINISH \
	MOVQ s+40(FP), R15 \
	MOVQ R12, 0(R15) \
	MOVQ R13, 8(R15) \
	MOVQ R14, 16(R15) \
	MOVQ fault-8(SP), AX \
	ORQ AX, 24(R15) \
	MOVQ backslash-16(SP), AX \
	ORQ AX, 40(R15) \
	VZEROUPPER \
	MOVQ in+8(FP), AX \
	SUBQ AX, DX \
	MOVQ DX, packed+56(FP) \
	MOVQ entries+24(FP), AX \
	SUBQ AX, DI \
	SHRQ $2, DI \
	MOVQ DI, count+48(FP) \
	RET

// func indexAVX2(src, in *byte, size int, entries *uint32, at uint32, s *scan) (count, packed int)
//
// A last piece of less than a block is filled up with spaces.
TEXT ·indexAVX2(SB), NOSPLIT, $32-64
	START
	VPBROADCASTB bytes<>+0(SB), Y0
	VPBROADCASTB bytes<>+1(SB), Y1
	VPBROADCASTB bytes<>+2(SB), Y2
	VPBROADCASTB bytes<>+3(SB), Y3
	VMOVDQU blanks<>(SB), Y4
	VMOVDQU marks<>(SB), Y5
	VPCMPEQB Y6, Y6, Y6     // ones: their carry-less product is a running xor
	VPXOR Y7, Y7, Y7        // the greatest bytes

	// R12: 1 if the first byte of the block is escaped. R13: all ones inside
	// a string.
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
	// opening mark among it. R9: rare escapes there, and closing marks.
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
	ANDNQ R8, R11, AX
	ORQ AX, R9
	ORQ R11, R8

	// Control characters in strings.
	VPMINUB Y2, Y8, Y10
	VPMINUB Y2, Y9, Y11
	VPCMPEQB Y8, Y10, Y10
	VPCMPEQB Y9, Y11, Y11
	MASK(R10)
	ANDQ R11, R10
	ORQ R10, fault-8(SP)

	// R15: white space outside strings.
	VPSHUFB Y8, Y4, Y10
	VPSHUFB Y9, Y4, Y11
	VPCMPEQB Y8, Y10, Y10
	VPCMPEQB Y9, Y11, Y11
	MASK(R15)
	ANDNQ R15, R11, R15

	// Entries.
	POPCNTQ R9, AX
	MOVQ DI, R11
	LEAQ (DI)(AX*4), DI
	MOVQ R15, AX
	ORQ R14, AX
	JNE spaced

entries:
	DENSE(0)
	DENSE(4)
	DENSE(8)
	DENSE(12)
	ADDQ $16, R11
	TESTQ R9, R9
	JNE entries
	ADDQ $64, DX
	ADDL $64, BX

packed:
	ADDQ $64, SI
	SUBQ $64, CX
	JG block

	VPMOVMSKB Y7, AX // bytes from 0x80 on
	MOVQ s+40(FP), R15
	ORQ AX, 32(R15)
	FINISH

spaced:
	ENTRY(0)
	ENTRY(4)
	ENTRY(8)
	ENTRY(12)
	ADDQ $16, R11
	TESTQ R9, R9
	JNE spaced

	// R8: bytes of scalars.
	VPSHUFB Y8, Y5, Y10
	VPSHUFB Y9, Y5, Y11
	VPOR Y3, Y8, Y13
	VPOR Y3, Y9, Y14
	VPCMPEQB Y13, Y10, Y10
	VPCMPEQB Y14, Y11, Y11
	MASK(R10)
	ORQ R10, R8
	ORQ R15, R8
	NOTQ R8
	GAPS(first)

	// The block lies in DX too, where packing it does not overtake itself.
	NOTQ R15
	MOVQ R15, R10
	MOVQ SI, R11
	MOVQ DX, SI
	LEAQ ·packs(SB), R8
	PACK(0)
	PACK(8)
	PACK(16)
	PACK(24)
	PACK(32)
	PACK(40)
	PACK(48)
	PACK(56)
	MOVQ R11, SI
	POPCNTQ R15, R15
	ADDL R15, BX
	JMP packed

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

// MORE lists the 16 entries from the lane on.
#define MORE(lane, offset) \
	VEXTRACTI32X4 $lane, Z17, X18 \
	VPMOVZXBD X18, Z18 \
	VPADDD Z19, Z18, Z18 \
	VMOVDQU32 Z18, offset(DI)

// func indexAVX512(src, in *byte, size int, entries *uint32, at uint32, s *scan) (count, packed int)
//
// It is indexAVX2 with registers of a whole block, in the same steps; but control
// characters are looked for once no white space is left.
TEXT ·indexAVX512(SB), NOSPLIT, $32-64
	START
	VPBROADCASTB bytes<>+0(SB), Z0
	VPBROADCASTB bytes<>+1(SB), Z1
	VPBROADCASTB bytes<>+3(SB), Z3
	VBROADCASTI32X4 blanks<>(SB), Z4
	VBROADCASTI32X4 marks<>(SB), Z5
	VPTERNLOGD $0xFF, Z6, Z6, Z6
	VPXORD Z7, Z7, Z7
	VMOVDQA64 Z3, Z2 // the least bytes of the copy
	VMOVDQU64 places<>(SB), Z16
	VPBROADCASTD BX, Z19
	MOVL $64, AX
	VPBROADCASTD AX, Z20

block:
	CMPQ CX, $64
	JLT piece
	VMOVDQU64 (SI), Z8

loaded:
	VPMAXUB Z8, Z7, Z7
	VPCMPEQB Z1, Z8, K1
	KMOVQ K1, R9
	MOVQ R12, R10
	ORQ R9, R10
	JNE escapes

quotes:
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
	ANDNQ R8, R11, AX
	ORQ AX, R9
	ORQ R11, R8

	VPSHUFB Z8, Z4, Z14
	VPCMPEQB Z8, Z14, K2
	KMOVQ K2, R15
	ANDNQ R15, R11, R15
	MOVQ R15, AX
	ORQ R14, AX
	JNE spaced

	VMOVDQU64 Z8, (DX)
	VPMINUB Z8, Z2, Z2
	KMOVQ R9, K1
	POPCNTQ R9, R9
	VPCOMPRESSB.Z Z16, K1, Z17
	VPMOVZXBD X17, Z18
	VPADDD Z19, Z18, Z18
	VMOVDQU32 Z18, (DI)
	CMPQ R9, $16
	JGT dense
	LEAQ (DI)(R9*4), DI
	VPADDD Z20, Z19, Z19
	ADDQ $64, DX

stored:
	ADDQ $64, SI
	SUBQ $64, CX
	JG block

	VPCMPUB $1, Z3, Z2, K1 // control characters
	KMOVQ K1, AX
	ORQ AX, fault-8(SP)
	VPMOVB2M Z7, K1 // bytes from 0x80 on
	KMOVQ K1, AX
	MOVQ s+40(FP), R15
	ORQ AX, 32(R15)
	FINISH

dense:
	MORE(1, 64)
	MORE(2, 128)
	MORE(3, 192)
	LEAQ (DI)(R9*4), DI
	VPADDD Z20, Z19, Z19
	ADDQ $64, DX
	JMP stored

spaced:
	VPSHUFB Z8, Z5, Z10
	VPORD Z3, Z8, Z13
	VPCMPEQB Z13, Z10, K1
	KMOVQ K1, R10
	ORQ R10, R8
	ORQ R15, R8
	NOTQ R8
	GAPS(first)

	NOTQ R15
	KMOVQ R15, K1
	VMOVDQA64 Z3, Z10
	VPCOMPRESSB Z8, K1, Z10
	VMOVDQU64 Z10, (DX)
	VPMINUB Z10, Z2, Z2

	PEXTQ R15, R9, R9
	KMOVQ R9, K1
	POPCNTQ R9, R9
	VPCOMPRESSB.Z Z16, K1, Z17
	VPMOVZXBD X17, Z18
	VPADDD Z19, Z18, Z18
	VMOVDQU32 Z18, (DI)
	CMPQ R9, $16
	JLE few
	MORE(1, 64)
	MORE(2, 128)
	MORE(3, 192)

few:
	LEAQ (DI)(R9*4), DI
	POPCNTQ R15, R15
	VPBROADCASTD R15, Z21
	VPADDD Z21, Z19, Z19
	ADDQ R15, DX
	JMP stored

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
